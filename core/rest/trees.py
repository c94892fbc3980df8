"""Calls of nouns with a `parent`: the whole tree, one level of it, and nodes to choose from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.kernel.errors import Refusal
from core.rest.serializers import IdField

MOST_ROWS = 20_000
"""Largest tree that is returned whole. For a larger one, callers load single levels or filter."""


def whole(rows: QuerySet[Any]) -> list[Any]:
    """Return all of the rows; raise Refusal where a tree has more than can be answered at once."""
    found = list(rows[: MOST_ROWS + 1])
    if len(found) > MOST_ROWS:
        raise Refusal("tree.tooLarge", _("节点超过{n}个，请逐级展开或缩小筛选范围").format(n=MOST_ROWS))
    return found


class TreeNode(serializers.Serializer):  # type: ignore[type-arg]
    """A node of a tree to choose from."""

    id = serializers.CharField()
    parentId = serializers.CharField()
    title = serializers.CharField()
    key = serializers.CharField()
    value = serializers.CharField()

    def get_fields(self) -> dict[str, Any]:
        """Add `children`, nodes of the same kind; a leaf has none."""
        return {**super().get_fields(), "children": TreeNode(many=True, required=False)}


class LazyNode(TreeNode):
    """A node of one level, with `hasChildren`."""

    hasChildren = serializers.BooleanField()

    def get_fields(self) -> dict[str, Any]:
        """Leave out `children`, which another call returns."""
        fields = super().get_fields()
        del fields["children"]
        return fields


def node(row_id: Any, parent_id: Any, title: str) -> dict[str, Any]:
    """Return a tree node with ids as strings and parent 0 for a root."""
    text = str(row_id)
    return {"id": text, "parentId": str(parent_id or 0), "title": title, "key": text, "value": text}


def nest(nodes: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Nest nodes (with `id`, `parentId`) below their parents; a node whose parent is not in the list becomes a root.

    The order is kept. A leaf has no `children`, by which clients recognise it.
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
        """Return all rows that the actor may see, in order."""
        rows: QuerySet[Any] = self.get_queryset().order_by(*self.order)
        return rows

    def list(self: Any, request: Request) -> Response:
        """Answer the filtered rows as trees, not paged."""
        rows = self.get_serializer(whole(self.filtered()), many=True).data
        return Response(nest([{**row, "parentId": row["parentId"] or "0"} for row in rows]))

    @extend_schema(responses=TreeNode(many=True))
    @action(detail=False, methods=["get"], url_path="tree")
    def tree(self: Any, request: Request) -> Response:
        """Answer all rows as nodes to choose from."""
        return Response(nest([node(row.pk, row.parent_id, str(row)) for row in whole(self.forest_rows())]))

    def level(self: Any, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows below `parentId`, annotated with whether they have children; without `parentId`, all rows."""
        children = self.get_queryset().order_by().filter(parent=OuterRef("pk"))
        parent = self.request.query_params.get("parentId", "").strip()
        if parent:
            parent_id = IdField(allow_null=True).run_validation(parent)
            rows = rows.filter(parent_id=parent_id) if parent_id else rows.filter(parent=None)
        found: QuerySet[Any] = rows.annotate(has_children=Exists(children))
        return found

    @extend_schema(parameters=[OpenApiParameter("parentId", str)])
    @action(detail=False, methods=["get"], url_path="lazy-list")
    def lazy_list(self: Any, request: Request) -> Response:
        """Answer one level of rows with `hasChildren`."""
        rows = whole(self.level(self.filtered()))
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
        """Answer one level of nodes; without `parentId`, the roots."""
        rows = whole(self.level(self.get_queryset().order_by(*self.order)))
        if not request.query_params.get("parentId", "").strip():
            rows = [row for row in rows if row.parent_id is None]
        return Response([{**node(row.pk, row.parent_id, str(row)), "hasChildren": row.has_children} for row in rows])
