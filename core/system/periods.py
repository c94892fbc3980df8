"""Reporting months: which days belong to a month of the tenant's books, and which days a report is asked about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from core.kernel import clock
from core.kernel.errors import Invalid
from core.system import parameters

MOST_DAYS = 366


@dataclass(frozen=True)
class Period:
    """Days from `first` to `last`, both included."""

    first: date
    last: date

    def bounds(self) -> tuple[datetime, datetime]:
        """Return the instants [from, to) in the tenant's zone."""
        return midnight(self.first), midnight(self.last + timedelta(days=1))


def midnight(day: date) -> datetime:
    """Return the instant at which a day begins in the tenant's zone."""
    return timezone.make_aware(datetime.combine(day, time.min))


def reporting_month(year: int, month: int) -> Period:
    """Return the days of a reporting month by the tenant's parameters `report.month.startDay` and `report.year.end`.

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
    """Return the reporting month (year, month) that holds the day."""
    period = reporting_month(day.year, day.month)
    if day <= period.last:
        return day.year, day.month
    return (day.year, day.month + 1) if day.month < 12 else (day.year + 1, 1)


SOON = timedelta(hours=2)
"""What is due within this time is due soon, of tasks and of work orders."""


def local_day(moment: datetime) -> date:
    """Return the tenant's day on which a moment lies."""
    return moment.astimezone(timezone.get_default_timezone()).date()


def today() -> date:
    """The tenant's day."""
    return local_day(clock.now())


def asked_month(given: Mapping[str, str]) -> Period:
    """The reporting month that `year` and `month` name; raises Invalid."""
    numbers = []
    for name, least, most in (("year", 2000, 2100), ("month", 1, 12)):
        text = given.get(name, "")
        if not re.fullmatch("[0-9]{1,4}", text) or not least <= int(text) <= most:
            raise Invalid({name: _("请求参数格式错误: {name}").format(name=name)})
        numbers.append(int(text))
    return reporting_month(*numbers)


def asked(given: Mapping[str, str], days: int = 0) -> Period:
    """What `startDate` and `endDate`, or `year` and `month`, name; else the last `days`, or this reporting month.

    Raises Invalid for what is no date, an end before its start, or more than a year.
    """
    if given.get("startDate") or given.get("endDate"):
        period = Period(_date(given, "startDate"), _date(given, "endDate"))
        if period.last < period.first:
            raise Invalid({"endDate": _("结束时间必须晚于开始时间")})
        if (period.last - period.first).days >= MOST_DAYS:
            raise Invalid({"endDate": _("统计时间不能超过{n}天").format(n=MOST_DAYS)})
        return period
    if given.get("year") or given.get("month"):
        return asked_month(given)
    if days:
        return Period(today() - timedelta(days=days - 1), today())
    return reporting_month(*month_of(today()))


MOST_SHOWN = 62
"""Days that a table with a column for each of them shows at once."""


def asked_days(given: Mapping[str, str]) -> tuple[date, date]:
    """The first and the last day of a table: `startDate` and `endDate`, or `month` such as 2026-09, else this month.

    Raises Invalid for what is no date, an end before its start, or more than 62 days.
    """
    text = str(given.get("month") or "").strip()
    if text or not (given.get("startDate") or given.get("endDate")):
        text = text or f"{today():%Y-%m}"
        if not re.fullmatch(r"(19|2[0-9])[0-9]{2}-(0[1-9]|1[0-2])", text, re.ASCII):
            raise Invalid({"month": _("请求参数格式错误: {name}").format(name="month")})
        first = date(int(text[:4]), int(text[5:]), 1)
        return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    for name in ("startDate", "endDate"):
        if not str(given.get(name) or "").strip():
            raise Invalid({name: _("缺少必要的请求参数: {name}").format(name=name)})
    first, last = _date(given, "startDate"), _date(given, "endDate")
    if last < first:
        raise Invalid({"endDate": _("结束日期不能早于开始日期")})
    if (last - first).days >= MOST_SHOWN:
        raise Invalid({"endDate": _("一次最多查看62天")})
    return first, last


def asked_day(given: Mapping[str, str], name: str) -> date | None:
    """Return the date of a parameter; None where it is missing. Raises Invalid for what is no date."""
    return _date(given, name) if str(given.get(name) or "").strip() else None


def _date(given: Mapping[str, str], name: str) -> date:
    try:
        return clock.within_years(date.fromisoformat(str(given.get(name) or "").strip()[:10]))
    except ValueError:
        raise Invalid({name: _("请求参数格式错误: {name}").format(name=name)}) from None
