"""Writing rows where every step does it: the ORM's statements with their text made once, filled in each time.

For rows with plain values. What the ORM makes of a `save` costs more than most databases take to carry it out. This is
one of the modules that may write SQL: an insert is too plain to ask the ORM for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.db import DatabaseError, connection, connections
from django.db.models.expressions import Expression
from django.db.models.sql.subqueries import UpdateQuery

from core.kernel.compiled import TENANT
from core.kernel.tenancy import compiled_for, current_tenant

_KEY = -(2**61)
"""Stands for the row's id while a statement is compiled; no id is negative."""


def insert(rows: Sequence[Any]) -> None:
    """What `bulk_create(rows)` does: store new rows of one model."""
    if not rows:
        return
    model: Any = type(rows[0])
    begin, places, fields = _insert_of(model, connection.vendor)
    values = [value for row in rows for value in _values(row, fields, is_new=True)]
    with connection.cursor() as cursor:
        cursor.execute(begin + ", ".join([places] * len(rows)), values)
    for row in rows:
        row._state.adding, row._state.db = False, connection.alias


def update(row: Any, *names: str) -> None:
    """What `row.save(update_fields=names)` does; without names all columns of the stored row are written."""
    model: Any = type(row)
    text, fields, found_by = _update_of(model, names, connection.vendor)
    key = [current_tenant() if one == TENANT else row.pk for one in found_by]
    with connection.cursor() as cursor:
        cursor.execute(text, [*_values(row, fields, is_new=False), *key])
        if cursor.rowcount != 1:
            raise DatabaseError(f"{model.__name__} {row.pk} is not there to be changed")


def _values(row: Any, fields: Sequence[Any], *, is_new: bool) -> list[Any]:
    database = connections[connection.alias]  # `connection` finds it anew for each attribute
    return [field.get_db_prep_save(field.pre_save(row, is_new), database) for field in fields]


class _Place(Expression):
    """A place for a column's value."""

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[()]]:
        """A parameter whose value is given when the statement runs."""
        return "%s", ()


@lru_cache(maxsize=200)
def _insert_of(model: Any, vendor: str) -> tuple[str, str, tuple[Any, ...]]:
    """The beginning of the statement, the places of one row, and its columns."""
    fields, quoted = model._meta.concrete_fields, connection.ops.quote_name
    columns = ", ".join(quoted(field.column) for field in fields)
    begin = f"INSERT INTO {quoted(model._meta.db_table)} ({columns}) VALUES "
    return begin, f"({', '.join(['%s'] * len(fields))})", fields


@lru_cache(maxsize=200)
def _update_of(model: Any, names: tuple[str, ...], vendor: str) -> tuple[str, tuple[Any, ...], tuple[Any, ...]]:
    """The statement, the columns that it writes, and by what it finds the row: TENANT and _KEY, in its order."""
    named = [model._meta.get_field(name) for name in names]
    fields = tuple(one for one in model._meta.concrete_fields if (one in named if names else not one.primary_key))
    with compiled_for(TENANT):
        query: Any = model._base_manager.filter(pk=_KEY).query.chain(UpdateQuery)
        query.add_update_fields([(field, None, _Place(output_field=field)) for field in fields])
        text, found_by = query.get_compiler(using="default").as_sql()
    return text, fields, tuple(found_by)
