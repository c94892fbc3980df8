"""Parking: an instance that hit a limit, or whose timer keeps failing, stands still until somebody looks after it.

The step that led there is taken back as a whole, so that what is parked is the last good state. It is written in a
transaction of its own, after the one that was refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from core.kernel import clock, outbox
from core.kernel.act import current_act
from core.kernel.actor import Actor, system
from core.kernel.errors import Conflict, Missing
from core.kernel.operation import SYSTEM, operation
from core.kernel.tenancy import current_tenant, tenant_scope
from core.kernel.texts import choose
from workflows import engine
from workflows.instances.models import InstanceStatus, ProcessInstance
from workflows.messages.rows import TOPIC
from workflows.timers import rows as timers


@dataclass(frozen=True)
class Reason:
    """Why an instance stands still: a word for programs, a sentence in each language, the node where it happened."""

    code: str
    text_zh: str
    text_en: str
    node: str


def refused_by_engine(error: BaseException) -> engine.EngineError | None:
    """What the engine said, where it was the engine that refused."""
    return next((one for one in (error, error.__cause__) if isinstance(one, engine.EngineError)), None)


def reason_of(error: Exception, node: str, code: str, zh: str, en: str) -> Reason:
    """What the engine refused is told as it is; for what else went wrong the given words, the server's log has more."""
    told = refused_by_engine(error)
    return Reason(told.code, told.text_zh, told.text_en, node) if told else Reason(code, zh, en, node)


def halted(is_halted: bool, name: str) -> str:
    """What to tell of a process whose definition of this name is suspended together with what runs; empty of others."""
    return _("流程「{name}」已挂起，恢复后才能继续办理").format(name=name) if is_halted else ""


def parked(instance: ProcessInstance) -> Conflict:
    """The refusal for a step on a parked instance."""
    return _refusal(choose(instance.park_text, instance.park_text_en), instance.park_node)


def _refusal(reason: str, node: str) -> Conflict:
    text = _("流程因异常暂停：{reason}。请联系流程管理员").format(reason=reason)
    return Conflict("workflow.parked", text, {"reason": reason, "node": node})


def over_limit(instance: ProcessInstance, error: engine.LimitReached, node: str) -> Conflict:
    """The refusal for a step that is over a limit; when everything is taken back, the instance is parked."""
    reason = Reason(error.code, error.text_zh, error.text_en, node)
    refusal = _refusal(choose(error.text_zh, error.text_en), node)
    refusal.afterwards = partial(park, current_tenant(), instance.pk, bytes(instance.state), reason)
    return refusal


def park(tenant_id: str, instance_id: int, state: bytes | None, reason: Reason) -> None:
    """Park a running instance; where `state` is given, only if nobody has moved it on meanwhile."""
    with tenant_scope(tenant_id):
        _park(system(tenant_id), instance_id, state, reason)


@operation("process.park", code=SYSTEM)
def _park(actor: Actor, instance_id: int, state: bytes | None, reason: Reason) -> None:
    rows = ProcessInstance.objects.select_for_update(of=("self",))
    instance = rows.filter(pk=instance_id, status=InstanceStatus.RUNNING, park_time=None).first()
    act = current_act()
    if instance is None or (state is not None and bytes(instance.state) != state):
        act.nothing_happened = True
        return
    instance.park_time, instance.park_code, instance.park_node = clock.now(), reason.code, reason.node
    instance.park_text, instance.park_text_en = reason.text_zh[:500], reason.text_en[:500]
    instance.save(update_fields=PARKING)
    _tell(instance, instance.park_text)


PARKING = ["park_time", "park_code", "park_node", "park_text", "park_text_en"]


def unpark(instance: ProcessInstance) -> None:
    """Forget, in memory, why the instance stood still."""
    instance.park_time = None
    instance.park_code = instance.park_node = instance.park_text = instance.park_text_en = ""


@operation("process.retry", code="flow_follow_retry")
def retry(actor: Actor, instance_id: int) -> dict[str, Any]:
    """Let a parked instance go on: its people may act again, its failed timers and messages are tried again at once."""
    instance = ProcessInstance.objects.select_for_update(of=("self",)).filter(pk=instance_id).first()
    if instance is None:
        raise Missing()
    if instance.park_time is None:
        raise Conflict("workflow.notParked", _("该流程没有异常暂停，请刷新"))
    _tell(instance, instance.park_text)
    unpark(instance)
    instance.save(update_fields=PARKING)
    timers.try_again(instance.pk)
    outbox.again(TOPIC, {"instance": instance.pk})
    return {"processInstanceId": str(instance_id)}


def _tell(instance: ProcessInstance, remark: str) -> None:
    act = current_act()
    act.business_type, act.business_id = instance.business_type, instance.business_id
    act.instance_id, act.node, act.remark = instance.pk, instance.park_node, remark
