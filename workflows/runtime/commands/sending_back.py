"""Sending an open work item back to an earlier step: to walk again from there, or to come straight back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext as _

from core import ports
from core.desk import messages
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Missing, NotAllowed, Refusal
from core.kernel.operation import SIGNED_IN, digest, operation
from core.ports import Completion
from workflows import engine
from workflows.runtime.commands import moves, standalone, work_items
from workflows.runtime.commands.shared import find, locked, people_asked, taken
from workflows.runtime.definitions import library, switches
from workflows.runtime.execution import driver
from workflows.runtime.rows.items import SENT_BACK
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem


@dataclass(frozen=True)
class Earlier:
    """A step that the process has passed and to which an item may be sent back, with who did it last."""

    way: engine.Target
    done: WorkItem
    """The newest item of the step."""
    names: tuple[str, ...]
    """Who did it in that round: several in a countersign."""


@operation("task.sendBack", code=SIGNED_IN)
def send_back(actor: Actor, item_id: int, to: str, comes_back: bool, reason: str) -> Any:
    """Send the item back to an earlier step, which goes to whoever did it last.

    The same request of the same person again gets the first answer; anything else on a closed item is a Conflict.
    """
    item = find(item_id)
    held, item = locked(item)
    mark = digest(["sendBack", to, comes_back, reason])
    if item.state != ItemState.OPEN:
        if item.state == ItemState.DONE and item.completed_by == actor.user_id and item.digest == mark:
            current_entry().nothing_happened = True
            return item.answer
        if ports.keys_of(actor).isdisjoint(item.candidate_keys) and item.assignee_id != actor.user_id:
            raise NotAllowed()
        raise taken(item)
    _check_may(actor, item)
    driver.check_moving(held.instance)
    found = next((one for one in targets(held.instance, item, held.open) if one.way.node == to), None)
    if found is None or not (found.way.returns if comes_back else found.way.walks):
        raise Refusal("workflow.noEarlier", _("不能退回到该步骤，请刷新后重新选择"))
    instance, before = held.instance, {one.pk for one in held.open}
    bound = ports.effects.get(instance.business_type)
    entry = current_entry()
    entry.business_type, entry.business_id, entry.remark = item.business_type, item.business_id, reason
    answer = {"processInstanceId": str(instance.pk), "taskId": str(item.pk), "to": to, "comesBack": comes_back}
    sent = engine.SentBack(comes_back, str(found.done.completed_by or ""), str(actor.user_id))
    driver.close(
        held,
        item,
        bound.load(item.business_id) if bound else None,
        Completion(outcome=SENT_BACK, actor=actor, comment=reason, digest=mark),
        lambda: answer,
        lambda specification, state, host: engine.send_back(specification, state, item.engine_task, to, host, sent),
    )
    _tell([one for one in held.open if one.pk not in before], actor, reason)
    return answer


def targets(instance: ProcessInstance, item: WorkItem, is_open: Iterable[WorkItem]) -> list[Earlier]:
    """Return the steps to which the open item may be sent back, the last done first; two statements.

    In a case process nothing of the record is repeated or passed over, as with `moves`.
    """
    if not switches.allows(instance.definition_id, switches.SEND_BACK, item.node):
        return []
    specification = library.specification(instance.definition_id)
    rows = WorkItem.objects.filter(instance=instance, state=ItemState.DONE).exclude(outcome=SENT_BACK)
    newest = rows.order_by().values("node", "seat").annotate(last=Max("id")).values_list("last", flat=True)
    done = list(WorkItem.objects.filter(pk__in=list(newest)).order_by("-end_time", "-id"))
    passed = list(dict.fromkeys(one.node for one in done))
    ways = engine.earlier(specification, bytes(instance.state), item.engine_task, passed) if passed else ()
    nodes = {one.engine_task: one.node for one in is_open}
    found = []
    for way in ways:
        several = [one for one in done if one.node == way.node and _is_of(one, way, specification)]
        walks = way.walks and not _repeats(instance, item, way, nodes)
        returns = way.returns and way.node not in moves.of_record(instance)
        if several and (walks or returns):
            kept = engine.Target(way.node, way.loop_instance, walks, returns, way.ends if walks else ())
            last = [one for one in several if one.round == several[0].round]
            found.append(Earlier(kept, several[0], tuple(dict.fromkeys(one.completed_by_name for one in last))))
    return sorted(found, key=lambda one: (one.done.end_time, one.done.pk), reverse=True)


def _is_of(item: WorkItem, way: engine.Target, specification: engine.Specification) -> bool:
    """Return whether the item is of the step in the loop instance from which the other one is sent back."""
    if specification.nodes[way.node].is_multi_instance:
        return str(item.seat).rpartition(".")[0] == way.loop_instance
    return bool(item.seat == way.loop_instance)


def _repeats(instance: ProcessInstance, item: WorkItem, way: engine.Target, nodes: dict[str, str]) -> bool:
    """Return whether walking again from there repeats or passes over something of the record."""
    own = moves.of_record(instance)
    if not own:
        return False
    specification = library.specification(instance.definition_id)
    ending = [nodes[task] for task in way.ends if task in nodes]
    between = [engine.obstacles(specification, way.node, node, own) for node in (item.node, *ending)]
    return any(met != [] for met in between) or not own.isdisjoint(ending)


def may_send_back(actor: Actor, item: WorkItem, ways: Iterable[ports.Offered]) -> bool:
    """Return whether the person, to whom these outcomes are offered, may send the item back where there is a step."""
    return bool(list(ways)) and not (item.delegators or item.signs) and item.state == ItemState.OPEN


def offers(actor: Actor, item: WorkItem, ways: Iterable[ports.Offered]) -> bool:
    """Return whether there is a step to which the person may send the item back; the item is read with its instance."""
    if not may_send_back(actor, item, ways):
        return False
    return bool(targets(item.instance, item, WorkItem.objects.filter(instance=item.instance_id, state=ItemState.OPEN)))


def _check_may(actor: Actor, item: WorkItem) -> None:
    if item.delegators and item.assignee_id == actor.user_id:
        raise Refusal("workflow.delegated", _("该任务由他人委派，请办理后交回"))
    if may_send_back(actor, item, work_items.offered(actor, [item])[item.pk]):
        return
    if item.assignee_id is not None and not ports.keys_of(actor).isdisjoint(item.candidate_keys):
        raise taken(item)
    bound = ports.effects.get(item.business_type)
    sees = bound.sees(actor, item.business_id) if bound else standalone.sees(actor, item.instance_id)
    raise NotAllowed() if sees else Missing()


def _tell(opened: list[WorkItem], actor: Actor, reason: str) -> None:
    """Send those for whom the steps are that were opened a message with the reason."""
    for item in opened[:1]:
        number = item.business_no or item.title
        messages.send(
            [user_id for user_id in people_asked(opened) if user_id != actor.user_id],
            (f"{actor.name}退回了任务：{number}", f"{actor.name} sent a task back: {number}"),
            (f"「{item.node_name}」：{reason}", f"{item.node_name_en or item.node_name}: {reason}"),
            item.business_type,
            item.business_id,
        )
