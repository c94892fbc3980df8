"""What each action on a repair order must carry, with the specification's sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from core.cases.inputs import CaseInput
from core.equipment.models import Machine, NodeType, TagType, Urgency
from core.equipment.serializers import words
from core.identity.models import Team, User
from core.kernel import clock
from core.kernel.texts import camel, label, moment
from core.maintenance.models import CheckResult, RepairOrder
from core.rest.serializers import FlagField, IdField, IdListField, MomentField, MoneyField, SpeakingSerializer
from core.storage.serializers import FilesField, VoiceField
from core.system import extras, required
from core.system.required import Asked, FieldKind, Scene

MOST_COST = 99_999_999


def check_promise(order: RepairOrder | None, promised: Any) -> None:
    """A promise lies ahead, unless it is the one that stands; raises ValidationError otherwise."""
    stands = order.plan_finish_time.replace(microsecond=0) if order and order.plan_finish_time else None
    if promised and promised <= clock.now() and promised.replace(microsecond=0) != stands:
        raise serializers.ValidationError({"planFinishTime": _("计划完成时间必须晚于当前时间")})


def _technician(**kwargs: Any) -> IdField:
    return IdField(source="repair_user_id", refers_to=User, label=label("维修人员", "Technician"), **kwargs)


def _cost(source: str, zh: str, en: str) -> MoneyField:
    return MoneyField(source=source, label=label(zh, en), max_digits=14, min_value=0, max_value=MOST_COST, default=0)


class _Description(CaseInput):
    """Shared by report and edit."""

    class Meta:
        model = RepairOrder
        fields: tuple[str, ...] = ("description", "images")
        extra_kwargs = {
            "description": {
                "min_length": 4,
                "error_messages": {"min_length": gettext_lazy("请描述故障现象（至少4个字）")},
            }
        }


class SaveInput(_Description):
    """A fault report."""

    machineId = IdField(source="machine_id", refers_to=Machine, where={"nodeType": "4,5"})
    isStop = FlagField(source="is_stop", label=label("设备已停机", "The asset is down"), default=False)
    faultTagIds = words("fault_tag_ids", TagType.SYMPTOM, default=[], max_ids=20)
    voice = VoiceField(required=False)
    files = FilesField(required=False)
    force = FlagField(label=label("仍要提交", "Submit anyway"), default=False)

    class Meta(_Description.Meta):
        fields = (
            "machineId", "description", "faultTagIds", "images", "voice", "files", "urgency", "isStop", "stop_start",
            "title", "repair_type", "ext", "force",
        )  # fmt: skip

    def validate_stopStart(self, value: Any) -> Any:
        """A stop lies in the past."""
        if value is not None and value > clock.now():
            raise serializers.ValidationError(_("停机时间不能晚于当前时间"))
        return value

    def rules(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """What the company asks for."""
        _check_asked(Scene.REPORT, attrs)
        extras.refuse_missing("repairorder", attrs.get("ext", {}))
        return attrs


def _check_asked(scene: Scene, attrs: Mapping[str, Any], *but: FieldKind) -> None:
    """Raise ValidationError for what the company asks for in this form, and is not there."""
    required.check(scene, {camel(name): value for name, value in attrs.items()}, but=but)


class PlateReportInput(_Description):
    """A fault report of somebody without an account, who says name and phone; pictures come beside it.

    The page of a plate is open to everybody: it does not show what a company has declared, so it asks for no extra
    fields, required ones neither. Whoever dispatches fills them in.
    """

    isStop = FlagField(source="is_stop", label=label("设备已停机", "The asset is down"), default=False)
    faultTagIds = words("fault_tag_ids", TagType.SYMPTOM, default=[], max_ids=20)
    reporterName = serializers.CharField(source="reporter_name", label=label("姓名", "Name"), max_length=40)
    reporterPhone = serializers.RegexField(
        r"^\+?[0-9][0-9 -]{4,28}$", source="reporter_phone", label=label("电话", "Phone"), max_length=30
    )
    force = FlagField(label=label("仍要提交", "Submit anyway"), default=False)

    class Meta(_Description.Meta):
        fields = ("description", "faultTagIds", "isStop", "reporterName", "reporterPhone", "force")

    def rules(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """What the company asks for, and such a person can bring."""
        _check_asked(Scene.REPORT, attrs, FieldKind.PICTURES, FieldKind.VOICE)
        return attrs


class EditInput(_Description):
    """What may change without an action; after the acceptance the priority may only rise."""

    class Meta(_Description.Meta):
        fields = ("description", "urgency", "plan_finish_time", "images", "ext")
        required = ("description", "urgency")

    def rules(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A promise lies ahead."""
        order: RepairOrder = self.context["record"]
        check_promise(order, attrs.get("plan_finish_time"))
        if order.accept_time is not None and attrs["urgency"] > order.urgency:
            raise serializers.ValidationError({"urgency": _("接单后不能降低紧急程度")})
        return attrs


class DispatchInput(CaseInput):
    """A person, or a team."""

    repairUserId = _technician(required=False, allow_null=True)
    helperIds = IdListField(source="helper_ids", refers_to=User, required=False, max_ids=10)
    teamId = IdField(source="team_id", refers_to=Team, required=False, allow_null=True)

    class Meta:
        model = RepairOrder
        fields = ("repairUserId", "helperIds", "teamId", "plan_finish_time")

    def rules(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """One of the two, and a promise in the future."""
        if not attrs.get("repair_user_id") and not attrs.get("team_id"):
            raise serializers.ValidationError({"repairUserId": _("请选择维修人员")})
        check_promise(self.context["record"], attrs.get("plan_finish_time"))
        return attrs


class TransferInput(SpeakingSerializer):
    """To whom and why."""

    repairUserId = _technician()
    reason = serializers.CharField(label=label("转派原因", "Reason"), max_length=500)


class FinishInput(CaseInput):
    """What was wrong and what was done."""

    causeTagId = words("cause_tag_id", TagType.CAUSE, IdField, required=False, allow_null=True)
    partMachineId = IdField(
        source="part_machine_id", refers_to=Machine, where={"nodeType": 5}, required=False, allow_null=True
    )
    actionTagIds = words("action_tag_ids", TagType.ACTION, required=False)
    isOutsource = FlagField(source="is_outsource", label=label("有外协", "Contractor involved"), default=False)
    outsourceCost = _cost("outsource_cost", "外协费用", "Contractor cost")
    otherCost = _cost("other_cost", "其他费用", "Other cost")

    class Meta:
        model = RepairOrder
        fields = (
            "causeTagId", "partMachineId", "actionTagIds", "solution", "stop_end", "after_images", "isOutsource",
            "vendor_name", "outsourceCost", "otherCost",
        )  # fmt: skip
        required = ("solution",)

    def get_fields(self) -> dict[str, Any]:
        """The specification words this one in its own way."""
        fields = super().get_fields()
        text = _("请填写维修措施")
        fields["solution"].error_messages.update(required=text, blank=text, null=text)
        return fields

    def rules(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The end of a stop, a component of the machine, and the photos that the fixed rule asks for."""
        order: RepairOrder = self.context["record"]
        part = attrs.setdefault("part_machine_id", None)
        parts = Machine.objects.filter(pk=part, node_type=NodeType.COMPONENT, path__startswith=order.machine.path)
        if part is not None and not parts.exists():
            raise serializers.ValidationError({"partMachineId": _("数据不存在或已被删除")})
        if attrs["is_outsource"] and not attrs.get("vendor_name"):
            raise serializers.ValidationError({"vendorName": _("请输入{field}").format(field=_("外协单位"))})
        if not attrs["is_outsource"]:
            attrs.update(vendor_name="", outsource_cost=0)
        end = attrs.pop("stop_end", None)
        if order.standing:
            attrs["stop_end"] = _checked_end(order, end)
        # What was photographed in the last round stays until other pictures come.
        attrs["after_images"] = attrs.get("after_images") or order.after_images
        if (order.is_stop or order.urgency == Urgency.CRITICAL) and not attrs["after_images"]:
            raise serializers.ValidationError({"afterImages": _("停机或特急的维修须上传完工照片")})
        attrs.setdefault("cause_tag_id", None)
        attrs.setdefault("action_tag_ids", [])
        _check_asked(Scene.FINISH, attrs)
        return attrs


def _checked_end(order: RepairOrder, end: Any) -> Any:
    """The end of the order's stop: after its begin, and past; raises ValidationError otherwise."""
    text = ""
    if end is None:
        text = _("请选择{field}").format(field=_("恢复时间"))
    elif order.stop_start is not None and end <= order.stop_start:
        text = _("结束时间必须晚于开始时间")
    elif end > clock.now():
        text = _("恢复时间不能晚于当前时间")
    if text:
        raise serializers.ValidationError({"stopEnd": text})
    return end


class CheckInput(SpeakingSerializer):
    """The verdict."""

    checkResult = serializers.ChoiceField(label=label("验收结果", "Result"), choices=CheckResult.choices)
    checkScore = serializers.IntegerField(
        label=label("评分", "Rating"), min_value=1, max_value=5, required=False, allow_null=True
    )
    checkRemark = serializers.CharField(
        label=label("验收意见", "Remark"), max_length=500, required=False, allow_blank=True, default=""
    )

    stopStart = MomentField(label=label("再次停机时间", "Down again since"), required=False, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A failing verdict says why, and may name a stop that has begun since the last one ended."""
        required.check(Scene.VERIFY, attrs)
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


def _field(model: Any, column: str) -> Any:
    return model._meta.get_field(column).verbose_name


def register_scenes() -> None:
    """Register what companies may ask for in the forms of report, completion and verification."""
    order = RepairOrder
    required.register(
        Scene.REPORT,
        Asked("machineId", _field(order, "machine"), FieldKind.CHOICE, locked=True),
        Asked("description", _field(order, "description"), locked=True),
        Asked("urgency", _field(order, "urgency"), FieldKind.CHOICE, locked=True),
        Asked("isStop", _field(order, "is_stop"), FieldKind.CHOICE, locked=True),
        Asked("faultTagIds", _field(order, "fault_tag_ids"), FieldKind.CHOICE),
        Asked("images", _field(order, "images"), FieldKind.PICTURES),
        Asked("voice", _field(order, "voice"), FieldKind.VOICE),
    )
    required.register(
        Scene.FINISH,
        Asked("solution", _field(order, "solution"), locked=True),
        Asked("causeTagId", _field(order, "cause_tag_id"), FieldKind.CHOICE, required=True),
        Asked("actionTagIds", _field(order, "action_tag_ids"), FieldKind.CHOICE, required=True),
        Asked("partMachineId", _field(order, "part_machine"), FieldKind.CHOICE),
        Asked("afterImages", _field(order, "after_images"), FieldKind.PICTURES),
    )
    required.register(
        Scene.VERIFY,
        Asked("checkResult", _field(order, "check_result"), FieldKind.CHOICE, locked=True),
        Asked("checkScore", _field(order, "check_score"), FieldKind.CHOICE),
        Asked("checkRemark", _field(order, "check_remark")),
    )
