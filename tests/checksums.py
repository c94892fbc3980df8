"""Checksums of all rows, by table: equal before and after a call that must change nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from django.apps import apps
from django.db import connection, models

from core.identity.models import Captcha, Session, Tries
from core.kernel.models import SharedModel, TenantModel
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Cast

Checksums = dict[str, str]
"""By table the checksum of its rows; two of them differ in the tables that were written to."""

_SIGN_IN_TABLES = (Session, Captcha, Tries)
"""Shared tables that signing in writes to."""


def checksum(tenant: str) -> Checksums:
    """Return the checksums of a tenant's rows in every tenant table."""
    with tenant_scope(tenant):
        return {model._meta.label: _of_rows(model, "WHERE tenant_id = %s", tenant) for model in _models(TenantModel)}


def shared_checksum() -> Checksums:
    """Return the checksums of the rows that all tenants share, except those that signing in writes."""
    shared = (model for model in _models(SharedModel) if model not in _SIGN_IN_TABLES)
    return {model._meta.label: _of_rows(model) for model in shared}


@contextmanager
def noted() -> Iterator[list[str]]:
    """The statements of the block that write."""
    writes: list[str] = []

    def note(execute: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
        if sql.lstrip().upper().startswith(("INSERT", "UPDATE", "DELETE")):
            writes.append(sql)
        return execute(sql, parameters, many, context)

    with connection.execute_wrapper(note):
        yield writes


@contextmanager
def nothing_changes(before: tuple[Checksums, Checksums]) -> Iterator[None]:
    """Fail when the block writes to a row of company A or B; `before` are the checksums of both.

    Checksums of all tables take a while: they are computed only where the block has sent a statement that writes.
    """
    with noted() as writes:
        yield
    if writes:
        assert (checksum(A), checksum(B)) == before


def cast_checksums(cast: Cast) -> tuple[Checksums, Checksums]:
    """Return the checksums of companies A and B as installed; for tests that start from nothing but the cast."""
    return _installed(cast.user("operator").pk)


@cache
def _installed(installation: int) -> tuple[Checksums, Checksums]:
    """Compute them once for each installation of the cast, which a person's id tells from the others."""
    return checksum(A), checksum(B)


def _models(base: type[models.Model]) -> Iterator[type[models.Model]]:
    return (model for model in apps.get_models() if issubclass(model, base))


def _of_rows(model: type[models.Model], condition: str = "", *values: str) -> str:
    """Return the checksum of the rows as the database gives them: a queryset takes ten times as long to read them."""
    table, key = (connection.ops.quote_name(name) for name in (model._meta.db_table, str(model._meta.pk.column)))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} {condition} ORDER BY {key}", values)
        return hashlib.sha256(repr(cursor.fetchall()).encode()).hexdigest()
