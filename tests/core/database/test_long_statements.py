"""What takes the database too long is stopped, said in a sentence, and leaves nothing behind that others wait for."""

from __future__ import annotations

import logging
import sqlite3
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.db.backends.sqlite3.base import SQLiteCursorWrapper

from core.database.sqlite3 import base
from core.equipment.views import MachineViewSet
from core.kernel.audit_entry import AuditEntry, _current
from tests.cast import Cast

MACHINES, SUBMIT = "yuzhu-equip/inspectmachine/list", "yuzhu-equip/inspectmachine/submit"


@pytest.fixture
def file(db: None, tmp_path: Path) -> Iterator[Any]:
    """Yield a connection of ours to a file of SQLite that another connection may lock."""
    said = {**settings.DATABASES["default"], "ENGINE": "core.database.sqlite3", "NAME": str(tmp_path / "x.sqlite3")}
    said = {**said, "TIME_ZONE": None, "CONN_HEALTH_CHECKS": False, "AUTOCOMMIT": True, "ATOMIC_REQUESTS": False}
    said["OPTIONS"] = {"transaction_mode": "IMMEDIATE", "timeout": 0.05}
    ours = base.DatabaseWrapper(said, "file")
    with ours.cursor() as cursor:
        cursor.execute("CREATE TABLE t (x)")
    yield ours
    ours.close()


def test_a_write_that_waited_in_vain_leaves_no_open_cursor(file: Any, tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "x.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(OperationalError, match="database is locked") as failed:
        file.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    other.close()
    frames = [frame.f_locals for frame, _line in traceback.walk_tb(failed.value.__traceback__)]
    cursors = {id(one): one for names in frames for one in names.values() if isinstance(one, SQLiteCursorWrapper)}
    assert cursors
    for cursor in cursors.values():
        with pytest.raises(sqlite3.ProgrammingError, match="closed cursor"):
            cursor.fetchone()


def test_a_write_that_kept_others_waiting_is_reported_by_its_operation(
    file: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, cast: Cast
) -> None:
    monkeypatch.setattr(base, "LONG_SECONDS", 0.0)
    token = _current.set(AuditEntry("inspectmachine.import", cast.actor_for("equip_manager")))
    try:
        with caplog.at_level(logging.WARNING, "xunwei.database"):
            for end in (file.commit, file.rollback):
                file.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
                end()
                file.set_autocommit(True)
    finally:
        _current.reset(token)
    said = [record.getMessage() for record in caplog.records]
    assert [text.startswith("inspectmachine.import held the write lock for ") for text in said] == [True, True]


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL has many writers at a time")
@pytest.mark.django_db(transaction=True)
def test_who_waits_too_long_to_write_is_told_to_come_again(cast: Cast) -> None:
    manager, machine = cast.client_for("equip_manager"), cast.machine("M1")
    body = {"id": str(machine.pk), "machineName": "新名", "lockVersion": machine.lock_version}
    told, other = [], sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for caller in (manager, manager.in_english()):
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout = 50")
        answer = caller.post_json(SUBMIT, body)
        told.append((answer.status, answer["error"], answer.msg))
        assert connection.connection is None, "a connection that has waited in vain is not used again"
    other.close()
    english = "The system is busy; please try again in a moment"
    assert told == [(503, "database.busy", "系统繁忙，请稍后重试"), (503, "database.busy", english)]
    assert cast.machine("M1").machine_name == "车床"
    assert manager.post_json(SUBMIT, body).status == 200
    assert cast.machine("M1").machine_name == "新名"


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no limit for one statement")
def test_a_statement_that_takes_too_long_is_stopped_and_told(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    manager, filtered = cast.client_for("equip_manager"), MachineViewSet.filtered

    def slow(view: Any) -> Any:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = '50ms'")
            cursor.execute("SELECT pg_sleep(5)")
        return filtered(view)

    monkeypatch.setattr(MachineViewSet, "filtered", slow)
    with transaction.atomic():
        answer = manager.get(MACHINES, machineName="x")
    assert (answer.status, answer["error"]) == (503, "database.tooLong")
    assert answer.msg == "处理时间过长，已停止。请缩小范围后重试"
