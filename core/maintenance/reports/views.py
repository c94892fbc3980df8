"""Calls of the reports on repair."""

from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.equipment.models import Machine
from core.kernel.errors import Invalid, Missing
from core.maintenance.reports import workload
from core.maintenance.reports.serializers import GroupWork, MachineHistory, PersonTime
from core.rest.pagination import page_at_hand
from core.rest.viewsets import BaseViewSet
from core.system import periods

_PERIOD = [OpenApiParameter(name, str) for name in ("year", "month", "startDate", "endDate")]
_PEOPLE = [OpenApiParameter(name, str) for name in ("deptId", "teamId", "keyword")]


class RepairReportViewSet(BaseViewSet):
    """Sums over the repair orders that the caller sees."""

    codes = {
        "user_times": "repairorder_workload",
        "group_work": "repairorder_workload",
        "machine_history": "repairorder_view",
    }
    pages = frozenset({"user_times", "group_work"})

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
