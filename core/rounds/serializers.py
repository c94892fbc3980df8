"""Wire forms and rules of task rules, tasks, their points and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core import ports
from core.equipment.serializers import refuse_sealed
from core.inspection.items import CheckItem
from core.inspection.models import Route
from core.kernel.errors import Conflict, NotAllowed
from core.kernel.texts import label, moment
from core.rest.scopes import restrict
from core.rest.serializers import (
    AmountField,
    DayField,
    FlagField,
    IdField,
    IdListField,
    MomentField,
    NameField,
    NounSerializer,
    SpeakingSerializer,
)
from core.rest.shapes import Serialized, Shape
from core.rounds import forecasting, generation, planning, suspicion
from core.rounds.judging import judge_text, value_text
from core.rounds.models import (
    OF_DATES,
    AssignMode,
    ForecastLimit,
    Frequency,
    InspectCandidate,
    InspectForecast,
    InspectOrder,
    InspectOrderDetail,
    InspectOrderRecord,
    OrderStatus,
    TaskRule,
    TaskSource,
)
from core.rounds.rates import Figures
from core.shifts.models import Shift, ShiftTeam, ShiftTeamMember
from core.shifts.queries import business_date_in
from core.storage.serializers import ImagesField
from core.system.numbers import next_number

_EARLY = _GRACE = timedelta(minutes=30)
"""Of tasks made by hand: how early they may be begun, and how late ended."""
_LONGEST = timedelta(days=31)


# Task rules


@dataclass(frozen=True)
class Shifts(Shape):
    """`shiftIds`, the shifts of a rule: ids of the shifts of its plan as they are now, kept by their numbers."""

    def fields(self, model: Any) -> Serialized:
        """Return the ids, and the names."""
        text = label("班次", "Shifts")
        return {
            "shiftIds": _ShiftIds(source="shift_nos", label=text, required=False, refers_to=Shift, max_ids=8),
            "shiftNames": _ShiftNames(source="shift_nos", label=text),
        }


def _shifts(field: Any, plan_id: int) -> list[Shift]:
    """Return the shifts of a plan as they are now; of a page the view has read them."""
    context: Any = field.context
    known: dict[int, list[Shift]] = context.setdefault("shifts", {})
    if plan_id not in known:
        known.update(shifts_of([plan_id]))
    return known.get(plan_id, [])


def shifts_of(plan_ids: Sequence[int]) -> dict[int, list[Shift]]:
    """Return by plan its shifts as they are now; one statement."""
    found: dict[int, list[Shift]] = {pk: [] for pk in plan_ids}
    for shift in Shift.objects.filter(plan__in=plan_ids, valid_until=None).order_by("shift_no"):
        found[shift.plan_id].append(shift)
    return found


@extend_schema_field(OpenApiTypes.STR)
class _ShiftIds(IdListField):
    """The ids of the shifts with the numbers of a column."""

    def get_attribute(self, instance: Any) -> Any:
        """Return the ids."""
        return [shift.pk for shift in _shifts(self, instance.config_id) if shift.shift_no in instance.shift_nos]


class _ShiftNames(NameField):
    """The names of the same."""

    def get_attribute(self, instance: Any) -> str:
        """Return them joined."""
        found = _shifts(self, instance.config_id)
        return _("、").join(shift.shift_name for shift in found if shift.shift_no in instance.shift_nos)


class TaskRuleRules(NounSerializer):
    """The rules of a task rule."""

    def validate_groupId(self, value: int) -> int:
        """Refuse a sealed route where the rule does not have it already."""
        if value != getattr(self.instance, "group_id", None):
            refuse_sealed(Route.objects.get(pk=value))
        return value

    def validate_weekDays(self, value: str) -> str:
        """Numbers of weekdays, in their order."""
        return _numbers(value, range(1, 8), _("星期应为1（周一）到7（周日）的数字，用英文逗号分隔"))

    def validate_monthDays(self, value: str) -> str:
        """Numbers of days, -1 for the last one."""
        return _numbers(value, (*range(1, 32), -1), _("日期应为1到31的数字，-1表示最后一天，用英文逗号分隔"))

    def validate_nth(self, value: int) -> int:
        """There is no weekday number 0."""
        if value == 0:
            raise serializers.ValidationError(_("请选择{field}").format(field=self.fields["nth"].label))
        return value

    def validate_userIds(self, value: list[int]) -> list[int]:
        """Refuse people who are not there, or whose account no longer works, unless the rule has them already."""
        before = self.instance.user_ids if self.instance is not None else []
        return _people(value, before)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check what several fields say together."""
        row = TaskRule(
            **{
                column.attname: attrs.get(column.attname, getattr(self.instance, column.attname, column.get_default()))
                for column in TaskRule._meta.concrete_fields
                if column.editable and not column.primary_key
            }
        )
        shifts = shifts_of([row.config_id])[row.config_id]
        if "shift_nos" in attrs:
            # Numbers are sent by the ids of shifts.
            numbered = {shift.pk: shift.shift_no for shift in shifts}
            if any(pk not in numbered for pk in attrs["shift_nos"]):
                raise serializers.ValidationError({"shiftIds": [_("数据不存在或已被删除")]})
            attrs["shift_nos"] = row.shift_nos = sorted(numbered[pk] for pk in attrs["shift_nos"])
        if self.instance is not None and attrs.get("config_id", self.instance.config_id) != self.instance.config_id:
            raise serializers.ValidationError({"configId": [_("任务规则保存后不能更换排班方案")]})
        self._check_dates(row)
        self._check_windows(row, shifts)
        if row.assign_mode == AssignMode.NAMED and not row.user_ids:
            raise serializers.ValidationError({"userIds": [_("请选择{field}").format(field=_("人员"))]})
        if row.start_date and row.end_date and row.end_date < row.start_date:
            raise serializers.ValidationError({"endDate": [_("结束日期不能早于开始日期")]})
        return attrs

    def _check_dates(self, row: TaskRule) -> None:
        for kind, wire, is_there in (
            (Frequency.WEEKLY, "weekDays", row.week_days),
            (Frequency.MONTHLY, "monthDays", row.month_days),
        ):
            if row.frequency == kind and not is_there:
                text = _("请选择{field}").format(field=self.fields[wire].label)
                raise serializers.ValidationError({wire: [text]})
        if (row.frequency in OF_DATES or row.frequency == Frequency.DAILY) and len(row.shift_nos) > 1:
            raise serializers.ValidationError({"shiftIds": [_("按天及更长周期的规则最多选择一个班次")]})

    def _check_windows(self, row: TaskRule, shifts: Sequence[Shift]) -> None:
        """Raise ValidationError for a window that is longer than what lies between it and the next one."""
        chosen = [shift for shift in shifts if shift.shift_no in row.shift_nos] if row.shift_nos else list(shifts)
        text = _("任务时长不能超过执行间隔")
        if row.start_offset + (row.duration or 1) > planning.longest(row, chosen):
            raise serializers.ValidationError({"duration" if row.duration else "startOffset": [text]})
        if row.frequency in OF_DATES and row.window_days > planning.days_between(row):
            raise serializers.ValidationError({"windowDays": [text]})
        if row.frequency not in OF_DATES and row.window_days > 1:
            raise serializers.ValidationError({"windowDays": [_("只有每周及更长周期的规则可以跨多天执行")]})


def _numbers(text: str, known: Any, wrong: str) -> str:
    """Return numbers joined by commas, each once and in order; raise ValidationError for what is none of them."""
    parts = [part.strip() for part in text.replace("，", ",").split(",") if part.strip()]
    if any(not part.lstrip("-").isdecimal() or len(part) > 2 or int(part) not in known for part in parts):
        raise serializers.ValidationError(wrong)
    return ",".join(str(one) for one in sorted({int(part) for part in parts}, key=lambda one: (one < 0, one)))


def _people(value: list[int], before: Sequence[int]) -> list[int]:
    new = [one for one in value if one not in before]
    users = get_user_model()._default_manager
    if users.filter(pk__in=new, is_enabled=True).count() != len(new):
        raise serializers.ValidationError(_("数据不存在或已被删除"))
    return value


# Tasks


@dataclass(frozen=True)
class Candidates(Shape):
    """`userIds`, who may do a task, and their names."""

    def fields(self, model: Any) -> Serialized:
        """Return both fields."""
        text = label("可执行人", "May inspect")
        ids = _CandidateIds(refers_to="identity.User", label=text, required=False, max_ids=100)
        return {"userIds": ids, "userNames": _CandidateNames(label=text)}


def _candidates(field: Any, order: Any) -> list[int]:
    """Return the ids of those who may do a task; of a page the view has read them."""
    context: Any = field.context
    known: dict[int, list[int]] = context.setdefault("candidates", {})
    if order.pk not in known:
        rows = InspectCandidate.objects.filter(order=order.pk).order_by("pk")
        known[order.pk] = list(rows.values_list("user_id", flat=True))
    return known[order.pk]


@extend_schema_field(OpenApiTypes.STR)
class _CandidateIds(IdListField):
    def get_attribute(self, instance: Any) -> Any:
        """Return the ids."""
        return _candidates(self, instance)


class _CandidateNames(NameField):
    def get_attribute(self, instance: Any) -> str:
        """Return the names joined, people who have left among them."""
        context: Any = self.context
        names: dict[int, str] = context.setdefault("people", {})
        ids = _candidates(self, instance)
        missing = [one for one in ids if one not in names]
        if missing:
            names.update(dict.fromkeys(missing, "") | dict(ports.people.names(set(missing))))
        return _("、").join(names[one] for one in ids if names[one])


@dataclass(frozen=True)
class TeamOf(Shape):
    """`teamId`, the team of a shift plan whose members do a task, and its name."""

    def fields(self, model: Any) -> Serialized:
        """Return both fields."""
        text = label("班组", "Team")
        team_id = IdField(source="team_id", refers_to=ShiftTeam, required=False, allow_null=True, label=text)
        return {"teamId": team_id, "teamName": NameField(source="team", label=text)}


@dataclass(frozen=True)
class Marks(Shape):
    """`suspectReasons`, why a task is suspect, as sentences."""

    def fields(self, model: Any) -> Serialized:
        """Return the field."""
        return {"suspectReasons": _Sentences(source="suspect_reasons", label=label("可疑原因", "Why suspect"))}


class _Sentences(serializers.ListField):
    def __init__(self, **kwargs: Any):
        super().__init__(child=serializers.CharField(), read_only=True, **kwargs)

    def to_representation(self, value: Any) -> Any:
        """In the caller's language."""
        return [suspicion.told(one) for one in value]


class OrderRules(NounSerializer):
    """The rules of a task that is made by hand."""

    def validate_groupId(self, value: int) -> int:
        """Refuse a sealed route, and one without a point that can be inspected."""
        if value != getattr(self.instance, "group_id", None):
            refuse_sealed(Route.objects.get(pk=value))
            if not generation.Sheets.of([value]).points:
                raise serializers.ValidationError(_("路线没有可检的点位"))
        return value

    def validate_userIds(self, value: list[int]) -> list[int]:
        """Refuse people who are not there, or whose account no longer works."""
        before = _candidates(self.fields["userIds"], self.instance) if self.instance is not None else []
        return _people(value, before)

    def validate_teamId(self, value: int | None) -> int | None:
        """Refuse a team that is not there."""
        if value is not None and not ShiftTeam.objects.filter(pk=value).exists():
            raise serializers.ValidationError(_("数据不存在或已被删除"))
        return value

    def get_fields(self) -> dict[str, Any]:
        """Return the fields with the specification's sentences."""
        fields = super().get_fields()
        if "groupId" in fields:
            text = _("请选择巡检路线")
            fields["groupId"].error_messages.update(required=text, null=text)
        return fields

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A window in order and not too long, and somebody to do it."""
        before: Any = self.instance
        begin = attrs.get("plan_start", before.plan_start if before else None)
        end = attrs.get("plan_end", before.plan_end if before else None)
        if begin and end and end <= begin:
            raise serializers.ValidationError({"planEnd": [_("结束时间必须晚于开始时间")]})
        if begin and end and end - begin > _LONGEST:
            raise serializers.ValidationError({"planEnd": [_("任务时长不能超过31天")]})
        if before is None and not attrs.get("userIds") and not attrs.get("team_id"):
            raise serializers.ValidationError({"userIds": [_("请选择执行人或班组")]})
        return attrs

    def create(self, validated_data: Any) -> Any:
        """Store a task with its points and the people who may do it."""
        people = self._people(validated_data)
        route = Route.objects.get(pk=validated_data["group_id"])
        order = InspectOrder(
            **{**validated_data, **generation.of_route(route)}, source=TaskSource.BY_HAND,
            order_no=next_number(generation.NUMBERS), assign_mode=AssignMode.NAMED,
            business_date=business_date_in(route.dept_id, validated_data["plan_start"]),
            open_time=validated_data["plan_start"] - _EARLY, deadline=validated_data["plan_end"] + _GRACE,
        )  # fmt: skip
        generation.insert([(order, people)], generation.Sheets.of([route.pk]))
        self._check_reach(order)
        return order

    def update(self, instance: Any, validated_data: Any) -> Any:
        """Change a task by hand that nobody has begun; of any open one the remark."""
        other = [name for name in validated_data if name != "remark"]
        is_free = instance.source == TaskSource.BY_HAND and instance.status == OrderStatus.TODO
        if instance.status not in (OrderStatus.TODO, OrderStatus.IN_PROGRESS) or (other and not is_free):
            raise Conflict("inspectorder.fixed", _("已执行或由排班生成的任务不能修改"))
        people = self._people(validated_data, instance) if is_free else None
        if "group_id" in validated_data and validated_data["group_id"] != instance.group_id:
            raise serializers.ValidationError({"groupId": [_("任务保存后不能更换路线")]})
        if "plan_start" in validated_data:
            validated_data["open_time"] = validated_data["plan_start"] - _EARLY
            validated_data["business_date"] = business_date_in(instance.group.dept_id, validated_data["plan_start"])
        if "plan_end" in validated_data:
            validated_data["deadline"] = validated_data["plan_end"] + _GRACE
        changed = instance.change(validated_data)
        if people is not None and set(people) != set(_candidates(self.fields["userIds"], instance)):
            InspectCandidate.objects.filter(order=instance).delete()
            InspectCandidate.objects.bulk_create(InspectCandidate(order=instance, user_id=one) for one in people)
            if not changed:
                InspectOrder.count_write([instance.pk])
            self.context.get("candidates", {}).pop(instance.pk, None)
        return instance

    def _people(self, values: dict[str, Any], before: Any = None) -> list[int]:
        """Return who is to do it: the people named, else the members of the team."""
        named = values.pop("userIds", None)
        team_id = values.get("team_id", getattr(before, "team_id", None))
        if named is None and before is not None and "team_id" not in values:
            return _candidates(self.fields["userIds"], before)
        members = ShiftTeamMember.objects.filter(team=team_id).order_by("place").values_list("user_id", flat=True)
        return list(dict.fromkeys([*(named or ()), *members]))

    def _check_reach(self, order: InspectOrder) -> None:
        """Raise NotAllowed for a route of a department that the caller does not give tasks in."""
        view = self.context["view"]
        rows = InspectOrder.objects.filter(pk=order.pk)
        if not restrict(rows, view.actor, view.noun, {"dept": "group__dept_id"}, view.filters).exists():
            raise NotAllowed()


class LastValue(serializers.Serializer):  # type: ignore[type-arg]
    """What was found for an item before."""

    value = serializers.SerializerMethodField(method_name="text_of")
    number = AmountField(source="num_value", max_digits=14, decimal_places=4)
    result = serializers.IntegerField()
    resultName = NameField(source="get_result_display")
    time = MomentField(source="check_time")

    def text_of(self, record: InspectOrderRecord) -> str:
        """As people read it."""
        return value_text(record)


class ShownRecord(serializers.Serializer):  # type: ignore[type-arg]
    """A result, as the page of a task shows it."""

    id = IdField()
    value = serializers.CharField()
    valueText = serializers.SerializerMethodField()
    result = serializers.IntegerField()
    resultName = NameField(source="get_result_display")
    judgeText = serializers.SerializerMethodField()
    images = ImagesField(column="rounds.InspectOrderRecord.images")
    remark = serializers.CharField()
    repairOrderId = IdField(source="repair_order_id", allow_null=True)
    falseAlarm = FlagField(source="false_alarm")

    def get_valueText(self, record: InspectOrderRecord) -> str:
        """As people read it."""
        return value_text(record)

    def get_judgeText(self, record: InspectOrderRecord) -> str:
        """Why the result is what it is."""
        return judge_text(record)


class ItemForecast(serializers.Serializer):  # type: ignore[type-arg]
    """When an item of a point will cross a limit by its trend."""

    limitKind = serializers.SerializerMethodField()
    limitValue = AmountField(source="limit_value", max_digits=14, decimal_places=4)
    crossesOn = serializers.DateField(source="crosses_on")
    earliest = serializers.DateField()
    latest = serializers.DateField()

    def get_limitKind(self, row: InspectForecast) -> str:
        """Which limit, as a trend names it."""
        return forecasting.WIRE[ForecastLimit(row.limit_kind)]


class TaskItem(CheckItem):
    """A check item of a task, with what was found, and what was found before."""

    configId = IdField(allow_null=True)
    configName = serializers.CharField()
    record = ShownRecord(allow_null=True)
    last = LastValue(many=True)
    repairedNo = serializers.CharField()
    """The number of the order by which its last abnormal result was repaired; empty for none."""
    forecast = ItemForecast(allow_null=True)


class ShownPoint(serializers.Serializer):  # type: ignore[type-arg]
    """A point of a task with its items, in order."""

    id = IdField()
    pointId = IdField(source="point_id")
    pointName = serializers.CharField(source="snapshot.point_name")
    location = serializers.CharField(source="snapshot.location")
    machineId = IdField(source="machine_id")
    machineName = serializers.CharField(source="snapshot.machine_name")
    machineCode = serializers.CharField(source="machine.machine_code")
    runState = serializers.IntegerField(source="machine.run_state")
    runStateName = NameField(source="machine.get_run_state_display")
    sort = serializers.IntegerField()
    scanMode = serializers.IntegerField(source="snapshot.scan_mode")
    scanModeName = NameField(source="snapshot.get_scan_mode_display")
    needsScan = serializers.SerializerMethodField()
    plates = serializers.SerializerMethodField()
    scanOk = FlagField(source="scan_ok")
    noScanReason = serializers.CharField(source="no_scan_reason")
    photoRequired = FlagField(source="snapshot.photo_required")
    status = serializers.IntegerField()
    statusName = NameField(source="get_status_display")
    result = serializers.IntegerField(allow_null=True)
    resultName = NameField(source="get_result_display")
    skipReason = serializers.CharField(source="skip_reason")
    clientTime = MomentField(source="client_time", allow_null=True)
    submitTime = MomentField(source="submit_time", allow_null=True)
    userName = NameField(source="user.real_name")
    images = ImagesField(column="rounds.InspectOrderDetail.images")
    remark = serializers.CharField()
    repairOrderId = IdField(source="repair_order_id", allow_null=True)
    restId = IdField(source="rest_id", allow_null=True)
    repairOrderNo = serializers.SerializerMethodField()
    repairStatusName = serializers.SerializerMethodField()
    abnormalCount = serializers.IntegerField(source="abnormal_count")
    items = serializers.SerializerMethodField()

    def get_needsScan(self, detail: InspectOrderDetail) -> int:
        """Whether the point is opened by a scan of its plate."""
        return int(detail.pk in self.context["plates"])

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_plates(self, detail: InspectOrderDetail) -> Any:
        """Digests of what its plates say: SHA-256 of the id, a space, and a token, a code or a UID in capitals."""
        return self.context["plates"].get(detail.pk, [])

    def get_repairOrderNo(self, detail: InspectOrderDetail) -> str:
        """The number of the repair order that was made."""
        found = self.context["repairs"].get(detail.repair_order_id)
        return found.number if found is not None else ""

    def get_repairStatusName(self, detail: InspectOrderDetail) -> str:
        """What has become of it."""
        found = self.context["repairs"].get(detail.repair_order_id)
        return found.status_name if found is not None else ""

    @extend_schema_field(TaskItem(many=True))
    def get_items(self, detail: InspectOrderDetail) -> Any:
        """Each item with its record, and with the last ones."""
        records = self.context["records"].get(detail.pk, {})
        rows = []
        for item in detail.snapshot.items:
            key = detail.point_id, item["itemId"]
            repaired = self.context["repaired"].get(key)
            rows.append(
                {
                    **item,
                    "record": records.get(item["itemId"]),
                    "last": [one for one in self.context["last"].get(key, []) if one.detail_id != detail.pk],
                    "repairedNo": repaired.number if repaired is not None else "",
                    "forecast": self.context["forecasts"].get(key),
                }
            )
        return TaskItem(rows, many=True, context=self.context).data


# Points and results, as lists show them


class DetailRow(serializers.ModelSerializer):  # type: ignore[type-arg]
    """A point of a task."""

    id = IdField(read_only=True)
    orderId = IdField(source="order_id", read_only=True)
    orderNo = NameField(source="order.order_no")
    pointId = IdField(source="point_id", read_only=True)
    pointName = NameField(source="snapshot.point_name")
    machineId = IdField(source="machine_id", read_only=True)
    machineName = NameField(source="snapshot.machine_name")
    location = NameField(source="snapshot.location")
    scanMode = serializers.IntegerField(source="snapshot.scan_mode", read_only=True)
    statusName = NameField(source="get_status_display")
    resultName = NameField(source="get_result_display")
    skipReason = serializers.CharField(source="skip_reason", read_only=True)
    scanCode = serializers.CharField(source="scan_code", read_only=True)
    scanTime = MomentField(source="scan_time", read_only=True, allow_null=True)
    scanOk = FlagField(source="scan_ok", read_only=True)
    noScanReason = serializers.CharField(source="no_scan_reason", read_only=True)
    startTime = MomentField(source="start_time", read_only=True, allow_null=True)
    clientTime = MomentField(source="client_time", read_only=True, allow_null=True)
    submitTime = MomentField(source="submit_time", read_only=True, allow_null=True)
    userId = IdField(source="user_id", read_only=True, allow_null=True)
    userName = NameField(source="user.real_name")
    images = ImagesField(read_only=True)
    repairOrderId = IdField(source="repair_order_id", read_only=True, allow_null=True)
    restId = IdField(source="rest_id", read_only=True, allow_null=True)
    abnormalCount = serializers.IntegerField(source="abnormal_count", read_only=True)

    class Meta:
        model = InspectOrderDetail
        fields = (
            "id", "orderId", "orderNo", "pointId", "pointName", "machineId", "machineName", "sort", "location",
            "scanMode", "status", "statusName", "result", "resultName", "skipReason", "scanCode", "scanTime", "scanOk",
            "noScanReason", "distance", "startTime", "clientTime", "submitTime", "userId", "userName", "images",
            "remark", "repairOrderId", "restId", "abnormalCount",
        )  # fmt: skip
        read_only_fields = fields


class RecordRow(serializers.ModelSerializer):  # type: ignore[type-arg]
    """A result of a check item."""

    id = IdField(read_only=True)
    orderId = IdField(source="order_id", read_only=True)
    orderNo = NameField(source="order.order_no")
    groupName = NameField(source="order.group_name")
    detailId = IdField(source="detail_id", read_only=True)
    pointId = IdField(source="point_id", read_only=True)
    pointName = NameField(source="detail.snapshot.point_name")
    machineId = IdField(source="machine_id", read_only=True)
    machineName = NameField(source="detail.snapshot.machine_name")
    itemId = serializers.CharField(source="item_id", read_only=True)
    itemName = serializers.CharField(source="item_name", read_only=True)
    valueType = serializers.IntegerField(source="value_type", read_only=True)
    lower = AmountField(max_digits=14, decimal_places=4, read_only=True, allow_null=True)
    warnLower = AmountField(source="warn_lower", max_digits=14, decimal_places=4, read_only=True, allow_null=True)
    warnUpper = AmountField(source="warn_upper", max_digits=14, decimal_places=4, read_only=True, allow_null=True)
    upper = AmountField(max_digits=14, decimal_places=4, read_only=True, allow_null=True)
    valueText = serializers.SerializerMethodField()
    numValue = AmountField(source="num_value", max_digits=14, decimal_places=4, read_only=True, allow_null=True)
    resultName = NameField(source="get_result_display")
    judgeText = serializers.SerializerMethodField()
    images = ImagesField(read_only=True)
    repairOrderId = IdField(source="repair_order_id", read_only=True, allow_null=True)
    falseAlarm = FlagField(source="false_alarm", read_only=True)
    checkTime = MomentField(source="check_time", read_only=True)
    userId = IdField(source="user_id", read_only=True, allow_null=True)
    userName = NameField(source="user.real_name")

    class Meta:
        model = InspectOrderRecord
        fields = (
            "id", "orderId", "orderNo", "groupName", "detailId", "pointId", "pointName", "machineId", "machineName",
            "itemId", "itemName", "part", "valueType", "unit", "decimals", "lower", "warnLower", "warnUpper", "upper",
            "value", "valueText", "numValue", "result", "resultName", "judgeText", "images", "remark", "repairOrderId",
            "falseAlarm", "checkTime", "userId", "userName",
        )  # fmt: skip
        read_only_fields = fields

    def get_valueText(self, record: InspectOrderRecord) -> str:
        """As people read it."""
        return value_text(record)

    def get_judgeText(self, record: InspectOrderRecord) -> str:
        """Why the result is what it is."""
        return judge_text(record)


# Forecasts


@dataclass(frozen=True)
class ForecastPlace(Shape):
    """Where the item is: by which people know its asset, and its route."""

    def fields(self, model: Any) -> Serialized:
        """Return code of the asset, location of the point and the route."""
        return {
            "machineCode": NameField(source="machine.machine_code", label=label("设备编号", "Asset code")),
            "location": NameField(source="point.location", label=label("位置", "Location")),
            "groupId": IdField(
                source="point.group_id", refers_to=Route, read_only=True, label=label("点检路线", "Inspection route")
            ),
            "groupName": NameField(source="point.group.group_name", label=label("点检路线", "Inspection route")),
        }


class RecentValue(serializers.Serializer):  # type: ignore[type-arg]
    """The median of a day's readings."""

    day = serializers.CharField()
    value = serializers.FloatField()


@dataclass(frozen=True)
class Recent(Shape):
    """`recent`: the medians of the last days with a reading, oldest first."""

    def fields(self, model: Any) -> Serialized:
        """Return the field."""
        return {"recent": RecentValue(many=True, read_only=True, label=label("趋势", "Trend"))}


class DismissInput(SpeakingSerializer):
    """Which forecast is set aside, why, and until the end of which day."""

    id = IdField(label=label("超限预测", "Forecast"))
    reason = serializers.CharField(label=label("搁置原因", "Reason"), max_length=200)
    until = DayField(label=label("搁置至", "Until"))


class ForecastChosenInput(SpeakingSerializer):
    """A forecast."""

    id = IdField(label=label("超限预测", "Forecast"))


class ForecastChanged(serializers.Serializer):  # type: ignore[type-arg]
    """What setting a forecast aside, or taking that back, answers."""

    id = serializers.CharField()
    status = serializers.IntegerField()
    statusName = serializers.CharField()


class RateShown(serializers.Serializer):  # type: ignore[type-arg]
    """A rate: a part of a whole, and in percent with one decimal; null of nothing."""

    part = serializers.IntegerField()
    whole = serializers.IntegerField()
    percent = serializers.FloatField(allow_null=True)


class RouteRates(serializers.Serializer):  # type: ignore[type-arg]
    """The rates of a route over business dates, and the numbers of its tasks."""

    startDate = serializers.DateField()
    endDate = serializers.DateField()
    due = serializers.IntegerField()
    done = serializers.IntegerField()
    onTime = serializers.IntegerField()
    missed = serializers.IntegerField()
    exempt = serializers.IntegerField()
    completionRate = RateShown()
    onTimeRate = RateShown()
    missedRate = RateShown()
    pointRate = RateShown()
    abnormalRate = RateShown()
    warningRate = RateShown()
    closeRate = RateShown()


def route_rates(found: Figures, first: date, last: date) -> dict[str, Any]:
    """Return what `RouteRates` says of figures."""
    shown = {
        "completionRate": found.completion, "onTimeRate": found.timeliness, "missedRate": found.misses,
        "pointRate": found.points, "abnormalRate": found.abnormality, "warningRate": found.warning,
        "closeRate": found.closure,
    }  # fmt: skip
    return {
        "startDate": str(first),
        "endDate": str(last),
        "due": found.due,
        "done": found.done,
        "onTime": found.on_time,
        "missed": found.missed,
        "exempt": found.exempt,
        **{name: {"part": one.part, "whole": one.whole, "percent": one.percent} for name, one in shown.items()},
    }


# What the calls of generation and of now answer


_STATE_HELP = "1 made, 2 exists, 3 made and exempt, 4 made without anybody on shift, 5 past, 6 not made"


class PlannedTask(serializers.Serializer):  # type: ignore[type-arg]
    """An occurrence of a rule, and what becomes of it."""

    ruleId = serializers.CharField()
    ruleName = serializers.CharField()
    groupId = serializers.CharField()
    groupName = serializers.CharField()
    shiftName = serializers.CharField()
    teamName = serializers.CharField()
    userNames = serializers.CharField()
    planStart = serializers.CharField()
    planEnd = serializers.CharField()
    genKey = serializers.CharField()
    state = serializers.IntegerField(help_text=_STATE_HELP)
    stateName = serializers.CharField()
    reason = serializers.CharField()


class PlannedDay(serializers.Serializer):  # type: ignore[type-arg]
    """The occurrences of a business date."""

    date = serializers.CharField()
    tasks = PlannedTask(many=True)


class Preview(serializers.Serializer):  # type: ignore[type-arg]
    """What would be made of a span of days; `days` are cut off behind a few thousand tasks, the counts are not."""

    total = serializers.IntegerField()
    create = serializers.IntegerField()  # type: ignore[assignment]  # a word of DRF's own on a serializer
    exist = serializers.IntegerField()
    exempt = serializers.IntegerField()
    """Of those that would be made how many are exempt at once."""
    suppressed = serializers.IntegerField()
    noTeam = serializers.IntegerField()
    past = serializers.IntegerField()
    isCut = serializers.IntegerField()
    days = PlannedDay(many=True)


class Generation(serializers.Serializer):  # type: ignore[type-arg]
    """What came of saving rules and making tasks; with `runId` tasks are made in the background."""

    saved = serializers.IntegerField()
    removed = serializers.IntegerField()
    created = serializers.IntegerField()
    skipped = serializers.IntegerField()
    suppressed = serializers.IntegerField()
    voided = serializers.IntegerField()
    noTeam = serializers.IntegerField()
    past = serializers.IntegerField()
    errors = serializers.ListField(child=serializers.DictField())  # type: ignore[assignment]  # so is this
    runId = serializers.CharField(allow_null=True)


STATES: Mapping[planning.State, Any] = {
    planning.State.MADE: label("将生成", "To be made"),
    planning.State.EXISTS: label("已存在", "Exists"),
    planning.State.EXEMPT: label("停机免检", "Exempt: stopped"),
    planning.State.LEFT_OUT: label("不生成", "Not made"),
    planning.State.NOBODY: label("无班组", "Nobody on shift"),
    planning.State.PAST: label("已过时段", "Already past"),
}
REASONS: Mapping[str, Any] = {
    planning.Reason.SEALED: label("路线已封存", "The route is sealed"),
    planning.Reason.NO_POINT: label(
        "路线没有可检点位（点位已封存，或设备停用、报废）", "No point to inspect: sealed, or the asset is out of use"
    ),
    planning.Reason.HOLIDAY: label("节假日不生成", "Not on holidays"),
    planning.Reason.PAST: label("截止时间已过", "The due time has passed"),
    planning.Reason.STOPPED: label("全部点位的设备停机", "The assets of all points are stopped"),
    planning.Reason.NO_TEAM: label("当班无人，交路线负责人", "Nobody on shift: given to the person in charge"),
}


def preview(found: Sequence[planning.Planned], most: int) -> dict[str, Any]:
    """Return what `Preview` says of planned occurrences."""
    team_ids = {one.team_id for one in found if one.team_id}
    teams = dict(ShiftTeam.with_removed.filter(pk__in=team_ids).values_list("pk", "team_name"))
    people = ports.people.names({pk for one in found[:most] for pk in one.user_ids})
    days: dict[str, list[dict[str, Any]]] = {}
    for one in found[:most]:
        slot = one.slot
        days.setdefault(str(slot.day), []).append(
            {
                "ruleId": str(one.rule.pk),
                "ruleName": one.rule.rule_name,
                "groupId": str(one.rule.group_id),
                "groupName": str(one.rule.group),
                "shiftName": slot.shift.shift_name if slot.shift is not None else "",
                "teamName": teams.get(one.team_id, ""),
                "userNames": _("、").join(people.get(pk, "") for pk in one.user_ids[:8]),
                "planStart": moment(slot.begin),
                "planEnd": moment(slot.end),
                "genKey": one.key,
                "state": int(one.state),
                "stateName": str(STATES[one.state]),
                "reason": str(REASONS[one.reason]) if one.reason is not None else "",
            }
        )

    def count(*states: planning.State) -> int:
        return sum(one.state in states for one in found)

    state = planning.State
    return {
        "total": len(found),
        "create": count(state.MADE, state.EXEMPT, state.NOBODY),
        "exist": count(state.EXISTS),
        "exempt": count(state.EXEMPT),
        "suppressed": count(state.LEFT_OUT),
        "noTeam": count(state.NOBODY),
        "past": count(state.PAST),
        "isCut": int(len(found) > most),
        "days": [{"date": day, "tasks": tasks} for day, tasks in days.items()],
    }


class RunProgress(serializers.Serializer):  # type: ignore[type-arg]
    """How far the making of tasks in the background is; days."""

    id = serializers.CharField()
    state = serializers.IntegerField()
    stateName = NameField(source="get_state_display")
    total = serializers.IntegerField()
    done = serializers.IntegerField()
    created = serializers.IntegerField()
    reason = serializers.CharField()


class NowShift(serializers.Serializer):  # type: ignore[type-arg]
    """The shift of a person now."""

    shiftId = serializers.CharField()
    shiftName = serializers.CharField()
    startAt = serializers.CharField()
    endAt = serializers.CharField()
    teamName = serializers.CharField()


class NowTask(serializers.Serializer):  # type: ignore[type-arg]
    """A task, as the lists of now show it."""

    id = serializers.CharField()
    orderNo = serializers.CharField()
    groupId = serializers.CharField()
    groupName = serializers.CharField()
    groupType = serializers.IntegerField()
    status = serializers.IntegerField()
    statusName = serializers.CharField()
    planStart = serializers.CharField()
    planEnd = serializers.CharField()
    deadline = serializers.CharField()
    minutesLeft = serializers.IntegerField()
    pointTotal = serializers.IntegerField()
    pointDone = serializers.IntegerField()
    abnormalCount = serializers.IntegerField()
    executorId = serializers.CharField(allow_null=True)
    executorName = serializers.CharField()
    claimable = serializers.IntegerField()
    startable = serializers.IntegerField()
    path = serializers.CharField()


class NowCounts(serializers.Serializer):  # type: ignore[type-arg]
    """How many tasks there are of each kind; `exempt` and `missed` of the business date."""

    current = serializers.IntegerField()
    upcoming = serializers.IntegerField()
    overdue = serializers.IntegerField()
    done = serializers.IntegerField()
    exempt = serializers.IntegerField()
    missed = serializers.IntegerField()


class NowTasks(serializers.Serializer):  # type: ignore[type-arg]
    """The tasks that matter now, with the server's clock."""

    serverTime = serializers.CharField()
    businessDate = serializers.CharField()
    shift = NowShift(allow_null=True)
    counts = NowCounts()
    current = NowTask(many=True)
    upcoming = NowTask(many=True)
    overdue = NowTask(many=True)
    done = NowTask(many=True)


class Changed(serializers.Serializer):  # type: ignore[type-arg]
    """What everything that is done to a task answers."""

    id = serializers.CharField()
    orderNo = serializers.CharField()
    status = serializers.IntegerField()
    statusName = serializers.CharField()
    lockVersion = serializers.IntegerField()


class JudgedRecord(serializers.Serializer):  # type: ignore[type-arg]
    """What the server says of a value."""

    itemId = serializers.CharField()
    result = serializers.IntegerField()
    resultName = serializers.CharField()
    judgeText = serializers.CharField()


class SuggestedRepair(serializers.Serializer):  # type: ignore[type-arg]
    """What a repair request would say."""

    machineId = serializers.CharField()
    machineName = serializers.CharField()
    description = serializers.CharField()


class PointSubmitted(serializers.Serializer):  # type: ignore[type-arg]
    """What the submission of a point answers."""

    id = serializers.CharField()
    status = serializers.IntegerField()
    statusName = serializers.CharField()
    result = serializers.IntegerField(allow_null=True)
    records = JudgedRecord(many=True)
    orderId = serializers.CharField()
    orderStatus = serializers.IntegerField()
    orderStatusName = serializers.CharField()
    pointTotal = serializers.IntegerField()
    pointDone = serializers.IntegerField()
    abnormalCount = serializers.IntegerField()
    warnCount = serializers.IntegerField()
    nextDetailId = serializers.CharField(allow_null=True)
    repairOrderId = serializers.CharField(allow_null=True)
    repairOrderNo = serializers.CharField()
    suggestRepair = serializers.BooleanField()
    repair = SuggestedRepair(allow_null=True)


class TrendPoint(serializers.Serializer):  # type: ignore[type-arg]
    """A number of a trend."""

    time = serializers.CharField()
    value = serializers.FloatField()
    result = serializers.IntegerField()
    orderId = serializers.CharField()
    orderNo = serializers.CharField()


class TrendForecast(serializers.Serializer):  # type: ignore[type-arg]
    """When the item crosses its nearer limit if its trend goes on; the true day lies in the range nine times of ten."""

    limitKind = serializers.CharField()
    limitValue = serializers.FloatField()
    crossesOn = serializers.DateField()
    earliest = serializers.DateField()
    latest = serializers.DateField()
    slopePerDay = serializers.FloatField()
    level = serializers.FloatField()
    asOf = serializers.DateField()
    since = serializers.DateField()
    readings = serializers.IntegerField()


class Trend(serializers.Serializer):  # type: ignore[type-arg]
    """The numbers of an item at a point, oldest first, with the limits as they were at the last of them.

    `forecast` where its trend leads to a limit; else `noForecast` says why there is none: noLimit, few, short, flat,
    away, crossed or far. Both are empty where a span of the past is asked for.
    """

    itemId = serializers.CharField()
    itemName = serializers.CharField()
    pointName = serializers.CharField()
    machineName = serializers.CharField()
    unit = serializers.CharField()
    decimals = serializers.IntegerField()
    lower = serializers.FloatField(allow_null=True)
    warnLower = serializers.FloatField(allow_null=True)
    warnUpper = serializers.FloatField(allow_null=True)
    upper = serializers.FloatField(allow_null=True)
    values = TrendPoint(many=True)
    forecast = TrendForecast(allow_null=True)
    noForecast = serializers.CharField()
