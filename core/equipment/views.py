"""Calls of machine classes, machines and fault words."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.audit.edits import EditSerializer, edits_of
from core.equipment import open_work
from core.equipment.models import BY_HAND, Machine, MachineClass, NodeType, RunState
from core.equipment.queries import below, names_above, of_class
from core.equipment.serializers import (
    ClassNode,
    MachineClassSerializer,
    MachineNode,
    MachineOption,
    MachineRules,
)
from core.kernel.errors import Conflict, Invalid
from core.kernel.references import uses
from core.kernel.texts import choose, label
from core.rest.filters import CODE, ID, INTEGER, MOMENT, Filter, apply_filters, filters_of, with_word
from core.rest.menus import Button, MenuEntry, ShippedRole, kept_by
from core.rest.pagination import page_at_hand
from core.rest.sheets import Export, Import
from core.rest.trees import Tree, nest, node, whole
from core.rest.viewsets import SIGNED_IN, NounViewSet, Remove, Submit

_STOPPED = (RunState.DOWN, RunState.REPAIRING)
_MOST_OPTIONS = 500


class MachineClassViewSet(Tree, Submit, Remove, NounViewSet):
    """Machine classes: seen by the whole tenant, kept by the equipment manager."""

    noun = "inspecttype"
    menu = MenuEntry(
        "equip", "/equip/class", "class", label("设备类型", "Asset types"), place=2,
        roles=kept_by(ShippedRole.EQUIP_MANAGER),
    )  # fmt: skip
    arrays = frozenset({"lazy_list"})
    pages = frozenset({"list"})
    queryset = MachineClass.objects.select_related("parent").annotate(
        has_children=Exists(MachineClass.objects.filter(parent=OuterRef("pk")))
    )
    serializer_class = MachineClassSerializer
    order = ("sort", "id")
    filters = filters_of(
        MachineClass, "type_name", "type_code", "default_importance", "is_sealed", "expected_mtbf_hours"
    )

    def list(self, request: Request) -> Response:
        """Answer a page of roots, each with all that was found below it."""
        return Response(page_at_hand(Tree.list(self, request).data, request.query_params.dict()))

    @extend_schema(responses=ClassNode(many=True))
    @action(detail=False, methods=["get"], url_path="tree")
    def tree(self, request: Request) -> Response:
        """Answer all classes as nodes to choose from; sealed ones say that they cannot be."""
        return Response(
            nest(
                {
                    **node(row.pk, row.parent_id, str(row)),
                    "disabled": row.is_sealed,
                    "defaultImportance": row.default_importance,
                }
                for row in whole(self.forest_rows())
            )
        )

    def validate_delete(self, row: Any) -> None:
        """Raise Conflict where other classes are below it."""
        if MachineClass.objects.filter(parent=row).exists():
            raise Conflict("machineClass.hasChildren", _("存在下级类型，不能删除"))


class MachineViewSet(Export, Import, Submit, Remove, NounViewSet):
    """Machines: visible to the whole tenant, kept by the equipment manager."""

    noun = "inspectmachine"
    menu = MenuEntry(
        "equip", "/equip/machine", "machine", label("设备台账", "Assets"), place=1,
        roles=kept_by(ShippedRole.EQUIP_MANAGER),
        buttons={"restore": Button(label("恢复报废设备", "Restore scrapped assets"))},
    )  # fmt: skip
    fast = True
    queryset = Machine.objects.select_related("parent", "type", "dept", "team", "duty_user", "maintain_user")
    rules = MachineRules
    fields = (
        "parent", "node_type", "machine_code", "machine_name", "type", "dept", "location", "brand", "model",
        "importance", "run_state", "scrap_date", "scrap_reason", "duty_user", "maintain_user", "team", "remark",
    )  # fmt: skip
    codes = {"tree_list": SIGNED_IN, "get_list": SIGNED_IN, "edits": "inspectmachine_view"}
    select_filters = ("parentId", "typeId", "nodeType", "deptId", "teamId")
    selectable = ~Q(run_state=RunState.SCRAPPED)
    closed_word = label("已报废", "Scrapped")
    sheet_key = "machine_code"
    sheet_choices = {"runState": BY_HAND}
    sample = {
        "nodeType": NodeType.MACHINE.value, "runState": RunState.RUNNING.value, "scrapDate": None, "scrapReason": "",
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

    def validate_delete(self, row: Any) -> None:
        """Raise Conflict where other machines are below it, or it has a history."""
        if Machine.objects.filter(parent=row).exists():
            raise Conflict("machine.hasChildren", _("请先删除子节点!"))
        open_work.refuse_if_open(row, _("删除"))
        if uses(row):
            raise Conflict("machine.hasHistory", _("设备已有业务记录，不能删除，请改为停用或报废"))

    @extend_schema(parameters=[OpenApiParameter("id", str, required=True)], responses=EditSerializer(many=True))
    @action(detail=False, methods=["get"], url_path="edits")
    def edits(self, request: Request) -> Response:
        """What people have changed of a machine, newest first: at most 100."""
        return Response(edits_of(self.noun, self.row(self.id_parameter()).pk))

    @extend_schema(
        parameters=[
            *(OpenApiParameter(name, str) for name in ("typeId", "deptId", "machineName", "keyword")),
            OpenApiParameter("nodeType", str, description="comma joined levels, machines by default"),
            OpenApiParameter("importance", int),
            OpenApiParameter("mine", int, description="1: only those that the caller owns or repairs"),
        ],
        responses=MachineOption(many=True),
    )
    @action(detail=False, methods=["get"], url_path="getList")
    def get_list(self, request: Request) -> Response:
        """Machines to choose from, at most 500, in the order of the tree; other levels where `nodeType` names them."""
        asked = {name: self.filters[name] for name in ("typeId", "deptId", "machineName", "nodeType", "importance")}
        given = {"nodeType": str(NodeType.MACHINE.value), **request.query_params.dict()}
        word = with_word("machine_name", "machine_code", "location", "parent__machine_name")
        rows = apply_filters(self.get_queryset(), {**asked, "keyword": word}, given)
        if given.get("mine") == "1":
            rows = rows.filter(Q(duty_user=self.actor.user_id) | Q(maintain_user=self.actor.user_id))
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
        rows = whole(Machine.objects.order_by("path").values_list(
            "pk", "parent_id", "node_type", "machine_name", "machine_code", "run_state", "type_id", "type__type_name",
            "type__type_name_en",
        ))  # fmt: skip
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
