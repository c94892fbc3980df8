"""Times of shifts: their length, what overlaps, their windows as instants, and the business date of a moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any, Protocol, TypeVar

MINUTES_OF_DAY = 24 * 60
SHORTEST, LONGEST = 30, MINUTES_OF_DAY
LEAST_REST = timedelta(hours=8)
"""Between two shifts of a team."""
_ONE_DAY = timedelta(days=1)


class Timed(Protocol):
    """A shift, as far as its times go."""

    start_time: Any
    end_time: Any
    valid_from: Any
    valid_until: Any


T = TypeVar("T", bound=Timed)


@dataclass(frozen=True)
class Window:
    """The instants [begin, end) of a shift on a business date."""

    day: date
    begin: datetime
    end: datetime

    def holds(self, moment: datetime) -> bool:
        """Return whether the moment lies in it; its end does not."""
        return self.begin <= moment < self.end


def minute_of(clock: time) -> int:
    """Return the minute of the day."""
    return clock.hour * 60 + clock.minute


def read_clock(text: str) -> time:
    """Return the time that `HH:mm` says."""
    return time(int(text[:2]), int(text[3:5]))


def crosses_midnight(start: time, end: time) -> bool:
    """Return whether a shift ends on the day after its start; what ends when it starts lasts 24 hours."""
    return end <= start


def length(start: time, end: time) -> int:
    """Return the minutes of a shift by the clock on the wall, with its breaks."""
    return (minute_of(end) - minute_of(start) - 1) % MINUTES_OF_DAY + 1


def worked_minutes(start: time, end: time, breaks: Iterable[Mapping[str, str]]) -> int:
    """Return the minutes of a shift without its breaks."""
    return length(start, end) - sum(last - first for first, last in break_spans(start, breaks))


def break_spans(start: time, breaks: Iterable[Mapping[str, str]]) -> list[tuple[int, int]]:
    """Return the breaks in minutes from the start of the shift on, in their order."""
    spans = []
    for one in breaks:
        begin = (minute_of(read_clock(one["start"])) - minute_of(start)) % MINUTES_OF_DAY
        spans.append((begin, begin + length(read_clock(one["start"]), read_clock(one["end"]))))
    return sorted(spans)


def is_night(start: time, end: time) -> bool:
    """Return whether a shift is worked at night: three hours of it or more between midnight and five o'clock."""
    begin = minute_of(start)
    until = begin + length(start, end)
    nights = ((night, night + 5 * 60) for night in (0, MINUTES_OF_DAY))
    return sum(max(0, min(until, last) - max(begin, first)) for first, last in nights) >= 3 * 60


def overlap(one: tuple[time, time], other: tuple[time, time]) -> bool:
    """Return whether two shifts that are worked every day overlap anywhere round the clock; each is half-open."""
    between = (minute_of(other[0]) - minute_of(one[0])) % MINUTES_OF_DAY
    back = (minute_of(one[0]) - minute_of(other[0])) % MINUTES_OF_DAY
    return between < length(*one) or back < length(*other)


def window(day: date, start: time, end: time, zone: tzinfo) -> Window:
    """Return the instants of a shift of a business date; where the clocks change they are an hour more or less."""
    last = day + _ONE_DAY if crosses_midnight(start, end) else day
    return Window(day, _instant(day, start, zone), _instant(last, end, zone))


def _instant(day: date, clock: time, zone: tzinfo) -> datetime:
    """Return what the clock shows on a day as an instant; a time that the clocks leave out is an hour later."""
    return datetime.combine(day, clock, zone).astimezone(UTC)


def is_valid(shift: Timed, day: date) -> bool:
    """Return whether the shift has these times on a day."""
    return (shift.valid_from is None or shift.valid_from <= day) and (
        shift.valid_until is None or day < shift.valid_until
    )


def shift_at(moment: datetime, shifts: Iterable[T], zone: tzinfo) -> tuple[T, Window] | None:
    """Return the shift of a plan that a moment lies in, with its window: of two, the one that began first."""
    today = moment.astimezone(zone).date()
    shifts = list(shifts)
    for day in (today - _ONE_DAY, today):
        for shift in shifts:
            if is_valid(shift, day):
                found = window(day, shift.start_time, shift.end_time, zone)
                if found.holds(moment):
                    return shift, found
    return None


def business_date(moment: datetime, shifts: Iterable[Timed], zone: tzinfo) -> date:
    """Return the day on which the shift began that the moment lies in; outside of every shift the calendar day."""
    found = shift_at(moment, shifts, zone)
    return found[1].day if found is not None else moment.astimezone(zone).date()
