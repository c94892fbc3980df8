"""Calls of task rules, of the making of tasks, and of tasks with their points and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core import ports
from core.audit.story import LogSerializer, story
from core.blade.parsers import parameters
from core.inspection.models import Route
from core.inspection.serializers import People
from core.inspection.views import RouteViewSet
from core.kernel import clock
from core.kernel.audit_entry import AuditEntry
from core.kernel.errors import Conflict, Invalid, Missing, NotAllowed
from core.kernel.operation import perform
from core.kernel.texts import label, moment
from core.rest import edits
from core.rest.filters import CODE, FLAG, ID, INTEGER, Filter, below, filters_of, with_word
from core.rest.menus import EVERYTHING, SEE, Button, MenuEntry, Place, ShippedRole, held_by, together
from core.rest.scopes import Scope, restrict
from core.rest.serializers import IdListField
from core.rest.viewsets import SIGNED_IN, BaseViewSet, NounViewSet, Remove, Stored, Submit
from core.rounds import exemptions, forecasting, generation, life, operations, queries, rates, scans
from core.rounds.inputs import NoteInput, PointInput, ReasonInput, ReviewInput, TaskChosenInput, TaskStartInput
from core.rounds.models import (
    OPEN,
    ForecastStatus,
    InspectCandidate,
    InspectForecast,
    InspectOrder,
    InspectOrderDetail,
    InspectOrderRecord,
    OrderStatus,
    TaskRule,
    TaskRun,
    TaskSource,
)
from core.rounds.serializers import (
    Candidates,
    Changed,
    DetailRow,
    DismissInput,
    ForecastChanged,
    ForecastChosenInput,
    ForecastPlace,
    Generation,
    Marks,
    NowTasks,
    OrderRules,
    PointSubmitted,
    Preview,
    Recent,
    RecordRow,
    RouteRates,
    RunProgress,
    Shifts,
    ShownPoint,
    TaskRuleRules,
    TeamOf,
    Trend,
    preview,
    route_rates,
    shifts_of,
)
from core.shifts.models import Plan
from core.shifts.queries import business_date_of
from core.shifts.views import PlanViewSet
from core.system import periods
from core.system.written import written_at

_MOST_SHOWN = 3000
_MOST_VALUES = 500
_SPAN = 2
"""Days after today that a preview shows where nobody asks for others."""
_RULES = (
    "config", "group", "rule_name", "frequency", "times_per_shift", "every_hours", Shifts(), "week_days", "every_weeks",
    "month_days", "every_days", "nth", "week_day", "start_offset", "duration", "window_days", "ahead_minutes",
    "grace_minutes", "skip_holiday", "startup_check", "assign_mode", People("user_ids", "userIds", "userNames"),
    "start_date", "end_date", "enabled",
)  # fmt: skip
_ACTS = {
    "add": label("新建任务", "Created"),
    "edit": label("修改任务", "Changed"),
    "start": label("开始巡检", "Started"),
    "release": label("退回任务", "Returned to the team"),
    "point": label("提交点位", "Point submitted"),
    "void": label("作废", "Voided"),
    "exempt": label("免检", "Exempted"),
    "miss": label("漏检", "Missed"),
    "startup": label("开机点检", "Start-up check"),
    "review": label("审核", "Reviewed"),
}


class RuleViewSet(Submit, Remove, NounViewSet):
    """Task rules: kept by the equipment manager, and by heads of workshops for the plans of their departments."""

    noun = "taskrule"
    menu = MenuEntry(
        "inspect", "/inspect/rule", "calendar", label("任务规则", "Task rules"), place=4,
        roles=together(
            held_by((ShippedRole.SHIFT_LEADER, ShippedRole.VIEWER, ShippedRole.INSPECTOR), SEE),
            held_by(
                (ShippedRole.EQUIP_MANAGER, ShippedRole.WORKSHOP_HEAD), {"view", "add", "edit", "delete"}
            ),
            {ShippedRole.TENANT_ADMIN: EVERYTHING},
        ),
    )  # fmt: skip
    queryset = TaskRule.objects.all()
    rules = TaskRuleRules
    fields = _RULES
    select = None  # type: ignore[assignment]
    scope_columns = {"user": "group__leader_id", "dept": "config__dept_id"}
    shipped_scopes = {
        Scope.ALL: (ShippedRole.EQUIP_MANAGER, ShippedRole.VIEWER, ShippedRole.INSPECTOR),
        Scope.DEPARTMENT_TREE: (ShippedRole.WORKSHOP_HEAD,),
        Scope.DEPARTMENT: (ShippedRole.SHIFT_LEADER,),
    }
    filters = {
        **filters_of(
            TaskRule, "config", "group", "rule_name", "frequency", "assign_mode", "skip_holiday", "enabled",
            "start_date", "end_date",
        ),
        "keyword": with_word("rule_name", "group__group_name", "group__group_code"),
    }  # fmt: skip
    sample = {"weekDays": "1", "monthDays": "1", "nth": 1, "windowDays": 1, "duration": 30}

    def page_context(self, ids: Sequence[int]) -> dict[str, Any]:
        """Return the shifts and the names of the people of the rules of a page."""
        rows = list(TaskRule.objects.filter(pk__in=ids).values_list("config_id", "user_ids"))
        people = {pk for _config, named in rows for pk in named}
        return {
            "shifts": shifts_of(sorted({pk for pk, _named in rows})),
            "people": dict.fromkeys(people, "") | dict(ports.people.names(people)),
        }


_RuleSerializer: Any = RuleViewSet.serializer_class  # type: ignore[misc]  # as each row of it is made


class PlannedRules(serializers.Serializer):  # type: ignore[type-arg]
    """The enabled rules of a plan, and what they make."""

    rules = _RuleSerializer(many=True)
    preview = Preview()


class MakingViewSet(BaseViewSet):
    """The making of tasks by the rules of a shift plan, beside the plan's own calls."""

    queryset = TaskRule.objects.all()
    codes = dict.fromkeys(("make_task", "save_make_task", "run"), "configinfo_makeTask")

    def _plan(self, row_id: int) -> Plan:
        """Return a plan within the caller's data scope. Raises Missing."""
        rows = restrict(
            Plan.objects.all(), self.actor, PlanViewSet.noun, PlanViewSet.scope_columns, PlanViewSet.filters
        )
        found: Plan | None = Plan.objects.filter(pk__in=rows.filter(pk=row_id).values("pk")).first()
        if found is None:
            raise Missing()
        return found

    @extend_schema(
        parameters=[
            OpenApiParameter("id", str, required=True),
            *(OpenApiParameter(name, str) for name in ("startDate", "endDate", "ruleIds")),
        ],
        responses=PlannedRules,
    )
    @action(detail=False, methods=["get"], url_path="makeTask")
    def make_task(self, request: Request) -> Response:
        """Preview which tasks the rules of a plan make in a span of days, and why others not; nothing is changed."""
        plan = self._plan(self.id_parameter())
        given = request.query_params
        first = periods.asked_day(given, "startDate") or business_date_of(plan, clock.now())
        last = periods.asked_day(given, "endDate") or first + timedelta(days=_SPAN)
        operations.check_span(plan, first, last)
        ids = [int(part) for part in given.get("ruleIds", "").split(",") if part.strip().isdecimal()][:500]
        rules = generation.rules_of(plan, ids or None)
        found = exemptions.foreseen(generation.planned(plan, rules, first, last))
        shown = _RuleSerializer(
            rules, many=True, context={**self.get_serializer_context(), "shifts": shifts_of([plan.pk])}
        )
        return Response({"rules": shown.data, "preview": preview(found, _MOST_SHOWN)})

    @extend_schema(request=operations.SaveMakeTaskInput, responses=Generation)
    @action(detail=False, methods=["post"], url_path="saveMakeTask")
    def save_make_task(self, request: Request) -> Response:
        """Store rules of a plan, and make tasks by them where days are named. Asked again it makes nothing twice."""
        body = parameters(request)
        entry = AuditEntry("configinfo.makeTask", self.actor, business_type="configinfo")

        def change() -> dict[str, Any]:
            asked = operations.SaveMakeTaskInput(data=body)
            asked.is_valid(raise_exception=True)
            values = asked.validated_data
            plan = self._plan(values["id"])
            answer = {
                "removed": operations.remove_rules(plan, values["removedRuleIds"]),
                "saved": self._save_rules(plan, values["rules"]),
                **operations.NOTHING,
            }
            if values["generate"] is not None:
                answer |= operations.make(self.actor, plan, values["ruleIds"], values["generate"])
            entry.business_id, entry.remark = plan.pk, str(plan)
            entry.changes = edits.counted(
                (label("保存的规则", "Rules saved"), answer["saved"]),
                (label("删除的规则", "Rules removed"), answer["removed"]),
                (label("生成的任务", "Tasks made"), answer["created"]),
                (label("作废的任务", "Tasks voided"), answer["voided"]),
            )
            return answer

        return Response(perform(entry, dict(body), change))

    def _save_rules(self, plan: Plan, bodies: Sequence[Mapping[str, Any]]) -> int:
        """Store rules, those with an id in place of what they were; raises Invalid that names the wrong one."""
        if bodies and not (self.actor.may("taskrule_add") and self.actor.may("taskrule_edit")):
            raise NotAllowed()
        for place, sent in enumerate(bodies):
            body = {**sent, "configId": str(plan.pk)}
            row_id = str(body.pop("ruleId", body.pop("id", "")) or "")
            row = TaskRule.objects.filter(pk=int(row_id), config=plan).first() if row_id.isdecimal() else None
            if row_id and row is None:
                raise Missing()
            serializer = _RuleSerializer(row, data=body, partial=row is not None, context=self.get_serializer_context())
            if not serializer.is_valid():
                raise Invalid({f"rules.{place}.{name}": _first(text) for name, text in dict(serializer.errors).items()})
            serializer.save()
        return len(bodies)

    @extend_schema(parameters=[OpenApiParameter("id", str, required=True)], responses=RunProgress)
    @action(detail=False, methods=["get"], url_path="makeTaskRun")
    def run(self, request: Request) -> Response:
        """Answer how far the making of tasks in the background is."""
        found = TaskRun.objects.filter(pk=self.id_parameter()).first()
        if found is None:
            raise Missing()
        self._plan(found.config_id)
        return Response(RunProgress(found).data)


def _first(found: Any) -> str:
    """Return the first sentence of what a serializer says."""
    while isinstance(found, list | dict):
        found = next(iter(found.values() if isinstance(found, dict) else found), "")
    return str(found)


_WORKERS = {"view", "inspect"}
_ORDER = (
    "order_no", "group", "group_name", "group_type", "status", "source", "business_date", "shift_name", "plan_start",
    "plan_end", "deadline", TeamOf(), Candidates(), "executor", "result", "point_total", "point_done", "point_skipped",
    "point_missed", "point_exempt", "item_total", "item_done", "abnormal_count", "warn_count", "start_time",
    "finish_time", "is_late", "is_suspect", Marks(), "is_supplement", "miss_reason", "miss_user", "miss_time",
    "check_user", "check_time", "check_remark", "void_reason", "exempt_reason", "remark",
)  # fmt: skip


def _overdue(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Open tasks whose planned end has passed."""
    late = Q(status__in=(OrderStatus.TODO, OrderStatus.IN_PROGRESS), plan_end__lt=clock.now())
    return rows.filter(late) if text in ("1", "true") else rows.exclude(late)


def _open_now(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Tasks that can be walked at this moment."""
    now = clock.now()
    can = Q(status__in=OPEN, open_time__lte=now, deadline__gte=now)
    return rows.filter(can) if text in ("1", "true") else rows


def _ends_soon(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Tasks that are missed within two hours unless somebody ends them."""
    now = clock.now()
    soon = Q(status__in=OPEN, deadline__gte=now, deadline__lte=now + periods.SOON)
    return rows.filter(soon) if text in ("1", "true") else rows


class OrderViewSet(Submit, Remove, NounViewSet):
    """Inspection tasks within the caller's data scope: those that one may do, or that are of one's department."""

    noun = "inspectorder"
    menu = MenuEntry(
        "inspect", "/inspect/order", "task", label("点检任务", "Inspection tasks"), place=0,
        roles=together(
            held_by((ShippedRole.INSPECTOR, ShippedRole.SHIFT_LEADER), {*_WORKERS, "any"}),
            held_by((ShippedRole.REPAIRER, ShippedRole.OPERATOR), _WORKERS),
            held_by((ShippedRole.VIEWER, ShippedRole.REPAIR_LEADER), SEE),
            held_by(
                (ShippedRole.EQUIP_MANAGER, ShippedRole.WORKSHOP_HEAD),
                {*_WORKERS, "any", "add", "edit", "delete", "void", "exempt", "review"},
            ),
            {ShippedRole.SHIFT_LEADER: {"review"}, ShippedRole.TENANT_ADMIN: EVERYTHING},
        ),
        buttons={
            "inspect": Button(label("巡检", "Inspect")),
            "any": Button(label("巡检范围内的所有任务", "Inspect any task in reach")),
            "void": Button(label("作废", "Void")),
            "exempt": Button(label("免检", "Exempt")),
            "review": Button(label("审核", "Review"), Place.BOTH),
        },
    )  # fmt: skip
    queryset = InspectOrder.objects.select_related("team")
    rules = OrderRules
    fields = _ORDER
    select = None  # type: ignore[assignment]
    codes = {
        "now": "inspectorder_view", "start": "inspectorder_inspect",
        "release": SIGNED_IN, "void": SIGNED_IN, "exempt": "inspectorder_exempt", "review": SIGNED_IN,
    }  # fmt: skip
    scope_columns = queries.SCOPE
    shipped_scopes = {
        Scope.ALL: (ShippedRole.EQUIP_MANAGER, ShippedRole.VIEWER, ShippedRole.REPAIR_LEADER),
        Scope.DEPARTMENT_TREE: (ShippedRole.WORKSHOP_HEAD,),
        Scope.DEPARTMENT: (ShippedRole.SHIFT_LEADER,),
    }
    order = ("-plan_start", "-id")
    filters = {
        **filters_of(
            InspectOrder, "group", "group_type", "status", "source", "business_date", "shift", "team", "executor",
            "result", "is_late", "is_suspect", "is_supplement", "plan_start", "plan_end", "deadline", "rule", "config",
            "abnormal_count",
        ),
        "orderNo": Filter("order_no", CODE),
        "deptId": Filter("group__dept_id", ID),
        "underDeptId": below("group__dept"),
        "userId": Filter("candidates__user_id", ID, sortable=False),
        "overdue": Filter(kind=FLAG, apply=_overdue, sortable=False),
        "openNow": Filter(kind=FLAG, apply=_open_now, sortable=False),
        "endsSoon": Filter(kind=FLAG, apply=_ends_soon, sortable=False),
        "keyword": with_word("order_no", "group_name"),
    }  # fmt: skip
    sample = {"planStart": "2026-01-02 08:00:00", "planEnd": "2026-01-02 10:00:00", "teamId": None}

    def filtered(self) -> QuerySet[Any]:
        """With `mine=1` those that the caller may do and nobody else has claimed."""
        rows = super().filtered()
        return rows.filter(queries.own(self.actor)) if self.request.query_params.get("mine") == "1" else rows

    def page_context(self, ids: Sequence[int]) -> dict[str, Any]:
        """Return the candidates of the tasks of a page, and their names."""
        return _people_of(ids)

    def validate_delete(self, row: Any) -> None:
        """A task by hand that nobody has begun; others stay, and are voided at most."""
        if row.status != OrderStatus.TODO:
            raise Conflict("inspectorder.executed", _("已执行的任务不能删除"))
        if row.source != TaskSource.BY_HAND:
            raise Conflict("inspectorder.planned", _("排班生成的任务不能删除，请作废"))

    @extend_schema(
        parameters=[
            OpenApiParameter("scope", str, enum=["mine", "team", "dept"]),
            *(OpenApiParameter(name, str) for name in ("groupId", "date")),
        ],
        responses=NowTasks,
    )
    @action(detail=False, methods=["get"], url_path="getOrderNowTask")
    def now(self, request: Request) -> Response:
        """Answer the tasks that matter now: those to be done, coming, running out, and done today."""
        given = request.query_params
        scope = given.get("scope") or "mine"
        if scope not in ("mine", "team", "dept"):
            raise Invalid({"scope": _("请求参数格式错误: {name}").format(name="scope")})
        group_id = self.id_parameter("groupId") if given.get("groupId") else None
        return Response(queries.now_tasks(self.actor, scope, group_id, periods.asked_day(given, "date")))

    def _act(self, kind: Any, run: Any) -> Response:
        asked = kind(data=parameters(self.request))
        asked.is_valid(raise_exception=True)
        return Response(run(asked.validated_data))

    @extend_schema(request=TaskStartInput, responses=Changed)
    @action(detail=False, methods=["post"], url_path="start")
    def start(self, request: Request) -> Response:
        """Begin a task; one that a team claims is the caller's then."""

        def run(values: Mapping[str, Any]) -> dict[str, Any]:
            return life.start(self.actor, values["id"], written_at(values["clientTime"], values["sentTime"]))

        return self._act(TaskStartInput, run)

    @extend_schema(request=TaskChosenInput, responses=Changed)
    @action(detail=False, methods=["post"], url_path="release")
    def release(self, request: Request) -> Response:
        """Let others go on with a task."""
        return self._act(TaskChosenInput, lambda values: life.release(self.actor, values["id"]))

    @extend_schema(request=ReasonInput, responses=Changed)
    @action(detail=False, methods=["post"], url_path="void")
    def void(self, request: Request) -> Response:
        """Void a task that nobody has begun."""
        return self._act(ReasonInput, lambda values: life.void(self.actor, values["id"], values["reason"]))

    @extend_schema(request=ReasonInput, responses=Changed)
    @action(detail=False, methods=["post"], url_path="exempt")
    def exempt(self, request: Request) -> Response:
        """Exempt the open points of a task."""
        return self._act(ReasonInput, lambda values: life.exempt(self.actor, values["id"], values["reason"]))

    @extend_schema(request=ReviewInput, responses=Changed)
    @action(detail=False, methods=["post"], url_path="review")
    def review(self, request: Request) -> Response:
        """Say why a task was missed, or what is to be said of one that is done."""

        def run(values: Mapping[str, Any]) -> dict[str, Any]:
            said = {name: values[name] for name in ("missReason", "checkRemark") if name in values}
            if not said:
                raise Invalid({"checkRemark": _("请输入{field}").format(field=_("审核意见"))})
            return life.review(self.actor, values["id"], said)

        return self._act(ReviewInput, run)


_OrderSerializer: Any = OrderViewSet.serializer_class  # type: ignore[misc]


def _people_of(ids: Sequence[int]) -> dict[str, Any]:
    """Return the candidates of tasks by their ids, and the names of these people; two statements."""
    found: dict[int, list[int]] = {pk: [] for pk in ids}
    rows = InspectCandidate.objects.filter(order__in=ids).order_by("pk").values_list("order_id", "user_id")
    for order_id, user_id in rows:
        found[order_id].append(user_id)
    people = {pk for named in found.values() for pk in named}
    return {"candidates": found, "people": dict.fromkeys(people, "") | dict(ports.people.names(people))}


class TaskShown(serializers.Serializer):  # type: ignore[type-arg]
    """A task with its points, their items and what was found before: what one walks a route with.

    `mayInspect` says whether the caller may inspect it between `openTime` and its deadline, for clients that walk it
    without a network; `actions` are those of the moment.
    """

    order = _OrderSerializer()
    leaderId = serializers.CharField()
    leaderName = serializers.CharField()
    orderMode = serializers.IntegerField()
    openTime = serializers.CharField()
    serverTime = serializers.CharField()
    isClaimed = serializers.IntegerField()
    mayInspect = serializers.IntegerField()
    actions = serializers.ListField(child=serializers.CharField())
    details = ShownPoint(many=True)
    logs = LogSerializer(many=True)


class TaskViewSet(BaseViewSet):
    """The page of a task."""

    queryset = InspectOrder.objects.all()
    codes = {"task": "inspectorder_view"}

    @extend_schema(parameters=[OpenApiParameter("id", str, required=True)], responses=TaskShown)
    @action(detail=False, methods=["get"], url_path="task")
    def task(self, request: Request) -> Response:
        """Answer a task with its points, their items and what was found before: what one walks a route with."""
        row = queries.visible(self.actor).select_related(*_JOINED).filter(pk=self.id_parameter()).first()
        if row is None:
            raise Missing()
        return Response(TaskPage(self, row).data())


_JOINED = ("group", "team", "executor", "miss_user", "check_user")


class TaskPage:
    """Reads a task for its page."""

    def __init__(self, view: Any, row: InspectOrder):
        self.view, self.row = view, row

    def data(self) -> dict[str, Any]:
        """Return it; a constant number of statements."""
        row, view = self.row, self.view
        actor, now = view.actor, clock.now()
        details = list(row.details.select_related("snapshot", "machine", "user").order_by("sort", "pk"))
        records: dict[int, dict[str, InspectOrderRecord]] = {}
        for record in row.records.all():
            records.setdefault(record.detail_id, {})[record.item_id] = record
        items = {one.point_id: [item["itemId"] for item in one.snapshot.items] for one in details}
        last = queries.last_records(items, row.finish_time or row.miss_time)
        context = {
            **view.get_serializer_context(),
            "records": records,
            "last": last,
            "repaired": queries.repaired(last),
            "forecasts": forecasting.at_points([one.point_id for one in details]),
            "plates": scans.digests(row.group, details),
            "repairs": ports.repairs.states({one.repair_order_id for one in details if one.repair_order_id}),
        }
        mine = queries.may_do(actor, [row])
        leads = row.group.leader_id == actor.user_id
        claimed = queries.is_claimed(row, actor)
        is_open = row.status in (OrderStatus.TODO, OrderStatus.IN_PROGRESS)
        may = row.pk in mine and not claimed
        ready = row.open_time <= now <= row.deadline
        ended = row.status in (OrderStatus.DONE, OrderStatus.MISSED)
        allowed = {
            "start": may and row.status == OrderStatus.TODO and ready,
            "inspect": may and is_open and ready,
            "release": row.status == OrderStatus.IN_PROGRESS
            and row.executor_id is not None
            and (row.executor_id == actor.user_id or leads or actor.may("inspectorder_void")),
            "void": row.status == OrderStatus.TODO and (leads or actor.may("inspectorder_void")),
            "exempt": is_open and actor.may("inspectorder_exempt"),
            "review": ended and (leads or actor.may("inspectorder_review")),
        }
        return {
            "order": _OrderSerializer(row, context={**context, **_people_of([row.pk])}).data,
            "leaderId": str(row.group.leader_id),
            "leaderName": ports.people.names({row.group.leader_id}).get(row.group.leader_id, ""),
            "orderMode": row.order_mode,
            "openTime": moment(row.open_time),
            "serverTime": moment(now),
            "isClaimed": int(claimed and is_open),
            "mayInspect": int(may and is_open),
            "actions": [name for name, is_so in allowed.items() if is_so],
            "details": ShownPoint(details, many=True, context=context).data,
            "logs": LogSerializer(story(row, _ACTS, dict(OrderStatus.choices)), many=True).data,
        }


class RatesViewSet(BaseViewSet):
    """How much of the tasks of a route was done, and what was found."""

    queryset = Route.objects.all()
    codes = {"rates": "inspectgroup_view"}

    @extend_schema(
        parameters=[
            OpenApiParameter("groupId", str, required=True),
            *(OpenApiParameter(name, str) for name in ("startDate", "endDate")),
        ],
        responses=RouteRates,
    )
    @action(detail=False, methods=["get"], url_path="getRates")
    def rates(self, request: Request) -> Response:
        """Answer the rates of a route over a span of business dates, the last 30 days by default, with what they are
        made of."""
        given = request.query_params
        last = periods.asked_day(given, "endDate") or periods.today()
        first = periods.asked_day(given, "startDate") or last - timedelta(days=rates.DAYS - 1)
        if last < first:
            raise Invalid({"endDate": _("结束日期不能早于开始日期")})
        if (last - first).days >= periods.MOST_DAYS:
            raise Invalid({"endDate": _("请求参数格式错误: {name}").format(name="endDate")})
        seen = restrict(
            Route.objects.all(), self.actor, RouteViewSet.noun, RouteViewSet.scope_columns, RouteViewSet.filters
        )
        route_id = self.id_parameter("groupId")
        if not seen.filter(pk=route_id).exists():
            raise Missing()
        found = rates.of_routes([route_id], first, last, clock.now())[route_id]
        return Response(route_rates(found, first, last))


class _OfTasks(BaseViewSet):
    """Rows that belong to tasks: seen by whoever sees the task."""

    def get_queryset(self) -> QuerySet[Any]:
        """The rows of the tasks that the caller sees."""
        return queries.of_visible(super().get_queryset(), self.actor)


class DetailViewSet(_OfTasks, NounViewSet):
    """Points of tasks, and their submission."""

    queryset = InspectOrderDetail.objects.select_related("order", "snapshot", "user")
    serializer_class = DetailRow
    codes = {
        "list": "inspectorder_view", "show": "inspectorder_view", "submit": "inspectorder_inspect",
        "remove": "inspectorder_delete",
    }  # fmt: skip
    order = ("-create_time", "-id")
    filters = {
        **filters_of(
            InspectOrderDetail, "order", "point", "machine", "status", "result", "submit_time", "user",
            "repair_order_id", "abnormal_count",
        ),
        "resultStatus": Filter("result", INTEGER),
        "groupId": Filter("order__group_id", ID),
        "businessDate": Filter("order__business_date", "date"),
    }  # fmt: skip

    def filtered(self) -> QuerySet[Any]:
        """The points of one task come in their order."""
        rows = super().filtered()
        given = self.request.query_params
        return (
            rows.order_by("sort", "pk") if given.get("orderId") and not given.get("ascs", given.get("descs")) else rows
        )

    @extend_schema(request=PointInput, responses=PointSubmitted)
    def submit(self, request: Request) -> Response:
        """Submit a point with its values, or leave it out with a reason; sent twice it changes nothing."""
        asked = PointInput(data=parameters(request))
        asked.is_valid(raise_exception=True)
        return Response(life.submit_point(self.actor, asked.validated_data))

    @extend_schema(parameters=[OpenApiParameter("ids", str, required=True)], request=None, responses=None)
    def remove(self, request: Request) -> Response:
        """Take points out of a task by hand that nobody has begun; one stays."""
        return Response(life.remove_points(self.actor, _ids(self)))


def _ids(view: Any) -> list[int]:
    return IdListField().run_validation(view.parameter("ids"))  # type: ignore[no-any-return]


class RecordViewSet(_OfTasks, NounViewSet):
    """Results of check items."""

    queryset = InspectOrderRecord.objects.select_related("order", "detail__snapshot", "user")
    serializer_class = RecordRow
    codes = {
        "list": "inspectorder_view", "show": "inspectorder_view", "submit": "inspectorder_inspect",
        "remove": "inspectorder_delete", "trend": "inspectorder_view",
    }  # fmt: skip
    order = ("-check_time", "-id")
    filters = {
        **filters_of(
            InspectOrderRecord, "order", "detail", "point", "machine", "item_id", "item_name", "value_type", "result",
            "check_time", "user", "false_alarm", "repair_order_id", "num_value",
        ),
        "resultStatus": Filter("result", INTEGER),
        "inspectorId": Filter("user_id", ID),
        "groupId": Filter("order__group_id", ID),
        "keyword": with_word("item_name", "order__order_no", "order__group_name"),
    }  # fmt: skip

    @extend_schema(request=NoteInput, responses=Stored)
    def submit(self, request: Request) -> Response:
        """Add pictures or a remark to one's own result, within 24 hours."""
        row = self.row(self.id_parameter())
        asked = NoteInput(row, data=parameters(request))
        asked.is_valid(raise_exception=True)
        return Response(life.note(self.actor, row.pk, asked.validated_data))

    @extend_schema(parameters=[OpenApiParameter("ids", str, required=True)], request=None, responses=None)
    def remove(self, request: Request) -> Response:
        """Results stay: tasks that have some were begun."""
        rows = self.get_queryset().filter(pk__in=_ids(self))
        if not rows.exists():
            raise Missing()
        raise Conflict("inspectorder.executed", _("已执行的任务不能删除"))

    @extend_schema(
        parameters=[
            OpenApiParameter("itemId", str, required=True),
            OpenApiParameter("pointId", str, required=True),
            *(OpenApiParameter(name, str) for name in ("startDate", "endDate")),
        ],
        responses=Trend,
    )
    @action(detail=False, methods=["get"], url_path="getTrend")
    def trend(self, request: Request) -> Response:
        """Answer the numbers of an item at a point, oldest first, with its limits: the last 90 days by default."""
        given = request.query_params
        last = periods.asked_day(given, "endDate") or periods.today()
        first = periods.asked_day(given, "startDate") or last - timedelta(days=90)
        if last < first:
            raise Invalid({"endDate": _("结束日期不能早于开始日期")})
        point_id, item_id = self.id_parameter("pointId"), self.parameter("itemId")
        # Whoever sees what is forecast of an item sees what it was made of.
        seen = forecasting.visible(self.actor) if self.actor.may("inspectforecast_view") else None
        is_forecast = seen is not None and seen.filter(point=point_id, item_id=item_id).exists()
        rows = self.queryset.all() if is_forecast else self.get_queryset()
        rows = rows.filter(point=point_id, item_id=item_id, num_value__isnull=False)
        begin, end = periods.Period(first, last).bounds()
        within = rows.filter(check_time__gte=begin, check_time__lt=end)
        newest = within.order_by("-check_time", "-id").first() or rows.order_by("-check_time", "-id").first()
        if newest is None:
            raise Missing()
        said = forecasting.of_item(newest) if last >= periods.today() else None
        return Response(queries.trend(newest, queries.readings(within, _MOST_VALUES), said))


class ForecastViewSet(NounViewSet):
    """When check items will cross their limits by the trend of their readings: those in force, the next one first."""

    noun = "inspectforecast"
    menu = MenuEntry(
        "inspect", "/inspect/forecast", "schedule", label("预测超限", "Limit forecasts"), place=5,
        roles=together(
            held_by(
                (
                    ShippedRole.INSPECTOR, ShippedRole.VIEWER, ShippedRole.REPAIR_LEADER, ShippedRole.REPAIRER,
                    ShippedRole.SHIFT_LEADER,
                ),
                SEE,
            ),
            held_by((ShippedRole.EQUIP_MANAGER, ShippedRole.WORKSHOP_HEAD), {"view", "dismiss"}),
            {ShippedRole.SHIFT_LEADER: {"dismiss"}, ShippedRole.TENANT_ADMIN: EVERYTHING},
        ),
        buttons={"dismiss": Button(label("搁置", "Set aside"))},
    )  # fmt: skip
    queryset = InspectForecast.objects.select_related("point__group")
    fields = (
        "machine", "point", ForecastPlace(), "item_id", "item_name", "unit", "decimals", "limit_kind", "limit_value",
        "crosses_on", "earliest", "latest", "slope_per_day", "level", "as_of", "since", "readings", Recent(), "status",
        "dismiss_user", "dismiss_time", "dismiss_reason", "dismiss_until", "end_time",
    )  # fmt: skip
    codes = dict.fromkeys(("dismiss", "restore"), "inspectforecast_dismiss")
    select = None
    scope_columns = forecasting.SCOPE
    shipped_scopes = {
        Scope.ALL: (ShippedRole.EQUIP_MANAGER, ShippedRole.VIEWER, ShippedRole.REPAIR_LEADER),
        Scope.DEPARTMENT_TREE: (ShippedRole.WORKSHOP_HEAD,),
        Scope.DEPARTMENT: (ShippedRole.SHIFT_LEADER, ShippedRole.INSPECTOR),
        Scope.TEAM: (ShippedRole.REPAIRER,),
    }
    order = ("crosses_on", "id")
    filters = {
        **filters_of(
            InspectForecast, "machine", "point", "item_id", "item_name", "limit_kind", "crosses_on", "status",
            "as_of", "readings", "dismiss_until",
        ),
        "groupId": Filter("point__group_id", ID),
        "deptId": Filter("point__group__dept_id", ID),
        "machineCode": Filter("machine__machine_code", CODE),
        "keyword": with_word("item_name", "machine__machine_name", "machine__machine_code", "point__point_name"),
    }  # fmt: skip

    def filtered(self) -> QuerySet[Any]:
        """Those in force, unless others are asked for by their state."""
        rows = super().filtered()
        return rows if self.request.query_params.get("status") else rows.filter(status=ForecastStatus.IN_FORCE)

    @extend_schema(request=DismissInput, responses=ForecastChanged)
    @action(detail=False, methods=["post"], url_path="dismiss")
    def dismiss(self, request: Request) -> Response:
        """Set a forecast aside until the end of a day; it comes back before where the crossing gets earlier."""
        asked = DismissInput(data=parameters(request))
        asked.is_valid(raise_exception=True)
        values = asked.validated_data
        return Response(forecasting.dismiss(self.actor, values["id"], values["reason"], values["until"]))

    @extend_schema(request=ForecastChosenInput, responses=ForecastChanged)
    @action(detail=False, methods=["post"], url_path="restore")
    def restore(self, request: Request) -> Response:
        """Take back that a forecast was set aside."""
        asked = ForecastChosenInput(data=parameters(request))
        asked.is_valid(raise_exception=True)
        return Response(forecasting.restore(self.actor, asked.validated_data["id"]))
