"""How much of what was due was inspected, and how much of what was found was abnormal.

A rate is a part of a whole, and both parts are kept: whoever puts routes together adds these first and divides then.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Count, Q, QuerySet

from core import ports
from core.kernel import clock
from core.rounds.models import (
    OPEN,
    DetailStatus,
    Finding,
    InspectOrder,
    InspectOrderDetail,
    InspectOrderRecord,
    OrderStatus,
)
from core.system.periods import today

DAYS = 30
"""Of `completionRate30`: so many business dates, today the last of them."""
CLOSED_WITHIN = timedelta(days=7)
"""In which an abnormal result is to be repaired; younger ones do not count yet."""


@dataclass(frozen=True)
class Rate:
    """A part of a whole."""

    part: int
    whole: int

    @property
    def percent(self) -> float | None:
        """The rate in percent with one decimal, half up; None of nothing."""
        return (self.part * 2000 + self.whole) // (2 * self.whole) / 10 if self.whole else None


@dataclass(frozen=True)
class Figures:
    """What rates are made of."""

    due: int = 0
    """Tasks that are done, missed, or open behind their deadline; neither exempt nor void ones."""
    done: int = 0
    on_time: int = 0
    missed: int = 0
    """Marked so: what is open behind its deadline is due, and missed when the next sweep has seen it."""
    exempt: int = 0
    points_due: int = 0
    """Points of these tasks that were checked, missed or skipped."""
    points_done: int = 0
    judged: int = 0
    """Results that are normal, a warning or abnormal."""
    warnings: int = 0
    abnormal: int = 0
    """Without those that were false alarms."""
    to_close: int = 0
    """Abnormal results that are older than a week, without false alarms."""
    closed: int = 0
    """Those of them whose work order was closed within a week."""

    @property
    def completion(self) -> Rate:
        """Done of due."""
        return Rate(self.done, self.due)

    @property
    def timeliness(self) -> Rate:
        """Done until the planned end, of due."""
        return Rate(self.on_time, self.due)

    @property
    def misses(self) -> Rate:
        """Missed of due."""
        return Rate(self.missed, self.due)

    @property
    def points(self) -> Rate:
        """Points checked of those due."""
        return Rate(self.points_done, self.points_due)

    @property
    def abnormality(self) -> Rate:
        """Abnormal of judged."""
        return Rate(self.abnormal, self.judged)

    @property
    def closure(self) -> Rate:
        """Abnormal results whose work order was closed within a week, of those that are older."""
        return Rate(self.closed, self.to_close)

    @property
    def warning(self) -> Rate:
        """Warnings of judged."""
        return Rate(self.warnings, self.judged)


def _due(now: datetime) -> Q:
    """Return the condition of tasks that count at a moment."""
    return Q(status__in=(OrderStatus.DONE, OrderStatus.MISSED)) | Q(status__in=OPEN, deadline__lt=now)


def of_routes(group_ids: Collection[int], first: date, last: date, now: datetime) -> dict[int, Figures]:
    """Return the figures of routes over business dates, both included, as of a moment; five statements at most.

    A night shift counts for the day on which it began, with all of its points and results.
    """
    tasks = InspectOrder.objects.filter(group__in=group_ids, business_date__gte=first, business_date__lte=last)
    due, done = _due(now), Q(status=OrderStatus.DONE)
    counted: QuerySet[Any] = tasks.order_by().values("group_id").annotate(
        due=Count("pk", filter=due), done=Count("pk", filter=done),
        on_time=Count("pk", filter=done & Q(is_late=False)), missed=Count("pk", filter=Q(status=OrderStatus.MISSED)),
        exempt=Count("pk", filter=Q(status=OrderStatus.EXEMPT)),
    )  # fmt: skip
    found: dict[int, dict[str, int]] = {pk: {} for pk in group_ids}
    for row in counted:
        found[row.pop("group_id")] |= row
    ids = tasks.filter(due).values("pk")
    checked = Q(status=DetailStatus.CHECKED)
    points = InspectOrderDetail.objects.filter(order__in=ids).order_by().values("order__group_id")
    for row in points.annotate(
        points_due=Count("pk", filter=checked | Q(status__in=(DetailStatus.MISSED, DetailStatus.SKIPPED))),
        points_done=Count("pk", filter=checked),
    ):
        found[row.pop("order__group_id")] |= row
    judged = Q(result__in=(Finding.NORMAL, Finding.WARNING, Finding.ABNORMAL))
    records = InspectOrderRecord.objects.filter(order__in=tasks.values("pk")).order_by().values("order__group_id")
    for row in records.annotate(
        judged=Count("pk", filter=judged), warnings=Count("pk", filter=Q(result=Finding.WARNING)),
        abnormal=Count("pk", filter=Q(result=Finding.ABNORMAL, false_alarm=False)),
    ):  # fmt: skip
        found[row.pop("order__group_id")] |= row
    for pk, numbers in _closures(records, now).items():
        found[pk] |= numbers
    return {pk: Figures(**numbers) for pk, numbers in found.items()}


def _closures(records: QuerySet[Any], now: datetime) -> dict[int, dict[str, int]]:
    """Return by route how many abnormal results are to be closed by now, and how many were in time."""
    rows = InspectOrderRecord.objects.filter(
        pk__in=records.values("pk"), result=Finding.ABNORMAL, false_alarm=False, check_time__lt=now - CLOSED_WITHIN
    ).values_list("order__group_id", "check_time", "repair_order_id")
    old = list(rows)
    states = ports.repairs.states({order_id for _group, _time, order_id in old if order_id is not None})
    found: dict[int, dict[str, int]] = {}
    for group_id, time, order_id in old:
        numbers = found.setdefault(group_id, {"to_close": 0, "closed": 0})
        numbers["to_close"] += 1
        closed = states[order_id].close_time if order_id in states else None
        numbers["closed"] += closed is not None and closed <= time + CLOSED_WITHIN
    return found


def completion30(group_ids: Collection[int]) -> dict[int, float | None]:
    """Return by route how many percent of the tasks of the last 30 days were done; one statement."""
    now, last = clock.now(), today()
    tasks = InspectOrder.objects.filter(
        group__in=group_ids, business_date__gt=last - timedelta(days=DAYS), business_date__lte=last
    )
    counted: QuerySet[Any] = tasks.order_by().values("group_id").annotate(
        due=Count("pk", filter=_due(now)), done=Count("pk", filter=Q(status=OrderStatus.DONE))
    )  # fmt: skip
    found: dict[int, float | None] = dict.fromkeys(group_ids)
    found.update({row["group_id"]: Rate(row["done"], row["due"]).percent for row in counted})
    return found
