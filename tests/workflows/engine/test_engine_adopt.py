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
        ('<userTask id="w" flowable:async="true" flowable:exclusive="false"/>', []),
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
            [("w", "no_effect")],
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
    assert run.complete("w", "x").completed
    run.start()
    run.complete("w", "y")
    assert run.faults == [("w.fork", "expression")]


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


def test_a_file_with_much_that_is_not_read_names_the_first_twenty_elements_and_what_the_others_lose(xml: Any) -> None:
    ways = "".join(f'<task id="t{n}" flowable:a{n}="1" flowable:b="1"/><f a="s" b="t{n}"/>' for n in range(23))
    found = engine.adopt(engine.read(xml(LINE.format('<userTask id="w"/>') + ways)))
    lost = [(one.element, one.text_en, one.text_zh) for one in found if one.code == "no_effect"]
    assert lost[1] == ("t1", "“a1”, “b” are not supported and will be ignored", "“a1”、“b”不支持，将被忽略")
    assert [element for element, _en, _zh in lost] == [*(f"t{n}" for n in range(20)), "p"]
    assert lost[20][1] == "“a20”, “b”, “a21”, “a22” at 3 more elements are not supported and will be ignored"
    assert lost[20][2] == "另有3个元素的“a20”、“b”、“a21”、“a22”不支持，将被忽略"


@pytest.mark.parametrize(
    "body",
    ["<userTask/>" * 9_000, '<eventBasedGateway id="g"/>' * 9_000, '<callActivity id="c" calledElement="p"/>' * 9_000],
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


def event(kind: str, inside: str, more: str = "") -> str:
    return f'<{kind} id="w" {more}><extensionElements>{inside}</extensionElements></{kind}>'


OUTSIDE = "<flowable:eventType>arrived</flowable:eventType>"
KEYED = OUTSIDE + '<flowable:eventCorrelationParameter name="customer" value="${form.who}"/>'
KEYED_TWICE = KEYED + '<flowable:eventCorrelationParameter name="order" value="o1"/>'


@pytest.mark.parametrize(
    ("kind", "inside", "key"),
    [
        ("intermediateCatchEvent", OUTSIDE, "*"),
        ("intermediateCatchEvent", KEYED, "ann"),
        ("receiveTask", KEYED_TWICE, "ann|o1"),
    ],
)
def test_an_event_from_outside_is_a_message_under_what_tells_it_from_others(
    drive: Any, kind: str, inside: str, key: str
) -> None:
    run = drive(LINE.format(event(kind, inside)))
    step = run.start(form={"who": "ann"})
    assert [(catch.node, catch.message, catch.key) for catch in step.catches] == [("w", "arrived", key)]
    assert run.send("arrived").completed


def test_an_event_from_outside_breaks_a_step_off_or_runs_beside_it(drive: Any) -> None:
    for cancels, opened in (("true", ["x"]), ("false", ["u", "x"])):
        body = LINE.replace("{}", '<userTask id="u"/><userTask id="x"/>').replace('a="s" b="w"', 'a="s" b="u"')
        body = body.replace('<f a="w" b="e"/>', '<f a="u" b="e"/><f a="w" b="x"/><f a="x" b="e"/>')
        run = drive(body + event("boundaryEvent", KEYED, f'attachedToRef="u" cancelActivity="{cancels}"'))
        step = run.start(form={"who": "ann"})
        assert [(catch.node, catch.message, catch.key) for catch in step.catches] == [("w", "arrived", "ann")]
        run.send("arrived")
        assert run.open == opened


def test_what_an_event_from_outside_is_called_is_told(xml: Any) -> None:
    payload = '<flowable:eventOutParameter source="a" target="b"/>'
    assert told(xml(LINE.format(event("intermediateCatchEvent", KEYED + payload)))) == [
        ("w", "message_named"),
        ("w", "no_effect"),
    ]
    started = (
        '<startEvent id="s" isInterrupting="false"><extensionElements>' + OUTSIDE + "</extensionElements></startEvent>"
    )
    document = xml(LINE.replace('<startEvent id="s"/>', started).format('<userTask id="w"/>'))
    assert told(document) == [("s", "start_by_hand")]
    assert "w" in engine.parse(document).nodes


def listener(kind: str, name: str = "x") -> str:
    return f'<flowable:variableListenerEventDefinition variableName="{name}" variableChangeType="{kind}"/>'


def watched(trigger: str, cancels: str = "true", change: str = "") -> str:
    """A step with an event on its border, beside one after whose end a script runs."""
    body = '<startEvent id="s"/><parallelGateway id="g"/><userTask id="a"/><userTask id="b"/><userTask id="on"/>'
    body += '<endEvent id="e"/><f a="s" b="g"/><f a="g" b="a"/><f a="g" b="b"/><f a="a" b="e"/><f a="b" b="w"/>'
    body += '<f a="w" b="c"/><userTask id="c"/><f a="c" b="e"/><f a="x" b="on"/><f a="on" b="e"/>'
    body += f'<scriptTask id="w" scriptFormat="groovy"><script>{change}</script></scriptTask>'
    return body + f'<boundaryEvent id="x" attachedToRef="a" cancelActivity="{cancels}">{trigger}</boundaryEvent>'


SET = "execution.setVariable('x', 2)"


@pytest.mark.parametrize(
    ("kind", "before", "change", "opened"),
    [
        ("all", {}, SET, ["c", "on"]),
        ("all", {"x": 1}, SET, ["c", "on"]),
        ("all", {"x": 2}, SET, ["a", "c"]),
        ("all", {"x": 1}, "execution.setVariable('y', 2)", ["a", "c"]),
        ("create", {}, SET, ["c", "on"]),
        ("create", {"x": 1}, SET, ["a", "c"]),
        ("update", {}, SET, ["a", "c"]),
        ("update", {"x": 1}, SET, ["c", "on"]),
        ("delete", {"x": 1}, SET, ["a", "c"]),
        ("delete", {"x": 1}, "execution.setVariable('x', null)", ["c", "on"]),
        ("update-create", {}, SET, ["c", "on"]),
    ],
)
def test_a_variable_that_changes_sets_off_who_waits_for_it(
    drive: Any, kind: str, before: dict[str, int], change: str, opened: list[str]
) -> None:
    trigger = f"<extensionElements>{listener(kind)}</extensionElements>"
    run = drive(watched(trigger, change=change))
    run.start(**before)
    assert run.open == ["a", "b"]
    run.complete("b")
    assert run.open == opened


def test_a_field_of_a_form_that_changes_counts_too(drive: Any, host: Any) -> None:
    run = drive(watched(f"<extensionElements>{listener('all')}</extensionElements>", change="println 1"))
    host.lent = {"x": None}
    run.start()
    host.lent = {"x": 5}
    run.complete("b")
    assert run.open == ["c", "on"]


def test_what_breaks_nothing_off_hears_each_change(drive: Any, host: Any) -> None:
    run = drive(watched(f"<extensionElements>{listener('all')}</extensionElements>", "false", "println 1"))
    host.lent = {"x": 1}
    run.start()
    for number, act in enumerate(("b", "c", "on"), 2):
        host.lent = {"x": number}
        run.complete(act)
    assert run.open == ["a", "on", "on"]
    assert not run.complete("a").completed
    run.complete("on")
    assert run.complete("on").completed


CONDITION = "<conditionalEventDefinition><condition>${x &gt; 1}</condition></conditionalEventDefinition>"


@pytest.mark.parametrize(
    ("before", "change", "opened"),
    [
        ({}, SET, ["c", "on"]),
        ({"x": 1}, SET, ["c", "on"]),
        ({}, "println 1", ["a", "c"]),
        ({}, "execution.setVariable('x', 1)", ["a", "c"]),
    ],
)
def test_a_condition_that_begins_to_hold_is_an_event(
    drive: Any, before: dict[str, int], change: str, opened: list[str]
) -> None:
    run = drive(watched(CONDITION, change=change))
    run.start(**before)
    assert run.open == ["a", "b"]
    run.complete("b")
    assert run.open == opened


def test_a_condition_that_holds_from_the_beginning_is_one_at_once(drive: Any) -> None:
    run = drive(watched(CONDITION, change=SET))
    run.start(x=5)
    assert run.open == ["b", "on"]


def test_a_condition_that_goes_on_to_hold_is_no_further_event(drive: Any, host: Any) -> None:
    body = (
        '<startEvent id="s"/><parallelGateway id="g"/><userTask id="a"/><exclusiveGateway id="in"/><endEvent id="e"/>'
    )
    body += '<userTask id="tick"/><exclusiveGateway id="out" default="again"/><f a="s" b="g"/><f a="g" b="a"/>'
    body += '<f a="g" b="in"/><f a="in" b="tick"/><f a="tick" b="out"/><f id="again" a="out" b="in"/>'
    body += '<f a="out" b="e" if="outcome == \'stop\'"/><f a="a" b="e"/><userTask id="on"/><f a="x" b="on"/>'
    body += '<f a="on" b="e"/>'
    body += f'<boundaryEvent id="x" attachedToRef="a" cancelActivity="false">{CONDITION}</boundaryEvent>'
    run = drive(body)
    host.lent = {"x": 0}
    run.start()
    found = []
    for value in (2, 3, 0, 4):
        host.lent = {"x": value}
        run.complete("tick")
        found.append(run.open.count("on"))
    assert found == [1, 1, 1, 2]


def test_a_sub_process_begins_when_a_condition_holds(drive: Any) -> None:
    body = '<startEvent id="s"/><userTask id="b"/><userTask id="c"/><endEvent id="e"/><f a="s" b="b"/><f a="b" b="w"/>'
    body += (
        f'<f a="w" b="c"/><f a="c" b="e"/><scriptTask id="w" scriptFormat="groovy"><script>{SET}</script></scriptTask>'
    )
    body += f'<subProcess id="h" triggeredByEvent="true"><startEvent id="hs">{CONDITION}</startEvent>'
    body += '<userTask id="hw"/><endEvent id="he"/><f a="hs" b="hw"/><f a="hw" b="he"/></subProcess>'
    run = drive(body)
    run.start()
    run.complete("b")
    assert run.open == ["hw"]


@pytest.mark.parametrize(
    "trigger",
    [
        "<conditionalEventDefinition/>",
        "<conditionalEventDefinition><condition>${x &gt;}</condition></conditionalEventDefinition>",
        f"<extensionElements>{listener('some')}</extensionElements>",
        f"<extensionElements>{listener('all', '')}</extensionElements>",
    ],
)
def test_an_event_that_waits_for_nothing_is_refused(xml: Any, trigger: str) -> None:
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml(watched(trigger, change=SET)))
    assert [(problem.element, problem.code) for problem in caught.value.problems] == [("x", "condition")]


def test_a_wait_for_a_condition_that_nobody_can_change_is_found_by_the_dry_run(xml: Any) -> None:
    body = LINE.format(f'<intermediateCatchEvent id="w">{CONDITION}</intermediateCatchEvent>')
    found = engine.rehearse(engine.parse(xml(body)), {"x": 0})
    assert [(problem.element, problem.code) for problem in found] == [("w", "stuck")]


def test_a_loop_through_a_condition_waits_for_nobody(xml: Any) -> None:
    body = f'<startEvent id="s"/><exclusiveGateway id="in"/><intermediateCatchEvent id="w">{CONDITION}'
    body += '</intermediateCatchEvent><exclusiveGateway id="g" default="b"/><endEvent id="e"/><f a="s" b="in"/>'
    body += '<f a="in" b="w"/><f a="w" b="g"/><f id="b" a="g" b="in"/><f a="g" b="e" if="${x == 3}"/>'
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml(body))
    assert {problem.code for problem in caught.value.problems} == {"endless"}


def test_ids_are_read_as_xml_and_the_document_mean_them(drive: Any, xml: Any) -> None:
    body = '<startEvent id=" s"/><receiveTask id="w " messageRef="t:m"/><endEvent id="e"/><f a="s " b="w"/>'
    body += '<f a="w" b="e"/>'
    document = xml(body, '<message id="m" name="hello"/>').replace(
        b"<definitions ", b'<definitions xmlns:t="urn:test" '
    )
    specification = engine.parse(document)
    assert (set(specification.nodes), specification.catches) == ({"s", "w", "e"}, {"hello"})
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(document.replace(b'"urn:test"', b'"urn:other"', 1))
    assert [(problem.element, problem.code) for problem in caught.value.problems] == [("w", "bad_id")]


def test_a_drawing_may_use_the_names_of_the_library_s_own_nodes(drive: Any) -> None:
    inner = '<startEvent id="is"/><userTask id="u"/><endEvent id="ie"/><f a="is" b="u"/><f a="u" b="ie"/>'
    body = '<startEvent id="Start"/><parallelGateway id="g"/><userTask id="w"/><endEvent id="e"/>'
    body += f'<subProcess id="End">{inner}</subProcess><boundaryEvent id="b" attachedToRef="End"><timerEventDefinition>'
    body += '<timeDuration>PT1H</timeDuration></timerEventDefinition></boundaryEvent><f a="Start" b="g"/>'
    run = drive(body + '<f a="g" b="w"/><f a="g" b="End"/><f a="w" b="e"/><f a="End" b="e"/><f a="b" b="e"/>')
    assert run.spec.first == "Start" and "End" in run.spec.nodes
    assert run.start().passed == ("Start", "g", "is")
    assert run.complete("u").passed == ("u", "ie", "End", "e")
    assert run.complete("w").completed
    run.start()
    assert run.fire("b").passed == ("b", "e")


@pytest.mark.parametrize("kind", ["task", "manualTask", "sendTask", "receiveTask"])
@pytest.mark.parametrize("sequential", ["true", "false"])
def test_other_tasks_are_done_several_times_too(drive: Any, kind: str, sequential: str) -> None:
    loop = f'<multiInstanceLoopCharacteristics isSequential="{sequential}"><loopCardinality>3</loopCardinality>'
    message = ' messageRef="m"' if "Task" in kind and kind != "manualTask" else ""
    inner = f'<{kind} id="w"{message}>{loop}</multiInstanceLoopCharacteristics></{kind}>'
    run = drive(LINE.format(inner), '<message id="m" name="m"/>')
    step = run.start()
    thrown = 3 if kind == "sendTask" else 0
    assert [one.message for one in step.thrown] == ["m"] * thrown
    if kind == "receiveTask":
        for left in (2, 1, 0) if sequential == "true" else (0,):
            assert len(step.catches) == (1 if sequential == "true" else 3)
            step = run.send("m")
            assert step.completed == (left == 0)
    assert step.completed


@pytest.mark.parametrize(("kind", "name", "key"), [("message", "for ann", ""), ("signal", "signal:for ann", "*")])
def test_a_name_may_be_known_only_when_it_is_waited_for(drive: Any, kind: str, name: str, key: str) -> None:
    called = f'<{kind}EventDefinition flowable:{kind}Expression="for ${{form.who}}"/>'
    body = f'<startEvent id="s"/><intermediateThrowEvent id="t">{called}</intermediateThrowEvent><endEvent id="e"/>'
    body += f'<intermediateCatchEvent id="w">{called}</intermediateCatchEvent><f a="s" b="t"/><f a="t" b="w"/>'
    run = drive(body + '<f a="w" b="e"/>')
    step = run.start(form={"who": "ann"})
    assert step.thrown == (engine.Thrown("t", name, key),)
    assert [(catch.node, catch.message, catch.key) for catch in step.catches] == [("w", name, key)]
    with pytest.raises(engine.NobodyWaits):
        engine.send(run.spec, step.state, name.replace("ann", "bob"), run.host)
    assert run.send(name).completed


@pytest.mark.parametrize("who", [None, "x" * 101])
def test_a_name_that_is_none_undoes_the_step(drive: Any, who: str | None) -> None:
    called = '<messageEventDefinition flowable:messageExpression="${form.who}"/>'
    run = drive(LINE.format(f'<intermediateCatchEvent id="w">{called}</intermediateCatchEvent>'))
    with pytest.raises(engine.EngineError) as caught:
        run.start(form={"who": who})
    assert "the message name must have 1 to 100 characters" in caught.value.text_en


def test_a_name_that_cannot_be_read_is_refused(xml: Any) -> None:
    called = '<messageEventDefinition flowable:messageExpression="${bean.name()}"/>'
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml(LINE.format(f'<intermediateCatchEvent id="w">{called}</intermediateCatchEvent>')))
    assert [(problem.element, problem.code) for problem in caught.value.problems] == [("w", "expression")]


def test_a_signal_known_only_then_is_heard_by_its_own_process(drive: Any) -> None:
    called = '<signalEventDefinition flowable:signalExpression="for ${form.who}"/>'
    body = '<startEvent id="s"/><parallelGateway id="g"/><userTask id="a"/><userTask id="b"/><endEvent id="e"/>'
    body += (
        f'<boundaryEvent id="x" attachedToRef="a" cancelActivity="false">{called}</boundaryEvent><userTask id="on"/>'
    )
    body += f'<intermediateThrowEvent id="w">{called}</intermediateThrowEvent><f a="s" b="g"/><f a="g" b="a"/>'
    body += '<f a="g" b="b"/><f a="b" b="w"/><f a="w" b="e"/><f a="a" b="e"/><f a="x" b="on"/><f a="on" b="e"/>'
    run = drive(body)
    run.start(form={"who": "ann"})
    step = run.complete("b")
    assert run.open == ["a", "on"]
    assert [(catch.node, catch.message) for catch in step.catches] == [("x", "signal:for ann")]


@pytest.mark.parametrize("trigger", [CONDITION, f"<extensionElements>{listener('all')}</extensionElements>"])
def test_when_a_change_is_asked_for_is_told(xml: Any, trigger: str) -> None:
    assert ("x", "asked_after_steps") in told(xml(watched(trigger, change=SET)))
    handler = f'<subProcess id="h" triggeredByEvent="true"><startEvent id="hs">{trigger}</startEvent></subProcess>'
    assert ("hs", "asked_after_steps") in told(xml(LINE.format('<userTask id="w"/>') + handler))
    started = LINE.format('<userTask id="w"/>').replace(
        '<startEvent id="s"/>', f'<startEvent id="s">{trigger}</startEvent>'
    )
    assert told(xml(started)) == [("s", "start_by_hand")]
