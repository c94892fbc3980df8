"""Drawings of other engines: what is read as ours, what is said though it was left out, and what is told."""

from typing import Any

import pytest

from workflows import engine

LINE = '<startEvent id="s"/>{}<endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>'


def told(xml: bytes) -> list[tuple[str, str]]:
    found = engine.adopt(engine.read(xml))
    assert all(problem.level == "warning" and problem.text_zh and problem.text_en for problem in found)
    return [(problem.element, problem.code) for problem in found]


@pytest.mark.parametrize(
    ("node", "warnings"),
    [
        ('<userTask id="w" flowable:async="true" flowable:skipExpression="${true}"/>', []),
        ('<userTask id="w" flowable:localScope="true"/>', [("w", "no_effect")]),
        ('<userTask id="w"><ioSpecification/></userTask>', [("w", "no_effect")]),
        (
            '<userTask id="w"><extensionElements><flowable:taskListener class="a.B"/></extensionElements></userTask>',
            [("w", "no_effect")],
        ),
        ('<userTask id="w"/><dataObject id="d"/>', [("p", "no_effect")]),
        ('<receiveTask id="w"/>', [("w", "message_named")]),
        (
            '<userTask id="w"><multiInstanceLoopCharacteristics flowable:collection="people" '
            'flowable:elementVariable="x" flowable:noWaitStatesAsyncLeave="true" flowable:elementIndexVariable="i">'
            "<extensionElements><flowable:variableAggregation/></extensionElements></multiInstanceLoopCharacteristics></userTask>",
            [("w", "no_effect"), ("w", "no_effect")],
        ),
    ],
)
def test_what_has_no_effect_is_told_and_does_not_stop_the_model(
    xml: Any, node: str, warnings: list[tuple[str, str]]
) -> None:
    document = xml(LINE.format(node))
    assert told(document) == warnings
    assert "w" in engine.parse(document).nodes


def test_a_store_of_data_beside_the_process_stops_nothing(xml: Any) -> None:
    node = '<userTask id="w"/><dataStoreReference id="r" dataStoreRef="d"/>'
    document = xml(LINE.format(node), '<dataStore id="d" name="DB"/>')
    assert told(document) == [("p", "no_effect")]
    assert set(engine.parse(document).nodes) == {"s", "w", "e"}


def test_a_file_keeps_its_bytes_and_its_checksum(xml: Any) -> None:
    document = xml(LINE.format('<serviceTask id="w" flowable:class="a.B"/>'))
    other = xml(LINE.format('<serviceTask id="w" xw:operation="a.B"/>'))
    assert engine.parse(document).checksum != engine.parse(other).checksum
    assert told(other) == []


def test_a_way_ends_where_nothing_goes_on(drive: Any, xml: Any) -> None:
    body = '<startEvent id="s"/><userTask id="w"/><f a="s" b="w"/>'
    assert told(xml(body)) == [("w", "no_way_out")]
    run = drive(body)
    run.start()
    step = run.complete("w")
    assert (step.completed, step.passed) == (True, ("w", "w.end"))


def test_several_flows_out_of_a_task_are_all_taken(drive: Any, xml: Any) -> None:
    body = '<startEvent id="s"/><userTask id="w"/><userTask id="a"/><userTask id="b"/><endEvent id="e"/>'
    body += '<f a="s" b="w"/><f a="w" b="a"/><f a="w" b="b"/><f a="a" b="e"/><f a="b" b="e"/>'
    assert told(xml(body)) == [("w", "many_ways_out")]
    run = drive(body)
    run.start()
    run.complete("w")
    assert run.open == ["a", "b"]


@pytest.mark.parametrize(("outcome", "opened"), [("x", ["a", "b"]), ("y", ["b"])])
def test_behind_a_task_a_flow_without_condition_is_taken_whatever_the_others_do(
    drive: Any, outcome: str, opened: list[str]
) -> None:
    body = '<startEvent id="s"/><userTask id="w"/><userTask id="a"/><userTask id="b"/><endEvent id="e"/>'
    body += '<f a="s" b="w"/><f a="w" b="a" if="${outcome == \'x\'}"/><f a="w" b="b"/><f a="a" b="e"/><f a="b" b="e"/>'
    run = drive(body)
    run.start()
    run.complete("w", outcome)
    assert run.open == opened


@pytest.mark.parametrize("condition", ["", ' if="${false}"'])
@pytest.mark.parametrize(("outcome", "opened"), [("x", ["a"]), ("y", ["b"])])
def test_the_default_of_a_task_is_the_default_of_its_choice(
    drive: Any, outcome: str, opened: list[str], condition: str
) -> None:
    body = '<startEvent id="s"/><userTask id="w" default="d"/><userTask id="a"/><userTask id="b"/><endEvent id="e"/>'
    body += '<f a="s" b="w"/><f a="w" b="a" if="${outcome == \'x\'}"/><f id="d" a="w" b="b"' + condition + "/>"
    body += '<f a="a" b="e"/><f a="b" b="e"/>'
    run = drive(body)
    run.start()
    run.complete("w", outcome)
    assert run.open == opened


def test_a_condition_on_the_only_flow_is_asked(drive: Any) -> None:
    body = '<startEvent id="s"/><userTask id="w"/><endEvent id="e"/><f a="s" b="w"/>'
    run = drive(body + '<f a="w" b="e" if="${outcome == \'x\'}"/>')
    run.start()
    with pytest.raises(engine.ExpressionError):
        run.complete("w", "y")
    assert run.complete("w", "x").completed


@pytest.mark.parametrize(
    ("attribute", "operation"),
    [
        ('flowable:class="a.B"', "a.B"),
        ('flowable:delegateExpression="${bean}"', "bean"),
        ('flowable:expression="#{ bean.run(1) }"', "bean.run(1)"),
        ('flowable:type="mail"', "mail"),
        ('flowable:class="a.B" xw:operation="own"', "own"),
    ],
)
def test_a_delegate_is_the_operation_of_its_name(drive: Any, attribute: str, operation: str) -> None:
    run = drive(LINE.format(f'<serviceTask id="w" {attribute}/>'))
    run.start()
    assert run.host.calls == [(operation, "w")]


def test_a_send_task_with_code_is_a_service_task(drive: Any) -> None:
    run = drive(LINE.format('<sendTask id="w" flowable:type="mail"/>'))
    assert run.start().completed
    assert run.host.calls == [("mail", "w")]


def test_a_receive_task_without_a_message_waits_for_one_of_its_name(drive: Any) -> None:
    run = drive(LINE.format('<receiveTask id="w"/>'))
    run.start()
    assert [catch.message for catch in run.step.catches] == ["w"]
    assert run.send("w").completed


def performer(kind: str, said: str) -> str:
    inner = f"<resourceAssignmentExpression><formalExpression>{said}</formalExpression></resourceAssignmentExpression>"
    return f"<{kind}>{inner}</{kind}>"


def test_the_elements_of_the_standard_name_people(xml: Any) -> None:
    people = performer("humanPerformer", "ann") + performer("potentialOwner", "user(bob), group( hr ),${max(a, b)}, it")
    node = engine.parse(xml(LINE.format(f'<userTask id="w">{people}</userTask>'))).nodes["w"]
    assert dict(node.extensions) == {
        "assignee": "ann",
        "candidateUsers": "bob",
        "candidateGroups": "hr,${max(a, b)},it",
    }


def test_an_expression_that_is_formal_by_its_type_names_people_too(xml: Any) -> None:
    people = performer("potentialOwner", "group(hr)").replace("<formalE", '<expression xsi:type="tFormalE')
    people = people.replace("tFormalExpression>", 'tFormalExpression">').replace("</formalExpression>", "</expression>")
    people = people.replace("xsi:", 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:')
    node = engine.parse(xml(LINE.format(f'<userTask id="w">{people}</userTask>'))).nodes["w"]
    assert dict(node.extensions) == {"candidateGroups": "hr"}


@pytest.mark.parametrize(
    "said", ["," * 300_000, "user(" + "x " * 150_000, "${" * 150_000], ids=["commas", "blanks", "braces"]
)
def test_people_that_are_named_at_great_length_are_refused(xml: Any, said: str) -> None:
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml(LINE.format(f'<userTask id="w">{performer("potentialOwner", said)}</userTask>')))
    assert ("w", "unsupported") in [(problem.element, problem.code) for problem in caught.value.problems]


def test_nodes_without_an_id_get_one_that_nothing_has(xml: Any) -> None:
    document = xml('<startEvent/><userTask id="startEvent"/><f a="startEvent_" b="startEvent"/>')
    assert sorted(engine.parse(document).nodes) == ["startEvent", "startEvent.end", "startEvent_"]


def test_an_id_as_long_as_allowed_can_be_forked_and_ended(xml: Any) -> None:
    long = "w" * 80
    body = f'<startEvent id="s"/><userTask id="{long}"/><userTask id="b"/><f a="s" b="{long}"/>'
    body += f'<f a="{long}" b="b"/><f a="{long}" b="b"/>'
    assert len(engine.parse(xml(body)).nodes) == 5


def test_a_file_with_much_that_is_not_read_says_the_first_twenty(xml: Any) -> None:
    many = "".join(f'<dataObject id="d{number}"/>' for number in range(50))
    assert told(xml(LINE.format('<userTask id="w"/>') + many)) == [("p", "no_effect")] * 20


@pytest.mark.parametrize(
    "body",
    ["<userTask/>" * 6_000, '<eventBasedGateway id="g"/>' * 9_000, '<callActivity id="c" calledElement="p"/>' * 9_000],
    ids=["without ids", "choices of events", "calls"],
)
def test_what_is_too_large_is_refused_before_it_is_worked_on(xml: Any, body: str) -> None:
    document, asked = xml(body), []
    assert told(document) == []
    for read in (engine.parse, lambda one: engine.assemble(one, asked.append)):
        if read is engine.parse or b"callActivity" in document:
            with pytest.raises(engine.ModelError) as caught:
                read(document)
            assert [problem.code for problem in caught.value.problems][-1] == "too_many_nodes"
    assert asked == []


def test_declarations_that_nothing_names_stop_no_model(xml: Any) -> None:
    beside = '<signal id="x" name="x"/><error id="y" errorCode="y"/><escalation id="z"/><itemDefinition id="i"/>'
    assert "w" in engine.parse(xml(LINE.format('<userTask id="w"/>'), beside)).nodes
