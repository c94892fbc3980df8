"""The history of one record: its event rows, as the record's page shows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from core.audit.models import Event
from core.kernel.steps import Action
from core.kernel.texts import label, moment

COMMON: Mapping[str, str] = {
    "task.claim": label("签收任务", "Take the task"),
    "task.unclaim": label("退回任务", "Give the task back"),
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
    fromStatusName = serializers.CharField()
    toStatusName = serializers.CharField()
    remark = serializers.CharField()


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
    events = Event.objects.filter(business_type=business_type, business_id=business_id).order_by("id")
    return [
        {
            "time": moment(event.time),
            "userName": event.user_name,
            "action": event.operation.removeprefix(f"{business_type}."),
            # An act that completed a step has an outcome; taking a task or giving it back has none.
            "taskId": str(event.work_item_id) if event.outcome and event.work_item_id else "",
            "actionName": names.get(event.operation, event.operation),
            "fromStatusName": statuses.get(event.from_status, ""),
            "toStatusName": statuses.get(event.to_status, ""),
            "remark": event.remark,
        }
        for event in events
    ]
