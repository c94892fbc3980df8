"""Nouns whose rows hang on a `parent`: whole forests, one level at a time, and nodes to choose from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from django.db.models import Exists, OuterRef, QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.kernel.serializers import IdField

MOST_ROWS = 5000
"""A forest is answered whole, so it has a limit; what may grow larger is asked for level by level."""


class TreeNode(serializers.Serializer):  # type: ignore[type-arg]
    """A node of a tree to choose from."""

    id = serializers.CharField()
    parentId = serializers.CharField()
    title = serializers.CharField()
    key = serializers.CharField()
    value = serializers.CharField()

    def get_fields(self) -> dict[str, Any]:
        """Nodes below it, of the same kind; a leaf has none."""
        return {**super().get_fields(), "children": TreeNode(many=True, required=False)}


class LazyNode(TreeNode):
    """A node of one level, which says whether there is more below it."""

    hasChildren = serializers.BooleanField()

    def get_fields(self) -> dict[str, Any]:
        """Without children: they are another call."""
        fields = super().get_fields()
        del fields["children"]
        return fields


def node(row_id: Any, parent_id: Any, title: str) -> dict[str, Any]:
    """A node as tree widgets want it: ids as strings, 0 above a root."""
    text = str(row_id)
    return {"id": text, "parentId": str(parent_id or 0), "title": title, "key": text, "value": text}


def nest(nodes: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Hang each node (with `id`, `parentId`) below its parent; one whose parent is not there is a root.

    Order is kept. A leaf has no `children`: clients tell leaves by that.
    """
    by_id = {each["id"]: each for each in nodes}
    roots: list[dict[str, Any]] = []
    for each in by_id.values():
        parent = by_id.get(each["parentId"])
        (parent.setdefault("children", []) if parent and parent is not each else roots).append(each)
    return roots


class Tree:
    """Mix in before NounViewSet: `list` answers the whole forest, `tree` its nodes, the `lazy` calls one level.

    The serializer has `parentId`; a node's title is the row's name, its `str`.
    """

    arrays: ClassVar[frozenset[str]] = frozenset({"list", "lazy_list"})
    pages: ClassVar[frozenset[str]] = frozenset()

    def forest_rows(self: Any) -> QuerySet[Any]:
        """All rows this person may see, in order."""
        rows: QuerySet[Any] = self.get_queryset().order_by(*self.order)[:MOST_ROWS]
        return rows

    def list(self: Any, request: Request) -> Response:
        """The rows asked for as a forest, not paged."""
        rows = self.get_serializer(self.filtered()[:MOST_ROWS], many=True).data
        return Response(nest([{**row, "parentId": row["parentId"] or "0"} for row in rows]))

    @extend_schema(responses=TreeNode(many=True))
    @action(detail=False, methods=["get"], url_path="tree")
    def tree(self: Any, request: Request) -> Response:
        """All rows as nodes to choose from."""
        return Response(nest([node(row.pk, row.parent_id, str(row)) for row in self.forest_rows()]))

    def level(self: Any, rows: QuerySet[Any]) -> QuerySet[Any]:
        """The rows below `parentId`, each knowing whether it has children; all levels where no parent is named."""
        children = self.get_queryset().order_by().filter(parent=OuterRef("pk"))
        parent = self.request.query_params.get("parentId", "").strip()
        if parent:
            parent_id = IdField(allow_null=True).run_validation(parent)
            rows = rows.filter(parent_id=parent_id) if parent_id else rows.filter(parent=None)
        found: QuerySet[Any] = rows.annotate(has_children=Exists(children))[:MOST_ROWS]
        return found

    @extend_schema(parameters=[OpenApiParameter("parentId", str)])
    @action(detail=False, methods=["get"], url_path="lazy-list")
    def lazy_list(self: Any, request: Request) -> Response:
        """One level of rows, each saying whether there is more below."""
        rows = list(self.level(self.filtered()))
        found = self.get_serializer(rows, many=True).data
        return Response(
            [
                {**data, "parentId": data["parentId"] or "0", "hasChildren": row.has_children}
                for data, row in zip(found, rows, strict=True)
            ]
        )

    @extend_schema(parameters=[OpenApiParameter("parentId", str)], responses=LazyNode(many=True))
    @action(detail=False, methods=["get"], url_path="lazy-tree")
    def lazy_tree(self: Any, request: Request) -> Response:
        """One level of nodes; the roots where no parent is named."""
        rows = self.level(self.get_queryset().order_by(*self.order))
        if not request.query_params.get("parentId", "").strip():
            rows = [row for row in rows if row.parent_id is None]
        return Response([{**node(row.pk, row.parent_id, str(row)), "hasChildren": row.has_children} for row in rows])
