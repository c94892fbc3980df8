"""Reads what the drawings of other engines say in another way as we say it, before a document is judged.

The document is changed in memory only; what is stored, shown and exported is what came. What has a meaning here is put
in our words, what BPMN leaves unsaid is said (a token ends where nothing goes on, several flows out of a task are all
taken), and what has no meaning here is taken out. Whatever changes how the process runs is told in a warning.
"""

import re
from collections.abc import Iterator

from workflows.engine import rules
from workflows.engine.advice import MOST, warning
from workflows.engine.document import OURS, VENDORS, Element, local, ours, tag, text
from workflows.engine.errors import Problem
from workflows.engine.texts import MAX_ID

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
}
# Definitions and children that hold no way of a token.
_DATA = {"dataObject", "dataObjectReference", "dataStoreReference", "ioSpecification", "property"}
_DATA_OF_NODES = {"dataInputAssociation", "dataOutputAssociation", *_DATA}
# Attributes that name the code of a service task, in the order in which they count.
_DELEGATES = ("delegateExpression", "class", "expression", "type", "topic")
_PLACEHOLDER = re.compile(r"[$#]\{\s*(.*?)\s*\}", re.DOTALL)
_PERFORMERS = {"humanPerformer": "assignee", "potentialOwner": ""}
_OWNER = re.compile(r"\s*(user|group)\s*\(\s*(.*?)\s*\)\s*", re.DOTALL)
_COMMA = re.compile(r",(?![^{]*\})")


def adopt(root: Element) -> list[Problem]:
    """Change the document to what can be judged and run; the warnings say what is not as its author may think."""
    found: list[Problem] = []
    for process in root.findall(tag("process")):
        names = _Names(root)
        for element in list(process.iter()):
            if element is not process and element.getparent() is None:
                continue  # it went with what it stood in
            if local(element) in _DATA:
                found.append(_no_effect(_node_of(element), local(element)))
                element.getparent().remove(element)
            elif local(element) in rules.NODES:
                found += _adopt_node(root, element, names)
        for scope in [process, *process.iter(tag("subProcess"))]:
            found += _say_the_unsaid(scope, names)
    return _some_of_each(found)


class _Names:
    """Ids that nothing has yet."""

    def __init__(self, root: Element) -> None:
        self._used = {element.get("id") for element in root.iter() if element.get("id")}

    def new(self, name: str) -> str:
        """The name, shortened so that it stays an id, with underscores behind it if something has it."""
        head, dot, ending = name.rpartition(".")
        name = f"{head[: MAX_ID - 20]}{dot}{ending}"
        while name in self._used:
            name += "_"
        self._used.add(name)
        return name


def _adopt_node(root: Element, node: Element, names: _Names) -> Iterator[Problem]:
    if not node.get("id"):
        node.set("id", names.new(local(node)))
    for child in [child for child in node if local(child) in _DATA_OF_NODES]:
        node.remove(child)
        yield _no_effect(node, local(child))
    if local(node) == "userTask":
        _name_performers(node)
    elif local(node) in ("serviceTask", "sendTask"):
        _name_operation(node)
    elif local(node) == "receiveTask" and not node.get("messageRef"):
        yield _wait_to_be_told(root, node, names)
    yield from _take_out(node)


def _name_operation(task: Element) -> None:
    """What another engine calls by a bean, a class or a kind is an operation of that name, registered or not."""
    if ours(task, "operation") or task.get("messageRef"):
        return
    for name in _DELEGATES:
        for space in VENDORS:
            if said := task.attrib.pop(f"{{{space}}}{name}", ""):
                inner = _PLACEHOLDER.fullmatch(said)
                task.tag = tag("serviceTask")
                task.set(f"{{{OURS}}}operation", inner[1] if inner else said.strip())
                return


def _name_performers(task: Element) -> None:
    """BPMN's own elements for who does a task, in the shape that Flowable gives them."""
    for child in [child for child in task if local(child) in _PERFORMERS]:
        task.remove(child)
        said = text(child.find(f".//{tag('formalExpression')}"))
        found: dict[str, list[str]] = {}
        for part in _COMMA.split(said) if local(child) == "potentialOwner" else []:
            owner = _OWNER.fullmatch(part)
            kind = "candidateUsers" if owner and owner[1] == "user" else "candidateGroups"
            found.setdefault(kind, []).append(owner[2] if owner else part.strip())
        if local(child) == "humanPerformer":
            found["assignee"] = [said]
        for name, values in found.items():
            name = f"{{{_FLOWABLE}}}{name}"
            before = [task.get(name)] if task.get(name) and local(child) == "potentialOwner" else []
            task.set(name, ",".join([*before, *values]))


def _wait_to_be_told(root: Element, task: Element, names: _Names) -> Problem:
    """A receive task without a message waits until somebody tells it to go on: by a message with its id for a name."""
    message = root.makeelement(tag("message"))
    message.set("id", names.new(f"{task.get('id')}.message"))
    message.set("name", task.get("id"))
    root.insert(0, message)
    task.set("messageRef", message.get("id"))
    zh = f"未指定消息，将等待名为“{task.get('id')}”的消息"
    en = f"No message is named: it waits for one called “{task.get('id')}”"
    return warning(task.get("id"), "message_named", zh, en)


def _take_out(node: Element) -> Iterator[Problem]:
    """Attributes and elements of other engines that are not read here."""
    for name in list(node.attrib):
        space, _brace, plain = str(name).rpartition("}")
        if space[1:] in VENDORS and plain not in rules.VENDOR_ATTRIBUTES:
            del node.attrib[name]
            if plain not in _IDLE:
                yield _no_effect(node, plain)
    for child in node.findall(f"{tag('extensionElements')}/*"):
        space, _brace, plain = str(child.tag).rpartition("}")
        if space[1:] in VENDORS and plain not in (*rules.FIELD_ELEMENTS, "formData"):
            child.getparent().remove(child)
            yield _no_effect(node, plain)


def _say_the_unsaid(scope: Element, names: _Names) -> Iterator[Problem]:
    """Draws the ends and forks that BPMN lets a drawing leave out."""
    leaving: dict[str, list[Element]] = {}
    for flow in scope.findall(tag("sequenceFlow")):
        leaving.setdefault(flow.get("sourceRef"), []).append(flow)
    for node in list(scope):
        if local(node) not in rules.NODES - rules.GATEWAYS - {"endEvent"}:
            continue
        out = leaving.get(node.get("id"), [])
        if any(text(flow.find(tag("conditionExpression"))) for flow in out) or len(out) > 1:
            _fork(scope, node, out, names)
            zh, en = "多条出线：条件成立的都会走", "Several flows go out: every one whose condition holds is taken"
            yield warning(node.get("id"), "many_ways_out", zh, en)
        elif not out and not _is_an_event_sub_process(node):
            end = _add(scope, "endEvent", names.new(f"{node.get('id')}.end"))
            _join(scope, node, end, names)
            zh, en = "没有出线，流程走到这里即结束", "No flow goes on from here: the way ends"
            yield warning(node.get("id"), "no_way_out", zh, en)


def _is_an_event_sub_process(node: Element) -> bool:
    return local(node) == "subProcess" and node.get("triggeredByEvent") == "true"


def _fork(scope: Element, node: Element, out: list[Element], names: _Names) -> None:
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


def _join(scope: Element, source: Element, target: Element, names: _Names) -> None:
    flow = _add(scope, "sequenceFlow", names.new(f"{source.get('id')}.out"))
    flow.set("sourceRef", source.get("id"))
    flow.set("targetRef", target.get("id"))


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
