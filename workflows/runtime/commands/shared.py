"""What the commands on work items share: finding, locking, assigning and offering an item, and the refusals."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from core import ports
from core.audit.models import Event
from core.identity.authentication import actor_of
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Invalid, Missing
from core.kernel.texts import moment
from core.statements.compiled import Compiled
from workflows.runtime.execution import driver
from workflows.runtime.rows import queues
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

MOST_TOLD = 200
"""People who get a message about one item or instance."""


def taken(item: WorkItem) -> Conflict:
    """Return the refusal for an item that another person holds or has completed; it names the person and the time."""
    if item.state == ItemState.DROPPED:
        return Conflict("workflow.taskGone", _("该任务已随流程结束，请刷新"))
    if item.state == ItemState.WAITING:
        return waits_for_signers(item.name)
    if item.state == ItemState.DONE:
        name, when = item.completed_by_name, item.end_time
        text = _("「{step}」已由{name}于{time}处理，请刷新")
        word = "workflow.taskCompleted"
    else:
        name = ports.people.names({item.assignee_id or 0}).get(item.assignee_id or 0, "")
        when = item.claim_time or item.create_time
        text = _("「{step}」已由{name}于{time}领取")
        word = "workflow.taskTaken"
    said = {"userName": name, "time": moment(when)}
    return Conflict(word, text.format(step=item.name, name=name, time=said["time"]), said)


def waits_for_signers(step: str) -> Conflict:
    """Return the refusal for a step that waits for the signers who were added to it."""
    return Conflict("workflow.waitsForSigners", _("「{step}」正在等待加签人处理").format(step=step))


def describe_change(item: WorkItem, before: int | None = None, after: int | None = None) -> None:
    """Record in the audit entry which work item was changed, and its assignee before and after."""
    entry = current_entry()
    entry.from_holder, entry.to_holder = before, after
    entry.business_type, entry.business_id = item.business_type, item.business_id
    entry.instance_id, entry.work_item_id, entry.node, entry.round = item.instance_id, item.pk, item.node, item.round


_BY_ID = Compiled(lambda item_id: WorkItem.objects.filter(pk=item_id))


def find(item_id: int) -> WorkItem:
    """Return the work item without locking it; raises Missing."""
    item: WorkItem | None = next(iter(_BY_ID.rows(item_id)), None)
    if item is None:
        raise Missing()
    return item


def repeated(actor: Actor, item: WorkItem, mark: str) -> bool:
    """Return whether the last change of the item was this very request, so that it must not be carried out again."""
    events = Event.objects.filter(business_type=item.business_type, business_id=item.business_id)
    last = events.filter(work_item_id=item.pk).order_by("-id").values_list("user_id", "digest").first()
    if last != (actor.user_id, mark):
        return False
    current_entry().nothing_happened = True
    return True


def hand_back(actor: Actor, item: WorkItem, opinion: str, mark: str) -> dict[str, str]:
    """Return a delegated item, which the caller has locked, to the person who delegated it, with an opinion."""
    *rest, back = item.delegators
    entry = current_entry()
    entry.operation, entry.remark, entry.digest = "task.handBack", opinion, entry.digest or mark
    give(item, back, delegators=rest)
    return {"taskId": str(item.pk), "assignee": str(back)}


def give(item: WorkItem, user_id: int, *, delegators: list[int]) -> None:
    """Make the person the assignee of the locked item, whether it had an assignee or only candidates."""
    before, left = item.assignee_id, queues.queue_of(item)
    item.assignee_id, item.delegators, item.claim_time, item.pool = user_id, delegators, clock.now(), None
    item.read_time = None
    item.save(update_fields=["assignee_id", "delegators", "claim_time", "pool", "read_time"])
    if item.state == ItemState.OPEN:
        queues.moved(left=[left], entered=[user_id])
    describe_change(item, before, user_id)


def offer(item: WorkItem, keys: list[str]) -> None:
    """Offer the locked item to these candidates; it has no assignee afterwards."""
    before, left = item.assignee_id, queues.queue_of(item)
    item.assignee_id, item.delegators, item.claim_time, item.read_time = None, [], None, None
    item.candidate_keys, item.pool = keys, queues.pool_of(keys) if item.state == ItemState.OPEN else None
    item.save(update_fields=["assignee_id", "delegators", "claim_time", "candidate_keys", "pool", "read_time"])
    if item.state == ItemState.OPEN:
        queues.open_to([item])
        queues.moved(left=[left], entered=[item.pool])
    describe_change(item, before, None)


def check_sees(item: WorkItem, user_id: int, tenant_id: str, field: str = "userId") -> None:
    """Raise Invalid of the field unless the person, who is the assignee now, may see the record of the item."""
    bound = ports.effects.get(item.business_type)
    if bound is None:
        return
    receiver = actor_of(user_id, tenant_id)
    if receiver is None or not bound.sees(receiver, item.business_id):
        raise Invalid({field: _("此人无权查看该单据")})


def people_asked(items: Iterable[WorkItem]) -> list[int]:
    """Return the ids of the assignees of these items, or of their candidates; one statement."""
    keys = {f"user:{item.assignee_id}" for item in items if item.assignee_id is not None}
    keys.update(key for item in items if item.assignee_id is None for key in item.candidate_keys)
    return list(ports.people.behind(keys).values_list("pk", flat=True)[:MOST_TOLD])


def locked(item: WorkItem) -> tuple[driver.Held, WorkItem]:
    """Lock the item's process and then the item; return both as they stand now."""
    held = driver.lock(item.business_type, item.business_id)
    return held, next((one for one in held.not_over if one.pk == item.pk), None) or find(item.pk)


def delegation(item: WorkItem) -> dict[str, str]:
    """Return who gets the item back, and the opinion with which it was returned last; at most two statements."""
    by = item.delegators[-1] if item.delegators else 0
    names = ports.people.names({by}) if by else {}
    events = Event.objects.filter(business_type=item.business_type, business_id=item.business_id)
    said = events.filter(work_item_id=item.pk, operation="task.handBack").order_by("-id").first()
    opinion = f"{said.user_name}：{said.remark}" if said is not None and said.to_holder == item.assignee_id else ""
    return {"delegatedBy": names.get(by, ""), "opinion": opinion}
