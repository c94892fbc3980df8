"""What hits a limit stands still: visibly, with its last good state, until somebody looks after it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from core import ports
from core.audit.models import Event
from core.kernel import clock
from core.kernel.errors import Conflict
from core.kernel.operation import operation
from core.kernel.tenancy import tenant_scope
from core.maintenance import operations
from core.maintenance.models import RepairOrder, Status
from core.ports import Completion
from tests.cast import A, B, Body, Cast
from tests.checksums import checksum
from workflows import engine
from workflows.engine import run as running
from workflows.runtime.commands import sweep
from workflows.runtime.execution import driver
from workflows.runtime.rows import incidents
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import WorkItem

RETRY = "blade-flow/follow/retry-process-instance"
UPDATE = "yuzhu-equip/repairorder/update"
SAID = "流程出现异常：流程超出运行上限（steps：1）。请联系流程管理员"
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


def _report(cast: Cast, tenant: str = A, **values: Any) -> dict[str, Any]:
    body = {"machineId": str(cast.machine("M1", tenant).pk), "description": "主轴异响", "force": 1, **values}
    return cast.client_for("operator", tenant).post_json("yuzhu-equip/repairorder/save", body).data  # type: ignore[no-any-return]


def _reported_long_ago(cast: Cast) -> dict[str, Any]:
    """An order both of whose reminders are due."""
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响", "urgency": 1, "force": 1}
    with tenant_scope(A), clock.at(LONG_AGO):
        return operations.save(cast.actor_for("operator"), body)  # type: ignore[no-any-return]


def _act(cast: Cast, account: str, order: dict[str, Any], action: str, **values: Any) -> Body:
    body = {"id": order["id"], "lockVersion": order["lockVersion"], "action": action, **values}
    return cast.client_for(account).post_json(UPDATE, body)


def _dispatch(cast: Cast, order: dict[str, Any]) -> Body:
    return _act(cast, "repair_leader", order, "dispatch", repairUserId=str(cast.user("repairer").pk))


def _instance(order: dict[str, Any]) -> ProcessInstance:
    with tenant_scope(A):
        return ProcessInstance.objects.get(business_id=order["id"])  # type: ignore[no-any-return]


def _events() -> list[tuple[str, int, str]]:
    with tenant_scope(A):
        return list(Event.objects.order_by("id").values_list("operation", "user_id", "remark"))


@pytest.fixture
def parked(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """An order whose dispatch was over the limit; the limit is as it was."""
    order = _report(cast)
    with monkeypatch.context() as limit:
        limit.setattr(running, "MAX_STEPS", 1)
        assert _dispatch(cast, order).status == 409
    return order


@pytest.mark.django_db(transaction=True)  # the refused transaction has to be over before the one of the incident begins
def test_a_step_over_a_limit_is_taken_back_and_parks_the_instance(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    order = _report(cast)
    state = bytes(_instance(order).state)
    monkeypatch.setattr(running, "MAX_STEPS", 1)  # less than a dispatch runs through
    answer = _dispatch(cast, order)
    assert (answer.status, answer["error"], answer.msg) == (409, "workflow.parked", SAID)
    assert answer.data == {"reason": "流程超出运行上限（steps：1）", "node": "dispatch"}
    instance = _instance(order)
    assert (instance.park_code, instance.park_node, bytes(instance.state)) == ("limit", "dispatch", state)
    assert instance.status == InstanceStatus.RUNNING
    with tenant_scope(A):
        assert RepairOrder.objects.values_list("status", "lock_version").get() == (Status.REPORTED, 1)
        assert list(WorkItem.objects.values_list("node", "state")) == [("dispatch", 1)]
    assert [event[0] for event in _events()] == ["repairorder.save", "process.park"]
    assert _events()[-1] == ("process.park", 0, "流程超出运行上限（steps：1）")


def test_a_parked_instance_says_so_wherever_it_is_shown(cast: Cast, parked: dict[str, Any]) -> None:
    instance = _instance(parked)
    reason = "The process exceeds a limit of the engine (steps: 1)"
    leader = cast.client_for("repair_leader").in_english()
    row = leader.get("blade-flow/work/claim-list").data["records"][0]
    assert (row["parkedText"], row["processIsFinished"]) == (reason, "unfinished")
    shown = leader.get("blade-flow/work/task-detail", taskId=row["taskId"]).data
    assert (shown["parkedText"], shown["canComplete"]) == (reason, False)
    sent = cast.client_for("operator").in_english().get("blade-flow/work/send-list").data["records"][0]
    assert sent["parkedText"] == reason
    view = leader.get("blade-flow/process/model-view", processInstanceId=instance.pk).data
    assert {name: view["parked"][name] for name in ("code", "text", "node")} == {
        "code": "limit", "text": reason, "node": "dispatch",
    }  # fmt: skip
    last = leader.get("blade-flow/process/history-flow-list", processInstanceId=instance.pk).data[-1]
    assert (last["historyActivityType"], last["historyActivityName"], last["comment"]) == ("parked", "Incident", reason)
    told = leader.get("yuzhu-equip/repairorder/detail", id=parked["id"]).data
    # What would be refused is not offered: no step, but the reading, the plain fields and the end.
    assert (told["openTask"]["parkedText"], told["allowedActions"]) == (reason, ["cancel", "edit"])
    assert (row["taskActions"], shown["taskActions"]) == (["claim"], ["claim"])
    _report(cast)
    _report(cast, B)
    designer = cast.client_for("flow_designer").in_english()
    followed = designer.get("blade-flow/follow/list").data["records"]
    assert [row["parked"] and row["parked"]["text"] for row in followed] == [None, reason]
    only = designer.get("blade-flow/follow/list", state="parked").data["records"]
    assert [row["processInstanceId"] for row in only] == [str(instance.pk)]
    assert cast.client_for("flow_designer", B).get("blade-flow/follow/list", state="parked").data["records"] == []


def test_no_step_of_a_parked_instance_is_taken_through_either_door(cast: Cast, parked: dict[str, Any]) -> None:
    with tenant_scope(A):
        item = WorkItem.objects.get().pk
    before = checksum(A)
    for answer in (
        _dispatch(cast, parked),
        cast.client_for("repair_leader").post_json(
            "blade-flow/work/complete-task",
            {"taskId": str(item), "flag": "ok", "variables": {"repairUserId": str(cast.user("repairer").pk)}},
        ),
    ):
        assert (answer.status, answer["error"], answer.msg) == (409, "workflow.parked", SAID)
    assert checksum(A) == before


def test_a_retry_lets_it_go_on(cast: Cast, parked: dict[str, Any]) -> None:
    instance = _instance(parked)
    designer = cast.client_for("flow_designer")
    assert designer.post_json(RETRY, processInstanceId=str(instance.pk)).status == 200
    assert (_instance(parked).park_time, _instance(parked).park_text) == (None, "")
    assert _events()[-1] == ("process.retry", cast.user("flow_designer").pk, "流程超出运行上限（steps：1）")
    assert _dispatch(cast, parked).data["status"] == Status.DISPATCHED
    again = designer.post_json(RETRY, processInstanceId=str(instance.pk))
    assert (again.status, again["error"], again.msg) == (409, "workflow.notParked", "该流程没有异常，请刷新")


@pytest.mark.parametrize(("account", "tenant", "status"), [("equip_manager", A, 403), ("tenant_admin", B, 404)])
def test_who_may_not_retry_changes_nothing(
    cast: Cast, parked: dict[str, Any], account: str, tenant: str, status: int
) -> None:
    before = checksum(A)
    answer = cast.client_for(account, tenant).post_json(RETRY, processInstanceId=str(_instance(parked).pk))
    assert answer.status == status
    assert checksum(A) == before


def test_the_records_own_cancellation_ends_a_parked_instance(cast: Cast, parked: dict[str, Any]) -> None:
    answer = _act(cast, "repair_leader", parked, "cancel", cancelReason=1, remark="误报")
    assert answer.status == 200, answer
    instance = _instance(parked)
    assert (instance.status, instance.park_time, instance.park_text) == (InstanceStatus.COMPLETED, None, "")


def test_a_message_that_does_not_end_it_is_refused(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    order = _dispatch(cast, _report(cast)).data
    order = _act(cast, "repairer", order, "accept").data
    order = _act(cast, "repairer", order, "hang", hangReason=1, remark="等件").data
    instance = _instance(order)
    incidents.raise_incident(A, instance.pk, None, incidents.Reason("limit", "某种原因", "Some reason", "hold"))
    before = checksum(A)

    @operation(f"test.partsIssued{order['id']}", code="repairorder_repair")
    def parts_issued(actor: Any) -> None:
        held = driver.lock("repairorder", int(order["id"]))
        record = RepairOrder.objects.get(pk=order["id"])
        held.send(record, "repairorder.partsIssued", Completion("", actor))

    with tenant_scope(A), pytest.raises(Conflict) as caught:
        parts_issued(cast.actor_for("repairer"))
    assert caught.value.error == "workflow.parked"
    assert checksum(A) == before


def test_who_was_faster_is_not_parked(cast: Cast) -> None:
    order = _report(cast)
    instance = _instance(order)
    stale = bytes(instance.state)
    order = _dispatch(cast, order).data
    incidents.raise_incident(A, instance.pk, stale, incidents.Reason("limit", "某种原因", "Some reason", "dispatch"))
    assert _instance(order).park_time is None
    assert _events()[-1][0] == "repairorder.dispatch"


def test_a_start_over_a_limit_leaves_nothing(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MAX_STEPS", 1)
    before = checksum(A)
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响"}
    answer = cast.client_for("operator").post_json("yuzhu-equip/repairorder/save", body)
    assert (answer.status, answer["error"]) == (409, "workflow.limit")
    assert checksum(A) == before


def test_a_timer_over_a_limit_parks_its_instance_at_once_and_stops_no_other(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = _reported_long_ago(cast), _reported_long_ago(cast)
    bad_id = _instance(bad).pk
    honest = engine.fire

    def fire(spec: Any, state: bytes, task: str, host: Any) -> engine.Step:
        if Timer.objects.filter(engine_task=task, instance_id=bad_id, node="responseFirst").exists():
            raise engine.LimitReached("tasks", 2000)
        return honest(spec, state, task, host)

    monkeypatch.setattr(engine, "fire", fire)
    assert sweep.fire_due() == 2
    instance = _instance(bad)
    assert (instance.park_code, instance.park_node) == ("limit", "responseFirst")
    assert instance.park_text_en == "The process exceeds a limit of the engine (tasks: 2000)"
    assert _instance(good).park_time is None
    events = _events()
    monkeypatch.setattr(engine, "fire", honest)
    Timer.objects.filter(instance_id=bad_id).update(due_time=LONG_AGO)
    assert sweep.fire_due() == 0
    assert _events() == events  # its other timer waits with it
    cast.client_for("flow_designer").post_json(RETRY, processInstanceId=str(bad_id))
    assert sweep.fire_due() == 2  # the other one was put off; the first one's step asks for its due time again
    with tenant_scope(A):
        assert sorted(RepairOrder.objects.get(pk=bad["id"]).escalations) == ["responseLeader", "responseManager"]


def test_a_timer_that_fails_five_times_parks_its_instance(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    order = _reported_long_ago(cast)

    def stumble(record: Any, said: Any) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setitem(ports.effects["repairorder"].effects, "repairorder.escalateResponseLeader", stumble)
    assert sweep.fire_due() == 1
    for tries in range(1, 5):
        assert (Timer.objects.get().attempts, _instance(order).park_time) == (tries, None)
        Timer.objects.update(due_time=LONG_AGO)
        assert sweep.fire_due() == 0
    instance = _instance(order)
    assert (instance.park_code, instance.park_text_en) == (
        "timer",
        "A timer failed 5 times; the server's log has the cause",
    )
    assert instance.park_text == "定时器连续5次触发失败，原因见服务器日志"
    assert _events()[-1] == ("process.park", 0, instance.park_text)
