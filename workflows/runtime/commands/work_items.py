"""Commands of the work list: claim, unclaim and complete a work item."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Missing, NotAllowed, Refusal, Stale
from core.kernel.operation import SIGNED_IN, digest, operation
from core.kernel.texts import choose
from workflows.runtime.commands import added_steps, signers, standalone
from workflows.runtime.commands.shared import describe_change, find, hand_back, locked, repeated, taken
from workflows.runtime.definitions import library
from workflows.runtime.rows import items, queues, suspension
from workflows.runtime.rows import signers as signer_rows
from workflows.runtime.tables.instances.models import STANDALONE, ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem


@operation("task.claim", code=SIGNED_IN)
def claim(actor: Actor, item_id: int) -> dict[str, Any]:
    """Make oneself the assignee of an item that is offered; of several people at once only one succeeds."""
    item = find(item_id)
    if ports.keys_of(actor).isdisjoint(item.candidate_keys) and item.assignee_id != actor.user_id:
        raise NotAllowed()
    if item.state == ItemState.OPEN and item.assignee_id is None:
        ways = offered(actor, [item])[item.pk]
        if not ways:
            raise NotAllowed()
        if not may_claim(actor, item, ways):
            raise Refusal("workflow.noClaim", _("该任务无需领取，请直接办理"))
    free = WorkItem.objects.filter(suspension.moves(), pk=item_id, state=ItemState.OPEN, assignee_id=None)
    won = free.update(assignee_id=actor.user_id, claim_time=clock.now(), pool=None)
    if won:
        queues.moved(left=[queues.pool_of(item.candidate_keys)], entered=[actor.user_id])
    else:
        item = find(item_id)
        if item.state == ItemState.OPEN and item.assignee_id is None:
            instance = ProcessInstance.objects.select_related("definition").get(pk=item.instance_id)
            suspension.check(instance)
            raise Stale()  # it was resumed at this very moment
        if item.state != ItemState.OPEN or item.assignee_id != actor.user_id:
            raise taken(item)
        current_entry().nothing_happened = True
    describe_change(item, None, actor.user_id)
    return {"taskId": str(item_id), "assignee": str(actor.user_id)}


@operation("task.unclaim", code=SIGNED_IN)
def unclaim(actor: Actor, item_id: int) -> dict[str, Any]:
    """Return a claimed item to its candidates; raises NotAllowed for an item that the process assigned."""
    item = find(item_id)
    if not may_unclaim(actor, item):
        raise NotAllowed()
    pool = queues.pool_of(item.candidate_keys)
    given = WorkItem.objects.filter(pk=item_id, state=ItemState.OPEN, assignee_id=actor.user_id).update(
        assignee_id=None, claim_time=None, pool=pool, read_time=None
    )
    if not given:
        raise taken(find(item_id))
    queues.moved(left=[actor.user_id], entered=[pool])
    describe_change(item, actor.user_id, None)
    return {"taskId": str(item_id), "assignee": ""}


def may_unclaim(actor: Actor, item: WorkItem) -> bool:
    """Return whether the person claimed the item and may return it; a delegated item goes to its delegator instead."""
    is_mine = item.state == ItemState.OPEN and item.assignee_id == actor.user_id
    return is_mine and item.claim_time is not None and bool(item.candidate_keys) and not item.delegators


def _outcome(step: Mapping[str, Any], flag: str, outcome: str) -> str:
    """Return the named outcome, else the positive one of the step for flag `ok`, else its negative one."""
    chosen = str(outcome or (step.get("positive") if flag == "ok" else step.get("negative")) or "")
    check_outcome(step, chosen)
    return chosen


def check_outcome(step: Mapping[str, Any], outcome: str) -> None:
    """Raise Refusal unless the definition offers the outcome at this step."""
    if outcome not in {entry["key"] for entry in step.get("outcomes", [])}:
        raise Refusal("workflow.outcome", _("该步骤不能选择此处理结果"))


def step_of(item: WorkItem) -> Mapping[str, Any]:
    """Return what the definition says of the item's step; a signer of it agrees or rejects."""
    if item.signs:
        return signer_rows.VERDICT
    found: Mapping[str, Any] = library.definition(item.definition_id).meta["nodes"].get(item.node, {})
    return found


def outcomes(item: WorkItem) -> list[dict[str, Any]]:
    """Return the outcomes that the item's step offers, with labels in both languages."""
    node = step_of(item)
    return [
        {
            "value": entry["key"],
            "zh": entry["zh"],
            "en": entry["en"],
            "positive": entry["key"] == node.get("positive"),
            "negative": entry["key"] == node.get("negative"),
        }
        for entry in node.get("outcomes", [])
    ]


def offered(actor: Actor, rows: Iterable[WorkItem]) -> dict[int, list[ports.Offered]]:
    """Return by item the outcomes that the person may choose; as many statements for a page as for one item.

    A step that another person holds or has completed offers its candidates nothing.
    """
    found: dict[int, list[ports.Offered]] = {}
    declared: dict[int, set[str]] = {}
    bound: dict[str, dict[int, list[ports.OpenItem]]] = {}
    for item in rows:
        found[item.pk] = []
        step, is_mine = items.open_item(item), item.assignee_id == actor.user_id
        is_held = item.assignee_id is not None and not is_mine
        if item.state != ItemState.OPEN or (is_held and not ports.keys_of(actor).isdisjoint(item.candidate_keys)):
            continue
        node = step_of(item)
        declared[item.pk] = {entry["key"] for entry in node.get("outcomes", ())}
        if item.business_type != STANDALONE and not node.get("added") and not (is_mine and item.delegators):
            bound.setdefault(item.business_type, {}).setdefault(item.business_id, []).append(step)
        elif step.is_for(actor):
            found[item.pk] = [
                ports.Offered(outcome, standalone.asks(item, node, outcome)) for outcome in sorted(declared[item.pk])
            ]
    for business_type, waiting in bound.items():
        for pk, ways in ports.effects[business_type].offered(actor, waiting).items():
            found[pk] = [way for way in ways if way.outcome in declared[pk]]
    return found


def may_claim(actor: Actor, item: WorkItem, ways: Collection[ports.Offered]) -> bool:
    """Return whether a candidate to whom these outcomes are offered may claim the step before choosing one.

    Where an outcome itself makes the person responsible, a claim would only take the step away from the others.
    """
    is_free = item.state == ItemState.OPEN and item.assignee_id is None
    is_asked = not ports.keys_of(actor).isdisjoint(item.candidate_keys)
    return is_free and is_asked and bool(ways) and not any(way.takes for way in ways)


@operation("task.complete", code=SIGNED_IN)
def complete(
    actor: Actor, item_id: int, instance_id: int | None, flag: str, outcome: str, comment: str,
    variables: Mapping[str, Any],
) -> Any:  # fmt: skip
    """Complete an item through its record's own command, which checks rights and input.

    The same request of the same person again gets the first answer; anything else on a completed item is a Conflict.
    """
    item = find(item_id)
    if instance_id is not None and instance_id != item.instance_id:
        raise Missing()
    held, item = locked(item)
    mark = digest(["complete", flag, outcome, comment, variables])
    if item.state != ItemState.OPEN:
        if item.state == ItemState.DROPPED and item.outcome and items.open_item(item).is_for(actor):
            current_entry().nothing_happened = True
            return _decided(held.instance, item)
        if item.state == ItemState.DONE and item.completed_by == actor.user_id and item.digest == mark:
            current_entry().nothing_happened = True
            return item.answer
        if ports.keys_of(actor).isdisjoint(item.candidate_keys) and item.assignee_id != actor.user_id:
            raise NotAllowed()
        raise taken(item)
    if item.delegators and item.assignee_id == actor.user_id:
        return hand_back(actor, item, comment, mark)
    if item.assignee_id not in (None, actor.user_id) and repeated(actor, item, mark):
        return {"taskId": str(item.pk), "assignee": str(item.assignee_id or "")}
    if item.assignee_id not in (None, actor.user_id) and not ports.keys_of(actor).isdisjoint(item.candidate_keys):
        raise taken(item)
    definition, node = library.definition(item.definition_id), step_of(item)
    chosen = _outcome(node, flag, outcome)
    if item.signs:
        return signers.complete(actor, held, item, chosen, comment, mark)
    if item.business_type == STANDALONE:
        return standalone.complete(actor, held, item, definition, chosen, variables, comment, mark)
    if node.get("added"):
        return added_steps.complete(actor, held, item, chosen, comment, mark)
    step = ports.Step(held, items.open_item(item), item.business_id)
    return ports.effects[item.business_type].command(actor, step, chosen, variables, comment, mark)


def _decided(instance: ProcessInstance, item: WorkItem) -> dict[str, Any]:
    """Return the answer for a co-signer whose decision came when the others had decided: it is none that failed."""
    found = next((one for one in outcomes(item) if one["value"] == item.outcome), None)
    name = choose(found["zh"], found["en"]) if found else item.outcome
    text = _("会签已有结果：{outcome}，您的意见未计入").format(outcome=name)
    return {**standalone.answer(instance), "decidedText": text}
