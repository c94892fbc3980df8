"""Wire forms of machine classes, machines, their readings and fault words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from core import ports
from core.equipment import card, meters, open_work, states, work_dates
from core.equipment.models import (
    WITH_QR,
    Machine,
    MachineClass,
    MeterReading,
    NodeType,
    RunState,
    Tag,
    TagType,
    WarrantyState,
)
from core.equipment.queries import WARRANTY_ENDS_SOON, machine_counts, names_above
from core.kernel import clock
from core.kernel.errors import Invalid
from core.kernel.texts import camel, label, moment
from core.rest.serializers import IdField, IdListField, NameField, NounSerializer, SaidField
from core.rest.shapes import Serialized, Shape
from core.rest.trees import TreeNode
from core.system import extras, required
from core.system.periods import today
from core.system.required import Asked, FieldKind, Scene


def refuse_sealed(row: Any) -> None:
    """Raise ValidationError for a sealed row: it stays where it is used, and is not used anew."""
    if row.is_sealed:
        raise serializers.ValidationError(_("「{name}」已封存，不能使用").format(name=row))


class _MachineCount(serializers.IntegerField):
    """Machines and components of a class and of those below it; all classes are counted once an answer."""

    def get_attribute(self, instance: Any) -> int:
        """Of the row's class."""
        shared: Any = self.context
        if "machine_counts" not in shared:
            shared["machine_counts"] = machine_counts()
        return int(shared["machine_counts"][instance.pk])


class MachineClassSerializer(NounSerializer):
    """A machine class, with its place in the tree."""

    parentName = NameField(source="parent", label=MachineClass._meta.get_field("parent").verbose_name)
    title = NameField(source="__str__", label=MachineClass._meta.get_field("type_name").verbose_name)
    defaultImportanceName = NameField(
        source="get_default_importance_display", label=MachineClass._meta.get_field("default_importance").verbose_name
    )
    ancestors = NameField(label=label("所有上级", "All above"))
    level = serializers.IntegerField(read_only=True, label=label("层级", "Level"))
    hasChildren = serializers.BooleanField(source="has_children", read_only=True, label=label("有下级", "Has children"))
    machineCount = _MachineCount(read_only=True, label=label("设备数", "Assets"))

    class Meta:
        model = MachineClass
        fields = (
            "id", "parent", "parentName", "ancestors", "level", "type_code", "type_name", "type_name_en", "title",
            "default_importance", "defaultImportanceName", "expected_mtbf_hours", "sort", "is_sealed", "remark",
            "hasChildren", "machineCount", "create_time", "update_time",
        )  # fmt: skip
        read_only_fields = ("create_time", "update_time")

    def validate_parentId(self, value: int | None) -> int | None:
        """Refuse a sealed class as a new parent."""
        if value is not None and value != getattr(self.instance, "parent_id", None):
            refuse_sealed(MachineClass.objects.get(pk=value))
        return value

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Beside what every noun checks: names differ under one parent, wherever a class is moved to."""
        attrs = super().run_validation(data)
        before = self.instance
        parent_id = attrs.get("parent_id", before.parent_id if before else None)
        name = attrs.get("type_name", before.type_name if before else "")
        others = MachineClass.objects.filter(parent=parent_id, type_name=name)
        if others.exclude(pk=before.pk if before else None).exists():
            text = _("{field}「{value}」已存在").format(field=self.fields["typeName"].label, value=name)
            raise serializers.ValidationError({"typeName": text})
        return attrs


class ClassNode(TreeNode):
    """A machine class to choose; a sealed one can only be looked for."""

    disabled = serializers.BooleanField()
    defaultImportance = serializers.IntegerField()

    def get_fields(self) -> dict[str, Any]:
        """Classes below it; a leaf has none."""
        return {**super().get_fields(), "children": ClassNode(many=True, required=False)}


_MOST_CHANGES = 50
"""Changes of status that the card of a machine shows."""


class SaidMinutes(serializers.IntegerField):
    """Whole minutes; None where they are not known."""

    kind = "minutes"

    def __init__(self, **kwargs: Any):
        super().__init__(**{"read_only": True, "allow_null": True, **kwargs})


@dataclass(frozen=True)
class Warranty(Shape):
    """Whether the warranty lasts, today."""

    def fields(self, model: Any) -> Serialized:
        """Return the state and its name."""
        said = label("质保状态", "Warranty status")
        return {
            "warrantyState": SaidField(kind="integer", label=said),
            "warrantyStateName": SaidField(label=said),
        }


@dataclass(frozen=True)
class OpenOrders(Shape):
    """How many work orders on the machine are open."""

    def fields(self, model: Any) -> Serialized:
        """Return the number."""
        return {"openRepairCount": SaidField(kind="integer", label=label("未完成工单", "Open work orders"))}


@dataclass(frozen=True)
class WorkDates(Shape):
    """When the machine was inspected and maintained last, and when it is to be next."""

    def fields(self, model: Any) -> Serialized:
        """Return the four."""
        return {
            "lastInspectTime": SaidField(kind="moment", label=label("最近点检", "Last inspected")),
            "nextInspectTime": SaidField(kind="moment", label=label("下次点检", "Next inspection")),
            "lastMaintainTime": SaidField(kind="moment", label=label("最近保养", "Last maintained")),
            "nextMaintainDate": SaidField(kind="date", label=label("下次保养", "Next maintenance")),
        }


@dataclass(frozen=True)
class Labels(Shape):
    """The class labels of a machine: their ids, and what they are called."""

    def fields(self, model: Any) -> Serialized:
        """Return both fields."""
        said = label("分类标签", "Class labels")
        return {
            "tagIds": words("tag_ids", TagType.CLASS_LABEL, label=said, required=False, max_ids=20),
            "tagNames": _LabelNames(source="tag_ids", label=said),
        }


class _LabelNames(serializers.CharField):
    """The names of class labels by their ids, joined; read for one machine at a time."""

    def __init__(self, **kwargs: Any):
        super().__init__(**{"read_only": True, **kwargs})

    def to_representation(self, value: Any) -> str:
        """Return the names in the order of the ids."""
        names = {tag.pk: str(tag) for tag in Tag.with_removed.filter(pk__in=value)} if value else {}
        return _("、").join(names[one] for one in value if one in names)


class MachineRules(NounSerializer):
    """What holds between the fields of a machine."""

    computed_from = ("warranty_end",)

    def get_warrantyState(self, row: Machine) -> int | None:
        """None where nobody has said how long it lasts."""
        if row.warranty_end is None:
            return None
        day: date = self._shared("today", today)
        if row.warranty_end < day:
            return WarrantyState.EXPIRED.value
        return (WarrantyState.ENDING if row.warranty_end <= day + WARRANTY_ENDS_SOON else WarrantyState.VALID).value

    def get_warrantyStateName(self, row: Machine) -> str:
        """The state in words."""
        state = self.get_warrantyState(row)
        return "" if state is None else str(WarrantyState(state).label)

    def get_openRepairCount(self, row: Machine) -> int:
        """Counted for all rows of a page at once."""
        counted: Mapping[int, int] = self.context.get("open_orders") or open_work.counts([row.pk])
        return counted.get(row.pk, 0)

    def get_lastInspectTime(self, row: Machine) -> str | None:
        """None where no point of it was ever checked."""
        return moment(self._dates(row).last_inspect_time) or None

    def get_nextInspectTime(self, row: Machine) -> str | None:
        """None where no task is made that has it; the begin of a task that is open now may have passed."""
        return moment(self._dates(row).next_inspect_time) or None

    def get_lastMaintainTime(self, row: Machine) -> str | None:
        """None where it never was."""
        return moment(self._dates(row).last_maintain_time) or None

    def get_nextMaintainDate(self, row: Machine) -> str | None:
        """None where no standard plans it, or by the meter alone."""
        day = self._dates(row).next_maintain_date
        return day.isoformat() if day is not None else None

    def _dates(self, row: Machine) -> work_dates.Dates:
        """Return its dates, read for all rows of a page at once."""
        known: dict[int, work_dates.Dates] = self._shared("work_dates", dict)
        if row.pk not in known:
            known |= work_dates.of([row.pk])
        return known.get(row.pk) or work_dates.Dates()

    def _shared(self, name: str, read: Any) -> Any:
        """Return what is the same for all rows of an answer."""
        context: Any = self.context
        if name not in context:
            context[name] = read()
        return context[name]

    def update(self, instance: Any, validated_data: Any) -> Any:
        """Keep another status in the history of the machine."""
        before = instance.run_state
        if validated_data.get("run_state", before) != before:
            # What people say stands, also when a stop ends that it followed from before.
            validated_data["state_before_stop"] = None
        saved = super().update(instance, validated_data)
        if saved.run_state != before:
            day = saved.scrap_date if saved.run_state == RunState.SCRAPPED else today()
            states.note(saved, before, day or today(), saved.scrap_reason)
        return saved

    def validate_parentId(self, value: int | None) -> int | None:
        """Refuse a sealed machine as a new parent."""
        if value is not None and value != getattr(self.instance, "parent_id", None):
            refuse_sealed(Machine.objects.get(pk=value))
        return value

    def validate_assetNo(self, value: str) -> str:
        """Two machines that have one have another one each."""
        others = Machine.objects.filter(asset_no=value).exclude(pk=getattr(self.instance, "pk", None))
        if value and others.exists():
            text = _("{field}「{value}」已存在").format(field=self.fields["assetNo"].label, value=value)
            raise serializers.ValidationError(text)
        return value

    def validate_meterUnit(self, value: int) -> int:
        """What was counted in one unit is not counted in another one."""
        if self.instance is not None and value != self.instance.meter_unit and self.instance.readings.exists():
            raise serializers.ValidationError(_("设备已有读数，不能更改计量单位"))
        return value

    def validate_runState(self, value: int) -> int:
        """People set what is in use, out of use or scrapped; what a flow has set stays, and what is scrapped too."""
        before = self.instance.run_state if self.instance is not None else RunState.RUNNING
        if value == before and self.instance is not None:
            return value
        if text := states.refuse_by_hand(before, value, self.context["view"].actor):
            raise serializers.ValidationError(text)
        return value

    def validate_scrapDate(self, value: date | None) -> date | None:
        """Nothing is scrapped in the future."""
        if value is not None and value > timezone.localdate(clock.now()):
            raise serializers.ValidationError(_("报废日期不能晚于今天"))
        return value

    def validate_typeId(self, value: int | None) -> int | None:
        """A sealed class stays with the machines that have it."""
        if value is not None and value != (self.instance.type_id if self.instance else None):
            refuse_sealed(MachineClass.objects.get(pk=value))
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The tree stays a tree with levels in order, and what is a machine has a class."""
        if "parent_id" in attrs or "node_type" in attrs:
            self._check_tree(attrs)
        self._check_class(attrs)
        self._check_scrapping(attrs)
        self._check_dates(attrs)
        if self.instance is None and attrs.get("node_type", NodeType.MACHINE) >= NodeType.MACHINE:
            # A sheet has no pictures.
            but = (FieldKind.PICTURES,) if self.context["view"].action == "import_rows" else ()
            required.check(Scene.NEW_MACHINE, {camel(name): value for name, value in attrs.items()}, but=but)
            extras.refuse_missing("inspectmachine", attrs.get("ext", {}))
        return attrs

    def _check_dates(self, attrs: dict[str, Any]) -> None:
        """A machine is made and bought before it is used, and used before it is scrapped."""

        def of(name: str) -> Any:
            return attrs[name] if name in attrs else getattr(self.instance, name, None)

        for early, late, wire, text in (
            ("purchase_date", "in_service_date", "inServiceDate", _("投用日期不能早于购置日期")),
            ("made_date", "in_service_date", "inServiceDate", _("投用日期不能早于出厂日期")),
            ("in_service_date", "scrap_date", "scrapDate", _("报废日期不能早于投用日期")),
        ):
            if {early, late} & attrs.keys() and of(early) and of(late) and of(late) < of(early):
                raise serializers.ValidationError({wire: text})
        if not of("special_equip"):
            if attrs.get("next_statutory_date") not in (None, getattr(self.instance, "next_statutory_date", None)):
                raise serializers.ValidationError({"nextStatutoryDate": _("只有特种设备才有下次法定检验日期")})
            attrs["next_statutory_date"] = None

    def _check_scrapping(self, attrs: dict[str, Any]) -> None:
        """What is scrapped has a date and a reason, and no open work; what is not scrapped has neither."""
        before: Any = self.instance
        if attrs.get("run_state", before.run_state if before else RunState.RUNNING) != RunState.SCRAPPED:
            for name, wire, nothing in (("scrap_date", "scrapDate", None), ("scrap_reason", "scrapReason", "")):
                if attrs.get(name, nothing) not in (nothing, getattr(before, name, nothing)):
                    raise serializers.ValidationError({wire: _("只有报废的设备才有报废日期和原因")})
                attrs[name] = nothing
            return
        if attrs.get("node_type", before.node_type if before else NodeType.MACHINE) < NodeType.MACHINE:
            raise serializers.ValidationError({"runState": _("厂区、车间、产线不能报废")})
        for name, wire in (("scrap_date", "scrapDate"), ("scrap_reason", "scrapReason")):
            if not attrs.get(name, getattr(before, name, None)):
                raise serializers.ValidationError({wire: self.fields[wire].error_messages["required"]})
        if before is not None and before.run_state != RunState.SCRAPPED:
            open_work.refuse_if_open(before, _("报废"))

    def _check_class(self, attrs: dict[str, Any]) -> None:
        """Machines and components are of a class, areas of none; a new machine has its importance by default."""
        before = self.instance.type_id if self.instance else None
        if attrs.get("node_type", self.instance.node_type if self.instance else NodeType.MACHINE) < NodeType.MACHINE:
            if attrs.get("type_id") is not None:
                raise serializers.ValidationError({"typeId": _("厂区、车间、产线没有设备类型")})
            attrs["type_id"] = None
            return
        type_id = attrs.get("type_id", before)
        if type_id is None:
            raise serializers.ValidationError({"typeId": self.fields["typeId"].error_messages["required"]})
        if self.instance is None and "importance" not in attrs:
            attrs["importance"] = MachineClass.objects.get(pk=type_id).default_importance

    def _check_tree(self, attrs: dict[str, Any]) -> None:
        node_type = attrs.get("node_type", self.instance.node_type if self.instance else NodeType.MACHINE)
        parent_id = attrs["parent_id"] if "parent_id" in attrs else getattr(self.instance, "parent_id", None)
        if self.instance and Machine.objects.filter(parent=self.instance, node_type__lt=node_type).exists():
            raise serializers.ValidationError({"nodeType": _("下级节点的类型不能高于上级")})
        if parent_id is None:
            if node_type == NodeType.COMPONENT:
                raise serializers.ValidationError({"parentId": _("部件只能放在设备或部件下")})
            return
        parent = Machine.objects.filter(pk=parent_id).first()
        if parent is None:
            raise serializers.ValidationError({"parentId": _("数据不存在或已被删除")})
        if node_type < parent.node_type:
            raise serializers.ValidationError({"nodeType": _("下级节点的类型不能高于上级")})
        if node_type == NodeType.COMPONENT and parent.node_type < NodeType.MACHINE:
            raise serializers.ValidationError({"parentId": _("部件只能放在设备或部件下")})


@dataclass(frozen=True)
class HistoryCard(Shape):
    """What the page of a machine shows beside its fields; `CardRules` reads it."""

    def fields(self, model: Any) -> Serialized:
        """Return its place in the tree, the last orders, the figures and the changes of its status."""
        return {
            "ancestors": NameField(label=label("所有上级", "All above")),
            "level": serializers.IntegerField(read_only=True, label=label("层级", "Level")),
            "qrToken": NameField(source="qr_token", label=label("扫码标识", "Scan token")),
            "path": NameField(source="path_names", label=label("位置", "Location")),
            "hasChildren": serializers.BooleanField(
                source="has_children", read_only=True, label=label("有下级", "Has children")
            ),
            "lastOrders": card.LastOrder(many=True, read_only=True, label=label("最近工单", "Last work orders")),
            "kpi": card.Kpi(allow_null=True, read_only=True, label=label("可靠性", "Reliability")),
            "stopMinutesThisMonth": SaidMinutes(label=label("本月停机", "Downtime this month")),
            "stateChanges": states.StateChangeSerializer(
                many=True, read_only=True, label=label("状态变更", "Changes of status")
            ),
        }


class CardRules(MachineRules):
    """A machine with its history card."""

    def to_representation(self, instance: Any) -> Any:
        """Read the card of the machine, in a number of statements that is the same for every machine."""
        changes = list(states.changes_of([instance.pk])[:_MOST_CHANGES])
        self._shared("people", lambda: dict(ports.people.names({row.create_user for row in changes} - {None})))
        found = {
            "lastOrders": card.last_orders(self.context["view"].actor, instance),
            **card.figures(instance),
            "stateChanges": changes,
            "path_names": names_above([instance.path])[instance.path],
            "has_children": Machine.objects.filter(parent=instance).exists(),
            "qr_token": Tag.objects.filter(machine=instance, is_sealed=False, carrier__in=WITH_QR)
            .values_list("token", flat=True)
            .first()
            or "",
        }
        vars(instance).update(found)
        try:
            return super().to_representation(instance)
        finally:
            for name in found:
                del vars(instance)[name]


@dataclass(frozen=True)
class Unit(Shape):
    """What the counter of a reading's machine counts."""

    def fields(self, model: Any) -> Serialized:
        """Return the word for it."""
        said = Machine._meta.get_field("meter_unit").verbose_name
        return {"meterUnitName": NameField(source="machine.get_meter_unit_display", label=said)}


class ReadingRules(NounSerializer):
    """How readings of a counter are added and changed; `core/equipment/meters.py` knows which fit."""

    def get_fields(self) -> dict[str, Any]:
        """Machines and components have counters."""
        fields = super().get_fields()
        if isinstance(fields.get("machineId"), IdField):
            fields["machineId"].where = {"nodeType": "4,5"}
        return fields

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse what cannot be stored as it is now; sheets are checked before anything is locked."""
        row = self._filled(MeterReading(), attrs)
        if self.instance is not None and row.machine_id != self.instance.machine_id:
            raise serializers.ValidationError({"machineId": _("读数不能改到另一台设备，请删除后重新录入")})
        machine = Machine.objects.get(pk=row.machine_id)
        try:
            meters.refuse_unmetered(machine)
            meters.check(machine, row)
        except Invalid as error:
            raise serializers.ValidationError(error.data["fields"]) from None
        return attrs

    def create(self, validated_data: Any) -> Any:
        """Add a reading of the person acting."""
        return meters.add_reading(validated_data.pop("machine_id"), validated_data)

    def update(self, instance: Any, validated_data: Any) -> Any:
        """Correct a reading."""
        validated_data.pop("reading_no", None)
        return meters.correct(instance, validated_data)

    def _filled(self, row: MeterReading, values: Mapping[str, Any]) -> MeterReading:
        """Return a reading with these values, and those of the present one where they are not given."""
        for name in ("id", "machine_id", "read_time", "value", "is_reset", "reset_base"):
            if name in values or self.instance is not None:
                setattr(row, name, values[name] if name in values else getattr(self.instance, name))
        if not row.is_reset:
            row.reset_base = None
        return row


@extend_schema_serializer(extensions={"x-partial": True})
class MachineNode(serializers.Serializer):  # type: ignore[type-arg]
    """A node of the machine tree; `machineCount` and `stopCount` of its subtree come with `withState=1`."""

    id = serializers.CharField()
    parentId = serializers.CharField()
    nodeType = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]  # a word of DRF's own on a field
    machineCode = serializers.CharField()
    typeId = serializers.CharField(allow_null=True)
    typeName = serializers.CharField()
    runState = serializers.IntegerField()
    disabled = serializers.BooleanField(help_text="It only leads to what was asked for, or is sealed or scrapped.")
    machineCount = serializers.IntegerField(required=False)
    stopCount = serializers.IntegerField(required=False)

    def get_fields(self) -> dict[str, Any]:
        """Nodes below it, of the same kind; a leaf has none."""
        return {**super().get_fields(), "children": MachineNode(many=True, required=False)}


class MachineOption(serializers.Serializer):  # type: ignore[type-arg]
    """A machine to choose."""

    id = IdField()
    machineCode = serializers.CharField(source="machine_code")
    machineName = serializers.CharField(source="machine_name")
    model = serializers.CharField()
    typeId = IdField(source="type_id", allow_null=True)
    typeName = NameField(source="type")
    deptName = NameField(source="dept")
    path = serializers.SerializerMethodField()
    runState = serializers.IntegerField(source="run_state")
    runStateName = NameField(source="get_run_state_display")

    def get_path(self, row: Machine) -> str:
        """Where it stands: the names above it."""
        return str(self.context["above"][row.path])


def words(source: str, kind: TagType, field: Any = IdListField, **kwargs: Any) -> Any:
    """Return the field of an input that takes fault words of this kind, which must not be sealed."""

    return field(source=source, refers_to=Tag, where={"type": kind.value}, validators=[_InUse(kind)], **kwargs)


class _InUse:
    """Refuses words of another kind, and sealed ones, unless the row has them already."""

    requires_context = True

    def __init__(self, kind: TagType):
        self.kind = kind

    def __call__(self, chosen: int | list[int] | None, field: Any) -> None:
        if chosen is None:
            return
        ids = {chosen} if isinstance(chosen, int) else set(chosen)
        before = getattr(getattr(field.parent, "instance", None), str(field.source), None) or []
        ids -= {before} if isinstance(before, int) else set(before)
        if ids and Tag.objects.filter(pk__in=ids, type=self.kind, is_sealed=False).count() != len(ids):
            raise serializers.ValidationError(_("数据不存在或已被删除"))


_OPTIONAL = (
    "location", "brand", "model", "spec", "serial_no", "asset_no", "power_kw", "manufacturer", "supplier",
    "supplier_phone", "made_date", "purchase_date", "in_service_date", "warranty_end", "original_value", "remark",
)  # fmt: skip
_CHOSEN = ("duty_user", "maintain_user", "team")
_LOCKED = ("machine_code", "machine_name", "node_type", "type", "dept")


def register_scene() -> None:
    """Register what companies may ask for of a new machine."""
    columns = {column.name: column for column in Machine._meta.concrete_fields}

    def asked(name: str, **kwargs: Any) -> Asked:
        return Asked(camel(columns[name].attname), columns[name].verbose_name, **kwargs)

    required.register(
        Scene.NEW_MACHINE,
        *(asked(name, locked=True) for name in _LOCKED),
        *(asked(name) for name in _OPTIONAL),
        *(asked(name, kind=FieldKind.CHOICE) for name in _CHOSEN),
        asked("photo", kind=FieldKind.PICTURES, most=1),
        asked("images", kind=FieldKind.PICTURES),
    )
