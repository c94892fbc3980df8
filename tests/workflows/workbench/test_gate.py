"""The deployment check of a record's process: its own steps and operations are done once."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings

from tests.cast import B, Cast
from tests.workflows.drawings import drawing, line, task
from workflows import engine
from workflows.workbench import gate

pytestmark = pytest.mark.django_db

REPAIR = (Path(settings.MODELS_DIR) / "repairorder/repairorder.bpmn").read_text(encoding="utf-8")
LOOP = "<multiInstanceLoopCharacteristics><loopCardinality>2</loopCardinality></multiInstanceLoopCharacteristics>"


def refused_as_repeated(xml: str) -> set[str]:
    """The nodes of a document that the check refuses because they would be done several times."""
    return {problem.element for problem in gate.examine(xml.encode()).problems if problem.code == "many_own"}


def with_loop(kind: str, node: str) -> str:
    """The repair model with a loop in one of its activities."""
    head, found, rest = REPAIR.partition(f'<{kind} id="{node}"')
    assert found
    tag, _end, rest = rest.partition(">")
    if tag.endswith("/"):
        return f"{head}{found}{tag[:-1]}>{LOOP}</{kind}>{rest}"
    return f"{head}{found}{tag}>{LOOP}{rest}"


def test_the_shipped_model_repeats_nothing() -> None:
    assert refused_as_repeated(REPAIR) == set()


@pytest.mark.parametrize(
    ("kind", "node", "refused"),
    [
        ("serviceTask", "finished", {"finished"}),
        ("userTask", "check", {"check"}),
        ("subProcess", "repairing", {"repair", "transferred", "finished", "hung", "hold", "resumed"}),
    ],
)
def test_a_record_s_own_step_or_operation_in_a_loop_is_refused(kind: str, node: str, refused: set[str]) -> None:
    assert refused_as_repeated(with_loop(kind, node)) == refused


@pytest.mark.parametrize(
    ("kind", "people", "name"),
    [
        ("", 'flowable:assignee="${INITIATOR}"', "INITIATOR"),
        ("", 'flowable:candidateGroups="${starterX}"', "starterX"),
        ('flowable:initiator="INITIATOR"', 'flowable:assignee="${INITIATOR}"', ""),
        ("", 'xw:assignee="${starter.boss}"', "starter.boss"),
        ("", 'xw:assignee="${record.userId}"', "record.userId"),
        ("", 'xw:assignee="${outcome}"', "outcome"),
    ],
)
def test_a_name_that_nothing_provides_is_an_error_at_its_step(kind: str, people: str, name: str) -> None:
    body = line(f'<userTask id="w" {people} xw:formKey="leave"/>').replace('id="s"', f'id="s" {kind}')
    verdict = gate.examine(drawing(body))
    said = f"名称“{name}”不存在：没有表单字段、流程变量或单据数据提供它"
    assert [(one.element, one.code, one.text_zh) for one in verdict.errors] == (
        [("w", "name_unknown", said)] if name else []
    )
    assert (verdict.meta is None) == bool(name)


def test_a_step_from_which_nothing_leads_to_an_end_is_an_error_at_it() -> None:
    body = f'<startEvent id="s"/>{task("w")}<exclusiveGateway id="g" default="d"/>{task("again")}<endEvent id="e"/>'
    body += '<f a="s" b="w"/><f a="w" b="g"/><f a="g" b="again" if="outcome == \'more\'"/><f id="d" a="g" b="e"/>'
    round_it = '<exclusiveGateway id="x" default="dx"/><f a="again" b="x"/><f id="dx" a="x" b="again"/>'
    round_it += '<f a="x" b="e" if="outcome == null"/>'
    assert [(one.element, one.code) for one in gate.examine(drawing(body + round_it)).errors] == [
        ("again", "no_way_to_end")
    ]
    assert gate.examine(drawing(body + '<f a="again" b="e"/>')).errors == []


def test_what_the_engine_adds_to_a_drawing_is_told_of_the_element_that_is_drawn() -> None:
    body = f'<startEvent id="s"/>{task("w")}{task("lost")}<endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>'
    assert [(one.element, one.code) for one in gate.examine(drawing(body)).problems] == [
        ("lost", "no_way_out"),
        ("lost", "unreachable"),
    ]


FOREIGN = drawing(
    '<startEvent id="s"/><userTask id="w" camunda:assignee="${approver}" camunda:dueDate="${due}" '
    'camunda:formKey="embedded:app:approve.html"><extensionElements><camunda:taskListener class="org.x.Listener"/>'
    '</extensionElements></userTask><userTask id="r" camunda:candidateGroups="finance,viewer"/>'
    '<serviceTask id="a" camunda:delegateExpression="${archive}"/><serviceTask id="x" camunda:type="external" '
    'camunda:topic="payment"/><scriptTask id="c" scriptFormat="groovy"><script>new File("x").text</script></scriptTask>'
    '<serviceTask id="n"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="r"/><f a="r" b="a"/><f a="a" b="x"/>'
    '<f a="x" b="c"/><f a="c" b="n"/><f a="n" b="e"/>'
)


def test_what_an_import_leaves_behind_is_listed_by_element_all_at_once(cast: Cast) -> None:
    said = cast.client_for("flow_designer").post_json("blade-flow/model/validate", {"xml": FOREIGN.decode()}).data
    assert sorted((one["element"], one["code"], one["messageZh"]) for one in said["problems"]) == [
        ("a", "operation_unknown", "操作“archive”不存在"),
        ("c", "script", "脚本有误：“new”不能转换为表达式"),
        ("n", "operation", "服务任务未指定操作"),
        ("r", "role_unknown", "角色“finance”不存在"),
        ("w", "name_unknown", "名称“approver”不存在：没有表单字段、流程变量或单据数据提供它"),
        ("w", "no_effect", "“dueDate”、“taskListener”不支持，将被忽略"),
        ("x", "operation_unknown", "操作“payment”不存在"),
    ]


FILLED = (
    '<startEvent id="s"><extensionElements><flowable:formProperty id="amount" name="金额" type="long"/>'
    "</extensionElements></startEvent>"
    '<userTask id="w" xmlns:acme="urn:acme" acme:colour="red" flowable:assignee="${asker}"><extensionElements>'
    '<acme:note>x</acme:note></extensionElements></userTask><exclusiveGateway id="g" default="small"/>'
    '<serviceTask id="n"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="g"/><f a="n" b="e"/>'
    '<sequenceFlow id="small" sourceRef="g" targetRef="e"/>'
    '<sequenceFlow id="big" sourceRef="g" targetRef="n"><conditionExpression>${amount &gt; 9}</conditionExpression>'
    "</sequenceFlow>"
)


def test_a_refused_file_is_judged_with_the_form_of_its_start_and_tells_what_it_loses() -> None:
    """What is wrong elsewhere does not make the fields of the start unknown, nor hide what has no effect."""
    verdict = gate.examine(drawing(FILLED))
    said = {(one.element, one.code, one.text_zh) for one in verdict.problems}
    assert ("n", "operation", "服务任务未指定操作") in said
    assert {one for one in said if one[1] in ("name_unknown", "form_place")} == {
        ("w", "name_unknown", "名称“asker”不存在：没有表单字段、流程变量或单据数据提供它"),
    }
    assert {one for one in said if one[1] == "no_effect"} == {
        ("w", "no_effect", "“colour”、“note”不支持，将被忽略"),
    }


def _naming(dept: int, team: int, user: str, foreign: int) -> str:
    known = f"role:hr@{dept} team:{team} user:{user}"
    return drawing(
        '<startEvent id="s"/><userTask id="a" xw:assignee="nobody" xw:formKey="leave"/>'
        f'<userTask id="b" xw:candidates="{known} role:hr@7 team:9 user:{foreign}" xw:formKey="leave"/>'
        '<userTask id="c" xw:candidates="role:${starter.name} user:${starter.id} role:nobody" xw:formKey="leave"/>'
        '<endEvent id="e"/><f a="s" b="a"/><f a="a" b="b"/><f a="b" b="c"/><f a="c" b="e"/>'
    ).decode()


def test_whoever_the_company_does_not_have_is_an_error_at_the_step_that_names_them(cast: Cast) -> None:
    user, foreign = cast.user("repairer"), cast.user("repairer", B).pk
    xml = _naming(user.dept_id, cast.team("mechanics").pk, user.account, foreign)
    caller = cast.client_for("flow_designer")
    said = caller.in_english().post_json("blade-flow/model/validate", {"xml": xml}).data["problems"]
    assert [(one["element"], one["code"], one["level"], one["message"]) for one in said if one["level"] == "error"] == [
        ("a", "user_unknown", "error", "The user “nobody” does not exist or is disabled"),
        ("b", "dept_unknown", "error", "The department “7” does not exist"),
        ("b", "team_unknown", "error", "The team “9” does not exist"),
        ("b", "user_unknown", "error", f"The user “{foreign}” does not exist or is disabled"),
        ("c", "role_unknown", "error", "The role “nobody” does not exist"),
    ]


def test_a_form_of_another_engine_is_told() -> None:
    verdict = gate.examine(drawing(line('<userTask id="w" camunda:assignee="x" camunda:formKey="embedded:a.html"/>')))
    assert [(one.element, one.code, one.text_zh) for one in verdict.problems] == [
        ("w", "form_page", "表单“embedded:a.html”在此不可用，将使用同意/驳回表单")
    ]


LONG = "c" * 30


def test_what_is_found_in_a_called_process_is_told_at_its_call_however_long_its_id() -> None:
    body = f'<startEvent id="s"/><callActivity id="{LONG}" calledElement="q"/><endEvent id="e"/>'
    caller = drawing(f'{body}<f a="s" b="{LONG}"/><f a="{LONG}" b="e"/>', key="p" * 70)
    inner = (
        '<startEvent id="s"/><userTask id="w" flowable:owner="x"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>'
    )
    for more, code in (("", "no_effect"), ('<complexGateway id="g"/><f a="w" b="g"/>', "unsupported")):
        verdict = gate.examine(caller, beside={"q": drawing(inner + more, key="q")})
        assert {one.element for one in verdict.problems if one.code == code} == {LONG}
        assert {one.element for one in verdict.problems if one.code == "shortened"} == {"p" * 70}
    assert gate.examine(caller, beside={"q": drawing(inner, key="q")}).key == engine.process_key("p" * 70)


OVER = {
    "a moment of its own": "R3/2020-01-01T08:00/P1D",
    "until": "FREQ=DAILY;BYHOUR=8;UNTIL=20200131T000000",
    "count": "DTSTART:20200101T080000 RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=4",
}
COME = ("R3/PT1H", "R/2020-01-01T08:00/P1D", "FREQ=DAILY;BYHOUR=8", "${record.rule}")


def _waiting(cycle: str, more: str = "") -> bytes:
    timer = f"<timerEventDefinition><timeCycle {more}>{cycle}</timeCycle></timerEventDefinition>"
    return drawing(line(f'<intermediateCatchEvent id="w">{timer}</intermediateCatchEvent>'))


def _over(xml: bytes) -> list[tuple[str, str, str, str]]:
    problems = gate.examine(xml).problems
    return [(one.element, one.level, one.text_zh, one.text_en) for one in problems if one.code == "timer_over"]


REFUSED = [(
    "w", "error", "定时规则已没有后续时间，流程到达后无法继续",
    "The timer’s rule has no further occurrence: the process could not go on from here",
)]  # fmt: skip


@pytest.mark.parametrize("cycle", OVER.values(), ids=OVER)
def test_an_event_that_waits_for_a_rule_that_is_over_is_refused(cycle: str) -> None:
    assert _over(_waiting(cycle)) == REFUSED


def test_the_end_of_a_rule_counts_and_a_rule_that_still_comes_is_taken() -> None:
    assert _over(_waiting("R/PT1H", 'flowable:endDate="2020-01-01T00:00:00"')) == REFUSED
    assert [_over(_waiting(cycle)) for cycle in COME] == [[]] * len(COME)


def test_at_a_border_or_behind_an_event_based_gateway_a_rule_that_is_over_is_a_warning() -> None:
    timer = f"<timerEventDefinition><timeCycle>{OVER['count']}</timeCycle></timerEventDefinition>"
    border = f'<boundaryEvent id="b" attachedToRef="w">{timer}</boundaryEvent><f a="b" b="e"/>'
    beside = (
        '<startEvent id="s"/><eventBasedGateway id="g"/><receiveTask id="m" messageRef="n"/><endEvent id="e"/>'
        f'<intermediateCatchEvent id="b">{timer}</intermediateCatchEvent><f a="s" b="g"/><f a="g" b="m"/>'
        '<f a="g" b="b"/><f a="m" b="e"/><f a="b" b="e"/>'
    )
    told = [(
        "b", "warning", "定时规则已没有后续时间，该事件不会触发",
        "The timer’s rule has no further occurrence: the event never triggers",
    )]  # fmt: skip
    assert _over(drawing(line(task("w")) + border)) == told
    assert _over(drawing(beside, beside='<message id="n" name="answer"/>')) == told
