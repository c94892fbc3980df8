"""The working calendar of the tenant in scope: its working hours and weekdays, its days off and days worked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from core.kernel.tenancy import current_tenant
from core.statements.compiled import Compiled
from core.system import parameters
from core.system.models import CalendarVersion, Holiday, HolidayType
from core.system.working_time import WorkingCalendar, read_hours, read_weekdays

_VERSION = Compiled(lambda tenant_id: CalendarVersion.objects.filter(tenant_id=tenant_id).values_list("version"))


@dataclass(frozen=True)
class TenantCalendar(WorkingCalendar):
    """A working calendar, and which of the tenant's calendars it is."""

    version: int = 0


def install_for_tenant() -> None:
    """Write the first version of the calendar of the tenant in scope; one that exists stays."""
    CalendarVersion.objects.get_or_create(tenant_id=current_tenant())


def version() -> int:
    """Return the version of the calendar as it is now; one statement."""
    found = _VERSION.rows(current_tenant())
    return int(found[0][0]) if found else 0


def current() -> TenantCalendar:
    """Return the calendar as it is now; one statement, and two more in a process that has not read this version."""
    return _read(current_tenant(), version())


@lru_cache(maxsize=512)
def _read(tenant_id: str, number: int) -> TenantCalendar:
    # Not those that are kept for the actor, which may be older than the version.
    given = parameters.stored()
    hours, weekdays = given[parameters.WORKING_HOURS], given[parameters.WORKING_WEEKDAYS]
    days = {day: kind == HolidayType.WORKED for day, kind in Holiday.objects.values_list("day", "day_type")}
    # Both texts were checked when they were stored.
    return TenantCalendar(read_weekdays(weekdays) or frozenset(), read_hours(hours) or (), days, number)
