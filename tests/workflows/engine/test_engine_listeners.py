"""Listeners of other engines: what their script sets is set at their moment; whatever else they do is told."""

from typing import Any
from xml.sax.saxutils import escape

import pytest

from workflows import engine
from workflows.engine import foreign
from workflows.engine.codec import decode

TWO = '<startEvent id="s">{s}</startEvent><userTask id="w">{w}</userTask><userTask id="z">{z}</userTask>'
TWO += '<endEvent id="e">{e}</endEvent><f id="f1" a="s" b="w"/>'
TWO += '<sequenceFlow id="f2" sourceRef="w" targetRef="z">{f}</sequenceFlow><f id="f3" a="z" b="e"/>'
NAMES = "swzef"


def line(**said: str) -> str:
    """Start, two tasks and an end; by name what stands in a node, or in the flow `f` between the tasks."""
    filled = {name: f"<extensionElements>{said[name]}</extensionElements>" if name in said else "" for name in NAMES}
    return TWO.format(**filled)


def listener(event: str, script: str, kind: str = "execution", language: str = "groovy", result: str = "") -> str:
    """A listener with a script, as Flowable writes it."""
    more = f' resultVariable="{result}"' if result else ""
    inner = f'<flowable:script language="{language}"{more}>{escape(script)}</flowable:script>'
    return f'<flowable:{kind}Listener event="{event}" type="script">{inner}</flowable:{kind}Listener>'


def adds(event: str, word: str, kind: str = "execution", who: str = "execution") -> str:
    """A listener that adds a word to the variable `log`."""
    return listener(event, f"{who}.setVariable('log', {who}.getVariable('log') + '{word} ')", kind)


def read(run: Any, name: str = "log") -> Any:
    """What a variable is after the last step."""
    instance = decode(run.spec, run.step.state, run.host)
    return instance.names(next(iter(instance.tasks.values()))).get(name)


def told(xml: bytes) -> list[tuple[str, str]]:
    return [(one.element, one.text_en) for one in engine.adopt(engine.read(xml)) if one.code == "no_effect"]


def lost(*names: str) -> str:
    are = "are" if len(names) > 1 else "is"
    return f"{', '.join(f'“{name}”' for name in names)} {are} not supported and will be ignored"


def test_listeners_of_process_nodes_and_flows_set_variables_each_at_its_moment(xml: Any, drive: Any) -> None:
    body = line(
        s=adds("end", "s-") + adds("start", "s+"),
        w=adds("end", "w-")
        + adds("complete", "w/", "task", "task")
        + adds("create", "w*", "task")
        + adds("start", "w+"),
        f=adds("end", "f-") + adds("take", "f") + adds("start", "f+"),
        z=adds("start", "z+") + adds("start", "z++") + adds("end", "z-"),
        e=adds("start", "e+"),
    )
    body = f"<extensionElements>{adds('start', 'p+')}</extensionElements>{body}"
    assert told(xml(body)) == []
    run = drive(body)
    run.start(log="")
    assert (run.open, read(run)) == (["w"], "p+ s+ s- w+ w* ")
    step = run.complete("w")
    on_the_way = ("f2.taken.out", "f2.taken_.out", "f2.taken__.out", "z.begins.out", "z.begins_.out")
    assert step.flows == ("w.out", "w.ends.out", "f2", *on_the_way)
    assert (run.open, read(run)) == (["z"], "p+ s+ s- w+ w* w/ w- f+ f f- z+ z++ ")
    step = run.complete("z")
    assert (step.completed, read(run)) == (True, "p+ s+ s- w+ w* w/ w- f+ f f- z+ z++ z- e+ ")


def test_what_a_listener_sets_decides_at_the_gateway_behind_it(drive: Any) -> None:
    body = '<startEvent id="s"/><userTask id="w"><extensionElements>' + listener(
        "end", "execution.setVariable('way', amount > 10 ? 'long' : 'short')"
    )
    body += '</extensionElements></userTask><exclusiveGateway id="g" default="d"/><userTask id="long"/>'
    body += '<userTask id="short"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="g"/><f id="d" a="g" b="short"/>'
    body += '<f a="g" b="long" if="${way == \'long\'}"/><f a="long" b="e"/><f a="short" b="e"/>'
    for amount, way in ((11, "long"), (10, "short")):
        run = drive(body)
        run.start(amount=amount)
        run.complete("w")
        assert run.open == [way]


def test_all_ways_of_writing_a_listener_are_read(xml: Any, drive: Any) -> None:
    written = [
        """<flowable:executionListener event="start" expression="${execution.setVariable('x', 1)}"/>""",
        """<flowable:taskListener event="create" expression="#{task.setVariable('x', 1)}"/>""",
        listener("start", "def y = 1\ny", result="x"),
        '<flowable:executionListener event="start" class="org.flowable.impl.ScriptExecutionListener">'
        '<flowable:field name="script"><flowable:string>var y = 1; y;</flowable:string></flowable:field>'
        '<flowable:field name="language" stringValue="javascript"/>'
        '<flowable:field name="resultVariable"><flowable:string>x</flowable:string></flowable:field>'
        "</flowable:executionListener>",
        '<camunda:executionListener xmlns:camunda="http://camunda.org/schema/1.0/bpmn" event="start">'
        "<camunda:script scriptFormat=\"groovy\">execution.setVariable('x', 1)</camunda:script>"
        "</camunda:executionListener>",
    ]
    for one in written:
        assert told(xml(line(w=one))) == [], one
        run = drive(line(w=one))
        run.start()
        assert (run.open, read(run, "x")) == (["w"], 1), one
    bare = """<flowable:executionListener expression="${execution.setVariable('x', 1)}"/>"""
    run = drive(line(f=bare))  # on a flow it is taken, and nowhere else does it say when
    run.start()
    assert read(run, "x") is None
    run.complete("w")
    assert read(run, "x") == 1
    assert told(xml(line(w=bare))) == [("w", lost("executionListener"))]


@pytest.mark.parametrize(
    "written",
    [
        '<flowable:executionListener event="start" class="com.acme.Audit"/>',
        '<flowable:executionListener event="start" delegateExpression="${audit}"/>',
        '<flowable:executionListener event="start" expression="${audit.note(execution)}"/>',
        '<flowable:executionListener event="start" expression="${n}"/>',
        """<flowable:executionListener event="start" onTransaction="committed"
        expression="${execution.setVariable('x', 1)}"/>""",
        """<flowable:executionListener event="other" expression="${execution.setVariable('x', 1)}"/>""",
        """<flowable:executionListener event="start" expression="${task.setVariable('x', 1)}"/>""",
        '<flowable:executionListener event="start" type="script"/>',
        listener("start", "execution.setVariable('x', 1)").replace("script language", 'script odd="1" language'),
        '<flowable:executionListener event="start" class="a.ScriptExecutionListener">'
        '<flowable:field name="script" odd="1">'
        "<flowable:string>execution.setVariable('x', 1)</flowable:string></flowable:field>"
        '<flowable:field name="language" stringValue="groovy"/></flowable:executionListener>',
        listener("start", "println 'a'"),
        listener("start", "execution.setVariable('x', execution.currentActivityId)"),
        listener("start", "execution.setVariable('x', execution.eventName)"),
        listener("start", "runtimeService.signalEventReceived('a')"),
        listener("start", "execution.setVariable('x', 1); throw new BpmnError('E')"),
        listener("start", "execution.setVariable('x', 1)", language="ruby"),
        listener("start", "execution.setVariable('x', 1)", result="y"),
        listener("start", ""),
    ],
)
def test_a_listener_that_does_more_than_set_variables_is_told_and_nothing_else(
    xml: Any, drive: Any, written: str
) -> None:
    assert told(xml(line(w=written))) == [("w", lost("executionListener"))]
    run = drive(line(w=written))
    step = run.start()
    assert (run.open, read(run, "x"), step.passed) == (["w"], None, ("s",))


SETS = listener("{}", "execution.setVariable('x', 1)")


@pytest.mark.parametrize(
    ("element", "events"),
    [
        ('<userTask id="n">{}<multiInstanceLoopCharacteristics><loopCardinality>2</loopCardinality>'
         "</multiInstanceLoopCharacteristics></userTask>", ("start", "end")),
        ('<parallelGateway id="n">{}</parallelGateway>', ("start", "end")),
        ('<inclusiveGateway id="n">{}</inclusiveGateway>', ("start", "end")),
        ('<exclusiveGateway id="n">{}</exclusiveGateway>', ("end",)),
    ],
)  # fmt: skip
def test_where_no_script_can_run_at_the_moment_of_a_listener_it_is_told(
    xml: Any, drive: Any, element: str, events: tuple[str, ...]
) -> None:
    for event in events:
        node = element.format(f"<extensionElements>{SETS.format(event)}</extensionElements>")
        body = f'<startEvent id="s"/>{node}<userTask id="w"/><endEvent id="e"/><f a="s" b="n"/><f a="n" b="w"/>'
        body += '<f a="w" b="e"/>'
        assert told(xml(body)) == [("n", lost("executionListener"))]
        run = drive(body)
        run.start()
        assert read(run, "x") is None
    assert told(xml(line(e=SETS.format("end")))) == [("e", lost("executionListener"))]
    whole = f"<extensionElements>{SETS.format('end')}</extensionElements>{line()}"
    assert told(xml(whole)) == [("p", lost("executionListener"))]
    for event in ("assignment", "delete", "all"):
        assert told(xml(line(w=adds(event, "x", "task")))) == [("w", lost("taskListener"))]


def test_a_choice_of_events_keeps_its_listeners_behind_the_events_alone(xml: Any, drive: Any) -> None:
    inside = f"<extensionElements>{SETS.format('start')}{adds('end', 'm-')}</extensionElements>"
    body = '<startEvent id="s"/><eventBasedGateway id="g"/><endEvent id="e"/><userTask id="w"/><f a="s" b="g"/>'
    body += f'<intermediateCatchEvent id="m">{inside}<messageEventDefinition messageRef="x"/></intermediateCatchEvent>'
    body += '<intermediateCatchEvent id="t"><timerEventDefinition><timeDuration>PT1H</timeDuration>'
    body += '</timerEventDefinition></intermediateCatchEvent><sequenceFlow id="gm" sourceRef="g" targetRef="m">'
    body += f'<extensionElements>{SETS.format("take")}</extensionElements></sequenceFlow><f a="g" b="t"/>'
    body += '<f a="m" b="w"/><f a="t" b="e"/><f a="w" b="e"/>'
    beside = '<message id="x" name="go"/>'
    assert told(xml(body, beside)) == [("m", lost("executionListener")), ("gm", lost("executionListener"))]
    run = drive(body, beside)
    run.start(log="")
    run.send("go")
    assert (run.open, read(run), read(run, "x")) == (["w"], "m- ", None)


def test_a_flow_is_taken_with_its_listener_only_where_its_condition_holds_and_a_join_counts_it_once(drive: Any) -> None:
    taken = f"<extensionElements>{adds('take', '{}')}</extensionElements>"
    body = '<startEvent id="s"/><inclusiveGateway id="g"/><userTask id="a"/><inclusiveGateway id="j"/>'
    body += '<userTask id="w"/><endEvent id="e"/><f a="s" b="g"/><f a="a" b="j"/><f a="j" b="w"/><f a="w" b="e"/>'
    for name, to, condition in (("one", "a", "n == 1"), ("two", "j", "n &lt; 3"), ("three", "j", "n == 3")):
        body += f'<sequenceFlow id="{name}" sourceRef="g" targetRef="{to}">{taken.format(name)}'
        body += f"<conditionExpression>${{{condition}}}</conditionExpression></sequenceFlow>"
    for n, log, opened in ((1, "one two ", ["a"]), (2, "two ", ["w"]), (3, "three ", ["w"])):
        run = drive(body)
        run.start(n=n, log="")
        assert (run.open, read(run)) == (opened, log)
    run = drive(body)
    run.start(n=1, log="")
    run.complete("a")
    assert run.open == ["w"]


def test_several_flows_out_of_a_task_leave_behind_its_listener(xml: Any, drive: Any) -> None:
    body = f'<startEvent id="s"/><userTask id="w" default="d"><extensionElements>{SETS.format("end")}'
    body += '</extensionElements></userTask><userTask id="a"/><userTask id="b"/><f a="s" b="w"/>'
    body += '<f a="w" b="a" if="${x == 1}"/><f id="d" a="w" b="b"/>'
    run = drive(body)
    run.start()
    run.complete("w")
    assert run.open == ["a"]
    codes = [(one.element, one.code) for one in engine.adopt(engine.read(xml(body)))]
    assert codes == [("w", "many_ways_out"), ("a", "no_way_out"), ("b", "no_way_out")]


def test_only_who_leaves_normally_meets_what_is_behind_the_node(drive: Any) -> None:
    body = line(w=adds("end", "w-")) + '<boundaryEvent id="b" attachedToRef="w"><extensionElements>'
    body += adds("end", "b-") + "</extensionElements><timerEventDefinition><timeDuration>PT1H</timeDuration>"
    body += '</timerEventDefinition></boundaryEvent><f a="b" b="z"/>'
    run = drive(body)
    run.start(log="")
    run.fire("b")
    assert (run.open, read(run)) == (["z"], "b- ")


def test_a_called_process_keeps_its_listeners_and_tells_those_that_do_not_run(xml: Any, driver: Any) -> None:
    call = '<startEvent id="s"/><callActivity id="call" calledElement="q"><extensionElements>'
    call += adds("start", "c+") + adds("end", "c-") + '</extensionElements></callActivity><userTask id="after"/>'
    call += '<endEvent id="e"/><f a="s" b="call"/><f a="call" b="after"/><f a="after" b="e"/>'
    calls = '<flowable:executionListener event="start" class="com.acme.Audit"/>'
    body = f"<extensionElements>{adds('start', 'p+')}{calls}</extensionElements>"
    other = xml(body + line(s=adds("start", "s+"))).replace(b'<process id="p"', b'<process id="q"')
    whole = engine.assemble(xml(call), lambda _key: engine.Called(other, ())).xml
    assert told(whole) == [("call.s", lost("executionListener"))]
    run = driver(engine.parse(whole))
    run.start(log="")
    assert (run.open, read(run)) == (["call.w"], "c+ p+ s+ ")
    run.complete("call.w")
    run.complete("call.z")
    assert (run.open, read(run)) == (["after"], "c+ p+ s+ c- ")


def test_a_variable_of_one_node_lasts_longer_and_a_line_without_effect_is_told(xml: Any) -> None:
    body = line(w=listener("start", "println 'x'; execution.setVariableLocal('x', 1)"))
    found = engine.adopt(engine.read(xml(body)))
    assert [(one.element, one.code, one.text_en) for one in found] == [
        ("w", "wider_variable", "Kept for the whole process, not for one step or sub-process: “x”"),
        ("w", "no_effect", lost("println")),
    ]


def test_who_draws_what_the_translation_writes_gains_nothing(xml: Any, drive: Any) -> None:
    drawn = "<xw:before scriptFormat=\"groovy\">execution.setVariable('x', 1)</xw:before>"
    run = drive(line(w=drawn))
    run.start()
    assert read(run, "x") is None
    assert told(xml(line(w=drawn))) == [("w", lost("before"))]


def test_an_instance_that_began_before_listeners_ran_goes_on_with_them(
    xml: Any, driver: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = xml(line(w=adds("start", "w+") + adds("end", "w-"), f=adds("take", "f"), z=adds("start", "z+")))
    with monkeypatch.context() as before:
        before.setattr(foreign, "translate_listeners", lambda *_: ())
        run = driver(engine.parse(drawn))
        run.start(log="")
    run.spec = engine.parse(drawn, is_deployed=True)
    run.complete("w")
    assert (run.open, read(run)) == (["z"], "w- f z+ ")
