"""Suspending one process: its steps, timers and messages wait, and go on once after it is resumed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.audit.models import Event
from core.kernel import outbox as port
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder, Status
from core.scheduling import outbox, turns
from core.scheduling.models import OutboxMessage
from tests.cast import A, B, Caller, Cast
from tests.checksums import checksum
from tests.workflows.standalone import deploy, document
from tests.workflows.workbench.test_follow import report
from workflows.runtime.commands import sweep
from workflows.runtime.rows import incidents
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.messages.models import Waiting
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

FOLLOW, WORK, ORDER = "blade-flow/follow", "blade-flow/work", "yuzhu-equip/repairorder"
STATE = "blade-flow/manager/change-state"
SUSPEND, RESUME = f"{FOLLOW}/suspend-process-instance", f"{FOLLOW}/resume-process-instance"
STEP = 'xw:candidates="role:repair_leader"'
WITH_TIMER = f"""<startEvent id="start"/><userTask id="look" name="审批" {STEP}/><userTask id="late" name="催" {STEP}/>
  <boundaryEvent id="clock" attachedToRef="look" cancelActivity="false">
    <timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></boundaryEvent>
  <endEvent id="done"/><endEvent id="told"/>
  <sequenceFlow id="f1" sourceRef="start" targetRef="look"/><sequenceFlow id="f2" sourceRef="look" targetRef="done"/>
  <sequenceFlow id="f3" sourceRef="clock" targetRef="late"/><sequenceFlow id="f4" sourceRef="late" targetRef="told"/>"""


def _start(cast: Cast, body: str = WITH_TIMER, key: str = "own") -> int:
    definition = deploy(document(body), key=key)
    started = cast.client_for("operator").post_json(
        f"{WORK}/start-process", {"processDefinitionId": str(definition.pk), "variables": {}}
    )
    assert started.status == 200, started
    return int(started.data["processInstanceId"])


def _suspend(cast: Cast, instance: int, account: str = "flow_designer", tenant: str = A) -> Any:
    return cast.client_for(account, tenant).post_json(SUSPEND, processInstanceId=str(instance), reason="查账")


def _resume(cast: Cast, instance: int, account: str = "flow_designer", tenant: str = A) -> Any:
    return cast.client_for(account, tenant).post_json(RESUME, processInstanceId=str(instance))


def _item(instance: int, node: str = "look") -> WorkItem:
    with tenant_scope(A):
        return WorkItem.objects.get(instance=instance, node=node)  # type: ignore[no-any-return]


def test_a_suspended_process_takes_no_step_and_says_who_suspended_it(cast: Cast) -> None:
    instance, other = _start(cast), _start(cast, key="own2")
    assert _suspend(cast, instance).status == 200
    with tenant_scope(A):
        row = ProcessInstance.objects.get(pk=instance)
        since = row.halt_time
        assert (row.halt_user_name, row.halt_reason) == ("高流", "查账")
    task, leader = str(_item(instance).pk), cast.client_for("repair_leader")
    shown = {row["taskId"]: row for row in leader.get(f"{WORK}/inbox").data["records"]}
    when = f"{since.astimezone():%Y-%m-%d}"
    said = shown[task]["haltedText"]
    assert said.startswith(f"该流程已由高流于{when}") and said.endswith("暂停，恢复后才能继续办理")
    assert (shown[task]["taskActions"], shown[str(_item(other).pk)]["taskActions"]) == ([], ["claim", "complete"])
    detail = leader.get(f"{WORK}/task-detail", taskId=task).data
    assert (detail["canClaim"], detail["canComplete"], detail["haltedText"]) == (False, False, said)
    before = checksum(A)
    for call, body in (("claim-task", {"taskId": task}), ("complete-task", {"taskId": task, "flag": "ok"})):
        refused = leader.post_json(f"{WORK}/{call}", body, **({"taskId": task} if call == "claim-task" else {}))
        assert (refused.status, refused["error"], refused.msg) == (409, "workflow.suspended", said), call
        assert (refused.data["userName"], refused.data["reason"]) == ("高流", "查账")
    english = leader.in_english().post_json(f"{WORK}/complete-task", {"taskId": task, "flag": "ok"})
    assert english.msg.startswith(f"高流 suspended this process at {when}")
    assert checksum(A) == before
    assert _resume(cast, instance).status == 200
    assert leader.post_json(f"{WORK}/claim-task", taskId=task).status == 200
    assert leader.post_json(f"{WORK}/complete-task", {"taskId": task, "flag": "ok"}).status == 200


def test_an_order_of_a_suspended_process_takes_no_command_but_an_edit(cast: Cast) -> None:
    instance, leader = report(cast), cast.client_for("repair_leader")
    with tenant_scope(A):
        order = RepairOrder.objects.get()
    assert _suspend(cast, instance).status == 200
    told = leader.get(f"{ORDER}/detail", id=order.pk).data
    assert told["allowedActions"] == ["edit"] and told["openTask"]["haltedText"].startswith("该流程已由高流于")
    body = {"id": str(order.pk), "lockVersion": order.lock_version, "action": "dispatch"}
    before = checksum(A)
    refused = leader.post_json(f"{ORDER}/update", {**body, "repairUserId": str(cast.user("repairer").pk)})
    assert (refused.status, refused["error"]) == (409, "workflow.suspended")
    assert checksum(A) == before
    assert _resume(cast, instance).status == 200
    assert "dispatch" in leader.get(f"{ORDER}/detail", id=order.pk).data["allowedActions"]


def test_what_a_suspended_order_offers_succeeds_and_the_rest_is_refused_at_both_doors(cast: Cast) -> None:
    """Its own people edit it; whoever looks after processes, and may cancel orders, ends it before it is resumed."""
    instance = report(cast)
    with tenant_scope(A):
        order, task = RepairOrder.objects.get(), WorkItem.objects.get(instance=instance)
    operator, admin, leader = (cast.client_for(name) for name in ("operator", "tenant_admin", "repair_leader"))

    def at_the_record(caller: Caller) -> tuple[list[str], object]:
        told = caller.get(f"{ORDER}/detail", id=order.pk).data
        return told["allowedActions"], told["urge"]

    def sent() -> list[str]:
        [row] = operator.get(f"{WORK}/send-list").data["records"]
        return row["taskActions"]  # type: ignore[no-any-return]

    offered = [at_the_record(one) for one in (operator, admin)]
    assert offered == [(["cancel", "edit"], {"againTime": ""}), (["dispatch", "cancel", "edit", "remove"], None)]
    assert sent() == ["urge"]
    assert _suspend(cast, instance).status == 200
    assert [at_the_record(one) for one in (operator, admin)] == [(["edit"], None), (["edit", "remove"], None)]
    assert sent() == []
    before = checksum(A)
    said = {"id": str(order.pk), "lockVersion": order.lock_version, "action": "cancel", "cancelReason": 1}
    urge = {"processInstanceId": str(instance), "words": "快"}
    dispatch = {"repairUserId": str(cast.user("repairer").pk)}
    for caller, call, body in (
        (operator, f"{ORDER}/update", said), (admin, f"{ORDER}/update", said), (operator, f"{WORK}/urge", urge),
        (leader, f"{WORK}/complete-task", {"taskId": str(task.pk), "outcome": "dispatch", "variables": dispatch}),
    ):  # fmt: skip
        refused = caller.post_json(call, body)
        assert (refused.status, refused["error"]) == (409, "workflow.suspended"), call
        assert refused.msg.endswith("暂停，恢复后才能继续办理"), call
    end, body = f"{FOLLOW}/delete-process-instance", {"processInstanceId": str(instance), "deleteReason": "误报"}
    assert cast.client_for("flow_designer").post_json(end, **body).status == 403
    assert checksum(A) == before
    [row] = admin.get(f"{FOLLOW}/list").data["records"]
    assert row["followActions"] == ["reassign", "resume", "end"]
    several = {"act": "end", "ids": str(instance), "reason": "误报", "isPreview": True}
    assert admin.post_json(f"{FOLLOW}/bulk", several).data["done"] == 1
    assert checksum(A) == before
    assert admin.post_json(end, **body).status == 200
    with tenant_scope(A):
        row = ProcessInstance.objects.get(pk=instance)
        order.refresh_from_db()
        noted = Event.objects.order_by("-id").values_list("operation", "user_name", "remark")[0]
    assert (order.status, row.status, row.halt_time, row.halt_reason) == (Status.CANCELLED, 2, None, "")
    assert noted == ("repairorder.cancel", "赵理", "误报")
    assert not Timer.objects.filter(instance_id=instance).exists()


def _late(instance: int) -> int:
    with tenant_scope(A):
        return WorkItem.objects.filter(instance=instance, node="late").count()


def test_a_timer_waits_and_fires_once_after_resuming(cast: Cast) -> None:
    instance, later = _start(cast), _start(cast, key="own2")
    past, ahead = datetime.now(UTC) - timedelta(minutes=1), datetime.now(UTC) + timedelta(hours=1)
    assert (_suspend(cast, instance).status, _suspend(cast, later).status) == (200, 200)
    Timer.objects.filter(instance_id=instance).update(due_time=past)
    Timer.objects.filter(instance_id=later).update(due_time=ahead)
    assert (sweep.fire_due(), sweep.fire_due(now=datetime.now(UTC) + timedelta(minutes=30))) == (0, 0)
    assert (_late(instance), Timer.objects.filter(instance_id=instance, attempts=0).count()) == (0, 1)
    assert (_resume(cast, instance).status, _resume(cast, later).status) == (200, 200)
    assert (sweep.fire_due(), sweep.fire_due()) == (1, 0)
    # What had not fallen due still has its own time.
    assert (_late(instance), _late(later)) == (1, 0)
    assert Timer.objects.get(instance_id=later).due_time == ahead


def test_a_due_function_is_asked_again_when_the_order_resumes(cast: Cast) -> None:
    instance = report(cast)
    due = dict(Timer.objects.values_list("node", "due_time"))
    assert _suspend(cast, instance).status == 200
    assert sweep.fire_due(now=datetime.now(UTC) + timedelta(days=365)) == 0
    assert set(Timer.objects.values_list("is_asleep", flat=True)) == {True}
    Timer.objects.update(due_time=datetime.now(UTC))
    assert _resume(cast, instance).status == 200
    assert set(Timer.objects.values_list("is_asleep", flat=True)) == {False}
    assert dict(Timer.objects.values_list("node", "due_time")) == due


@pytest.mark.parametrize("way", ["alone", "definition", "incident"])
def test_a_message_sleeps_and_is_received_once_when_the_process_goes_on(cast: Cast, way: str) -> None:
    body = f"""<startEvent id="start"/><receiveTask id="ear" messageRef="m"/><userTask id="look" name="步" {STEP}/>
      <endEvent id="done"/><sequenceFlow id="f1" sourceRef="start" targetRef="ear"/>
      <sequenceFlow id="f2" sourceRef="ear" targetRef="look"/>
      <sequenceFlow id="f3" sourceRef="look" targetRef="done"/>"""
    xml = document(body).replace(b"<process ", b'<message id="m" name="parts"/><process ', 1)
    definition = deploy(xml)
    started = cast.client_for("operator").post_json(
        f"{WORK}/start-process", {"processDefinitionId": str(definition.pk), "variables": {}}
    )
    instance = int(started.data["processInstanceId"])
    designer = cast.client_for("flow_designer")

    def change(is_active: bool) -> Any:
        state = "active" if is_active else "suspend"
        return designer.post_json(STATE, processId=str(definition.pk), state=state, withRunning=1)

    if way == "alone":
        assert _suspend(cast, instance).status == 200
    elif way == "definition":
        assert change(is_active=False).status == 200
    else:
        incidents.raise_incident(A, instance, None, incidents.Reason("timer", "x", "x", "ear"))
    with tenant_scope(A):
        task = Waiting.objects.get(instance=instance).engine_task
        copy = {"instance": instance, "tasks": [task], "message": "parts", "key": "", "hops": 1}
        port.send("process.message", copy, instance)
    assert outbox.deliver_due() == 0
    with CaptureQueriesContext(connection) as statements:
        assert outbox.deliver_due() == 0
    assert len(statements) == 1  # one look at the queue: what sleeps is not tried again
    assert OutboxMessage.objects.values_list("attempts", "is_asleep").get() == (0, True)
    if way == "alone":
        assert _resume(cast, instance).status == 200
    elif way == "definition":
        assert change(is_active=True).status == 200
    else:
        retry = designer.post_json(f"{FOLLOW}/retry-process-instance", processInstanceId=str(instance))
        assert retry.status == 200
    assert (outbox.deliver_due(), outbox.deliver_due()) == (1, 0)
    assert _item(instance).state == ItemState.OPEN


def test_a_timer_of_a_suspended_definition_sleeps_until_it_is_active_again(cast: Cast) -> None:
    instance, other = _start(cast), _start(cast, key="own2")
    with tenant_scope(A):
        version = ProcessInstance.objects.get(pk=instance).definition_id
    Timer.objects.update(due_time=datetime.now(UTC) - timedelta(hours=3))
    designer, of = cast.client_for("flow_designer"), {"processId": str(version), "withRunning": 1}
    assert designer.post_json(STATE, state="suspend", **of).status == 200
    assert (sweep.fire_due(), sweep.fire_due()) == (1, 0)
    assert (_late(instance), _late(other), Timer.objects.get().is_asleep) == (0, 1, True)
    assert turns.lag() == 0
    assert designer.post_json(STATE, state="active", **of).status == 200
    assert turns.lag() < 60  # it is due since now, and not late by its sleep
    assert (sweep.fire_due(), sweep.fire_due()) == (1, 0)
    assert _late(instance) == 1


def test_the_list_finds_what_is_suspended_alone_or_with_its_definition(cast: Cast) -> None:
    first, second, whole = report(cast), report(cast), _start(cast)
    incidents.raise_incident(A, second, None, incidents.Reason("timer", "x", "x", "dispatch"))
    Definition.objects.filter(key="own").update(is_active=False, is_halted=True)
    designer = cast.client_for("flow_designer")
    assert (_suspend(cast, second).status, _suspend(cast, report(cast, B)).status) == (200, 404)

    def found(**asked: Any) -> dict[int, dict[str, Any]]:
        return {int(row["id"]): row for row in designer.get(f"{FOLLOW}/list", **asked).data["records"]}

    assert {name: set(found(state=name)) for name in ("running", "parked", "suspended")} == {
        "running": {first}, "parked": {second}, "suspended": {second, whole},
    }  # fmt: skip
    rows = found()
    told = {pk: (row["suspensionState"], row["suspended"] and row["suspended"]["reason"]) for pk, row in rows.items()}
    assert told == {first: (1, None), second: (2, "查账"), whole: (2, None)}
    counts = designer.get(f"{FOLLOW}/counts").data
    assert [counts[name] for name in ("running", "parked", "suspended")] == [3, 1, 2]
    assert "suspend" in rows[first]["followActions"] and "resume" in rows[second]["followActions"]


def test_it_is_recorded_with_its_reason(cast: Cast) -> None:
    instance = _start(cast)
    assert (_suspend(cast, instance).status, _resume(cast, instance, "tenant_admin").status) == (200, 200)
    with tenant_scope(A):
        noted = Event.objects.filter(instance_id=instance, operation__in=["process.suspend", "process.resume"])
        assert list(noted.order_by("id").values_list("operation", "user_name", "remark")) == [
            ("process.suspend", "高流", "查账"), ("process.resume", "赵理", ""),
        ]  # fmt: skip
    rows = cast.client_for("operator").get("blade-flow/process/history-flow-list", processInstanceId=instance).data
    told = [(row["historyActivityName"], row["assigneeName"], row["comment"]) for row in rows]
    assert told[-2:] == [("暂停流程", "高流", "查账"), ("恢复流程", "赵理", "")]
    # Who follows processes reads why, of a record too that is not theirs to read.
    order = report(cast)
    assert _suspend(cast, order).status == 200
    designer = cast.client_for("flow_designer")
    rows = designer.get("blade-flow/process/history-flow-list", processInstanceId=order).data
    assert [row["comment"] for row in rows if row["historyActivityId"] == "process.suspend"] == ["查账"]


def test_what_cannot_be_suspended_or_resumed_is_refused_and_stays(cast: Cast) -> None:
    instance, over = _start(cast), _start(cast, key="own2")
    with tenant_scope(A):
        ProcessInstance.objects.filter(pk=over).update(status=2)
    before = checksum(A)
    designer = cast.client_for("flow_designer")
    no_reason = designer.post_json(SUSPEND, processInstanceId=str(instance))
    assert (no_reason.status, list(no_reason.data["fields"])) == (400, ["reason"])
    assert _resume(cast, instance)["error"] == "workflow.notSuspended"
    assert (_suspend(cast, over)["error"], _resume(cast, over)["error"]) == ("workflow.over", "workflow.over")
    for account, tenant, status in (("equip_manager", A, 403), ("operator", A, 403), ("flow_designer", B, 404)):
        assert _suspend(cast, instance, account, tenant).status == status
        assert _resume(cast, instance, account, tenant).status == status
    assert checksum(A) == before
    assert _suspend(cast, instance).status == 200
    before = checksum(A)
    assert _suspend(cast, instance)["error"] == "workflow.suspended"
    assert checksum(A) == before


@pytest.mark.parametrize("act", ["suspend", "resume"])
def test_several_are_suspended_and_resumed_as_the_preview_said(cast: Cast, act: str) -> None:
    first, second, own = report(cast), report(cast), _start(cast)
    assert _suspend(cast, second).status == 200
    body = {"act": act, "ids": f"{first},{second},{own}", "reason": "查账"}
    designer = cast.client_for("flow_designer")
    before = checksum(A)
    told = designer.post_json(f"{FOLLOW}/bulk", {**body, "isPreview": True})
    assert checksum(A) == before
    refused = {int(row["processInstanceId"]) for row in told.data["records"] if row["message"]}
    assert refused == ({second} if act == "suspend" else {first, own})
    assert designer.post_json(f"{FOLLOW}/bulk", body).data == told.data
    with tenant_scope(A):
        suspended = set(ProcessInstance.objects.filter(halt_time__isnull=False).values_list("pk", flat=True))
    assert suspended == ({first, second, own} if act == "suspend" else set())
    assert cast.client_for("operator").post_json(f"{FOLLOW}/bulk", body).status == 403


def test_a_suspended_process_of_ones_own_can_still_be_ended_and_reassigned(cast: Cast) -> None:
    instance = _start(cast)
    assert _suspend(cast, instance).status == 200
    designer = cast.client_for("flow_designer")
    [row] = designer.get(f"{FOLLOW}/list").data["records"]
    assert row["followActions"] == ["reassign", "resume", "end"]
    to = {"taskId": str(_item(instance).pk), "userId": str(cast.user("repairer").pk), "reason": "出差"}
    assert designer.post_json(f"{WORK}/reassign", to).status == 200
    ended = designer.post_json(
        f"{FOLLOW}/delete-process-instance", processInstanceId=str(instance), deleteReason="不用了"
    )
    assert ended.status == 200
    [row] = designer.get(f"{FOLLOW}/list", state="ended").data["records"]
    assert (row["suspended"], row["suspensionState"], row["followActions"]) == (None, 1, [])
