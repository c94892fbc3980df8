"""What the KPIs of an asset are made of in a period (section 4 of the domain): numbers, and the records behind each.

Orders and points of a component count for the asset that it belongs to; how long an asset stood and how often it
failed is told of the asset itself, as on the board.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Case, Count, F, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce

from core.equipment.models import Machine
from core.maintenance.models import RepairOrder
from core.maintenance.models import Status as RepairStatus
from core.metrics import machine_time, upkeep
from core.metrics.machine_time import MachineTime
from core.metrics.sums import money, percent
from core.preventive.models import MaintainOrder
from core.preventive.models import Status as MaintainStatus
from core.rounds.models import OPEN, DetailStatus, InspectOrderDetail, OrderStatus
from core.system import periods
from core.system.periods import Period

_FEW = 20
"""So many assets are named where their records are asked for; beyond, all of the period are read."""
Behind = tuple[tuple[int, float], ...]
"""Ids of records, each with what it adds: seconds, 元, or 1."""


@dataclass(frozen=True)
class Facts:
    """What the KPIs of one asset in a period are made of, or of several together."""

    time: MachineTime = field(default_factory=MachineTime)
    repair_cost: Decimal = Decimal(0)
    """元, of work orders that were completed in the period."""
    maintain_cost: Decimal = Decimal(0)
    """元, of maintenance orders that were done in the period."""
    points_due: int = 0
    """Points of inspection tasks that were checked, missed or skipped."""
    points_on_time: int = 0
    """Those of them that were checked before the planned end of their task."""
    upkeep_due: int = 0
    upkeep_on_time: int = 0

    def __add__(self, other: Facts) -> Facts:
        return Facts(
            self.time + other.time, self.repair_cost + other.repair_cost, self.maintain_cost + other.maintain_cost,
            self.points_due + other.points_due, self.points_on_time + other.points_on_time,
            self.upkeep_due + other.upkeep_due, self.upkeep_on_time + other.upkeep_on_time,
        )  # fmt: skip

    def wire(self) -> dict[str, Any]:
        """Return the KPIs, each rate with its numerator and denominator."""
        return {
            **self.time.wire(),
            "inspectDue": self.points_due,
            "inspectOnTime": self.points_on_time,
            "inspectRate": percent(self.points_on_time, self.points_due),
            "maintainDue": self.upkeep_due,
            "maintainOnTime": self.upkeep_on_time,
            "maintainRate": percent(self.upkeep_on_time, self.upkeep_due),
            "repairCost": money(self.repair_cost),
            "maintainCost": money(self.maintain_cost),
            "totalCost": money(self.repair_cost + self.maintain_cost),
        }


@dataclass(frozen=True)
class Told:
    """The facts of an asset, and by figure the records behind it; those of points where they are asked for."""

    facts: Facts = field(default_factory=Facts)
    behind: Mapping[str, Behind] = field(default_factory=dict)


def of(machines: Sequence[Machine], period: Period, as_of: datetime, *, points: bool = False) -> dict[int, Told]:
    """Return by asset what its KPIs are made of up to a moment; a constant number of statements.

    With `points` the points of inspection tasks are named too, which are many.
    """
    (found,) = of_each(machines, [period], as_of, points=points)
    return found


def of_each(
    machines: Sequence[Machine], each: Sequence[Period], as_of: datetime, *, points: bool = False
) -> list[dict[int, Told]]:
    """Return of each of these periods what `of` returns; as many statements as for one of them."""
    begun = [period for period in each if period.bounds()[0] < as_of]
    if not begun or not machines:
        return [{one.pk: Told() for one in machines} for _period in each]
    first, last = min(period.first for period in begun), max(period.last for period in begun)
    begin, end = periods.midnight(first), min(Period(first, last).bounds()[1], as_of)
    wanted = {one.pk for one in machines}
    near = _near(machines)
    repairs = _costs(
        RepairOrder.objects.filter(near, finish_time__gte=begin, finish_time__lt=end)
        .exclude(status=RepairStatus.CANCELLED)
        .annotate(cost=F("labour_cost") + F("spare_cost") + F("outsource_cost") + F("other_cost")),
        wanted,
    )
    upkeeps = _costs(
        MaintainOrder.objects.filter(near, status=MaintainStatus.DONE, finish_time__gte=begin, finish_time__lt=end)
        .annotate(cost=F("labour_cost") + F("spare_cost") + F("other_cost")),
        wanted,
    )  # fmt: skip
    judged = [
        (one["due"], owner, one["pk"], one["in_time"])
        for one in upkeep.judged(MaintainOrder.objects.filter(near), first, last, periods.today())
        if (owner := _owner(one["path"], wanted)) is not None
    ]
    due_rows = due_points(begun, as_of).filter(near)
    counted = _points(due_rows, begun, wanted)
    named = _named_points(due_rows, wanted) if points else []
    looked = machine_time.looked_at_each(machines, each, as_of)
    return [
        _told(period, wanted, time, repairs, upkeeps, judged, counted[period], named)
        if period in begun
        else {pk: Told() for pk in wanted}
        for period, time in zip(each, looked, strict=True)
    ]


_Cost = tuple[datetime, int, int, Decimal]
"""When an order was finished, the asset that it counts for, its id, and what it cost."""


def _told(
    period: Period, wanted: set[int], looked: Mapping[int, machine_time.Looked], repairs: Sequence[_Cost],
    upkeeps: Sequence[_Cost], judged: Sequence[tuple[date, int, int, bool]],
    due: Mapping[int, tuple[int, int]], named: Sequence[tuple[date, int, int, bool]],
) -> dict[int, Told]:  # fmt: skip
    """Return by asset what is told of it in a period, from what was read of a longer one."""
    begin, end = period.bounds()
    mine: dict[str, dict[int, list[tuple[int, Any]]]] = {
        "repair": defaultdict(list), "upkeep": defaultdict(list), "judged": defaultdict(list),
        "points": defaultdict(list),
    }  # fmt: skip
    for name, costs in (("repair", repairs), ("upkeep", upkeeps)):
        for at, owner, pk, cost in costs:
            if begin <= at < end:
                mine[name][owner].append((pk, cost))
    for name, rows in (("judged", judged), ("points", named)):
        for day, owner, pk, good in rows:
            if period.first <= day <= period.last:
                mine[name][owner].append((pk, good))
    found = {}
    for pk in wanted:
        time, plans, spots = looked[pk], mine["judged"].get(pk, []), mine["points"].get(pk, [])
        spent, kept = mine["repair"].get(pk, []), mine["upkeep"].get(pk, [])
        found[pk] = Told(
            Facts(
                time.time, sum((cost for _pk, cost in spent), Decimal(0)),
                sum((cost for _pk, cost in kept), Decimal(0)),
                *due.get(pk, (0, 0)), len(plans), sum(in_time for _pk, in_time in plans),
            ),
            {
                "failures": tuple((order, 1) for order in time.failed.began),
                "repaired": time.failed.finished,
                "down": time.stops,
                "repairCost": tuple((order, float(cost)) for order, cost in spent if cost),
                "maintainCost": tuple((order, float(cost)) for order, cost in kept if cost),
                "maintainDue": tuple((order, 1) for order, _in_time in plans),
                "maintainOnTime": tuple((order, 1) for order, in_time in plans if in_time),
                "inspectDue": tuple((point, 1) for point, _on_time in spots),
                "inspectOnTime": tuple((point, 1) for point, on_time in spots if on_time),
            },
        )  # fmt: skip
    return found


def _owner(path: str, wanted: set[int]) -> int | None:
    """Return the asset that a record at this place of the tree counts for: the lowest of them on the way to it."""
    return next((pk for step in reversed(path.strip("/").split("/")) if (pk := int(step)) in wanted), None)


def _near(machines: Sequence[Machine]) -> Q:
    """Return the condition of records at one of a few assets or below it; no condition where there are many."""
    if len(machines) > _FEW:
        return Q()
    return reduce(or_, (Q(machine__path__startswith=one.path) for one in machines))


def _costs(rows: QuerySet[Any], wanted: set[int]) -> list[_Cost]:
    """Return the orders of these assets with their cost, by the moment when they were finished; one statement."""
    found = []
    for pk, path, at, cost in rows.order_by("finish_time", "pk").values_list(
        "pk", "machine__path", "finish_time", "cost"
    ):
        if (owner := _owner(path, wanted)) is not None:
            # SQLite adds decimals as floating-point numbers.
            found.append((at, owner, pk, Decimal(cost).quantize(Decimal("0.01"))))
    return found


def due_points(each: Sequence[Period], as_of: datetime) -> QuerySet[Any]:
    """Return the points that were due in periods by business date: checked, missed or skipped, of tasks that count."""
    counts = Q(pk__in=[])
    for period in each:
        known = min(period.bounds()[1], as_of)
        ended = Q(order__status__in=(OrderStatus.DONE, OrderStatus.MISSED))
        ended |= Q(order__status__in=OPEN, order__deadline__lt=known)
        counts |= Q(ended, order__business_date__gte=period.first, order__business_date__lte=period.last)
    rows: QuerySet[Any] = InspectOrderDetail.objects.filter(
        counts, status__in=(DetailStatus.CHECKED, DetailStatus.MISSED, DetailStatus.SKIPPED)
    ).annotate(checked=Coalesce("client_time", "submit_time"))
    return rows


ON_TIME = Q(status=DetailStatus.CHECKED, checked__lte=F("order__plan_end"))
"""Of due points: checked before the planned end of the task."""


def _points(rows: QuerySet[Any], each: Sequence[Period], wanted: set[int]) -> dict[Period, dict[int, tuple[int, int]]]:
    """Return by period and asset how many points were due, and how many were checked in time; one statement."""
    found: dict[Period, dict[int, tuple[int, int]]] = {period: {} for period in each}
    bucket = Case(
        *(
            When(order__business_date__gte=period.first, order__business_date__lte=period.last, then=Value(number))
            for number, period in enumerate(each)
        ),
        output_field=IntegerField(),
    )
    counted: QuerySet[Any] = rows.order_by().annotate(bucket=bucket).values("bucket", "machine__path").annotate(
        due=Count("pk"), on_time=Count("pk", filter=ON_TIME)
    )  # fmt: skip
    for row in counted:
        if (owner := _owner(row["machine__path"], wanted)) is not None:
            mine = found[each[row["bucket"]]]
            due, on_time = mine.get(owner, (0, 0))
            mine[owner] = (due + row["due"], on_time + row["on_time"])
    return found


def _named_points(rows: QuerySet[Any], wanted: set[int]) -> list[tuple[date, int, int, bool]]:
    """Return day, asset and id of the due points, and whether each was checked in time, the latest first; one
    statement."""
    named = rows.annotate(on_time=Case(When(ON_TIME, then=Value(True)), default=Value(False)))
    ordered = named.order_by("-order__business_date", "-pk")
    return [
        (day, owner, pk, bool(on_time))
        for pk, path, day, on_time in ordered.values_list("pk", "machine__path", "order__business_date", "on_time")
        if (owner := _owner(path, wanted)) is not None
    ]
