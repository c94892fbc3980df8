"""A test database that a run keeps, with the cast in it, and that other runs copy: building one takes ten seconds.

`tests/run.sh` lets one run keep it (`--keep-database FOLDER`), names it to the others (`KEPT_DATABASE`), and drops it:
`python -m tests.databases drop FOLDER`. A run that is told of none builds its own.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection

FILE = "database.sqlite3"
NOTE = "database.json"


def keep(folder: Path, login: dict[str, str]) -> None:
    """Copy the test database as it stands now; `login` is the one that serves on PostgreSQL, and lives on."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(settings.KEYS_DIR, folder / "keys")
    _close()
    if connection.vendor == "sqlite":
        shutil.copyfile(connection.settings_dict["NAME"], folder / FILE)
        return
    kept = f"xunwei_kept_{os.getpid()}"
    _copy(str(connection.settings_dict["NAME"]), kept)
    server = {name: connection.settings_dict[name] for name in ("HOST", "PORT", "USER", "PASSWORD")}
    (folder / NOTE).write_text(json.dumps({"name": kept, "login": login, "owner": server}))


def copy(folder: Path) -> dict[str, str]:
    """Make the test database a copy of the kept one, and return the login that serves; it has none on SQLite."""
    made: Any = connection.creation
    name = made._get_test_db_name()
    _close()
    if connection.vendor == "sqlite":
        shutil.copyfile(folder / FILE, name)
        kept: dict[str, Any] = {"login": {}}
    else:
        kept = json.loads((folder / NOTE).read_text())
        _copy(kept["name"], name)
    connection.settings_dict["NAME"] = name
    login: dict[str, str] = kept["login"]
    return login


def kept_name(folder: Path) -> str:
    """Return what the kept database is called on its PostgreSQL server."""
    return str(json.loads((folder / NOTE).read_text())["name"])


def drop_copy() -> None:
    """Drop the test database that `copy` made."""
    _close()
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        Path(name).unlink()
        return
    with connection._nodb_cursor() as cursor:
        cursor.execute(f"DROP DATABASE {connection.ops.quote_name(name)} WITH (FORCE)")


def _copy(name: str, to: str) -> None:
    quote = connection.ops.quote_name
    with connection._nodb_cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {quote(to)}")
        cursor.execute(f"CREATE DATABASE {quote(to)} TEMPLATE {quote(name)}")


def _close() -> None:
    wrapper: Any = connection  # pools are PostgreSQL's alone
    connection.close()
    if getattr(wrapper, "pool", None):
        wrapper.close_pool()


def drop(folder: Path) -> None:
    """Drop a kept database, its login, and the copies that a killed run has left, which hold the login.

    Does nothing where the folder has no note of one. Needs no settings of Django.
    """
    import psycopg
    from psycopg import sql

    if not (folder / NOTE).exists():
        return
    kept = json.loads((folder / NOTE).read_text())
    server = {name.lower(): value for name, value in kept["owner"].items() if value}
    with psycopg.connect(dbname="postgres", autocommit=True, **server) as server_connection:
        holding = """SELECT DISTINCT datname FROM pg_shdepend JOIN pg_roles ON pg_roles.oid = refobjid
            JOIN pg_database ON pg_database.oid = dbid WHERE rolname = %s"""
        for (name,) in server_connection.execute(holding, [kept["login"]["USER"]]).fetchall():
            server_connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
        server_connection.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(kept["login"]["USER"])))


if __name__ == "__main__":
    drop(Path(sys.argv[2]))
