"""Figures of maintenance orders: what was due and done in time (4.9), what comes, and how reliable the assets are."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Sum

from core.inspection.cycles import Trigger
from core.inspection.due import Cycle, tolerance_days
from core.inspection.upkeep import MaintenanceLevel
from core.kernel.actor import Actor
from core.metrics import machine_time
from core.metrics.asked import Asked
from core.metrics.sums import money, percent
from core.preventive.models import MaintainOrder, Status
from core.preventive.queries import late, visible
from core.rest.serializers import whole_minutes
from core.system import periods
from core.system.periods import Period, local_day

MOST = 10
_COST = F("labour_cost") + F("spare_cost") + F("other_cost")


def _orders(actor: Actor, asked: Asked) -> QuerySet[Any]:
    """Return the orders that the person sees, each once."""
    seen = asked.within(visible(actor), "dept_id").order_by().values("pk")
    return MaintainOrder.objects.filter(pk__in=seen)


def overview(actor: Actor, asked: Asked) -> dict[str, Any]:
    """Return the figures of the orders that were due in a period; a constant number of statements."""
    orders, today = _orders(actor, asked), periods.today()
    first, last = asked.period.first, asked.period.last
    cancelled = orders.filter(status=Status.CANCELLED, original_due_date__gte=first, original_due_date__lte=last)
    year = _months(last)
    every = judged(orders, min(first, year[0][1].first), max(last, year[-1][1].last), today)
    mine = [one for one in every if first <= one["due"] <= last]
    finished = orders.filter(status=Status.DONE, finish_time__range=_instants(asked.period))
    worked: dict[str, Any] = finished.aggregate(plan=Sum("est_minutes"), used=Sum("labour_seconds"), cost=Sum(_COST))
    waiting = orders.filter(status__in=(Status.TO_DO, Status.DOING))
    coming = orders.aggregate(overdue=Count("pk", filter=late())) | waiting.aggregate(
        upcoming7=Count("pk", filter=Q(due_date__gte=today, due_date__lte=today + timedelta(days=7))),
        upcoming30=Count("pk", filter=Q(due_date__gte=today, due_date__lte=today + timedelta(days=30))),
    )
    machines = machine_time.reporting(asked.departments)
    return {
        **asked.head(),
        **_counted(mine),
        "cancelled": cancelled.count(),
        **coming,
        "planMinutes": worked["plan"] or 0,
        "usedMinutes": whole_minutes(worked["used"] or 0),
        "cost": money(worked["cost"]),
        "byLevel": _by_level(mine),
        "trend": [
            {"month": name, **_counted([one for one in every if period.first <= one["due"] <= period.last])}
            for name, period in year
        ],
        "list": _nearest(waiting, today),
        "reliability": machine_time.of_all(machines, asked.period, asked.as_of).wire(),
    }


def _instants(period: Period) -> tuple[Any, Any]:
    begin, end = period.bounds()
    return begin, end - timedelta(microseconds=1)


def _months(day: date) -> list[tuple[str, Period]]:
    """Return the twelve reporting months up to that of a day."""
    year, month = periods.month_of(day)
    found = []
    for back in range(11, -1, -1):
        at = year * 12 + month - 1 - back
        found.append((f"{at // 12}-{at % 12 + 1:02d}", periods.reporting_month(at // 12, at % 12 + 1)))
    return found


def judged(orders: QuerySet[Any], first: date, last: date, today: date) -> list[dict[str, Any]]:
    """Return of each order that was due between two days and counts whether it was done, and was in time.

    What is not done and not yet past its tolerance does not count: it may still be in time.
    """
    rows = orders.filter(original_due_date__gte=first, original_due_date__lte=last).exclude(status=Status.CANCELLED)
    found = []
    columns = (
        "pk", "machine__path", "level", "original_due_date", "due_hours", "finish_time", "read_hours", "trigger_type",
        "config__cycle_value", "config__cycle_unit", "config__run_interval", "config__tolerance_percent",
    )  # fmt: skip
    for row in rows.order_by().values_list(*columns):
        pk, path, level, due, hours, finish, read, trigger, value, unit, interval, share = row
        share = share or 0
        late_by = due + timedelta(days=tolerance_days(Cycle(trigger, value=value, unit=unit, tolerance=share)))
        done = finish is not None
        if trigger == Trigger.METER and done and hours is not None and read is not None:
            in_time = float(read) < float(hours) + float(interval or 0) * share / 100
        else:
            in_time = done and local_day(finish) <= late_by
        if done or today > late_by:
            found.append({"pk": pk, "path": path, "level": level, "due": due, "done": done, "in_time": in_time})
    return found


def _counted(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the numbers of judged orders and the share that was in time."""
    in_time = sum(one["in_time"] for one in rows)
    return {
        "due": len(rows),
        "done": sum(one["done"] for one in rows),
        "onTime": in_time,
        "compliance": percent(in_time, len(rows)),
    }


def _by_level(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the numbers of each level that occurs."""
    found = []
    for level in MaintenanceLevel:
        mine = [one for one in rows if one["level"] == level]
        if mine:
            found.append({"level": int(level), "levelName": str(level.label), **_counted(mine)})
    return found


def _nearest(waiting: QuerySet[Any], today: date) -> list[dict[str, Any]]:
    """Return the orders that are due first, of those whose work is not done."""
    rows = waiting.select_related("machine", "executor").order_by("due_date", "pk")[:MOST]
    return [
        {
            "orderId": str(row.pk),
            "orderNo": row.order_no,
            "machineName": row.machine.machine_name,
            "configName": row.config_name,
            "dueDate": str(row.due_date),
            "daysLeft": (row.due_date - today).days,
            "executorName": str(row.executor) if row.executor is not None else "",
            "status": row.status,
            "statusName": str(row.get_status_display()),
        }
        for row in rows
    ]


def totals(actor: Actor, asked: Asked) -> dict[str, int]:
    """Return how many orders there are since the beginning; one statement."""
    rows = _orders(actor, asked).exclude(status=Status.CANCELLED)
    counted: dict[str, int] = rows.aggregate(
        maintainTotal=Count("pk"), maintainDone=Count("pk", filter=Q(status=Status.DONE)),
        maintainOverdue=Count("pk", filter=late()),
    )  # fmt: skip
    return counted
