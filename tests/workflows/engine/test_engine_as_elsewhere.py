"""What the traces of other people's models showed to run differently here, each on a drawing of our own."""

from typing import Any

import pytest

from workflows import engine

SIGNAL = '<signalEventDefinition signalRef="sig"/>'
DECLARED = '<signal id="sig" name="stop"{}/>'
OWN = DECLARED.format(' flowable:scope="processInstance"')

# Two ways: `a` leads to the signal and on to `next`; `b` has the signal on its border.
BESIDE = f"""
  <startEvent id="s"/><parallelGateway id="f"/><userTask id="a"/><intermediateThrowEvent id="t">{SIGNAL}
  </intermediateThrowEvent><userTask id="next"/><endEvent id="e"/><userTask id="b"/><endEvent id="be"/>
  <boundaryEvent id="on" attachedToRef="b" cancelActivity="%s">{SIGNAL}</boundaryEvent><userTask id="heard"/>
  <endEvent id="he"/><f a="s" b="f"/><f a="f" b="a"/><f a="f" b="b"/><f a="a" b="t"/><f a="t" b="next"/>
  <f a="next" b="e"/><f a="b" b="be"/><f a="on" b="heard"/><f a="heard" b="he"/>
"""


@pytest.mark.parametrize(("cancel", "left"), [("true", ["heard", "next"]), ("false", ["b", "heard", "next"])])
def test_a_process_hears_its_own_signal(drive: Any, cancel: str, left: list[str]) -> None:
    run = drive(BESIDE % cancel, DECLARED.format(""))
    run.start()
    step = run.complete("a")
    assert run.open == left
    assert step.thrown == (engine.Thrown("t", "signal:stop", "*"),)


def test_a_signal_of_the_instance_alone_goes_to_nobody_else(drive: Any) -> None:
    run = drive(BESIDE % "true", OWN)
    assert [(one.message, one.key) for one in run.start().catches] == [("signal:stop", "")]
    step = run.complete("a")
    assert (run.open, step.thrown) == (["heard", "next"], ())


@pytest.mark.parametrize(
    ("throws", "catches"),
    [
        (SIGNAL, SIGNAL),
        ('<escalationEventDefinition escalationRef="z"/>', '<escalationEventDefinition escalationRef="z"/>'),
    ],
)
def test_what_a_sub_process_breaks_off_itself_by_does_not_go_on(
    drive: Any, host: Any, throws: str, catches: str
) -> None:
    body = f"""
      <startEvent id="s"/><subProcess id="sub"><startEvent id="i"/><intermediateThrowEvent id="t">{throws}
      </intermediateThrowEvent><serviceTask id="x" xw:operation="a.x"/><endEvent id="o"/><f a="i" b="t"/>
      <f a="t" b="x"/><f a="x" b="o"/></subProcess><userTask id="after"/><endEvent id="e"/>
      <boundaryEvent id="on" attachedToRef="sub">{catches}</boundaryEvent><userTask id="stopped"/>
      <f a="s" b="sub"/><f a="sub" b="after"/><f a="after" b="e"/><f a="on" b="stopped"/><f a="stopped" b="e"/>"""
    run = drive(body, DECLARED.format("") + '<escalation id="z" escalationCode="C"/>')
    step = run.start()
    assert (run.open, host.calls, step.passed) == (["stopped"], [], ("s", "i", "t", "on"))


def test_an_escalation_is_caught_as_often_as_it_is_raised(drive: Any) -> None:
    raised = '<escalationEventDefinition escalationRef="z"/>'
    body = f"""
      <startEvent id="s"/><subProcess id="sub"><startEvent id="i"/><userTask id="w"/><intermediateThrowEvent id="t">
      {raised}</intermediateThrowEvent><exclusiveGateway id="in"/><exclusiveGateway id="g" default="d"/>
      <endEvent id="o"/><f a="i" b="in"/><f a="in" b="w"/><f a="w" b="g"/><f a="g" b="t" if="outcome == 'up'"/>
      <f a="t" b="in"/><f id="d" a="g" b="o"/></subProcess><endEvent id="e"/><userTask id="told"/><endEvent id="te"/>
      <boundaryEvent id="on" attachedToRef="sub" cancelActivity="false">{raised}</boundaryEvent>
      <f a="s" b="sub"/><f a="sub" b="e"/><f a="on" b="told"/><f a="told" b="te"/>"""
    run = drive(body, '<escalation id="z" escalationCode="C"/>')
    run.start()
    run.complete("w", "up")
    run.complete("w", "up")
    assert run.open == ["told", "told", "w"]
    run.complete("w")
    assert run.open == ["told", "told"]


def ending(flag: str, loop: str = "") -> str:
    """`w` and `v` beside each other in a sub-process, behind `w` an end that terminates; `x` is beside all that."""
    return f"""
      <startEvent id="s"/><parallelGateway id="f"/><userTask id="x"/><endEvent id="xe"/>
      <subProcess id="sub">{loop}<startEvent id="i"/><parallelGateway id="pf"/><userTask id="w"/><userTask id="v"/>
      <endEvent id="stop"><terminateEventDefinition {flag}/></endEvent><endEvent id="o"/>
      <f a="i" b="pf"/><f a="pf" b="w"/><f a="pf" b="v"/><f a="w" b="stop"/><f a="v" b="o"/></subProcess>
      <userTask id="after"/><endEvent id="e"/>
      <f a="s" b="f"/><f a="f" b="x"/><f a="f" b="sub"/><f a="x" b="xe"/><f a="sub" b="after"/><f a="after" b="e"/>"""


def times(number: int, sequential: str) -> str:
    loop = f'<multiInstanceLoopCharacteristics isSequential="{sequential}"><loopCardinality>{number}</loopCardinality>'
    return f"{loop}</multiInstanceLoopCharacteristics>"


@pytest.mark.parametrize("loop", ["", times(3, "false"), times(3, "true")])
def test_an_end_that_terminates_all_ends_the_process(drive: Any, loop: str) -> None:
    run = drive(ending('flowable:terminateAll="true"', loop))
    run.start()
    step = run.complete("w")
    assert step.completed and (step.tasks, step.catches) == ((), ())


@pytest.mark.parametrize("flag", ["", 'flowable:terminateAll="false"', 'flowable:terminateMultiInstance="true"'])
def test_otherwise_it_ends_its_sub_process(drive: Any, flag: str) -> None:
    run = drive(ending(flag))
    run.start()
    run.complete("w")
    assert run.open == ["after", "x"]


@pytest.mark.parametrize(
    ("sequential", "before", "alone"),
    [
        ("false", ["v", "v", "v", "w", "w", "w", "x"], ["v", "v", "w", "w", "x"]),
        ("true", ["v", "w", "x"], ["v", "w", "x"]),
    ],
)
def test_it_ends_the_instances_of_a_loop_where_it_says_so(
    drive: Any, sequential: str, before: list[str], alone: list[str]
) -> None:
    for flag, left in (("", alone), ('flowable:terminateMultiInstance="true"', ["after", "x"])):
        run = drive(ending(flag, times(3, sequential)))
        run.start()
        assert run.open == before
        run.complete("w")
        assert run.open == left


@pytest.mark.parametrize("sequential", ["false", "true"])
def test_the_last_instance_ends_its_loop_once(drive: Any, sequential: str) -> None:
    run = drive(ending('flowable:terminateMultiInstance="true"', times(1, sequential)))
    run.start()
    run.complete("w")
    assert run.open == ["after", "x"]
    run.complete("x")
    assert run.complete("after").completed


def test_an_end_that_terminates_all_needs_the_effects_of_an_end_of_the_process(xml: Any) -> None:
    def missing(flag: str) -> list[str]:
        body = f"""
          <startEvent id="s"/><subProcess id="sub"><startEvent id="i"/><userTask id="w"/><exclusiveGateway id="g"/>
          <endEvent id="stop"><terminateEventDefinition {flag}/></endEvent><endEvent id="o"/><f a="i" b="w"/>
          <f a="w" b="g"/><f a="g" b="stop" if="outcome == 'n'"/><f a="g" b="o"/></subProcess>
          <serviceTask id="x" xw:operation="a.x"/><endEvent id="e"/><f a="s" b="sub"/><f a="sub" b="x"/>
          <f a="x" b="e"/>"""
        return [problem.element for problem in engine.missing_effects(engine.read(xml(body)), [["a.x"]])]

    assert (missing(""), missing('flowable:terminateAll="true"')) == ([], ["stop"])


@pytest.mark.parametrize("kind", ["parallelGateway", "inclusiveGateway"])
def test_a_join_waits_for_each_of_several_flows_from_the_same_node(drive: Any, kind: str) -> None:
    run = drive(f"""
      <startEvent id="s"/><parallelGateway id="f"/><{kind} id="j"/><userTask id="w"/><endEvent id="e"/>
      <f a="s" b="f"/><f a="f" b="j"/><f a="f" b="j"/><f a="f" b="j"/><f a="j" b="w"/><f a="w" b="e"/>""")
    run.start()
    assert run.open == ["w"]
    assert run.complete("w").completed


CHOICE = """
  <startEvent id="s"/><inclusiveGateway id="g"/><userTask id="a"/><userTask id="b"/><endEvent id="e"/>
  <f a="s" b="g"/><f a="g" b="a" if="form.n == 1"/><f a="g" b="b"/><f a="a" b="e"/><f a="b" b="e"/>"""


@pytest.mark.parametrize(("declares", "opened"), [(True, ["a", "b"]), (False, ["a"])])
def test_a_flow_without_condition_is_taken_beside_the_others_in_other_dialects(
    xml: Any, driver: Any, declares: bool, opened: list[str]
) -> None:
    drawn = xml(CHOICE)
    run = driver(engine.parse(drawn if declares else drawn.replace(b'xmlns:flowable="http://flowable.org/bpmn" ', b"")))
    run.start(form={"n": 1})
    assert run.open == opened
    run.start(form={"n": 2})
    assert run.open == ["b"]


def terminated(handler: str, stop: str = "") -> str:
    """`w` leads to an end that terminates, `v` is beside it; a message starts a handler that breaks nothing off."""
    return f"""
      <startEvent id="s"/><parallelGateway id="f"/><userTask id="w"/><userTask id="v"/><endEvent id="e"/>
      <endEvent id="stop"><terminateEventDefinition {stop}/></endEvent>
      <f a="s" b="f"/><f a="f" b="w"/><f a="f" b="v"/><f a="w" b="stop"/><f a="v" b="e"/>
      <subProcess id="h" triggeredByEvent="true"><startEvent id="hs" isInterrupting="false">
      <messageEventDefinition messageRef="m"/></startEvent><userTask id="hw"/>{handler}<f a="hs" b="hw"/>
      <f a="hw" b="he"/></subProcess>"""


MESSAGE = '<message id="m" name="m"/>'


@pytest.mark.parametrize("stop", ["", 'flowable:terminateAll="true"'])
def test_an_end_that_terminates_ends_the_handlers_beside_it(drive: Any, stop: str) -> None:
    run = drive(terminated('<endEvent id="he"/>', stop), MESSAGE)
    run.start()
    run.send("m")
    assert run.open == ["hw", "v", "w"]
    step = run.complete("w")
    assert step.completed and (step.tasks, step.catches) == ((), ())
    assert "stop" in step.passed


def test_an_end_that_terminates_in_a_handler_ends_that_alone(drive: Any) -> None:
    run = drive(terminated('<endEvent id="he"><terminateEventDefinition/></endEvent>'), MESSAGE)
    run.start()
    run.send("m")
    run.complete("hw")
    assert run.open == ["v", "w"]
    run.complete("v")
    assert run.complete("w").completed


def test_it_ends_its_own_scope_and_no_other(drive: Any) -> None:
    inner = terminated('<endEvent id="he"/>').replace('id="s"', 'id="i"').replace('a="s"', 'a="i"')
    run = drive(
        f"""<startEvent id="s"/><parallelGateway id="g"/><userTask id="x"/><endEvent id="xe"/>
        <subProcess id="sub">{inner}</subProcess><userTask id="after"/><endEvent id="ae"/><f a="s" b="g"/>
        <f a="g" b="x"/><f a="g" b="sub"/><f a="x" b="xe"/><f a="sub" b="after"/><f a="after" b="ae"/>""",
        MESSAGE,
    )
    run.start()
    run.send("m")
    run.complete("w")
    assert run.open == ["after", "x"]
