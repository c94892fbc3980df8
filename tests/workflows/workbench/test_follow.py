"""Following what runs, and ending it before its time."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import transaction

from core import ports
from core.access import grants
from core.access.models import Role, UserRole
from core.audit.models import Event
from core.kernel.actor import Actor
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.maintenance.models import RepairOrder, Status
from tests.cast import PEOPLE, A, B, Caller, Cast
from tests.checksums import checksum
from tests.repairs import Story
from tests.workflows import processes as standalone
from tests.workflows import standalone as own
from workflows.runtime.commands import suspending
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
        number = ProcessInstance.objects.get().business_no
    assert answer.msg == f"「设备维修 {number}」由业务单据控制，您没有取消该单据的权限"


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
    assert (ids(keyword="公章"), ids(keyword="旧机", state="ended"), ids(starter="蒋")) == ([leave], [], [leave])
    reads = cast.client_for("tenant_admin").get(f"{FOLLOW}/list", keyword="旧机", state="ended").data["records"]
    assert [row["title"] for row in reads] == ["旧机床"]
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
        "running": 3, "parked": 1, "suspended": 0, "overdue": 1,
        "reasons": [{"code": "timer", "text": "定时器失败", "count": 1}], "steps": [],
    }  # fmt: skip
    only = designer.get(f"{FOLLOW}/counts", processDefinitionKey="paper").data
    assert only == {
        "running": 1, "parked": 0, "suspended": 0, "overdue": 0, "reasons": [],
        "steps": [{"node": "look", "name": "审核", "count": 1}],
    }  # fmt: skip
    orders = designer.in_english().get(f"{FOLLOW}/counts", processDefinitionKey="repairorder").data["steps"]
    assert orders == [{"node": "dispatch", "name": "Dispatch", "count": 2}]
    assert cast.client_for("flow_designer", B).get(f"{FOLLOW}/counts").data["parked"] == 0
    assert cast.client_for("equip_manager").get(f"{FOLLOW}/counts").status == 403


REASON = "接孩子参加考试"
LEAVE = {"type": 1, "startTime": "2026-03-05 08:00:00", "endTime": "2026-03-05 17:00:00", "reason": REASON}
TITLE = "秦操 · 事假 1天 · 03-05"


def ask_leave(cast: Cast) -> tuple[int, dict[str, Any]]:
    """A request of the operator, for the shift leader to approve; the id of its instance, and the request."""
    body = {**LEAVE, "taskUser": str(cast.user("shift_leader").pk)}
    leave = cast.client_for("operator").post_json("blade-desk/process/leave/start-process", body)
    assert leave.status == 200, leave
    leave = leave.data
    with tenant_scope(A):
        return ProcessInstance.objects.get(business_id=leave["id"]).pk, leave


def also_follows(cast: Cast, *accounts: str) -> None:
    """Let these people follow processes beside their own work."""
    with tenant_scope(A):
        role = Role.objects.get(role_alias="flow_designer")
        UserRole.objects.bulk_create(UserRole(user=cast.user(account), role=role) for account in accounts)
    with tenant_scope(A):
        grants.rights_changed(A)


def test_who_follows_opens_any_instance_and_reads_nothing_of_its_record(cast: Cast) -> None:
    leave_id, leave = ask_leave(cast)
    said = {"id": leave["id"], "lockVersion": leave["lockVersion"], "action": "reject", "comment": "当天要交货"}
    assert cast.client_for("shift_leader").post_json("blade-desk/process/leave/update", said).status == 200
    designer, asked = cast.client_for("flow_designer"), {"processInstanceId": str(leave_id)}
    assert designer.get("blade-desk/process/leave/detail", businessId=leave["id"]).status == 404
    called = f"请假 {leave['leaveNo']}"
    calls = ("process/detail", "process/history-flow-list", "process/model-view", "process/diagram-view", "follow/list")
    answers = {call: designer.get(f"blade-flow/{call}", **asked) for call in calls}
    assert {call: answer.status for call, answer in answers.items()} == dict.fromkeys(calls, 200)
    for call, answer in answers.items():
        assert REASON not in str(answer) and TITLE not in str(answer) and "当天要交货" not in str(answer), call
    assert (answers["process/detail"].data["title"], answers["process/detail"].data["sections"]) == (called, [])
    assert [row["title"] for row in answers["follow/list"].data["records"]] == [called]
    told = [(row["historyActivityId"], row["outcome"]) for row in answers["process/history-flow-list"].data]
    assert told == [("startEvent", ""), ("approve", "reject"), ("revise", "")]
    assert [one["node"] for one in answers["process/model-view"].data["open"]] == ["revise"]
    assert designer.in_english().get(f"{FOLLOW}/list").data["records"][0]["title"] == f"Leave {leave['leaveNo']}"

    def found(account: str, word: str) -> int:
        return int(cast.client_for(account).get(f"{FOLLOW}/list", keyword=word).data["total"])

    assert (found("flow_designer", "事假"), found("flow_designer", leave["leaveNo"])) == (0, 1)
    for account, tenant in (("equip_manager", A), ("viewer", A), ("flow_designer", B), ("tenant_admin", B)):
        caller = cast.client_for(account, tenant)
        assert {caller.get(f"blade-flow/{call}", **asked).status for call in calls[:-1]} == {404}
    # Whoever may read the record reads all of it.
    mine = cast.client_for("operator").get("blade-flow/process/detail", **asked).data
    assert mine["title"] == TITLE
    rows = cast.client_for("operator").get("blade-flow/process/history-flow-list", **asked).data
    assert [row["comment"] for row in rows] == ["", "当天要交货", ""]


def test_nothing_that_follow_answers_quotes_a_record_that_is_not_to_be_read(cast: Cast) -> None:
    """Neither reading, nor a preview, nor a refusal, with an incident and without; to who may read it all is told."""
    leave_id, leave = ask_leave(cast)
    also_follows(cast, "shift_leader")
    incidents.raise_incident(A, leave_id, None, incidents.Reason("timer", "定时器失败", "A timer failed", "approve"))
    with tenant_scope(A):
        task = WorkItem.objects.get(instance=leave_id)
    one, many = {"processInstanceId": str(leave_id)}, {"ids": str(leave_id)}
    step = {**one, "node": "approve", "outcome": "approve", "to": "revise", "reason": "x", "isPreview": True}
    person = str(cast.user("viewer").pk)

    def answers(caller: Caller) -> dict[str, Any]:
        several = {
            f"many {act}": caller.post_json(
                f"{FOLLOW}/bulk",
                {**many, "act": act, "reason": "x", "userId": person, "node": "approve", "outcome": "approve",
                 "to": "revise", "isPreview": True},
            )
            for act in ("retry", "reassign", "skip", "move", "suspend", "resume", "end")
        }  # fmt: skip
        return {
            "list": caller.get(f"{FOLLOW}/list"),
            "detail": caller.get(f"{FOLLOW}/detail", **one),
            "counts": caller.get(f"{FOLLOW}/counts", processDefinitionKey="leave"),
            "ways": caller.post_json(f"{FOLLOW}/bulk-ways", many),
            "skip": caller.post_json(f"{FOLLOW}/skip-element", step),
            "move": caller.post_json(f"{FOLLOW}/move-token", step),
            "correct": caller.post_json(
                f"{FOLLOW}/correct-value", {**one, "key": "reason", "value": "", "reason": "x"}
            ),
            "end": caller.post_json(END, **one, deleteReason="x"),
            "reassign": caller.post_json(
                "blade-flow/work/reassign", {"taskId": str(task.pk), "userId": str(task.assignee_id), "reason": "x"}
            ),
            **several,
        }

    masked, called = answers(cast.client_for("flow_designer")), f"请假 {leave['leaveNo']}"
    for call, answer in masked.items():
        for secret in (REASON, TITLE, "事假", "1天"):
            assert secret not in str(answer), (call, secret)
    assert masked["detail"].data["title"] == masked["list"].data["records"][0]["title"] == called
    shown = [answer.data["records"] for call, answer in masked.items() if call.startswith("many")]
    assert [[row["title"] for row in rows] for rows in shown] == [[called]] * 7
    assert (masked["detail"].data["values"], masked["detail"].data["texts"]) == ([], {})
    seen = answers(cast.client_for("shift_leader"))
    assert seen["detail"].data["title"] == seen["many retry"].data["records"][0]["title"] == TITLE


def test_a_task_to_be_reassigned_is_called_by_process_and_number(cast: Cast) -> None:
    leave_id, leave = ask_leave(cast)
    with tenant_scope(A):
        task = WorkItem.objects.get(instance=leave_id)
    shown = cast.client_for("flow_designer").get("blade-flow/work/task-detail", taskId=task.pk).data
    assert shown["title"] == f"请假 {leave['leaveNo']}"
    seen = cast.client_for("shift_leader").get("blade-flow/work/task-detail", taskId=task.pk).data
    assert seen["title"] == TITLE


def test_lists_and_single_records_agree_on_who_reads_them(cast: Cast) -> None:
    _instance, leave = ask_leave(cast)
    report(cast)
    with tenant_scope(A):
        order = RepairOrder.objects.get()
        for account in PEOPLE:
            actor: Actor = cast.actor_for(account)
            for bound, record in ((ports.effects["leave"], int(leave["id"])), (ports.effects["repairorder"], order.pk)):
                listed = bound.visible(actor).filter(pk=record).exists()
                assert listed == bound.sees(actor, record), (account, bound.business_type)


def in_every_state(cast: Cast) -> dict[str, int]:
    """An instance of each kind, by what it is."""
    found = {"reported": report(cast), "leave": ask_leave(cast)[0]}
    found["standalone"] = standalone.started(cast, by="viewer").instance_id
    repairing = Story(cast, machine="M2", force=1)
    repairing.send("repairer_other")
    finished = Story(cast, machine="M2", force=1)
    finished.act("equip_manager", "cancel", cancelReason=1)
    with tenant_scope(A):
        of = dict(ProcessInstance.objects.values_list("business_id", "pk"))
    found |= {"repairing": of[int(repairing.now["id"])], "cancelled": of[int(finished.now["id"])]}
    found["incident"] = report(cast)
    incidents.raise_incident(A, found["incident"], None, incidents.Reason("timer", "x", "x", "dispatch"))
    found |= {"suspended": report(cast), "own suspended": standalone.started(cast, by="viewer").instance_id}
    held = Story(cast, machine="M2", force=1)
    held.send("repairer_other")
    with tenant_scope(A):
        found["repairing suspended"] = ProcessInstance.objects.get(business_id=held.now["id"]).pk
        for kind in ("suspended", "own suspended", "repairing suspended"):
            suspending.suspend(cast.actor_for("flow_designer"), found[kind], "查账")
    return found


def test_what_is_offered_succeeds_and_nothing_else_does(cast: Cast) -> None:
    followers = ("flow_designer", "tenant_admin", "operator", "equip_manager", "repairer_other")
    also_follows(cast, *followers[2:])
    instances = in_every_state(cast)
    with tenant_scope(A):
        tasks = dict(WorkItem.objects.filter(state=ItemState.OPEN).values_list("instance_id", "pk"))

    def done(caller: Caller, kind: str) -> list[str]:
        """What succeeds; each is taken back."""
        instance, found = str(instances[kind]), []
        to = str(cast.user("repair_leader" if kind == "leave" else "repairer").pk)
        bodies = {
            "retry": (f"{FOLLOW}/retry-process-instance", {"processInstanceId": instance}),
            "reassign": (
                "blade-flow/work/reassign",
                {"taskId": str(tasks.get(instances[kind], 1)), "userId": to, "reason": "出差了"},
            ),
            "suspend": (f"{FOLLOW}/suspend-process-instance", {"processInstanceId": instance, "reason": "查账"}),
            "resume": (f"{FOLLOW}/resume-process-instance", {"processInstanceId": instance}),
            "end": (END, {"processInstanceId": instance, "deleteReason": "不用了"}),
        }
        for name, (path, body) in bodies.items():
            with transaction.atomic():
                if caller.post_json(path, body).status == 200:
                    found.append(name)
                transaction.set_rollback(True)
        return found

    for account in PEOPLE:
        caller = cast.client_for(account)
        lists = [caller.get(f"{FOLLOW}/list", size=50, state=state) for state in ("", "ended")]
        if account not in followers:
            assert [one.status for one in lists] == [403, 403], account
            assert {kind: done(caller, kind) for kind in instances} == {kind: [] for kind in instances}, account
            continue
        rows = {int(row["id"]): row["followActions"] for one in lists for row in one.data["records"]}
        offered = {kind: rows[pk] for kind, pk in instances.items()}
        assert offered == {kind: done(caller, kind) for kind in instances}, account


BULK, CORRECT = f"{FOLLOW}/bulk", f"{FOLLOW}/correct-value"


def applied(cast: Cast, **values: Any) -> str:
    """A standalone process with a form, which the operator started; the id of its instance."""
    definition = own.deploy(own.two_steps("role:repair_leader", "role:viewer"))
    body = {"processDefinitionId": str(definition.pk), "variables": {"days": 2, "reason": "有事", **values}}
    started = cast.client_for("operator").post_json("blade-flow/work/start-process", body)
    assert started.status == 200, started
    return str(started.data["processInstanceId"])


def test_an_instance_is_opened_with_its_incidents_and_its_data(cast: Cast) -> None:
    order, own_id = report(cast), applied(cast)
    incidents.raise_incident(A, order, None, incidents.Reason("timer", "定时器失败", "A timer failed", "dispatch"))
    with tenant_scope(A):
        Timer.objects.filter(instance_id=order).update(is_parked=True, last_error="ValueError: 车床")
    admin, designer = cast.client_for("tenant_admin").in_english(), cast.client_for("flow_designer")

    def read(caller: Caller, pk: object) -> dict[str, Any]:
        return caller.get(f"{FOLLOW}/detail", processInstanceId=pk).data  # type: ignore[no-any-return]

    seen, masked = read(admin, order), read(designer, order)
    [incident] = seen["incidents"]
    told = ("node", "nodeName", "text", "error", "endTime")
    assert [incident[name] for name in told] == ["dispatch", "Dispatch", "A timer failed", "ValueError: 车床", ""]
    assert [masked["incidents"][0][name] for name in told] == ["dispatch", "派单", "定时器失败", "", ""]
    assert (seen["isConfidential"], masked["isConfidential"], masked["values"]) == (False, True, [])
    said = {row["key"]: (row["label"], row["text"], row["canCorrect"]) for row in seen["values"]}
    assert said["record.reportUserId"] == ("Requester", "秦操", False)
    admin.post_json(f"{FOLLOW}/retry-process-instance", processInstanceId=str(order))
    [resolved] = read(admin, order)["incidents"]
    assert (resolved["resolvedBy"], resolved["endTime"] != "", resolved["error"]) == ("赵理", True, "")
    # What is ended has no open incident.
    incidents.raise_incident(A, int(own_id), None, incidents.Reason("timer", "x", "x", "apply"))
    another = applied(cast)
    incidents.raise_incident(A, int(another), None, incidents.Reason("timer", "x", "x", "apply"))
    assert designer.post_json(END, processInstanceId=another, deleteReason="不用了").status == 200
    [ended] = read(designer, another)["incidents"]
    assert (ended["resolvedBy"], ended["endTime"] != "") == ("高流", True)
    values = {row["key"]: (row["value"], row["canCorrect"]) for row in read(designer, own_id)["values"]}
    assert values == {
        "days": (2, True), "reason": ("有事", True), "cost": (None, True), "approved": (None, True),
        "comment": (None, True), "recorded": (None, True),
    }  # fmt: skip
    for account, tenant, status in (("equip_manager", A, 403), ("flow_designer", B, 404)):
        caller = cast.client_for(account, tenant)
        assert caller.get(f"{FOLLOW}/detail", processInstanceId=order).status == status


def test_a_value_is_corrected_after_a_look_at_what_would_change(cast: Cast) -> None:
    instance, designer = applied(cast, cost=5000), cast.client_for("flow_designer").in_english()
    body = {"processInstanceId": instance, "key": "cost", "value": 50, "reason": "多写了两个零"}
    change = {"key": "cost", "label": "费用", "before": 5000, "after": 50, "texts": {}}
    before = checksum(A)
    assert designer.post_json(CORRECT, {**body, "isPreview": True}).data == change
    assert checksum(A) == before
    for wrong, field, sentence in (
        ({"value": "viel"}, "value", None),
        ({"value": 5000}, "value", "费用 has this value already"),
        ({"key": "days", "value": 31}, "value", None),
        ({"key": "days", "value": None}, "value", None),
        ({"key": "salary"}, "key", "The form has no field “salary”"),
        ({"reason": " "}, "reason", None),
    ):
        answer = designer.post_json(CORRECT, {**body, **wrong})
        assert (answer.status, list(answer.data["fields"])) == (400, [field]), wrong
        assert sentence in (None, answer.msg)
    bound = report(cast)
    with tenant_scope(A):
        number = ProcessInstance.objects.get(pk=bound).business_no
    answer = designer.post_json(CORRECT, {**body, "processInstanceId": str(bound)})
    assert (answer.status, answer["error"]) == (400, "workflow.bound")
    assert answer.msg == f"The data of “Equipment repair {number}” belong to its record. Change them there"
    assert cast.client_for("operator").post_json(CORRECT, body).status == 403
    with tenant_scope(A):
        assert not Event.objects.filter(operation="process.correct").exists()
    assert designer.post_json(CORRECT, body).data == change
    with tenant_scope(A):
        event = Event.objects.filter(operation="process.correct").get()
        assert (event.user_name, event.remark) == ("高流", "费用：5000 → 50（多写了两个零）")
        assert ProcessInstance.objects.get(pk=instance).form == {"days": 2, "reason": "有事", "cost": 50}
    history = designer.get("blade-flow/process/history-flow-list", processInstanceId=instance).data
    assert "Correct data" in [row["historyActivityName"] for row in history]
    # Conditions read the new value: with 5000 it would have ended here.
    leader = cast.client_for("repair_leader")
    [task] = [row for row in leader.get("blade-flow/work/claim-list").data["records"] if row["node"] == "manager"]
    done = {"taskId": task["taskId"], "flag": "ok", "variables": {"approved": True}}
    assert leader.post_json("blade-flow/work/complete-task", done).data["processIsFinished"] == "unfinished"


@pytest.mark.parametrize("action", ["retry", "reassign", "end"])
def test_a_bulk_does_what_its_preview_said(cast: Cast, action: str) -> None:
    first, second, other, own_id = report(cast), report(cast), report(cast), int(applied(cast))
    theirs = report(cast, B)
    for pk in (first, second, own_id):
        incidents.raise_incident(A, pk, None, incidents.Reason("timer", "x", "x", "dispatch"))
    body = {"act": action, "parkCode": "timer", "node": "dispatch", "reason": "批量处理", "isPreview": True}
    body["userId"] = str(cast.user("repairer").pk)
    designer = cast.client_for("flow_designer")
    before = checksum(A)
    told = designer.post_json(BULK, body)
    assert told.status == 200, told
    assert checksum(A) == before
    results = {int(row["processInstanceId"]): row["message"] for row in told.data["records"]}
    with tenant_scope(A):
        called = {one.pk: one.business_no for one in ProcessInstance.objects.all()}
    refused = {pk: f"「设备维修 {called[pk]}」由业务单据控制，您没有取消该单据的权限" for pk in (first, second)}
    expected = {
        "retry": dict.fromkeys((first, second, own_id), ""),
        "reassign": {first: "", second: "", own_id: "该流程没有待办任务"},
        "end": {**refused, own_id: ""},
    }[action]
    assert results == expected
    assert (told.data["done"], told.data["refused"], told.data["left"]) == (
        sum(not text for text in expected.values()), sum(bool(text) for text in expected.values()), 0,
    )  # fmt: skip
    real = designer.post_json(BULK, {"act": action, "ids": ",".join(map(str, results)), **{
        key: body[key] for key in ("userId", "reason", "node")
    }})  # fmt: skip
    assert real.data == told.data
    name = {"retry": "process.retry", "reassign": "task.reassign", "end": "process.end"}[action]
    with tenant_scope(A):
        noted = sorted(Event.objects.filter(operation=name).values_list("instance_id", flat=True))
        assert noted == sorted(pk for pk, text in expected.items() if not text)
        assert not Event.objects.filter(operation=name, instance_id__in=[other, theirs]).exists()


def test_a_bulk_needs_a_choice_the_right_and_a_reason(cast: Cast) -> None:
    instance, designer = report(cast), cast.client_for("flow_designer")
    theirs = report(cast, B)
    before = checksum(A), checksum(B)
    chosen = {"act": "end", "ids": str(instance), "reason": "x"}
    for wrong, field in (
        ({"ids": ""}, "ids"), ({"ids": "1,x"}, "ids"), ({"ids": ",".join(["1"] * 201)}, "ids"),
        ({"act": "delete"}, "act"), ({"act": "listed"}, "act"), ({"reason": ""}, "reason"),
    ):  # fmt: skip
        answer = designer.post_json(BULK, {**chosen, **wrong})
        assert (answer.status, list(answer.data["fields"])) == (400, [field]), wrong
    assert designer.post_json(BULK, {**chosen, "ids": str(theirs)}).data == {
        "done": 0, "refused": 0, "left": 0, "records": [],
    }  # fmt: skip
    # All that narrows the list narrows what is meant.
    for narrow, found in (({}, 1), ({"startTime_datelt": "2001-01-01"}, 0), ({"overdue": "1"}, 0)):
        told = designer.post_json(BULK, {"act": "end", "reason": "x", "isPreview": True, "state": "running", **narrow})
        assert len(told.data["records"]) == found, narrow
    assert cast.client_for("equip_manager").post_json(BULK, chosen).status == 403
    assert (checksum(A), checksum(B)) == before
