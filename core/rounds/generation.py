"""Makes the tasks of shift plans: what is planned is stored once, however often and by however many it is asked for.

Whoever stores tasks of a plan holds the lock of the plan; beneath it the database takes each occurrence's key once.
A task is stored in one transaction with its points and the people who may do it.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.db.models import CharField, F, Value
from django.db.models.functions import Cast, Concat

from core.inspection.models import Route, RoutePoint
from core.kernel import clock
from core.rounds import exemptions, planning, snapshots
from core.rounds.models import (
    InspectCandidate,
    InspectOrder,
    InspectOrderDetail,
    OrderStatus,
    PointSnapshot,
    TaskRule,
    TaskSource,
)
from core.rounds.planning import Crew, Facts, Planned, RouteFacts, State
from core.shifts import queries
from core.shifts.models import CellSource, Plan, PlanStatus
from core.statements import writes
from core.system import parameters
from core.system.models import Holiday, HolidayType
from core.system.numbers import next_numbers

NUMBERS = "XJ"
"""How the numbers of tasks begin."""
MOST_DAYS = 62
_BATCH = 500
log = logging.getLogger("xunwei.rounds")


def rules_of(plan: Plan, ids: Collection[int] | None = None) -> list[TaskRule]:
    """Return the enabled rules of a plan, or those of them that are named."""
    rows = TaskRule.objects.filter(config=plan, enabled=True).select_related("group").order_by("pk")
    return list(rows if ids is None else rows.filter(pk__in=ids))


def facts_of(plan: Plan, rules: Sequence[TaskRule], first: date, last: date) -> Facts:
    """Read what the occurrences of these rules follow from; a constant number of statements."""
    turns, days = queries.table(plan, first, last)
    cells = [cell for day in days for cell in day.cells]
    people = queries.People(cells)
    crews: dict[tuple[date, int], list[Crew]] = {}
    for cell in cells:
        if cell.team_id is not None:
            crew = Crew(cell.team_id, tuple(people.ids(cell)))
            crews.setdefault((cell.day, cell.shift_id), []).append(crew)
    groups = {rule.group_id for rule in rules}
    routes = Route.objects.in_bulk(groups)
    points = snapshots.counts(groups)
    existing = InspectOrder.with_removed.filter(
        rule__in=[rule.pk for rule in rules], business_date__gte=first, business_date__lte=last, gen_key__isnull=False
    )
    off = Holiday.objects.filter(day__gte=first, day__lte=last, day_type=HolidayType.OFF)
    return Facts(
        zone=queries.zone(),
        start=plan.start_date,
        end=plan.end_date,
        shifts=turns.shifts,
        worked=frozenset(
            day.day for day in days if day.is_worked or any(cell.source == CellSource.BY_HAND for cell in day.cells)
        ),
        crews=crews,
        holidays=frozenset(off.values_list("day", flat=True)),
        routes={
            pk: RouteFacts(route.is_sealed, points[pk], tuple(route.user_ids), route.leader_id)
            for pk, route in routes.items()
        },
        existing=frozenset(existing.values_list("gen_key", flat=True)),
    )


def planned(plan: Plan, rules: Sequence[TaskRule], first: date, last: date) -> list[Planned]:
    """Return the occurrences of these rules in a span of days, with what becomes of each."""
    return planning.plan(rules, facts_of(plan, rules, first, last), first, last, clock.now())


@dataclass
class Sheets:
    """What is checked at the points of routes, read once for all tasks of a storing."""

    points: Mapping[int, Sequence[RoutePoint]]
    snapshots: Mapping[int, PointSnapshot]

    @classmethod
    def of(cls, group_ids: Collection[int]) -> Sheets:
        """Read the points of these routes, and keep what is checked there."""
        points = snapshots.usable_points(group_ids)
        return cls(points, snapshots.of_points([point for found in points.values() for point in found]))


@dataclass
class Made:
    """What came of a storing."""

    created: int = 0
    skipped: int = 0
    suppressed: int = 0
    no_team: int = 0
    past: int = 0
    left_out: dict[int, str] = field(default_factory=dict)
    """Of rules that made nothing why."""

    def count(self, one: Planned) -> None:
        """Count an occurrence that is not stored."""
        self.skipped += one.state == State.EXISTS
        self.suppressed += one.state == State.LEFT_OUT
        self.past += one.state == State.PAST
        if one.state == State.LEFT_OUT and one.reason is not None:
            self.left_out.setdefault(one.rule.pk, str(one.reason))


def store(plan: Plan, found: Sequence[Planned]) -> Made:
    """Store the tasks of these occurrences that are not there yet, in the caller's transaction.

    What is checked at the points is read once for all of them, so that many days at once cost less than each by itself.
    """
    made, wanted = Made(), [one for one in found if one.is_made]
    for one in found:
        if not one.is_made:
            made.count(one)
    if not wanted:
        return made
    Plan.objects.select_for_update(no_key=True).get(pk=plan.pk)
    # Looked at again behind the lock: another worker may have stored some of them since they were planned.
    keys = [one.key for one in wanted]
    there: set[str | None] = set()
    for begin in range(0, len(keys), _BATCH):
        rows = InspectOrder.with_removed.filter(gen_key__in=keys[begin : begin + _BATCH])
        there.update(rows.values_list("gen_key", flat=True))
    new = [one for one in wanted if one.key not in there]
    made.skipped += len(wanted) - len(new)
    if new:
        sheets = Sheets.of({one.rule.group_id for one in new})
        numbers = next_numbers(NUMBERS, len(new))
        insert([order_of(one, number, plan) for one, number in zip(new, numbers, strict=True)], sheets)
        made.created = len(new)
        made.no_team = sum(one.state == State.NOBODY for one in new)
    return made


def order_of(one: Planned, number: str, plan: Plan) -> tuple[InspectOrder, Sequence[int]]:
    """Return the task of an occurrence, and who may do it."""
    rule, slot = one.rule, one.slot
    order = InspectOrder(
        order_no=number, source=TaskSource.PLAN, rule=rule, config=plan, business_date=slot.day,
        shift_id=slot.shift.pk if slot.shift is not None else None,
        shift_name=slot.shift.shift_name if slot.shift is not None else "",
        plan_start=slot.begin, plan_end=slot.end, open_time=one.open_time, deadline=one.deadline,
        team_id=one.team_id, assign_mode=rule.assign_mode, gen_key=one.key, **of_route(rule.group),
    )  # fmt: skip
    return order, one.user_ids


def of_route(route: Route) -> dict[str, Any]:
    """Return what a task keeps of its route."""
    return {
        "group": route, "group_name": route.group_name, "group_type": route.group_type, "order_mode": route.order_mode,
    }  # fmt: skip


def insert(
    orders: Sequence[tuple[InspectOrder, Sequence[int]]], sheets: Sheets, machine_ids: Collection[int] | None = None
) -> None:
    """Store tasks with the people who may do them and with their points: all, or those at some assets."""
    candidates, details = laid_out(orders, sheets, machine_ids)
    exemptions.at_making(details)
    store_rows([order for order, _people in orders], candidates, details)


def laid_out(
    orders: Sequence[tuple[InspectOrder, Sequence[int]]], sheets: Sheets, machine_ids: Collection[int] | None = None
) -> tuple[list[InspectCandidate], list[InspectOrderDetail]]:
    """Return the rows of tasks, and count their points; nothing is stored."""
    details, candidates = [], []
    for order, user_ids in orders:
        points = sheets.points.get(order.group_id, ())
        if machine_ids is not None:
            points = [point for point in points if point.machine_id in machine_ids]
        order.point_total = len(points)
        order.item_total = sum(len(sheets.snapshots[point.pk].items) for point in points)
        candidates += [InspectCandidate(order=order, user_id=user_id) for user_id in dict.fromkeys(user_ids)]
        details += [
            InspectOrderDetail(
                order=order, point=point, snapshot=sheets.snapshots[point.pk], machine_id=point.machine_id, sort=place
            )
            for place, point in enumerate(points, start=1)
        ]
    return candidates, details


def store_rows(*tables: Sequence[Any]) -> None:
    """Store new rows, table after table, some at a time."""
    for rows in tables:
        for begin in range(0, len(rows), _BATCH):
            writes.insert(rows[begin : begin + _BATCH])


def rebuild(plan: Plan, rules: Sequence[TaskRule], first: date, last: date) -> int:
    """Void the tasks of these rules in a span of days that lie ahead and that nobody has begun; their keys are free.

    Returns how many.
    """
    Plan.objects.select_for_update(no_key=True).get(pk=plan.pk)
    rows = InspectOrder.objects.filter(
        rule__in=[rule.pk for rule in rules], business_date__gte=first, business_date__lte=last,
        source=TaskSource.PLAN, status=OrderStatus.TODO, plan_start__gt=clock.now(),
    )  # fmt: skip
    ids = list(rows.select_for_update(of=("self",)).order_by("pk").values_list("pk", flat=True))
    void(ids)
    return len(ids)


def void(order_ids: Sequence[int], reason: str = "") -> None:
    """Void locked tasks that nobody has begun; their keys are free again."""
    freed = Concat(F("gen_key"), Value("#"), Cast("id", CharField()))
    for begin in range(0, len(order_ids), _BATCH):
        InspectOrder.objects.filter(pk__in=order_ids[begin : begin + _BATCH]).update(
            status=OrderStatus.VOID, gen_key=freed, void_reason=reason, lock_version=F("lock_version") + 1
        )


def cover_tenant(ahead_days: int | None = None) -> int:
    """Make the tasks of the coming days of all enabled plans of the tenant in scope; return how many.

    Without a number of days its own `inspect.generate.aheadDays` counts.
    It may run twice at a time, and be killed at any moment: whatever is missing the next run makes.
    """
    made = 0
    plans = TaskRule.objects.filter(enabled=True, config__status=PlanStatus.ENABLED)
    for plan_id in sorted(set(plans.values_list("config_id", flat=True))):
        try:
            with transaction.atomic():
                made += _cover(plan_id, ahead_days if ahead_days is not None else parameters.inspection().ahead_days)
        except Exception:  # one plan's trouble does not stop the others
            log.exception("the tasks of plan %s were not made", plan_id)
    return made


def _cover(plan_id: int, ahead_days: int) -> int:
    plan = Plan.objects.filter(pk=plan_id, status=PlanStatus.ENABLED).first()
    if plan is None:
        return 0
    rules, made = rules_of(plan), 0
    first = queries.business_date_of(plan, clock.now())
    for number in range(ahead_days + 1):
        day = first + timedelta(days=number)
        made += store(plan, planned(plan, rules, day, day)).created
    return made
