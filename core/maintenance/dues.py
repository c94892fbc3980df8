"""When the reminders and the automatic check of a repair order fall due."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from core.maintenance.models import RepairOrder
from core.system import parameters

RESPONSE_LEADER, RESPONSE_MANAGER = "responseLeader", "responseManager"
FINISH_LEADER, FINISH_MANAGER = "finishLeader", "finishManager"


def response_due(order: RepairOrder) -> datetime:
    """By when somebody must have accepted."""
    minutes = parameters.repair().response_minutes[order.urgency - 1]
    return order.report_time + timedelta(minutes=minutes)


def finish_limit(order: RepairOrder) -> timedelta | None:
    """Time from the acceptance to the promise, else by urgency; holds come on top. None before the acceptance."""
    if order.accept_time is None:
        return None
    if order.plan_finish_time is not None:
        return max(order.plan_finish_time - order.accept_time, timedelta(0))
    return timedelta(minutes=parameters.repair().finish_minutes[order.urgency - 1])


def finish_due(order: RepairOrder) -> datetime | None:
    """By when the repair must be finished: as promised, else by urgency from the acceptance; holds do not count."""
    if order.plan_finish_time is not None:
        return order.plan_finish_time + timedelta(seconds=order.hang_seconds)
    if order.accept_time is None:
        return None
    minutes = parameters.repair().finish_minutes[order.urgency - 1]
    return order.accept_time + timedelta(minutes=minutes, seconds=order.hang_seconds)


def _response(order: RepairOrder, reminder: str, times: int) -> datetime | None:
    if reminder in order.escalations or order.accept_time is not None:
        return None
    return order.report_time + times * (response_due(order) - order.report_time)


def _finish(order: RepairOrder, reminder: str, times: int) -> datetime | None:
    limit = finish_limit(order)
    if limit is None or order.accept_time is None or reminder in order.escalations or order.hang_start is not None:
        return None
    return order.accept_time + times * limit + timedelta(seconds=order.hang_seconds)


def _auto_check(order: RepairOrder) -> datetime | None:
    hours = parameters.repair().auto_check_hours
    return order.finish_time + timedelta(hours=hours) if hours and order.finish_time else None


DUES: Mapping[str, Callable[[RepairOrder], datetime | None]] = {
    "repairorder.responseFirst": lambda order: _response(order, RESPONSE_LEADER, 1),
    "repairorder.responseSecond": lambda order: _response(order, RESPONSE_MANAGER, 2),
    "repairorder.finishFirst": lambda order: _finish(order, FINISH_LEADER, 1),
    "repairorder.finishSecond": lambda order: _finish(order, FINISH_MANAGER, 2),
    "repairorder.autoCheck": _auto_check,
}
