"""Wire forms of repair orders and work lines."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.audit.story import LogSerializer
from core.kernel import clock, ports
from core.kernel.serializers import AmountField, FlagField, IdField, IdListField, NameField, NounSerializer
from core.kernel.steps import OpenTaskSerializer, open_task
from core.kernel.texts import moment
from core.maintenance import dues
from core.maintenance.actions import ACTIONS, EDIT, LINE, REMOVE
from core.maintenance.models import RepairLine, RepairOrder, Status
from core.maintenance.spans import union, whole_minutes
from core.storage.serializers import ImagesField, ShownFile


def minutes(seconds: float | None) -> int | None:
    """Whole minutes, half up; None stays None."""
    return None if seconds is None else whole_minutes(seconds)


def _between(begin: Any, end: Any) -> int | None:
    return minutes((end - begin).total_seconds()) if begin and end else None


class RepairOrderSerializer(NounSerializer):
    """An order in a list. `waiting` in the context holds the open items of the page's orders."""

    status = serializers.IntegerField(read_only=True)
    statusName = NameField(source="get_status_display")
    urgencyName = NameField(source="get_urgency_display")
    repairTypeName = NameField(source="get_repair_type_display")
    machineId = IdField(source="machine_id", read_only=True)
    machineName = NameField(source="machine.machine_name")
    machineCode = NameField(source="machine.machine_code")
    deptId = IdField(source="dept_id", read_only=True)
    deptName = NameField(source="dept")
    isStop = FlagField(source="is_stop", read_only=True)
    reportUserId = IdField(source="report_user_id", read_only=True)
    reportUserName = NameField(source="report_user.real_name")
    repairUserId = IdField(source="repair_user_id", allow_null=True, read_only=True)
    repairUserName = NameField(source="repair_user.real_name")
    teamId = IdField(source="team_id", allow_null=True, read_only=True)
    teamName = NameField(source="team")
    responseMinutes = serializers.SerializerMethodField()
    isResponseLate = serializers.SerializerMethodField()
    isFinishLate = serializers.SerializerMethodField()
    isRepeat = FlagField(source="repeat_count", read_only=True)
    waitingFor = serializers.SerializerMethodField()

    class Meta:
        model = RepairOrder
        # All that the methods below read of an order, for the fast list.
        computed_from = (
            "status", "urgency", "report_time", "accept_time", "finish_time", "plan_finish_time", "hang_start",
            "hang_seconds",
        )  # fmt: skip
        fields: tuple[str, ...] = (
            "id",
            "order_no",
            "status",
            "statusName",
            "lock_version",
            "machineId",
            "machineName",
            "machineCode",
            "deptId",
            "deptName",
            "title",
            "description",
            "urgency",
            "urgencyName",
            "repair_type",
            "repairTypeName",
            "isStop",
            "reportUserId",
            "reportUserName",
            "report_time",
            "repairUserId",
            "repairUserName",
            "teamId",
            "teamName",
            "plan_finish_time",
            "accept_time",
            "finish_time",
            "close_time",
            "rework_count",
            "isRepeat",
            "responseMinutes",
            "isResponseLate",
            "isFinishLate",
            "waitingFor",
            "create_time",
        )

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

    def get_waitingFor(self, order: RepairOrder) -> str:
        """The step that waits and for whom; empty when the order is closed."""
        item: ports.OpenItem | None = self.context["waiting"].get(order.pk)
        if item is None:
            return ""
        who = self.context["names"](item)
        return f"{item.node_name} · {who}" if who else item.node_name


class Saved(serializers.Serializer):  # type: ignore[type-arg]
    """What a report and every act on an order answer."""

    id = serializers.CharField()
    orderNo = serializers.CharField()
    status = serializers.IntegerField()
    statusName = serializers.CharField()
    lockVersion = serializers.IntegerField()


class Duplicate(serializers.Serializer):  # type: ignore[type-arg]
    """An open order that a new report may repeat."""

    id = serializers.CharField()
    orderNo = serializers.CharField()
    title = serializers.CharField()
    statusName = serializers.CharField()
    reportTime = serializers.CharField()


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
    images = ImagesField(required=False)

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


class StopSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """An interval in which the machine stood for the order's fault."""

    startTime = serializers.CharField()
    endTime = serializers.CharField(allow_null=True)
    minutes = serializers.IntegerField()


class RepairOrderDetail(RepairOrderSerializer):
    """An order as a document; the view puts what it read beside the order into the context."""

    sourceName = NameField(source="get_source_display")
    reportPhone = NameField(source="report_user.phone")
    helperIds = IdListField(source="helper_ids", read_only=True)
    helperNames = serializers.SerializerMethodField()
    partMachineId = IdField(source="part_machine_id", allow_null=True, read_only=True)
    partMachineName = NameField(source="part_machine.machine_name")
    isOutsource = FlagField(source="is_outsource", read_only=True)
    repeatOfId = IdField(source="repeat_of_id", allow_null=True, read_only=True)
    repeatOfNo = NameField(source="repeat_of.order_no")
    totalCost = AmountField(source="total_cost", max_digits=16, decimal_places=2, read_only=True)
    stops = serializers.SerializerMethodField()
    location = NameField(source="machine.location")
    images = ImagesField(read_only=True)
    voice = serializers.SerializerMethodField()
    files = serializers.SerializerMethodField()
    afterImages = ImagesField(source="after_images", read_only=True)
    faultTagIds = IdListField(source="fault_tag_ids", read_only=True)
    faultTagNames = serializers.SerializerMethodField()
    causeTagId = IdField(source="cause_tag_id", allow_null=True, read_only=True)
    causeTagName = serializers.SerializerMethodField()
    actionTagIds = IdListField(source="action_tag_ids", read_only=True)
    actionTagNames = serializers.SerializerMethodField()
    hangReasonName = NameField(source="get_hang_reason_display")
    cancelReasonName = NameField(source="get_cancel_reason_display")
    checkResultName = NameField(source="get_check_result_display")
    checkUserName = NameField(source="check_user.real_name")
    dispatchUserName = NameField(source="dispatch_user.real_name")
    repairMinutes = serializers.SerializerMethodField()
    hangMinutes = serializers.SerializerMethodField()
    stopMinutes = serializers.SerializerMethodField()
    labourMinutes = serializers.SerializerMethodField()
    responseDue = serializers.SerializerMethodField()
    finishDue = serializers.SerializerMethodField()
    processInstanceId = serializers.SerializerMethodField()
    processDefinitionId = serializers.SerializerMethodField()
    lines = serializers.SerializerMethodField()
    logs = serializers.SerializerMethodField()
    openTask = serializers.SerializerMethodField()
    allowedActions = serializers.SerializerMethodField()

    class Meta(RepairOrderSerializer.Meta):
        fields = (
            *RepairOrderSerializer.Meta.fields,
            "source", "sourceName", "reportPhone", "helperIds", "helperNames", "repeat_count", "repeatOfId",
            "repeatOfNo", "partMachineId", "partMachineName", "isOutsource", "vendor_name", "outsource_cost",
            "other_cost", "labour_cost", "totalCost", "stops",
            "location", "images", "voice", "files", "afterImages",
            "faultTagIds", "faultTagNames", "causeTagId", "causeTagName",
            "actionTagIds", "actionTagNames", "solution", "stop_start", "stop_end", "dispatch_time",
            "dispatchUserName", "hang_reason", "hangReasonName", "hang_remark", "hang_start", "cancel_reason",
            "cancelReasonName", "check_result", "checkResultName", "check_score", "check_remark", "check_time",
            "checkUserName", "repairMinutes", "hangMinutes", "stopMinutes", "labourMinutes", "responseDue",
            "finishDue", "processInstanceId", "processDefinitionId", "lines", "logs", "openTask", "allowedActions",
        )  # fmt: skip

    @extend_schema_field(ShownFile(allow_null=True))
    def get_voice(self, order: RepairOrder) -> dict[str, Any] | None:
        """What the reporter said, recorded."""
        return self.context["shown"].get(order.voice)  # type: ignore[no-any-return]

    @extend_schema_field(ShownFile(many=True))
    def get_files(self, order: RepairOrder) -> list[dict[str, Any]]:
        """What came with the report."""
        return [self.context["shown"][name] for name in order.files if name in self.context["shown"]]

    def _words(self, ids: list[int]) -> list[str]:
        return [self.context["words"][tag] for tag in ids if tag in self.context["words"]]

    def get_faultTagNames(self, order: RepairOrder) -> list[str]:
        """Symptoms."""
        return self._words(order.fault_tag_ids)

    def get_causeTagName(self, order: RepairOrder) -> str:
        """Cause."""
        return "".join(self._words([order.cause_tag_id] if order.cause_tag_id else []))

    def get_actionTagNames(self, order: RepairOrder) -> list[str]:
        """Actions taken."""
        return self._words(order.action_tag_ids)

    def get_repairMinutes(self, order: RepairOrder) -> int | None:
        """Work time of finished rounds, without holds and without waiting for the check."""
        return minutes(order.repair_seconds)

    def get_hangMinutes(self, order: RepairOrder) -> int | None:
        """Time on hold."""
        return minutes(order.hang_seconds)

    def get_helperNames(self, order: RepairOrder) -> list[str]:
        """Whoever helps the repairer."""
        return [self.context["people"][user] for user in order.helper_ids if user in self.context["people"]]

    @extend_schema_field(StopSerializer(many=True))
    def get_stops(self, order: RepairOrder) -> list[dict[str, Any]]:
        """When the machine stood, oldest first; what still lasts is counted until now."""
        return [
            {
                "startTime": moment(stop.start_time),
                "endTime": moment(stop.end_time) or None,
                "minutes": _between(stop.start_time, stop.end_time or clock.now()),
            }
            for stop in self.context["stops"]
        ]

    def get_stopMinutes(self, order: RepairOrder) -> int | None:
        """How long the machine stood, or stands by now; None without a stop."""
        if not order.is_stop:
            return None
        spans = [(stop.start_time, stop.end_time or clock.now()) for stop in self.context["stops"]]
        return minutes(union(spans).total_seconds())

    def get_labourMinutes(self, order: RepairOrder) -> int | None:
        """Sum of the work lines."""
        return minutes(order.labour_seconds)

    def get_responseDue(self, order: RepairOrder) -> str:
        """By when somebody must accept."""
        return moment(dues.response_due(order))

    def get_finishDue(self, order: RepairOrder) -> str | None:
        """By when it must be finished; None before the acceptance unless promised."""
        due = dues.finish_due(order)
        return moment(due) if due else None

    def get_processInstanceId(self, order: RepairOrder) -> str:
        """The process behind the order."""
        return str(self.context["instance"][0])

    def get_processDefinitionId(self, order: RepairOrder) -> str:
        """Its version of the model."""
        return str(self.context["instance"][1])

    @extend_schema_field(LineSerializer(many=True))
    def get_lines(self, order: RepairOrder) -> list[dict[str, Any]]:
        """Work lines in time order."""
        return LineSerializer(self.context["lines"], many=True).data  # type: ignore[return-value]

    @extend_schema_field(LogSerializer(many=True))
    def get_logs(self, order: RepairOrder) -> list[dict[str, Any]]:
        """Acts, oldest first."""
        return self.context["logs"]  # type: ignore[no-any-return]

    @extend_schema_field(OpenTaskSerializer(allow_null=True))
    def get_openTask(self, order: RepairOrder) -> dict[str, Any] | None:
        """The step that waits."""
        return open_task(self.context["waiting"].get(order.pk), self.context["names"])

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(choices=[*ACTIONS, LINE, EDIT, REMOVE])))
    def get_allowedActions(self, order: RepairOrder) -> list[str]:
        """What whoever asks may do now."""
        return self.context["allowed"]  # type: ignore[no-any-return]


def _numbers(*names: str) -> dict[str, serializers.Field]:  # type: ignore[type-arg]
    return {name: serializers.IntegerField(allow_null=name.startswith("avg")) for name in names}


class _Numbers(serializers.Serializer):  # type: ignore[type-arg]
    """Whole numbers by name, and what else a class declares."""

    whole: tuple[str, ...] = ()

    def get_fields(self) -> dict[str, Any]:
        """The declared fields and the whole numbers."""
        return {**super().get_fields(), **_numbers(*self.whole)}


class PersonTime(_Numbers):
    """A person's repair time in a period."""

    whole = (
        "orderCount", "finishCount", "reworkCount", "labourMinutes", "mergedMinutes", "nightMinutes",
        "avgResponseMinutes", "avgRepairMinutes",
    )  # fmt: skip

    userId = serializers.CharField()
    userName = serializers.CharField()
    deptName = serializers.CharField()
    teamName = serializers.CharField()
    firstPassRate = serializers.FloatField(allow_null=True)
    labourAmount = serializers.FloatField()
    overtimeMinutes = serializers.IntegerField(allow_null=True)
    scheduledMinutes = serializers.IntegerField(allow_null=True)
    utilization = serializers.FloatField(allow_null=True)


class GroupWork(_Numbers):
    """A group's repair work in a period."""

    whole = (
        "reported", "dispatched", "finished", "checked", "open", "overdue", "reworked", "cancelled", "repeated",
        "labourMinutes", "stopMinutes", "avgRepairMinutes",
    )  # fmt: skip

    key = serializers.CharField()
    name = serializers.CharField()
    totalCost = serializers.FloatField()
    share = serializers.FloatField(allow_null=True)


class SymptomCount(serializers.Serializer):  # type: ignore[type-arg]
    """How often a symptom was reported."""

    tagId = serializers.CharField()
    tagName = serializers.CharField()
    count = serializers.IntegerField()


class MachineStop(StopSerializer):
    """A stop of a machine, with the order that it was for."""

    orderId = serializers.CharField()
    orderNo = serializers.CharField()


class MachineHistory(_Numbers):
    """What happened to a machine in a period; the first and last day stand in `from` and `to`."""

    whole = (
        "reported", "open", "finished", "repeats", "reworks", "stops", "stopMinutes", "repairMinutes",
        "labourMinutes", "avgResponseMinutes", "avgRepairMinutes",
    )  # fmt: skip

    to = serializers.CharField()
    totalCost = serializers.FloatField()
    symptoms = SymptomCount(many=True)
    lastStops = MachineStop(many=True)

    def get_fields(self) -> dict[str, Any]:
        """`from` is a word of Python's own."""
        return {"from": serializers.CharField(), **super().get_fields()}
