"""Deployed versions: who sees, suspends and deletes them, and what becomes of what runs on them."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection

from core.access.models import UserRole
from core.audit.models import Event
from core.desk.models import Message
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.maintenance.models import RepairOrder, Status
from core.scheduling.outbox import deliver_due
from tests.cast import A, B, Body, Caller, Cast
from tests.workflows.drawings import LINE, drawing
from workflows.runtime.commands import end_running, sweep
from workflows.runtime.definitions import library
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import WorkItem
from workflows.workbench import gate

MANAGER = "blade-flow/manager"
STATE, DELETE = f"{MANAGER}/change-state", f"{MANAGER}/delete-deployment"
SAVE, UPDATE = "yuzhu-equip/repairorder/save", "yuzhu-equip/repairorder/update"


def general() -> Definition:
    """The shipped model of repair orders."""
    return Definition.objects.get(key="repairorder", is_general=True)


def deploy(tenant: str = A) -> Definition:
    """The same model as a company's own version."""
    shipped = general()
    return library.deploy(bytes(shipped.xml), {**shipped.meta, "form_key": tenant}, tenant)


def report(cast: Cast, tenant: str = A, machine: str = "M1") -> Body:
    """Report a fault, which starts the company's process."""
    body = {"machineId": str(cast.machine(machine, tenant).pk), "description": "主轴异响", "force": 1}
    return cast.client_for("operator", tenant).post_json(SAVE, body)


def dispatch(cast: Cast, order: dict[str, Any]) -> Body:
    """The first step of an order."""
    body = {"id": order["id"], "lockVersion": order["lockVersion"], "action": "dispatch"}
    body["repairUserId"] = str(cast.user("repairer").pk)
    return cast.client_for("repair_leader").post_json(UPDATE, body)


def rows(caller: Caller, **asked: Any) -> list[tuple[str, str, int, int]]:
    """Tenant, key, version and state of each row of the list."""
    answer = caller.get(f"{MANAGER}/list", **asked)
    assert answer.status == 200, answer
    return [(row["tenantId"], row["key"], row["version"], row["suspensionState"]) for row in answer.data["records"]]


def test_a_company_sees_the_general_versions_and_its_own_and_no_others(cast: Cast) -> None:
    deploy(), deploy(B)
    designer = cast.client_for("flow_designer")
    shipped = {("", row.key, row.version, 1) for row in Definition.objects.filter(is_general=True)}
    assert set(rows(designer, size=50)) == shipped | {(A, "repairorder", 1, 1)}
    assert rows(designer, mode=2) == [(A, "repairorder", 1, 1)]
    assert set(rows(designer, mode=1, size=50)) == shipped
    assert rows(designer, category="flow_2", mode=2) == [(A, "repairorder", 1, 1)]
    assert rows(designer, category="flow_1", mode=2) == []
    assert rows(designer, key="REPAIR", mode=2) == [(A, "repairorder", 1, 1)]
    assert rows(designer, key="nothing") == []
    (row,) = designer.in_english().get(f"{MANAGER}/list", mode=2).data["records"]
    own = Definition.objects.get(tenant_id=A)
    assert (row["id"], row["deploymentId"], row["name"]) == (str(own.pk), str(own.pk), "Equipment repair")
    assert row["categoryName"] and len(row["deploymentTime"]) == 19


def test_the_platform_looks_into_a_company_by_naming_it(cast: Cast) -> None:
    deploy(B)
    assert rows(cast.platform(), mode=2) == []
    assert rows(cast.platform(), mode=2, tenantId=B) == [(B, "repairorder", 1, 1)]
    assert rows(cast.client_for("flow_designer"), mode=2, tenantId=B) == []


@pytest.mark.parametrize(
    ("account", "tenant", "own", "status"),
    [
        ("flow_designer", A, True, 200), ("tenant_admin", A, True, 200), ("equip_manager", A, True, 403),
        ("flow_designer", B, True, 404), ("flow_designer", A, False, 403), ("platform", PLATFORM, False, 200),
        ("platform", PLATFORM, True, 404),
    ],
)  # fmt: skip
def test_who_may_suspend_and_delete_what(cast: Cast, account: str, tenant: str, own: bool, status: int) -> None:
    mine = deploy()
    wanted = mine if own else general()
    before = list(Definition.objects.order_by("pk").values())
    caller = cast.client_for(account, tenant)
    answer = caller.post_json(STATE, processId=str(wanted.pk), state="suspend")
    assert answer.status == status, answer
    wanted.refresh_from_db()
    assert wanted.is_active is (status != 200)
    if status == 200:
        caller.post_json(STATE, processId=str(wanted.pk), state="active")
    assert list(Definition.objects.order_by("pk").values()) == before
    assert caller.post_json(DELETE, deploymentIds=str(wanted.pk)).status == status
    wanted.refresh_from_db()
    assert wanted.is_deleted is (status == 200)
    if not own and status == 403:
        assert answer.msg == "通用流程由平台管理"


def test_suspending_new_starts_lets_what_runs_go_on(cast: Cast) -> None:
    own = deploy()
    order = report(cast).data
    designer = cast.client_for("flow_designer")
    answer = designer.post_json(STATE, processId=str(own.pk), state="suspend")
    assert answer.data == {"id": str(own.pk), "suspensionState": 2, "running": 1}
    refused = report(cast, machine="M2")
    assert (refused.status, refused["error"], refused.msg) == (
        409, "workflow.suspended", "流程「设备维修」已暂停，不能发起",
    )  # fmt: skip
    with tenant_scope(A):
        assert RepairOrder.objects.count() == 1
    assert report(cast, B).status == 200
    assert dispatch(cast, order).status == 200
    assert designer.post_json(STATE, processId=str(own.pk), state="active").data["suspensionState"] == 1
    assert report(cast, machine="M2").status == 200
    with tenant_scope(A):
        acts = Event.objects.filter(operation="definition.state").order_by("id")
        assert list(acts.values_list("business_id", "outcome")) == [(own.pk, "suspend"), (own.pk, "active")]


def test_suspending_what_runs_too_refuses_its_steps_by_both_doors_and_rests_its_timers(cast: Cast) -> None:
    own = deploy()
    order = report(cast).data
    designer = cast.client_for("flow_designer")
    assert designer.post_json(STATE, processId=str(own.pk), state="suspend", withRunning=1).status == 200
    with tenant_scope(A):
        before = list(RepairOrder.objects.values())
        item = WorkItem.objects.get()
    refused = dispatch(cast, order)
    assert (refused.status, refused["error"]) == (409, "workflow.halted")
    assert refused.msg == "流程「设备维修」已暂停，启用后才能继续办理"
    leader = cast.client_for("repair_leader")
    queue = {"taskId": str(item.pk), "flag": "ok", "variables": {"repairUserId": str(cast.user("repairer").pk)}}
    assert leader.post_json("blade-flow/work/complete-task", queue)["error"] == "workflow.halted"
    cancel = {"id": order["id"], "lockVersion": 1, "action": "cancel", "cancelReason": 1}
    assert leader.post_json(UPDATE, cancel)["error"] == "workflow.halted"
    due = Timer.objects.order_by("due_time").first()
    assert due is not None and due.due_time is not None
    assert sweep.fire_due(now=due.due_time) == 0
    moved = Timer.objects.get(pk=due.pk)
    assert (moved.due_time, moved.attempts, moved.is_asleep) == (due.due_time, 0, True)
    with tenant_scope(A):
        assert list(RepairOrder.objects.values()) == before
    (row,) = designer.get("blade-flow/follow/list").data["records"]
    assert row["suspensionState"] == 2
    designer.post_json(STATE, processId=str(own.pk), state="active")
    assert sweep.fire_due(now=due.due_time) == 1
    assert dispatch(cast, order).status == 409  # the reminder that fired has changed the order
    with tenant_scope(A):
        order["lockVersion"] = RepairOrder.objects.get().lock_version
    assert dispatch(cast, order).status == 200


def test_deleting_refuses_while_something_runs_and_says_how_much(cast: Cast) -> None:
    own = deploy()
    report(cast), report(cast, machine="M2")
    designer = cast.client_for("flow_designer")
    answer = designer.post_json(DELETE, deploymentIds=str(own.pk))
    assert (answer.status, answer["error"]) == (409, "workflow.stillRuns")
    assert answer.msg == "「设备维修」第1版还有2个流程在运行，不能删除"
    assert answer.data == {"running": 2, "deploymentId": str(own.pk)}
    without_reason = designer.post_json(DELETE, deploymentIds=str(own.pk), cascade=1)
    assert (without_reason.status, list(without_reason.data["fields"])) == (400, ["deleteReason"])
    own.refresh_from_db()
    assert (own.is_deleted, own.is_active) == (False, True)


def test_deleting_with_all_that_runs_goes_by_the_records_own_command(cast: Cast) -> None:
    own = deploy()
    report(cast), report(cast, machine="M2")
    mine = cast.client_for("flow_designer")
    refused = mine.post_json(DELETE, deploymentIds=str(own.pk), cascade=1, deleteReason="换新流程")
    assert refused.status == 403
    assert "没有取消该单据的权限" in refused.msg
    with tenant_scope(A):
        assert set(RepairOrder.objects.values_list("status", flat=True)) == {Status.REPORTED}
        assert not Event.objects.filter(operation="repairorder.cancel").exists()
    administrator = cast.client_for("tenant_admin")
    answer = administrator.post_json(DELETE, deploymentIds=str(own.pk), cascade=1, deleteReason="换新流程")
    assert answer.data == {"deleted": 1, "ended": 2, "ending": 0}
    with tenant_scope(A):
        assert set(RepairOrder.objects.values_list("status", flat=True)) == {Status.CANCELLED}
        assert set(ProcessInstance.objects.values_list("status", flat=True)) == {InstanceStatus.COMPLETED}
        cancels = Event.objects.filter(operation="repairorder.cancel")
        assert [(event.user_name, event.remark) for event in cancels] == [("赵理", "换新流程")] * 2
        assert Event.objects.filter(operation="definition.delete").count() == 1
    assert rows(administrator, mode=2) == []
    # What is deleted falls through to the general version, and its number is not used again.
    assert report(cast).status == 200
    with tenant_scope(A):
        assert ProcessInstance.objects.get(status=InstanceStatus.RUNNING).definition_id == general().pk
    assert deploy().version == 2


def test_many_instances_are_ended_in_batches_after_the_answer(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(end_running, "BATCH", 2)
    own = deploy()
    for _number in range(5):
        assert report(cast).status == 200
    administrator = cast.client_for("tenant_admin")
    answer = administrator.post_json(DELETE, deploymentIds=str(own.pk), cascade=1, deleteReason="换新流程")
    assert answer.data == {"deleted": 1, "ended": 2, "ending": 3}
    with tenant_scope(A):
        assert RepairOrder.objects.filter(status=Status.CANCELLED).count() == 2
    assert report(cast).status == 200  # the next one runs on the general version and goes on
    while deliver_due():
        pass
    with tenant_scope(A):
        assert RepairOrder.objects.exclude(status=Status.CANCELLED).count() == 1
        cancels = Event.objects.filter(operation="repairorder.cancel")
        assert [(event.user_name, event.remark) for event in cancels] == [("赵理", "换新流程")] * 5
        assert not Message.objects.filter(title__contains="未能终止").exists()


def test_who_deletes_is_told_how_many_could_not_be_ended_afterwards(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setattr(end_running, "BATCH", 1)
    own = deploy()
    report(cast), report(cast, machine="M2")
    administrator, user = cast.client_for("tenant_admin"), cast.user("tenant_admin")
    administrator.post_json(DELETE, deploymentIds=str(own.pk), cascade=1, deleteReason="换新流程")
    with tenant_scope(A):
        UserRole.objects.filter(user=user).delete()  # the right is gone before the worker runs
    while deliver_due():
        pass
    with tenant_scope(A):
        assert RepairOrder.objects.filter(status=Status.REPORTED).count() == 1
        told = Message.objects.filter(user_id=user.pk, title__contains="未能终止")
        assert [message.title for message in told] == ["「设备维修」有1个流程未能终止"]


def test_a_halted_definition_can_be_deleted_with_all_that_runs(cast: Cast) -> None:
    own = deploy()
    report(cast)
    administrator = cast.client_for("tenant_admin")
    administrator.post_json(STATE, processId=str(own.pk), state="suspend", withRunning=1)
    answer = administrator.post_json(DELETE, deploymentIds=str(own.pk), cascade=1, deleteReason="停用")
    assert answer.data == {"deleted": 1, "ended": 1, "ending": 0}


def test_several_are_deleted_all_or_none(cast: Cast) -> None:
    first, second = deploy(), deploy()
    assert first.pk == second.pk  # the same bytes again are the same version
    second = library.deploy(bytes(first.xml), {**first.meta, "form_key": "x"}, A)
    report(cast)
    answer = cast.client_for("flow_designer").post_json(DELETE, deploymentIds=f"{first.pk},{second.pk}")
    assert answer.status == 409
    assert Definition.objects.filter(tenant_id=A, is_deleted=False).count() == 2


@pytest.mark.parametrize(
    ("path", "values", "field"),
    [
        (STATE, {"state": "suspend"}, "processId"), (STATE, {"processId": "{id}"}, "state"),
        (STATE, {"processId": "{id}", "state": "off"}, "state"),
        (STATE, {"processId": "{id}", "state": "suspend", "withRunning": "2"}, "withRunning"),
        (DELETE, {}, "deploymentIds"), (DELETE, {"deploymentIds": "{id}", "cascade": "x"}, "cascade"),
        (DELETE, {"deploymentIds": "{id}", "cascade": "1", "deleteReason": "x" * 201}, "deleteReason"),
    ],
)  # fmt: skip
def test_nonsense_is_refused_by_the_fields_name(cast: Cast, path: str, values: dict[str, str], field: str) -> None:
    own = deploy()
    given = {name: value.format(id=own.pk) for name, value in values.items()}
    answer = cast.client_for("flow_designer").post_json(path, **given)
    assert (answer.status, list(answer.data["fields"])) == (400, [field])
    own.refresh_from_db()
    assert (own.is_active, own.is_deleted) == (True, False)


def _at_once(*calls: Any) -> list[Any]:
    """What each call answered, all begun at the same moment."""
    answers: list[Any] = [None] * len(calls)
    start = threading.Barrier(len(calls))

    def take_part(place: int) -> None:
        try:
            start.wait(20)
            answers[place] = calls[place]()
        finally:
            connection.close()

    connection.close()
    threads = [threading.Thread(target=take_part, args=(place,)) for place in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


@pytest.mark.django_db(transaction=True)
def test_no_start_slips_through_a_deletion(cast: Cast) -> None:
    designer, operator = cast.client_for("flow_designer"), cast.client_for("operator")
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响", "force": 1}
    outcomes = set()
    for number in range(12):
        shipped = general()
        own = library.deploy(bytes(shipped.xml), {**shipped.meta, "form_key": str(number)}, A)
        deleted, *started = _at_once(
            lambda own=own: designer.post_json(DELETE, deploymentIds=str(own.pk)),
            *[lambda: operator.post_json(SAVE, body)] * 3,
        )
        own.refresh_from_db()
        with tenant_scope(A):
            running = ProcessInstance.objects.filter(definition=own, status=InstanceStatus.RUNNING).count()
        assert (deleted.status, own.is_deleted) in ((200, True), (409, False))
        assert running == 0 or not own.is_deleted
        if deleted.status == 409:
            assert running >= deleted.data["running"] > 0
        # A start that met the deletion is told so, or fell through to the version below.
        assert {answer.status for answer in started} <= {200, 409}
        outcomes.add(deleted.status)
        Definition.objects.filter(pk=own.pk).update(is_deleted=True, is_active=False)
    assert outcomes <= {200, 409}


@pytest.mark.django_db(transaction=True)
def test_what_was_not_refused_by_a_suspension_started_before_it(cast: Cast) -> None:
    designer, operator = cast.client_for("flow_designer"), cast.client_for("operator")
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响", "force": 1}
    own = deploy()
    for _round in range(10):
        Definition.objects.filter(pk=own.pk).update(is_active=True, is_halted=False)
        with tenant_scope(A):
            before = ProcessInstance.objects.count()
        changed, *started = _at_once(
            lambda: designer.post_json(STATE, processId=str(own.pk), state="suspend"),
            *[lambda: operator.post_json(SAVE, body)] * 3,
        )
        assert changed.status == 200
        well = [answer for answer in started if answer.status == 200]
        assert {answer["error"] for answer in started if answer.status != 200} <= {"workflow.suspended"}
        # The count was taken with the row locked: every start that held it had ended, none came after.
        assert changed.data["running"] == before + len(well)


def test_statements_of_the_list_do_not_grow_with_its_rows(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")
    designer.get(f"{MANAGER}/list", size=50)
    from django.test.utils import CaptureQueriesContext

    def cost() -> int:
        with CaptureQueriesContext(connection) as captured:
            designer.get(f"{MANAGER}/list", size=50)
        return len(captured)

    few = cost()
    for number in range(6):
        shipped = general()
        library.deploy(bytes(shipped.xml), {**shipped.meta, "form_key": str(number)}, A)
    assert len(rows(designer, mode=2)) == 6
    assert cost() == few


def test_the_platform_ends_what_runs_on_a_general_version_in_every_company(cast: Cast) -> None:
    report(cast), report(cast, B)
    shipped, platform = general(), cast.platform()
    refused = platform.post_json(DELETE, deploymentIds=str(shipped.pk))
    assert (refused.status, refused.data["running"]) == (409, 2)
    answer = platform.post_json(DELETE, deploymentIds=str(shipped.pk), cascade=1, deleteReason="停用")
    assert answer.data == {"deleted": 1, "ended": 2, "ending": 0}, answer
    for tenant in (A, B):
        with tenant_scope(tenant):
            assert RepairOrder.objects.get().status == Status.CANCELLED
            event = Event.objects.get(operation="repairorder.cancel")
            assert (event.user_name, event.remark) == ("平理", "停用")
        assert report(cast, tenant).status == 404  # no version is left to start
    with tenant_scope(PLATFORM):
        assert Event.objects.filter(operation="definition.delete").count() == 1


def test_what_no_record_is_bound_to_ends_with_its_definition(cast: Cast) -> None:
    model = drawing(LINE, "own")
    meta = {"key": "own", "name": "自有", "name_en": "", "category": "flow_1", "business_type": "", "nodes": {}}
    own = library.deploy(model, meta, A)
    started = cast.client_for("operator").post_json(
        "blade-flow/work/start-process", {"processDefinitionId": str(own.pk), "variables": {}}
    )
    assert started.status == 200, started
    designer = cast.client_for("flow_designer")
    assert designer.post_json(DELETE, deploymentIds=str(own.pk)).status == 409
    assert designer.post_json(STATE, processId=str(own.pk), state="suspend", withRunning=1).data["running"] == 1
    with tenant_scope(A):
        item = WorkItem.objects.get()
    done = cast.client_for("tenant_admin").post_json(
        "blade-flow/work/complete-task", {"taskId": str(item.pk), "flag": "ok", "comment": "好"}
    )
    assert (done.status, done["error"]) == (409, "workflow.halted")
    answer = designer.post_json(DELETE, deploymentIds=str(own.pk), cascade=1, deleteReason="不用了")
    assert answer.data == {"deleted": 1, "ended": 1, "ending": 0}
    with tenant_scope(A):
        assert ProcessInstance.objects.get().status == InstanceStatus.ENDED
        assert list(WorkItem.objects.values_list("state", flat=True)) == [3]


def test_a_rule_that_comes_later_does_not_stop_what_runs(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    from workflows.engine import rules

    own = deploy()
    order = report(cast).data
    monkeypatch.setattr(rules, "MAX_NODES", 3)
    library.specification.cache_clear()
    assert dispatch(cast, order).status == 200
    assert gate.examine(bytes(own.xml)).errors[0].code == "too_many_nodes"
