"""Delivery of a BPMN message from the outbox to one process instance that waits for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.kernel import outbox
from core.kernel.actor import Actor, system
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Refusal
from core.kernel.operation import SYSTEM, operation
from core.kernel.tenancy import current_tenant
from workflows import engine
from workflows.runtime.execution import driver
from workflows.runtime.rows import incidents, messages
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.messages.models import Waiting


def _give_up(payload: Mapping[str, Any], error: Exception) -> None:
    """Raise an incident where the instance waits for the message; its retry delivers the message again."""
    zh = f"消息“{payload['message']}”多次投递失败，原因见服务器日志"
    en = f"The message “{payload['message']}” could not be delivered; the server's log has the cause"
    waited = Waiting.objects.filter(instance=payload["instance"], engine_task__in=payload["tasks"]).order_by("pk")
    node = waited.values_list("node", flat=True).first() or ""
    incidents.raise_incident(
        current_tenant(), payload["instance"], None, incidents.reason_of(error, node, "message", zh, en)
    )


@outbox.handler(messages.TOPIC, if_given_up=_give_up)
def deliver(message_id: int, payload: Mapping[str, Any]) -> None:
    """Give the message to one instance; raise `outbox.Later` while it is locked, `Asleep` while it stands still."""
    try:
        with messages.led_here_by(payload):
            is_asleep = _receive(
                system(current_tenant()), payload["instance"], payload["message"], payload["key"], payload["tasks"]
            )
    except driver.Busy:
        raise outbox.Later from None
    except Refusal as refusal:
        if isinstance(incidents.refused_by_engine(refusal), engine.LimitReached):
            raise outbox.Hopeless from refusal
        raise
    if is_asleep:
        raise outbox.Asleep


@operation("message.receive", code=SYSTEM)
def _receive(actor: Actor, instance_id: int, message: str, key: str, tasks: list[str]) -> bool:
    """Give the message to these tasks of the engine, or record in the history that none of them waits any longer.

    Returns whether the instance stands still, so that the message has to wait for whoever lets it go on.
    """
    entry = current_entry()
    entry.remark, entry.instance_id = f"{message}（{key}）", instance_id
    if not ProcessInstance.objects.filter(pk=instance_id, status=InstanceStatus.RUNNING).exists():
        entry.operation = "message.drop"
        return False
    try:
        driver.receive(driver.lock_free(instance_id), message, tasks, actor)
    except driver.Still:
        entry.nothing_happened = True
        return True
    except engine.NobodyWaits:
        entry.operation = "message.drop"
    return False
