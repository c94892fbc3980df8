"""What a person does with a work item from the queue: claim, unclaim, complete."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from core.kernel import clock, ports
from core.kernel.act import current_act
from core.kernel.actor import Actor
from core.kernel.errors import Missing, NotAllowed, Refusal
from core.kernel.operation import SIGNED_IN, digest, operation
from workflows.deployments import library
from workflows.instances import added, unbound
from workflows.instances.models import UNBOUND
from workflows.worklist import items, pools
from workflows.worklist.acts import find, hand_back, locked, repeated, taken, tell_act
from workflows.worklist.models import ItemState, WorkItem


@operation("task.claim", code=SIGNED_IN)
def claim(actor: Actor, item_id: int) -> dict[str, Any]:
    """Take a pooled item for oneself. Of many at once one wins: the update finds the item unheld only once."""
    item = find(item_id)
    if ports.keys_of(actor).isdisjoint(item.candidate_keys) and item.assignee_id != actor.user_id:
        raise NotAllowed()
    won = WorkItem.objects.filter(pk=item_id, state=ItemState.OPEN, assignee_id=None).update(
        assignee_id=actor.user_id, claim_time=clock.now(), pool=None
    )
    if won:
        pools.moved(left=[pools.pool_of(item.candidate_keys)], entered=[actor.user_id])
    else:
        item = find(item_id)
        if item.state != ItemState.OPEN or item.assignee_id != actor.user_id:
            raise taken(item)
        current_act().nothing_happened = True
    tell_act(item, None, actor.user_id)
    return {"taskId": str(item_id), "assignee": str(actor.user_id)}


@operation("task.unclaim", code=SIGNED_IN)
def unclaim(actor: Actor, item_id: int) -> dict[str, Any]:
    """Give a claimed item back to its candidates. One that was assigned by the process has none and stays."""
    item = find(item_id)
    if not may_unclaim(actor, item):
        raise NotAllowed()
    pool = pools.pool_of(item.candidate_keys)
    given = WorkItem.objects.filter(pk=item_id, state=ItemState.OPEN, assignee_id=actor.user_id).update(
        assignee_id=None, claim_time=None, pool=pool
    )
    if not given:
        raise taken(find(item_id))
    pools.moved(left=[actor.user_id], entered=[pool])
    tell_act(item, actor.user_id, None)
    return {"taskId": str(item_id), "assignee": ""}


def may_unclaim(actor: Actor, item: WorkItem) -> bool:
    """Who has claimed it, unless it is somebody else's who only asked for a look at it."""
    is_mine = item.state == ItemState.OPEN and item.assignee_id == actor.user_id
    return is_mine and item.claim_time is not None and bool(item.candidate_keys) and not item.delegators


def _outcome(item: WorkItem, flag: str, outcome: str) -> str:
    """The outcome meant: the one named, else the step's positive one for flag `ok`, else its negative one."""
    node = library.definition(item.definition_id).meta["nodes"].get(item.node, {})
    chosen = outcome or (node.get("positive") if flag == "ok" else node.get("negative")) or ""
    check_outcome(node, str(chosen))
    return str(chosen)


def check_outcome(step: Mapping[str, Any], outcome: str) -> None:
    """Raise Refusal where the step, as its definition tells of it, does not offer the outcome."""
    if outcome not in {entry["key"] for entry in step.get("outcomes", [])}:
        raise Refusal("workflow.outcome", _("该步骤不能选择此处理结果"))


def outcomes(item: WorkItem) -> list[dict[str, Any]]:
    """The outcomes that the item's step offers, with labels in both languages."""
    node = library.definition(item.definition_id).meta["nodes"].get(item.node, {})
    return [
        {"value": entry["key"], "zh": entry["zh"], "en": entry["en"], "positive": entry["key"] == node.get("positive")}
        for entry in node.get("outcomes", [])
    ]


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
    item = locked(item)
    mark = digest(["complete", flag, outcome, comment, variables])
    if item.state != ItemState.OPEN:
        if item.state == ItemState.DONE and item.completed_by == actor.user_id and item.digest == mark:
            current_act().nothing_happened = True
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
    chosen = _outcome(item, flag, outcome)
    node = library.definition(item.definition_id).meta["nodes"].get(item.node, {})
    if item.business_type != UNBOUND and node.get("added"):
        return added.complete(actor, item.business_type, item.business_id, items.open_item(item), chosen, comment, mark)
    command = unbound.complete if item.business_type == UNBOUND else ports.effects[item.business_type].command
    return command(
        actor,
        item.business_id,
        items.open_item(item),
        chosen,
        variables,
        comment,
        mark,
    )
