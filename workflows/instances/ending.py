"""Ending what runs before its time: how many run on a definition, and how one of them is ended."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from core.identity.models import Tenant
from core.kernel import clock, ports
from core.kernel.act import Act, current_act
from core.kernel.actor import Actor
from core.kernel.errors import Conflict, Missing, NotAllowed, Refusal
from core.kernel.operation import perform
from core.kernel.tenancy import tenant_scope
from workflows import engine
from workflows.deployments import library
from workflows.deployments.models import Definition
from workflows.instances import parking
from workflows.instances.models import InstanceStatus, ProcessInstance
from workflows.messages import rows as messages
from workflows.timers import rows as timers
from workflows.worklist import items

MAX_REASON = 200
"""Characters of why something that runs is ended."""


def running(definition: Definition) -> dict[str, list[int]]:
    """Ids of the instances that run on a definition, by tenant; on a general one they may be any tenant's."""
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


def may_end(instance: ProcessInstance) -> bool:
    """Whether `end` could end it for somebody: a suspended one takes no command of its record, and some have none."""
    bound = ports.effects.get(instance.business_type)
    is_free = bound is None or (bound.cancel is not None and not instance.definition.is_halted)
    return instance.status == InstanceStatus.RUNNING and is_free


def end(actor: Actor, instance_id: int, reason: str) -> None:
    """End a running instance of the tenant in scope, as an act of its own.

    One that is bound to a record ends by the record's own cancel command, with the rights that the command asks for,
    or not at all: so the record never says that it waits for a process that is gone.
    """
    instance = ProcessInstance.objects.filter(pk=instance_id).first()
    if instance is None:
        raise Missing()
    if instance.status != InstanceStatus.RUNNING:
        raise over()
    # The key belongs to the request; of several instances that it ends, each is an act.
    plain = replace(actor, idempotency_key="")
    bound = ports.effects.get(instance.business_type)
    if bound is None:
        act = Act("process.end", plain, instance_id=instance_id, remark=reason)
        perform(act, [instance_id, reason], lambda: stop(instance_id, InstanceStatus.ENDED))
        return
    if bound.cancel is None:
        raise Refusal("workflow.bound", _("「{title}」由业务单据控制，请在单据上处理").format(title=instance.title))
    cancel = bound.cancel
    act = Act(f"{instance.business_type}.cancel", plain, instance_id=instance_id, remark=reason)
    try:
        perform(act, [instance_id, reason], lambda: cancel(plain, instance.business_id, reason))
    except NotAllowed as refusal:
        text = _("「{title}」由业务单据控制，您没有取消该单据的权限").format(title=instance.title)
        raise NotAllowed(text) from refusal


def over() -> Conflict:
    return Conflict("workflow.over", _("该流程已结束"))


def stop(instance_id: int, status: InstanceStatus) -> dict[str, Any]:
    """End an instance that no record is bound to, with its items and timers."""
    instance = ProcessInstance.objects.select_for_update().get(pk=instance_id)
    if instance.status != InstanceStatus.RUNNING:
        raise over()
    specification = library.specification(instance.definition_id)
    instance.state = engine.cancel(specification, bytes(instance.state)).state
    instance.status, instance.end_time = status, clock.now()
    parking.unpark(instance)
    instance.save(update_fields=["state", "status", "end_time", *parking.PARKING])
    items.drop(items.waiting(instance.pk), ())
    timers.keep(instance.pk, (), None, {})
    messages.forget(instance.pk)
    current_act().business_type, current_act().business_id = instance.business_type, instance.business_id
    return {"processInstanceId": str(instance_id)}
