"""What figures are asked for: a period by name or by its days, and a department with all below it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from core.identity.models import Department
from core.kernel import clock
from core.kernel.errors import Invalid
from core.kernel.ids import is_id
from core.system import periods
from core.system.periods import Period

RANGES = ("today", "week", "month", "reportMonth", "year", "custom")


@dataclass(frozen=True)
class Asked:
    """A period, and the departments whose rows count; None where all do."""

    period: Period
    departments: frozenset[int] | None = None

    def within(self, rows: QuerySet[Any], column: str) -> QuerySet[Any]:
        """Return the rows of the departments."""
        return rows if self.departments is None else rows.filter(**{f"{column}__in": self.departments})

    @property
    def as_of(self) -> datetime:
        """The moment up to which figures are known: now, or the end of a period that is over."""
        return min(self.period.bounds()[1], clock.now())

    def head(self) -> dict[str, Any]:
        """Return the days and the moment that each answer begins with."""
        return {"from": str(self.period.first), "to": str(self.period.last), "asOf": self.as_of}


def read(given: Mapping[str, str], default: str) -> Asked:
    """Return what the parameters `range`, `startDate`, `endDate` and `deptId` name; raises Invalid."""
    name = given.get("range") or ("custom" if given.get("startDate") or given.get("endDate") else default)
    if name not in RANGES:
        raise _wrong("range")
    return Asked(_period(name, given), _departments(given.get("deptId") or ""))


def _wrong(name: str) -> Invalid:
    return Invalid({name: _("请求参数格式错误: {name}").format(name=name)})


def _period(name: str, given: Mapping[str, str]) -> Period:
    today = periods.today()
    if name == "custom":
        return periods.asked({"startDate": given.get("startDate", "-"), "endDate": given.get("endDate", "-")})
    if name == "today":
        return Period(today, today)
    if name == "week":
        monday = today - timedelta(days=today.weekday())
        return Period(monday, monday + timedelta(days=6))
    if name == "month":
        first = today.replace(day=1)
        return Period(first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1))
    if name == "year":
        return Period(today.replace(month=1, day=1), today.replace(month=12, day=31))
    return periods.reporting_month(*periods.month_of(today))


def _departments(text: str) -> frozenset[int] | None:
    """Return a department and all below it; one statement."""
    if not text:
        return None
    if not is_id(text):
        raise _wrong("deptId")
    below = Department.objects.filter(path__contains=f"/{int(text)}/")
    return frozenset(below.values_list("pk", flat=True))
