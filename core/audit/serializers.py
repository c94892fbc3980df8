"""Serializers of the three logs, with the field names of the Blade family."""

from __future__ import annotations

from rest_framework import serializers

from core.audit.models import CallLog, ErrorLog, Event
from core.kernel.texts import label
from core.rest.serializers import NameField, NounSerializer


class UsualLogSerializer(NounSerializer):
    """An audit event."""

    createTime = serializers.DateTimeField(source="time", read_only=True, label=label("时间", "Time"))
    createBy = serializers.CharField(source="user_name", read_only=True, label=label("操作人", "User"))
    remoteIp = serializers.CharField(source="ip", read_only=True, label=label("IP地址", "IP address"))
    changes = serializers.CharField(source="changes_text", read_only=True, label=label("修改内容", "Changes"))

    class Meta:
        model = Event
        fields = (
            "id", "createTime", "operation", "createBy", "client", "remoteIp", "business_type", "business_id",
            "outcome", "remark", "changes", "request_id",
        )  # fmt: skip
        read_only_fields = ("operation", "client", "business_type", "business_id", "outcome", "remark", "request_id")


_REQUEST = ("id", "create_time", "method", "request_uri", "create_by", "remote_ip", "request_id")


class CallLogSerializer(NounSerializer):
    """A call, without its parameters."""

    class Meta:
        model = CallLog
        fields: tuple[str, ...] = (*_REQUEST, "title", "status", "milliseconds")
        read_only_fields = fields


class CallLogDetail(NounSerializer):
    """A call with its parameters."""

    class Meta:
        model = CallLog
        fields = (*CallLogSerializer.Meta.fields, "user_agent", "params")
        read_only_fields = fields


class ErrorLogSerializer(NounSerializer):
    """An error, without its stack."""

    originName = NameField(source="get_origin_display")

    class Meta:
        model = ErrorLog
        fields: tuple[str, ...] = (*_REQUEST, "origin", "originName", "exception_name", "message")
        read_only_fields = fields


class ErrorLogDetail(ErrorLogSerializer):
    """An error with its stack."""

    class Meta:
        model = ErrorLog
        fields = (*ErrorLogSerializer.Meta.fields, "user_agent", "stack_trace", "file_name", "line_number")
        read_only_fields = fields
