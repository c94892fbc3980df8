"""Service tasks that reach outside: they wait for their answer, however long it takes."""

from typing import Any

import pytest

from workflows import engine

CALLS = """
  <startEvent id="s"/><userTask id="ask"/><serviceTask id="send" xw:operation="sms.send"/><exclusiveGateway id="g"/>
  <userTask id="sent"/><userTask id="failed"/><endEvent id="e"/><boundaryEvent id="late" attachedToRef="send">
  <timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></boundaryEvent>
  <f a="s" b="ask"/><f a="ask" b="send"/><f a="send" b="g"/><f a="g" b="sent" if="outcome == 'ok'"/>
  <f a="g" b="failed"/><f a="late" b="failed"/><f a="sent" b="e"/><f a="failed" b="e"/>
"""


@pytest.fixture
def run(drive: Any) -> Any:
    """An instance that waits for the answer to its one call."""
    run = drive(CALLS)
    note = run.host.call
    run.host.call = lambda *said: (note(*said), engine.LATER)[1]
    run.start()
    run.complete("ask")
    return run


def test_the_task_waits_until_it_is_answered_and_is_called_once(run: Any) -> None:
    (call,) = run.step.calls
    assert (call.node, call.operation, run.open, run.step.completed) == ("send", "sms.send", [], False)
    assert run.step.passed == ("ask",)
    assert engine.look(run.spec, run.step.state).calls == (call,)
    step = engine.answer(run.spec, run.step.state, call.task, "ok", run.host)
    assert (step.calls, [task.node for task in step.tasks], step.timers) == ((), ["sent"], ())
    assert (step.passed, run.host.calls) == (("send", "g"), [("sms.send", "send")])


def test_an_answer_counts_once(run: Any) -> None:
    (call,) = run.step.calls
    step = engine.answer(run.spec, run.step.state, call.task, "no", run.host)
    assert [task.node for task in step.tasks] == ["failed"]
    for task in (call.task, "", "nonsense", step.tasks[0].task):
        with pytest.raises(engine.TaskNotOpen):
            engine.answer(run.spec, step.state, task, "ok", run.host)


def test_an_event_on_the_border_ends_the_waiting(run: Any) -> None:
    (call,) = run.step.calls
    step = run.fire("late")
    assert (step.calls, run.open) == ((), ["failed"])
    with pytest.raises(engine.TaskNotOpen):
        engine.answer(run.spec, step.state, call.task, "ok", run.host)


def test_a_call_is_no_step_of_a_person(run: Any) -> None:
    (call,) = run.step.calls
    with pytest.raises(engine.TaskNotOpen):
        engine.complete(run.spec, run.step.state, call.task, "ok", {}, run.host)


def test_cancelling_ends_the_waiting(run: Any) -> None:
    assert engine.cancel(run.spec, run.step.state).calls == ()


def test_an_operation_that_is_done_at_once_does_not_wait(drive: Any) -> None:
    run = drive(CALLS)
    run.start()
    assert (run.complete("ask").calls, run.open) == ((), ["failed"])
