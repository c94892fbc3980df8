"""Calls of repair orders, their work lines and the people who may be sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.audit.story import story
from core.equipment.models import Machine, Tag
from core.kernel import ports
from core.kernel.errors import Invalid, Missing
from core.kernel.filters import ID, Filter
from core.kernel.pagination import page_at_hand
from core.kernel.parsers import parameters
from core.kernel.serializers import IdListField
from core.kernel.steps import waiting
from core.kernel.texts import label
from core.kernel.viewsets import SIGNED_IN, Door, NounViewSet
from core.maintenance import operations, people, periods, stoppages, workload
from core.maintenance.actions import ACTIONS, allowed_actions
from core.maintenance.filters import FILTERS
from core.maintenance.inputs import EditInput, SaveInput
from core.maintenance.models import RepairLine, RepairOrder, Status
from core.maintenance.queries import COLUMNS, visible
from core.maintenance.serializers import (
    GroupWork,
    LikelyDuplicate,
    LineSerializer,
    LineStored,
    MachineHistory,
    PersonTime,
    RepairOrderDetail,
    RepairOrderSerializer,
    Saved,
)
from core.storage import files

_OTHER_ACTS = {
    "save": label("报修", "Report"),
    "edit": label("修改", "Edit"),
    "line": label("填写工时", "Work line"),
    "removeLine": label("删除工时", "Remove work line"),
    "delete": label("删除", "Delete"),
}
_STATUS_NAMES = dict(Status.choices)

_REPORTED = PolymorphicProxySerializer("Reported", [Saved, LikelyDuplicate], resource_type_field_name=None, many=False)
_UPDATE = PolymorphicProxySerializer(
    "RepairOrderUpdate",
    [EditInput, *dict.fromkeys(entry.carries for entry in ACTIONS.values())],
    resource_type_field_name=None,
    many=False,
)


_PERIOD = [OpenApiParameter(name, str) for name in ("year", "month", "startDate", "endDate")]
_PEOPLE = [OpenApiParameter(name, str) for name in ("deptId", "teamId", "keyword")]


class RepairOrderViewSet(NounViewSet):
    """Repair orders within the caller's data scope."""

    noun = "repairorder"
    scope_columns = COLUMNS
    fast = True
    queryset = RepairOrder.objects.all()
    serializer_class = RepairOrderSerializer
    detail_serializer_class = RepairOrderDetail
    codes = {
        "list": "repairorder_view",
        "show": "repairorder_view",
        "save": "repairorder_add",
        "update": "repairorder_view",
        "remove": "repairorder_delete",
        "user_times": "repairorder_workload",
        "group_work": "repairorder_workload",
        "machine_history": "repairorder_view",
    }
    pages = frozenset({"list", "user_times", "group_work"})
    order = ("-create_time", "-id")
    filters = FILTERS

    def get_queryset(self) -> QuerySet[RepairOrder]:
        """Data scope, with the names that every row shows; `mine=1` are the own ones."""
        names = ["machine", "dept", "team", "report_user", "repair_user"]
        if self.action == "show":
            names += ["dispatch_user", "check_user", "part_machine", "repeat_of"]
        rows = visible(self.actor).select_related(*names)
        if self.request.query_params.get("mine") == "1":
            rows = rows.filter(Q(report_user_id=self.actor.user_id) | Q(repair_user_id=self.actor.user_id))
        return rows

    def filtered(self) -> QuerySet[RepairOrder]:
        """With `year` and `month` the orders reported in that reporting month."""
        rows = super().filtered()
        if self.request.query_params.get("year") or self.request.query_params.get("month"):
            begin, end = periods.asked_month(self.request.query_params).bounds()
            rows = rows.filter(report_time__gte=begin, report_time__lt=end)
        return rows

    def page_context(self, ids: Sequence[int]) -> dict[str, Any]:
        """What waits, and how to call whoever it waits for; three statements a page."""
        items, names = waiting(operations.BUSINESS_TYPE, list(ids))
        return {"waiting": items, "names": names}

    def show(self, request: Request) -> Response:
        """An order as a document: facts, lines, history, what waits, what the caller may do."""
        order = self.row(self.id_parameter())
        context = self.page_context([order.pk])
        tags = {*order.fault_tag_ids, *order.action_tag_ids, order.cause_tag_id} - {None}
        attached = [*order.files, *filter(None, [order.voice])]
        context.update(
            shown=files.shown(attached) if attached else {},
            stops=stoppages.of(order) if order.is_stop else [],
            people=ports.people.names(set(order.helper_ids)) if order.helper_ids else {},
            lines=list(order.lines.select_related("user").order_by("start_time", "id")),
            logs=story(operations.BUSINESS_TYPE, order.pk, ACTIONS, _OTHER_ACTS, _STATUS_NAMES),
            words={tag.pk: str(tag) for tag in Tag.objects.filter(pk__in=tags)} if tags else {},
            instance=ports.processes.instance_of("repairorder", order.pk) or ("", ""),
            allowed=allowed_actions(self.actor, order, context["waiting"].get(order.pk)),
        )
        return Response(RepairOrderDetail(order, context=context).data)

    @extend_schema(request=SaveInput, responses=_REPORTED)
    def save(self, request: Request) -> Response:
        """Report a fault."""
        return Response(operations.save(self.actor, parameters(request)))

    @extend_schema(request=_UPDATE, responses=Saved)
    def update(self, request: Request) -> Response:
        """Act on an order: `{id, lockVersion, action, …}`; without `action` the plain fields change."""
        body = parameters(request)
        order_id = self.id_parameter()
        version = self.version_parameter()
        action_name = str(body.get("action") or "")
        if not action_name:
            return Response(operations.edit(self.actor, order_id, version, body))
        return Response(operations.by_record(self.actor, order_id, version, action_name, body))

    @extend_schema(parameters=[OpenApiParameter("ids", str, required=True)], request=None, responses=None)
    def remove(self, request: Request) -> Response:
        """Delete orders that wait for their dispatch or are cancelled, and on which nobody has worked."""
        operations.remove(self.actor, IdListField().run_validation(self.parameter("ids")))
        return Response(None)

    @extend_schema(parameters=[*_PERIOD, *_PEOPLE], responses=PersonTime(many=True))
    @action(detail=False, methods=["get"], url_path="repairUserTimePage")
    def user_times(self, request: Request) -> Response:
        """Time per person in a period, with the sums of all of them."""
        given = request.query_params.dict()
        rows, summary = workload.people_times(self.actor, periods.asked(given), given)
        return Response({**page_at_hand(rows, given), "summary": summary})

    @extend_schema(
        parameters=[*_PERIOD, OpenApiParameter("groupBy", str, enum=workload.GROUPS)], responses=GroupWork(many=True)
    )
    @action(detail=False, methods=["get"], url_path="repairWorkloadPage")
    def group_work(self, request: Request) -> Response:
        """Work per group in a period; the summary counts each order once."""
        given = request.query_params.dict()
        by = given.get("groupBy") or "user"
        if by not in workload.GROUPS:
            raise Invalid({"groupBy": _("请求参数格式错误: {name}").format(name="groupBy")})
        rows, summary = workload.groups(self.actor, periods.asked(given), by)
        return Response({**page_at_hand(rows, given), "summary": summary})

    @extend_schema(parameters=[OpenApiParameter("machineId", str, required=True), *_PERIOD], responses=MachineHistory)
    @action(detail=False, methods=["get"], url_path="machineHistory")
    def machine_history(self, request: Request) -> Response:
        """What happened to a machine and its components; the last year where no period is named."""
        machine = Machine.objects.filter(pk=self.id_parameter("machineId")).first()
        if machine is None:
            raise Missing()
        given = request.query_params.dict()
        return Response(workload.machine_history(self.actor, machine, periods.asked(given, days=365)))


class RepairLineViewSet(NounViewSet):
    """Work lines of the orders that the caller sees."""

    queryset = RepairLine.objects.select_related("user")
    serializer_class = LineSerializer
    codes = {
        "list": "repairorder_view",
        "show": "repairorder_view",
        "submit": "repairorder_repair",
        "remove": "repairorder_repair",
    }
    order = ("start_time", "id")
    filters = {"orderId": Filter("order_id", ID), "userId": Filter("user_id", ID)}

    def get_queryset(self) -> QuerySet[RepairLine]:
        """Lines of visible orders."""
        return super().get_queryset().filter(order__in=visible(self.actor))

    @extend_schema(responses=LineStored)
    def submit(self, request: Request) -> Response:
        """Write or change a line."""
        body = parameters(request)
        serializer = LineSerializer(data=body)
        serializer.is_valid(raise_exception=True)
        values = {
            "content": "",
            "work_type": 2,
            "images": [],
            "user_id": self.actor.user_id,
            **serializer.validated_data,
        }
        line_id = self.id_parameter() if str(body.get("id") or "") else None
        return Response(operations.write_line(self.actor, line_id, values.pop("order_id"), values))

    @extend_schema(parameters=[OpenApiParameter("ids", str, required=True)], request=None, responses=None)
    def remove(self, request: Request) -> Response:
        """Take lines back."""
        ids = IdListField().run_validation(self.parameter("ids"))
        operations.remove_lines(self.actor, ids)
        return Response(None)


class MachineUsersDoor(Door):
    """People who may be sent to a machine."""

    codes = {"machine_users": SIGNED_IN}

    @extend_schema(
        parameters=[OpenApiParameter("machineId", str)],
        responses=inline_serializer(
            "MachineUser",
            {
                "userId": serializers.CharField(),
                "userName": serializers.CharField(),
                "account": serializers.CharField(),
                "deptName": serializers.CharField(),
                "teamId": serializers.CharField(),
                "teamName": serializers.CharField(),
                "openOrders": serializers.IntegerField(),
                "isDuty": serializers.IntegerField(),
                "isOfTeam": serializers.IntegerField(),
            },
            many=True,
        ),
    )
    @action(detail=False, methods=["get"], url_path="machineUsers")
    def machine_users(self, request: Request) -> Response:
        """Repairers, the machine's own first, with how much they have open."""
        machine_id = self.id_parameter("machineId") if request.query_params.get("machineId") else None
        return Response([{k: v for k, v in row.items() if k != "rank"} for row in people.repairers(machine_id)])
