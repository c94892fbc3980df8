"""Reports and starts that a phone without a network sends later: they count from when they were written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.audit.models import Event
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from core.rounds.models import InspectOrder
from core.system.models import Parameter
from core.system.written import written_at
from tests.cast import A, Cast
from tests.checksums import checksum
from tests.core.rounds.test_life import _tasks
from tests.core.rounds.walking import GOOD, ORDERS, at, body, details, fresh, ok, submit

SAVE = "yuzhu-equip/repairorder/save"


def _report(cast: Cast, **more: Any) -> Any:
    said = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响很大", "urgency": 3, "force": 1, **more}
    return cast.client_for("operator").post_json(SAVE, said)


def _utc(hour: int, minute: int = 0, day: int = 1) -> datetime:
    return datetime(2026, 9, 1, hour, minute, tzinfo=UTC) + timedelta(days=day - 1)


@pytest.fixture(autouse=True)
def _no_photo(cast: Cast) -> None:
    """Reports of these tests carry no photo."""
    cast.client_for("equip_manager").post_json(
        "yuzhu-equip/required/requiredSave", {"scene": 1, "items": [{"field": "images", "required": 0, "min": 0}]}
    )


@pytest.mark.parametrize(
    ("client", "sent", "reported"),
    [
        (None, None, _utc(8)),
        ("2026-09-01 10:30:00", "2026-09-01 16:00:00", _utc(2, 30)),
        # The phone's clock is two hours fast: what counts is how long ago it was.
        ("2026-09-01 12:30:00", "2026-09-01 18:00:00", _utc(2, 30)),
        ("2026-09-01 10:30:00", None, _utc(2, 30)),
        ("2026-08-31 16:00:00", "2026-09-01 16:00:00", _utc(8, day=0)),
        # Too long ago, or after it was sent: it counts from its arrival.
        ("2026-08-31 15:59:59", "2026-09-01 16:00:00", _utc(8)),
        ("2026-09-01 16:00:01", "2026-09-01 16:00:00", _utc(8)),
        ("2027-01-01 00:00:00", None, _utc(8)),
    ],
)
def test_a_report_counts_from_when_it_was_written(
    cast: Cast, client: str | None, sent: str | None, reported: datetime
) -> None:
    with at("2026-09-01 16:00"):
        made = ok(_report(cast, clientTime=client, sentTime=sent, isStop=1))
    with tenant_scope(A):
        order = RepairOrder.objects.get(pk=int(made["id"]))
    assert (order.report_time, order.stop_start, order.create_time) == (reported, reported, _utc(8))


def test_each_try_of_a_report_comes_at_its_own_time_and_is_the_same_report(cast: Cast) -> None:
    def send(sent_time: str) -> Any:
        said = {
            "machineId": str(cast.machine("M1").pk), "description": "主轴异响很大", "urgency": 3,
            "clientTime": "2026-09-01 10:00:00", "sentTime": sent_time,
        }  # fmt: skip
        return cast.client_for("operator").post_json(SAVE, said, key="phone-1")

    with at("2026-09-01 15:00"):
        first = send("2026-09-01 15:00:00")
    with at("2026-09-01 16:00"):
        again = send("2026-09-01 16:00:00")
    assert (again.status, again.data) == (first.status, first.data) and first.status == 200
    with tenant_scope(A):
        assert RepairOrder.objects.get().report_time == _utc(2)


def test_a_wrong_time_is_refused_and_nothing_is_stored(cast: Cast) -> None:
    with at("2026-09-01 16:00"):
        before = checksum(A)
        refused = _report(cast, clientTime="gestern")
        assert (refused.status, refused["error"], list(refused.data["fields"])) == (
            400,
            "input.invalid",
            ["clientTime"],
        )
        assert checksum(A) == before


def test_the_bound_is_the_companys_own(cast: Cast) -> None:
    with tenant_scope(A):
        Parameter.objects.filter(param_key="inspect.offline.hours").update(own_value="2")
        with at("2026-09-01 16:00"):
            assert written_at(_utc(6), _utc(8)) == _utc(6)
            assert written_at(_utc(5, 59), _utc(8)) == _utc(8)


def test_a_start_and_a_first_point_count_from_when_they_were_entered(cast: Cast) -> None:
    order, other = _tasks(cast)
    with at("2026-09-01 12:00"):
        sent = {"id": str(order.pk), "clientTime": "2026-09-01 08:10:00", "sentTime": "2026-09-01 12:00:00"}
        ok(cast.client_for("operator").post_json(f"{ORDERS}/start", sent))
        ok(cast.client_for("operator").post_json(f"{ORDERS}/start", {**sent, "clientTime": "2026-09-01 09:00:00"}))
    assert fresh(order).start_time == _utc(0, 10)
    with tenant_scope(A):
        assert Event.objects.filter(operation="inspectorder.start").count() == 1
        InspectOrder.objects.filter(pk=order.pk).update(status=1, start_time=None)
    with at("2026-09-01 12:00"):
        # A task is not begun before its time.
        ok(cast.client_for("operator").post_json(f"{ORDERS}/start", {**sent, "clientTime": "2026-09-01 06:00:00"}))
    assert fresh(order).start_time == _utc(23, 30, day=0)
    with at("2026-09-02 12:00"):
        late = body(
            details(other)[0], GOOD, "2026-09-02 08:20:00", startTime="2026-09-02 08:15:00",
            sentTime="2026-09-02 12:00:00",
        )  # fmt: skip
        ok(submit(cast, "shift_leader", late))
    assert fresh(other).start_time == _utc(0, 15, day=2)
