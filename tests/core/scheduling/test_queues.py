"""The figures of the queues, who reads them, the retry of what has failed, and what /healthz says of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from core.audit.models import Event
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.scheduling import jobs
from core.scheduling.models import OutboxMessage, Turn
from tests.cast import A, B, Caller, Cast
from tests.checksums import checksum

LIST, RETRY = "blade-system/queue/list", "blade-system/queue/retry"
FIGURES = ("due", "later", "asleep", "parked", "used", "isOver")


def _message(tenant_id: str, minutes: int, **more: Any) -> OutboxMessage:
    due = datetime.now(UTC) - timedelta(minutes=minutes)
    return OutboxMessage.objects.create(tenant_id=tenant_id, topic="test", payload={}, due_time=due, **more)


@pytest.fixture
def rows(cast: Cast, settings: Any) -> None:
    """Company A has some of everything, company B one message that is due since two hours."""
    settings.TENANT_BUDGETS = {"deliveries": 7, "hops": 7, "events": 7}
    for minutes, more in ((90, {}), (1, {}), (-5, {}), (9, {"is_asleep": True}), (9, {"is_parked": True})):
        _message(A, minutes, **more)
    _message(B, 120)
    _message(B, 9, is_parked=True)
    now = datetime.now(UTC)
    minute = now.replace(second=0, microsecond=0)
    Turn.objects.create(tenant_id=A, queue="messages", time=now, minute=minute, used=7)


def _seen(caller: Caller, **asked: Any) -> dict[tuple[str, str], Any]:
    found = caller.get(LIST, **asked).data["records"]
    return {(row["tenantId"], row["queue"]): tuple(row[name] for name in FIGURES) for row in found}


def test_a_company_reads_its_own_figures(cast: Cast, rows: None) -> None:
    own = {(A, "messages"): (2, 1, 1, 1, 7, True), (A, "timers"): (0, 0, 0, 0, 0, False)}
    for account in ("tenant_admin", "flow_designer"):
        caller = cast.client_for(account)
        assert _seen(caller) == own
        assert _seen(caller, tenantId=B, tenantName="乙厂") == own
    assert cast.client_for("equip_manager").get(LIST).status == 403
    [row] = [row for row in caller.get(LIST).data["records"] if row["queue"] == "messages"]
    assert (row["lag"] // 60, row["budget"], row["tenantName"]) == (90, 7, "甲厂")


def test_the_platform_reads_those_of_all_the_slowest_first(cast: Cast, rows: None) -> None:
    platform = cast.client_for("platform", PLATFORM)
    seen = _seen(platform)
    assert [*seen][:2] == [(B, "messages"), (A, "messages")]
    assert len(seen) == 6
    assert _seen(platform, tenantName="乙") == {key: seen[key] for key in seen if key[0] == B}
    assert {key[0] for key in _seen(platform, tenantId=A)} == {A}
    assert (len(_seen(platform, size=1)), platform.get(LIST, size=1).data["total"]) == (1, 6)


def test_what_has_failed_is_tried_again_in_one_company_alone(cast: Cast, rows: None) -> None:
    before = checksum(A)
    assert cast.client_for("equip_manager").post_json(RETRY, queue="messages").status == 403
    assert cast.client_for("tenant_admin").post_json(RETRY, queue="mail").status == 400
    assert checksum(A) == before
    assert cast.client_for("tenant_admin").post_json(RETRY, queue="messages").data == {"retried": 1}
    assert _seen(cast.client_for("tenant_admin"))[A, "messages"] == (3, 1, 1, 0, 7, True)
    with tenant_scope(A):
        noted = Event.objects.order_by("-id").values_list("operation", "user_name", "remark").first()
    assert noted == ("queue.retry", "赵理", "messages: 1")
    assert OutboxMessage.objects.filter(tenant_id=B, is_parked=True).count() == 1
    platform = cast.client_for("platform", PLATFORM)
    assert platform.post_json(RETRY, queue="messages", tenantId=B).data == {"retried": 1}


@pytest.mark.parametrize(("minutes", "said"), [(0, "ok\nlag 0\n"), (2, "slow\nlag 120\n")])
def test_healthz_tells_the_lag_and_stays_healthy(cast: Cast, minutes: int, said: str) -> None:
    if minutes:
        _message(A, minutes)
        _message(A, 500, is_asleep=True)
    jobs.heartbeat()
    try:
        answer = Client().get("/healthz")
        assert (answer.status_code, answer.content.decode()) == (200, said)
    finally:
        cache.delete(jobs.HEARTBEAT_KEY)
    assert (Client().get("/healthz").status_code, Client().get("/healthz").content) == (503, b"worker\n")
