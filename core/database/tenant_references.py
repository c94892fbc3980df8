"""The database's own rule that a row refers only to rows of its tenant: PostgreSQL checks foreign keys past policies.

Which references there are follows from the models. This module may write SQL: it makes constraints of two columns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import connection, models
from django.db.backends.utils import truncate_name

_SUFFIX = "_of_tenant"
_MOST_NAMED = 20


@dataclass(frozen=True)
class TenantReference:
    """A foreign key from a table with a tenant to a table with a tenant."""

    table: str
    column: str
    target: str
    general: str
    """SQL: rows of the target that rows of every tenant may refer to, its `read_rows`; '' where there are none."""

    @property
    def name(self) -> str:
        """Return the name of the constraint, or of the trigger and its function where some rows are general."""
        return truncate_name(f"{self.table}_{self.column}{_SUFFIX}", 63)


def has_tenant(model: type[models.Model]) -> bool:
    """Return whether rows of the model say by `tenant_id` whose they are; a session refers to the company's row."""
    return any(
        field.column == "tenant_id" and isinstance(field, models.CharField) for field in model._meta.concrete_fields
    )


def references() -> list[TenantReference]:
    """Return all foreign keys from a table with a tenant to a table with a tenant."""
    found = []
    for model in apps.get_models(include_auto_created=True):
        if not model._meta.managed or not has_tenant(model):
            continue
        for field in model._meta.concrete_fields:
            target: Any = field.related_model
            if isinstance(field, models.ForeignKey) and has_tenant(target):
                general = getattr(target, "read_rows", "")
                found.append(TenantReference(model._meta.db_table, field.column, target._meta.db_table, general))
    return sorted(found, key=lambda one: (one.table, one.column))


def build(cursor: Any) -> int:
    """Make what is missing of the constraints, drop what they replace, and return the number of references.

    Has to run as the owner of the tables, in the transaction that then forces their policies.
    Raises RuntimeError naming the rows where some refer to another tenant's.
    """
    cursor.execute(
        "SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
        " WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT a.attisdropped"
    )
    columns = set(cursor.fetchall())
    # Somebody may have migrated back to where a table or a column is not there.
    wanted = [one for one in references() if {(one.table, one.column), (one.target, "tenant_id")} <= columns]
    there = _constraints(cursor)
    stale = [one for one in there if one.name.endswith(_SUFFIX) and not any(map(one.is_of, wanted))]
    missing = [one for one in wanted if not any(found.is_of(one) for found in there if found.name.endswith(_SUFFIX))]
    # What is checked with the tenant need not be checked without: that would double what an insert costs.
    replaced = {(one.table, (one.column,)) for one in wanted if not one.general}
    single = [one for one in there if one.target and (one.table, one.columns) in replaced]
    if missing:
        tables = sorted({table for one in missing for table in (one.table, one.target)})
        # The policies are for the owner too, who would find no row that is wrong. They are forced again afterwards.
        cursor.execute(";".join(f"ALTER TABLE {_quoted(table)} NO FORCE ROW LEVEL SECURITY" for table in tables))
        _check_rows(cursor, missing)
    targets = sorted({one.target for one in missing if not one.general})
    statements = [
        *(f"ALTER TABLE {_quoted(one.table)} DROP CONSTRAINT {_quoted(one.name)}" for one in stale if one.target),
        *(f"DROP TRIGGER {_quoted(one.name)} ON {_quoted(one.table)}" for one in stale if not one.target),
        *(
            f"CREATE UNIQUE INDEX IF NOT EXISTS {_quoted(_index(one))} ON {_quoted(one)} (tenant_id, id)"
            for one in targets
        ),
        *map(_creation, missing),
        *(f"ALTER TABLE {_quoted(one.table)} DROP CONSTRAINT {_quoted(one.name)}" for one in single),
    ]
    if missing or stale or single:
        cursor.execute(";\n".join(statements))
    return len(wanted)


@dataclass(frozen=True)
class _Constraint:
    """A foreign key or a trigger that the database has; `target` is '' for a trigger."""

    name: str
    table: str
    target: str
    columns: tuple[str, ...]

    def is_of(self, one: TenantReference) -> bool:
        """Return whether it does for this reference what it must."""
        return (self.name, self.table, self.target) == (one.name, one.table, "" if one.general else one.target)


def _constraints(cursor: Any) -> list[_Constraint]:
    cursor.execute(
        "SELECT k.conname, c.relname, coalesce(t.relname, ''), ARRAY(SELECT a.attname::text FROM pg_attribute a"
        " WHERE a.attrelid = k.conrelid AND a.attnum = ANY(k.conkey) ORDER BY 1)"
        " FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid LEFT JOIN pg_class t ON t.oid = k.confrelid"
        " WHERE k.connamespace = 'public'::regnamespace AND k.contype IN ('f', 't')"
    )
    return [_Constraint(name, table, target, tuple(columns)) for name, table, target, columns in cursor.fetchall()]


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)


def _index(table: str) -> str:
    return truncate_name(f"{table}_tenant_row", 63)


def _creation(one: TenantReference) -> str:
    table, target, name, column = map(_quoted, (one.table, one.target, one.name, one.column))
    if not one.general:
        return (
            f"ALTER TABLE {table} ADD CONSTRAINT {name} FOREIGN KEY (tenant_id, {column})"
            f" REFERENCES {target} (tenant_id, id) DEFERRABLE INITIALLY DEFERRED"
        )
    # At the end of the statement: later, in another scope, the policies might hide the row that is referred to.
    return (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN"
        f" IF NEW.{column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM {target} WHERE id = NEW.{column}"
        f" AND (tenant_id = NEW.tenant_id OR {one.general})) THEN"
        f" RAISE EXCEPTION 'a row of {one.table} refers by {one.column} to a row of another tenant'"
        f" USING ERRCODE = '23503', CONSTRAINT = '{one.name}', TABLE = '{one.table}'; END IF; RETURN NULL; END$$;"
        f"CREATE CONSTRAINT TRIGGER {name} AFTER INSERT OR UPDATE OF tenant_id, {column} ON {table}"
        f" FOR EACH ROW EXECUTE FUNCTION {name}()"
    )


def _check_rows(cursor: Any, missing: Iterable[TenantReference]) -> None:
    """Raise RuntimeError naming the rows that refer to another tenant's."""
    searches = []
    for one in missing:
        lawful = f" AND NOT (SELECT {one.general} FROM {_quoted(one.target)} WHERE id = t.id)" if one.general else ""
        searches.append(
            f"(SELECT '{one.table}', r.id, r.tenant_id, '{one.column}', '{one.target}', t.id, t.tenant_id"
            f" FROM {_quoted(one.table)} r JOIN {_quoted(one.target)} t ON t.id = r.{_quoted(one.column)}"
            f" WHERE t.tenant_id <> r.tenant_id{lawful} ORDER BY r.id LIMIT {_MOST_NAMED + 1})"
        )
    cursor.execute(" UNION ALL ".join(searches))
    found = [
        f"{table} {row} (tenant {tenant}) refers by {column} to {target} {other} (tenant {its})"
        for table, row, tenant, column, target, other, its in cursor.fetchall()
    ]
    if found:
        more = ["and more"] if len(found) > _MOST_NAMED else []
        raise RuntimeError(
            f"rows refer to another tenant's: {'; '.join(found[:_MOST_NAMED] + more)}. "
            "Put these rows right or delete them, and migrate again"
        )
