"""Start-up checks: one more task when a critical asset restarts after more than a day, and none else."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from core.audit.models import Event
from core.equipment.models import Importance, Machine, Stoppage
from core.kernel.tenancy import tenant_scope
from core.rounds import startup
from core.rounds.models import InspectCandidate, InspectOrder
from core.scheduling import outbox
from tests.cast import A, B, Cast
from tests.core.equipment.test_stoppages import add, change, refresh
from tests.core.rounds.walking import OIL, RULES, details, fresh, ok, orders, plan, route, rule
from tests.core.shifts.planning import Person, at
from tests.repairs import Story


def deliver() -> None:
    """Deliver what waits."""
    while outbox.deliver_due():
        pass


def _ready(cast: Cast, **more: Any) -> str:
    """Return the id of a rule that wants start-up checks of a route with two points at M1, a critical asset."""
    with at("2026-09-01 06:00"):
        config, group = plan(cast), route(cast, items=[OIL])
        with tenant_scope(A):
            Machine.objects.filter(machine_code="M1").update(importance=Importance.CRITICAL)
        wanted = {"frequency": 5, "weekDays": "7", "shiftIds": "", "startupCheck": 1, "duration": 60}
        given = rule(config, group, **(wanted | more))
        return str(ok(Person(cast, "equip_manager").post_json(f"{RULES}/submit", given))["id"])


def _stopped(cast: Cast, code: str = "M1", start: str = "1 07:00") -> str:
    """Return the id of a stoppage without an end."""
    with at("2026-09-01 07:00"):
        return str(ok(add(cast, code, start=start))["created"][0]["id"])


def _end(cast: Cast, stop: str, time: str = "2026-09-02 09:00") -> None:
    with at(time):
        ok(change(cast, stop, action="end"))
        deliver()


def test_the_end_of_a_long_stoppage_makes_one_task_for_those_on_shift(cast: Cast) -> None:
    row = _ready(cast)
    stop = _stopped(cast)
    _end(cast, stop)
    [made] = orders()
    assert (made.gen_key, made.source, str(made.business_date), made.shift_name, made.point_total, made.status) == (
        f"{row}:start:{stop}", 1, "2026-09-02", "早班", 2, 1,
    )  # fmt: skip
    assert made.remark == "TJ202609010001"
    assert (made.plan_end - made.plan_start, made.deadline - made.plan_end) == (
        timedelta(hours=1),
        timedelta(minutes=30),
    )
    assert made.open_time == made.plan_start
    with tenant_scope(A):
        assert InspectCandidate.objects.filter(order=made).exists()
        events = Event.objects.filter(operation="inspectorder.startup").values_list("business_id", flat=True)
        assert list(events) == [made.pk]
    assert orders(B) == []


def test_told_twice_it_makes_nothing_twice(cast: Cast) -> None:
    _ready(cast)
    stop = _stopped(cast)
    _end(cast, stop)
    with at("2026-09-02 09:05"), tenant_scope(A):
        for _time in range(2):
            startup._look(1, {"stop": int(stop)})
    assert len(orders()) == 1
    with at("2026-09-02 09:10"):
        ok(change(cast, stop, remark="复机"))
        deliver()
    assert len(orders()) == 1


def test_a_day_is_not_long_and_a_minute_more_is(cast: Cast) -> None:
    _ready(cast)
    stop = _stopped(cast)
    _end(cast, stop, "2026-09-02 07:00")
    assert orders() == []
    with at("2026-09-02 07:30"):
        ok(change(cast, stop, endTime="2026-09-02 07:01:00"))
        deliver()
    assert len(orders()) == 1


@pytest.mark.parametrize(
    ("given", "code"),
    [({"startupCheck": 0}, "M1"), ({"enabled": 0}, "M1"), ({}, "M2")],
)
def test_none_without_a_rule_for_a_critical_asset(cast: Cast, given: dict[str, Any], code: str) -> None:
    _ready(cast, **given)
    _end(cast, _stopped(cast, code))
    assert orders() == []


def test_none_for_an_asset_that_is_not_critical(cast: Cast) -> None:
    _ready(cast)
    with tenant_scope(A):
        Machine.objects.update(importance=Importance.IMPORTANT)
    _end(cast, _stopped(cast))
    assert orders() == []


def test_the_area_above_restarts_its_assets_and_one_that_still_stands_does_not(cast: Cast) -> None:
    _ready(cast)
    area, own = _stopped(cast, "SHOP"), _stopped(cast, "M1", "1 06:00")
    _end(cast, area)
    assert orders() == []
    _end(cast, own, "2026-09-02 10:00")
    [made] = orders()
    assert made.gen_key is not None and made.gen_key.endswith(f":start:{own}")


def test_the_end_of_a_repair_counts(cast: Cast) -> None:
    _ready(cast)
    with at("2026-09-01 07:00"):
        story = Story(cast, isStop=1)
    with at("2026-09-02 09:00"):
        story.act("equip_manager", "cancel", cancelReason=3)
        deliver()
    assert [one.point_total for one in orders()] == [2]


def test_a_planned_end_counts_when_it_has_come(cast: Cast) -> None:
    _ready(cast)
    with at("2026-09-01 07:00"):
        ok(add(cast, "M1", start="1 07:00", end="2 09:00"))
    with at("2026-09-02 08:59"):
        refresh()
        deliver()
    assert orders() == []
    with at("2026-09-02 09:01"):
        refresh()
        deliver()
    assert len(orders()) == 1


def test_an_end_that_is_entered_a_day_late_makes_none(cast: Cast) -> None:
    _ready(cast)
    stop = _stopped(cast)
    with at("2026-09-04 09:00"):
        ok(change(cast, stop, action="end", endTime="2026-09-03 08:59:00"))
        deliver()
    assert orders() == []


def test_a_withdrawn_stoppage_takes_the_task_that_nobody_has_begun(cast: Cast) -> None:
    _ready(cast)
    stop = _stopped(cast)
    _end(cast, stop)
    with at("2026-09-02 09:10"):
        ok(change(cast, stop, action="revoke", reason="误登"))
        deliver()
    [made] = orders()
    assert (made.status, made.void_reason, made.gen_key) == (6, "TJ202609010001", f"{made.gen_key}")
    assert "#" in str(made.gen_key)
    with at("2026-09-02 09:11"), tenant_scope(A):
        startup._look(1, {"stop": int(stop)})
    assert len(orders()) == 1


def test_withdrawn_before_the_message_comes_it_makes_none(cast: Cast) -> None:
    _ready(cast)
    stop = _stopped(cast)
    with at("2026-09-02 09:00"):
        ok(change(cast, stop, action="end"))
        ok(change(cast, stop, action="revoke", reason="误登"))
        deliver()
    assert orders() == []


def test_a_task_that_somebody_has_begun_stays(cast: Cast) -> None:
    _ready(cast)
    stop = _stopped(cast)
    _end(cast, stop)
    [made] = orders()
    with at("2026-09-02 09:05"):
        who = cast.client_for("shift_leader")
        ok(who.post_json("yuzhu-equip/inspectorder/start", {"id": str(made.pk)}))
        ok(change(cast, stop, action="revoke", reason="误登"))
        deliver()
    assert fresh(made).status == 2 and len(details(made)) == 2
    with at("2026-09-02 09:06"), tenant_scope(A):
        Stoppage.objects.update(revoke_time=None)
        startup._look(1, {"stop": int(stop)})
    with tenant_scope(A):
        assert InspectOrder.objects.count() == 1
