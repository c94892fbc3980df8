"""Calls of spare parts, the ledger of their stock, and requests for them."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.audit.story import story
from core.blade.parsers import parameters
from core.equipment.models import Machine
from core.equipment.queries import filters_by_machine, of_class
from core.kernel.errors import Conflict, Invalid, Missing
from core.kernel.ids import is_id
from core.kernel.texts import label
from core.rest.filters import CODE, ID, INTEGER, Filter, filters_of, with_word
from core.rest.menus import EVERYTHING, KEEP, SEE, Button, MenuEntry, Place, ShippedRole, held_by, together
from core.rest.scopes import Scope
from core.rest.shapes import noun_serializer
from core.rest.sheets import Export, Import
from core.rest.viewsets import SIGNED_IN, NounViewSet, Remove, Submit
from core.spares import counting, life, movements, orders, shown
from core.spares.inputs import CountInput, HandleInput, RequestInput, StockMoveInput
from core.spares.models import RequestStatus, SpareFit, SpareMove, SparePart, SpareUseLog
from core.spares.queries import FILTERS, NOUN, SCOPE
from core.spares.serializers import (
    COVER,
    REORDER,
    REVERSED,
    STOCK_STATE,
    USED,
    Count,
    Fits,
    Handled,
    MoveMade,
    RequestDetail,
    RequestShown,
    SpareFacts,
    SpareRules,
    StateName,
    UseLog,
)
from core.storage.shapes import Files, Images
from core.system.extras import WithExtras

READERS = (ShippedRole.EQUIP_MANAGER, ShippedRole.REPAIR_LEADER, ShippedRole.REPAIRER, ShippedRole.VIEWER)
APPLICANTS = (ShippedRole.REPAIR_LEADER, ShippedRole.REPAIRER)

_LISTED = (
    "spare_code", "spare_name", "spec", "brand", "category", "unit", "is_integer", "location_code", "stock_qty",
    "reserved_qty", "available_qty", STOCK_STATE, StateName(), "min_qty", "max_qty", "safety_qty", REORDER,
    "avg_price", "last_price", "stock_amount", USED, COVER, "last_out_time", "supplier", "lead_days", "is_critical",
    "barcode", Images("photo", most=1), "is_sealed", "remark", "ext",
)  # fmt: skip


class SpareDetailSerializer(
    noun_serializer(SparePart, (*_LISTED, Fits(), Files("files", most=10)), SpareRules)  # type: ignore[misc]
):
    """A spare part with its files and where it is used, as its form and its page have it."""


def _at_type(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Return the parts that are used at assets of the class or of one below it."""
    if not is_id(text):
        return rows.none()
    fits = SpareFit.objects.filter(
        Q(type__path__contains=f"/{int(text)}/") | Q(machine__in=of_class(Machine.objects.all(), text))
    )
    return rows.filter(pk__in=fits.values("spare"))


def _at_machine(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Return the parts that are used at the asset, at one of its components, or at all assets of its class."""
    if not is_id(text):
        return rows.none()
    machine = Machine.objects.filter(pk=int(text)).values_list("path", "type__path").first()
    if machine is None:
        return rows.none()
    path, type_path = machine
    classes = [int(one) for one in (type_path or "").strip("/").split("/") if one]
    fits = SpareFit.objects.filter(Q(machine__path__startswith=path) | Q(type__in=classes))
    return rows.filter(pk__in=fits.values("spare"))


class SpareViewSet(Export, Import, Submit, Remove, WithExtras, NounViewSet):
    """Spare parts: kept by the storekeeper, seen by those who repair and by the management."""

    noun = "spareinfo"
    menu = MenuEntry(
        "spare", "/spare/part", "machine", label("备件台账", "Spare parts"), place=1,
        roles=together(
            held_by(READERS, SEE), {ShippedRole.STOREKEEPER: KEEP, ShippedRole.TENANT_ADMIN: EVERYTHING},
            {ShippedRole.EQUIP_MANAGER: {"export"}, ShippedRole.VIEWER: {"export"}},
        ),
    )  # fmt: skip
    more_menus = (
        MenuEntry(
            "spare", "/spare/reorder", "send", label("补货清单", "Reorder list"), "sparereorder", place=5,
            roles=held_by((ShippedRole.STOREKEEPER, ShippedRole.EQUIP_MANAGER, ShippedRole.VIEWER), ()),
        ),
    )  # fmt: skip
    queryset = SparePart.objects.all()
    rules = SpareRules
    fields = _LISTED
    detail_serializer_class = input_serializer_class = SpareDetailSerializer
    sheet_key = "spare_code"
    selectable = Q(is_sealed=False)
    select_filters = ("machineId", "typeId")
    order = ("spare_code", "id")
    sample = {"maxQty": 0, "isInteger": 0}
    filters = {
        **filters_of(
            SparePart, "spare_name", "spec", "brand", "supplier", "category", "is_integer", "is_critical", "is_sealed",
            "stock_qty", "reserved_qty", "available_qty", "min_qty", "max_qty", "safety_qty", "avg_price", "last_price",
            "stock_amount", "last_out_time", "lead_days", "remark",
        ),
        "spareCode": Filter("spare_code", CODE),
        "barcode": Filter("barcode", CODE),
        "locationCode": Filter("location_code"),
        "keyword": with_word("spare_code", "spare_name", "spec", "brand", "barcode", "location_code"),
        "typeId": Filter(kind=ID, apply=_at_type, sortable=False),
        "machineId": Filter(kind=ID, apply=_at_machine, sortable=False),
        "stockStatus": Filter("stock_state", INTEGER, sortable=False),
    }  # fmt: skip

    def validate_delete(self, row: Any) -> None:
        """A part of which nothing is there and nothing was ever moved; others are sealed."""
        if row.stock_qty:
            raise Conflict("spare.hasStock", _("库存不为0，不能删除"))
        if row.moves.exists():
            raise Conflict("spare.hasHistory", _("备件已有出入库记录，不能删除，请改为封存"))

    def perform_destroy(self, row: Any) -> None:
        """Remove a part, and where it was used."""
        super().perform_destroy(row)
        row.fits.all().delete()


_MOVE = (
    "flow_no", "spare", SpareFacts(), "biz_type", "direction", "qty", "before_qty", "after_qty", "price", "amount",
    "order_type", "order_id", "order_no", "machine", UseLog(), "reverse_of", REVERSED, "user", "flow_time", "remark",
)  # fmt: skip


class MoveViewSet(Export, NounViewSet):
    """The ledger of spare parts: entries are added by the storekeeper and by requests, and never changed."""

    noun = "spareflow"
    menu = MenuEntry(
        "spare", "/spare/flow", "log", label("出入库流水", "Stock movements"), place=3,
        roles=together(
            held_by((ShippedRole.EQUIP_MANAGER, ShippedRole.VIEWER), {"view", "export"}),
            {
                ShippedRole.STOREKEEPER: {"view", "add", "count", "export"},
                ShippedRole.TENANT_ADMIN: EVERYTHING,
                ShippedRole.REPAIR_LEADER: SEE, ShippedRole.REPAIRER: SEE,
            },
        ),
        buttons={
            "add": Button(label("出入库登记", "Enter movements"), Place.TOOLBAR),
            "count": Button(label("盘点", "Count the store"), Place.TOOLBAR),
        },
    )  # fmt: skip
    more_menus = (
        MenuEntry(
            "spare", "/spare/count", "todo", label("扫码盘点", "Stocktake"), "sparecount", place=4,
            roles=held_by((ShippedRole.STOREKEEPER,), ()),
        ),
    )  # fmt: skip
    queryset = SpareMove.objects.select_related("request")
    fields = (*_MOVE, Files("voucher", most=9))
    codes = {"enter": "spareflow_add", "count": counting.COUNTS}
    select = None
    order = ("-flow_time", "-id")
    filters = {
        **filters_by_machine("machine"),
        **filters_of(
            SpareMove, "spare", "biz_type", "direction", "qty", "price", "amount", "order_type", "user", "flow_time",
        ),
        "flowNo": Filter("flow_no", CODE),
        "orderNo": Filter("order_no", CODE),
        "orderId": Filter("order_id", ID),
        "useLogId": Filter("request_id", ID),
        "logNo": Filter("request__log_no", CODE),
        "category": Filter("spare__category", INTEGER),
        "keyword": with_word("flow_no", "order_no", "spare__spare_code", "spare__spare_name", "remark"),
    }  # fmt: skip

    @extend_schema(request=StockMoveInput, responses=MoveMade)
    @action(detail=False, methods=["post"], url_path="submit")
    def enter(self, request: Request) -> Response:
        """Enter a movement by hand, or with `reverseOfId` the correction of one."""
        return Response(movements.enter(self.actor, parameters(request)))

    @extend_schema(request=CountInput, responses=Count)
    @action(detail=False, methods=["post"], url_path="count")
    def count(self, request: Request) -> Response:
        """Compare a count of the store with the record, and unless it is a preview enter the differences."""
        return Response(counting.count(self.actor, parameters(request)))


_ACTS = {
    "submit": label("申请", "Requested"),
    "reserve": label("预留", "Reserved"),
    "issue": label("出库", "Issued"),
    "return": label("退回", "Returned"),
    "reject": label("驳回", "Refused"),
    "cancel": label("取消", "Cancelled"),
    "finish": label("结束", "Finished"),
}


class UseLogViewSet(NounViewSet):
    """Requests for spare parts: made by those who repair, handled by the storekeeper."""

    noun = NOUN
    menu = MenuEntry(
        "spare", "/spare/request", "todo", label("备件领用", "Spare requests"), place=2,
        roles=together(
            held_by(READERS, SEE), held_by(APPLICANTS, {"add"}),
            {ShippedRole.STOREKEEPER: {"view", "handle"}, ShippedRole.TENANT_ADMIN: EVERYTHING},
        ),
        buttons={
            "add": Button(label("申请备件", "Request parts"), Place.TOOLBAR),
            "handle": Button(label("处理领用单", "Handle requests")),
        },
    )  # fmt: skip
    queryset = SpareUseLog.objects.all()
    fields = (
        "log_no", "order_type", "order_id", "order_no", "machine", "apply_user", "apply_dept", "apply_time", "status",
        "handle_user", "handle_time", "handle_remark", "line_count", "total_amount", "remark", "lock_version",
    )  # fmt: skip
    codes = {"apply": life.APPLIES, "spare_list": SIGNED_IN, "handle": SIGNED_IN}
    select = None
    scope_columns = SCOPE
    shipped_scopes = {
        Scope.ALL: (
            ShippedRole.EQUIP_MANAGER, ShippedRole.STOREKEEPER, ShippedRole.REPAIR_LEADER, ShippedRole.VIEWER,
        ),
    }  # fmt: skip
    order = ("-apply_time", "-id")
    filters = FILTERS

    @extend_schema(responses=RequestDetail)
    def show(self, request: Request) -> Response:
        """A request with its lines, its history, and what the caller may do with it."""
        row = shown.one(self.actor, self.id_parameter())
        logs = story(row, _ACTS, dict(RequestStatus.choices))
        return Response({**shown.told(self.actor, [row])[0], "logs": logs})

    @extend_schema(request=RequestInput, responses=Handled)
    @action(detail=False, methods=["post"], url_path="submit")
    def apply(self, request: Request) -> Response:
        """Request spare parts, for an order or for another purpose."""
        return Response(life.submit(self.actor, parameters(request)))

    @extend_schema(
        parameters=[
            OpenApiParameter("id", str, description="a request; answers it with its lines"),
            OpenApiParameter("orderId", str, description="an order; answers all of its requests, oldest first"),
            OpenApiParameter("orderType", int, description="1 repair, by default; 2 maintenance"),
        ],
        responses=PolymorphicProxySerializer(
            "SpareList", [RequestShown, RequestShown(many=True)], resource_type_field_name=None, many=False
        ),
    )
    @action(detail=False, methods=["get"], url_path="getSpareList")
    def spare_list(self, request: Request) -> Response:
        """The lines of a request, or all requests of an order."""
        given = request.query_params
        if given.get("id") or not given.get("orderId"):
            return Response(shown.told(self.actor, [shown.one(self.actor, self.id_parameter())])[0])
        order_type = given.get("orderType") or "1"
        if order_type not in {str(one.value) for one in orders.types()}:
            raise Invalid({"orderType": _("请求参数格式错误: {name}").format(name="orderType")})
        kind, order_id = orders.kind_of(int(order_type)), self.id_parameter("orderId")
        if kind is None or not kind.sees(self.actor, order_id):
            raise Missing()
        return Response(shown.of_order(self.actor, int(order_type), order_id))

    @extend_schema(request=HandleInput, responses=Handled)
    @action(detail=False, methods=["post"], url_path="handle")
    def handle(self, request: Request) -> Response:
        """Reserve, issue, take back, refuse, cancel or finish."""
        return Response(life.handle(self.actor, parameters(request)))
