"""Row-level security on every table with a tenant, and the rights of the PostgreSQL role that serves."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.db import DatabaseError, connection, transaction

from core.database import insert_only, tenant_references
from core.kernel.models import SharedModel, TenantModel
from core.kernel.tenancy import ROW_SECURITY_ROLE, _row_security_role

POLICY = "tenant_wall"
READING, LOCKING = "tenant_wall_read", "tenant_wall_lock"
_TENANT = "current_setting('xunwei.tenant', true)"
_OUTSIDE = f"coalesce({_TENANT}, '') = ''"


def rules() -> dict[str, tuple[str, str]]:
    """Return by table the rows that a tenant's scope reads and writes, and those that it may only read, as SQL."""
    found = {}
    for model in apps.get_models():
        if not model._meta.managed:
            continue
        if issubclass(model, TenantModel):
            found[model._meta.db_table] = (f"tenant_id = {_TENANT}", "")
        elif issubclass(model, SharedModel) and model.own_rows:
            # Read and written before a tenant is entered too: at sign-in, and by the sweeps of the worker. Of the same
            # rule with OR PostgreSQL expects that one row in a hundred passes, and of a queue it would sort all rows
            # to find the oldest, instead of reading one from its index.
            own = f"CASE WHEN {_OUTSIDE} THEN true ELSE {model.own_rows.format(tenant=_TENANT)} END"
            found[model._meta.db_table] = (own, model.read_rows)
    return dict(sorted(found.items()))


def _make_role(cursor: Any) -> bool:
    """Create the role if the login may; return whether it exists.

    Without it, the policies bind the owner of the tables.
    """
    cursor.execute(
        "SELECT rolsuper OR rolbypassrls, rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user"
    )
    bypasses, may_create = cursor.fetchone()
    exists = _is_there(cursor)
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


def _is_there(cursor: Any) -> bool:
    cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROW_SECURITY_ROLE])
    return cursor.fetchone() is not None


def _check_login(cursor: Any, login: str) -> None:
    """Raises RuntimeError where the login that serves is no subject of the policies."""
    cursor.execute(
        "SELECT rolsuper OR rolbypassrls OR pg_has_role(rolname, current_user, 'MEMBER') FROM pg_roles"
        " WHERE rolname = %s",
        [login],
    )
    if cursor.fetchone()[0]:
        raise RuntimeError(
            f"the login {login} of DATABASE_URL must be NOSUPERUSER and NOBYPASSRLS, and no member of the owner's role"
        )


def grant(cursor: Any, role: str) -> None:
    """Give a role what serving takes: all rows that the policies leave, and of insert-only tables no change."""
    name = connection.ops.quote_name(role)
    cursor.execute(f"GRANT USAGE ON SCHEMA public TO {name}")
    cursor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {name}")
    cursor.execute(f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {name}")
    cursor.execute(f"REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {name}")
    for table in insert_only.tables(cursor):
        cursor.execute(f"REVOKE UPDATE, DELETE, TRUNCATE ON {connection.ops.quote_name(table)} FROM {name}")


def build(login: str = "") -> int:
    """Create the policies on every table with a tenant (PostgreSQL only) and return the number. It can be run again.

    `login` is the one that serves, where it is not the owner of the tables.
    """
    if connection.vendor != "postgresql":
        return 0
    with transaction.atomic(), connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))  # somebody may have migrated back
        tables = {table: rule for table, rule in rules().items() if table in there}
        if login:
            _check_login(cursor, login)
            grant(cursor, login)
        if _is_there(cursor) if login else _make_role(cursor):
            grant(cursor, ROW_SECURITY_ROLE)
        tenant_references.build(cursor)
        for table, (own, read) in tables.items():
            name = connection.ops.quote_name(table)
            cursor.execute(f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY")
            cursor.execute(f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY")
            cursor.execute(f"DROP POLICY IF EXISTS {POLICY} ON {name}")
            cursor.execute(f"DROP POLICY IF EXISTS {READING} ON {name}")
            cursor.execute(f"DROP POLICY IF EXISTS {LOCKING} ON {name}")
            cursor.execute(f"CREATE POLICY {POLICY} ON {name} USING ({own}) WITH CHECK ({own})")
            if read:
                cursor.execute(f"CREATE POLICY {READING} ON {name} FOR SELECT USING ({read})")
                # PostgreSQL locks a row, FOR SHARE too, only for who may update it; no new row passes by this one.
                cursor.execute(f"CREATE POLICY {LOCKING} ON {name} FOR UPDATE USING ({read}) WITH CHECK (false)")
    _row_security_role.cache_clear()
    return len(tables)
