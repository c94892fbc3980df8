"""Working time: which moments of a tenant's calendar are working time, and when so much of it has passed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import islice

MINUTES_OF_DAY = 24 * 60
MOST_IDLE_DAYS = 1_100
"""Days in a row without working time, some three years, after which no more is looked for."""
MOST_SPANS = 6
_SPAN = re.compile(r"([01]\d|2[0-3]):([0-5]\d)[-–](?:([01]\d|2[0-3]):([0-5]\d)|(24):(00))", re.ASCII)
_ONE_DAY = timedelta(days=1)

Span = tuple[int, int]
"""From and to, in minutes of the day."""


class NoWorkingTime(Exception):
    """The calendar has no working time in the next years."""


def read_hours(text: str) -> tuple[Span, ...] | None:
    """Return the spans of a text such as 08:00-12:00,13:00-17:00; None where they overlap or are not in order."""
    spans: list[Span] = []
    for part in text.replace("，", ",").split(","):
        found = _SPAN.fullmatch(part.strip())
        if found is None:
            return None
        numbers = [int(number) for number in found.groups() if number is not None]
        begin, end = numbers[0] * 60 + numbers[1], numbers[2] * 60 + numbers[3]
        if begin >= end or (spans and begin < spans[-1][1]):
            return None
        # What ends where the next one begins is one span.
        spans = [*spans[:-1], (spans[-1][0], end)] if spans and spans[-1][1] == begin else [*spans, (begin, end)]
    return tuple(spans) if len(spans) <= MOST_SPANS else None


def read_weekdays(text: str) -> frozenset[int] | None:
    """Return the weekdays of a text such as 1,2,3,4,5, Monday being 1; None for another text."""
    parts = text.split(",")
    if len(set(parts)) != len(parts) or not all(re.fullmatch("[1-7]", part, re.ASCII) for part in parts):
        return None
    return frozenset(int(part) for part in parts)


@dataclass(frozen=True)
class WorkingCalendar:
    """The working hours of a tenant's working days.

    `weekdays` has Monday as 1. `days` are the exceptions, True for a day on which work is done, False for a day off.
    """

    weekdays: frozenset[int]
    hours: tuple[Span, ...]
    days: Mapping[date, bool] = field(default_factory=dict)

    def is_working_day(self, day: date) -> bool:
        """Return whether work is done on a day."""
        return self.days.get(day, day.isoweekday() in self.weekdays)

    def after(self, moment: datetime, days: int, length: timedelta) -> datetime:
        """Return the first moment by which so many working days and then so much working time have passed.

        A working day is as much working time as a working day has: what begins on Friday at 10:00 is due on Monday at
        10:00, and what begins before work is due at its end. The calendar is read in the time zone of `moment`. Raises
        NoWorkingTime.
        """
        zone = moment.tzinfo
        if zone is None:
            raise ValueError("a moment needs its time zone")
        if days:
            moment = self._days_after(moment, days, zone)
        if length:
            moment = self._length_after(moment, length, zone)
        return moment

    def _days_after(self, moment: datetime, days: int, zone: tzinfo) -> datetime:
        now = moment.astimezone(UTC)
        begin = next(begin for begin, end in self._spans_from(moment.date(), zone) if end > now)
        first = max(now, begin).astimezone(zone)
        passed = [first.date(), *islice(self._working_days_from(first.date() + _ONE_DAY), days)]
        clock = first.time()
        place = next((n for n, (start, _end) in enumerate(self.hours) if _clock(start) == clock), None)
        if place is None:
            return _real(passed[-1], clock, zone)
        # What is counted from the beginning of a span is over at the end of the span before.
        return _at(passed[-1] if place else passed[-2], self.hours[place - 1][1], zone)

    def _length_after(self, moment: datetime, length: timedelta, zone: tzinfo) -> datetime:
        left = length
        for begin, end in self._spans_from(moment.date(), zone):
            begin = max(begin, moment.astimezone(UTC))
            if begin >= end:
                continue
            if left <= end - begin:
                return (begin + left).astimezone(zone)
            left -= end - begin
        raise NoWorkingTime

    def _spans_from(self, day: date, zone: tzinfo) -> Iterator[tuple[datetime, datetime]]:
        """Yield the spans of working time from a day on, in UTC: on the day that the clocks change some are longer."""
        for working in self._working_days_from(day):
            for begin, end in self.hours:
                yield _at(working, begin, zone).astimezone(UTC), _at(working, end, zone).astimezone(UTC)

    def _working_days_from(self, day: date) -> Iterator[date]:
        idle = 0
        while idle <= MOST_IDLE_DAYS:
            if self.is_working_day(day):
                idle = 0
                yield day
            idle += 1
            day += _ONE_DAY
        raise NoWorkingTime


def _at(day: date, minute: int, zone: tzinfo) -> datetime:
    """Return a minute of a day as a moment; the last one is the midnight that follows."""
    if minute == MINUTES_OF_DAY:
        day, minute = day + _ONE_DAY, 0
    return _real(day, _clock(minute), zone)


def _clock(minute: int) -> time:
    return time(minute // 60, minute % 60)


def _real(day: date, clock: time, zone: tzinfo) -> datetime:
    """Return what the clock shows on a day as a moment; an hour that the clocks leave out is the one that follows."""
    return datetime.combine(day, clock, zone).astimezone(UTC).astimezone(zone)
