# ruff: noqa: E501
"""Tokens that cannot go on: they wait where they are, what ran before stays, and a repair lets them go on from there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.workflows.drawings import places
from workflows import engine

TIMER = "<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>"
MESSAGES = '<message id="m" name="m"/><error id="x" errorCode="E1"/>'
LOOP = "<multiInstanceLoopCharacteristics {0}><loopCardinality>3</loopCardinality><completionCondition>{1}</completionCondition></multiInstanceLoopCharacteristics>"

# After `ask` an operation is called; then w fails unless record.n is right.
BEFORE = '<startEvent id="s"/><userTask id="ask"/><serviceTask id="call" xw:operation="note"/><endEvent id="e"/><userTask id="after"/><f a="s" b="ask"/><f a="ask" b="call"/><f a="call" b="w"/><f a="after" b="e"/>'
FAILING = {
    "a gateway without a way": '<exclusiveGateway id="w"/><f a="w" b="after" if="record.n == 1"/><f a="w" b="e" if="record.n == 2"/>',
    "a condition": '<exclusiveGateway id="w" default="d"/><f a="w" b="after" if="record.n - 1 == 0"/><f id="d" a="w" b="e"/>',
    "an inclusive gateway": '<inclusiveGateway id="w"/><f a="w" b="after" if="record.n == 1"/><f a="w" b="e" if="record.n == 2"/>',
    "a parameter": '<serviceTask id="w" xw:operation="tell"><extensionElements><xw:parameter name="n">${{record.n + 1}}</xw:parameter></extensionElements></serviceTask><f a="w" b="after"/>',
    "a script": '<scriptTask id="w" scriptFormat="groovy"><script>execution.setVariable("x", record.n + 1)</script></scriptTask><f a="w" b="after"/>',
    "an error that nobody catches": '<scriptTask id="w" scriptFormat="groovy"><script>if (record.n != 1) { throw new BpmnError("E1") }</script></scriptTask><f a="w" b="after"/>',
    "the list of a loop": '<userTask id="w"><multiInstanceLoopCharacteristics xw:collection="${{record.n + 1 == 2 ? [] : [1]}}"/></userTask><f a="w" b="after"/>',
    "the name of a message": '<intermediateThrowEvent id="w"><messageEventDefinition messageRef="m" xw:key="${{record.n + 0}}"/></intermediateThrowEvent><f a="w" b="after"/>',
}  # fmt: skip


@pytest.mark.parametrize("what", FAILING)
def test_what_fails_keeps_its_token_until_a_retry(drive: Any, host: Any, what: str) -> None:
    host.lent = {"record": {"n": "?"}}
    run = drive(BEFORE + FAILING[what].replace("{{", "{").replace("}}", "}"), MESSAGES)
    run.start()
    step = run.complete("ask")
    assert (step.passed, [node for _name, node in host.calls]) == (("ask", "call"), ["call"])
    assert (run.open, [node for node, _code in run.faults], step.completed) == ([], ["w"], False)
    assert engine.look(run.spec, step.state).faults == step.faults
    assert engine.tokens(run.spec, step.state) in ({"w": 1}, {})  # a loop counts its instances
    again = run.retry()  # nothing is repaired
    assert (again.faults, again.passed) == (step.faults, ())
    host.lent = {"record": {"n": 1}}
    run.retry()
    assert (run.open, run.faults) == (["after"], [])
    assert [node for _name, node in host.calls][:1] == ["call"] and len(host.calls) <= 2  # not called again
    assert run.complete("after").completed


@pytest.mark.parametrize("what", FAILING)
def test_a_start_that_fails_is_refused(drive: Any, host: Any, what: str) -> None:
    host.lent = {"record": {"n": "?"}}
    body = BEFORE.replace('<userTask id="ask"/>', '<task id="ask"/>') + FAILING[what].replace("{{", "{").replace(
        "}}", "}"
    )
    with pytest.raises(engine.ExpressionError) as caught:
        drive(body, MESSAGES).start()
    assert caught.value.node == "w"


@pytest.mark.parametrize(
    ("event", "left"),
    [
        (f'<intermediateCatchEvent id="w">{TIMER.replace("PT1H", "${record.n}")}</intermediateCatchEvent>', []),
        (f'<userTask id="w2"/><boundaryEvent id="w" attachedToRef="w2">{TIMER.replace("PT1H", "${record.n}")}</boundaryEvent><f a="w2" b="e"/>', ["w2"]),
    ],
    ids=["on the way", "at the border"],
)  # fmt: skip
def test_an_event_whose_time_fails_waits_from_the_retry_on(drive: Any, host: Any, event: str, left: list[str]) -> None:
    host.lent = {"record": {"n": "?"}}
    body = (BEFORE + event + '<f a="w" b="after"/>').replace('b="w"/>', 'b="w2"/>' if left else 'b="w"/>', 1)
    run = drive(body)
    run.start()
    step = run.complete("ask")
    assert (run.open, run.faults, step.timers) == (left, [("w", "expression")], ())
    host.lent = {"record": {"n": "PT2H"}}
    assert [(timer.node, timer.text) for timer in run.retry().timers] == [("w", "PT2H")]
    run.fire("w")
    assert run.open == ["after"]


@pytest.mark.parametrize("in_turn", ["true", "false"])
def test_a_loop_that_cannot_be_decided_counts_the_vote_once(drive: Any, host: Any, in_turn: str) -> None:
    host.lent = {"record": {"n": "?"}}
    loop = LOOP.format(f'isSequential="{in_turn}"', "nrOfCompletedInstances &gt;= record.n + 1")
    run = drive(BEFORE + f'<userTask id="w">{loop}</userTask><f a="w" b="after"/>')
    run.start()
    run.complete("ask")
    assert len(run.open) == (1 if in_turn == "true" else 3)
    run.complete("w", "yes")
    assert (run.faults, len(run.open)) == ([("w", "expression")], 0 if in_turn == "true" else 2)
    host.lent = {"record": {"n": 1}}
    run.retry()
    assert (run.faults, len(run.open)) == ([], 1 if in_turn == "true" else 2)
    run.complete("w", "yes")
    assert run.open == ["after"]


def test_a_condition_that_fails_while_it_waits_is_asked_again_after_the_retry(drive: Any, host: Any) -> None:
    condition = '<intermediateCatchEvent id="w"><conditionalEventDefinition><condition>record.n + 1 == 2</condition></conditionalEventDefinition></intermediateCatchEvent>'
    host.lent = {"record": {"n": "?"}}
    run = drive(BEFORE + condition + '<f a="w" b="after"/>')
    run.start()
    run.complete("ask")
    assert run.faults == [("w", "expression")]
    host.lent = {"record": {"n": 1}}
    run.retry()
    assert run.open == ["after"]


# a and b come to the join over one way, and c ends beside it.
LEFT = '<startEvent id="s"/><parallelGateway id="fork"/><userTask id="a"/><userTask id="c"/><exclusiveGateway id="g" default="d"/><parallelGateway id="join" name="汇合"/><userTask id="after"/><endEvent id="e"/><endEvent id="e2"/><f a="s" b="fork"/><f a="fork" b="a"/><f a="fork" b="c"/><f a="a" b="join"/><f a="c" b="g"/><f id="d" a="g" b="e2"/><f a="g" b="join" if="outcome == \'x\'"/><f a="join" b="after"/><f a="after" b="e"/>'


@pytest.mark.parametrize("order", ["ac", "ca"])
def test_a_token_left_at_a_join_keeps_the_process_from_ending_in_any_order(drive: Any, order: str) -> None:
    run = drive(LEFT)
    run.start()
    run.complete(order[0])
    assert run.faults == []
    run.complete(order[1])
    assert (run.step.completed, run.faults, run.step.faults[0].text_zh) == (
        False,
        [("join", "stuck")],
        "流程在“汇合”处无法继续：没有等待任何人或事件",
    )
    assert run.retry().faults == engine.look(run.spec, run.step.state).faults != ()
    assert sorted(places(run.spec, run.step.state, "join")) == ["after", "e"]
    assert not engine.by_hand(run.spec, run.step.state)["join"][0]
    run.move("join", "after")
    assert (run.open, run.faults) == (["after"], [])
    assert run.complete("after").completed
    assert engine.tokens(run.spec, run.step.state) == {}


def test_a_token_at_a_join_is_not_moved_while_others_may_come(drive: Any) -> None:
    run = drive(LEFT)
    run.start()
    run.complete("a")
    assert places(run.spec, run.step.state, "join") == ()


def test_a_failed_node_is_left_by_a_move_and_not_by_a_skip(drive: Any, host: Any) -> None:
    host.lent = {"record": {"n": "?"}}
    run = drive(BEFORE + FAILING["a gateway without a way"])
    run.start()
    run.complete("ask")
    assert sorted(places(run.spec, run.step.state, "w")) == ["after", "ask", "call", "e"]
    with pytest.raises(engine.NotMovable):
        engine.skip(run.spec, run.step.state, "w", "", host)
    run.move("w", "after")
    assert (run.open, run.faults) == (["after"], [])


def test_what_is_cancelled_leaves_no_token_at_a_join(drive: Any) -> None:
    run = drive(LEFT)
    run.start()
    run.complete("a")
    step = engine.cancel(run.spec, run.step.state)
    assert (step.completed, engine.tokens(run.spec, step.state), step.faults) == (True, {}, ())


def test_a_part_that_starves_is_said_though_a_message_may_still_come(drive: Any) -> None:
    inside = LEFT.replace('id="s"', 'id="is"').replace('a="s"', 'a="is"')
    body = f'<startEvent id="s"/><subProcess id="part">{inside}</subProcess><endEvent id="oe"/><f a="s" b="part"/><f a="part" b="oe"/>'
    border = '<boundaryEvent id="b" attachedToRef="part" cancelActivity="{0}">{1}</boundaryEvent><f a="b" b="oe"/>'
    message = '<messageEventDefinition messageRef="m"/>'
    for cancels, event, said in (("true", message, ["join"]), ("false", TIMER, ["join"]), ("true", TIMER, [])):
        run = drive(body + border.format(cancels, event), MESSAGES)
        run.start()
        run.complete("c")
        run.complete("a")
        assert [node for node, _code in run.faults] == said


HANDLED = '<startEvent id="s"/><userTask id="w"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>'
HANDLER = '<subProcess id="{0}" triggeredByEvent="true"><startEvent id="{0}s" isInterrupting="{1}">{2}</startEvent><userTask id="{0}w"/><endEvent id="{0}e">{3}</endEvent><f a="{0}s" b="{0}w"/><f a="{0}w" b="{0}e"/></subProcess>'
ERROR = '<errorEventDefinition errorRef="x"/>'
MESSAGE = '<messageEventDefinition messageRef="m"/>'


def test_an_event_sub_process_that_interrupts_ends_the_others_of_its_scope(drive: Any) -> None:
    run = drive(HANDLED + HANDLER.format("h", "false", TIMER, "") + HANDLER.format("k", "true", MESSAGE, ""), MESSAGES)
    run.start()
    run.fire("hs")
    assert run.open == ["hw", "w"]
    step = run.send("m")
    assert (run.open, step.timers, step.catches) == (["kw"], (), ())
    assert run.complete("kw").completed


@pytest.mark.parametrize("outer", [False, True], ids=["of the process", "of a sub-process with a border"])
def test_an_error_in_an_event_sub_process_comes_to_the_handler_beside_it(drive: Any, outer: bool) -> None:
    body = HANDLED + HANDLER.format("h", "false", TIMER, ERROR) + HANDLER.format("k", "true", ERROR, "")
    if outer:
        inner = body.replace('"s"', '"is"').replace('"e"', '"ie"')
        body = f'<startEvent id="s"/><subProcess id="part">{inner}</subProcess><userTask id="border"/><endEvent id="e"/><f a="s" b="part"/><f a="part" b="e"/>'
        body += f'<boundaryEvent id="b" attachedToRef="part">{ERROR}</boundaryEvent><f a="b" b="border"/><f a="border" b="e"/>'
    run = drive(body, MESSAGES)
    run.start()
    run.fire("hs")
    run.complete("hw")
    assert run.open == ["kw"]
    assert run.complete("kw").completed


def test_one_message_breaks_an_activity_off_once(drive: Any) -> None:
    border = (
        '<boundaryEvent id="{0}" attachedToRef="w">'
        + MESSAGE
        + '</boundaryEvent><userTask id="{0}w"/><f a="{0}" b="{0}w"/><f a="{0}w" b="e"/>'
    )
    run = drive(HANDLED + border.format("p") + border.format("q"), MESSAGES)
    run.start()
    run.send("m")
    assert run.open == ["pw"]
