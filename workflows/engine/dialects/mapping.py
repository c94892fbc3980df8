"""Translates what another engine's model says of values: those of a call and its caller, and the results of a loop."""

import re
from collections.abc import Iterator

from workflows.engine.dialects.flowable import add_optional, plain
from workflows.engine.dialects.scripts import NOT_SETTABLE
from workflows.engine.document import OURS, VENDORS, Element, local, ours, tag
from workflows.engine.elements import AGGREGATE, CALLED, GIVEN, LOOP, RETURNED
from workflows.engine.errors import ExpressionError
from workflows.engine.expressions import compile_template
from workflows.engine.losses import Losses

_VARIABLE = re.compile(r"[^\W\d]\w{0,59}")
_KINDS = {"in": GIVEN, "out": RETURNED}
_READ = ("source", "sourceExpression", "target", "variable")
_ALL = {"variables": "all"}  # says that all values are shared, as they are here


def is_variable(name: str | None) -> bool:
    """Return whether a variable of a process may have this name."""
    return _is_name(name) and name not in NOT_SETTABLE


def _is_name(name: str | None) -> bool:
    return bool(name) and _VARIABLE.fullmatch(str(name)) is not None


def translate_mapping(sub_process: Element, losses: Losses) -> None:
    """Write the values that a call gives and gets as ours; what cannot be translated stays, and is told."""
    if not ours(sub_process, CALLED):
        return
    read: list[Element] = []
    for kind, element in list(_vendor_elements(sub_process)):
        if kind not in _KINDS:
            continue
        if dict(element.attrib) == _ALL:
            element.getparent().remove(element)
        elif (source := _source(element)) and is_variable(element.get("target")):
            _put(element, _KINDS[kind], source)
            _note_unread(sub_process, element, losses)
            read.append(element)
    _may_be_unset(sub_process, read)


def translate_results(activity: Element, losses: Losses) -> None:
    """Write the lists of values by name that Flowable's loops fill as ours; BPMN's of one value is read as it is."""
    loop = activity.find(tag(LOOP))
    if loop is None:
        return
    for kind, element in list(_vendor_elements(loop)):
        values = [(one.get("target") or one.get("source"), _source(one)) for one in element]
        is_plain = bool(values) and all(_is_name(name) and source for name, source in values)
        is_plain = is_plain and not {"class", "delegateExpression"} & set(element.attrib)
        if kind == "variableAggregation" and is_plain and is_variable(element.get("target")):
            for name, source in values:
                _put(element, AGGREGATE, source).set("item", name)
            _may_be_unset(activity, list(element))
            _note_unread(activity, element, losses)


def _note_unread(activity: Element, element: Element, losses: Losses) -> None:
    """Note what of an element that is translated has no effect, and remove it."""
    losses.add_rest(activity.get("id", ""), element, *_READ)
    element.getparent().remove(element)


def _put(element: Element, kind: str, source: str) -> Element:
    """Write the element as one of ours, beside it."""
    around = element.getparent()
    written = around.makeelement(f"{{{OURS}}}{kind}", {"name": element.get("target")})
    written.text = source
    around.append(written)
    return written


def _may_be_unset(activity: Element, elements: list[Element]) -> None:
    """Let the variables that these elements name be null where nobody has set them."""
    names = {one.get("source", "").strip() for one in elements if not one.get("sourceExpression", "").strip()}
    if names:
        add_optional(next(activity.iterancestors(tag("process"))), *names)


def _source(element: Element) -> str:
    """Return the template of a value; '' where it cannot be read."""
    said = plain(element.get("sourceExpression", "").strip())
    name = element.get("source", "").strip()
    if not said and _is_name(name):
        said = "${" + name + "}"
    try:
        compile_template(said)
    except ExpressionError:
        return ""
    return said


def _vendor_elements(node: Element) -> Iterator[tuple[str, Element]]:
    for element in node.findall(f"{tag('extensionElements')}/*"):
        space, _brace, name = str(element.tag).rpartition("}")
        if space[1:] in VENDORS and not local(element):
            yield name, element
