"""Makes explicit what BPMN leaves implicit, so that few kinds of nodes run; it changes the document in memory only.

A node without an outgoing flow gets an end event, and several outgoing flows of a task get a gateway. A signal becomes
a message that everybody may receive. An event-based gateway becomes a receive task for its first message, with the
other events as interrupting boundary events. An event sub-process becomes the handler of a boundary event at a
sub-process that holds the rest of its scope.
"""

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy

from workflows.engine import effort, multi_instance, rules
from workflows.engine.document import OURS, Element, attribute, local, ours, tag, text
from workflows.engine.elements import (
    BEFORE,
    BEHIND,
    BODY,
    EVERYBODY,
    GATEWAYS,
    HANDLER,
    JOINS,
    MAX_MESSAGE_NAME,
    NODES,
)
from workflows.engine.errors import Problem, warning
from workflows.engine.rewriting import FreeIds, declare_message, own_message, remove_node
from workflows.engine.rewriting import add as _add
from workflows.engine.rewriting import join as _join
from workflows.engine.specs import SIGNAL


def unfold(root: Element, process: Element, names: FreeIds) -> Iterator[Problem]:
    """Rewrite a process; yield warnings where the model leaves something open."""
    for drawn in process.iter(tag("subProcess"), tag("boundaryEvent")):
        for name in (BODY, HANDLER):  # who draws one does not escape the rule on depth
            drawn.attrib.pop(f"{{{OURS}}}{name}", None)
    yield from _start_triggers(root, process)
    _signals(root, process, names)
    scopes = [process, *process.iter(tag("subProcess"))]
    for scope in scopes:
        _event_based_gateways(root, scope, names)
        yield from _implicit_ends_and_gateways(scope, names)
        _scripts_of_listeners(scope, names)
        _flows_beside_each_other(scope, names)
    for scope in scopes:
        _split_by_start(scope, names)
        _attach_event_sub_processes(scope, names)


def _start_triggers(root: Element, process: Element) -> Iterator[Problem]:
    """Remove start events and triggers that start nothing; yield a warning for each.

    A process starts at its first none start event, and by itself at those with a time that is written out, a message or
    a signal; where it has none of these, at its first start event.
    """
    starts = process.findall(tag("startEvent"))
    for start in starts:
        start.attrib.pop("isInterrupting", None)  # it says something within an event sub-process only
    by_hand = [start for start in starts if not _definitions(start)]
    # An event sub-process is put beside the way from one start event, see `_attach_event_sub_processes`.
    is_one_way = len(starts) > 1 and any(is_event_sub_process(child) for child in process)
    by_itself = [one for one in starts if not is_one_way and (is_start_by_time(one) or _is_start_by_message(root, one))]
    taken = [*by_hand[:1], *by_itself] or starts[:1]
    for start in [start for start in starts if start not in taken]:
        zh = f"该开始事件不会启动流程，流程从“{_called(taken[0])}”启动"
        en = f"This start event is ignored: the process starts at “{_called(taken[0])}”"
        yield warning(start.get("id", ""), "start_by_hand", zh, en)
        effort.spend(len(process))
        remove_node(process, start)
    for start in taken if not by_hand and not by_itself else []:
        for definition in _definitions(start):
            start.remove(definition)
            zh = "流程不会由该事件自动启动，须由人员或接口发起"
            en = "The event does not start the process: a person or an API call must start it"
            yield warning(start.get("id", ""), "start_by_hand", zh, en)


def _called(start: Element) -> str:
    return str(start.get("name") or start.get("id", ""))[:40]


def is_start_by_time(start: Element) -> bool:
    """Return whether a start event has one time that is written out; an expression has nothing to be read from."""
    definitions = _definitions(start)
    if len(definitions) != 1 or local(definitions[0]) != "timerEventDefinition" or ours(definitions[0], "due"):
        return False
    return not any("{" in said for one in definitions[0] for said in (text(one), attribute(one, "endDate")))


def _is_start_by_message(root: Element, start: Element) -> bool:
    """Return whether a start event has one message or signal whose name is written out and known outside."""
    definitions = _definitions(start)
    kind = {"messageEventDefinition": "message", "signalEventDefinition": "signal"}.get(
        local(definitions[0]) if len(definitions) == 1 else "", ""
    )
    for declared in root.findall(tag(kind)) if kind else ():
        if declared.get("id") == definitions[0].get(f"{kind}Ref") and attribute(declared, "scope") != "processInstance":
            return (
                0 < len(name := declared.get("name") or declared.get("id", "")) <= MAX_MESSAGE_NAME and "{" not in name
            )
    return False


def _definitions(event: Element) -> list[Element]:
    return [child for child in event if local(child).endswith("EventDefinition")]


def _signals(root: Element, process: Element, names: FreeIds) -> None:
    """Change every signal to a message under a key that all share, or without a key where its scope is the instance."""
    known = {signal.get("id"): signal.get("name") or signal.get("id") for signal in root.findall(tag("signal"))}
    scopes = {signal.get("id"): attribute(signal, "scope") for signal in root.findall(tag("signal"))}
    messages: dict[str, str] = {}
    for definition in list(process.iter(tag("signalEventDefinition"))):
        reference = definition.attrib.pop("signalRef", "")
        if reference in known and reference not in messages:
            messages[reference] = declare_message(root, f"{reference}.signal", f"{SIGNAL}{known[reference]}", names)
        definition.tag = tag("messageEventDefinition")
        definition.set("messageRef", messages.get(reference, reference))
        if scopes.get(reference) != "processInstance":
            definition.set(f"{{{OURS}}}key", EVERYBODY)


def _event_based_gateways(root: Element, scope: Element, names: FreeIds) -> None:
    """Change every event-based gateway to a receive task with interrupting boundary events."""
    nodes = {child.get("id"): child for child in scope if local(child) in NODES}
    gateways = scope.findall(tag("eventBasedGateway"))
    flows = len(scope.findall(tag("sequenceFlow"))) if gateways else 0
    for gateway in gateways:
        effort.spend(flows)
        out = [flow for flow in scope.findall(tag("sequenceFlow")) if flow.get("sourceRef") == gateway.get("id")]
        events = [nodes[flow.get("targetRef")] for flow in out if flow.get("targetRef") in nodes]
        is_other = gateway.get("instantiate") == "true" or gateway.get("eventGatewayType", "Exclusive") != "Exclusive"
        if is_other or not events or len(events) < len(out) or not all(_is_choosable(event) for event in events):
            continue  # the rules refuse the gateway
        host = next((event for event in events if _message_of(event) is not None), None)
        if host is None:
            host = _add(scope, "receiveTask", names.new(f"{gateway.get('id')}.wait"))
            host.set("messageRef", own_message(root, host, names))
        elif local(host) != "receiveTask":
            _as_receive_task(host)
        for event in [event for event in events if event is not host]:
            if local(event) == "receiveTask":
                _as_message_event(event)
            event.tag = tag("boundaryEvent")
            event.set("attachedToRef", host.get("id"))
        for flow in out:
            scope.remove(flow)
        for flow in scope.findall(tag("sequenceFlow")):
            if flow.get("targetRef") == gateway.get("id"):
                flow.set("targetRef", host.get("id"))
        scope.remove(gateway)
        if host.get("id") not in nodes:
            end = _add(scope, "endEvent", names.new(f"{host.get('id')}.end"))
            _join(scope, host, end, names)
        for child in [child for event in events for child in event if local(child) in ("incoming", "outgoing")]:
            child.getparent().remove(child)


def _is_choosable(event: Element) -> bool:
    if local(event) == "receiveTask":
        scope = event.getparent()
        on_border = {one.get("attachedToRef") for one in scope.findall(tag("boundaryEvent"))}
        return event.get("id") not in on_border and not any(
            event.find(tag(loop)) is not None for loop in multi_instance.LOOPS
        )
    kinds = [local(one) for one in _definitions(event)]
    return local(event) == "intermediateCatchEvent" and len(kinds) == 1 and kinds[0] in _CHOOSABLE


_CHOOSABLE = {"timerEventDefinition", "messageEventDefinition", "conditionalEventDefinition"}


def _message_of(event: Element) -> Element:
    """Return what says which message a target of an event-based gateway waits for; None where it is no message."""
    return event if local(event) == "receiveTask" else event.find(tag("messageEventDefinition"))


def _as_message_event(task: Element) -> None:
    """Write the message of a receive task as the definition of an event."""
    definition = task.makeelement(tag("messageEventDefinition"))
    definition.set("messageRef", task.attrib.pop("messageRef", ""))
    for name in (f"{{{OURS}}}key", f"{{{OURS}}}called"):
        if said := task.attrib.pop(name, ""):
            definition.set(name, said)
    task.append(definition)


def _as_receive_task(event: Element) -> None:
    """Change an intermediate event to the receive task for the same message under the same key."""
    definition = event.find(tag("messageEventDefinition"))
    event.tag = tag("receiveTask")
    event.set("messageRef", definition.get("messageRef", ""))
    for name in ("key", "called", "fields"):
        if said := definition.get(f"{{{OURS}}}{name}"):
            event.set(f"{{{OURS}}}{name}", said)
    event.remove(definition)


def _split_by_start(scope: Element, names: FreeIds) -> None:
    """Split an event sub-process with several start events, where their paths share nothing but end events."""
    for handler in [child for child in scope if is_event_sub_process(child)]:
        starts = handler.findall(tag("startEvent"))
        nodes = {child.get("id"): child for child in handler if local(child) in NODES}
        edges = rules.edges_of(handler)
        ways = [rules.closure(edges, [start.get("id")]) for start in starts]
        met = Counter(name for way in ways for name in way)
        effort.spend(met.total())
        shared = {name for name, times in met.items() if times > 1}
        if len(starts) < 2 or not all(name in nodes and local(nodes[name]) == "endEvent" for name in shared):
            continue
        for start, way in list(zip(starts, ways, strict=True))[1:]:
            effort.spend(len(edges))
            other = _add(scope, "subProcess", names.new(f"{handler.get('id')}.{start.get('id')}"))
            other.set("triggeredByEvent", "true")
            copies = {name: names.new(f"{name}.{start.get('id')}") for name in shared & way}
            for name in way:
                node = nodes[name]
                if name in copies:
                    node = deepcopy(node)
                    node.set("id", copies[name])
                other.append(node)
            for flow in [one for one in handler.findall(tag("sequenceFlow")) if one.get("sourceRef") in way]:
                flow.set("targetRef", copies.get(flow.get("targetRef"), flow.get("targetRef")))
                other.append(flow)


_OF_THE_SCOPE = {"incoming", "outgoing", "documentation", "extensionElements", "laneSet", *multi_instance.LOOPS}


_FARTHER = ("terminateAll", "terminateMultiInstance")


def _attach_event_sub_processes(scope: Element, names: FreeIds) -> None:
    """Put the rest of a scope with event sub-processes into a sub-process, and attach their events to it."""
    handlers = [child for child in scope if is_event_sub_process(child)]
    starts = scope.findall(tag("startEvent"))
    if not handlers or len(starts) != 1 or not all(_trigger_of(handler) is not None for handler in handlers):
        return  # without handlers there is nothing to do; the rules refuse the rest
    start, name = starts[0], scope.get("id") or "process"
    body = scope.makeelement(tag("subProcess"))
    body.set("id", names.new(f"{name}.body"))
    body.set(f"{{{OURS}}}{BODY}", "true")
    beside = _behind(scope, start, handlers)
    for child in list(scope):
        is_beside = child.get("id") in beside or (local(child) == "sequenceFlow" and child.get("sourceRef") in beside)
        if child is not start and child not in handlers and local(child) not in _OF_THE_SCOPE and not is_beside:
            body.append(child)
    scope.append(body)
    inside = _add(body, "startEvent", names.new(f"{start.get('id')}.inside"))
    for flow in body.findall(tag("sequenceFlow")):
        if flow.get("sourceRef") == start.get("id"):
            flow.set("sourceRef", inside.get("id"))
    _join(scope, start, body, names)
    _terminate_handlers(scope, body, names)
    for source in [body, *(_as_boundary_event(scope, body, handler, names) for handler in handlers)]:
        _join(scope, source, _add(scope, "endEvent", names.new(f"{source.get('id')}.over")), names)


def _terminate_handlers(scope: Element, body: Element, names: FreeIds) -> None:
    """Let a terminate end event in the body end the event sub-processes too: by an error that the scope catches."""
    ends = [end.find(tag("terminateEventDefinition")) for end in body.findall(tag("endEvent"))]
    ends = [one for one in ends if one is not None and not any(attribute(one, name) == "true" for name in _FARTHER)]
    if not ends:
        return
    error = names.new(f"{body.get('id')}.stop")
    for definition in ends:
        definition.tag = tag("errorEventDefinition")
        definition.set("errorRef", error)
    event = _add(scope, "boundaryEvent", names.new(f"{body.get('id')}.stopped"))
    event.set("attachedToRef", body.get("id"))
    event.append(event.makeelement(tag("errorEventDefinition"), {"errorRef": error}))
    end = _add(scope, "endEvent", names.new(f"{event.get('id')}.end"))
    end.append(end.makeelement(tag("terminateEventDefinition")))
    _join(scope, event, end, names)


def _behind(scope: Element, start: Element, handlers: list[Element]) -> set[str]:
    """Return the nodes that follow the event sub-processes and that no other path reaches."""
    edges = rules.edges_of(scope)
    found = rules.closure(edges, [handler.get("id") for handler in handlers]) - {one.get("id") for one in handlers}
    return found if found.isdisjoint(rules.closure(edges, [start.get("id")])) else set()


def _trigger_of(handler: Element) -> Element:
    """Return the trigger of an event sub-process when a boundary event may have it, else None."""
    starts = handler.findall(tag("startEvent"))
    definitions = _definitions(starts[0]) if len(starts) == 1 else []
    return definitions[0] if len(definitions) == 1 else None


def _as_boundary_event(scope: Element, body: Element, handler: Element, names: FreeIds) -> Element:
    """Change an event sub-process to a sub-process behind a boundary event of the body, with the start's id."""
    definition = _trigger_of(handler)
    start = handler.find(tag("startEvent"))
    event = _add(scope, "boundaryEvent", start.get("id"))
    event.set("attachedToRef", body.get("id"))
    event.set(f"{{{OURS}}}{HANDLER}", "true")
    event.set("cancelActivity", start.attrib.pop("isInterrupting", "true"))
    if start.get("name"):
        event.set("name", start.get("name"))
    event.append(definition)
    start.set("id", names.new(f"{start.get('id')}.begin"))
    for flow in handler.findall(tag("sequenceFlow")):
        if flow.get("sourceRef") == event.get("id"):
            flow.set("sourceRef", start.get("id"))
    del handler.attrib["triggeredByEvent"]
    _join(scope, event, handler, names)
    return handler


def _implicit_ends_and_gateways(scope: Element, names: FreeIds) -> Iterator[Problem]:
    """Add the end events and gateways that the model leaves out."""
    leaving: dict[str, list[Element]] = {}
    for flow in scope.findall(tag("sequenceFlow")):
        leaving.setdefault(flow.get("sourceRef"), []).append(flow)
    for node in list(scope):
        out = leaving.get(node.get("id"), [])
        is_join = local(node) in JOINS and not out
        if local(node) not in NODES - GATEWAYS - {"endEvent"} and not is_join:
            continue
        if any(text(flow.find(tag("conditionExpression"))) for flow in out) or len(out) > 1:
            _fork(scope, node, out, names)
            zh, en = (
                "有多条出线：条件成立的全部执行",
                "Several outgoing flows: every flow with a true condition is taken",
            )
            yield warning(node.get("id"), "many_ways_out", zh, en)
        elif not out and not is_event_sub_process(node):
            end = _add(scope, "endEvent", names.new(f"{node.get('id')}.end"))
            _join(scope, node, end, names)
            zh, en = "没有出线，该路径在此结束", "No outgoing flow: the path ends here"
            yield warning(node.get("id"), "no_way_out", zh, en)


def _scripts_of_listeners(scope: Element, names: FreeIds) -> None:
    """Put what listeners set into script tasks: on their flow, before their node, or behind it."""
    for flow in scope.findall(tag("sequenceFlow")):
        target = flow.get("targetRef")
        if tasks := _script_tasks(scope, flow, BEHIND, f"{flow.get('id') or target}.taken", names):
            flow.set("targetRef", tasks[0].get("id"))
            _join(scope, tasks[-1], tasks[-1], names).set("targetRef", target)
    for node in [child for child in scope if local(child) in NODES]:
        name = node.get("id")
        if tasks := _script_tasks(scope, node, BEFORE, f"{name}.begins", names):
            for flow in _flows(scope, "targetRef", name):
                flow.set("targetRef", tasks[0].get("id"))
            _join(scope, tasks[-1], node, names)
        if tasks := _script_tasks(scope, node, BEHIND, f"{name}.ends", names):
            for flow in _flows(scope, "sourceRef", name):
                flow.set("sourceRef", tasks[-1].get("id"))
            _join(scope, node, tasks[0], names)


def _script_tasks(scope: Element, element: Element, place: str, near: str, names: FreeIds) -> list[Element]:
    """Return new script tasks, one behind the other, for the scripts of an element that belong to this place."""
    tasks: list[Element] = []
    for written in element.findall(f"{tag('extensionElements')}/{{{OURS}}}{place}"):
        written.getparent().remove(written)
        task = _add(scope, "scriptTask", names.new(near))
        for name, value in written.attrib.items():
            if name != "id":
                task.set(name, value)
        _add(task, "script").text = written.text
        if tasks:
            _join(scope, tasks[-1], task, names)
        tasks.append(task)
    return tasks


def _flows(scope: Element, end: str, node: str) -> list[Element]:
    found = scope.findall(tag("sequenceFlow"))
    effort.spend(len(found))
    return [flow for flow in found if flow.get(end) == node]


def _flows_beside_each_other(scope: Element, names: FreeIds) -> None:
    """Put a step into every further flow between the same node and a join, so that each flow counts."""
    joins = {one.get("id"): one for one in scope if local(one) in ("parallelGateway", "inclusiveGateway")}
    seen = set()
    for flow in scope.findall(tag("sequenceFlow")):
        ends = (flow.get("sourceRef"), flow.get("targetRef"))
        if ends in seen and ends[1] in joins:
            step = _add(scope, "task", names.new(f"{flow.get('id') or ends[1]}.way"))
            flow.set("targetRef", step.get("id"))
            _join(scope, step, joins[ends[1]], names)
        seen.add(ends)


def is_event_sub_process(node: Element) -> bool:
    """Return whether an event starts the sub-process."""
    return local(node) == "subProcess" and node.get("triggeredByEvent") == "true"


def _fork(scope: Element, node: Element, out: list[Element], names: FreeIds) -> None:
    conditions = [flow for flow in out if text(flow.find(tag("conditionExpression")))]
    kind = "inclusiveGateway" if conditions else "parallelGateway"
    gateway = _add(scope, kind, names.new(f"{node.get('id')}.fork"))
    default = node.attrib.pop("default", None)
    if conditions and default:
        gateway.set("default", default)
    for flow in out:
        flow.set("sourceRef", gateway.get("id"))
        if conditions and flow not in conditions and not (default and flow.get("id") == default):
            # Behind a task, unlike behind a gateway, a flow without condition is taken whatever the others do.
            always = flow.find(tag("conditionExpression"))
            if always is None:
                always = flow.makeelement(tag("conditionExpression"))
                flow.append(always)
            always.text = "${true}"
    _join(scope, node, gateway, names)
