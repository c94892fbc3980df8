"""What is suspended with its definition says so wherever it is shown, and offers nothing that would be refused."""

from __future__ import annotations

from typing import Any

import pytest

from core.kernel.tenancy import tenant_scope
from core.maintenance import operations
from core.maintenance.models import RepairOrder
from core.maintenance.models import Status as OrderStatus
from tests.cast import A, B, Cast
from tests.checksums import checksum
from tests.workflows.processes import started
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

WORK, PROCESS, FOLLOW = "blade-flow/work", "blade-flow/process", "blade-flow/follow"
ORDER, LEAVE = "yuzhu-equip/repairorder", "blade-desk/process/leave"
SAID = "流程「{}」已暂停，启用后才能继续办理"


def _suspend(key: str, *, is_halted: bool = True) -> None:
    Definition.objects.filter(key=key).update(is_active=not is_halted, is_halted=is_halted)


def _order(cast: Cast, tenant: str = A) -> dict[str, Any]:
    body = {"machineId": str(cast.machine("M1", tenant).pk), "description": "主轴异响", "force": 1}
    with tenant_scope(tenant):
        return operations.save(cast.actor_for("operator", tenant), body)  # type: ignore[no-any-return]


def _leave(cast: Cast) -> str:
    body = {
        "type": 3, "startTime": "2027-05-03 08:00:00", "endTime": "2027-05-04 17:00:00", "reason": "年假",
        "taskUser": str(cast.user("equip_manager").pk),
    }  # fmt: skip
    answer = cast.client_for("operator").post_json(f"{LEAVE}/start-process", body)
    assert answer.status == 200, answer
    return str(answer.data["id"])


def test_an_order_of_a_suspended_process_offers_what_is_not_refused(cast: Cast) -> None:
    order, leader = _order(cast), cast.client_for("repair_leader")
    assert "dispatch" in leader.get(f"{ORDER}/detail", id=order["id"]).data["allowedActions"]
    _suspend("repairorder")
    said = SAID.format("设备维修")
    told = leader.get(f"{ORDER}/detail", id=order["id"]).data
    assert (told["openTask"]["haltedText"], told["openTask"]["parkedText"]) == (said, "")
    assert told["allowedActions"] == ["edit"]
    [row] = leader.get(f"{WORK}/claim-list").data["records"]
    detail = leader.get(f"{WORK}/task-detail", taskId=row["taskId"]).data
    for shown in (row, detail):
        assert (shown["haltedText"], shown["parkedText"], shown["taskActions"]) == (said, "", [])
    assert (detail["canComplete"], detail["canClaim"]) == (False, False)
    [sent] = cast.client_for("operator").get(f"{WORK}/send-list").data["records"]
    assert (sent["haltedText"], sent["taskActions"]) == (said, [])
    with tenant_scope(A):
        instance = ProcessInstance.objects.get().pk
    view = leader.in_english().get(f"{PROCESS}/model-view", processInstanceId=instance).data
    assert (
        view["haltedText"]
        == "The process “Equipment repair” is suspended; its tasks can be completed once it is activated"
    )
    _suspend("repairorder", is_halted=False)
    told = leader.in_english().get(f"{ORDER}/detail", id=order["id"]).data
    assert (told["openTask"]["haltedText"], "dispatch" in told["allowedActions"]) == ("", True)


def test_a_request_for_leave_is_not_withdrawn_while_it_is_suspended(cast: Cast) -> None:
    leave, applicant = _leave(cast), cast.client_for("operator")
    assert applicant.get(f"{WORK}/send-list").data["records"][0]["taskActions"] == ["urge", "withdraw"]
    _suspend("leave")
    assert applicant.get(f"{WORK}/send-list").data["records"][0]["taskActions"] == []
    told = applicant.get(f"{LEAVE}/detail", businessId=leave).data
    assert (told["openTask"]["haltedText"], told["allowedActions"]) == (SAID.format("请假"), [])
    approver = cast.client_for("equip_manager")
    [row] = approver.get(f"{WORK}/todo-list").data["records"]
    assert (row["haltedText"], row["taskActions"]) == (SAID.format("请假"), [])
    assert approver.get(f"{WORK}/task-detail", taskId=row["taskId"]).data["canComplete"] is False


def test_an_own_process_is_still_handed_on_and_withdrawn(cast: Cast) -> None:
    item = started(cast)
    leader, starter = cast.client_for("repair_leader"), cast.client_for("operator")
    assert leader.post_json(f"{WORK}/claim-task", taskId=item.pk).status == 200
    _suspend("paper")
    detail = leader.get(f"{WORK}/task-detail", taskId=item.pk).data
    assert (detail["haltedText"], detail["canComplete"]) == (SAID.format("用印"), False)
    assert detail["taskActions"] == ["unclaim", "delegate", "transfer"]
    described = leader.get(f"{PROCESS}/detail", processInstanceId=item.instance_id).data
    assert (described["haltedText"], described["parkedText"]) == (SAID.format("用印"), "")
    to = {"taskId": str(item.pk), "userId": str(cast.user("repairer").pk), "reason": "出差"}
    assert leader.post_json(f"{WORK}/delegate-task", to).status == 200
    mate = cast.client_for("repairer")
    assert mate.get(f"{WORK}/todo-list").data["records"][0]["taskActions"] == ["handBack", "delegate", "transfer"]
    assert mate.post_json(f"{WORK}/complete-task", {"taskId": str(item.pk), "comment": "可以"}).status == 200
    [sent] = starter.get(f"{WORK}/send-list").data["records"]
    assert (sent["haltedText"], sent["taskActions"]) == (SAID.format("用印"), ["withdraw"])
    body = {"processInstanceId": str(item.instance_id), "reason": "不用了"}
    assert starter.post_json(f"{WORK}/withdraw", body).status == 200
    # What is over no longer stands still.
    [sent] = starter.get(f"{WORK}/send-list").data["records"]
    assert (sent["processIsFinished"], sent["haltedText"], sent["taskActions"]) == ("finished", "", [])
    described = starter.get(f"{PROCESS}/detail", processInstanceId=item.instance_id).data
    assert described["haltedText"] == ""


def test_who_looks_after_processes_ends_and_reassigns_what_is_suspended(cast: Cast) -> None:
    order, other, item = _order(cast), _order(cast), started(cast)
    admin = cast.client_for("tenant_admin")
    with tenant_scope(A):
        bound, second = (ProcessInstance.objects.get(business_id=one["id"]).pk for one in (order, other))

    def offered() -> dict[int, list[str]]:
        return {int(row["id"]): row["followActions"] for row in admin.get(f"{FOLLOW}/list").data["records"]}

    def end(instance_id: int, account: str = "tenant_admin") -> int:
        body = {"processInstanceId": str(instance_id), "deleteReason": "误报"}
        return cast.client_for(account).post_json(f"{FOLLOW}/delete-process-instance", **body).status

    running = ["reassign", "suspend", "end"]
    assert offered() == {bound: running, second: running, item.instance_id: running}
    _suspend("repairorder")
    _suspend("paper")
    assert offered() == {bound: running, second: running, item.instance_id: running}
    with tenant_scope(A):
        ProcessInstance.objects.filter(pk=second).update(park_time="2026-03-02T04:00:00Z")
    assert offered()[second] == ["retry", "reassign", "suspend", "end"]
    with tenant_scope(A):
        tasks = list(WorkItem.objects.filter(state=ItemState.OPEN).values_list("pk", flat=True))
    for task in tasks:
        to = {"taskId": str(task), "userId": str(cast.user("repairer").pk), "reason": "出差"}
        assert admin.post_json(f"{WORK}/reassign", to).status == 200
    before = checksum(A)
    assert (end(bound, "flow_designer"), end(bound, "operator"), end(bound, "equip_manager")) == (403, 403, 403)
    assert checksum(A) == before
    assert [end(pk) for pk in (bound, second, item.instance_id)] == [200, 200, 200]
    assert (offered(), end(bound)) == ({}, 409)
    with tenant_scope(A):
        assert set(RepairOrder.objects.values_list("status", flat=True)) == {OrderStatus.CANCELLED}


@pytest.mark.parametrize("tenant", [A, B])
def test_a_suspended_version_of_one_company_stops_no_other(cast: Cast, tenant: str) -> None:
    _order(cast, A)
    _order(cast, B)
    with tenant_scope(A):
        item = WorkItem.objects.get()
    base = Definition.objects.get(pk=item.definition_id)
    own = Definition.objects.create(
        tenant_id=A, key=base.key, version=1, name="本公司维修", category=base.category, is_active=False,
        is_halted=True, business_type=base.business_type, xml=base.xml, checksum="own", meta=base.meta,
        forms=base.forms,
    )  # fmt: skip
    with tenant_scope(A):
        ProcessInstance.objects.update(definition=own)
        WorkItem.objects.update(definition=own)
    [row] = cast.client_for("repair_leader", tenant).get(f"{WORK}/claim-list").data["records"]
    assert row["haltedText"] == (SAID.format("本公司维修") if tenant == A else "")
