"""What is asked of inspection tasks: which a person sees, what is to be done now, and what was found before."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from core import ports
from core.inspection.models import Route
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.texts import moment
from core.rest.scopes import Scope, restrict, rule_of
from core.rounds.forecast import Forecast, Reason
from core.rounds.models import OPEN, AssignMode, InspectOrder, InspectOrderRecord, OrderStatus
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


def visible(actor: Actor, filters: Mapping[str, Any] | None = None) -> QuerySet[Any]:
    """Return the tasks that a person sees, each once."""
    rows = InspectOrder.objects.all()
    if Scope.ALL in rule_of(actor, NOUN).kinds:
        return rows
    # Asked apart: with the candidates joined, a task would come once for each.
    seen = restrict(InspectOrder.objects.all(), actor, NOUN, SCOPE, filters or {})
    return rows.filter(pk__in=seen.values("pk"))


def business_date_at(route: Route, instant: datetime) -> date:
    """Return the business date of a moment by the shift plan of a route's department."""
    day = instant.astimezone(zone()).date()
    plan = plan_of_department(route.dept_id, day)
    return times.business_date(instant, plan.shifts.order_by("shift_no"), zone()) if plan is not None else day


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
        rows = rows.filter(pk__in=InspectOrder.objects.filter(_mine(actor)).values("pk"))
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


def _mine(actor: Actor) -> Q:
    """Tasks that a person may do and that nobody else has claimed."""
    candidate = Q(candidates__user=actor.user_id) | Q(group__leader=actor.user_id)
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


def last_records(point_ids: Collection[int], before: datetime | None = None) -> dict[tuple[int, str], list[Any]]:
    """Return by point and item its last records, newest first; one statement."""
    until = before or clock.now()
    rows = InspectOrderRecord.objects.filter(
        point__in=point_ids, check_time__lte=until, check_time__gte=until - _BACK, order__is_deleted=False
    )
    number = Window(
        RowNumber(), partition_by=[F("point"), F("item_id")], order_by=[F("check_time").desc(), F("id").desc()]
    )
    found: dict[tuple[int, str], list[Any]] = {}
    for row in rows.annotate(number=number).filter(number__lte=LAST_VALUES).order_by("-check_time", "-id"):
        found.setdefault((row.point_id, row.item_id), []).append(row)
    return found


def repaired(records: Mapping[tuple[int, str], list[Any]]) -> dict[tuple[int, str], ports.RepairState]:
    """Return by point and item the closed order of its last record, where that was abnormal; one statement."""
    last = {key: found[0].repair_order_id for key, found in records.items() if found and found[0].repair_order_id}
    states = ports.repairs.states(last.values())
    return {key: states[pk] for key, pk in last.items() if pk in states and states[pk].is_closed}


def trend(
    newest: InspectOrderRecord, records: Sequence[InspectOrderRecord], found: Forecast | Reason | None
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
                "time": moment(record.check_time),
                "value": number(record.num_value),
                "result": record.result,
                "orderId": str(record.order_id),
                "orderNo": record.order.order_no,
            }
            for record in records
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
