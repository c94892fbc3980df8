"""The kinds of time that a model writes: ISO 8601 durations, repetitions of one, and moments.

The gate, the rehearsal and the running timers read them here; the designer's panel reads durations by the same table of
examples (tests/workflows/engine/durations.json).
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Protocol

from workflows.engine.errors import ExpressionError

_DURATION = re.compile(
    r"P(?=.)(?:(?P<weeks>\d{1,4})W|(?:(?P<years>\d{1,4})Y)?(?:(?P<months>\d{1,4})M)?(?:(?P<days>\d{1,5})D)?"
    r"(?:T(?=\d)(?:(?P<hours>\d{1,6})H)?(?:(?P<minutes>\d{1,8})M)?(?:(?P<seconds>\d{1,9}(?:\.\d{1,6})?)S)?)?)",
    re.ASCII,
)
_TIMES = re.compile(r"R(?:[1-9]\d{0,3})?", re.ASCII)
MAX_MONTHS = 1_200  # a hundred years, in each of the three parts of a duration
MAX_DAYS = 36_525
YEARS = range(1970, 2200)  # of a moment
LEAST_CYCLE = timedelta(minutes=1)
"""Between two occurrences of a repetition: nobody acts on a reminder in less, and each writes a row of the history."""


@dataclass(frozen=True)
class Duration:
    """A length of time in three parts: months and days are those of the calendar, `time` is exact."""

    months: int
    days: int
    time: timedelta

    def after(self, moment: datetime) -> datetime:
        """Return the moment that lies this length after `moment`, on the calendar of its time zone.

        A month after 31 January is the last day of February. A day is the same hour of the next day, though the clocks
        change in between.
        """
        years, month = divmod(moment.year * 12 + moment.month - 1 + self.months, 12)
        day = min(moment.day, monthrange(years, month + 1)[1])
        on_the_wall = moment.replace(year=years, month=month + 1, day=day) + timedelta(days=self.days)
        return (on_the_wall.astimezone(UTC) + self.time).astimezone(moment.tzinfo)

    @property
    def exact(self) -> timedelta | None:
        """The length without a calendar, a day as 24 hours; None where it counts months."""
        return None if self.months else timedelta(days=self.days) + self.time


class Calendar(Protocol):
    """The working calendar that the caller lends to a timer that counts working time."""

    def after(self, moment: datetime, days: int, length: timedelta) -> datetime:
        """Return when so many working days and then so much working time have passed."""


def duration(text: str) -> Duration | None:
    """Return the duration of an ISO text such as P1M or P1DT2H; None for other texts and beyond a hundred years."""
    found = _DURATION.fullmatch(text.strip())
    if found is None:
        return None
    years, months, weeks, days, hours, minutes = (
        int(found[part] or 0) for part in ("years", "months", "weeks", "days", "hours", "minutes")
    )
    time = timedelta(hours=hours, minutes=minutes, seconds=float(found["seconds"] or 0))
    read = Duration(years * 12 + months, weeks * 7 + days, time)
    is_short = read.months <= MAX_MONTHS and read.days <= MAX_DAYS and time <= timedelta(days=MAX_DAYS)
    return read if is_short else None


def check_duration(source: str, value: Any) -> str:
    """Return the ISO text of a duration such as P1DT2H. Raises ExpressionError for another value."""
    if isinstance(value, str) and duration(value) is not None:
        return value.strip()
    raise ExpressionError(
        source, "不是有效的时长，最长100年，如 P1DT2H", "not a valid duration of at most 100 years; example: P1DT2H"
    )


def check_cycle(source: str, value: Any) -> str:
    """Return the ISO text of a repetition such as R3/PT1H (three times) or R/P1D (endless). Raises ExpressionError."""
    head, slash, length = value.strip().partition("/") if isinstance(value, str) else ("", "", "")
    if not slash or not _TIMES.fullmatch(head):
        raise ExpressionError(source, "不是有效的重复周期，如 R3/PT1H", "not a valid repetition; example: R3/PT1H")
    text = check_duration(source, length)
    exact = (duration(text) or Duration(0, 0, timedelta())).exact
    if exact is not None and exact < LEAST_CYCLE:
        raise ExpressionError(
            source, "重复间隔至少1分钟，如 R3/PT1M", "repeats at least a minute apart; example: R3/PT1M"
        )
    return f"{head}/{text}"


def due_after(moment: datetime, text: str, calendar: Calendar | None = None) -> datetime:
    """Return when a timer falls due that began to wait at `moment`, with a duration or a repetition as its text.

    With a calendar its days and hours are working time.
    """
    found = duration(text.rpartition("/")[2])
    if found is None:  # stored before the rules of today
        raise ExpressionError(text, "不是有效的时长，如 P1DT2H", "not a valid duration; example: P1DT2H")
    due = calendar.after(moment, found.days, found.time) if calendar else found.after(moment)
    return max(due, moment + LEAST_CYCLE) if "/" in text else due  # a model deployed earlier may ask for less


def is_short(text: str) -> bool:
    """Return whether an ISO text is a duration below the least one between two occurrences."""
    found = duration(text)
    return found is not None and found.exact is not None and found.exact < LEAST_CYCLE


def rest_of(cycle: str) -> str:
    """Return what is left of a repetition after it has come once; '' when nothing is."""
    times, _slash, length = cycle.partition("/")
    if times == "R":
        return cycle
    return f"R{int(times[1:]) - 1}/{length}" if int(times[1:]) > 1 else ""


def check_date(source: str, value: Any) -> str:
    """Return the ISO text of a moment such as 2030-01-31T08:00:00+08:00. Raises ExpressionError for another value."""
    if isinstance(value, (datetime, date)):
        value = value.isoformat()
    if isinstance(value, str):
        try:
            if datetime.fromisoformat(value.strip()).year in YEARS:
                return value.strip()
        except ValueError:
            pass
    raise ExpressionError(
        source,
        "不是有效的时间，如 2030-01-31T08:00:00+08:00",
        "not a valid date and time; example: 2030-01-31T08:00:00+08:00",
    )
