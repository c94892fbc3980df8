"""How long assets ran: the worked example of the specification, and its edges (4.1 to 4.5, 4.13)."""

from __future__ import annotations

import itertools
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core.equipment.models import Machine, RestType, RunState, StateChange, Stoppage
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder, Status
from core.metrics import machine_time
from core.metrics.machine_time import MachineTime
from core.shifts.models import Plan, Shift
from core.system.periods import Period
from tests.cast import A, Cast
from tests.core.shifts.planning import made

ZONE = ZoneInfo("Asia/Shanghai")
JUNE = Period(date(2026, 6, 1), date(2026, 6, 30))
"""30 days around the clock, 43,200 minutes."""
_numbers = itertools.count(1)


def day(number: int, hour: float = 0) -> datetime:
    """Return a moment of June 2026."""
    return datetime(2026, 6, 1, tzinfo=ZONE) + timedelta(days=number - 1, hours=hour)


def stand(machine: Machine, begin: datetime, minutes: float | None, kind: RestType = RestType.BREAKDOWN) -> None:
    """Let an asset stand; without minutes it still does."""
    end = None if minutes is None else begin + timedelta(minutes=minutes)
    Stoppage.objects.create(
        machine=machine, rest_no=f"TJ{next(_numbers)}", rest_type=kind, start_time=begin, end_time=end
    )


def fail(machine: Machine, begin: datetime, minutes: float, **more: Any) -> None:
    """Let an asset fail, and stand for it; repaired in half of the time."""
    end = begin + timedelta(minutes=minutes)
    stand(machine, begin, minutes)
    values = {
        "order_no": f"WX{next(_numbers)}", "status": Status.CLOSED, "machine": machine, "dept": machine.dept,
        "description": "主轴异响", "title": "主轴异响", "report_time": begin, "is_stop": True, "stop_start": begin,
        "stop_end": end, "finish_time": end, "repair_seconds": round(minutes * 30), **more,
    }  # fmt: skip
    RepairOrder.objects.create(**values)


def figures(machine: Machine, period: Period = JUNE, at: datetime | None = None) -> MachineTime:
    """Return the time of an asset, asked at a moment, else after the period."""
    end = period.bounds()[1]
    with clock.at(at or end):
        return machine_time.of([machine], period, min(end, at or end))[machine.pk]


@pytest.fixture
def machine(cast: Cast) -> Any:
    """An asset whose department has no shift plan."""
    with tenant_scope(A):
        yield Machine.objects.get(machine_code="M1")


def test_the_worked_example(machine: Machine) -> None:
    stand(machine, day(3), 2880, RestType.PLANNED)
    for number, minutes in enumerate((100, 150, 200, 150)):
        fail(machine, day(10 + number), minutes)
    assert figures(machine).wire() == {
        "mtbfHours": 165.5, "mttrMinutes": 75, "availability": 98.5, "failures": 4, "upMinutes": 39_720,
        "downMinutes": 600, "plannedStopMinutes": 2_880, "plannedMinutes": 43_200, "repaired": 4,
    }  # fmt: skip


def test_of_several_assets_the_parts_are_added_before_they_are_divided(machine: Machine) -> None:
    one, other = MachineTime(planned=36_000, down=3_600, failures=1), MachineTime(planned=360_000, failures=1)
    both = (one + other).wire()
    assert (both["availability"], both["mtbfHours"]) == (99.1, 54.5)
    assert (one.wire()["availability"], one.wire()["mtbfHours"]) == (90.0, 9.0)


def test_nothing_to_divide_by_is_null(machine: Machine) -> None:
    whole = figures(machine).wire()
    assert (whole["mtbfHours"], whole["mttrMinutes"], whole["availability"], whole["upMinutes"]) == (
        None, None, 100.0, 43_200,
    )  # fmt: skip
    future = figures(machine, at=day(-5)).wire()
    assert (future["availability"], future["plannedMinutes"], future["failures"]) == (None, 0, 0)


def test_an_asset_counts_from_its_first_day_to_its_last(machine: Machine) -> None:
    machine.in_service_date, machine.scrap_date = date(2026, 6, 11), date(2026, 6, 21)
    fail(machine, day(9), 60)
    fail(machine, day(15), 60)
    found = figures(machine)
    assert (found.planned / 60, found.down / 60) == (14_400, 60)
    machine.in_service_date = date(2026, 7, 1)
    machine.scrap_date = None
    assert figures(machine).planned == 0


def test_what_is_open_lasts_until_now_and_overlaps_count_once(machine: Machine) -> None:
    stand(machine, day(5), None)
    stand(machine, day(4, 12), 24 * 60)
    found = figures(machine, at=day(6))
    assert (found.planned / 60, found.down / 60) == (5 * 1440, 36 * 60)


def test_planned_wins_over_a_breakdown_and_a_failure_in_it_is_still_one(machine: Machine) -> None:
    stand(machine, day(5), 600, RestType.MAINTENANCE)
    fail(machine, day(5, 5), 600)
    found = figures(machine)
    assert (found.planned_stop / 60, found.down / 60, found.failures) == (600, 300, 1)


def test_what_comes_back_overlaps_or_was_cancelled_is_no_failure_of_its_own(machine: Machine) -> None:
    fail(machine, day(5), 60)
    fail(machine, day(5, 0.5), 60)
    fail(machine, day(7), 60, repeat_count=1)
    fail(machine, day(8), 60, status=Status.CANCELLED)
    fail(machine, day(9), 60, is_stop=False)
    assert figures(machine).failures == 1


def test_disabled_days_are_planned_stops(machine: Machine) -> None:
    for before, after, on in ((1, RunState.DISABLED, 6), (RunState.DISABLED, 1, 9)):
        StateChange.objects.create(
            machine=machine, state_before=before, state_after=after, change_date=date(2026, 6, on)
        )
    stand(machine, day(8, 12), 24 * 60)
    found = figures(machine)
    assert (found.planned_stop / 60, found.down / 60) == (3 * 1440, 12 * 60)


def test_a_shift_plan_says_when_an_asset_is_meant_to_run(cast: Cast) -> None:
    """三班三运转 by three teams; 早班 08:00 to 16:00 and so on: worked around the clock on days with cells."""
    plan = made(cast)
    with tenant_scope(A):
        machine = Machine.objects.get(machine_code="M1")
        own = Plan.objects.get(pk=plan)
        machine.dept_id = own.dept_id
        Shift.objects.filter(plan=own, shift_no=1).update(breaks=[{"start": "12:00", "end": "12:30"}])
        period = Period(date(2026, 9, 2), date(2026, 9, 3))
        found = figures(machine, period)
        stand(machine, datetime(2026, 9, 2, 11, 50, tzinfo=ZONE), 60)
        stood = figures(machine, period)
    assert found.planned / 60 == 2 * (1440 - 30)
    assert stood.down / 60 == 30
