"""The audit log: rows are only added, and whatever is done to sealed rows behind the server's back is found."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import DatabaseError, connection, transaction

from core.audit import seals
from core.audit.models import Event, Seal
from core.kernel.tenancy import tenant_scope
from tests import logins
from tests.cast import A, B, Cast

AT_ONCE = timedelta(days=-3650)
"""Nobody else writes here, so that rows need not settle; tests that set the clock forward leave ids of that time."""
TAMPERINGS = int(os.environ.get("TAMPERINGS", "40"))


@pytest.fixture
def sealed(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """100 events of company A and 30 of B, in seals of 10."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(seals, "AT_ONCE", 10)
    for tenant, number in ((A, 100), (B, 30)):
        with tenant_scope(tenant):
            Event.objects.bulk_create(
                Event(
                    operation="notice.add", user_id=place, user_name="赵理", client="web", remark=f"第{place}条",
                    effects=["b", {"a": 1.50}], changes=[{"label": ["标题", "Title"], "old": None, "new": ["x", "y"]}],
                )
                for place in range(number)
            )  # fmt: skip
    assert seals.seal_all(AT_ONCE) == 13


def _rows(cursor: Any, table: str) -> list[tuple[Any, ...]]:
    cursor.execute(f"SELECT * FROM {table} ORDER BY id")
    return cursor.fetchall()  # type: ignore[no-any-return]


def _put(cursor: Any, table: str, rows: list[tuple[Any, ...]]) -> None:
    cursor.execute(f"DELETE FROM {table}")
    cursor.executemany(f"INSERT INTO {table} VALUES ({', '.join(['%s'] * len(rows[0]))})", rows)


def _changed(cursor: Any, events: list[tuple[Any, ...]], dice: random.Random) -> None:
    column, value = dice.choice(
        [
            ("remark", "x"), ("user_name", "别人"), ("operation", "notice.edit"), ("answer", '{"a": 1}'), ("round", 7),
            ("time", "2020-01-01 00:00:00"), ("business_id", 5), ("effects", "[]"), ("tenant_id", "100009"),
        ]
    )  # fmt: skip
    cursor.execute(f"UPDATE audit_event SET {column} = %s WHERE id = %s", [value, dice.choice(events)[0]])


def _deleted(cursor: Any, events: list[tuple[Any, ...]], dice: random.Random) -> None:
    cursor.execute("DELETE FROM audit_event WHERE id = %s", [dice.choice(events)[0]])


def _added(cursor: Any, events: list[tuple[Any, ...]], dice: random.Random) -> None:
    row = dice.choice(events)
    cursor.execute(
        f"INSERT INTO audit_event VALUES ({', '.join(['%s'] * len(row))})",
        (events[0][0] - dice.randint(1, 999), *row[1:]),
    )


def _reordered(cursor: Any, events: list[tuple[Any, ...]], dice: random.Random) -> None:
    one, other = (row[0] for row in dice.sample(events, 2))
    for old, new in ((one, -1), (other, one), (-1, other)):
        cursor.execute("UPDATE audit_event SET id = %s WHERE id = %s", [new, old])


def _cut(cursor: Any, events: list[tuple[Any, ...]], dice: random.Random) -> None:
    cursor.execute("SELECT after_id FROM audit_seal WHERE tenant_id = %s AND number = %s", [A, dice.randint(1, 10)])
    after = cursor.fetchone()[0]
    cursor.execute("DELETE FROM audit_event WHERE tenant_id = %s AND id > %s", [A, after])
    cursor.execute("DELETE FROM audit_seal WHERE tenant_id = %s AND after_id >= %s", [A, after])


def _seal_gone(cursor: Any, events: list[tuple[Any, ...]], dice: random.Random) -> None:
    cursor.execute("DELETE FROM audit_seal WHERE tenant_id = %s AND number = %s", [A, dice.randint(1, 10)])


def _written_anew(cursor: Any, events: list[tuple[Any, ...]], dice: random.Random) -> None:
    """Somebody who knows the code changes a row and makes all seals anew: only the copy of the newest tells."""
    _changed(cursor, events, dice)
    cursor.execute("DELETE FROM audit_seal")
    cursor.execute("UPDATE audit_event SET remark = 'x' WHERE id = %s", [events[0][0]])


def _resealed(cursor: Any, events: list[tuple[Any, ...]], dice: random.Random) -> None:
    """The same who makes one seal anew, and lets the next one follow it."""
    with tenant_scope(A):
        seal = Seal.objects.get(number=dice.randint(1, 9))
        cursor.execute("UPDATE audit_event SET remark = 'x' WHERE id = %s", [seal.to_id])
        made = seals._hash(A, seal, seals._page(A, seal.after_id, seal.to_id, seal.rows, seal.form))
    cursor.execute("UPDATE audit_seal SET hash = %s WHERE tenant_id = %s AND number = %s", [made, A, seal.number])
    cursor.execute("UPDATE audit_seal SET before = %s WHERE tenant_id = %s AND number = %s", [made, A, seal.number + 1])


KINDS: list[Callable[[Any, list[tuple[Any, ...]], random.Random], None]] = [
    _changed, _deleted, _added, _reordered, _cut, _seal_gone, _written_anew, _resealed,
]  # fmt: skip


@pytest.mark.django_db(transaction=True)
def test_every_tampering_by_the_owner_of_the_tables_is_found(cast: Cast, sealed: None) -> None:
    assert seals.verify().faults == []
    seed = random.randrange(10**6)
    dice = random.Random(seed)
    with logins.owner_cursor() as cursor:
        kept = {table: _rows(cursor, table) for table in ("audit_event", "audit_seal")}
    of_a = [row for row in kept["audit_event"] if A in row]
    for place in range(TAMPERINGS):
        tamper = KINDS[place % len(KINDS)]
        with logins.owner_cursor() as cursor:
            tamper(cursor, of_a, dice)
        if tamper is _written_anew:
            heads = seals.kept_heads()
            seals.keep_heads({})
            seals.seal_all(AT_ONCE)
            seals.keep_heads(heads)
        assert seals.verify().faults, f"{tamper.__name__}, seed {seed}, place {place}"
        with logins.owner_cursor() as cursor:
            for table, rows in kept.items():
                _put(cursor, table, rows)
    assert seals.verify().faults == []


@pytest.mark.django_db(transaction=True)
def test_the_command_names_the_batch(cast: Cast, sealed: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verifyaudit")
    assert capsys.readouterr().out == "13 batches of 130 entries; 0 entries not sealed yet.\nThe audit log is whole.\n"
    with tenant_scope(A):
        ids = list(Event.objects.order_by("id").values_list("pk", flat=True))
    with logins.owner_cursor() as cursor:
        cursor.execute("UPDATE audit_event SET remark = 'x' WHERE id = %s", [ids[15]])
        cursor.execute("DELETE FROM audit_event WHERE id = %s", [ids[40]])
        cursor.execute("DELETE FROM audit_seal WHERE tenant_id = %s AND number IN (7, 10)", [A])
    with pytest.raises(CommandError, match="4 faults"):
        call_command("verifyaudit")
    told = capsys.readouterr().err.splitlines()
    assert [line.partition(" (")[0] for line in told] == [
        f"tenant {A}, batch 2: Entries, or the batch itself, were changed",
        f"tenant {A}, batch 5: 1 of 10 entries is missing",
        f"tenant {A}, batch 8: The batches 7 to 7 before it are missing",
        f"tenant {A}, batch 10: The chain was cut after batch 9; this batch was there before",
    ]
    # Where the chain does not fit its copy, nothing goes on it; another company's goes on.
    for tenant in (A, B):
        with tenant_scope(tenant):
            Event.objects.create(operation="notice.add", user_id=1, user_name="赵理", client="web")
    assert seals.seal_all(AT_ONCE) == 1
    with tenant_scope(A):
        assert Seal.objects.latest("number").number == 9


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("table", ["audit_event", "audit_seal"])
def test_rows_are_only_added(cast: Cast, sealed: None, table: str) -> None:
    for statement in (f"UPDATE {table} SET tenant_id = '{B}'", f"DELETE FROM {table}"):
        with tenant_scope(A), pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert seals.verify().faults == []


@pytest.mark.django_db
def test_rows_that_may_not_be_all_there_yet_are_left_for_later(cast: Cast, settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    with tenant_scope(A):
        Event.objects.create(operation="notice.add", user_id=1, user_name="赵理", client="web")
    assert (seals.seal_all(), seals.verify().unsealed) == (0, 1)
    assert (seals.seal_all(AT_ONCE), seals.verify().unsealed) == (1, 0)


def test_a_seal_covers_every_column() -> None:
    assert set(seals.FORMS[seals.FORM]) == {field.column for field in Event._meta.concrete_fields}
