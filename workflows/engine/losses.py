"""Tells what of a document nothing here reads: in BPMN itself, of other engines, and in any other language.

One table says what is read, another what has no effect that anybody could see. Whatever is in neither is told at the
nearest element of the drawing and removed, so that nothing reads it by accident.
"""

from collections.abc import Iterator, Mapping

from workflows.engine.document import BPMN, OURS, VENDORS, Element, local
from workflows.engine.elements import FIELD_ELEMENTS, LOOP, LOOP_ATTRIBUTES, NODES, PROCESS_ATTRIBUTES
from workflows.engine.errors import MOST, NO_EFFECT, Problem, no_effect, warning
from workflows.engine.texts import FOREIGN_ENGINES

READ: Mapping[str, frozenset[str]] = {
    "process": frozenset(PROCESS_ATTRIBUTES),
    "startEvent": frozenset({"formKey", "initiator"}),
    "userTask": frozenset({"assignee", "candidateUsers", "candidateGroups", "formKey"}),
    "scriptTask": frozenset({"resultVariable", "resultVariableName", "autoStoreVariables"}),
    LOOP: frozenset(LOOP_ATTRIBUTES),
    "signal": frozenset({"scope"}),
    "timeCycle": frozenset({"endDate"}),
    "terminateEventDefinition": frozenset({"terminateAll", "terminateMultiInstance"}),
}
"""Attributes of other engines that are read as they stand, by element; `dialects` takes others out before."""

READ_ELEMENTS: Mapping[str, frozenset[str]] = {
    "startEvent": frozenset({*FIELD_ELEMENTS, "formData"}),
    "userTask": frozenset({*FIELD_ELEMENTS, "formData"}),
    "scriptTask": frozenset({"in"}),
}
"""Elements of other engines that are read, by the node around them; of a start event only where the process begins."""

IDLE = frozenset(
    {
        # When and in which transaction the other engine does it.
        *("async", "asyncBefore", "asyncAfter", "asyncLeave", "asyncLeaveExclusive", "exclusive", "jobPriority"),
        *("noWaitStatesAsyncLeave", "isEagerExecutionFetching"),
        "formFieldValidation",  # the server checks every form here
        "sameDeployment",  # a process that is called is looked for beside its caller first
        # What a designer keeps for itself.
        *("task-candidates-type", "work-form-field-validation"),
    }
)
"""Attributes and elements of other engines whose effect nobody could see."""

_LAYOUT = frozenset(
    {
        "http://www.omg.org/spec/BPMN/20100524/DI",
        "http://www.omg.org/spec/DD/20100524/DI",
        "http://www.omg.org/spec/DD/20100524/DC",
        "http://www.omg.org/spec/BPMN/non-normative/color/1.0",
        "http://bpmn.io/schema/bpmn/biocolor/1.0",
        "http://www.w3.org/2001/XMLSchema-instance",
        "http://camunda.org/schema/modeler/1.0",
        "http://flowable.org/design",
        "http://flowable.org/modeler",
        "http://activiti.com/modeler",
        "http://www.signavio.com",
    }
)
"""Namespaces of colours, layout and designers, which say nothing of how a process runs."""

_PLACES = {
    *(*NODES, "process", "sequenceFlow", "callActivity", "eventBasedGateway", "businessRuleTask", "complexGateway"),
    *("transaction", "adHocSubProcess", "lane", "participant", "textAnnotation", "group"),
}
"""Elements of a drawing at which a loss is told; what stands beside the process is told at the process."""

_FORMAL = ("conditionExpression", "condition", "completionCondition", "loopCardinality")
_TIMES = ("timeDuration", "timeDate", "timeCycle")
_EVENTS = ("timer", "message", "signal", "error", "escalation", "terminate", "conditional")
_NOTES = {"documentation", "extensionElements"}

# What BPMN says of an element and the rules leave alone: attributes and children that are read or say nothing of how
# the process runs. The rules check the elements that are not in these tables.
_ATTRIBUTES: Mapping[str, set[str]] = {
    "definitions": {
        *("id", "name", "targetNamespace", "exporter", "exporterVersion", "typeLanguage", "expressionLanguage"),
    },
    "process": {"id", "name", "isExecutable", "isClosed", "processType"},
    "message": {"id", "name"},
    "signal": {"id", "name"},
    "error": {"id", "name", "errorCode"},
    "escalation": {"id", "name", "escalationCode"},
    "inputDataItem": {"id", "name"},
    **{name: {"id"} for name in (*_FORMAL, *_TIMES)},
    **{f"{kind}EventDefinition": {"id", f"{kind}Ref"} for kind in ("message", "signal", "error", "escalation")},
    **{f"{kind}EventDefinition": {"id"} for kind in ("timer", "terminate", "conditional")},
}
_CHILDREN: Mapping[str, set[str]] = {
    "sequenceFlow": {"conditionExpression", *_NOTES},
    **{f"{kind}EventDefinition": _NOTES for kind in _EVENTS},
    "timerEventDefinition": {*_TIMES, *_NOTES},
    "conditionalEventDefinition": {"condition", *_NOTES},
    "signal": _NOTES,
    "message": _NOTES,
    "error": _NOTES,
    "escalation": _NOTES,
}
_OURS_TOO = ("", "juel")  # values of an expression's `language`
MAX_NAMED = 100  # different names that the last warning of many says


class Losses:
    """The names of what is lost, by the element at which it is told, in the order of the document."""

    def __init__(self) -> None:
        self._names: dict[str, dict[str, None]] = {}

    def add(self, place: str, name: str) -> None:
        """Note that the attribute or element `name` has no effect."""
        self._names.setdefault(place, {})[name] = None

    def add_rest(self, place: str, element: Element, *read: str) -> None:
        """Note what nothing reads of an element that is translated as a whole: all but the names of `read`.

        BPMN's own attributes say nothing there, such as the type of an expression.
        """
        for one in element.iter():
            is_bpmn = bool(local(one))
            said = [_split(full) for full in one.attrib]
            if one is not element and not is_bpmn:
                said.append(_split(one.tag))
            for space, name in said:
                if name not in read and name not in IDLE and space not in _LAYOUT and (space or not is_bpmn):
                    self.add(place, name)

    def told(self, process: str) -> Iterator[Problem]:
        """Yield a warning for each element; the last one names what the elements beyond the first ones lose."""
        found = list(self._names.items())
        for place, names in found[:MOST]:
            yield no_effect(place, *names)
        others = dict.fromkeys(name for _place, names in found[MOST:] for name in names)
        if others:
            more, named = len(found) - MOST, [f"“{name[:40]}”" for name in others][:MAX_NAMED]
            zh = f"另有{more}个元素的{'、'.join(named)}不支持，将被忽略"
            en = f"{', '.join(named)} at {more} more elements {'are' if len(named) > 1 else 'is'}"
            yield warning(process, NO_EFFECT, zh, f"{en} not supported and will be ignored")


def sweep(root: Element, process: Element, losses: Losses) -> None:
    """Remove from the document whatever nothing reads, and note it, except what the rules refuse."""
    todo = [(root, process.get("id", ""))]
    while todo:
        element, place = todo.pop()
        place = _place_of(element, place)
        for name in _unread_attributes(element):
            losses.add(place, name)
        inside = []
        for child in list(element):
            space, name = _split(child.tag)
            if space == BPMN and name in _CHILDREN.get(local(element), {name}):
                inside.append((child, place))
            elif space in (BPMN, *VENDORS) or not (space in _LAYOUT | {OURS} or space in FOREIGN_ENGINES):
                if space in VENDORS and _is_read(child):
                    continue  # `forms` and the scripts check what stands in it
                element.remove(child)
                if space not in VENDORS or name not in IDLE:
                    losses.add(place, name)
        todo.extend(reversed(inside))


def _place_of(element: Element, outer: str) -> str:
    """Return the id at which a loss of the element is told."""
    if local(element) not in _PLACES:
        return outer
    # Other engines write flows without an id.
    return str(element.get("id") or (element.get("sourceRef") if local(element) == "sequenceFlow" else "") or outer)


def _unread_attributes(element: Element) -> Iterator[str]:
    """Remove the attributes that nothing reads; yield those that somebody could miss."""
    known = _ATTRIBUTES.get(local(element))
    is_checked = local(element) in NODES | {"sequenceFlow"}
    for full, value in list(element.attrib.items()):
        space, name = _split(full)
        if not space:
            is_lost = known is not None and name not in known and not (name == "language" and value in _OURS_TOO)
            is_lost |= name == "implementation" and not value.startswith("##")
        elif space in VENDORS:
            is_lost = name not in _read_of(element)
        else:
            is_lost = space not in _LAYOUT | {OURS} and not (is_checked and space in FOREIGN_ENGINES)
        if is_lost:
            del element.attrib[full]
            if space not in VENDORS or name not in IDLE:
                yield name


def _read_of(element: Element) -> frozenset[str]:
    if local(element) == "startEvent" and local(element.getparent()) != "process":
        return frozenset()
    return READ.get(local(element), frozenset())


def _is_read(element: Element) -> bool:
    """Return whether an element of another engine is read."""
    node = element.getparent().getparent()
    name = _split(element.tag)[1]
    if node is None or (local(node) == "startEvent" and local(node.getparent()) != "process"):
        return False
    return name in READ_ELEMENTS.get(local(node), frozenset())


def _split(name: object) -> tuple[str, str]:
    """Return the namespace and the name of a tag or attribute."""
    space, _brace, plain = str(name).rpartition("}")
    return space[1:], plain
