"""Calls of machine classes, machines, their readings and fault words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.audit.edits import EditSerializer, edits_of
from core.blade.parsers import parameters
from core.equipment import meters, open_work, states, work_dates
from core.equipment.models import BY_HAND, Machine, MachineClass, MeterReading, NodeType, RunState
from core.equipment.plates import live_plate
from core.equipment.queries import below, by_warranty, filters_by_machine, names_above, of_class, with_label
from core.equipment.serializers import (
    CardRules,
    ClassNode,
    HistoryCard,
    Labels,
    MachineClassSerializer,
    MachineNode,
    MachineOption,
    MachineRules,
    OpenOrders,
    ReadingRules,
    Unit,
    Warranty,
    WorkDates,
)
from core.kernel.errors import Conflict, Invalid
from core.kernel.ids import is_id
from core.kernel.references import uses
from core.kernel.texts import camel, choose, label
from core.rest.filters import (
    CODE,
    DATE,
    DECIMAL,
    FLAG,
    ID,
    INTEGER,
    MOMENT,
    Filter,
    apply_filters,
    filters_of,
    with_word,
)
from core.rest.filters import below as under
from core.rest.menus import Button, MenuEntry, ShippedRole, held_by, kept_by, together
from core.rest.pagination import page_at_hand
from core.rest.shapes import noun_serializer
from core.rest.sheets import Export, Import
from core.rest.trees import Tree, nest, node, whole
from core.rest.viewsets import SIGNED_IN, NounViewSet, Remove, Submit
from core.storage.shapes import Files, Images
from core.system.extras import WithExtras

_STOPPED = (RunState.DOWN, RunState.REPAIRING)
_MOST_OPTIONS = 500
_SCRAPPED, _SEALED = label("已报废", "Scrapped"), label("已封存", "Sealed")


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


_LISTED = (
    "parent", "node_type", "machine_code", "machine_name", "type", "dept", "location", "brand", "model", "spec",
    "serial_no", "asset_no", "power_kw", "importance", "run_state", "scrap_date", "scrap_reason", "duty_user",
    "maintain_user", "team", "manufacturer", "supplier", "supplier_phone", "made_date", "purchase_date",
    "in_service_date", "warranty_end", Warranty(), "original_value", "special_equip", "next_statutory_date",
    "meter_unit", "run_hours", "last_read_time", "avg_daily_hours", OpenOrders(), WorkDates(),
    Images("photo", most=1), "is_sealed", "remark", "ext",
)  # fmt: skip


def _labelled(machines: QuerySet[Any], text: str) -> QuerySet[Any]:
    return with_label(machines, int(text)) if is_id(text) else machines.none()


_DETAILED = (*_LISTED, Labels(), Images("images", most=9), Files("files", most=20))


def _names(*given: str | None) -> list[str]:
    """Return the fields by which a list is to be sorted."""
    return [camel(name.strip()) for text in given for name in (text or "").split(",")]


class MachineDetailSerializer(noun_serializer(Machine, _DETAILED, MachineRules)):  # type: ignore[misc]
    """A machine with its pictures and documents, as its form has it."""


class MachineCardSerializer(noun_serializer(Machine, (*_DETAILED, HistoryCard()), CardRules)):  # type: ignore[misc]
    """A machine as its page shows it: with its last orders, its reliability and the changes of its status."""


class MachineViewSet(Export, Import, Submit, Remove, WithExtras, NounViewSet):
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
    fields = _LISTED
    input_serializer_class = MachineDetailSerializer
    detail_serializer_class = MachineCardSerializer
    codes = {
        "tree_list": SIGNED_IN, "get_list": SIGNED_IN, "edits": "inspectmachine_view",
        "change_state": "inspectmachine_edit",
    }  # fmt: skip
    select_filters = ("parentId", "typeId", "nodeType", "deptId", "teamId")
    selectable = ~Q(run_state=RunState.SCRAPPED) & Q(is_sealed=False)
    sheet_key = "machine_code"
    sheet_choices = {"runState": BY_HAND}
    sample = {
        "nodeType": NodeType.MACHINE.value, "runState": RunState.RUNNING.value, "scrapDate": None, "scrapReason": "",
        "specialEquip": 1, "assetNo": "",
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
        "underDeptId": under("dept"),
        "teamId": Filter("team_id", ID),
        "dutyUserId": Filter("duty_user_id", ID),
        "maintainUserId": Filter("maintain_user_id", ID),
        "location": Filter("location"),
        "brand": Filter("brand"),
        "model": Filter("model"),
        "spec": Filter("spec"),
        "serialNo": Filter("serial_no"),
        "assetNo": Filter("asset_no"),
        "manufacturer": Filter("manufacturer"),
        "supplier": Filter("supplier"),
        "powerKw": Filter("power_kw", DECIMAL),
        "originalValue": Filter("original_value", DECIMAL),
        "madeDate": Filter("made_date", DATE),
        "purchaseDate": Filter("purchase_date", DATE),
        "inServiceDate": Filter("in_service_date", DATE),
        "warrantyEnd": Filter("warranty_end", DATE),
        "warrantyState": Filter(kind=INTEGER, apply=by_warranty),
        "specialEquip": Filter("special_equip", FLAG),
        "nextStatutoryDate": Filter("next_statutory_date", DATE),
        "meterUnit": Filter("meter_unit", INTEGER),
        "runHours": Filter("run_hours", DECIMAL),
        "lastReadTime": Filter("last_read_time", MOMENT),
        "avgDailyHours": Filter("avg_daily_hours", DECIMAL),
        "lastInspectTime": Filter("last_inspect_time", MOMENT),
        "nextInspectTime": Filter("next_inspect_time", MOMENT),
        "lastMaintainTime": Filter("last_maintain_time", MOMENT),
        "nextMaintainDate": Filter("next_maintain_date", DATE),
        "isSealed": Filter("is_sealed", FLAG),
        "tagId": Filter(kind=ID, apply=_labelled, sortable=False),
        "createTime": Filter("create_time", MOMENT),
    }

    def closed_as(self, row: Machine) -> str:
        """Return why this asset may no longer be chosen."""
        return _SCRAPPED if row.run_state == RunState.SCRAPPED else _SEALED

    def get_queryset(self) -> QuerySet[Any]:
        """With the dates of work by which the list is narrowed or sorted."""
        rows = super().get_queryset()
        given = self.request.query_params
        asked = {name.partition("_")[0] for name in given} | set(_names(given.get("ascs"), given.get("descs")))
        names = [name for name in work_dates.Dates._fields if camel(name) in asked]
        return work_dates.annotated(rows, names) if names else rows

    def page_context(self, ids: Sequence[int]) -> dict[str, Any]:
        """Count the open orders of the rows of a page, and read when there was and will be work on them."""
        return {"open_orders": open_work.counts(ids) or {0: 0}, "work_dates": dict(work_dates.of(ids))}

    @extend_schema(request=states.StateInput, responses=states.StateAnswer)
    @action(detail=False, methods=["post"], url_path="changeState")
    def change_state(self, request: Request) -> Response:
        """Give machines another status by hand; answers what is open on those that went out of use."""
        return Response(states.change_state(self.actor, parameters(request)))

    def validate_delete(self, row: Any) -> None:
        """Raise Conflict where other machines are below it, or it has a history."""
        if Machine.objects.filter(parent=row).exists():
            raise Conflict("machine.hasChildren", _("请先删除子节点!"))
        open_work.refuse_if_open(row, _("删除"))
        if (plate := live_plate(row)) is not None:
            text = _("设备「{name}」已绑定标牌「{code}」，请先解绑")
            raise Conflict("machine.hasHistory", text.format(name=row, code=plate.tag_code))
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
        rows = apply_filters(self.get_queryset().filter(is_sealed=False), {**asked, "keyword": word}, given)
        if given.get("mine") == "1":
            rows = rows.filter(Q(duty_user=self.actor.user_id) | Q(maintain_user=self.actor.user_id))
        found = list(rows.order_by("path")[:_MOST_OPTIONS])
        context = {"above": names_above([row.path for row in found])}
        return Response(MachineOption(found, many=True, context=context).data)

    @extend_schema(
        parameters=[
            OpenApiParameter("nodeTypes", str, description="comma joined levels, all by default"),
            OpenApiParameter("typeId", str, description="only machines of this class and below, and the ways to them"),
            OpenApiParameter("deptId", str, description="only what this department uses, and the ways to it"),
            OpenApiParameter("withState", int, enum=[1], description="with the counts of each node's subtree"),
        ],
        responses=MachineNode(many=True),
    )
    @action(detail=False, methods=["get"], url_path="getTreeList")
    def tree_list(self, request: Request) -> Response:
        """The tree down to the asked levels; what only leads to what was asked for cannot be chosen."""
        given = request.query_params.dict()
        texts = [text for text in given.get("nodeTypes", "").split(",") if text]
        if any(text not in {str(value) for value in NodeType.values} for text in texts):
            raise Invalid({"nodeTypes": _("请求参数格式错误: {name}").format(name="nodeTypes")})
        levels = {int(text) for text in texts} or set(NodeType.values)
        deepest, counted = max(levels), given.get("withState") == "1"
        rows = whole(Machine.objects.order_by("path").values_list(
            "pk", "parent_id", "node_type", "machine_name", "machine_code", "run_state", "type_id", "type__type_name",
            "type__type_name_en", "is_sealed",
        ))  # fmt: skip
        asked = {name: self.filters[name] for name in ("typeId", "deptId") if given.get(name, "").strip()}
        wanted: set[int] | None = None
        if asked:
            wanted = set(apply_filters(Machine.objects.order_by(), asked, given).values_list("pk", flat=True))
        nodes: dict[int, dict[str, Any]] = {}
        leads: set[int] = set()
        """Nodes that are wanted, and those on the way to them."""
        for pk, parent_id, node_type, name, code, state, type_id, type_name, type_name_en, is_sealed in rows:
            is_wanted = wanted is None or pk in wanted
            counts = node_type == NodeType.MACHINE and is_wanted
            nodes[pk] = {
                "id": str(pk),
                "parentId": str(parent_id or 0),
                "nodeType": node_type,
                "label": name,
                "machineCode": code,
                "typeId": str(type_id) if type_id else None,
                "typeName": choose(type_name, type_name_en) if type_id else "",
                "runState": state,
                "disabled": not is_wanted or is_sealed or state == RunState.SCRAPPED,
                "machineCount": int(counts),
                "stopCount": int(counts and state in _STOPPED),
            }
            if is_wanted:
                leads.add(pk)
            above = nodes.get(parent_id)
            while above is not None:
                above["machineCount"] += nodes[pk]["machineCount"]
                above["stopCount"] += nodes[pk]["stopCount"]
                if pk in leads:
                    leads.add(int(above["id"]))
                above = nodes.get(int(above["parentId"]))
        left_out = () if counted else ("machineCount", "stopCount")
        return Response(
            nest(
                {name: value for name, value in one.items() if name not in left_out}
                for pk, one in nodes.items()
                if one["nodeType"] <= deepest and pk in leads
            )
        )


_READERS = (
    ShippedRole.EQUIP_MANAGER, ShippedRole.WORKSHOP_HEAD, ShippedRole.SHIFT_LEADER, ShippedRole.INSPECTOR,
    ShippedRole.REPAIR_LEADER, ShippedRole.REPAIRER, ShippedRole.OPERATOR,
)  # fmt: skip
"""Who reads meters."""


class MeterReadingViewSet(Export, Import, Submit, Remove, NounViewSet):
    """Readings of the counters of machines: entered by whoever works at them, corrected by the equipment manager."""

    noun = "meterreading"
    menu = MenuEntry(
        "equip", "/equip/meterreading", "report", label("抄表记录", "Meter readings"), place=3,
        roles=together(kept_by(ShippedRole.EQUIP_MANAGER), held_by(_READERS, {"view", "add", "edit"})),
    )  # fmt: skip
    queryset = MeterReading.objects.all()
    rules = ReadingRules
    fields = (
        "reading_no", "machine", "read_time", "value", Unit(), "is_reset", "reset_base", "delta", "source", "user",
        "remark",
    )  # fmt: skip
    sample = {"isReset": 1}
    select = None  # type: ignore[assignment]  # nobody chooses among readings
    order = ("-read_time", "-id")
    filters = {
        **filters_of(MeterReading, "reading_no", "read_time", "value", "delta", "is_reset", "source", "user"),
        **filters_by_machine("machine"),
        "machineId": Filter("machine_id", ID),
        "meterUnit": Filter("machine__meter_unit", INTEGER),
    }

    def locked_rows(self, **found_by: Any) -> Sequence[Any]:
        """Return the readings, locked behind their machines: whoever adds one has only the lock of the machine."""
        rows = self.get_queryset().filter(**found_by)
        meters.lock(set(rows.order_by().values_list("machine", flat=True)))
        return super().locked_rows(**found_by)

    def validate_delete(self, row: Any) -> None:
        """Raise Conflict where the readings around it do not fit each other."""
        meters.check_without(row.machine, row)

    def perform_destroy(self, row: Any) -> None:
        """Remove a reading, and keep what follows from the others."""
        super().perform_destroy(row)
        meters.follow(row.machine, row.read_time)
