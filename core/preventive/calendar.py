"""The maintenance calendar: orders on their days, what lies ahead, and the load of each team beside its hours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.cases import commands
from core.equipment.states import OUT_OF_USE
from core.identity.models import Team, TeamMember
from core.inspection import due
from core.inspection.models import ConfigType, MaintenancePlan
from core.kernel.actor import Actor
from core.kernel.errors import Invalid, Missing, Refusal
from core.kernel.texts import choose, label, moment
from core.preventive import balance, limits
from core.preventive.balance import Piece
from core.preventive.case import MAINTAIN
from core.preventive.models import OPEN, MaintainOrder, Status
from core.preventive.people import team_of
from core.preventive.queries import visible
from core.rest.menus import PLANT, SEE, MenuEntry, held_by
from core.rest.serializers import DayField, IdField, SpeakingSerializer
from core.rest.viewsets import BaseViewSet
from core.shifts import times
from core.shifts.models import Cell, PlanStatus
from core.shifts.queries import People
from core.system.models import Holiday
from core.system.periods import local_day, midnight, today

MOST_DAYS = 62
MOST_ORDERS = 2000
NO_TEAM = 0
MORNING = time(8)
"""When work begins that is planned for a day and no time."""


class MaintainDay(serializers.Serializer):  # type: ignore[type-arg]
    """A day of the calendar."""

    date = DayField()
    weekday = serializers.IntegerField()
    isToday = serializers.IntegerField()
    dayType = serializers.IntegerField(allow_null=True)
    holidayName = serializers.CharField()


class MaintainEntry(serializers.Serializer):  # type: ignore[type-arg]
    """An order on the day for which it is planned, else on its due date; or, without an id, one that lies ahead."""

    id = serializers.CharField(allow_null=True)
    orderNo = serializers.CharField()
    day = DayField()
    dueDate = DayField()
    latestDate = DayField(allow_null=True, help_text="The last day to which it may be planned without a delay.")
    delayUntil = DayField(allow_null=True, help_text="The last day to which it may be delayed.")
    machineId = serializers.CharField()
    machineName = serializers.CharField()
    machineCode = serializers.CharField()
    configId = serializers.CharField()
    configName = serializers.CharField()
    level = serializers.IntegerField()
    teamId = serializers.CharField(allow_null=True)
    status = serializers.IntegerField(allow_null=True)
    statusName = serializers.CharField()
    isOverdue = serializers.IntegerField()
    minutes = serializers.IntegerField(help_text="Planned work of all people together.")
    estMinutes = serializers.IntegerField()
    planStart = serializers.CharField(allow_null=True)
    lockVersion = serializers.IntegerField(allow_null=True)
    mayMove = serializers.IntegerField()


class MaintainTeam(serializers.Serializer):  # type: ignore[type-arg]
    """A team with the minutes of work that wait for it, and those that its people are on shift, day by day."""

    teamId = serializers.CharField(allow_null=True)
    teamName = serializers.CharField()
    load = serializers.ListField(child=serializers.IntegerField())
    hours = serializers.ListField(child=serializers.IntegerField())


class MaintainCalendar(serializers.Serializer):  # type: ignore[type-arg]
    """Days, orders and teams of a span of days."""

    days = MaintainDay(many=True)
    orders = MaintainEntry(many=True)
    teams = MaintainTeam(many=True)
    mayMove = serializers.IntegerField()


class MaintainMove(serializers.Serializer):  # type: ignore[type-arg]
    """An order that a proposal moves, with the minutes of both days before and after."""

    id = serializers.CharField()
    orderNo = serializers.CharField()
    lockVersion = serializers.IntegerField()
    machineName = serializers.CharField()
    configName = serializers.CharField()
    teamName = serializers.CharField()
    origin = DayField()
    target = DayField()
    dueDate = DayField()
    minutes = serializers.IntegerField()
    estMinutes = serializers.IntegerField()
    originLoad = serializers.IntegerField()
    originAfter = serializers.IntegerField()
    originHours = serializers.IntegerField()
    targetLoad = serializers.IntegerField()
    targetAfter = serializers.IntegerField()
    targetHours = serializers.IntegerField()
    reason = serializers.CharField()


@dataclass(frozen=True)
class Entry:
    """What the calendar shows: an order, or an occurrence of a plan row that lies ahead."""

    day: date
    due: date
    team: int
    minutes: int
    config: Any
    machine: Any
    order: MaintainOrder | None = None


def span_of(given: Any) -> tuple[date, date]:
    """Return the days that `from` and `to` name. Raises Invalid."""
    found = []
    for name in ("from", "to"):
        text = str(given.get(name) or "").strip()
        if not text:
            raise Invalid({name: _("缺少必要的请求参数: {name}").format(name=name)})
        try:
            found.append(DayField().run_validation(text))
        except serializers.ValidationError:
            raise Invalid({name: _("请求参数格式错误: {name}").format(name=name)}) from None
    first, last = found
    if not 0 <= (last - first).days < MOST_DAYS:
        raise Invalid({"to": _("请求参数格式错误: {name}").format(name="to")})
    return first, last


def day_of(order: MaintainOrder) -> date:
    """Return the day for which an order is planned, else that on which it is due."""
    return order.due_date if order.plan_start is None else local_day(order.plan_start)


def entries(actor: Any, first: date, last: date) -> list[Entry]:
    """Return orders and what lies ahead, in the order of their days; three statements, and those of the data scope."""
    begin, end = midnight(first), midnight(last + timedelta(days=1))
    rows = visible(actor).exclude(status=Status.CANCELLED).filter(
        Q(due_date__gte=first, due_date__lte=last) | Q(status__in=OPEN, plan_start__gte=begin, plan_start__lt=end)
    ).select_related("config", "machine").defer("config__items").order_by("due_date", "pk")  # fmt: skip
    found = [
        Entry(
            day_of(order), order.due_date, team_of(order) or NO_TEAM,
            order.est_minutes * (order.config.people_count or 1), order.config, order.machine, order,
        )
        for order in rows[:MOST_ORDERS]
    ]  # fmt: skip
    found = [one for one in found if first <= one.day <= last]
    return sorted([*found, *_ahead(first, last)], key=lambda one: (one.day, one.machine.machine_code, one.config.pk))


def _ahead(first: date, last: date) -> list[Entry]:
    """Return what falls due by the plan and has no order yet."""
    now = today()
    if last < now:
        return []
    opened = MaintainOrder.objects.filter(status__in=OPEN).values_list("config", "machine", "due_date")
    there = {(config, machine): day for config, machine, day in opened}
    rows = MaintenancePlan.objects.filter(
        paused=False, config__config_type=ConfigType.MAINTENANCE, config__is_sealed=False, config__is_deleted=False,
        machine__is_sealed=False,
    ).exclude(machine__run_state__in=OUT_OF_USE).select_related("config", "machine").defer("config__items")  # fmt: skip
    found: list[Entry] = []
    for row in rows:
        cycle, machine = row.config.cycle, row.machine
        open_day = there.get((row.config_id, row.machine_id))
        if open_day is not None:
            days = due.following(cycle, open_day, now, last, machine.avg_daily_hours)
        else:
            at = due.Due(row.next_due_date, row.next_due_hours)
            days = due.ahead(cycle, at, now, last, machine.run_hours, machine.avg_daily_hours)
        team = row.config.team_id or (NO_TEAM if row.config.user_ids else machine.team_id) or NO_TEAM
        minutes = (row.config.est_minutes or 0) * (row.config.people_count or 1)
        found += [Entry(day, day, team, minutes, row.config, machine) for day in days if day >= first]
    return found


def load_of(found: Sequence[Entry]) -> dict[tuple[int, date], int]:
    """Return the minutes of work by team and day; what is done is none."""
    load: dict[tuple[int, date], int] = defaultdict(int)
    for one in found:
        if one.order is None or one.order.status in OPEN:
            load[one.team, one.day] += one.minutes
    return load


def hours_of(team_ids: Sequence[int], first: date, last: date) -> dict[tuple[int, date], int]:
    """Return by team and day the minutes that its people are on shift; four statements at most."""
    members: dict[int, list[int]] = defaultdict(list)
    rows = TeamMember.objects.filter(team__in=team_ids, user__is_enabled=True, user__is_deleted=False)
    for team_id, user_id in rows.values_list("team_id", "user_id"):
        members[user_id].append(team_id)
    cells = Cell.objects.filter(
        day__gte=first, day__lte=last, team__isnull=False, plan__status=PlanStatus.ENABLED, plan__is_deleted=False
    )
    worked: dict[tuple[int, date], int] = defaultdict(int)
    read = list(cells.select_related("shift")) if members else []
    people = People(read)
    for cell in read:
        minutes = times.worked_minutes(cell.shift.start_time, cell.shift.end_time, cell.shift.breaks)
        for user_id in people.ids(cell):
            for team_id in members.get(user_id, ()):
                worked[team_id, cell.day] += minutes
    return worked


class AcceptedMove(SpeakingSerializer):
    """A move of the proposal that somebody accepts."""

    id = IdField(label=label("保养单", "Maintenance order"))
    lockVersion = serializers.IntegerField(min_value=1)
    target = DayField(label=label("目标日", "Target day"))


class AcceptInput(SpeakingSerializer):
    """Moves that are accepted together."""

    moves = AcceptedMove(many=True, allow_empty=False, label=label("移动", "Moves"))

    def validate_moves(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """No more than a proposal has."""
        if len(value) > balance.MOST_MOVES:
            raise serializers.ValidationError(_("请求参数格式错误"))
        return value


class MoveResult(serializers.Serializer):  # type: ignore[type-arg]
    """What became of one of them: moved, or the sentence that says why not."""

    id = serializers.CharField()
    isMoved = serializers.IntegerField()
    message = serializers.CharField(allow_blank=True)


class CalendarViewSet(BaseViewSet):
    """The maintenance calendar. What is moved there is an edit or a delay of its order."""

    noun = "maintaincalendar"
    menu = MenuEntry(
        "maintain", "/maintain/calendar", "calendar", label("保养日历", "Maintenance calendar"), place=2,
        roles=held_by(PLANT, SEE),
    )  # fmt: skip
    codes = {"table": "maintaincalendar_view", "proposal": "maintaincalendar_view", "accept": "maintainorder_edit"}
    _SPAN = (OpenApiParameter("from", str, required=True), OpenApiParameter("to", str, required=True))

    @extend_schema(parameters=list(_SPAN), responses=MaintainCalendar)
    @action(detail=False, methods=["get"], url_path="table")
    def table(self, request: Request) -> Response:
        """Answer the orders of at most 62 days, what lies ahead, and each team's load beside its hours."""
        first, last = span_of(request.query_params)
        found = entries(self.actor, first, last)
        days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
        names = _teams()
        load, hours = load_of(found), hours_of(list(names), first, last)
        may_move = self.actor.may("maintainorder_edit")
        teams = list(names.items())
        if any(one.team == NO_TEAM for one in found):
            teams.append((NO_TEAM, _("未指定班组")))
        return Response(
            MaintainCalendar(
                {
                    "days": _days(days),
                    "orders": [_wire(one, may_move=may_move) for one in found],
                    "teams": [
                        {
                            "teamId": str(pk) if pk else None,
                            "teamName": name,
                            "load": [load.get((pk, day), 0) for day in days],
                            "hours": [hours.get((pk, day), 0) for day in days],
                        }
                        for pk, name in teams
                    ],
                    "mayMove": int(may_move),
                }
            ).data
        )

    @extend_schema(parameters=list(_SPAN), responses=MaintainMove(many=True))
    @action(detail=False, methods=["get"], url_path="proposal")
    def proposal(self, request: Request) -> Response:
        """Answer which orders could be moved so that the days of each team are loaded more evenly; nothing changes.

        No order is moved to a day on which it would not count as done in time.
        """
        first, last = span_of(request.query_params)
        found = entries(self.actor, first, last)
        names = _teams()
        hours = hours_of(list(names), first, last)
        pieces = {one.order.pk: one for one in found if one.order is not None}
        moves = balance.propose(_pieces(found, first, last), load_of(found), hours)
        return Response([_move(move, pieces[move.key], names) for move in moves])

    @extend_schema(request=AcceptInput, responses=MoveResult(many=True))
    @action(detail=False, methods=["post"], url_path="accept")
    def accept(self, request: Request) -> Response:
        """Plan these orders for their new days, each by itself, and answer what became of each.

        One that is not there any more, was changed meanwhile or may not be so late is left as it is.
        """
        given = AcceptInput(data=parameters(request))
        given.is_valid(raise_exception=True)
        return Response(
            [
                {"id": str(move["id"]), "isMoved": int(not message), "message": message}
                for move in given.validated_data["moves"]
                for message in [_accepted(self.actor, move)]
            ]
        )


def _accepted(actor: Actor, move: Mapping[str, Any]) -> str:
    """Plan an order for another day, at its time of day; return why it was not done, '' where it was."""
    order = visible(actor).filter(pk=move["id"]).first()
    try:
        if order is None:
            raise Missing()
        before = timezone.localtime(order.plan_start) if order.plan_start is not None else None
        if order.lock_version == move["lockVersion"] + 1 and before is not None and before.date() == move["target"]:
            return ""  # the same request again
        at = before.time() if before is not None else MORNING
        begin = timezone.make_aware(datetime.combine(move["target"], at))
        end = begin + timedelta(minutes=max(order.est_minutes, 1))
        values = {"planStart": moment(begin), "planEnd": moment(end)}
        with transaction.atomic():  # the database takes no more statements after a refusal without a savepoint
            commands.by_record(MAINTAIN, actor, order.pk, move["lockVersion"], "edit", values)
    except Refusal as refusal:
        fields = refusal.data.get("fields", {})
        return "；".join(map(str, fields.values())) or str(refusal.text)
    except serializers.ValidationError as wrong:
        details: Any = wrong.detail
        return "；".join(str(one) for said in details.values() for one in said)
    return ""


def _teams() -> dict[int, str]:
    rows = Team.objects.order_by("team_name", "pk").values_list("pk", "team_name", "team_name_en")
    return {pk: choose(zh, en) for pk, zh, en in rows}


def _days(days: Sequence[date]) -> list[dict[str, Any]]:
    rows = Holiday.objects.filter(day__gte=days[0], day__lte=days[-1])
    holidays = {row.day: (row.day_type, choose(row.name, row.name_en)) for row in rows}
    now = today()
    return [
        {
            "date": day,
            "weekday": day.isoweekday(),
            "isToday": int(day == now),
            "dayType": holidays.get(day, (None, ""))[0],
            "holidayName": holidays.get(day, (None, ""))[1],
        }
        for day in days
    ]


def _movable(order: MaintainOrder | None) -> bool:
    return order is not None and order.status == Status.TO_DO


def _wire(one: Entry, *, may_move: bool) -> dict[str, Any]:
    order = one.order
    movable = order is not None and may_move and _movable(order)
    start = order.plan_start if order is not None else None
    return {
        "id": str(order.pk) if order is not None else None,
        "orderNo": order.order_no if order is not None else "",
        "day": one.day,
        "dueDate": one.due,
        "latestDate": limits.latest_plan(order) if order is not None and movable else None,
        "delayUntil": limits.latest(order) if order is not None and movable else None,
        "machineId": str(one.machine.pk),
        "machineName": one.machine.machine_name,
        "machineCode": one.machine.machine_code,
        "configId": str(one.config.pk),
        "configName": order.config_name if order is not None else one.config.config_name,
        "level": order.level if order is not None else one.config.level,
        "teamId": str(one.team) if one.team else None,
        "status": order.status if order is not None else None,
        "statusName": order.get_status_display() if order is not None else _("未生成"),
        "isOverdue": int(order is not None and order.finish_time is None and one.due < today()),
        "minutes": one.minutes,
        "estMinutes": order.est_minutes if order is not None else one.config.est_minutes or 0,
        "planStart": moment(start) or None,
        "lockVersion": order.lock_version if order is not None else None,
        "mayMove": int(movable),
    }


def _pieces(found: Sequence[Entry], first: date, last: date) -> list[Piece]:
    """Return the orders that nobody has begun, each with the days on which it counts as done in time."""
    pieces = []
    for one in found:
        order = one.order
        if order is None or not _movable(order):
            continue
        cycle = one.config.cycle
        earliest = max(today(), first, one.due - timedelta(days=cycle.near_days))
        latest = min(order.original_due_date + timedelta(days=due.tolerance_days(cycle)), last)
        if earliest <= latest:
            pieces.append(Piece(order.pk, one.team, one.day, earliest, latest, one.minutes))
    return pieces


def _move(move: balance.Move, one: Entry, names: dict[int, str]) -> dict[str, Any]:
    order = one.order
    assert order is not None
    if move.origin_hours == 0:
        reason = _("当天班组不上班")
    elif move.origin_load > move.origin_hours:
        reason = _("当天负荷超过班组工时")
    else:
        reason = _("当天负荷高于目标日")
    return {
        "id": str(order.pk), "orderNo": order.order_no, "lockVersion": order.lock_version,
        "machineName": one.machine.machine_name, "configName": order.config_name, "teamName": names.get(move.team, ""),
        "origin": move.origin, "target": move.target, "dueDate": one.due, "minutes": move.minutes,
        "estMinutes": order.est_minutes, "originLoad": move.origin_load,
        "originAfter": move.origin_load - move.minutes, "originHours": move.origin_hours,
        "targetLoad": move.target_load, "targetAfter": move.target_load + move.minutes,
        "targetHours": move.target_hours, "reason": reason,
    }  # fmt: skip
