"""Calls of maintenance orders and their items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core import ports
from core.blade.parsers import parameters
from core.cases import commands
from core.cases.serializers import context_of
from core.cases.views import CaseCalls, body_of_update
from core.preventive import operations, outlook
from core.preventive.ahead import MaintainConfigs
from core.preventive.case import MAINTAIN
from core.preventive.inputs import MaintainSaveInput, MaintainSubmitInput
from core.preventive.menus import MENU, SCOPES
from core.preventive.models import STOPS, MaintainLine, MaintainOrder, MaintainOrderDetail
from core.preventive.queries import FILTERS, ORDERS, visible
from core.preventive.serializers import (
    MaintainItemSerializer,
    MaintainItemStored,
    MaintainOrderDetailSerializer,
    MaintainOrderSerializer,
    MaintainSubmitted,
    Saved,
    repairs_of,
)
from core.rest.filters import ID, Filter
from core.rest.sheets import Export
from core.rest.viewsets import NounViewSet, RemoveBy
from core.spares import shown as requests
from core.spares.models import OrderType
from core.system import periods


@extend_schema_view(update=extend_schema(request=body_of_update(MAINTAIN), responses=Saved))
class MaintainOrderViewSet(MaintainConfigs, Export, RemoveBy, CaseCalls, NounViewSet):
    """Maintenance orders within the caller's data scope, and those in which the caller takes part."""

    noun = "maintainorder"
    case, key, plain = MAINTAIN, "id", "edit"
    menu = MENU
    shipped_scopes = SCOPES
    scope_columns = ORDERS.scope
    queryset = MaintainOrder.objects.all()
    serializer_class = MaintainOrderSerializer
    detail_serializer_class = MaintainOrderDetailSerializer
    codes = {
        "update": "maintainorder_view",
        "submit_work": "maintainorder_view",
        "get_maintain_config": "maintainorder_view",
    }
    order = ("-create_time", "-id")
    filters = FILTERS
    removal = operations.remove

    def get_queryset(self) -> QuerySet[MaintainOrder]:
        """What the person sees, with the names that every row shows; `mine=1` are those that wait for or are theirs."""
        names = ["machine", "dept", "team", "config", "executor"]
        if self.action == "show":
            names += ["check_user", "version"]
        rows = visible(self.actor).select_related(*names)
        if self.action == "show":
            lines = MaintainLine.objects.select_related("user").order_by("start_time", "id")
            details = MaintainOrderDetail.objects.select_related("user").order_by("sort", "id")
            rows = rows.prefetch_related(Prefetch("lines", lines), Prefetch("details", details))
        if self.request.query_params.get("mine") == "1":
            part = ports.processes.parts_of(self.actor, MAINTAIN.name)
            rows = rows.filter(Q(executor_id=self.actor.user_id) | Q(pk__in=part))
        return rows

    def filtered(self) -> QuerySet[MaintainOrder]:
        """With `year` and `month` the orders that were due at first in that reporting month."""
        rows = super().filtered()
        if self.request.query_params.get("year") or self.request.query_params.get("month"):
            period = periods.asked_month(self.request.query_params)
            rows = rows.filter(original_due_date__gte=period.first, original_due_date__lte=period.last)
        return rows

    def show(self, request: Request) -> Response:
        """An order as a document: facts, items, lines, history, what waits, what the caller may do."""
        order = self.row(self.id_parameter())
        context = context_of(MAINTAIN, self.actor, order)
        found = {int(pk) for pk in order.repair_order_ids}
        context.update(
            spares=requests.of_order(self.actor, OrderType.MAINTENANCE, order.pk),
            stops=STOPS.of([order.pk]),
            names=ports.people.names(set(order.user_ids)) if order.user_ids else {},
            items={order.pk: order.items()},
            repairs=ports.repairs.states(found) if found else {},
        )
        return Response(MaintainOrderDetailSerializer(order, context=context).data)

    @extend_schema(request=MaintainSaveInput, responses=Saved)
    def save(self, request: Request) -> Response:
        """Make an order by hand."""
        return Response(operations.save(self.actor, parameters(request)))

    @extend_schema(request=MaintainSubmitInput, responses=MaintainSubmitted)
    @action(detail=False, methods=["post"], url_path="maintainSubmit")
    def submit_work(self, request: Request) -> Response:
        """Submit the work; with `draft` it is kept as far as it is written, and not checked for being complete."""
        body = parameters(request)
        raw = {name: value for name, value in body.items() if name != "draft"}
        is_draft = str(body.get("draft") or "").lower() in ("1", "true")
        order_id, version = self.id_parameter(), self.version_parameter()
        if is_draft:
            answer = operations.keep(self.actor, order_id, version, raw)
        else:
            answer = commands.by_record(MAINTAIN, self.actor, order_id, version, "submit", raw)
        order = MaintainOrder.objects.select_related("config", "machine").get(pk=int(answer["id"]))
        found = {int(pk) for pk in order.repair_order_ids}
        states: Mapping[int, ports.RepairState] = ports.repairs.states(found) if found else {}
        return Response({**answer, **outlook.after(order), "repairOrders": repairs_of(order, states)})


class MaintainItemViewSet(RemoveBy, NounViewSet):
    """Items of the orders that the caller sees."""

    queryset = MaintainOrderDetail.objects.select_related("user", "order__version")
    serializer_class = MaintainItemSerializer
    codes = {
        "list": "maintainorder_view",
        "show": "maintainorder_view",
        "submit": "maintainorder_view",
        "remove": "maintainorder_view",
    }
    order = ("sort", "id")
    filters = {"orderId": Filter("order_id", ID), "result": Filter("result", ID)}
    removal = operations.remove_items

    def get_queryset(self) -> QuerySet[MaintainOrderDetail]:
        """Items of visible orders."""
        return super().get_queryset().filter(order__in=visible(self.actor).order_by().values("pk"))

    def page_context(self, ids: Sequence[int]) -> dict[str, Any]:
        """With the work orders that were made of the page's items."""
        made = MaintainOrderDetail.objects.filter(pk__in=ids, repair_order_id__isnull=False)
        found = set(made.values_list("repair_order_id", flat=True))
        return {**super().page_context(ids), "repairs": dict(ports.repairs.states(found)) if found else {}}

    @extend_schema(responses=MaintainItemStored)
    def submit(self, request: Request) -> Response:
        """Add an own item, or change what came of an item."""
        body = parameters(request)
        item_id = self.id_parameter() if str(body.get("id") or "") else None
        there = self.row(item_id) if item_id is not None else None
        serializer = MaintainItemSerializer(there, data=body, partial=there is not None)
        serializer.is_valid(raise_exception=True)
        values = dict(serializer.validated_data)
        values.pop("lock_version", None)
        return Response(operations.write_item(self.actor, item_id, values.pop("order_id", None), values))
