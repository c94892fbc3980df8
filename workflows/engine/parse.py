"""From the bytes of a BPMN document to a specification: read safely, check, normalise, build with our nodes."""

# mypy: disallow-subclassing-any=False, disable-error-code="import-untyped"

import hashlib
from collections import deque
from copy import deepcopy
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from SpiffWorkflow.bpmn.parser import BpmnParser, TaskParser
from SpiffWorkflow.bpmn.parser.event_parsers import (
    BoundaryEventParser,
    EndEventParser,
    EventDefinitionParser,
    IntermediateCatchEventParser,
    IntermediateThrowEventParser,
    StartEventParser,
)
from SpiffWorkflow.bpmn.parser.ProcessParser import ProcessParser
from SpiffWorkflow.bpmn.parser.task_parsers import (
    ConditionalGatewayParser,
    GatewayParser,
    SubWorkflowParser,
)
from SpiffWorkflow.bpmn.parser.util import full_tag
from SpiffWorkflow.bpmn.parser.ValidationException import ValidationException
from SpiffWorkflow.bpmn.specs.event_definitions.simple import NoneEventDefinition

from workflows.engine import effort, foreign, multi_instance, rules, specs, working
from workflows.engine.adopt import adopt
from workflows.engine.document import (
    DI,
    OURS,
    VENDORS,
    Element,
    attribute,
    declares_vendor,
    local,
    mapping,
    message_place,
    ours,
    parameters,
    read,
    results,
    speaks_vendor,
    tag,
    text,
)
from workflows.engine.elements import (
    CHOICES,
    CODE_VARIABLE,
    GIVEN,
    HANDLER,
    NODES,
    PROCESS_ATTRIBUTES,
    RETURNED,
    VENDOR_ATTRIBUTES,
)
from workflows.engine.errors import ExpressionError, ModelError, Problem
from workflows.engine.model import Node, Specification, TimedStart
from workflows.engine.outgoing import Scopes, is_asked, outgoing_flows
from workflows.engine.repetitions import check_cycle


def parse(xml: bytes, *, is_deployed: bool = False) -> Specification:
    """Parse a BPMN 2.0 document. Raises ModelError with every problem.

    A deployed document has passed the rules of its day; rules that came later do not stop its running instances.
    """
    root = read(xml)
    adopt(root)
    return specify(root, xml, is_deployed=is_deployed)


def specify(root: Element, xml: bytes, *, is_deployed: bool = False) -> Specification:
    """Parse a document that has been read and adopted; the document stays unchanged."""
    problems = [] if is_deployed else rules.check(root)
    if problems:
        raise ModelError(problems)
    root = deepcopy(root)
    process = root.find(tag("process"))
    drawn = _drawn(root, process, hashlib.sha256(xml).hexdigest())
    _normalise(root)
    process_id = process.get("id")
    parser = _Parser()
    try:
        parser.add_bpmn_xml(root)
        spec = parser.get_spec(process_id)
        subprocesses = parser.get_subprocess_specs(process_id)
    except ValidationException as error:  # what our rules let through and the library does not
        zh, en = f"该元素无法解析：“{error}”", f"This element cannot be read: “{error}”"
        raise ModelError([Problem(error.id or process_id, "model", zh, en)]) from None
    for scope in (spec, *subprocesses.values()):
        for node in scope.task_specs.values():
            if node.bpmn_id in _RENAMED:
                node.bpmn_id = _RENAMED[node.bpmn_id]
    return replace(
        drawn,
        process=spec,
        subprocesses=MappingProxyType(subprocesses),
        catches=frozenset(
            node.event_definition.name
            for scope in (spec, *subprocesses.values())
            for node in scope.task_specs.values()
            if isinstance(getattr(node, "event_definition", None), specs.MessageEvent)
        ),
    )


def _deadlines(process: Element) -> dict[str, frozenset[str]]:
    hosts = {element.get("id"): element for element in process.iter() if local(element) in ("userTask", "subProcess")}
    events: dict[str, set[str]] = {}
    for event in process.iter(tag("boundaryEvent")):
        timer = event.find(tag("timerEventDefinition"))
        # A timer that repeats is a reminder, not the due time of a step.
        is_deadline = (
            event.get("cancelActivity") == "false" and timer is not None and timer.find(tag("timeCycle")) is None
        )
        if is_deadline and event.get("attachedToRef") in hosts:
            events.setdefault(event.get("attachedToRef"), set()).add(event.get("id"))
    found: dict[str, frozenset[str]] = {}
    for name, around in events.items():
        own = frozenset(around)
        for task in hosts[name].iter(tag("userTask")):
            effort.spend(len(own) if task.get("id") in found else 1)
            found[task.get("id")] = found[task.get("id")] | own if task.get("id") in found else own
    return found


def sketch(xml: bytes) -> Specification:
    """Return what a draft says of its nodes, as a specification that cannot be started.

    Raises ModelError where the document cannot be read, is too large, or holds no process, or several.
    """
    root = read(xml)
    adopt(root)
    processes = root.findall(tag("process"))
    if len(processes) != 1:
        raise ModelError([rules.one_process()])
    if problem := rules.too_large(processes[0]):
        raise ModelError([problem])
    return _drawn(root, processes[0], hashlib.sha256(xml).hexdigest())


def _drawn(root: Element, process: Element, checksum: str) -> Specification:
    """Return the part of the specification that the document says by itself."""
    scopes = Scopes(process)
    nodes = {node.id: node for element in process.iter() if (node := _node(element, scopes)) is not None}
    return Specification(
        process_id=process.get("id", ""),
        name=process.get("name", ""),
        name_en=ours(process, "nameEn"),
        nodes=MappingProxyType(nodes),
        checksum=checksum,
        process=None,
        subprocesses=MappingProxyType({}),
        extensions=MappingProxyType(_extensions(process, PROCESS_ATTRIBUTES)),
        forms=MappingProxyType(
            {form.get("name", ""): text(form) for form in process.findall(f"{tag('extensionElements')}/{{{OURS}}}form")}
        ),
        first=_first(process),
        timed_starts=MappingProxyType(_timed_starts(process)),
        message_starts=MappingProxyType(_message_starts(root, process)),
        is_vendor=speaks_vendor(root),
        deadlines=MappingProxyType(_deadlines(process)),
        optional=frozenset(process.get(foreign.OPTIONAL, "").split()),
    )


def _first(process: Element) -> str:
    """Return the start event of people: the one without a trigger, else the first one; '' where nobody can say."""
    starts = process.findall(tag("startEvent"))
    by_hand = [start for start in starts if not rules.is_triggered(start)]
    return str((by_hand or starts)[0].get("id", "")) if starts and len(by_hand) < 2 else ""


def _timed_starts(process: Element) -> dict[str, TimedStart]:
    """Return by start event the time at which the process starts by itself."""
    found = {}
    for start in process.findall(tag("startEvent")):
        timer = start.find(tag("timerEventDefinition"))
        for kind, name in _TIMES.items() if timer is not None else ():
            if (said := timer.find(tag(name))) is None:
                continue
            end = attribute(said, "endDate") if kind == "cycle" else ""
            try:
                written = check_cycle(text(said), text(said), end) if kind == "cycle" else text(said)
            except ExpressionError:  # the rules say why
                continue
            found[start.get("id", "")] = TimedStart(kind, written)
    return found


def _message_starts(root: Element, process: Element) -> dict[str, str]:
    """Return by start event the name of the message that starts the process there."""
    names = {message.get("id"): message.get("name") or message.get("id") for message in root.findall(tag("message"))}
    places = {start.get("id", ""): start.find(tag("messageEventDefinition")) for start in process.findall(_START)}
    return {
        node: str(names[place.get("messageRef")])
        for node, place in places.items()
        if place is not None and place.get("messageRef") in names
    }


_START = tag("startEvent")


def _extensions(element: Element, vendor_names: tuple[str, ...]) -> dict[str, str]:
    """Return the attributes of our namespace, and those of other engines where ours is absent."""
    found: dict[str, str] = {}
    for space in VENDORS:
        for name in vendor_names:
            if value := element.get(f"{{{space}}}{name}"):
                found.setdefault(name, value)
    for name, value in element.attrib.items():
        if name.startswith(f"{{{OURS}}}"):
            found[name.rpartition("}")[2]] = value
    return found


def _node(element: Element, scopes: Scopes) -> Node | None:
    if local(element) not in NODES:
        return None
    found = _extensions(element, VENDOR_ATTRIBUTES)
    return Node(
        id=element.get("id", ""),
        kind=local(element),
        name=element.get("name", ""),
        name_en=found.pop("nameEn", ""),
        extensions=MappingProxyType(found),
        fields=tuple(foreign.form_fields(element)),
        outgoing=tuple(outgoing_flows(element, scopes)) if local(element) == "userTask" else (),
        is_asked=local(element) == "userTask" and is_asked(element, scopes),
        scope=element.getparent().get("id", "") if local(element.getparent()) == "subProcess" else "",
        loop=multi_instance.loop_of(element),
        parameters=MappingProxyType(dict(parameters(element))),
        results=MappingProxyType(dict(results(element))),
        carried=_carried(element),
    )


def _carried(node: Element) -> tuple[str, ...]:
    place = message_place(node)
    named = "" if place is None else ours(place, "fields")
    return tuple(dict.fromkeys(word.strip() for word in named.split(",") if word.strip()))


_TIMES = {"duration": "timeDuration", "cycle": "timeCycle", "date": "timeDate"}

# The library has nodes of its own with these names. No id of a model contains the slash.
_RENAMED = {"Start/": "Start", "End/": "End"}


def _normalise(root: Element) -> None:
    """Change the tree, which is a copy, to what the library expects."""
    for diagram in root.findall(f"{DI}BPMNDiagram"):
        root.remove(diagram)  # the library would look up every shape, and nothing here asks where one stands
    for message in root.findall(tag("message")):
        if not message.get("name"):
            message.set("name", message.get("id"))
    for store in root.findall(tag("dataStore")):  # what refers to it is out already, and the library asks for code
        root.remove(store)
    for start in root.iter(tag("startEvent")):
        for name in ("timerEventDefinition", "messageEventDefinition"):
            for trigger in start.findall(tag(name)):
                start.remove(trigger)  # the caller starts the process there when its time or message has come
    for element in root.iter():
        is_node = local(element) in NODES
        for name in ("id", "attachedToRef") if is_node else ("sourceRef", "targetRef"):
            if f"{element.get(name)}/" in _RENAMED:
                element.set(name, f"{element.get(name)}/")
    flows = list(root.iter(tag("sequenceFlow")))
    out: dict[str, list[Element]] = {}
    used = {element.get("id") for element in root.iter() if element.get("id")}
    for number, flow in enumerate(flows, 1):
        if not flow.get("id"):  # the library drops a flow without an id
            name = f"flow_{number}"
            while name in used:
                name += "_"
            used.add(name)
            flow.set("id", name)
        out.setdefault(flow.get("sourceRef"), []).append(flow)
    for gateway in (element for element in root.iter() if local(element) in CHOICES):
        _settle_default(gateway, out.get(gateway.get("id"), []), is_vendor=declares_vendor(root))


def _settle_default(gateway: Element, out: list[Element], *, is_vendor: bool) -> None:
    # Flowable's rule: a flow without condition counts as true. Where only one lacks it and no default is named, that
    # one is what the designer means by default; not at an inclusive gateway in Flowable's own dialect, or another's,
    # where it is taken beside the others.
    bare = [flow for flow in out if not text(flow.find(tag("conditionExpression")))]
    is_beside = is_vendor and local(gateway) == "inclusiveGateway"
    if gateway.get("default") is None and len(bare) == 1 and not is_beside:
        gateway.set("default", bare[0].get("id"))
    for flow in out:
        condition = flow.find(tag("conditionExpression"))
        if flow.get("id") == gateway.get("default"):
            if condition is not None:
                flow.remove(condition)
        elif flow in bare:
            if condition is None:
                condition = flow.makeelement(tag("conditionExpression"))
                flow.append(condition)
            condition.text = "${true}"


class _InOrder(TaskParser):
    """Mixin before the library's parsers: flows stay in the order of the text and keep their ids.

    The library parses what follows a node inside of that node, which ends at a thousand calls. Here the scope has every
    node follow its flows when all of them are known.
    """

    def parse_node(self) -> Any:
        self.process_parser.unfollowed.append(self)
        return super().parse_node()

    def follow(self) -> None:
        """Connect the node with those behind it."""
        flows = self.process_parser.flows_behind(self.bpmn_id)
        only = flows[0] if len(flows) == 1 and self.handles_multiple_outgoing() else None
        default = self.node.get("default")
        if only is not None and self.parse_condition(only) is None:
            default = only.get("id")
        for flow in flows:
            target = flow.get("targetRef")
            node = self.spec.task_specs.get(f"{target}.BoundaryEventSplit")
            if node is None:
                node = self.process_parser.parse_node(self.process_parser.get_node_by_id(target))
            self.connect_outgoing(node, flow, flow.get("id") == default)

    @property
    def bpmn_attributes(self) -> dict[str, Any]:
        # The library looks for documentation and data associations too, which no node of ours reads.
        return {"description": self.get_description(), "lane": self.lane, "bpmn_name": self.node.get("name")}

    def xpath(self, xpath: str) -> list[Element]:
        return list(self.node.findall(xpath, self.nsmap))  # plain paths all; stock compiles each of them every time

    def get_position(self, node: Element = None) -> dict[str, float]:
        return {"x": 0.0, "y": 0.0}  # the library orders conditions by the diagram, from top to bottom

    def parse_condition(self, sequence_flow: Element) -> str | None:
        condition = text(sequence_flow.find(tag("conditionExpression")))
        return (condition if "{" in condition else "${" + condition + "}") if condition else None

    def _add_multiinstance_task(self, loop_characteristics: Element) -> None:
        each, loop = self.spec.task_specs.pop(self.bpmn_id), multi_instance.loop_of(self.node)
        self.task: Any = multi_instance.MultiInstance(self.spec, each.name, loop, each, **self.bpmn_attributes)
        each.name += "/each"  # no id has this sign
        each.inputs = [self.task]
        self.spec.task_specs[each.name] = each

    def connect_outgoing(self, outgoing_task: Any, sequence_flow_node: Element, is_default: bool) -> None:
        super().connect_outgoing(outgoing_task, sequence_flow_node, is_default)
        choice = isinstance(self.task, (specs.ExclusiveGateway, specs.InclusiveGateway)) and not is_default
        condition = self.parse_condition(sequence_flow_node) if choice else None
        self.task.flows.append(specs.Flow(sequence_flow_node.get("id"), outgoing_task.name, condition))


class _ServiceTaskParser(_InOrder):
    def create_task(self) -> Any:
        task = super().create_task()
        task.operation = ours(self.node, "operation")
        task.parameters = MappingProxyType(dict(parameters(self.node)))
        return task


class _ScriptTaskParser(_InOrder):
    def create_task(self) -> Any:
        task = super().create_task()
        task.script = foreign.read_script(self.node)
        return task


class _OurEvents(_InOrder):
    """Mixin of event parsers: our event definitions instead of those of the library, which look at a clock."""

    def parse_message_event(self, event: Element) -> specs.MessageEvent:
        # The library looks the name up for us; it knows the messages of the document by id.
        return specs.MessageEvent(super().parse_message_event(event).name, ours(event, "key"), ours(event, "called"))

    def parse_conditional_event(self, event: Element) -> specs.ConditionalEvent:
        condition = text(event.find(tag("condition")))
        condition = condition if not condition or "{" in condition else "${" + condition + "}"
        return specs.ConditionalEvent(condition, ours(event, "variable"), ours(event, "change") or "all")

    def parse_timer_event(self, event: Element) -> specs.TimerEvent:
        is_working = working.counts(event)
        if due := ours(event, "due"):
            return specs.TimerEvent("due", due, is_working=is_working)
        for kind, name in (("duration", "timeDuration"), ("cycle", "timeCycle")):
            if (length := event.find(tag(name))) is not None:
                return specs.TimerEvent(kind, text(length), attribute(length, "endDate"), is_working=is_working)
        return specs.TimerEvent("date", text(event.find(tag("timeDate"))))

    def parse_error_event(self, event: Element) -> specs.ErrorEvent:
        reference = event.get("errorRef", "")
        declared = self.process_parser.parser.errors.get(reference, {})
        return specs.ErrorEvent("error", declared.get("error_code") or reference, _code_variables(event))

    def parse_escalation_event(self, event: Element) -> specs.ErrorEvent:
        reference = event.get("escalationRef", "")
        declared = self.process_parser.parser.escalations.get(reference, {})
        return specs.ErrorEvent("escalation", declared.get("escalation_code") or reference, _code_variables(event))


def _code_variables(event: Element) -> tuple[str, ...]:
    return tuple(ours(event, CODE_VARIABLE).split())


class _Start(_InOrder, StartEventParser):
    pass


class _Throwing(_OurEvents):
    """Mixin of parsers of throwing nodes: the node keeps what it throws, and has no event definition of the library."""

    message: specs.MessageEvent | None = None
    error: specs.ErrorEvent | None = None
    reach = ""

    def parse_terminate_event(self, event: Element) -> Any:
        flags = {"terminateAll": "all", "terminateMultiInstance": "loop"}
        self.reach = next((reach for name, reach in flags.items() if attribute(event, name) == "true"), "")
        return super().parse_terminate_event(event)

    def parse_message_event(self, event: Element) -> Any:
        self.message = super().parse_message_event(event)
        return NoneEventDefinition()

    def parse_error_event(self, event: Element) -> Any:
        self.error = super().parse_error_event(event)
        return NoneEventDefinition()

    def parse_escalation_event(self, event: Element) -> Any:
        self.error = super().parse_escalation_event(event)
        return NoneEventDefinition()

    def _create_task(self, *args: Any, **kwargs: Any) -> Any:
        task = super()._create_task(*args, **kwargs)
        task.message, task.error, task.reach = self.message, self.error, self.reach
        return task


class _End(_Throwing, EndEventParser):
    pass


class _Boundary(_OurEvents, BoundaryEventParser):
    def create_task(self) -> Any:
        task = super().create_task()
        task.begins_handler = ours(self.node, HANDLER) == "true"
        return task


class _Catch(_OurEvents, IntermediateCatchEventParser):
    pass


class _Receive(_OurEvents, EventDefinitionParser):
    def create_task(self) -> Any:
        return self._create_task(self.parse_message_event(self.node))


class _Throw(_Throwing, IntermediateThrowEventParser):
    pass


class _Send(_Throwing, EventDefinitionParser):
    def create_task(self) -> Any:
        return self._create_task(self.parse_message_event(self.node))


class _Choice(_InOrder, ConditionalGatewayParser):
    pass


class _Fork(_InOrder, GatewayParser):
    pass


class _Sub(_InOrder, SubWorkflowParser):
    def create_task(self) -> Any:
        task = super().create_task()
        task.given, task.returned = (MappingProxyType(mapping(self.node, kind)) for kind in (GIVEN, RETURNED))
        return task


class _Scope(ProcessParser):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.unfollowed: deque[_InOrder] = deque()

    def get_outgoing_sequence_flows(self, source_ref: str) -> list[Element]:
        return []  # see _InOrder

    def flows_behind(self, source_ref: str) -> list[Element]:
        return list(super().get_outgoing_sequence_flows(source_ref))

    def add_tasks(self) -> None:
        # The library would let all start events of a process run and keep the first; here the caller names one.
        for start in self.xpath("./bpmn:startEvent"):
            self.parse_node(start)
        while self.unfollowed:
            self.unfollowed.popleft().follow()

    def create_spec(self) -> specs.ProcessSpec:
        return specs.ProcessSpec(name=self.bpmn_id, description=self.get_name(), filename=self.filename)


class _Parser(BpmnParser):
    """The library's parser with our parser classes only."""

    PARSER_CLASSES = {
        full_tag("startEvent"): (_Start, specs.StartEvent),
        full_tag("endEvent"): (_End, specs.EndEvent),
        full_tag("boundaryEvent"): (_Boundary, specs.BoundaryEvent),
        full_tag("intermediateCatchEvent"): (_Catch, specs.IntermediateCatchEvent),
        full_tag("intermediateThrowEvent"): (_Throw, specs.ThrowEvent),
        full_tag("sendTask"): (_Send, specs.ThrowEvent),
        full_tag("receiveTask"): (_Receive, specs.IntermediateCatchEvent),
        full_tag("userTask"): (_InOrder, specs.UserTask),
        full_tag("serviceTask"): (_ServiceTaskParser, specs.ServiceTask),
        full_tag("scriptTask"): (_ScriptTaskParser, foreign.ScriptTask),
        full_tag("task"): (_InOrder, specs.PassThrough),
        full_tag("manualTask"): (_InOrder, specs.PassThrough),
        full_tag("subProcess"): (_Sub, specs.SubProcess),
        full_tag("exclusiveGateway"): (_Choice, specs.ExclusiveGateway),
        full_tag("inclusiveGateway"): (_Choice, specs.InclusiveGateway),
        full_tag("parallelGateway"): (_Fork, specs.ParallelGateway),
    }
    PROCESS_PARSER_CLASS = _Scope
