"""The kinds of time that a model writes: ISO 8601 durations and moments; `repetitions` has what comes again.

The gate, the rehearsal and the running timers read them here; the designer's panel reads durations by the same table of
examples (tests/workflows/engine/durations.json).
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Protocol

from workflows.engine.calendar_rules import YEARS
from workflows.engine.errors import ExpressionError

_DURATION = re.compile(
    r"P(?=.)(?:(?P<weeks>\d{1,4})W|(?:(?P<years>\d{1,4})Y)?(?:(?P<months>\d{1,4})M)?(?:(?P<days>\d{1,5})D)?"
    r"(?:T(?=\d)(?:(?P<hours>\d{1,6})H)?(?:(?P<minutes>\d{1,8})M)?(?:(?P<seconds>\d{1,9}(?:\.\d{1,6})?)S)?)?)",
    re.ASCII,
)
MAX_MONTHS = 1_200  # a hundred years, in each of the three parts of a duration
MAX_DAYS = 36_525


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
