"""What each action on a repair order must carry, with the specification's sentences."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from core.equipment.models import Machine, NodeType, Tag, TagType
from core.kernel import clock
from core.kernel.serializers import FlagField, IdField, IdListField, SpeakingSerializer
from core.kernel.texts import label, moment
from core.maintenance.models import CancelReason, CheckResult, HangReason, RepairOrder, RepairType, Urgency
from core.storage.serializers import FilesField, ImagesField, VoiceField

MIN_DESCRIPTION = 4
MOST_COST = 99_999_999


def check_tags(ids: list[int], kind: TagType) -> list[int]:
    """The ids, when all are unsealed words of the kind; raises ValidationError otherwise."""
    if ids and Tag.objects.filter(pk__in=ids, type=kind, is_sealed=False).count() != len(ids):
        raise serializers.ValidationError(_("数据不存在或已被删除"))
    return ids


def check_promise(order: RepairOrder | None, promised: Any) -> None:
    """A promise lies ahead, unless it is the one that stands; raises ValidationError otherwise."""
    if promised and promised <= clock.now() and (order is None or promised != order.plan_finish_time):
        raise serializers.ValidationError({"planFinishTime": _("计划完成时间必须晚于当前时间")})


class _Description(SpeakingSerializer):
    """Shared by report and edit."""

    description = serializers.CharField(label=label("故障描述", "Description"), max_length=1000)

    def validate_description(self, value: str) -> str:
        """At least four characters say something."""
        if len(value.strip()) < MIN_DESCRIPTION:
            raise serializers.ValidationError(_("请描述故障现象（至少4个字）"))
        return value.strip()


class SaveInput(_Description):
    """A fault report."""

    machineId = IdField(label=label("设备", "Machine"))
    title = serializers.CharField(label=label("标题", "Title"), max_length=80, required=False, allow_blank=True)
    urgency = serializers.ChoiceField(
        label=label("紧急程度", "Urgency"), choices=Urgency.choices, default=Urgency.NORMAL
    )
    repairType = serializers.ChoiceField(
        label=label("维修类别", "Repair type"), choices=RepairType.choices, required=False, allow_null=True
    )
    isStop = FlagField(default=False)
    stopStart = serializers.DateTimeField(label=label("停机时间", "Stopped since"), required=False, allow_null=True)
    faultTagIds = IdListField(required=False, max_ids=20)
    images = ImagesField(required=False)
    voice = VoiceField(label=label("语音", "Voice"), required=False)
    files = FilesField(label=label("附件", "Files"), required=False)
    force = FlagField(default=False)

    def validate_stopStart(self, value: Any) -> Any:
        """A stop lies in the past."""
        if value is not None and value > clock.now():
            raise serializers.ValidationError(_("停机时间不能晚于当前时间"))
        return value

    def validate_faultTagIds(self, value: list[int]) -> list[int]:
        """Words for symptoms."""
        return check_tags(value, TagType.SYMPTOM)


class EditInput(_Description):
    """What may change without an action."""

    description = serializers.CharField(label=label("故障描述", "Description"), max_length=1000, required=False)
    images = ImagesField(required=False)
    urgency = serializers.ChoiceField(label=label("紧急程度", "Urgency"), choices=Urgency.choices, required=False)
    planFinishTime = serializers.DateTimeField(label=label("计划完成时间", "Promised"), required=False, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A promise lies ahead."""
        check_promise(self.context["record"], attrs.get("planFinishTime"))
        return attrs


class NothingInput(SpeakingSerializer):
    """An action that carries nothing."""


class DispatchInput(SpeakingSerializer):
    """A person, or a team."""

    repairUserId = IdField(label=label("维修人员", "Repairer"), required=False, allow_null=True)
    teamId = IdField(label=label("维修班组", "Repair team"), required=False, allow_null=True)
    helperIds = IdListField(label=label("协助人员", "Helpers"), required=False, max_ids=10)
    planFinishTime = serializers.DateTimeField(label=label("计划完成时间", "Promised"), required=False, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """One of the two, and a promise in the future."""
        if not attrs.get("repairUserId") and not attrs.get("teamId"):
            raise serializers.ValidationError({"repairUserId": _("请选择维修人员")})
        check_promise(self.context["record"], attrs.get("planFinishTime"))
        return attrs


class RefuseInput(SpeakingSerializer):
    """Why not."""

    reason = serializers.CharField(label=label("拒单原因", "Reason"), max_length=500)


class TransferInput(SpeakingSerializer):
    """To whom and why."""

    repairUserId = IdField(label=label("维修人员", "Repairer"))
    reason = serializers.CharField(label=label("转派原因", "Reason"), max_length=500)


class HangInput(SpeakingSerializer):
    """What the work waits for."""

    hangReason = serializers.ChoiceField(label=label("挂起原因", "Reason for the hold"), choices=HangReason.choices)
    remark = serializers.CharField(label=label("说明", "Remark"), max_length=500)


def _cost(zh: str, en: str) -> serializers.DecimalField:
    return serializers.DecimalField(
        label=label(zh, en), max_digits=14, decimal_places=2, min_value=0, max_value=MOST_COST, required=False
    )


class FinishInput(SpeakingSerializer):
    """What was wrong and what was done."""

    solution = serializers.CharField(
        label=label("维修措施", "Solution"), max_length=1000, error_messages={"blank": "", "required": ""}
    )
    causeTagId = IdField(label=label("故障原因", "Cause"))
    actionTagIds = IdListField(label=label("处理措施", "Actions taken"))
    stopEnd = serializers.DateTimeField(label=label("恢复时间", "Running again"), required=False, allow_null=True)
    afterImages = ImagesField(required=False)
    partMachineId = IdField(label=label("故障部件", "Component"), required=False, allow_null=True)
    isOutsource = FlagField(default=False)
    vendorName = serializers.CharField(
        label=label("外协单位", "Vendor"), max_length=80, required=False, allow_blank=True, default=""
    )
    outsourceCost = _cost("外协费用", "Vendor's cost")
    otherCost = _cost("其他费用", "Other cost")

    def get_fields(self) -> dict[str, Any]:
        """The specification words this one in its own way."""
        fields = super().get_fields()
        text = _("请填写维修措施")
        fields["solution"].error_messages.update(required=text, blank=text, null=text)
        return fields

    def validate_causeTagId(self, value: int) -> int:
        """A word for a cause."""
        return check_tags([value], TagType.CAUSE)[0]

    def validate_actionTagIds(self, value: list[int]) -> list[int]:
        """Words for actions, at least one."""
        if not value:
            raise serializers.ValidationError(_("请选择{field}").format(field=_("处理措施")))
        return check_tags(value, TagType.ACTION)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The end of a stop, and the photos that the fixed rule asks for."""
        order: RepairOrder = self.context["record"]
        self._check_part(order, attrs.get("partMachineId"))
        if attrs["isOutsource"] and not attrs["vendorName"]:
            raise serializers.ValidationError({"vendorName": _("请输入{field}").format(field=_("外协单位"))})
        if not attrs["isOutsource"]:
            attrs.update(vendorName="", outsourceCost=0)
        if order.standing:
            end = attrs.get("stopEnd")
            if end is None:
                raise serializers.ValidationError({"stopEnd": _("请选择{field}").format(field=_("恢复时间"))})
            if order.stop_start is not None and end <= order.stop_start:
                raise serializers.ValidationError({"stopEnd": _("结束时间必须晚于开始时间")})
            if end > clock.now():
                raise serializers.ValidationError({"stopEnd": _("恢复时间不能晚于当前时间")})
        needs_photo = order.is_stop or order.urgency == Urgency.CRITICAL
        if needs_photo and not attrs.get("afterImages") and not order.after_images:
            raise serializers.ValidationError({"afterImages": _("停机或特急的维修需要上传完工照片")})
        return attrs

    def _check_part(self, order: RepairOrder, part_id: int | None) -> None:
        """A component of the order's machine."""
        parts = Machine.objects.filter(pk=part_id, node_type=NodeType.COMPONENT, path__startswith=order.machine.path)
        if part_id is not None and not parts.exists():
            raise serializers.ValidationError({"partMachineId": _("数据不存在或已被删除")})


class CheckInput(SpeakingSerializer):
    """The verdict."""

    checkResult = serializers.ChoiceField(label=label("验收结果", "Verdict"), choices=CheckResult.choices)
    checkScore = serializers.IntegerField(
        label=label("评分", "Score"), min_value=1, max_value=5, required=False, allow_null=True
    )
    checkRemark = serializers.CharField(
        label=label("验收意见", "Remark"), max_length=500, required=False, allow_blank=True, default=""
    )

    stopStart = serializers.DateTimeField(
        label=label("再次停机时间", "Stopped again since"), required=False, allow_null=True
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A failing verdict says why, and may name a stop that has begun since the last one ended."""
        if attrs["checkResult"] == CheckResult.PASS:
            attrs.pop("stopStart", None)
            return attrs
        if not attrs["checkRemark"].strip():
            raise serializers.ValidationError({"checkRemark": _("请填写不通过原因")})
        order: RepairOrder = self.context["record"]
        again = attrs.get("stopStart")
        if again is not None and again > clock.now():
            raise serializers.ValidationError({"stopStart": _("停机时间不能晚于当前时间")})
        earliest = order.stop_end or order.report_time.replace(second=0, microsecond=0)
        if again is not None and again < earliest:
            text = _("停机时间不能早于{time}").format(time=moment(earliest))
            raise serializers.ValidationError({"stopStart": text})
        return attrs


class CancelInput(SpeakingSerializer):
    """Why the order is not needed."""

    cancelReason = serializers.ChoiceField(label=label("取消原因", "Reason"), choices=CancelReason.choices)
    remark = serializers.CharField(
        label=label("说明", "Remark"), max_length=500, required=False, allow_blank=True, default=""
    )
