"""Row-level security on every table of tenants, for a PostgreSQL role that cannot bypass it."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db import DatabaseError, connection, transaction

from core.kernel.models import TenantModel
from core.kernel.tenancy import ROW_SECURITY_ROLE, _row_security_role

POLICY = "tenant_wall"


def tenant_tables() -> list[str]:
    """Return the table names of all models with a tenant."""
    return sorted(m._meta.db_table for m in apps.get_models() if issubclass(m, TenantModel) and m._meta.managed)


def _make_role(cursor: Any) -> bool:
    """Create the role if the login may; return whether it exists.

    Without it, the policies bind the owner of the tables.
    """
    cursor.execute(
        "SELECT rolsuper OR rolbypassrls, rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user"
    )
    bypasses, may_create = cursor.fetchone()
    cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROW_SECURITY_ROLE])
    exists = cursor.fetchone() is not None
    if not exists and not may_create:
        if bypasses:
            raise RuntimeError(f"the database login bypasses row level security and may not create {ROW_SECURITY_ROLE}")
        return False
    if not exists:
        try:
            with transaction.atomic():
                cursor.execute(f"CREATE ROLE {ROW_SECURITY_ROLE} NOLOGIN NOSUPERUSER NOBYPASSRLS NOINHERIT")
        except DatabaseError as error:  # another installation on this server made it at the same moment
            if getattr(error.__cause__, "sqlstate", "") not in ("42710", "23505"):
                raise
    cursor.execute(f"GRANT {ROW_SECURITY_ROLE} TO current_user" if may_create else "SELECT 1")
    return True


def build() -> int:
    """Create the policies on every table of tenants (PostgreSQL only) and return the number. It can be run again."""
    if connection.vendor != "postgresql":
        return 0
    tables = tenant_tables()
    with transaction.atomic(), connection.cursor() as cursor:
        if _make_role(cursor):
            cursor.execute(f"GRANT USAGE ON SCHEMA public TO {ROW_SECURITY_ROLE}")
            cursor.execute(
                f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {ROW_SECURITY_ROLE}"
            )
            cursor.execute(f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {ROW_SECURITY_ROLE}")
        for table in tables:
            name = connection.ops.quote_name(table)
            rule = "tenant_id = current_setting('xunwei.tenant', true)"
            cursor.execute(f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY")
            cursor.execute(f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY")
            cursor.execute(f"DROP POLICY IF EXISTS {POLICY} ON {name}")
            cursor.execute(f"CREATE POLICY {POLICY} ON {name} USING ({rule}) WITH CHECK ({rule})")
    _row_security_role.cache_clear()
    return len(tables)
