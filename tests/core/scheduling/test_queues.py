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
from workflows.runtime.tables.timers.models import Timer

LIST, RETRY = "blade-system/queue/list", "blade-system/queue/retry"
FAILED, DISCARD = "blade-system/queue/failed", "blade-system/queue/discard"
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
    own[A, "sheets"] = own[A, "seals"] = own[A, "schedules"] = own[A, "operations"] = own[A, "timers"]
    for account in ("tenant_admin", "flow_designer"):
        caller = cast.client_for(account)
        assert _seen(caller) == own
        assert _seen(caller, tenantId=B, tenantName="乙厂") == own
    assert cast.client_for("equip_manager").get(LIST).status == 403
    [row] = [row for row in caller.get(LIST).data["records"] if row["queue"] == "messages"]
    assert (row["lag"] // 60, row["budget"], row["tenantName"]) == (90, 7, "甲厂")


def test_the_platform_reads_those_of_all_the_slowest_first(cast: Cast, rows: None) -> None:
    platform = cast.client_for("platform", PLATFORM)
    seen = _seen(platform, size=30)
    assert [*seen][:2] == [(B, "messages"), (A, "messages")]
    assert len(seen) == 18
    assert _seen(platform, tenantName="乙") == {key: seen[key] for key in seen if key[0] == B}
    assert {key[0] for key in _seen(platform, tenantId=A)} == {A}
    assert (len(_seen(platform, size=1)), platform.get(LIST, size=1).data["total"]) == (1, 18)


def test_what_has_failed_is_tried_again_in_one_company_alone(cast: Cast, rows: None) -> None:
    before = checksum(A)
    assert cast.client_for("equip_manager").post_json(RETRY, queue="messages").status == 403
    assert cast.client_for("tenant_admin").post_json(RETRY, queue="mail").status == 400
    assert checksum(A) == before
    assert cast.client_for("tenant_admin").post_json(RETRY, queue="messages").data == {"retried": 1, "left": 0}
    assert _seen(cast.client_for("tenant_admin"))[A, "messages"] == (3, 1, 1, 0, 7, True)
    with tenant_scope(A):
        noted = Event.objects.order_by("-id").values_list("operation", "user_name", "remark").first()
    assert noted == ("queue.retry", "赵理", "messages: 1")
    assert OutboxMessage.objects.filter(tenant_id=B, is_parked=True).count() == 1
    platform = cast.client_for("platform", PLATFORM)
    assert platform.post_json(RETRY, queue="messages", tenantId=B).data == {"retried": 1, "left": 0}


@pytest.fixture
def failed(rows: None) -> dict[str, str]:
    """Return the ids of what has failed: two messages to people, one to a process, a timer, and one of company B."""
    own = OutboxMessage.objects.get(tenant_id=A, is_parked=True)
    more = {"is_parked": True, "attempts": 5, "last_error": "ValueError: no such person"}
    OutboxMessage.objects.filter(pk=own.pk).update(**more)
    found = {"first": own, "second": _message(A, 3, **more), "process": _message(A, 2, receiver_id=77, **more)}
    found["timer"] = Timer.objects.create(
        tenant_id=A, instance_id=78, engine_task="t", node="wait", kind="duration", text="PT1H", **more
    )
    found["theirs"] = OutboxMessage.objects.get(tenant_id=B, is_parked=True)
    return {name: str(row.pk) for name, row in found.items()}


def test_what_has_failed_is_listed_with_its_cause(cast: Cast, failed: dict[str, str]) -> None:
    designer = cast.client_for("flow_designer")
    common = {"topic": "test", "error": "ValueError: no such person", "attempts": 5}
    assert designer.get(FAILED, queue="messages").data["records"] == [
        {"id": failed["first"], "processInstanceId": "", **common},
        {"id": failed["second"], "processInstanceId": "", **common},
        {"id": failed["process"], "processInstanceId": "77", **common},
    ]
    assert designer.get(FAILED, queue="timers", tenantId=B).data["records"] == [
        {"id": failed["timer"], "processInstanceId": "78", **common, "topic": "timer"}
    ]
    second = designer.get(FAILED, queue="messages", size=1, current=2).data
    assert ([row["id"] for row in second["records"]], second["total"]) == ([failed["second"]], 3)
    assert designer.get(FAILED, queue="mail").status == 400
    assert cast.client_for("equip_manager").get(FAILED, queue="messages").status == 403
    theirs = cast.client_for("platform", PLATFORM).get(FAILED, queue="messages", tenantId=B).data["records"]
    assert [row["id"] for row in theirs] == [failed["theirs"]]


def test_one_that_has_failed_is_tried_again_or_discarded(cast: Cast, failed: dict[str, str]) -> None:
    admin = cast.client_for("tenant_admin")
    assert admin.post_json(RETRY, queue="messages", ids=failed["first"]).data == {"retried": 1, "left": 0}
    again = OutboxMessage.objects.get(pk=failed["first"])
    assert (again.is_parked, again.attempts) == (False, 0)
    assert admin.post_json(DISCARD, queue="messages", ids=failed["second"]).data == {"discarded": 1}
    assert not OutboxMessage.objects.filter(pk=failed["second"]).exists()
    with tenant_scope(A):
        noted = list(Event.objects.order_by("id").values_list("operation", "user_name", "remark"))
    assert noted == [("queue.retry", "赵理", "messages: 1"), ("queue.discard", "赵理", "messages: 1")]


def test_what_belongs_to_processes_is_left_when_all_is_tried_again(cast: Cast, failed: dict[str, str]) -> None:
    admin = cast.client_for("tenant_admin")
    assert admin.post_json(RETRY, queue="messages").data == {"retried": 2, "left": 1}
    still = OutboxMessage.objects.filter(tenant_id=A, is_parked=True).values_list("pk", "attempts")
    assert list(still) == [(int(failed["process"]), 5)]
    assert admin.post_json(RETRY, queue="timers").data == {"retried": 0, "left": 1}
    assert Timer.objects.get(pk=failed["timer"]).is_parked
    with tenant_scope(A):
        noted = list(Event.objects.order_by("id").values_list("operation", "remark"))
    assert noted == [("queue.retry", "messages: 2")]


def test_what_is_no_ones_to_discard_stays(cast: Cast, failed: dict[str, str]) -> None:
    due = OutboxMessage.objects.filter(tenant_id=A, is_parked=False).first()
    assert due is not None
    before = (checksum(A), sorted(OutboxMessage.objects.values_list()), sorted(Timer.objects.values_list()))
    admin, gone = cast.client_for("tenant_admin"), (404, "data.missing")
    for queue, ids, expected in (
        ("messages", failed["theirs"], gone), ("messages", f"{failed['first']},{failed['theirs']}", gone),
        ("messages", str(due.pk), gone), ("timers", failed["first"], gone),
        ("messages", f"{failed['first']},{failed['process']}", (409, "queue.ofProcess")),
        ("timers", failed["timer"], (409, "queue.ofProcess")), ("mail", failed["first"], (400, "input.invalid")),
        ("messages", "x", (400, "input.invalid")),
    ):  # fmt: skip
        for call in (DISCARD, RETRY):
            answer = admin.post_json(call, queue=queue, ids=ids)
            assert (answer.status, answer["error"]) == expected, (call, queue, ids)
    assert admin.post_json(DISCARD, queue="messages").status == 400
    assert cast.client_for("equip_manager").post_json(DISCARD, queue="messages", ids=failed["first"]).status == 403
    told = admin.in_english().post_json(DISCARD, queue="timers", ids=failed["timer"])
    assert told.msg == "This belongs to a process: deal with it in Process instances"
    assert (checksum(A), sorted(OutboxMessage.objects.values_list()), sorted(Timer.objects.values_list())) == before


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
