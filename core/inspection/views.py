"""Calls of check standards, routes and points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import models
from django.db.models import Count, F, Min, OuterRef, Prefetch, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core import ports
from core.blade.parsers import parameters
from core.equipment.queries import filters_by_machine
from core.inspection import completion, point_use, upkeep_fields
from core.inspection.cycles import CycleAnchor, Trigger
from core.inspection.items import Items, copied, with_items
from core.inspection.models import (
    CheckStandard,
    ConfigType,
    MaintenancePlan,
    PlannedPart,
    PointStandard,
    Route,
    RoutePoint,
    StandardVersion,
)
from core.inspection.serializers import (
    ArrangeInput,
    Completion,
    CopyFrom,
    People,
    PointLine,
    PointRules,
    RouteOption,
    RouteRules,
    StandardCodes,
    StandardCopyInput,
    StandardRules,
    Standards,
    StandardVersionDetail,
    StandardVersionLine,
    StandardWithRows,
    arrange,
    in_reach,
    new_standard,
)
from core.inspection.upkeep_fields import MACHINES, PARTS, CycleText
from core.kernel.audit_entry import AuditEntry
from core.kernel.errors import Invalid, Missing, NotAllowed, Stale
from core.kernel.ids import is_id
from core.kernel.operation import perform
from core.kernel.texts import label
from core.rest.filters import CODE, ID, Filter, apply_filters, filters_of, with_word
from core.rest.menus import EVERYTHING, KEEP, PLANT, SEE, MenuEntry, ShippedRole, held_by, kept_by, together
from core.rest.scopes import Scope
from core.rest.shapes import Computed, noun_serializer
from core.rest.sheets import Export, Import
from core.rest.viewsets import SIGNED_IN, NounViewSet, Remove, SaveAndUpdate, Stored, Submit

_MOST_OPTIONS = 500
_MOST_VERSIONS = 200
_READERS = (
    ShippedRole.SHIFT_LEADER, ShippedRole.INSPECTOR, ShippedRole.REPAIR_LEADER, ShippedRole.REPAIRER,
    ShippedRole.OPERATOR, ShippedRole.VIEWER,
)  # fmt: skip
_KEPT = together(
    held_by(_READERS, SEE),
    held_by((ShippedRole.EQUIP_MANAGER, ShippedRole.WORKSHOP_HEAD), KEEP),
    {ShippedRole.TENANT_ADMIN: EVERYTHING},
)
_SCOPES = {
    Scope.ALL: (
        ShippedRole.EQUIP_MANAGER, ShippedRole.INSPECTOR, ShippedRole.REPAIR_LEADER, ShippedRole.REPAIRER,
        ShippedRole.VIEWER,
    ),
    Scope.DEPARTMENT_TREE: (ShippedRole.WORKSHOP_HEAD,),
    Scope.DEPARTMENT: (ShippedRole.SHIFT_LEADER, ShippedRole.OPERATOR),
}  # fmt: skip
"""Inspectors and technicians walk routes of every department; who keeps routes does so for the own one and below."""


def _sum_of(rows: QuerySet[Any], by: str, what: Any) -> Any:
    """Return a number that is added up over other rows, 0 where there are none."""
    added = rows.filter(**{by: OuterRef("pk")}).order_by().values(by).annotate(n=what).values("n")
    return Coalesce(Subquery(added, output_field=models.IntegerField()), 0)


_IN_USE = RoutePoint.objects.filter(is_sealed=False)
_STANDARDS_IN_USE = PointStandard.objects.filter(point__is_deleted=False, point__is_sealed=False)


_PLANNED = MaintenancePlan.objects.filter(paused=False)
_STANDARD = (
    "config_type", "config_code", "config_name", "type", "version_no", "item_count", "need_check", "need_sign",
    "is_sealed", "remark",
    # Of maintenance alone.
    "level", "trigger_type", "cycle_value", "cycle_unit", "run_interval", CycleText(), "anchor", "lead_days",
    "lead_hours", "tolerance_percent", "est_minutes", "people_count", "need_stop", "team",
    People("user_ids", "userIds", "userNames"), "tools", "safety",
    Computed(
        "machine_count", label("设备数", "Assets"),
        _sum_of(MaintenancePlan.objects.all(), "config", Count("pk")), models.IntegerField(),
    ),
    Computed(
        "next_due", label("最近到期日", "Next due"),
        Subquery(_PLANNED.filter(config=OuterRef("pk")).order_by().values("config").annotate(
            n=Min("next_due_date")).values("n")),
        models.DateField(null=True),
    ),
    Computed(
        "hours_left", label("距到期读数", "Meter left"),
        Subquery(_PLANNED.filter(config=OuterRef("pk")).order_by().values("config").annotate(
            n=Min(F("next_due_hours") - F("machine__run_hours"))).values("n")),
        models.DecimalField(max_digits=12, decimal_places=1, null=True),
    ),
)  # fmt: skip
_WHOLE = with_items(CheckStandard, (*_STANDARD, Items(label("检查项", "Check items")), MACHINES, PARTS), StandardRules)


class StandardDetailSerializer(StandardWithRows, _WHOLE):  # type: ignore[valid-type,misc]
    """A standard with its items, and of maintenance its assets and planned parts."""


class StandardViewSet(SaveAndUpdate, Remove, NounViewSet):
    """Check and maintenance standards: seen by the tenant, kept by the equipment manager. `detail` has the items."""

    noun = "inspectconfig"
    menu = MenuEntry(
        "inspect", "/inspect/config", "standard", label("点检标准", "Check standards"), place=3,
        roles=kept_by(ShippedRole.EQUIP_MANAGER),
    )  # fmt: skip
    more_menus = (
        MenuEntry(
            "maintain", "/maintain/config", "standard", label("保养标准", "Maintenance standards"), "maintainstandard",
            place=3, roles=held_by(PLANT, ()),
        ),
    )  # fmt: skip
    queryset = CheckStandard.objects.annotate(
        meter_unit=Subquery(
            MaintenancePlan.objects.filter(config=OuterRef("pk")).order_by().values("config").annotate(
                n=Min("machine__meter_unit")).values("n")
        )
    )  # fmt: skip
    rules = StandardRules
    fields = _STANDARD
    detail_serializer_class = input_serializer_class = StandardDetailSerializer
    select_filters = ("configType",)
    codes = {"copy": "inspectconfig_add", "versions": "inspectconfig_view", "version": "inspectconfig_view"}
    order = ("config_code",)
    sample = {
        "items": [{"itemName": "油位"}], "configType": ConfigType.MAINTENANCE, "triggerType": Trigger.FIRST,
        "anchor": CycleAnchor.COMPLETION, "machines": [], "parts": [],
    }  # fmt: skip
    filters = {
        **filters_of(
            CheckStandard, "config_type", "config_name", "config_code", "type", "need_check", "need_sign", "is_sealed",
            "item_count", "version_no", "level", "trigger_type", "team", "need_stop",
        ),
        "machineId": Filter(kind=ID, apply=lambda rows, text: _of_machine(rows, text)),
        "keyword": with_word("config_name", "config_code"),
    }  # fmt: skip

    @extend_schema(request=StandardCopyInput, responses=Stored)
    @action(detail=False, methods=["post"], url_path="copy")
    def copy(self, request: Request) -> Response:
        """Copy a standard with items and parts under another code and name; answer the id of the copy.

        The assets are not copied: nothing is planned twice.
        """
        body = parameters(request)
        entry = AuditEntry("inspectconfig.copy", self.actor, business_type=self.noun)

        def change() -> dict[str, str]:
            asked = StandardCopyInput(data=body)
            asked.is_valid(raise_exception=True)
            source = self.row(asked.validated_data["id"])
            named = {name: body.get(name) for name in ("configCode", "configName")}
            columns = ("config_type", "type_id", "need_check", "need_sign", "remark", *upkeep_fields.COLUMNS)
            kept = {name: getattr(source, name) for name in columns}
            checked = self.get_serializer(data={**named, "configType": source.config_type, **_cycle_of(source)})
            checked.is_valid(raise_exception=True)
            named = {name: checked.validated_data[name] for name in ("config_code", "config_name")}
            made = new_standard(CheckStandard(**kept | named, items=copied(source.items)))
            PlannedPart.objects.bulk_create(
                PlannedPart(config=made, spare_id=one.spare_id, qty=one.qty)
                for one in source.parts.filter(is_deleted=False)
            )
            entry.business_id, entry.remark = made.pk, str(made)[:500]
            return {"id": str(made.pk)}

        return Response(perform(entry, body, change))

    @extend_schema(parameters=[OpenApiParameter("id", str, required=True)], responses=StandardVersionLine(many=True))
    @action(detail=False, methods=["get"], url_path="versions")
    def versions(self, request: Request) -> Response:
        """Answer the versions of a standard, newest first."""
        rows = StandardVersion.objects.filter(standard=self.row(self.id_parameter())).defer("items")
        found = list(rows.order_by("-version_no")[:_MOST_VERSIONS])
        people = ports.people.names({one.create_user for one in found if one.create_user})
        return Response(StandardVersionLine(found, many=True, context={"people": people}).data)

    @extend_schema(
        parameters=[OpenApiParameter("id", str, required=True), OpenApiParameter("versionNo", int, required=True)],
        responses=StandardVersionDetail,
    )
    @action(detail=False, methods=["get"], url_path="version")
    def version(self, request: Request) -> Response:
        """Answer one version of a standard with its items."""
        rows = StandardVersion.objects.filter(standard=self.row(self.id_parameter()))
        number = self.id_parameter("versionNo")
        found = rows.filter(version_no=number).first() if number < 2**31 else None
        if found is None:
            raise Missing()
        people = ports.people.names({found.create_user} if found.create_user else set())
        return Response(StandardVersionDetail(found, context={**self.get_serializer_context(), "people": people}).data)

    def perform_destroy(self, row: Any) -> None:
        """Remove a standard with its plan rows and parts."""
        for rows in (MACHINES, PARTS):
            rows.remove(row)
        super().perform_destroy(row)


def _cycle_of(source: CheckStandard) -> dict[str, Any]:
    """Return what a new maintenance standard has to say of its cycle, as it is sent."""
    if source.trigger_type is None:
        return {}
    names = {"triggerType": "trigger_type", "cycleValue": "cycle_value", "cycleUnit": "cycle_unit"}
    found = {wire: getattr(source, name) for wire, name in names.items()}
    return {**found, "runInterval": str(source.run_interval) if source.run_interval is not None else None}


def _of_machine(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Standards by which an asset is maintained."""
    if not is_id(text):
        return rows.none()
    return rows.filter(pk__in=MaintenancePlan.objects.filter(machine=int(text)).values("config"))


class RouteViewSet(Export, Import, Submit, Remove, NounViewSet):
    """Inspection routes: kept by the equipment manager, and by heads of workshops for their own."""

    noun = "inspectgroup"
    menu = MenuEntry("inspect", "/inspect/group", "route", label("点检路线", "Routes"), place=1, roles=_KEPT)
    queryset = Route.objects.all()
    rules = RouteRules
    fields = (
        "group_code", "group_name", "group_type", "dept", "leader", People("user_ids", "userIds", "userNames"),
        "order_mode", "need_scan", "est_minutes", "allow_supplement",
        Computed(
            "point_count", label("点位数", "Points"), _sum_of(_IN_USE, "group", Count("pk")), models.IntegerField()
        ),
        Computed(
            "item_count", label("检查项数", "Items"),
            _sum_of(_IN_USE, "group", Sum("own_count"))
            + _sum_of(_STANDARDS_IN_USE, "point__group", Sum("config__item_count")),
            models.IntegerField(),
        ),
        Completion(), "sort", "is_sealed", "remark", CopyFrom(),
    )  # fmt: skip
    shipped_scopes = _SCOPES
    scope_columns = {"user": "leader_id", "dept": "dept_id"}
    codes = {"get_list": SIGNED_IN}
    select_filters = ("deptId", "groupType")
    order = ("sort", "group_code")
    filters = {
        **filters_of(
            Route, "group_code", "group_name", "group_type", "dept", "leader", "order_mode", "need_scan",
            "est_minutes", "allow_supplement", "is_sealed",
        ),
        "keyword": with_word("group_name", "group_code"),
    }  # fmt: skip

    def page_context(self, ids: Sequence[int]) -> dict[str, Any]:
        """Return the names of the people of the routes of a page, and how much of their tasks was done."""
        people = {pk for named in Route.objects.filter(pk__in=ids).values_list("user_ids", flat=True) for pk in named}
        return {
            "people": dict.fromkeys(people, "") | dict(ports.people.names(people)),
            "completion": completion.rates_of(ids),
        }

    def sheet_fields(self) -> dict[str, Any]:
        """Return what a sheet can fill: points are copied in the form alone."""
        return {name: field for name, field in super().sheet_fields().items() if name != "copyFrom"}

    def validate_delete(self, row: Any) -> None:
        """Raise NotAllowed where the route is of a department that is not the caller's to keep."""
        _check_reach(self, Route.objects.filter(pk=row.pk))

    @extend_schema(
        parameters=[
            OpenApiParameter("deptId", str), OpenApiParameter("groupType", int), OpenApiParameter("keyword", str),
        ],
        responses=RouteOption(many=True),
    )  # fmt: skip
    @action(detail=False, methods=["get"], url_path="getList")
    def get_list(self, request: Request) -> Response:
        """Routes in use to choose from, at most 500, in their order."""
        asked = {name: self.filters[name] for name in ("deptId", "groupType", "keyword")}
        rows = apply_filters(self.get_queryset().filter(is_sealed=False), asked, request.query_params.dict())
        return Response(RouteOption(rows.order_by(*self.order)[:_MOST_OPTIONS], many=True).data)


def _check_reach(view: Any, rows: QuerySet[Any]) -> None:
    if not in_reach(view, rows):
        raise NotAllowed()


class PointViewSet(Export, Import, SaveAndUpdate, Remove, NounViewSet):
    """Points of routes: kept by whoever keeps the route."""

    noun = "inspectpoint"
    menu = MenuEntry("inspect", "/inspect/point", "point", label("点检点位", "Points"), place=2, roles=_KEPT)
    queryset = RoutePoint.objects.prefetch_related(
        Prefetch("standards", PointStandard.objects.select_related("config").defer("config__items"))
    )
    rules = PointRules
    fields = (
        "group", "point_code", "point_name", "machine", "sort", "location", "scan_mode", "lng", "lat", "radius",
        Standards(),
        Computed(
            "item_count", label("检查项数", "Items"),
            F("own_count") + _sum_of(PointStandard.objects.all(), "point", Sum("config__item_count")),
            models.IntegerField(),
        ),
        "photo_required", "min_seconds", "stop_check", "is_sealed", "remark",
    )  # fmt: skip
    detail_serializer_class = input_serializer_class = with_items(
        RoutePoint, (*fields, Items(label("自有检查项", "Own items"), least=0)), PointRules
    )
    sheet_serializer_class = noun_serializer(RoutePoint, (*fields, StandardCodes()), PointRules)
    """Sheets name the standards by their codes; own items are written in the form."""
    sheet_key = "point_code"
    shipped_scopes = _SCOPES
    scope_columns = {"user": "group__leader_id", "dept": "group__dept_id"}
    codes = {"get_list": "inspectpoint_view", "sort_points": "inspectpoint_edit"}
    arrays = frozenset({"get_list"})
    order = ("group__sort", "group__group_code", "sort", "point_code")
    sample = {"items": [{"itemName": "油位"}], "radius": 0}
    filters = {
        **filters_by_machine("machine"),
        **filters_of(
            RoutePoint, "group", "point_code", "point_name", "scan_mode", "photo_required", "stop_check", "is_sealed",
        ),
        "deptId": Filter("group__dept_id", ID),
        "machineCode": Filter("machine__machine_code", CODE),
        "configId": Filter(kind=ID, apply=lambda rows, text: _with_standard(rows, text)),
        "keyword": with_word("point_name", "point_code", "machine__machine_name", "machine__machine_code"),
    }  # fmt: skip

    def validate_delete(self, row: Any) -> None:
        """Raise NotAllowed where its route is not the caller's to keep, Conflict where an open task has it."""
        _check_reach(self, RoutePoint.objects.filter(pk=row.pk))
        point_use.refuse_if_open(row)

    def get_serializer_class(self) -> Any:
        """Return the serializer of the action; that of sheets is another one."""
        if self.action in ("export", "import_rows", "import_template"):
            return self.sheet_serializer_class
        return super().get_serializer_class()

    def _of_route(self, group_id: int) -> QuerySet[Any]:
        return self.get_queryset().filter(group=group_id).order_by("sort", "point_code", "pk")

    @extend_schema(parameters=[OpenApiParameter("groupId", str, required=True)], responses=PointLine(many=True))
    @action(detail=False, methods=["get"], url_path="getList")
    def get_list(self, request: Request) -> Response:
        """Answer the points of a route in their order, each with all its check items."""
        if not request.query_params.get("groupId", "").strip():
            raise Invalid({"groupId": _("请选择巡检路线")})
        rows = self._of_route(self.id_parameter("groupId")).select_related("machine")
        whole = rows.prefetch_related(None).prefetch_related(
            Prefetch("standards", PointStandard.objects.select_related("config"))
        )
        return Response(PointLine(whole, many=True, context=self.get_serializer_context()).data)

    @extend_schema(request=ArrangeInput, responses=None)
    @action(detail=False, methods=["post"], url_path="sort")
    def sort_points(self, request: Request) -> Response:
        """Put the points of a route into the order of `ids`, which names each of them once."""
        body = parameters(request)
        asked = ArrangeInput(data=body)
        asked.is_valid(raise_exception=True)
        group_id, ids = asked.validated_data["groupId"], asked.validated_data["ids"]
        entry = AuditEntry("inspectpoint.sort", self.actor, business_type="inspectgroup")

        def change() -> None:
            # Whoever adds a point to the route meanwhile waits, and comes last.
            route = Route.objects.select_for_update().filter(pk=group_id).first()
            points = list(self._of_route(group_id).prefetch_related(None)) if route is not None else []
            if route is None or not points:
                raise Missing()
            _check_reach(self, RoutePoint.objects.filter(pk=points[0].pk))
            if {point.pk for point in points} != set(ids):
                raise Stale()
            entry.business_id, entry.remark = route.pk, str(route)[:500]
            entry.nothing_happened = arrange(points, ids) == 0

        perform(entry, [str(group_id), ids], change)
        return Response(None)


def _with_standard(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Points at which a standard is checked."""
    if not is_id(text):
        return rows.none()
    return rows.filter(pk__in=PointStandard.objects.filter(config=int(text)).values("point"))
