"""Writes out three things that BPMN has a short form for: a scope without a start event, links, and standard loops.

It changes the document in memory, before `unfold`.
"""

import re
from collections.abc import Iterator

from workflows.engine.document import Element, local, tag, text
from workflows.engine.elements import LOOP, NODES
from workflows.engine.errors import Problem, warning
from workflows.engine.multi_instance import MAX_INSTANCES, PLACES, STANDARD_LOOP
from workflows.engine.rewriting import FreeIds, add, join

_CONDITION = re.compile(r"[$#]\{([^{}]*)\}|[^{}]+")


def write_out(process: Element, names: FreeIds) -> Iterator[Problem]:
    """Rewrite a process; yield a warning where the model leaves something open."""
    for scope in [process, *process.iter(tag("subProcess"))]:
        _links(scope, names)
        yield from _start(scope, names)
    for drawn in list(process.iter(tag(STANDARD_LOOP))):
        if local(drawn.getparent()) in PLACES:
            yield from _repeat(drawn)


def _links(scope: Element, names: FreeIds) -> None:
    """Connect each link that throws with the one of its name that catches; the rules refuse one that has no other."""
    ends: dict[str, dict[str, list[Element]]] = {"intermediateThrowEvent": {}, "intermediateCatchEvent": {}}
    for event in scope:
        definition = event.find(tag("linkEventDefinition")) if local(event) in ends else None
        if definition is not None:
            ends[local(event)].setdefault(definition.get("name", "").strip(), []).append(event)
    for name, throwing in ends["intermediateThrowEvent"].items():
        catching = ends["intermediateCatchEvent"].get(name, [])
        if len(catching) == 1:
            for event in (*throwing, *catching):
                event.remove(event.find(tag("linkEventDefinition")))
                event.tag = tag("intermediateThrowEvent")
            for event in throwing:
                join(scope, event, catching[0], names)


def _start(scope: Element, names: FreeIds) -> Iterator[Problem]:
    """Begin a scope without a start event at every node that no flow leads to."""
    reached = {flow.get("targetRef") for flow in scope.findall(tag("sequenceFlow"))}
    first = [
        child
        for child in scope
        if local(child) in NODES - {"boundaryEvent"}
        and child.get("id") not in reached
        and not {child.get("triggeredByEvent"), child.get("isForCompensation")} & {"true"}
    ]
    if not first or scope.find(tag("startEvent")) is not None or scope.get("triggeredByEvent") == "true":
        return
    source = add(scope, "startEvent", names.new(f"{scope.get('id', 'process')}.start"))
    if len(first) > 1:
        fork = add(scope, "parallelGateway", names.new(f"{scope.get('id', 'process')}.begin"))
        join(scope, source, fork, names)
        source = fork
    for node in first:
        join(scope, source, node, names)
    zh, en = "没有开始事件，从没有入线的元素开始", "No start event: it begins at every element without an incoming flow"
    yield warning(scope.get("id", ""), "no_start", zh, en)


def _repeat(drawn: Element) -> Iterator[Problem]:
    """Change a standard loop to a sequential one whose completion condition is that the loop's condition fails."""
    condition = _CONDITION.fullmatch(text(drawn.find(tag("loopCondition"))))
    most = drawn.get("loopMaximum", "").strip()
    if (condition is None and not most) or (most and not most.isdecimal()):
        return  # it would go on for ever, or nobody knows how long: the rules refuse it
    number = most or str(MAX_INSTANCES)
    activity = drawn.getparent()
    drawn.tag = tag(LOOP)
    for child in list(drawn):
        drawn.remove(child)
    is_first_asked = drawn.get("testBefore") == "true"
    drawn.attrib.clear()
    drawn.set("isSequential", "true")
    said = (condition[1] or condition[0]).strip() if condition is not None else ""
    add(drawn, "loopCardinality").text = f"${{({said}) ? {number} : 0}}" if said and is_first_asked else number
    if said:
        add(drawn, "completionCondition").text = f"${{!({said})}}"
    if not most:
        zh = f"未指定最多循环次数，循环{MAX_INSTANCES}次后继续向后执行"
        en = f"The loop has no maximum: the process goes on after {MAX_INSTANCES} rounds"
        yield warning(activity.get("id", ""), "loop_bound", zh, en)
