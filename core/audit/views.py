"""Calls of the three logs: audit events with the checks of their seals, API calls, errors."""

from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.audit import verifying
from core.audit.models import OPEN_STATES, CallLog, ErrorLog, Event, Seal, SealCheck
from core.audit.serializers import (
    CallLogDetail,
    CallLogSerializer,
    ErrorLogDetail,
    ErrorLogSerializer,
    SealCheckDetail,
    SealCheckSerializer,
    SealStateSerializer,
    UsualLogSerializer,
    made,
)
from core.kernel.errors import Invalid
from core.kernel.texts import label, moment
from core.rest.filters import CODE, MOMENT, TEXT, Filter, filters_of
from core.rest.menus import EVERYTHING, STANDARD_BUTTONS, Button, MenuEntry, Place, ShippedRole
from core.rest.sheets import Export
from core.rest.viewsets import NounViewSet, Stored

_COUNTED = 10_000
"""Waiting entries that are counted, at most."""


class UsualLogViewSet(Export, NounViewSet):
    """The audit log: one event for each operation."""

    noun = "log_usual"
    menu = MenuEntry(
        "log", "/monitor/log/usual", "log", label("通用日志", "Audit log"), place=1,
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING},
    )  # fmt: skip
    by_tenant = True
    queryset = Event.objects.all()
    serializer_class = UsualLogSerializer
    order = ("-id",)
    filters = {
        "operation": Filter("operation", TEXT),
        "createBy": Filter("user_name", TEXT),
        "businessType": Filter("business_type", CODE),
        "requestId": Filter("request_id", CODE),
        "createTime": Filter("time", MOMENT),
    }


class CallLogViewSet(Export, NounViewSet):
    """Calls that changed something or were refused."""

    noun = "log_api"
    menu = MenuEntry(
        "log", "/monitor/log/api", "log", label("接口日志", "API log"), place=2,
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING},
    )  # fmt: skip
    by_tenant = True
    queryset = CallLog.objects.all()
    serializer_class = CallLogSerializer
    detail_serializer_class = CallLogDetail
    filters = filters_of(CallLog, "request_uri", "create_by", "status", "method", "request_id")


class ErrorLogViewSet(Export, NounViewSet):
    """Errors of the server and of consoles."""

    noun = "log_error"
    menu = MenuEntry(
        "log", "/monitor/log/error", "log", label("错误日志", "Error log"), place=3,
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING},
    )  # fmt: skip
    by_tenant = True
    queryset = ErrorLog.objects.all()
    serializer_class = ErrorLogSerializer
    detail_serializer_class = ErrorLogDetail
    filters = filters_of(ErrorLog, "origin", "exception_name", "message", "create_by", "request_id")


class SealCheckViewSet(NounViewSet):
    """Checks of the audit log: whether it still is what was sealed."""

    menu = MenuEntry(
        "log", "/monitor/log/seal", "seal", label("完整性校验", "Integrity checks"), code=verifying.BUSINESS, place=4,
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING},
        buttons={
            "view": STANDARD_BUTTONS["view"],
            "start": Button(label("立即校验", "Verify now"), Place.TOOLBAR),
        },
    )  # fmt: skip
    by_tenant = True
    codes = dict.fromkeys(("list", "show", "state"), verifying.VIEW) | {"start": verifying.START}
    queryset = SealCheck.objects.all()
    serializer_class = SealCheckSerializer
    detail_serializer_class = SealCheckDetail
    order = ("-begin_time", "-id")
    filters = filters_of(SealCheck, "state", "begin_time")

    @extend_schema(responses=SealStateSerializer)
    @action(detail=False, methods=["get"], url_path="state")
    def state(self, request: Request) -> Response:
        """Answer up to where the log is sealed, and what the last check found."""
        newest = Seal.objects.order_by("-number").first() or Seal(number=0, to_id=0)
        checks = SealCheck.objects.order_by("-begin_time", "-id")
        last = checks.exclude(state__in=OPEN_STATES).first()
        running = checks.filter(state__in=OPEN_STATES).first()
        return Response(
            {
                "seals": newest.number,
                "sealedTime": moment(newest.time),
                "toTime": made(newest.to_id),
                "waiting": Event.objects.filter(pk__gt=newest.to_id)[:_COUNTED].count(),
                "nextTime": "" if running else moment(verifying.next_time()),
                "last": SealCheckDetail(last).data if last else None,
                "running": SealCheckSerializer(running).data if running else None,
            }
        )

    @extend_schema(
        parameters=[OpenApiParameter("log", str, required=True, enum=["usual"], description="The log that is sealed.")],
        request=None,
        responses=Stored,
    )
    @action(detail=False, methods=["post"], url_path="start")
    def start(self, request: Request) -> Response:
        """Let a check begin now; answer its id, or that of the one that is open already."""
        if self.parameter("log") != "usual":
            raise Invalid({"log": _("请求参数格式错误: {name}").format(name="log")})
        return Response(verifying.start(self.actor))
