"""Translates the listeners of other engines whose script sets variables: it runs beside their node, or on their flow.

A listener that calls a class or a bean stays where it is, and so does one whose script does more than set variables or
stands where no script can run at its moment. They are told (see `losses`).
"""

from collections.abc import Iterator

from workflows.engine import multi_instance
from workflows.engine.dialects import scripts
from workflows.engine.dialects.translate import note_of_script
from workflows.engine.document import OURS, VENDORS, Element, local, tag, text
from workflows.engine.elements import ACTIVITIES, BEFORE, BEHIND, EXECUTION_LISTENER, OF_TASK
from workflows.engine.errors import ExpressionError, Problem
from workflows.engine.losses import Losses
from workflows.engine.rewriting import add

_TASK = "taskListener"
_RUN_A_SCRIPT = ("ScriptExecutionListener", "ScriptTaskListener")  # the last names of Flowable's own classes
_READ = {"id", "event", "type", "expression", "class"}
_OF_SCRIPTS = {"id", "script", "language", "scriptFormat", "resultVariable"}
_Places = dict[tuple[str, str], str]
"""Where the script of a listener goes, by kind and event, in the order in which the other engine calls them."""


def translate_listeners(process: Element, losses: Losses) -> Iterator[Problem]:
    """Write what listeners set as scripts of ours; yield a warning for variables that last longer here."""
    choices = {gateway.get("id") for gateway in process.iter(tag("eventBasedGateway"))}
    # What follows such a gateway begins to wait with it, and no token takes the flow between them.
    flows = {flow for flow in process.iter(tag("sequenceFlow")) if flow.get("sourceRef") in choices}
    chosen = {flow.get("targetRef") for flow in flows}
    for element in list(process.iter()):
        holders = process.findall(tag("startEvent")) if element is process else [element]
        places = {} if element in flows or not holders else _places(element, is_chosen=element.get("id") in chosen)
        for (kind, event), place in places.items():
            for listener in _listeners(element, kind, event):
                yield from _translate(element, listener, holders, place, losses)


def _places(element: Element, *, is_chosen: bool) -> _Places:
    """Return where scripts of listeners of this element run at the moment at which the other engine calls them."""
    kind = local(element)
    before: _Places = {(EXECUTION_LISTENER, "start"): BEFORE}
    behind: _Places = {(EXECUTION_LISTENER, "end"): BEHIND}
    if kind == "process":
        return {(EXECUTION_LISTENER, "start"): BEHIND}  # of its start events; when it ends, nobody reads what is set
    if kind == "sequenceFlow":
        return {(EXECUTION_LISTENER, event): BEHIND for event in ("start", "take", "end")}
    if kind == "startEvent":
        return {(EXECUTION_LISTENER, event): BEHIND for event in ("start", "end")}
    if kind in ("endEvent", "exclusiveGateway"):
        return before
    if kind == "boundaryEvent":
        return behind
    if kind in ("intermediateCatchEvent", "intermediateThrowEvent"):
        return behind if is_chosen else before | behind
    is_often = any(element.find(tag(loop)) is not None for loop in multi_instance.LOOPS)
    is_beside = "true" in (element.get("triggeredByEvent"), element.get("isForCompensation"))
    if kind not in ACTIVITIES | {"callActivity"} or is_often or is_beside:
        return {}
    of_task: _Places = {(_TASK, "create"): BEFORE, (_TASK, "complete"): BEHIND} if kind == "userTask" else {}
    return (behind if is_chosen else before) | of_task | behind


def _listeners(element: Element, kind: str, event: str) -> list[Element]:
    return [
        listener
        for space in VENDORS
        for listener in element.findall(f"{tag('extensionElements')}/{{{space}}}{kind}")
        if listener.get("event", "take" if local(element) == "sequenceFlow" else "") == event
    ]


def _translate(
    element: Element, listener: Element, holders: list[Element], place: str, losses: Losses
) -> Iterator[Problem]:
    """Write a listener as a script before or behind each of the `holders`, where its script only sets variables."""
    said = _script_of(listener)
    if said is None or "currentActivity" in said[1]:  # the script stands at a node of its own
        return
    language, source, result = said
    task = element.makeelement(tag("scriptTask"), {"id": element.get("id", ""), "scriptFormat": language})
    if result:
        task.set(f"{{{VENDORS[0]}}}resultVariable", result)
    if listener.tag.endswith(f"}}{_TASK}"):
        task.set(f"{{{OURS}}}{OF_TASK}", "true")
    add(task, "script").text = source
    try:
        script = scripts.read(task)
    except ExpressionError:
        return
    if not script.statements or script.codes:
        return
    yield from note_of_script(task, losses)
    listener.getparent().remove(listener)
    for holder in holders:
        around = holder.find(tag("extensionElements"))
        if around is None:
            around = add(holder, "extensionElements")
        written = around.makeelement(f"{{{OURS}}}{place}", dict(task.attrib))
        written.text = source
        around.append(written)


def _script_of(listener: Element) -> tuple[str, str, str] | None:
    """Return language, text and result variable of the script of a listener; None where it has none."""
    if set(listener.attrib) - _READ:
        return None
    inside = {str(child.tag).rpartition("}")[2]: child for child in listener}
    if listener.get("class"):
        fields = {field.get("name"): field.get("stringValue") or text(field) for field in listener}
        is_script = listener.get("class").rpartition(".")[2] in _RUN_A_SCRIPT and set(inside) == {"field"}
        if not is_script or set(fields) - _OF_SCRIPTS or not all(_is_text(field) for field in listener):
            return None
        return fields.get("language", ""), fields.get("script", ""), fields.get("resultVariable", "")
    if listener.get("expression"):
        return None if inside else ("juel", listener.get("expression"), "")
    script = inside.get("script")
    if script is None or len(listener) > 1 or set(script.attrib) - _OF_SCRIPTS or len(script):
        return None
    return script.get("language") or script.get("scriptFormat", ""), text(script), script.get("resultVariable", "")


def _is_text(field: Element) -> bool:
    """Return whether a field says a text, and nothing else."""
    inside = [child for child in field if str(child.tag).rpartition("}")[2] == "string" and not child.attrib]
    return not set(field.attrib) - {"name", "stringValue"} and len(inside) == len(field) < 2
