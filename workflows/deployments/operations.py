"""What is done with deployed models: suspending and activating, deleting."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from core.kernel.act import current_act
from core.kernel.actor import Actor
from core.kernel.errors import Conflict, Invalid, Missing, NotAllowed, Refusal
from core.kernel.operation import operation
from core.kernel.tenancy import current_tenant, tenant_scope
from workflows.deployments.models import Definition
from workflows.instances import ending


def _locked(actor: Actor, ids: list[int]) -> list[Definition]:
    """Definitions that belong to the tenant in scope, locked; starts that hold one of them are over by then."""
    rows = list(Definition.objects.select_for_update().defer("xml").filter(pk__in=ids, is_deleted=False).order_by("pk"))
    mine = [row for row in rows if row.tenant_id == current_tenant()]
    if not ids or len(mine) + sum(row.is_general for row in rows if row not in mine) != len(set(ids)):
        raise Missing()
    if len(mine) != len(rows):
        raise NotAllowed(_("通用流程由平台管理"))
    return mine


@operation("definition.state", code="flow_manager_state")
def change_state(actor: Actor, definition_id: int, active: bool, with_running: bool) -> dict[str, Any]:
    """Suspend a definition for new starts, on demand also what runs on it; or activate it with all that runs."""
    (definition,) = _locked(actor, [definition_id])
    state = (active, not active and with_running)
    act = current_act()
    act.business_type, act.business_id = "definition", definition.pk
    act.outcome = "active" if active else "suspend"
    if (definition.is_active, definition.is_halted) == state:
        act.nothing_happened = True
    else:
        definition.is_active, definition.is_halted = state
        definition.save(update_fields=["is_active", "is_halted"])
    count = sum(map(len, ending.running(definition).values()))
    return {"id": str(definition.pk), "suspensionState": 1 if active else 2, "running": count}


@operation("definition.delete", code="flow_manager_remove")
def delete(actor: Actor, ids: list[int], cascade: bool, reason: str) -> dict[str, Any]:
    """Delete definitions, all or none. While instances run it refuses, unless it is told to end them, and why."""
    definitions = _locked(actor, ids)
    if cascade and not reason:
        raise Invalid({"deleteReason": _("请填写删除原因")})
    ended = 0
    for definition in definitions:
        running = ending.running(definition)
        count = sum(map(len, running.values()))
        if count and not cascade:
            text = _("「{name}」第{version}版还有{n}个流程在运行，不能删除")
            text = text.format(name=definition, version=definition.version, n=count)
            raise Conflict("workflow.stillRuns", text, {"running": count, "deploymentId": str(definition.pk)})
        if count and definition.is_halted:  # its last step is to be ended
            definition.is_halted = False
            definition.save(update_fields=["is_halted"])
        for tenant_id, instances in running.items():
            with tenant_scope(tenant_id):
                for instance_id in instances:
                    ending.end(actor, instance_id, reason)
        # A command may have refused to end one in a way of its own, or what ended may have begun another.
        if ending.running(definition):
            raise Refusal("workflow.stillRuns", _("仍有流程在运行，不能删除"))
        definition.is_active, definition.is_deleted = False, True
        definition.save(update_fields=["is_active", "is_deleted"])
        ended += count
    act = current_act()
    act.business_type = "definition"
    act.business_id = definitions[0].pk if len(definitions) == 1 else None
    act.remark = reason or ",".join(f"{row.key} {row.version}" for row in definitions)
    return {"deleted": len(definitions), "ended": ended}
