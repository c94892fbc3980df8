"""Wire forms of machines and fault words."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from core.equipment.models import Machine, NodeType, RunState
from core.kernel.serializers import IdField, NameField, NounSerializer

MAX_DEPTH = 12
_BY_HAND = (RunState.RUNNING, RunState.IDLE)


class MachineSerializer(NounSerializer):
    """A machine, with the names of what it refers to."""

    nodeTypeName = NameField(source="get_node_type_display")
    importanceName = NameField(source="get_importance_display")
    runStateName = NameField(source="get_run_state_display")
    parentName = NameField(source="parent.machine_name")
    deptName = NameField(source="dept")
    teamName = NameField(source="team")
    dutyUserName = NameField(source="duty_user.real_name")
    maintainUserName = NameField(source="maintain_user.real_name")

    class Meta:
        model = Machine
        fields = (
            "id",
            "parent",
            "parentName",
            "node_type",
            "nodeTypeName",
            "machine_code",
            "machine_name",
            "dept",
            "deptName",
            "location",
            "brand",
            "model",
            "importance",
            "importanceName",
            "run_state",
            "runStateName",
            "duty_user",
            "dutyUserName",
            "maintain_user",
            "maintainUserName",
            "team",
            "teamName",
            "remark",
            "create_time",
        )
        read_only_fields = ("create_time",)

    def validate_runState(self, value: int) -> int:
        """By hand a machine is running or idle; what a flow has set stays."""
        if value in _BY_HAND or (self.instance is not None and value == self.instance.run_state):
            if (
                self.instance is not None
                and self.instance.run_state not in _BY_HAND
                and value != self.instance.run_state
            ):
                raise serializers.ValidationError(_("设备状态由维修、保养流程控制，不能手工修改"))
            return value
        raise serializers.ValidationError(_("设备状态由维修、保养流程控制，不能手工修改"))

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The tree stays a tree with levels in order."""
        if "parent_id" in attrs or "node_type" in attrs:
            self._check_tree(attrs)
        return attrs

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
        if parent.path.count("/") > MAX_DEPTH:
            raise serializers.ValidationError({"parentId": _("设备层级不能超过{n}级").format(n=MAX_DEPTH)})


class MachineNode(serializers.Serializer):  # type: ignore[type-arg]
    """A node of the machine tree, with counts of its subtree."""

    id = serializers.CharField()
    parentId = serializers.CharField()
    nodeType = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]  # a word of DRF's own on a field
    machineCode = serializers.CharField()
    runState = serializers.IntegerField()
    machineCount = serializers.IntegerField()
    stopCount = serializers.IntegerField()

    def get_fields(self) -> dict[str, Any]:
        """Nodes below it, of the same kind; a leaf has none."""
        return {**super().get_fields(), "children": MachineNode(many=True, required=False)}


class TagSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """A fault word to choose."""

    id = IdField()
    type = serializers.IntegerField()
    tagName = serializers.CharField(source="__str__")
    color = serializers.CharField()
    sort = serializers.IntegerField()
