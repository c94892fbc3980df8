"""Serializers of the three logs and of the checks of the seals, with the field names of the Blade family."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.audit.models import CallLog, ErrorLog, Event, SealCheck
from core.audit.seals import BrokenSeal
from core.kernel.ids import moment_of
from core.kernel.texts import label, moment
from core.rest.serializers import IdField, NameField, NounSerializer


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


def made(number: int | None) -> str:
    """Return when an id was made, as people read times; empty where there is none."""
    return moment(moment_of(number)) if number else ""


class SealFaultSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """A seal that does not hold."""

    number = serializers.IntegerField(help_text="Of the batch.")
    what = serializers.CharField(help_text="What is wrong, in a sentence.")
    fromTime = serializers.CharField(help_text="The entries of the batch are later than this; empty for the first.")
    toTime = serializers.CharField(help_text="When the last of them was made; empty where the batch is missing.")
    sealedTime = serializers.CharField()


def fault_told(kept: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored fault in the caller's language."""
    fault = BrokenSeal.of(kept)
    return {
        "number": fault.number,
        "what": fault.what(),
        "fromTime": made(fault.after_id),
        "toTime": made(fault.to_id),
        "sealedTime": moment(fault.time),
    }


class SealCheckSerializer(serializers.ModelSerializer):  # type: ignore[type-arg]
    """A check of all seals, without the places that it has found."""

    id = IdField(read_only=True)
    stateName = NameField(source="get_state_display")
    userName = serializers.CharField(source="user_name", read_only=True, help_text="Empty for the daily check.")
    beginTime = serializers.DateTimeField(source="begin_time", read_only=True)
    endTime = serializers.DateTimeField(source="end_time", read_only=True, allow_null=True)
    total = serializers.IntegerField(source="target", read_only=True, help_text="Batches that there were.")
    seals = serializers.IntegerField(read_only=True, help_text="Batches that were looked at.")
    rows = serializers.IntegerField(read_only=True, help_text="Entries of these.")
    fromTime = serializers.SerializerMethodField(help_text="When the first of them was made.")
    toTime = serializers.SerializerMethodField(help_text="When the last of them was made.")
    waiting = serializers.IntegerField(source="unsealed", read_only=True, help_text="Entries not sealed at the end.")
    faultCount = serializers.IntegerField(source="fault_count", read_only=True)

    class Meta:
        model = SealCheck
        fields: tuple[str, ...] = (
            "id", "state", "stateName", "userName", "beginTime", "endTime", "total", "seals", "rows", "fromTime",
            "toTime", "waiting", "faultCount",
        )  # fmt: skip
        read_only_fields = fields

    def get_fromTime(self, check: SealCheck) -> str:
        """Return it as people read times."""
        return made(check.from_id)

    def get_toTime(self, check: SealCheck) -> str:
        """Return it as people read times."""
        return made(check.to_id)


class SealCheckDetail(SealCheckSerializer):
    """A check with the first places at which the seals do not hold."""

    faults = serializers.SerializerMethodField()

    class Meta:
        model = SealCheck
        fields = (*SealCheckSerializer.Meta.fields, "faults")
        read_only_fields = fields

    @extend_schema_field(SealFaultSerializer(many=True))
    def get_faults(self, check: SealCheck) -> list[dict[str, Any]]:
        """Return them in the caller's language."""
        return [fault_told(kept) for kept in check.faults]


class SealStateSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """Says what is sealed, and how it was checked."""

    seals = serializers.IntegerField(help_text="Batches.")
    sealedTime = serializers.CharField(help_text="When the newest was sealed; empty without one.")
    toTime = serializers.CharField(help_text="When the last sealed entry was made.")
    waiting = serializers.IntegerField(help_text="Entries that are not sealed yet; no more than 10,000 are counted.")
    nextTime = serializers.CharField(help_text="When the next check begins by itself; empty while one is open.")
    last = SealCheckDetail(allow_null=True, help_text="The last check that ended.")
    running = SealCheckSerializer(allow_null=True, help_text="The one that is open.")
