"""Pages as the dialect writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

DEFAULT_SIZE = 10
MAX_SIZE = 200
MAX_PAGE = 1_000_000


def _bounded(text: str | None, default: int, top: int) -> int:
    """A page number or size; nonsense means the default, too much is cut."""
    try:
        value = int(text or default)
    except ValueError:
        return default
    return min(value, top) if value >= 1 else default


def page(queryset: QuerySet[Any], given: Mapping[str, str]) -> tuple[list[Any], dict[str, int]]:
    """The asked page's rows and its numbers: total, size, current, pages."""
    size = _bounded(given.get("size"), DEFAULT_SIZE, MAX_SIZE)
    current = _bounded(given.get("current"), 1, MAX_PAGE)
    total = queryset.order_by().count()
    start = (current - 1) * size
    rows = list(queryset[start : start + size]) if start < total else []
    return rows, {"total": total, "size": size, "current": current, "pages": -(-total // size)}
