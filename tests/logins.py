"""The two logins of an installation on PostgreSQL: the tests are the one that serves, and its owner looks and mends."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connection, connections, transaction

from core.database import insert_only, row_security
from core.database.owner import connect_as


def make() -> dict[str, str]:
    """Create the login that serves, and return its name and password; nothing on SQLite."""
    if connection.vendor != "postgresql":
        return {}
    # Two runs at once on one server must not meet.
    login = {"USER": f"xunwei_test_{os.getpid()}", "PASSWORD": secrets.token_hex(16)}
    with connection._nodb_cursor() as cursor:
        cursor.execute(f"CREATE ROLE {login['USER']} LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD '{login['PASSWORD']}'")
    return login


def drop(login: dict[str, str]) -> None:
    """Drop the login; its database is gone by then, and with it what it was granted."""
    if login:
        with connection._nodb_cursor() as cursor:
            cursor.execute(f"DROP ROLE {login['USER']}")


def grant(login: dict[str, str]) -> None:
    """Grant the login what `migrate` grants it."""
    if login:
        with transaction.atomic(), connection.cursor() as cursor:
            row_security._check_login(cursor, login["USER"])
            row_security.grant(cursor, login["USER"])
            cursor.execute(
                "CREATE FUNCTION xunwei_test_analyze(name text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER"
                " AS $$BEGIN EXECUTE format('ANALYZE %I', name); END$$"
            )


def serve_as(login: dict[str, str]) -> None:
    """Connect as the login from here on."""
    if login:
        settings.DATABASE_OWNER = {name: str(connection.settings_dict[name]) for name in login}
        connect_as(login)


def analyze(table: str) -> None:
    """Let the planner look at the rows of the running test, which only the owner of the table may ask for."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT xunwei_test_analyze(%s)", [table])


def own_again() -> None:
    """Connect as the owner of the tables again."""
    if settings.DATABASE_OWNER:
        connect_as(settings.DATABASE_OWNER)
        settings.DATABASE_OWNER = {}


@contextmanager
def owner_cursor() -> Iterator[Any]:
    """A transaction of the owner's, on PostgreSQL a superuser with a connection of its own; no trigger counts in it."""
    if not settings.DATABASE_OWNER:
        with insert_only.lifted(), connection.cursor() as cursor:
            yield cursor
        return
    options = {**connection.settings_dict, **settings.DATABASE_OWNER}
    options["OPTIONS"] = {name: value for name, value in options["OPTIONS"].items() if name != "pool"}
    owner = type(connections[connection.alias])(options, "owner")
    try:
        owner.set_autocommit(False)
        with owner.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            yield cursor
        owner.commit()
    finally:
        owner.close()
