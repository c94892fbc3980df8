"""Sending a task back to an earlier step: whom it goes to, what ends, who may, and what the history says of it."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings

from core.audit.models import Event
from core.desk.models import Message
from core.identity.models import User
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder, Status
from core.scheduling.outbox import deliver_due
from tests.cast import A, B, Body, Caller, Cast
from tests.workflows.runtime.test_added_steps import BEFORE_CHECK, drawn, finished
from tests.workflows.standalone import deploy, document
from tests.workflows.workbench.test_upload import send as upload
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import ItemState, WorkItem
from workflows.workbench import gate

EARLIER, SEND_BACK = "blade-flow/work/earlier-steps", "blade-flow/work/send-back"
COMPLETE, DETAIL, INBOX = (f"blade-flow/work/{word}" for word in ("complete-task", "task-detail", "inbox"))
HISTORY, VIEW, PICTURE = (f"blade-flow/process/{word}" for word in ("history-flow-list", "model-view", "diagram-view"))

FORM: dict[str, Any] = {"components": [{"type": "textfield", "key": "note", "label": "说明"}]}
STEPS = """
  <startEvent id="start"/>
  <userTask id="draft" name="拟稿" xw:nameEn="Draft" xw:form="f" xw:outcomes="submit" xw:candidates="role:repairer" {draft}/>
  <parallelGateway id="fork"/>
  <userTask id="law" name="法务" xw:nameEn="Legal" xw:candidates="role:equip_manager" {law}/>
  <userTask id="money" name="财务" xw:nameEn="Finance" xw:candidates="role:viewer"/>
  <boundaryEvent id="late" attachedToRef="money"><timerEventDefinition><timeDuration>P2D</timeDuration></timerEventDefinition>
  </boundaryEvent><endEvent id="over"/>
  <parallelGateway id="join"/>
  <userTask id="sign" name="签发" xw:nameEn="Sign" xw:assignee="repair_leader" xw:outcomes="agree,reject"/>
  <endEvent id="done"/>
"""  # noqa: E501
WAYS = ("start draft fork law join sign done", "fork money join", "late over")


def paper(process: str = "", *, draft: str = "", law: str = "") -> bytes:
    """Somebody drafts, two look at it side by side, and one signs."""
    pairs = [pair for way in WAYS for pair in zip(way.split(), way.split()[1:], strict=False)]
    flows = [f'<sequenceFlow id="w{n}" sourceRef="{one}" targetRef="{other}"/>' for n, (one, other) in enumerate(pairs)]
    return document(STEPS.format(draft=draft, law=law) + "".join(flows), forms={"f": FORM}, process=process)


def begun(cast: Cast, xml: bytes | None = None) -> int:
    """Return the id of a paper that 蒋修 has drafted."""
    definition = deploy(xml or paper())
    started = cast.client_for("operator").post_json(
        "blade-flow/work/start-process", {"processDefinitionId": str(definition.pk), "variables": {}}
    )
    assert started.status == 200, started
    done(cast, "repairer", "draft", note="一稿")
    return int(started.data["processInstanceId"])


def open_items(instance: int | None = None) -> dict[str, WorkItem]:
    """Return the open items by step."""
    with tenant_scope(A):
        rows = WorkItem.objects.filter(state=ItemState.OPEN)
        return {item.node: item for item in (rows.filter(instance=instance) if instance else rows)}


def done(cast: Cast, who: str, node: str, outcome: str = "", **variables: Any) -> Body:
    item = open_items()[node]
    outcome = outcome or ("submit" if node == "draft" else "agree")
    body = {"taskId": str(item.pk), "outcome": outcome, "variables": variables}
    answer = cast.client_for(who).post_json(COMPLETE, body)
    assert answer.status == 200, answer
    return answer


def back(caller: Caller, item: WorkItem, to: str = "draft", *, key: str = "", **more: Any) -> Body:
    body = {"taskId": str(item.pk), "to": to, "reason": "金额不符", **more}
    return caller.post_json(SEND_BACK, body, key=key)


def test_walking_again_ends_the_branches_beside_and_goes_to_who_did_the_step_last(cast: Cast) -> None:
    instance = begun(cast)
    manager, mate = cast.client_for("equip_manager"), cast.client_for("repairer")
    law = open_items()["law"]
    assert "sendBack" in manager.get(DETAIL, taskId=law.pk).data["taskActions"]
    with tenant_scope(A):
        drafted = WorkItem.objects.get(node="draft")
    [offered] = manager.in_english().get(EARLIER, taskId=law.pk).data
    finance = cast.client_for("viewer").get(DETAIL, taskId=open_items()["money"].pk).data["taskName"]
    assert (offered.pop("endTime") != "", finance) == (True, "财务")
    assert offered == {
        "node": "draft", "name": "Draft", "userName": "蒋修", "walksAgain": True, "comesBack": True,
        "ends": [{"name": "Finance", "assigneeName": offered["ends"][0]["assigneeName"]}],
    }  # fmt: skip
    answer = back(manager, law)
    assert (answer.status, answer.data["to"]) == (200, "draft"), answer
    [again] = open_items().values()
    assert (again.node, again.round, again.assignee_id) == ("draft", 2, cast.user("repairer").pk)
    assert again.candidate_keys == drafted.candidate_keys  # where that person leaves, it goes to the others
    with tenant_scope(A):
        states = dict(WorkItem.objects.values_list("node", "state").filter(node__in=["law", "money"]))
        assert states == {"law": ItemState.DONE, "money": ItemState.DROPPED}
        assert list(Timer.objects.all()) == []
        event = Event.objects.get(operation="task.sendBack")
        assert (event.node, event.outcome, event.remark, event.work_item_id) == (
            "law",
            "task.sendBack",
            "金额不符",
            law.pk,
        )
    deliver_due()
    with tenant_scope(A):
        told = Message.objects.get(user_id=cast.user("repairer").pk)
        assert (told.title, told.content_en) == (f"钱管退回了任务：{again.business_no}", "Draft: 金额不符")
    rows = mate.in_english().get(HISTORY, processInstanceId=instance).data
    row = next(row for row in rows if row["historyActivityId"] == "law")
    assert (row["outcomeName"], row["isNegative"], row["comment"]) == ("Sent back to “Draft”", True, "金额不符")
    assert mate.get(VIEW, processInstanceId=instance).data["returned"] == ["law"]
    done(cast, "repairer", "draft", note="二稿")
    assert sorted(open_items()) == ["law", "money"]
    assert mate.get(VIEW, processInstanceId=instance).data["returned"] == []
    for who, node in (("equip_manager", "law"), ("viewer", "money"), ("repair_leader", "sign")):
        done(cast, who, node)
    with tenant_scope(A):
        assert ProcessInstance.objects.get(pk=instance).status == InstanceStatus.COMPLETED


def test_coming_straight_back_leaves_the_others_alone_and_returns_to_who_sent_it(cast: Cast) -> None:
    instance = begun(cast)
    before = open_items()
    assert back(cast.client_for("equip_manager"), before["law"], comesBack=True).status == 200
    now = open_items()
    assert (sorted(now), now["money"].pk) == (["draft", "money"], before["money"].pk)
    assert (now["draft"].assignee_id, now["draft"].round) == (cast.user("repairer").pk, 2)
    # Whatever the outcome, it opens again for the very person, though a group may do the step.
    done(cast, "repairer", "draft", note="二稿")
    again = open_items()["law"]
    assert (again.assignee_id, again.round, again.pk != before["law"].pk) == (cast.user("equip_manager").pk, 2, True)
    with tenant_scope(A):
        assert ProcessInstance.objects.get(pk=instance).form == {"note": "二稿"}
        assert [timer.engine_task for timer in Timer.objects.all()] != []
    # Whoever it was sent to is gone: the step goes to whom the model names.
    with tenant_scope(A):
        User.objects.filter(pk=cast.user("repairer").pk).update(is_enabled=False)
    assert back(cast.client_for("equip_manager"), again, comesBack=True).status == 200
    draft = open_items()["draft"]
    assert (draft.assignee_id, draft.round, draft.candidate_keys) == (None, 3, now["draft"].candidate_keys)


def test_a_repeated_request_gets_the_same_answer_and_another_one_is_too_late(cast: Cast) -> None:
    begun(cast)
    manager, law = cast.client_for("equip_manager"), open_items()["law"]
    first = back(manager, law)
    events = _count()
    assert back(manager, law).data == first.data
    assert back(manager, law, comesBack=True).status == 409
    assert done_by(manager, law).status == 409
    # Two at once, from branches beside each other: the second one finds its task ended.
    money = WorkItem(pk=_dropped("money"))
    assert back(cast.client_for("viewer"), money).status == 409
    assert (_count(), sorted(open_items())) == (events, ["draft"])


def done_by(caller: Caller, item: WorkItem) -> Body:
    return caller.post_json(COMPLETE, {"taskId": str(item.pk), "outcome": "agree"})


def _count() -> int:
    with tenant_scope(A):
        return int(Event.objects.count())


def _dropped(node: str) -> int:
    with tenant_scope(A):
        return int(WorkItem.objects.get(node=node, state=ItemState.DROPPED).pk)


def test_who_may_not_complete_the_step_sends_nothing_back(cast: Cast) -> None:
    begun(cast)
    law, events = open_items()["law"], _count()
    for who, tenant, status in (
        ("equip_manager", B, 404), ("repairer2", A, 404), ("repairer", A, 403), ("operator", A, 403),
    ):  # fmt: skip
        caller = cast.client_for(who, tenant)
        assert (who, back(caller, law).status) == (who, status)
        assert caller.get(EARLIER, taskId=law.pk).status == 404
    manager = cast.client_for("equip_manager")
    for body in ({"to": ""}, {"reason": ""}, {"reason": " "}, {"comesBack": "maybe"}):
        assert back(manager, law, **body).status == 400, body
    for to in ("sign", "money", "law", "join", "nothing", "start"):
        refused = back(manager, law, to=to)
        assert (to, refused.status) == (to, 400)
    assert (_count(), sorted(open_items())) == (events, ["law", "money"])
    # A delegated task is handed back, and goes back from whom it was delegated by.
    claim = manager.post_json("blade-flow/work/claim-task", taskId=law.pk)
    give = {"taskId": str(law.pk), "userId": str(cast.user("repair_leader").pk), "reason": "请看"}
    assert (claim.status, manager.post_json("blade-flow/work/delegate-task", give).status) == (200, 200)
    assert back(cast.client_for("repair_leader"), law).status == 400
    assert back(manager, law).status == 409
    assert sorted(open_items()) == ["law", "money"]


@pytest.mark.parametrize("switch", ["process", "step"])
def test_a_model_may_say_no(cast: Cast, switch: str) -> None:
    off = 'xw:sendBack="no"'
    begun(cast, paper(off) if switch == "process" else paper(law=off))
    manager, law = cast.client_for("equip_manager"), open_items()["law"]
    assert "sendBack" not in manager.get(DETAIL, taskId=law.pk).data["taskActions"]
    assert manager.get(EARLIER, taskId=law.pk).data == []
    assert back(manager, law).status == 400
    money = open_items()["money"]
    assert back(cast.client_for("viewer"), money).status == (400 if switch == "process" else 200)


def test_a_suspended_process_is_not_sent_back(cast: Cast) -> None:
    instance = begun(cast)
    with tenant_scope(A):
        ProcessInstance.objects.filter(pk=instance).update(halt_time="2026-01-01T00:00:00Z", halt_reason="盘点")
    assert back(cast.client_for("equip_manager"), open_items()["law"]).status == 409
    assert sorted(open_items()) == ["law", "money"]


def test_of_a_countersign_one_signer_goes_and_comes_back_alone(cast: Cast) -> None:
    people = ",".join(str(cast.user(name).pk) for name in ("equip_manager", "viewer", "repair_leader"))
    loop = f'<multiInstanceLoopCharacteristics xw:collection="${{[{people}]}}" xw:elementVariable="signer"/></userTask>'
    xml = (
        paper()
        .decode()
        .replace('xw:assignee="repair_leader" xw:outcomes="agree,reject"/>', f'xw:assignee="${{signer}}">{loop}')
    )
    instance = begun(cast, xml.encode())
    for who, node in (("equip_manager", "law"), ("viewer", "money")):
        done(cast, who, node)
    with tenant_scope(A):
        signers = list(WorkItem.objects.filter(node="sign").order_by("seat"))
    manager = cast.client_for("equip_manager")
    found = {
        row["node"]: (row["walksAgain"], row["comesBack"], len(row["ends"]))
        for row in manager.get(EARLIER, taskId=signers[0].pk).data
    }
    assert found == {"money": (True, True, 2), "law": (True, True, 2), "draft": (True, True, 2)}
    assert back(manager, signers[0], comesBack=True).status == 200
    assert back(cast.client_for("viewer"), signers[1], comesBack=True).status == 200
    with tenant_scope(A):
        waits = list(WorkItem.objects.filter(state=ItemState.OPEN).order_by("id").values_list("node", "seat", "round"))
    # The process comes to the draft for the second time, and for the third.
    assert waits == [("sign", ".2", 1), ("draft", ".0", 2), ("draft", ".1", 3)]

    def returned(who: str) -> list[str]:
        return [row["taskName"] for row in cast.client_for(who).get(INBOX, returned=1).data["records"]]

    everybody = ("repairer", "equip_manager", "viewer", "repair_leader")
    assert [returned(who) for who in everybody] == [["拟稿", "拟稿"], [], [], []]
    done(cast, "repairer", "draft", note="三稿")
    # What was sent back to somebody who has done something else since was sent back all the same.
    assert [returned(who) for who in everybody] == [["拟稿"], [], ["签发"], []]
    done(cast, "repairer", "draft", note="三稿")
    assert [returned(who) for who in everybody] == [[], ["签发"], ["签发"], []]
    with tenant_scope(A):
        assert set(WorkItem.objects.filter(state=ItemState.OPEN).values_list("node", "seat")) == {
            ("sign", f".{n}") for n in range(3)
        }
        again = WorkItem.objects.get(state=ItemState.OPEN, seat=".0")
    assert again.assignee_id == cast.user("equip_manager").pk
    # And out of it altogether: all of them end, and everything is walked again.
    assert back(manager, again).status == 200
    assert sorted(open_items(instance)) == ["draft"]


def test_in_a_case_process_nothing_of_the_record_is_repeated(cast: Cast) -> None:
    other = '<userTask id="second" name="复核" xw:candidates="role:viewer" xw:formKey="repair"/>'
    xml = drawn(BEFORE_CHECK, "check", 'xw:candidates="role:equip_manager"').decode()
    old = '<sequenceFlow id="approveOn" sourceRef="approve" targetRef="check"/>'
    assert old in xml
    flows = (
        old.replace('targetRef="check"', 'targetRef="second"')
        + '<sequenceFlow id="secondOn" sourceRef="second" targetRef="check"/>'
    )
    xml = xml.replace(old, other + flows)
    answer = upload(cast.client_for("flow_designer"), {"r.bpmn": xml.encode()}, category="", confirm=1)
    assert answer.status == 200, answer
    order = finished(cast)
    done(cast, "equip_manager", "approve")
    viewer = cast.client_for("viewer")
    item = open_items()["second"]
    # The added step before it; not the repair, behind which the record's own operation stands.
    assert [row["node"] for row in viewer.get(EARLIER, taskId=item.pk).data] == ["approve"]
    for to in ("repair", "dispatch", "accept"):
        assert back(viewer, item, to=to).status == 400
        assert back(viewer, item, to=to, comesBack=True).status == 400
    assert back(viewer, item, to="approve").status == 200
    with tenant_scope(A):
        assert RepairOrder.objects.get(pk=order["id"]).status == Status.TO_CHECK
    assert sorted(open_items()) == ["approve"]
    done(cast, "equip_manager", "approve")
    done(cast, "viewer", "second")
    assert sorted(open_items()) == ["check"]


def test_the_deployment_check_knows_the_switches() -> None:
    def said(process: str = "", **more: str) -> list[tuple[str, str]]:
        found = gate.examine(paper(process, **more))
        return [
            (problem.element, problem.code) for problem in found.problems if problem.code in ("switch", "no_effect")
        ]

    off = 'xw:sendBack="no" xw:takeBack="no"'
    assert said(f'{off} xw:withdraw="no"', law=off) == []
    assert said('xw:withdraw="yes"', law='xw:sendBack="true"') == [("own", "switch"), ("law", "switch")]
    case = (settings.MODELS_DIR / "leave" / "leave.bpmn").read_text()
    verdict = gate.examine(case.replace("<process ", '<process xw:withdraw="no" ', 1).encode())
    assert [(one.element, one.code, one.level) for one in verdict.problems if one.code == "no_effect"] == [
        ("leave", "no_effect", "warning")
    ]
