"""Nodes in the order of their edges, and loops, in time that grows with the edges alone."""

from collections.abc import Iterable, Mapping


def followers_first(following: Mapping[str, Iterable[str]], without: str = "") -> list[str]:
    """Return the nodes, but for one, such that what follows a node comes before it; in loops no order is right."""
    order: list[str] = []
    seen = {without}
    for first in following:
        if first in seen:
            continue
        seen.add(first)
        todo = [(first, iter(following[first]))]
        while todo:
            name, behind = todo[-1]
            after = next((one for one in behind if one not in seen), None)
            if after is None:
                order.append(name)
                todo.pop()
            else:
                seen.add(after)
                todo.append((after, iter(following.get(after, ()))))
    return order


def in_loops(edges: Iterable[tuple[str, str]]) -> set[str]:
    """Return the nodes that lie in a loop."""
    following: dict[str, list[str]] = {}
    before: dict[str, list[str]] = {}
    found = set()
    for source, target in edges:
        following.setdefault(source, []).append(target)
        before.setdefault(target, []).append(source)
        if source == target:
            found.add(source)
    seen: set[str] = set()
    for last in reversed(followers_first(following)):
        group, todo = [], [last]
        while todo:  # what leads here and was not met yet can be reached from here too
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                group.append(name)
                todo += before.get(name, ())
        if len(group) > 1:
            found.update(group)
    return found
