"""Delivery of BPMN messages from the outbox: to one process instance that waits, or to a process that it starts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.kernel import outbox
from core.kernel.actor import Actor, system
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Invalid, Refusal
from core.kernel.operation import SYSTEM, operation
from core.kernel.tenancy import current_tenant
from workflows import engine
from workflows.runtime.commands import standalone
from workflows.runtime.commands.starting import start_by_itself
from workflows.runtime.definitions import carried, library
from workflows.runtime.execution import driver
from workflows.runtime.rows import incidents, messages
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.messages.models import Waiting


def _give_up(payload: Mapping[str, Any], error: Exception) -> None:
    """Raise an incident where the instance waits for the message; its retry delivers the message again."""
    zh = f"消息“{payload['message']}”多次投递失败，原因见服务器日志"
    en = f"The message “{payload['message']}” could not be delivered; the server's log has the cause"
    if isinstance(error, Invalid):
        names = ", ".join(error.data["fields"])
        zh = f"消息“{payload['message']}”的值不符合字段：{names}"
        en = f"The values of the message “{payload['message']}” do not fit the fields: {names}"
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
                system(current_tenant()), payload["instance"], payload["message"], payload["key"], payload["tasks"],
                payload.get("values", {}),
            )  # fmt: skip
    except driver.Busy:
        raise outbox.Later from None
    except Refusal as refusal:
        if isinstance(refusal, Invalid) or isinstance(incidents.refused_by_engine(refusal), engine.LimitReached):
            raise outbox.Hopeless from refusal
        raise
    if is_asleep:
        raise outbox.Asleep


@operation("message.receive", code=SYSTEM)
def _receive(
    actor: Actor, instance_id: int, message: str, key: str, tasks: list[str], values: Mapping[str, Any]
) -> bool:
    """Give the message to these tasks of the engine, or record in the history that none of them waits any longer.

    Of its values those count that the receiving events name. Returns whether the instance stands still, so that the
    message has to wait for whoever lets it go on.
    """
    entry = current_entry()
    entry.remark, entry.instance_id = f"{message}（{key}）", instance_id
    if not ProcessInstance.objects.filter(pk=instance_id, status=InstanceStatus.RUNNING).exists():
        entry.operation = "message.drop"
        return False
    try:
        instance = driver.lock_free(instance_id)
        driver.receive(instance, message, tasks, actor, _fitting(instance, tasks, values) if values else {})
    except driver.Still:
        entry.nothing_happened = True
        return True
    except engine.NobodyWaits:
        entry.operation = "message.drop"
    return False


def _fitting(instance: ProcessInstance, tasks: list[str], values: Mapping[str, Any]) -> dict[str, Any]:
    waiting = Waiting.objects.select_related("instance").filter(instance=instance, engine_task__in=tasks)
    names = messages.fields_of(waiting).get(instance.pk, [])
    return carried.checked(library.definition(instance.definition_id).forms, names, values, instance.form)


@outbox.handler(messages.START_TOPIC)
def start(message_id: int, payload: Mapping[str, Any]) -> None:
    """Start a process by a message; what does not fit its start form fails, and is listed with its cause."""
    try:
        with messages.led_here_by(payload):
            _start(
                system(current_tenant()), payload["process"], payload["message"], payload["key"],
                payload.get("values", {}), payload["starter"],
            )  # fmt: skip
    except Refusal as refusal:
        if isinstance(refusal, Invalid) or isinstance(incidents.refused_by_engine(refusal), engine.LimitReached):
            raise outbox.Hopeless from refusal
        raise


@operation("process.startByMessage", code=SYSTEM)
def _start(actor: Actor, process: str, message: str, key: str, values: Mapping[str, Any], starter: int) -> None:
    """Start the version of the process that the tenant starts now, where it still has a start event for the message."""
    found = next((one for one in library.started_by([message]) if one.definition.key == process), None)
    if found is None:
        entry = current_entry()
        entry.operation, entry.remark = "message.drop", f"{message}（{key}）"
        return
    definition = library.definition(found.definition_id)
    names = library.specification(definition.pk).nodes[found.node].carried
    form = standalone.start_form(definition)
    given = carried.checked(definition.forms, names, values, {})
    standalone.check_complete(form, given)
    start_by_itself(definition.pk, found.node, given, starter)
