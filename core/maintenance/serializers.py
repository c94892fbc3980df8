"""Wire forms of repair orders and work lines."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.cases.serializers import CaseDetail, CaseRow, saved_serializer
from core.equipment.spans import union
from core.equipment.stoppages import StopSerializer
from core.kernel import clock
from core.kernel.texts import label, moment
from core.maintenance import dues
from core.maintenance.case import REPAIR
from core.maintenance.models import RepairLine, RepairOrder, Status
from core.rest.masking import clean
from core.rest.serializers import (
    FlagField,
    IdField,
    IdListField,
    MinutesField,
    MoneyField,
    NameField,
    NounSerializer,
    SaidField,
    whole_minutes,
)
from core.spares.serializers import RequestShown
from core.storage.serializers import ShownFilesField, ShownVoiceField


def _between(begin: Any, end: Any) -> int | None:
    return whole_minutes((end - begin).total_seconds()) if begin and end else None


class RepairOrderSerializer(CaseRow):
    """An order in a list. `waiting` in the context holds the open items of the page's orders."""

    machineCode = NameField(source="machine.machine_code", label=label("设备编号", "Asset code"))
    responseMinutes = SaidField(kind="minutes", label=label("响应用时", "Response time"))
    isResponseLate = SaidField(kind="flag", label=label("响应超时", "Response overdue"))
    isFinishLate = SaidField(kind="flag", label=label("完工超时", "Completion overdue"))
    isRepeat = FlagField(source="repeat_count", read_only=True, label=label("重复故障", "Repeat failure"))
    responseDue = SaidField(kind="moment", label=label("接单时限", "Accept by"))
    finishDue = SaidField(kind="moment", label=label("完工时限", "Finish by"))
    stopMinutes = SaidField(kind="minutes", label=label("停机时长", "Downtime"))
    totalCost = SaidField(kind="decimal", label=label("费用合计", "Total cost"))

    class Meta:
        model = RepairOrder
        # All that the methods below read of an order, for the fast list.
        computed_from = (
            "status", "urgency", "report_time", "accept_time", "finish_time", "plan_finish_time", "hang_start",
            "hang_seconds", "is_stop", "labour_cost", "spare_cost", "outsource_cost", "other_cost",
        )  # fmt: skip
        fields: tuple[str, ...] = (
            "id", "order_no", "status", "statusName", "lock_version", "machine", "machineCode", "dept", "title",
            "description", "urgency", "repair_type", "is_stop", "report_user", "report_time", "repair_user", "team",
            "plan_finish_time", "accept_time", "finish_time", "close_time", "rework_count", "isRepeat",
            "responseMinutes", "responseDue", "finishDue", "stopMinutes", "totalCost", "isResponseLate", "isFinishLate",
            "waitingFor", "reporter_name", "reporter_phone", "ext", "create_time",
        )  # fmt: skip

    def get_responseMinutes(self, order: RepairOrder) -> int | None:
        """From the report to the first acceptance."""
        return _between(order.report_time, order.accept_time)

    def get_isResponseLate(self, order: RepairOrder) -> int:
        """0 or 1; an open order is late as soon as its limit has passed."""
        if order.status == Status.CANCELLED and order.accept_time is None:
            return 0
        return int((order.accept_time or clock.now()) > dues.response_due(order))

    def get_isFinishLate(self, order: RepairOrder) -> int:
        """0 or 1; time on hold does not count."""
        due = dues.finish_due(order)
        if due is None or order.status == Status.CANCELLED:
            return 0
        return int((order.finish_time or order.hang_start or clock.now()) > due)

    def get_responseDue(self, order: RepairOrder) -> str:
        """By when somebody must accept."""
        return moment(dues.response_due(order))

    def get_finishDue(self, order: RepairOrder) -> str | None:
        """By when it must be finished; None before the acceptance unless promised."""
        due = dues.finish_due(order)
        return moment(due) if due else None

    def get_stopMinutes(self, order: RepairOrder) -> int | None:
        """How long the machine stood, or stands by now; None without a stop."""
        if not order.is_stop:
            return None
        spans = [(stop.start_time, stop.end_time or clock.now()) for stop in self.context["stops"].get(order.pk, [])]
        return whole_minutes(union(spans).total_seconds())

    def get_totalCost(self, order: RepairOrder) -> float:
        """Labor, spare parts, contractor and the rest."""
        return float(order.labour_cost + order.spare_cost + order.outsource_cost + order.other_cost)


Saved = saved_serializer(REPAIR)


class Duplicate(serializers.Serializer):  # type: ignore[type-arg]
    """An open order that a new report may repeat."""

    id = serializers.CharField()
    orderNo = serializers.CharField(source="order_no")
    title = serializers.CharField()
    statusName = serializers.CharField(source="get_status_display")
    reportTime = serializers.DateTimeField(source="report_time")


class LikelyDuplicate(serializers.Serializer):  # type: ignore[type-arg]
    """The answer to a report that was not stored; sent again with `force` it is."""

    needConfirm = serializers.BooleanField()
    orders = Duplicate(many=True)


class LineSerializer(NounSerializer):
    """A work line."""

    orderId = IdField(source="order_id")
    userId = IdField(source="user_id", required=False)
    userName = NameField(source="user.real_name")
    workTypeName = NameField(source="get_work_type_display")
    minutes = serializers.SerializerMethodField()

    class Meta:
        model = RepairLine
        fields = (
            "id", "orderId", "work_type", "workTypeName", "userId", "userName", "start_time", "end_time", "minutes",
            "content", "images", "hour_rate", "amount",
        )  # fmt: skip
        read_only_fields = ("hour_rate", "amount")

    def get_minutes(self, line: RepairLine) -> int | None:
        """Length of the line."""
        return _between(line.start_time, line.end_time)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """End after start, not in the future, at most a day."""
        begin, end = attrs["start_time"], attrs["end_time"]
        if end <= begin:
            raise serializers.ValidationError({"endTime": _("结束时间必须晚于开始时间")})
        if end > clock.now():
            raise serializers.ValidationError({"endTime": _("结束时间不能晚于当前时间")})
        if (end - begin).total_seconds() > 24 * 3600:
            raise serializers.ValidationError({"endTime": _("单条工时不能超过24小时")})
        return attrs


class LineStored(serializers.Serializer):  # type: ignore[type-arg]
    """What writing a line answers; warnings are sentences on other orders at the same time."""

    id = serializers.CharField()
    warnings = serializers.ListField(child=serializers.CharField())


class MachineUser(serializers.Serializer):  # type: ignore[type-arg]
    """Somebody who may be sent to a machine, and what they have on their hands."""

    userId = IdField(source="pk")
    userName = NameField(source="real_name")
    account = NameField()
    phone = serializers.SerializerMethodField(help_text="Without the digits in its middle.")
    deptId = IdField(source="dept_id", allow_null=True)
    deptName = NameField(source="dept")
    postName = NameField(source="post_name")
    roleNames = serializers.ListField(source="role_names", child=serializers.CharField())
    teamId = NameField(source="first_team.pk")
    teamName = NameField(source="first_team")
    openOrders = serializers.IntegerField(source="load")
    onDuty = FlagField(source="on_duty")
    shiftName = NameField(source="shift_name")
    isDuty = FlagField(source="is_duty")
    isOfTeam = FlagField(source="is_of_team")

    def get_phone(self, person: Any) -> str:
        """Return the number as others may see it."""
        return clean(person.phone or "")


class NamesField(serializers.ListField):
    """The names of the ids in a column; the context has them by id as `names`."""

    def __init__(self, **kwargs: Any):
        super().__init__(child=serializers.CharField(), read_only=True, **kwargs)

    def to_representation(self, value: Any) -> Any:
        """Those that are known."""
        names = self.context["names"]
        return [names[one] for one in value if one in names]


class _CauseField(NameField):
    """The word for the cause."""

    def get_attribute(self, order: RepairOrder) -> str:
        """From the context, as `NamesField`."""
        return str(self.context["names"].get(order.cause_tag_id, ""))


class RepairOrderDetail(CaseDetail, RepairOrderSerializer):
    """An order as a document; the view puts what it read beside the order into the context."""

    case = REPAIR

    reportPhone = NameField(source="report_user.phone")
    helperIds = IdListField(source="helper_ids", read_only=True)
    helperNames = NamesField(source="helper_ids", label=label("协助人员", "Helpers"))
    repeatOfId = IdField(source="repeat_of_id", allow_null=True, read_only=True)
    repeatOfNo = NameField(source="repeat_of.order_no", label=label("重复故障", "Repeat failure"))
    labourCost = MoneyField(source="labour_cost", read_only=True)
    spareCost = MoneyField(source="spare_cost", read_only=True)
    outsourceCost = MoneyField(source="outsource_cost", read_only=True)
    otherCost = MoneyField(source="other_cost", read_only=True)
    stops = serializers.SerializerMethodField()
    location = NameField(source="machine.location", label=label("位置", "Location"))
    voice = ShownVoiceField()
    files = ShownFilesField()
    faultTagIds = IdListField(source="fault_tag_ids", read_only=True)
    faultTagNames = NamesField(source="fault_tag_ids", label=label("故障现象", "Symptoms"))
    causeTagName = _CauseField()
    actionTagIds = IdListField(source="action_tag_ids", read_only=True)
    actionTagNames = NamesField(source="action_tag_ids", label=label("处理措施", "Actions taken"))
    cancelReasonName = NameField(source="get_cancel_reason_display", label=label("取消原因", "Reason for cancellation"))
    repairMinutes = MinutesField(source="repair_seconds", allow_null=True)
    hangMinutes = MinutesField(source="hang_seconds")
    labourMinutes = MinutesField(source="labour_seconds")
    lines = LineSerializer(many=True, read_only=True, label=label("工时", "Labor"))
    spares = serializers.SerializerMethodField(label=label("备件", "Spare parts"))

    class Meta(RepairOrderSerializer.Meta):
        fields = (
            *RepairOrderSerializer.Meta.fields, "source", "reportPhone", "helperIds", "helperNames", "repeat_count",
            "repeatOfId", "repeatOfNo", "part_machine", "is_outsource", "vendor_name", "outsourceCost", "otherCost",
            "labourCost", "spareCost", "stops", "location", "images", "voice", "files", "after_images", "faultTagIds",
            "faultTagNames", "cause_tag_id", "causeTagName", "actionTagIds", "actionTagNames", "solution",
            "stop_start", "stop_end", "dispatch_time", "dispatch_user", "hang_reason", "hang_remark", "hang_start",
            "cancel_reason", "cancelReasonName", "check_result", "check_score", "check_remark", "check_time",
            "check_user", "repairMinutes", "hangMinutes", "labourMinutes", "lines", "spares", *CaseDetail.PROCESS,
        )  # fmt: skip

    @extend_schema_field(RequestShown(many=True))
    def get_spares(self, order: RepairOrder) -> Any:
        """The requests for spare parts, oldest first."""
        return self.context["spares"]

    @extend_schema_field(StopSerializer(many=True))
    def get_stops(self, order: RepairOrder) -> Any:
        """When the machine stood, oldest first."""
        return StopSerializer(self.context["stops"].get(order.pk, []), many=True).data
