"""Times of shifts: lengths, overlaps round the clock, windows over changes of the clock, business dates, rotations."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core.kernel.tenancy import tenant_scope
from core.shifts import rotation, times
from core.system import periods
from tests.cast import A, Cast

SHANGHAI, BERLIN = ZoneInfo("Asia/Shanghai"), ZoneInfo("Europe/Berlin")
DAY, NIGHT = (time(8), time(20)), (time(20), time(8))


def _shift(start: time, end: time, **valid: Any) -> Any:
    return SimpleNamespace(start_time=start, end_time=end, **{"valid_from": None, "valid_until": None, **valid})


TWO = [_shift(*DAY), _shift(*NIGHT)]


def test_a_night_shift_belongs_to_the_day_on_which_it_starts(cast: Cast) -> None:
    """The worked example of a night shift and the reporting month."""
    night = times.window(date(2026, 9, 25), *NIGHT, SHANGHAI)
    assert (night.begin, night.end) == (
        datetime(2026, 9, 25, 20, tzinfo=SHANGHAI), datetime(2026, 9, 26, 8, tzinfo=SHANGHAI),
    )  # fmt: skip
    assert times.worked_minutes(*NIGHT, []) == 720
    for hour in (2, 3):
        moment = datetime(2026, 9, 26, hour, tzinfo=SHANGHAI)
        assert times.business_date(moment, TWO, SHANGHAI) == date(2026, 9, 25)
    with tenant_scope(A):
        assert periods.month_of(date(2026, 9, 25)) == (2026, 9)
        assert periods.month_of(date(2026, 9, 26)) == (2026, 10)


@pytest.mark.parametrize(
    ("clock", "business_day"),
    [
        ("2026-09-25 07:59:59", 24), ("2026-09-25 08:00:00", 25), ("2026-09-25 19:59:59", 25),
        ("2026-09-25 20:00:00", 25), ("2026-09-26 00:00:00", 25), ("2026-09-26 07:59:59", 25),
        ("2026-09-26 08:00:00", 26),
    ],
)  # fmt: skip
def test_windows_are_half_open(clock: str, business_day: int) -> None:
    moment = datetime.fromisoformat(clock).replace(tzinfo=SHANGHAI)
    assert times.business_date(moment.astimezone(UTC), TWO, SHANGHAI) == date(2026, 9, business_day)


def test_a_moment_outside_of_every_shift_has_its_calendar_day() -> None:
    day_only = [_shift(time(8), time(17))]
    for hour in (0, 7, 17, 23):
        moment = datetime(2026, 9, 25, hour, tzinfo=SHANGHAI)
        assert times.business_date(moment, day_only, SHANGHAI) == date(2026, 9, 25)
    assert times.shift_at(datetime(2026, 9, 25, 17, tzinfo=SHANGHAI), day_only, SHANGHAI) is None


def test_a_night_over_the_end_of_the_year_belongs_to_the_old_one() -> None:
    assert times.business_date(datetime(2027, 1, 1, 2, tzinfo=SHANGHAI), TWO, SHANGHAI) == date(2026, 12, 31)


@pytest.mark.parametrize(("day", "hours"), [(date(2026, 3, 28), 7), (date(2026, 10, 24), 9), (date(2026, 6, 1), 8)])
def test_a_night_in_which_the_clocks_change_has_7_or_9_hours(day: date, hours: int) -> None:
    night = times.window(day, time(22), time(6), BERLIN)
    assert night.end - night.begin == timedelta(hours=hours)
    assert night.begin.astimezone(BERLIN).time() == time(22)
    assert night.end.astimezone(BERLIN).time() == time(6)
    # By the clock on the wall it is one of 8 hours, whatever night it is.
    assert times.worked_minutes(time(22), time(6), []) == 480
    shifts = [_shift(time(22), time(6)), _shift(time(6), time(14)), _shift(time(14), time(22))]
    just_before = night.end - timedelta(seconds=1)
    assert times.business_date(just_before, shifts, BERLIN) == day
    assert times.business_date(night.end, shifts, BERLIN) == day + timedelta(days=1)


def test_the_shifts_of_a_day_tile_it_also_where_the_clocks_change() -> None:
    three = [(time(22), time(6)), (time(6), time(14)), (time(14), time(22))]
    for day in (date(2026, 3, 28), date(2026, 3, 29), date(2026, 10, 24), date(2026, 10, 25)):
        late = times.window(day, *three[2], BERLIN)
        night = times.window(day, *three[0], BERLIN)
        early = times.window(day + timedelta(days=1), *three[1], BERLIN)
        assert (late.end, night.end) == (night.begin, early.begin)


def test_a_shift_that_ends_when_it_starts_has_24_hours() -> None:
    assert times.length(time(8), time(8)) == 1440
    assert times.crosses_midnight(time(8), time(8))
    whole = [_shift(time(8), time(8))]
    assert times.business_date(datetime(2026, 9, 26, 7, 59, tzinfo=SHANGHAI), whole, SHANGHAI) == date(2026, 9, 25)
    assert times.business_date(datetime(2026, 9, 26, 8, tzinfo=SHANGHAI), whole, SHANGHAI) == date(2026, 9, 26)


def test_a_changed_shift_counts_from_its_day_on() -> None:
    changed = [_shift(*NIGHT, valid_until=date(2026, 9, 26)), _shift(time(22), time(6), valid_from=date(2026, 9, 26))]
    assert times.business_date(datetime(2026, 9, 26, 7, tzinfo=SHANGHAI), changed, SHANGHAI) == date(2026, 9, 25)
    assert times.business_date(datetime(2026, 9, 27, 7, tzinfo=SHANGHAI), changed, SHANGHAI) == date(2026, 9, 27)
    assert times.business_date(datetime(2026, 9, 27, 5, tzinfo=SHANGHAI), changed, SHANGHAI) == date(2026, 9, 26)


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        (DAY, NIGHT, False),
        (DAY, (time(19, 59), time(8)), True),
        (NIGHT, (time(7, 59), time(16)), True),
        (NIGHT, (time(0), time(1)), True),
        ((time(8), time(8)), (time(12), time(13)), True),
        ((time(16), time(0)), (time(0), time(8)), False),
        ((time(16), time(0)), (time(23, 59), time(8)), True),
        (DAY, DAY, True),
    ],
)
def test_shifts_overlap_round_the_clock(one: Any, other: Any, meet: bool) -> None:
    assert (times.overlap(one, other), times.overlap(other, one)) == (meet, meet)


def test_breaks_are_counted_from_the_start_of_the_shift_also_beyond_midnight() -> None:
    breaks = [{"start": "02:00", "end": "02:30"}, {"start": "23:45", "end": "00:15"}]
    assert times.break_spans(time(20), breaks) == [(225, 255), (360, 390)]
    assert times.worked_minutes(*NIGHT, breaks) == 660


def test_a_night_shift_has_three_hours_between_midnight_and_five() -> None:
    nights = [(time(0), time(8)), NIGHT, (time(22), time(6)), (time(18), time(3)), (time(8), time(8))]
    others = [DAY, (time(16), time(0)), (time(18), time(2)), (time(3), time(11))]
    assert [times.is_night(*one) for one in nights] == [True] * 5
    assert [times.is_night(*one) for one in others] == [False] * 4


@pytest.mark.parametrize("pattern", list(rotation.BUILT_IN))
def test_a_built_in_pattern_gives_each_shift_one_team_every_day(pattern: int) -> None:
    built_in = rotation.BUILT_IN[pattern]
    rows = built_in.rows()
    for day in zip(*rows, strict=True):
        worked = sorted(number for number in day if number != rotation.REST)
        assert worked == list(range(1, built_in.shifts + 1))
    assert list(rotation.uncovered(rows, range(1, built_in.shifts + 1))) == []


def test_the_rows_of_the_built_in_patterns_are_those_of_the_specification() -> None:
    rows = {pattern: built_in.rows() for pattern, built_in in rotation.BUILT_IN.items()}
    assert rows[2] == [[1] * 7 + [2] * 7, [2] * 7 + [1] * 7]
    assert rows[4] == [
        [1, 1, 2, 2, 3, 3, 0, 0], [2, 2, 3, 3, 0, 0, 1, 1], [3, 3, 0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 2, 3, 3],
    ]  # fmt: skip
    assert [row[0] for row in rows[5]] == [1, 2, 0, 0]
    assert [len(row) for row in rows[3]] == [21, 21, 21]


def test_a_turn_is_counted_from_the_first_day_of_the_cycle_in_both_directions() -> None:
    row, anchor = [1, 1, 2, 2, 3, 3, 0, 0], date(2026, 9, 1)
    found = [rotation.turn(row, anchor, anchor + timedelta(days=number)) for number in (-1, 0, 7, 8, 10)]
    assert found == [0, 1, 0, 1, 2]


def test_short_rests_are_found_also_from_the_last_day_of_the_cycle_to_its_first() -> None:
    shifts = {1: (time(8), time(16)), 2: (time(16), time(0)), 3: (time(0), time(8))}
    assert list(rotation.short_rests([1, 1, 0, 0], shifts)) == []
    # From the late shift to the early one there are 8 hours, from the early one to the night 8 too.
    assert list(rotation.short_rests([2, 1, 3, 0], shifts)) == []
    # From the late shift to the night one there are none.
    assert list(rotation.short_rests([3, 0, 0, 2], shifts)) == [(4, 0)]
