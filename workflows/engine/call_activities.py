"""Fills a called process into its caller when the caller is deployed.

So there is one process instance, the called steps wait in the same queues, errors reach the boundary events of the call
activity, and a running instance keeps the versions that it began with. The definition stores the model with all its
calls filled in beside the model itself.
"""

# mypy: disable-error-code="import-untyped"

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from itertools import chain, count

from lxml import etree

from workflows.engine.document import OURS, VENDORS, Element, local, mark_vendor, process_key, read, speaks_vendor, tag
from workflows.engine.elements import CALLED, EXECUTION_LISTENER, MAX_ID
from workflows.engine.errors import ExpressionError, ModelError, Problem
from workflows.engine.expressions import contents, evaluate
from workflows.engine.rewriting import FreeIds, add, remove_node
from workflows.engine.rules import too_large
from workflows.engine.texts import MAX_NAME

MAX_FORM = 60
MAX_PREFIX = 20  # of a call's id before the ids of what it calls


@dataclass(frozen=True)
class Called:
    """What a call activity finds under its key: the runnable document, and the keys filled into it already."""

    xml: bytes
    calls: tuple[str, ...]


Find = Callable[[str], "Called | Problem"]
"""Returns the process of a key, or the problem (without its element) that says why it cannot be called."""


@dataclass(frozen=True)
class Assembly:
    """A document without call activities, and the keys of all processes filled into it."""

    xml: bytes
    calls: tuple[str, ...]


def assemble(xml: bytes, find: Find) -> Assembly:
    """Fill in every call activity; a document without one stays as it is. Raises ModelError for calls that fail."""
    if b"callActivity" not in xml:  # saves parsing; the rules refuse other spellings
        return Assembly(xml, ())
    root = read(xml)
    problems: list[Problem] = []
    keys: set[str] = set()
    names = FreeIds(root)
    for process in root.findall(tag("process")):
        if problem := too_large(process):
            raise ModelError([problem])
        for call in list(process.iter(tag("callActivity"))):
            key = _key_of(call)
            found = _called(key, process_key(process.get("id", "")), find)
            if isinstance(found, Problem):
                problems.append(Problem(call.get("id", ""), found.code, found.text_zh, found.text_en))
            else:
                _fill(root, process, call, read(found.xml), names)
                keys |= {key, *found.calls}
                # Checked after each call: calls inside of calls could double a document at every level.
                if problem := too_large(process):
                    raise ModelError([problem])
    if problems:
        raise ModelError(problems)
    if not keys:
        return Assembly(xml, ())
    return Assembly(etree.tostring(root, xml_declaration=True, encoding="UTF-8"), tuple(sorted(keys)))


def _key_of(call: Element) -> str:
    """Take the key out of a call activity; an expression that reads no name says its value."""
    said = call.attrib.pop("calledElement", "").strip()
    try:
        if "{" in said and not contents(said).paths and isinstance(value := evaluate(said, {}), str):
            said = value
    except ExpressionError:
        return str(said)  # refused like any other expression
    return str(said) if "{" in said else process_key(said.rpartition(":")[2])


def _called(key: str, own: str, find: Find) -> Called | Problem:
    if not key:
        return Problem(
            "",
            "called_missing",
            "调用活动未指定被调用的流程",
            "The call activity has no called process",
        )
    if "{" in key:
        return Problem("", "unsupported", "被调用的流程不能是表达式", "The called process cannot be an expression")
    found = Called(b"", (own,)) if key == own else find(key)
    if isinstance(found, Called) and own in found.calls:
        return Problem("", "called_loop", f"流程“{key}”会调用本流程", f"The process “{key}” calls this process")
    return found


_OF_THE_PROCESS = {"laneSet", "documentation", "extensionElements", "ioSpecification", "property"}
_REFERENCES = ("sourceRef", "targetRef", "attachedToRef", "default", "messageRef", "signalRef", "errorRef")
_DECLARED = {"message": "name", "signal": "name", "error": "errorCode", "escalation": "escalationCode"}


def _fill(root: Element, process: Element, call: Element, other: Element, names: FreeIds) -> None:
    """Change the call activity to a sub-process with a copy of the other document's process, all ids new."""
    called = other.find(tag("process"))
    prefix = call.get("id", "call")[:MAX_PREFIX]
    ids = {
        element.get("id"): names.new(f"{prefix}.{element.get('id')}"[: MAX_ID - 2])
        for element in other.iter()
        if element.get("id") and local(element)
    }
    forms = _take_forms(process, called, prefix)
    if speaks_vendor(other):
        mark_vendor(process)
    call.tag = tag("subProcess")
    call.set(f"{{{OURS}}}{CALLED}", called.get("id", ""))
    for declared in [child for child in other if local(child) in _DECLARED]:
        said = _DECLARED[local(declared)]
        declared.set(said, declared.get(said) or declared.get("id", "")[:MAX_NAME])
        root.insert(0, _renamed(deepcopy(declared), ids, forms))
    for child in called:
        if local(child) and local(child) not in _OF_THE_PROCESS:
            call.append(_renamed(deepcopy(child), ids, forms))
    starts = call.findall(tag("startEvent"))
    by_hand = [start for start in starts if not any(local(child).endswith("EventDefinition") for child in start)]
    for start in starts if len(by_hand) == 1 else ():
        if start is not by_hand[0]:
            remove_node(call, start)  # what starts by itself is no part of a call
    begun = [one for one in _listeners(called) if one.get("event") == "start"]
    for start in call.findall(tag("startEvent")):
        begins = [*(deepcopy(one) for one in begun), *_listeners(start)]
        # The trigger and the form are for people who start the process by itself.
        for name in [name for name in start.attrib if name not in ("id", "name")]:
            del start.attrib[name]
        for child in [child for child in start if local(child) not in ("incoming", "outgoing")]:
            start.remove(child)
        if begins:
            add(start, "extensionElements").extend(begins)


def _listeners(element: Element) -> list[Element]:
    around = f"{tag('extensionElements')}/"
    return [one for space in VENDORS for one in element.findall(f"{around}{{{space}}}{EXECUTION_LISTENER}")]


def _take_forms(process: Element, called: Element, prefix: str) -> Mapping[str, str]:
    """Copy the forms of the called process into the caller; return their new names by the old ones."""
    found: dict[str, str] = {}
    used = {form.get("name", "") for form in process.findall(f"{tag('extensionElements')}/{{{OURS}}}form")}
    for form in called.findall(f"{tag('extensionElements')}/{{{OURS}}}form"):
        copy = deepcopy(form)
        wanted = f"{prefix}.{form.get('name', '')}"
        # The ids of two calls may begin alike.
        endings = chain([""], (f"_{number}" for number in count(2)))
        name = next(one for end in endings if (one := wanted[: MAX_FORM - len(end)] + end) not in used)
        used.add(name)
        found[form.get("name", "")] = name
        copy.set("name", name)
        beside = process.find(tag("extensionElements"))
        if beside is None:
            beside = process.makeelement(tag("extensionElements"))
            process.insert(0, beside)
        beside.append(copy)
    return found


def _renamed(copy: Element, ids: Mapping[str, str], forms: Mapping[str, str]) -> Element:
    for element in copy.iter():
        for name in ("id", *_REFERENCES, "escalationRef"):
            if element.get(name) in ids:
                element.set(name, ids[element.get(name)])
        if local(element) in ("incoming", "outgoing") and element.text in ids:
            element.text = ids[element.text]
        form = f"{{{OURS}}}form"
        if element.get(form) in forms:
            element.set(form, forms[element.get(form)])
    return copy
