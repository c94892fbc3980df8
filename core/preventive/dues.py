"""When the reminders of a maintenance order fall due."""

from __future__ import annotations

from datetime import datetime, timedelta

from core.preventive.models import MaintainOrder
from core.system.periods import midnight

NEAR, TODAY, OVERDUE = "nearDue", "dueToday", "overdue"
"""Names of the reminders, each sent once in the life of an order."""
_MORNING = timedelta(hours=8)


def near(order: MaintainOrder) -> datetime | None:
    """In the morning of the day so many days before the due date as its standard says."""
    days = order.config.lead_days or 0
    return _unless_sent(order, NEAR, -days) if days else None


def today(order: MaintainOrder) -> datetime | None:
    """In the morning of the due date."""
    return _unless_sent(order, TODAY, 0)


def overdue(order: MaintainOrder) -> datetime | None:
    """In the morning of the day after the due date."""
    return _unless_sent(order, OVERDUE, 1)


def _unless_sent(order: MaintainOrder, name: str, days: int) -> datetime | None:
    if name in order.reminders:
        return None
    return midnight(order.due_date + timedelta(days=days)) + _MORNING
