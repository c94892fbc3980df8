"""Calls of machines and fault words."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.equipment.models import Machine, NodeType, RunState, Stoppage, Tag
from core.equipment.queries import below
from core.equipment.serializers import MachineNode, MachineSerializer, TagSerializer
from core.kernel.errors import Conflict, Invalid
from core.kernel.filters import CODE, ID, INTEGER, MOMENT, Filter
from core.kernel.sheets import Export, Import
from core.kernel.viewsets import SIGNED_IN, Door, NounViewSet, Remove, Submit

_STOPPED = (RunState.DOWN, RunState.REPAIRING)
_MOST_NODES = 5000


class MachineViewSet(Export, Import, Submit, Remove, NounViewSet):
    """Machines: visible to the whole tenant, kept by the equipment manager."""

    noun = "inspectmachine"
    fast = True
    queryset = Machine.objects.select_related("parent", "dept", "team", "duty_user", "maintain_user")
    serializer_class = MachineSerializer
    codes = {"tree_list": SIGNED_IN}
    sheet_key = "machine_code"
    sheet_names = {"parentId": "machine_code", "deptId": "dept_name", "teamId": "team_name"}
    order = ("path",)
    filters = {
        "parentId": Filter(kind=ID, apply=below),
        "machineName": Filter("machine_name"),
        "machineCode": Filter("machine_code", CODE),
        "nodeType": Filter("node_type", INTEGER),
        "importance": Filter("importance", INTEGER),
        "runState": Filter("run_state", INTEGER),
        "deptId": Filter("dept_id", ID),
        "teamId": Filter("team_id", ID),
        "createTime": Filter("create_time", MOMENT),
    }

    def stop_removal(self, row: Any) -> None:
        """A machine with children or with business behind it stays."""
        if Machine.objects.filter(parent=row).exists():
            raise Conflict("machine.hasChildren", _("请先删除子节点!"))
        if Stoppage.objects.filter(machine=row).exists() or row.repair_orders.exists():
            raise Conflict("machine.hasHistory", _("设备已有业务记录，不能删除，请改为停用或报废"))

    @extend_schema(
        parameters=[OpenApiParameter("nodeTypes", str, description="comma joined levels, all by default")],
        responses=MachineNode(many=True),
    )
    @action(detail=False, methods=["get"], url_path="getTreeList")
    def tree_list(self, request: Request) -> Response:
        """The tree down to the asked levels, with how many machines are below each node and how many of them stand."""
        texts = [text for text in request.query_params.get("nodeTypes", "").split(",") if text]
        if any(text not in {str(value) for value in NodeType.values} for text in texts):
            raise Invalid({"nodeTypes": _("请求参数格式错误: {name}").format(name="nodeTypes")})
        deepest = max((int(text) for text in texts), default=NodeType.COMPONENT)
        rows = Machine.objects.order_by("path").values_list(
            "pk", "parent_id", "node_type", "machine_name", "machine_code", "run_state"
        )[:_MOST_NODES]
        nodes: dict[int, dict[str, Any]] = {}
        roots: list[dict[str, Any]] = []
        for pk, parent_id, node_type, name, code, state in rows:
            node = {
                "id": str(pk),
                "parentId": str(parent_id or 0),
                "nodeType": node_type,
                "label": name,
                "machineCode": code,
                "runState": state,
                "machineCount": int(node_type == NodeType.MACHINE),
                "stopCount": int(node_type == NodeType.MACHINE and state in _STOPPED),
            }
            nodes[pk] = node
            parent = nodes.get(parent_id)
            if node_type <= deepest:
                (parent.setdefault("children", []) if parent else roots).append(node)
            while parent is not None:
                parent["machineCount"] += node["machineCount"]
                parent["stopCount"] += node["stopCount"]
                parent = nodes.get(int(parent["parentId"]))
        return Response(roots)


class TagDoor(Door):
    """Fault words, to choose from."""

    codes = {"tag_list": SIGNED_IN}

    @extend_schema(parameters=[OpenApiParameter("type", int, required=True)], responses=TagSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="getTagList")
    def tag_list(self, request: Request) -> Response:
        """Unsealed words of one type, in order."""
        kind = request.query_params.get("type", "")
        if not kind.isdecimal() or len(kind) > 3:
            raise Invalid({"type": _("请选择标签类型")})
        rows = Tag.objects.filter(type=int(kind), is_sealed=False).order_by("sort", "id")
        return Response(TagSerializer(rows, many=True).data)
