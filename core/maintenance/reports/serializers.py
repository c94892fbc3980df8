"""Wire forms of the reports on repair."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from core.equipment.stoppages import StopSerializer


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
    spareQuantity = serializers.FloatField(help_text="Issued for the finished orders, less what came back.")
    spareAmount = serializers.FloatField()
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
