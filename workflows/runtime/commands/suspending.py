"""Suspending one process and letting it go on, by a person who follows processes."""

from __future__ import annotations

from django.utils.translation import gettext as _

from core import ports
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict
from core.kernel.operation import operation
from workflows.runtime.execution import driver, ending
from workflows.runtime.rows import incidents, suspension
from workflows.runtime.tables.instances.models import ProcessInstance

CODE = "flow_follow_suspend"


@operation("process.suspend", code=CODE)
def suspend(actor: Actor, instance_id: int, reason: str) -> dict[str, str]:
    """Suspend a running process: nobody claims or completes its steps, and its timers and messages wait."""
    instance = _locked(instance_id, reason)
    if instance.halt_time is not None:
        suspension.check(instance)
    instance.halt_time, instance.halt_user_name, instance.halt_reason = clock.now(), actor.name, reason
    instance.save(update_fields=suspension.COLUMNS)
    return {"processInstanceId": str(instance_id)}


@operation("process.resume", code=CODE)
def resume(actor: Actor, instance_id: int) -> dict[str, str]:
    """Let a suspended process go on; timers that fell due and messages that came meanwhile are next, each once."""
    instance = _locked(instance_id)
    if instance.halt_time is None:
        raise Conflict("workflow.notSuspended", _("该流程没有暂停，请刷新"))
    suspension.clear(instance)
    instance.save(update_fields=suspension.COLUMNS)
    incidents.wake([instance.pk])
    if bound := ports.effects.get(instance.business_type):
        driver.due_again(bound.load(instance.business_id), instance.business_type)
    return {"processInstanceId": str(instance_id)}


def _locked(instance_id: int, remark: str = "") -> ProcessInstance:
    """Lock a running process and note it in the audit entry."""
    instance = ending.lock_running(instance_id).instance
    entry = current_entry()
    entry.business_type, entry.business_id = instance.business_type, instance.business_id
    entry.instance_id, entry.remark = instance_id, remark
    return instance
