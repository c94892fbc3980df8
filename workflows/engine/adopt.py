"""Changes a document, in memory, to the form that the rules check and the engine runs.

What is stored, shown and exported stays as it came. Words of other engines are translated (see `dialects`), what BPMN
leaves implicit is made explicit (see `unfold`), and what nothing reads is removed (see `losses`). A warning tells every
change of how the process runs.
"""

import re
from collections.abc import Iterator

from workflows.engine import foreign, rules, texts
from workflows.engine.document import (
    MAX_PROCESS_ID,
    OURS,
    VENDORS,
    Element,
    elements,
    local,
    process_key,
    tag,
    text,
)
from workflows.engine.elements import AGGREGATE, BEFORE, BEHIND, GIVEN, NODES, RETURNED
from workflows.engine.errors import MOST, NO_EFFECT, Problem, warning
from workflows.engine.losses import Losses, sweep
from workflows.engine.rewriting import FreeIds, own_message
from workflows.engine.unfold import unfold
from workflows.engine.written_out import write_out

# Elements that no token meets.
_DATA = {"dataObject", "dataObjectReference", "dataStoreReference", "ioSpecification", "property"}
_DATA_OF_NODES = {"dataInputAssociation", "dataOutputAssociation", *_DATA}
_INTERNAL = [f"{{{OURS}}}{name}" for name in (GIVEN, RETURNED, AGGREGATE, BEFORE, BEHIND)]
"""What only `dialects` writes."""
_PERFORMERS = {"performer", "humanPerformer", "potentialOwner"}
_OWNER = re.compile(r"(user|group) ?\(([^()]*)\)")
_ADOPTED = NODES | {"businessRuleTask"}  # the rules refuse one that names no code
_COMMA = re.compile(r",(?![^{]*\})")
MAX_OWNERS = 2_000
"""Characters of a potential owner; a longer one stays, and the rules refuse the element."""


def adopt(root: Element) -> list[Problem]:
    """Change the document to one that can be checked and run; return warnings for each difference."""
    found: list[Problem] = []
    processes = root.findall(tag("process"))
    if len(processes) != 1 or rules.too_large(processes[0]):
        return []  # it is refused, and not worked on before
    (process,) = processes
    _clean_ids(root)
    losses = Losses()
    for element in list(process.iter(*_INTERNAL)):
        losses.add(_node_of(element).get("id", ""), str(element.tag).rpartition("}")[2])
        element.getparent().remove(element)
    names = FreeIds(root)
    for element in list(process.iter()):
        if element is not process and element.getparent() is None:
            continue  # it went with what it stood in
        if local(element) in _DATA:
            losses.add(_node_of(element).get("id", ""), local(element))
            element.getparent().remove(element)
        elif local(element) in _ADOPTED:
            found += _adopt_node(root, element, names, losses)
    found += foreign.translate_listeners(process, losses)
    sweep(root, process, losses)
    found += losses.told(process.get("id", ""))
    foreign.translate_expressions(process)
    found += foreign.translate_cycles(process)
    found += write_out(process, names)
    found += unfold(root, process, names)
    found += _shorten(process)  # last, so that everything else is told of the id that is drawn
    return _at_most_each(found)


_REFERENCES = (*texts.REFERENCES, "signalRef", "activityRef")


def _clean_ids(root: Element) -> None:
    """Strip blanks around ids, and the document's own prefix from references."""
    own = {f"{prefix}:" for prefix, space in root.nsmap.items() if prefix and space == root.get("targetNamespace")}
    for element in elements(root):
        for name in ("id", *_REFERENCES):
            if value := element.get(name):
                prefix, colon, plain_one = value.strip().partition(":")
                element.set(name, plain_one if prefix + colon in own and name != "id" else value.strip())


def _shorten(process: Element) -> Iterator[Problem]:
    """Cut the process's id and the names that are longer than what we keep of them; yield a warning for each."""
    drawn = process.get("id", "")
    if (key := process_key(drawn)) != drawn:
        process.set("id", key)
        zh = f"流程标识超过{MAX_PROCESS_ID}个字符，将以“{key}”部署"
        en = f"The id of the process has more than {MAX_PROCESS_ID} characters: it is deployed as “{key}”"
        yield warning(drawn, "shortened", zh, en)
    for element in process.iter():
        if (element is process or local(element) in NODES) and len(element.get("name", "")) > texts.MAX_NAME:
            element.set("name", element.get("name")[: texts.MAX_NAME])
            zh = f"名称超过{texts.MAX_NAME}个字符，只保留前面的部分"
            en = f"The name has more than {texts.MAX_NAME} characters: only the beginning is kept"
            yield warning(drawn if element is process else element.get("id", ""), "shortened", zh, en)


def _adopt_node(root: Element, node: Element, names: FreeIds, losses: Losses) -> Iterator[Problem]:
    if not node.get("id"):
        node.set("id", names.new(local(node)))
    for child in [child for child in node if local(child) in _DATA_OF_NODES]:
        node.remove(child)
        losses.add(node.get("id"), local(child))
    yield from foreign.translate(root, node, names, losses)
    is_start = local(node) == "startEvent" and local(node.getparent()) == "process"
    if node.find(tag("conditionalEventDefinition")) is not None and not is_start:
        zh, en = (
            "只在每一步完成后检查条件",
            "The condition is checked only after each step",
        )
        yield warning(node.get("id"), "asked_after_steps", zh, en)
    if local(node) == "userTask":
        _name_performers(node, losses)
    elif local(node) == "receiveTask" and not node.get("messageRef"):
        yield _own_message_for(root, node, names)


def _name_performers(task: Element, losses: Losses) -> None:
    """Write BPMN elements for the performers of a task as the attributes of Flowable."""
    for child in [child for child in task if local(child) in _PERFORMERS]:
        # Some designers, bpmn-js among them, write an `expression` element with a type.
        said = text(next((one for one in child.iter() if local(one) in ("formalExpression", "expression")), None))
        if len(said) > MAX_OWNERS:
            continue
        task.remove(child)
        if not said:
            losses.add(task.get("id"), local(child))
            continue
        losses.add_rest(task.get("id"), child)
        found: dict[str, list[str]] = {}
        for part in _COMMA.split(said) if local(child) == "potentialOwner" else []:
            owner = _OWNER.fullmatch(part.strip())
            kind = "candidateUsers" if owner and owner[1] == "user" else "candidateGroups"
            found.setdefault(kind, []).append((owner[2] if owner else part).strip())
        if local(child) != "potentialOwner":
            found["assignee"] = [said]
        for name, values in found.items():
            name = f"{{{VENDORS[0]}}}{name}"
            before = [task.get(name)] if task.get(name) and local(child) == "potentialOwner" else []
            task.set(name, ",".join([*before, *values]))


def _own_message_for(root: Element, task: Element, names: FreeIds) -> Problem:
    """Let a receive task without a message wait for one that has its id as the name."""
    task.set("messageRef", own_message(root, task, names))
    zh = f"未指定消息，将等待名为“{task.get('id')}”的消息"
    en = f"No message is named: it waits for one called “{task.get('id')}”"
    return warning(task.get("id"), "message_named", zh, en)


def _node_of(element: Element) -> Element:
    while local(element) not in NODES | {"process"}:
        element = element.getparent()
    return element


def _at_most_each(problems: list[Problem]) -> list[Problem]:
    """Return the first warnings of each kind; those of losses are few, and the last one stands for all others."""
    counts: dict[str, int] = {}
    kept = []
    for problem in problems:
        counts[problem.code] = counts.get(problem.code, 0) + 1
        if counts[problem.code] <= MOST or problem.code == NO_EFFECT:
            kept.append(problem)
    return kept
