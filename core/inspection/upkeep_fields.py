"""Wire forms and rules of what a maintenance standard has beside a check standard: cycle, assets, planned parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from core.equipment.models import Machine, MeterUnit, NodeType, RunState
from core.inspection import due
from core.inspection.cycles import CycleAnchor, CycleUnit, DueState, Trigger
from core.inspection.due import Cycle
from core.inspection.items import plain_number
from core.inspection.upkeep import DATES, MaintenanceColumns, MaintenanceLevel, MaintenancePlan, PlannedPart
from core.kernel.texts import label, plural
from core.rest.serializers import DayField, NameField
from core.rest.shapes import Details, Serialized, Shape
from core.spares.models import SparePart
from core.system import parameters
from core.system.periods import today

MOST_MACHINES, MOST_PARTS = 200, 50
LEAST_LEVEL = NodeType.MACHINE
"""Of the asset tree, where maintenance is planned."""
_NOTHING: Mapping[str, Any] = {
    "level": None, "trigger_type": None, "cycle_value": None, "cycle_unit": None, "run_interval": None, "anchor": None,
    "lead_days": None, "lead_hours": None, "tolerance_percent": None, "est_minutes": None, "people_count": None,
    "need_stop": False, "user_ids": [], "team_id": None, "tools": "", "safety": "",
}  # fmt: skip
"""What a check standard has in the columns of maintenance."""
COLUMNS = tuple(_NOTHING)


# What people read


def cycle_text(cycle: Cycle, unit: int = MeterUnit.HOURS) -> str:
    """Return a cycle in words, such as 每6个月或每2000小时（先到为准）, in the caller's language."""
    said = []
    if cycle.by_date and cycle.value is not None and cycle.unit is not None:
        said.append(_by_date(cycle.value, cycle.unit))
    if cycle.by_meter and cycle.interval is not None:
        number = plain_number(cycle.interval) or ""
        said.append(_("每{n}{unit}").format(n=number, unit=MeterUnit(unit).label))
    if len(said) == 2:
        second = said[1][:1].lower() + said[1][1:]  # within the sentence, where the language has capitals
        return _("{a}或{b}（先到为准）").format(a=said[0], b=second)
    return said[0] if said else ""


def _by_date(value: int, unit: int) -> str:
    if value == 1:
        single = (_("每天"), _("每周"), _("每月"), _("每季度"), _("每年"))
        return single[unit - 1]
    match unit:
        case CycleUnit.DAY:
            return plural("每{n}天", value)
        case CycleUnit.WEEK:
            return plural("每{n}周", value)
        case CycleUnit.MONTH:
            return plural("每{n}个月", value)
        case CycleUnit.QUARTER:
            return plural("每{n}个季度", value)
    return plural("每{n}年", value)


class _CycleField(serializers.CharField):
    def get_attribute(self, instance: Any) -> str:
        """Return the cycle in words, in the meter unit of the assets."""
        return cycle_text(instance.cycle, getattr(instance, "meter_unit", None) or MeterUnit.HOURS)


class _UnitField(serializers.CharField):
    def get_attribute(self, instance: Any) -> str:
        """Return what the counter of the assets counts, empty where no counter makes the work due."""
        unit = getattr(instance, "meter_unit", None) or MeterUnit.HOURS
        return str(MeterUnit(unit).label) if instance.cycle.by_meter else ""


@dataclass(frozen=True)
class CycleText(Shape):
    """`cycleText`: the cycle of a maintenance standard in words, and `meterUnitName`, what its readings count."""

    def fields(self, model: Any) -> Serialized:
        """Return the fields; both are empty of a check standard."""
        return {
            "cycleText": _CycleField(read_only=True, label=label("保养周期", "Cycle")),
            "meterUnitName": _UnitField(read_only=True, label=label("计量单位", "Meter unit")),
        }


class _PredictedField(DayField):
    def get_attribute(self, instance: MaintenancePlan) -> Any:
        """Return when the counter will have come so far."""
        machine = instance.machine
        return due.predicted(instance.next_due_hours, machine.run_hours, machine.avg_daily_hours, today())


class _StateField(serializers.IntegerField):
    def get_attribute(self, instance: MaintenancePlan) -> Any:
        """Return how near the row is."""
        return state_of(instance)


class _StateName(NameField):
    def get_attribute(self, instance: MaintenancePlan) -> str:
        """Return how near the row is, in a word."""
        return str(state_of(instance).label)


class _OfMachine(serializers.CharField):
    def __init__(self, column: str, **kwargs: Any):
        super().__init__(**{"read_only": True, "source": f"machine.{column}", **kwargs})


def state_of(plan: MaintenancePlan) -> DueState:
    """Return how near a plan row is."""
    at = due.Due(plan.next_due_date, plan.next_due_hours)
    return due.state(plan.config.cycle, at, today(), plan.machine.run_hours)


@dataclass(frozen=True)
class Ahead(Shape):
    """Of a plan row its asset's code and meter, when the counter will have come so far, and how near it is."""

    def fields(self, model: Any) -> Serialized:
        """Return the fields."""
        said = label("到期状态", "Due state")
        return {
            "machineCode": _OfMachine("machine_code", label=label("设备编号", "Asset code")),
            "meterUnitName": _OfMachine("get_meter_unit_display", label=label("计量单位", "Meter unit")),
            "predictedDate": _PredictedField(
                read_only=True, allow_null=True, label=label("预计到期日", "Predicted due date")
            ),
            "dueState": _StateField(read_only=True, label=said),
            "dueStateName": _StateName(label=said),
        }


class _PlanRows(Details):
    def rows(self, head_id: int) -> Any:
        """Return the rows with the standard, whose cycle says how near they are."""
        return super().rows(head_id).select_related("machine", "config")


MACHINES = _PlanRows(
    "machines", label("适用设备", "Assets"), MaintenancePlan, head="config",
    shown=(
        "machine", "first_due_date", "first_due_hours", "paused", "last_done_time", "last_done_hours", "next_due_date",
        "next_due_hours", "skipped_count", Ahead(),
    ),
    most=MOST_MACHINES,
)  # fmt: skip
PARTS = Details(
    "parts", label("计划备件", "Planned parts"), PlannedPart, head="config", shown=("spare", "qty"), most=MOST_PARTS
)


# What people may enter


def completed(attrs: dict[str, Any], before: Any) -> dict[str, Any]:
    """Return the values of a maintenance standard with what is not said; raise ValidationError where they do not fit.

    What does not belong to its trigger is left out.
    """
    new = before is None
    if new:
        usual: Mapping[str, Any] = {
            "need_check": True, "level": MaintenanceLevel.TWO, "trigger_type": Trigger.CALENDAR,
            "anchor": CycleAnchor.COMPLETION, "lead_days": parameters.lead_days(),
            "lead_hours": 24, "tolerance_percent": 10, "est_minutes": 60, "people_count": 1, "need_stop": True,
        }  # fmt: skip
        for name, given in usual.items():
            if attrs.get(name) is None:
                attrs[name] = given
    else:
        for name in ("level", "trigger_type", "anchor", "lead_days", "lead_hours", "est_minutes", "people_count"):
            if name in attrs and attrs[name] is None:
                attrs.pop(name)

    def value(name: str) -> Any:
        return attrs[name] if name in attrs else getattr(before, name, None)

    trigger = value("trigger_type")
    if trigger == Trigger.FIRST:
        attrs["anchor"] = CycleAnchor.COMPLETION
    if trigger == Trigger.METER:
        attrs.update(cycle_value=None, cycle_unit=None)
    else:
        _ask(value, "cycle_value", _("请输入{field}"))
        _ask(value, "cycle_unit", _("请选择{field}"))
    if trigger == Trigger.CALENDAR:
        attrs["run_interval"] = None
    else:
        _ask(value, "run_interval", _("请输入{field}"))
    if attrs.get("team") is not None and attrs.get("user_ids") is None and new:
        attrs["user_ids"] = []
    _check_machines(attrs, before, meter=trigger != Trigger.CALENDAR)
    _check_parts(attrs, before)
    return attrs


def emptied(attrs: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a check standard: what belongs to maintenance is left out."""
    attrs.update(_NOTHING)
    attrs.pop("team", None)
    for rows in ("machines", "parts"):
        attrs.pop(rows, None)
    return attrs


def _ask(value: Any, name: str, sentence: str) -> None:
    if value(name) is None:
        column = MaintenanceColumns._meta.get_field(name)
        wire = "".join(word.capitalize() if place else word for place, word in enumerate(name.split("_")))
        text = sentence.format(field=column.verbose_name)  # type: ignore[union-attr]
        raise serializers.ValidationError({wire: [text]})


def _named(row: Mapping[str, Any], name: str) -> int | None:
    """Return the id that a row sends; None where it keeps what it has."""
    return row[f"{name}_id"] if f"{name}_id" in row else row[name].pk if name in row else None


def _check_machines(attrs: Mapping[str, Any], before: Any, *, meter: bool) -> None:
    """Raise ValidationError for an asset named twice, one that is not maintained, or counters that differ."""
    kept = {} if before is None else dict(before.plans.values_list("pk", "machine_id"))
    if "machines" in attrs:
        rows = attrs["machines"]
        ids = [_named(row, "machine") or kept[row["id"]] for row in rows]
    else:
        ids = list(kept.values())
    found = Machine.objects.in_bulk(set(ids))
    twice = next((pk for pk in ids if ids.count(pk) > 1), None)
    if twice is not None:
        raise _wrong("machines", _("设备「{name}」重复").format(name=found[twice]))
    for machine in found.values():
        if machine.pk in kept.values():
            continue
        if machine.node_type < LEAST_LEVEL:
            raise _wrong("machines", _("「{name}」不是设备，不能保养").format(name=machine))
        if machine.is_sealed:
            raise _wrong("machines", _("「{name}」已封存，不能使用").format(name=machine))
        if machine.run_state == RunState.SCRAPPED:
            raise _wrong("machines", _("设备「{name}」已报废，不能保养").format(name=machine))
    if meter and len({machine.meter_unit for machine in found.values()}) > 1:
        raise _wrong("machines", _("同一标准的设备须使用相同的计量单位"))


def _check_parts(attrs: Mapping[str, Any], before: Any) -> None:
    """Raise ValidationError for a part named twice, a sealed one, or a piece of what is counted in whole numbers."""
    if "parts" not in attrs:
        return
    kept = {} if before is None else {row.pk: row for row in before.parts.select_related("spare")}
    ids, amounts = [], []
    for row in attrs["parts"]:
        was = kept.get(row.get("id"))
        ids.append(_named(row, "spare") or (was.spare_id if was else 0))
        amounts.append(row["qty"] if "qty" in row else was.qty if was else Decimal(0))
    found = SparePart.objects.in_bulk(set(ids))
    for pk, qty in zip(ids, amounts, strict=True):
        spare = found[pk]
        if ids.count(pk) > 1:
            raise _wrong("parts", _("备件「{name}」重复").format(name=spare))
        if spare.is_integer and qty != qty.to_integral_value():
            raise _wrong("parts", _("「{name}」的数量必须是整数").format(name=spare))
        if spare.is_sealed and pk not in {row.spare_id for row in kept.values()}:
            raise _wrong("parts", _("「{name}」已封存，不能使用").format(name=spare))


def _wrong(field: str, text: str) -> serializers.ValidationError:
    return serializers.ValidationError({field: [text]})


# What is stored


def follow(config: Any, before: Cycle | None, first: Mapping[int, tuple[Any, Any]]) -> None:
    """Set the next dates of a standard's rows where they are new, where the cycle or a first date has changed.

    `before` is the cycle as it was, `first` by row the first date and counter as they were. A row whose first date was
    changed counts from it anew.
    """
    rows: Sequence[MaintenancePlan] = list(config.plans.filter(is_deleted=False).select_related("machine"))
    for row in rows:
        row.config = config
        basis = row.basis
        if row.pk in first and first[row.pk] != (row.first_due_date, row.first_due_hours):
            basis = due.Basis(row.first_due_date, row.first_due_hours)
        elif row.pk in first and before == config.cycle:
            continue
        row.follow(basis)
        MaintenancePlan.objects.filter(pk=row.pk).update(**{name: getattr(row, name) for name in DATES})
