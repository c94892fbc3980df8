"""Points of machines that stand: exempt when a task is made and when a stoppage is entered, and back when it goes."""

from __future__ import annotations

from threading import Event as Signal
from threading import Thread

import pytest
from django.db import connection, connections, transaction

from core.audit.models import Event
from core.equipment.models import Stoppage
from core.inspection.models import RoutePoint
from core.kernel.tenancy import tenant_scope
from core.rounds.models import InspectOrder, InspectOrderDetail
from core.scheduling import outbox
from tests.cast import A, Cast
from tests.checksums import checksum
from tests.core.equipment.test_stoppages import add, change
from tests.core.rounds.walking import OIL, body, details, fresh, generate, ok, orders, plan, route, rule, submit, swept
from tests.core.shifts.planning import Person, at


def _tasks(cast: Cast) -> list[InspectOrder]:
    """Return the three tasks of 2026-09-01, of two points at M1, from 00:00, 08:00 and 16:00."""
    with at("2026-09-01 07:00"):
        config, group = plan(cast), route(cast, items=[OIL])
        ok(generate(cast, config, "2026-09-01", rules=[rule(config, group)]))
    return orders()


def _states(order: InspectOrder) -> tuple[int, int, list[int]]:
    row = fresh(order)
    return row.status, row.point_exempt, [one.status for one in details(order)]


def test_half_of_the_window_exempts_and_less_does_not(cast: Cast) -> None:
    night, early, late = _tasks(cast)
    with at("2026-09-01 07:10"):
        told = ok(add(cast, "M1", start="1 12:00", end="1 19:59"))["affected"]
    # Four of the eight hours from 08:00; a minute less than four of those from 16:00.
    assert told == {"orders": 1, "details": 2}
    assert [_states(one) for one in (night, early, late)] == [(1, 0, [1, 1]), (5, 2, [4, 4]), (1, 0, [1, 1])]
    with tenant_scope(A):
        events = Event.objects.filter(operation="inspectorder.standing").values_list("business_id", "to_status")
        assert list(events) == [(early.pk, 5)]


def test_what_a_stoppage_exempts_comes_back_with_its_withdrawal_while_the_deadline_is_ahead(cast: Cast) -> None:
    _night, early, late = _tasks(cast)
    with at("2026-09-01 07:10"):
        made = ok(add(cast, "SHOP", start="1 08:00"))
        assert made["affected"] == {"orders": 2, "details": 4}, "the shop holds for all below, and has no end yet"
        assert [_states(one) for one in (early, late)] == [(5, 2, [4, 4])] * 2
    with at("2026-09-01 17:00"):
        assert swept() == (1, 0), "the night's task is missed, and none that is exempt"
        ok(change(cast, made["created"][0]["id"], action="revoke", reason="误登"))
    assert [_states(one) for one in (early, late)] == [(5, 2, [4, 4]), (1, 0, [1, 1])]


def test_a_point_inspected_all_the_same_counts_and_the_rest_ends_the_task_until_the_stoppage_goes(cast: Cast) -> None:
    early = _tasks(cast)[1]
    with at("2026-09-01 09:00"):
        ok(submit(cast, "operator", body(details(early)[0], {"油位": "1"})))
        made = ok(add(cast, "M1", start="1 08:00", end="1 20:00"))
        assert made["affected"]["orders"] == 2
    assert _states(early) == (3, 1, [2, 4])
    assert fresh(early).finish_time is not None
    with at("2026-09-01 10:00"):
        ok(change(cast, made["created"][0]["id"], action="revoke", reason="误登"))
    assert _states(early) == (2, 0, [2, 1])
    assert fresh(early).finish_time is None


def test_an_exempt_task_is_not_walked_and_an_exempt_point_of_an_open_one_is(cast: Cast) -> None:
    with at("2026-09-01 07:00"):
        config = plan(cast)
        ok(generate(cast, config, "2026-09-01", rules=[rule(config, route(cast, items=[OIL]))]))
        early = orders()[1]
        first, second = details(early)
        with tenant_scope(A):
            other = cast.machine("M2").pk
            InspectOrderDetail.objects.filter(pk=second.pk).update(machine=other)
        made = ok(add(cast, "M1", start="1 08:00", end="1 20:00"))
    assert _states(early) == (1, 1, [4, 1])
    with at("2026-09-01 09:00"):
        page = ok(cast.client_for("operator").get("yuzhu-equip/inspectorder/task", id=str(early.pk)))
        assert (page["mayInspect"], page["actions"]) == (1, ["start", "inspect"])
        ok(add(cast, "M2", start="1 08:00", end="1 20:00"))
        assert _states(early) == (5, 2, [4, 4])
        page = ok(cast.client_for("operator").get("yuzhu-equip/inspectorder/task", id=str(early.pk)))
        assert (page["mayInspect"], page["actions"]) == (0, [])
        before = checksum(A)
        refused = submit(cast, "operator", body(first, {"油位": "1"}))
        assert (refused.status, refused.msg) == (400, "当前状态为「免检」，不能提交")
        begun = cast.client_for("operator").post_json("yuzhu-equip/inspectorder/start", {"id": str(early.pk)})
        assert (begun.status, begun.msg) == (400, "当前状态为「免检」，不能开始")
        assert checksum(A) == before
        # With one of the two stoppages gone the task is open, and the other point may be inspected in spite of its own.
        with tenant_scope(A):
            rest = Stoppage.objects.exclude(pk=int(made["created"][0]["id"])).get()
        ok(change(cast, str(rest.pk), action="revoke", reason="误登"))
        assert _states(early) == (1, 1, [4, 1])
        assert ok(submit(cast, "operator", body(first, {"油位": "1"})))["pointDone"] == 1
        assert _states(early) == (2, 0, [2, 1])


def test_tasks_made_while_a_machine_stands_are_exempt_unless_a_point_is_to_be_inspected_then(cast: Cast) -> None:
    with at("2026-09-01 06:00"):
        config, group = plan(cast), route(cast, items=[OIL])
        running = route(cast, "R2", items=[OIL], stopCheck=0)
        ok(add(cast, "M1", start="1 06:00", end="1 20:00"))
        rules = [rule(config, group), rule(config, running, ruleName="停机也检")]
        ok(generate(cast, config, "2026-09-01", rules=rules))
    found = [(one.group_name, *_states(one)) for one in orders(shift__shift_no=1)]
    assert sorted(found) == [("路线R1", 5, 2, [4, 4]), ("路线R2", 1, 0, [1, 1])]
    assert {one.rest_id is None for one in details(orders(shift__shift_no=1, group_name="路线R1")[0])} == {False}


def test_a_preview_says_which_tasks_a_stoppage_exempts_wholly_and_they_become_so(cast: Cast) -> None:
    manager = Person(cast, "equip_manager")
    with at("2026-09-01 06:00"):
        config, group = plan(cast), route(cast, items=[OIL])
        running = route(cast, "R2", items=[OIL], stopCheck=0)
        ok(
            add(cast, "LINE", start="1 12:00", end="1 20:01")
        )  # 4 h of the early shift, 4 h and a minute of the late one
        for body_of in (rule(config, group), rule(config, running, ruleName="停机也检")):
            ok(manager.post_json("yuzhu-equip/taskrule/submit", body_of))
        asked = {"id": config, "startDate": "2026-09-01", "endDate": "2026-09-01"}
        before = checksum(A)
        preview = ok(manager.get("yuzhu-equip/configinfo/makeTask", **asked))["preview"]
        assert checksum(A) == before
    said = [
        (one["groupName"], one["planStart"][11:16], one["state"], one["stateName"], one["reason"])
        for one in preview["days"][0]["tasks"]
    ]
    assert said == [
        ("路线R1", "08:00", 3, "停机免检", "全部点位的设备停机"),
        ("路线R1", "16:00", 3, "停机免检", "全部点位的设备停机"),
        ("路线R1", "00:00", 1, "将生成", ""),
        ("路线R2", "08:00", 1, "将生成", ""),
        ("路线R2", "16:00", 1, "将生成", ""),
        ("路线R2", "00:00", 1, "将生成", ""),
    ]
    counts = {name: preview[name] for name in ("total", "create", "exempt", "exist", "suppressed", "noTeam", "past")}
    assert counts == {"total": 6, "create": 6, "exempt": 2, "exist": 0, "suppressed": 0, "noTeam": 0, "past": 0}
    with at("2026-09-01 06:10"):
        assert ok(generate(cast, config, "2026-09-01"))["created"] == 6
        again = ok(manager.get("yuzhu-equip/configinfo/makeTask", **asked))["preview"]
    assert [one.status for one in orders(group_name="路线R1")] == [1, 5, 5]
    assert [one.status for one in orders(group_name="路线R2")] == [1, 1, 1]
    assert {one["state"] for one in again["days"][0]["tasks"]} == {2} and again["exempt"] == 0


def test_one_point_that_is_inspected_all_the_same_keeps_its_task(cast: Cast) -> None:
    manager = Person(cast, "equip_manager")
    with at("2026-09-01 06:00"):
        config, group = plan(cast), route(cast, items=[OIL])
        with tenant_scope(A):
            RoutePoint.objects.filter(point_code="R1-2").update(machine=cast.machine("M2"))
        ok(manager.post_json("yuzhu-equip/taskrule/submit", rule(config, group)))
        ok(add(cast, "M1", start="1 06:00", end="2 08:00"))
        asked = {"id": config, "startDate": "2026-09-01", "endDate": "2026-09-01"}

        def states() -> list[int]:
            preview = ok(manager.get("yuzhu-equip/configinfo/makeTask", **asked))["preview"]
            return [one["state"] for one in preview["days"][0]["tasks"]]

        assert states() == [1, 1, 1]
        ok(add(cast, "M2", start="1 06:00", end="1 16:00"))
        assert states() == [3, 1, 1]
        with tenant_scope(A):
            RoutePoint.objects.filter(point_code="R1-2").update(is_sealed=True)
        assert states() == [3, 3, 1], "the night's window is stopped for two hours of eight"


@pytest.mark.django_db(transaction=True)
def test_a_stoppage_does_not_wait_for_a_task_that_somebody_is_at_work_on(cast: Cast) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite lets one write at a time")
    _night, early, late = _tasks(cast)
    held, go_on = Signal(), Signal()

    def work() -> None:
        with tenant_scope(A), transaction.atomic():
            InspectOrder.objects.select_for_update().get(pk=early.pk)
            held.set()
            go_on.wait(30)
        connections.close_all()

    worker = Thread(target=work)
    worker.start()
    assert held.wait(30)
    try:
        with at("2026-09-01 07:10"):
            assert ok(add(cast, "M1", start="1 08:00"))["affected"] == {"orders": 1, "details": 2}
    finally:
        go_on.set()
        worker.join()
    assert [_states(one) for one in (early, late)] == [(1, 0, [1, 1]), (5, 2, [4, 4])]
    with at("2026-09-01 07:11"):
        while outbox.deliver_due():
            pass
    assert [_states(one) for one in (early, late)] == [(5, 2, [4, 4])] * 2
