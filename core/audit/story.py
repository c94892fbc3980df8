"""The history of a record: its audit events, as the page of the record shows them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import Model
from rest_framework import serializers

from core import ports
from core.audit.changes import ChangeSerializer, told
from core.audit.models import Event
from core.kernel.texts import label, moment

HANDED: Mapping[str, str] = {
    "task.claim": label("领取任务", "Claim the task"),
    "task.unclaim": label("退回待领取", "Return the task"),
    "task.delegate": label("委派任务", "Delegate the task"),
    "task.handBack": label("办完委派，交回任务", "Return the delegated task"),
    "task.transfer": label("转办任务", "Transfer the task"),
    "task.takeBack": label("取回任务", "Take back the task"),
    "task.reassign": label("改派任务", "Reassign the task"),
    "task.cover": label("请假代办，任务转给代办人", "Passed to the absence cover"),
    "task.uncover": label("代办结束，任务退回", "Returned: the absence cover has ended"),
    "task.handOver": label("移交任务", "Hand over the task"),
    "task.release": label("办理人离职或停用，任务转出", "Reassigned: the assignee left or was disabled"),
    "task.urge": label("催办", "Remind"),
    "task.addBefore": label("前加签", "Add signers before"),
    "task.addBeside": label("并加签", "Add signers alongside"),
    "task.addAfter": label("后加签", "Add signers after"),
    "task.addLast": label("末尾加签", "Add signers at the end"),
    "task.removeSigner": label("移除加签人", "Remove a signer"),
    "process.copy": label("抄送", "Send a copy"),
    "process.correct": label("更正数据", "Correct data"),
    "process.skip": label("跳过步骤", "Skip a step"),
    "process.move": label("移动流程", "Move the process"),
    "process.suspend": label("暂停流程", "Suspend the process"),
    "process.resume": label("恢复流程", "Resume the process"),
    "process.withdraw": label("撤回流程", "Withdraw the process"),
    "process.end": label("终止流程", "Terminate the process"),
}
"""Labels of operations on a work item that do not complete it, and of operations that end a process."""
WITH_TARGET = frozenset(
    {
        "task.delegate",
        "task.handBack",
        "task.transfer",
        "task.reassign",
        "task.release",
        "task.cover",
        "task.uncover",
        "task.handOver",
    }
)
"""Operations whose history entry names the new assignee."""

COMMON: Mapping[str, str] = {
    **HANDED,
    "task.complete": label("办理任务", "Complete the task"),
    "task.sendBack": label("退回", "Sent back"),
    "timer.fire": label("定时触发", "Timer fired"),
    "timer.renew": label("工作日历变更，更新时限", "Due times updated: working calendar changed"),
    "process.park": label("异常", "Incident"),
    "process.retry": label("重试", "Retry"),
    "message.throw": label("发出消息", "Message sent"),
    "message.receive": label("收到消息", "Message received"),
    "message.drop": label("消息无人等待", "No process waited for the message"),
    "message.byPerson": label("由人员发送消息", "Message sent by a person"),
    "operation.answer": label("操作已返回", "Operation answered"),
    "operation.fail": label("操作返回错误", "Operation answered with an error"),
    "operation.drop": label("操作返回时已无人等待", "Nobody waited for the operation's answer any longer"),
}


class LogSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """An entry of a record's history."""

    time = serializers.CharField()
    userName = serializers.CharField()
    action = serializers.CharField()
    taskId = serializers.CharField()
    """Id of the step that the operation completed; empty if none."""
    actionName = serializers.CharField()
    toName = serializers.CharField()
    """Name of the person or team that the operation gave the step or the record to."""
    fromStatusName = serializers.CharField()
    toStatusName = serializers.CharField()
    remark = serializers.CharField()
    changes = ChangeSerializer(many=True)


def targets(events: Iterable[Event]) -> dict[int, str]:
    """Return the name of the new assignee by event id; at most one statement."""
    to = {event.pk: event.to_holder for event in events if event.operation in WITH_TARGET and event.to_holder}
    names = ports.people.names(set(to.values())) if to else {}
    return {pk: names.get(user_id, "") for pk, user_id in to.items()}


def _receivers(events: Iterable[Event]) -> dict[int, str]:
    """Return by event id whom the operation gave the step or the record to; at most one statement."""
    keys = {
        event.pk: event.to_key or f"user:{event.to_holder}"
        for event in events
        if event.to_key or (event.operation in WITH_TARGET and event.to_holder)
    }
    names = ports.people.describe(set(keys.values())) if keys else {}
    return {pk: names.get(key, "") for pk, key in keys.items()}


def story(
    record: Model, acts: Mapping[str, Any], statuses: Mapping[Any, Any], untold: Collection[str] = ()
) -> list[dict[str, Any]]:
    """Return the record's history, oldest first; `acts` are the labels by the last part of the operation's name.

    The acts in `untold` are left out: the page shows what they made.
    """
    business_type = str(record._meta.model_name)
    without = {f"{business_type}.{name}" for name in untold}
    names = {**COMMON, **{f"{business_type}.{name}": text for name, text in acts.items()}}
    events = list(Event.objects.filter(business_type=business_type, business_id=record.pk).order_by("id"))
    people = _receivers(events)
    return [
        {
            "time": moment(event.time),
            "userName": event.user_name,
            "action": event.operation.removeprefix(f"{business_type}."),
            # An operation that completed a step has an outcome; taking a task or giving it back has none.
            "taskId": str(event.work_item_id) if event.outcome and event.work_item_id else "",
            "actionName": names.get(event.operation, event.operation),
            "toName": people.get(event.pk, ""),
            "fromStatusName": statuses.get(event.from_status, ""),
            "toStatusName": statuses.get(event.to_status, ""),
            "remark": event.remark,
            "changes": told(event.changes),
        }
        for event in events
        if event.operation not in without
    ]
