"""Calls of dictionaries, parameters and regions."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters as given_parameters
from core.kernel.audit_entry import AuditEntry
from core.kernel.errors import Conflict, Missing
from core.kernel.ids import is_id
from core.kernel.operation import perform
from core.kernel.texts import label
from core.rest import edits
from core.rest.filters import CODE, FLAG, ID, INTEGER, TEXT, Filter, apply_filters, filters_of, in_order, ordering
from core.rest.menus import EVERYTHING, MenuEntry, ShippedRole
from core.rest.pagination import page
from core.rest.sheets import Export
from core.rest.trees import Tree, TreeNode, nest, node, whole
from core.rest.viewsets import SIGNED_IN, NounViewSet, Remove, Stored, Submit
from core.system import dictionaries, parameters
from core.system.models import BusinessDictionary, Parameter, Region, RegionLevel, SystemDictionary
from core.system.regions_shipped import COUNTRY
from core.system.serializers import (
    BusinessDictionarySerializer,
    DictionaryValue,
    ParameterSerializer,
    RegionNode,
    RegionSerializer,
    SystemDictionarySerializer,
)

WHOLE_TREE = "DICT"
"""What the family's clients send as `code` when they want to choose among all dictionaries."""


def _below(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    if text in ("0", "-1"):
        return rows.filter(parent=None)
    return rows.filter(parent_id=int(text)) if is_id(text) else rows.none()


class _DictionaryViewSet(Tree, Export, Submit, Remove, NounViewSet):
    """Dictionaries: a root row each, and the values below it."""

    is_business = False
    arrays = frozenset({"list", "lazy_list", "child_list"})
    pages = frozenset({"parent_list"})
    codes = {"dictionary": SIGNED_IN}
    order = ("sort", "id")
    filters = {
        "code": Filter("code", TEXT),
        "dictValue": Filter("dict_value", TEXT),
        "dictKey": Filter("dict_key", CODE),
        "isSealed": Filter("is_sealed", FLAG),
        "sort": Filter("sort", INTEGER),
        "parentId": Filter("parent_id", ID, apply=_below),
    }

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """The two lists need the right to see the rows."""
        if cls.noun:
            cls.codes = {**cls.codes, "parent_list": f"{cls.noun}_view", "child_list": f"{cls.noun}_view"}
        super().__init_subclass__(**kwargs)

    def validate_delete(self, row: Any) -> None:
        """A row with others below it stays, and so does what the product depends on."""
        if dictionaries.is_shipped(type(row), row.code, row.dict_key):
            raise Conflict("dictionary.shipped", _("系统自带的字典「{name}」不能删除，可以封存").format(name=row))
        if self.get_queryset().filter(parent=row).exists():
            raise Conflict("dictionary.hasChildren", _("请先删除子节点!"))

    @extend_schema(
        parameters=[OpenApiParameter(name, str) for name in ("code", "dictValue", "isSealed")]
        + [OpenApiParameter(name, int) for name in ("current", "size")]
    )
    @action(detail=False, methods=["get"], url_path="parent-list")
    def parent_list(self, request: Request) -> Response:
        """Answer a page of dictionaries, without their values."""
        rows, numbers = page(self.filtered().filter(parent=None), request.query_params.dict())
        return Response({"records": [self._shown(row) for row in self._serialized(rows)], **numbers})

    @extend_schema(
        parameters=[
            OpenApiParameter("parentId", str, required=True),
            *(OpenApiParameter(name, str) for name in ("dictValue", "dictKey", "isSealed")),
        ]
    )
    @action(detail=False, methods=["get"], url_path="child-list")
    def child_list(self, request: Request) -> Response:
        """Answer the values of one dictionary, with what hangs below them."""
        root = self.row(self.id_parameter("parentId"))
        given = {name: text for name, text in request.query_params.dict().items() if name != "parentId"}
        # All values have the code of their dictionary, so that one statement finds every level of it.
        mine = self.get_queryset().filter(code=root.code, parent__isnull=False)
        rows = in_order(apply_filters(mine, self.filters, given), ordering(self.filters, given, self.order))
        found = nest([self._shown(row) for row in self._serialized(whole(rows))])
        if root.parent_id is not None:
            found = _branch(found, str(root.pk))
        return Response(found)

    def _serialized(self, rows: list[Any]) -> list[Any]:
        found: list[Any] = self.get_serializer(rows, many=True).data
        return found

    @staticmethod
    def _shown(row: Any) -> dict[str, Any]:
        return {**row, "parentId": row["parentId"] or "0"}

    @extend_schema(parameters=[OpenApiParameter("code", str)], responses=TreeNode(many=True))
    @action(detail=False, methods=["get"], url_path="tree")
    def tree(self, request: Request) -> Response:
        """Answer all rows as nodes to choose from; of one dictionary where `code` names one."""
        rows = self.forest_rows()
        code = request.query_params.get("code", "").strip()
        if code and code != WHOLE_TREE:
            rows = self.get_queryset().filter(code=code).order_by(*self.order)
        return Response(nest([node(row.pk, row.parent_id, str(row)) for row in whole(rows)]))

    @extend_schema(parameters=[OpenApiParameter("code", str, required=True)], responses=DictionaryValue(many=True))
    @action(detail=False, methods=["get"], url_path="dictionary")
    def dictionary(self, request: Request) -> Response:
        """Values of one dictionary to choose from, in order, without the sealed ones."""
        rows = dictionaries.entries(self.parameter("code")[:60], business=self.is_business)
        return Response(
            [
                {
                    "code": row.code,
                    "dictKey": row.dict_key,
                    "dictValue": str(row),
                    "sort": row.sort,
                    "remark": row.remark,
                }
                for row in rows
                if not row.is_sealed
            ]
        )


def _branch(forest: list[dict[str, Any]], parent_id: str) -> list[dict[str, Any]]:
    """Return what hangs below one node of the forest."""
    step = list(forest)
    while step:
        each = step.pop()
        if each["id"] == parent_id:
            children: list[dict[str, Any]] = each.get("children", [])
            return children
        step += each.get("children", [])
    return []


class SystemDictionaryViewSet(_DictionaryViewSet):
    """Dictionaries of the product, the same for everybody."""

    noun = "dict"
    sample = {"dictKey": "-1"}
    menu = MenuEntry(
        "system", "/system/dict", "dict", label("系统字典", "System dictionary"), place=8,
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING},
    )  # fmt: skip
    queryset = SystemDictionary.objects.select_related("parent")
    serializer_class = SystemDictionarySerializer
    platform_only = frozenset({"submit", "remove"})


class BusinessDictionaryViewSet(_DictionaryViewSet):
    """Dictionaries of a company; where it has none of a code, the system's values are answered."""

    noun = "dictbiz"
    sample = {"dictKey": "-1"}
    menu = MenuEntry(
        "system", "/system/dictbiz", "dict", label("业务字典", "Business dictionary"), place=9,
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING},
    )  # fmt: skip
    is_business = True
    by_tenant = True
    queryset = BusinessDictionary.objects.select_related("parent")
    serializer_class = BusinessDictionarySerializer


class ParameterViewSet(Export, Submit, Remove, NounViewSet):
    """Parameters of a company: those that the product reads, and its own."""

    noun = "param"
    menu = MenuEntry(
        "system", "/system/param", "param", label("参数管理", "Parameters"), place=10,
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING},
    )  # fmt: skip
    by_tenant = True
    queryset = Parameter.objects.all()
    serializer_class = ParameterSerializer
    order = ("param_key",)
    select = None  # type: ignore[assignment]  # values of a company are chosen by nobody
    filters = filters_of(Parameter, "param_name") | {
        "paramKey": Filter("param_key", TEXT),
        "paramValue": Filter("param_value", TEXT),
    }

    def get_queryset(self) -> QuerySet[Any]:
        """With the value that counts."""
        return parameters.with_values(super().get_queryset())

    def validate_delete(self, row: Any) -> None:
        """What the product reads cannot be removed, only go back to its default."""
        if row.param_key in parameters.SHIPPED and not parameters.restore(row):
            text = _("系统参数「{name}」不能删除，它的值就是默认值").format(name=row)
            raise Conflict("parameter.shipped", text)

    def perform_destroy(self, row: Any) -> None:
        """Of a parameter of the product only the own value goes."""
        if row.param_key not in parameters.SHIPPED:
            super().perform_destroy(row)


class RegionViewSet(Export, Submit, Remove, NounViewSet):
    """Administrative divisions; a region is named by its code."""

    noun = "region"
    sample = {"parentCode": COUNTRY, "level": RegionLevel.PROVINCE.value}
    menu = MenuEntry(
        "base", "/base/region", "region", label("行政区划", "Regions"),
        roles={ShippedRole.TENANT_ADMIN: EVERYTHING},
    )  # fmt: skip
    queryset = Region.objects.all()
    serializer_class = RegionSerializer
    platform_only = frozenset({"submit", "remove"})
    select_action = ""
    codes = {"show": SIGNED_IN}
    arrays = frozenset({"lazy_list", "select"})
    order = ("code",)
    filters = filters_of(Region, "code", "name", "parent_code", "level", "sort")

    def row(self, row_id: Any) -> Any:
        """By its code."""
        found = self.get_queryset().filter(code=str(row_id)).first()
        if found is None:
            raise Missing()
        return found

    def _code(self) -> str:
        """Return the region that is meant: `code`, or the `id` that a client took from a row."""
        given = given_parameters(self.request)
        return str(given.get("code") or given.get("id") or "").strip()

    def declared_code(self) -> str | None:
        """An existing code is a change, another one a new region."""
        if self.action == "submit" and not Region.objects.filter(code=self._code()[:12]).exists():
            return self.codes["add"]
        return self.codes.get(self.action or "")

    @extend_schema(parameters=[OpenApiParameter("code", str), OpenApiParameter("id", str)])
    def show(self, request: Request) -> Response:
        """One region by its code."""
        return Response(self.get_serializer(self.row(self._code() or self.parameter("code"))).data)

    @extend_schema(responses=Stored)
    def submit(self, request: Request) -> Response:
        """A known code is changed, another one is added."""
        body = given_parameters(request)
        entry = AuditEntry("region.submit", self.actor, business_type="region")

        def change() -> dict[str, str]:
            known = next(iter(self.locked_rows(code=self._code()[:12])), None)
            if known is not None:
                self.check_version(known, body)
            if known is None and str(body.get("id") or "").strip():
                raise Missing()
            # Named only now: the same request again finds its region there already.
            entry.operation = f"region.{'add' if known is None else 'edit'}"
            serializer = self.get_serializer(known, data=body, partial=known is not None)
            serializer.is_valid(raise_exception=True)
            with edits.told(self, entry, known, body):
                row = serializer.save()
            entry.business_id, entry.remark = row.pk, f"{row} {row.code}"
            return {"id": row.code}

        return Response(perform(entry, body, change))

    @extend_schema(parameters=[OpenApiParameter("id", str), OpenApiParameter("ids", str)], request=None, responses=None)
    def remove(self, request: Request) -> Response:
        """Regions with nothing below them; all of those named, or none."""
        given = given_parameters(request)
        text = str(given.get("id") or given.get("ids") or "").strip() or self.parameter("id")
        codes = list(dict.fromkeys(part.strip() for part in text.split(",")[:200] if part.strip()))
        entry = AuditEntry("region.delete", self.actor, business_type="region", remark=",".join(codes)[:400])

        def change() -> None:
            rows = self.locked_rows(code__in=codes)
            if not rows or len(rows) != len(codes):
                raise Missing()
            left = Region.objects.filter(parent_code__in=codes).exclude(code__in=codes)
            if any(row.code == COUNTRY for row in rows) or left.exists():
                raise Conflict("region.hasChildren", _("请先删除子节点!"))
            for row in rows:
                row.delete()

        return Response(perform(entry, codes, change))

    def _level(self, default: str) -> QuerySet[Any]:
        """Return the regions below `parentCode`, each knowing whether it has others below it; where a code or a name is
        looked for, or no parent is named and there is no default, those of all levels.
        """
        given = self.request.query_params
        parent = given.get("parentCode", "").strip()[:12] or default
        looked_for = {name: given[name] for name in ("code", "name") if given.get(name, "").strip()}
        rows = apply_filters(self.get_queryset(), self.filters, looked_for).order_by(*self.order)
        if parent and not looked_for:
            rows = rows.filter(parent_code=parent)
        below = Region.objects.filter(parent_code=OuterRef("code"))
        found: QuerySet[Any] = rows.annotate(has_children=Exists(below))
        return found

    @extend_schema(parameters=[OpenApiParameter(name, str) for name in ("parentCode", "code", "name")])
    @action(detail=False, methods=["get"], url_path="lazy-list")
    def lazy_list(self, request: Request) -> Response:
        """One level of regions, each saying whether there is more below."""
        rows = whole(self._level(""))
        found = self.get_serializer(rows, many=True).data
        return Response([{**data, "hasChildren": row.has_children} for data, row in zip(found, rows, strict=True)])

    @extend_schema(
        parameters=[OpenApiParameter(name, str) for name in ("parentCode", "code", "name")],
        responses=RegionNode(many=True),
    )
    @action(detail=False, methods=["get"], url_path="lazy-tree")
    def lazy_tree(self, request: Request) -> Response:
        """One level of nodes; the provinces where no parent is named."""
        return Response(
            [
                {**node(row.code, row.parent_code, str(row)), "hasChildren": row.has_children}
                for row in whole(self._level(COUNTRY))
            ]
        )

    @extend_schema(parameters=[OpenApiParameter("code", str)])
    @action(detail=False, methods=["get"], url_path="select")
    def select(self, request: Request) -> Response:
        """Answer the regions below one, to choose from; the provinces where none is named."""
        code = request.query_params.get("code", "").strip()[:12] or COUNTRY
        rows = list(self.get_queryset().filter(parent_code=code).order_by(*self.order))
        return Response(self.get_serializer(rows, many=True).data)
