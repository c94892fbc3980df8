"""Tenant isolation: a scope in the context, an expression in each query, and row-level security in the database."""

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
ROW_SECURITY_ROLE = "xunwei_wall"
"""PostgreSQL role that cannot bypass row-level security. A tenant scope switches to it."""

_current: ContextVar[str | None] = ContextVar("tenant", default=None)


class NoTenant(RuntimeError):
    """A query of a tenant's table was built or run outside a tenant scope."""


def current_tenant() -> str:
    """Return the id of the current tenant.

    Raises NoTenant outside a tenant scope.
    """
    tenant = _current.get()
    if not tenant:
        raise NoTenant("no tenant in scope: enter tenant_scope(tenant_id) first")
    return tenant


@lru_cache(maxsize=1)
def _row_security_role(alias: str) -> str:
    """Return the PostgreSQL role to switch to, or '' if the installation could not create it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s AND pg_has_role(oid, 'MEMBER')", [ROW_SECURITY_ROLE])
        return ROW_SECURITY_ROLE if cursor.fetchone() else ""


def _set_row_security(tenant_id: str) -> tuple[str, str]:
    """Set role and tenant of the database session until the transaction ends; return the previous values."""
    role = _row_security_role(connection.alias)
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
    """Enter the scope of a tenant: queries in the `with` block see, and inserts create, rows of this tenant only.

    On PostgreSQL the block is a transaction, because the tenant of row-level security is set for a transaction only (a
    session-wide setting would survive to the next user of the connection). On SQLite it is not: reads need none there.
    """
    if not tenant_id:
        raise NoTenant("a tenant scope needs a tenant")
    token = _current.set(tenant_id)
    try:
        if connection.vendor != "postgresql":
            yield
            return
        with transaction.atomic():
            before = _set_row_security(tenant_id)
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
    """Compile statements that any tenant can run: `slot` is the parameter in place of the tenant's id.

    No statement may run inside the block, because no tenant is current there.
    """
    token = _current.set(slot)
    try:
        yield
    finally:
        _current.reset(token)


class CurrentTenant(Expression):
    """SQL expression of the current tenant's id. It is read when the statement is compiled, not when it is built."""

    output_field = models.CharField()

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[str]]:
        """Return one bound parameter. Raises NoTenant outside a tenant scope."""
        return "%s", (current_tenant(),)


class TenantField(models.CharField):  # type: ignore[type-arg]
    """The tenant of a row. It is set from the tenant scope when the row is saved (bulk too), never by the client."""

    def __init__(self, **kwargs: Any):
        super().__init__(**{"max_length": 12, "editable": False, **kwargs})

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Set and return the current tenant. Raises NoTenant if the row belongs to another tenant."""
        tenant = current_tenant()
        written = getattr(model_instance, self.attname)
        if written and written != tenant:
            raise NoTenant(f"a row of tenant {written} cannot be written in the scope of {tenant}")
        setattr(model_instance, self.attname, tenant)
        return tenant


class TenantManager(models.Manager[Any]):
    """Manager of the rows of the current tenant."""

    use_in_migrations = False

    def get_queryset(self) -> models.QuerySet[Any]:
        """Return the rows of the current tenant. Relations query through this manager too (Meta.base_manager_name)."""
        return super().get_queryset().filter(tenant_id=CurrentTenant())
