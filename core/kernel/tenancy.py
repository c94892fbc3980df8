"""The wall between tenants: a scope in the context, an expression in queries, a setting in the database session."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

from django.db import connection, models, transaction
from django.db.models.expressions import Expression

PLATFORM = "000000"
"""The tenant that runs the installation."""
WALL_ROLE = "xunwei_wall"
"""PostgreSQL role without rights to bypass row level security; a scope switches to it."""

_current: ContextVar[str | None] = ContextVar("tenant", default=None)


class NoTenant(RuntimeError):
    """A statement on a tenant's table was about to run outside every tenant scope."""


def current_tenant() -> str:
    """The id of the tenant in scope; raises NoTenant outside a scope."""
    tenant = _current.get()
    if not tenant:
        raise NoTenant("no tenant in scope: enter tenant_scope(tenant_id) first")
    return tenant


@lru_cache(maxsize=1)
def _wall_role(alias: str) -> str:
    """The role to switch to, or '' where the installation could not make one (its login is then no superuser)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s AND pg_has_role(oid, 'MEMBER')", [WALL_ROLE])
        return WALL_ROLE if cursor.fetchone() else ""


def _raise_database_wall(tenant_id: str) -> tuple[str, str]:
    """Set role and tenant for the rest of the transaction; answers what they were before."""
    role = _wall_role(connection.alias)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('role'), coalesce(current_setting('xunwei.tenant', true), ''),"
            " set_config('role', coalesce(nullif(%s, ''), current_setting('role')), true),"
            " set_config('xunwei.tenant', %s, true)",
            [role, tenant_id],
        )
        before = cursor.fetchone()
    return before[0], before[1]


@contextmanager
def tenant_scope(tenant_id: str) -> Iterator[None]:
    """Run the block as this tenant: its queries see, and its inserts make, rows of this tenant alone.

    On PostgreSQL the block is a transaction, because the database's own wall is set for a transaction only (a
    session-wide setting would survive to the connection's next user). On SQLite it is not: reads need none there.
    """
    if not tenant_id:
        raise NoTenant("a tenant scope needs a tenant")
    token = _current.set(tenant_id)
    try:
        if connection.vendor != "postgresql":
            yield
            return
        with transaction.atomic():
            before = _raise_database_wall(tenant_id)
            yield
            # Only after success: an exception rolls the settings back together with the rows.
            if not connection.needs_rollback:
                with connection.cursor() as cursor:
                    cursor.execute(
                        "SELECT set_config('role', %s, true), set_config('xunwei.tenant', %s, true)", list(before)
                    )
    finally:
        _current.reset(token)


@contextmanager
def compiled_for(slot: Any) -> Iterator[None]:
    """Compile statements for any tenant: where the tenant's id stands, `slot` is left as the parameter.

    Nothing may run inside: no tenant is in scope there.
    """
    token = _current.set(slot)
    try:
        yield
    finally:
        _current.reset(token)


class CurrentTenant(Expression):
    """The tenant in scope, read when a statement is compiled: querysets are built anywhere and run only inside."""

    output_field = models.CharField()

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[str]]:
        """One bound parameter; raises NoTenant outside a scope."""
        return "%s", (current_tenant(),)


class TenantField(models.CharField):  # type: ignore[type-arg]
    """The tenant of a row, stamped from the scope when the row is written, in bulk too; never taken from outside."""

    def __init__(self, **kwargs: Any):
        super().__init__(**{"max_length": 12, "editable": False, **kwargs})

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """The scope's tenant; raises NoTenant when the row belongs to another one."""
        tenant = current_tenant()
        written = getattr(model_instance, self.attname)
        if written and written != tenant:
            raise NoTenant(f"a row of tenant {written} cannot be written in the scope of {tenant}")
        setattr(model_instance, self.attname, tenant)
        return tenant


class TenantManager(models.Manager[Any]):
    """Rows of the tenant in scope only."""

    use_in_migrations = False

    def get_queryset(self) -> models.QuerySet[Any]:
        """Every query of the model begins here, by Meta.base_manager_name also those of relations."""
        return super().get_queryset().filter(tenant_id=CurrentTenant())
