"""What a request for leave and each act on it must carry."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from core.desk.leave.models import LeaveType, days_between
from core.identity.models import User
from core.kernel.serializers import IdField, ReferenceField, SpeakingSerializer
from core.kernel.texts import label
from core.storage.serializers import ImagesField

MAX_DAYS = 365
MAX_ATTACHMENTS = 5


class DraftInput(SpeakingSerializer):
    """A request that is being written: each field may still be missing."""

    type = serializers.ChoiceField(
        label=label("请假类型", "Type"), choices=LeaveType.choices, required=False, allow_null=True
    )
    startTime = serializers.DateTimeField(label=label("开始时间", "From"), required=False, allow_null=True)
    endTime = serializers.DateTimeField(label=label("结束时间", "To"), required=False, allow_null=True)
    reason = serializers.CharField(
        label=label("请假事由", "Reason"), max_length=500, required=False, allow_blank=True, allow_null=True
    )
    taskUser = ReferenceField(model=User, label=label("审批人", "Approver"), required=False, allow_null=True)
    attachments = ImagesField(required=False, at_most=MAX_ATTACHMENTS)


class LeaveInput(DraftInput):
    """A request. The days are counted here; a client that sends its own count is told when it is wrong."""

    type = serializers.ChoiceField(label=label("请假类型", "Type"), choices=LeaveType.choices)
    startTime = serializers.DateTimeField(label=label("开始时间", "From"))
    endTime = serializers.DateTimeField(label=label("结束时间", "To"))
    reason = serializers.CharField(label=label("请假事由", "Reason"), max_length=500)
    days = serializers.DecimalField(
        label=label("请假天数", "Days"), max_digits=5, decimal_places=1, required=False, allow_null=True
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """End after start, not too long, the count right."""
        if attrs["endTime"] <= attrs["startTime"]:
            raise serializers.ValidationError({"endTime": _("结束时间必须晚于开始时间")})
        days = days_between(attrs["startTime"], attrs["endTime"])
        if days > MAX_DAYS:
            raise serializers.ValidationError({"endTime": _("请假不能超过{n}天").format(n=MAX_DAYS)})
        if attrs.get("days") not in (None, days):
            raise serializers.ValidationError({"days": _("请假天数应为{n}天").format(n=f"{days:f}".removesuffix(".0"))})
        return {**attrs, "days": days}


class LeaveStartInput(LeaveInput):
    """A request to begin with; the version of the model is the one that the page was opened for."""

    processDefinitionId = IdField(required=False, allow_null=True)


class ResubmitInput(LeaveInput):
    """A rejected request again: what is not sent stays."""

    def get_fields(self) -> dict[str, Any]:
        """Nothing has to be sent."""
        fields = super().get_fields()
        for field in fields.values():
            field.required = False
        return fields

    def to_internal_value(self, data: Any) -> Any:
        """The record's own values for what is not sent."""
        leave = self.context["record"]
        kept = {
            "type": leave.type,
            "startTime": leave.start_time,
            "endTime": leave.end_time,
            "reason": leave.reason,
            "taskUser": leave.task_user_id,
            "attachments": ImagesField().to_representation(leave.attachments),
        }
        return super().to_internal_value({**kept, **data})


class ApproveInput(SpeakingSerializer):
    """Agreed, with or without words."""

    comment = serializers.CharField(
        label=label("审批意见", "Comment"), max_length=500, required=False, allow_blank=True, default=""
    )


class RejectInput(SpeakingSerializer):
    """Why not."""

    comment = serializers.CharField(label=label("驳回原因", "Reason"), max_length=500)


class WithdrawInput(SpeakingSerializer):
    """Given up, with or without a reason."""

    comment = serializers.CharField(
        label=label("撤回原因", "Reason"),
        max_length=500,
        required=False,
        allow_blank=True,
        default="",
    )
