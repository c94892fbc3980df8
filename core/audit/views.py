"""The three logs: what people did, what was called, what went wrong."""

from __future__ import annotations

from core.audit.models import CallLog, ErrorLog, Event
from core.audit.serializers import (
    CallLogDetail,
    CallLogSerializer,
    ErrorLogDetail,
    ErrorLogSerializer,
    UsualLogSerializer,
)
from core.kernel.filters import CODE, MOMENT, TEXT, Filter, filters_of
from core.kernel.sheets import Export
from core.kernel.viewsets import NounViewSet


class UsualLogViewSet(Export, NounViewSet):
    """Acts: the one event row that each of them leaves."""

    noun = "log_usual"
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
    by_tenant = True
    queryset = CallLog.objects.all()
    serializer_class = CallLogSerializer
    detail_serializer_class = CallLogDetail
    filters = filters_of(CallLog, "request_uri", "create_by", "status", "method", "request_id")


class ErrorLogViewSet(Export, NounViewSet):
    """Errors of the server and of consoles."""

    noun = "log_error"
    by_tenant = True
    queryset = ErrorLog.objects.all()
    serializer_class = ErrorLogSerializer
    detail_serializer_class = ErrorLogDetail
    filters = filters_of(ErrorLog, "origin", "exception_name", "message", "create_by", "request_id")
