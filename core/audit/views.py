"""Calls of the three logs: audit events, API calls, errors."""

from __future__ import annotations

from core.audit.models import CallLog, ErrorLog, Event
from core.audit.serializers import (
    CallLogDetail,
    CallLogSerializer,
    ErrorLogDetail,
    ErrorLogSerializer,
    UsualLogSerializer,
)
from core.kernel.texts import label
from core.rest.filters import CODE, MOMENT, TEXT, Filter, filters_of
from core.rest.menus import EVERYTHING, MenuEntry, ShippedRole
from core.rest.sheets import Export
from core.rest.viewsets import NounViewSet


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
