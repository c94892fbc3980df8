"""When machines and people are meant to work: by the shift plan of their department, as its calendar has been made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.db.models import Min, Q

from core.equipment.models import Machine
from core.equipment.spans import Span, cut, merged, union
from core.identity.models import Department
from core.kernel import clock
from core.shifts import times
from core.shifts.models import Cell, Plan, PlanStatus, Shift
from core.shifts.queries import People, zone
from core.system.periods import midnight

_ONE_DAY = timedelta(days=1)


def plans_above(dept_ids: Collection[int], first: date, last: date) -> dict[int, list[Plan]]:
    """Return by department the enabled plans of it and of those above it, the nearest first; two statements.

    `first_day` of a plan is the first day of its calendar.
    """
    paths = dict(Department.objects.filter(pk__in=dept_ids).values_list("pk", "path"))
    above = {pk: [int(step) for step in path.strip("/").split("/")] for pk, path in paths.items()}
    found = Plan.objects.filter(dept__in={pk for steps in above.values() for pk in steps}, status=PlanStatus.ENABLED)
    found = found.filter(Q(end_date=None) | Q(end_date__gte=first), start_date__lte=last)
    by_dept: dict[int, list[Plan]] = defaultdict(list)
    for plan in found.annotate(first_day=Min("cells__day")).order_by("pk"):
        by_dept[plan.dept_id].append(plan)
    return {pk: [plan for step in reversed(steps) for plan in by_dept.get(step, ())] for pk, steps in above.items()}


def plan_on(plans: Iterable[Plan], day: date) -> Plan | None:
    """Return the plan that counts on a day: the nearest whose calendar has the day."""
    for plan in plans:
        first: date | None = getattr(plan, "first_day", None)
        until = min((one for one in (plan.end_date, plan.covered_to) if one is not None), default=None)
        if first is not None and until is not None and max(first, plan.start_date) <= day <= until:
            return plan
    return None


def spans_of(day: date, shift: Shift) -> list[Span]:
    """Return when a shift of a business date is worked: without its breaks."""
    window = times.window(day, shift.start_time, shift.end_time, zone())
    breaks = [
        (window.begin + timedelta(minutes=since), window.begin + timedelta(minutes=until))
        for since, until in times.break_spans(shift.start_time, shift.breaks)
    ]
    borders = [window.begin, *(moment for pause in breaks for moment in pause), window.end]
    pairs = zip(borders[::2], borders[1::2], strict=True)
    return [(begin, min(end, window.end)) for begin, end in pairs if begin < min(end, window.end)]


def _by_department(
    dept_ids: Collection[int], first: date, last: date
) -> tuple[dict[int, dict[date, int]], dict[tuple[int, date], list[Span]]]:
    """Return by department the plan of each day that has one, and when each plan is worked on a day."""
    plans = plans_above(dept_ids, first - _ONE_DAY, last)
    days = [first + timedelta(days=number) for number in range(-1, (last - first).days + 1)]
    chosen: dict[int, dict[date, int]] = {}
    for pk, mine in plans.items():
        counting = ((day, plan_on(mine, day)) for day in days)
        chosen[pk] = {day: plan.pk for day, plan in counting if plan is not None}
    used = {plan_id for by_day in chosen.values() for plan_id in by_day.values()}
    worked: dict[tuple[int, date], list[Span]] = defaultdict(list)
    cells = Cell.objects.filter(plan__in=used, day__gte=days[0], day__lte=last, team__isnull=False)
    for cell in cells.select_related("shift") if used else ():
        worked[cell.plan_id, cell.day] += spans_of(cell.day, cell.shift)
    return chosen, worked


def worked_spans(machine: Machine, begin: datetime, end: datetime) -> list[Span] | None:
    """Return when a machine is meant to work within the bounds; None where it has no plan: then always."""
    if begin >= end:
        return []
    first, last = (moment.astimezone(zone()).date() for moment in (begin, end))
    chosen, worked = _by_department([machine.dept_id] if machine.dept_id else [], first, last)
    mine = chosen.get(machine.dept_id or 0)
    if not mine:
        return None
    spans: list[Span] = []
    for number in range(-1, (last - first).days + 1):
        day = first + timedelta(days=number)
        if day in mine:
            spans += worked[mine[day], day]
        else:
            spans.append((midnight(day), midnight(day + _ONE_DAY)))
    return list(merged(cut(spans, begin, end)))


def worked_minutes(machines: Collection[Machine], first: date, last: date) -> Mapping[int, Mapping[date, int]]:
    """Return by machine the minutes that it is meant to work on each day; three statements."""
    chosen, worked = _by_department({one.dept_id for one in machines if one.dept_id}, first, last)
    by_dept: dict[int, dict[date, int]] = {}
    for pk, mine in chosen.items():
        by_dept[pk] = {
            day: int(union(cut(_around(mine, worked, day), midnight(day), midnight(day + _ONE_DAY))).total_seconds())
            // 60
            for day in mine
        }
    return {one.pk: by_dept[one.dept_id] for one in machines if one.dept_id in by_dept}


def _around(mine: Mapping[date, int], worked: Mapping[tuple[int, date], list[Span]], day: date) -> list[Span]:
    """Return when is worked on the business dates whose shifts reach into a day."""
    return [span for one in (day - _ONE_DAY, day) if one in mine for span in worked.get((mine[one], one), ())]


@dataclass
class Shifts:
    """When a person is to work, by the calendars of shift plans, without breaks."""

    within: list[Span] = field(default_factory=list)
    """Of the business dates that are asked for, as far as they have passed."""
    around: list[Span] = field(default_factory=list)
    """Of the days before and after too: a night shift reaches into the next day."""


def shifts_of_people(user_ids: Collection[int], first: date, last: date) -> dict[int, Shifts]:
    """Return by person the shifts of some days; who has none is missing. Three statements at most."""
    rows = Cell.objects.filter(
        day__gte=first - _ONE_DAY, day__lte=last + _ONE_DAY, team__isnull=False, plan__status=PlanStatus.ENABLED,
        plan__is_deleted=False,
    )  # fmt: skip
    cells = list(rows.select_related("shift").order_by("day", "pk")) if user_ids else []
    people, wanted, now = People(cells), set(user_ids), clock.now()
    found: dict[int, Shifts] = {}
    for cell in cells:
        mine = wanted.intersection(people.ids(cell))
        spans = spans_of(cell.day, cell.shift) if mine else []
        for pk in mine:
            shifts = found.setdefault(pk, Shifts())
            shifts.around += spans
            if first <= cell.day <= last:
                shifts.within += [(begin, min(end, now)) for begin, end in spans if begin < now]
    return found
