"""Starts by time: each occurrence starts one process, by whom it may be started, and as the definitions stand."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from core.audit.models import Event
from core.desk.models import Message
from core.identity import quotas
from core.identity.models import QuotaKind, Tenant, User
from core.kernel import clock
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.scheduling import outbox
from core.scheduling.models import OutboxMessage
from tests.at_once import at_once
from tests.cast import A, B, Caller, Cast
from tests.workflows.standalone import deploy, document
from workflows.runtime.commands import schedules, standalone, sweep
from workflows.runtime.definitions import library
from workflows.runtime.rows.schedules import settle
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.timers.models import Schedule, StartResult, Timer
from workflows.runtime.tables.worklist.models import WorkItem

LIST, SWITCH, RUN = (f"blade-flow/schedule/{call}" for call in ("list", "switch", "run"))
STATE, DELETE = "blade-flow/manager/change-state", "blade-flow/manager/delete-deployment"
DEPLOYED = datetime.fromisoformat("2026-11-15T09:00:00+08:00")
MONTH_END = "<timeCycle>FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=8</timeCycle>"
STARTS = """<startEvent id="hand"/><userTask id="asked" name="申请" xw:candidates="role:equip_manager"/>
  <startEvent id="month" name="月末" xw:nameEn="Month end" {of}>
  <timerEventDefinition>{time}</timerEventDefinition></startEvent>
  <userTask id="look" name="盘点" xw:nameEn="Count" xw:candidates="role:equip_manager"/><endEvent id="done"/>
  <sequenceFlow id="f1" sourceRef="hand" targetRef="asked"/><sequenceFlow id="f2" sourceRef="asked" targetRef="done"/>
  <sequenceFlow id="f3" sourceRef="month" targetRef="look"/><sequenceFlow id="f4" sourceRef="look" targetRef="done"/>"""


def drawn(time: str = MONTH_END, of: str = "", process: str = "") -> bytes:
    """A model that people start, and that starts by itself."""
    return document(STARTS.format(time=time, of=of), process=process)


def deployed(cast: Cast, xml: bytes, *, tenant: str = A, by: str = "flow_designer", key: str = "own") -> Definition:
    """Deploy it as `by`, at that time."""
    with clock.at(DEPLOYED):
        definition = deploy(xml, tenant, key)
        settle(definition, None if tenant == PLATFORM else cast.user(by, tenant).pk)
    return definition


def at(moment: str) -> datetime:
    """A moment in the company's zone."""
    return datetime.fromisoformat(f"{moment}+08:00")


def start_due(moment: str) -> int:
    """What the worker starts at this moment."""
    with clock.at(at(moment)):
        return schedules.start_due(now=at(moment))


def begun(tenant: str = A) -> list[tuple[str, str]]:
    """By whom, and where it waits, of each process."""
    with tenant_scope(tenant):
        items = dict(WorkItem.objects.values_list("instance_id", "node"))
        rows = ProcessInstance.objects.exclude(definition__key="repairorder").order_by("pk")
        return [(row.starter_name, items[row.pk]) for row in rows]


def row(tenant: str = A) -> Schedule:
    """The schedule of the company."""
    return Schedule.objects.get(tenant_id=tenant, is_general=False)


def test_each_occurrence_starts_one_process_at_its_start_event(cast: Cast) -> None:
    definition = deployed(cast, drawn())
    assert (row().due_time, row().occurrence, row().is_asleep) == (
        at("2026-11-30T08:00"),
        at("2026-11-30T08:00"),
        False,
    )
    assert start_due("2026-11-30T07:59") == 0 and begun() == []
    assert start_due("2026-11-30T08:00:02") == 1
    designer = cast.user("flow_designer")
    assert begun() == [(designer.real_name, "look")]
    assert (row().due_time, row().last_result, row().missed) == (at("2026-12-31T08:00"), StartResult.STARTED, 0)
    assert start_due("2026-11-30T08:00:02") == start_due("2026-12-31T07:59") == 0
    with tenant_scope(A):
        instance = ProcessInstance.objects.get()
        event = Event.objects.get(operation="schedule.start")
    assert (instance.pk, instance.definition_id, instance.starter_id) == (
        row().last_instance_id, definition.pk, designer.pk,
    )  # fmt: skip
    assert (event.instance_id, event.user_id) == (instance.pk, 0)
    # The worker stood still for three months: one start makes up for all of them, and says so.
    assert start_due("2027-03-15T10:00") == 1 and start_due("2027-03-15T10:00") == 0
    assert (len(begun()), row().missed, row().due_time) == (2, 2, at("2027-03-31T08:00"))


def test_people_start_it_too_at_their_own_start_event(cast: Cast) -> None:
    definition = deployed(cast, drawn())
    operator = cast.actor_for("operator")
    with tenant_scope(A):
        standalone.start(operator, definition.pk, {})
    assert (begun(), row().last_result) == ([(operator.name, "asked")], StartResult.NONE)


@pytest.mark.parametrize(
    ("time", "moments"),
    [
        ("<timeDate>2026-12-01T09:30:00</timeDate>", ["2026-12-01T09:30", None]),
        ("<timeDate>2026-11-01T09:30:00</timeDate>", [None]),
        ("<timeDuration>P1M</timeDuration>", ["2026-12-15T09:00", None]),
        ("<timeCycle>R2/P1W</timeCycle>", ["2026-11-22T09:00", "2026-11-29T09:00", None]),
        ("<timeCycle>R2/2026-12-01T08:00/P1D</timeCycle>", ["2026-12-01T08:00", "2026-12-02T08:00", None]),
    ],
)
def test_a_time_is_over_when_it_says_so(cast: Cast, time: str, moments: list[str | None]) -> None:
    deployed(cast, drawn(time))
    for number, moment in enumerate(moments):
        assert row().due_time == (at(moment) if moment else None)
        assert len(begun()) == number
        if moment:
            assert start_due(f"{moment}:01") == 1
    assert start_due("2030-01-01T00:00") == 0


def test_two_workers_start_it_once_and_one_that_is_killed_leaves_it_to_the_next(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    deployed(cast, drawn())
    honest = schedules.schedules.started

    def killed(*args: Any, **kwargs: Any) -> None:
        honest(*args, **kwargs)
        raise SystemExit  # behind everything that it writes, before the commit

    monkeypatch.setattr(schedules.schedules, "started", killed)
    with pytest.raises(SystemExit):
        start_due("2026-11-30T08:00:02")
    assert (begun(), row().due_time) == ([], at("2026-11-30T08:00"))
    monkeypatch.setattr(schedules.schedules, "started", honest)
    assert start_due("2026-11-30T08:00:02") == 1
    assert (len(begun()), row().due_time) == (1, at("2026-12-31T08:00"))


@pytest.mark.django_db(transaction=True)
def test_workers_at_once_start_each_occurrence_once(cast: Cast) -> None:
    for number in range(4):
        deployed(cast, drawn().replace(b'id="own"', f'id="own{number}"'.encode()), key=f"own{number}")
    connection.close()
    fired = at_once([lambda: start_due("2026-11-30T08:00:02")] * 3)
    assert sum(fired) + start_due("2026-11-30T08:00:02") == 4
    assert len(begun()) == 4
    assert {one.due_time for one in Schedule.objects.all()} == {at("2026-12-31T08:00")}


def test_the_model_names_the_starter_whose_rights_are_looked_at_each_time(cast: Cast) -> None:
    leader = cast.user("repair_leader")
    deployed(cast, drawn(of=f'xw:starter="user:{leader.account}"', process='xw:starters="role:repair_leader"'))
    assert start_due("2026-11-30T08:00:02") == 1
    assert begun() == [(leader.real_name, "look")]
    with tenant_scope(A):
        User.objects.filter(pk=leader.pk).update(is_enabled=False)
    assert start_due("2026-12-31T08:00:02") == 0
    assert (row().attempts, row().occurrence, len(begun())) == (1, at("2026-12-31T08:00"), 1)
    for _ in range(4):
        Schedule.objects.update(due_time=at("2026-12-31T08:00"))
        assert start_due("2026-12-31T08:10") == 0
    failed = row()
    assert (failed.last_result, failed.attempts, failed.is_parked) == (StartResult.FAILED, 0, False)
    assert failed.last_reason.startswith("发起人不存在或已停用") and failed.last_reason_en.startswith(
        "The starter does"
    )
    assert failed.due_time == at("2027-01-31T08:00")
    assert len(begun()) == 1
    OutboxMessage.objects.update(due_time=DEPLOYED)
    outbox.deliver_due()
    with tenant_scope(A):
        assert set(Message.objects.values_list("title", "title_en")) == {
            ("定时发起失败：请假", "Start by time failed: Own")
        }
        User.objects.filter(pk=leader.pk).update(is_enabled=True)
    assert start_due("2027-01-31T08:00:02") == 1
    assert (row().last_result, row().last_reason, len(begun())) == (StartResult.STARTED, "", 2)


def test_a_role_names_the_first_holder_who_may(cast: Cast) -> None:
    deployed(cast, drawn(of='xw:starter="role:equip_manager"', process='xw:starters="role:equip_manager"'))
    assert start_due("2026-11-30T08:00:02") == 1
    assert begun() == [(cast.user("equip_manager").real_name, "look")]


def test_a_full_quota_and_a_missing_right_fail_it(cast: Cast) -> None:
    deployed(cast, drawn(process='xw:starters="role:hr"'))
    for _ in range(5):
        Schedule.objects.update(due_time=at("2026-11-30T08:00"))
        assert start_due("2026-11-30T08:00:02") == 0
    assert (row().last_result, row().last_reason_en) == (
        StartResult.FAILED, "The starter has no right to start the process",
    )  # fmt: skip
    deployed(cast, drawn())
    with tenant_scope(PLATFORM):
        quotas.limit(Tenant.objects.get(tenant_id=A), {QuotaKind.INSTANCES: 0})
    for _ in range(5):
        Schedule.objects.update(due_time=at("2026-12-31T08:00"))
        assert start_due("2026-12-31T08:00:02") == 0
    assert row().last_reason_en.startswith("The most running processes")
    assert (begun(), row().due_time) == ([], at("2027-01-31T08:00"))


def test_suspending_stops_it_and_activating_looks_ahead(cast: Cast) -> None:
    definition = deployed(cast, drawn())
    with clock.at(at("2026-11-20T10:00")):
        designer = cast.anew("flow_designer")
        assert designer.post_json(STATE, {}, processId=str(definition.pk), state="suspend").status == 200
    assert start_due("2026-12-31T08:00:02") == 0
    with clock.at(at("2027-01-15T10:00")):
        designer = cast.anew("flow_designer")
        assert designer.post_json(STATE, {}, processId=str(definition.pk), state="active").status == 200
    assert (row().due_time, row().missed) == (at("2027-01-31T08:00"), 2)
    assert start_due("2027-01-15T10:00") == 0 and begun() == []


def test_a_newer_version_takes_its_place_and_the_older_one_comes_back(cast: Cast) -> None:
    deployed(cast, drawn())
    old = row().pk
    second = deployed(cast, drawn(MONTH_END.replace("HOUR=8", "HOUR=20")))
    assert (row().pk, row().definition_id, row().due_time) == (old, second.pk, at("2026-11-30T20:00"))
    gone = deployed(cast, document(STARTS.format(time=MONTH_END, of="").replace("month", "weekly")))
    assert (row().node, row().definition_id) == ("weekly", gone.pk)
    with clock.at(at("2026-12-01T00:00")):
        assert cast.anew("flow_designer").post_json(DELETE, {}, deploymentIds=str(gone.pk)).status == 200
    assert (row().node, row().definition_id, row().due_time) == ("month", second.pk, at("2026-12-31T20:00"))
    with tenant_scope(A):
        every = ",".join(
            str(pk) for pk in Definition.objects.filter(key="own", is_deleted=False).values_list("pk", flat=True)
        )
    assert cast.client_for("flow_designer").post_json(DELETE, {}, deploymentIds=every).status == 200
    assert not Schedule.objects.exists()
    assert start_due("2027-01-31T08:00:02") == 0


def test_a_general_model_starts_where_a_company_has_switched_it_on(cast: Cast) -> None:
    deployed(cast, drawn(), tenant=PLATFORM)
    (listed,) = cast.client_for("flow_designer").get(LIST).data["records"]
    assert (listed["state"], listed["isOn"], listed["tenantId"]) == ("off", False, "")
    assert start_due("2026-11-30T08:00:02") == 0
    with clock.at(at("2026-12-01T00:00")):
        answer = cast.anew("flow_designer").post_json(SWITCH, {}, id=listed["id"], on=1)
    assert answer.status == 200 and answer.data["id"] == str(row().pk)
    assert start_due("2026-12-31T08:00:02") == 1
    assert (len(begun()), begun(B)) == (1, [])
    (other,) = cast.client_for("flow_designer", B).get(LIST).data["records"]
    assert (other["id"], other["isOn"]) == (listed["id"], False)
    # The platform's next version is followed by those who have it on; a company's own version takes its place.
    newer = deployed(cast, drawn(MONTH_END.replace("HOUR=8", "HOUR=20")), tenant=PLATFORM)
    assert (row().definition_id, row().is_on, row().text[-10:]) == (newer.pk, True, "BYMINUTE=0")
    own = deployed(cast, drawn())
    assert (row().definition_id, row().is_on) == (own.pk, True)
    with tenant_scope(A):
        library.Definition.objects.filter(pk=own.pk).update(is_deleted=True)
    settle(own)
    assert not Schedule.objects.filter(tenant_id=A).exists()


def test_who_may_switch_and_start_it_and_who_sees_it(cast: Cast) -> None:
    deployed(cast, drawn())
    designer, number = cast.client_for("flow_designer"), str(row().pk)

    def tried(caller: Caller) -> list[int]:
        return [
            caller.get(LIST).status,
            caller.post_json(SWITCH, {}, id=number, on=0).status,
            caller.post_json(RUN, {}, id=number).status,
        ]

    assert tried(cast.client_for("operator")) == [403, 403, 403]
    assert tried(cast.client_for("flow_designer", B)) == [200, 404, 404]
    assert cast.client_for("flow_designer", B).get(LIST).data["records"] == []
    assert (row().is_on, begun()) == (True, [])
    assert designer.post_json(RUN, {}, id=number).status == 200
    assert (begun(), row().due_time) == ([(cast.user("flow_designer").real_name, "look")], at("2026-11-30T08:00"))
    assert designer.post_json(SWITCH, {}, id=number, on=0).data == {"id": number, "isOn": False}
    assert designer.post_json(RUN, {}, id=number)["error"] == "schedule.off"
    assert start_due("2026-11-30T08:00:02") == 0
    assert designer.post_json(SWITCH, {}, id=number, on=2).status == 400
    with clock.at(at("2026-12-01T00:00")):
        assert cast.anew("tenant_admin").post_json(SWITCH, {}, id=number, on=1).status == 200
    assert (row().due_time, row().person_id) == (at("2026-12-31T08:00"), cast.user("tenant_admin").pk)


def test_the_list_finds_each_schedule_by_the_state_that_it_shows(cast: Cast) -> None:
    """One that failed and was switched off is off; one that failed and runs is not among those that are well."""
    designer = cast.client_for("flow_designer")

    def found() -> dict[str, list[str]]:
        states = ("on", "off", "suspended", "failed", "over")
        lists = {state: designer.get(LIST, state=state).data["records"] for state in states}
        assert {one["state"] for state, rows in lists.items() for one in rows if one["state"] != state} == set()
        return {state: [one["key"] for one in rows] for state, rows in lists.items() if rows}

    deployed(cast, drawn())
    with clock.at(DEPLOYED + timedelta(hours=1)):
        designer = cast.anew("flow_designer")
        assert found() == {"on": ["own"]}
        with tenant_scope(A):
            Schedule.objects.update(last_result=StartResult.FAILED)
        assert found() == {"failed": ["own"]}
        Definition.objects.filter(key="own").update(is_active=False)
        assert found() == {"suspended": ["own"]}
        with tenant_scope(A):
            Schedule.objects.update(is_on=False)
        assert found() == {"off": ["own"]}


def test_the_list_says_when_it_comes_in_both_languages(cast: Cast) -> None:
    deployed(cast, drawn())
    deployed(cast, drawn("<timeDate>2026-11-01T09:30:00</timeDate>").replace(b'id="own"', b'id="over"'), key="over")
    with clock.at(DEPLOYED + timedelta(hours=1)):
        designer = cast.anew("flow_designer")
        (found,) = designer.get(LIST, state="on").data["records"]
        english = designer.in_english().get(LIST, key="own").data["records"][0]
    designer = cast.client_for("flow_designer")
    assert (found["ruleText"], english["ruleText"]) == (
        "每月最后一天 08:00", "every month on the last day at 08:00",
    )  # fmt: skip
    assert (found["name"], english["name"]) == ("月末", "Month end")
    versions = designer.get("blade-flow/manager/list", size=50).data["records"]
    assert {one["key"] for one in versions if one["isScheduled"]} == {"own", "over"}
    assert found["next"] == [f"{day} 08:00:00" for day in (
        "2026-11-30", "2026-12-31", "2027-01-31", "2027-02-28", "2027-03-31")]  # fmt: skip
    assert found["starterName"] == cast.user("flow_designer").real_name
    assert [one["key"] for one in designer.get(LIST, state="over").data["records"]] == ["over"]
    assert designer.get(LIST, state="over").data["records"][0]["next"] == []
    assert designer.get(LIST, key="nothing").data["records"] == []
    assert designer.get(LIST, state="strange").status == 400


@pytest.mark.parametrize(
    ("event", "time", "first", "second"),
    [
        ("boundaryEvent", "FREQ=DAILY;BYHOUR=8", "2026-11-16T08:00", "2026-11-17T08:00"),
        ("boundaryEvent", "R/2026-11-01T07:30/P1W", "2026-11-22T07:30", "2026-11-29T07:30"),
        ("intermediateCatchEvent", "FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=8", "2026-11-30T08:00", None),
    ],
)
def test_events_within_a_process_come_by_the_calendar_too(
    cast: Cast, event: str, time: str, first: str, second: str | None
) -> None:
    of = 'attachedToRef="look" cancelActivity="false"' if event == "boundaryEvent" else ""
    timer = f"<timerEventDefinition><timeCycle>{time}</timeCycle></timerEventDefinition>"
    timer = f'<{event} id="t" {of}>{timer}</{event}>'
    task = '<userTask id="look" xw:candidates="role:equip_manager"/>'
    if second is None:
        flows = [("s", "t"), ("t", "look"), ("look", "e")]
    else:
        flows = [("s", "look"), ("look", "e"), ("t", "e2")]
    ways = "".join(f'<sequenceFlow id="f{n}" sourceRef="{a}" targetRef="{b}"/>' for n, (a, b) in enumerate(flows))
    ends = '<endEvent id="e"/>' + ('<endEvent id="e2"/>' if second else "")
    definition = deploy(document(f'<startEvent id="s"/>{timer}{task}{ends}{ways}'))
    with tenant_scope(A), clock.at(DEPLOYED):
        standalone.start(cast.actor_for("operator"), definition.pk, {})
    assert Timer.objects.get().due_time == at(first)
    with clock.at(at(f"{first}:05")):
        assert sweep.fire_due(now=at(f"{first}:05")) == 1
    assert [timer.due_time for timer in Timer.objects.all()] == ([at(second)] if second else [])
