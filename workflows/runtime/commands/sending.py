"""Messages that people and other systems send to the processes of their company."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from core import ports
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Invalid, NotAllowed, Refusal
from core.kernel.operation import operation
from core.kernel.texts import choose
from workflows import engine
from workflows.runtime.commands import standalone
from workflows.runtime.definitions import carried, library
from workflows.runtime.execution import driver, ending
from workflows.runtime.rows import messages
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.messages.models import MessageStart, Waiting

CODE = "flow_follow_send"
EVERYBODY = "*"
"""The key under which signals are sent."""


class NobodyWaits(Refusal):
    """No process of the company waits for the message, and none is started by it (404)."""

    status = 404

    def __init__(self, name: str, key: str):
        text = _("没有流程在等待消息“{name}”（{key}）").format(name=name, key=key)
        super().__init__("message.nobodyWaits", text, {"message": name, "key": key})


@dataclass(frozen=True)
class Asked:
    """A message that somebody sends: to those who wait for its name and key, or to one instance alone."""

    name: str
    key: str
    is_signal: bool
    values: Mapping[str, Any]
    instance_id: int | None = None

    @property
    def full_name(self) -> str:
        """The name under which processes wait."""
        return f"{engine.SIGNAL}{self.name}" if self.is_signal else self.name


@operation("message.byPerson", code=CODE)
def send(
    actor: Actor, name: str, key: str, is_signal: bool, values: Mapping[str, Any], instance_id: int | None
) -> dict[str, Any]:
    """Send a message or signal with values for form fields; returns who gets it.

    One instance takes it at once. Several get their copies by the outbox, and so do the processes that it starts.
    Raises NobodyWaits, and Invalid where a value does not fit or no receiver takes it; then nothing is sent.
    """
    asked = Asked(name, EVERYBODY if is_signal else key, is_signal, values, instance_id)
    if any(name in bound.messages for bound in ports.effects.values()):
        raise Refusal("message.ofRecord", _("消息“{name}”由业务单据自己发送").format(name=name))
    entry = current_entry()
    entry.remark = f"{asked.full_name}（{asked.key}）"
    if instance_id is not None:
        return _to_one(actor, asked, instance_id)
    rows = Waiting.objects.select_related("instance").filter(message=asked.full_name, key=asked.key)
    waiting = list(rows.order_by("instance", "id")[: messages.MAX_RECEIVERS + 1])
    starts = library.started_by([asked.full_name])
    if not waiting and not starts:
        raise NobodyWaits(name, asked.key)
    _check(actor, asked, waiting, starts)
    try:
        messages.post([messages.Sent(asked.full_name, asked.key, waiting, starts, values, actor.user_id)])
    except engine.LimitReached as error:
        raise Conflict(f"workflow.{error.code}", choose(error.text_zh, error.text_en)) from error
    return _told(waiting, starts)


def _to_one(actor: Actor, asked: Asked, instance_id: int) -> dict[str, Any]:
    held = ending.lock_running(instance_id)
    rows = Waiting.objects.select_related("instance").filter(instance=held.instance, message=asked.full_name)
    waiting = list(rows.order_by("id"))
    if asked.key:
        waiting = [row for row in waiting if row.key == asked.key]
    if not waiting:
        raise NobodyWaits(asked.name, asked.key)
    clean = _check(actor, asked, waiting, [])[instance_id]
    node = waiting[0].node
    current_entry().remark = f"{asked.full_name}（{waiting[0].key}）"
    driver.receive_from_person(held, asked.full_name, [row.engine_task for row in waiting], actor, clean, node)
    return _told(waiting, [])


def _check(
    actor: Actor, asked: Asked, waiting: Sequence[Waiting], starts: Sequence[MessageStart]
) -> dict[int, dict[str, Any]]:
    """Return by instance the values that it takes, as they are stored; raises Invalid where one fits nowhere."""
    taken: set[str] = set()
    found = {}
    instances = {row.instance_id: row.instance for row in waiting}
    for pk, names in messages.fields_of(waiting).items():
        definition = library.definition(instances[pk].definition_id)
        found[pk] = carried.checked(definition.forms, names, asked.values, instances[pk].form)
        taken.update(names)
    for start in starts:
        definition = library.definition(start.definition_id)
        fields = library.specification(definition.pk).nodes[start.node].carried
        given = carried.checked(definition.forms, fields, asked.values, {})
        standalone.check_complete(standalone.start_form(definition), given)
        if not library.may_start(actor, definition):
            raise NotAllowed(_("没有权限发起流程「{name}」").format(name=definition))
        taken.update(fields)
    if unknown := [name for name in asked.values if name not in taken]:
        text = _("接收消息的流程没有声明字段“{name}”")
        raise Invalid({f"values.{name[:40]}": text.format(name=name[:40]) for name in unknown[:20]})
    return found


def _told(waiting: Sequence[Waiting], starts: Sequence[MessageStart]) -> dict[str, Any]:
    rows = {row.instance_id: row for row in waiting}
    return {
        "receivers": len(rows),
        "starts": len(starts),
        "processes": [_receiver(row.instance, row.node) for row in rows.values()],
        "started": [
            {"processDefinitionKey": one.definition.key, "processDefinitionName": str(one.definition)} for one in starts
        ],
    }


def _receiver(instance: ProcessInstance, node: str) -> dict[str, str]:
    definition = library.definition(instance.definition_id)
    drawn = library.specification(definition.pk).nodes[node]
    return {
        "processInstanceId": str(instance.pk),
        "processDefinitionName": str(definition),
        "businessNo": instance.business_no,
        "node": node,
        "nodeName": choose(drawn.name, drawn.name_en) or node,
    }


def awaited(instance: ProcessInstance) -> list[dict[str, Any]]:
    """Return what messages an instance waits for, with the fields that each sets; one statement."""
    definition = library.definition(instance.definition_id)
    nodes = library.specification(definition.pk).nodes
    found = []
    for row in Waiting.objects.filter(instance=instance).order_by("id"):
        is_signal = row.message.startswith(engine.SIGNAL)
        drawn = nodes[row.node]
        found.append(
            {
                "name": row.message.removeprefix(engine.SIGNAL),
                "key": "" if is_signal else row.key,
                "isSignal": is_signal,
                "node": row.node,
                "nodeName": choose(drawn.name, drawn.name_en),
                "form": {"components": carried.settable(definition.forms, drawn.carried)},
            }
        )
    return found
