"""Which days a report is about: a reporting month, or days from and to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from core.kernel import clock
from core.kernel.errors import Invalid
from core.system.periods import Period, month_of, reporting_month

MOST_DAYS = 366


def today() -> date:
    """The tenant's day."""
    return clock.now().astimezone(timezone.get_default_timezone()).date()


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


def _date(given: Mapping[str, str], name: str) -> date:
    try:
        return date.fromisoformat(given.get(name, "")[:10])
    except ValueError:
        raise Invalid({name: _("请求参数格式错误: {name}").format(name=name)}) from None
