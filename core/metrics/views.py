"""Calls of the figures: totals, inspection, maintenance, and repair by month or day."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.kernel.errors import Invalid
from core.kernel.texts import label
from core.metrics import asked, bad_actors, home, inspection, kpi, repairs, totals, upkeep
from core.metrics.serializers import (
    BadActors,
    Cumulative,
    Home,
    InspectionOverview,
    KpiRecord,
    KpiReport,
    MaintenanceOverview,
    NextYear,
    RepairReport,
)
from core.rest.menus import EVERYTHING, SEE, MenuEntry, ShippedRole, held_by, together
from core.rest.pagination import page_at_hand
from core.rest.sheets import XLSX
from core.rest.tables import in_asked_order, workbook
from core.rest.viewsets import SIGNED_IN, BaseViewSet
from core.system import periods, releases
from core.system.release_views import NewestRelease

_PAGE = [OpenApiParameter(name, int) for name in ("current", "size")]
_DEPT = OpenApiParameter("deptId", str)
_PERIOD = [
    OpenApiParameter("range", str, enum=asked.RANGES), OpenApiParameter("startDate", str),
    OpenApiParameter("endDate", str), _DEPT,
]  # fmt: skip


class HomeMetricViewSet(BaseViewSet):
    """Figures of what the caller sees, as the data scopes of tasks and orders say; assets are those of the company."""

    menu = MenuEntry(
        "desk", "/wel/dashboard", "report", label("控制台", "Dashboard"), code="homemetric", place=-1,
        roles=together(
            held_by(
                (
                    ShippedRole.EQUIP_MANAGER, ShippedRole.WORKSHOP_HEAD, ShippedRole.SHIFT_LEADER,
                    ShippedRole.REPAIR_LEADER, ShippedRole.VIEWER,
                ),
                SEE,
            ),
            {ShippedRole.TENANT_ADMIN: EVERYTHING},
        ),
    )  # fmt: skip
    codes = {
        **dict.fromkeys(
            ("cumulative_data", "inspection_overview", "maintenance_overview", "repair_report"), "homemetric_view"
        ),
        # Everybody has a first page; what it shows is what each of its lists would show.
        "first_page": SIGNED_IN,
        "version": SIGNED_IN,
    }

    @extend_schema(responses=Home)
    @action(detail=False, methods=["get"], url_path="home")
    def first_page(self, request: Request) -> Response:
        """Answer what matters to the caller now: what can be done, what runs out, what went wrong since yesterday."""
        return Response(Home(home.of(self.actor)).data)

    @extend_schema(responses=NewestRelease)
    @action(detail=False, methods=["get"], url_path="getVersion")
    def version(self, request: Request) -> Response:
        """Answer the newest release of the product, and whether the caller has still to read about it."""
        found = releases.newest(self.actor)
        return Response(NewestRelease(found).data if found else {})

    @extend_schema(parameters=[_DEPT], responses=Cumulative)
    @action(detail=False, methods=["get"], url_path="cumulativeData")
    def cumulative_data(self, request: Request) -> Response:
        """Answer what there is and was done since the beginning."""
        return Response(Cumulative(totals.cumulative(self.actor, asked.read(self._given(), "today"))).data)

    @extend_schema(parameters=_PERIOD, responses=InspectionOverview)
    @action(detail=False, methods=["get"], url_path="inspectionOverviewData")
    def inspection_overview(self, request: Request) -> Response:
        """Answer the figures of inspection tasks of a period, today where none is named."""
        return Response(InspectionOverview(inspection.overview(self.actor, asked.read(self._given(), "today"))).data)

    @extend_schema(parameters=_PERIOD, responses=MaintenanceOverview)
    @action(detail=False, methods=["get"], url_path="equipmentMaintenanceOverview")
    def maintenance_overview(self, request: Request) -> Response:
        """Answer the figures of maintenance orders of a period, the reporting month where none is named."""
        return Response(MaintenanceOverview(upkeep.overview(self.actor, asked.read(self._given(), "reportMonth"))).data)

    @extend_schema(
        parameters=[
            OpenApiParameter("year", str), OpenApiParameter("groupBy", str, enum=["month", "day"]),
            OpenApiParameter("month", str), _DEPT,
        ],
        responses=RepairReport,
    )  # fmt: skip
    @action(detail=False, methods=["get"], url_path="repairWorkloadReport")
    def repair_report(self, request: Request) -> Response:
        """Answer the work orders of a year by reporting month, or of one of its months by day."""
        given = self._given()
        year, month = periods.month_of(periods.today())
        year = _number(given, "year", 2000, 2100) or year
        by = given.get("groupBy") or "month"
        if by not in ("month", "day"):
            raise _wrong("groupBy")
        rows = repairs.months(year) if by == "month" else repairs.days(year, _number(given, "month", 1, 12) or month)
        departments = asked.read({"deptId": given.get("deptId", "")}, "today").departments
        return Response(RepairReport(repairs.report(self.actor, year, rows, departments)).data)

    def _given(self) -> Mapping[str, str]:
        found: Mapping[str, Any] = self.request.query_params.dict()
        return found


_KPI = [
    *(OpenApiParameter(name, str) for name in ("year", "month", "startDate", "endDate", "deptId", "typeId", "keyword")),
    OpenApiParameter("groupBy", str, enum=kpi.GROUPS),
]  # fmt: skip
_ORDER = [OpenApiParameter(name, str) for name in ("ascs", "descs")]


class KpiViewSet(BaseViewSet):
    """KPIs of the assets of the caller's departments, and the records behind each figure."""

    menu = MenuEntry(
        "desk", "/wel/kpi", "report", label("设备绩效", "Asset KPIs"), code="kpi", place=0,
        roles=together(
            held_by(
                (
                    ShippedRole.EQUIP_MANAGER, ShippedRole.WORKSHOP_HEAD, ShippedRole.SHIFT_LEADER,
                    ShippedRole.REPAIR_LEADER, ShippedRole.VIEWER,
                ),
                {"view", "export"},
            ),
            {ShippedRole.TENANT_ADMIN: EVERYTHING},
        ),
    )  # fmt: skip
    codes = {**dict.fromkeys(("report", "records", "bad_actors", "next_year"), "kpi_view"), "export": "kpi_export"}
    pages = frozenset({"records"})

    @extend_schema(parameters=[*_KPI, *_ORDER, *_PAGE], responses=KpiReport)
    @action(detail=False, methods=["get"], url_path="report")
    def report(self, request: Request) -> Response:
        """Answer the KPIs of a reporting month, or of some days, by asset, type, department or reporting month."""
        given = request.query_params.dict()
        found = kpi.report(self.actor, given)
        shown = kpi.columns(found.by)
        return Response(
            KpiReport(
                {
                    **page_at_hand(in_asked_order(found.rows, given, shown), given),
                    "from": str(found.period.first),
                    "to": str(found.period.last),
                    "asOf": found.as_of,
                    "frozenOn": str(found.frozen_on) if found.frozen_on is not None else None,
                    "columns": [one.wire() for one in shown],
                    "summary": found.summary,
                }
            ).data
        )

    @extend_schema(parameters=[*_KPI, *_ORDER], responses={(200, XLSX): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="export")
    def export(self, request: Request) -> HttpResponse:
        """Answer the report as a workbook, with all rows in the order that is asked for."""
        given = request.query_params.dict()
        found = kpi.report(self.actor, given)
        shown = kpi.columns(found.by)
        title = f"{self.menu.name if self.menu else ''} {found.period.first}~{found.period.last}"
        return workbook(title, shown, in_asked_order(found.rows, given, shown), found.summary)

    @extend_schema(
        parameters=[
            *_KPI, *_PAGE, OpenApiParameter("figure", str, required=True, enum=kpi.FIGURES),
            OpenApiParameter("key", str),
        ],
        responses=KpiRecord(many=True),
    )  # fmt: skip
    @action(detail=False, methods=["get"], url_path="records")
    def records(self, request: Request) -> Response:
        """Answer the records behind a figure of a row, or of the sum where no row is named."""
        page = kpi.records(self.actor, request.query_params.dict())
        return Response({**page, "records": KpiRecord(page["records"], many=True).data})

    @extend_schema(
        parameters=[
            *_KPI[:-1],
            OpenApiParameter("machineId", str),
            OpenApiParameter("rank", str, enum=bad_actors.RANKS),
        ],
        responses=BadActors,
    )
    @action(detail=False, methods=["get"], url_path="badActors")
    def bad_actors(self, request: Request) -> Response:
        """Answer the worst assets of twelve reporting months up to what is asked for, and what came back."""
        return Response(BadActors(bad_actors.answer(self.actor, request.query_params.dict())).data)

    @extend_schema(parameters=[OpenApiParameter("machineId", str, required=True)], responses=NextYear)
    @action(detail=False, methods=["get"], url_path="nextYear")
    def next_year(self, request: Request) -> Response:
        """Answer what an asset may cost in the next twelve months, by its history."""
        return Response(NextYear(bad_actors.next_year(self.actor, self.id_parameter("machineId"))).data)


def _wrong(name: str) -> Invalid:
    return Invalid({name: _("请求参数格式错误: {name}").format(name=name)})


def _number(given: Mapping[str, str], name: str, least: int, most: int) -> int | None:
    """Return a number of the parameters; None where it is missing. Raises Invalid for any other value."""
    text = given.get(name, "")
    if not text:
        return None
    if not re.fullmatch("[0-9]{1,4}", text, re.ASCII) or not least <= int(text) <= most:
        raise _wrong(name)
    return int(text)
