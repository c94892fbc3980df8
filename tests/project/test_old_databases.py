"""A database of an earlier release, with rows in its queues, is brought up to date by `manage.py migrate`."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

ROOT = Path(__file__).parents[2]
DATABASE_URL = os.environ.get("DATABASE_URL", "")
THEN = datetime(2026, 11, 20, 8, 30, tzinfo=UTC)
LATER = datetime(2099, 1, 1, tzinfo=UTC)

MESSAGES: list[tuple[Any, ...]] = [
    # id, topic, payload, attempts, due_time, is_parked, last_error
    (1, "process.message", {"instance": 71, "name": "M"}, 0, LATER, False, ""),
    (2, "process.message", {"instance": 72, "name": "M"}, 10, THEN, True, "RuntimeError"),
    (3, "desk.message", {"instance": 73}, 2, THEN, False, "TimeoutError"),
]
TIMERS: list[tuple[Any, ...]] = [
    # id, engine_task, kind, due_time, attempts, is_parked
    (1, "t1", "duration", LATER, 0, False),
    (2, "t2", "duration", None, 0, False),
    (3, "t3", "due", None, 0, False),
    (4, "t4", "date", THEN, 10, True),
]


@pytest.fixture
def database_url() -> Iterator[str]:
    """A fresh database whose login owns it and is no superuser; empty for SQLite in the data folder."""
    if not DATABASE_URL:
        yield ""
        return
    name, password = f"xunwei_old_{os.getpid()}", secrets.token_hex(8)
    server = urlsplit(DATABASE_URL)
    with psycopg.connect(server._replace(path="/postgres").geturl(), autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {name} LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD '{password}'")
        try:
            connection.execute(f"CREATE DATABASE {name} OWNER {name}")
            place = f"{name}:{password}@{server.netloc.rpartition('@')[2]}"
            yield server._replace(netloc=place, path=f"/{name}").geturl()
        finally:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            connection.execute(f"DROP ROLE {name}")


class _Plant:
    """A database that is migrated by the command, and read and written without the product."""

    def __init__(self, folder: Path, url: str):
        self.url, self.file = url, folder / "xunwei.sqlite3"
        self.environment = {**os.environ, "DATA_DIR": str(folder), "DATABASE_URL": url}
        if not url:
            del self.environment["DATABASE_URL"]

    def migrate(self, *to: str) -> None:
        command = [sys.executable, "manage.py", "migrate", "-v0", *to]
        subprocess.run(command, cwd=ROOT, env=self.environment, check=True, timeout=300)

    def run(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        if self.url:
            with psycopg.connect(self.url) as connection:
                found = connection.execute(sql.replace("?", "%s"), values)
                return found.fetchall() if found.description else []
        with closing(sqlite3.connect(self.file)) as connection, connection:
            return connection.execute(sql, values).fetchall()

    def moment(self, value: Any) -> datetime | None:
        if value is None or isinstance(value, datetime):
            return value
        return datetime.fromisoformat(value).replace(tzinfo=UTC)


def _sent(plant: _Plant, value: datetime | None) -> Any:
    """Return a moment as Django keeps it: SQLite has a text without a zone."""
    return value if plant.url or value is None else value.replace(tzinfo=None).isoformat(" ")


@pytest.mark.timeout(300)
def test_rows_of_the_queues_keep_their_work(tmp_path: Path, database_url: str) -> None:
    plant = _Plant(tmp_path, database_url)
    plant.migrate("scheduling", "0001_initial")
    plant.migrate("timers", "0001_initial")
    for id_, topic, payload, attempts, due, parked, error in MESSAGES:
        plant.run(
            "INSERT INTO scheduling_outboxmessage (id, tenant_id, topic, payload, attempts, due_time, is_parked,"
            " last_error, create_time) VALUES (?, '100001', ?, ?, ?, ?, ?, ?, ?)",
            id_, topic, json.dumps(payload), attempts, _sent(plant, due), parked, error, _sent(plant, THEN),
        )  # fmt: skip
    for id_, task, kind, due, attempts, parked in TIMERS:
        plant.run(
            "INSERT INTO timers_timer (id, tenant_id, instance_id, engine_task, node, kind, text, due_time, attempts,"
            " is_parked, last_error) VALUES (?, '100001', 7, ?, 'wait', ?, 'PT1H', ?, ?, ?, '')",
            id_, task, kind, _sent(plant, due), attempts, parked,
        )  # fmt: skip
    before = datetime.now(UTC)
    plant.migrate("scheduling")
    plant.migrate("timers")
    after = datetime.now(UTC)

    found = plant.run(
        "SELECT id, tenant_id, topic, payload, attempts, due_time, is_asleep, is_parked, last_error, receiver_id,"
        " create_time FROM scheduling_outboxmessage ORDER BY id"
    )
    assert [
        (*row[:3], row[3] if plant.url else json.loads(row[3]), row[4], plant.moment(row[5]), *map(bool, row[6:8]),
         row[8], row[9], plant.moment(row[10]))
        for row in found
    ] == [
        (1, "100001", "process.message", {"instance": 71, "name": "M"}, 0, LATER, False, False, "", 71, THEN),
        (2, "100001", "process.message", {"instance": 72, "name": "M"}, 10, THEN, False, True, "RuntimeError", 72,
         THEN),
        (3, "100001", "desk.message", {"instance": 73}, 2, THEN, False, False, "TimeoutError", None, THEN),
    ]  # fmt: skip

    timers = {
        row[0]: (*row[1:7], plant.moment(row[7]), row[8], *map(bool, row[9:11]), row[11])
        for row in plant.run(
            "SELECT id, tenant_id, instance_id, engine_task, node, kind, text, due_time, attempts, is_asleep,"
            " is_parked, last_error FROM timers_timer"
        )
    }
    fell_due = timers[2][6]
    assert before <= fell_due <= after
    assert timers == {
        1: ("100001", 7, "t1", "wait", "duration", "PT1H", LATER, 0, False, False, ""),
        2: ("100001", 7, "t2", "wait", "duration", "PT1H", fell_due, 0, True, False, ""),
        3: ("100001", 7, "t3", "wait", "due", "PT1H", None, 0, False, False, ""),
        4: ("100001", 7, "t4", "wait", "date", "PT1H", THEN, 10, False, True, ""),
    }
    assert plant.run("SELECT count(*) FROM scheduling_turn") == [(0,)]
    if plant.url:
        _is_walled(plant)


def _is_walled(plant: _Plant) -> None:
    """The policies of today stand on the tables of then, and a scope shows its own rows."""
    assert plant.run(
        "SELECT count(*) FROM pg_class WHERE relname IN ('scheduling_outboxmessage', 'scheduling_turn', 'timers_timer')"
        " AND relrowsecurity AND relforcerowsecurity"
    ) == [(3,)]
    count = "SELECT (SELECT count(*) FROM scheduling_outboxmessage), (SELECT count(*) FROM timers_timer)"
    with psycopg.connect(plant.url) as connection:
        seen = []
        for tenant in ("100001", "100002", "000000", ""):
            connection.execute("SELECT set_config('xunwei.tenant', %s, true)", [tenant])
            seen.append(connection.execute(count).fetchone())
    assert seen == [(3, 4), (0, 0), (3, 4), (3, 4)]
