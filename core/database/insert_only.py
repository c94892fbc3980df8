"""Triggers that refuse to change or delete rows of tables to which rows are only added."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.apps import apps
from django.db import connection, transaction

from core.kernel.models import TenantModel

_REFUSED = "rows of this table are only added"


def tables(cursor: Any) -> list[str]:
    """Return the names of the tables to which rows are only added, and which are there."""
    there = set(connection.introspection.table_names(cursor))  # somebody may have migrated back
    models = (model for model in apps.get_models() if issubclass(model, TenantModel) and model.insert_only)
    return sorted(there.intersection(model._meta.db_table for model in models))


def build() -> None:
    """Create the triggers on both databases. It can be run again."""
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "CREATE OR REPLACE FUNCTION xunwei_insert_only() RETURNS trigger LANGUAGE plpgsql AS"
                f" $$BEGIN RAISE EXCEPTION '{_REFUSED}' USING ERRCODE = '42501'; END$$"
            )
        for statement in (*_drops(cursor), *_creations(cursor)):
            cursor.execute(statement)


@contextmanager
def lifted() -> Iterator[None]:
    """Let the `with` block, a transaction of the owner's, change the rows: a restore, or a test that tampers."""
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in _drops(cursor):
            cursor.execute(statement)
        yield
        for statement in _creations(cursor):
            cursor.execute(statement)


def _drops(cursor: Any) -> Iterator[str]:
    on_postgresql = connection.vendor == "postgresql"
    for table in tables(cursor):
        for act in ("update", "delete", "truncate") if on_postgresql else ("update", "delete"):
            yield f"DROP TRIGGER IF EXISTS {table}_no_{act}" + (f" ON {table}" if on_postgresql else "")


def _creations(cursor: Any) -> Iterator[str]:
    for table in tables(cursor):
        if connection.vendor == "postgresql":
            for act in ("update", "delete", "truncate"):
                yield (
                    f"CREATE TRIGGER {table}_no_{act} BEFORE {act} ON {table}"
                    " FOR EACH STATEMENT EXECUTE FUNCTION xunwei_insert_only()"
                )
        else:
            for act in ("update", "delete"):
                yield (
                    f"CREATE TRIGGER {table}_no_{act} BEFORE {act} ON {table}"
                    f" BEGIN SELECT RAISE(ABORT, '{_REFUSED}'); END"
                )
