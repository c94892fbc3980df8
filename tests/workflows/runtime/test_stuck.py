"""Steps behind which the process cannot go on: they are taken, and an incident says what has to be repaired."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.audit.models import Event
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Body, Cast
from tests.checksums import checksum
from tests.workflows.standalone import deploy, document
from workflows import engine
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.timers.models import Timer
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

FOLLOW, WORK = "blade-flow/follow", "blade-flow/work"
FORM = {"components": [{"type": "number", "key": "way", "label": "方式"}]}
PERSON = 'xw:candidates="role:repair_leader"'


def _flow(source: str, target: str, condition: str = "") -> str:
    inside = f"<conditionExpression>${{{condition}}}</conditionExpression>" if condition else ""
    return f'<sequenceFlow id="{source}-{target}" sourceRef="{source}" targetRef="{target}">{inside}</sequenceFlow>'


BEGIN = f'<startEvent id="start" xw:form="apply"/><userTask id="go" name="办理" {PERSON}/><endEvent id="done"/>'
BEGIN += _flow("start", "go")
CHOICE = BEGIN + f'<exclusiveGateway id="choose" name="选择" xw:nameEn="Choice"/><userTask id="next" {PERSON}/>'
CHOICE += _flow("go", "choose") + _flow("choose", "next", "form.way == 1") + _flow("choose", "done", "form.way == 2")
CHOICE += _flow("next", "done")
PEOPLE = BEGIN + '<userTask id="next" xw:candidates="team:${form.way-1==0?\'1\':form.way.no}"/>'
PEOPLE += _flow("go", "next") + _flow("next", "done")
JOIN = (
    BEGIN
    + '<parallelGateway id="join" name="汇合" xw:nameEn="Join"/><exclusiveGateway id="choose" default="choose-join"/>'
)
JOIN += f'<userTask id="next" {PERSON}/><task id="never"/>' + _flow("go", "choose") + _flow("choose", "join")
JOIN += (
    _flow("choose", "never", "form.way == 9") + _flow("never", "join") + _flow("join", "next") + _flow("next", "done")
)


class Process:
    """One process of a company's own, and the people who act on it."""

    def __init__(self, cast: Cast, body: str, way: int) -> None:
        self.cast = cast
        definition = deploy(document(body, forms={"apply": FORM}))
        asked = {"processDefinitionId": str(definition.pk), "variables": {"way": way}}
        started = cast.client_for("operator").post_json(f"{WORK}/start-process", asked)
        assert started.status == 200, started
        self.pk = int(started.data["processInstanceId"])

    @property
    def row(self) -> ProcessInstance:
        with tenant_scope(A):
            return ProcessInstance.objects.get(pk=self.pk)  # type: ignore[no-any-return]

    def items(self, state: int = ItemState.OPEN) -> list[str]:
        with tenant_scope(A):
            return list(
                WorkItem.objects.filter(instance=self.pk, state=state).order_by("id").values_list("node", flat=True)
            )

    def events(self) -> list[tuple[str, str, str]]:
        with tenant_scope(A):
            rows = Event.objects.filter(instance_id=self.pk).order_by("id")
            return list(rows.values_list("operation", "user_name", "node"))[1:]  # without the start

    def complete(self, node: str) -> Body:
        with tenant_scope(A):
            task = WorkItem.objects.get(instance=self.pk, node=node, state=ItemState.OPEN).pk
        return self.cast.client_for("repair_leader").post_json(
            f"{WORK}/complete-task", {"taskId": str(task), "flag": "ok"}
        )

    def follow(self, call: str, **body: Any) -> Body:
        designer = self.cast.client_for("flow_designer")
        if call == "retry-process-instance":
            return designer.post_json(f"{FOLLOW}/{call}", processInstanceId=str(self.pk))
        return designer.post_json(f"{FOLLOW}/{call}", {"processInstanceId": str(self.pk), **body})

    def detail(self) -> dict[str, Any]:
        designer = self.cast.client_for("flow_designer").in_english()
        return designer.get(f"{FOLLOW}/detail", processInstanceId=self.pk).data  # type: ignore[no-any-return]


def test_a_step_before_a_gateway_without_a_way_is_taken_and_repaired_by_a_value(cast: Cast) -> None:
    run = Process(cast, CHOICE, way=3)
    assert run.complete("go").status == 200
    row = run.row
    assert (row.park_code, row.park_node, row.nodes) == ("expression", "choose", {"start": 1, "go": 1})
    assert (row.park_text, row.status) == ("该网关没有条件成立的出线，也没有默认连线", InstanceStatus.RUNNING)
    assert (run.items(), run.items(ItemState.DONE)) == ([], ["go"])
    leader = cast.user("repair_leader").real_name
    assert run.events() == [("task.complete", leader, "go"), ("process.park", "系统", "choose")]
    told = run.detail()
    assert (told["incidents"][0]["node"], told["incidents"][0]["nodeName"]) == ("choose", "Choice")
    assert told["followActions"] == ["retry", "move", "suspend", "end"]
    before = checksum(A)
    again = run.follow("retry-process-instance")
    assert (again.status, again["error"], again.msg) == (409, "workflow.expression", row.park_text)
    assert checksum(A) == before  # nothing is repaired yet
    assert run.follow("correct-value", key="way", value=1, reason="录错").status == 200
    assert run.follow("retry-process-instance").status == 200
    assert (run.row.park_time, run.items()) == (None, ["next"])
    assert [(one["node"], bool(one["endTime"])) for one in run.detail()["incidents"]] == [("choose", True)]
    assert run.complete("next").status == 200
    assert run.row.status == InstanceStatus.COMPLETED


def test_a_process_stuck_at_a_join_is_repaired_by_a_move(cast: Cast) -> None:
    run = Process(cast, JOIN, way=1)
    assert run.complete("go").status == 200
    row = run.row
    assert (row.park_code, row.park_node, row.park_text) == (
        "stuck",
        "join",
        "流程在“汇合”处无法继续：没有等待任何人或事件",
    )
    assert row.park_text_en == "The process cannot continue at “Join”: it waits for nobody and for no event"
    [token] = run.detail()["tokens"]
    assert (token["node"], token["skips"]) == ("join", False)
    assert [one["node"] for one in token["targets"]] == ["go", "next", "done"]
    before = checksum(A)
    for account, tenant, status in (("equip_manager", A, 403), ("tenant_admin", B, 404)):
        body = {"processInstanceId": str(run.pk), "node": "join", "to": "next", "reason": "补"}
        assert cast.client_for(account, tenant).post_json(f"{FOLLOW}/move-token", body).status == status
    assert run.follow("skip-element", node="join", reason="补").status == 409
    assert (
        run.follow("move-token", node="join", to="next", reason="补", isPreview=True).data["opened"][0]["node"]
        == "next"
    )
    assert checksum(A) == before
    assert run.follow("move-token", node="join", to="next", reason="补").status == 200
    assert (run.row.park_time, run.items()) == (None, ["next"])
    assert run.complete("next").status == 200
    assert run.row.status == InstanceStatus.COMPLETED


def test_a_step_whose_people_cannot_be_told_is_offered_after_the_repair(cast: Cast) -> None:
    run = Process(cast, PEOPLE, way=3)
    assert run.complete("go").status == 200
    assert (run.row.park_code, run.row.park_node, run.items()) == ("expression", "next", [])
    assert run.follow("correct-value", key="way", value=1, reason="录错").status == 200
    assert run.follow("retry-process-instance").status == 200
    assert (run.row.park_time, run.items()) == (None, ["next"])


def test_a_start_that_leads_nowhere_is_refused(cast: Cast) -> None:
    body = CHOICE.replace('<userTask id="go" name="办理"', '<task id="go" name="办理"').replace(f"{PERSON}/>", "/>", 1)
    definition = deploy(document(body, forms={"apply": FORM}))
    before = checksum(A)
    asked = {"processDefinitionId": str(definition.pk), "variables": {"way": 3}}
    answer = cast.client_for("operator").post_json(f"{WORK}/start-process", asked)
    assert (answer.status, answer["error"]) == (409, "workflow.expression")
    assert checksum(A) == before


@pytest.mark.parametrize(("node", "is_refused"), [("dispatched", True), ("repair", False)])
def test_a_command_is_refused_where_an_operation_of_its_record_would_lose_its_input(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, node: str, is_refused: bool
) -> None:
    save = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响", "force": 1}
    order = cast.client_for("operator").post_json("yuzhu-equip/repairorder/save", save).data
    honest = engine.complete

    def failing(*given: Any) -> engine.Step:
        return replace(honest(*given), faults=(engine.Failure(node, "expression", "条件有误", "A condition fails"),))

    monkeypatch.setattr(engine, "complete", failing)
    before = checksum(A)
    body = {"id": order["id"], "lockVersion": 1, "action": "dispatch", "repairUserId": str(cast.user("repairer").pk)}
    answer = cast.client_for("repair_leader").post_json("yuzhu-equip/repairorder/update", body)
    with tenant_scope(A):
        instance = ProcessInstance.objects.get(business_id=order["id"])
    if is_refused:
        assert (answer.status, answer["error"], answer.msg) == (409, "workflow.expression", "条件有误")
        assert checksum(A) == before
    else:
        assert (answer.status, instance.park_code, instance.park_node) == (200, "expression", node)


OVER, COMES = "R1/2020-01-01T08:00:00/P1D", "R1/2100-01-01T08:00:00/P1D"
"""A repetition without a further occurrence, and one that still comes."""
CHOSEN = f"${{form.way == 1 ? '{OVER}' : '{COMES}'}}"


def _timer(said: str, kind: str = "timeCycle", *, more: str = "", node: str = "intermediateCatchEvent") -> str:
    definition = f"<timerEventDefinition><{kind}>{said}</{kind}></timerEventDefinition>"
    return f'<{node} id="wait" name="等待" {more}>{definition}</{node}>'


def _due_times() -> list[str]:
    with tenant_scope(A):
        return [row.due_time and f"{row.due_time:%Y-%m-%d}" for row in Timer.objects.order_by("id")]


def test_an_event_whose_rule_is_over_is_an_incident_and_a_corrected_value_gives_it_a_moment(cast: Cast) -> None:
    run = Process(cast, BEGIN + _timer(CHOSEN) + _flow("go", "wait") + _flow("wait", "done"), way=1)
    assert run.complete("go").status == 200
    row = run.row
    assert (row.park_code, row.park_node, row.nodes) == ("timer_over", "wait", {"start": 1, "go": 1})
    assert row.park_text == f"定时规则“{OVER}”已没有后续时间，流程无法由此继续"
    assert row.park_text_en == (
        f"The timer’s rule “{OVER}” has no further occurrence: the process cannot go on from here"
    )
    assert (run.items(), run.items(ItemState.DONE), _due_times()) == ([], ["go"], [])
    before = checksum(A)
    again = run.follow("retry-process-instance")
    assert (again.status, again["error"], again.msg) == (409, "workflow.timer_over", row.park_text)
    assert checksum(A) == before
    assert run.follow("correct-value", key="way", value=2, reason="录错").status == 200
    assert run.follow("retry-process-instance").status == 200
    assert (run.row.park_time, _due_times()) == (None, ["2100-01-01"])


def test_an_event_whose_rule_is_over_can_be_skipped(cast: Cast) -> None:
    run = Process(cast, BEGIN + _timer(CHOSEN) + _flow("go", "wait") + _flow("wait", "done"), way=1)
    run.complete("go")
    assert run.follow("skip-element", node="wait", reason="不再等待").status == 200
    assert (run.row.status, run.row.park_time) == (InstanceStatus.COMPLETED, None)


def test_a_start_that_comes_to_an_event_whose_rule_is_over_is_refused(cast: Cast) -> None:
    body = '<startEvent id="start" xw:form="apply"/><endEvent id="done"/>' + _timer(CHOSEN)
    definition = deploy(document(body + _flow("start", "wait") + _flow("wait", "done"), forms={"apply": FORM}))
    asked = {"processDefinitionId": str(definition.pk), "variables": {"way": 1}}
    before = checksum(A)
    refused = cast.client_for("operator").post_json(f"{WORK}/start-process", asked)
    assert (refused.status, refused["error"]) == (409, "workflow.timer_over")
    assert checksum(A) == before


@pytest.mark.parametrize("more", ["", 'cancelActivity="false"'])
def test_at_the_border_of_a_step_a_rule_that_is_over_never_triggers_and_holds_up_nothing(cast: Cast, more: str) -> None:
    border = _timer(CHOSEN, more=f'attachedToRef="next" {more}', node="boundaryEvent")
    body = BEGIN + f'<userTask id="next" {PERSON}/>' + border
    run = Process(cast, body + _flow("go", "next") + _flow("next", "done") + _flow("wait", "done"), way=1)
    run.complete("go")
    assert (run.row.park_time, run.items(), _due_times()) == (None, ["next"], [None])
    run.complete("next")
    assert run.row.status == InstanceStatus.COMPLETED


def test_an_event_whose_date_has_no_value_is_an_incident(cast: Cast) -> None:
    said = "${form.way == 1 ? '' : '2100-01-01T08:00:00'}"
    run = Process(cast, BEGIN + _timer(said, "timeDate") + _flow("go", "wait") + _flow("wait", "done"), way=1)
    assert run.complete("go").status == 200
    assert (run.row.park_code, run.row.park_node, _due_times()) == ("expression", "wait", [])
    assert run.follow("correct-value", key="way", value=2, reason="录错").status == 200
    assert run.follow("retry-process-instance").status == 200
    assert (run.row.park_time, _due_times()) == (None, ["2100-01-01"])
