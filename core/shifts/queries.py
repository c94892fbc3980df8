"""What is asked of the calendar: who works which shift on a day, a span of days as a table, and who is on duty now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from core.identity.models import Department, User
from core.kernel import clock
from core.kernel.texts import choose, moment
from core.shifts import calendar, parts, rotation, times
from core.shifts.models import Cell, CellSource, Plan, PlanStatus, Shift, ShiftTeam, ShiftTeamMember
from core.system.models import Holiday
from core.system.periods import local_day, today

_ONE_DAY = timedelta(days=1)


def zone() -> Any:
    """Return the tenant's time zone."""
    return timezone.get_default_timezone()


def plan_of_department(dept_id: int | None, day: date) -> Plan | None:
    """Return the enabled plan of a department on a day: its own, else that of the next department above."""
    path = Department.objects.filter(pk=dept_id).values_list("path", flat=True).first() if dept_id else None
    if path is None:
        return None
    above = [int(step) for step in path.strip("/").split("/")]
    found = Plan.objects.filter(dept_id__in=above, status=PlanStatus.ENABLED, start_date__lte=day)
    plans = {plan.dept_id: plan for plan in found if plan.end_date is None or plan.end_date >= day}
    return next((plans[dept] for dept in reversed(above) if dept in plans), None)


def business_date_of(plan: Plan, now: datetime) -> date:
    """Return the business date of a moment under a plan."""
    return times.business_date(now, Shift.objects.filter(plan=plan).order_by("shift_no"), zone())


def business_date_in(dept_id: int | None, moment: datetime) -> date:
    """Return the business date of a moment by the plan of a department, else the day of the calendar."""
    day = local_day(moment)
    plan = plan_of_department(dept_id, day)
    return business_date_of(plan, moment) if plan is not None else day


@dataclass
class Day:
    """A day of a plan's calendar: its cells as they are stored, or as the rotation says."""

    day: date
    cells: list[Cell]
    is_worked: bool
    shifts: list[Shift]


def table(plan: Plan, first: date, last: date) -> tuple[calendar.Turns, list[Day]]:
    """Return the days of a plan from the first to the last; a constant number of statements."""
    turns = calendar.turns_of(plan)
    numbers = {team.pk: team.team_no for team in turns.teams}
    stored: dict[date, list[Cell]] = {}
    rows = Cell.objects.filter(plan=plan, day__gte=first, day__lte=last).select_related("shift", "team")
    for cell in rows:
        stored.setdefault(cell.day, []).append(cell)
    found = []
    for day in calendar.days(first, last):
        cells = stored.get(day)
        if cells is None:
            cells = [Cell(id=None, plan=plan, day=day, shift=shift, team=team) for shift, team in turns.of(day)]
        cells.sort(key=lambda cell: (cell.shift.shift_no, numbers.get(cell.team_id or 0, 0), cell.team_id or 0))
        shifts = [shift for shift in turns.shifts if times.is_valid(shift, day)]
        found.append(Day(day, cells, turns.is_worked(day), shifts))
    return turns, found


class People:
    """Who works a cell: the people named in it, else its team's members."""

    def __init__(self, cells: Iterable[Cell]):
        cells = [cell for cell in cells if cell.team_id is not None]
        teams = {cell.team_id for cell in cells if not cell.user_ids}
        self._members: dict[int, list[int]] = {}
        members = ShiftTeamMember.objects.filter(team__in=teams).order_by("place", "pk")
        for team_id, user_id in members.values_list("team_id", "user_id") if teams else ():
            self._members.setdefault(team_id, []).append(user_id)
        asked = {pk for cell in cells for pk in self.ids(cell)}
        self.names: Mapping[int, str] = (
            dict(User.with_removed.filter(pk__in=asked).values_list("pk", "real_name")) if asked else {}
        )

    def ids(self, cell: Cell) -> list[int]:
        """Return the ids of the people of a cell."""
        if cell.team_id is None:
            return []
        return list(cell.user_ids) or self._members.get(cell.team_id, [])

    def wire(self, cell: Cell) -> dict[str, Any]:
        """Return the people of a cell as callers read them."""
        ids = [pk for pk in self.ids(cell) if pk in self.names]
        return {"userIds": ",".join(map(str, ids)), "userNames": [self.names[pk] for pk in ids]}


def shift_wire(shift: Shift) -> dict[str, Any]:
    """Return a shift as callers read it."""
    return {
        "shiftId": str(shift.pk),
        "shiftNo": shift.shift_no,
        "shiftName": shift.shift_name,
        "startTime": f"{shift.start_time:%H:%M}",
        "endTime": f"{shift.end_time:%H:%M}",
        "crossDay": int(times.crosses_midnight(shift.start_time, shift.end_time)),
        "minutes": times.worked_minutes(shift.start_time, shift.end_time, shift.breaks),
        "color": shift.color,
    }


def shifts_of_day(plan: Plan, day: date | None) -> list[dict[str, Any]]:
    """Return the shifts of a plan on a business date, the present one by default, with who works them."""
    now = clock.now()
    day = day if day is not None else business_date_of(plan, now)
    _turns, (found,) = table(plan, day, day)
    people = People(found.cells)
    leaders = dict(
        ShiftTeam.with_removed.filter(pk__in={cell.team_id for cell in found.cells}).values_list(
            "pk", "leader__real_name"
        )
    )
    answer = []
    for shift in found.shifts:
        window = times.window(day, shift.start_time, shift.end_time, zone())
        teams = [
            {
                "teamId": str(cell.team_id),
                "teamName": str(cell.team),
                "leaderName": leaders.get(cell.team_id, ""),
                **people.wire(cell),
            }
            for cell in found.cells
            if cell.shift_id == shift.pk and cell.team_id is not None
        ]
        answer.append(
            {
                **shift_wire(shift),
                "isNow": int(window.holds(now)),
                "startAt": moment(window.begin),
                "endAt": moment(window.end),
                "teams": teams,
            }
        )
    return answer


def scheduling(plan: Plan, first: date, last: date) -> dict[str, Any]:
    """Return the calendar of a plan as a table of days, with what is worth a second look, and counts by team."""
    turns, found = table(plan, first - _ONE_DAY, last)
    before, shown = found[0], found[1:]
    people = People(cell for day in shown for cell in day.cells)
    teams = parts.teams_of(plan.pk)
    holidays = {
        day: (kind, choose(name, name_en))
        for day, kind, name, name_en in Holiday.objects.filter(day__gte=first, day__lte=last).values_list(
            "day", "day_type", "name", "name_en"
        )
    }
    present = today()
    rows = []
    for day in shown:
        kind, name = holidays.get(day.day, (None, ""))
        rows.append(
            {
                "date": str(day.day),
                "weekday": day.day.isoweekday(),
                "dayType": kind,
                "holidayName": name,
                "isToday": int(day.day == present),
                "isWorked": int(day.is_worked),
                "cells": [_cell_wire(cell, people) for cell in day.cells],
                "warnings": warnings_of(before, day),
            }
        )
        before = day
    return {
        "shifts": [
            {
                **shift_wire(shift),
                "validFrom": str(shift.valid_from or ""),
                "validUntil": str(shift.valid_until or ""),
            }
            for shift in turns.shifts
            if (shift.valid_until is None or shift.valid_until > first)
            and (shift.valid_from is None or shift.valid_from <= last)
        ],
        "teams": [
            {
                "teamId": str(team.pk),
                "teamNo": team.team_no,
                "teamName": team.team_name,
                "leaderName": str(team.leader),
                "userIds": ",".join(map(str, team.user_ids)),
                "userNames": list(team.user_names),
            }
            for team in teams
        ],
        "days": rows,
        "stats": _stats(teams, shown),
    }


def _cell_wire(cell: Cell, people: People) -> dict[str, Any]:
    return {
        "cellId": str(cell.pk) if cell.pk is not None else None,
        "shiftId": str(cell.shift_id),
        "shiftName": cell.shift.shift_name,
        "teamId": str(cell.team_id) if cell.team_id is not None else None,
        "teamName": str(cell.team) if cell.team is not None else "",
        **people.wire(cell),
        "source": cell.source,
        "remark": cell.remark,
    }


def warnings_of(before: Day, day: Day) -> list[str]:
    """Return the shifts of a day that no team works, and the teams that come to it with less than 8 hours of rest."""
    said = []
    if day.is_worked or any(cell.source == CellSource.BY_HAND for cell in day.cells):
        worked = {cell.shift_id for cell in day.cells if cell.team_id is not None}
        said += [
            _("「{shift}」没有班组").format(shift=shift.shift_name) for shift in day.shifts if shift.pk not in worked
        ]
    last = {cell.team_id: cell.shift for cell in before.cells if cell.team_id is not None}
    for cell in day.cells:
        if cell.team_id is None or cell.team_id not in last:
            continue
        shift = last[cell.team_id]
        rest = rotation.rest_minutes(
            (shift.start_time, shift.end_time), (cell.shift.start_time, cell.shift.end_time), 1
        )
        if rest < times.LEAST_REST.total_seconds() / 60:
            said.append(_("班组「{team}」上班前休息不足8小时").format(team=cell.team))
    return said


def _stats(teams: Sequence[ShiftTeam], shown: Sequence[Day]) -> list[dict[str, Any]]:
    """Return for each team its days of work, its minutes, and how many of its shifts are worked at night."""
    answer = []
    for team in teams:
        cells = [cell for day in shown for cell in day.cells if cell.team_id == team.pk]
        shifts = [cell.shift for cell in cells]
        answer.append(
            {
                "teamId": str(team.pk),
                "teamName": team.team_name,
                "workDays": len({cell.day for cell in cells}),
                "minutes": sum(times.worked_minutes(one.start_time, one.end_time, one.breaks) for one in shifts),
                "nightCount": sum(times.is_night(one.start_time, one.end_time) for one in shifts),
            }
        )
    return answer


def on_duty_in(dept_ids: Collection[int]) -> dict[int, list[int]]:
    """Return by department who is on duty now by the plan that counts for it: its own, else the next one above.

    People whose account no longer works are left out. Six statements at most, however many departments.
    """
    now = clock.now()
    day = now.astimezone(zone()).date()
    paths = dict(Department.objects.filter(pk__in=dept_ids).values_list("pk", "path"))
    above = {pk: [int(step) for step in reversed(path.strip("/").split("/"))] for pk, path in paths.items()}
    rows = Plan.objects.filter(
        Q(end_date=None) | Q(end_date__gte=day - _ONE_DAY),
        dept__in={pk for steps in above.values() for pk in steps},
        status=PlanStatus.ENABLED,
        start_date__lte=day,
    )
    plans = {plan.dept_id: plan.pk for plan in rows.order_by("-pk")}
    chosen = {pk: next((plans[step] for step in steps if step in plans), None) for pk, steps in above.items()}
    cells = _cells_at(now, plan__in=[plan for plan in chosen.values() if plan is not None]) if plans else []
    people = People(cells)
    by_plan: dict[int, list[int]] = {}
    for cell in cells:
        by_plan.setdefault(cell.plan_id, []).extend(people.ids(cell))
    everybody = {pk for ids in by_plan.values() for pk in ids}
    active = (
        set(User.objects.filter(pk__in=everybody, is_enabled=True).values_list("pk", flat=True)) if cells else set()
    )
    return {
        dept: [pk for pk in dict.fromkeys(by_plan.get(plan or 0, ())) if pk in active] for dept, plan in chosen.items()
    }


def _cells_at(now: datetime, **where: Any) -> list[Cell]:
    """Return the cells of enabled plans that are worked at a moment, those of the day before first."""
    day = now.astimezone(zone()).date()
    rows = Cell.objects.filter(
        day__in=(day - _ONE_DAY, day), team__isnull=False, plan__status=PlanStatus.ENABLED, plan__is_deleted=False
    ).filter(**where)
    return [
        cell
        for cell in rows.select_related("shift", "team").order_by("day", "pk")
        if times.window(cell.day, cell.shift.start_time, cell.shift.end_time, zone()).holds(now)
    ]


def on_duty(now: datetime | None = None) -> Mapping[int, str]:
    """Return who is on duty at a moment, now by default, each with the name of the shift; three statements at most."""
    cells = _cells_at(now if now is not None else clock.now())
    people = People(cells)
    return {user_id: cell.shift.shift_name for cell in reversed(cells) for user_id in people.ids(cell)}
