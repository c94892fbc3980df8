"""Turns among tenants at the outbox: who is next, what several workers take at once, and what a tenant may use."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.desk.models import Message
from core.kernel import outbox as port
from core.kernel.tenancy import PLATFORM, current_tenant, tenant_scope
from core.scheduling import outbox, turns
from core.scheduling.models import OutboxMessage, Turn
from tests.cast import A, B, Cast

MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def delivered(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Tenant and number of what was delivered, in that order."""
    found: list[tuple[str, int]] = []

    def handle(message_id: int, payload: Any) -> None:
        if payload["number"] < 0:
            raise ZeroDivisionError("on purpose")
        found.append((current_tenant(), payload["number"]))

    monkeypatch.setitem(port.handlers, "test", handle)
    return found


def _wait(tenant_id: str, number: int, *, since: int, **more: Any) -> None:
    """So many messages of the tenant, the last of which fell due first, `since` minutes ago."""
    payload, due = more.pop("payload", {}), datetime.now(UTC) - since * MINUTE
    OutboxMessage.objects.bulk_create(
        OutboxMessage(
            tenant_id=tenant_id, topic="test", payload={"number": n, **payload},
            due_time=due - n * timedelta(milliseconds=1), **more,
        )
        for n in range(number)
    )  # fmt: skip


def test_tenants_take_turns_and_each_gets_its_oldest_first(delivered: list[tuple[str, int]]) -> None:
    _wait(A, 1000, since=60)
    _wait(B, 8, since=2)
    _wait(PLATFORM, 1, since=1)
    assert outbox.deliver_due(limit=40) == 40
    first = [*((A, n) for n in range(999, 993, -1)), *((B, n) for n in range(7, 1, -1)), (PLATFORM, 0)]
    # Whoever had the turn longest ago is next, though the other one has waited longer.
    second = [*((A, n) for n in range(993, 983, -1)), (B, 1), (B, 0)]
    assert delivered[:25] == [*first, *second]
    assert delivered[25:] == [(A, n) for n in range(983, 968, -1)]


def test_a_sweep_that_ends_early_leaves_the_turn_to_the_others(delivered: list[tuple[str, int]]) -> None:
    _wait(A, 3, since=60)
    _wait(B, 2, since=1)
    for _ in range(4):
        assert outbox.deliver_due(limit=1) == 1
    assert [tenant for tenant, _number in delivered] == [A, B, A, B]


def test_what_waits_costs_no_statement_more(delivered: list[tuple[str, int]]) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as found:
            assert outbox.deliver_due(limit=2) == 2
        return len(found)

    _wait(A, 4, since=1)
    _wait(B, 2, since=1)
    first = [statements(), statements()]  # each tenant's first turn has its row made
    few = statements()
    _wait(A, 1000, since=60)
    _wait(B, 2, since=1)
    assert first == [few + 1, few + 1]
    assert statements() == few


# It reads the plan of PostgreSQL, which has no figures yet of a queue that was empty a moment ago.
@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="how PostgreSQL finds the oldest row")
def test_the_oldest_of_a_long_queue_is_read_along_its_index() -> None:
    _wait(A, 1, since=60)
    changed = {"id": "m.id + n", "due_time": "m.due_time + n * interval '1 ms'"}
    columns = [field.column for field in OutboxMessage._meta.concrete_fields]
    values = ", ".join(changed.get(name, f"m.{name}") for name in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO scheduling_outboxmessage ({', '.join(columns)}) SELECT {values}"
            " FROM scheduling_outboxmessage m, generate_series(1, 60000) n"
        )
    oldest = outbox.MESSAGES.due(datetime.now(UTC)).filter(tenant_id=A).order_by("due_time", "id")
    plan = oldest.select_for_update(skip_locked=True)[:1].explain()
    assert "Index Scan using outboxmessage_waits" in plan and "Sort" not in plan, plan


def test_nobody_is_held_up_by_what_fails_sleeps_or_is_parked(delivered: list[tuple[str, int]]) -> None:
    _wait(A, 300, since=60, is_asleep=True)
    _wait(A, 300, since=60, is_parked=True)
    _wait(A, 1, since=30, payload={"number": -1})
    assert (turns.lag() // 60, outbox.deliver_due(), turns.lag()) == (30, 0, 0)
    _wait(A, 1, since=1)
    _wait(B, 1, since=1)
    assert outbox.deliver_due() == 2
    assert delivered == [(B, 0), (A, 0)]
    failed = OutboxMessage.objects.get(is_asleep=False, is_parked=False)
    assert (failed.attempts, failed.last_error) == (1, "ZeroDivisionError: on purpose")


@pytest.mark.django_db(transaction=True)
def test_four_who_deliver_at_once_deliver_each_message_once(delivered: list[tuple[str, int]]) -> None:
    _wait(A, 30, since=60)
    _wait(B, 30, since=1)
    start = threading.Barrier(4)

    def take_part() -> None:
        start.wait(20)
        outbox.deliver_due()
        connection.close()

    workers = [threading.Thread(target=take_part) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    outbox.deliver_due()
    assert sorted(delivered) == [(tenant, n) for tenant in (A, B) for n in range(30)]


@pytest.mark.parametrize(("budgets", "payload"), [((5, 100), {}), ((100, 5), {"hops": 2})])
def test_who_has_used_up_the_minute_waits_is_told_once_and_holds_up_nobody(
    delivered: list[tuple[str, int]], settings: Any, budgets: tuple[int, int], payload: dict[str, int]
) -> None:
    settings.TENANT_BUDGETS = {"deliveries": budgets[0], "hops": budgets[1], "events": 100}
    _wait(A, 50, since=60, payload=payload)
    _wait(B, 3, since=1)
    Turn.objects.create(
        tenant_id=B, queue="messages", time=datetime.now(UTC), minute=turns.minute_of(datetime.now(UTC))
    )
    assert outbox.deliver_due() == 10 + 3
    assert [tenant for tenant, _number in delivered] == [A] * 10 + [B] * 3
    assert turns.lag() == 0
    turn = Turn.objects.get(tenant_id=A)
    assert (turn.used, turn.hops, turn.over_time == turn.time == turn.told_time) == (10, 10 if payload else 0, True)
    # In the next minute it goes on, with a whole turn at least and the notice first; nobody is told a second time.
    for left in (21, 1):
        Turn.objects.update(minute=turn.minute - MINUTE)
        OutboxMessage.objects.exclude(topic="test").update(due_time=turn.time - 90 * MINUTE)
        outbox.deliver_due()
        assert OutboxMessage.objects.filter(topic="test").count() == left
    with tenant_scope(A):
        told = Message.objects.values_list("title", "title_en").distinct()
        assert list(told) == [("流程消息过多，已限速", "Processes send too many messages")]
        assert Message.objects.count() == 2  # the designer and the administrator
    with tenant_scope(B):
        assert not Message.objects.exists()


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL has many writers at a time")
def test_the_worker_leaves_the_write_lock_to_others_between_two_rows(
    delivered: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    rests: list[float] = []
    handle = port.handlers["test"]

    def slowly(message_id: int, payload: Any) -> None:
        threading.Event().wait(0.03 if payload["number"] else 0.3)
        handle(message_id, payload)

    monkeypatch.setitem(port.handlers, "test", slowly)
    monkeypatch.setattr(turns.time, "sleep", rests.append)
    _wait(A, 3, since=5)
    assert outbox.deliver_due(seconds=20) == 3
    assert [number for _tenant, number in delivered] == [2, 1, 0]
    assert all(0.03 <= rest <= 0.1 for rest in rests[:2])
    assert rests[2:] == [0.1]
