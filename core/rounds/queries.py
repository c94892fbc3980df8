"""What is asked of inspection tasks: which a person sees, what is to be done now, and what was found before."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Window
from django.db.models.functions import RowNumber

from core import ports
from core.inspection.models import RoutePoint
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.texts import moment
from core.rest.scopes import Scope, restrict, rule_of
from core.rounds.forecast import Forecast, Reason
from core.rounds.models import (
    OPEN,
    AssignMode,
    DetailStatus,
    InspectCandidate,
    InspectOrder,
    InspectOrderDetail,
    InspectOrderRecord,
    OrderStatus,
)
from core.shifts import times
from core.shifts.models import Cell, PlanStatus, ShiftTeamMember
from core.shifts.queries import People, plan_of_department, zone
from core.system.periods import midnight

NOUN = "inspectorder"
SCOPE = {"user": "create_user,executor_id,candidates__user,group__leader_id", "dept": "group__dept_id"}
AHEAD = timedelta(hours=24)
MOST_SHOWN, MOST_UPCOMING = 200, 20
LAST_VALUES = 5
_BACK = timedelta(days=180)
"""How far back the last values of an item are looked for."""
_FEW = 200
"""So many tasks of a person are named where their points or results are asked for."""
_SUBMISSIONS = 8
"""In so many submissions of a point the last values of its items are looked for first."""


def visible(actor: Actor, filters: Mapping[str, Any] | None = None) -> QuerySet[Any]:
    """Return the tasks that a person sees, each once."""
    return restrict(InspectOrder.objects.all(), actor, NOUN, SCOPE, filters or {})


def of_visible(rows: QuerySet[Any], actor: Actor) -> QuerySet[Any]:
    """Return those of the rows with an `order` that belong to tasks which a person sees; at most one statement.

    Rows are deleted with their task, so that who sees all tasks is asked for none. A few tasks are named one by one;
    where there are more, the person is looked for in the task of each row. As a subquery in the list of a million
    rows, PostgreSQL would go through the tasks again for each of them.
    """
    rule = rule_of(actor, NOUN)
    if Scope.ALL in rule.kinds:
        return rows
    seen = visible(actor).values_list("pk", flat=True)
    few = list(seen[: _FEW + 1])
    if len(few) <= _FEW:
        return rows.filter(order__in=few)
    if rule.custom:
        return rows.filter(order__in=seen)
    columns = {word: ",".join(f"order__{one}" for one in names.split(",")) for word, names in SCOPE.items()}
    return restrict(rows, actor, NOUN, columns, {})


def _own_shift(actor: Actor, now: datetime) -> tuple[date, dict[str, Any] | None]:
    """Return the business date of a person now, and the shift that the person works or the department has."""
    today = now.astimezone(zone()).date()
    rows = Cell.objects.filter(
        day__in=(today - timedelta(days=1), today), plan__status=PlanStatus.ENABLED, plan__is_deleted=False
    ).select_related("shift", "team")
    mine = ShiftTeamMember.objects.filter(user_id=actor.user_id).values("team")
    department = plan_of_department(actor.dept_id, today)
    asked = rows.filter(Q(team__in=mine) | Q(plan=department)) if department is not None else rows.filter(team__in=mine)
    found: list[tuple[bool, Cell, times.Window]] = []
    cells = list(asked.order_by("day", "pk"))
    people = People(cells)
    for cell in cells:
        window = times.window(cell.day, cell.shift.start_time, cell.shift.end_time, zone())
        if window.holds(now):
            found.append((actor.user_id in people.ids(cell), cell, window))
    if not found:
        return today, None
    is_own, cell, window = max(found, key=lambda one: one[0])
    shift = {
        "shiftId": str(cell.shift_id),
        "shiftName": cell.shift.shift_name,
        "startAt": moment(window.begin),
        "endAt": moment(window.end),
        "teamName": str(cell.team) if is_own and cell.team is not None else "",
    }
    return window.day, shift


def now_tasks(actor: Actor, scope: str, group_id: int | None, day: date | None) -> dict[str, Any]:
    """Return what is to be done now, what comes, what is running out and what is done; a constant number of statements.

    `scope` is mine (tasks that one may do, or does), team (of one's shift teams) or dept (all that one sees).
    """
    now = clock.now()
    business, shift = _own_shift(actor, now)
    business = day or business
    rows = visible(actor)
    if scope == "mine":
        rows = rows.filter(own(actor))
    elif scope == "team":
        rows = rows.filter(team__in=ShiftTeamMember.objects.filter(user_id=actor.user_id).values("team"))
    if group_id is not None:
        rows = rows.filter(group=group_id)
    rows = rows.select_related("executor", "group").order_by("deadline", "group__group_code", "pk")
    alive = list(
        rows.filter(status__in=OPEN, open_time__lte=now + AHEAD + timedelta(days=1), deadline__gte=now)[
            : MOST_SHOWN * 2
        ]
    )
    current = [one for one in alive if one.open_time <= now <= one.plan_end]
    overdue = [one for one in alive if one.plan_end < now <= one.deadline]
    upcoming = [
        one for one in alive if one.status == OrderStatus.TODO and now < one.open_time and one.plan_start <= now + AHEAD
    ]
    begin = midnight(business)
    done = rows.filter(
        Q(business_date=business) | Q(finish_time__gte=begin, finish_time__lt=begin + timedelta(days=1)),
        status=OrderStatus.DONE,
    )
    of_day = rows.filter(business_date=business).order_by()
    counts = {
        "current": len(current),
        "upcoming": len(upcoming),
        "overdue": len(overdue),
        "done": done.count(),
        "exempt": of_day.filter(status=OrderStatus.EXEMPT).count(),
        "missed": of_day.filter(status=OrderStatus.MISSED).count(),
    }
    mine = may_do(actor, [*current, *upcoming, *overdue])
    return {
        "serverTime": moment(now),
        "businessDate": str(business),
        "shift": shift,
        "counts": counts,
        "current": [task(one, actor, now, mine) for one in current[:MOST_SHOWN]],
        "upcoming": [task(one, actor, now, mine) for one in upcoming[:MOST_UPCOMING]],
        "overdue": [task(one, actor, now, mine) for one in overdue[:MOST_SHOWN]],
        "done": [task(one, actor, now, mine) for one in done.order_by("-finish_time")[:MOST_SHOWN]],
    }


def last_inspected() -> Subquery:
    """Return when a point of the outer asset was checked last."""
    rows = InspectOrderDetail.objects.filter(
        machine=OuterRef("pk"), submit_time__isnull=False, status=DetailStatus.CHECKED
    )
    return Subquery(rows.order_by("-submit_time").values("submit_time")[:1])


def next_inspected() -> Subquery:
    """Return when the next task begins that has the outer asset to be checked, among those whose end is to come."""
    rows = InspectOrderDetail.objects.filter(
        machine=OuterRef("pk"), status=DetailStatus.TODO, order__is_deleted=False, order__status__in=OPEN,
        order__deadline__gte=clock.now(),
    )  # fmt: skip
    return Subquery(rows.order_by("order__plan_start").values("order__plan_start")[:1])


def own(actor: Actor) -> Q:
    """Tasks that a person may do and that nobody else has claimed."""
    named = InspectCandidate.objects.filter(user=actor.user_id).values("order")
    candidate = Q(pk__in=named) | Q(group__leader=actor.user_id)
    free = Q(executor=None) | Q(executor=actor.user_id) | ~Q(assign_mode=AssignMode.TEAM_CLAIMS)
    return Q(executor=actor.user_id) | (candidate & free)


def may_do(actor: Actor, orders: Collection[InspectOrder]) -> frozenset[int]:
    """Return the ids of those of these tasks that a person may do by right or as a candidate; one statement."""
    if not actor.may("inspectorder_inspect"):
        return frozenset()
    ids = [one.pk for one in orders]
    if actor.may("inspectorder_any"):
        return frozenset(ids)
    named = InspectOrder.objects.filter(pk__in=ids, candidates__user=actor.user_id).values_list("pk", flat=True)
    led = {one.pk for one in orders if one.group.leader_id == actor.user_id or one.executor_id == actor.user_id}
    return frozenset(named) | led if ids else frozenset()


def is_claimed(order: InspectOrder, actor: Actor) -> bool:
    """Return whether somebody else has claimed a task that one person does alone."""
    return order.assign_mode == AssignMode.TEAM_CLAIMS and order.executor_id not in (None, actor.user_id)


def task(order: InspectOrder, actor: Actor, now: datetime, mine: Collection[int]) -> dict[str, Any]:
    """Return a task as the lists of now show it."""
    may = order.pk in mine and not is_claimed(order, actor)
    return {
        "id": str(order.pk),
        "orderNo": order.order_no,
        "groupId": str(order.group_id),
        "groupName": order.group_name,
        "groupType": order.group_type,
        "status": order.status,
        "statusName": order.get_status_display(),
        "planStart": moment(order.plan_start),
        "planEnd": moment(order.plan_end),
        "deadline": moment(order.deadline),
        "minutesLeft": max(int((order.deadline - now).total_seconds()) // 60, 0),
        "pointTotal": order.point_total,
        "pointDone": order.point_done,
        "abnormalCount": order.abnormal_count,
        "executorId": str(order.executor_id) if order.executor_id else None,
        "executorName": str(order.executor) if order.executor is not None else "",
        "claimable": int(may and order.executor_id is None and order.status == OrderStatus.TODO),
        "startable": int(may and order.status in OPEN and order.open_time <= now <= order.deadline),
        "path": f"/inspect/order/{order.pk}",
    }


def last_records(
    items: Mapping[int, Collection[str]], before: datetime | None = None
) -> dict[tuple[int, str], list[Any]]:
    """Return by point and item its last records, newest first.

    `items` names of each point the items that are asked for. The last submissions of a point nearly always hold them
    all; of an item that they do not, such as one that is checked at standstill only, a second statement looks back
    further.
    """
    until = before or clock.now()
    begin = until - _BACK
    past = InspectOrderRecord.objects.filter(
        check_time__lte=until, check_time__gte=begin, order__is_deleted=False
    ).order_by("-check_time", "-id")
    since = _since(items, until)
    recent = reduce(or_, (Q(point=pk, check_time__gte=since[pk] or begin) for pk in since), Q(pk__in=[]))
    found: dict[tuple[int, str], list[Any]] = {}
    for row in past.filter(recent):
        rows = found.setdefault((row.point_id, row.item_id), [])
        if len(rows) < LAST_VALUES:
            rows.append(row)
    asked = ((pk, item_id) for pk in since if since[pk] is not None for item_id in items[pk])
    lacking = [key for key in asked if len(found.get(key, ())) < LAST_VALUES]
    if lacking:
        further = reduce(or_, (Q(point=pk, item_id=item_id) for pk, item_id in lacking))
        number = Window(
            RowNumber(), partition_by=[F("point"), F("item_id")], order_by=[F("check_time").desc(), F("id").desc()]
        )
        found |= {key: [] for key in lacking}
        for row in past.filter(further).annotate(number=number).filter(number__lte=LAST_VALUES):
            found[row.point_id, row.item_id].append(row)
    return found


def _since(point_ids: Collection[int], until: datetime) -> dict[int, datetime | None]:
    """Return when each point was submitted for the last time but a few; None where it was not so often."""
    submitted = InspectOrderDetail.objects.filter(point=OuterRef("pk"), status=DetailStatus.CHECKED)
    submitted = submitted.filter(submit_time__lte=until).order_by("-submit_time").values("submit_time")
    points = RoutePoint.objects.filter(pk__in=point_ids)
    since = Subquery(submitted[_SUBMISSIONS - 1 : _SUBMISSIONS])
    known: dict[int, datetime | None] = dict(points.annotate(since=since).values_list("pk", "since"))
    return {pk: known.get(pk, until) for pk in point_ids}  # of points that are deleted all is looked for further back


def repaired(records: Mapping[tuple[int, str], list[Any]]) -> dict[tuple[int, str], ports.RepairState]:
    """Return by point and item the closed order of its last record, where that was abnormal; one statement."""
    last = {key: found[0].repair_order_id for key, found in records.items() if found and found[0].repair_order_id}
    states = ports.repairs.states(last.values())
    return {key: states[pk] for key, pk in last.items() if pk in states and states[pk].is_closed}


def readings(records: QuerySet[InspectOrderRecord], most: int) -> list[tuple[datetime, Any, int, int, str]]:
    """Return time, number, result, task and number of the task of the newest of these results, oldest first.

    They are read without making models of them: a trend shows hundreds.
    """
    columns = "check_time", "num_value", "result", "order_id", "order__order_no"
    return list(records.select_related(None).order_by("-check_time", "-id").values_list(*columns)[:most])[::-1]


def trend(
    newest: InspectOrderRecord,
    values: Sequence[tuple[datetime, Any, int, int, str]],
    found: Forecast | Reason | None,
) -> dict[str, Any]:
    """Return the numbers of an item with its limits as they were at the newest of them, and what is forecast."""

    def number(value: Any) -> float | None:
        return None if value is None else float(value)

    return {
        "itemId": newest.item_id,
        "itemName": newest.item_name,
        "pointName": newest.detail.snapshot.point_name,
        "machineName": newest.detail.snapshot.machine_name,
        "unit": newest.unit,
        "decimals": newest.decimals,
        "lower": number(newest.lower),
        "warnLower": number(newest.warn_lower),
        "warnUpper": number(newest.warn_upper),
        "upper": number(newest.upper),
        "values": [
            {
                "time": moment(time),
                "value": number(value),
                "result": result,
                "orderId": str(order_id),
                "orderNo": order_no,
            }
            for time, value, result, order_id, order_no in values
        ],
        "forecast": _shown(found) if isinstance(found, Forecast) else None,
        "noForecast": str(found) if isinstance(found, Reason) else "",
    }


def _shown(found: Forecast) -> dict[str, Any]:
    """Return a forecast as a trend shows it."""
    return {
        "limitKind": str(found.limit.kind),
        "limitValue": found.limit.value,
        "crossesOn": str(found.crosses_on),
        "earliest": str(found.earliest),
        "latest": str(found.latest),
        "slopePerDay": found.slope_per_day,
        "level": found.level,
        "asOf": str(found.as_of),
        "since": str(found.since),
        "readings": found.readings,
    }
