"""When the reminders and the automatic check of a repair order fall due."""

from __future__ import annotations

from datetime import datetime, timedelta

from core.maintenance.models import RepairOrder
from core.ports import Lasting
from core.system import parameters


def response_due(order: RepairOrder) -> datetime:
    """By when somebody must have accepted."""
    minutes = parameters.repair().response_minutes[order.urgency - 1]
    return order.report_time + timedelta(minutes=minutes)


def finish_due(order: RepairOrder) -> datetime | None:
    """By when the repair must be finished: as promised, else by urgency from the acceptance; holds do not count."""
    if order.plan_finish_time is not None:
        return order.plan_finish_time + timedelta(seconds=order.hang_seconds)
    if order.accept_time is None:
        return None
    minutes = parameters.repair().finish_minutes[order.urgency - 1]
    return order.accept_time + timedelta(minutes=minutes, seconds=order.hang_seconds)


def response(order: RepairOrder, reminder: str, times: int) -> datetime | None:
    """When this reminder of the response is due: after so many times the limit, once, until somebody accepts."""
    if reminder in order.escalations or order.accept_time is not None:
        return None
    return order.report_time + times * (response_due(order) - order.report_time)


def finish(order: RepairOrder, reminder: str, times: int) -> datetime | None:
    """When this reminder of the finish is due: after so many times the limit, once, not while the order is on hold."""
    due = finish_due(order)
    if due is None or order.accept_time is None or reminder in order.escalations or order.hang_start is not None:
        return None
    begin = order.accept_time + timedelta(seconds=order.hang_seconds)
    return begin + times * max(due - begin, timedelta(0))


def auto_check(order: RepairOrder) -> Lasting | None:
    """How long after its finish the system passes the order by itself."""
    hours = parameters.repair().auto_check_hours
    return Lasting(order.finish_time, timedelta(hours=hours)) if hours and order.finish_time else None
