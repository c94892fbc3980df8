"""What the gate asks of a drawing beyond whether it can be parsed: warnings, required effects, a dry run."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.cases.process import declaration
from core.maintenance.case import REPAIR as ORDERS
from tests.workflows.drawings import LINE, drawing, large, line, task
from workflows import engine
from workflows.engine import document, outgoing
from workflows.workbench import gate

ROOT = Path(__file__).resolve().parents[3]
REPAIR = (ROOT / "bpmn/repairorder/repairorder.bpmn").read_bytes()
REQUIRED = [["a.begun"], ["a.done", "a.dropped"]]


def codes(xml: bytes) -> list[tuple[str, str]]:
    """Elements and codes of the errors that the parser finds."""
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml)
    return [(problem.element, problem.code) for problem in caught.value.problems]


def call(name: str, operation: str) -> str:
    """A service task."""
    return f'<serviceTask id="{name}" xw:operation="{operation}"/>'


def missing(body: str) -> list[str]:
    """The ends that are reached without the required effects."""
    engine.parse(drawing(body))
    return [problem.element for problem in engine.missing_effects(engine.read(drawing(body)), REQUIRED)]


CHAIN = (
    f'<startEvent id="s"/>{call("x", "a.begun")}{task("w")}{call("y", "a.done")}<endEvent id="e"/>'
    '<f a="s" b="x"/><f a="x" b="w"/><f a="w" b="y"/><f a="y" b="e"/>'
)


def test_the_effects_lie_on_the_way_in_their_order() -> None:
    assert missing(CHAIN) == []
    assert missing(CHAIN.replace("a.done", "a.dropped")) == []
    assert missing(CHAIN.replace("a.done", "a.other")) == ["e"]
    assert missing(CHAIN.replace("a.begun", "a.other")) == ["e"]
    swapped = CHAIN.replace("a.begun", "-").replace("a.done", "a.begun").replace("-", "a.done")
    assert missing(swapped) == ["e"]


def test_a_way_round_the_effect_is_found_and_named_by_its_end() -> None:
    round_it = CHAIN.replace(
        '<f a="w" b="y"/>', '<exclusiveGateway id="g" default="d"/><f a="w" b="g"/><endEvent id="o"/>'
    )
    round_it += '<f id="d" a="g" b="y"/><f a="g" b="o" if="outcome == \'x\'"/>'
    assert missing(round_it) == ["o"]
    both = round_it.replace('<endEvent id="o"/>', f'{call("z", "a.dropped")}<endEvent id="o"/><f a="z" b="o"/>')
    assert missing(both.replace('b="o" if', 'b="z" if')) == []


def test_an_event_that_breaks_off_may_do_so_before_anything_is_done() -> None:
    inside = f'<startEvent id="is"/>{call("x", "a.begun")}{task("i")}<endEvent id="ie"/>'
    inside += '<f a="is" b="x"/><f a="x" b="i"/><f a="i" b="ie"/>'
    body = f'<startEvent id="s"/><subProcess id="w">{inside}</subProcess>{call("y", "a.done")}<endEvent id="e"/>'
    body += '<f a="s" b="w"/><f a="w" b="y"/><f a="y" b="e"/>'
    assert missing(body) == []
    timer = "<timerEventDefinition><timeDuration>P1D</timeDuration></timerEventDefinition>"
    event = f'<boundaryEvent id="b" attachedToRef="w">{timer}</boundaryEvent><endEvent id="o"/>'
    late = body + event + call("z", "a.done") + '<f a="b" b="z"/><f a="z" b="o"/>'
    assert missing(late) == ["o"]
    beside = late.replace('attachedToRef="w"', 'attachedToRef="w" cancelActivity="false"')
    assert missing(beside) == []
    ends_all = beside.replace('<endEvent id="o"/>', '<endEvent id="o"><terminateEventDefinition/></endEvent>')
    assert missing(ends_all) == ["o"]


def test_of_parallel_ways_one_is_enough_where_they_join() -> None:
    body = f'<startEvent id="s"/>{call("x", "a.begun")}<parallelGateway id="f"/>{task("w")}{call("y", "a.done")}'
    body += (
        '<parallelGateway id="j"/><endEvent id="e"/><f a="s" b="x"/><f a="x" b="f"/><f a="f" b="w"/><f a="f" b="y"/>'
    )
    body += '<f a="w" b="j"/><f a="y" b="j"/><f a="j" b="e"/>'
    assert missing(body) == []
    assert missing(body.replace("parallelGateway", "inclusiveGateway")) == ["e"]


def test_a_loop_does_not_hide_a_missing_effect() -> None:
    loop = (
        f'<startEvent id="s"/>{call("x", "a.begun")}<exclusiveGateway id="in"/>{task("w")}<exclusiveGateway id="g"/>'
        f'{call("y", "a.done")}<endEvent id="e"/><f a="s" b="x"/><f a="x" b="in"/><f a="in" b="w"/><f a="w" b="g"/>'
        '<f a="g" b="y" if="outcome == \'y\'"/><f a="y" b="in"/><f a="g" b="e"/>'
    )
    assert missing(loop) == ["e"]


@pytest.mark.parametrize("operation", ["reported", "passed", "autoPassed", "cancelled"])
def test_without_one_of_its_effects_the_shipped_model_does_not_pass(operation: str) -> None:
    required = declaration(ORDERS)["effects"]["required_on_every_path"]
    assert engine.missing_effects(engine.read(REPAIR), required) == []
    other = REPAIR.replace(f'"repairorder.{operation}"'.encode(), b'"repairorder.hung"')
    assert other != REPAIR
    assert engine.missing_effects(engine.read(other), required) != []


def test_a_join_whose_token_never_comes_is_found_by_the_dry_run() -> None:
    body = f'<startEvent id="s"/>{task("w")}<exclusiveGateway id="g" default="d"/>{task("x")}{task("y")}'
    body += '<parallelGateway id="j"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="g"/><f id="d" a="g" b="y"/>'
    body += '<f a="g" b="x" if="outcome == \'x\'"/><f a="x" b="j"/><f a="y" b="j"/><f a="j" b="e"/>'
    spec = engine.parse(drawing(body))
    assert [(one.element, one.code, one.level) for one in engine.rehearse(spec, {})] == [("j", "stuck", "error")]
    assert engine.rehearse(engine.parse(drawing(CHAIN)), {}) == []
    assert engine.rehearse(engine.parse(REPAIR), {}) == []


def test_sending_back_out_of_a_branch_is_found_by_the_tokens_at_its_join() -> None:
    """Sent back once, b is done twice: the same tasks wait as before, and one token more stands at the join."""
    body = f'<startEvent id="s"/>{task("edit")}{task("a")}{task("b")}{task("after")}<endEvent id="e"/>'
    body += '<exclusiveGateway id="in"/><parallelGateway id="f"/><exclusiveGateway id="g" default="d"/>'
    body += '<parallelGateway id="j"/><f a="s" b="in"/><f a="in" b="edit"/><f a="edit" b="f"/><f a="f" b="a"/>'
    body += '<f a="f" b="b"/><f a="a" b="g"/><f a="g" b="in" if="outcome == \'back\'"/><f id="d" a="g" b="j"/>'
    body += '<f a="b" b="j"/><f a="j" b="after"/><f a="after" b="e"/>'
    found = engine.rehearse(engine.parse(drawing(body)), {})
    assert [(one.element, one.code, one.level) for one in found] == [("j", "stuck", "error")]


@pytest.mark.parametrize("is_timed", [False, True])
def test_a_branch_that_leaves_before_its_join_is_found_whatever_waits_round_it(is_timed: bool) -> None:
    inside = (
        f'<startEvent id="b"/><parallelGateway id="f"/>{task("w")}{task("x")}<exclusiveGateway id="g" default="d"/>'
    )
    inside += '<parallelGateway id="j"/><endEvent id="in"/><endEvent id="out"/><f a="b" b="f"/><f a="f" b="w"/>'
    inside += '<f a="f" b="x"/><f a="w" b="g"/><f id="d" a="g" b="j"/><f a="x" b="j"/><f a="j" b="in"/>'
    inside += '<f a="g" b="out" if="outcome == \'out\'"/>'
    timer = '<boundaryEvent id="t" attachedToRef="both"><timerEventDefinition><timeDuration>P2D</timeDuration>'
    timer += '</timerEventDefinition></boundaryEvent><endEvent id="late"/><f a="t" b="late"/>'
    body = f'<startEvent id="s"/><subProcess id="both">{inside}</subProcess>{timer * is_timed}<endEvent id="e"/>'
    spec = engine.parse(drawing(f'{body}<f a="s" b="both"/><f a="both" b="e"/>'))
    assert [(one.element, one.code, one.level) for one in engine.rehearse(spec, {})] == [("j", "stuck", "error")]


def test_a_burst_of_tokens_is_found_by_the_dry_run() -> None:
    body = '<startEvent id="s"/><endEvent id="e"/><f a="s" b="f0"/>' + task("wait") + '<f a="wait" b="e"/>'
    for n in range(12):
        after = f"f{n + 1}" if n < 11 else "wait"
        body += f'<parallelGateway id="f{n}"/><task id="l{n}"/><task id="r{n}"/><exclusiveGateway id="m{n}"/>'
        body += f'<f a="f{n}" b="l{n}"/><f a="f{n}" b="r{n}"/><f a="l{n}" b="m{n}"/><f a="r{n}" b="m{n}"/>'
        body += f'<f a="m{n}" b="{after}"/>'
    problems = engine.rehearse(engine.parse(drawing(body)), {})
    assert [(one.code, one.level) for one in problems] == [("limit", "error")]


def test_an_expression_that_fails_in_the_dry_run_is_a_warning_at_its_element() -> None:
    body = f'<startEvent id="s"/>{task("w")}<exclusiveGateway id="g" default="d"/><endEvent id="e"/><endEvent id="o"/>'
    body += '<f a="s" b="w"/><f a="w" b="g"/><f a="g" b="o" if="days > 3"/><f id="d" a="g" b="e"/>'
    spec = engine.parse(drawing(body))
    assert [(one.element, one.code, one.level) for one in engine.rehearse(spec, {})] == [("g", "dry_run", "warning")]
    assert engine.rehearse(spec, {"days": None}) == []


def test_a_gateway_without_a_way_says_so_and_quotes_no_expression() -> None:
    body = (
        f'<startEvent id="s"/>{task("w")}<exclusiveGateway id="g"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="g"/>'
    )
    spec = engine.parse(drawing(body + '<f a="g" b="e" if="outcome == \'x\'"/>'))
    (found,) = engine.rehearse(spec, {})
    assert (found.element, found.text_zh, found.text_en) == (
        "g",
        "试运行：该网关没有条件成立的出线，也没有默认连线",
        "Dry run: The gateway has no outgoing flow with a true condition and no default flow",
    )


def uncovered(body: str, outcomes: str = "x,y", **known: engine.Values) -> list[tuple[str, str, str, str]]:
    """What is said of the gateways behind the step `w`, which has these outcomes."""
    gateway = '<exclusiveGateway id="g" name="怎么办"/><endEvent id="e"/><endEvent id="o"/>'
    xml = drawing(f'<startEvent id="s"/>{task("w")}{gateway}{body}<f a="s" b="w"/><f a="w" b="g"/>')
    root = engine.read(re.sub(rb'xmlns:(flowable|activiti|camunda)="[^"]*"', b"", xml))
    found = engine.uncovered(root, {"w": outcomes.split(",")}, {f"form.{name}": one for name, one in known.items()})
    return [(one.element, one.code, one.level, one.text_zh) for one in found]


IS_X = '<f a="g" b="e" if="outcome == \'x\'"/>'


def test_a_choice_that_may_have_no_way_on_is_an_error_at_the_gateway() -> None:
    assert uncovered(IS_X + '<f a="g" b="o"/>') == []
    assert uncovered(IS_X + '<f a="g" b="o" if="outcome == \'y\'"/>') == []
    assert uncovered(IS_X + '<f a="g" b="o" if="outcome == \'y\'"/>', "x,y,z") == [
        ("g", "no_way_holds", "error", "网关“怎么办”没有默认连线，上一步处理结果为“z”时没有成立的分支，流程无法继续")
    ]
    assert uncovered(IS_X) == [
        ("g", "no_way_holds", "error", "网关“怎么办”没有默认连线，上一步处理结果为“y”时没有成立的分支，流程无法继续")
    ]


@pytest.mark.parametrize(
    ("first", "second", "values", "when"),
    [
        ("form.n > 3", "form.n <= 3", engine.Values("number"), ""),
        ("form.n > 3", "form.n < 3", engine.Values("number"), "form.n为“3”"),
        ("form.n > 3", "form.n <= 3", engine.Values("number", may_be_empty=True), "form.n为空"),
        ("form.n == true", "form.n == false", engine.Values("flag"), ""),
        ("form.n == 'a'", "form.n == 'b'", engine.Values(options=("a", "b")), ""),
        ("form.n == 'a'", "form.n == 'b'", engine.Values(options=("a", "b", "c")), "form.n为“c”"),
        ("form.n == 'a'", "form.n != 'a'", engine.Values("text", may_be_empty=True), ""),
        ("form.n == 'a'", "form.n == 'b'", engine.Values("text"), "form.n为其他值"),
        ("form.n", "!form.n", engine.Values("flag"), ""),
    ],
)
def test_a_choice_is_tried_with_what_its_names_may_hold(
    first: str, second: str, values: engine.Values, when: str
) -> None:
    found = uncovered(f'<f a="g" b="e" if="{first}"/><f a="g" b="o" if="{second}"/>', n=values)
    said = f"网关“怎么办”没有默认连线，{when}时没有成立的分支，流程无法继续"
    assert found == ([("g", "no_way_holds", "error", said)] if when else [])


def test_a_condition_on_an_outcome_that_no_step_has_is_an_error_at_its_flow() -> None:
    flows = '<f id="way" a="g" b="e" if="outcome == \'z\'"/><f a="g" b="o"/>'
    assert uncovered(flows) == [("way", "outcome_unknown", "error", "条件不会成立：前面的步骤没有处理结果“z”")]


def test_a_flow_without_condition_beside_a_default_flow_is_an_error() -> None:
    body = IS_X + '<f id="bare" a="g" b="o"/><f id="d" a="g" b="o"/>'
    assert [one[:3] for one in uncovered(body)] == [("bare", "no_condition", "error")]


def test_what_has_no_effect_here_is_named() -> None:
    xml = drawing(line('<userTask id="w" xmlns:z="urn:other" z:speed="9"/>'))
    assert [(one.element, one.code, one.level) for one in engine.adopt(engine.read(xml))] == [
        ("w", "no_effect", "warning")
    ]
    colours = 'xmlns:bioc="http://bpmn.io/schema/bpmn/biocolor/1.0" bioc:stroke="#f00"'
    assert engine.adopt(engine.read(drawing(line(f'<userTask id="w" {colours}/>')))) == []


@pytest.mark.parametrize(
    "name",
    [
        "a b",
        "a'b",
        'a"b'.replace('"', "&quot;"),
        "a]b",
        "a/b",
        "1a",
        "a:b",
        "-a",
        "a" * 81,
        "a" * 100_000,
        "&lt;a&gt;",
        "a​b",
    ],
)
def test_an_id_that_cannot_be_read_is_refused_and_shown_short(name: str) -> None:
    found = codes(drawing(LINE.replace('"w"', f'"{name}"')))
    assert {code for _element, code in found} == {"bad_id"}
    assert all(len(element) <= 40 for element, _code in found)


def test_ids_in_chinese_are_ids() -> None:
    assert "办理-1.a" in engine.parse(drawing(LINE.replace('"w"', '"办理-1.a"'))).nodes


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('name="办理"', f'xw:nameEn="{"x" * 121}"', "too_long"),
        ('xw:formKey="leave"', f'xw:formKey="{"x" * 61}"', "too_long"),
        ('name="办理"', 'completionQuantity="2"', "unsupported"),
        ('name="办理"', 'isForCompensation="true"', "unsupported"),
        ('name="办理"', 'madeUp="1"', "unsupported"),
        ('name="办理"', 'xmlns:z="http://camunda.org/schema/zeebe/1.0" z:a="1"', "unsupported"),
        ("role:tenant_admin", "role:${a", "candidates"),
        ("role:tenant_admin", "user:${ record.id }", "candidates"),
        ('name="办理"', f'xw:outcomes="{"x" * 41}"', "outcomes"),
        ('name="办理"', f'xw:outcomes="{",".join(f"o{n}" for n in range(21))}"', "outcomes"),
    ],
)  # fmt: skip
def test_what_does_not_fit_or_is_not_known_is_refused(old: str, new: str, code: str) -> None:
    assert ("w", code) in codes(drawing(LINE.replace(old, new)))


def test_what_other_engines_put_into_a_step_is_refused_by_the_steps_name() -> None:
    inside = '<extensionElements><z:script xmlns:z="http://spiffworkflow.org/bpmn/schema/1.0/core">1</z:script></extensionElements>'
    assert codes(drawing(line(f'<userTask id="w">{inside}</userTask>'))) == [("w", "unsupported")]
    retrieval = '<collaboration id="c"><correlationKey id="k"/></collaboration>'
    assert codes(drawing(LINE, beside=retrieval)) == [("k", "unsupported")]


def test_a_large_drawing_is_read_and_its_flows_are_looked_up_once_for_all_questions(monkeypatch: Any) -> None:
    # 292 nodes: before, each node looked through all flows, and each question read the document anew.
    reads, looked = [], []
    monkeypatch.setattr(document.etree, "fromstring", _counting(reads, document.etree.fromstring))
    monkeypatch.setattr(outgoing, "_Scope", _counting(looked, outgoing._Scope))
    verdict = gate.examine(large(300), "flow_1")
    assert (verdict.problems, len(verdict.meta["nodes"]) if verdict.meta else 0) == ((), 118)
    assert (len(reads), len(looked)) == (1, 1)


def test_a_drawing_that_is_only_moved_about_is_judged_once(monkeypatch: Any) -> None:
    seen: list[None] = []
    monkeypatch.setattr(gate.engine, "specify", _counting(seen, engine.specify))
    gate._judged.cache_clear()
    shape = (
        f'<d:BPMNDiagram xmlns:d="{document.DI[1:-1]}"><d:BPMNPlane><d:BPMNShape bpmnElement="w" x="%s"/></d:BPMNPlane>'
    )
    here, there = (drawing(LINE, beside=shape % place + "</d:BPMNDiagram>") for place in (10, 20))
    first = gate.judged(here)
    assert (gate.examine(here).problems, len(seen)) == (first.problems, 2)
    assert gate.judged(there) is first
    assert len(seen) == 2
    renamed = gate.judged(here.replace("办理".encode(), "复核".encode()))
    assert (renamed.problems, len(seen)) == (first.problems, 3)
    call = LINE.replace("<userTask", '<callActivity id="c" calledElement="c"/><userTask', 1)
    monkeypatch.setattr(gate.library, "to_call", lambda key: engine.Problem("", "nobody", "无", "None"))
    calling = [gate.judged(drawing(call)) for _ in range(2)]
    assert calling[0] is not calling[1]
    assert gate.judged(b"<definitions").errors[0].code == "xml"


def _counting(calls: list[None], function: Callable[..., Any]) -> Callable[..., Any]:
    def counted(*args: Any) -> Any:
        calls.append(None)
        return function(*args)

    return counted


LOOP = "<multiInstanceLoopCharacteristics><loopCardinality>{}</loopCardinality></multiInstanceLoopCharacteristics>"
SUB = f'<startEvent id="is"/>{call("y", "a.done")}<endEvent id="ie"/><f a="is" b="y"/><f a="y" b="ie"/></subProcess>'


def test_an_effect_that_is_called_for_each_of_a_list_may_not_be_called_at_all() -> None:
    several = CHAIN.replace(
        call("y", "a.done"), f'<serviceTask id="y" xw:operation="a.done">{LOOP.format(3)}</serviceTask>'
    )
    assert missing(several) == ["e"]
    inside = CHAIN.replace(call("y", "a.done"), f'<subProcess id="z">{SUB}').replace(
        'b="y"/><f a="y"', 'b="z"/><f a="z"'
    )
    inside = inside.replace('<f a="is" b="z"/><f a="z" b="ie"/>', '<f a="is" b="y"/><f a="y" b="ie"/>')
    assert missing(inside) == []
    assert missing(inside.replace('<subProcess id="z">', f'<subProcess id="z">{LOOP.format(3)}')) == ["e"]


def test_an_operation_behind_a_step_of_several_may_be_given_the_input_before_it() -> None:
    body = CHAIN.replace(task("w"), task("v") + task("w")).replace('a="x" b="w"', 'a="x" b="v"')
    body += '<f a="v" b="w"/>'
    assert engine.inputs(engine.read(drawing(body)))["a.done"] == {"w"}
    opening = body.index('<userTask id="w"')
    close = body.index("/>", opening)
    several = f"{body[:close]}>{LOOP.format(2)}</userTask>{body[close + 2 :]}"
    assert engine.inputs(engine.read(drawing(several)))["a.done"] == {"w", "v"}
    assert engine.repeated(engine.read(drawing(several))) == {"w"}


def test_a_rehearsal_asks_nobody_and_two() -> None:
    many = (
        '<multiInstanceLoopCharacteristics xw:collection="form.people" xw:elementVariable="one">'
        "<completionCondition>${votes.agree &gt; one.weight}</completionCondition></multiInstanceLoopCharacteristics>"
    )
    body = (
        f'<startEvent id="s"/><userTask id="w" xw:formKey="x" xw:outcomes="agree,reject">{many}</userTask>'
        '<exclusiveGateway id="g" default="d"/><endEvent id="e"/><userTask id="no" xw:formKey="x"/>'
        '<parallelGateway id="j"/><endEvent id="e2"/><f a="s" b="w"/><f a="w" b="g"/><f id="d" a="g" b="e"/>'
        '<f a="g" b="no" if="outcome == \'reject\'"/><f a="no" b="j"/><f a="j" b="e2"/>'
    )
    spec = engine.parse(drawing(body))
    assert [(one.element, one.code) for one in engine.rehearse(spec, {"form": {"people": None}})] == [("w", "dry_run")]
    right = engine.parse(drawing(body.replace("one.weight", "1")))
    assert engine.rehearse(right, {"form": {"people": None}}) == []
    stuck = engine.parse(
        drawing(
            body.replace("one.weight", "1").replace(
                "<parallelGateway", '<f a="g" b="j" if="outcome == \'x\'"/><parallelGateway'
            )
        )
    )
    assert [(one.element, one.code) for one in engine.rehearse(stuck, {"form": {"people": None}})] == [("j", "stuck")]
