"""A dry run goes the ways of the real engine, with the real checks, and leaves nothing behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core import ports
from core.equipment.models import RunState
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.kernel.texts import moment
from tests.cast import A, B, Body, Caller, Cast
from tests.workflows.drawings import drawing, task
from tests.workflows.standalone import APPLY, ONE_STEP, document, two_steps
from workflows import engine

LEAVE = (settings.MODELS_DIR / "leave" / "leave.bpmn").read_text("utf-8")
REPAIR = (settings.MODELS_DIR / "repairorder" / "repairorder.bpmn").read_text("utf-8")
OWN = two_steps().decode()
LEAVE_OF_A_DAY = {
    "type": 1, "startTime": "2026-11-23 08:00:00", "endTime": "2026-11-23 17:00:00", "days": 1, "reason": "搬家",
}  # fmt: skip
ASKED = {"days": 2, "reason": "搬家", "cost": 300}


def _run(caller: Caller, xml: str, *acts: dict[str, Any], **more: Any) -> Body:
    return caller.post_json("blade-flow/model/dry-run", {"xml": xml, "acts": list(acts), **more})


def _called(found: Body) -> list[list[str]]:
    return [[row["name"] for row in step["operations"]] for step in found.data["steps"]]


def _open(found: Body) -> list[tuple[str, int, list[str]]]:
    return [
        (one["node"], one["round"], [person["name"] for person in one["recipients"]["people"]])
        for one in found.data["open"]
    ]


@pytest.fixture
def designer(cast: Cast) -> Caller:
    """Who draws the processes of company A."""
    return cast.client_for("flow_designer")


def test_an_own_model_runs_with_its_forms_and_people(cast: Cast, designer: Caller) -> None:
    starter = str(cast.user("operator").pk)
    begun = _run(designer, OWN, starterId=starter, values=ASKED)
    assert begun.data["problems"] == []
    assert begun.data["starter"] == {"id": starter, "name": "秦操", "deptName": "机加车间"}
    assert begun.data["title"] == "秦操 · 请假"
    assert begun.data["steps"][0]["passed"] == ["start"]
    assert begun.data["steps"][0]["flows"] == ["f1"]
    assert begun.data["steps"][0]["tokens"] == {"manager": 1}
    assert _open(begun) == [("manager", 1, ["钱管"])]
    assert begun.data["open"][0]["outcomes"] == [
        {"key": "submit", "label": "提交", "isPositive": True, "isNegative": False, "isEnd": False}
    ]
    yes = {"node": "manager", "outcome": "submit", "values": {"approved": True}}
    second = _run(designer, OWN, yes, starterId=starter, values=ASKED)
    assert second.data["steps"][1]["flows"] == ["f2", "yes"]
    assert second.data["steps"][1]["passed"] == ["manager", "decide"]
    assert second.data["form"] == {**ASKED, "approved": True}
    assert _open(second) == [("hr", 1, ["何看"])]
    assert second.data["open"][0]["form"]["components"][0]["readonly"] is True
    last = {"node": "hr", "outcome": "submit", "values": {"recorded": True}}
    ended = _run(designer, OWN, yes, last, values=ASKED)
    assert (ended.data["standing"], ended.data["open"]) == ("completed", [])
    assert ended.data["steps"][2]["tokens"] == {}
    no = {**yes, "values": {"approved": False}}
    assert _run(designer, OWN, no, values=ASKED).data["steps"][1]["flows"] == ["f2", "no"]


def test_a_refused_act_says_why_and_the_run_stays_where_it_was(cast: Cast, designer: Caller) -> None:
    refused = _run(designer, OWN, values={"days": 99}).data
    assert refused["steps"][0]["refusal"] == {
        "code": "input.invalid",
        "message": "天数应在0.5到30之间",
        "fields": {"days": "天数应在0.5到30之间", "reason": "请输入理由"},
    }
    assert (refused["open"], refused["form"]) == ([], {})
    yes = {"node": "manager", "outcome": "submit", "values": {"approved": True}}
    cases = {
        "workflow.task_not_open": {"node": "hr", "outcome": "submit"},
        "workflow.outcome": {"node": "manager", "outcome": "agree"},
        "access.denied": {**yes, "userId": str(cast.user("viewer").pk)},
        "input.invalid": {**yes, "userId": str(cast.user("equip_manager", B).pk)},
        "workflow.nobody_waits": {"message": "parts"},
    }
    for code, act in cases.items():
        found = _run(designer, OWN, act, yes, values=ASKED).data
        assert [step["refusal"] and step["refusal"]["code"] for step in found["steps"]] == [None, code]
        assert [one["node"] for one in found["open"]] == ["manager"]
        assert found["form"] == ASKED
    allowed = {**yes, "userId": str(cast.user("equip_manager").pk)}
    assert _run(designer, OWN, allowed, values=ASKED).data["steps"][1]["refusal"] is None


def test_a_rejection_that_no_gateway_asks_for_ends_it(designer: Caller) -> None:
    xml = document(ONE_STEP.format(task='xw:candidates="role:viewer"')).decode()
    found = _run(designer, xml, {"node": "look", "outcome": "reject"}).data
    assert (found["standing"], found["steps"][1]["passed"], found["open"]) == ("rejected", [], [])
    assert [one["isEnd"] for one in _run(designer, xml).data["open"][0]["outcomes"]] == [False, True]
    assert _run(designer, xml, {"node": "look", "outcome": "agree"}).data["standing"] == "completed"


def test_leave_goes_to_the_head_to_hr_and_back(cast: Cast, designer: Caller) -> None:
    starter, head = str(cast.user("operator").pk), str(cast.user("shift_leader").pk)
    long = {"starterId": starter, "record": {"days": 5, "approverId": head}}
    begun = _run(designer, LEAVE, **long)
    assert _open(begun) == [("approve", 1, ["李班"])]
    assert _called(begun) == [["leave.applied"]]
    assert begun.data["messages"] == [
        {"name": "leave.withdraw", "nodes": ["withdrawRequested"], "form": {"components": []}}
    ]
    approve = {"node": "approve", "outcome": "approve"}
    to_hr = _run(designer, LEAVE, approve, **long)
    assert _called(to_hr) == [["leave.applied"], ["leave.passedOn"]]
    nobody = to_hr.data["open"][0]["recipients"]  # the cast has the role, and nobody in it
    assert (nobody["total"], nobody["instead"], nobody["reason"]) == (0, "", "目前没有人符合这些规则")
    back = _run(designer, LEAVE, approve, {"node": "hr", "outcome": "reject"}, **long)
    assert _open(back) == [("revise", 1, ["秦操"])]
    again = {"node": "revise", "outcome": "submit", "values": {"days": 1}}
    short = _run(designer, LEAVE, approve, {"node": "hr", "outcome": "reject"}, again, approve, **long)
    assert _called(short)[3:] == [["leave.resubmitted"], ["leave.approved"]]
    assert (short.data["standing"], short.data["record"]["days"]) == ("completed", 1)
    assert short.data["record"]["applicantId"] == starter
    assert short.data["recordTexts"] == {"applicantId": "秦操", "approverId": "李班", "deptId": "机加车间"}
    withdrawn = _run(designer, LEAVE, {"message": "leave.withdraw"}, **long)
    assert (_called(withdrawn)[1], withdrawn.data["standing"]) == (["leave.withdrawn"], "completed")


def test_a_repair_order_goes_round_with_its_timers(cast: Cast, designer: Caller) -> None:
    repairer = str(cast.user("repairer").pk)
    dispatch = {"node": "dispatch", "outcome": "dispatch", "values": {"repairUserId": repairer}}
    begun = _run(designer.in_english(), REPAIR)
    assert [(one["node"], one["dueLabel"], one["dueTime"]) for one in begun.data["timers"]] == [
        ("responseFirst", "Response due", ""), ("responseSecond", "Response overdue", ""),
    ]  # fmt: skip
    late = _run(designer, REPAIR, {"timer": "responseFirst"}, dispatch)
    assert _called(late) == [
        ["repairorder.reported"], ["repairorder.escalateResponseLeader"], ["repairorder.dispatched"],
    ]  # fmt: skip
    assert [one["node"] for one in late.data["timers"]] == ["responseSecond"]
    assert _open(late) == [("accept", 1, ["蒋修"])]
    refuse = {"node": "accept", "outcome": "refuse", "values": {"repairUserId": ""}}
    again = _run(designer, REPAIR, dispatch, refuse)
    assert _open(again) == [("dispatch", 2, ["卫长", "钱管"])]
    acts = [dispatch, {"node": "accept", "outcome": "accept"}, {"node": "repair", "outcome": "finish"}]
    checked = _run(designer, REPAIR, *acts, {"timer": "autoCheck"})
    assert _called(checked)[-1] == ["repairorder.autoPassed"]
    assert checked.data["standing"] == "completed"


def test_a_timer_of_the_drawing_says_when(designer: Caller) -> None:
    timer = "<timerEventDefinition><timeDuration>{}</timeDuration></timerEventDefinition>"
    body = (
        f'<startEvent id="s"/>{task("w")}<boundaryEvent id="b" name="催" attachedToRef="w">{timer}</boundaryEvent>'
        '<endEvent id="e"/><endEvent id="le"/><f a="s" b="w"/><f a="w" b="e"/><f a="b" b="le"/>'
    )
    found = _run(designer, drawing(body.format("PT2H")).decode()).data
    (one,) = found["timers"]
    assert (one["node"], one["name"], one["dueLabel"], len(one["dueTime"])) == ("b", "催", "", 19)
    earliest, found = clock.now(), _run(designer, drawing(body.format("P1M")).decode()).data
    (one,) = found["timers"]
    dues = [moment(engine.due_after(timezone.localtime(begun), "P1M")) for begun in (earliest, clock.now())]
    assert (found["problems"], dues[0] <= one["dueTime"] <= dues[1]) == ([], True)
    with_weeks = _run(designer, drawing(body.format("P1M1W")).decode()).data
    assert [problem["code"] for problem in with_weeks["problems"]] == ["timer"]


def test_an_event_whose_rule_is_over_stops_the_dry_run_there(designer: Caller) -> None:
    over = "${form.days == 2 ? 'R1/2020-01-01T08:00/P1D' : 'R1/2100-01-01T08:00/P1D'}"
    timer = f"<timerEventDefinition><timeCycle>{over}</timeCycle></timerEventDefinition>"
    body = (
        f'<startEvent id="s" xw:form="apply"/>{task("w")}<intermediateCatchEvent id="t">{timer}'
        '</intermediateCatchEvent><endEvent id="e"/>'
    )
    flows = "".join(f'<sequenceFlow id="{a}{b}" sourceRef="{a}" targetRef="{b}"/>' for a, b in ("sw", "wt", "te"))
    xml = document(body + flows, forms={"apply": APPLY}).decode()
    act = {"node": "w", "outcome": "agree"}
    found = _run(designer.in_english(), xml, act, values=ASKED).data
    assert (found["problems"], found["timers"]) == ([], [])
    assert "has no further occurrence" in str(found)
    (timer_row,) = _run(designer, xml, act, values={**ASKED, "days": 3}).data["timers"]
    assert (timer_row["node"], timer_row["dueTime"]) == ("t", "2100-01-01 08:00:00")


def test_tokens_stand_where_they_wait_for_others() -> None:
    ways = "".join(f'{task(name)}<f a="fork" b="{name}"/><f a="{name}" b="join"/>' for name in "abc")
    specification = engine.parse(
        drawing(
            f'<startEvent id="s"/><parallelGateway id="fork"/>{ways}<parallelGateway id="join"/><endEvent id="e"/>'
            '<f a="s" b="fork"/><f a="join" b="e"/>'
        )
    )
    step = engine.start(specification, {}, _Quiet())
    assert engine.tokens(specification, step.state) == {"a": 1, "b": 1, "c": 1}
    for node in "ab":
        one = next(task.task for task in step.tasks if task.node == node)
        step = engine.complete(specification, step.state, one, "", {}, _Quiet())
    assert engine.tokens(specification, step.state) == {"join": 2, "c": 1}


class _Quiet:
    """A host that does nothing."""

    def call(self, operation: str, node: str, given: Mapping[str, Any]) -> None:
        """Nothing."""

    def names(self) -> dict[str, Any]:
        """Nothing."""
        return {}


def _rows() -> dict[str, int]:
    with connection.cursor() as cursor:
        found = {}
        for model in apps.get_models():
            cursor.execute(f'SELECT COUNT(*) FROM "{model._meta.db_table}"')
            found[model._meta.label] = cursor.fetchone()[0]
        return found


def test_it_leaves_nothing_behind(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """No row, no statement that writes, no operation called, whatever is tried."""

    def shout(*_given: Any) -> None:
        raise AssertionError("an operation was called")

    request = {**LEAVE_OF_A_DAY, "taskUser": str(cast.user("repairer").pk)}
    operator = cast.client_for("operator")
    own = operator.post_json("blade-desk/process/leave/start-process", request).data["id"]
    for name, bound in ports.effects.items():
        loud = dict.fromkeys(bound.effects, shout)
        monkeypatch.setitem(ports.effects, name, replace(bound, effects=loud, load=shout, save=shout))
    designer = cast.client_for("tenant_admin")
    before = _rows()
    with CaptureQueriesContext(connection) as queries:
        for xml, acts in (
            (LEAVE, [{"node": "approve", "outcome": "reject"}, {"message": "leave.withdraw"}]),
            (REPAIR, [{"node": "dispatch", "outcome": "claim"}, {"timer": "finishFirst"}]),
            (OWN, [{"node": "manager", "outcome": "submit", "values": {"approved": True}}]),
        ):
            assert _run(designer, xml, *acts, values={} if xml != OWN else ASKED).data["steps"][-1]["refusal"] is None
        asked = {"xml": LEAVE, "element": "approve", "recordId": own}
        found = designer.post_json("blade-flow/model/candidates", asked)
        assert [person["name"] for person in found.data["people"]] == ["蒋修"]
        designer.get("blade-flow/model/catalogue", key="leave")
    verbs = {query["sql"].lstrip("(").split()[0].upper() for query in queries.captured_queries}
    assert verbs <= {"SELECT", "SAVEPOINT", "RELEASE", "SET"}
    assert not any("FOR UPDATE" in query["sql"] for query in queries.captured_queries)
    assert _rows() == before


def test_files_of_a_dry_run_are_names_that_nobody_has_uploaded(cast: Cast, designer: Caller) -> None:
    pictures = {
        "type": "filepicker", "key": "pictures", "label": "图片", "multiple": True, "accept": "image/*",
        "validate": {"required": True, "maxItems": 2},
    }  # fmt: skip
    machine = {"type": "xw-asset", "key": "machine", "label": "设备"}
    body = """<startEvent id="start" xw:form="ask"/><exclusiveGateway id="many" default="one"/>
      <userTask id="look" name="看" xw:form="ask" xw:readonlyFields="*" xw:candidates="role:viewer"/>
      <endEvent id="done"/>
      <sequenceFlow id="f1" sourceRef="start" targetRef="many"/>
      <sequenceFlow id="two" sourceRef="many" targetRef="look"><conditionExpression>
        ${size(form.pictures) &gt;= 2}</conditionExpression></sequenceFlow>
      <sequenceFlow id="one" sourceRef="many" targetRef="done"/>
      <sequenceFlow id="f2" sourceRef="look" targetRef="done"/>
    """
    xml = document(body, forms={"ask": {"components": [pictures, machine]}}).decode()
    before = _rows()
    begun = _run(designer, xml, values={"pictures": ["现场 1.jpg", "a#b.png"]})
    assert (begun.data["steps"][0]["refusal"], begun.data["steps"][0]["flows"]) == (None, ["f1", "two"])
    assert begun.data["form"] == {"pictures": ["现场 1.jpg", "a#b.png"]}
    assert begun.data["formTexts"] == {}
    assert _run(designer, xml, values={"pictures": ["a.jpg"]}).data["standing"] == "completed"
    for wrong, sentence in (
        ([], "请选择图片"),
        (["a", "b", "c"], "最多上传2张图片"),
        (["a\nb"], "图片不存在或已被删除"),
        (["x" * 256], "图片不存在或已被删除"),
    ):
        refusal = _run(designer, xml, values={"pictures": wrong}).data["steps"][0]["refusal"]
        assert refusal["fields"] == {"pictures": sentence}
    # A machine that may no longer be chosen is refused here too.
    scrapped = cast.machine("M1")
    with tenant_scope(A):
        type(scrapped).objects.filter(pk=scrapped.pk).update(run_state=RunState.SCRAPPED)
    tried = _run(designer, xml, values={"pictures": ["a.jpg"], "machine": str(scrapped.pk)})
    assert tried.data["steps"][0]["refusal"]["fields"] == {"machine": "设备已报废，请另选一台"}
    assert _rows() == before


def test_a_drawing_that_the_gate_refuses_is_not_run(designer: Caller) -> None:
    body = '<startEvent id="start"/><sequenceFlow id="flow" sourceRef="start" targetRef="missing"/><endEvent id="end"/>'
    found = _run(designer, document(body).decode()).data
    assert {row["code"] for row in found["problems"] if row["level"] == "error"} >= {"dangling_flow"}
    assert (found["steps"], found["open"], found["starter"]) == ([], [], None)
    assert _run(designer, "<!DOCTYPE x><x/>").data["problems"][0]["code"] == "doctype"


def test_whose_it_is_and_who_may_ask(cast: Cast, designer: Caller) -> None:
    assert _run(cast.client_for("operator"), OWN).status == 403
    foreign = _run(designer, OWN, starterId=str(cast.user("operator", B).pk))
    assert (foreign.status, foreign.data["fields"]) == (400, {"starterId": "请选择发起人"})
    body = {"machineId": str(cast.machine("M1", B).pk), "description": "主轴异响"}
    order = cast.client_for("operator", B).post_json("yuzhu-equip/repairorder/save", body).data["id"]
    assert _run(designer, REPAIR, recordId=order).status == 404
    assert _run(cast.platform(), OWN, tenantId=A).data["fields"] == {"starterId": "请选择发起人"}
    named = _run(cast.platform(), OWN, starterId=str(cast.user("operator").pk), values=ASKED, tenantId=A)
    assert _open(named) == [("manager", 1, ["钱管"])]


def test_the_acts_are_bounded_and_each_is_one_thing(designer: Caller) -> None:
    assert _run(designer, OWN, {"node": "a", "timer": "b"}).status == 400
    assert _run(designer, OWN, *[{"timer": "b"}] * 201).status == 400
    assert _run(designer, OWN, *[{"timer": "b"}] * 200, values=ASKED).status == 200


def test_a_countersign_has_a_token_for_each_signer(cast: Cast, designer: Caller) -> None:
    loop = (
        '<multiInstanceLoopCharacteristics xw:collection="${members[\'role:repairer\']}" xw:elementVariable="signer">'
        "<completionCondition>${votes.agree * 2 &gt; nrOfInstances}</completionCondition>"
        "</multiInstanceLoopCharacteristics></userTask>"
    )
    xml = document(ONE_STEP.format(task='xw:assignee="${signer}"')).decode()
    xml = xml.replace('/><endEvent id="done"/>', f'>{loop}<endEvent id="done"/>')
    begun = _run(designer, xml).data
    assert begun["problems"] == []
    assert [step["tokens"] for step in begun["steps"]] == [{"look": 3}]
    assert _open(_run(designer, xml)) == [("look", 1, [name]) for name in ("蒋修", "沈修", "韩修")]
    yes, no = {"node": "look", "outcome": "agree"}, {"node": "look", "outcome": "reject"}
    found = _run(
        designer, xml, {**yes, "seat": ".2", "userId": str(cast.user("repairer_other").pk)}, {**no, "seat": ".0"}
    )
    assert [step["tokens"] for step in found.data["steps"]] == [{"look": 3}, {"look": 2}, {"look": 1}]
    wrong = _run(designer, xml, {**yes, "seat": ".2", "userId": str(cast.user("repairer").pk)}).data["steps"][1]
    assert wrong["refusal"]["message"] == "蒋修不会收到这个步骤"
    won = _run(designer, xml, {**yes, "seat": ".2"}, {**no, "seat": ".0"}, yes)
    assert (won.data["standing"], won.data["open"]) == ("completed", [])
    lost = _run(designer, xml, no, no, no)
    assert lost.data["standing"] == "rejected"
