"""Which models are refused, and with which reason."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from workflows import engine

LINE = '<startEvent id="s"/><userTask id="w"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>'
BPMN = 'xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"'


def codes(xml: bytes) -> list[tuple[str, str]]:
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml)
    assert all(problem.text_zh and problem.text_en for problem in caught.value.problems)
    return [(problem.element, problem.code) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("xml", "code"),
    [
        (b"", "xml"),
        (b"not xml", "xml"),
        (b"<a><b></a>", "xml"),
        (b"\xff\xfe<", "xml"),
        (b"<html/>", "not_bpmn"),
        (f"<definitions {BPMN}/>".encode(), "one_process"),
        (f"<!DOCTYPE definitions><definitions {BPMN}/>".encode(), "doctype"),
        (f'<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE d><definitions {BPMN}/>'.encode("utf-16"), "doctype"),
        (
            f'<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><definitions {BPMN}>&x;</definitions>'.encode(),
            "doctype",
        ),
        (f'<!DOCTYPE d SYSTEM "http://127.0.0.1:1/x.dtd"><definitions {BPMN}/>'.encode(), "doctype"),
        (f'<!DOCTYPE d [<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]><definitions {BPMN}/>'.encode(), "doctype"),
        (f"<definitions {BPMN}>&undefined;</definitions>".encode(), "xml"),
        (f"<definitions {BPMN}>{'<a>' * 300}{'</a>' * 300}</definitions>".encode(), "xml"),
        (f"<definitions {BPMN}>{' ' * 4_000_000}</definitions>".encode(), "size"),
        (f"<definitions {BPMN}>{'<a/>' * 80_000}</definitions>".encode(), "size"),
        (b"<x:definitions/>", "xml"),
        (f'<definitions {BPMN}><process id="a"/><process id="b"/></definitions>'.encode(), "one_process"),
        (f'<definitions {BPMN}><process isExecutable="true"/></definitions>'.encode(), "missing_id"),
    ],
)
def test_an_unsafe_or_foreign_document_is_refused(xml: bytes, code: str) -> None:
    assert code in [found for _, found in codes(xml)]


def test_a_bomb_of_entities_is_refused() -> None:
    entities = '<!ENTITY a0 "lol">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    assert codes(f"<!DOCTYPE d [{entities}]><definitions {BPMN}>&a9;</definitions>".encode())[0][1] in (
        "xml",
        "doctype",
    )


@pytest.mark.parametrize(
    ("node", "code"),
    [
        ('<scriptTask id="w"><script>1</script></scriptTask>', "script"),
        ('<complexGateway id="w"/>', "unsupported"),
        ('<adHocSubProcess id="w"/>', "unsupported"),
        ('<businessRuleTask id="w"/>', "unsupported"),
        ('<callActivity id="w" calledElement="p"/>', "unsupported"),
        ('<transaction id="w"/>', "unsupported"),
        ('<sendTask id="w"/>', "message"),
        ('<sendTask id="w" messageRef="no"/>', "message"),
        ('<receiveTask id="w" instantiate="true"/>', "unsupported"),
        ('<eventBasedGateway id="w"/>', "unsupported"),
        ('<intermediateThrowEvent id="w"><signalEventDefinition/></intermediateThrowEvent>', "message"),
        ('<intermediateThrowEvent id="w"><timerEventDefinition/></intermediateThrowEvent>', "unsupported"),
        ('<intermediateThrowEvent id="w"><messageEventDefinition/></intermediateThrowEvent>', "message"),
        (
            '<intermediateThrowEvent id="w"><messageEventDefinition xw:key="${a +}"/></intermediateThrowEvent>',
            "expression",
        ),
        ('<intermediateCatchEvent id="w"/>', "unsupported"),
        ('<intermediateCatchEvent id="w"><linkEventDefinition name="x"/></intermediateCatchEvent>', "unsupported"),
        ('<intermediateCatchEvent id="w"><signalEventDefinition/></intermediateCatchEvent>', "message"),
        ('<intermediateCatchEvent id="w"><conditionalEventDefinition/></intermediateCatchEvent>', "condition"),
        (
            '<intermediateCatchEvent id="w"><messageEventDefinition messageRef="no"/></intermediateCatchEvent>',
            "message",
        ),
        ('<intermediateCatchEvent id="w"><timerEventDefinition/></intermediateCatchEvent>', "timer"),
        (
            '<intermediateCatchEvent id="w"><timerEventDefinition><timeDuration>soon</timeDuration>'
            "</timerEventDefinition></intermediateCatchEvent>",
            "timer",
        ),
        (
            '<intermediateCatchEvent id="w"><timerEventDefinition><timeCycle>0 8 * * *</timeCycle>'
            "</timerEventDefinition></intermediateCatchEvent>",
            "timer",
        ),
        ('<userTask id="w"><multiInstanceLoopCharacteristics/></userTask>', "many_source"),
        ('<userTask id="w"><standardLoopCharacteristics/></userTask>', "unsupported"),
        ('<userTask id="w" xw:assignee="${a +}"/>', "expression"),
        ('<serviceTask id="w"/>', "operation"),
        ('<subProcess id="w" triggeredByEvent="true"/>', "unsupported"),
        ('<subProcess id="w"><parallelGateway id="i"/><f a="i" b="i"/></subProcess>', "one_start"),
    ],
)
def test_an_element_that_would_run_wrongly_is_refused_by_name(xml: Any, node: str, code: str) -> None:
    assert ("w", code) in codes(xml(LINE.replace('<userTask id="w"/>', node)))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('<endEvent id="e"/>', '<endEvent id="e"><signalEventDefinition/></endEvent>', ("e", "message")),
        ('<endEvent id="e"/>', '<endEvent id="e"><cancelEventDefinition/></endEvent>', ("e", "unsupported")),
        ('<endEvent id="e"/>', '<endEvent id="e"><compensateEventDefinition/></endEvent>', ("e", "unsupported")),
        ('<startEvent id="s"/>', "", ("p", "one_start")),
        ('<endEvent id="e"/>', '<exclusiveGateway id="e"/>', ("e", "no_way_out")),
        ('<f a="w" b="e"/>', '<f a="w" b="w"/>', ("w", "no_way_to_end")),
        ('<f a="w" b="e"/>', '<f a="w" b="nowhere"/>', ("w", "dangling_flow")),
        ('<f a="w" b="e"/>', '<f a="nowhere" b="gone"/>', ("p", "dangling_flow")),
        ('<f a="w" b="e"/>', '<sequenceFlow id="x" sourceRef="w" targetRef="gone"/>', ("x", "dangling_flow")),
        (
            '<f a="w" b="e"/>',
            '<exclusiveGateway id="g"/><f a="w" b="g"/><f a="g" b="e"/><f a="g" b="w" if="${a +}"/>',
            ("g", "condition"),
        ),
        ('<userTask id="w"/>', '<userTask id="w"/><receiveTask id="r" messageRef="t:m"/>', ("r", "bad_id")),
        (
            '<userTask id="w"/>',
            '<userTask id="w"/><intermediateCatchEvent id="c"><messageEventDefinition messageRef="t:m"/>'
            "</intermediateCatchEvent>",
            ("c", "bad_id"),
        ),
        ('<f a="w" b="e"/>', '<f a="w" b="e"/><f a="e" b="w"/>', ("e", "end_goes_on")),
        ('<f a="w" b="e"/>', '<f a="w" b="e"/><f a="w" b="s"/>', ("s", "no_way_in")),
        (
            '<f a="w" b="e"/>',
            '<userTask id="x"/><parallelGateway id="j"/><f a="w" b="j"/><f a="x" b="j"/><f a="j" b="e"/>',
            ("x", "unreachable"),
        ),
        ('<userTask id="w"/>', '<userTask id="w"/><userTask id="w"/>', ("w", "duplicate_id")),
        ('<f a="w" b="e"/>', '<sequenceFlow id="w" sourceRef="w" targetRef="e"/>', ("w", "duplicate_id")),
        ('<userTask id="w"/>', '<userTask id="w"/><userTask id=" x y"/>', ("x y", "bad_id")),
        ('<userTask id="w"/>', '<userTask id="w"/><userTask id="w.EndJoin"/>', ("w.EndJoin", "bad_id")),
        (
            '<userTask id="w"/>',
            '<userTask id="w"/><task id="t1"/><task id="t2"/><f a="t1" b="t2"/><f a="t2" b="t1"/>',
            ("t1", "endless"),
        ),
        (
            '<f a="w" b="e"/>',
            '<exclusiveGateway id="g"/><userTask id="u"/>'
            '<f a="w" b="g"/><f a="g" b="e"/><f a="g" b="u"/><f a="u" b="u"/>',
            ("u", "no_way_to_end"),
        ),
        (
            '<userTask id="w"/>',
            '<userTask id="w"/><boundaryEvent id="b" attachedToRef="s"><timerEventDefinition/></boundaryEvent>',
            ("b", "attached"),
        ),
        (
            '<userTask id="w"/>',
            '<userTask id="w"/><boundaryEvent id="b" attachedToRef="w"><conditionalEventDefinition/></boundaryEvent>',
            ("b", "condition"),
        ),
    ],
)
def test_a_drawing_that_leads_nowhere_is_refused(xml: Any, old: str, new: str, problem: tuple[str, str]) -> None:
    assert problem in codes(xml(LINE.replace(old, new)))


@pytest.mark.parametrize(
    ("condition", "code"),
    [("${a +}", "condition"), ("__import__('os')", "condition"), ("${a.__class__}", "condition")],
)
def test_a_condition_that_does_not_compile_is_refused(xml: Any, condition: str, code: str) -> None:
    body = LINE.replace('<f a="w" b="e"/>', '<exclusiveGateway id="g"/><f a="w" b="g"/><f a="g" b="e"/>')
    body += f'<f id="c" a="g" b="w" if="{condition}"/>'
    assert codes(xml(body)) == [("c", code)]


def test_a_loop_round_a_sub_process_that_never_waits_is_refused(xml: Any) -> None:
    inside = '<startEvent id="i"/><task id="t"/><endEvent id="o"/><f a="i" b="t"/><f a="t" b="o"/>'
    sub = f'<subProcess id="w">{inside}</subProcess>'
    body = LINE.replace('<userTask id="w"/>', sub).replace('<f a="w" b="e"/>', "")
    body += '<exclusiveGateway id="g"/><f a="w" b="g"/><f a="g" b="e"/><f a="g" b="w"/>'
    assert codes(xml(body)) == [("w", "endless"), ("g", "endless")]
    assert engine.parse(xml(body.replace("task", "userTask"))).nodes["t"].kind == "userTask"


def test_every_problem_is_told_at_once(xml: Any) -> None:
    body = '<startEvent id="s"/><callActivity id="a"/><serviceTask id="b"/><endEvent id="e"/>'
    body += '<f a="s" b="b"/><f a="b" b="e"/>'
    assert codes(xml(body)) == [("a", "unsupported"), ("b", "operation")]


def test_too_many_nodes_and_too_deep_nesting_are_refused(xml: Any) -> None:
    many = "".join(f'<userTask id="u{n}"/>' for n in range(2_000))
    assert codes(xml(LINE + many)) == [("p", "too_many_nodes")]
    assert codes(xml(LINE + '<f a="w" b="e"/>' * 4_000)) == [("p", "too_many_flows")]
    fork = '<startEvent id="s"/><parallelGateway id="g"/><endEvent id="e"/><f a="s" b="g"/>'
    assert codes(xml(fork + '<f a="g" b="e"/>' * 501)) == [("g", "too_many_branches")]
    assert engine.parse(xml(fork + '<f a="g" b="e"/>' * 500)).process_id == "p"
    inner = '<startEvent id="i"/><endEvent id="o"/><f a="i" b="o"/>'
    for n in range(21):
        inner = (
            f'<startEvent id="s{n}"/><subProcess id="n{n}">{inner}</subProcess><endEvent id="e{n}"/>'
            f'<f a="s{n}" b="n{n}"/><f a="n{n}" b="e{n}"/>'
        )
    assert codes(xml(inner)) == [("n0", "too_deep")]
    marked = inner.replace("<subProcess", '<subProcess xw:body="true"')
    assert codes(xml(marked)) == [("n0", "too_deep")]


def test_levels_are_counted_as_they_are_drawn(xml: Any, driver: Any) -> None:
    """A handler puts the rest of its scope into a sub-process that nobody has drawn."""
    handler = '<subProcess id="h{0}" triggeredByEvent="true"><startEvent id="hs{0}"><timerEventDefinition>'
    handler += '<timeDuration>P1D</timeDuration></timerEventDefinition></startEvent><endEvent id="he{0}"/>'
    handler += '<f a="hs{0}" b="he{0}"/></subProcess>'

    def levels(count: int) -> bytes:
        body = '<startEvent id="i"/><userTask id="iw"/><endEvent id="o"/><f a="i" b="iw"/><f a="iw" b="o"/>'
        for n in range(count):
            body = (
                f'{handler.format(n)}<startEvent id="s{n}"/><subProcess id="n{n}">{body}</subProcess>'
                f'<endEvent id="e{n}"/><f a="s{n}" b="n{n}"/><f a="n{n}" b="e{n}"/>'
            )
        return bytes(xml(body))

    run = driver(engine.parse(levels(20)))
    run.start()
    assert run.open == ["iw"]
    assert codes(levels(21)) == [("h0", "too_deep"), ("n0", "too_deep")]


def test_a_chain_as_long_as_allowed_parses_and_runs(drive: Any) -> None:
    body = '<startEvent id="s"/><endEvent id="e"/><f a="s" b="t0"/><f a="t297" b="e"/>'
    body += "".join(f'<task id="t{n}"/>' for n in range(298)) + "".join(
        f'<f a="t{n}" b="t{n + 1}"/>' for n in range(297)
    )
    run = drive(body)
    assert run.start().completed and len(run.step.passed) == 300


def test_the_checksum_is_of_the_bytes_as_given(xml: Any) -> None:
    assert engine.parse(xml(LINE)).checksum == hashlib.sha256(xml(LINE)).hexdigest()


def test_eight_threads_share_one_specification(repair: engine.Specification, driver: Any) -> None:
    script = [
        ("dispatch", "dispatch"),
        ("accept", "refuse"),
        ("dispatch", "dispatch"),
        ("accept", "accept"),
        ("repair", "hang"),
        ("hold", "resume"),
        ("repair", "finish"),
        ("check", "fail"),
        ("repair", "finish"),
        ("check", "pass"),
    ]

    def work(number: int) -> list[Any]:
        story: list[Any] = []
        for _ in range(10):
            run = driver(repair)
            run.start()
            for node, outcome in script:
                step = run.complete(node, outcome, worker=number)
                story.append((step.passed, [task.node for task in step.tasks]))
            assert run.step.completed
            story.append(run.host.calls)
        return story

    with ThreadPoolExecutor(8) as pool:
        stories = list(pool.map(work, range(8)))
    assert stories == [stories[0]] * 8
