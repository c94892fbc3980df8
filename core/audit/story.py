"""The history of one record: its event rows, as the record's page shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework import serializers

from core.audit.models import Event
from core.kernel import ports
from core.kernel.steps import Action
from core.kernel.texts import label, moment

HANDED: Mapping[str, str] = {
    "task.claim": label("签收任务", "Take the task"),
    "task.unclaim": label("退回任务", "Give the task back"),
    "task.delegate": label("委派任务", "Delegate the task"),
    "task.handBack": label("办完委派，交回任务", "Hand the task back"),
    "task.transfer": label("转办任务", "Transfer the task"),
    "task.urge": label("催办", "Urge"),
    "process.withdraw": label("撤回流程", "Withdraw the process"),
    "process.end": label("终止流程", "End the process"),
}
"""Acts on a step that do not complete it, and on a process from outside."""
WITH_TARGET = frozenset({"task.delegate", "task.handBack", "task.transfer"})
"""Of these the person who holds the step afterwards is part of what is told."""

COMMON: Mapping[str, str] = {
    **HANDED,
    "timer.fire": label("系统提醒", "Timer"),
    "process.park": label("异常暂停", "Parked"),
    "process.retry": label("恢复运行", "Retried"),
    "message.throw": label("发出消息", "Message sent"),
    "message.receive": label("收到消息", "Message received"),
    "message.drop": label("消息无人等待", "Nobody waited for the message"),
}


class LogSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """An act in a record's history."""

    time = serializers.CharField()
    userName = serializers.CharField()
    action = serializers.CharField()
    taskId = serializers.CharField()
    """The step that the act completed; empty where it completed none."""
    actionName = serializers.CharField()
    toName = serializers.CharField()
    """To whom the step was handed."""
    fromStatusName = serializers.CharField()
    toStatusName = serializers.CharField()
    remark = serializers.CharField()


def targets(events: Iterable[Event]) -> dict[int, str]:
    """By event, to whom it handed a step; one statement, none where nothing was handed over."""
    to = {event.pk: event.to_holder for event in events if event.operation in WITH_TARGET and event.to_holder}
    names = ports.people.names(set(to.values())) if to else {}
    return {pk: names.get(user_id, "") for pk, user_id in to.items()}


def story(
    business_type: str, business_id: int, actions: Mapping[str, Action], others: Mapping[str, str],
    statuses: Mapping[int, Any],
) -> list[dict[str, Any]]:  # fmt: skip
    """The record's acts, oldest first; `others` are names of its acts that are no step of the process."""
    names = {
        **COMMON,
        **{f"{business_type}.{name}": text for name, text in others.items()},
        **{f"{business_type}.{name}": action.label for name, action in actions.items()},
    }
    events = list(Event.objects.filter(business_type=business_type, business_id=business_id).order_by("id"))
    people = targets(events)
    return [
        {
            "time": moment(event.time),
            "userName": event.user_name,
            "action": event.operation.removeprefix(f"{business_type}."),
            # An act that completed a step has an outcome; taking a task or giving it back has none.
            "taskId": str(event.work_item_id) if event.outcome and event.work_item_id else "",
            "actionName": names.get(event.operation, event.operation),
            "toName": people.get(event.pk, ""),
            "fromStatusName": statuses.get(event.from_status, ""),
            "toStatusName": statuses.get(event.to_status, ""),
            "remark": event.remark,
        }
        for event in events
    ]
