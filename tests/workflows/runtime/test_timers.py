"""Timers of repair orders: they follow the order, fire once, and a bad one is put off and parked."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from core import ports
from core.audit.models import Event
from core.cases import commands
from core.desk.models import Message
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.maintenance import operations
from core.maintenance.case import REPAIR
from core.maintenance.models import RepairOrder, Status
from core.scheduling import outbox
from core.scheduling.models import OutboxMessage
from tests.cast import A, Cast
from tests.workflows.standalone import deploy, document
from workflows import engine
from workflows.runtime.commands import sweep
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import WorkItem

START = datetime.fromisoformat("2026-03-02T08:00:00+08:00")


def _report(cast: Cast, **values: Any) -> int:
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响", **values}
    with tenant_scope(A), clock.at(START):
        return int(operations.save(cast.actor_for("operator"), body)["id"])


def _act(cast: Cast, account: str, order_id: int, action: str, minutes: int, **values: Any) -> None:
    with tenant_scope(A), clock.at(START + timedelta(minutes=minutes)):
        version = RepairOrder.objects.get(pk=order_id).lock_version
        commands.by_record(REPAIR, cast.actor_for(account), order_id, version, action, values)


def _dues() -> dict[str, int | None]:
    """Node → minutes after the report."""
    return {
        row.node: None if row.due_time is None else int((row.due_time - START).total_seconds() / 60)
        for row in Timer.objects.all()
    }


def _order(order_id: int) -> RepairOrder:
    with tenant_scope(A):
        return RepairOrder.objects.get(pk=order_id)  # type: ignore[no-any-return]


def _finish(cast: Cast, order_id: int, minutes: int) -> None:
    with tenant_scope(A), clock.at(START + timedelta(minutes=minutes)):
        mate = cast.actor_for("repairer")
        times = {"start_time": clock.now() - timedelta(minutes=1), "end_time": clock.now()}
        line = {"user_id": mate.user_id, "work_type": 2, "content": "", **times}
        operations.write_line(mate, None, order_id, line)
    words = {"causeTagId": str(cast.tag("磨损").pk), "actionTagIds": str(cast.tag("更换").pk)}
    _act(cast, "repairer", order_id, "finish", minutes, solution="换轴承", **words)


def test_due_times_follow_urgency_acceptance_hold_and_promise(cast: Cast) -> None:
    order = _report(cast, urgency=2)
    assert _dues() == {"responseFirst": 60, "responseSecond": 120}
    _act(cast, "repair_leader", order, "dispatch", 10, repairUserId=str(cast.user("repairer").pk))
    assert _dues() == {"responseFirst": 60, "responseSecond": 120}
    _act(cast, "repairer", order, "accept", 20)
    assert _dues() == {"finishFirst": 20 + 480, "finishSecond": 20 + 960}
    _act(cast, "repairer", order, "hang", 30, hangReason=1, remark="等件")
    assert _dues() == {"finishFirst": None, "finishSecond": None}
    _act(cast, "repairer", order, "resume", 130)
    assert _dues() == {"finishFirst": 20 + 480 + 100, "finishSecond": 20 + 960 + 100}
    _finish(cast, order, 200)
    assert _dues() == {"autoCheck": 200 + 72 * 60}
    _act(cast, "operator", order, "check", 210, checkResult=1)
    assert _dues() == {}


def test_a_promise_is_the_limit_and_holds_move_it(cast: Cast) -> None:
    order = _report(cast)
    promised = f"{START + timedelta(minutes=100):%Y-%m-%d %H:%M:%S}"
    mate = str(cast.user("repairer").pk)
    _act(cast, "repair_leader", order, "dispatch", 10, repairUserId=mate, planFinishTime=promised)
    _act(cast, "repairer", order, "accept", 20)
    assert _dues() == {"finishFirst": 100, "finishSecond": 180}
    _act(cast, "repairer", order, "hang", 30, hangReason=1, remark="等件")
    _act(cast, "repairer", order, "resume", 45)
    assert _dues() == {"finishFirst": 115, "finishSecond": 195}


def test_a_rework_sends_no_reminder_again(cast: Cast) -> None:
    order = _report(cast)
    _act(cast, "repair_leader", order, "dispatch", 1, repairUserId=str(cast.user("repairer").pk))
    _act(cast, "repairer", order, "accept", 2)
    assert sweep.fire_due() == 2
    assert sorted(_order(order).escalations) == ["finishLeader", "finishManager"]
    _finish(cast, order, 60)
    _act(cast, "operator", order, "check", 70, checkResult=2, checkRemark="还响")
    assert _dues() == {"finishFirst": None, "finishSecond": None}
    assert sweep.fire_due() == 0


def test_an_edit_moves_the_due_times(cast: Cast) -> None:
    order = _report(cast)
    assert _dues() == {"responseFirst": 240, "responseSecond": 480}
    with tenant_scope(A):
        commands.by_record(REPAIR, cast.actor_for("operator"), order, 1, "edit", {"urgency": 1})
    assert _dues() == {"responseFirst": 15, "responseSecond": 30}


def test_reminders_are_sent_once_and_move_no_step(cast: Cast) -> None:
    order = _report(cast, urgency=1)
    assert sweep.fire_due() == 2
    assert sweep.fire_due() == 0
    with tenant_scope(A):
        assert sorted(_order(order).escalations) == ["responseLeader", "responseManager"]
        assert _order(order).status == Status.REPORTED
        assert list(WorkItem.objects.values_list("node", "state")) == [("dispatch", 1)]
        assert Event.objects.filter(operation="timer.fire", user_id=0, client="system").count() == 2
    outbox.deliver_due()
    with tenant_scope(A):
        titles = dict(Message.objects.values_list("user_id", "title").order_by("id"))
    number = _order(order).order_no
    assert titles == {
        cast.user("repair_leader").pk: f"响应超时：{number}",
        cast.user("equip_manager").pk: f"响应严重超时：{number}",
    }
    # A refused dispatch leads back to the step: the reminders are not sent again.
    _act(cast, "repair_leader", order, "dispatch", 90, repairUserId=str(cast.user("repairer").pk))
    _act(cast, "repairer", order, "refuse", 95, reason="休假")
    assert sweep.fire_due() == 0


def test_after_72_hours_the_system_passes_the_check_and_says_so(cast: Cast) -> None:
    order = _report(cast)
    _act(cast, "repair_leader", order, "dispatch", 1, repairUserId=str(cast.user("repairer").pk))
    _act(cast, "repairer", order, "accept", 2)
    _finish(cast, order, 60)
    assert sweep.fire_due() == 1
    closed = _order(order)
    assert (closed.status, closed.check_user_id, closed.check_remark) == (Status.CLOSED, None, "系统自动验收")
    with tenant_scope(A):
        item = WorkItem.objects.get(node="check")
        event = Event.objects.filter(business_id=order).order_by("id").last()
    assert (item.state, item.completed_by) == (3, None)
    assert (event.operation, event.user_name, event.from_status, event.to_status) == ("timer.fire", "系统", 5, 6)
    assert Timer.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_a_timer_that_somebody_moves_right_now_does_not_fire(cast: Cast) -> None:
    order = _report(cast, urgency=1)
    fired: list[int] = []

    def sweep_once() -> None:
        fired.append(sweep.fire_due())
        connection.close()

    sweeper = threading.Thread(target=sweep_once)
    with transaction.atomic():
        Timer.objects.update(due_time=datetime.now(START.tzinfo) + timedelta(hours=1))
        sweeper.start()
        sweeper.join(1)
    sweeper.join()
    assert fired == [0]
    assert _order(order).escalations == {}
    assert Timer.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_four_who_sweep_at_once_fire_each_timer_once(cast: Cast) -> None:
    orders = [_report(cast, urgency=1, force=1) for _ in range(6)]
    start, fired = threading.Barrier(4), list[int]()

    def take_part() -> None:
        start.wait(20)
        fired.append(sweep.fire_due())
        connection.close()

    sweepers = [threading.Thread(target=take_part) for _ in range(4)]
    for sweeper in sweepers:
        sweeper.start()
    for sweeper in sweepers:
        sweeper.join()
    assert sum(fired) + sweep.fire_due() == 12  # two of one order may have met: the second one waits for a next sweep
    assert [sorted(_order(order).escalations) for order in orders] == [["responseLeader", "responseManager"]] * 6
    with tenant_scope(A):
        assert Event.objects.filter(operation="timer.fire").count() == 12
    assert Timer.objects.filter(due_time__lte=datetime.now(START.tzinfo)).count() == 0


def test_a_failing_timer_is_put_off_then_parked_and_stops_no_other(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    bad, good = _report(cast, urgency=1), _report(cast, urgency=1, force=1)
    honest = ports.effects["repairorder"].effects["repairorder.escalateResponseLeader"]

    def stumble(order: RepairOrder, said: Any) -> None:
        if order.pk == bad:
            raise ZeroDivisionError("on purpose")
        honest(order, said)

    monkeypatch.setitem(ports.effects["repairorder"].effects, "repairorder.escalateResponseLeader", stumble)
    assert sweep.fire_due() == 3
    assert sorted(_order(good).escalations) == ["responseLeader", "responseManager"]
    assert sorted(_order(bad).escalations) == ["responseManager"]
    for _ in range(4):
        Timer.objects.update(due_time=START)
        assert sweep.fire_due() == 0
    timer = Timer.objects.get()
    assert (timer.attempts, timer.is_parked, timer.last_error) == (5, True, "ZeroDivisionError: on purpose")


def test_an_outbox_message_that_fails_is_retried_then_parked_and_delivered_once_when_it_works(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    _report(cast)
    from core.kernel import outbox as port

    honest = port.handlers["desk.message"]

    def fail(message_id: int, payload: Any) -> None:
        honest(message_id, payload)
        raise ConnectionError("on purpose")

    monkeypatch.setitem(port.handlers, "desk.message", fail)
    assert outbox.deliver_due() == 0
    with tenant_scope(A):
        assert Message.objects.count() == 0
    row = OutboxMessage.objects.get()
    assert (row.attempts, row.is_parked) == (1, False)
    monkeypatch.setitem(port.handlers, "desk.message", honest)
    OutboxMessage.objects.update(due_time=START)
    assert outbox.deliver_due() == 1
    assert outbox.deliver_due() == 0
    with tenant_scope(A):
        assert Message.objects.count() == 1


TIMED = """<startEvent id="start"/><userTask id="look" name="审批" xw:candidates="role:equip_manager"/>
  <endEvent id="done"/><endEvent id="late"/><boundaryEvent id="timer" attachedToRef="look">
  <timerEventDefinition>{}</timerEventDefinition></boundaryEvent>
  <sequenceFlow id="f1" sourceRef="start" targetRef="look"/>
  <sequenceFlow id="f2" sourceRef="look" targetRef="done"/><sequenceFlow id="f3" sourceRef="timer" targetRef="late"/>"""


@pytest.mark.parametrize(
    ("timer", "begun", "due"),
    [
        ("<timeDuration>P1M</timeDuration>", "2026-01-31T08:00:00+08:00", "2026-02-28T08:00:00+08:00"),
        ("<timeDuration>P1Y1W</timeDuration>", None, None),
        ("<timeDuration>P1W</timeDuration>", "2026-01-31T08:00:00+08:00", "2026-02-07T08:00:00+08:00"),
        # At this moment it is still February in UTC.
        ("<timeDuration>P1M</timeDuration>", "2026-03-01T06:00:00+08:00", "2026-04-01T06:00:00+08:00"),
        ("<timeDate>2026-04-01T09:30:00</timeDate>", "2026-01-31T08:00:00+08:00", "2026-04-01T09:30:00+08:00"),
        ("<timeDate>2026-04-01</timeDate>", "2026-01-31T08:00:00+08:00", "2026-04-01T00:00:00+08:00"),
        ("<timeDate>2026-04-01T09:30:00Z</timeDate>", "2026-01-31T08:00:00+08:00", "2026-04-01T17:30:00+08:00"),
    ],
)
def test_a_timer_of_an_own_model_falls_due_by_the_tenants_time(
    cast: Cast, timer: str, begun: str | None, due: str | None
) -> None:
    xml = document(TIMED.format(timer))
    if begun is None or due is None:
        with pytest.raises(engine.ModelError):
            deploy(xml)
        return
    definition = deploy(xml)
    with clock.at(datetime.fromisoformat(begun)):
        started = cast.client_for("operator").post_json(
            "blade-flow/work/start-process", {"processDefinitionId": str(definition.pk), "variables": {}}
        )
        assert started.status == 200, started
    (row,) = Timer.objects.all()
    assert row.due_time == datetime.fromisoformat(due)
    assert sweep.fire_due(now=datetime.fromisoformat(due) - timedelta(seconds=1)) == 0
    assert sweep.fire_due(now=datetime.fromisoformat(due)) == 1
    with tenant_scope(A):
        assert ProcessInstance.objects.get().is_over
