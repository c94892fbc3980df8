"""Which effects lie on every path of a model from its start to an end, in which order."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from workflows.engine import effort, rules
from workflows.engine.document import Element, local, ours, tag
from workflows.engine.elements import LOOP, NODES
from workflows.engine.errors import Problem

Required = Sequence[Sequence[str]]
"""Groups of operations: one of each group has to be called, in the order of the groups."""

END = "/end"
"""Behind a sub-process's id: the place where a way leaves it. No id has this sign."""


def missing(root: Element, required: Required) -> list[Problem]:
    """Return a problem for each end that is reachable without the required effects, naming the first missing group.

    For each node this counts how many groups are surely done: the fewest over the paths that reach it, and at a
    parallel join, where all paths are taken, the most. An interrupting event may occur before anything in its activity
    is done. A non-interrupting event begins a path of its own and is left out, unless that path can terminate the
    process. The document has passed the rules.
    """
    process = root.find(tag("process"))
    nodes: dict[str, Element] = {}
    edges: list[tuple[str, str]] = []
    _collect_edges(process, nodes, edges)
    starts = [start.get("id") for start in process.findall(tag("startEvent"))]
    reached = rules.closure(edges, starts)
    before: dict[str, list[str]] = {name: [] for name in reached}
    for source, target in edges:
        if source in reached:
            before[target].append(source)
    # The greatest possible number; it only falls from here, so that loops come to rest.
    done = dict.fromkeys(reached, len(required))
    done.update(dict.fromkeys(starts, 0))
    changed = True
    while changed:
        changed = False
        effort.spend(len(edges))
        for name, sources in before.items():
            if name in starts:
                continue
            coming = [_after(nodes, source, name, done[source], required) for source in sources]
            joins = name in nodes and local(nodes[name]) == "parallelGateway"
            now = max(coming) if joins else min(coming)
            if now < done[name]:
                done[name], changed = now, True
    problems = []
    for end in process.iter(tag("endEvent")):
        if end.getparent() is not process and not rules.ends_all(end):
            continue
        count = done.get(end.get("id"), len(required))
        if count < len(required):
            names = " / ".join(required[count])
            zh = f"有路径未按顺序执行“{names}”就到达该结束事件"
            en = f"A way leads to this end without “{names}” in its turn"
            problems.append(Problem(end.get("id"), "effect_missing", zh, en))
    return problems


def _collect_edges(
    scope: Element, nodes: dict[str, Element], edges: list[tuple[str, str]], *, every: bool = False
) -> None:
    """Collect all nodes of a scope and of its sub-processes, and the edges between them, through sub-processes.

    Paths of non-interrupting events are left out, unless `every` path is asked for.
    """
    children = {child.get("id"): child for child in scope if local(child) in NODES}
    nodes.update(children)
    inner = {name for name, child in children.items() if local(child) == "subProcess"}
    # A multi-instance activity with an empty list does not run at all.
    edges += [(name, name + END) for name in inner if children[name].find(tag(LOOP)) is not None]
    for name in inner:
        _collect_edges(children[name], nodes, edges, every=every)
        edges += [(name, child.get("id")) for child in children[name].findall(tag("startEvent"))]
        edges += [(child.get("id"), name + END) for child in children[name].findall(tag("endEvent"))]
    flows = [(flow.get("sourceRef"), flow.get("targetRef")) for flow in scope.findall(tag("sequenceFlow"))]
    edges += [(source + END if source in inner else source, target) for source, target in flows]
    for name, child in children.items():
        if local(child) != "boundaryEvent":
            continue
        if every or _breaks_off(child) or _terminates(children, flows, name):
            edges.append((child.get("attachedToRef"), name))


def _breaks_off(event: Element) -> bool:
    return bool(event.get("cancelActivity", "true") != "false")


def _terminates(children: Mapping[str, Element], flows: list[tuple[str, str]], event: str) -> bool:
    """Return whether the path of a non-interrupting event can end the whole process."""
    effort.spend(len(flows))
    beside = rules.closure(flows, [event])
    found = [children[name] for name in beside if name in children]
    return any(
        node.find(tag("terminateEventDefinition")) is not None or any(map(rules.ends_all, node.iter(tag("endEvent"))))
        for node in found
    )


def _after(nodes: Mapping[str, Element], source: str, target: str, count: int, required: Required) -> int:
    """Return how many groups are done on a path that leaves `source`, where `count` were done on arriving."""
    node = nodes.get(source)
    if node is None or local(node) != "serviceTask" or count == len(required):
        return count
    skipped = node.find(tag(LOOP)) is not None
    skipped = skipped or (target in nodes and local(nodes[target]) == "boundaryEvent")
    return count + 1 if not skipped and ours(node, "operation") in required[count] else count


def graph(process: Element, *, every: bool = True) -> tuple[dict[str, Element], list[tuple[str, str]]]:
    """Return all nodes of a process by id, and the edges between them, through sub-processes (see `END`).

    Paths of non-interrupting events are left out, unless `every` path is asked for.
    """
    nodes: dict[str, Element] = {}
    edges: list[tuple[str, str]] = []
    _collect_edges(process, nodes, edges, every=every)
    return nodes, edges


def inputs(root: Element) -> dict[str, set[str]]:
    """Return, by operation, what a path may have waited for last when it reaches a call of it.

    That is the id of a user task, or 'start', 'timer', 'message': the operation is given the input of that.
    """
    process = root.find(tag("process"))
    nodes, edges = graph(process)
    before = sources(edges)

    def told(place: str) -> tuple[str, bool]:
        word = _waited_for(nodes[place], process) if place in nodes else ""
        return word, bool(word) and nodes[place].find(tag(LOOP)) is None

    found: dict[str, set[str]] = {}
    for name, node in nodes.items():
        if local(node) != "serviceTask":
            continue
        found.setdefault(ours(node, "operation"), set()).update(nearest(name, before, told))
    return found


def sources(edges: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the places from which edges lead to each node."""
    found: dict[str, list[str]] = {}
    for source, target in edges:
        found.setdefault(target, []).append(source)
    return found


def nearest(name: str, before: Mapping[str, list[str]], told: Callable[[str], tuple[str, bool]]) -> set[str]:
    """Return what is told of the places before a node: a word, or '', and whether the way back ends there.

    `before` are the `sources` of the edges.
    """
    found: set[str] = set()
    seen: set[str] = set()
    todo = list(before.get(name, ()))
    while todo:
        place = todo.pop()
        if place in seen:
            continue
        seen.add(place)
        effort.spend(2)
        word, ends = told(place)
        if word:
            found.add(word)
        if not ends:
            todo += before.get(place, ())
    return found


def _waited_for(node: Element, process: Element) -> str:
    """Return what a path waits for at this node; '' where it does not wait."""
    kind = local(node)
    if kind == "userTask":
        return str(node.get("id"))
    if kind in ("boundaryEvent", "intermediateCatchEvent", "receiveTask"):
        return "timer" if node.find(tag("timerEventDefinition")) is not None else "message"
    return "start" if kind == "startEvent" and node.getparent() is process else ""
