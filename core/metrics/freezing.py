"""Reporting months are frozen some days after their end: their KPIs are stored, and read from there ever after."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Min, QuerySet

from core.equipment.models import Machine, NodeType
from core.metrics.facts import Facts, Told
from core.metrics.machine_time import MachineTime
from core.metrics.models import AssetMonth, FrozenMonth
from core.metrics.ones import One, told_of
from core.scheduling.schedule import Counts
from core.system import parameters, periods
from core.system.periods import Period

BACK = 12
"""So many months before the present one are frozen, where that has not been done; none from before the first asset was
entered."""
_TIME = ("planned", "planned_stop", "down", "failures", "repair_seconds", "repaired")
_REST = (
    "repair_cost", "maintain_cost", "points_due", "points_on_time", "upkeep_due", "upkeep_on_time",
)  # fmt: skip


def freeze_tenant() -> Counts:
    """Freeze the months of the tenant in scope whose grace has passed; return how many, and of how many assets."""
    today, grace = periods.today(), timedelta(days=parameters.grace_days())
    year, month = periods.month_of(today)
    known = set(FrozenMonth.objects.values_list("year", "month"))
    machines = list(Machine.objects.filter(node_type=NodeType.MACHINE).order_by("machine_code", "pk"))
    entered = Machine.with_removed.aggregate(first=Min("create_time"))["first"]
    created = handled = 0
    for back in range(BACK, 0, -1):
        at = year * 12 + month - 1 - back
        named = (at // 12, at % 12 + 1)
        period = periods.reporting_month(*named)
        if named in known or period.last + grace >= today or entered is None or period.bounds()[1] <= entered:
            continue
        ones = told_of(machines, period, points=True)
        with transaction.atomic():
            frozen, is_new = FrozenMonth.objects.get_or_create(
                year=named[0], month=named[1], defaults={"first": period.first, "last": period.last}
            )
            if not is_new:  # another worker was first
                continue
            AssetMonth.objects.bulk_create([_row(frozen, one) for one in ones], batch_size=500)
        created += 1
        handled += len(ones)
    return Counts(handled=handled, created=created)


def _row(frozen: FrozenMonth, one: One) -> AssetMonth:
    facts: Facts = one.told.facts
    return AssetMonth(
        frozen=frozen,
        machine_id=one.pk,
        machine_code=one.code,
        machine_name=one.name,
        type_id=one.type_id,
        dept_id=one.dept_id,
        **{name: getattr(facts.time, name) for name in _TIME},
        **{name: getattr(facts, name) for name in _REST},
        behind={figure: [list(pair) for pair in pairs] for figure, pairs in one.told.behind.items() if pairs},
    )


def told(row: AssetMonth, *, behind: bool) -> Told:
    """Return what a frozen row tells, with the records behind it where these are asked for."""
    time = MachineTime(**{name: getattr(row, name) for name in _TIME})
    rest = {name: getattr(row, name) for name in _REST}
    rest |= {name: Decimal(rest[name]).quantize(Decimal("0.01")) for name in ("repair_cost", "maintain_cost")}
    kept: Mapping[str, Any] = row.behind if behind else {}
    return Told(Facts(time, **rest), {name: tuple(map(tuple, pairs)) for name, pairs in kept.items()})


def months(named: set[tuple[int, int]]) -> dict[tuple[int, int], FrozenMonth]:
    """Return those of these reporting months that are frozen; one statement."""
    years = {year for year, _month in named}
    rows = FrozenMonth.objects.filter(year__in=years)
    return {(row.year, row.month): row for row in rows if (row.year, row.month) in named}


def month_of_days(period: Period) -> FrozenMonth | None:
    """Return the frozen month that has just these days."""
    return FrozenMonth.objects.filter(first=period.first, last=period.last).first()


def assets(months: Collection[FrozenMonth], *, behind: bool) -> QuerySet[AssetMonth]:
    """Return what was told of the assets of frozen months."""
    rows = AssetMonth.objects.filter(frozen__in=months).order_by("machine_code", "machine_id")
    return rows if behind else rows.defer("behind")


def day_of(month: FrozenMonth) -> date:
    """Return the day on which a month was frozen."""
    return periods.local_day(month.frozen_time)


def period_of(month: FrozenMonth) -> Period:
    """Return the days of a frozen month."""
    return Period(month.first, month.last)
