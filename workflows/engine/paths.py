"""Which effects lie on every way of a model from its start to an end, in which order."""

from collections.abc import Mapping, Sequence

from workflows.engine import many, rules
from workflows.engine.document import Element, local, ours, tag
from workflows.engine.errors import Problem

Required = Sequence[Sequence[str]]
"""Groups of operations: one of each group has to be called, group by group in this order."""

_END = "/end"
"""Behind a sub-process's id: the place where a way leaves it. No id has this sign."""


def missing(root: Element, required: Required) -> list[Problem]:
    """The ends of the process that can be reached without the required effects, each with what is missing first.

    For each place it reckons how many groups are surely done: the least over the ways that come there, the greatest
    over the ways into a parallel join, which all are gone. An event that breaks an activity off may do so before
    anything in it is done. One that breaks nothing off begins a way beside the main one and is left out, unless that
    can terminate the main one. The document has passed the rules.
    """
    process = root.find(tag("process"))
    nodes: dict[str, Element] = {}
    ways: list[tuple[str, str]] = []
    _lay_out(process, nodes, ways)
    start = next(child for child in process if local(child) == "startEvent").get("id")
    reached = rules.closure(ways, [start])
    before: dict[str, list[str]] = {name: [] for name in reached}
    for source, target in ways:
        if source in reached:
            before[target].append(source)
    # The greatest that can be; it only goes down from here, so that loops settle.
    done = dict.fromkeys(reached, len(required))
    done[start] = 0
    changed = True
    while changed:
        changed = False
        for name, sources in before.items():
            if name == start:
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


def _lay_out(scope: Element, nodes: dict[str, Element], ways: list[tuple[str, str]], *, every: bool = False) -> None:
    """All nodes of a scope and of those in it, and the ways between them; a way goes through a sub-process.

    Ways beside the main one are left out, unless `every` way is asked for.
    """
    children = {child.get("id"): child for child in scope if local(child) in rules.NODES}
    nodes.update(children)
    inner = {name for name, child in children.items() if local(child) == "subProcess"}
    # Where a list is empty, an activity that is done for each of its items is not done at all.
    ways += [(name, name + _END) for name in inner if children[name].find(tag(many.LOOP)) is not None]
    for name in inner:
        _lay_out(children[name], nodes, ways, every=every)
        ways += [(name, child.get("id")) for child in children[name].findall(tag("startEvent"))]
        ways += [(child.get("id"), name + _END) for child in children[name].findall(tag("endEvent"))]
    flows = [(flow.get("sourceRef"), flow.get("targetRef")) for flow in scope.findall(tag("sequenceFlow"))]
    ways += [(source + _END if source in inner else source, target) for source, target in flows]
    for name, child in children.items():
        if local(child) != "boundaryEvent":
            continue
        if every or _breaks_off(child) or _terminates(children, flows, name):
            ways.append((child.get("attachedToRef"), name))


def _breaks_off(event: Element) -> bool:
    return bool(event.get("cancelActivity", "true") != "false")


def _terminates(children: Mapping[str, Element], flows: list[tuple[str, str]], event: str) -> bool:
    """Whether the way beside the main one can end the main one too."""
    beside = rules.closure(flows, [event])
    found = [children[name] for name in beside if name in children]
    return any(
        node.find(tag("terminateEventDefinition")) is not None or any(map(rules.ends_all, node.iter(tag("endEvent"))))
        for node in found
    )


def _after(nodes: Mapping[str, Element], source: str, target: str, count: int, required: Required) -> int:
    """How many groups are done when a way comes from `source`, where `count` were done on arriving."""
    node = nodes.get(source)
    if node is None or local(node) != "serviceTask" or count == len(required):
        return count
    skipped = node.find(tag(many.LOOP)) is not None
    skipped = skipped or (target in nodes and local(nodes[target]) == "boundaryEvent")
    return count + 1 if not skipped and ours(node, "operation") in required[count] else count


def inputs(root: Element) -> dict[str, set[str]]:
    """By operation, what a way may have waited for last when it comes to a call of it.

    That is a person's step by its id, or 'start', 'timer', 'message': the operation is given what came from there.
    """
    process = root.find(tag("process"))
    nodes: dict[str, Element] = {}
    ways: list[tuple[str, str]] = []
    _lay_out(process, nodes, ways, every=True)
    before: dict[str, list[str]] = {}
    for source, target in ways:
        before.setdefault(target, []).append(source)
    found: dict[str, set[str]] = {}
    for name, node in nodes.items():
        if local(node) != "serviceTask":
            continue
        said = found.setdefault(ours(node, "operation"), set())
        seen: set[str] = set()
        todo = list(before.get(name, ()))
        while todo:
            place = todo.pop()
            if place in seen:
                continue
            seen.add(place)
            word = _waited_for(nodes[place], process) if place in nodes else ""
            if word:
                said.add(word)
            if not word or nodes[place].find(tag(many.LOOP)) is not None:
                todo += before.get(place, ())
    return found


def _waited_for(node: Element, process: Element) -> str:
    """What a way has waited for at this node; empty where nothing waits."""
    kind = local(node)
    if kind == "userTask":
        return str(node.get("id"))
    if kind in ("boundaryEvent", "intermediateCatchEvent", "receiveTask"):
        return "timer" if node.find(tag("timerEventDefinition")) is not None else "message"
    return "start" if kind == "startEvent" and node.getparent() is process else ""
