"""When an asset was inspected and maintained last, and when it is to be next; who keeps the work says how to read.

None of these is stored with the asset: a list reads them for a page at once, and for all assets where it is narrowed or
sorted by them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from django.db.models import DateField, DateTimeField, QuerySet, Value

from core.equipment.models import Machine


class Dates(NamedTuple):
    """Of one asset."""

    last_inspect_time: datetime | None = None
    next_inspect_time: datetime | None = None
    last_maintain_time: datetime | None = None
    next_maintain_date: date | None = None


def _never() -> Any:
    return Value(None, DateTimeField(null=True))


_expressions: dict[str, Callable[[], Any]] = {
    "last_inspect_time": _never,
    "next_inspect_time": _never,
    "last_maintain_time": _never,
    "next_maintain_date": lambda: Value(None, DateField(null=True)),
}


def register(**expressions: Callable[[], Any]) -> None:
    """Register how some of them are read: what returns subqueries about the outer asset, in the tenant in scope."""
    assert expressions.keys() <= _expressions.keys()
    _expressions.update(expressions)


def annotated(machines: QuerySet[Any], names: Collection[str] = Dates._fields) -> QuerySet[Any]:
    """Return the assets with these, to be filtered and sorted by."""
    found: QuerySet[Any] = machines.annotate(**{name: _expressions[name]() for name in names})
    return found


def of(machine_ids: Collection[int]) -> Mapping[int, Dates]:
    """Return all of them of these assets; one statement, none for none."""
    if not machine_ids:
        return {}
    rows = annotated(Machine.with_removed.filter(pk__in=machine_ids).order_by())
    return {pk: Dates(*said) for pk, *said in rows.values_list("pk", *Dates._fields)}
