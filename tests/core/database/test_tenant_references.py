"""On PostgreSQL no row refers to another tenant's, whatever SQL the login that serves runs in a tenant's scope."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from core.database import row_security, tenant_references
from core.database.tenant_references import TenantReference
from core.kernel.tenancy import PLATFORM, tenant_scope
from tests import logins
from tests.cast import A, B, Cast

# On SQLite the scope of the queries stands alone, and is tried by tests/contract/test_wall.py.
pytestmark = pytest.mark.skipif(  # because SQLite has no policies that its references could go past, ADR 0005
    "connection.vendor != 'postgresql'", reason="SQLite has no row level security; ADR 0005"
)

_ids = count(7_000_000_000)
_VALUES = {
    "bigint": "0",
    "integer": "1",
    "smallint": "1",
    "boolean": "false",
    "numeric": "1",
    "double precision": "1",
    "jsonb": "'[]'",
    "bytea": "''",
    "date": "current_date",
    "time without time zone": "'08:00'",
}
_FITTING: dict[str, dict[str, str]] = {"equipment_machine.type_id": {"node_type": "4"}}
"""What a row has to say beside a reference, by its checks."""


class _TakenBack(Exception):
    """Ends a transaction of which nothing stays."""


@contextmanager
def _nothing_stays() -> Iterator[None]:
    try:
        with transaction.atomic():
            yield
            raise _TakenBack
    except _TakenBack:
        pass


def _insert(cursor: Any, table: str, tenant: str, more: dict[str, str]) -> int:
    """Store a row whose required columns hold anything.

    What they refer to is looked at when the transaction ends, but for what may be general, which is there.
    """
    number = next(_ids)
    for one in tenant_references.references():
        if one.table == table and one.general and one.column not in more:
            more = {one.column: str(_insert(cursor, one.target, tenant, {}))} | more
    cursor.execute(
        "SELECT column_name, data_type, coalesce(character_maximum_length, 99) FROM information_schema.columns"
        " WHERE table_schema = 'public' AND table_name = %s AND is_nullable = 'NO' ORDER BY ordinal_position",
        [table],
    )
    values = {}
    for place, (column, kind, most) in enumerate(cursor.fetchall()):
        moment = f"now() + {place} * interval '1 minute'"  # what ends stands behind what begins
        values[column] = moment if kind.startswith("timestamp") else _VALUES.get(kind, f"'{str(number)[-most:]}'")
    values |= {"id": str(number), "tenant_id": f"'{tenant}'"} | more
    cursor.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join(values.values())})")
    return number


def _answer(one: TenantReference, tenant: str, more: dict[str, str] | None = None) -> str:
    """Let a row of tenant A refer to a row of a tenant, and return what the database says of it."""
    with _nothing_stays(), connection.cursor() as cursor:
        with tenant_scope(tenant):
            target = _insert(cursor, one.target, tenant, more or {})
        with tenant_scope(A):
            try:
                with transaction.atomic():
                    row = {one.column: str(target)} | _FITTING.get(f"{one.table}.{one.column}", {})
                    _insert(cursor, one.table, A, row)
                    if not one.general:
                        cursor.execute(f"SET CONSTRAINTS {one.name} IMMEDIATE")
                        cursor.execute(f"SET CONSTRAINTS {one.name} DEFERRED")
            except IntegrityError as error:
                return str(error.__cause__.diag.constraint_name)  # type: ignore[union-attr]
            return "stored"


@pytest.mark.django_db
def test_no_row_refers_to_a_row_of_another_tenant(cast: Cast) -> None:
    found = tenant_references.references()
    assert {one.name: _answer(one, B) for one in found} == {one.name: one.name for one in found}
    assert {one.name: _answer(one, A) for one in found} == dict.fromkeys([one.name for one in found], "stored")
    ours = [one for one in found if not one.table.startswith("toolroom_")]
    assert (len(ours), [one.name for one in ours if one.general]) == (
        147,
        [
            "flow_messages_messagestart_definition_id_of_tenant",
            "instances_processinstance_definition_id_of_tenant",
            "timers_schedule_definition_id_of_tenant",
            "worklist_workitem_definition_id_of_tenant",
        ],
    )


@pytest.mark.django_db
def test_a_row_that_is_there_cannot_be_turned_to_another_tenants(cast: Cast) -> None:
    with tenant_scope(B), connection.cursor() as cursor:
        cursor.execute("SELECT id FROM identity_department LIMIT 1")
        (foreign,) = cursor.fetchone()
    refused = pytest.raises(IntegrityError, match="identity_user_dept_id_of_tenant")
    with tenant_scope(A), refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE identity_user SET dept_id = %s", [foreign])
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


@pytest.mark.django_db
def test_general_definitions_are_referred_to_by_all(cast: Cast) -> None:
    [one] = [one for one in tenant_references.references() if one.table == "instances_processinstance"]
    assert _answer(one, PLATFORM, {"is_general": "true"}) == "stored"
    assert _answer(one, PLATFORM) == one.name


@pytest.mark.django_db
def test_what_the_database_has_is_what_the_models_say() -> None:
    """Between two tables with a tenant there is no foreign key without it, but beside a trigger that looks at it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH walled AS (SELECT attrelid AS oid FROM pg_attribute WHERE attname = 'tenant_id'"
            " AND atttypid = 'varchar'::regtype AND NOT attisdropped)"
            " SELECT conrelid::regclass || '.' || (SELECT attname FROM pg_attribute WHERE attrelid = conrelid"
            " AND attnum = conkey[1]) FROM pg_constraint WHERE contype = 'f' AND cardinality(conkey) = 1"
            " AND conrelid IN (SELECT oid FROM walled) AND confrelid IN (SELECT oid FROM walled)"
        )
        single = {name for (name,) in cursor.fetchall()}
    general = {f"{one.table}.{one.column}" for one in tenant_references.references() if one.general}
    assert single == general


@pytest.mark.django_db
def test_the_login_that_serves_cannot_take_the_rule_away() -> None:
    for statement in (
        "ALTER TABLE identity_user DROP CONSTRAINT identity_user_dept_id_of_tenant",
        "DROP TRIGGER worklist_workitem_definition_id_of_tenant ON worklist_workitem",
        "DROP INDEX identity_department_tenant_row",
        "CREATE OR REPLACE FUNCTION worklist_workitem_definition_id_of_tenant() RETURNS trigger"
        " LANGUAGE plpgsql AS $$BEGIN RETURN NULL; END$$",
        "SET session_replication_role = replica",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


@contextmanager
def _older(cursor: Any) -> Iterator[None]:
    """Give the owner, who is no superuser, two tables as they were before the rule, in its transaction."""
    cursor.execute("SET LOCAL session_replication_role = origin")
    cursor.execute("CREATE ROLE xunwei_test_owner NOLOGIN NOSUPERUSER NOBYPASSRLS")
    cursor.execute("GRANT USAGE, CREATE ON SCHEMA public TO xunwei_test_owner")
    for table in ("equipment_stoppage", "equipment_machine"):
        cursor.execute(f"ALTER TABLE {table} OWNER TO xunwei_test_owner")
    cursor.execute("ALTER TABLE equipment_stoppage DROP CONSTRAINT equipment_stoppage_machine_id_of_tenant")
    cursor.execute(
        "ALTER TABLE equipment_stoppage ADD CONSTRAINT former FOREIGN KEY (machine_id)"
        " REFERENCES equipment_machine (id) DEFERRABLE INITIALLY DEFERRED"
    )
    cursor.execute("SET LOCAL ROLE xunwei_test_owner")
    yield


def _constraints(cursor: Any) -> list[tuple[str, str]]:
    cursor.execute(
        "SELECT conname, pg_get_constraintdef(oid, true) FROM pg_constraint"
        " WHERE conrelid = 'equipment_stoppage'::regclass ORDER BY conname"
    )
    return cursor.fetchall()  # type: ignore[no-any-return]


@pytest.mark.django_db
def test_an_older_database_is_taken_over(cast: Cast) -> None:
    with pytest.raises(_TakenBack), logins.owner_cursor() as cursor:  # noqa: PT012
        today = _constraints(cursor)
        assert dict(today)["equipment_stoppage_machine_id_of_tenant"] == (
            "FOREIGN KEY (tenant_id, machine_id) REFERENCES equipment_machine(tenant_id, id)"
            " DEFERRABLE INITIALLY DEFERRED"
        )
        with _older(cursor):
            assert {"former"} == set(dict(_constraints(cursor))) - set(dict(today))
            tenant_references.build(cursor)
        assert _constraints(cursor) == today
        raise _TakenBack


@pytest.mark.django_db
def test_a_row_that_breaks_the_rule_is_named(cast: Cast) -> None:
    with pytest.raises(_TakenBack), logins.owner_cursor() as cursor:  # noqa: PT012
        cursor.execute("SELECT id FROM equipment_machine WHERE tenant_id = %s ORDER BY id LIMIT 1", [B])
        (foreign,) = cursor.fetchone()
        row = _insert(cursor, "equipment_stoppage", A, {"machine_id": str(foreign)})
        with _older(cursor), pytest.raises(RuntimeError) as refused:
            tenant_references.build(cursor)
        assert str(refused.value) == (
            f"rows refer to another tenant's: equipment_stoppage {row} (tenant {A}) refers by machine_id to"
            f" equipment_machine {foreign} (tenant {B}). Put these rows right or delete them, and migrate again"
        )
        raise _TakenBack


def test_the_tables_are_known_to_the_policies() -> None:
    """A table between whose rows references are checked has a policy too: the models say both."""
    walled = set(row_security.rules())
    assert {table for one in tenant_references.references() for table in (one.table, one.target)} <= walled
