"""Phones that come back to the network: whatever they send, as often and in whatever order, is stored once."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection, connections

from core.audit.models import Event
from core.kernel.tenancy import tenant_scope
from core.rounds.models import InspectOrder, InspectOrderDetail, InspectOrderRecord
from tests.cast import A, Cast
from tests.core.rounds.walking import OIL, ORDERS, PRESSURE, at, body, details, ok, orders, route, submit

PHONES, POINTS = 50 if connection.vendor == "postgresql" else 10, 10
"""Fewer on SQLite, which lets one write at a time: what matters is who comes first."""
WALKERS = ("operator", "operator2", "repairer", "repairer2", "shift_leader")
# Values that are normal, each of them another one.
VALUES = [f"{Decimal('0.6500') + Decimal('0.0002') * number:.4f}" for number in range(PHONES * POINTS)]


def _tasks(cast: Cast) -> list[InspectOrder]:
    """Return a task for each phone, with a person who may do it; the rest of them may do none of it."""
    # An item with so many decimals tells each result from all others; that of the oil stays the same.
    group = route(cast, points=POINTS, items=({**PRESSURE, "decimals": 4}, OIL), orderMode=2)
    for phone in range(PHONES):
        task = {
            "groupId": group, "planStart": "2026-09-01 08:00:00", "planEnd": "2026-09-01 16:00:00",
            "userIds": str(cast.user(WALKERS[phone % len(WALKERS)]).pk),
        }  # fmt: skip
        ok(cast.client_for("equip_manager").post_json(f"{ORDERS}/submit", task))
    return orders()


@pytest.mark.django_db(transaction=True)
def test_what_phones_send_twice_in_any_order_is_stored_once(cast: Cast) -> None:
    with at("2026-09-01 08:00"):
        tasks = _tasks(cast)
    assert len(tasks) == PHONES
    sent: list[tuple[str, dict[str, Any]]] = []
    for phone, task in enumerate(tasks):
        points = details(task)
        assert len(points) == POINTS
        for place, point in enumerate(points):
            values = {"排气压力": VALUES[phone * POINTS + place], "油位": "1"}
            sent.append((WALKERS[phone % len(WALKERS)], body(point, values)))
    twice = [*sent, *sent]
    random.Random(52).shuffle(twice)

    def work(one: tuple[str, dict[str, Any]]) -> tuple[str, Any]:
        try:
            with at("2026-09-01 12:00"):
                return one[1]["clientId"], ok(submit(cast, *one))
        finally:
            connections.close_all()

    # SQLite lets one write at a time.
    with ThreadPoolExecutor(12 if connection.vendor == "postgresql" else 2) as pool:
        answers = list(pool.map(work, twice))
    by_id: dict[str, list[Any]] = {}
    for client_id, answer in answers:
        by_id.setdefault(client_id, []).append(answer)
    assert len(by_id) == len(sent)
    assert all(len(both) == 2 and both[0] == both[1] for both in by_id.values())

    with tenant_scope(A):
        stored = dict(InspectOrderDetail.objects.values_list("client_id", "status"))
        assert stored == {one["clientId"]: 2 for _who, one in sent}
        numbers = InspectOrderRecord.objects.exclude(num_value=None).values_list("num_value", flat=True)
        assert sorted(numbers) == [Decimal(value) for value in VALUES]
        assert InspectOrderRecord.objects.count() == 2 * len(sent)
        assert set(InspectOrder.objects.values_list("status", "point_done", "abnormal_count")) == {(3, POINTS, 0)}
        assert Event.objects.filter(operation="inspectorder.point").count() == len(sent)
