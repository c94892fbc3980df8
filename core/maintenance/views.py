"""Calls of repair orders, their work lines and the people who may be sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core import ports
from core.blade.parsers import parameters
from core.cases.serializers import context_of
from core.cases.views import CaseCalls, body_of_update
from core.equipment.models import Tag
from core.kernel.errors import Invalid
from core.maintenance import dispatching, operations, people
from core.maintenance.case import REPAIR
from core.maintenance.filters import FILTERS
from core.maintenance.inputs import SaveInput
from core.maintenance.menus import MENU, REPORT_MENU, SCOPES, WORKLOAD_MENU
from core.maintenance.models import STOPS, RepairLine, RepairOrder
from core.maintenance.queries import ORDERS, visible
from core.maintenance.serializers import (
    LikelyDuplicate,
    LineSerializer,
    LineStored,
    MachineUser,
    RepairOrderDetail,
    RepairOrderSerializer,
    Saved,
)
from core.rest.filters import ID, Filter
from core.rest.sheets import Export
from core.rest.viewsets import SIGNED_IN, BaseViewSet, NounViewSet, RemoveBy
from core.spares import shown as requests
from core.spares.models import OrderType
from core.storage import files
from core.system import periods
from core.system.extras import WithExtras
from core.system.written import Written, written_at

_REPORTED = PolymorphicProxySerializer("Reported", [Saved, LikelyDuplicate], resource_type_field_name=None, many=False)


@extend_schema_view(update=extend_schema(request=body_of_update(REPAIR), responses=Saved))
class RepairOrderViewSet(Export, RemoveBy, CaseCalls, WithExtras, NounViewSet):
    """Repair orders within the caller's data scope."""

    noun = "repairorder"
    case, key, plain = REPAIR, "id", "edit"
    menu = MENU
    more_menus = (REPORT_MENU, WORKLOAD_MENU)
    shipped_scopes = SCOPES
    scope_columns = ORDERS.scope
    fast = True
    queryset = RepairOrder.objects.all()
    serializer_class = RepairOrderSerializer
    detail_serializer_class = RepairOrderDetail
    codes = {"update": "repairorder_view"}
    order = ("-create_time", "-id")
    filters = FILTERS
    removal = operations.remove

    def get_queryset(self) -> QuerySet[RepairOrder]:
        """Data scope, with the names that every row shows; `mine=1` are the own ones."""
        names = ["machine", "dept", "team", "report_user", "repair_user"]
        if self.action == "show":
            names += ["dispatch_user", "check_user", "part_machine", "repeat_of"]
        rows = visible(self.actor).select_related(*names)
        if self.action == "show":
            lines = RepairLine.objects.select_related("user").order_by("start_time", "id")
            rows = rows.prefetch_related(Prefetch("lines", lines))
        if self.request.query_params.get("mine") == "1":
            rows = rows.filter(Q(report_user_id=self.actor.user_id) | Q(repair_user_id=self.actor.user_id))
        return rows

    def page_context(self, ids: Sequence[int]) -> dict[str, Any]:
        """With the stops of the page's orders."""
        return {**super().page_context(ids), "stops": STOPS.of(ids)}

    def filtered(self) -> QuerySet[RepairOrder]:
        """With `year` and `month` the orders reported in that reporting month."""
        rows = super().filtered()
        if self.request.query_params.get("year") or self.request.query_params.get("month"):
            begin, end = periods.asked_month(self.request.query_params).bounds()
            rows = rows.filter(report_time__gte=begin, report_time__lt=end)
        return rows

    def show(self, request: Request) -> Response:
        """An order as a document: facts, lines, history, what waits, what the caller may do."""
        order = self.row(self.id_parameter())
        context = context_of(REPAIR, self.actor, order)
        tags = {*order.fault_tag_ids, *order.action_tag_ids, order.cause_tag_id} - {None}
        attached = [*order.files, *filter(None, [order.voice])]
        words = {tag.pk: str(tag) for tag in Tag.objects.filter(pk__in=tags)} if tags else {}
        context.update(
            shown=files.shown(attached) if attached else {},
            spares=requests.of_order(self.actor, OrderType.REPAIR, order.pk),
            stops=STOPS.of([order.pk] if order.is_stop else []),
            names={**words, **(ports.people.names(set(order.helper_ids)) if order.helper_ids else {})},
        )
        return Response(RepairOrderDetail(order, context=context).data)

    @extend_schema(request=SaveInput, responses=_REPORTED)
    def save(self, request: Request) -> Response:
        """Report a fault; where parameters say so, it is dispatched to somebody on duty at once.

        Whoever sends it later says beside it when it was written and when it is sent, as `clientTime` and `sentTime`
        by the sender's own clock.
        """
        body = dict(parameters(request))
        times = Written(data={name: body.pop(name, None) for name in ("clientTime", "sentTime")})
        times.is_valid(raise_exception=True)
        sent = times.validated_data
        with operations.written(written_at(sent["clientTime"], sent["sentTime"])):
            answer = operations.save(self.actor, body)
        return Response(dispatching.after(answer))


class RepairLineViewSet(RemoveBy, NounViewSet):
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
    removal = operations.remove_lines

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


class MachineUsersViewSet(BaseViewSet):
    """People who may be sent to a machine."""

    codes = {"machine_users": SIGNED_IN}

    @extend_schema(
        parameters=[
            *(OpenApiParameter(name, str) for name in ("machineId", "deptId", "keyword")),
            OpenApiParameter("onDuty", int, description="1: only those on duty now"),
            OpenApiParameter("role", str, enum=[people.REPAIR, people.INSPECT, people.ALL]),
        ],
        responses=MachineUser(many=True),
    )
    @action(detail=False, methods=["get"], url_path="machineUsers")
    def machine_users(self, request: Request) -> Response:
        """Repairers, the machine's own first, with how much they have open, and who is on duty now."""
        given = request.query_params
        role = given.get("role") or people.REPAIR
        if role not in (people.REPAIR, people.INSPECT, people.ALL):
            raise Invalid({"role": _("请求参数格式错误: {name}").format(name="role")})
        found = people.repairers(
            self.id_parameter("machineId") if given.get("machineId") else None,
            dept_id=self.id_parameter("deptId") if given.get("deptId") else None,
            keyword=self.text_parameter("keyword", "keyword", 100),
            is_on_duty=given.get("onDuty") == "1",
            role=role,
        )
        return Response(MachineUser(found, many=True).data)
