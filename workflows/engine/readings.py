"""Where a model reads names, and which of these names nothing gives a value."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from workflows.engine import foreign, multi_instance, working
from workflows.engine.document import (
    Element,
    attribute,
    local,
    mapping,
    message_place,
    ours,
    parameters,
    results,
    tag,
    text,
)
from workflows.engine.elements import CHOICES, CODE_VARIABLE, GIVEN, LOOP, NODES, RETURNED
from workflows.engine.errors import MOST, ExpressionError, Problem
from workflows.engine.expressions import contents
from workflows.engine.repetitions import check_cycle

Known = Mapping[str, Collection[str] | None]
"""By name that expressions may read the fields that it has, None where they are not known."""

_CATCHING = (tag("errorEventDefinition"), tag("escalationEventDefinition"))
_PEOPLE = ("assignee", "candidateUsers", "candidateGroups")
_TIMES = ("timeDuration", "timeDate", "timeCycle")
_OF_LOOP = ("loopCounter", "nrOfInstances")
_OF_COUNT = ("nrOfCompletedInstances", "nrOfActiveInstances", "votes")
_OF_WEIGHTS = ("weights", "totalWeight", "completedWeight")


@dataclass(frozen=True)
class Reading:
    """An expression: the element that evaluates it, its text, and the names that only this place has."""

    element: str
    source: str
    beside: frozenset[str] = frozenset()


def unknown_names(root: Element, known: Known) -> list[Problem]:
    """Return a problem for each name that an expression of the document reads and nothing gives a value."""
    variables = variables_set(root) | _set_by_results(root)
    found: dict[tuple[str, str], Problem] = {}
    for reading in _readings(root):
        for path in contents(reading.source).paths:
            if path[0] in reading.beside or path[0] in variables:
                continue
            fields = known.get(path[0], ())
            if path[0] not in known or (fields is not None and len(path) > 1 and path[1] not in fields):
                name = ".".join(path[:2])[:40] if path[0] in known else path[0][:40]
                zh = f"名称“{name}”不存在：没有表单字段、流程变量或单据数据提供它"
                en = f"The name “{name}” does not exist: no form field, variable or record value provides it"
                found.setdefault((reading.element, name), Problem(reading.element, "name_unknown", zh, en))
    return list(found.values())[:MOST]


def variables_set(root: Element) -> frozenset[str]:
    """Return the variables that the document sets: in scripts, by calls and loops, and for codes that are caught."""
    found: set[str] = set()
    for element in root.find(tag("process")).iter(tag("scriptTask"), tag("subProcess"), tag(LOOP), *_CATCHING):
        if local(element) == "scriptTask":
            try:
                found |= foreign.read_script(element).variables
            except ExpressionError:  # one that was deployed may be refused now
                continue
        elif local(element) == "subProcess":
            found |= {*mapping(element, GIVEN), *mapping(element, RETURNED)}
        elif local(element) == LOOP and (loop := multi_instance.loop_of(element.getparent())) is not None:
            found |= {aggregate.variable for aggregate in loop.aggregates}
        else:
            found |= set(ours(element, CODE_VARIABLE).split())
    return frozenset(found)


def written_repetitions(root: Element) -> dict[str, tuple[str, bool]]:
    """Return by event the repetition that is written out, and whether a token waits at the event for it.

    Starts of the process are none of these, and what cannot be read is left to the rules. In working time a repetition
    says no moments.
    """
    found = {}
    for event in root.iter(tag("intermediateCatchEvent"), tag("boundaryEvent")):
        timer = event.find(tag("timerEventDefinition"))
        cycle = None if timer is None or working.counts(timer) else timer.find(tag("timeCycle"))
        said, end = ("", "") if cycle is None else (text(cycle), attribute(cycle, "endDate"))
        if not said or "{" in said or "{" in end:
            continue
        try:
            found[event.get("id", "")] = check_cycle(said, said, end), local(event) == "intermediateCatchEvent"
        except ExpressionError:
            continue
    return found


def _set_by_results(root: Element) -> frozenset[str]:
    """Return the variables that what operations answer sets."""
    said = (target for task in root.iter(tag("serviceTask")) for _name, target in results(task))
    return frozenset(target for target in said if "." not in target)


def _readings(root: Element) -> Iterator[Reading]:
    process = root.find(tag("process"))
    if title := ours(process, "title"):
        yield Reading(process.get("id", ""), title)
    for said in ours(process, "copies").split():
        yield Reading(process.get("id", ""), said)
    nodes = {element.get("id"): element for element in process.iter() if local(element) in NODES}
    for node in nodes.values():
        yield from _of_node(node)
    for flow in process.iter(tag("sequenceFlow")):
        source = nodes.get(flow.get("sourceRef"))
        condition = text(flow.find(tag("conditionExpression")))
        if source is None or local(source) not in CHOICES:
            continue
        if condition and source.get("default") != (flow.get("id") or ""):
            beside = _of_loops(source) | {"outcome"}
            yield Reading(flow.get("id") or source.get("id"), _braced(condition), beside)


def _of_node(node: Element) -> Iterator[Reading]:
    name, beside = node.get("id", ""), _of_loops(node)
    if local(node) == "userTask":
        for said in (*(attribute(node, one) for one in _PEOPLE), *ours(node, "candidates").split()):
            yield Reading(name, said, beside)
        for said in ours(node, "copies").split():
            yield Reading(name, said)
    inside = beside | {"outcome"}
    mapped = (said for kind in (GIVEN, RETURNED) for said in mapping(node, kind).values())
    for said in (*(said for _parameter, said in parameters(node)), *mapped):
        yield Reading(name, said, inside)
    if (place := message_place(node)) is not None:
        for said in (ours(place, "key"), ours(place, "called")):
            yield Reading(name, said, inside)
    for definition in node:
        for time in definition:
            if local(time) in _TIMES:
                yield Reading(name, text(time), inside)
        if local(definition) == "conditionalEventDefinition":
            yield Reading(name, _braced(text(definition.find(tag("condition")))), inside)
    if node.find(tag(LOOP)) is not None and (loop := multi_instance.loop_of(node)) is not None:
        around = _of_loops(node.getparent()) | {"outcome"}
        yield Reading(name, loop.collection, around)
        yield Reading(name, loop.cardinality, around)
        counts = {*_OF_COUNT, *(_OF_WEIGHTS if loop.weights else ())}
        yield Reading(name, loop.condition, inside | counts)
        for aggregate in loop.aggregates:
            yield from (Reading(name, source, inside) for source in aggregate.values.values())
        yield Reading(name, loop.outcome, around | {*_OF_LOOP[1:], *counts})


def _of_loops(node: Element) -> frozenset[str]:
    """Return the names that the loops of a node and of the sub-processes around it give it."""
    found: set[str] = set()
    for around in (node, *node.iterancestors(tag("subProcess"))):
        if around.find(tag(LOOP)) is not None and (loop := multi_instance.loop_of(around)) is not None:
            found |= {*_OF_LOOP, *([loop.variable] if loop.variable else [])}
    return frozenset(found)


def _braced(source: str) -> str:
    return source if not source or "{" in source else "${" + source + "}"
