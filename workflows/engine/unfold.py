"""Says at length what BPMN says in short, so that few kinds of nodes run: the document is changed in memory only.

A way ends where nothing goes on, and several flows out of a task are a fork. A signal is a message that everybody
hears, its own process too. An event-based gateway is a wait for its first message, which the other events break off.
A sub-process that an event starts hangs on the rest of its scope like any other handler on a border.
"""

from collections.abc import Iterator
from copy import deepcopy

from workflows.engine import many, rules
from workflows.engine.advice import warning
from workflows.engine.document import OURS, Element, attribute, elements, local, tag, text
from workflows.engine.errors import Problem
from workflows.engine.specs import SIGNAL
from workflows.engine.texts import MAX_ID

EVERYBODY = "*"
"""The key under which signals are thrown and waited for."""


class Names:
    """Ids that nothing has yet."""

    def __init__(self, root: Element) -> None:
        self._used = {element.get("id") for element in elements(root) if element.get("id")}

    def new(self, name: str) -> str:
        """The name, shortened so that it stays an id, with underscores behind it if something has it."""
        head, dot, ending = name.rpartition(".")
        name = f"{head[: MAX_ID - 20]}{dot}{ending}"
        while name in self._used:
            name += "_"
        self._used.add(name)
        return name


def unfold(root: Element, process: Element, names: Names) -> Iterator[Problem]:
    """Rewrite a process; the warnings name where a drawing leaves something unsaid."""
    yield from _starts(process)
    _signals(root, process, names)
    scopes = [process, *process.iter(tag("subProcess"))]
    for scope in scopes:
        _choices_of_events(root, scope, names)
        yield from _ends_and_forks(scope, names)
        _twins(scope, names)
    for scope in scopes:
        _one_start_each(scope, names)
        _events_round(scope, names)


def _starts(process: Element) -> Iterator[Problem]:
    """A process begins when somebody starts it; what else could start it is told."""
    starts = process.findall(tag("startEvent"))
    for start in starts:
        start.attrib.pop("isInterrupting", None)  # it says something within an event sub-process only
    by_hand = [start for start in starts if not _definitions(start)]
    if len(starts) > 1 and len(by_hand) == 1:
        for start in starts:
            if start is not by_hand[0]:
                zh, en = (
                    "不会由该事件发起，流程从普通开始事件发起",
                    "This event starts nothing: the plain start event does",
                )
                yield warning(start.get("id", ""), "start_by_hand", zh, en)
                _take_away(process, start)
    elif len(starts) == 1:
        for definition in _definitions(starts[0]):
            starts[0].remove(definition)
            zh = "不会由事件自动发起，需由人或接口发起"
            en = "No event starts it here: people or calls do"
            yield warning(starts[0].get("id", ""), "start_by_hand", zh, en)


def _definitions(event: Element) -> list[Element]:
    return [child for child in event if local(child).endswith("EventDefinition")]


def _take_away(scope: Element, node: Element) -> None:
    """Remove a node and the flows out of it and into it."""
    scope.remove(node)
    for flow in scope.findall(tag("sequenceFlow")):
        if node.get("id") in (flow.get("sourceRef"), flow.get("targetRef")):
            scope.remove(flow)


def _signals(root: Element, process: Element, names: Names) -> None:
    """Every signal is a message under a key that all share, or without one where it is its instance's own."""
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


def _choices_of_events(root: Element, scope: Element, names: Names) -> None:
    """Behind an event-based gateway the first message is waited for, and the other events break that off."""
    nodes = {child.get("id"): child for child in scope if local(child) in rules.NODES}
    for gateway in scope.findall(tag("eventBasedGateway")):
        out = [flow for flow in scope.findall(tag("sequenceFlow")) if flow.get("sourceRef") == gateway.get("id")]
        events = [nodes[flow.get("targetRef")] for flow in out if flow.get("targetRef") in nodes]
        if not events or len(events) < len(out) or not all(_is_choosable(event) for event in events):
            continue  # the rules refuse the gateway
        host = next((event for event in events if _message_of(event) is not None), None)
        if host is None:
            host = _add(scope, "receiveTask", names.new(f"{gateway.get('id')}.wait"))
            host.set("messageRef", own_message(root, host, names))
        else:
            _be_a_task(host)
        for event in [event for event in events if event is not host]:
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
    timer = event.find(tag("timerEventDefinition"))
    return local(event) == "intermediateCatchEvent" and (timer is not None or _message_of(event) is not None)


def _message_of(event: Element) -> Element:
    return event.find(tag("messageEventDefinition"))


def own_message(root: Element, task: Element, names: Names) -> str:
    """Declares a message with the task's id for a name."""
    return declare_message(root, f"{task.get('id')}.message", task.get("id"), names)


def declare_message(root: Element, near: str, name: str, names: Names) -> str:
    """Declares a message; gives its id, which is like `near`."""
    message = root.makeelement(tag("message"))
    message.set("id", names.new(near))
    message.set("name", name)
    root.insert(0, message)
    return str(message.get("id"))


def _be_a_task(event: Element) -> None:
    """A catching event as the task that waits for the same message under the same key."""
    definition = event.find(tag("messageEventDefinition"))
    event.tag = tag("receiveTask")
    event.set("messageRef", definition.get("messageRef", ""))
    for name in ("key", "called"):
        if said := definition.get(f"{{{OURS}}}{name}"):
            event.set(f"{{{OURS}}}{name}", said)
    event.remove(definition)


def _one_start_each(scope: Element, names: Names) -> None:
    """A sub-process that several events start becomes one for each, where their ways share nothing but ends."""
    for handler in [child for child in scope if is_event_sub_process(child)]:
        starts = handler.findall(tag("startEvent"))
        nodes = {child.get("id"): child for child in handler if local(child) in rules.NODES}
        edges = rules.edges_of(handler)
        ways = [rules.closure(edges, [start.get("id")]) for start in starts]
        shared = {name for way in ways for name in way if sum(name in one for one in ways) > 1}
        if len(starts) < 2 or not all(name in nodes and local(nodes[name]) == "endEvent" for name in shared):
            continue
        for start, way in list(zip(starts, ways, strict=True))[1:]:
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


_OF_THE_SCOPE = {"incoming", "outgoing", "documentation", "extensionElements", "laneSet", *many.LOOPS}


_FARTHER = ("terminateAll", "terminateMultiInstance")


def _events_round(scope: Element, names: Names) -> None:
    """Sub-processes that events start hang on a sub-process that holds the rest of the scope, and end with it."""
    handlers = [child for child in scope if is_event_sub_process(child)]
    starts = scope.findall(tag("startEvent"))
    if not handlers or len(starts) != 1 or not all(_trigger_of(handler) is not None for handler in handlers):
        return  # without handlers there is nothing to do; the rules refuse the rest
    start, name = starts[0], scope.get("id") or "process"
    body = scope.makeelement(tag("subProcess"))
    body.set("id", names.new(f"{name}.body"))
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
    _ends_of_all(scope, body, names)
    for source in [body, *(_on_border(scope, body, handler, names) for handler in handlers)]:
        _join(scope, source, _add(scope, "endEvent", names.new(f"{source.get('id')}.over")), names)


def _ends_of_all(scope: Element, body: Element, names: Names) -> None:
    """What terminates the scope ends its handlers too: it breaks off the rest by an error of its own, and then all."""
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
    """What follows the borders of the handlers, where nothing else leads there."""
    edges = rules.edges_of(scope)
    found = rules.closure(edges, [handler.get("id") for handler in handlers]) - {one.get("id") for one in handlers}
    return found if found.isdisjoint(rules.closure(edges, [start.get("id")])) else set()


def _trigger_of(handler: Element) -> Element:
    """The event that starts the sub-process, when it is one that can stand on a border; else None."""
    starts = handler.findall(tag("startEvent"))
    definitions = _definitions(starts[0]) if len(starts) == 1 else []
    return definitions[0] if len(definitions) == 1 else None


def _on_border(scope: Element, body: Element, handler: Element, names: Names) -> Element:
    """The handler as a sub-process behind an event on the border of the body; the event keeps the start's id."""
    definition = _trigger_of(handler)
    start = handler.find(tag("startEvent"))
    event = _add(scope, "boundaryEvent", start.get("id"))
    event.set("attachedToRef", body.get("id"))
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


def _ends_and_forks(scope: Element, names: Names) -> Iterator[Problem]:
    """Draws the ends and forks that BPMN lets a drawing leave out."""
    leaving: dict[str, list[Element]] = {}
    for flow in scope.findall(tag("sequenceFlow")):
        leaving.setdefault(flow.get("sourceRef"), []).append(flow)
    for node in list(scope):
        out = leaving.get(node.get("id"), [])
        is_join = local(node) in rules.JOINS and not out
        if local(node) not in rules.NODES - rules.GATEWAYS - {"endEvent"} and not is_join:
            continue
        if any(text(flow.find(tag("conditionExpression"))) for flow in out) or len(out) > 1:
            _fork(scope, node, out, names)
            zh, en = "多条出线：条件成立的都会走", "Several flows go out: every one whose condition holds is taken"
            yield warning(node.get("id"), "many_ways_out", zh, en)
        elif not out and not is_event_sub_process(node):
            end = _add(scope, "endEvent", names.new(f"{node.get('id')}.end"))
            _join(scope, node, end, names)
            zh, en = "没有出线，流程走到这里即结束", "No flow goes on from here: the way ends"
            yield warning(node.get("id"), "no_way_out", zh, en)


def _twins(scope: Element, names: Names) -> None:
    """Of several flows between the same node and a join all but the first get a step between, so that each counts."""
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
    """Whether an event within its scope starts the sub-process."""
    return local(node) == "subProcess" and node.get("triggeredByEvent") == "true"


def _fork(scope: Element, node: Element, out: list[Element], names: Names) -> None:
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


def _add(scope: Element, kind: str, name: str) -> Element:
    element = scope.makeelement(tag(kind))
    element.set("id", name)
    scope.append(element)
    return element


def _join(scope: Element, source: Element, target: Element, names: Names) -> None:
    flow = _add(scope, "sequenceFlow", names.new(f"{source.get('id')}.out"))
    flow.set("sourceRef", source.get("id"))
    flow.set("targetRef", target.get("id"))
