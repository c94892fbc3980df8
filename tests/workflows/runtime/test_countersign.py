"""Countersigned steps over HTTP: each signer's own task and decision, what they decide together, and what it costs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.audit.models import Event
from core.kernel.tenancy import tenant_scope
from core.scheduling.models import OutboxMessage
from tests.cast import A, B, Body, Caller, Cast
from tests.workflows.standalone import deploy, document
from tests.workflows.test_budgets import _HOUSEKEEPING
from workflows import engine
from workflows.runtime.rows import queues
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem
from workflows.workbench import gate

WORK = "blade-flow/work/"
RATIO = (
    "votes.agree &gt;= nrOfInstances * 0.6 || "
    "nrOfInstances - nrOfCompletedInstances + votes.agree &lt; nrOfInstances * 0.6"
)
SIGNERS = ("repairer", "repairer2", "repair_leader")


def drawn(until: str = "", *, people: str = "form.people", order: str = "", who: str = "") -> bytes:
    """Start, countersign, a gateway that asks for a rejection; a rejection goes to a step of the starter."""
    condition = f"<completionCondition>${{{until}}}</completionCondition>" if until else ""
    who = who or 'xw:assignee="${signer}"'
    body = f"""<startEvent id="start" xw:form="ask"/><userTask id="sign" name="会签" xw:nameEn="Countersign" {who}>
      <multiInstanceLoopCharacteristics xw:collection="{people}" xw:elementVariable="signer" {order}>{condition}
      </multiInstanceLoopCharacteristics></userTask><exclusiveGateway id="g" default="d"/>
      <userTask id="again" name="修改" xw:assignee="${{starter.id}}" xw:outcomes="submit"/><endEvent id="e"/>
      <sequenceFlow id="a" sourceRef="start" targetRef="in"/><exclusiveGateway id="in"/>
      <sequenceFlow id="b" sourceRef="in" targetRef="sign"/><sequenceFlow id="c" sourceRef="sign" targetRef="g"/>
      <sequenceFlow id="d" sourceRef="g" targetRef="e"/><sequenceFlow id="f" sourceRef="again" targetRef="in"/>
      <sequenceFlow id="r" sourceRef="g" targetRef="again"><conditionExpression>${{outcome == 'reject'}}
      </conditionExpression></sequenceFlow>"""
    form = {"components": [{"type": "textfield", "key": "people", "label": "会签人"}]}
    return document(body, forms={"ask": form})


def begin(cast: Cast, xml: bytes, people: str, key: str = "own") -> str:
    """Deploy it and start one as the operator; its id."""
    body = {"processDefinitionId": str(deploy(xml, key=key).pk), "variables": {"people": people}}
    started = cast.client_for("operator").post_json(f"{WORK}start-process", body)
    assert started.status == 200, started
    return str(started.data["processInstanceId"])


def tasks(caller: Caller) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = caller.get(f"{WORK}todo-list").data["records"]
    return records


def sign(caller: Caller, flag: str = "ok", comment: str = "", task: str = "") -> Body:
    """Complete the caller's one task, or the one named."""
    named = task or tasks(caller)[0]["taskId"]
    return caller.post_json(f"{WORK}complete-task", {"taskId": named, "flag": flag, "comment": comment})


def states(instance: str) -> list[tuple[str, int, int, str]]:
    """Of the instance's items, in order of their making: node, round, state, outcome."""
    with tenant_scope(A):
        rows = WorkItem.objects.filter(instance=instance).order_by("id")
        return list(rows.values_list("node", "round", "state", "outcome"))


def status(instance: str) -> int:
    with tenant_scope(A):
        return int(ProcessInstance.objects.get(pk=instance).status)


OPEN, DONE, DROPPED = ItemState.OPEN, ItemState.DONE, ItemState.DROPPED


def test_each_signer_has_a_task_and_the_timeline_tells_each_decision(cast: Cast) -> None:
    instance = begin(cast, drawn(RATIO), ",".join(SIGNERS))
    callers = {name: cast.client_for(name) for name in SIGNERS}
    for caller in callers.values():
        (task,) = tasks(caller)
        assert (task["taskName"], task["processInstanceId"]) == ("会签", instance)
    assert tasks(cast.client_for("viewer")) == []
    other = tasks(callers["repair_leader"])[0]["taskId"]
    refused = sign(cast.client_for("viewer"), task=other)
    assert refused.status in (403, 404) and states(instance) == [("sign", 1, OPEN, "")] * 3
    assert sign(cast.client_for("operator", B), task=other).status == 404

    assert sign(callers["repairer"], "ok", "可以").status == 200
    assert sign(callers["repairer2"], "", "不同意").status == 200
    model = cast.client_for("operator").get("blade-flow/process/model-view", processInstanceId=instance).data
    assert (model["done"]["sign"], [one["node"] for one in model["open"]]) == (2, ["sign"])
    done = sign(callers["repair_leader"], "ok", "同意")
    assert (done.status, done.data["processIsFinished"]) == (200, "finished")
    assert states(instance) == [("sign", 1, DONE, "agree"), ("sign", 1, DONE, "reject"), ("sign", 1, DONE, "agree")]
    history = cast.client_for("operator").get("blade-flow/process/history-flow-list", processInstanceId=instance).data
    assert [(one["assigneeName"], one["outcome"], one["comment"], one["round"]) for one in history[1:-1]] == [
        (cast.user(name).real_name, outcome, comment, 1)
        for name, outcome, comment in zip(
            SIGNERS, ("agree", "reject", "agree"), ("可以", "不同意", "同意"), strict=True
        )
    ]
    with tenant_scope(A):
        assert Event.objects.filter(operation="task.complete", instance_id=instance).count() == 3
        assert queues.drift() == []


def test_once_decided_the_others_are_told_so_and_nothing_changes(cast: Cast) -> None:
    instance = begin(cast, drawn("nrOfCompletedInstances &gt;= 1"), ",".join(SIGNERS))
    callers = [cast.client_for(name) for name in SIGNERS]
    late = tasks(callers[1])[0]["taskId"]
    assert sign(callers[0]).data["processIsFinished"] == "finished"
    assert [tasks(caller) for caller in callers] == [[], [], []]
    before = states(instance)
    # The others keep what was decided: who signs a moment later has done nothing wrong.
    assert before == [("sign", 1, DONE, "agree"), ("sign", 1, DROPPED, "agree"), ("sign", 1, DROPPED, "agree")]
    told = sign(callers[1], "", task=late)
    assert (told.status, told.data["decidedText"]) == (200, "会签已有结果：同意，您的意见未计入")
    english = sign(callers[1].in_english(), task=late).data["decidedText"]
    assert english == "The result was already decided: Approve. Your decision was not counted"
    assert sign(cast.client_for("viewer"), task=late).status == 403
    assert states(instance) == before
    with tenant_scope(A):
        assert Event.objects.filter(operation="task.complete", instance_id=instance).count() == 1


def test_rounds_count_how_often_all_were_asked(cast: Cast) -> None:
    instance = begin(cast, drawn("outcome == 'reject'"), "repairer,repairer2")
    first, second, starter = (cast.client_for(name) for name in ("repairer", "repairer2", "operator"))
    for number in (1, 2):
        assert sign(first).status == 200
        assert sign(second, "").status == 200
        assert [one["taskName"] for one in tasks(starter)] == ["修改"]
        assert [row[:2] for row in states(instance)[-3:]] == [("sign", number), ("sign", number), ("again", number)]
        assert sign(starter).status == 200
    sign(first)
    assert sign(second).data["processIsFinished"] == "finished"
    assert [row[1] for row in states(instance) if row[0] == "sign"] == [1, 1, 2, 2, 3, 3]


def test_one_after_another(cast: Cast) -> None:
    instance = begin(cast, drawn("outcome == 'reject'", order='isSequential="true"'), "repairer,repairer2")
    first, second = cast.client_for("repairer"), cast.client_for("repairer2")
    assert (len(tasks(first)), len(tasks(second))) == (1, 0)
    sign(first)
    assert (len(tasks(first)), len(tasks(second))) == (0, 1)
    assert sign(second).data["processIsFinished"] == "finished"
    assert states(instance) == [("sign", 1, DONE, "agree"), ("sign", 1, DONE, "agree")]


def test_the_members_of_a_role_sign_and_candidates_may_claim(cast: Cast) -> None:
    begin(cast, drawn(people="${{members['role:repairer']}}".replace("{{", "{").replace("}}", "}")), "")
    repairers = [name for name in ("repairer", "repairer2", "repairer_other") if tasks(cast.client_for(name))]
    assert repairers == ["repairer", "repairer2", "repairer_other"]
    assert tasks(cast.client_for("repair_leader")) == []
    begin(cast, drawn(who='xw:candidates="user:${signer} role:viewer"'), "repairer", key="two")
    (task,) = cast.client_for("viewer").get(f"{WORK}claim-list").data["records"]
    assert cast.client_for("repairer").post_json(f"{WORK}claim-task", taskId=task["taskId"]).status == 200
    lost = cast.client_for("viewer").post_json(f"{WORK}claim-task", taskId=task["taskId"])
    assert (lost.status, lost["error"]) == (409, "workflow.taskTaken")


def test_nobody_to_sign_goes_through(cast: Cast) -> None:
    instance = begin(cast, drawn(RATIO), "")
    assert (status(instance), states(instance)) == (InstanceStatus.COMPLETED, [])


def test_more_than_two_hundred_are_refused_at_the_start_and_park_a_process_that_runs(cast: Cast) -> None:
    xml = (
        drawn()
        .replace(b'xw:collection="form.people"', b"")
        .replace(b"      </multi", b"<loopCardinality>form.people</loopCardinality></multi")
    )
    body = {"processDefinitionId": str(deploy(xml).pk), "variables": {"people": "201"}}
    refused = cast.client_for("operator").post_json(f"{WORK}start-process", body)
    assert (refused.status, refused["error"]) == (409, "workflow.limit")
    with tenant_scope(A):
        assert not ProcessInstance.objects.exists() and not WorkItem.objects.exists()
    before = b'<userTask id="first" name="First" xw:assignee="${starter.id}" xw:outcomes="submit"/>'
    xml = xml.replace(b'sourceRef="in" targetRef="sign"', b'sourceRef="in" targetRef="first"')
    xml = xml.replace(b'<exclusiveGateway id="g"', before + b'<exclusiveGateway id="g"')
    more = b'<sequenceFlow id="x" sourceRef="first" targetRef="sign"/></process>'
    instance = begin(cast, xml.replace(b"</process>", more), "201", key="two")
    refused = sign(cast.client_for("operator"))
    assert (refused.status, refused["error"]) == (409, "workflow.parked")
    with tenant_scope(A):
        assert ProcessInstance.objects.get(pk=instance).park_time is not None
    assert states(instance) == [("first", 1, OPEN, "")]


NO_GATEWAY = """<startEvent id="start" xw:form="ask"/><userTask id="sign" name="会签" xw:assignee="${{signer}}">
  <multiInstanceLoopCharacteristics xw:collection="form.people" xw:elementVariable="signer">{until}
  </multiInstanceLoopCharacteristics></userTask><userTask id="next" name="下一步" xw:assignee="${{starter.id}}"/>
  <endEvent id="e"/><sequenceFlow id="a" sourceRef="start" targetRef="sign"/>
  <sequenceFlow id="b" sourceRef="sign" targetRef="next"/><sequenceFlow id="c" sourceRef="next" targetRef="e"/>"""


def no_gateway(until: str) -> bytes:
    form = {"components": [{"type": "textfield", "key": "people", "label": "会签人"}]}
    condition = f"<completionCondition>{until}</completionCondition>"
    return document(NO_GATEWAY.format(until=condition), forms={"ask": form})


def test_without_a_gateway_it_is_what_they_decide_that_ends_the_process(cast: Cast) -> None:
    """One rejection of a vote that is won must not end it; a vote that is lost must not go on like one that is won."""
    instance = begin(cast, no_gateway(RATIO), ",".join(SIGNERS))
    callers = [cast.client_for(name) for name in SIGNERS]
    sign(callers[0], "")
    assert status(instance) == InstanceStatus.RUNNING
    sign(callers[1])
    sign(callers[2])
    assert [row[0] for row in states(instance)] == ["sign", "sign", "sign", "next"]
    lost = begin(cast, no_gateway(RATIO), ",".join(SIGNERS), key="two")
    sign(callers[0], "")
    assert sign(callers[1], "").data["processIsFinished"] == "finished"
    assert status(lost) == InstanceStatus.REJECTED
    assert states(lost) == [("sign", 1, DONE, "reject"), ("sign", 1, DONE, "reject"), ("sign", 1, DROPPED, "")]


TELLS = """<startEvent id="start" xw:form="ask"/><userTask id="sign" name="会签" xw:assignee="${{signer}}">
  <multiInstanceLoopCharacteristics xw:collection="form.people" xw:elementVariable="signer" {order}/></userTask>
  <serviceTask id="tell" name="通知" xw:operation="message.send"><extensionElements>
  <xw:parameter name="to">user:${{starter.id}}</xw:parameter><xw:parameter name="title">已批准</xw:parameter>
  </extensionElements></serviceTask><endEvent id="e"/><sequenceFlow id="a" sourceRef="start" targetRef="sign"/>
  <sequenceFlow id="b" sourceRef="sign" targetRef="tell"/><sequenceFlow id="c" sourceRef="tell" targetRef="e"/>"""


@pytest.mark.parametrize("order", ["", 'isSequential="true"'])
def test_nothing_behind_a_rejected_countersign_is_carried_out(cast: Cast, order: str) -> None:
    form = {"components": [{"type": "textfield", "key": "people", "label": "会签人"}]}
    xml = document(TELLS.format(order=order), forms={"ask": form})
    instance = begin(cast, xml, "repairer,repairer2")
    sign(cast.client_for("repairer"))
    assert sign(cast.client_for("repairer2"), "").data["processIsFinished"] == "finished"
    assert status(instance) == InstanceStatus.REJECTED
    with tenant_scope(A):
        assert [event.effects for event in Event.objects.filter(operation="task.complete")] == [[], []]
        assert not OutboxMessage.objects.exists()
        assert "tell" not in ProcessInstance.objects.get(pk=instance).nodes

    acts = [{"node": "sign", "outcome": "agree"}, {"node": "sign", "outcome": "reject"}]
    people = ",".join(str(cast.user(name).pk) for name in SIGNERS[:2])
    asked = {"xml": xml.decode(), "acts": acts, "values": {"people": people}}
    run = cast.client_for("flow_designer").post_json("blade-flow/model/dry-run", asked).data
    assert run["standing"] == "rejected"
    assert [(step["operations"], step["refusal"]) for step in run["steps"]] == [([], None)] * 3


def test_what_an_act_costs_does_not_grow_with_the_signers(cast: Cast) -> None:
    def statements(call: Callable[..., Body], *given: Any, **named: Any) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert call(*given, **named).status == 200
        return sum(not query["sql"].upper().startswith(_HOUSEKEEPING) for query in captured)

    costs = []
    people = ["repairer", "repairer2", "repair_leader", "repairer_other", "equip_manager", "viewer"]
    for number, key in ((2, "a"), (2, "b"), (6, "c")):
        definition = deploy(drawn("nrOfCompletedInstances &gt;= 2"), key=key)
        body = {"processDefinitionId": str(definition.pk), "variables": {"people": ",".join(people[:number])}}
        start = cast.client_for("operator")
        begun = statements(start.post_json, f"{WORK}start-process", body)
        first, second = cast.client_for("repairer"), cast.client_for("repairer2")
        ids = [tasks(first)[0]["taskId"], tasks(second)[0]["taskId"]]
        one = statements(sign, first, task=ids[0])
        two = statements(sign, second, task=ids[1])
        costs.append((begun, one, two))
    # The first has caches to fill; whoever ends it early lets the others go in one more statement.
    assert costs[2][:2] == costs[1][:2]
    assert costs[2][2] <= costs[1][2] + 2


def test_a_records_own_steps_and_operations_are_done_once(cast: Cast) -> None:
    loop = (
        '<bpmn:multiInstanceLoopCharacteristics xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL">'
        "<bpmn:loopCardinality>2</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>"
    )
    xml = (settings.MODELS_DIR / "leave" / "leave.bpmn").read_text("utf-8")
    root = engine.read(xml.encode())
    for kind in ("userTask", "serviceTask"):
        node = next(element for element in root.iter() if str(element.tag).endswith("}" + kind))
        name = node.get("id")
        opening = xml.index(f'id="{name}"')
        close = xml.index(">", opening)
        if xml[close - 1] == "/":
            head = xml.rindex("<", 0, opening)
            word = xml[head + 1 : opening].split()[0]
            changed = f"{xml[: close - 1]}>{loop}</{word}>{xml[close + 1 :]}"
        else:
            end = xml.index(f"{kind}>", close)
            place = xml.rindex("</", 0, end)
            changed = f"{xml[:place]}{loop}{xml[place:]}"
        found = [(one.element, one.code) for one in gate.examine(changed.encode()).errors]
        assert (name, "many_own") in found, (kind, found)


@pytest.mark.parametrize(
    ("people", "found"), [("", ("sign", "dry_run", "warning")), ("x", ("sign", "name_unknown", "error"))]
)
def test_the_gate_tries_a_countersign_with_signers_and_without(people: str, found: tuple[str, str, str]) -> None:
    verdict = gate.examine(drawn(RATIO))
    assert verdict.errors == [] and verdict.meta is not None
    assert [one["key"] for one in verdict.meta["nodes"]["sign"]["outcomes"]] == ["reject", "agree"]
    broken = gate.examine(drawn("votes.agree + 'x' == signer" + people))
    assert found in [(one.element, one.code, one.level) for one in broken.problems]


def races(function: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that needs real transactions of several threads."""
    return pytest.mark.django_db(transaction=True)(function)  # type: ignore[no-any-return]


@races
@pytest.mark.parametrize(
    ("until", "done"), [("", 6), (RATIO, 4), ("nrOfCompletedInstances &gt;= 1", 1), ("outcome == 'reject'", 6)]
)
def test_all_sign_at_the_same_moment_and_nothing_is_lost_or_doubled(cast: Cast, until: str, done: int) -> None:
    people = ["repairer", "repairer2", "repair_leader", "repairer_other", "equip_manager", "viewer"]
    instance = begin(cast, drawn(until), ",".join(people))
    callers = [cast.client_for(name) for name in people]
    named = [tasks(caller)[0]["taskId"] for caller in callers]
    answers: list[Body] = []
    start = threading.Barrier(len(people) * 2)

    def run(caller: Caller, task: str) -> None:
        start.wait(20)
        answers.append(sign(caller, task=task))
        connection.close()

    connection.close()
    pairs = [*zip(callers, named, strict=True)] * 2  # everybody presses twice
    threads = [threading.Thread(target=run, args=pair) for pair in pairs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == len(pairs)
    assert {answer.status for answer in answers} <= {200, 409}
    assert {answer["error"] for answer in answers if answer.status == 409} <= {"workflow.taskGone"}
    found = states(instance)
    assert sorted(row[2] for row in found) == [DONE] * done + [DROPPED] * (6 - done)
    assert status(instance) == InstanceStatus.COMPLETED
    with tenant_scope(A):
        assert Event.objects.filter(operation="task.complete", instance_id=instance).count() == done
        assert ProcessInstance.objects.get(pk=instance).nodes["sign"] == done
        assert queues.drift() == []
