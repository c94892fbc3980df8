"""Inserts and updates whose SQL is compiled once per model and run with other values each time.

Only for plain values. Compiling a `save` takes longer than most databases need to run it. This is
one of the modules that may write SQL: an insert is too plain to ask the ORM for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from django.db import DatabaseError, connection, connections, models
from django.db.models.expressions import Expression, F
from django.db.models.sql.subqueries import UpdateQuery

from core.kernel.tenancy import compiled_for, current_tenant
from core.statements.compiled import TENANT

_KEY = -(2**61)
"""Placeholder for the row's id while a statement is compiled; no real id is negative."""


def insert(rows: Sequence[Any]) -> None:
    """Insert new rows of one model, as `bulk_create(rows)` does."""
    if not rows:
        return
    model: Any = type(rows[0])
    begin, places, fields = _insert_of(model, connection.vendor)
    values = [_values(row, fields, is_new=True) for row in rows]
    with connection.cursor() as cursor:
        if len(rows) > 1 and connection.vendor == "postgresql":
            # Its driver looks for the placeholders of a long statement each time, of a short one only once.
            cursor.execute(begin + ", ".join([cursor.mogrify(places, one) for one in values]), None)
        else:
            cursor.execute(begin + ", ".join([places] * len(rows)), [value for one in values for value in one])
    for row in rows:
        row._state.adding, row._state.db = False, connection.alias


def update(row: Any, *names: str, copied: Mapping[str, str] = MappingProxyType({})) -> None:
    """Update the named columns, as `row.save(update_fields=names)` does; without names, all columns.

    `copied` says by column from which one it gets the value that is stored there now, so that a large value need not be
    sent to where it is already.
    """
    model: Any = type(row)
    text, fields, found_by = _update_of(model, names, tuple(copied.items()), connection.vendor)
    key = [current_tenant() if one == TENANT else row.pk for one in found_by]
    with connection.cursor() as cursor:
        cursor.execute(text, [*_values(row, fields, is_new=False), *key])
        if cursor.rowcount != 1:
            raise DatabaseError(f"{model.__name__} {row.pk} is not there to be changed")


def _values(row: Any, fields: Sequence[tuple[Any, Any]], *, is_new: bool) -> list[Any]:
    database = connections[connection.alias]  # `connection` finds it anew for each attribute
    found = []
    for field, plain in fields:
        value = field.pre_save(row, is_new)
        if plain is None or (value is not None and type(value) is not plain):
            value = field.get_db_prep_save(value, database)
        found.append(value)
    return found


def _with_plain(fields: Sequence[Any], vendor: str) -> tuple[tuple[Any, Any], ...]:
    """Return each column with the type of values that it gives to the database as they are; None where it has none.

    Three calls of Django's for each value of each row say the same.
    """
    return tuple((field, _plain(field, vendor)) for field in fields)


def _plain(field: Any, vendor: str) -> Any:
    kind = type(getattr(field, "target_field", field))
    ways = kind.get_prep_value, kind.get_db_prep_value
    if type(field).get_db_prep_save not in (models.Field.get_db_prep_save, models.ForeignKey.get_db_prep_save):
        return None
    if ways == (models.BooleanField.get_prep_value, models.Field.get_db_prep_value):
        return bool
    if ways in (
        (models.CharField.get_prep_value, models.Field.get_db_prep_value),
        (models.TextField.get_prep_value, models.Field.get_db_prep_value),
    ):
        return str
    # PostgreSQL's driver is told the size of each number.
    is_number = ways == (models.IntegerField.get_prep_value, models.IntegerField.get_db_prep_value)
    return int if is_number and vendor == "sqlite" else None


class _Place(Expression):
    """SQL expression of a placeholder for a column's value."""

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[()]]:
        """Return a parameter whose value is given when the statement runs."""
        return "%s", ()


@lru_cache(maxsize=200)
def _insert_of(model: Any, vendor: str) -> tuple[str, str, tuple[Any, ...]]:
    """Return the head of the INSERT statement, the placeholders of one row, and its columns."""
    fields, quoted = model._meta.concrete_fields, connection.ops.quote_name
    columns = ", ".join(quoted(field.column) for field in fields)
    begin = f"INSERT INTO {quoted(model._meta.db_table)} ({columns}) VALUES "
    return begin, f"({', '.join(['%s'] * len(fields))})", _with_plain(fields, vendor)


@lru_cache(maxsize=200)
def _update_of(
    model: Any, names: tuple[str, ...], copied: tuple[tuple[str, str], ...], vendor: str
) -> tuple[str, tuple[Any, ...], tuple[Any, ...]]:
    """Return the UPDATE statement, the columns that it is given, and the parameters of its WHERE (TENANT, _KEY)."""
    named = [model._meta.get_field(name) for name in names]
    fields = tuple(one for one in model._meta.concrete_fields if (one in named if names else not one.primary_key))
    copies = [(model._meta.get_field(name), None, F(stored)) for name, stored in copied]
    with compiled_for(TENANT):
        query: Any = model._default_manager.filter(pk=_KEY).query.chain(UpdateQuery)
        query.add_update_fields([(field, None, _Place(output_field=field)) for field in fields])
        query.add_update_fields(copies)
        text, found_by = query.get_compiler(using="default").as_sql()
    return text, _with_plain(fields, vendor), tuple(found_by)
