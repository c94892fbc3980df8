"""Commands of the person who started a process: withdraw it, and remind those for whom it waits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from core.desk import messages
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Missing, NotAllowed, Refusal
from core.kernel.operation import SIGNED_IN, operation
from core.kernel.texts import moment
from core.ports import Urging
from workflows.runtime.commands import verbs
from workflows.runtime.commands.shared import people_asked
from workflows.runtime.definitions import library, switches
from workflows.runtime.execution import driver, ending
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

URGE_AGAIN = timedelta(minutes=30)


@operation("process.withdraw", code=SIGNED_IN)
def withdraw(actor: Actor, instance_id: int, reason: str) -> Any:
    """Withdraw the process: it ends at once. Where a record has a command for this, that command runs instead."""
    instance = _mine(actor, instance_id)
    meant = verbs.meaning(verbs.WITHDRAW, instance.definition_id, instance.business_type, "")
    if isinstance(meant, Mapping):
        return verbs.command(actor, meant, instance.business_id, None, {"reason": reason})
    if not meant:
        raise verbs.refusal(verbs.WITHDRAW, instance.definition_id)
    if not switches.allows(instance.definition_id, switches.WITHDRAW):
        name = library.definition(instance.definition_id)
        raise Refusal("workflow.noWithdraw", _("流程「{name}」不允许撤回").format(name=name))
    entry = current_entry()
    entry.instance_id, entry.remark = instance_id, reason
    instance = driver.lock(instance.business_type, instance.business_id).instance
    if instance.status == InstanceStatus.WITHDRAWN:
        entry.nothing_happened = True
        return {"processInstanceId": str(instance_id)}
    return ending.stop(instance_id, InstanceStatus.WITHDRAWN)


@operation("task.urge", code=SIGNED_IN)
def urge(actor: Actor, instance_id: int, words: str) -> dict[str, Any]:
    """Remind the assignees, or where a step is unclaimed the candidates, of the open steps of an instance.

    Raises Conflict where nobody is asked, while the process stands still, and within half an hour of the last
    reminder, whoever sent it.
    """
    instance = _mine(actor, instance_id)
    held = driver.lock(instance.business_type, instance.business_id)
    if held.instance.status != InstanceStatus.RUNNING:
        raise ending.over()
    driver.check_moving(held.instance)
    if not held.open:
        raise Conflict("workflow.nobodyWaits", _("该流程没有等待办理的步骤，无需催办"))
    if before := urged(held.open):
        text = _("已于{time}催办，{n}分钟内只能催办一次")
        said = {"time": moment(before)}
        raise Conflict("workflow.urged", text.format(n=URGE_AGAIN.seconds // 60, **said), said)
    if not waits_for_others(held.open, actor.user_id):
        raise Conflict("workflow.nobodyWaits", _("该流程等待您本人办理，无需催办"))
    told = [user_id for user_id in people_asked(held.open) if user_id != actor.user_id]
    WorkItem.objects.filter(pk__in=[item.pk for item in held.open]).update(urge_time=clock.now())
    steps = [(item.node_name, item.node_name_en or item.node_name) for item in held.open]
    number = instance.business_no or instance.title
    messages.send(
        told,
        (f"{actor.name}催办：{number}", f"Reminder from {actor.name}: {number}"),
        (
            "：".join(filter(None, (f"「{'、'.join(zh for zh, _en in steps)}」", words or instance.title))),
            ": ".join(filter(None, (", ".join(en for _zh, en in steps), words or instance.title_en or instance.title))),
        ),
        instance.business_type,
        instance.business_id,
    )
    entry = current_entry()
    entry.business_type, entry.business_id = instance.business_type, instance.business_id
    entry.instance_id, entry.remark = instance_id, words
    return {"processInstanceId": str(instance_id), "told": len(told)}


def urged(waiting: Iterable[WorkItem]) -> datetime | None:
    """Return the time of the last reminder about these items while another one is refused, else None."""
    before = max((item.urge_time for item in waiting if item.urge_time), default=None)
    return before if before is not None and before + URGE_AGAIN > clock.now() else None


def waits_for_others(waiting: Iterable[WorkItem], user_id: int) -> bool:
    """Return whether one of these items waits for somebody besides this person."""
    own = [f"user:{user_id}"]
    return any(
        item.candidate_keys != own if item.assignee_id is None else item.assignee_id != user_id for item in waiting
    )


def urging(actor: Actor, business_type: str, business_id: int) -> Urging | None:
    """Return whether and when the person may remind those for whom the record waits; None for never.

    Whoever cannot act is not reminded: nobody, while the process stands still.
    """
    rows = ProcessInstance.objects.filter(
        business_type=business_type, business_id=business_id, starter_id=actor.user_id,
        status=InstanceStatus.RUNNING, park_time=None, halt_time=None, definition__is_halted=False,
    )  # fmt: skip
    instance_id = rows.values_list("pk", flat=True).first()
    if instance_id is None:
        return None
    waiting = list(WorkItem.objects.filter(instance_id=instance_id, state=ItemState.OPEN))
    if not waits_for_others(waiting, actor.user_id):
        return None
    before = urged(waiting)
    return Urging(before + URGE_AGAIN if before else None)


def _mine(actor: Actor, instance_id: int) -> ProcessInstance:
    instance: ProcessInstance | None = ProcessInstance.objects.defer("state").filter(pk=instance_id).first()
    if instance is None:
        raise Missing()
    if instance.starter_id != actor.user_id:
        raise NotAllowed(_("只有发起人可以撤回或催办"))
    return instance
