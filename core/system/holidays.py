"""Taking over a year of the published calendar into the tenant's days off and days worked in exchange."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Invalid
from core.kernel.operation import operation
from core.kernel.texts import label
from core.rest import edits
from core.system import published
from core.system.models import CalendarVersion, Holiday, HolidayType
from core.system.periods import today

_ADDED = label("新增", "Added")
_YEARS_BACK = 1


def offered() -> list[dict[str, Any]]:
    """Return the published years from last year on, the latest first: how many days each has, and how many are new."""
    first = today().year - _YEARS_BACK
    known = set(Holiday.objects.filter(day__year__gte=first).values_list("day", flat=True))
    found = []
    for year in published.years():
        if year >= first:
            days = published.days_of(year)
            found.append({"year": year, "days": len(days), "missing": sum(one.day not in known for one in days)})
    return found


@operation("holiday.takeOver", code="holiday_add")
def take_over(actor: Actor, year: int) -> dict[str, int]:
    """Add the published days of a year that are not there yet; those that are there stay as people made them.

    Returns how many came, and how many were there. Raises Invalid for a year that is not published.
    """
    days = published.days_of(year)
    if not days:
        raise Invalid({"year": _("没有{year}年的节假日安排，已公布的最近一年是{latest}年").format(
            year=year, latest=published.years()[0]
        )})  # fmt: skip
    known = set(Holiday.objects.filter(day__year=year).values_list("day", flat=True))
    new = [
        Holiday(
            day=one.day,
            day_type=HolidayType.WORKED if one.is_worked else HolidayType.OFF,
            name=one.name,
            name_en=one.name_en,
        )
        for one in days
        if one.day not in known
    ]
    # Where somebody adds the same day at this moment, it stays as that person made it.
    Holiday.objects.bulk_create(new, ignore_conflicts=True)
    added = Holiday.objects.filter(pk__in=[one.pk for one in new]).count()
    entry = current_entry()
    entry.business_type, entry.remark = "holiday", str(year)
    entry.changes = edits.counted((_ADDED, added))
    if added:
        CalendarVersion.change()
    else:
        entry.nothing_happened = True
    return {"year": year, "added": added, "known": len(days) - added}
