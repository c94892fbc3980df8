"""Calls of machine classes, machines and fault words."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.equipment.models import Machine, MachineClass, NodeType, RunState, Stoppage, Tag
from core.equipment.queries import below, names_above, of_class
from core.equipment.serializers import (
    ClassNode,
    MachineClassSerializer,
    MachineNode,
    MachineOption,
    MachineSerializer,
    TagSerializer,
)
from core.kernel.errors import Conflict, Invalid
from core.kernel.filters import CODE, ID, INTEGER, MOMENT, Filter, apply_filters, filters_of
from core.kernel.pagination import page_at_hand
from core.kernel.sheets import Export, Import
from core.kernel.texts import choose
from core.kernel.trees import Tree, nest, node
from core.kernel.viewsets import SIGNED_IN, Door, NounViewSet, Remove, Submit

_STOPPED = (RunState.DOWN, RunState.REPAIRING)
_MOST_NODES = 5000
_MOST_OPTIONS = 500


class MachineClassViewSet(Tree, Submit, Remove, NounViewSet):
    """Machine classes: seen by the whole tenant, kept by the equipment manager."""

    noun = "inspecttype"
    arrays = frozenset({"lazy_list"})
    pages = frozenset({"list"})
    queryset = MachineClass.objects.select_related("parent").annotate(
        has_children=Exists(MachineClass.objects.filter(parent=OuterRef("pk")))
    )
    serializer_class = MachineClassSerializer
    order = ("sort", "id")
    filters = filters_of(MachineClass, "type_name", "type_code", "default_importance", "is_sealed")

    def list(self, request: Request) -> Response:
        """A page of roots, each with all that was found below it."""
        return Response(page_at_hand(Tree.list(self, request).data, request.query_params.dict()))

    @extend_schema(responses=ClassNode(many=True))
    @action(detail=False, methods=["get"], url_path="tree")
    def tree(self, request: Request) -> Response:
        """All classes as nodes to choose from; sealed ones say that they cannot be."""
        return Response(
            nest(
                {
                    **node(row.pk, row.parent_id, str(row)),
                    "disabled": row.is_sealed,
                    "defaultImportance": row.default_importance,
                }
                for row in self.forest_rows()
            )
        )

    def stop_removal(self, row: Any) -> None:
        """A class with others below it, or with machines, stays."""
        if MachineClass.objects.filter(parent=row).exists():
            raise Conflict("machineClass.hasChildren", _("存在下级类型，不能删除"))
        if Machine.objects.filter(type=row).exists():
            raise Conflict("machineClass.hasMachines", _("该类型下有设备，不能删除"))


def _with_word(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Name or code contains the word."""
    word = text.strip()[:100]
    return rows.filter(Q(machine_name__icontains=word) | Q(machine_code__icontains=word))


class MachineViewSet(Export, Import, Submit, Remove, NounViewSet):
    """Machines: visible to the whole tenant, kept by the equipment manager."""

    noun = "inspectmachine"
    fast = True
    queryset = Machine.objects.select_related("parent", "type", "dept", "team", "duty_user", "maintain_user")
    serializer_class = MachineSerializer
    codes = {"tree_list": SIGNED_IN, "get_list": SIGNED_IN}
    sheet_key = "machine_code"
    sheet_names = {
        "parentId": "machine_code", "typeId": "type_name,type_code", "deptId": "dept_name", "teamId": "team_name",
    }  # fmt: skip
    order = ("path",)
    filters = {
        "parentId": Filter(kind=ID, apply=below),
        "typeId": Filter(kind=ID, apply=of_class),
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
        parameters=[
            *(OpenApiParameter(name, str) for name in ("typeId", "deptId", "machineName", "keyword")),
            *(OpenApiParameter(name, int) for name in ("nodeType", "importance")),
        ],
        responses=MachineOption(many=True),
    )
    @action(detail=False, methods=["get"], url_path="getList")
    def get_list(self, request: Request) -> Response:
        """Machines to choose from, at most 500, in the order of the tree; other levels where `nodeType` names them."""
        asked = {name: self.filters[name] for name in ("typeId", "deptId", "machineName", "nodeType", "importance")}
        given = {"nodeType": str(NodeType.MACHINE.value), **request.query_params.dict()}
        rows = apply_filters(self.get_queryset(), {**asked, "keyword": Filter(apply=_with_word)}, given)
        found = list(rows.order_by("path")[:_MOST_OPTIONS])
        context = {"above": names_above([row.path for row in found])}
        return Response(MachineOption(found, many=True, context=context).data)

    @extend_schema(
        parameters=[
            OpenApiParameter("nodeTypes", str, description="comma joined levels, all by default"),
            OpenApiParameter("typeId", str, description="only machines of this class and below, and the ways to them"),
        ],
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
            "pk", "parent_id", "node_type", "machine_name", "machine_code", "run_state", "type_id", "type__type_name",
            "type__type_name_en",
        )[:_MOST_NODES]  # fmt: skip
        of = request.query_params.get("typeId", "").strip()
        wanted = set(of_class(Machine.objects.order_by(), of).values_list("pk", flat=True)) if of else None
        nodes: dict[int, dict[str, Any]] = {}
        leads: set[int] = set()
        """Nodes that are wanted, and those on the way to them."""
        for pk, parent_id, node_type, name, code, state, type_id, type_name, type_name_en in rows:
            counts = node_type == NodeType.MACHINE and (wanted is None or pk in wanted)
            nodes[pk] = {
                "id": str(pk),
                "parentId": str(parent_id or 0),
                "nodeType": node_type,
                "label": name,
                "machineCode": code,
                "typeId": str(type_id) if type_id else None,
                "typeName": choose(type_name, type_name_en) if type_id else "",
                "runState": state,
                "machineCount": int(counts),
                "stopCount": int(counts and state in _STOPPED),
            }
            if wanted is None or pk in wanted:
                leads.add(pk)
            above = nodes.get(parent_id)
            while above is not None:
                above["machineCount"] += nodes[pk]["machineCount"]
                above["stopCount"] += nodes[pk]["stopCount"]
                if pk in leads:
                    leads.add(int(above["id"]))
                above = nodes.get(int(above["parentId"]))
        return Response(nest(one for pk, one in nodes.items() if one["nodeType"] <= deepest and pk in leads))


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
