"""Timers in working time: due by the tenant's calendar, computed anew where it changes, and natural ones left alone."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.audit.models import Event
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.kernel.texts import moment
from core.system.models import Holiday, HolidayType
from tests.cast import A, B, Cast
from tests.core.maintenance.drawn_models import Model
from tests.workflows.runtime.test_timers import _act, _dues, _finish, _report
from tests.workflows.standalone import deploy, document
from workflows.runtime.commands import calendar_changes, sweep
from workflows.runtime.execution import driver
from workflows.runtime.rows import timers
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import WorkItem

FRIDAY = datetime.fromisoformat("2026-03-06T16:00:00+08:00")
WORKING = 'xw:time="working"'

# A reminder of four working hours on a step, one of a natural day, and a deadline round two steps.
DRAWN = """<startEvent id="start"/><subProcess id="both" name="办理">
  <startEvent id="begin"/>
  <userTask id="first" name="审批" xw:candidates="role:equip_manager" xw:outcomes="agree,reject"/>
  <userTask id="second" name="登记" xw:candidates="role:equip_manager" xw:outcomes="agree,reject"/>
  <exclusiveGateway id="decide" default="on"/><endEvent id="stop"/>
  <sequenceFlow id="a" sourceRef="begin" targetRef="first"/><sequenceFlow id="b" sourceRef="first" targetRef="second"/>
  <sequenceFlow id="c" sourceRef="second" targetRef="decide"/>
  <sequenceFlow id="on" sourceRef="decide" targetRef="stop"/>
  <sequenceFlow id="back" sourceRef="decide" targetRef="first">
    <conditionExpression>${outcome == 'reject'}</conditionExpression></sequenceFlow></subProcess>
  <endEvent id="done"/><endEvent id="r1"/><endEvent id="r2"/><endEvent id="r3"/>
  <sequenceFlow id="d" sourceRef="start" targetRef="both"/><sequenceFlow id="e" sourceRef="both" targetRef="done"/>
  <boundaryEvent id="deadline" name="办结" xw:nameEn="Finish" attachedToRef="both" cancelActivity="false">
    <timerEventDefinition xw:time="working"><timeDuration>P2D</timeDuration></timerEventDefinition></boundaryEvent>
  <boundaryEvent id="remind" attachedToRef="both" cancelActivity="false">
    <timerEventDefinition xw:time="working"><timeCycle>R3/PT4H</timeCycle></timerEventDefinition></boundaryEvent>
  <boundaryEvent id="natural" attachedToRef="both" cancelActivity="false">
    <timerEventDefinition><timeDuration>P2D</timeDuration></timerEventDefinition></boundaryEvent>
  <sequenceFlow id="f" sourceRef="deadline" targetRef="r1"/><sequenceFlow id="g" sourceRef="remind" targetRef="r2"/>
  <sequenceFlow id="h" sourceRef="natural" targetRef="r3"/>"""


def _start(cast: Cast, xml: bytes, at: datetime = FRIDAY, tenant: str = A) -> None:
    definition = deploy(xml, tenant)
    with clock.at(at):
        body = {"processDefinitionId": str(definition.pk), "variables": {}}
        started = cast.client_for("operator", tenant).post_json("blade-flow/work/start-process", body)
        assert started.status == 200, started


def _due(tenant: str = A) -> dict[str, str]:
    rows = Timer.objects.filter(tenant_id=tenant).order_by("node")
    return {row.node: moment(row.due_time)[5:16] for row in rows}


def _complete(cast: Cast, outcome: str, at: datetime) -> None:
    with clock.at(at):
        caller = cast.client_for("equip_manager")
        (task,) = caller.get("blade-flow/work/claim-list").data["records"]
        said = {"taskId": task["taskId"], "outcome": outcome, "comment": "", "variables": {}}
        assert caller.post_json("blade-flow/work/complete-task", said).status == 200


def _holiday(day: str, kind: HolidayType = HolidayType.OFF, tenant: str = A) -> None:
    with tenant_scope(tenant):
        Holiday.objects.create(day=date.fromisoformat(day), day_type=kind, name="厂休")


def test_deadlines_and_repetitions_count_working_time_through_a_send_back(cast: Cast) -> None:
    _start(cast, document(DRAWN))
    begun = {"deadline": "03-10 16:00", "natural": "03-08 16:00", "remind": "03-09 11:00"}
    assert _due() == begun
    with tenant_scope(A):
        assert {moment(item.due_time)[5:16] for item in WorkItem.objects.all()} == {"03-08 16:00"}
    # A step sent back inside of what the deadline is drawn round leaves it as it is.
    before = set(Timer.objects.values_list("pk", flat=True))
    _complete(cast, "agree", FRIDAY + timedelta(hours=1))
    _complete(cast, "reject", FRIDAY + timedelta(hours=2))
    assert (_due(), set(Timer.objects.values_list("pk", flat=True))) == (begun, before)
    with clock.at(datetime.fromisoformat("2026-03-09T11:00:01+08:00")):
        assert sweep.fire_due(now=clock.now()) == 2
    # The next occurrence counts from then on: an hour to the break, three after it.
    assert _due() == {"deadline": "03-10 16:00", "remind": "03-09 16:00"}
    row = Timer.objects.get(node="remind")
    assert (row.text, moment(row.begin_time)) == ("R2/PT4H", "2026-03-09 11:00:01")
    assert sweep.fire_due(now=datetime.fromisoformat("2026-03-10T15:59:59+08:00")) == 1
    assert sweep.fire_due(now=datetime.fromisoformat("2026-03-10T16:00:00+08:00")) == 1
    with tenant_scope(A):
        assert ProcessInstance.objects.get().is_over is False
        assert WorkItem.objects.get(state=1).late_time is not None


def test_a_calendar_that_changes_moves_what_waits_and_the_history_says_so(cast: Cast) -> None:
    for tenant in (A, B):
        _start(cast, document(DRAWN), tenant=tenant)
    before = {tenant: _due(tenant) for tenant in (A, B)}
    assert calendar_changes.renew_outdated() == 0
    _holiday("2026-03-09")
    assert (_due(), list(timers.outdated_tenants())) == (before[A], [A])
    assert calendar_changes.renew_outdated() == 1
    assert _due() == {"deadline": "03-11 16:00", "natural": "03-08 16:00", "remind": "03-10 11:00"}
    assert (_due(B), list(timers.outdated_tenants())) == (before[B], [])
    with tenant_scope(A):
        event = Event.objects.get(operation="timer.renew")
        instance = ProcessInstance.objects.get()
        assert (event.instance_id, event.user_name) == (instance.pk, "系统")
        assert event.changes[0] == {
            "label": ["办结", "Finish"], "old": ["2026-03-10 16:00:00"] * 2, "new": ["2026-03-11 16:00:00"] * 2,
        }  # fmt: skip
    assert calendar_changes.renew_outdated() == 0
    # A change without an effect on what waits is no entry of the history; one that is taken back moves all back.
    _holiday("2026-10-01")
    assert calendar_changes.renew_outdated() == 1
    with tenant_scope(A):
        assert Event.objects.filter(operation="timer.renew").count() == 1
        Holiday.objects.get(day="2026-03-09").remove()
    assert calendar_changes.renew_outdated() == 1
    assert _due() == before[A]


def test_the_due_time_of_a_step_in_lists_follows_the_calendar(cast: Cast) -> None:
    drawn = DRAWN.replace(
        "<timerEventDefinition><timeDuration>P2D", f"<timerEventDefinition {WORKING}><timeDuration>P1D"
    )
    _start(cast, document(drawn))
    with tenant_scope(A):
        assert moment(WorkItem.objects.get().due_time) == "2026-03-09 16:00:00"
    _holiday("2026-03-07", HolidayType.WORKED)
    calendar_changes.renew_outdated()
    with tenant_scope(A):
        assert moment(WorkItem.objects.get().due_time) == "2026-03-07 16:00:00"


def test_what_is_due_by_an_earlier_calendar_does_not_fire(cast: Cast) -> None:
    _start(cast, document(DRAWN))
    _holiday("2026-03-09")
    at = datetime.fromisoformat("2026-03-09T11:30:00+08:00")
    # The natural timer alone: the reminder is found to be due a day later, before the job has come to it.
    assert sweep.fire_due(now=at) == 1
    assert _due() == {"deadline": "03-11 16:00", "remind": "03-10 11:00"}
    assert sweep.fire_due(now=at + timedelta(days=1)) == 1


def test_a_timer_that_failed_waits_for_its_next_try_and_what_cannot_be_computed_stops_no_other(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        _start(cast, document(DRAWN))
    failed = Timer.objects.filter(node="remind").first()
    assert failed is not None
    Timer.objects.filter(pk=failed.pk).update(attempts=2, due_time=FRIDAY)
    bad = Timer.objects.exclude(instance_id=failed.instance_id).first()
    assert bad is not None
    Timer.objects.filter(instance_id=bad.instance_id, node="deadline").update(text="P1X")
    _holiday("2026-03-09")
    assert calendar_changes.renew_outdated() == 1
    assert list(timers.outdated_tenants()) == []
    rows = {(row.instance_id == bad.instance_id, row.node): moment(row.due_time)[5:16] for row in Timer.objects.all()}
    assert (rows[False, "remind"], rows[False, "deadline"]) == ("03-06 16:00", "03-11 16:00")
    assert (rows[True, "remind"], rows[True, "deadline"]) == ("03-09 11:00", "03-10 16:00")


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer")
@pytest.mark.django_db(transaction=True)
def test_workers_share_what_a_change_has_made_outdated(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = document(DRAWN.replace(f"{WORKING}><timeCycle", "><timeCycle"))
    for number in range(12):
        _start(cast, drawn, at=FRIDAY + timedelta(minutes=number))
    _holiday("2026-03-09")
    locked, begin, lock = [], threading.Barrier(4), driver.lock_at_once
    monkeypatch.setattr(driver, "lock_at_once", lambda instance_id: (locked.append(instance_id), lock(instance_id))[1])

    def renew() -> int:
        try:
            begin.wait(20)
            return calendar_changes.renew_outdated()
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as workers:
        done = [worker.result() for worker in [workers.submit(renew) for _ in range(4)]]
    assert (sum(done), sorted(locked)) == (12, sorted(set(locked)))
    assert {moment(row.due_time)[5:10] for row in Timer.objects.filter(node="deadline")} == {"03-11"}


def test_a_step_costs_one_statement_more_and_none_without_working_time(cast: Cast) -> None:
    caller, costs = cast.client_for("operator"), {}
    for name, xml in (("working", DRAWN), ("natural", DRAWN.replace(WORKING, ""))):
        definition = deploy(document(xml), key=name)
        body = {"processDefinitionId": str(definition.pk), "variables": {}}
        for _round in range(2):
            with CaptureQueriesContext(connection) as captured:
                assert caller.post_json("blade-flow/work/start-process", body).status == 200
        costs[name] = len(captured)
        asked = [one["sql"] for one in captured if "calendarversion" in one["sql"] or "holiday" in one["sql"]]
        assert len(asked) == (1 if name == "working" else 0)
    assert costs["working"] == costs["natural"] + 1


def test_the_automatic_verification_can_count_working_time(cast: Cast) -> None:
    said = 'xw:due="repairorder.autoCheck"'
    Model("working", lambda xml: xml.replace(said, f"{said} {WORKING}")).deploy(cast)
    order = _report(cast)
    _act(cast, "repair_leader", order, "dispatch", 1, repairUserId=str(cast.user("repairer").pk))
    _act(cast, "repairer", order, "accept", 2)
    _finish(cast, order, 60)
    # Monday 2 March, 09:00, and 72 working hours: nine days of work.
    assert _due() == {"autoCheck": "03-13 09:00"}
    _holiday("2026-03-04")
    assert calendar_changes.renew_outdated() == 1
    assert _due() == {"autoCheck": "03-16 09:00"}
    assert sweep.fire_due(now=datetime.fromisoformat("2026-03-16T09:00:00+08:00")) == 1
    assert _dues() == {}


@pytest.mark.parametrize(
    ("text", "time", "due"),
    [
        ("P1D", "working", "2026-03-09 16:00:00"),
        ("PT2H", "working", "2026-03-09 09:00:00"),
        ("R3/PT8H", "working", "2026-03-09 16:00:00"),
        ("P1D", "", "2026-03-07 16:00:00"),
        ("P1M", "", "2026-04-06 16:00:00"),
    ],
)
def test_the_designer_is_told_when_it_would_fall_due(cast: Cast, text: str, time: str, due: str) -> None:
    with clock.at(FRIDAY):
        asked = {"text": text, "time": time}
        assert cast.client_for("flow_designer").get("blade-flow/model/due-preview", **asked).data == {"dueTime": due}


def test_a_preview_of_what_no_timer_takes_is_refused(cast: Cast) -> None:
    designer = cast.client_for("flow_designer").in_english()
    for text, time, field in (
        ("P1M", "working", "text"), ("P1W", "working", "text"), ("soon", "", "text"), ("R/PT1S", "", "text"),
        ("", "working", "text"), ("P1D", "office", "time"),
    ):  # fmt: skip
        answer = designer.get("blade-flow/model/due-preview", text=text, time=time)
        assert (answer.status, list(answer.data["fields"])) == (400, [field]), (text, time)
    assert cast.client_for("operator").get("blade-flow/model/due-preview", text="P1D").status == 403


def test_a_calendar_without_working_time_refuses_the_step_and_changes_nothing(cast: Cast) -> None:
    with tenant_scope(A):
        days = [date(2026, 3, 6) + timedelta(days=n) for n in range(1_200)]
        Holiday.objects.bulk_create(Holiday(day=day, day_type=HolidayType.OFF, name="x") for day in days)
        Holiday.objects.get(day=days[0]).save()
    definition = deploy(document(DRAWN))
    with clock.at(FRIDAY):
        body: dict[str, Any] = {"processDefinitionId": str(definition.pk), "variables": {}}
        answer = cast.client_for("operator").in_english().post_json("blade-flow/work/start-process", body)
    assert answer.status == 409 and "no working time in the next three years" in answer.msg
    assert Timer.objects.count() == 0
    with tenant_scope(A):
        assert ProcessInstance.objects.count() == 0
