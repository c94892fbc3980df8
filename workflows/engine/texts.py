"""Checks the ids, names and attributes of a model: ids can be looked up, and texts fit their columns.

The library builds XPaths from ids, and ignores attributes that it does not know; so both are checked before anything is
built.
"""

import re

from workflows.engine.document import BPMN, MAX_PROCESS_ID, Element, elements, local, ours, tag
from workflows.engine.elements import MAX_ID
from workflows.engine.errors import ExpressionError, Problem
from workflows.engine.expressions import compile_template

MAX_NAME = 80
MAX_ENGLISH_NAME = 120
MAX_OUTCOME = 40
MAX_OUTCOMES = 20
MAX_RULE = 56  # characters of a candidate that is no expression
MAX_SHOWN = 40  # of an id that is refused

_ID = re.compile(r"[^\W\d][\w.\-]*")
REFERENCES = ("default", "attachedToRef", "messageRef", "errorRef", "escalationRef", "sourceRef", "targetRef")
# Attributes of a node without a namespace, with the values that we can keep; None for any.
_ATTRIBUTES: dict[str, set[str] | None] = {
    "id": None,
    "name": None,
    "default": None,
    "attachedToRef": None,
    "messageRef": None,
    "gatewayDirection": None,
    "implementation": None,
    "scriptFormat": None,
    "cancelActivity": {"true", "false"},
    "isInterrupting": {"true"},
    "startQuantity": {"1"},
    "completionQuantity": {"1"},
    "isForCompensation": {"false"},
    "parallelMultiple": {"false"},
    "instantiate": None,  # these two have rules of their own
    "triggeredByEvent": None,
}
_OF_FLOWS = {"id", "name", "sourceRef", "targetRef", "isImmediate"}
_IN_COLLABORATIONS = {"participant", "messageFlow", "textAnnotation", "association", "group", "documentation"}
FOREIGN_ENGINES = (
    "http://spiffworkflow.org/bpmn/schema/1.0/core",
    "http://camunda.org/schema/zeebe/1.0",
    "http://www.jboss.org/drools",
    "http://www.omg.org/spec/DMN/20180521/MODEL/",
)
"""Languages of other engines that say how a node runs and that we cannot read."""
_LENGTHS = {"formKey": 60, "operation": 160, "due": 80, "nameEn": MAX_ENGLISH_NAME}


def check(root: Element, kinds: set[str]) -> list[Problem]:
    """Return every id, name and attribute that is refused; `kinds` are the nodes that may run."""
    problems = _ids(root)
    if problems:
        return problems
    for collaboration in root.iter(tag("collaboration")):
        for child in collaboration:
            if local(child) and local(child) not in _IN_COLLABORATIONS | {"extensionElements"}:
                problems.append(_unsupported(child, local(child)))
    for process in root.findall(tag("process")):
        problems += [*_lengths(process), *_rules(process, "copies")]
        for element in process.iter():
            if local(element) in kinds:
                problems += [*_attributes(element), *_lengths(element), *_lists(element)]
            elif local(element) == "sequenceFlow":
                problems += [_unsupported(element, name) for name in element.attrib if not _is_of_flow(name)]
            elif _space(element.tag) in FOREIGN_ENGINES:
                problems.append(_unsupported(_owner(element, kinds), str(element.tag).rpartition("}")[2]))
    return problems


def _ids(root: Element) -> list[Problem]:
    problems = []
    for element in elements(root):
        most = MAX_PROCESS_ID if local(element) == "process" else MAX_ID
        for name in ("id", *REFERENCES):
            value = element.get(name)
            if value and (len(value) > most or not _ID.fullmatch(value)):
                zh = f"标识只能由字母、数字和 _ - . 组成，以字母开头，最长{most}个字符"
                en = f"An id has letters, digits and _ - . only, begins with a letter and has at most {most} characters"
                named = value if name == "id" else _nearest_id(element)
                problems.append(Problem(named[:MAX_SHOWN], "bad_id", zh, en))
    return problems


def _nearest_id(element: Element | None) -> str:
    while element is not None and not element.get("id"):
        element = element.getparent()
    return "" if element is None else str(element.get("id"))


def _attributes(node: Element) -> list[Problem]:
    problems = []
    for name, value in node.attrib.items():
        space = _space(name)
        if space in FOREIGN_ENGINES or (not space and name not in _ATTRIBUTES):
            problems.append(_unsupported(node, str(name).rpartition("}")[2]))
        elif not space and (allowed := _ATTRIBUTES[name]) is not None and value not in allowed:
            problems.append(_unsupported(node, f"{name}={value[:MAX_SHOWN]}"))
    return problems


def _lengths(element: Element) -> list[Problem]:
    found = [("name", element.get("name", ""), MAX_NAME)]
    for name, value in element.attrib.items():
        plain = str(name).rpartition("}")[2]
        if _space(name) and plain in _LENGTHS:
            found.append((plain, value, _LENGTHS[plain]))
    for child in element:
        if _space(child.tag) == BPMN:
            found.append(("due", ours(child, "due"), _LENGTHS["due"]))
    return [
        Problem(
            element.get("id", ""), "too_long", f"“{name}”超过{most}个字符", f"“{name}” has more than {most} characters"
        )
        for name, value, most in found
        if len(value) > most
    ]


def _lists(node: Element) -> list[Problem]:
    """Check rules of people, which are compiled one by one, and outcomes, which are short words."""
    problems = [*_rules(node, "candidates"), *_rules(node, "copies")]
    outcomes = [word.strip() for word in ours(node, "outcomes").split(",") if word.strip()]
    if len(outcomes) > MAX_OUTCOMES or any(len(word) > MAX_OUTCOME for word in outcomes):
        zh = f"结果最多{MAX_OUTCOMES}个，每个最长{MAX_OUTCOME}个字符"
        en = f"There are at most {MAX_OUTCOMES} outcomes of at most {MAX_OUTCOME} characters each"
        problems.append(Problem(node.get("id", ""), "outcomes", zh, en))
    return problems


def _rules(element: Element, attribute: str) -> list[Problem]:
    """Check an attribute that names people by rules with blanks between them, such as `role:hr user:7`."""
    problems = []
    for rule in ours(element, attribute).split():
        try:
            compile_template(rule)
            if len(rule) > MAX_RULE and "{" not in rule:
                raise ExpressionError(rule, "文字过长", "the text is too long")
        except ExpressionError as error:
            problems.append(Problem(element.get("id", ""), attribute, error.text_zh, error.text_en))
    return problems


def _is_of_flow(name: str) -> bool:
    space = _space(name)
    return space not in FOREIGN_ENGINES if space else name in _OF_FLOWS


def _owner(element: Element, kinds: set[str]) -> Element:
    """Return the node around an element of another language, so that the refusal names it."""
    while local(element) not in kinds and local(element) != "process" and element.getparent() is not None:
        element = element.getparent()
    return element


def _space(name: object) -> str:
    """Return the namespace of a tag or attribute."""
    text = str(name)
    return text[1:].partition("}")[0] if text.startswith("{") else ""


def _unsupported(element: Element, what: str) -> Problem:
    shown = what[:MAX_SHOWN]
    return Problem(_nearest_id(element), "unsupported", f"不支持“{shown}”", f"“{shown}” is not supported")
