"""Calls of the reports on repair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.equipment.models import Machine
from core.kernel.errors import Invalid, Missing, NotAllowed
from core.maintenance.reports import columns, workload
from core.maintenance.reports.serializers import GroupWork, MachineHistory, PersonTime
from core.rest.pagination import page_at_hand
from core.rest.sheets import XLSX
from core.rest.tables import Column, in_asked_order, workbook
from core.rest.viewsets import BaseViewSet
from core.system import periods
from core.system.periods import Period

_PERIOD = [OpenApiParameter(name, str) for name in ("year", "month", "startDate", "endDate")]
_ORDER = [OpenApiParameter(name, str) for name in ("ascs", "descs")]
_GROUP_BY = OpenApiParameter("groupBy", str, enum=workload.GROUPS)
_Asked = tuple[Sequence[Column], Period, list[dict[str, Any]], dict[str, Any]]
_PEOPLE = [OpenApiParameter(name, str) for name in ("deptId", "teamId", "keyword")]


class RepairReportViewSet(BaseViewSet):
    """Sums over the repair orders that the caller sees."""

    codes = {
        "user_times": "repairorder_workload",
        "group_work": "repairorder_workload",
        "user_times_export": "repairorder_export",
        "group_work_export": "repairorder_export",
        "machine_history": "repairorder_view",
    }
    pages = frozenset({"user_times", "group_work"})

    @extend_schema(parameters=[*_PERIOD, *_PEOPLE, *_ORDER], responses=PersonTime(many=True))
    @action(detail=False, methods=["get"], url_path="repairUserTimePage")
    def user_times(self, request: Request) -> Response:
        """Time per person in a period, with the sums of all of them and the columns of the report."""
        return self._page(*self._people())

    @extend_schema(parameters=[*_PERIOD, *_PEOPLE, *_ORDER], responses={(200, XLSX): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="repairUserTimeExport")
    def user_times_export(self, request: Request) -> HttpResponse:
        """Time per person as a workbook, with all rows in the order that is asked for."""
        return self._file(_("维修工时"), *self._people())

    @extend_schema(parameters=[*_PERIOD, _GROUP_BY, *_ORDER], responses=GroupWork(many=True))
    @action(detail=False, methods=["get"], url_path="repairWorkloadPage")
    def group_work(self, request: Request) -> Response:
        """Work per group in a period; the summary counts each order once."""
        return self._page(*self._groups())

    @extend_schema(parameters=[*_PERIOD, _GROUP_BY, *_ORDER], responses={(200, XLSX): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="repairWorkloadExport")
    def group_work_export(self, request: Request) -> HttpResponse:
        """Work per group as a workbook, with all rows in the order that is asked for."""
        return self._file(_("维修工作量"), *self._groups())

    def _people(self) -> _Asked:
        given = self.request.query_params.dict()
        period = periods.asked(given)
        return columns.PEOPLE, period, *workload.people_times(self.actor, period, given)

    def _groups(self) -> _Asked:
        given = self.request.query_params.dict()
        by = given.get("groupBy") or "user"
        if by not in workload.GROUPS:
            raise Invalid({"groupBy": _("请求参数格式错误: {name}").format(name="groupBy")})
        period = periods.asked(given)
        return columns.groups(by), period, *workload.groups(self.actor, period, by)

    def _page(
        self, shown: Sequence[Column], period: Period, rows: list[dict[str, Any]], summary: dict[str, Any]
    ) -> Response:
        given = self.request.query_params.dict()
        page = page_at_hand(in_asked_order(rows, given, shown), given)
        head = {"from": str(period.first), "to": str(period.last), "columns": [one.wire() for one in shown]}
        return Response({**page, "summary": summary, **head})

    def _file(
        self, title: str, shown: Sequence[Column], period: Period, rows: list[dict[str, Any]], summary: dict[str, Any]
    ) -> HttpResponse:
        if not self.actor.may("repairorder_workload"):
            raise NotAllowed()
        ordered = in_asked_order(rows, self.request.query_params.dict(), shown)
        return workbook(f"{title} {period.first}~{period.last}", shown, ordered, summary)

    @extend_schema(parameters=[OpenApiParameter("machineId", str, required=True), *_PERIOD], responses=MachineHistory)
    @action(detail=False, methods=["get"], url_path="machineHistory")
    def machine_history(self, request: Request) -> Response:
        """What happened to a machine and its components; the last year where no period is named."""
        machine = Machine.objects.filter(pk=self.id_parameter("machineId")).first()
        if machine is None:
            raise Missing()
        given = request.query_params.dict()
        return Response(workload.machine_history(self.actor, machine, periods.asked(given, days=365)))
