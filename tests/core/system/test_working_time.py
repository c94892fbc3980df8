"""Working time: due moments over three published years, weekends, swap days, breaks, and changes of the clocks."""

from __future__ import annotations

import os
import random
from bisect import bisect_left
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.system import published
from core.system.working_time import NoWorkingTime, WorkingCalendar, read_hours, read_weekdays

EXAMPLES = int(os.environ.get("WORKING_EXAMPLES", "300"))
SHANGHAI, BERLIN = ZoneInfo("Asia/Shanghai"), ZoneInfo("Europe/Berlin")
OFFICE = ((8 * 60, 12 * 60), (13 * 60, 17 * 60))
WEEK = frozenset({1, 2, 3, 4, 5})

# The State Council's announcements of the holidays of 2024, 2025 and 2026: first and last day off, and the weekend days
# that are worked in exchange.
OFF = """
2024-01-01 2024-01-01 | 2024-02-10 2024-02-17 | 2024-04-04 2024-04-06 | 2024-05-01 2024-05-05 | 2024-06-10 2024-06-10
2024-09-15 2024-09-17 | 2024-10-01 2024-10-07
2025-01-01 2025-01-01 | 2025-01-28 2025-02-04 | 2025-04-04 2025-04-06 | 2025-05-01 2025-05-05 | 2025-05-31 2025-06-02
2025-10-01 2025-10-08
2026-01-01 2026-01-03 | 2026-02-15 2026-02-23 | 2026-04-04 2026-04-06 | 2026-05-01 2026-05-05 | 2026-06-19 2026-06-21
2026-09-25 2026-09-27 | 2026-10-01 2026-10-07
"""
WORKED = """
2024-02-04 2024-02-18 2024-04-07 2024-04-28 2024-05-11 2024-09-14 2024-09-29 2024-10-12
2025-01-26 2025-02-08 2025-04-27 2025-09-28 2025-10-11
2026-01-04 2026-02-14 2026-02-28 2026-05-09 2026-09-20 2026-10-10
"""


def _each(first: date, last: date) -> Iterator[date]:
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)


def _announced() -> dict[date, bool]:
    days = {date.fromisoformat(text): True for text in WORKED.split()}
    for span in OFF.replace("\n", "|").split("|"):
        if span.strip():
            first, last = (date.fromisoformat(text) for text in span.split())
            days |= dict.fromkeys(_each(first, last), False)
    return days


CHINA = WorkingCalendar(WEEK, OFFICE, _announced())


def test_the_package_knows_the_announced_days() -> None:
    known = {one.day: one.is_worked for year in (2024, 2025, 2026) for one in published.days_of(year)}
    packaged = WorkingCalendar(WEEK, OFFICE, known)
    days = list(_each(date(2024, 1, 1), date(2026, 12, 31)))
    assert [day for day in days if packaged.is_working_day(day) != CHINA.is_working_day(day)] == []
    worked = [sum(CHINA.is_working_day(day) for day in days if day.year == year) for year in (2024, 2025, 2026)]
    assert worked == [251, 248, 248]  # reckoned by hand: weekdays, without those off, with the days in exchange


@pytest.mark.parametrize(
    ("begun", "days", "hours", "due"),
    [
        # Within a day, over the break, over a night, over a weekend.
        ("2026-03-03 09:00", 0, 2, "2026-03-03 11:00"),
        ("2026-03-03 11:00", 0, 2, "2026-03-03 14:00"),
        ("2026-03-03 16:00", 0, 2, "2026-03-04 09:00"),
        ("2026-03-06 16:30", 0, 1, "2026-03-09 08:30"),
        ("2026-03-06 10:00", 1, 0, "2026-03-09 10:00"),
        ("2026-03-06 10:00", 1, 2, "2026-03-09 12:00"),
        # Exactly the rest of a span, of a day, of a week.
        ("2026-03-03 08:00", 0, 4, "2026-03-03 12:00"),
        ("2026-03-03 08:00", 0, 8, "2026-03-03 17:00"),
        ("2026-03-03 08:00", 1, 0, "2026-03-03 17:00"),
        ("2026-03-02 08:00", 5, 0, "2026-03-06 17:00"),
        ("2026-03-03 13:00", 1, 0, "2026-03-04 12:00"),
        # From outside of working hours: a break, an evening, a night, a weekend, a holiday.
        ("2026-03-03 12:30", 0, 1, "2026-03-03 14:00"),
        ("2026-03-03 12:30", 1, 0, "2026-03-04 12:00"),
        ("2026-03-03 17:00", 0, 1, "2026-03-04 09:00"),
        ("2026-03-03 17:00", 1, 0, "2026-03-04 17:00"),
        ("2026-03-04 03:00", 0, 1, "2026-03-04 09:00"),
        ("2026-03-07 10:00", 1, 0, "2026-03-09 17:00"),
        ("2026-02-17 10:00", 1, 1, "2026-02-25 09:00"),
        # Spring Festival of each year, with days worked in exchange before and after it.
        ("2024-02-09 16:00", 0, 2, "2024-02-18 09:00"),
        ("2024-02-02 16:00", 1, 0, "2024-02-04 16:00"),
        ("2025-01-25 10:00", 1, 0, "2025-01-26 17:00"),
        ("2025-01-27 15:00", 1, 0, "2025-02-05 15:00"),
        ("2025-02-07 15:00", 1, 0, "2025-02-08 15:00"),
        ("2026-02-13 16:00", 2, 0, "2026-02-24 16:00"),
        ("2026-02-27 16:00", 0, 2, "2026-02-28 09:00"),
        # The National Day, and New Year over the turn of the year.
        ("2024-09-30 10:00", 1, 0, "2024-10-08 10:00"),
        ("2025-09-30 17:00", 0, 1, "2025-10-09 09:00"),
        ("2026-09-30 10:00", 4, 0, "2026-10-12 10:00"),
        ("2025-12-31 16:00", 0, 2, "2026-01-04 09:00"),
        # Leap days, and ends of months.
        ("2024-02-28 10:00", 1, 0, "2024-02-29 10:00"),
        ("2024-02-29 10:00", 1, 0, "2024-03-01 10:00"),
        ("2024-02-29 16:00", 0, 2, "2024-03-01 09:00"),
        ("2025-02-28 10:00", 1, 0, "2025-03-03 10:00"),
        ("2026-07-31 16:59", 0, 1, "2026-08-03 08:59"),
        ("2026-04-30 10:00", 1, 0, "2026-05-06 10:00"),
        # Nothing to wait for, and a quarter of a year of working days.
        ("2026-03-07 10:00", 0, 0, "2026-03-07 10:00"),
        ("2026-01-01 00:00", 60, 0, "2026-04-01 17:00"),
    ],
)
def test_a_due_moment_counts_working_days_and_hours(begun: str, days: int, hours: int, due: str) -> None:
    moment = datetime.fromisoformat(begun).replace(tzinfo=SHANGHAI)
    assert CHINA.after(moment, days, timedelta(hours=hours)).strftime("%Y-%m-%d %H:%M") == due


@pytest.mark.parametrize(
    ("hours", "begun", "days", "length", "due"),
    [
        # The clocks go forward at 02:00 on Sunday 29 March 2026 and back at 03:00 on 25 October.
        ("08:00-17:00", "2026-03-27 16:00", 0, 120, "2026-03-28 09:00+01:00"),
        ("08:00-17:00", "2026-03-28 10:00", 1, 0, "2026-03-29 10:00+02:00"),
        ("00:00-24:00", "2026-03-29 00:00", 0, 24 * 60, "2026-03-30 01:00+02:00"),
        ("00:00-24:00", "2026-03-29 00:00", 1, 0, "2026-03-30 00:00+02:00"),
        ("00:00-24:00", "2026-10-25 00:00", 0, 24 * 60, "2026-10-25 23:00+01:00"),
        ("00:00-06:00", "2026-03-28 23:00", 0, 300, "2026-03-29 06:00+02:00"),
        ("00:00-06:00", "2026-10-24 23:00", 0, 420, "2026-10-25 06:00+01:00"),
        ("00:00-06:00", "2026-03-28 02:30", 1, 0, "2026-03-29 03:30+02:00"),
    ],
)
def test_working_hours_are_those_of_the_clock_on_the_wall(
    hours: str, begun: str, days: int, length: int, due: str
) -> None:
    spans = read_hours(hours)
    assert spans is not None
    every_day = WorkingCalendar(frozenset(range(1, 8)), spans)
    moment = datetime.fromisoformat(begun).replace(tzinfo=BERLIN)
    assert every_day.after(moment, days, timedelta(minutes=length)).isoformat(" ", "minutes") == due


def test_random_starts_are_due_when_the_minutes_have_been_counted_one_by_one() -> None:
    draw = random.Random(20260101)
    spans = [OFFICE, ((0, 1440),), ((7 * 60 + 30, 11 * 60 + 15), (12 * 60, 12 * 60 + 1), (18 * 60, 24 * 60))]
    for hours in spans:
        calendar = WorkingCalendar(frozenset(draw.sample(range(1, 8), draw.randint(1, 7))) | {3}, hours, CHINA.days)
        first = datetime(2024, 1, 1, tzinfo=SHANGHAI)
        worked = [
            n * 1440 + minute
            for n, day in enumerate(_each(date(2024, 1, 1), date(2026, 12, 31)))
            if calendar.is_working_day(day)
            for minute in range(1440)
            if any(begin <= minute < end for begin, end in hours)
        ]
        of_day = sum(end - begin for begin, end in hours)
        for _ in range(EXAMPLES):
            begun, days, minutes = draw.randrange(700 * 1440), draw.randint(0, 40), draw.randint(1, 3_000)
            counted = worked[bisect_left(worked, begun) + days * of_day + minutes - 1] + 1
            due = calendar.after(first + timedelta(minutes=begun), days, timedelta(minutes=minutes))
            assert due == first + timedelta(minutes=counted), (hours, begun, days, minutes)
            if days:
                counted = worked[bisect_left(worked, begun) + days * of_day - 1] + 1
                due = calendar.after(first + timedelta(minutes=begun), days, timedelta())
                assert due == first + timedelta(minutes=counted), (hours, begun, days)


@pytest.mark.parametrize(("first", "last"), [("2026-03-20", "2026-04-10"), ("2026-10-16", "2026-11-06")])
def test_minutes_are_counted_one_by_one_where_the_clocks_change(first: str, last: str) -> None:
    draw = random.Random(first)
    hours = ((0, 6 * 60), (22 * 60, 24 * 60))
    calendar = WorkingCalendar(WEEK | {7}, hours)
    begin, end = (datetime.fromisoformat(day).replace(tzinfo=UTC) for day in (first, last))
    worked = []
    for n in range(int((end - begin).total_seconds() // 60)):
        shown = (begin + timedelta(minutes=n)).astimezone(BERLIN)
        minute = shown.hour * 60 + shown.minute
        if calendar.is_working_day(shown.date()) and any(start <= minute < stop for start, stop in hours):
            worked.append(n)
    for _ in range(EXAMPLES):
        begun, minutes = draw.randrange(12 * 1440), draw.randint(1, 1_500)
        counted = worked[bisect_left(worked, begun) + minutes - 1] + 1
        due = calendar.after((begin + timedelta(minutes=begun)).astimezone(BERLIN), 0, timedelta(minutes=minutes))
        assert due.astimezone(UTC) == begin + timedelta(minutes=counted), (begun, minutes)


def test_a_calendar_without_working_days_is_refused_and_not_searched_for_ever() -> None:
    off = WorkingCalendar(WEEK, OFFICE, dict.fromkeys(_each(date(2026, 1, 1), date(2030, 1, 1)), False))
    for days, length in ((1, timedelta()), (0, timedelta(minutes=1))):
        with pytest.raises(NoWorkingTime):
            off.after(datetime(2026, 1, 1, tzinfo=SHANGHAI), days, length)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("08:00-12:00,13:00-17:00", OFFICE),
        ("08:00–12:00， 13:00–17:00", OFFICE),
        ("08:00-12:00,12:00-17:00", ((480, 1020),)),
        ("00:00-24:00", ((0, 1440),)),
        ("", None),
        ("8:00-12:00", None),
        ("08:00-08:00", None),
        ("12:00-08:00", None),
        ("08:00-12:00,11:59-17:00", None),
        ("13:00-17:00,08:00-12:00", None),
        ("08:00-24:01", None),
        ("٠٨:00-12:00", None),
        (",".join(f"{hour:02}:00-{hour:02}:30" for hour in range(7)), None),
    ],
)
def test_hours_are_spans_in_order(text: str, spans: tuple[tuple[int, int], ...] | None) -> None:
    assert read_hours(text) == spans


@pytest.mark.parametrize(
    ("text", "days"),
    [("1,2,3,4,5", WEEK), ("7", {7}), ("", None), ("0", None), ("8", None), ("1,1", None), ("1;2", None)],
)
def test_weekdays_are_numbers_from_monday_on(text: str, days: set[int] | None) -> None:
    assert read_weekdays(text) == days
