"""What people send of a task: a point with its values, and the reasons of what is done to a task."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from core.kernel.texts import label
from core.rest.serializers import AmountField, IdField, MomentField, SpeakingSerializer
from core.rounds.models import Finding
from core.storage.serializers import ImagesField
from core.system import required
from core.system.required import Asked, FieldKind, Scene
from core.system.written import Written

MOST_ITEMS = 2000
MOST_IMAGES, MOST_ITEM_IMAGES = 9, 6
"""Photos of a point, and of an item."""
ABNORMAL_IMAGES, ABNORMAL_REMARK = "abnormalImages", "abnormalRemark"
"""What companies may ask for of each abnormal item; the walk shows both at the item."""
LEAST_REASON = 4


class RecordInput(SpeakingSerializer):
    """What was entered for an item; `result` says not applicable, or what a text or a photo shows."""

    itemId = serializers.CharField(label=label("检查项标识", "Item id"), max_length=16)
    value = serializers.CharField(
        label=label("值", "Value"), max_length=500, required=False, allow_blank=True, default=""
    )
    result = serializers.ChoiceField(
        label=label("结果", "Result"), choices=Finding.choices, required=False, allow_null=True, default=None
    )
    images = ImagesField(
        label=label("照片", "Photos"), at_most=MOST_ITEM_IMAGES, column="rounds.InspectOrderRecord.images",
        required=False, default=list,
    )  # fmt: skip
    remark = serializers.CharField(
        label=label("备注", "Remark"), max_length=255, required=False, allow_blank=True, default=""
    )


class SkipInput(SpeakingSerializer):
    """Why a point is left out."""

    reason = serializers.CharField(
        label=label("跳过原因", "Reason for skipping"), max_length=200, required=False, allow_blank=True, default=""
    )

    def validate_reason(self, value: str) -> str:
        """A few words at least."""
        if len(value.strip()) < LEAST_REASON:
            raise serializers.ValidationError(_("请填写跳过原因（至少4个字）"))
        return value.strip()


class NoScanInput(SpeakingSerializer):
    """Why a point is checked although its plate cannot be scanned."""

    reason = serializers.CharField(
        label=label("未扫码原因", "Why not scanned"), max_length=200, required=False, allow_blank=True, default=""
    )

    def validate_reason(self, value: str) -> str:
        """A few words at least."""
        if len(value.strip()) < LEAST_REASON:
            raise serializers.ValidationError(_("请填写未扫码原因（至少4个字）"))
        return value.strip()


class PointInput(SpeakingSerializer):
    """A point that was checked, or is left out.

    `clientId` is made by whoever submits, one for each submission, so that it may be sent again; `clientTime` is when
    the point was checked and `sentTime` what the same clock shows when it is sent. `scanCode` is the token or the code
    of a plate, what its QR code says, or the UID of its NFC tag; `noScan` stands in for it where the plate is damaged.
    """

    id = IdField(label=label("任务点位", "Point of a task"))
    clientId = serializers.RegexField(r"^[0-9A-Za-z-]{8,36}$", label=label("提交标识", "Id of the submission"))
    clientTime = MomentField(label=label("检查时间", "Checked at"))
    sentTime = MomentField(label=label("发送时间", "Sent at"), required=False, allow_null=True, default=None)
    startTime = MomentField(label=label("到位时间", "Arrived at"), required=False, allow_null=True, default=None)
    scanCode = serializers.CharField(
        label=label("扫码内容", "Scanned code"), max_length=500, required=False, allow_blank=True, default=""
    )
    scanTime = MomentField(label=label("扫码时间", "Scanned at"), required=False, allow_null=True, default=None)
    noScan = NoScanInput(required=False, allow_null=True, default=None, label=label("手动确认", "Confirmed by hand"))
    lng = AmountField(
        label=label("经度", "Longitude"), max_digits=10, decimal_places=6, min_value=-180, max_value=180,
        required=False, allow_null=True, default=None,
    )  # fmt: skip
    lat = AmountField(
        label=label("纬度", "Latitude"), max_digits=10, decimal_places=6, min_value=-90, max_value=90,
        required=False, allow_null=True, default=None,
    )  # fmt: skip
    images = ImagesField(
        label=label("照片", "Photos"), at_most=MOST_IMAGES, column="rounds.InspectOrderDetail.images", required=False,
        default=list,
    )  # fmt: skip
    remark = serializers.CharField(
        label=label("备注", "Remark"), max_length=255, required=False, allow_blank=True, default=""
    )
    records = RecordInput(many=True, required=False, default=list, label=label("检查结果", "Results"))
    skip = SkipInput(required=False, allow_null=True, default=None, label=label("跳过", "Skip"))

    def validate_records(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Each item once."""
        ids = [one["itemId"] for one in value]
        if len(ids) != len(set(ids)) or len(ids) > MOST_ITEMS:
            raise serializers.ValidationError(_("请求参数格式错误"))
        return value


class ReasonInput(SpeakingSerializer):
    """A task, and why something is done to it."""

    id = IdField(label=label("点检任务", "Inspection task"))
    reason = serializers.CharField(label=label("原因", "Reason"), max_length=200)


class ReviewInput(SpeakingSerializer):
    """What whoever leads a route says of a task afterwards."""

    id = IdField(label=label("点检任务", "Inspection task"))
    missReason = serializers.CharField(
        label=label("漏检原因", "Reason for the miss"), max_length=200, required=False, allow_blank=True
    )
    checkRemark = serializers.CharField(
        label=label("审核意见", "Review"), max_length=200, required=False, allow_blank=True
    )


class TaskChosenInput(SpeakingSerializer):
    """A task."""

    id = IdField(label=label("点检任务", "Inspection task"))


class TaskStartInput(Written, TaskChosenInput):
    """A task, and when it was begun: a phone without a network says so later."""


class NoteInput(SpeakingSerializer):
    """What may still be added to a result: pictures and a remark."""

    id = IdField(label=label("检查结果", "Result"))
    images = ImagesField(
        label=label("照片", "Photos"),
        at_most=MOST_ITEM_IMAGES,
        column="rounds.InspectOrderRecord.images",
        required=False,
    )
    remark = serializers.CharField(label=label("备注", "Remark"), max_length=255, required=False, allow_blank=True)


def register_scene() -> None:
    """Register what companies may ask for of a point that is checked; of an abnormal item a photo, as shipped."""
    required.register(
        Scene.INSPECTION,
        Asked(
            ABNORMAL_IMAGES, label("异常项照片", "Photos of an abnormal item"), FieldKind.PICTURES, required=True,
            least=1, most=MOST_ITEM_IMAGES,
        ),
        Asked(ABNORMAL_REMARK, label("异常项备注", "Remark on an abnormal item")),
        Asked("images", label("点位照片", "Photos of the point"), FieldKind.PICTURES, most=MOST_IMAGES),
        Asked("remark", label("点位备注", "Remark on the point")),
    )  # fmt: skip
