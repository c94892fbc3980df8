"""Wire forms of machine classes, machines and fault words."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers

from core.equipment import open_work
from core.equipment.models import BY_HAND, Machine, MachineClass, NodeType, RunState, Tag, TagType
from core.equipment.queries import machine_counts
from core.kernel import clock
from core.kernel.texts import label
from core.rest.serializers import IdField, IdListField, NameField, NounSerializer
from core.rest.trees import TreeNode


def refuse_sealed(row: MachineClass) -> None:
    """What is sealed stays where it is used, and is not used anew."""
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


class MachineRules(NounSerializer):
    """What holds between the fields of a machine."""

    def validate_runState(self, value: int) -> int:
        """People set what is in use, out of use or scrapped; what a flow has set stays, and what is scrapped too."""
        before = self.instance.run_state if self.instance is not None else RunState.RUNNING
        if value == before and self.instance is not None:
            return value
        if value not in BY_HAND or before not in BY_HAND:
            raise serializers.ValidationError(_("设备状态由维修、保养流程控制，不能手工修改"))
        if before == RunState.SCRAPPED and not self.context["view"].actor.may("inspectmachine_restore"):
            raise serializers.ValidationError(_("设备已报废，只有租户管理员可以恢复"))
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
        return attrs

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


class MachineNode(serializers.Serializer):  # type: ignore[type-arg]
    """A node of the machine tree, with counts of its subtree."""

    id = serializers.CharField()
    parentId = serializers.CharField()
    nodeType = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]  # a word of DRF's own on a field
    machineCode = serializers.CharField()
    typeId = serializers.CharField(allow_null=True)
    typeName = serializers.CharField()
    runState = serializers.IntegerField()
    machineCount = serializers.IntegerField()
    stopCount = serializers.IntegerField()

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

    def check(chosen: int | list[int]) -> None:
        ids = [chosen] if isinstance(chosen, int) else chosen
        if ids and Tag.objects.filter(pk__in=ids, type=kind, is_sealed=False).count() != len(ids):
            raise serializers.ValidationError(_("数据不存在或已被删除"))

    return field(source=source, refers_to=Tag, where={"type": kind.value}, validators=[check], **kwargs)
