"""Messages thrown and caught: by name and key, told in the step, never carried by the engine itself."""

from typing import Any

import pytest

from workflows import engine

MESSAGES = '<message id="m" name="parts"/><message id="n" name="news"/>'
# Throws twice on the way and once at its end; waits twice for one message, with two keys.
BODY = """
  <startEvent id="s"/><userTask id="ask"/><sendTask id="call" messageRef="m"/>
  <intermediateThrowEvent id="tell"><messageEventDefinition messageRef="n" xw:key="${form.number}"/>
  </intermediateThrowEvent><parallelGateway id="fork"/>
  <receiveTask id="plain" messageRef="m"/>
  <intermediateCatchEvent id="keyed"><messageEventDefinition messageRef="m" xw:key="K-${form.number}"/>
  </intermediateCatchEvent><parallelGateway id="join"/>
  <endEvent id="e"><messageEventDefinition messageRef="n"/></endEvent>
  <f a="s" b="ask"/><f a="ask" b="call"/><f a="call" b="tell"/><f a="tell" b="fork"/><f a="fork" b="plain"/>
  <f a="fork" b="keyed"/><f a="plain" b="join"/><f a="keyed" b="join"/><f a="join" b="e"/>
"""


@pytest.fixture
def run(drive: Any) -> Any:
    """An instance that has thrown its messages and waits for two."""
    run = drive(BODY, MESSAGES)
    run.start()
    run.complete("ask", number=7)
    return run


def test_what_is_thrown_is_told_with_its_key_and_wakes_nothing_by_itself(run: Any) -> None:
    assert run.step.thrown == (engine.Thrown("call", "parts", ""), engine.Thrown("tell", "news", "7"))
    assert run.step.passed == ("ask", "call", "tell", "fork")
    assert [(catch.node, catch.message, catch.key) for catch in run.step.catches] == [
        ("plain", "parts", ""),
        ("keyed", "parts", "K-7"),
    ]


def test_a_message_is_given_to_the_tasks_that_are_named_and_to_no_other(run: Any) -> None:
    plain, keyed = run.step.catches
    step = engine.send(run.spec, run.step.state, "parts", run.host, {keyed.task})
    assert (step.catches, step.passed, step.thrown) == ((plain,), ("keyed",), ())
    with pytest.raises(engine.NobodyWaits):
        engine.send(run.spec, step.state, "parts", run.host, {keyed.task})
    with pytest.raises(engine.NobodyWaits):
        engine.send(run.spec, step.state, "news", run.host, {plain.task})
    step = engine.send(run.spec, step.state, "parts", run.host, {plain.task})
    assert (step.completed, step.thrown) == (True, (engine.Thrown("e", "news", ""),))


def test_a_message_by_its_name_alone_goes_to_all_that_wait_for_it(run: Any) -> None:
    assert run.send("parts").completed


def test_a_key_is_what_it_was_when_the_event_began_to_wait(drive: Any) -> None:
    body = """
      <startEvent id="s"/><userTask id="ask"/><parallelGateway id="fork"/><userTask id="change"/><endEvent id="e"/>
      <receiveTask id="wait" messageRef="m"/><boundaryEvent id="told" attachedToRef="change" cancelActivity="false">
      <messageEventDefinition messageRef="n" xw:key="${form.number}"/></boundaryEvent><endEvent id="e2"/>
      <f a="s" b="ask"/><f a="ask" b="fork"/><f a="fork" b="change"/><f a="fork" b="wait"/><f a="change" b="e"/>
      <f a="wait" b="e"/><f a="told" b="e2"/>"""
    run = drive(body, MESSAGES)
    run.start()
    run.complete("ask", number=1)
    before = run.step.catches
    assert [catch.key for catch in before] == ["1", ""]
    run.complete("change", number=2)
    assert run.step.catches == before[1:]


@pytest.mark.parametrize("number", [None, "", "x" * 101, True, [1]])
def test_a_message_whose_key_is_no_short_text_waits_for_its_repair(drive: Any, number: Any) -> None:
    run = drive(BODY.replace("K-${form.number}", "${form.number}"), MESSAGES)
    run.start()
    run.complete("ask", number=number)
    assert (run.faults, run.step.passed) == ([("tell", "expression")], ("ask", "call"))


def test_a_message_that_ends_the_scope_of_what_it_woke_ends_it_there(drive: Any) -> None:
    body = """
      <startEvent id="s"/><subProcess id="all"><startEvent id="i"/><receiveTask id="inner" messageRef="m"/>
      <endEvent id="o"/><f a="i" b="inner"/><f a="inner" b="o"/></subProcess><endEvent id="e"/>
      <boundaryEvent id="stop" attachedToRef="all"><messageEventDefinition messageRef="m"/></boundaryEvent>
      <userTask id="stopped"/><f a="s" b="all"/><f a="all" b="e"/><f a="stop" b="stopped"/><f a="stopped" b="e"/>"""
    run = drive(body, MESSAGES)
    run.start()
    step = run.send("parts")
    assert (run.open, step.catches, step.passed) == (["stopped"], (), ("inner", "stop"))
    assert run.complete("stopped").completed


def test_an_event_without_a_message_is_a_milestone(drive: Any) -> None:
    run = drive("""<startEvent id="s"/><intermediateThrowEvent id="t"/><userTask id="w"/><endEvent id="e"/>
      <f a="s" b="t"/><f a="t" b="w"/><f a="w" b="e"/>""")
    step = run.start()
    assert (step.passed, step.thrown) == (("s", "t"), ())


def test_a_loop_that_waits_for_a_message_in_each_round_runs(drive: Any) -> None:
    body = """<startEvent id="s"/><exclusiveGateway id="a"/><receiveTask id="w" messageRef="m"/>
      <exclusiveGateway id="g"/><endEvent id="e"/><f a="s" b="a"/><f a="a" b="w"/><f a="w" b="g"/>
      <f a="g" b="e" if="${false}"/><f a="g" b="a"/>"""
    run = drive(body, MESSAGES)
    run.start()
    first = run.step.catches
    assert [catch.node for catch in run.send("parts").catches] == ["w"]
    assert run.step.catches != first  # another round, another waiting


def test_a_model_tells_which_messages_it_may_wait_for(run: Any, repair: engine.Specification) -> None:
    assert run.spec.catches == {"parts"}
    assert repair.catches == {"repairorder.cancel", "repairorder.partsIssued"}


def test_a_name_too_long_to_look_up_is_refused(xml: Any) -> None:
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml(BODY, MESSAGES.replace("parts", "x" * 101)))
    assert {problem.code for problem in caught.value.problems} == {"message_name"}


def test_a_loop_that_only_throws_would_never_end_and_is_refused(xml: Any) -> None:
    body = """<startEvent id="s"/><exclusiveGateway id="a"/><intermediateThrowEvent id="t"/><exclusiveGateway id="g"/>
      <endEvent id="e"/><f a="s" b="a"/><f a="a" b="t"/><f a="t" b="g"/><f a="g" b="e"/><f a="g" b="a" if="true"/>"""
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml(body))
    assert {problem.code for problem in caught.value.problems} == {"endless"}
