"""Wire forms of maintenance orders, their items and lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core import ports
from core.cases.serializers import CaseDetail, CaseRow, saved_serializer
from core.equipment.spans import union
from core.equipment.stoppages import StopSerializer
from core.inspection.cycles import Trigger
from core.inspection.items import CheckItem
from core.kernel import clock
from core.kernel.texts import label
from core.maintenance.serializers import NamesField
from core.preventive import limits, work
from core.preventive.case import MAINTAIN
from core.preventive.models import MaintainLine, MaintainOrder, MaintainOrderDetail, Status
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
from core.storage.serializers import ImagesField
from core.system.periods import local_day, today

Saved = saved_serializer(MAINTAIN)


class MaintainOrderSerializer(CaseRow):
    """An order in a list. `waiting` in the context holds the open items of the page's orders."""

    machineCode = NameField(source="machine.machine_code", label=label("设备编号", "Asset code"))
    isOverdue = SaidField(kind="flag", label=label("逾期", "Overdue"))
    usedMinutes = SaidField(kind="minutes", label=label("实际用时", "Time taken"))
    totalCost = SaidField(kind="decimal", label=label("费用合计", "Total cost"))

    class Meta:
        model = MaintainOrder
        computed_from = (
            "status", "due_date", "start_time", "finish_time", "labour_cost", "spare_cost", "other_cost",
        )  # fmt: skip
        fields: tuple[str, ...] = (
            "id", "order_no", "status", "statusName", "lock_version", "machine", "machineCode", "dept", "config",
            "config_name", "level", "source", "trigger_type", "due_date", "original_due_date", "due_hours", "is_first",
            "isOverdue", "plan_start", "plan_end", "team", "executor", "est_minutes", "start_time", "finish_time",
            "usedMinutes", "abnormal_count", "delay_count", "totalCost", "waitingFor", "create_time",
        )  # fmt: skip

    def get_isOverdue(self, order: MaintainOrder) -> int:
        """0 or 1: not submitted on the day when it is due, or submitted later."""
        if order.status == Status.CANCELLED:
            return 0
        day = local_day(order.finish_time) if order.finish_time is not None else today()
        return int(day > order.due_date)

    def get_usedMinutes(self, order: MaintainOrder) -> int | None:
        """From start to finish, as they were entered."""
        if order.start_time is None or order.finish_time is None:
            return None
        return whole_minutes((order.finish_time - order.start_time).total_seconds())

    def get_totalCost(self, order: MaintainOrder) -> float:
        """Labor, parts and the rest."""
        return float(order.labour_cost + order.spare_cost + order.other_cost)


class MaintainLineSerializer(NounSerializer):
    """A line of work time."""

    userId = IdField(source="user_id", read_only=True)
    userName = NameField(source="user.real_name")
    minutes = serializers.SerializerMethodField()

    class Meta:
        model = MaintainLine
        fields = ("id", "userId", "userName", "start_time", "end_time", "minutes", "content", "hour_rate", "amount")
        read_only_fields = fields

    def get_minutes(self, line: MaintainLine) -> int:
        """Length of the line."""
        return whole_minutes((line.end_time - line.start_time).total_seconds())


class MaintainItemSerializer(NounSerializer):
    """An item of an order: what the standard asks, and what came of it."""

    orderId = IdField(source="order_id", required=False)
    itemId = NameField(source="item_id")
    resultName = NameField(source="get_result_display")
    userName = NameField(source="user.real_name")
    repairOrderId = IdField(source="repair_order_id", read_only=True, allow_null=True)
    repairOrderNo = serializers.SerializerMethodField()
    item = serializers.SerializerMethodField()
    judgeText = serializers.SerializerMethodField()

    class Meta:
        model = MaintainOrderDetail
        fields = (
            "id", "orderId", "itemId", "item_name", "item", "value", "result", "resultName", "finding",
            "judgeText", "handling", "images", "userName", "done_time", "repairOrderId", "repairOrderNo", "sort",
        )  # fmt: skip
        read_only_fields = ("finding", "done_time", "sort")

    def _kept(self, name: str) -> dict[int, Any]:
        """Return what was read for other items; the view has put some of it into the context."""
        context: Any = self.context
        found: dict[int, Any] = context.setdefault(name, {})
        return found

    def _item(self, row: MaintainOrderDetail) -> Mapping[str, Any] | None:
        """Return what the standard says of the item; read once for all items of an order."""
        kept = self._kept("items")
        if row.order_id not in kept:
            kept[row.order_id] = row.order.items()
        found: Mapping[str, Any] | None = kept[row.order_id].get(row.item_id)
        return found

    @extend_schema_field(CheckItem(allow_null=True))
    def get_item(self, row: MaintainOrderDetail) -> Any:
        """What the standard asks, as it was when the order was made; null of an own item."""
        item = self._item(row)
        return None if item is None else CheckItem(item, context=self.context).data

    def get_judgeText(self, row: MaintainOrderDetail) -> str:
        """Why it is abnormal: `78.5℃ > 上限75℃`."""
        item = self._item(row)
        return "" if item is None else work.said_of(item, row)

    def get_repairOrderNo(self, row: MaintainOrderDetail) -> str:
        """The number of the work order that was made of it; a list has read them all."""
        if row.repair_order_id is None:
            return ""
        kept = self._kept("repairs")
        if row.repair_order_id not in kept:
            kept.update(ports.repairs.states([row.repair_order_id]))
        found = kept.get(row.repair_order_id)
        return found.number if found is not None else ""


class MaintainRepair(serializers.Serializer):  # type: ignore[type-arg]
    """A work order that was made of abnormal items."""

    id = serializers.CharField()
    orderNo = serializers.CharField()
    statusName = serializers.CharField()


class MaintainOrderDetailSerializer(CaseDetail, MaintainOrderSerializer):
    """An order as a document; the view puts what it read beside the order into the context."""

    case = MAINTAIN

    location = NameField(source="machine.location", label=label("位置", "Location"))
    meterUnitName = NameField(source="machine.get_meter_unit_display", label=label("计量单位", "Meter unit"))
    userIds = IdListField(source="user_ids", read_only=True)
    userNames = NamesField(source="user_ids", label=label("指定人员", "Assigned to"))
    labourCost = MoneyField(source="labour_cost", read_only=True)
    spareCost = MoneyField(source="spare_cost", read_only=True)
    otherCost = MoneyField(source="other_cost", read_only=True)
    labourMinutes = MinutesField(source="labour_seconds")
    stopMinutes = SaidField(kind="minutes", label=label("停机时长", "Downtime"))
    needReading = SaidField(kind="flag", label=label("须填读数", "Reading required"))
    standing = FlagField(read_only=True, label=label("停机中", "Stopped"))
    stops = serializers.SerializerMethodField()
    details = MaintainItemSerializer(many=True, read_only=True, label=label("保养项目", "Items"))
    lines = MaintainLineSerializer(many=True, read_only=True, label=label("工时", "Labor"))
    spares = serializers.SerializerMethodField(label=label("备件", "Spare parts"))
    repairOrders = serializers.SerializerMethodField()
    latestDueDate = SaidField(help_text="The last day to which it may be delayed.")
    signImage = ImagesField(source="sign_image", read_only=True, label=label("签名", "Signature"))

    class Meta(MaintainOrderSerializer.Meta):
        fields = (
            *MaintainOrderSerializer.Meta.fields, "location", "meterUnitName", "userIds", "userNames",
            "delay_reason", "need_stop", "need_check", "need_sign", "tools", "safety", "safety_confirmed", "stop_start",
            "stop_end", "stopMinutes", "standing", "stops", "begin_time", "read_hours", "needReading", "summary",
            "images", "signImage",
            "labourCost", "spareCost", "otherCost", "labourMinutes", "repairOrders", "check_user", "check_time",
            "check_result", "check_remark", "rework_count", "close_time", "cancel_reason", "remark", "latestDueDate",
            "details", "lines", "spares", *CaseDetail.PROCESS,
        )  # fmt: skip

    @extend_schema_field(RequestShown(many=True))
    def get_spares(self, order: MaintainOrder) -> Any:
        """The requests for spare parts, oldest first."""
        return self.context["spares"]

    def get_stopMinutes(self, order: MaintainOrder) -> int | None:
        """How long the asset stood, or stands by now; None without a stop."""
        stops = self.context["stops"].get(order.pk, [])
        if not stops:
            return None
        return whole_minutes(union([(stop.start_time, stop.end_time or clock.now()) for stop in stops]).total_seconds())

    def get_needReading(self, order: MaintainOrder) -> int:
        """0 or 1."""
        return int(order.trigger_type != Trigger.CALENDAR)

    @extend_schema_field(StopSerializer(many=True))
    def get_stops(self, order: MaintainOrder) -> Any:
        """When the asset stood, oldest first."""
        return StopSerializer(self.context["stops"].get(order.pk, []), many=True).data

    @extend_schema_field(MaintainRepair(many=True))
    def get_repairOrders(self, order: MaintainOrder) -> list[dict[str, Any]]:
        """Those that are there still."""
        return repairs_of(order, self.context["repairs"])

    def get_latestDueDate(self, order: MaintainOrder) -> str:
        """A day."""
        return limits.latest(order).isoformat()


def repairs_of(order: MaintainOrder, states: Mapping[int, ports.RepairState]) -> list[dict[str, Any]]:
    """Return the work orders that were made of an order, as answers name them."""
    found = [states[int(pk)] for pk in order.repair_order_ids if int(pk) in states]
    return [{"id": str(one.id), "orderNo": one.number, "statusName": one.status_name} for one in found]


class MaintainSpareShort(serializers.Serializer):  # type: ignore[type-arg]
    """A planned part of which there is less than the next work takes."""

    spareId = serializers.CharField()
    spareName = serializers.CharField()
    qty = serializers.FloatField()
    availableQty = serializers.FloatField()


class MaintainSubmitted(Saved):  # type: ignore[misc,valid-type]
    """What a submission answers: where the order stands, when the work is due next, and what it has led to."""

    nextDueDate = serializers.DateField(allow_null=True)
    nextDueHours = serializers.FloatField(allow_null=True)
    predictedDate = serializers.DateField(allow_null=True)
    repairOrders = MaintainRepair(many=True)
    spareShort = MaintainSpareShort(many=True)


class MaintainItemStored(serializers.Serializer):  # type: ignore[type-arg]
    """What writing an item answers."""

    id = serializers.CharField()
