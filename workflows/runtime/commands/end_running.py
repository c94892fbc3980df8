"""Ending all instances of a definition that is deleted: a first batch at once, the others in batches by the outbox."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from core.desk import messages
from core.identity.authentication import actor_of
from core.kernel import outbox
from core.kernel.actor import Actor, system
from core.kernel.errors import Refusal
from core.kernel.tenancy import current_tenant, tenant_scope
from workflows.runtime.execution import ending
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance

TOPIC = "process.endRunning"
BATCH = 50
"""Instances that one transaction ends."""


def end_running(actor: Actor, definition: Definition, reason: str) -> tuple[int, int]:
    """End what runs on the definition, in every tenant; raises what the command of a record in the first batch raises.

    Returns how many were ended, and how many the worker ends after the commit.
    """
    ended, left = 0, 0
    for tenant_id, instances in ending.running(definition).items():
        now, later = instances[: BATCH - ended], instances[BATCH - ended :]
        with tenant_scope(tenant_id):
            for instance_id in now:
                ending.end(actor, instance_id, reason)
            if later:
                outbox.send(TOPIC, _message(actor, definition, reason, later[0] - 1))
        ended, left = ended + len(now), left + len(later)
    return ended, left


def _message(actor: Actor, definition: Definition, reason: str, after: int) -> dict[str, Any]:
    return {
        "definition": definition.pk,
        "name": [definition.name, definition.name_en or definition.name],
        "userId": actor.user_id,
        "actorTenant": actor.tenant_id,
        "reason": reason,
        "after": after,
        "refused": 0,
    }


@outbox.handler(TOPIC)
def end_batch(message_id: int, payload: Mapping[str, Any]) -> None:
    """End the next batch in the tenant in scope; what is refused goes on running, and the person is told how many."""
    running = ProcessInstance.objects.filter(
        definition=payload["definition"], status=InstanceStatus.RUNNING, pk__gt=payload["after"]
    )
    ids = list(running.order_by("pk").values_list("pk", flat=True)[:BATCH])
    actor = _actor(payload)
    refused = payload["refused"]
    for instance_id in ids:
        try:
            with transaction.atomic():
                ending.end(actor, instance_id, payload["reason"])
        except Refusal:
            refused += 1
    if len(ids) == BATCH:
        outbox.send(TOPIC, {**payload, "after": ids[-1], "refused": refused})
    elif refused:
        _tell(payload, refused)


def _actor(payload: Mapping[str, Any]) -> Actor:
    """Return who deleted the definition, with the rights of now; the system where that person works here no longer."""
    with tenant_scope(payload["actorTenant"]):
        actor = actor_of(payload["userId"], payload["actorTenant"])
    return actor or system(current_tenant())


def _tell(payload: Mapping[str, Any], refused: int) -> None:
    zh, en = payload["name"]
    with tenant_scope(payload["actorTenant"]):
        messages.send(
            [payload["userId"]],
            (f"「{zh}」有{refused}个流程未能终止", f"Processes of “{en}” that were not ended: {refused}"),
            ("请在流程跟踪中逐个处理", "Please look after them under Process instances"),
            "definition",
            payload["definition"],
        )
