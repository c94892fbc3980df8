"""Wire forms of the figures."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from core.metrics.home import NAMES
from core.rest.serializers import DayField, MomentField
from core.rest.tables import ColumnSerializer


class _Numbers(serializers.Serializer):  # type: ignore[type-arg]
    """Whole numbers, amounts and rates by name, and what else a class declares; `maybe` have nothing to divide by."""

    whole: tuple[str, ...] = ()
    maybe: tuple[str, ...] = ()
    amounts: tuple[str, ...] = ()
    rates: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def get_fields(self) -> dict[str, Any]:
        """The declared fields, and those by name."""
        return {
            **{name: serializers.CharField() for name in self.words},
            **super().get_fields(),
            **{name: serializers.IntegerField() for name in self.whole},
            **{name: serializers.IntegerField(allow_null=True) for name in self.maybe},
            **{name: serializers.FloatField() for name in self.amounts},
            **{name: serializers.FloatField(allow_null=True) for name in self.rates},
        }


class _OfPeriod(_Numbers):
    """Figures of the days `from` to `to`, known up to `asOf`."""

    to = serializers.CharField()
    asOf = serializers.DateTimeField()

    def get_fields(self) -> dict[str, Any]:
        """`from` is a word of Python's own."""
        return {"from": serializers.CharField(), **super().get_fields()}


class Cumulative(_Numbers):
    """Totals since the beginning."""

    asOf = serializers.DateTimeField()
    whole = (
        "machineTotal", "machineRunning", "machineStopped", "machineRepairing", "machineDisabled", "groupTotal",
        "pointTotal", "itemTotal", "inspectTotal", "inspectDone", "inspectRecords", "abnormalTotal", "repairTotal",
        "repairFinished", "repairOpen", "maintainTotal", "maintainDone", "maintainOverdue", "spareKinds", "spareLow",
        "userTotal",
    )  # fmt: skip
    maybe = ("safeDays",)
    amounts = ("spareAmount",)
    firstDay = serializers.CharField(allow_null=True)


class InspectionDay(_Numbers):
    """The tasks of a business date."""

    words = ("date",)
    whole = ("due", "done", "missed", "abnormal")


class InspectionRoute(_Numbers):
    """The tasks of a route."""

    words = ("groupId", "groupName")
    whole = ("due", "done", "missed")
    rates = ("completionRate",)


class Inspector(_Numbers):
    """The tasks that somebody has done."""

    words = ("userId", "userName")
    whole = ("done", "suspect")
    maybe = ("avgMinutes",)


class AbnormalItem(_Numbers):
    """An item that was abnormal."""

    words = ("machineId", "machineName", "itemName")
    whole = ("times",)


class InspectionOverview(_OfPeriod):
    """Figures of inspection tasks."""

    whole = (
        "due", "done", "onTime", "late", "missed", "exempt", "doing", "pending", "itemChecked", "abnormal", "warn",
    )  # fmt: skip
    rates = ("completionRate", "onTimeRate", "missedRate", "abnormalRate")
    trend = InspectionDay(many=True)
    byGroup = InspectionRoute(many=True)
    byUser = Inspector(many=True)
    topAbnormal = AbnormalItem(many=True)


class MaintenanceLevelRow(_Numbers):
    """Maintenance orders of a level."""

    words = ("levelName",)
    whole = ("level", "due", "done", "onTime")
    rates = ("compliance",)


class MaintenanceMonth(_Numbers):
    """Maintenance orders of a reporting month."""

    words = ("month",)
    whole = ("due", "done", "onTime")
    rates = ("compliance",)


class NearestOrder(_Numbers):
    """An open maintenance order."""

    words = ("orderId", "orderNo", "machineName", "configName", "dueDate", "executorName", "statusName")
    whole = ("daysLeft", "status")


class Reliability(_Numbers):
    """How reliable assets were, with what the rates are made of."""

    whole: tuple[str, ...] = (
        "failures", "upMinutes", "downMinutes", "plannedStopMinutes", "plannedMinutes", "repaired",
    )  # fmt: skip
    maybe = ("mttrMinutes",)
    rates: tuple[str, ...] = ("mtbfHours", "availability")


class MaintenanceOverview(_OfPeriod):
    """Figures of maintenance orders."""

    whole = (
        "due", "done", "onTime", "overdue", "cancelled", "upcoming7", "upcoming30", "planMinutes", "usedMinutes",
    )  # fmt: skip
    amounts = ("cost",)
    rates = ("compliance",)
    byLevel = MaintenanceLevelRow(many=True)
    trend = MaintenanceMonth(many=True)
    list = NearestOrder(many=True)
    reliability = Reliability()


_REPAIR_MAYBE = (
    "reported", "finished", "open", "overdue", "rework", "labourMinutes", "mergedMinutes", "stopMinutes",
    "avgResponseMinutes", "avgRepairMinutes",
)  # fmt: skip


class RepairRow(_Numbers):
    """Work orders of a reporting month or a day; of one that has not begun nothing is known."""

    words = ("period", "to")
    maybe = _REPAIR_MAYBE
    rates = ("spareAmount", "totalCost")

    def get_fields(self) -> dict[str, Any]:
        """`from` is a word of Python's own."""
        return {"from": serializers.CharField(), **super().get_fields()}


class RepairTotal(_Numbers):
    """Work orders of the whole span."""

    maybe = _REPAIR_MAYBE
    rates = ("spareAmount", "totalCost")


class RepairPerson(_Numbers):
    """Somebody's work on orders."""

    words = ("userId", "userName")
    whole = ("finished", "mergedMinutes")


class RepairMachine(_Numbers):
    """An asset's failures."""

    words = ("machineId", "machineName")
    whole = ("failures", "stopMinutes")
    amounts = ("totalCost",)


class RepairSymptom(_Numbers):
    """How often a symptom was reported."""

    words = ("tagId", "tagName")
    whole = ("times",)
    rates = ("share",)


class RepairUrgency(_Numbers):
    """How many orders were reported with a priority."""

    words = ("urgencyName",)
    whole = ("urgency", "times")


class RepairReport(_Numbers):
    """The work orders of a year by reporting month, or of a reporting month by day."""

    whole = ("year",)
    asOf = serializers.DateTimeField()
    rows = RepairRow(many=True)
    total = RepairTotal()
    topUsers = RepairPerson(many=True)
    topMachines = RepairMachine(many=True)
    bySymptom = RepairSymptom(many=True)
    byUrgency = RepairUrgency(many=True)


class KpiRow(Reliability):
    """The KPIs of an asset, a type, a department or a reporting month, each rate with what it is made of."""

    words = ("key", "name", "code", "typeName", "deptName")
    whole = (*Reliability.whole, "machines", "inspectDue", "inspectOnTime", "maintainDue", "maintainOnTime")
    amounts = ("repairCost", "maintainCost", "totalCost")
    rates = (*Reliability.rates, "inspectRate", "maintainRate")
    frozenOn = serializers.CharField(allow_null=True, help_text="The day since which its figures do not move.")


class KpiReport(serializers.Serializer):  # type: ignore[type-arg]
    """A page of the KPI report, with the sum of all rows and its columns."""

    to = serializers.CharField()
    asOf = serializers.DateTimeField()
    frozenOn = serializers.CharField(allow_null=True)
    columns = ColumnSerializer(many=True)
    records = KpiRow(many=True)
    summary = KpiRow()
    total = serializers.IntegerField()
    size = serializers.IntegerField()
    current = serializers.IntegerField()
    pages = serializers.IntegerField()

    def get_fields(self) -> dict[str, Any]:
        """`from` is a word of Python's own."""
        return {"from": serializers.CharField(), **super().get_fields()}


class KpiRecord(serializers.Serializer):  # type: ignore[type-arg]
    """A record behind a figure."""

    bizType = serializers.ChoiceField(choices=("repairorder", "maintainorder", "inspectorder", "inspectrestlog"))
    id = serializers.CharField(allow_blank=True, help_text="Empty where the caller may not open it.")
    no = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    machineId = serializers.CharField()
    machineName = serializers.CharField()
    time = serializers.CharField(allow_blank=True)
    minutes = serializers.IntegerField(allow_null=True)
    amount = serializers.FloatField(allow_null=True)


class _Ranked(_Numbers):
    whole = ("failures", "downMinutes")
    amounts = ("totalCost",)


class RankedMonth(_Numbers):
    """What makes an asset a bad actor, of one month; empty where it was not in service."""

    maybe = ("failures", "downMinutes")
    rates = ("totalCost",)


class CostEstimate(_Numbers):
    """What an asset may cost in the next twelve months, with its range."""

    amounts = ("low", "middle", "high")
    whole = ("months",)


class NextYear(_Numbers):
    """What one asset may cost next; None where fewer than six months are known of it."""

    words = ("machineId",)
    estimate = CostEstimate(allow_null=True)


class BadActor(_Ranked):
    """An asset among those that fail most, stand longest or cost most."""

    words = ("machineId", "name", "code")
    trend = RankedMonth(many=True)
    estimate = CostEstimate(allow_null=True)


class RepeatOrder(_Numbers):
    """A work order of a fault that came back."""

    words = ("id", "no", "time")


class RepeatFault(_Numbers):
    """A fault that came back at an asset."""

    words = ("machineId", "machineName", "tagName", "firstTime", "lastTime")
    whole = ("times",)
    orders = RepeatOrder(many=True)


class BadActors(_Numbers):
    """The worst assets of twelve reporting months, and what came back."""

    words = ("from", "to")
    whole = ("repeatDays",)
    asOf = serializers.DateTimeField()
    months = serializers.ListField(child=serializers.CharField())
    records = BadActor(many=True)
    repeats = RepeatFault(many=True)


class HomeRow(serializers.Serializer):  # type: ignore[type-arg]
    """A row that is named: what it is called, and the moment or the day that matters."""

    id = serializers.CharField()
    name = serializers.CharField()
    time = MomentField(allow_null=True)
    day = DayField(allow_null=True)


class HomeGroup(serializers.Serializer):  # type: ignore[type-arg]
    """Rows that matter for the same reason: how many, the first of them, and the address of the list of all."""

    name = serializers.ChoiceField(choices=list(NAMES))
    title = serializers.CharField()
    kind = serializers.CharField(help_text="What the rows are, in the word by which messages refer to records.")
    count = serializers.IntegerField()
    path = serializers.CharField()
    rows = HomeRow(many=True)


class HomeStatus(serializers.Serializer):  # type: ignore[type-arg]
    """How many work orders stand in a state."""

    status = serializers.IntegerField()
    statusName = serializers.CharField()
    count = serializers.IntegerField()


class Home(serializers.Serializer):  # type: ignore[type-arg]
    """What matters to a person; a section is null where nothing of it concerns them, and empty where nothing is there.

    `since` is the day from which on something counts as new.
    """

    asOf = MomentField()
    since = serializers.CharField()
    now = HomeGroup(many=True, allow_null=True)
    soon = HomeGroup(many=True, allow_null=True)
    wrong = HomeGroup(many=True, allow_null=True)
    orders = HomeStatus(many=True, allow_null=True)
