"""What policies of a model decide without asking: exact steps, people and reasons, and where they ask after all."""

from __future__ import annotations

from typing import Any

import pytest

from core.identity.models import Department, User
from core.kernel.tenancy import tenant_scope
from tests.cast import A, Body, Caller, Cast
from tests.workflows.runtime import test_added_steps as added
from tests.workflows.standalone import ONE_STEP, deploy, document
from workflows.runtime.execution import automatic
from workflows.runtime.rows import queues
from workflows.runtime.tables.worklist.models import ItemState, WorkItem
from workflows.workbench import gate

WORK = "blade-flow/work/"
FORM = {"components": [{"type": "textfield", "key": "note", "label": "备注"}]}


def drawn(*steps: str, process: str = "", last: str = "") -> bytes:
    """Steps in a row, each with these attributes; a rejection ends the process."""
    ids = [f"s{number}" for number in range(len(steps))]
    body = '<startEvent id="start"/><endEvent id="done"/>' + "".join(
        f'<userTask id="{name}" name="审批{name}" xw:nameEn="Approval {name}" {task}/>'
        for name, task in zip(ids, steps, strict=True)
    )
    for number, (one, other) in enumerate(zip(["start", *ids], [*ids, "done"], strict=True)):
        body += f'<sequenceFlow id="f{number}" sourceRef="{one}" targetRef="{other}"/>'
    return document(body + last, forms={"ask": FORM} if 'xw:form="ask"' in body else None, process=process)


def begin(cast: Cast, xml: bytes, by: str = "operator") -> Body:
    body = {"processDefinitionId": str(deploy(xml).pk), "variables": {}}
    return cast.client_for(by).post_json(f"{WORK}start-process", body)


def complete(caller: Caller, **more: Any) -> Body:
    [row] = caller.get(f"{WORK}todo-list").data["records"]
    return caller.post_json(f"{WORK}complete-task", {"taskId": row["taskId"], "flag": "ok", **more})


def story() -> list[tuple[str, int, str, str, str]]:
    """Of each item in order: node, state, assignee's account, who completed it, and the reason."""
    with tenant_scope(A):
        assert queues.drift() == []
        called = dict(User.objects.values_list("pk", "account"))
        return [
            (one.node, one.state, called.get(one.assignee_id, ""), one.completed_by_name, one.reason)
            for one in WorkItem.objects.order_by("id")
        ]


def user(account: str) -> str:
    return f'xw:candidates="user:{account}"'


DONE, OPEN = ItemState.DONE, ItemState.OPEN


def test_by_default_the_same_person_and_the_starter_are_asked(cast: Cast) -> None:
    begin(cast, drawn(user("operator"), user("repairer"), user("repairer")))
    for account in ("operator", "repairer", "repairer"):
        assert complete(cast.client_for(account)).status == 200
    assert [(one[1], one[4]) for one in story()] == [(DONE, "")] * 3


def test_the_same_person_as_in_the_previous_step_is_not_asked_again(cast: Cast) -> None:
    steps = [user("repairer"), user("repairer"), user("repairer2"), user("repairer")]
    begin(cast, drawn(*steps, process='xw:samePerson="previous"'))
    answer = complete(cast.client_for("repairer"))
    assert answer.data["processIsFinished"] == "unfinished"
    assert story() == [
        ("s0", DONE, "repairer", "蒋修", ""),
        ("s1", DONE, "repairer", "系统", "agreedPrevious"),
        ("s2", OPEN, "repairer2", "", ""),
    ]
    complete(cast.client_for("repairer2"))
    assert story()[3] == ("s3", OPEN, "repairer", "", "")  # somebody else was in between
    with tenant_scope(A):
        instance = WorkItem.objects.first().instance_id
    history = cast.client_for("operator").get("blade-flow/process/history-flow-list", processInstanceId=instance).data
    assert [(one["assigneeName"], one["comment"], one["outcomeName"]) for one in history if one["round"]][2] == (
        "系统（代蒋修）", "自动同意：与上一步办理人相同", "同意",
    )  # fmt: skip
    english = cast.client_for("operator").in_english()
    told = english.get("blade-flow/process/history-flow-list", processInstanceId=instance).data[2]["comment"]
    assert told == "Approved automatically: same assignee as in the previous step"
    done = cast.client_for("repairer").get(f"{WORK}done-list").data["records"]
    assert [row["node"] for row in done] == ["s0"]  # the system's work is nobody's


def test_who_has_agreed_before_is_not_asked_again_until_a_rejection(cast: Cast) -> None:
    again = """<userTask id="again" name="修改" xw:assignee="${starter.id}" xw:outcomes="submit"/>"""
    body = f"""<startEvent id="start"/><exclusiveGateway id="in"/>
      <userTask id="one" name="一" {user("repairer")}/><userTask id="two" name="二" {user("repairer2")}/>
      <exclusiveGateway id="g" default="d"/><userTask id="three" name="三" {user("repairer")}/>{again}<endEvent id="e"/>
      <sequenceFlow id="a" sourceRef="start" targetRef="in"/><sequenceFlow id="b" sourceRef="in" targetRef="one"/>
      <sequenceFlow id="c" sourceRef="one" targetRef="two"/><sequenceFlow id="h" sourceRef="two" targetRef="g"/>
      <sequenceFlow id="d" sourceRef="g" targetRef="three"/><sequenceFlow id="i" sourceRef="three" targetRef="e"/>
      <sequenceFlow id="j" sourceRef="again" targetRef="in"/>
      <sequenceFlow id="r" sourceRef="g" targetRef="again"><conditionExpression>${{outcome == 'reject'}}
      </conditionExpression></sequenceFlow>"""
    begin(cast, document(body, process='xw:samePerson="any"'))
    complete(cast.client_for("repairer"))
    assert complete(cast.client_for("repairer2"), flag="").status == 200
    complete(cast.client_for("operator"), outcome="submit")
    assert story()[-1] == ("one", OPEN, "repairer", "", "")  # what was rejected is decided anew
    complete(cast.client_for("repairer"))
    answer = complete(cast.client_for("repairer2"))
    assert answer.data["processIsFinished"] == "finished"
    assert story()[-1] == ("three", DONE, "repairer", "系统", "agreedBefore")


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("", ("s0", OPEN, "shift_leader", "", "")),
        ("agree", ("s0", DONE, "shift_leader", "系统", "agreedStarter")),
        ("head", ("s0", OPEN, "equip_manager", "", "starterHead")),
    ],
)
def test_the_starter_as_approver(cast: Cast, policy: str, expected: tuple[Any, ...]) -> None:
    with tenant_scope(A):
        Department.objects.update(leader=cast.user("equip_manager"))
    said = f'xw:starterIsApprover="{policy}"' if policy else ""
    begin(cast, drawn('xw:candidates="role:shift_leader"', user("viewer"), process=said), by="shift_leader")
    found = story()
    # The role has one holder, who alone would be asked; asked by default, the step waits for the role.
    assert found[0] == (expected if policy else ("s0", OPEN, "", "", ""))
    assert [one[0] for one in found] == (["s0", "s1"] if policy == "agree" else ["s0"])


def test_a_step_says_otherwise_than_its_process(cast: Cast) -> None:
    steps = [user("operator"), f'{user("operator")} xw:starterIsApprover="ask"']
    begin(cast, drawn(*steps, process='xw:starterIsApprover="agree"'))
    assert story() == [("s0", DONE, "operator", "系统", "agreedStarter"), ("s1", OPEN, "operator", "", "")]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("", ("s0", OPEN, "equip_manager", "", "nobodyHead")),
        ("head", ("s0", OPEN, "equip_manager", "", "nobodyHead")),
        ("administrators", ("s0", OPEN, "", "", "nobodyAdministrators")),
        ("user:viewer", ("s0", OPEN, "viewer", "", "nobodyPerson")),
        ("agree", ("s0", DONE, "", "系统", "agreedNobody")),
    ],
)
def test_nobody_found(cast: Cast, policy: str, expected: tuple[Any, ...]) -> None:
    with tenant_scope(A):
        Department.objects.update(leader=cast.user("equip_manager"))
    said = f'xw:nobodyFound="{policy}"' if policy else ""
    assert begin(cast, drawn('xw:candidates="role:nobody"', process=said)).status == 200
    assert story() == [expected]
    [item] = cast.client_for("viewer").get(f"{WORK}todo-list").data["records"] if policy == "user:viewer" else [None]
    assert item is None or item["why"] == "没有找到办理人，由模型指定的人员办理"


def test_a_start_is_refused_where_nobody_is_found_and_nothing_is_stored(cast: Cast) -> None:
    xml = drawn('xw:candidates="role:nobody"', process='xw:nobodyFound="refuse"')
    refused = begin(cast, xml)
    assert (refused.status, refused["error"]) == (400, "workflow.nobodyFound")
    assert refused.msg == "步骤「审批s0」没有找到办理人，不能发起流程「请假」"
    assert story() == []
    later = drawn(user("viewer"), 'xw:candidates="role:nobody"', process='xw:nobodyFound="refuse"')
    assert begin(cast, later).status == 200  # a step that comes later goes to the head, else to the administrators
    complete(cast.client_for("viewer"))
    assert story()[1] == ("s1", OPEN, "", "", "nobodyAdministrators")


def test_a_step_that_asks_for_input_is_never_decided(cast: Cast) -> None:
    begin(cast, drawn(f'{user("operator")} xw:form="ask"', process='xw:starterIsApprover="agree"'))
    assert story() == [("s0", OPEN, "operator", "", "")]


def test_a_loop_of_decided_steps_ends_and_asks(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automatic, "MOST", 3)
    body = f"""<startEvent id="start"/><exclusiveGateway id="in"/><userTask id="s" name="批" {user("operator")}/>
      <sequenceFlow id="a" sourceRef="start" targetRef="in"/><sequenceFlow id="b" sourceRef="in" targetRef="s"/>
      <exclusiveGateway id="g" default="d"/><endEvent id="e"/><sequenceFlow id="c" sourceRef="s" targetRef="g"/>
      <sequenceFlow id="d" sourceRef="g" targetRef="in"/><sequenceFlow id="x" sourceRef="g" targetRef="e">
      <conditionExpression>${{outcome == 'reject'}}</conditionExpression></sequenceFlow>"""
    assert begin(cast, document(body, process='xw:starterIsApprover="agree"')).status == 200
    assert [(one[1], one[4]) for one in story()] == [(DONE, "agreedStarter")] * 3 + [(OPEN, "")]


def test_of_several_signers_each_is_decided_alone(cast: Cast) -> None:
    people = ["operator", "repairer", "viewer"]
    table = ", ".join(f"'{cast.user(one).pk}'" for one in people)
    loop = f"""<multiInstanceLoopCharacteristics xw:collection="${{[{table}]}}" xw:elementVariable="signer"/>"""
    body = ONE_STEP.format(task='xw:assignee="${signer}" xw:starterIsApprover="agree"').replace(
        "/><endEvent", f">{loop}</userTask><endEvent", 1
    )
    assert begin(cast, document(body)).status == 200
    assert sorted((one[2], one[1], one[4]) for one in story()) == [
        ("operator", DONE, "agreedStarter"), ("repairer", OPEN, ""), ("viewer", OPEN, ""),
    ]  # fmt: skip


def test_in_a_records_process_only_added_steps_are_decided(cast: Cast) -> None:
    answer = added.deploy(cast, f'{user("repairer")} xw:samePerson="previous"')
    assert answer.status == 200, answer
    added.finished(cast)
    with tenant_scope(A):
        rows = [(one.node, one.completed_by_name, one.reason) for one in WorkItem.objects.order_by("id")]
        assert rows[-2:] == [("approve", "系统", "agreedPrevious"), ("check", "", "")]
        assert queues.drift() == []


def test_the_deployment_check_knows_the_policies(cast: Cast) -> None:
    wrong = drawn(f'{user("viewer")} xw:samePerson="twice"', process='xw:nobodyFound="role:hr"')
    assert [(one.element, one.code) for one in gate.examine(wrong).errors] == [("own", "policy"), ("s0", "policy")]
    gone = gate.examine(drawn(user("viewer"), process='xw:nobodyFound="user:gone"'))
    assert [(one.element, one.text_zh) for one in gate.examine_for([A], gone).errors] == [
        ("own", "人员“gone”不存在或已停用")
    ]
    asks = gate.examine(drawn(f'{user("viewer")} xw:form="ask" xw:samePerson="any"'))
    assert [(one.code, one.level, one.text_zh) for one in asks.problems if one.code == "policy_input"] == [
        ("policy_input", "warning", "该步骤需要填写内容，不会自动同意")
    ]
    own = added.drawn(added.BEFORE_CHECK, "check", user("viewer")).replace(
        b'<userTask id="check"', b'<userTask id="check" xw:samePerson="any"'
    )
    assert ("check", "policy_own") in [(one.element, one.code) for one in gate.examine(own).errors]


def test_a_dry_run_decides_alike_and_says_why(cast: Cast) -> None:
    xml = drawn(user("operator"), user("repairer"), user("repairer"), user("viewer"),
                process='xw:starterIsApprover="agree" xw:samePerson="previous"')  # fmt: skip
    caller, starter = cast.client_for("flow_designer"), str(cast.user("operator").pk)

    def run(*acts: dict[str, Any]) -> Any:
        body = {"xml": xml.decode(), "starterId": starter, "acts": list(acts)}
        return caller.post_json("blade-flow/model/dry-run", body).data

    begun = run()
    assert begun["steps"][0]["decided"] == [
        {"node": "s0", "name": "审批s0", "who": "秦操", "reason": "自动同意：办理人即发起人"}
    ]
    after = run({"node": "s1", "outcome": "agree"})
    assert [one["node"] for one in after["steps"][1]["decided"]] == ["s2"]
    assert [one["node"] for one in after["open"]] == ["s3"]
    asked = {"xml": xml.decode(), "element": "s0", "starterId": starter}
    assert caller.post_json("blade-flow/model/candidates", asked).data["reason"] == "自动同意：办理人即发起人"
    refused = drawn('xw:candidates="role:nobody"', process='xw:nobodyFound="refuse"').decode()
    told = caller.post_json("blade-flow/model/dry-run", {"xml": refused, "acts": []}).data["steps"][0]["refusal"]
    assert told["code"] == "workflow.nobodyFound"


def take_back(caller: Caller) -> Body:
    """Take back what the person has completed last."""
    [row, *_earlier] = caller.get(f"{WORK}done-list").data["records"]
    return caller.post_json(f"{WORK}take-back", {"taskId": row["taskId"]})


def test_what_the_system_decided_behind_a_step_is_taken_back_with_it(cast: Cast) -> None:
    begin(cast, drawn(user("repairer"), user("repairer"), user("repairer2"), process='xw:samePerson="previous"'))
    mate = cast.client_for("repairer")
    complete(mate)
    assert take_back(mate).status == 200
    assert [one[:2] for one in story()] == [("s0", DONE), ("s1", DONE), ("s2", ItemState.DROPPED), ("s0", OPEN)]
    complete(mate)
    assert [one[:2] for one in story()[3:]] == [("s0", DONE), ("s1", DONE), ("s2", OPEN)]
    complete(cast.client_for("repairer2"))
    assert take_back(mate).status == 409


def test_an_approval_that_was_taken_back_decides_nothing(cast: Cast) -> None:
    begin(cast, drawn(user("repairer"), user("repairer2"), user("repairer"), process='xw:samePerson="any"'))
    mate, other = cast.client_for("repairer"), cast.client_for("viewer")
    complete(mate)
    assert take_back(mate).status == 200
    [row] = mate.get(f"{WORK}todo-list").data["records"]
    give = {"taskId": row["taskId"], "userId": str(cast.user("viewer").pk), "reason": "出差"}
    assert mate.post_json(f"{WORK}transfer-task", give).status == 200
    complete(other)
    complete(cast.client_for("repairer2"))
    assert story()[-1] == ("s2", OPEN, "repairer", "", "")
