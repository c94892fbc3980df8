"""What the deployment check asks of a document beyond whether it can be parsed.

Each function takes the root of a document that has been parsed and leaves it unchanged.
"""

# mypy: disable-error-code="import-untyped"

from collections.abc import Collection, Mapping

from lxml import etree

from workflows.engine import advice, paths
from workflows.engine.document import DI, Element, local, message_place, ours, process_key, read, tag
from workflows.engine.elements import LOOP, NODES
from workflows.engine.errors import ModelError, Problem


def advise(root: Element) -> list[Problem]:
    """Return the warnings about a model that can run."""
    return advice.of(root)


def missing_effects(root: Element, required: paths.Required) -> list[Problem]:
    """Return a problem for each end that is reachable without an operation of each group, in their order."""
    return paths.missing(root, required)


def inputs(root: Element) -> dict[str, set[str]]:
    """Return, by operation, the steps, timers and messages whose input a call of it may be given."""
    return paths.inputs(root)


def unexpected_inputs(root: Element, known: Mapping[str, Collection[str]]) -> list[Problem]:
    """Return a problem for each call of an operation that may be given the input of another step than is `known`.

    An operation reads what the person entered at the step before it. Known are the `inputs` of the model for which the
    operation was written.
    """
    asked = inputs(root)
    problems = []
    for element in root.iter(tag("serviceTask")):
        name = ours(element, "operation")
        strange = asked.get(name, set()).difference(known.get(name, ()))
        if name in known and strange:
            steps = ", ".join(sorted(strange))
            zh = f"操作“{name}”需要原步骤的输入，不能紧接在“{steps}”之后"
            en = f"The operation “{name}” needs the input of its own step and cannot follow “{steps}”"
            problems.append(Problem(element.get("id", ""), "effect_input", zh, en))
    return problems


def repeated(root: Element) -> frozenset[str]:
    """Return the nodes that run several times for one token: multi-instance activities and all nodes inside of them."""
    loops = [loop.getparent() for loop in root.iter(tag(LOOP))]
    return frozenset(node.get("id", "") for around in loops for node in around.iter() if local(node) in NODES)


def dues(root: Element) -> Mapping[str, str]:
    """Return the due function that a timer names, by node."""
    found = {}
    for element in root.iter(tag("timerEventDefinition")):
        if due := ours(element, "due"):
            found[element.getparent().get("id", "")] = due
    return found


def awaited(root: Element) -> Mapping[str, str]:
    """Return the messages that nodes wait for: by name, the first of these nodes."""
    names = {message.get("id"): message.get("name") or message.get("id") for message in root.findall(tag("message"))}
    found: dict[str, str] = {}
    for node in root.iter(tag("boundaryEvent"), tag("intermediateCatchEvent"), tag("receiveTask")):
        for place in (node, *node.findall(tag("messageEventDefinition"))):
            if place.get("messageRef") in names:
                found.setdefault(names[place.get("messageRef")], node.get("id", ""))
    return found


def unkeyed(root: Element) -> Mapping[str, str]:
    """Return by node the message that it waits for without a correlation key and that no node of the document sends."""
    names = {message.get("id"): message.get("name") or message.get("id") for message in root.findall(tag("message"))}
    waits: dict[str, str] = {}
    sent: set[str] = set()
    for node in root.iter(*(tag(name) for name in NODES)):
        place = message_place(node)
        if place is None or place.get("messageRef") not in names or local(node) == "startEvent":
            continue
        name = names[place.get("messageRef")]
        if local(node) in _SENDING:
            sent.add(name)
        elif not ours(place, "key"):
            waits[node.get("id", "")] = name
    return {node: name for node, name in waits.items() if name not in sent}


_SENDING = {"sendTask", "endEvent", "intermediateThrowEvent"}


def caught(root: Element) -> dict[str, set[str]]:
    """Return by task the codes of the errors that boundary events catch there and round it; '' for every code."""
    return advice.caught(root)


def error_events(root: Element) -> dict[str, tuple[str, str]]:
    """Return by error boundary event of a service task the task and the code; '' for every code."""
    return advice.error_events(root)


def without_diagram(xml: bytes) -> bytes:
    """Return the document without its diagram; unchanged where it cannot be read."""
    try:
        root = read(xml)
    except ModelError:
        return xml
    for diagram in root.findall(f"{DI}BPMNDiagram"):
        root.remove(diagram)
    return bytes(etree.tostring(root, encoding="UTF-8"))


def process_id(xml: bytes) -> str:
    """Return the id of the only process of a document; '' where it cannot be read or has none or several."""
    try:
        processes = read(xml).findall(tag("process"))
    except ModelError:
        return ""
    return process_key(str(processes[0].get("id", ""))) if len(processes) == 1 else ""
