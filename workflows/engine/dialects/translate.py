"""Translates what the models of Flowable, Activiti and Camunda 7 say in words of their own.

What has a meaning here is written in our words, anything else is removed. A warning tells every change of how the
process runs.
"""

import re
from collections.abc import Iterator

from workflows.engine.dialects import scripts
from workflows.engine.dialects.flowable import plain
from workflows.engine.document import OURS, PARAMETER, VENDORS, Element, local, ours, tag, text
from workflows.engine.elements import (
    EVERYBODY,
    FIELD_ELEMENTS,
    LOOP,
    LOOP_ATTRIBUTES,
    MAX_MESSAGE_NAME,
    VENDOR_ATTRIBUTES,
)
from workflows.engine.errors import ExpressionError, Problem, no_effect, warning
from workflows.engine.expressions import compile_template
from workflows.engine.rewriting import FreeIds, declare_message

# Attributes without effect here, whose effect elsewhere no user sees; `skipExpression` skips a step only when a
# variable of the process allows it.
_IDLE = {
    "async",
    "exclusive",
    "asyncBefore",
    "asyncAfter",
    "asyncLeave",
    "asyncLeaveExclusive",
    "formFieldValidation",
    "skipExpression",
    "jobPriority",
    "sameDeployment",
    "businessKey",
    "noWaitStatesAsyncLeave",
}
# Attributes that name the code of a service task, in the order in which they count.
_DELEGATES = ("delegateExpression", "class", "expression", "type", "topic")
# Each pattern looks at a character once: a hostile model may hold long texts that keep a pattern busy.
_PLACEHOLDER = re.compile(r"[$#]\{([^{}]*)\}")
_OPENING = re.compile(r"[$#]\{")


def translate(root: Element, node: Element, names: FreeIds) -> Iterator[Problem]:
    """Translate one node; yield a warning for each attribute and element without effect here."""
    _name_by_expression(root, node, names)
    yield from _vendor_events(root, node, names)
    if local(node) in ("serviceTask", "sendTask"):
        _name_operation(node)
    elif local(node) == "scriptTask":
        yield from _warn_of_idle_lines(node)
    yield from _remove_vendor_parts(node)


def _name_operation(task: Element) -> None:
    """Write a bean, a class or a task type of another engine as the operation of that name, registered or not."""
    if ours(task, "operation") or task.get("messageRef"):
        return
    for space in VENDORS:
        if task.get(f"{{{space}}}type") == "external" and task.get(f"{{{space}}}topic"):
            del task.attrib[f"{{{space}}}type"]  # Camunda's word for "somebody asks for this topic"
    for name in _DELEGATES:
        for space in VENDORS:
            if said := task.attrib.pop(f"{{{space}}}{name}", ""):
                inner = _PLACEHOLDER.fullmatch(said.strip())
                task.tag = tag("serviceTask")
                task.set(f"{{{OURS}}}operation", (inner[1] if inner else said).strip())
                _name_parameters(task)
                return


def _name_parameters(task: Element) -> None:
    """Write the fields that another engine injects as parameters; what cannot be translated stays.

    Camunda collects its own in an `inputOutput` element; a field inside of a listener belongs to the listener.
    """
    around = task.find(tag("extensionElements"))
    for one in list(around.iter()) if around is not None else ():
        space, _brace, kind = str(one.tag).rpartition("}")
        said = _injected(one, kind) if space[1:] in VENDORS and one.get("name") else ""
        holder = one.getparent()
        if not said or (holder is not around and str(holder.tag).rpartition("}")[2] != "inputOutput"):
            continue
        holder.remove(one)
        parameter = around.makeelement(PARAMETER, {"name": one.get("name")})
        parameter.text = said
        around.append(parameter)
        if holder is not around and not len(holder):
            around.remove(holder)


def _injected(element: Element, kind: str) -> str:
    """Return the text of a `field` or `inputParameter`; '' for a script, a list or another language's expression."""
    inner = {str(child.tag).rpartition("}")[2]: text(child) for child in element}
    if kind == "inputParameter" and not inner:
        said = text(element)
    elif kind == "field" and (constant := element.get("stringValue") or inner.get("string", "")):
        said = "" if _OPENING.search(constant) else constant  # it is not evaluated there
    else:
        said = element.get("expression") or inner.get("expression", "") if kind == "field" else ""
    said = plain(said)
    try:
        compile_template(said)
    except ExpressionError:
        return ""
    return said


def _name_by_expression(root: Element, event: Element, names: FreeIds) -> None:
    """Translate a message or signal whose name is an expression; `unfold` changes signals to messages."""
    for definition in _definitions(event):
        kind = local(definition).removesuffix("EventDefinition")
        said = [definition.attrib.pop(f"{{{space}}}{kind}Expression", "").strip() for space in VENDORS]
        called = plain(next(filter(None, said), ""))
        if called and kind in ("message", "signal") and not definition.get(f"{kind}Ref"):
            name = f"{kind}:{called}" if kind == "signal" else called
            if kind == "signal":
                definition.tag = tag("messageEventDefinition")
                definition.set(f"{{{OURS}}}key", EVERYBODY)
            definition.set(
                "messageRef", declare_message(root, f"{event.get('id')}.message", name[:MAX_MESSAGE_NAME], names)
            )
            definition.set(f"{{{OURS}}}called", name)


_EVENTS = {"startEvent", "boundaryEvent", "intermediateCatchEvent", "receiveTask"}


def _vendor_events(root: Element, node: Element, names: FreeIds) -> Iterator[Problem]:
    """Translate what Flowable adds to BPMN's events: a variable that changes, an event from outside.

    An event from outside is a message of its name, with the correlation values of the model as key, or one that all
    share.
    """
    said = dict(_vendor_elements(node))
    if local(node) not in _EVENTS or node.get("messageRef") or _definitions(node):
        return
    if (change := said.get("variableListenerEventDefinition")) is not None and local(node) != "receiveTask":
        change.getparent().remove(change)
        definition = _define(node, "conditionalEventDefinition")
        definition.set(f"{{{OURS}}}variable", change.get("variableName", ""))
        definition.set(f"{{{OURS}}}change", change.get("variableChangeType") or "all")
    elif name := text(said.get("eventType")):
        said["eventType"].getparent().remove(said["eventType"])
        definition = node if local(node) == "receiveTask" else _define(node, "messageEventDefinition")
        if local(node) == "startEvent" and local(node.getparent()) == "process":
            return  # people start it, see `unfold`
        values = [element for kind, element in _vendor_elements(node) if kind == "eventCorrelationParameter"]
        for element in values:
            element.getparent().remove(element)
        key = "|".join(element.get("value", "") for element in values) or EVERYBODY
        definition.set("messageRef", declare_message(root, f"{node.get('id')}.message", name, names))
        definition.set(f"{{{OURS}}}key", plain(key))
        zh = f"将等待名为“{name[:40]}”的消息，关联键为“{key[:40]}”"
        en = f"It waits for a message called “{name[:40]}” under the key “{key[:40]}”"
        yield warning(node.get("id"), "message_named", zh, en)


def _vendor_elements(node: Element) -> Iterator[tuple[str, Element]]:
    """Yield the elements of other engines in a node, with their names."""
    for element in node.findall(f"{tag('extensionElements')}/*"):
        space, _brace, name = str(element.tag).rpartition("}")
        if space[1:] in VENDORS:
            yield name, element


def _definitions(node: Element) -> list[Element]:
    return [child for child in node if local(child).endswith("EventDefinition")]


def _define(node: Element, kind: str) -> Element:
    definition = node.makeelement(tag(kind))
    node.append(definition)
    return definition


def _warn_of_idle_lines(task: Element) -> Iterator[Problem]:
    """Yield a warning for each line of a script that only prints or pauses."""
    try:
        yield from (no_effect(task.get("id", ""), what) for what in scripts.read(task).idle)
    except ExpressionError:
        return  # the rules say why


def _remove_vendor_parts(node: Element) -> Iterator[Problem]:
    """Remove attributes and elements of other engines that have no meaning here, from the loop too."""
    loop = node.find(tag(LOOP))
    of_node = scripts.ATTRIBUTES if local(node) == "scriptTask" else VENDOR_ATTRIBUTES
    for element, read in ((node, of_node), (loop, LOOP_ATTRIBUTES)):
        for full in list(element.attrib) if element is not None else ():
            space, _brace, name = str(full).rpartition("}")
            if space[1:] in VENDORS and name not in read:
                del element.attrib[full]
                if name not in _IDLE:
                    yield no_effect(node.get("id", ""), name)
    for element in loop.findall(f"{tag('extensionElements')}/*") if loop is not None else ():
        element.getparent().remove(element)
        yield no_effect(node.get("id", ""), str(element.tag).rpartition("}")[2])
    for name, child in list(_vendor_elements(node)):
        is_given = (name, local(node)) == ("in", "scriptTask")
        if name not in (*FIELD_ELEMENTS, "formData") and not is_given:
            child.getparent().remove(child)
            yield no_effect(node.get("id", ""), name)
