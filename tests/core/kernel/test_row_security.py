"""PostgreSQL's row-level security: set for a transaction, and forced upon the owner of the tables."""

from __future__ import annotations

import pytest
from django.db import connection, transaction

from core.identity.models import User
from core.kernel import row_security
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Cast

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
def test_every_tenant_table_forces_its_policy_upon_its_owner() -> None:
    tables = row_security.tenant_tables()
    assert len(tables) > 15
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relname = ANY(%s) AND relrowsecurity AND relforcerowsecurity", [tables]
        )
        forced = {name for (name,) in cursor.fetchall()}
        assert set(tables) - forced == set()


@pytest.mark.django_db
def test_the_owner_of_a_table_sees_one_tenant_only(cast: Cast) -> None:
    """Many installations have one login, which owns the tables: the policies must hold for it too."""
    table = connection.ops.quote_name(User._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE xunwei_test_owner NOLOGIN NOSUPERUSER NOBYPASSRLS")
        cursor.execute(
            f"GRANT USAGE, CREATE ON SCHEMA public TO xunwei_test_owner; ALTER TABLE {table} OWNER TO xunwei_test_owner"
        )
        cursor.execute("SET LOCAL ROLE xunwei_test_owner; SELECT set_config('xunwei.tenant', %s, true)", [A])
        cursor.execute(f"SELECT DISTINCT tenant_id FROM {table}")
        assert cursor.fetchall() == [(A,)]
        cursor.execute("RESET ROLE")
