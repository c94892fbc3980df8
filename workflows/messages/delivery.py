"""Delivering a message to one instance that waited for it, from the outbox."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.kernel import outbox
from core.kernel.act import current_act
from core.kernel.actor import Actor, system
from core.kernel.operation import SYSTEM, operation
from core.kernel.tenancy import current_tenant
from workflows import engine
from workflows.instances import driver, parking
from workflows.instances.models import InstanceStatus, ProcessInstance
from workflows.messages import rows


def _give_up(payload: Mapping[str, Any], error: Exception) -> None:
    """The receiver stands still until somebody has looked why; a retry delivers the message again."""
    zh = f"消息“{payload['message']}”多次投递失败，原因见服务器日志"
    en = f"The message “{payload['message']}” could not be delivered; the server's log has the cause"
    parking.park(current_tenant(), payload["instance"], None, parking.reason_of(error, "", "message", zh, en))


@outbox.handler(rows.TOPIC, if_given_up=_give_up)
def deliver(message_id: int, payload: Mapping[str, Any]) -> None:
    """Wake one instance; it waits its turn while somebody moves it, or while it stands still."""
    try:
        with rows.led_here_by(payload["hops"]):
            _receive(
                system(current_tenant()), payload["instance"], payload["message"], payload["key"], payload["tasks"]
            )
    except driver.Busy:
        raise outbox.Later from None


@operation("message.receive", code=SYSTEM)
def _receive(actor: Actor, instance_id: int, message: str, key: str, tasks: list[str]) -> None:
    """Give the message to these tasks; where they have been ended meanwhile, it is dropped."""
    act = current_act()
    act.remark, act.instance_id = f"{message}（{key}）", instance_id
    if ProcessInstance.objects.filter(pk=instance_id).exclude(status=InstanceStatus.RUNNING).exists():
        act.operation = "message.drop"
        return
    instance = driver.lock_free(instance_id)
    try:
        driver.receive(instance, message, tasks, actor)
    except engine.NobodyWaits:
        act.operation = "message.drop"
