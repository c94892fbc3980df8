"""Calls of shift plans and their calendar."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.kernel import clock
from core.kernel.audit_entry import AuditEntry
from core.kernel.errors import Missing, NotAllowed
from core.kernel.operation import perform
from core.kernel.texts import label
from core.rest import edits
from core.rest.filters import filters_of
from core.rest.menus import EVERYTHING, KEEP, PLANT, SEE, Button, MenuEntry, ShippedRole, held_by, together
from core.rest.scopes import Scope
from core.rest.viewsets import SIGNED_IN, NounViewSet, Remove, Submit
from core.shifts import changes, queries
from core.shifts.models import Pattern, Plan, Shift, ShiftTeam
from core.shifts.serializers import PlanDetail, PlanSerializer
from core.system import periods

_CHANGED = label("调整的排班", "Cells changed")


def _counted(model: Any) -> Any:
    """Return how many parts a plan has, for a query."""
    mine = model.objects.filter(plan=OuterRef("pk")).order_by()
    if model is Shift:
        mine = mine.filter(valid_until=None)
    return Coalesce(Subquery(mine.values("plan").annotate(n=Count("pk")).values("n")), 0)


class Workers(serializers.Serializer):  # type: ignore[type-arg]
    """Who works: ids, comma-joined, and names."""

    userIds = serializers.CharField()
    userNames = serializers.ListField(child=serializers.CharField())


class ShiftTeamOnDuty(Workers):
    """A team on a shift, with who works in it."""

    teamId = serializers.CharField()
    teamName = serializers.CharField()
    leaderName = serializers.CharField()


class ShiftTimes(serializers.Serializer):  # type: ignore[type-arg]
    """A shift with its times."""

    shiftId = serializers.CharField()
    shiftNo = serializers.IntegerField()
    shiftName = serializers.CharField()
    startTime = serializers.CharField()
    endTime = serializers.CharField()
    crossDay = serializers.IntegerField()
    minutes = serializers.IntegerField()
    color = serializers.CharField()


class ShiftOption(ShiftTimes):
    """A shift of a business date, with who works it."""

    isNow = serializers.IntegerField()
    startAt = serializers.CharField()
    endAt = serializers.CharField()
    teams = ShiftTeamOnDuty(many=True)


class CalendarShift(ShiftTimes):
    """A shift as it is worked from a day until the day before another one; both empty for always."""

    validFrom = serializers.CharField()
    validUntil = serializers.CharField()


class CalendarTeam(Workers):
    """A team with its members."""

    teamId = serializers.CharField()
    teamNo = serializers.IntegerField()
    teamName = serializers.CharField()
    leaderName = serializers.CharField()


class CalendarCell(Workers):
    """Who works a shift on a day; without `cellId` the rotation says so, without `teamId` nobody does."""

    cellId = serializers.CharField(allow_null=True)
    shiftId = serializers.CharField()
    shiftName = serializers.CharField()
    teamId = serializers.CharField(allow_null=True)
    teamName = serializers.CharField()
    source = serializers.IntegerField()  # type: ignore[assignment]  # a word of DRF's own on a field
    remark = serializers.CharField()


class CalendarDay(serializers.Serializer):  # type: ignore[type-arg]
    """A day of the calendar."""

    date = serializers.CharField()
    weekday = serializers.IntegerField()
    dayType = serializers.IntegerField(allow_null=True)
    holidayName = serializers.CharField()
    isToday = serializers.IntegerField()
    isWorked = serializers.IntegerField()
    cells = CalendarCell(many=True)
    warnings = serializers.ListField(child=serializers.CharField())


class CalendarStat(serializers.Serializer):  # type: ignore[type-arg]
    """What a team works in the span."""

    teamId = serializers.CharField()
    teamName = serializers.CharField()
    workDays = serializers.IntegerField()
    minutes = serializers.IntegerField()
    nightCount = serializers.IntegerField()


class Scheduling(serializers.Serializer):  # type: ignore[type-arg]
    """The calendar of a plan."""

    config = PlanSerializer()
    businessDate = serializers.CharField()
    shifts = CalendarShift(many=True)
    teams = CalendarTeam(many=True)
    days = CalendarDay(many=True)
    stats = CalendarStat(many=True)


class PlanViewSet(Submit, Remove, NounViewSet):
    """Shift plans within the caller's data scope, and their calendar."""

    noun = "configinfo"
    menu = MenuEntry(
        "equip", "/shifts/plan", "calendar", label("排班管理", "Shift scheduling"), place=30,
        roles=together(
            held_by(PLANT, SEE),
            {
                ShippedRole.EQUIP_MANAGER: {*KEEP, "scheduling", "anyTeam", "makeTask"},
                ShippedRole.WORKSHOP_HEAD: {*KEEP, "scheduling", "anyTeam", "makeTask"},
                ShippedRole.SHIFT_LEADER: {*SEE, "scheduling", "anyTeam"},
                ShippedRole.REPAIR_LEADER: {*KEEP, "scheduling"},
                ShippedRole.TENANT_ADMIN: EVERYTHING,
            },
        ),
        buttons={
            "scheduling": Button(label("调整排班", "Change the schedule")),
            "makeTask": Button(label("生成点检任务", "Make inspection tasks")),
            "anyTeam": Button(label("维护非维修班组的排班", "Keep plans of teams other than repair teams")),
        },
    )  # fmt: skip
    queryset = Plan.objects.select_related("dept").annotate(shift_count=_counted(Shift), team_count=_counted(ShiftTeam))
    serializer_class = PlanSerializer
    detail_serializer_class = input_serializer_class = PlanDetail
    filters = filters_of(
        Plan, "config_code", "config_name", "dept", "pattern_type", "workday_mode", "status", "start_date", "end_date",
        "covered_to",
    )  # fmt: skip
    codes = {
        "get_shift_list": SIGNED_IN,
        "scheduling_detail": "configinfo_view",
        "scheduling_submit": "configinfo_scheduling",
    }
    arrays = frozenset({"get_shift_list"})
    scope_columns = {"user": "create_user,teams__members__user", "dept": "dept_id"}
    """Own plans are those that somebody has made or works in."""
    shipped_scopes = {
        Scope.ALL: (ShippedRole.EQUIP_MANAGER, ShippedRole.REPAIR_LEADER, ShippedRole.VIEWER),
        Scope.DEPARTMENT_TREE: (ShippedRole.WORKSHOP_HEAD,),
        Scope.DEPARTMENT: (ShippedRole.SHIFT_LEADER,),
    }
    select_filters = ("deptId", "status")
    sample = {"patternType": Pattern.CUSTOM.value, "effectiveDate": None}

    @property
    def keeps_repair_teams_only(self) -> bool:
        """Whether the caller keeps no plans but those of repair teams."""
        return not self.actor.may("configinfo_anyTeam")

    def _check_keeper(self, plan: Plan) -> None:
        """Raise NotAllowed where the caller keeps repair teams alone, and the plan has other ones."""
        teams = ShiftTeam.objects.filter(plan=plan)
        if self.keeps_repair_teams_only and (not teams.exists() or teams.filter(repair=False).exists()):
            raise NotAllowed(_("只能维护全部班组都是维修班组的排班方案"))

    def validate_delete(self, row: Any) -> None:
        """Raise NotAllowed for a plan that the caller does not keep."""
        self._check_keeper(row)

    @extend_schema(
        parameters=[OpenApiParameter(name, str) for name in ("id", "deptId", "date")],
        responses=ShiftOption(many=True),
    )
    @action(detail=False, methods=["get"], url_path="getShiftList")
    def get_shift_list(self, request: Request) -> Response:
        """Answer the shifts of a plan, or of the department's, on a business date, each with who works it."""
        given = request.query_params
        day = periods.asked_day(given, "date")
        if given.get("id"):
            plan = Plan.objects.filter(pk=self.id_parameter()).first()
            if plan is None:
                raise Missing()
        else:
            dept_id = self.id_parameter("deptId") if given.get("deptId") else self.actor.dept_id
            plan = queries.plan_of_department(dept_id, day or periods.today())
        return Response(queries.shifts_of_day(plan, day) if plan is not None else [])

    @extend_schema(
        parameters=[
            OpenApiParameter("id", str, required=True),
            *(OpenApiParameter(name, str) for name in ("startDate", "endDate")),
            OpenApiParameter("month", str, description="such as 2026-09, in place of both dates"),
        ],
        responses=Scheduling,
    )
    @action(detail=False, methods=["get"], url_path="schedulingDetail")
    def scheduling_detail(self, request: Request) -> Response:
        """Answer the calendar of a plan: the days of a month or a span, this month by default."""
        plan = self.row(self.id_parameter())
        first, last = periods.asked_days(request.query_params)
        return Response(
            {
                "config": PlanSerializer(plan, context=self.get_serializer_context()).data,
                "businessDate": str(queries.business_date_of(plan, clock.now())),
                **queries.scheduling(plan, first, last),
            }
        )

    @extend_schema(request=changes.SchedulingInput, responses=changes.Scheduled)
    @action(detail=False, methods=["post"], url_path="schedulingSubmit")
    def scheduling_submit(self, request: Request) -> Response:
        """Change the calendar by hand: the cells of the named days are replaced, or made as the rotation says."""
        body = parameters(request)
        entry = AuditEntry("configinfo.scheduling", self.actor, business_type=self.noun)

        def change() -> dict[str, Any]:
            rows = self.locked_rows(pk=self.id_parameter())
            if not rows:
                raise Missing()
            asked = changes.SchedulingInput(data=body)
            asked.is_valid(raise_exception=True)
            self._check_keeper(rows[0])
            answer = changes.apply(rows[0], asked.validated_data)
            entry.business_id, entry.remark = rows[0].pk, str(rows[0])
            entry.changes = edits.counted((_CHANGED, answer["changed"]))
            entry.nothing_happened = not answer["changed"]
            return answer

        return Response(perform(entry, dict(body), change))
