"""Telling a company that its processes have used up what the worker does for one company in a minute."""

from __future__ import annotations

from core.desk import messages
from core.rest.menus import ShippedRole
from core.scheduling.turns import Queue

TOLD = (ShippedRole.FLOW_DESIGNER, ShippedRole.TENANT_ADMIN)
_WORDS = {
    "messages": (
        ("流程消息过多，已限速", "Processes send too many messages"),
        (
            "本企业的消息已达到每分钟上限，其余消息顺延投递。可能有流程在循环发送消息，请查看“后台队列”和“流程跟踪”。",
            "Your company's messages have reached the limit of a minute, and the others are delivered later. Perhaps "
            "processes send messages in a circle: please look at Queues and at Process instances.",
        ),
    ),
    "timers": (
        ("流程定时器过多，已限速", "Processes have too many timers due"),
        (
            "本企业的定时器已达到每分钟上限，其余定时器顺延触发。可能有流程的重复间隔过短，请查看“后台队列”和“流程跟踪”。",
            "Your company's timers have reached the limit of a minute, and the others fire later. Perhaps processes "
            "repeat too often: please look at Queues and at Process instances.",
        ),
    ),
    "schedules": (
        ("定时发起过多，已限速", "Too many starts by time"),
        (
            "本企业的定时发起已达到每分钟上限，其余顺延发起。请在“定时发起”中检查各计划的间隔。",
            "Your company's starts by time have reached the limit of a minute, and the others happen later. Please "
            "check under Schedules whether some come too often.",
        ),
    ),
    "sheets": (
        ("导入导出任务过多，已限速", "Too many imports and exports"),
        (
            "本企业的导入导出任务已达到每分钟上限，其余部分顺延处理。请查看“导入导出任务”。",
            "Your company's imports and exports have reached the limit of a minute, and the rest is done later. Please "
            "look at Imports and exports.",
        ),
    ),
    "seals": (
        ("日志校验过多，已限速", "Too many integrity checks"),
        (
            "本企业的日志校验已达到每分钟上限，其余部分顺延处理。请查看“完整性校验”。",
            "Your company's checks of the audit log have reached the limit of a minute, and the rest is done later. "
            "Please look at Integrity checks.",
        ),
    ),
}


def tell(queue: Queue) -> None:
    """Send a message to the designers and administrators of the company in scope."""
    title, content = _WORDS[queue.name]
    messages.send(messages.recipients([f"role:{role}" for role in TOLD]), title, content, "queue", 0)
