"""Operations that answer later, business errors, and starts by message and by signal."""

from typing import Any

import pytest

from workflows import engine

HEAD = '<error id="no" errorCode="none"/><message id="m" name="order"/><signal id="sig" name="alarm"/>'
ERROR = '<errorEventDefinition errorRef="no"/>'
LINE = """<startEvent id="s"/><serviceTask id="ask" xw:operation="ask"><extensionElements>
  <xw:parameter name="n">${form.n}</xw:parameter><xw:result name="price" to="price"/></extensionElements></serviceTask>
  <exclusiveGateway id="g" default="low"/><userTask id="dear"/><userTask id="cheap"/><endEvent id="e"/>
  <f a="s" b="ask"/><f a="ask" b="g"/><f a="g" b="dear" if="price > 100"/><f id="low" a="g" b="cheap"/>
  <f a="dear" b="e"/><f a="cheap" b="e"/>"""
CATCHES = f"""<boundaryEvent id="b" attachedToRef="ask">{ERROR}</boundaryEvent><userTask id="other"/>
  <f a="b" b="other"/><f a="other" b="e"/>"""
LATE = """<boundaryEvent id="late" attachedToRef="ask"><timerEventDefinition xw:due="r"/></boundaryEvent>
  <f a="late" b="e"/>"""


@pytest.fixture
def asking(drive: Any) -> Any:
    """A process that asks an operation which answers later, started."""

    def make(body: str = LINE, **form: Any) -> Any:
        run = drive(body, HEAD)
        run.host.later = {"ask"}
        run.host.lent = {"form": {"n": 7, **form}}
        run.start()
        return run

    return make


def test_a_task_waits_for_its_answer_whose_values_conditions_read(asking: Any) -> None:
    run = asking()
    (call,) = run.step.calls
    assert (call.node, call.operation, call.given, run.open, run.step.passed) == ("ask", "ask", {"n": 7}, [], ("s",))
    seen = engine.look(run.spec, run.step.state)
    assert [(one.task, one.given) for one in seen.calls] == [(call.task, None)]
    assert engine.tokens(run.spec, run.step.state) == {"ask": 1}
    run.host.lent = {"form": {"n": 8}}
    assert engine.given(run.spec, run.step.state, call.task, run.host) == {"n": 8}
    run.answer("ask", price=120)
    assert (run.open, run.step.calls, run.step.passed) == (["dear"], (), ("ask", "g"))
    with pytest.raises(engine.TaskNotOpen):
        engine.answer(run.spec, run.step.state, call.task, {}, run.host)
    with pytest.raises(engine.TaskNotOpen):
        engine.fail(run.spec, run.step.state, run.step.tasks[0].task, "none", run.host)


def test_an_error_goes_to_the_boundary_event_with_its_code_or_to_nobody(asking: Any) -> None:
    run = asking(LINE + CATCHES)
    with pytest.raises(engine.UncaughtError) as caught:
        run.fail("ask", "many")
    assert (caught.value.node, caught.value.text_en) == (
        "ask", "No boundary event catches the error “many” of the operation",
    )  # fmt: skip
    run.fail("ask", "none")
    assert (run.open, run.step.calls) == (["other"], ())
    around = f"""<startEvent id="o"/><subProcess id="sub">{LINE}</subProcess><userTask id="after"/><endEvent id="z"/>
      <boundaryEvent id="b" attachedToRef="sub">{ERROR}</boundaryEvent><userTask id="other"/>
      <f a="o" b="sub"/><f a="sub" b="after"/><f a="after" b="z"/><f a="b" b="other"/><f a="other" b="z"/>"""
    run = asking(around)
    run.fail("ask", "none")
    assert run.open == ["other"]


def test_what_interrupts_the_task_ends_the_wait(asking: Any) -> None:
    run = asking(LINE + LATE)
    run.fire("late")
    assert (run.step.completed, run.step.calls) == (True, ())


def test_each_loop_instance_waits_for_its_own_answer(asking: Any) -> None:
    loop = "<multiInstanceLoopCharacteristics><loopCardinality>2</loopCardinality></multiInstanceLoopCharacteristics>"
    run = asking(LINE.replace("</extensionElements></serviceTask>", f"</extensionElements>{loop}</serviceTask>"))
    assert [call.node for call in run.step.calls] == ["ask", "ask"]
    run.answer("ask", price=1)
    assert (run.open, len(run.step.calls)) == ([], 1)
    run.answer("ask", price=200)
    assert run.open == ["dear"]


def test_one_that_waits_is_skipped_or_moved_by_hand(asking: Any) -> None:
    run = asking(LINE.replace("price > 100", "form.n == 7"))
    assert engine.by_hand(run.spec, run.step.state)["ask"] == (True, ("dear", "cheap", "e"))
    assert [one.node for one in engine.skip(run.spec, run.step.state, "ask", "", run.host).tasks] == ["dear"]
    moved = engine.move(run.spec, run.step.state, "ask", "cheap", run.host)
    assert ([one.node for one in moved.tasks], moved.calls) == (["cheap"], ())


@pytest.mark.parametrize(("code", "open_nodes"), [("none", ["other"]), ("many", None)])
def test_an_operation_within_the_step_fails_with_a_business_error(
    drive: Any, code: str, open_nodes: list[str] | None
) -> None:
    run = drive(LINE + CATCHES, HEAD)
    run.host.lent = {"form": {"n": 7}}
    cause = LookupError("stock")
    run.host.fault = engine.BusinessError(code)
    run.host.fault.__cause__ = cause
    if open_nodes is None:
        with pytest.raises(LookupError) as caught:
            run.start()
        assert caught.value is cause  # as the operation raised it
    else:
        run.start()
        assert run.open == open_nodes


def test_the_rehearsal_tries_the_answer_and_the_errors_that_are_caught(xml: Any) -> None:
    # The join waits for both, of which the error leads to one and the answer to the other.
    bad = LINE.replace('<f a="dear" b="e"/>', '<f a="dear" b="j"/><parallelGateway id="j"/><f a="j" b="e"/>')
    bad += CATCHES.replace('<f a="other" b="e"/>', '<f a="other" b="j"/>')
    spec = engine.parse(xml(bad, HEAD))
    assert [one.code for one in engine.rehearse(spec, {"form": {"n": 1}})] == ["dry_run"]  # nobody sets the price
    found = engine.rehearse(spec, {"form": {"n": 1}}, later={"ask"})
    assert [(one.element, one.code) for one in found] == [("j", "stuck")]


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        ('<xw:result name="a" to="form.x"/><xw:result name="b" to="total"/>', None),
        ('<xw:result name="a" to="x"/><xw:result name="a" to="y"/>', "result_twice"),
        ('<xw:result name="a" to="form.x.y"/>', "result_target"),
        ('<xw:result name="a" to="outcome"/>', "result_target"),
        ('<xw:result name="" to="x"/>', "result_target"),
    ],
)
def test_where_results_go_is_checked(xml: Any, parts: str, problem: str | None) -> None:
    body = f"""<startEvent id="s"/><serviceTask id="ask" xw:operation="ask"><extensionElements>{parts}
      </extensionElements></serviceTask><endEvent id="e"/><f a="s" b="ask"/><f a="ask" b="e"/>"""
    if problem is None:
        assert dict(engine.parse(xml(body, HEAD)).nodes["ask"].results) == {"a": "form.x", "b": "total"}
        return
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml(body, HEAD))
    assert {(one.element, one.code) for one in caught.value.problems} == {("ask", problem)}


MESSAGE = '<messageEventDefinition messageRef="m" xw:fields="price, number"/>'
SIGNAL = '<signalEventDefinition signalRef="sig"/>'
STARTS = f"""<startEvent id="s"/><startEvent id="m1">{MESSAGE}</startEvent><startEvent id="m2">{SIGNAL}</startEvent>
  <userTask id="a"/><userTask id="b"/><userTask id="c"/><endEvent id="e"/><f a="s" b="a"/><f a="m1" b="b"/>
  <f a="m2" b="c"/><f a="a" b="e"/><f a="b" b="e"/><f a="c" b="e"/>"""


def test_an_instance_starts_at_the_event_whose_message_came(drive: Any) -> None:
    run = drive(STARTS, HEAD)
    assert dict(run.spec.message_starts) == {"m1": "order", "m2": "signal:alarm"}
    assert (run.spec.first, run.spec.nodes["m1"].carried) == ("s", ("price", "number"))
    for at, node in (("", "a"), ("m1", "b"), ("m2", "c")):
        step = run.start(at=at)
        assert (run.open, step.passed) == ([node], (at or "s",))


def test_a_process_that_only_a_message_starts_begins_there_by_hand_too(drive: Any) -> None:
    body = STARTS.replace('<startEvent id="s"/>', "").replace('<f a="s" b="a"/>', "").replace('<f a="a" b="e"/>', "")
    body = body.replace('<userTask id="a"/>', "")
    run = drive(body, HEAD)
    assert (run.spec.first, dict(run.spec.message_starts)) == ("m1", {"m1": "order", "m2": "signal:alarm"})
    assert [[one.node for one in run.start(at=at).tasks] for at in ("", "m1", "m2")] == [["b"], ["b"], ["c"]]


@pytest.mark.parametrize(
    ("start", "head"),
    [
        (MESSAGE, HEAD.replace('name="order"', 'name="order-${line}"')),
        (SIGNAL, HEAD.replace('id="sig"', 'id="sig" flowable:scope="processInstance"')),
        (MESSAGE + SIGNAL, HEAD),
        (MESSAGE.replace('"m"', '"unknown"'), HEAD),
    ],
)
def test_what_nobody_outside_can_name_starts_nothing(xml: Any, start: str, head: str) -> None:
    body = f"""<startEvent id="s"/><startEvent id="t">{start}</startEvent><userTask id="a"/><endEvent id="e"/>
      <f a="s" b="a"/><f a="t" b="a"/><f a="a" b="e"/>"""
    root = engine.read(xml(body, head))
    assert [(one.element, one.code) for one in engine.adopt(root)] == [("t", "start_by_hand")]
    assert engine.specify(root, b"").message_starts == {}
