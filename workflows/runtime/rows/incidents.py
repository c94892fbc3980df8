"""Incidents: an instance that cannot go on waits for a person to resolve the cause.

A step that reaches a limit is rolled back as a whole, and so is a timer or message that keeps failing: the stored state
is the last good one, and the incident is written afterwards, in a transaction of its own. Where a node fails behind
somebody's step, or nothing can move any more, the step is stored and the incident with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from core.kernel import clock, outbox
from core.kernel.actor import Actor, system
from core.kernel.audit_entry import AuditEntry, current_entry
from core.kernel.errors import Conflict
from core.kernel.operation import SYSTEM, operation
from core.kernel.tenancy import current_tenant, tenant_scope
from core.kernel.texts import choose
from workflows import engine
from workflows.runtime.rows import messages, operation_calls, timers
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance


@dataclass(frozen=True)
class Reason:
    """The cause of an incident: a code, a sentence in each language, and the node where it happened."""

    code: str
    text_zh: str
    text_en: str
    node: str


def of_fault(fault: engine.Failure) -> Reason:
    """Return the fault of a step as the cause."""
    return Reason(fault.code, fault.text_zh, fault.text_en, fault.node)


def refused_by_engine(error: BaseException) -> engine.EngineError | None:
    """Return the engine's error if the engine caused the failure, else None."""
    return next((one for one in (error, error.__cause__) if isinstance(one, engine.EngineError)), None)


def reason_of(error: Exception, node: str, code: str, zh: str, en: str) -> Reason:
    """Return the engine's own sentence as the cause, or the given sentences for any other failure."""
    told = refused_by_engine(error)
    return Reason(told.code, told.text_zh, told.text_en, node) if told else Reason(code, zh, en, node)


def blocked_by_incident(instance: ProcessInstance) -> Conflict:
    """Return the refusal for a step on an instance with an incident."""
    return _refusal(choose(instance.park_text, instance.park_text_en), instance.park_node)


def _refusal(reason: str, node: str) -> Conflict:
    text = _("流程出现异常：{reason}。请联系流程管理员").format(reason=reason)
    return Conflict("workflow.parked", text, {"reason": reason, "node": node})


def over_limit(instance: ProcessInstance, error: engine.LimitReached, node: str) -> Conflict:
    """Return the refusal for a step that reached a limit; after the rollback it raises the incident."""
    reason = Reason(error.code, error.text_zh, error.text_en, node)
    refusal = _refusal(choose(error.text_zh, error.text_en), node)
    refusal.afterwards = partial(raise_incident, current_tenant(), instance.pk, bytes(instance.state), reason)
    return refusal


def raise_incident(tenant_id: str, instance_id: int, state: bytes | None, reason: Reason) -> None:
    """Raise an incident on a running instance; where `state` is given, only if the instance still has that state."""
    with tenant_scope(tenant_id):
        _raise_incident(system(tenant_id), instance_id, state, reason)


@operation("process.park", code=SYSTEM)
def _raise_incident(actor: Actor, instance_id: int, state: bytes | None, reason: Reason) -> None:
    rows = ProcessInstance.objects.select_for_update(of=("self",))
    instance = rows.filter(pk=instance_id, status=InstanceStatus.RUNNING, park_time=None).first()
    entry = current_entry()
    if instance is None or (state is not None and bytes(instance.state) != state):
        entry.nothing_happened = True
        return
    _park(instance, reason)
    instance.save(update_fields=INCIDENT_FIELDS)
    entry.business_type, entry.business_id = instance.business_type, instance.business_id
    entry.instance_id, entry.node, entry.remark = instance.pk, instance.park_node, instance.park_text


def raise_with_step(instance: ProcessInstance, reason: Reason) -> None:
    """Raise an incident, in memory, on an instance whose step is about to be stored; the history tells it after."""
    _park(instance, reason)
    told = AuditEntry("process.park", system(current_tenant()), instance_id=instance.pk, node=instance.park_node)
    told.business_type, told.business_id, told.remark = instance.business_type, instance.business_id, instance.park_text
    current_entry().later.append(told)


def _park(instance: ProcessInstance, reason: Reason) -> None:
    instance.park_time, instance.park_code, instance.park_node = clock.now(), reason.code, reason.node
    instance.park_text, instance.park_text_en = reason.text_zh[:500], reason.text_en[:500]


INCIDENT_FIELDS = ["park_time", "park_code", "park_node", "park_text", "park_text_en"]


def clear(instance: ProcessInstance) -> None:
    """Clear the incident of the instance in memory."""
    instance.park_time = None
    instance.park_code = instance.park_node = instance.park_text = instance.park_text_en = ""


def resolve(instance: ProcessInstance) -> None:
    """Clear the incident of a locked instance, and try its failed timers, messages and operations again at once."""
    clear(instance)
    instance.save(update_fields=INCIDENT_FIELDS)
    timers.try_again(instance.pk)
    outbox.again(messages.TOPIC, {"instance": instance.pk})
    operation_calls.try_again(instance.pk)
    wake([instance.pk])


def wake(instances: Iterable[Any]) -> None:
    """Let what waits for instances that stood still, and now go on or have ended, be done; ids or a queryset of ids."""
    timers.wake(instances)
    messages.wake(instances)
    operation_calls.wake(instances)
