"""Calls of other processes: filled in when the caller is deployed, with ids, messages and forms of their own."""

from collections.abc import Callable
from typing import Any

import pytest

from workflows import engine

CALL = '<startEvent id="s"/><callActivity id="call" calledElement="q"/><endEvent id="e"/><f a="s" b="call"/>'
CALL += '<f a="call" b="e"/>'
STEP = (
    '<startEvent id="s" xw:form="f"/><userTask id="w" xw:form="f"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>'
)
MISSING = engine.Problem("", "called_missing", "没有", "none")


def finder(processes: dict[str, bytes], calls: tuple[str, ...] = ()) -> engine.Find:
    return lambda key: engine.Called(processes[key], calls) if key in processes else MISSING


def refused(xml: bytes, find: engine.Find) -> list[tuple[str, str]]:
    with pytest.raises(engine.ModelError) as caught:
        engine.assemble(xml, find)
    return [(problem.element, problem.code) for problem in caught.value.problems]


def called(xml: Callable[..., bytes], body: str, beside: str = "") -> bytes:
    return xml(body, beside).replace(b'<process id="p"', b'<process id="q"')


def test_a_call_is_a_part_of_its_caller(xml: Any, driver: Any) -> None:
    assembly = engine.assemble(xml(CALL), finder({"q": called(xml, STEP)}))
    assert assembly.calls == ("q",)
    specification = engine.parse(assembly.xml)
    assert {node.id: node.scope for node in specification.nodes.values()} == {
        "s": "", "call": "", "e": "", "call.s": "call", "call.w": "call", "call.e": "call",
    }  # fmt: skip
    assert specification.nodes["call.s"].extensions == {}
    run = driver(specification)
    run.start()
    assert run.open == ["call.w"]
    step = run.complete("call.w")
    assert step.completed and step.passed == ("call.w", "call.e", "call", "e")


def test_a_drawing_without_calls_keeps_its_bytes(xml: Any) -> None:
    assert engine.assemble(xml(STEP), finder({})) == engine.Assembly(xml(STEP), ())


def test_what_cannot_be_called_is_told_at_the_call(xml: Any) -> None:
    find = finder({"q": called(xml, STEP)}, calls=("p",))
    assert refused(xml(CALL.replace('"q"', '"none"')), find) == [("call", "called_missing")]
    assert refused(xml(CALL.replace(' calledElement="q"', "")), find) == [("call", "called_missing")]
    assert refused(xml(CALL.replace('"q"', '"${x}"')), find) == [("call", "unsupported")]
    assert refused(xml(CALL.replace('"q"', '"p"')), find) == [("call", "called_loop")]
    assert refused(xml(CALL), find) == [("call", "called_loop")]


def test_what_a_called_drawing_speaks_its_caller_does_too(xml: Any) -> None:
    def without(document: bytes) -> bytes:
        return document.replace(b'xmlns:flowable="http://flowable.org/bpmn" ', b"")

    plain, theirs, calls = without(xml(CALL)), called(xml, STEP), without(called(xml, CALL.replace('"q"', '"r"')))
    assert not engine.parse(engine.assemble(plain, finder({"q": without(theirs)})).xml).is_vendor
    assert engine.parse(engine.assemble(plain, finder({"q": theirs})).xml).is_vendor
    deep = engine.assemble(calls, finder({"r": theirs.replace(b'"q"', b'"r"')})).xml
    assert engine.parse(engine.assemble(plain, finder({"q": deep})).xml).is_vendor


def test_levels_are_counted_anew_in_a_called_process(xml: Any, driver: Any) -> None:
    nested = '<startEvent id="i"/><userTask id="w"/><endEvent id="o"/><f a="i" b="w"/><f a="w" b="o"/>'
    for n in range(4):
        nested = (
            f'<startEvent id="s{n}"/><subProcess id="n{n}">{nested}</subProcess><endEvent id="e{n}"/>'
            f'<f a="s{n}" b="n{n}"/><f a="n{n}" b="e{n}"/>'
        )
    whole = called(xml, nested)
    for count in range(1, 22):
        caller = xml(CALL.replace('"q"', f'"q{count - 1}"')).replace(
            b'<process id="p"', f'<process id="q{count}"'.encode()
        )
        whole = engine.assemble(caller, finder({f"q{count - 1}": whole})).xml
        if count == 21:
            with pytest.raises(engine.ModelError) as caught:
                engine.parse(whole)
            assert [problem.text_en for problem in caught.value.problems] == [
                "Calls are nested more than 20 levels deep"
            ]
            assert [problem.text_zh for problem in caught.value.problems] == ["流程调用嵌套超过20层"]
        else:
            run = driver(engine.parse(whole))
            run.start()
            [opened] = run.open
            assert opened == f"{'call.' * count}w" or (count > 10 and len(opened) < 80)  # ids have a limit


def test_two_calls_of_one_process_do_not_meet(xml: Any, driver: Any) -> None:
    body = '<startEvent id="s"/><callActivity id="one" calledElement="q"/><callActivity id="two" calledElement="q"/>'
    body += '<endEvent id="e"/><f a="s" b="one"/><f a="one" b="two"/><f a="two" b="e"/>'
    run = driver(engine.parse(engine.assemble(xml(body), finder({"q": called(xml, STEP)})).xml))
    run.start()
    assert run.open == ["one.w"]
    run.complete("one.w")
    assert run.open == ["two.w"]
    assert run.complete("two.w").completed


def test_an_error_of_the_called_process_reaches_the_border_of_its_call(xml: Any, driver: Any) -> None:
    beside = '<error id="x" errorCode="E1"/>'
    bad = STEP.replace('<endEvent id="e"/>', '<endEvent id="e"><errorEventDefinition errorRef="x"/></endEvent>')
    caller = CALL + '<boundaryEvent id="b" attachedToRef="call"><errorEventDefinition errorRef="x"/></boundaryEvent>'
    caller += '<userTask id="mend"/><f a="b" b="mend"/><f a="mend" b="e"/>'
    assembly = engine.assemble(xml(caller, beside), finder({"q": called(xml, bad, beside)}))
    run = driver(engine.parse(assembly.xml))
    run.start()
    run.complete("call.w")
    assert run.open == ["mend"]


def test_what_both_declare_is_declared_for_each(xml: Any, driver: Any) -> None:
    beside = '<message id="m" name="{}"/>'
    waits = '<startEvent id="s"/><receiveTask id="r" messageRef="m"/><endEvent id="e"/><f a="s" b="r"/><f a="r" b="e"/>'
    caller = (
        CALL + '<boundaryEvent id="b" attachedToRef="call"><messageEventDefinition messageRef="m"/></boundaryEvent>'
    )
    caller += '<f a="b" b="e"/>'
    find = finder({"q": called(xml, waits, beside.format("inner"))})
    run = driver(engine.parse(engine.assemble(xml(caller, beside.format("outer")), find).xml))
    step = run.start()
    assert {(catch.node, catch.message) for catch in step.catches} == {("call.r", "inner"), ("b", "outer")}


def test_forms_go_along_under_names_of_their_own(xml: Any) -> None:
    form = '<extensionElements><xw:form name="f">{}</xw:form></extensionElements>'
    caller = form.format("outer") + CALL.replace('<startEvent id="s"/>', '<startEvent id="s" xw:form="f"/>')
    specification = engine.parse(
        engine.assemble(xml(caller), finder({"q": called(xml, form.format("inner") + STEP)})).xml
    )
    assert dict(specification.forms) == {"f": "outer", "call.f": "inner"}
    assert specification.nodes["s"].extensions["form"] == "f"
    assert specification.nodes["call.w"].extensions["form"] == "call.f"


def test_a_called_process_that_an_event_starts_begins_with_its_call(xml: Any, driver: Any) -> None:
    timed = STEP.replace('<startEvent id="s" xw:form="f"/>', '<startEvent id="s"><timerEventDefinition/></startEvent>')
    run = driver(engine.parse(engine.assemble(xml(CALL), finder({"q": called(xml, timed)})).xml))
    run.start()
    assert run.open == ["call.w"]


def test_long_ids_stay_ids(xml: Any) -> None:
    long = "w" * 80
    caller = CALL.replace('"call"', f'"{"c" * 80}"')
    body = STEP.replace('"w"', f'"{long}"') + f'<userTask id="{long[:-1]}x"/><f a="{long}" b="{long[:-1]}x"/>'
    specification = engine.parse(engine.assemble(xml(caller), finder({"q": called(xml, body)})).xml)
    assert max(map(len, specification.nodes)) == 80
