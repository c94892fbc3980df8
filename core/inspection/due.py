"""When maintenance is due: pure functions of a standard's cycle and of what a plan row counts from.

Nothing here asks the clock, the database or the language of the caller.

What a row counts from is its first due date and first due counter until something has been done or left out; from then
on it is the day and the counter of that. On a fixed cycle the due dates are a grid from the first one, whenever the
work was done: dates that have passed meanwhile are skipped and never come together. After completion, they are counted
from the day of the finish. Where whichever comes first counts, both count from completion.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal

from core.inspection.cycles import CycleAnchor, CycleUnit, DueState, Trigger

_MONTHS = {CycleUnit.MONTH: 1, CycleUnit.QUARTER: 3, CycleUnit.YEAR: 12}
_DAYS = {CycleUnit.DAY: 1, CycleUnit.WEEK: 7, CycleUnit.MONTH: 30, CycleUnit.QUARTER: 91, CycleUnit.YEAR: 365}
_SHORTEST = {CycleUnit.DAY: 1, CycleUnit.WEEK: 7, CycleUnit.MONTH: 28, CycleUnit.QUARTER: 89, CycleUnit.YEAR: 365}
_STEP = Decimal("0.1")
"""Meters are read to one place."""
FURTHEST = 36_500
"""Days ahead; what is predicted for later is unknown."""
_LEAST_TOLERANCE, _MOST_TOLERANCE = 1, 7


@dataclass(frozen=True)
class Cycle:
    """How often something is maintained; `value` and `unit` where the calendar counts, `interval` where the meter."""

    trigger: int
    anchor: int = CycleAnchor.COMPLETION
    value: int | None = None
    unit: int | None = None
    interval: Decimal | None = None
    lead_days: int = 0
    lead_hours: int = 0
    tolerance: int = 0

    @property
    def by_date(self) -> bool:
        """Whether the calendar counts."""
        return self.trigger != Trigger.METER

    @property
    def by_meter(self) -> bool:
        """Whether the meter counts."""
        return self.trigger != Trigger.CALENDAR

    @property
    def fixed(self) -> bool:
        """Whether due dates lie on a grid from the first one."""
        return self.anchor == CycleAnchor.FIXED and self.trigger != Trigger.FIRST

    @property
    def near_days(self) -> int:
        """How many days ahead an order is made: less than a cycle, or what was done early would be due once more."""
        if self.value is None or self.unit is None:
            return self.lead_days
        return min(self.lead_days, _SHORTEST[CycleUnit(self.unit)] * self.value - 1)

    @property
    def near_hours(self) -> Decimal:
        """How far ahead on the meter an order is made: less than the interval."""
        return min(Decimal(self.lead_hours), (self.interval or Decimal(0)) - _STEP)


@dataclass(frozen=True)
class Basis:
    """What a row counts from."""

    first_date: date | None = None
    first_hours: Decimal | None = None
    from_date: date | None = None
    from_hours: Decimal | None = None


@dataclass(frozen=True)
class Due:
    """When something is due; both empty where nobody knows when it was last done: then it is due at once."""

    day: date | None = None
    hours: Decimal | None = None

    @property
    def at_once(self) -> bool:
        """Whether nothing says when it is due."""
        return self.day is None and self.hours is None


@dataclass(frozen=True)
class Moved:
    """A row after its work was done or left out: what it counts from, and how many due dates were skipped."""

    basis: Basis
    skipped: int = 0


# The calendar


def step(day: date, value: int, unit: int, times: int = 1) -> date:
    """Return the day so many cycles later; a month without the day gives its last one."""
    months = _MONTHS.get(CycleUnit(unit))
    if months is None:
        return day + timedelta(days=_DAYS[CycleUnit(unit)] * value * times)
    number = day.year * 12 + day.month - 1 + months * value * times
    year, month = divmod(number, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def passed(first: date, value: int, unit: int, day: date) -> int:
    """Return how many dates of the grid from `first` are not after a day."""
    if day < first:
        return 0
    months = _MONTHS.get(CycleUnit(unit))
    if months is None:
        return (day - first).days // (_DAYS[CycleUnit(unit)] * value) + 1
    number = ((day.year - first.year) * 12 + day.month - first.month) // (months * value)
    # The date of that month may lie behind the day still.
    return number + (step(first, value, unit, number) <= day)


def cycle_days(cycle: Cycle) -> int | None:
    """Return how long a cycle of the calendar is in days; a month has 30. None where the meter alone counts."""
    if not cycle.by_date or cycle.value is None or cycle.unit is None:
        return None
    return _DAYS[CycleUnit(cycle.unit)] * cycle.value


def tolerance_days(cycle: Cycle) -> int:
    """Return how many days after its date work still counts as done in time: 1 to 7."""
    days = cycle_days(cycle)
    if days is None:
        return _LEAST_TOLERANCE
    share = (Decimal(days) * cycle.tolerance / 100).to_integral_value(ROUND_HALF_UP)
    return min(max(int(share), _LEAST_TOLERANCE), _MOST_TOLERANCE)


def latest_delay(cycle: Cycle, due: date) -> date | None:
    """Return the day to which work can be delayed at most, a cycle later; None where the meter alone counts."""
    if not cycle.by_date or cycle.value is None or cycle.unit is None:
        return None
    return step(due, cycle.value, cycle.unit)


# The meter


def _multiple_above(interval: Decimal, hours: Decimal) -> Decimal:
    return ((hours / interval).to_integral_value(ROUND_FLOOR) + 1) * interval


def _multiples(interval: Decimal, after: Decimal, until: Decimal) -> int:
    """Return how many multiples lie behind one number and not behind another."""
    low, high = ((one / interval).to_integral_value(ROUND_FLOOR) for one in (after, until))
    return max(int(high - low), 0)


# What is next


def next_due(cycle: Cycle, basis: Basis) -> Due:
    """Return when a row is due next."""
    return Due(_next_date(cycle, basis), _next_hours(cycle, basis))


def _next_date(cycle: Cycle, basis: Basis) -> date | None:
    if not cycle.by_date:
        return None
    assert cycle.value is not None and cycle.unit is not None
    if basis.from_date is None:
        return basis.first_date
    if cycle.fixed and basis.first_date is not None:
        number = passed(basis.first_date, cycle.value, cycle.unit, basis.from_date)
        return step(basis.first_date, cycle.value, cycle.unit, number)
    return step(basis.from_date, cycle.value, cycle.unit)


def _next_hours(cycle: Cycle, basis: Basis) -> Decimal | None:
    if not cycle.by_meter:
        return None
    assert cycle.interval is not None
    if basis.from_hours is None:
        return basis.first_hours
    if cycle.fixed:
        return _multiple_above(cycle.interval, basis.from_hours)
    return basis.from_hours + cycle.interval


def begun(cycle: Cycle, basis: Basis, today: date, hours: Decimal) -> Basis:
    """Return the row once its first order is made: where nothing said when it is due, it has been due since then."""
    if not next_due(cycle, basis).at_once:
        return basis
    if cycle.by_date:
        return replace(basis, first_date=today)
    return replace(basis, first_hours=hours)


def is_near(cycle: Cycle, due: Due, today: date, hours: Decimal) -> bool:
    """Return whether the order of a row is to be made."""
    return due.at_once or _date_is_near(cycle, due, today) or hours_are_near(cycle, due, hours)


def _date_is_near(cycle: Cycle, due: Due, today: date) -> bool:
    return due.day is not None and due.day - timedelta(days=cycle.near_days) <= today


def hours_are_near(cycle: Cycle, due: Due, hours: Decimal) -> bool:
    """Return whether the counter is within the lead of what is due."""
    return due.hours is not None and hours >= due.hours - cycle.near_hours


def occurrence(cycle: Cycle, due: Due, today: date, hours: Decimal, daily: Decimal | None) -> Due:
    """Return what the order of a near row is due by: its date, else the counter with the day predicted for it."""
    if due.at_once:
        return Due(today)
    if _date_is_near(cycle, due, today) or due.hours is None:
        return Due(due.day)
    return Due(predicted(due.hours, hours, daily, today) or today, due.hours)


def done(cycle: Cycle, basis: Basis, day: date, hours: Decimal) -> Moved:
    """Return the row once its work was done on a day at a counter.

    On a fixed cycle what was done early stands for the date that was near; work between, asked for by hand, for none.
    """
    if not cycle.fixed:
        return Moved(replace(basis, from_date=day, from_hours=hours))
    return _along_the_grid(cycle, basis, day, hours)


def left_out(cycle: Cycle, basis: Basis, today: date, hours: Decimal) -> Moved | None:
    """Return the row once what was near is left out, itself among the skipped; None where nothing was near."""
    due = next_due(cycle, basis)
    if not is_near(cycle, due, today, hours):
        return None
    if cycle.fixed:
        moved = _along_the_grid(cycle, basis, today, hours)
        return replace(moved, skipped=moved.skipped + 1)
    if cycle.trigger == Trigger.FIRST:
        return Moved(replace(basis, from_date=today, from_hours=hours), 1)
    return Moved(replace(basis, from_date=max(today, due.day or today), from_hours=max(hours, due.hours or hours)), 1)


def _along_the_grid(cycle: Cycle, basis: Basis, day: date, hours: Decimal) -> Moved:
    due = next_due(cycle, basis)
    if cycle.by_date:
        assert cycle.value is not None and cycle.unit is not None
        first = basis.first_date or day
        pending = due.day or day
        if not _date_is_near(cycle, Due(pending), day):
            return Moved(basis)
        reached = max(day, pending)
        skipped = passed(first, cycle.value, cycle.unit, reached) - passed(first, cycle.value, cycle.unit, pending)
        return Moved(replace(basis, first_date=first, from_date=reached), skipped)
    assert cycle.interval is not None
    wanted = hours if due.hours is None else due.hours
    if not hours_are_near(cycle, Due(hours=wanted), hours):
        return Moved(basis)
    reached_hours = max(hours, wanted)
    return Moved(replace(basis, from_hours=reached_hours), _multiples(cycle.interval, wanted, reached_hours))


# What people are told


def predicted(due_hours: Decimal | None, hours: Decimal, daily: Decimal | None, today: date) -> date | None:
    """Return the day on which the counter will have come so far; None where nobody knows how much it runs a day."""
    if due_hours is None:
        return None
    if hours >= due_hours:
        return today
    if not daily or daily <= 0:
        return None
    days = int(((due_hours - hours) / daily).to_integral_value(ROUND_CEILING))
    return today + timedelta(days=days) if days <= FURTHEST else None


def state(cycle: Cycle, due: Due, today: date, hours: Decimal) -> DueState:
    """Return how near a row is: of date and counter what is nearer."""
    if due.at_once:
        return DueState.DUE
    found = DueState.NOT_DUE
    if due.day is not None:
        if today > due.day:
            found = DueState.OVERDUE
        elif today == due.day:
            found = DueState.DUE
        elif _date_is_near(cycle, due, today):
            found = DueState.NEAR
    if due.hours is not None:
        spare = (cycle.interval or Decimal(0)) * cycle.tolerance / 100
        if hours > due.hours + spare:
            found = max(found, DueState.OVERDUE)
        elif hours >= due.hours:
            found = max(found, DueState.DUE)
        elif hours_are_near(cycle, due, hours):
            found = max(found, DueState.NEAR)
    return DueState(found)


def ahead(cycle: Cycle, due: Due, today: date, until: date, hours: Decimal, daily: Decimal | None) -> list[date]:
    """Return the days until a last one on which a row falls due, as far as anybody can tell today.

    What is overdue already is due today. After completion and by the meter each next one is counted from the one
    before, as if all were done on their day.
    """
    found: list[date] = []
    day = _earliest(due, today, hours, daily)
    while day is not None and day <= until:
        found.append(day)
        day = _following(cycle, day, daily)
    return found


def _earliest(due: Due, today: date, hours: Decimal, daily: Decimal | None) -> date | None:
    if due.at_once:
        return today
    days = [one for one in (due.day, predicted(due.hours, hours, daily, today)) if one is not None]
    return max(min(days), today) if days else None


def _following(cycle: Cycle, day: date, daily: Decimal | None) -> date | None:
    days = []
    if cycle.by_date and cycle.value is not None and cycle.unit is not None:
        days.append(step(day, cycle.value, cycle.unit))
    if cycle.by_meter and cycle.interval is not None and daily and daily > 0:
        length = int((cycle.interval / daily).to_integral_value(ROUND_CEILING))
        if length <= FURTHEST:
            days.append(day + timedelta(days=max(length, 1)))
    return min(days) if days else None


def following(cycle: Cycle, day: date, today: date, until: date, daily: Decimal | None) -> list[date]:
    """Return the days until a last one on which a row falls due after an order that is still to be done."""
    later = _following(cycle, max(day, today), daily)
    return [] if later is None else ahead(cycle, Due(later), today, until, Decimal(0), daily)
