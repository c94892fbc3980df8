"""Translates what the models of Flowable, Activiti and Camunda 7 say in words of their own.

What has a meaning here is written in our words; what is left is told (see `losses`). A warning tells every other change
of how the process runs.
"""

import re
from collections.abc import Iterator

from workflows.engine.dialects import scripts
from workflows.engine.dialects.flowable import plain
from workflows.engine.dialects.mapping import is_variable, translate_mapping, translate_results
from workflows.engine.document import OURS, PARAMETER, VENDORS, Element, attribute, local, ours, tag, text
from workflows.engine.elements import CODE_VARIABLE, EVERYBODY, MAX_MESSAGE_NAME
from workflows.engine.errors import ExpressionError, Problem, warning
from workflows.engine.expressions import compile_template
from workflows.engine.losses import Losses
from workflows.engine.rewriting import FreeIds, add, declare_message

# Attributes that name the code of a service task, in the order in which they count.
_DELEGATES = ("delegateExpression", "class", "expression", "type", "topic")
_EXTERNAL = ("external", "external-worker")  # values of `type`: whoever asks for the topic does it
# Each pattern looks at a character once: a hostile model may hold long texts that keep a pattern busy.
_PLACEHOLDER = re.compile(r"[$#]\{([^{}]*)\}")
_OPENING = re.compile(r"[$#]\{")


def translate(root: Element, node: Element, names: FreeIds, losses: Losses) -> Iterator[Problem]:
    """Translate one node; yield a warning for each change of how it runs, and note what of a script has no effect."""
    _name_by_expression(root, node, names)
    _name_keys(node)
    yield from _vendor_events(root, node, names, losses)
    if _only_sets(node):
        _as_script_task(node)
    if local(node) in ("serviceTask", "sendTask", "businessRuleTask"):
        _name_operation(node, losses)
    elif local(node) == "scriptTask":
        yield from note_of_script(node, losses)
    elif local(node) == "subProcess":
        translate_mapping(node, losses)
    translate_results(node, losses)
    _name_code_variables(node, losses)


def _name_operation(task: Element, losses: Losses) -> None:
    """Write a bean, a class or a task type of another engine as the operation of that name, registered or not."""
    if ours(task, "operation") or task.get("messageRef"):
        return
    for space in VENDORS:
        if task.get(f"{{{space}}}topic") and task.get(f"{{{space}}}type") in _EXTERNAL:
            del task.attrib[f"{{{space}}}type"]
    said = next(filter(None, (task.attrib.pop(name, "") for name in _delegates(task))), "")
    inner = _PLACEHOLDER.fullmatch(said.strip())
    if said:
        task.tag = tag("serviceTask")
        task.set(f"{{{OURS}}}operation", (inner[1] if inner else said).strip())
        _name_parameters(task, losses)


def _only_sets(task: Element) -> bool:
    """Return whether the expression of a service task calls nothing: it sets variables, or its value is the result."""
    (name,) = _delegates(task) or [""]
    if local(task) != "serviceTask" or ours(task, "operation") or not name.endswith("}expression"):
        return False
    said = task.get(name).strip()
    is_result = any(task.get(f"{{{space}}}{one}") for space in VENDORS for one in scripts.ATTRIBUTES[:2])
    inner = _PLACEHOLDER.fullmatch(said)
    # Without a result, and where it is but a name, it may be an operation's.
    if not (is_result or (inner and inner[1].strip().startswith("execution.setVariable"))):
        return False
    if inner and _BEAN.fullmatch(inner[1].strip()):
        return False
    written = task.makeelement(tag("scriptTask"), dict(task.attrib))
    add(written, "script").text = said
    try:
        return bool(scripts.read(written).statements)
    except ExpressionError:
        return False


_BEAN = re.compile(r"[A-Za-z_]\w*")


def _as_script_task(task: Element) -> None:
    """Write a service task with an expression as a script task."""
    (name,) = _delegates(task)
    task.tag = tag("scriptTask")
    add(task, "script").text = task.attrib.pop(name).strip()


def _delegates(task: Element) -> list[str]:
    """Return the attributes of a task that name its code; the first one counts.

    Activiti 7 names a connector in BPMN's own `implementation`.
    """
    found = [name for word in _DELEGATES for space in VENDORS if task.get(name := f"{{{space}}}{word}")]
    is_connector = local(task) == "serviceTask" and not task.get("implementation", "##").startswith(("##", "http"))
    return (found or (["implementation"] if is_connector else []))[:1]


def _name_parameters(task: Element, losses: Losses) -> None:
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
        losses.add_rest(task.get("id", ""), one, "name", "stringValue", "string", "expression")
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
    """Translate a message or signal whose name is an expression; `unfold` changes signals to messages.

    The expression stands at the event, or is the name of what the event refers to.
    """
    task = [event] if local(event) in ("receiveTask", "sendTask") else []
    definitions = _definitions(event)
    for definition in (*task, *(definitions if len(definitions) == 1 else ())):  # the rules refuse several
        kind = "message" if definition is event else local(definition).removesuffix("EventDefinition")
        if kind not in ("message", "signal") or ours(definition, "called"):
            continue
        reference = definition.get(f"{kind}Ref")
        declared = names.declared.get((kind, reference))
        said = declared.get("name", "") if reference and declared is not None else ""
        called = plain(said if reference else _taken(definition, f"{kind}Expression"))
        if not called or (declared is not None and not _OPENING.search(called)):
            continue
        name = f"{kind}:{called}" if kind == "signal" else called
        if kind == "signal":
            definition.attrib.pop("signalRef", None)
            definition.tag = tag("messageEventDefinition")
            if declared is None or attribute(declared, "scope") != "processInstance":
                definition.set(f"{{{OURS}}}key", EVERYBODY)
        definition.set(
            "messageRef", declare_message(root, f"{event.get('id')}.message", name[:MAX_MESSAGE_NAME], names)
        )
        definition.set(f"{{{OURS}}}called", name)


_EVENTS = {"startEvent", "boundaryEvent", "intermediateCatchEvent", "receiveTask"}


def _vendor_events(root: Element, node: Element, names: FreeIds, losses: Losses) -> Iterator[Problem]:
    """Translate what Flowable adds to BPMN's events: a variable that changes, an event from outside.

    An event from outside is a message of its name, with the correlation values of the model as key, or one that all
    share.
    """
    said = dict(_vendor_elements(node))
    if local(node) not in _EVENTS or node.get("messageRef") or _definitions(node):
        return
    if (change := said.get("variableListenerEventDefinition")) is not None and local(node) != "receiveTask":
        losses.add_rest(node.get("id"), change, "variableName", "variableChangeType")
        change.getparent().remove(change)
        definition = _define(node, "conditionalEventDefinition")
        definition.set(f"{{{OURS}}}variable", change.get("variableName", ""))
        definition.set(f"{{{OURS}}}change", change.get("variableChangeType") or "all")
    elif name := text(said.get("eventType")):
        losses.add_rest(node.get("id"), said["eventType"])
        said["eventType"].getparent().remove(said["eventType"])
        definition = node if local(node) == "receiveTask" else _define(node, "messageEventDefinition")
        if local(node) == "startEvent" and local(node.getparent()) == "process":
            return  # people start it, see `unfold`
        values = [element for kind, element in _vendor_elements(node) if kind == "eventCorrelationParameter"]
        for element in values:
            losses.add_rest(node.get("id"), element, "name", "value")
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


def _name_keys(node: Element) -> None:
    """Write the correlation key that another engine's attribute gives to a message as ours."""
    task = [node] if local(node) in ("receiveTask", "sendTask") else []
    for element in (*task, *node.findall(tag("messageEventDefinition"))):
        if not ours(element, "key") and (key := _taken(element, "correlationKey")):
            element.set(f"{{{OURS}}}key", plain(key))


def _taken(element: Element, name: str) -> str:
    """Take an attribute of another engine out; return its value, '' where there is none."""
    said = [element.attrib.pop(f"{{{space}}}{name}", "").strip() for space in VENDORS]
    return next(filter(None, said), "")


def _name_code_variables(event: Element, losses: Losses) -> None:
    """Write the variable that a caught error's or escalation's code goes to as ours.

    Camunda names it at the definition; Flowable maps `errorCode` to it at the event.
    """
    for definition in _definitions(event):
        kind = local(definition).removesuffix("EventDefinition")
        definition.attrib.pop(f"{{{OURS}}}{CODE_VARIABLE}", None)
        if kind not in ("error", "escalation"):
            continue
        said = [full for space in VENDORS if is_variable(definition.get(full := f"{{{space}}}{kind}CodeVariable"))]
        mapped = [
            element
            for name, element in _vendor_elements(event)
            if (name, element.get("source"), kind) == ("in", "errorCode", "error")
            and is_variable(element.get("target"))
        ]
        for element in mapped:
            losses.add_rest(event.get("id", ""), element, "source", "target")
            element.getparent().remove(element)
        names = [*(definition.attrib.pop(full) for full in said), *(element.get("target") for element in mapped)]
        if names:
            definition.set(f"{{{OURS}}}{CODE_VARIABLE}", " ".join(dict.fromkeys(names)))


def note_of_script(task: Element, losses: Losses) -> Iterator[Problem]:
    """Note each line of a script that only prints or pauses; yield a warning for variables that last longer here."""
    try:
        script = scripts.read(task)
    except ExpressionError:
        return  # the rules say why
    for given in scripts.inputs(task):
        losses.add_rest(task.get("id", ""), given, "source", "sourceExpression", "target")
    for what in script.idle:
        losses.add(task.get("id", ""), what)
    if script.wider:
        shown = [f"“{name[:40]}”" for name in script.wider]
        zh = f"变量{'、'.join(shown)}在整个流程内有效，不限于当前步骤或子流程"
        en = f"Kept for the whole process, not for one step or sub-process: {', '.join(shown)}"
        yield warning(task.get("id", ""), "wider_variable", zh, en)
