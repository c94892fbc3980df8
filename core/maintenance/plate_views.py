"""Reports of faults by people without an account, who scan the plate of an asset, where the company lets them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.equipment.models import Machine, NodeType, RunState, Tag, TagType
from core.equipment.plates import tenant_of
from core.equipment.tags import for_class
from core.identity import addresses
from core.identity.models import Tenant
from core.kernel.actor import Actor, acting, system
from core.kernel.errors import Invalid, Missing
from core.kernel.tenancy import tenant_scope
from core.maintenance import dispatching, operations
from core.maintenance.inputs import PlateReportInput
from core.rest.viewsets import PUBLIC, BaseViewSet
from core.storage import files
from core.storage.kinds import PLACES
from core.system import parameters as settings_of

LOOKS_A_MINUTE, REPORTS_A_MINUTE = 30, 5
"""Of one address."""
MOST_PICTURES = 3
"""With a report; together with the rest of it they are as large as a call without an account may be."""
_CLIENT = "scan"


class PlateSymptom(serializers.Serializer):  # type: ignore[type-arg]
    """A symptom to choose."""

    id = serializers.CharField(source="pk")
    name = serializers.CharField(source="__str__")


class PlateOfMachine(serializers.Serializer):  # type: ignore[type-arg]
    """What a plate tells somebody without an account. Where they may not report, it tells no more than that."""

    isAllowed = serializers.BooleanField()
    tenantName = serializers.CharField()
    machineName = serializers.CharField()
    machineCode = serializers.CharField()
    location = serializers.CharField()
    symptoms = PlateSymptom(many=True)


class PlateReported(serializers.Serializer):  # type: ignore[type-arg]
    """The number by which somebody may ask after the report."""

    orderNo = serializers.CharField()


class OpenReport(serializers.Serializer):  # type: ignore[type-arg]
    """A report that is open already, as somebody without an account is told of it."""

    statusName = serializers.CharField()
    reportTime = serializers.DateTimeField()


class PlateQuestion(serializers.Serializer):  # type: ignore[type-arg]
    """The answer to a report that was not stored; sent again with `force` it is."""

    needConfirm = serializers.BooleanField()
    orders = OpenReport(many=True)


_CLOSED = {
    "isAllowed": False, "tenantName": "", "machineName": "", "machineCode": "", "location": "", "symptoms": [],
}  # fmt: skip
_ANSWER = PolymorphicProxySerializer(
    "ReportedByPlate", [PlateReported, PlateQuestion], resource_type_field_name=None, many=False
)


class PlateReportViewSet(BaseViewSet):
    """A plate and a report of its asset, without an account.

    A plate that is unknown, sealed or bound to nothing looks like one of a company that takes no such reports.
    """

    codes = {"plate": PUBLIC, "report": PUBLIC}

    def get_authenticators(self) -> list[Any]:
        """Nobody is asked who they are; an old session that a browser still sends is not looked at."""
        return []

    @contextmanager
    def _plate(self, token: str) -> Iterator[tuple[Actor, Tenant, Tag] | None]:
        """Enter the scope of the company whose plate this is, and yield the plate where a report is allowed."""
        tenant = Tenant.objects.filter(tenant_id=tenant_of(token)).first() if tenant_of(token) else None
        if tenant is None or not tenant.is_open:
            yield None
            return
        actor = system(tenant.tenant_id)
        with tenant_scope(tenant.tenant_id), acting(actor):
            rows = Tag.objects.filter(token=token, type=TagType.MACHINE_PLATE, is_sealed=False, machine__isnull=False)
            tag = rows.select_related("machine__type").first() if settings_of.repair().anonymous_enabled else None
            yield (actor, tenant, tag) if tag is not None and _takes_reports(tag.machine) else None

    @extend_schema(parameters=[OpenApiParameter("token", str, required=True)], responses=PlateOfMachine)
    @action(detail=False, methods=["get"], url_path="plate")
    def plate(self, request: Request) -> Response:
        """Answer which asset the plate is of, where somebody without an account may report it."""
        addresses.limit(request, "plate", LOOKS_A_MINUTE)
        with self._plate(self.parameter("token")) as found:
            if found is None:
                return Response(_CLOSED)
            _actor, tenant, tag = found
            machine: Any = tag.machine
            symptoms = Tag.objects.filter(type=TagType.SYMPTOM, is_sealed=False).order_by("sort", "tag_name", "id")
            told = {
                "isAllowed": True,
                "tenantName": str(tenant),
                "machineName": machine.machine_name,
                "machineCode": machine.machine_code,
                "location": machine.location,
                "symptoms": for_class(symptoms, machine.type.path if machine.type else ""),
            }
            return Response(PlateOfMachine(told).data)

    @extend_schema(
        parameters=[OpenApiParameter("token", str, required=True)],
        request={"application/json": PlateReportInput, "multipart/form-data": PlateReportInput},
        responses=_ANSWER,
    )
    @action(detail=False, methods=["post"], url_path="report")
    def report(self, request: Request) -> Response:
        """Report a fault of the asset whose plate was scanned; the reporter says name and phone.

        A form brings along up to three pictures as `images`. They are stored with the report or not at all, and nobody
        without an account gets a link to one.
        """
        addresses.limit(request, "plateReport", REPORTS_A_MINUTE)
        body = {name: value for name, value in parameters(request).items() if name not in ("token", "images")}
        pictures = self._pictures(request)
        with self._plate(self.parameter("token")) as found:
            if found is None:
                raise Missing()
            actor, _tenant, tag = found
            answer = operations.report_by_plate(_caller(actor, request), tag.pk, body, pictures)
            if answer.get("needConfirm"):
                shown = PlateQuestion({"needConfirm": True, "orders": answer["orders"]})
                return Response(shown.data)
            dispatching.after(answer)
            return Response({"orderNo": answer["orderNo"]})

    def _pictures(self, request: Request) -> list[files.Looked]:
        """Return the pictures of a report, looked at outside of a transaction and only where the plate takes one."""
        sent = request.FILES.getlist("images")
        if not sent:
            return []
        if len(sent) > MOST_PICTURES:
            raise Invalid({"images": _("最多上传{n}张图片").format(n=MOST_PICTURES)})
        with self._plate(self.parameter("token")) as found:
            if found is None:
                raise Missing()
        try:
            return [files.look(one.read(), one.name or "", PLACES["picture"]) for one in sent]
        except Invalid as wrong:
            raise Invalid({"images": wrong.text}) from None


def _takes_reports(machine: Machine | None) -> bool:
    if machine is None or machine.is_sealed or machine.is_deleted:
        return False
    return machine.node_type >= NodeType.MACHINE and machine.run_state != RunState.SCRAPPED


def _caller(actor: Actor, request: Request) -> Actor:
    """The system, which acts for whoever asks: the log says from which address."""
    return replace(
        actor, client=_CLIENT, ip=request.META.get("REMOTE_ADDR", ""), request_id=getattr(request, "request_id", "")
    )
