"""Ending instances before their end event: which run on a definition, and how one of them is ended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.identity.models import Tenant
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.audit_entry import AuditEntry, current_entry
from core.kernel.errors import Conflict, Missing, NotAllowed, Refusal
from core.kernel.operation import perform
from core.kernel.tenancy import tenant_scope
from workflows import engine
from workflows.runtime.definitions import library
from workflows.runtime.execution import driver
from workflows.runtime.rows import incidents, items, messages, operation_calls, suspension, timers
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance

MAX_REASON = 200
"""Characters of why something that runs is ended."""


def running(definition: Definition) -> dict[str, list[int]]:
    """Return the ids of the running instances of a definition, by tenant; a general one has them in any tenant."""
    tenants = [definition.tenant_id]
    if definition.is_general:
        tenants = list(Tenant._base_manager.order_by("tenant_id").values_list("tenant_id", flat=True))
    found = {}
    for tenant_id in tenants:
        with tenant_scope(tenant_id):
            rows = ProcessInstance.objects.filter(definition=definition, status=InstanceStatus.RUNNING)
            if ids := list(rows.order_by("pk").values_list("pk", flat=True)):
                found[tenant_id] = ids
    return found


def resumed(definition: Definition) -> None:
    """Wake what waits for the instances of a definition that is suspended no longer, and whose row is locked."""
    for tenant_id in running(definition):
        with tenant_scope(tenant_id):
            rows = ProcessInstance.objects.filter(definition=definition, status=InstanceStatus.RUNNING)
            incidents.wake(rows.filter(halt_time=None, park_time=None).values("pk"))


def may_end(instance: ProcessInstance, acts: Iterable[str]) -> bool:
    """Return whether `end` ends the instance for a person who holds the permission.

    `acts` are the operations that this person may carry out on the open items of its record, were it not suspended.
    """
    bound = ports.effects.get(instance.business_type)
    return instance.status == InstanceStatus.RUNNING and (bound is None or bound.cancelled_by in acts)


def end(actor: Actor, instance_id: int, reason: str) -> None:
    """End a running instance of the tenant in scope, in an audit entry of its own.

    The instance of a record ends by the record's own cancel command, with the permission that the command requires, or
    not at all; the record therefore never waits for a process that has ended. A suspended one ends too: the command
    itself is refused until somebody resumes the process, and who looks after processes need not resume it first.
    """
    instance = ProcessInstance.objects.filter(pk=instance_id).first()
    if instance is None:
        raise Missing()
    if instance.status != InstanceStatus.RUNNING:
        raise over()
    # The key belongs to the request; each instance that it ends has an audit entry of its own.
    plain = replace(actor, idempotency_key="")
    bound = ports.effects.get(instance.business_type)
    if bound is None:
        entry = AuditEntry("process.end", plain, instance_id=instance_id, remark=reason)
        perform(entry, [instance_id, reason], lambda: stop(instance_id, InstanceStatus.ENDED))
        return
    # The title may quote the record, which the person may not be allowed to read.
    title = f"{library.definition(instance.definition_id)} {instance.business_no}"
    if bound.cancel is None:
        raise Refusal("workflow.bound", _("「{title}」由业务单据控制，请在单据上处理").format(title=title))
    cancel = bound.cancel
    entry = AuditEntry(bound.cancelled_by, plain, instance_id=instance_id, remark=reason)

    def cancelled() -> Any:
        held = driver.lock(instance.business_type, instance.business_id)
        held.ends_by_hand = True
        found = cancel(plain, instance.business_id, reason)
        if held.instance.halt_time is not None:
            suspension.clear(held.instance)
            held.instance.save(update_fields=suspension.COLUMNS)
        return found

    try:
        perform(entry, [instance_id, reason], cancelled)
    except (Missing, NotAllowed) as refusal:
        text = _("「{title}」由业务单据控制，您没有取消该单据的权限").format(title=title)
        raise NotAllowed(text) from refusal


def over() -> Conflict:
    return Conflict("workflow.over", _("该流程已结束"))


def lock_running(instance_id: int) -> driver.Held:
    """Lock a process by its id; raises Missing where there is none, and Conflict once it has ended."""
    known = ProcessInstance.objects.filter(pk=instance_id).values_list("business_type", "business_id").first()
    if known is None:
        raise Missing()
    held = driver.lock(*known)
    if held.instance.is_over:
        raise over()
    return held


def stop(instance_id: int, status: InstanceStatus) -> dict[str, Any]:
    """End a standalone instance with its work items, timers and message subscriptions."""
    instance = ProcessInstance.objects.select_for_update().get(pk=instance_id)
    if instance.status != InstanceStatus.RUNNING:
        raise over()
    specification = library.specification(instance.definition_id)
    instance.state = engine.cancel(specification, bytes(instance.state)).state
    instance.status, instance.end_time = status, clock.now()
    incidents.clear(instance)
    suspension.clear(instance)
    columns = ["state", "status", "end_time", *incidents.INCIDENT_FIELDS, *suspension.COLUMNS]
    instance.save(update_fields=columns)
    items.drop(items.not_over(instance.pk), ())
    timers.keep(instance.pk, (), None, {})
    messages.forget(instance.pk)
    operation_calls.forget(instance)
    messages.wake([instance.pk])
    current_entry().business_type, current_entry().business_id = instance.business_type, instance.business_id
    return {"processInstanceId": str(instance_id)}
