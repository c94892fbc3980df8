"""Copies of processes: who gets them, what they may read then, and when a copy or a task was opened."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.audit.models import Event
from core.kernel.tenancy import tenant_scope
from core.scheduling.models import OutboxMessage
from tests.cast import A, Cast
from tests.repairs import Story
from tests.workflows.standalone import ONE_STEP, deploy, document
from workflows.runtime.tables.worklist.models import Copy, WorkItem
from workflows.workbench import gate

WORK = "blade-flow/work"
DETAIL = "blade-flow/process/detail"
TASK = 'xw:candidates="role:equip_manager" {more}'


def _started(cast: Cast, more: str = "", process: str = "", by: str = "operator") -> dict[str, Any]:
    definition = deploy(document(ONE_STEP.format(task=TASK.format(more=more)), process=process), key="paper")
    said = {"processDefinitionId": str(definition.pk)}
    found: dict[str, Any] = cast.client_for(by).post_json(f"{WORK}/start-process", said).data
    return found


def _agree(cast: Cast) -> None:
    manager = cast.client_for("equip_manager")
    [task] = manager.get(f"{WORK}/claim-list").data["records"]
    assert manager.post_json(f"{WORK}/complete-task", {"taskId": task["taskId"], "flag": "ok"}).status == 200


def _got(cast: Cast, account: str, **given: Any) -> list[tuple[str, str, str]]:
    rows = cast.client_for(account).get(f"{WORK}/copy-list", **given).data["records"]
    return [(row["title"], row["senderName"], row["nodeName"]) for row in rows]


def test_the_model_sends_copies_after_a_step_and_at_the_end_each_person_one(cast: Cast) -> None:
    instance = _started(cast, 'xw:copies="role:viewer"', 'xw:copies="role:viewer role:repair_leader ${starter.id}"')
    title = instance["title"]
    assert _got(cast, "viewer") == []
    assert cast.client_for("viewer").get(DETAIL, processInstanceId=instance["processInstanceId"]).status == 404
    _agree(cast)
    assert _got(cast, "viewer") == [(title, "", "审批")]
    assert _got(cast, "repair_leader") == [(title, "", "")]
    assert _got(cast, "repairer") == _got(cast, "equip_manager") == []
    with tenant_scope(A):
        told = [row.payload["users"] for row in OutboxMessage.objects.filter(topic="desk.message").order_by("id")]
    assert [cast.user("viewer").pk] in told and len(told) == 2
    # It opens the process for reading, and nothing more.
    viewer, pk = cast.client_for("viewer"), instance["processInstanceId"]
    assert viewer.get(DETAIL, processInstanceId=pk).data["title"] == title
    assert viewer.post_json(f"{WORK}/send-copy", {"processInstanceId": pk, "userIds": "1"}).status == 403
    assert cast.client_for("operator2").get(DETAIL, processInstanceId=pk).status == 404


def test_whoever_takes_part_sends_copies_by_hand_and_nobody_gets_two(cast: Cast) -> None:
    instance = _started(cast)
    pk, operator = instance["processInstanceId"], cast.client_for("operator")
    receiver, foreign = cast.user("viewer").pk, cast.user("viewer", "100002").pk
    for account, ids, status in (
        ("operator2", receiver, 404),  # sees nothing of it
        ("operator", foreign, 400),
        ("operator", "", 400),
        ("operator", "x", 400),
        ("flow_designer", receiver, 403),  # follows all processes, takes part in none
    ):
        said = {"processInstanceId": pk, "userIds": str(ids)}
        assert cast.client_for(account).post_json(f"{WORK}/send-copy", said).status == status, (account, ids)
    with tenant_scope(A):
        assert not Copy.objects.exists() and not Event.objects.filter(operation="process.copy").exists()
    said = {"processInstanceId": pk, "userIds": str(receiver), "note": "请知悉"}
    assert operator.post_json(f"{WORK}/send-copy", said).data == {"processInstanceId": pk, "told": 1}
    assert operator.post_json(f"{WORK}/send-copy", said).data["told"] == 0
    [row] = cast.client_for("viewer").get(f"{WORK}/copy-list").data["records"]
    assert (row["note"], row["senderName"], row["starterName"], row["statusName"], row["readTime"]) == (
        "请知悉", "秦操", "秦操", "进行中", "",
    )  # fmt: skip
    # The history says who got it from whom.
    history = operator.get("blade-flow/process/history-flow-list", processInstanceId=pk).data
    assert [(one["historyActivityName"], one["assigneeName"], one["comment"]) for one in history[2:]] == [
        ("抄送", "秦操", "何看：请知悉")
    ]
    assert cast.client_for("viewer", tenant="100002").get(f"{WORK}/copy-list").data["total"] == 0


def test_a_copy_is_unread_until_it_is_opened(cast: Cast) -> None:
    instance = _started(cast, process='xw:copies="role:viewer"')
    _agree(cast)
    viewer = cast.client_for("viewer")
    assert viewer.get(f"{WORK}/counts").data["copies"] == 1
    assert len(_got(cast, "viewer", unread=1)) == 1
    assert viewer.post_form(f"{WORK}/read-copies", processInstanceIds=instance["processInstanceId"]).status == 200
    assert viewer.get(f"{WORK}/counts").data["copies"] == 0
    assert _got(cast, "viewer", unread=1) == [] and len(_got(cast, "viewer", keyword="秦操")) == 1
    assert viewer.get(f"{WORK}/copy-list").data["records"][0]["readTime"] != ""


def test_only_the_look_of_whoever_holds_a_task_counts_as_reading_it(cast: Cast) -> None:
    instance = _started(cast)
    with tenant_scope(A):
        item = WorkItem.objects.get(instance=instance["processInstanceId"])
    manager, operator = cast.client_for("equip_manager"), cast.client_for("operator")

    def read() -> str:
        history = operator.get("blade-flow/process/history-flow-list", processInstanceId=str(item.instance_id)).data
        return next(str(one["readTime"]) for one in history if one["id"] == str(item.pk))

    for caller in (manager, operator):  # nobody holds it yet
        caller.post_form(f"{WORK}/read-task", taskId=str(item.pk))
    assert read() == ""
    manager.post_form(f"{WORK}/claim-task", taskId=str(item.pk))
    operator.post_form(f"{WORK}/read-task", taskId=str(item.pk))
    assert read() == ""
    manager.post_form(f"{WORK}/read-task", taskId=str(item.pk))
    first = read()
    assert first != ""
    # Whoever gets it next has not read it.
    to = str(cast.user("viewer").pk)
    manager.post_form(f"{WORK}/transfer-task", taskId=str(item.pk), userId=to, reason="请代办")
    assert read() == ""


def test_a_copy_of_a_leave_opens_it_and_one_of_an_order_needs_its_scope(cast: Cast) -> None:
    said = {"type": 1, "startTime": "2026-03-05 08:00:00", "endTime": "2026-03-05 17:00:00", "reason": "回老家"}
    operator, reader = cast.client_for("operator"), cast.client_for("repairer")
    said["taskUser"] = str(cast.user("shift_leader").pk)
    leave = operator.post_json("blade-desk/process/leave/start-process", said).data["id"]
    assert reader.get("blade-desk/process/leave/detail", businessId=leave).status == 404
    instance = operator.get("blade-desk/process/leave/detail", businessId=leave).data["processInstanceId"]
    sent = {"processInstanceId": instance, "userIds": str(cast.user("repairer").pk)}
    assert operator.post_json(f"{WORK}/send-copy", sent).status == 200
    assert reader.get("blade-desk/process/leave/detail", businessId=leave).data["reason"] == "回老家"
    # Orders are read by data scope, which a copy does not widen.
    order = Story(cast, force=1)
    detail = operator.get("yuzhu-equip/repairorder/detail", id=order.now["id"]).data
    sent = {"processInstanceId": detail["processInstanceId"], "userIds": str(cast.user("repairer_other").pk)}
    assert cast.client_for("repairer_other").get("yuzhu-equip/repairorder/detail", id=order.now["id"]).status == 404
    refused = operator.post_json(f"{WORK}/send-copy", sent)
    assert (refused.status, refused.msg) == (400, "韩修无权查看该单据")
    assert _got(cast, "repairer_other") == []
    sent["userIds"] = str(cast.user("shift_leader").pk)
    assert operator.post_json(f"{WORK}/send-copy", sent).data["told"] == 1


def test_the_list_costs_the_same_for_many_copies(cast: Cast) -> None:
    costs = []
    for _turn in range(2):
        for _number in range(3):
            _started(cast, process='xw:copies="role:viewer"')
            _agree(cast)
        viewer = cast.client_for("viewer")
        viewer.get(f"{WORK}/copy-list")
        with CaptureQueriesContext(connection) as captured:
            viewer.get(f"{WORK}/copy-list")
        costs.append(sum(" FROM " in query["sql"] for query in captured))
    assert costs[0] == costs[1] <= 4, costs


def test_the_gate_judges_rules_of_copies(cast: Cast) -> None:
    body = ONE_STEP.format(task=TASK.format(more='xw:copies="role:nobody ${1 +}"'))
    xml = document(body, process='xw:copies="team:9"')
    verdict = gate.examine_for([A], gate.examine(xml))
    found = {(one.element, one.code) for one in verdict.errors}
    assert {("look", "copies")} <= found
    plain = document(ONE_STEP.format(task=TASK.format(more='xw:copies="role:nobody"')), process='xw:copies="team:9"')
    found = {(one.element, one.code) for one in gate.examine_for([A], gate.examine(plain)).errors}
    assert found == {("look", "role_unknown"), ("own", "team_unknown")}
