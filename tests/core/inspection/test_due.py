"""When maintenance is due: the worked examples, the edges, and many standards beside a slow count of days."""

from __future__ import annotations

import os
import random
from bisect import bisect_right
from calendar import monthrange
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest

from core.inspection import due
from core.inspection.cycles import CycleAnchor, CycleUnit, DueState, Trigger
from core.inspection.due import Basis, Cycle, Due

DAY = timedelta(days=1)
ZERO = Decimal(0)
MANY = int(os.environ.get("DUE_STANDARDS", "100"))
"""How many standards are followed through five years; 10,000 for the whole."""


def calendar(value: int, unit: int, anchor: int = CycleAnchor.FIXED, lead: int = 3, tolerance: int = 10) -> Cycle:
    """Return a cycle of the calendar."""
    return Cycle(Trigger.CALENDAR, anchor, value, unit, lead_days=lead, tolerance=tolerance)


def meter(interval: str, anchor: int = CycleAnchor.COMPLETION, lead: int = 24) -> Cycle:
    """Return a cycle of the meter."""
    return Cycle(Trigger.METER, anchor, interval=Decimal(interval), lead_hours=lead, tolerance=10)


def test_a_fixed_month_keeps_its_grid() -> None:
    monthly, basis = calendar(1, CycleUnit.MONTH), Basis(date(2026, 1, 31))
    assert [due.step(date(2026, 1, 31), 1, CycleUnit.MONTH, k) for k in range(4)] == [
        date(2026, 1, 31), date(2026, 2, 28), date(2026, 3, 31), date(2026, 4, 30),
    ]  # fmt: skip
    january = due.done(monthly, basis, date(2026, 1, 31), ZERO)
    assert due.next_due(monthly, january.basis).day == date(2026, 2, 28)
    late = due.done(monthly, january.basis, date(2026, 3, 5), ZERO)
    assert (due.next_due(monthly, late.basis).day, late.skipped) == (date(2026, 3, 31), 0)
    later = due.done(monthly, january.basis, date(2026, 4, 2), ZERO)
    assert (due.next_due(monthly, later.basis).day, later.skipped) == (date(2026, 4, 30), 1)
    assert due.step(date(2024, 1, 31), 1, CycleUnit.MONTH) == date(2024, 2, 29)
    assert due.step(date(2024, 2, 29), 1, CycleUnit.YEAR) == date(2025, 2, 28)


def test_after_completion_counts_from_the_finish() -> None:
    monthly = calendar(1, CycleUnit.MONTH, CycleAnchor.COMPLETION)
    moved = due.done(monthly, Basis(date(2026, 2, 28)), date(2026, 3, 5), ZERO)
    assert (due.next_due(monthly, moved.basis).day, moved.skipped) == (date(2026, 4, 5), 0)
    early = due.done(monthly, Basis(date(2026, 3, 8)), date(2026, 3, 5), ZERO)
    assert due.next_due(monthly, early.basis).day == date(2026, 4, 5)


@pytest.mark.parametrize(
    ("day", "found", "skipped"),
    [
        (date(2026, 3, 28), date(2026, 4, 30), 0),  # within the lead: it is the date's own work, done early
        (date(2026, 3, 27), date(2026, 3, 31), 0),  # before it: asked for by hand, the date stands
        (date(2026, 3, 31), date(2026, 4, 30), 0),
        (date(2026, 4, 30), date(2026, 5, 31), 1),
    ],
)
def test_early_work_on_a_fixed_cycle(day: date, found: date, skipped: int) -> None:
    monthly = calendar(1, CycleUnit.MONTH)
    basis = Basis(date(2026, 1, 31), from_date=date(2026, 2, 28))
    moved = due.done(monthly, basis, day, ZERO)
    assert (due.next_due(monthly, moved.basis).day, moved.skipped) == (found, skipped)


def test_the_meter() -> None:
    from_completion, fixed = meter("500"), meter("500", CycleAnchor.FIXED)
    basis = Basis(first_hours=Decimal(500))
    for hours, next_completion, next_fixed, skipped in (
        ("500", "1000", "1000", 0), ("480", "980", "1000", 0), ("612.5", "1112.5", "1000", 0),
        ("1000", "1500", "1500", 1), ("1790", "2290", "2000", 2),
    ):  # fmt: skip
        moved = due.done(from_completion, basis, date(2026, 3, 1), Decimal(hours))
        assert due.next_due(from_completion, moved.basis) == Due(None, Decimal(next_completion))
        moved = due.done(fixed, basis, date(2026, 3, 1), Decimal(hours))
        assert due.next_due(fixed, moved.basis) == Due(None, Decimal(next_fixed)), hours
        assert moved.skipped == skipped
    by_hand = due.done(fixed, basis, date(2026, 3, 1), Decimal(470))
    assert due.next_due(fixed, by_hand.basis).hours == 500


def test_whichever_comes_first_restarts_both() -> None:
    both = Cycle(Trigger.FIRST, CycleAnchor.FIXED, 6, CycleUnit.MONTH, Decimal(2000), lead_days=3, lead_hours=24)
    basis = Basis(date(2026, 7, 1), Decimal(2000))
    assert due.is_near(both, due.next_due(both, basis), date(2026, 3, 1), Decimal(1976))
    assert not due.is_near(both, due.next_due(both, basis), date(2026, 3, 1), Decimal("1975.9"))
    moved = due.done(both, basis, date(2026, 3, 2), Decimal(1990))
    assert due.next_due(both, moved.basis) == Due(date(2026, 9, 2), Decimal(3990))


def test_what_is_predicted() -> None:
    today = date(2026, 11, 28)
    hours, daily = Decimal("1876.5"), Decimal("16.4")
    assert due.predicted(Decimal(2000), hours, daily, today) == date(2026, 12, 6)
    assert due.predicted(Decimal(1876), hours, daily, today) == today
    assert due.predicted(Decimal("1876.5"), hours, None, today) == today
    assert due.predicted(Decimal(2000), hours, None, today) is None
    assert due.predicted(Decimal(2000), hours, ZERO, today) is None
    assert due.predicted(None, hours, daily, today) is None
    assert due.predicted(Decimal(99_999_999), hours, Decimal("0.1"), today) is None


@pytest.mark.parametrize(
    ("value", "unit", "percent", "days"),
    [
        (30, CycleUnit.DAY, 10, 3), (7, CycleUnit.DAY, 10, 1), (1, CycleUnit.YEAR, 10, 7), (1, CycleUnit.WEEK, 50, 4),
        (1, CycleUnit.MONTH, 0, 1), (15, CycleUnit.DAY, 10, 2),
    ],
)  # fmt: skip
def test_tolerance(value: int, unit: int, percent: int, days: int) -> None:
    assert due.tolerance_days(calendar(value, unit, tolerance=percent)) == days


def test_how_near_it_is() -> None:
    today, monthly = date(2026, 11, 28), calendar(1, CycleUnit.MONTH)
    said = [due.state(monthly, Due(today + DAY * n), today, ZERO) for n in (4, 3, 0, -1)]
    assert said == [DueState.NOT_DUE, DueState.NEAR, DueState.DUE, DueState.OVERDUE]
    by_meter = meter("500")
    said = [due.state(by_meter, Due(None, Decimal(500)), today, Decimal(n)) for n in (475, 476, 500, 550, "550.1")]
    assert said == [DueState.NOT_DUE, DueState.NEAR, DueState.DUE, DueState.DUE, DueState.OVERDUE]
    assert due.state(monthly, Due(), today, ZERO) == DueState.DUE


def test_what_was_never_done_and_has_no_first_date_is_due_today() -> None:
    today, monthly = date(2026, 11, 28), calendar(1, CycleUnit.MONTH)
    assert due.is_near(monthly, due.next_due(monthly, Basis()), today, ZERO)
    assert due.occurrence(monthly, Due(), today, ZERO, None) == Due(today)
    begun = due.begun(monthly, Basis(), today, ZERO)
    assert due.next_due(monthly, begun) == Due(today)
    assert due.next_due(monthly, due.done(monthly, begun, today + DAY * 2, ZERO).basis).day == date(2026, 12, 28)
    read = due.begun(meter("500"), Basis(), today, Decimal("1234.5"))
    assert due.next_due(meter("500"), read) == Due(None, Decimal("1234.5"))
    known = Basis(date(2026, 12, 24))
    assert due.begun(monthly, known, today, ZERO) == known


def test_what_is_left_out_moves_on() -> None:
    monthly, basis = calendar(1, CycleUnit.MONTH), Basis(date(2026, 1, 31))
    moved = due.left_out(monthly, basis, date(2026, 1, 29), ZERO)
    assert moved is not None
    assert (due.next_due(monthly, moved.basis).day, moved.skipped) == (date(2026, 2, 28), 1)
    moved = due.left_out(monthly, basis, date(2026, 3, 2), ZERO)
    assert moved is not None
    assert (due.next_due(monthly, moved.basis).day, moved.skipped) == (date(2026, 3, 31), 2)
    assert due.left_out(monthly, basis, date(2026, 1, 20), ZERO) is None
    completion = calendar(1, CycleUnit.MONTH, CycleAnchor.COMPLETION)
    moved = due.left_out(completion, basis, date(2026, 1, 29), ZERO)
    assert moved is not None
    assert (due.next_due(completion, moved.basis).day, moved.skipped) == (date(2026, 2, 28), 1)


def test_the_lead_is_shorter_than_the_cycle() -> None:
    daily, today = calendar(1, CycleUnit.DAY, CycleAnchor.COMPLETION), date(2026, 11, 28)
    assert not due.is_near(daily, Due(today + DAY), today, ZERO)
    assert due.is_near(daily, Due(today), today, ZERO)
    assert not due.hours_are_near(meter("10"), Due(None, Decimal(20)), Decimal(10))
    assert due.hours_are_near(meter("10"), Due(None, Decimal(20)), Decimal("10.1"))


def test_a_delay_is_a_cycle_at_most() -> None:
    assert due.latest_delay(calendar(1, CycleUnit.MONTH), date(2026, 1, 31)) == date(2026, 2, 28)
    assert due.latest_delay(meter("500"), date(2026, 1, 31)) is None


# Beside a slow count: each day is looked at, each month's day is found by walking.


def slow_grid(first: date, value: int, unit: int, until: date) -> list[date]:
    """Return the dates of a grid by walking from each to the next, one day or one month after the other."""
    found, day, (year, month) = [], first, (first.year, first.month)
    while day <= until:
        found.append(day)
        if unit in (CycleUnit.DAY, CycleUnit.WEEK):
            day += DAY * value * (7 if unit == CycleUnit.WEEK else 1)
            continue
        for _ in range(value * {CycleUnit.MONTH: 1, CycleUnit.QUARTER: 3, CycleUnit.YEAR: 12}[CycleUnit(unit)]):
            year, month = (year, month + 1) if month < 12 else (year + 1, 1)
        day = date(year, month, min(first.day, monthrange(year, month)[1]))
    return found


def slow_after(day: date, value: int, unit: int) -> date:
    """Return the day one cycle later, by walking."""
    return slow_grid(day, value, unit, day + DAY * 2000)[1]


def a_life(dice: random.Random) -> dict[str, Any]:
    """Return a standard, its first date, and when nothing ran for 40 days."""
    unit = dice.choice(list(CycleUnit))
    most = {CycleUnit.DAY: 60, CycleUnit.WEEK: 12, CycleUnit.MONTH: 12, CycleUnit.QUARTER: 4, CycleUnit.YEAR: 2}
    first = date(2026, 1, 1) + DAY * dice.randrange(365)
    anchor = dice.choice(list(CycleAnchor))
    return {
        "cycle": calendar(dice.randint(1, most[unit]), unit, anchor, dice.choice((0, 1, 3, 10))),
        "first": first,
        "still": first + DAY * dice.randrange(1400),
        "wait": dice.choice((0, 1, 5, 45)),
    }


@pytest.mark.parametrize("seed", range(10))
def test_many_standards_over_five_years(seed: int) -> None:
    """What falls due in five years is made once, or counted as skipped: none piled up, none lost."""
    dice = random.Random(seed)
    for number in range(MANY // 10):
        life = a_life(dice)
        cycle, first, still = life["cycle"], life["first"], life["still"]
        end = date(2031, 1, 1)
        grid = slow_grid(first, cycle.value, cycle.unit, end + DAY * 1000)
        basis, open_due, finish, made, skipped = Basis(first), None, None, [], 0
        expected = first
        today = date(2026, 1, 1)
        while today < end:
            runs = not still <= today < still + DAY * 40
            if open_due is None and runs and due.is_near(cycle, due.next_due(cycle, basis), today, ZERO):
                open_due = due.occurrence(cycle, due.next_due(cycle, basis), today, ZERO, None).day
                assert open_due == expected, (seed, number)
                made.append(open_due)
                finish = max(today, open_due + DAY * dice.randint(-cycle.near_days, life["wait"]))
            if finish == today and open_due is not None:
                moved = due.done(cycle, basis, today, ZERO)
                basis, skipped = moved.basis, skipped + moved.skipped
                if cycle.fixed:
                    expected = grid[bisect_right(grid, max(open_due, today))]
                else:
                    expected = slow_after(today, cycle.value, cycle.unit)
                assert due.next_due(cycle, basis).day == expected, (seed, number)
                open_due = finish = None
            today += DAY
        assert len(set(made)) == len(made)
        assert made, (seed, number)
        if cycle.fixed:  # each date of the grid has an order, or was skipped
            last = made[-1] if open_due is not None else due.next_due(cycle, basis).day
            assert last is not None
            behind = [day for day in grid if day < last] + ([last] if open_due is not None else [])
            assert len(made) + skipped == len(behind), (seed, number)
        # Once the job runs again, what was due meanwhile is there on that day.
        assert all(later > earlier for earlier, later in pairwise(made))
