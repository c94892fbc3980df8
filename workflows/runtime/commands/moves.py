"""Skipping an element and moving a token, by a person who follows processes.

Of a record's process nothing of the record is passed over or repeated: neither its operations nor its own steps, for
which its commands ask more than a person who follows processes may say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Invalid, Refusal
from core.kernel.operation import operation
from core.kernel.texts import choose
from workflows import engine
from workflows.runtime.definitions import library
from workflows.runtime.execution import driver, ending
from workflows.runtime.rows import confidential, items, timers
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.worklist.models import WorkItem

CODE = "flow_follow_move"


@operation("process.skip", code=CODE)
def skip(actor: Actor, instance_id: int, node: str, outcome: str, reason: str) -> dict[str, Any]:
    """Leave a step or an event as if it were done, with one of its outcomes; nobody has done it.

    Returns what was cancelled, what is open now and what stays.
    """
    held = ending.lock_running(instance_id)
    instance = held.instance
    outcomes = {entry["key"] for entry in ways(instance, node)}
    if outcome not in (outcomes or {""}):
        raise Invalid({"outcome": _("该步骤不能选择此处理结果")})
    _check_record(instance, _met_by_skip(instance, node))
    said = f"「{name(instance, node)}」：{reason}"
    return _take(actor, held, node, said, lambda spec, state, host: engine.skip(spec, state, node, outcome, host))


@operation("process.move", code=CODE)
def move(actor: Actor, instance_id: int, node: str, to: str, reason: str) -> dict[str, Any]:
    """Take the token away from the step or event at which it waits, and put it on another element; answers the same."""
    held = ending.lock_running(instance_id)
    instance = held.instance
    if to not in library.specification(instance.definition_id).nodes:
        raise Invalid({"to": _("请选择{field}").format(field=_("目标元素"))})
    _check_record(instance, _met_by_move(instance, node, to))
    said = f"「{name(instance, node)}」→「{name(instance, to)}」：{reason}"
    return _take(actor, held, node, said, lambda spec, state, host: engine.move(spec, state, node, to, host))


def ways(instance: ProcessInstance, node: str) -> list[Mapping[str, Any]]:
    """Return the outcomes with which a step can be skipped: not those that would end the process at once."""
    step = library.definition(instance.definition_id).meta.get("nodes", {}).get(node, {})
    return [entry for entry in step.get("outcomes", ()) if entry["key"] not in step.get("ends", ())]


def standing(instance: ProcessInstance) -> list[dict[str, Any]]:
    """Return where a token waits, with what `skip` and `move` would do there; without a statement of its own."""
    specification, state = library.specification(instance.definition_id), bytes(instance.state)
    found = []
    for node, (can_skip, places) in engine.by_hand(specification, state).items():
        targets = [
            to
            for to in places
            if library.place(instance.definition_id, to) == to and not _met_by_move(instance, node, to)
        ]
        skips = can_skip and not _met_by_skip(instance, node)
        if skips or targets:
            found.append({"node": node, "skips": skips, "outcomes": ways(instance, node), "targets": targets})
    return found


def _take(
    actor: Actor, held: driver.Held, node: str, remark: str,
    step_of: Callable[[engine.Specification, bytes, Any], engine.Step],
) -> dict[str, Any]:  # fmt: skip
    """Take the step and compare what is open before and afterwards."""
    instance, before = held.instance, list(held.open)
    waited = timers.nodes(instance.pk)
    driver.take_by_hand(held, node, actor, step_of)
    current_entry().remark = remark[:500]
    is_open, was_open = {item.pk for item in held.open}, {item.pk for item in before}
    waits = timers.nodes(instance.pk)
    return {
        "processInstanceId": str(instance.pk),
        "cancelled": _told(item for item in before if item.pk not in is_open),
        "opened": _told(item for item in held.open if item.pk not in was_open),
        "stays": _told(item for item in held.open if item.pk in was_open),
        "timersEnded": [name(instance, one) for one in sorted(waited - waits)],
        "timersStarted": [name(instance, one) for one in sorted(waits - waited)],
        "operations": [_operation(instance, one) for one in current_entry().effects],
        "isFinished": instance.is_over,
    }


def _told(rows: Iterable[WorkItem]) -> list[dict[str, str]]:
    found = list(rows)
    who = items.waiting_for(found)
    return [{"node": item.node, "name": item.name, "assigneeName": who[item.pk]} for item in found]


def name(instance: ProcessInstance, node: str) -> str:
    """Return what people call the element; an end without a name is the end."""
    drawn = library.specification(instance.definition_id).nodes.get(node)
    if drawn is None:
        return node
    return choose(drawn.name, drawn.name_en) or (_("结束") if drawn.kind == "endEvent" else node)


def told_apart(instance: ProcessInstance, tokens: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return by element what people call it, for where tokens are and may go; of several called the same, with the id.

    `tokens` are those of `standing`.
    """
    called = {node: name(instance, node) for token in tokens for node in (token["node"], *token["targets"])}
    several = {text for text, count in Counter(called.values()).items() if count > 1}
    return {node: f"{text} ({node})" if text in several else text for node, text in called.items()}


def _operation(instance: ProcessInstance, called: str) -> str:
    bound, common = ports.effects.get(instance.business_type), ports.common.get(called)
    words = common.words if common else bound.design.words.get(called) if bound else None
    return str(words.label) if words else called


def of_record(instance: ProcessInstance) -> set[str]:
    """Return the nodes that belong to the record: its own steps, and the calls of its operations."""
    bound = ports.effects.get(instance.business_type)
    if bound is None:
        return set()
    nodes = library.specification(instance.definition_id).nodes
    said = library.definition(instance.definition_id).meta["nodes"]
    return {
        name
        for name, node in nodes.items()
        if node.extensions.get("operation") in bound.effects
        or (node.kind == "userTask" and not said.get(name, {}).get("added"))
    }


def _met_by_skip(instance: ProcessInstance, node: str) -> list[str]:
    return [node] if node in of_record(instance) else []


def _met_by_move(instance: ProcessInstance, node: str, to: str) -> list[str]:
    """Return what of the record lies between the elements, on the way there or, where it goes back, on the way here."""
    own = of_record(instance)
    if not own:
        return []
    specification = library.specification(instance.definition_id)
    there = engine.obstacles(specification, node, to, own)
    back = engine.obstacles(specification, to, node, own)
    if there is None or back == []:
        return back if back is not None else [node]
    return there


def _check_record(instance: ProcessInstance, met: list[str]) -> None:
    if met:
        names = "、".join(dict.fromkeys(f"「{name(instance, one)}」" for one in met))
        text = _("「{title}」由业务单据控制，不能跳过或重复{names}，请在单据上处理")
        raise Refusal("workflow.ofRecord", text.format(title=confidential.title(instance), names=names), {"nodes": met})
