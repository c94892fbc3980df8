"""Cron texts of six fields: second, minute, hour, day of the month, month, weekday (1 or SUN is Sunday).

Fields have lists, ranges and steps; `?` and `*` are every value, `L` is the last day of a month, `6L` its last Friday
and `2#1` its first Monday.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

LONGEST = 60
"""Characters of a text."""
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_EVERY = ("*", "?")
_HORIZON_DAYS = 8 * 366 + 1
"""Two leap days lie at most eight years apart."""
_PLACED = re.compile(r"([1-7]|SUN|MON|TUE|WED|THU|FRI|SAT)(?:#([1-5])|(L))")


class BadCron(ValueError):
    """The text is no cron text, or has no occurrence."""


@dataclass(frozen=True)
class Cron:
    """A cron text that was read."""

    seconds: tuple[int, ...]
    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: frozenset[int]
    """Of the month; 0 is the last one."""
    months: frozenset[int]
    weekdays: frozenset[tuple[int, int]]
    """Weekday (0 is Sunday) and its place in the month: 0 for each, -1 for the last."""

    def _comes_on(self, day: date) -> bool:
        if day.month not in self.months:
            return False
        last = monthrange(day.year, day.month)[1]
        weekday, place = day.isoweekday() % 7, (day.day - 1) // 7 + 1
        places = {0, place, *([-1] if day.day + 7 > last else [])}
        return (day.day in self.days or (0 in self.days and day.day == last)) and any(
            (weekday, one) in self.weekdays for one in places
        )

    def next_after(self, moment: datetime, zone: tzinfo) -> datetime:
        """Return the first occurrence after a moment, by the clocks of a zone. Raises BadCron where there is none.

        A time that the clocks leave out comes as much later, one that they show twice comes the first time.
        """
        first = moment.astimezone(zone).date() - timedelta(days=1)
        for number in range(_HORIZON_DAYS):
            day = first + timedelta(days=number)
            if not self._comes_on(day):
                continue
            found = [
                datetime.combine(day, time(hour, minute, second), zone).astimezone(UTC)
                for hour in self.hours
                for minute in self.minutes
                for second in self.seconds
            ]
            later = min((one for one in found if one > moment), default=None)
            if later is not None:
                return later
        raise BadCron()


def read(text: str) -> Cron:
    """Return what a text says. Raises BadCron where it says nothing."""
    fields = text.upper().split()
    if len(fields) != 6 or len(text) > LONGEST:
        raise BadCron()
    second, minute, hour, day, month, weekday = fields
    if day not in _EVERY and weekday not in _EVERY:
        raise BadCron()  # some take both, others either: nobody means the same by it
    found = Cron(
        tuple(_numbers(second, range(60))),
        tuple(_numbers(minute, range(60))),
        tuple(_numbers(hour, range(24))),
        frozenset({0} if day == "L" else _numbers(day, range(1, 32))),
        frozenset(_numbers(month, range(1, 13), _MONTHS)),
        frozenset(_weekdays(weekday)),
    )
    if len(found.seconds) * len(found.minutes) * len(found.hours) > 24 * 60:
        raise BadCron()  # more often than every minute
    return found


def _weekdays(text: str) -> list[tuple[int, int]]:
    placed = _PLACED.fullmatch(text)
    if placed:
        [number] = _numbers(placed[1], range(1, 8), _DAYS)
        return [(number - 1, -1 if placed[3] else int(placed[2]))]
    return [(number - 1, 0) for number in _numbers(text, range(1, 8), _DAYS)]


def _numbers(text: str, among: range, names: Sequence[str] = ()) -> list[int]:
    """Return the numbers of a field: lists, ranges and steps of them, in their order."""
    found: set[int] = set()
    for part in text.split(","):
        span, slash, step = part.partition("/")
        first, dash, last = span.partition("-")
        if span in _EVERY:
            numbers = among
        else:
            begin = _number(first, among, names)
            end = _number(last, among, names) if dash else among[-1] if slash else begin
            numbers = range(begin, end + 1)
        found.update(numbers[:: _number(step, range(1, 61)) if slash else 1])
    if not found:
        raise BadCron()
    return sorted(found)


def _number(text: str, among: range, names: Sequence[str] = ()) -> int:
    if text in names:
        return names.index(text) + among[0]
    if text.isascii() and text.isdigit() and len(text) < 3 and int(text) in among:
        return int(text)
    raise BadCron()
