"""What somebody does with a process that he or she started: take it back, and urge whoever it waits for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from core.desk import messages
from core.kernel import clock, ports
from core.kernel.act import current_act
from core.kernel.actor import Actor
from core.kernel.errors import Conflict, Missing, NotAllowed
from core.kernel.operation import SIGNED_IN, operation
from core.kernel.texts import moment
from workflows.instances import driver, ending
from workflows.instances.models import InstanceStatus, ProcessInstance
from workflows.worklist import verbs
from workflows.worklist.models import WorkItem

URGE_AGAIN = timedelta(minutes=30)
MOST_TOLD = 200


@operation("process.withdraw", code=SIGNED_IN)
def withdraw(actor: Actor, instance_id: int, reason: str) -> Any:
    """Take the process back: it is over, and nobody is asked any more. A record's process goes by its own command."""
    instance = _mine(actor, instance_id)
    meant = verbs.meaning(verbs.WITHDRAW, instance.definition_id, instance.business_type, "")
    if isinstance(meant, Mapping):
        return verbs.command(actor, meant, instance.business_id, None, {"reason": reason})
    if not meant:
        raise verbs.refusal(verbs.WITHDRAW, instance.definition_id)
    act = current_act()
    act.instance_id, act.remark = instance_id, reason
    instance = driver.lock(instance.business_type, instance.business_id).instance
    if instance.status == InstanceStatus.WITHDRAWN:
        act.nothing_happened = True
        return {"processInstanceId": str(instance_id)}
    return ending.stop(instance_id, InstanceStatus.WITHDRAWN)


@operation("task.urge", code=SIGNED_IN)
def urge(actor: Actor, instance_id: int, words: str) -> dict[str, Any]:
    """Remind whoever holds, or may take, the steps that wait; not again before half an hour has passed."""
    instance = _mine(actor, instance_id)
    held = driver.lock(instance.business_type, instance.business_id)
    if held.instance.status != InstanceStatus.RUNNING:
        raise ending.over()
    if not held.open:
        raise Conflict("workflow.nobodyWaits", _("该流程没有等待办理的步骤，无需催办"))
    if before := urged(held.open):
        text = _("已于{time}催办，{n}分钟内只能催办一次")
        said = {"time": moment(before)}
        raise Conflict("workflow.urged", text.format(n=URGE_AGAIN.seconds // 60, **said), said)
    told = [user_id for user_id in _asked(held.open) if user_id != actor.user_id]
    WorkItem.objects.filter(pk__in=[item.pk for item in held.open]).update(urge_time=clock.now())
    steps = [(item.node_name, item.node_name_en or item.node_name) for item in held.open]
    number = instance.business_no or instance.title
    messages.send(
        told,
        (f"{actor.name}催办：{number}", f"{actor.name} urges: {number}"),
        (
            "：".join(filter(None, (f"「{'、'.join(zh for zh, _en in steps)}」", words or instance.title))),
            ": ".join(filter(None, (", ".join(en for _zh, en in steps), words or instance.title))),
        ),
        instance.business_type,
        instance.business_id,
    )
    act = current_act()
    act.business_type, act.business_id = instance.business_type, instance.business_id
    act.instance_id, act.remark = instance_id, words
    return {"processInstanceId": str(instance_id), "told": len(told)}


def urged(waiting: Iterable[WorkItem]) -> datetime | None:
    """When somebody was urged for one of these steps, while it may not be done again."""
    before = max((item.urge_time for item in waiting if item.urge_time), default=None)
    return before if before is not None and before + URGE_AGAIN > clock.now() else None


def _mine(actor: Actor, instance_id: int) -> ProcessInstance:
    instance: ProcessInstance | None = ProcessInstance.objects.defer("state").filter(pk=instance_id).first()
    if instance is None:
        raise Missing()
    if instance.starter_id != actor.user_id:
        raise NotAllowed(_("只有发起人可以撤回或催办"))
    return instance


def _asked(items: Iterable[WorkItem]) -> list[int]:
    """Ids of the people whom these items wait for, by person, role (in a department) or team; one statement."""
    keys = {f"user:{item.assignee_id}" for item in items if item.assignee_id is not None}
    keys.update(key for item in items if item.assignee_id is None for key in item.candidate_keys)
    return list(ports.people.behind(keys).values_list("pk", flat=True)[:MOST_TOLD])
