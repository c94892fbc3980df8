"""What each action on a maintenance order must carry, with the specification's sentences."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from core.cases.inputs import CaseInput
from core.equipment.models import Machine
from core.identity.models import Team, User
from core.inspection.cycles import Trigger
from core.inspection.models import CheckStandard, ConfigType
from core.kernel.texts import camel, label
from core.preventive import limits, work
from core.preventive.models import CheckResult, MaintainOrder, Result
from core.rest.serializers import DayField, FlagField, IdField, IdListField, MomentField, MoneyField, SpeakingSerializer
from core.storage.serializers import ImagesField
from core.system import required
from core.system.required import Asked, FieldKind, Scene

MOST_IMAGES, MOST_ITEM_IMAGES, MOST_LINES = 9, 9, 50
MOST_COST = 99_999_999
LONGEST_LINE = timedelta(hours=24)


class MaintainSaveInput(CaseInput):
    """An order made by hand; what is left out is the standard's."""

    configId = IdField(
        source="config_id", refers_to=CheckStandard, where={"configType": int(ConfigType.MAINTENANCE)},
        label=label("保养标准", "Maintenance standard"),
    )  # fmt: skip
    machineId = IdField(source="machine_id", refers_to=Machine, where={"nodeType": "4,5"})
    teamId = IdField(source="team_id", refers_to=Team, required=False, allow_null=True)
    userIds = IdListField(source="user_ids", refers_to=User, required=False, max_ids=limits.MOST_PEOPLE)
    estMinutes = serializers.IntegerField(
        source="est_minutes", label=label("预计工时(分钟)", "Estimated time (min)"), min_value=1, max_value=14_400,
        required=False,
    )  # fmt: skip
    needStop = FlagField(source="need_stop", label=label("需要停机", "Asset must be stopped"), required=False)

    class Meta:
        model = MaintainOrder
        fields: tuple[str, ...] = (
            "machineId", "configId", "due_date", "plan_start", "plan_end", "teamId", "userIds", "estMinutes",
            "needStop", "remark",
        )  # fmt: skip
        required = ("due_date",)

    def rules(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """What is planned ends after it begins."""
        limits.check_span(attrs.get("plan_start"), attrs.get("plan_end"), "planEnd")
        return attrs


class MaintainEditInput(CaseInput):
    """What may change without an action."""

    class Meta:
        model = MaintainOrder
        fields = ("plan_start", "plan_end", "remark")

    def rules(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """What is planned ends after it begins, and begins in time."""
        limits.check_span(attrs.get("plan_start"), attrs.get("plan_end"), "planEnd")
        limits.check_plan(self.context["record"], attrs.get("plan_start"))
        return attrs


class MaintainStartInput(SpeakingSerializer):
    """That the safety measures are taken, where the standard names some."""

    safetyConfirmed = FlagField(label=label("安全措施已确认", "Safety measures confirmed"), default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Nobody begins without them."""
        if self.context["record"].safety and not attrs["safetyConfirmed"]:
            raise serializers.ValidationError({"safetyConfirmed": _("请确认安全措施")})
        return attrs


class MaintainDetailInput(SpeakingSerializer):
    """What came of an item; of a value the server says itself whether it is abnormal."""

    id = IdField(label=label("保养项目", "Maintenance item"))
    value = serializers.CharField(label=label("值", "Value"), max_length=500, required=False, allow_blank=True)
    result = serializers.ChoiceField(
        label=label("结果", "Result"), choices=Result.choices, required=False, allow_null=True
    )
    handling = serializers.CharField(
        label=label("处理说明", "Handling"), max_length=300, required=False, allow_blank=True
    )
    images = ImagesField(
        label=label("照片", "Photos"), at_most=MOST_ITEM_IMAGES, column="preventive.MaintainOrderDetail.images",
        required=False,
    )  # fmt: skip


class MaintainLineInput(SpeakingSerializer):
    """Somebody's work time."""

    userId = IdField(source="user_id", refers_to=User, label=label("保养人员", "Technician"))
    startTime = MomentField(source="start_time", label=label("开始时间", "Start"))
    endTime = MomentField(source="end_time", label=label("结束时间", "End"))
    content = serializers.CharField(
        label=label("说明", "Remark"), max_length=500, required=False, allow_blank=True, default=""
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """End after start, not in the future, at most a day."""
        limits.check_span(attrs["start_time"], attrs["end_time"], "endTime", is_past=True)
        if attrs["end_time"] - attrs["start_time"] > LONGEST_LINE:
            raise serializers.ValidationError({"endTime": _("单条工时不能超过24小时")})
        return attrs


class MaintainDraftInput(CaseInput):
    """What is written of the work so far; only what is sent changes."""

    details = MaintainDetailInput(many=True, required=False, label=label("保养项目", "Items"))
    lines = MaintainLineInput(many=True, required=False, label=label("工时", "Labor"))
    otherCost = MoneyField(
        source="other_cost", label=label("其他费用", "Other cost"), max_digits=14, min_value=0, max_value=MOST_COST,
        required=False,
    )  # fmt: skip

    signImage = ImagesField(
        source="sign_image", label=label("签名", "Signature"), at_most=1, column="preventive.MaintainOrder.sign_image",
        required=False,
    )  # fmt: skip

    class Meta:
        model = MaintainOrder
        fields: tuple[str, ...] = (
            "start_time", "finish_time", "read_hours", "images", "signImage", "summary", "otherCost", "details",
            "lines",
        )  # fmt: skip

    def get_fields(self) -> dict[str, Any]:
        """None of them must be sent; a reading is not below zero."""
        fields = super().get_fields()
        for field in fields.values():
            field.required = False
        return fields

    def to_internal_value(self, data: Any) -> Any:
        """Photos that the order has already stay, whoever has uploaded them."""
        order: MaintainOrder = self.context["record"]
        self.instance = order
        there = [name for images in order.details.values_list("images", flat=True) for name in images]
        self.fields["details"].child.instance = SimpleNamespace(images=there)  # type: ignore[attr-defined]
        return super().to_internal_value(data)

    def validate_readHours(self, value: Any) -> Any:
        """A counter shows no less than nothing."""
        if value is not None and value < 0:
            raise serializers.ValidationError(_("{field}不能小于{n}").format(field=_("读数"), n=0))
        return value

    def validate_details(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Items of this order, each once, with photos that are there already or that the person has uploaded."""
        ids = [one["id"] for one in value]
        known = set(self.context["record"].details.filter(pk__in=ids).values_list("pk", flat=True))
        if len(known) != len(ids):
            raise serializers.ValidationError(_("数据不存在或已被删除"))
        return value

    def validate_lines(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Not too many."""
        if len(value) > MOST_LINES:
            raise serializers.ValidationError(_("请求参数格式错误"))
        work.check_lines(value)
        return value


class MaintainSubmitInput(MaintainDraftInput):
    """The whole of the work."""

    class Meta(MaintainDraftInput.Meta):
        fields = (*MaintainDraftInput.Meta.fields, "stop_start", "stop_end")

    def rules(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Everything that a finished order has."""
        order: MaintainOrder = self.context["record"]
        errors: dict[str, str] = {}
        for name in ("start_time", "finish_time"):
            if attrs.get(name) is None:
                errors[camel(name)] = limits.choose(order, name)
        if errors:
            raise serializers.ValidationError(errors)
        limits.check_span(attrs["start_time"], attrs["finish_time"], "finishTime", is_past=True)
        attrs["details"] = work.judged(order, attrs.get("details") or ())
        needs_reading = order.trigger_type in (Trigger.METER, Trigger.FIRST)
        if needs_reading and attrs.get("read_hours") is None and not work.has_meter(order, attrs["details"]):
            errors["readHours"] = _("请输入{field}").format(field=_("读数"))
        if order.need_sign and not attrs.get("sign_image"):
            errors["signImage"] = _("请签名")
        if order.standing:
            errors |= limits.stop_errors(order, attrs)
        if errors:
            raise serializers.ValidationError(errors)
        required.check(Scene.MAINTENANCE, {camel(name): value for name, value in attrs.items()})
        return attrs


class MaintainCheckInput(SpeakingSerializer):
    """The verdict."""

    checkResult = serializers.ChoiceField(label=label("验收结果", "Result"), choices=CheckResult.choices)
    checkRemark = serializers.CharField(
        label=label("验收意见", "Remark"), max_length=500, required=False, allow_blank=True, default=""
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A failing verdict says why."""
        if attrs["checkResult"] == CheckResult.FAIL and not attrs["checkRemark"].strip():
            raise serializers.ValidationError({"checkRemark": _("请填写不通过原因")})
        return attrs


class MaintainDelayInput(SpeakingSerializer):
    """Until when, and why."""

    dueDate = DayField(source="due_date", label=label("延期到", "New due date"))
    reason = serializers.CharField(source="delay_reason", label=label("延期原因", "Reason"), max_length=200)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Later than now, and not so late that the next one is due."""
        limits.check_delay(self.context["record"], attrs["due_date"])
        return attrs


class MaintainAssignInput(SpeakingSerializer):
    """To whom the order is given, people or a team, and why."""

    userIds = IdListField(
        source="user_ids", refers_to=User, required=False, max_ids=limits.MOST_PEOPLE,
        label=label("执行人员", "Assigned to"),
    )  # fmt: skip
    teamId = IdField(source="team_id", refers_to=Team, required=False, allow_null=True, label=label("执行班组", "Team"))
    reason = serializers.CharField(label=label("改派原因", "Reason"), max_length=200)


class MaintainCancelInput(SpeakingSerializer):
    """Why it is not done."""

    cancelReason = serializers.CharField(label=label("取消原因", "Reason"), max_length=200)


def _field(column: str) -> Any:
    field: Any = MaintainOrder._meta.get_field(column)
    return field.verbose_name


def register_scene() -> None:
    """Register what companies may ask for when maintenance is submitted."""
    required.register(
        Scene.MAINTENANCE,
        Asked("startTime", _field("start_time"), locked=True),
        Asked("finishTime", _field("finish_time"), locked=True),
        Asked("readHours", _field("read_hours")),
        Asked("summary", _field("summary")),
        Asked("images", _field("images"), FieldKind.PICTURES),
        Asked("signImage", _field("sign_image"), FieldKind.SIGNATURE),
    )
