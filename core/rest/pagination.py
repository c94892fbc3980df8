"""Pages of lists. Totals are exact up to a cap and marked estimates beyond it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson
from django.db import connection
from django.db.models import IntegerField, QuerySet, Subquery
from django.db.models.query import ModelIterable

from core.statements.compiled import Compiled, Value

DEFAULT_SIZE = 10
MAX_SIZE = 200
MAX_PAGE = 1_000_000
COUNTED = 10_000
"""Largest number of rows that is counted, so that the cost of a total does not grow with the table."""


def bounds(given: Mapping[str, str]) -> tuple[int, int]:
    """Return number and size of the requested page."""
    size = _bounded(given.get("size"), DEFAULT_SIZE, MAX_SIZE)
    return _bounded(given.get("current"), 1, MAX_PAGE), size


def _bounded(text: str | None, default: int, top: int) -> int:
    """Return a page number or size: the default for invalid text, at most the given limit."""
    try:
        value = int(text or default)
    except ValueError:
        return default
    return min(value, top) if value >= 1 else default


class _Counted(Subquery):
    """The number of rows of a query, as a column beside the rows themselves."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) counted)"
    output_field = IntegerField()


def page(queryset: QuerySet[Any], given: Mapping[str, str]) -> tuple[list[Any], dict[str, Any]]:
    """Return the rows of the requested page and its numbers: total, size, current, pages, `totalIsEstimate`.

    Rows of a table bring their total with them, in one statement; any others, and a page behind the last one, cost a
    second one.
    """
    current, size = bounds(given)
    start = (current - 1) * size
    every = queryset.order_by()[: COUNTED + 1]
    if queryset.query.combinator or not issubclass(queryset._iterable_class, ModelIterable):
        total = every.count()
        rows = list(queryset[start : start + size]) if start < total or total > COUNTED else []
    else:
        bare = queryset.select_related(None).values("pk")
        found = queryset.annotate(counted=_Counted(bare.order_by()[: COUNTED + 1]))
        if queryset.query.select_related:
            # Which rows the page has is found first, and only these are joined with what they refer to: PostgreSQL
            # cannot estimate how many rows contain a word, and would join all of them before it takes the first ten.
            rows = list(found.filter(pk__in=bare[start : start + size]))
        else:
            rows = list(found[start : start + size])
        total = rows[0].counted if rows else every.count() if start else 0
    return rows, numbers(lambda: queryset, total, current, size)


def page_at_hand(rows: Sequence[Any], given: Mapping[str, str]) -> dict[str, Any]:
    """Return the requested page of rows that are in memory, with its numbers."""
    current, size = bounds(given)
    start = (current - 1) * size
    total = len(rows)
    pages = -(-total // size)
    return {"records": rows[start : start + size], "total": total, "size": size, "current": current, "pages": pages}


def compiled_page(
    compiled: Compiled, values: tuple[Value, ...], given: Mapping[str, str]
) -> tuple[list[Any], dict[str, Any]]:
    """Return the requested page of a compiled queryset with these values."""
    current, size = bounds(given)
    start, total = (current - 1) * size, compiled.count(COUNTED + 1, *values)
    rows = compiled.page(start, size, *values) if start < total or total > COUNTED else []
    return rows, numbers(lambda: compiled.queryset(*values), total, current, size)


def known_page(
    total: int, rows: Callable[[int, int], list[Any]], given: Mapping[str, str]
) -> tuple[list[Any], dict[str, Any]]:
    """Return the requested page where the total is known; `rows(start, size)` is not called beyond the total."""
    current, size = bounds(given)
    start = (current - 1) * size
    found = {"total": total, "size": size, "current": current, "pages": -(-total // size)}
    return (rows(start, size) if start < total else []), found


def numbers(queryset: Callable[[], QuerySet[Any]], counted: int, current: int, size: int) -> dict[str, Any]:
    """Return the numbers of a page. `counted` is exact, or cap + 1 if counting stopped there."""
    total = counted if counted <= COUNTED else max(_estimate(queryset()), COUNTED)
    found: dict[str, Any] = {"total": total, "size": size, "current": current, "pages": -(-total // size)}
    if counted > COUNTED:
        found["totalIsEstimate"] = True
    return found


def _estimate(queryset: QuerySet[Any]) -> int:
    """Return the row count that the planner of PostgreSQL estimates; on SQLite the cap."""
    if connection.vendor != "postgresql":
        return COUNTED
    [plan] = orjson.loads(queryset.order_by().values("pk").explain(format="json"))
    return int(plan["Plan"]["Plan Rows"])
