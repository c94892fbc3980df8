"""What every act on a work item needs: finding and locking it, telling who was faster, handing it on."""

from __future__ import annotations

from django.utils.translation import gettext as _

from core.audit.models import Event
from core.kernel import clock, ports
from core.kernel.act import current_act
from core.kernel.actor import Actor
from core.kernel.compiled import Compiled
from core.kernel.errors import Conflict, Missing
from core.kernel.texts import moment
from workflows.instances import driver
from workflows.worklist import pools
from workflows.worklist.models import ItemState, WorkItem


def taken(item: WorkItem) -> Conflict:
    """The refusal for a step that somebody else holds or has done: it says who and when."""
    if item.state == ItemState.DROPPED:
        return Conflict("workflow.taskGone", _("该任务已随流程结束，请刷新"))
    if item.state == ItemState.DONE:
        name, when = item.completed_by_name, item.end_time
        text = _("「{step}」已由{name}于{time}处理，请刷新")
        word = "workflow.taskCompleted"
    else:
        name = ports.people.names({item.assignee_id or 0}).get(item.assignee_id or 0, "")
        when = item.claim_time or item.create_time
        text = _("「{step}」已由{name}于{time}签收")
        word = "workflow.taskTaken"
    said = {"userName": name, "time": moment(when)}
    return Conflict(word, text.format(step=item.name, name=name, time=said["time"]), said)


def tell_act(item: WorkItem, before: int | None = None, after: int | None = None) -> None:
    """Let the act that runs be one on this item, which one person held before it and one does after it."""
    act = current_act()
    act.from_holder, act.to_holder = before, after
    act.business_type, act.business_id = item.business_type, item.business_id
    act.instance_id, act.work_item_id, act.node, act.round = item.instance_id, item.pk, item.node, item.round


_BY_ID = Compiled(lambda item_id: WorkItem.objects.filter(pk=item_id))


def find(item_id: int) -> WorkItem:
    """The item as it stands, not locked; raises Missing."""
    item: WorkItem | None = next(iter(_BY_ID.rows(item_id)), None)
    if item is None:
        raise Missing()
    return item


def repeated(actor: Actor, item: WorkItem, mark: str) -> bool:
    """Whether the last act on the item was this very request; then nothing happens again."""
    events = Event.objects.filter(business_type=item.business_type, business_id=item.business_id)
    last = events.filter(work_item_id=item.pk).order_by("-id").values_list("user_id", "digest").first()
    if last != (actor.user_id, mark):
        return False
    current_act().nothing_happened = True
    return True


def hand_back(actor: Actor, item: WorkItem, opinion: str, mark: str) -> dict[str, str]:
    """Give a delegated item, which the caller has locked, back to whoever delegated it, with an opinion."""
    *rest, back = item.delegators
    act = current_act()
    act.operation, act.remark, act.digest = "task.handBack", opinion, act.digest or mark
    give(item, back, delegators=rest)
    return {"taskId": str(item.pk), "assignee": str(back)}


def give(item: WorkItem, user_id: int, *, delegators: list[int]) -> None:
    """Let the person hold the locked item."""
    before = item.assignee_id
    item.assignee_id, item.delegators, item.claim_time, item.pool = user_id, delegators, clock.now(), None
    item.save(update_fields=["assignee_id", "delegators", "claim_time", "pool"])
    pools.moved(left=[before], entered=[user_id])
    tell_act(item, before, user_id)


def locked(item: WorkItem) -> WorkItem:
    """The item as it stands now, its instance locked before it."""
    waiting = driver.lock(item.business_type, item.business_id).open
    return next((one for one in waiting if one.pk == item.pk), None) or find(item.pk)


def delegation(item: WorkItem) -> dict[str, str]:
    """Who gets the item back, and what the last one said who handed it back; two statements at most."""
    by = item.delegators[-1] if item.delegators else 0
    names = ports.people.names({by}) if by else {}
    events = Event.objects.filter(business_type=item.business_type, business_id=item.business_id)
    said = events.filter(work_item_id=item.pk, operation="task.handBack").order_by("-id").first()
    opinion = f"{said.user_name}：{said.remark}" if said is not None and said.to_holder == item.assignee_id else ""
    return {"delegatedBy": names.get(by, ""), "opinion": opinion}
