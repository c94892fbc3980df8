"""PostgreSQL's row-level security: set for a transaction, on every table with a tenant, for the login that serves."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, transaction

from core.database import row_security
from core.identity.models import Session, Tenant, User
from core.kernel.tenancy import PLATFORM, tenant_scope
from tests import logins
from tests.cast import A, B, Cast
from workflows.runtime.tables.deployments.models import Definition

# On SQLite the scope of the queries stands alone, and is tried by tests/contract/test_wall.py.
pytestmark = pytest.mark.skipif(  # because the policies are PostgreSQL's own: SQLite has none, ADR 0005
    "connection.vendor != 'postgresql'", reason="SQLite has no row level security; ADR 0005"
)


def _session() -> tuple[str, str]:
    """Return the role and the tenant of the connection as it stands."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('role'), coalesce(current_setting('xunwei.tenant', true), '')")
        role, tenant = cursor.fetchone()
    return role, tenant


class _Broken(Exception):
    """Something goes wrong inside a scope."""


@pytest.mark.django_db(transaction=True)
def test_a_connection_keeps_neither_role_nor_tenant_for_its_next_user() -> None:
    before = _session()
    with tenant_scope(A):
        assert _session() != before
    assert _session() == before
    with tenant_scope(A), tenant_scope(B):
        assert _session()[1] == B
    assert _session() == before
    for commits in (True, False):
        with pytest.raises(_Broken), transaction.atomic():  # noqa: PT012
            with tenant_scope(A):
                pass
            if not commits:
                raise _Broken
            with tenant_scope(B):
                raise _Broken
        assert _session() == before


@pytest.mark.django_db
def test_every_table_with_a_tenant_has_a_policy_that_is_forced() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity"
            " AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid)"
            " FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
            " WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'"
            " AND a.attname = 'tenant_id' AND NOT a.attisdropped"
        )
        found = dict(cursor.fetchall())
    assert {table for table, is_walled in found.items() if not is_walled} == set()
    assert set(found) | {"identity_ticket"} == set(row_security.rules())
    assert len(found) > 40


@pytest.mark.django_db
def test_the_login_that_serves_cannot_leave_the_wall() -> None:
    """What it says itself in SQL does not help it: it owns nothing, and no role of more rights is behind it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper, rolbypassrls, rolcreaterole FROM pg_roles WHERE rolname = session_user")
        assert cursor.fetchone() == (False, False, False)
        cursor.execute("SELECT count(*) FROM pg_class WHERE relowner = session_user::regrole")
        assert cursor.fetchone() == (0,)
        with tenant_scope(A):
            cursor.execute("RESET ROLE")
            cursor.execute("SELECT DISTINCT tenant_id FROM identity_user")
            assert cursor.fetchall() == [(A,)]
    for statement in (
        "ALTER TABLE identity_user DISABLE ROW LEVEL SECURITY",
        "DROP POLICY tenant_wall ON identity_user",
        "DROP TRIGGER audit_event_no_update ON audit_event",
        "DELETE FROM django_migrations",
        "SET ROLE postgres",
        "CREATE TABLE public.own (id int)",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


@pytest.mark.django_db
def test_the_owner_of_a_table_sees_one_tenant_only(cast: Cast) -> None:
    """Many installations have one login, which owns the tables: the policies must hold for it too."""
    table = connection.ops.quote_name(User._meta.db_table)
    with pytest.raises(_Broken), logins.owner_cursor() as cursor:  # noqa: PT012
        cursor.execute("CREATE ROLE xunwei_test_owner NOLOGIN NOSUPERUSER NOBYPASSRLS")
        cursor.execute(
            f"GRANT USAGE, CREATE ON SCHEMA public TO xunwei_test_owner; ALTER TABLE {table} OWNER TO xunwei_test_owner"
        )
        cursor.execute("SET LOCAL ROLE xunwei_test_owner; SELECT set_config('xunwei.tenant', %s, true)", [A])
        cursor.execute(f"SELECT DISTINCT tenant_id FROM {table}")
        assert cursor.fetchall() == [(A,)]
        raise _Broken  # takes it all back


@pytest.mark.django_db
def test_in_a_scope_the_shared_tables_show_their_own_tenant(cast: Cast) -> None:
    """Outside one they are read at sign-in and by the sweeps; the platform's scope keeps all companies."""
    everybody = Session.objects.count()
    with tenant_scope(A):
        own = Session.objects.count()
        assert set(Tenant.objects.values_list("tenant_id", flat=True)) == {A}
        foreign = Session.objects.exclude(tenant__tenant_id=A)
        assert (foreign.count(), foreign.update(generation=9)) == (0, 0)
        assert Definition.objects.filter(is_general=True).exists()
        with pytest.raises(DatabaseError), transaction.atomic():
            Definition.objects.filter(is_general=True).update(is_active=False)
        with pytest.raises(DatabaseError), transaction.atomic():
            Definition.objects.create(
                tenant_id=B, key="own", version=1, name="x", category="1", business_type="", xml=b"", checksum="x"
            )
    with tenant_scope(PLATFORM):
        assert (Session.objects.count(), Tenant.objects.count()) == (everybody, 3)
    assert 0 < own < everybody


@pytest.mark.django_db
def test_audit_rows_are_only_added(cast: Cast) -> None:
    for statement in ("UPDATE audit_event SET remark = 'x'", "DELETE FROM audit_event", "TRUNCATE audit_event"):
        refused = pytest.raises(DatabaseError, match="permission denied")
        with tenant_scope(A), refused, transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
