"""Reporting months: which days belong to a month of the tenant's books, and where an instant lies."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.utils import timezone

from core.system import parameters


@dataclass(frozen=True)
class Period:
    """Days from `first` to `last`, both included."""

    first: date
    last: date

    def bounds(self) -> tuple[datetime, datetime]:
        """The instants [from, to) in the tenant's zone."""
        return _midnight(self.first), _midnight(self.last + timedelta(days=1))


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def reporting_month(year: int, month: int) -> Period:
    """The days of a reporting month by the tenant's parameters `report.month.startDay` and `report.year.end`.

    With the 26th and the calendar's year end, January begins on the 1st and December ends on the 31st, so that the
    twelve months tile the year. Raises ValueError where there is no such month.
    """
    given = parameters.values()
    start = int(given["report.month.startDay"])
    calendar = given["report.year.end"] == "calendar"
    begin = date(year, month, 1)
    after = date(year + month // 12, month % 12 + 1, 1)
    if start == 1:
        return Period(begin, after - timedelta(days=1))
    before = begin - timedelta(days=1)
    first = begin if month == 1 and calendar else before.replace(day=start)
    last = after - timedelta(days=1) if month == 12 and calendar else begin.replace(day=start) - timedelta(days=1)
    return Period(first, last)


def month_of(day: date) -> tuple[int, int]:
    """The reporting month (year, month) that holds the day."""
    period = reporting_month(day.year, day.month)
    if day <= period.last:
        return day.year, day.month
    return (day.year, day.month + 1) if day.month < 12 else (day.year + 1, 1)
