"""Retrying an instance with an incident, by a person who follows processes."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Missing
from core.kernel.operation import operation
from workflows.runtime.execution import driver
from workflows.runtime.rows import incidents
from workflows.runtime.tables.instances.models import ProcessInstance

CODE = "flow_follow_retry"


@operation("process.retry", code=CODE)
def retry(actor: Actor, instance_id: int) -> dict[str, Any]:
    """Resolve the incident: people may act again, and what failed is tried again at once, timers and messages too.

    Raises Conflict where a node that failed, or a join that waits in vain, does not let the process go on yet.
    """
    known = ProcessInstance.objects.filter(pk=instance_id).values_list("business_type", "business_id").first()
    if known is None:
        raise Missing()
    held = driver.lock(*known)
    instance = held.instance
    if instance.park_time is None:
        raise Conflict("workflow.notParked", _("该流程没有异常，请刷新"))
    node, remark = instance.park_node, instance.park_text
    incidents.resolve(instance)
    driver.go_on(held, actor)
    entry = current_entry()
    entry.business_type, entry.business_id = known
    entry.instance_id, entry.node, entry.remark = instance.pk, node, remark
    return {"processInstanceId": str(instance_id)}
