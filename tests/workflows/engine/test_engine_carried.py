"""What of other engines' models, and of BPMN's short forms, is carried over: each on a small drawing."""

from collections.abc import Callable
from typing import Any

import pytest

from workflows import engine

LINE = '<startEvent id="s"/>{}<endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>'
MESSAGE = '<message id="m" name="{}"/>'


def told(xml: bytes) -> list[tuple[str, str, str]]:
    return [(one.element, one.code, one.text_en) for one in engine.adopt(engine.read(xml))]


def refused(xml: bytes) -> list[tuple[str, str]]:
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml)
    return [(problem.element, problem.code) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("attributes", "operation"),
    [
        ('flowable:type="external-worker" flowable:topic="weld"', "weld"),
        ('flowable:type="external" flowable:topic="weld"', "weld"),
        ('implementation="crm.update"', "crm.update"),
        ('implementation="##WebService" flowable:class="a.B"', "a.B"),
    ],
)
def test_the_topic_or_the_connector_names_the_operation(drive: Any, attributes: str, operation: str) -> None:
    run = drive(LINE.format(f'<serviceTask id="w" {attributes}/>'))
    run.start()
    assert run.host.calls == [(operation, "w")]


def test_a_rule_task_is_run_by_its_code_alone(drive: Any, xml: Any) -> None:
    run = drive(LINE.format('<businessRuleTask id="w" flowable:class="a.B"/>'))
    run.start()
    assert run.host.calls == [("a.B", "w")]
    rules = '<businessRuleTask id="w" flowable:ruleVariablesInput="${x}"/>'
    assert refused(xml(LINE.format(rules))) == [("w", "unsupported")]


@pytest.mark.parametrize("kind", ["message", "signal"])
def test_a_name_that_is_an_expression_and_a_key_are_those_of_the_moment(drive: Any, kind: str) -> None:
    event = f'<intermediateCatchEvent id="w"><{kind}EventDefinition {kind}Ref="m"/></intermediateCatchEvent>'
    run = drive(LINE.format(event), f'<{kind} id="m" name="alarm-${{form.line}}"/>')
    (catch,) = run.start(form={"line": "L3"}).catches
    assert catch.message == {"message": "alarm-L3", "signal": "signal:alarm-L3"}[kind]
    assert run.send(catch.message).completed


def test_the_correlation_key_of_another_engine_is_ours(drive: Any) -> None:
    event = '<messageEventDefinition messageRef="m" flowable:correlationKey="${form.number}"/>'
    run = drive(LINE.format(f'<intermediateCatchEvent id="w">{event}</intermediateCatchEvent>'), MESSAGE.format("paid"))
    (catch,) = run.start(form={"number": 7}).catches
    assert (catch.message, catch.key) == ("paid", "7")


@pytest.mark.parametrize(
    "event",
    [
        '<errorEventDefinition errorRef="x" xmlns:camunda="http://camunda.org/schema/1.0/bpmn" '
        'camunda:errorCodeVariable="why"/>',
        '<extensionElements><flowable:in source="errorCode" target="why"/></extensionElements>'
        '<errorEventDefinition errorRef="x"/>',
    ],
)
def test_the_code_of_an_error_that_is_caught_is_a_variable(drive: Any, xml: Any, event: str) -> None:
    body = f"""
      <startEvent id="s"/><scriptTask id="w" scriptFormat="groovy"><script>BpmnError</script></scriptTask>
      <endEvent id="e"/><boundaryEvent id="b" attachedToRef="w">{event}</boundaryEvent><exclusiveGateway id="g"/>
      <userTask id="mend"/><userTask id="other"/><f a="s" b="w"/><f a="w" b="e"/><f a="b" b="g"/>
      <f a="g" b="mend" if="why == 'E7'"/><f a="g" b="other"/><f a="mend" b="e"/><f a="other" b="e"/>"""
    body = body.replace("<script>BpmnError", "<script>throw new BpmnError('E7')")
    run = drive(body, '<error id="x" errorCode="E7"/>')
    run.start()
    assert run.open == ["mend"]
    assert engine.unknown_names(_adopted(xml(body)), {}) == []


def _adopted(xml: bytes) -> Any:
    root = engine.read(xml)
    engine.adopt(root)
    return root


@pytest.mark.parametrize("sequential", ["true", "false"])
@pytest.mark.parametrize(
    ("collects", "expected"),
    [
        ('<loopDataOutputRef>found</loopDataOutputRef><outputDataItem name="form.size"/>', [10, 20]),
        ("<documentation/>", [10, 20]),
        (
            '<extensionElements><flowable:variableAggregation target="found"><flowable:variable source="loopCounter"/>'
            '<flowable:variable sourceExpression="${form.size * 2}" target="twice"/></flowable:variableAggregation>'
            "</extensionElements>",
            [{"loopCounter": 0, "twice": 20}, {"loopCounter": 1, "twice": 40}],
        ),
    ],
)
def test_the_results_of_a_loop_are_a_list_in_its_order(
    drive: Any, xml: Any, sequential: str, collects: str, expected: list[Any]
) -> None:
    task = f'<userTask id="w"><multiInstanceLoopCharacteristics isSequential="{sequential}">{collects}</multiInstance'
    if collects == "<documentation/>":  # our own words
        task = task.replace("isSeq", 'xw:results="found" xw:result="form.size" isSeq')
    first, _gap, last = collects.partition("</extensionElements>")
    order = f"{first}{_gap}<loopCardinality>2</loopCardinality>{last}"
    task = task.replace(collects, order) + 'LoopCharacteristics></userTask><userTask id="next"/>'
    body = LINE.format(task).replace('b="e"', 'b="next"') + '<f a="next" b="e"/>'
    run = drive(body)
    run.start()
    if sequential == "false":  # the second is done first
        last_task = max(run.step.tasks, key=lambda one: one.loop_instance)
        run.step = engine.complete(run.spec, run.step.state, last_task.task, "", {"size": 20}, run.host)
        step = run.complete("w", size=10)
    else:
        run.complete("w", size=10)
        step = run.complete("w", size=20)
    (task_open,) = step.tasks
    assert task_open.node == "next" and task_open.names["found"] == expected
    read = body.replace('<userTask id="next"/>', '<userTask id="next" flowable:assignee="${found[0]}"/>')
    assert engine.unknown_names(_adopted(xml(read)), {"form": None}) == []


CALL = (
    '<startEvent id="s"/><callActivity id="call" calledElement="q">{}</callActivity><userTask id="after"/>'
    '<endEvent id="e"/><f a="s" b="call"/><f a="call" b="after"/><f a="after" b="e"/>'
)
CALLED = """
  <startEvent id="s"/><userTask id="w"/><exclusiveGateway id="g"/><userTask id="big"/><userTask id="small"/>
  <scriptTask id="c" scriptFormat="groovy"><script>execution.setVariable('answer', amount + 1)</script></scriptTask>
  <endEvent id="e"/><f a="s" b="w"/><f a="w" b="g"/><f a="g" b="big" if="${amount > 9}"/><f a="g" b="small"/>
  <f a="big" b="c"/><f a="small" b="c"/><f a="c" b="e"/>"""
MAPPED = """<extensionElements><flowable:in source="price" target="amount"/>
  <flowable:in sourceExpression="${price * 2}" target="double"/><flowable:out source="answer" target="result"/>
  <flowable:out sourceExpression="${double + amount}" target="sum" transient="true"/></extensionElements>"""


def called(xml: Callable[..., bytes], calls: str, **called: str) -> bytes:
    processes = {
        key: xml(one).replace(b'<process id="p"', f'<process id="{key}"'.encode()) for key, one in called.items()
    }
    return engine.assemble(xml(calls), lambda key: engine.Called(processes[key], ())).xml


def test_a_call_gives_values_under_other_names_and_gets_some_back(xml: Any, driver: Any) -> None:
    document = called(xml, CALL.format(MAPPED), q=CALLED)
    assert told(document) == [("call", "no_effect", "“transient” is not supported and will be ignored")]
    for price, opened in ((10, "call.big"), (3, "call.small")):
        run = driver(engine.parse(document))
        run.host.lent = {"price": price, "record": {}}
        step = run.start()
        assert step.tasks[0].names == {"amount": price, "double": 2 * price}
        run.complete("call.w")
        assert run.open == [opened]
        (task,) = run.complete(opened).tasks
        # What was given is read inside of the call alone; what is returned stays.
        assert task.node == "after"
        assert task.names == {"answer": price + 1, "result": price + 1, "sum": 3 * price}
        assert run.complete("after").completed


def test_calls_side_by_side_are_given_a_value_each_and_calls_in_calls_too(xml: Any, driver: Any) -> None:
    several = (
        '<extensionElements><flowable:in source="one" target="who"/></extensionElements>'
        '<multiInstanceLoopCharacteristics flowable:collection="${people}" flowable:elementVariable="one"/>'
    )
    inner = CALL.format('<extensionElements><flowable:in source="who" target="name"/></extensionElements>')
    inner = inner.replace('"q"', '"r"')
    step = LINE.format('<userTask id="w"/>')
    r = xml(step).replace(b'<process id="p"', b'<process id="r"')
    q = engine.assemble(
        xml(inner).replace(b'<process id="p"', b'<process id="q"'), lambda _key: engine.Called(r, ())
    ).xml
    document = engine.assemble(xml(CALL.format(several)), lambda _key: engine.Called(q, ("r",))).xml
    run = driver(engine.parse(document))
    run.host.lent = {"people": ["ann", "bob"], "record": {}}
    names = [(task.node, task.names["name"], task.names["who"]) for task in run.start().tasks]
    assert names == [("call.call.w", "ann", "ann"), ("call.call.w", "bob", "bob")]
    back = run.complete("call.call.w")
    names = sorted((task.node, task.names.get("name"), task.names["who"]) for task in back.tasks)
    assert names == [("call.after", None, "ann"), ("call.call.w", "bob", "bob")]


def test_what_a_step_of_the_called_process_enters_counts_from_then_on(xml: Any, driver: Any) -> None:
    mapped = '<extensionElements><flowable:in source="price" target="amount"/></extensionElements>'
    run = driver(engine.parse(called(xml, CALL.format(mapped), q=CALLED)))
    run.host.lent = {"price": 10, "record": {}}
    run.start()
    run.host.lent = {"price": 10, "amount": 4, "record": {}}
    run.complete("call.w")
    assert run.open == ["call.small"]


def test_what_of_a_mapping_cannot_be_read_is_told(xml: Any) -> None:
    odd = (
        '<extensionElements><flowable:in businessKey="${x}"/><flowable:in variables="all"/>'
        '<flowable:out sourceExpression="${bean.run(1)}" target="y"/><flowable:in source="a" target="record"/>'
        "</extensionElements>"
    )
    document = called(xml, CALL.format(odd), q=LINE.format('<userTask id="w"/>'))
    assert told(document) == [("call", "no_effect", "“in”, “out” are not supported and will be ignored")]


def test_the_forms_of_two_calls_whose_ids_begin_alike_stay_two(xml: Any) -> None:
    def process(key: str) -> bytes:
        form = f'<extensionElements><xw:form name="f">{key}</xw:form></extensionElements>'
        body = form + LINE.format('<userTask id="w" xw:form="f"/>')
        return bytes(xml(body)).replace(b'<process id="p"', f'<process id="{key}"'.encode())

    names = [f"{'call' * 6}{number}" for number in "12"]
    body = f'<startEvent id="s"/><callActivity id="{names[0]}" calledElement="a"/><endEvent id="e"/>'
    body += f'<callActivity id="{names[1]}" calledElement="b"/><f a="s" b="{names[0]}"/>'
    body += f'<f a="{names[0]}" b="{names[1]}"/><f a="{names[1]}" b="e"/>'
    whole = engine.assemble(xml(body), lambda key: engine.Called(process(key), ())).xml
    spec = engine.parse(whole)
    steps = [node for node in spec.nodes.values() if node.kind == "userTask"]
    assert [spec.forms[node.extensions["form"]] for node in steps] == ["a", "b"]


def test_the_key_of_a_call_may_be_a_constant_of_an_expression(xml: Any) -> None:
    body = CALL.format("").replace('"q"', "\"${'q'}\"")
    assert "call.w" in engine.parse(called(xml, body, q=CALLED)).nodes


def test_what_every_activity_refuses_a_call_refuses_too(xml: Any) -> None:
    body = CALL.format("").replace('"q"', '"q" isForCompensation="true"')
    assert refused(called(xml, body, q=LINE.format('<userTask id="w"/>'))) == [("call", "unsupported")]


@pytest.mark.parametrize("length", [61, 200])
def test_a_long_id_of_a_process_is_cut_and_told(xml: Any, length: int) -> None:
    document = xml(LINE.format('<userTask id="w"/>')).replace(b'id="p"', f'id="{"p" * length}"'.encode())
    key = engine.parse(document).process_id
    assert (len(key), key[:51], engine.process_id(document)) == (60, "p" * 51, key)
    other = document.replace(b'p" isEx', b'x" isEx')
    assert engine.process_id(other) != key
    assert [(element, code) for element, code, _text in told(document)] == [("p" * length, "shortened")]


def test_a_long_name_is_cut_and_told(xml: Any) -> None:
    document = xml(LINE.format(f'<userTask id="w" name="{"长" * 81}"/>'))
    assert engine.parse(document).nodes["w"].name == "长" * 80
    assert [(element, code) for element, code, _text in told(document)] == [("w", "shortened")]


def test_a_link_goes_on_where_its_name_is_caught(drive: Any, xml: Any) -> None:
    body = """<startEvent id="s"/><userTask id="w"/><intermediateThrowEvent id="t"><linkEventDefinition name="L"/>
      </intermediateThrowEvent><intermediateCatchEvent id="c"><linkEventDefinition name="L"/></intermediateCatchEvent>
      <userTask id="x"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="t"/><f a="c" b="x"/><f a="x" b="e"/>"""
    assert told(xml(body)) == []
    run = drive(body)
    run.start()
    assert run.complete("w").passed == ("w", "t", "c")
    assert run.open == ["x"]
    assert ("t", "unsupported") in refused(
        xml(body.replace('id="c"><linkEventDefinition name="L"', 'id="c"><linkEventDefinition name="M"'))
    )


@pytest.mark.parametrize(
    ("attributes", "condition", "rounds"),
    [
        ('loopMaximum="3"', "", 3),
        ("", "${form.n &lt; 2}", 2),
        ('loopMaximum="3"', "form.n &lt; 9", 3),
        ('testBefore="true"', "${form.n &lt; 0}", 0),
        ('testBefore="true" loopMaximum="5"', "${form.n &lt; 2}", 2),
    ],
)
def test_a_standard_loop_is_done_while_its_condition_holds(
    drive: Any, xml: Any, attributes: str, condition: str, rounds: int
) -> None:
    asked = f"<loopCondition>{condition}</loopCondition>" if condition else ""
    body = LINE.format(
        f'<userTask id="w"><standardLoopCharacteristics {attributes}>{asked}</standardLoopCharacteristics></userTask>'
    )
    run = drive(body)
    run.start(form={"n": 0})
    for number in range(1, rounds + 1):
        assert run.open == ["w"]
        run.complete("w", n=number)
    assert run.step.completed
    assert [code for _element, code, _text in told(xml(body))] == ["loop_bound"] * ("loopMaximum" not in attributes)


@pytest.mark.parametrize("inside", ["<standardLoopCharacteristics/>", '<standardLoopCharacteristics loopMaximum="x"/>'])
def test_a_standard_loop_without_an_end_is_refused(xml: Any, inside: str) -> None:
    assert refused(xml(LINE.format(f'<userTask id="w">{inside}</userTask>'))) == [("w", "unsupported")]


def test_a_loop_of_no_rounds_is_passed(drive: Any) -> None:
    loop = "<multiInstanceLoopCharacteristics><loopCardinality>0</loopCardinality></multiInstanceLoopCharacteristics>"
    assert drive(LINE.format(f'<userTask id="w">{loop}</userTask>')).start().completed


def test_without_a_start_a_scope_begins_where_no_flow_leads(drive: Any, xml: Any) -> None:
    body = """<userTask id="a"/><subProcess id="sub"><userTask id="i"/></subProcess><endEvent id="e"/><f a="a" b="e"/>
      <f a="sub" b="e"/><boundaryEvent id="b" attachedToRef="a"><timerEventDefinition><timeDuration>PT1H</timeDuration>
      </timerEventDefinition></boundaryEvent><f a="b" b="e"/>"""
    assert [(element, code) for element, code, _text in told(xml(body)) if code != "no_way_out"] == [
        ("p", "no_start"),
        ("sub", "no_start"),
    ]
    run = drive(body)
    run.start()
    assert run.open == ["a", "i"]
    run.complete("i")
    assert run.complete("a").completed


CHOICE = """<startEvent id="s"/><eventBasedGateway id="g"/><receiveTask id="r" messageRef="m" xw:key="${{form.k}}"/>
  {}<userTask id="x"/><endEvent id="e"/><f a="s" b="g"/><f a="g" b="{}"/><f a="g" b="r"/><f a="r" b="e"/>"""
TIMER = '<intermediateCatchEvent id="t"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>'
CONDITION = '<intermediateCatchEvent id="t"><conditionalEventDefinition><condition>form.n == 3</condition>'


def test_an_event_based_gateway_waits_for_receive_tasks_and_conditions(drive: Any) -> None:
    timed = CHOICE.format(TIMER + "</intermediateCatchEvent>", "t") + '<f a="t" b="x"/><f a="x" b="e"/>'
    run = drive(timed, MESSAGE.format("m"))
    assert [(one.node, one.message, one.key) for one in run.start(form={"k": "7"}).catches] == [("r", "m", "7")]
    assert run.send("m").completed
    run.start(form={"k": "7"})
    run.fire("t")
    assert run.open == ["x"]
    second = '<receiveTask id="t" messageRef="n"/>'
    run = drive(
        CHOICE.format(second, "t") + '<f a="t" b="x"/><f a="x" b="e"/>',
        MESSAGE.format("m") + '<message id="n" name="n"/>',
    )
    assert {one.message for one in run.start(form={"k": "7"}).catches} == {"m", "n"}
    run.send("m")
    assert run.step.completed
    held = CHOICE.format(f"{CONDITION}</conditionalEventDefinition></intermediateCatchEvent>", "t")
    run = drive(held + '<f a="t" b="x"/><f a="x" b="e"/>', MESSAGE.format("m"))
    run.start(form={"k": "7", "n": 3})
    assert run.open == ["x"]


@pytest.mark.parametrize("what", ['instantiate="true"', 'eventGatewayType="Parallel"'])
def test_an_event_based_gateway_of_another_kind_is_refused(xml: Any, what: str) -> None:
    body = CHOICE.format(TIMER + "</intermediateCatchEvent>", "t") + '<f a="t" b="x"/><f a="x" b="e"/>'
    body = body.replace('<eventBasedGateway id="g"', f'<eventBasedGateway id="g" {what}')
    assert refused(xml(body, MESSAGE.format("m"))) == [("g", "unsupported")]


def test_what_is_refused_is_told_once_and_its_neighbours_are_not(xml: Any) -> None:
    rule = '<startEvent id="s"/><userTask id="u"/><complexGateway id="w"/><userTask id="v"/><endEvent id="e"/>'
    rule += '<f a="s" b="u"/><f a="u" b="w"/><f a="w" b="v"/><f a="v" b="e"/>'
    assert refused(xml(rule)) == [("w", "unsupported")]
    # What it would do is not known: it may wait, and it may end.
    assert refused(
        xml(rule.replace('<f a="v" b="e"/>', '<f a="v" b="u"/>').replace("userTask", "task") + '<f a="s" b="e"/>')
    ) == [("w", "unsupported")]
    undo = LINE.format('<userTask id="w"/>') + '<task id="undo" isForCompensation="true"/>'
    undo += '<boundaryEvent id="b" attachedToRef="w"><compensateEventDefinition/></boundaryEvent>'
    assert refused(xml(undo)) == [("undo", "unsupported"), ("b", "unsupported")]


def test_what_stands_beside_the_process_is_refused_at_the_process(xml: Any) -> None:
    assert refused(xml(LINE.format('<userTask id="w"/>'), "<relationship/>")) == [("p", "unsupported")]


@pytest.mark.parametrize(
    ("script", "variables", "wider"),
    [
        ("execution.setVariableLocal('x', 1)", {"x": 1}, "“x”"),
        ("execution.setTransientVariable('x', 1)\nexecution.removeVariable('y')", {"x": 1, "y": None}, "“x”"),
        ("execution.getParent().setVariableLocal('x', 2)", {"x": 2}, "“x”"),
        ("execution.setVariable('x', execution.currentActivityName)", {"x": "it's"}, ""),
    ],
)
def test_more_of_what_scripts_ask_their_execution_for(
    drive: Any, xml: Any, script: str, variables: dict[str, Any], wider: str
) -> None:
    task = f'<scriptTask id="w" name="it\'s" scriptFormat="groovy"><script>{script}</script></scriptTask>'
    body = LINE.format(task + '<userTask id="next"/>').replace('b="e"', 'b="next"') + '<f a="next" b="e"/>'
    (open_task,) = drive(body).start().tasks
    assert open_task.names == variables
    assert [text[-len(wider) :] for _e, code, text in told(xml(body)) if code == "wider_variable"] == [wider] * bool(
        wider
    )


def test_an_error_may_be_held_before_it_is_thrown(drive: Any, xml: Any) -> None:
    script = (
        "import a.BpmnError;\nBpmnError bad = new BpmnError('E1', 'why')\nbad.addAdditionalData('a', 'b')\nthrow bad"
    )
    body = LINE.format(f'<scriptTask id="w" scriptFormat="groovy"><script>{script}</script></scriptTask>')
    body += '<boundaryEvent id="b" attachedToRef="w"><errorEventDefinition/></boundaryEvent><userTask id="mend"/>'
    body += '<f a="b" b="mend"/><f a="mend" b="e"/>'
    run = drive(body)
    run.start()
    assert run.open == ["mend"]
    assert told(xml(body)) == [("w", "no_effect", "“bad.addAdditionalData” is not supported and will be ignored")]


@pytest.mark.parametrize(
    ("condition", "name"),
    [("${order.isUrgent()}", {"urgent": True}), ("${order.getSize() == 3}", {"size": 3})],
)
def test_the_getter_of_a_property_reads_it(drive: Any, condition: str, name: dict[str, Any]) -> None:
    body = (
        '<startEvent id="s"/><exclusiveGateway id="g" default="d"/><userTask id="x"/><endEvent id="e"/><f a="s" b="g"/>'
    )
    run = drive(body + f'<f a="g" b="x" if="{condition}"/><f id="d" a="g" b="e"/><f a="x" b="e"/>')
    run.host.lent = {"order": name, "record": {}}
    run.start()
    assert run.open == ["x"]
    sized = drive(body + '<f a="g" b="x" if="${order.size() == 1}"/><f id="d" a="g" b="e"/><f a="x" b="e"/>')
    sized.host.lent = {"order": ["a"], "record": {}}
    sized.start()
    assert sized.open == ["x"]
