"""Following what runs, and ending it before its time."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from core.audit.models import Event
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.maintenance.models import RepairOrder, Status
from tests.cast import A, B, Cast
from tests.checksums import checksum
from tests.workflows import processes as standalone
from workflows.runtime.rows import incidents
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

FOLLOW = "blade-flow/follow"
END = f"{FOLLOW}/delete-process-instance"
NOON = datetime(2026, 3, 2, 4, tzinfo=UTC)  # 12:00 in the plant


def report(cast: Cast, tenant: str = A) -> int:
    """A new order; the id of its instance."""
    body = {"machineId": str(cast.machine("M1", tenant).pk), "description": "主轴异响", "force": 1}
    order = cast.client_for("operator", tenant).post_json("yuzhu-equip/repairorder/save", body).data
    with tenant_scope(tenant):
        return ProcessInstance.objects.get(business_id=order["id"]).pk


def test_what_runs_is_listed_for_the_own_company(cast: Cast) -> None:
    mine, second, theirs = report(cast), report(cast), report(cast, B)
    designer = cast.client_for("flow_designer")

    def ids(**asked: Any) -> list[str]:
        return [row["id"] for row in designer.get(f"{FOLLOW}/list", **asked).data["records"]]

    assert ids() == [str(second), str(mine)]
    assert ids(processInstanceId=mine) == ids(executionId=mine) == [str(mine)]
    assert ids(processInstanceId=theirs) == ids(processInstanceId="x") == ids(executionId="9" * 30) == []
    assert ids(processDefinitionKey="repairorder") == [str(second), str(mine)]
    assert ids(processDefinitionKey="leave") == []
    row = designer.in_english().get(f"{FOLLOW}/list", processInstanceId=mine).data["records"][0]
    assert {name: row[name] for name in ("executionId", "processDefinitionKey", "suspensionState", "startUser")} == {
        "executionId": str(mine), "processDefinitionKey": "repairorder", "suspensionState": 1, "startUser": "秦操",
    }  # fmt: skip
    assert (row["processDefinitionName"], row["businessTable"]) == ("Equipment repair", "repairorder")
    with tenant_scope(A):
        ProcessInstance.objects.filter(pk=mine).update(status=InstanceStatus.COMPLETED)
    assert ids() == [str(second)]
    assert cast.client_for("equip_manager").get(f"{FOLLOW}/list").status == 403
    named = cast.platform().get(f"{FOLLOW}/list", tenantId=B).data["records"]
    assert [row["id"] for row in named] == [str(theirs)]


@pytest.mark.parametrize(
    ("account", "tenant", "status"),
    [
        ("tenant_admin", A, 200), ("flow_designer", A, 403), ("equip_manager", A, 403), ("tenant_admin", B, 404),
        ("platform", PLATFORM, 404),
    ],
)  # fmt: skip
def test_a_records_process_ends_only_by_the_records_command(cast: Cast, account: str, tenant: str, status: int) -> None:
    instance_id = report(cast)
    before = checksum(A)
    caller = cast.client_for(account, tenant)
    answer = caller.post_json(END, processInstanceId=str(instance_id), deleteReason="误报")
    assert answer.status == status, answer
    if status != 200:
        assert checksum(A) == before
        return
    with tenant_scope(A):
        order, instance = RepairOrder.objects.get(), ProcessInstance.objects.get(pk=instance_id)
        assert (order.status, instance.status) == (Status.CANCELLED, InstanceStatus.COMPLETED)
        assert list(WorkItem.objects.values_list("state", flat=True)) == [ItemState.DROPPED]
        events = Event.objects.order_by("-id")
        assert [(one.operation, one.remark) for one in events[:1]] == [("repairorder.cancel", "误报")]
        assert events.count() == 2
    assert not Timer.objects.filter(instance_id=instance_id).exists()
    again = caller.post_json(END, processInstanceId=str(instance_id), deleteReason="误报")
    assert (again.status, again["error"], again.msg) == (409, "workflow.over", "该流程已结束")


def test_who_may_not_cancel_the_record_reads_why(cast: Cast) -> None:
    instance_id = report(cast)
    answer = cast.client_for("flow_designer").post_json(END, processInstanceId=str(instance_id), deleteReason="误报")
    with tenant_scope(A):
        title = ProcessInstance.objects.get().title
    assert answer.msg == f"「{title}」由业务单据控制，您没有取消该单据的权限"


def test_a_reason_is_required_and_not_endless(cast: Cast) -> None:
    instance_id, administrator = report(cast), cast.client_for("tenant_admin")
    before = checksum(A)
    for reason in ("", "  ", "x" * 201):
        answer = administrator.post_json(END, processInstanceId=str(instance_id), deleteReason=reason)
        assert (answer.status, list(answer.data["fields"])) == (400, ["deleteReason"])
    assert checksum(A) == before


def test_a_process_without_a_record_ends_with_its_items_and_timers(cast: Cast) -> None:
    instance_id = report(cast)
    with tenant_scope(A):
        # As if no application had registered the business: nothing but the process itself is there to be ended.
        ProcessInstance.objects.update(business_type="standalone")
    answer = cast.client_for("flow_designer").post_json(END, processInstanceId=str(instance_id), deleteReason="不用了")
    assert answer.status == 200, answer
    with tenant_scope(A):
        instance = ProcessInstance.objects.get()
        assert (instance.status, instance.end_time is not None) == (InstanceStatus.ENDED, True)
        assert list(WorkItem.objects.values_list("state", flat=True)) == [ItemState.DROPPED]
        event = Event.objects.order_by("-id")[0]
        assert (event.operation, event.remark, event.instance_id) == ("process.end", "不用了", instance_id)
    assert not Timer.objects.filter(instance_id=instance_id).exists()


def test_the_list_is_filtered_and_says_where_each_waits(cast: Cast) -> None:
    designer = cast.client_for("flow_designer")
    first, second, third = report(cast), report(cast), report(cast)
    report(cast, B)
    leave = standalone.started(cast, by="repairer").instance_id
    with tenant_scope(A):
        ProcessInstance.objects.filter(pk=second).update(status=InstanceStatus.ENDED, end_time=NOON, title="旧机床")
        WorkItem.objects.filter(instance=second).update(state=ItemState.DROPPED)
        WorkItem.objects.filter(instance=third).update(late_time=NOON)
    incidents.raise_incident(A, first, None, incidents.Reason("timer", "定时器失败", "A timer failed", "dispatch"))
    incidents.raise_incident(
        B, first, None, incidents.Reason("timer", "x", "x", "dispatch")
    )  # which is nothing of theirs

    def ids(**asked: Any) -> list[int]:
        answer = designer.get(f"{FOLLOW}/list", **asked)
        assert answer.status == 200, answer
        return [int(row["id"]) for row in answer.data["records"]]

    assert ids() == ids(state="x") == [leave, third, first]
    assert (ids(state="running"), ids(state="parked"), ids(state="ended")) == ([leave, third], [first], [second])
    assert (ids(parkCode="timer"), ids(parkCode="limit"), ids(overdue=1), ids(overdue=0)) == (
        [first], [], [third], [leave, first],
    )  # fmt: skip
    assert (ids(keyword="旧机", state="ended"), ids(keyword="旧机"), ids(starter="蒋")) == ([second], [], [leave])
    assert ids(processDefinitionName="seal") == ids(category="flow_1") == ids(processDefinitionKey="paper") == [leave]
    assert ids(startTime_datege="2001-01-01") == ids() and ids(startTime_datelt="2001-01-01") == []
    row = designer.in_english().get(f"{FOLLOW}/list", processInstanceId=third).data["records"][0]
    [step] = row["waits"]
    assert (step["node"], step["name"], step["isOverdue"]) == ("dispatch", "Dispatch", True)
    assert (row["status"], row["statusName"], row["endTime"]) == (1, "Running", "")
    ended = designer.get(f"{FOLLOW}/list", state="ended").data["records"][0]
    assert (ended["statusName"], ended["endTime"], ended["waits"]) == ("已终止", "2026-03-02 12:00:00", [])
    counts = designer.get(f"{FOLLOW}/counts").data
    assert counts == {
        "running": 3, "parked": 1, "overdue": 1, "reasons": [{"code": "timer", "text": "定时器失败", "count": 1}],
    }  # fmt: skip
    only = designer.get(f"{FOLLOW}/counts", processDefinitionKey="paper").data
    assert only == {"running": 1, "parked": 0, "overdue": 0, "reasons": []}
    assert cast.client_for("flow_designer", B).get(f"{FOLLOW}/counts").data["parked"] == 0
    assert cast.client_for("equip_manager").get(f"{FOLLOW}/counts").status == 403
