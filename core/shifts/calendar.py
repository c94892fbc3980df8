"""The calendar of shift plans: cells made ahead from the rotation, which hand changes are never overwritten by."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import Q

from core.identity.models import Tenant
from core.kernel.actor import acting, system
from core.kernel.tenancy import tenant_scope
from core.shifts import followers, rotation, times
from core.shifts.models import Cell, CellSource, Plan, PlanStatus, Shift, ShiftTeam, WorkdayMode
from core.system import calendars
from core.system.periods import today
from core.system.working_time import WorkingCalendar

AHEAD = 62
"""Days ahead of today of which the calendar has its cells."""
_ONE_DAY = timedelta(days=1)
log = logging.getLogger("xunwei.shifts")


@dataclass(frozen=True)
class Turns:
    """What the cells of a plan follow from."""

    plan: Plan
    shifts: list[Shift]
    teams: list[ShiftTeam]
    calendar: WorkingCalendar | None

    def is_worked(self, day: date) -> bool:
        """Return whether the plan is worked on a day."""
        plan = self.plan
        if day < plan.start_date or (plan.end_date is not None and day > plan.end_date):
            return False
        if plan.workday_mode == WorkdayMode.MONDAY_TO_FRIDAY:
            return day.isoweekday() <= 5
        return self.calendar is None or self.calendar.is_working_day(day)

    def of(self, day: date) -> Iterator[tuple[Shift, ShiftTeam]]:
        """Yield who works which shift on a day, by the rotation."""
        if not self.is_worked(day):
            return
        numbered = {shift.shift_no: shift for shift in self.shifts if times.is_valid(shift, day)}
        for team in self.teams:
            shift = numbered.get(rotation.turn(team.rotation, self.plan.anchor_date or self.plan.start_date, day))
            if shift is not None:
                yield shift, team


def turns_of(plan: Plan) -> Turns:
    """Read what the cells of a plan follow from; two statements, and the calendar where legal workdays are worked."""
    is_legal = plan.workday_mode == WorkdayMode.LEGAL
    return Turns(
        plan,
        list(Shift.objects.filter(plan=plan).order_by("shift_no")),
        list(ShiftTeam.objects.filter(plan=plan).order_by("team_no")),
        calendars.current() if is_legal else None,
    )


def days(first: date, last: date) -> Iterator[date]:
    """Yield the days from the first to the last, both included."""
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)


def fill(plan: Plan, first: date, last: date) -> int:
    """Make the cells of those of these days that have none; return how many. Run again it makes nothing."""
    if last < first:
        return 0
    there = set(Cell.objects.filter(plan=plan, day__gte=first, day__lte=last).values_list("day", flat=True))
    turns = turns_of(plan)
    new = [
        Cell(plan=plan, day=day, shift=shift, team=team)
        for day in days(first, last)
        if day not in there
        for shift, team in turns.of(day)
    ]
    # Where another worker was faster, its cells stay: they are the same.
    Cell.objects.bulk_create(new, batch_size=500, ignore_conflicts=True)
    return len(new)


def cover(plan: Plan, last: date) -> int:
    """Make the cells up to a day, or to the plan's end; return how many."""
    first = plan.covered_to + _ONE_DAY if plan.covered_to is not None else max(plan.start_date, today())
    last = min(last, plan.end_date) if plan.end_date is not None else last
    made = fill(plan, first, last)
    _note(plan, last if last >= first else plan.covered_to)
    return made


def _note(plan: Plan, covered_to: date | None) -> None:
    """Note how far the calendar has its cells, and with which working calendar they were made.

    Where some were made with an earlier one, that one stays noted, until the job makes them anew.
    """
    noted = {"covered_to": covered_to}
    if plan.workday_mode == WorkdayMode.LEGAL and not _is_outdated(plan):
        noted["calendar_version"] = calendars.version()  # type: ignore[assignment]
    for name, value in noted.items():
        setattr(plan, name, value)
    Plan.objects.filter(pk=plan.pk).update(**noted)


def plan_changed(plan: Plan, effective: date | None, was_enabled: bool) -> None:
    """Bring the calendar in line with a plan that was stored: from `effective` on its cells are made anew.

    Whose records follow the calendar hears of it.
    """
    tomorrow = today() + _ONE_DAY
    if plan.status != PlanStatus.ENABLED:
        if was_enabled:
            _remove_rotated(plan, tomorrow)
            _note(plan, min(plan.covered_to, today()) if plan.covered_to is not None else None)
        return
    with _followed(plan, today()):
        _bring_in_line(plan, effective, was_enabled)


def _bring_in_line(plan: Plan, effective: date | None, was_enabled: bool) -> None:
    tomorrow = today() + _ONE_DAY
    ahead = Cell.objects.filter(plan=plan, day__gte=tomorrow)
    outside = Q(day__lt=plan.start_date)
    if plan.end_date is not None:
        outside |= Q(day__gt=plan.end_date)
    ahead.filter(outside).delete()
    if effective is not None:
        renew(plan, effective)
    elif was_enabled and plan.covered_to is not None:
        # A plan that now begins earlier, or ends later.
        fill(plan, max(plan.start_date, tomorrow), plan.covered_to)
    if not was_enabled and plan.covered_to is not None:
        # Nobody has worked by it while it was disabled.
        plan.covered_to = max(plan.covered_to, today() - _ONE_DAY)
    cover(plan, today() + timedelta(days=AHEAD))


def renew(plan: Plan, first: date) -> None:
    """Make the cells from a day on anew; days with a change by hand stay, but for shifts that are no more."""
    _remove_rotated(plan, first)
    _move_to_valid_shifts(plan, first)
    if plan.covered_to is not None:
        fill(plan, first, plan.covered_to)


def _remove_rotated(plan: Plan, first: date) -> None:
    """Remove the cells from a day on, but for days with a change by hand: these stay whole."""
    ahead = Cell.objects.filter(plan=plan, day__gte=first)
    by_hand = set(ahead.filter(source=CellSource.BY_HAND).values_list("day", flat=True))
    ahead.exclude(day__in=by_hand).delete()


@contextmanager
def _followed(plan: Plan, first: date) -> Iterator[None]:
    """Let whoever follows the calendar hear which days from `first` on have other cells after the block."""
    before = _worked(plan, first)
    yield
    after = _worked(plan, first)
    followers.changed(plan, [day for day in sorted({*before, *after}) if before.get(day) != after.get(day)])


def _worked(plan: Plan, first: date) -> dict[date, set[tuple[Any, ...]]]:
    found: dict[date, set[tuple[Any, ...]]] = {}
    rows = Cell.objects.filter(plan=plan, day__gte=first).values_list("day", "shift_id", "team_id", "user_ids")
    for day, shift_id, team_id, user_ids in rows:
        found.setdefault(day, set()).add((shift_id, team_id, tuple(user_ids)))
    return found


def _move_to_valid_shifts(plan: Plan, first: date) -> None:
    """Let cells of a shift that has ended be of the one of its number that counts on their day; without one they go."""
    shifts = list(Shift.with_removed.filter(plan=plan))
    valid = [shift for shift in shifts if not shift.is_deleted]
    for old in shifts:
        cells = Cell.objects.filter(plan=plan, shift=old, day__gte=first)
        if old.is_deleted:
            stale = cells
        elif old.valid_until is not None:
            stale = cells.filter(day__gte=old.valid_until)
        else:
            continue
        new = next((one for one in valid if one.shift_no == old.shift_no and one.valid_until is None), None)
        if new is not None:
            stale = stale.filter(day__gte=new.valid_from) if new.valid_from is not None else stale
            stale.update(shift=new)
        else:
            stale.delete()


def reset(plan: Plan, first: date, last: date) -> None:
    """Make the cells of these days as the rotation says, whatever was changed by hand."""
    Cell.objects.filter(plan=plan, day__gte=first, day__lte=last).delete()
    fill(plan, first, min(last, plan.covered_to) if plan.covered_to is not None else first - _ONE_DAY)


def cover_all() -> int:
    """Make the cells of all enabled plans of all tenants up to 62 days ahead; return how many.

    It may run twice at a time: a plan is locked while its cells are made, and no cell is made twice.
    """
    made = 0
    for tenant_id in Tenant.objects.values_list("tenant_id", flat=True):
        try:
            with tenant_scope(tenant_id), acting(system(tenant_id)):
                made += cover_tenant()
        except Exception:  # one tenant's trouble does not stop the others
            log.exception("the calendar of tenant %s was not made", tenant_id)
    return made


def cover_tenant() -> int:
    """Make the cells of the enabled plans of the tenant in scope; return how many."""
    return sum(_cover_one(pk) for pk in _due())


def _due() -> list[int]:
    """Return the enabled plans whose calendar ends too early, or was made with another working calendar."""
    target = today() + timedelta(days=AHEAD)
    short = Q(covered_to=None, start_date__lte=target) | Q(covered_to__lt=target)
    renewed = Q(workday_mode=WorkdayMode.LEGAL) & ~Q(calendar_version=calendars.version())
    found = Plan.objects.filter(short | renewed, status=PlanStatus.ENABLED).order_by("pk")
    return [plan.pk for plan in found if _is_outdated(plan) or not _is_covered(plan)]


def _is_outdated(plan: Plan) -> bool:
    """Return whether the working calendar has changed since the cells were made."""
    return (
        plan.workday_mode == WorkdayMode.LEGAL
        and plan.covered_to is not None
        and plan.calendar_version != calendars.version()
    )


def _is_covered(plan: Plan) -> bool:
    """Return whether the cells reach to the plan's end."""
    return plan.end_date is not None and plan.covered_to is not None and plan.covered_to >= plan.end_date


def _cover_one(plan_id: int) -> int:
    with transaction.atomic():
        rows = Plan.objects.select_for_update(skip_locked=connection.vendor == "postgresql")
        plan = rows.filter(pk=plan_id, status=PlanStatus.ENABLED).first()
        if plan is None:
            return 0
        if _is_outdated(plan):
            with _followed(plan, today() + _ONE_DAY):
                renew(plan, today() + _ONE_DAY)
            plan.calendar_version = calendars.version()
        return cover(plan, today() + timedelta(days=AHEAD))
