"""What BPMN says in short, said at length: signals, choices of events, sub-processes that events start, and faults."""

from typing import Any

import pytest

from workflows import engine

SIGNALS = '<signal id="sig" name="alert"/><message id="m" name="m"/>'
FAULTS = '<error id="x" errorCode="E1"/><error id="y" errorCode="E2"/><escalation id="z" escalationCode="C"/>'


def told(xml: bytes) -> list[tuple[str, str]]:
    return [(problem.element, problem.code) for problem in engine.adopt(engine.read(xml))]


def codes(xml: bytes) -> list[tuple[str, str]]:
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml)
    return [(problem.element, problem.code) for problem in caught.value.problems]


def test_a_signal_is_thrown_to_everybody_and_heard_under_the_same_key(drive: Any) -> None:
    body = '<startEvent id="s"/><intermediateThrowEvent id="t"><signalEventDefinition signalRef="sig"/>'
    body += '</intermediateThrowEvent><intermediateCatchEvent id="c"><signalEventDefinition signalRef="sig"/>'
    body += '</intermediateCatchEvent><endEvent id="e"><signalEventDefinition signalRef="sig"/></endEvent>'
    run = drive(body + '<f a="s" b="t"/><f a="t" b="c"/><f a="c" b="e"/>', SIGNALS)
    step = run.start()
    assert step.thrown == (engine.Thrown("t", "signal:alert", "*"),)
    assert [(catch.node, catch.message, catch.key) for catch in step.catches] == [("c", "signal:alert", "*")]
    step = run.send("signal:alert")
    assert step.completed and step.thrown == (engine.Thrown("e", "signal:alert", "*"),)


def test_a_signal_that_nobody_declared_is_refused(xml: Any) -> None:
    body = '<startEvent id="s"/><intermediateCatchEvent id="c"><signalEventDefinition signalRef="no"/>'
    body += '</intermediateCatchEvent><endEvent id="e"/><f a="s" b="c"/><f a="c" b="e"/>'
    assert codes(xml(body)) == [("c", "message")]


def choice(*events: str) -> str:
    ids = ["a", "b", "c"][: len(events)]
    body = '<startEvent id="s"/><userTask id="w"/><eventBasedGateway id="g"/><endEvent id="e"/><f a="s" b="w"/>'
    body += '<f a="w" b="g"/>'
    for name, event in zip(ids, events, strict=True):
        inner = f"<incoming>in{name}</incoming>{event}"
        body += f'<intermediateCatchEvent id="{name}">{inner}</intermediateCatchEvent>'
        body += f'<f a="g" b="{name}"/><userTask id="after_{name}"/><f a="{name}" b="after_{name}"/>'
        body += f'<f a="after_{name}" b="e"/>'
    return body


TIMER = "<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>"
MESSAGE = '<messageEventDefinition messageRef="m"/>'
SIGNAL = '<signalEventDefinition signalRef="sig"/>'


def test_the_first_of_several_events_decides(drive: Any) -> None:
    body = choice(TIMER, MESSAGE, SIGNAL)
    for happens, opened in ((lambda run: run.fire("a"), "a"), (lambda run: run.send("m"), "b")):
        run = drive(body, SIGNALS)
        run.start()
        step = run.complete("w")
        assert [timer.node for timer in step.timers] == ["a"]
        assert {(catch.node, catch.message, catch.key) for catch in step.catches} == {
            ("b", "m", ""),
            ("c", "signal:alert", "*"),
        }
        step = happens(run)
        assert run.open == [f"after_{opened}"]
        assert (step.timers, step.catches) == ((), ())
        assert opened in step.passed
    run = drive(body, SIGNALS)
    run.start()
    run.complete("w")
    run.send("signal:alert")
    assert run.open == ["after_c"]


def test_a_choice_between_timers_alone_waits_for_each(drive: Any) -> None:
    run = drive(choice(TIMER, TIMER))
    run.start()
    assert sorted(timer.node for timer in run.complete("w").timers) == ["a", "b"]
    run.fire("b")
    assert run.open == ["after_b"]


def test_a_choice_between_what_is_no_event_is_refused(xml: Any) -> None:
    body = '<startEvent id="s"/><eventBasedGateway id="g"/><userTask id="w"/><f a="s" b="g"/><f a="g" b="w"/>'
    assert ("g", "unsupported") in codes(xml(body))


def handled(trigger: str, interrupting: str = "true") -> str:
    body = '<startEvent id="s"/><userTask id="w"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>'
    body += f'<subProcess id="h" triggeredByEvent="true"><startEvent id="hs" isInterrupting="{interrupting}">{trigger}'
    body += '</startEvent><userTask id="hw"/><endEvent id="he"/><f a="hs" b="hw"/><f a="hw" b="he"/></subProcess>'
    return body


def test_an_event_breaks_off_the_rest_of_its_process(drive: Any) -> None:
    run = drive(handled(MESSAGE), SIGNALS)
    step = run.start()
    assert (run.open, [catch.node for catch in step.catches]) == (["w"], ["hs"])
    run.send("m")
    assert run.open == ["hw"]
    assert run.complete("hw").completed


def test_an_event_that_breaks_nothing_off_runs_beside_it(drive: Any) -> None:
    run = drive(handled(TIMER, "false"))
    run.start()
    run.fire("hs")
    assert run.open == ["hw", "w"]
    assert not run.complete("w").completed
    assert run.complete("hw").completed


def test_an_event_that_does_not_happen_keeps_nobody_waiting(drive: Any) -> None:
    run = drive(handled(MESSAGE), SIGNALS)
    run.start()
    step = run.complete("w")
    assert step.completed and step.catches == ()


def test_the_start_of_the_process_stays_its_start(xml: Any) -> None:
    body = handled(MESSAGE).replace('<startEvent id="s"/>', '<startEvent id="s" flowable:initiator="who"/>')
    specification = engine.parse(xml(body, SIGNALS))
    assert specification.first == "s"
    assert specification.nodes["s"].extensions["initiator"] == "who"
    assert specification.nodes["hs"].kind == "boundaryEvent"


def test_handlers_inside_handlers(drive: Any) -> None:
    inner = '<startEvent id="is"/><userTask id="iw"/><endEvent id="ie"/><f a="is" b="iw"/><f a="iw" b="ie"/>'
    inner += f'<subProcess id="ih" triggeredByEvent="true"><startEvent id="ihs">{TIMER}</startEvent>'
    inner += '<userTask id="ihw"/><endEvent id="ihe"/><f a="ihs" b="ihw"/><f a="ihw" b="ihe"/></subProcess>'
    run = drive(handled(MESSAGE).replace('<userTask id="w"/>', f'<subProcess id="w">{inner}</subProcess>'), SIGNALS)
    run.start()
    run.fire("ihs")
    assert run.open == ["ihw"]
    run.send("m")
    assert run.open == ["hw"]


@pytest.mark.parametrize("trigger", [TIMER, MESSAGE])
def test_people_start_a_process_too_that_an_event_would_start(drive: Any, xml: Any, trigger: str) -> None:
    body = (
        f'<startEvent id="s">{trigger}</startEvent><userTask id="w"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>'
    )
    assert told(xml(body, SIGNALS)) == []
    run = drive(body, SIGNALS)
    run.start()
    assert run.open == ["w"]


def faulty(end: str, *borders: tuple[str, str, str]) -> str:
    """A sub-process with two branches, one of which ends with `end`; each border: id, definition, cancelActivity."""
    inner = '<startEvent id="is"/><userTask id="a"/><userTask id="b"/><endEvent id="ok"/>'
    inner += f'<endEvent id="bad">{end}</endEvent><f a="is" b="a"/><f a="is" b="b"/><f a="a" b="bad"/><f a="b" b="ok"/>'
    body = f'<startEvent id="s"/><subProcess id="sub">{inner}</subProcess><userTask id="after"/><endEvent id="e"/>'
    body += '<f a="s" b="sub"/><f a="sub" b="after"/><f a="after" b="e"/>'
    for name, definition, cancels in borders:
        body += (
            f'<boundaryEvent id="{name}" attachedToRef="sub" cancelActivity="{cancels}">{definition}</boundaryEvent>'
        )
        body += f'<userTask id="after_{name}"/><f a="{name}" b="after_{name}"/><f a="after_{name}" b="e"/>'
    return body


def error(reference: str) -> str:
    return f'<errorEventDefinition errorRef="{reference}"/>'


@pytest.mark.parametrize(
    ("borders", "opened"),
    [
        ((("p", error("x"), "true"),), ["after_p"]),
        ((("p", "<errorEventDefinition/>", "true"),), ["after_p"]),
        ((("p", "<errorEventDefinition/>", "true"), ("q", error("x"), "true")), ["after_q"]),
        ((("p", error("y"), "true"),), ["b"]),
        ((("p", '<escalationEventDefinition escalationRef="E1"/>', "true"),), ["b"]),
        ((), ["b"]),
    ],
    ids=["its code", "any code", "the code before any", "another code", "no error", "nobody"],
)
def test_an_error_goes_to_the_border_that_catches_it(
    drive: Any, borders: tuple[tuple[str, str, str], ...], opened: list[str]
) -> None:
    run = drive(faulty(error("x"), *borders), FAULTS)
    run.start()
    step = run.complete("a")
    assert run.open == opened
    assert "bad" in step.passed


def test_an_error_of_the_last_token_does_not_end_its_sub_process_well(drive: Any) -> None:
    run = drive(faulty(error("x"), ("p", error("x"), "true")), FAULTS)
    run.start()
    run.complete("b")
    run.complete("a")
    assert run.open == ["after_p"]
    assert run.complete("after_p").completed


def test_an_error_passes_borders_that_do_not_catch_it(drive: Any) -> None:
    inner = faulty(error("x"), ("p", error("y"), "true"))
    body = f'<startEvent id="os"/><subProcess id="outer">{inner}</subProcess><endEvent id="oe"/><endEvent id="of"/>'
    body += '<boundaryEvent id="q" attachedToRef="outer"><errorEventDefinition errorRef="E1"/></boundaryEvent>'
    body += '<f a="os" b="outer"/><f a="outer" b="oe"/><f a="q" b="of"/>'
    run = drive(body, FAULTS)
    run.start()
    step = run.complete("a")
    assert step.completed and step.passed == ("a", "bad", "q", "of")


def test_an_escalation_leaves_running_what_it_does_not_break_off(drive: Any) -> None:
    raised = '<escalationEventDefinition escalationRef="z"/>'
    run = drive(faulty(raised, ("p", raised, "false")), FAULTS)
    run.start()
    run.complete("a")
    assert run.open == ["after_p", "b"]
    run.complete("b")
    assert run.open == ["after", "after_p"]


def test_an_escalation_on_the_way_goes_on_behind_it(drive: Any) -> None:
    raised = '<escalationEventDefinition escalationRef="z"/>'
    body = faulty("", ("p", raised, "false")).replace('<f a="a" b="bad"/>', "")
    body = body.replace(
        '<userTask id="b"/>',
        f'<userTask id="b"/><intermediateThrowEvent id="t">{raised}</intermediateThrowEvent><userTask id="c"/>'
        '<f a="a" b="t"/><f a="t" b="c"/><f a="c" b="bad"/>',
    )
    run = drive(body, FAULTS)
    run.start()
    run.complete("a")
    assert run.open == ["after_p", "b", "c"]


def test_a_handler_of_errors_breaks_off_the_rest(drive: Any) -> None:
    body = handled(error("x")).replace('<endEvent id="e"/>', f'<endEvent id="e">{error("x")}</endEvent>')
    run = drive(body, FAULTS)
    run.start()
    run.complete("w")
    assert run.open == ["hw"]
    assert run.complete("hw").completed


def test_several_processes_are_several_models(xml: Any) -> None:
    line = (
        '<startEvent id="{0}s"/><userTask id="{0}w"/><endEvent id="{0}e"/><f a="{0}s" b="{0}w"/><f a="{0}w" b="{0}e"/>'
    )
    two = xml(line.format("a") + '</process><process id="q">' + line.format("b")).decode()
    drawn = two.replace(
        "</definitions>",
        '<collaboration id="c"><participant id="p1" processRef="p"/><participant id="p2" processRef="q"/>'
        '<messageFlow id="mf" sourceRef="p1" targetRef="p2"/></collaboration>'
        '<di:BPMNDiagram xmlns:di="http://www.omg.org/spec/BPMN/20100524/DI" id="d">'
        '<di:BPMNPlane id="pl" bpmnElement="c"><di:BPMNShape id="x1" bpmnElement="aw"/>'
        '<di:BPMNShape id="x2" bpmnElement="bw"/>'
        '<di:BPMNEdge id="x3" bpmnElement="mf"/></di:BPMNPlane></di:BPMNDiagram>'
        "</definitions>",
    ).encode()
    parts = engine.split(drawn)
    assert [name for name, _part in parts] == ["p", "q"]
    for (name, part), own, other in zip(parts, ("a", "b"), ("b", "a"), strict=True):
        assert set(engine.parse(part).nodes) == {f"{own}s", f"{own}w", f"{own}e"}
        assert engine.parse(part).process_id == name
        assert f'bpmnElement="{own}w"'.encode() in part
        assert not any(gone in part for gone in (f'"{other}w"'.encode(), b'"mf"'))
        assert part.count(b"<participant") == 1


def test_a_file_of_very_many_processes_is_not_split(xml: Any) -> None:
    document = xml("".join(f'</process><process id="p{number}">' for number in range(5_000)))
    assert engine.split(document) == [("", document)]


@pytest.mark.parametrize("xml", [b"", b"<a/>", b"<!DOCTYPE x><x/>"])
def test_what_is_no_model_is_left_to_who_reads_it(xml: bytes) -> None:
    assert engine.split(xml) == [("", xml)]


def test_a_file_of_one_process_keeps_its_bytes(xml: Any) -> None:
    document = xml('<startEvent id="s"/>')
    assert engine.split(document) == [("", document)]


def advised(xml: bytes) -> list[tuple[str, str]]:
    root = engine.read(xml)
    engine.adopt(root)
    return [(problem.element, problem.code) for problem in engine.advise(root)]


@pytest.mark.parametrize(
    ("borders", "warnings"),
    [
        ((("p", error("x"), "true"),), []),
        ((("p", "<errorEventDefinition/>", "true"),), []),
        ((("p", error("E1"), "true"),), []),
        ((("p", error("y"), "true"),), [("bad", "uncaught")]),
        ((), [("bad", "uncaught")]),
    ],
)
def test_an_error_that_nobody_catches_is_told(
    xml: Any, borders: tuple[tuple[str, str, str], ...], warnings: list[tuple[str, str]]
) -> None:
    assert advised(xml(faulty(error("x"), *borders), FAULTS)) == warnings


def test_an_event_that_its_task_never_raises_is_told(xml: Any) -> None:
    body = '<startEvent id="s"/><userTask id="w"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>'
    body += f'<boundaryEvent id="b" attachedToRef="w">{error("x")}</boundaryEvent><f a="b" b="e"/>'
    assert advised(xml(body, FAULTS)) == [("b", "never_raised")]


def test_what_no_token_comes_to_is_told_and_never_runs(drive: Any, xml: Any) -> None:
    inner = '<startEvent id="is"/><endEvent id="ie"/><endEvent id="lost_inside"/><f a="is" b="ie"/>'
    body = f'<startEvent id="s"/><subProcess id="sub">{inner}</subProcess><userTask id="w"/><endEvent id="e"/>'
    body += '<f a="s" b="sub"/><f a="sub" b="w"/><f a="w" b="e"/><userTask id="lost"/><f a="lost" b="e"/>'
    other = inner.replace("is", "os").replace("ie", "oe").replace("lost", "more")
    body += f'<subProcess id="lost_sub">{other}</subProcess>'
    assert advised(xml(body)) == [("lost", "unreachable"), ("lost_sub", "unreachable"), ("lost_sub.end", "unreachable"),
                                  ("lost_inside", "unreachable")]  # fmt: skip
    run = drive(body)
    run.start()
    assert run.open == ["w"]
    assert run.complete("w").completed


STARTS = '<startEvent id="s"/><startEvent id="t">{}</startEvent><userTask id="a"/><userTask id="b"/><endEvent id="e"/>'
STARTS += '<f a="s" b="a"/><f a="t" b="b"/><f a="a" b="e"/><f a="b" b="e"/>'


@pytest.mark.parametrize(
    ("body", "starts"),
    [
        (STARTS.format(f"{MESSAGE}{TIMER}"), ["t"]),
        (STARTS.format(""), ["t"]),
        (STARTS.format("CONDITION").replace('id="s"/>', 'id="s">CONDITION</startEvent>'), ["t", "s"]),
    ],
)
def test_of_several_starts_the_first_plain_one_is_taken_else_the_first(
    drive: Any, xml: Any, body: str, starts: list[str]
) -> None:
    body = body.replace("CONDITION", CONDITION)
    assert [one for one in told(xml(body, SIGNALS)) if one[1] == "start_by_hand"] == [
        (start, "start_by_hand") for start in starts
    ]
    assert advised(xml(body, SIGNALS)) == [("b", "unreachable")]
    run = drive(body, SIGNALS)
    run.start()
    assert run.open == ["a"]


def test_a_start_by_time_has_a_way_of_its_own(drive: Any, xml: Any) -> None:
    document = xml(STARTS.format(TIMER))
    assert (told(document), advised(document)) == ([], [])
    specification = engine.parse(document)
    assert (specification.first, dict(specification.timed_starts)) == (
        "s",
        {"t": engine.TimedStart("duration", "PT1H")},
    )
    for at, open_tasks in (("", ["a"]), ("s", ["a"]), ("t", ["b"])):
        run = drive(STARTS.format(TIMER))
        run.start(at=at)
        assert run.open == open_tasks
        assert run.complete(open_tasks[0]).completed


def test_an_expression_or_a_handler_leaves_a_start_by_time_to_people(xml: Any) -> None:
    asked = TIMER.replace("PT1H", "${form.length}")
    assert told(xml(STARTS.format(asked))) == [("t", "start_by_hand")]
    assert told(xml(STARTS.format(TIMER.replace("<timeDuration>PT1H</timeDuration>", "")))) == []
    assert ("t", "timer") in codes(xml(STARTS.format(TIMER.replace("<timeDuration>PT1H</timeDuration>", ""))))
    assert ("t", "timer") in codes(xml(STARTS.format(TIMER.replace("PT1H", "PT"))))
    handler = (
        f'<subProcess id="h" triggeredByEvent="true"><startEvent id="hs">{MESSAGE}</startEvent><endEvent id="he"/>'
    )
    both = STARTS.format(TIMER) + handler + '<f a="hs" b="he"/></subProcess>'
    assert told(xml(both, SIGNALS)) == [("t", "start_by_hand")]
    inner = (
        f'<subProcess id="a"><startEvent id="is">{TIMER}</startEvent><endEvent id="ie"/><f a="is" b="ie"/></subProcess>'
    )
    assert ("is", "unsupported") in codes(xml(STARTS.format(TIMER).replace('<userTask id="a"/>', inner)))


CONDITION = "<conditionalEventDefinition><condition>x</condition></conditionalEventDefinition>"


def test_each_of_several_events_starts_its_own_part_of_a_handler(drive: Any) -> None:
    second = f'<startEvent id="h2" isInterrupting="false">{TIMER}</startEvent><userTask id="hw2"/>'
    body = handled(MESSAGE).replace('<userTask id="hw"/>', '<userTask id="hw"/>' + second + '<f a="h2" b="hw2"/>')
    body = body.replace('<f a="hw" b="he"/>', '<f a="hw" b="he"/><f a="hw2" b="he"/>')
    run = drive(body, SIGNALS)
    run.start()
    run.fire("h2")
    assert run.open == ["hw2", "w"]
    run.send("m")
    assert run.open == ["hw"]
    assert run.complete("hw").completed


def test_events_that_start_the_same_steps_are_refused(xml: Any) -> None:
    second = f'<startEvent id="h2">{TIMER}</startEvent><f a="h2" b="hw"/>'
    body = handled(MESSAGE).replace('<userTask id="hw"/>', '<userTask id="hw"/>' + second)
    assert ("h", "one_start") in codes(xml(body, SIGNALS))


def test_a_handler_has_borders_of_its_own(drive: Any) -> None:
    body = handled(MESSAGE) + f'<boundaryEvent id="late" attachedToRef="h">{TIMER}</boundaryEvent><userTask id="lw"/>'
    body += '<f a="late" b="lw"/>'
    run = drive(body, SIGNALS)
    run.start()
    run.send("m")
    assert run.open == ["hw"]
    run.fire("late")
    assert run.open == ["lw"]
    assert run.complete("lw").completed


def test_a_way_from_a_handler_s_border_into_the_rest_is_refused(xml: Any) -> None:
    body = handled(MESSAGE) + f'<boundaryEvent id="late" attachedToRef="h">{TIMER}</boundaryEvent><f a="late" b="w"/>'
    assert ("late", "attached") in codes(xml(body, SIGNALS))


def test_a_join_that_nothing_follows_is_an_end(drive: Any, xml: Any) -> None:
    body = '<startEvent id="s"/><parallelGateway id="g"/><userTask id="a"/><userTask id="b"/><parallelGateway id="j"/>'
    body += '<f a="s" b="g"/><f a="g" b="a"/><f a="g" b="b"/><f a="a" b="j"/><f a="b" b="j"/>'
    assert told(xml(body)) == [("j", "no_way_out")]
    run = drive(body)
    run.start()
    assert not run.complete("a").completed
    assert run.complete("b").completed
