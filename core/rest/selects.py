"""One way to choose a row of any noun: `select` answers a page of ids with their codes and names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from django.db import models
from django.db.models import BooleanField, Case, Q, QuerySet, When
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.kernel.models import TreeModel
from core.kernel.texts import label
from core.rest.filters import apply_filters, contains, in_order, ordering
from core.rest.pagination import MAX_SIZE, page
from core.rest.placing import MOST_LEVELS
from core.rest.routes import Address, addresses
from core.rest.serializers import FlagField, IdListField

_CODES = ("_code", "_no", "_key", "_alias")
_NAMES = ("_name", "title")
_DISABLED = label("已停用", "Disabled")
SELECT_PARAMETERS = [
    OpenApiParameter("keyword", str, description="Part of the code or the name."),
    OpenApiParameter("ids", str, description="These rows, comma-joined, also those that may no longer be chosen."),
    OpenApiParameter("closed", int, enum=[1], description="Also those that may no longer be chosen, marked as such."),
    OpenApiParameter("current", int),
    OpenApiParameter("size", int),
]


class Option(serializers.Serializer):  # type: ignore[type-arg]
    """A row to choose: its code, its name, and in a tree the names above it."""

    id = serializers.CharField()
    code = serializers.CharField()
    name = serializers.CharField()
    path = serializers.CharField(help_text="Names above it in its tree, joined by a slash; empty at the top.")
    enabled = FlagField(help_text="Whether it may still be chosen.")
    closed = serializers.CharField(help_text="What it is that may no longer be chosen, such as scrapped; else empty.")


class Select:
    """Mix in before a view set with a queryset: `select` answers rows to choose from, within tenant and data scope.

    A noun that should not be chosen by everybody who is signed in says `select = None`.
    """

    select_action: ClassVar[str] = "select"
    """The action that answers the page; empty where the dialect has a `select` of its own and nothing refers here."""
    select_code: ClassVar[str] = ""
    """The column shown as code; where it is not declared, the model's first one that is named like a code."""
    select_name: ClassVar[str] = ""
    """The column that `keyword` is looked for in beside the code; shown is the row's `str`."""
    selectable: ClassVar[Q | None] = None
    """Which rows may be chosen; where it is not declared, those that are not sealed and not disabled."""

    select_filters: ClassVar[tuple[str, ...]] = ()
    """Filters of the list that narrow the page too; no others, because everybody who is signed in may ask."""

    def closed_as(self, row: Any) -> str:
        """Return what this row is, which may no longer be chosen."""
        return _DISABLED

    def select_rows(self: Any) -> QuerySet[Any]:
        """Return the rows to choose among, selectable or not."""
        rows: QuerySet[Any] = self.get_queryset()
        return rows

    @extend_schema(parameters=SELECT_PARAMETERS, responses=Option(many=True))
    @action(detail=False, methods=["get"], url_path="select")
    def select(self: Any, request: Request) -> Response:
        """Answer a page of rows to choose from."""
        return Response(self.options_page(request.query_params.dict()))

    def options_page(self: Any, given: Mapping[str, str]) -> dict[str, Any]:
        """Return the page that is asked for; at most four statements, and in a tree one more for each level above."""
        model = self.queryset.model
        may_be_chosen = _selectable(model) if self.selectable is None else self.selectable
        rows = self.select_rows()
        if given.get("ids", "").strip():
            rows = rows.filter(pk__in=IdListField(max_ids=MAX_SIZE).run_validation(given["ids"]))
            given = {"size": str(MAX_SIZE)}
        elif may_be_chosen and given.get("closed") != "1":
            rows = rows.filter(may_be_chosen)
        columns = _search_columns(model, self.select_code, self.select_name)
        if word := given.get("keyword", "").strip():
            rows = rows.filter(contains(columns, word))
        rows = apply_filters(rows, {name: self.filters[name] for name in self.select_filters}, given)
        if may_be_chosen:
            is_chosen = Case(When(may_be_chosen, then=True), default=False, output_field=BooleanField())
            rows = rows.annotate(may_be_chosen=is_chosen)
        found, numbers = page(in_order(rows, ordering({}, {}, self.order)), given)
        above = names_above(model, found)
        code = self.select_code or _code_column(model)
        records = [
            {
                "id": str(row.pk),
                "code": str(getattr(row, code)) if code else "",
                "name": str(row),
                "path": above.get(row.pk, ""),
                "enabled": int(getattr(row, "may_be_chosen", True)),
                "closed": "" if getattr(row, "may_be_chosen", True) else str(self.closed_as(row)),
            }
            for row in found
        ]
        return {"records": records, **numbers}


@dataclass(frozen=True)
class Naming:
    """The columns by which people know the rows of a model: the code, if it has one, and all columns to search."""

    code: str
    columns: tuple[str, ...]


def naming_of(model: Any) -> Naming:
    """Return how rows are known, as their select declares it."""
    address = addresses().get(model, Address(""))
    columns = _search_columns(model, address.code, address.name)
    return Naming(address.code or _code_column(model), columns)


def _texts(model: Any) -> list[str]:
    """Return the names of the model's short texts that people may see, in their order."""
    return [one.name for one in model._meta.concrete_fields if isinstance(one, models.CharField) and one.editable]


@lru_cache(maxsize=256)
def _code_column(model: Any) -> str:
    """Return the first text that is named like a code; empty where there is none."""
    return next((name for name in _texts(model) if name == "code" or name.endswith(_CODES)), "")


@lru_cache(maxsize=256)
def _search_columns(model: Any, code: str, name: str) -> tuple[str, ...]:
    """Return the columns that a keyword is looked for in: code, name, and the English name."""
    texts = _texts(model)
    name = name or next((one for one in texts if one == "name" or one.endswith(_NAMES)), "")
    wanted = (code or _code_column(model), name, f"{name}_en")
    return tuple(one for one in wanted if one in texts)


@lru_cache(maxsize=256)
def _selectable(model: Any) -> Q:
    """Return the condition for rows that may be chosen: not sealed, not disabled."""
    names = {one.name for one in model._meta.concrete_fields}
    found = Q(is_sealed=False) if "is_sealed" in names else Q()
    return found & Q(is_enabled=True) if "is_enabled" in names else found


def names_above(model: Any, rows: Sequence[Any]) -> dict[int, str]:
    """Return by id the names above each row of a tree, from the root on, joined by a slash.

    One statement for a tree that keeps paths, one for each level above of a tree that does not.
    """
    if issubclass(model, TreeModel):
        lines = {row.pk: [int(one) for one in row.path.strip("/").split("/")[:-1]] for row in rows}
        ids = {one for line in lines.values() for one in line}
        named = {row.pk: str(row) for row in model._default_manager.filter(pk__in=ids)} if ids else {}
        return {pk: "/".join(named[one] for one in line if one in named) for pk, line in lines.items()}
    if not any(one.name == "parent" for one in model._meta.concrete_fields):
        return {}
    known = {row.pk: row for row in rows}
    for _level in range(MOST_LEVELS):
        missing = {row.parent_id for row in known.values() if row.parent_id} - known.keys()
        if not missing:
            break
        known |= {row.pk: row for row in model._default_manager.filter(pk__in=missing)}
    return {row.pk: "/".join(_line(row, known)) for row in rows}


def _line(row: Any, known: Mapping[int, Any]) -> list[str]:
    names: list[str] = []
    while (row := known.get(row.parent_id)) is not None and len(names) < MOST_LEVELS:
        names.insert(0, str(row))
    return names
