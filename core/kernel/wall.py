"""The database's own wall: row level security on every tenant table, for a role that cannot bypass it."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db import DatabaseError, connection, transaction

from core.kernel.models import TenantModel
from core.kernel.tenancy import WALL_ROLE, _wall_role

POLICY = "tenant_wall"


def tenant_tables() -> list[str]:
    """Tables of all tenant models."""
    return sorted(m._meta.db_table for m in apps.get_models() if issubclass(m, TenantModel) and m._meta.managed)


def _make_role(cursor: Any) -> bool:
    """Make the role where the login may; a plain owner needs none, because the policies are forced upon owners."""
    cursor.execute(
        "SELECT rolsuper OR rolbypassrls, rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user"
    )
    bypasses, may_create = cursor.fetchone()
    cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [WALL_ROLE])
    exists = cursor.fetchone() is not None
    if not exists and not may_create:
        if bypasses:
            raise RuntimeError(f"the database login bypasses row level security and may not create {WALL_ROLE}")
        return False
    if not exists:
        try:
            with transaction.atomic():
                cursor.execute(f"CREATE ROLE {WALL_ROLE} NOLOGIN NOSUPERUSER NOBYPASSRLS NOINHERIT")
        except DatabaseError as error:  # another installation on this server made it at the same moment
            if getattr(error.__cause__, "sqlstate", "") not in ("42710", "23505"):
                raise
    cursor.execute(f"GRANT {WALL_ROLE} TO current_user" if may_create else "SELECT 1")
    return True


def build() -> int:
    """Raise the wall on every tenant table (PostgreSQL only); may run any number of times. Answers how many."""
    if connection.vendor != "postgresql":
        return 0
    tables = tenant_tables()
    with transaction.atomic(), connection.cursor() as cursor:
        if _make_role(cursor):
            cursor.execute(f"GRANT USAGE ON SCHEMA public TO {WALL_ROLE}")
            cursor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {WALL_ROLE}")
            cursor.execute(f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {WALL_ROLE}")
        for table in tables:
            name = connection.ops.quote_name(table)
            rule = "tenant_id = current_setting('xunwei.tenant', true)"
            cursor.execute(f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY")
            cursor.execute(f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY")
            cursor.execute(f"DROP POLICY IF EXISTS {POLICY} ON {name}")
            cursor.execute(f"CREATE POLICY {POLICY} ON {name} USING ({rule}) WITH CHECK ({rule})")
    _wall_role.cache_clear()
    return len(tables)
