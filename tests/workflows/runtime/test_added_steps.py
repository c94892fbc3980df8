"""A company adds a step to a shipped process: it is done from the queue, and the order keeps its status meanwhile."""

from __future__ import annotations

from typing import Any

import pytest

from core.audit.models import Event
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder, Status
from tests.cast import A, B, Body, Cast
from tests.checksums import checksum
from tests.workflows.workbench.test_upload import send
from workflows.runtime.tables.deployments.models import Definition
from workflows.runtime.tables.worklist.models import WorkItem

APPROVE = '<userTask id="approve" name="审批" xw:nameEn="Approval" {people} xw:formKey="repair"/>'
BEFORE_CHECK = '<sequenceFlow id="afterToCheck" sourceRef="afterRepair" targetRef="check"'
BEFORE_DISPATCH = '<sequenceFlow id="entryToDispatch" sourceRef="entry" targetRef="dispatch"'
BEFORE_PASSED = 'sourceRef="checkChoice" targetRef="passed"'
COMPLETE = "blade-flow/work/complete-task"


def drawn(old: str, target: str, people: str) -> bytes:
    """The shipped model with an approval in a flow."""
    xml = bytes(Definition.objects.get(key="repairorder", is_general=True).xml).decode()
    assert old in xml
    xml = xml.replace(old, old.replace(f'targetRef="{target}"', 'targetRef="approve"'))
    more = APPROVE.format(people=people) + f'<sequenceFlow id="approveOn" sourceRef="approve" targetRef="{target}"/>'
    place = xml.index('<userTask id="dispatch"' if target == "dispatch" else '<userTask id="check"')  # in its scope
    return (xml[:place] + more + xml[place:]).encode()


def deploy(cast: Cast, people: str = 'xw:candidates="role:equip_manager"') -> Body:
    """Company A puts it before the check."""
    model = drawn(BEFORE_CHECK, "check", people)
    return send(cast.client_for("flow_designer"), {"r.bpmn": model}, category="", confirm=1)


def finished(cast: Cast) -> dict[str, Any]:
    """An order whose repair is done."""
    operator, leader, mate = (cast.client_for(name) for name in ("operator", "repair_leader", "repairer"))
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响"}
    order = operator.post_json("yuzhu-equip/repairorder/save", body).data

    def act(caller: Any, action: str, **values: Any) -> None:
        given = {"id": order["id"], "lockVersion": order["lockVersion"], "action": action, **values}
        answer = caller.post_json("yuzhu-equip/repairorder/update", given)
        assert answer.status == 200, answer
        order.update(answer.data)

    act(leader, "dispatch", repairUserId=str(cast.user("repairer").pk))
    act(mate, "accept")
    end = clock.now()
    # Not before the minute of the report, whenever the test runs.
    times = {"startTime": end.replace(second=0, microsecond=0).isoformat(), "endTime": end.isoformat()}
    line = {"orderId": order["id"], **times}
    assert mate.post_json("yuzhu-equip/repairorderdetail/submit", line).status == 200
    words = {"causeTagId": str(cast.tag("磨损").pk), "actionTagIds": str(cast.tag("更换").pk)}
    act(mate, "finish", solution="换轴承", **words)
    return order  # type: ignore[no-any-return]


def waiting() -> WorkItem:
    """What waits now."""
    with tenant_scope(A):
        return WorkItem.objects.get(state=1)  # type: ignore[no-any-return]


def test_the_added_step_is_done_from_the_queue_and_the_order_goes_on(cast: Cast) -> None:
    answer = deploy(cast)
    assert answer.status == 200, answer
    order = finished(cast)
    item = waiting()
    assert (item.node, item.name, order["status"]) == ("approve", "审批", Status.TO_CHECK)
    manager = cast.client_for("equip_manager")
    shown = manager.get("blade-flow/work/task-detail", taskId=str(item.pk)).data
    assert [(one["value"], one["positive"]) for one in shown["outcomes"]] == [("agree", True)]
    body = {"taskId": str(item.pk), "flag": "ok", "comment": "同意"}
    before = checksum(A)
    for account, tenant, status in (("repairer", A, 403), ("operator", A, 403), ("equip_manager", B, 404)):
        assert cast.client_for(account, tenant).post_json(COMPLETE, body).status == status, account
    assert manager.post_json(COMPLETE, {**body, "flag": ""})["error"] == "workflow.outcome"
    # The record's own door does not pass it: its check waits behind.
    check = {"id": order["id"], "lockVersion": order["lockVersion"], "action": "check", "checkResult": 1}
    assert cast.client_for("operator").post_json("yuzhu-equip/repairorder/update", check).status in (400, 409)
    assert checksum(A) == before
    done = manager.post_json(COMPLETE, body)
    assert done.status == 200, done
    assert manager.post_json(COMPLETE, body).data == done.data
    assert (waiting().node, waiting().round) == ("check", 1)
    with tenant_scope(A):
        assert RepairOrder.objects.get().status == Status.TO_CHECK
        event = Event.objects.order_by("-id")[0]
    assert (event.operation, event.node, event.outcome, event.remark) == ("task.complete", "approve", "agree", "同意")
    order["lockVersion"] = (
        cast.client_for("operator").get("yuzhu-equip/repairorder/detail", id=order["id"]).data["lockVersion"]
    )
    passed = cast.client_for("operator").post_json(
        "yuzhu-equip/repairorder/update", {**check, "lockVersion": order["lockVersion"], "checkScore": 5}
    )
    assert passed.status == 200, passed
    with tenant_scope(A):
        assert RepairOrder.objects.get().status == Status.CLOSED


def test_a_step_between_a_person_and_what_reads_their_words_is_refused(cast: Cast) -> None:
    model = drawn(BEFORE_PASSED, "passed", 'xw:candidates="role:equip_manager"')
    answer = send(cast.client_for("flow_designer"), {"r.bpmn": model}, category="", confirm=1)
    assert answer.status == 400
    problems = answer.data["files"][0]["problems"]
    assert [(one["element"], one["code"]) for one in problems if one["level"] == "error"] == [
        ("passed", "effect_input")
    ]


@pytest.mark.parametrize(
    ("people", "keys"),
    [
        ('xw:assignee="${starter.name}" xw:candidates="role:equip_manager"', "equip_manager"),
        ('xw:assignee="${starter.name}"', "tenant_admin"), ("", "tenant_admin"),
    ],
)  # fmt: skip
def test_who_is_nobody_does_not_lose_the_step(cast: Cast, people: str, keys: str) -> None:
    assert deploy(cast, people).status == 200
    finished(cast)
    item = waiting()
    assert item.assignee_id is None
    caller = cast.client_for(keys)
    assert caller.post_json(COMPLETE, {"taskId": str(item.pk), "flag": "ok", "comment": "好"}).status == 200
    assert waiting().node == "check"


def test_a_role_that_the_company_does_not_have_is_refused(cast: Cast) -> None:
    answer = deploy(cast, 'xw:candidates="role:nobody role:viewer"')
    assert (answer.status, answer.msg.partition("：")[2]) == (400, "approve: 角色“nobody”不存在")
    errors = [one for one in answer.data["files"][0]["problems"] if one["level"] == "error"]
    assert [(one["element"], one["code"], one["messageEn"]) for one in errors] == [
        ("approve", "role_unknown", "The role “nobody” does not exist")
    ]


def test_a_name_instead_of_an_id_is_refused_in_a_records_process(cast: Cast) -> None:
    answer = deploy(cast, 'xw:assignee="zhang"')
    assert answer.status == 400
    assert ("approve", "assignee") in [(one["element"], one["code"]) for one in answer.data["files"][0]["problems"]]


def test_an_order_that_waits_in_an_added_step_is_cancelled_by_its_own_rules(cast: Cast) -> None:
    model = drawn(BEFORE_DISPATCH, "dispatch", 'xw:candidates="role:equip_manager"')
    assert send(cast.client_for("flow_designer"), {"r.bpmn": model}, category="", confirm=1).status == 200
    operator = cast.client_for("operator")
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响"}
    order = operator.post_json("yuzhu-equip/repairorder/save", body).data
    assert (waiting().node, order["status"]) == ("approve", Status.REPORTED)
    cancel = {"id": order["id"], "lockVersion": order["lockVersion"], "action": "cancel", "cancelReason": 1}
    before = checksum(A)
    assert cast.client_for("repairer").post_json("yuzhu-equip/repairorder/update", cancel).status == 403
    assert checksum(A) == before
    shown = operator.get("yuzhu-equip/repairorder/detail", id=order["id"]).data
    assert "cancel" in shown["allowedActions"]
    done = operator.post_json("yuzhu-equip/repairorder/update", cancel)
    assert (done.status, done.data["status"]) == (200, Status.CANCELLED)
    with tenant_scope(A):
        assert not WorkItem.objects.filter(state=1).exists()
