"""Reads what the drawings of other engines say in another way as we say it, before a document is judged.

The document is changed in memory only; what is stored, shown and exported is what came. What has a meaning here is put
in our words, what BPMN says in short is said at length (see `unfold`), and what has no meaning here is taken out.
Whatever changes how the process runs is told in a warning.
"""

import re
from collections.abc import Iterator

from workflows.engine import many, rules, scripts, texts
from workflows.engine.advice import MOST, warning
from workflows.engine.dialect import plain, put_plainly
from workflows.engine.document import OURS, PARAMETER, VENDORS, Element, elements, local, ours, tag, text
from workflows.engine.errors import ExpressionError, Problem
from workflows.engine.expressions import compile_template
from workflows.engine.unfold import EVERYBODY, Names, declare_message, own_message, unfold

_FLOWABLE = VENDORS[0]

# Attributes that do nothing here and would do nothing that a user could see elsewhere; Flowable skips a step by
# `skipExpression` only when a variable of the process says that steps may be skipped.
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
# Definitions and children that hold no way of a token.
_DATA = {"dataObject", "dataObjectReference", "dataStoreReference", "ioSpecification", "property"}
_DATA_OF_NODES = {"dataInputAssociation", "dataOutputAssociation", *_DATA}
# Attributes that name the code of a service task, in the order in which they count.
_DELEGATES = ("delegateExpression", "class", "expression", "type", "topic")
# Each looks at a sign once: what stands in a drawing may be long, and written to keep a pattern busy.
_PLACEHOLDER = re.compile(r"[$#]\{([^{}]*)\}")
_OPENING = re.compile(r"[$#]\{")
_PERFORMERS = {"humanPerformer": "assignee", "potentialOwner": ""}
_OWNER = re.compile(r"(user|group) ?\(([^()]*)\)")
_COMMA = re.compile(r",(?![^{]*\})")
MAX_OWNERS = 2_000
"""Characters of a potential owner; a longer one stays, and is refused by its name."""


def adopt(root: Element) -> list[Problem]:
    """Change the document to what can be judged and run; the warnings say what is not as its author may think."""
    found: list[Problem] = []
    processes = root.findall(tag("process"))
    if len(processes) != 1 or rules.too_large(processes[0]):
        return []  # it is refused, and not worked on before
    (process,) = processes
    _plain_ids(root)
    names = Names(root)
    for element in list(process.iter()):
        if element is not process and element.getparent() is None:
            continue  # it went with what it stood in
        if local(element) in _DATA:
            found.append(_no_effect(_node_of(element), local(element)))
            element.getparent().remove(element)
        elif local(element) in rules.NODES:
            found += _adopt_node(root, element, names)
    put_plainly(process)
    found += unfold(root, process, names)
    return _some_of_each(found)


_REFERENCES = (*texts.REFERENCES, "signalRef", "activityRef")


def _plain_ids(root: Element) -> None:
    """Ids without blanks round them, which XML's ids do not have, and references without the document's own prefix."""
    own = {f"{prefix}:" for prefix, space in root.nsmap.items() if prefix and space == root.get("targetNamespace")}
    for element in elements(root):
        for name in ("id", *_REFERENCES):
            if value := element.get(name):
                prefix, colon, plain_one = value.strip().partition(":")
                element.set(name, plain_one if prefix + colon in own and name != "id" else value.strip())


def _adopt_node(root: Element, node: Element, names: Names) -> Iterator[Problem]:
    if not node.get("id"):
        node.set("id", names.new(local(node)))
    for child in [child for child in node if local(child) in _DATA_OF_NODES]:
        node.remove(child)
        yield _no_effect(node, local(child))
    _be_called(root, node, names)
    yield from _wait_for_event(root, node, names)
    is_start = local(node) == "startEvent" and local(node.getparent()) == "process"
    if node.find(tag("conditionalEventDefinition")) is not None and not is_start:
        zh, en = (
            "每一步之后检查是否发生，其他时候不检查",
            "Whether this has happened is asked after each step, and at no other time",
        )
        yield warning(node.get("id"), "asked_after_steps", zh, en)
    if local(node) == "userTask":
        _name_performers(node)
    elif local(node) in ("serviceTask", "sendTask"):
        _name_operation(node)
    elif local(node) == "receiveTask" and not node.get("messageRef"):
        yield _wait_to_be_told(root, node, names)
    elif local(node) == "scriptTask":
        yield from _idle_lines(node)
    yield from _take_out(node)


def _name_operation(task: Element) -> None:
    """What another engine calls by a bean, a class or a kind is an operation of that name, registered or not."""
    if ours(task, "operation") or task.get("messageRef"):
        return
    for name in _DELEGATES:
        for space in VENDORS:
            if said := task.attrib.pop(f"{{{space}}}{name}", ""):
                inner = _PLACEHOLDER.fullmatch(said.strip())
                task.tag = tag("serviceTask")
                task.set(f"{{{OURS}}}operation", (inner[1] if inner else said).strip())
                _name_parameters(task)
                return


def _name_parameters(task: Element) -> None:
    """What another engine injects into that code, as parameters; what is no plain text or expression of ours stays.

    Camunda holds its own together in an element; what stands in a listener is for that.
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
    """The text of a `field` or an `inputParameter`; '' where it is a script, a list or an expression not of ours."""
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


def _name_performers(task: Element) -> None:
    """BPMN's own elements for who does a task, in the shape that Flowable gives them."""
    for child in [child for child in task if local(child) in _PERFORMERS]:
        # Some designers write an expression as such with a type, among them the one that ours is made of.
        said = text(next((one for one in child.iter() if local(one) in ("formalExpression", "expression")), None))
        if len(said) > MAX_OWNERS:
            continue
        task.remove(child)
        found: dict[str, list[str]] = {}
        for part in _COMMA.split(said) if local(child) == "potentialOwner" else []:
            owner = _OWNER.fullmatch(part.strip())
            kind = "candidateUsers" if owner and owner[1] == "user" else "candidateGroups"
            found.setdefault(kind, []).append((owner[2] if owner else part).strip())
        if local(child) == "humanPerformer":
            found["assignee"] = [said]
        for name, values in found.items():
            name = f"{{{_FLOWABLE}}}{name}"
            before = [task.get(name)] if task.get(name) and local(child) == "potentialOwner" else []
            task.set(name, ",".join([*before, *values]))


def _wait_to_be_told(root: Element, task: Element, names: Names) -> Problem:
    """A receive task without a message waits until somebody tells it to go on: by a message with its id for a name."""
    task.set("messageRef", own_message(root, task, names))
    zh = f"未指定消息，将等待名为“{task.get('id')}”的消息"
    en = f"No message is named: it waits for one called “{task.get('id')}”"
    return warning(task.get("id"), "message_named", zh, en)


def _be_called(root: Element, event: Element, names: Names) -> None:
    """A message or signal whose name is an expression; signals become messages in `unfold`."""
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
                "messageRef", declare_message(root, f"{event.get('id')}.message", name[: rules.MAX_NAME], names)
            )
            definition.set(f"{{{OURS}}}called", name)


_EVENTS = {"startEvent", "boundaryEvent", "intermediateCatchEvent", "receiveTask"}


def _wait_for_event(root: Element, node: Element, names: Names) -> Iterator[Problem]:
    """What Flowable waits for beside the standard: a variable that changes, an event that comes from outside.

    Such an event is a message of its name, under the values that it is told from others by, or one that all share.
    """
    said = dict(_beside(node))
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
        values = [element for kind, element in _beside(node) if kind == "eventCorrelationParameter"]
        for element in values:
            element.getparent().remove(element)
        key = "|".join(element.get("value", "") for element in values) or EVERYBODY
        definition.set("messageRef", declare_message(root, f"{node.get('id')}.message", name, names))
        definition.set(f"{{{OURS}}}key", plain(key))
        zh = f"将等待名为“{name[:40]}”的消息，关联值为“{key[:40]}”"
        en = f"It waits for a message called “{name[:40]}” under the key “{key[:40]}”"
        yield warning(node.get("id"), "message_named", zh, en)


def _beside(node: Element) -> Iterator[tuple[str, Element]]:
    """Elements of the vendors in a node, by their names."""
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


def _idle_lines(task: Element) -> Iterator[Problem]:
    """Lines of a script that only print or pause."""
    try:
        yield from (_no_effect(task, what) for what in scripts.read(task).idle)
    except ExpressionError:
        return  # the rules say why


def _take_out(node: Element) -> Iterator[Problem]:
    """Attributes and elements of other engines that are not read here, those of its loop too."""
    loop = node.find(tag("multiInstanceLoopCharacteristics"))
    of_node = scripts.ATTRIBUTES if local(node) == "scriptTask" else rules.VENDOR_ATTRIBUTES
    for element, read in ((node, of_node), (loop, many.ATTRIBUTES)):
        for full in list(element.attrib) if element is not None else ():
            space, _brace, name = str(full).rpartition("}")
            if space[1:] in VENDORS and name not in read:
                del element.attrib[full]
                if name not in _IDLE:
                    yield _no_effect(node, name)
    for element in loop.findall(f"{tag('extensionElements')}/*") if loop is not None else ():
        element.getparent().remove(element)
        yield _no_effect(node, str(element.tag).rpartition("}")[2])
    for name, child in list(_beside(node)):
        is_given = (name, local(node)) == ("in", "scriptTask")
        if name not in (*rules.FIELD_ELEMENTS, "formData") and not is_given:
            child.getparent().remove(child)
            yield _no_effect(node, name)


def _no_effect(node: Element, what: str) -> Problem:
    zh, en = f"“{what[:40]}”在此不起作用", f"“{what[:40]}” has no effect here"
    return warning(node.get("id", ""), "no_effect", zh, en)


def _node_of(element: Element) -> Element:
    while local(element) not in rules.NODES | {"process"}:
        element = element.getparent()
    return element


def _some_of_each(problems: list[Problem]) -> list[Problem]:
    counts: dict[str, int] = {}
    kept = []
    for problem in problems:
        counts[problem.code] = counts.get(problem.code, 0) + 1
        if counts[problem.code] <= MOST:
            kept.append(problem)
    return kept
