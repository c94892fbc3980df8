"""Translates the variable functions of Flowable's expressions to our expression language.

Source: Flowable's documentation on expressions, such as `${var:equals(amount, 3)}`, and the getter of its execution,
`${execution.getVariable('amount')}`.
"""

import re

from workflows.engine.document import OURS, VENDORS, Element, local
from workflows.engine.elements import NODES

_HELPER = re.compile(r"\b(?:variables?|vars?):(\w+)\(\s*(?:'(\w+)'|\"(\w+)\"|(\w+))\s*((?:,[^(),]*)*)\)")
_GETTER = re.compile(r"\bexecution\.getVariable\(\s*(?:'(\w+)'|\"(\w+)\")\s*\)")
_OPERATORS = {
    "==": ("eq", "equals"),
    "!=": ("ne", "notEquals"),
    "<": ("lt", "lessThan", "lowerThan"),
    "<=": ("lte", "lessThanOrEquals", "lowerThanOrEquals", "lessThanOrEqual", "lowerThanOrEqual"),
    ">": ("gt", "greaterThan"),
    ">=": ("gte", "greaterThanOrEquals", "greaterThanOrEqual"),
}
_SIGNS = {name: sign for sign, names in _OPERATORS.items() for name in names}
_ALONE = {
    "get": "{0}",
    "exists": "({0} != null)",
    "exist": "({0} != null)",
    "empty": "(empty {0})",
    "isEmpty": "(empty {0})",
    "notEmpty": "(not empty {0})",
    "isNotEmpty": "(not empty {0})",
}


# Java's own way to read a property, and the length of a list; what the engine itself can tell is not read so.
_PROPERTY = re.compile(r"(?<!\bexecution)(?<!\btask)\.(?:get|is(?!Empty\())([A-Z])(\w*)\(\s*\)")
_PATH = r"[A-Za-z]\w{0,59}(?:\.\w{1,59}){0,4}"
_SIZE = re.compile(rf"\b({_PATH})\.size\(\s*\)")
_TEXT = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
# Methods of Java's texts and lists, of a path or a text with one value at most; what stands inside of a text stays.
_METHOD = re.compile(
    rf"(?:{_TEXT})(?!\.)|(?<![\w.])(?P<of>{_TEXT}|{_PATH})\.(?P<name>equals|equalsIgnoreCase|contains|startsWith"
    rf"|endsWith|isEmpty)\(\s*(?P<given>{_TEXT}|-?\d+(?:\.\d+)?|{_PATH}|)\s*\)"
)


def plain(text: str) -> str:
    """Return the expression without the functions; an unknown one stays, and is refused by name."""
    if "(" not in text and "." not in text:  # a call or a property: without one there is nothing to look for
        return text
    text = _HELPER.sub(_said, _GETTER.sub(lambda found: found[1] or found[2], text))
    text = _PROPERTY.sub(lambda found: f".{found[1].lower()}{found[2]}", text)
    return _METHOD.sub(_of_java, _SIZE.sub(r"size(\1)", text))


def _of_java(found: re.Match[str]) -> str:
    value, name, given = found["of"], found["name"], found["given"]
    if name == "isEmpty" and not given:
        return f"(empty {value})"
    if not given or name == "isEmpty":
        return found[0]
    if name == "equals":  # it holds no text for equal to a number
        return f"({value} === {given})"
    if name == "equalsIgnoreCase":
        return f"(lower({value}) === lower({given}))"
    return f"{name}({value}, {given})"


def _said(found: re.Match[str]) -> str:
    name, variable = found[1], found[2] or found[3] or found[4]
    others = [part.strip() for part in found[5].split(",")[1:]]
    if name in _ALONE and not others:
        return _ALONE[name].format(variable)
    if name in _SIGNS and len(others) == 1:
        return f"({variable} {_SIGNS[name]} {others[0]})"
    if name == "getOrDefault" and len(others) == 1:
        return f"({variable} == null ? {others[0]} : {variable})"
    if name == "contains" and others:
        return "(" + " && ".join(f"contains({variable}, {other})" for other in others) + ")"
    if name == "containsAny" and others:
        return "(" + " || ".join(f"contains({variable}, {other})" for other in others) + ")"
    return found[0]


_TEXTS = {
    "conditionExpression",
    "completionCondition",
    "timeDuration",
    "timeDate",
    "timeCycle",
    "loopCardinality",
    "condition",
}


OPTIONAL = f"{{{OURS}}}optional"
"""Attribute of the process: names that the functions read. Without such a variable they give null."""


def add_optional(process: Element, *names: str) -> None:
    """Let these names be null where no variable has them."""
    process.set(OPTIONAL, " ".join(sorted({*process.get(OPTIONAL, "").split(), *names})))


def asked_in(text: str) -> set[str]:
    """Return the variables that functions of the other engine ask for, which may be missing."""
    gotten = {found[1] or found[2] for found in _GETTER.finditer(text)}
    return gotten | {found[2] or found[3] or found[4] for found in _HELPER.finditer(text)}


def translate_expressions(process: Element) -> None:
    """Translate every expression of the process that may be of another engine."""
    asked: set[str] = set()
    for element in process.iter():
        if local(element) in _TEXTS and element.text and "{" in element.text:
            asked |= asked_in(element.text)
            element.text = plain(element.text)
        for name, value in element.attrib.items() if local(element) in NODES else ():
            if str(name)[1:].partition("}")[0] in VENDORS and "{" in value:
                asked |= asked_in(str(value))
                element.set(name, plain(str(value)))
    if asked:
        add_optional(process, *asked)
