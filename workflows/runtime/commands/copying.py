"""Commands round copies and reading: send a copy by hand, and note that a copy or a task was opened."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.identity.authentication import actor_of
from core.identity.models import User
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Invalid, Missing, NotAllowed
from core.kernel.operation import SIGNED_IN, operation
from core.kernel.texts import plural
from workflows.runtime.commands import standalone
from workflows.runtime.rows import copies
from workflows.runtime.tables.instances.models import STANDALONE, ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

MOST_AT_ONCE = 50
"""People whom one request sends a copy."""


@operation("process.copy", code=SIGNED_IN)
def send(actor: Actor, instance_id: int, user_ids: Collection[int], note: str) -> dict[str, Any]:
    """Send people a copy of a process in which the caller takes part; whoever has one already gets no second one.

    Raises Invalid where one of them does not work in the company, or may not read the record all the same.
    """
    instance = ProcessInstance.objects.select_for_update(of=("self",)).filter(pk=instance_id).first()
    if instance is None or not _sees(actor, instance):
        raise Missing()
    if not copies.may_send(actor, instance.business_type, instance.business_id):
        raise NotAllowed(_("只有流程的发起人和办理人可以抄送"))
    people = set(User.objects.filter(pk__in=user_ids, is_enabled=True).values_list("pk", flat=True))
    if not user_ids or people != set(user_ids):
        raise Invalid({"userIds": _("请选择{field}").format(field=_("抄送人员"))})
    if len(people) > MOST_AT_ONCE:
        raise Invalid({"userIds": plural("一次最多抄送{n}人", MOST_AT_ONCE)})
    new = copies.send(instance, sorted(people), sender=actor, note=note)
    if instance.business_type != STANDALONE:
        _check_readers(instance, new, actor.tenant_id)
    entry = current_entry()
    entry.business_type, entry.business_id = instance.business_type, instance.business_id
    entry.instance_id = instance.pk
    entry.remark = "：".join(filter(None, ("、".join(ports.people.names(set(new)).values()), note)))[:500]
    entry.nothing_happened = not new
    return {"processInstanceId": str(instance.pk), "told": len(new)}


def _sees(actor: Actor, instance: ProcessInstance) -> bool:
    sees = standalone.sees if instance.business_type == STANDALONE else ports.effects[instance.business_type].sees
    return sees(actor, instance.business_id)


def _check_readers(instance: ProcessInstance, user_ids: Collection[int], tenant_id: str) -> None:
    """Raise Invalid unless all of these people may read the record, which a copy alone opens in some cases only."""
    bound = ports.effects[instance.business_type]
    for user_id in user_ids:
        reader = actor_of(user_id, tenant_id)
        if reader is None or not bound.sees(reader, instance.business_id):
            raise Invalid({"userIds": _("{name}无权查看该单据").format(name=reader.name if reader else "")})


@operation("process.readCopies", code=SIGNED_IN)
def read_copies(actor: Actor, instance_ids: Collection[int]) -> None:
    """Note that the caller's copies of these processes were opened; without ids, all copies.

    Raises Missing where the caller has no copy of one of them.
    """
    rows = copies.unread(actor.user_id)
    if instance_ids:
        if copies.of(actor.user_id).filter(instance__in=instance_ids).count() != len(set(instance_ids)):
            raise Missing()
        rows = rows.filter(instance__in=instance_ids)
    if not rows.update(read_time=clock.now()):
        current_entry().nothing_happened = True


@operation("task.read", code=SIGNED_IN)
def read_task(actor: Actor, item_id: int) -> None:
    """Note when the assignee opened an open task first; nobody else's look counts."""
    rows = WorkItem.objects.filter(pk=item_id, state=ItemState.OPEN, assignee_id=actor.user_id, read_time=None)
    if not rows.update(read_time=clock.now()):
        current_entry().nothing_happened = True
