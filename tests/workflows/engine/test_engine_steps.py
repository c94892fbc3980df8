"""What one step does and refuses: tasks, events, conditions, operations."""

from typing import Any

import pytest

from workflows import engine
from workflows.engine import codec
from workflows.engine import run as running

# A user task with one boundary event that leads to a second end.
BORDER = """
  <startEvent id="s"/><userTask id="work"/><endEvent id="e"/><userTask id="late"/><endEvent id="e2"/>
  <boundaryEvent id="b" attachedToRef="work" cancelActivity="{cancel}">{event}</boundaryEvent>
  <f a="s" b="work"/><f a="work" b="e"/><f a="b" b="late"/><f a="late" b="e2"/>
"""
PT1H = "<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>"
PARTS = '<messageEventDefinition messageRef="m"/>'
MESSAGE = '<message id="m" name="parts"/>'


def waits(body: str) -> str:
    return f'<startEvent id="s"/>{body}<endEvent id="e"/><f a="s" b="w"/><f a="w" b="e"/>'


def test_a_closed_task_cannot_be_completed_again_and_nothing_changes(order: Any) -> None:
    before = order.step
    order.complete("dispatch", "dispatch")
    calls = list(order.host.calls)
    with pytest.raises(engine.TaskNotOpen):
        engine.complete(order.spec, order.step.state, before.tasks[0].task, "dispatch", {}, order.host)
    assert order.host.calls == calls
    assert engine.look(order.spec, order.step.state).tasks == order.step.tasks


@pytest.mark.parametrize("task", ["", "nonsense", "00000000000000000000000000000000", "é"])
def test_an_unknown_task_is_refused(order: Any, task: str) -> None:
    with pytest.raises(engine.TaskNotOpen):
        engine.complete(order.spec, order.step.state, task, "dispatch", {}, order.host)
    with pytest.raises(engine.TaskNotOpen):
        engine.fire(order.spec, order.step.state, task, order.host)


def test_a_timer_is_no_task_and_a_task_is_no_timer(order: Any) -> None:
    with pytest.raises(engine.TaskNotOpen):
        engine.complete(order.spec, order.step.state, order.step.timers[0].task, "dispatch", {}, order.host)
    with pytest.raises(engine.TaskNotOpen):
        engine.fire(order.spec, order.step.state, order.step.tasks[0].task, order.host)


def test_an_outcome_that_the_node_does_not_declare_is_refused(order: Any) -> None:
    with pytest.raises(engine.OutcomeUnknown) as caught:
        order.complete("dispatch", "accept")
    assert caught.value.text_en == "The step “dispatch” has no outcome “accept”"
    assert order.open == ["dispatch"]


def test_a_message_that_nobody_waits_for_is_refused(order: Any) -> None:
    with pytest.raises(engine.NobodyWaits):
        order.send("repairorder.partsIssued")


def test_a_timer_fires_once(order: Any) -> None:
    timer = order.step.timers[0]
    order.fire(timer.node)
    with pytest.raises(engine.TaskNotOpen):
        engine.fire(order.spec, order.step.state, timer.task, order.host)


def test_a_task_keeps_its_id_until_it_closes(order: Any) -> None:
    task = order.step.tasks
    assert order.fire("responseFirst").tasks == task
    assert order.fire("responseSecond").tasks == task


def test_looking_changes_nothing(order: Any) -> None:
    seen = engine.look(order.spec, order.step.state)
    assert (seen.state, seen.tasks, seen.timers, seen.messages) == (
        order.step.state,
        order.step.tasks,
        order.step.timers,
        order.step.messages,
    )
    assert (seen.passed, seen.flows, seen.completed) == ((), (), False)


def test_a_step_tells_the_nodes_and_flows_it_took_in_order(order: Any) -> None:
    step = order.complete("dispatch", "claim")
    assert step.passed == (
        "dispatch",
        "dispatchChoice",
        "claimed",
        "endClaimed",
        "responding",
        "repairingStart",
    )
    assert step.flows == ("dispatchToChoice", "choiceToClaimed", "claimedToEnd", "toRepairing", "toRepair")


def test_cancel_closes_everything_for_good(order: Any) -> None:
    order.complete("dispatch", "dispatch")
    step = engine.cancel(order.spec, order.step.state)
    assert (step.tasks, step.timers, step.messages, step.passed, step.completed) == ((), (), frozenset(), (), True)
    with pytest.raises(engine.TaskNotOpen):
        engine.complete(order.spec, step.state, order.step.tasks[0].task, "accept", {}, order.host)
    with pytest.raises(engine.NobodyWaits):
        engine.send(order.spec, step.state, "repairorder.cancel", order.host)
    assert engine.cancel(order.spec, step.state).completed


def test_an_exception_of_an_operation_passes_unchanged(order: Any) -> None:
    order.host.fault = fault = LookupError("no such order")
    with pytest.raises(LookupError) as caught:
        order.complete("dispatch", "dispatch")
    assert caught.value is fault


def test_an_interrupting_timer_closes_its_task(drive: Any) -> None:
    run = drive(BORDER.format(cancel="true", event=PT1H))
    run.start()
    assert [(timer.node, timer.kind, timer.text) for timer in run.step.timers] == [("b", "duration", "PT1H")]
    run.fire("b")
    assert run.open == ["late"]
    assert run.step.timers == ()
    assert run.complete("late").completed


def test_a_timer_that_does_not_interrupt_leaves_its_task_open(drive: Any) -> None:
    run = drive(BORDER.format(cancel="false", event=PT1H))
    run.start()
    run.fire("b")
    assert (run.open, run.step.timers) == (["late", "work"], ())
    assert not run.complete("work").completed
    assert run.complete("late").completed


def cycle(text: str) -> str:
    return f"<timerEventDefinition><timeCycle>{text}</timeCycle></timerEventDefinition>"


def test_a_timer_with_a_cycle_comes_as_often_as_it_says(drive: Any) -> None:
    run = drive(BORDER.format(cancel="false", event=cycle("R3/PT1H")))
    step = run.start()
    for left in ("R3/PT1H", "R2/PT1H", "R1/PT1H"):
        assert [(timer.node, timer.kind, timer.text) for timer in step.timers] == [("b", "cycle", left)]
        step = run.fire("b")
    assert step.timers == () and run.open == ["late", "late", "late", "work"]


def test_a_timer_without_a_count_comes_until_its_task_is_done(drive: Any) -> None:
    run = drive(BORDER.format(cancel="false", event=cycle("R/P1D")))
    run.start()
    before = {timer.task for timer in run.step.timers}
    for _ in range(20):
        run.fire("b")
        run.complete("late")
    assert [timer.text for timer in run.step.timers] == ["R/P1D"]
    assert before.isdisjoint(timer.task for timer in run.step.timers)
    assert len(run.step.state) < 2_000
    assert run.complete("work").completed


def test_a_cycle_that_breaks_its_task_off_comes_once(drive: Any) -> None:
    run = drive(BORDER.format(cancel="true", event=cycle("R3/PT1H")))
    run.start()
    step = run.fire("b")
    assert (step.timers, run.open) == ((), ["late"])


@pytest.mark.parametrize("event", [PT1H, PARTS])
def test_an_interrupting_event_does_not_wait_again(drive: Any, event: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "compact", lambda instance: None)  # so that what was cancelled can be seen
    run = drive(BORDER.format(cancel="true", event=event), MESSAGE)
    step = run.start()
    step = run.fire("b") if step.timers else run.send("parts")
    assert (step.timers, step.catches, run.open) == ((), (), ["late"])
    tasks = codec.decode(run.spec, step.state, None).tasks.values()
    assert [task.task_spec.name for task in tasks].count("b") == 1


@pytest.mark.parametrize(
    "text",
    [
        "R0/PT1H",
        "R3",
        "R3/soon",
        "PT1H",
        "R-1/PT1H",
        "0 0 8 15W * ?",
        "R/PT0S",
        "R9/PT59.9S",
        "R/P0M",
    ],
)
def test_a_cycle_that_cannot_be_kept_is_refused(xml: Any, text: str) -> None:
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml(BORDER.format(cancel="false", event=cycle(text))))
    assert [(problem.element, problem.code) for problem in caught.value.problems] == [("b", "timer")]


def test_a_reminder_is_no_deadline(xml: Any) -> None:
    deadlines = [
        engine.parse(xml(BORDER.format(cancel="false", event=event))).deadlines for event in (PT1H, cycle("R/PT1H"))
    ]
    assert deadlines == [{"work": {"b"}}, {}]


def test_the_timer_of_a_closed_task_is_gone(drive: Any) -> None:
    run = drive(BORDER.format(cancel="true", event=PT1H))
    timer = run.start().timers[0]
    assert run.complete("work").timers == ()
    with pytest.raises(engine.TaskNotOpen):
        engine.fire(run.spec, run.step.state, timer.task, run.host)


def test_a_message_reaches_the_border_of_a_task(drive: Any) -> None:
    run = drive(BORDER.format(cancel="true", event=PARTS), MESSAGE)
    assert run.start().messages == {"parts"}
    run.send("parts")
    assert (run.open, run.step.messages) == (["late"], frozenset())


def test_a_message_that_breaks_nothing_off_is_heard_as_often_as_it_comes(drive: Any) -> None:
    run = drive(BORDER.format(cancel="false", event=PARTS), MESSAGE)
    run.start()
    for times in (1, 2):
        run.send("parts")
        assert (run.open, len(run.step.catches)) == (["late"] * times + ["work"], 1)
    run.complete("work")
    assert (run.open, run.step.messages) == (["late", "late"], frozenset())
    run.complete("late")
    assert run.complete("late").completed


@pytest.mark.parametrize(
    ("event", "kind", "text"),
    [
        (
            "<timerEventDefinition><timeDuration>PT${record.hours}H</timeDuration></timerEventDefinition>",
            "duration",
            "PT8H",
        ),
        (
            "<timerEventDefinition><timeDate>${record.plan}</timeDate></timerEventDefinition>",
            "date",
            "2030-01-31T08:00",
        ),
        ('<timerEventDefinition xw:due="repair.limit"/>', "due", "repair.limit"),
    ],
)
def test_a_timer_in_the_way_says_what_it_waits_for(drive: Any, host: Any, event: str, kind: str, text: str) -> None:
    host.lent = {"record": {"hours": 8, "plan": "2030-01-31T08:00"}}
    run = drive(waits(f'<intermediateCatchEvent id="w">{event}</intermediateCatchEvent>'))
    run.start()
    assert [(timer.node, timer.kind, timer.text) for timer in run.step.timers] == [("w", kind, text)]
    host.lent = {"record": {"hours": 9, "plan": "2031-01-31T08:00"}}
    assert engine.look(run.spec, run.step.state).timers == run.step.timers
    assert run.fire("w").completed


@pytest.mark.parametrize("hours", [None, "eight", -1, [8]])
def test_a_bad_time_is_an_error_when_the_timer_begins_to_wait(drive: Any, host: Any, hours: Any) -> None:
    host.lent = {"record": {"hours": hours}}
    event = "<timerEventDefinition><timeDuration>PT${record.hours}H</timeDuration></timerEventDefinition>"
    with pytest.raises(engine.ExpressionError):
        drive(waits(f'<intermediateCatchEvent id="w">{event}</intermediateCatchEvent>')).start()


def test_a_message_in_the_way_lets_the_token_on(drive: Any) -> None:
    run = drive(waits(f'<intermediateCatchEvent id="w">{PARTS}</intermediateCatchEvent>'), MESSAGE)
    assert (run.start().messages, run.step.completed) == ({"parts"}, False)
    assert run.send("parts").completed


CHOICE = """
  <startEvent id="s"/><userTask id="ask"/><exclusiveGateway id="g"/>
  <userTask id="a"/><userTask id="b"/><userTask id="c"/><endEvent id="e"/>
  <f a="s" b="ask"/><f a="ask" b="g"/><f a="a" b="e"/><f a="b" b="e"/><f a="c" b="e"/>
"""


def choice(target: str, condition: str) -> str:
    return f'<f a="g" b="{target}" if="{condition}"/>'


# A drawing in which the second target stands above the first.
DRAWN = (
    '<d:BPMNDiagram xmlns:d="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:c="http://www.omg.org/spec/DD/20100524/DC">'
    '<d:BPMNPlane><d:BPMNShape bpmnElement="b"><c:Bounds x="0" y="200"/></d:BPMNShape>'
    '<d:BPMNShape bpmnElement="a"><c:Bounds x="0" y="100"/></d:BPMNShape></d:BPMNPlane></d:BPMNDiagram>'
)


def test_conditions_are_asked_in_the_order_of_the_text_and_not_of_the_drawing(drive: Any) -> None:
    run = drive(CHOICE + choice("b", "${form.days > 1}") + choice("a", "${form.days > 0}") + '<f a="g" b="c"/>', DRAWN)
    for days, opened in ((2, "b"), (1, "a"), (0, "c")):
        run.start()
        run.complete("ask", days=days)
        assert run.open == [opened]


def test_a_condition_reads_outcome_form_and_the_live_record(drive: Any, host: Any) -> None:
    text = "${outcome == 'accept' && form.days > 3 && record.cost > 100}"
    run = drive(CHOICE + choice("a", text) + choice("b", "${false}") + '<f a="g" b="c"/>')
    host.lent = {"record": {"cost": 100}}
    run.start()
    host.lent = {"record": {"cost": 101}}
    run.complete("ask", "accept", days=4)
    assert run.open == ["a"]


def test_a_bare_condition_is_an_expression_and_null_is_false(drive: Any) -> None:
    run = drive(CHOICE + choice("a", "form.urgent") + choice("b", "outcome == 'x'") + '<f a="g" b="c"/>')
    run.start()
    run.complete("ask", "y")
    assert run.open == ["c"]


@pytest.mark.parametrize("text", ["${form.days}", "${unknown == 1}", "${form.days > 'x'}"])
def test_a_condition_that_cannot_be_told_holds_the_token_back(drive: Any, text: str) -> None:
    run = drive(CHOICE + choice("a", text) + choice("b", "${false}") + '<f a="g" b="c"/>')
    run.start()
    assert run.complete("ask", days=1).passed == ("ask",)
    assert (run.open, run.faults) == ([], [("g", "expression")])


def test_nothing_stored_hides_a_name_that_the_host_lends(drive: Any, host: Any) -> None:
    run = drive(CHOICE + choice("a", "${record.cost > 100}") + choice("b", "${false}") + '<f a="g" b="c"/>')
    host.lent = {"record": {"cost": 1}}
    run.start(record={"cost": 1_000})
    run.complete("ask", record={"cost": 1_000})
    assert run.open == ["c"]


def test_a_gateway_without_a_way_holds_the_token_back(drive: Any) -> None:
    run = drive(CHOICE + choice("a", "${outcome == 'a'}") + choice("b", "${outcome == 'b'}") + choice("c", "${false}"))
    run.start()
    [fault] = run.complete("ask", "z").faults
    assert fault == engine.Failure(
        "g",
        "expression",
        "该网关没有条件成立的出线，也没有默认连线",
        "The gateway has no outgoing flow with a true condition and no default flow",
    )


def test_form_fields_pile_up_under_one_name(drive: Any) -> None:
    text = "${form.first == 1 && form.second == 2}"
    run = drive(
        '<startEvent id="s"/><userTask id="one"/><userTask id="two"/><exclusiveGateway id="g"/><userTask id="yes"/>'
        '<endEvent id="e"/><f a="s" b="one"/><f a="one" b="two"/><f a="two" b="g"/><f a="yes" b="e"/><f a="g" b="e"/>'
        + choice("yes", text)
    )
    run.start()
    run.complete("one", first=1, record={"cost": 0})
    run.complete("two", second=2)
    assert run.open == ["yes"]


def test_a_terminating_end_closes_its_scope_only(drive: Any) -> None:
    run = drive("""
      <startEvent id="s"/><subProcess id="sub">
        <startEvent id="s1"/><parallelGateway id="fork"/><userTask id="a"/><userTask id="b"/>
        <endEvent id="stop"><terminateEventDefinition/></endEvent><endEvent id="e1"/>
        <f a="s1" b="fork"/><f a="fork" b="a"/><f a="fork" b="b"/><f a="a" b="stop"/><f a="b" b="e1"/>
      </subProcess><userTask id="after"/><endEvent id="e"/>
      <f a="s" b="sub"/><f a="sub" b="after"/><f a="after" b="e"/>""")
    run.start()
    assert run.open == ["a", "b"]
    run.complete("a")
    assert run.open == ["after"]
    assert run.complete("after").completed


def test_a_terminating_end_stops_what_is_about_to_run(drive: Any, host: Any) -> None:
    run = drive("""
      <startEvent id="s"/><parallelGateway id="fork"/><endEvent id="stop"><terminateEventDefinition/></endEvent>
      <serviceTask id="call" xw:operation="never"/><endEvent id="e"/>
      <f a="s" b="fork"/><f a="fork" b="stop"/><f a="fork" b="call"/><f a="call" b="e"/>""")
    assert run.start().completed
    assert host.calls == []


def test_a_process_that_waits_for_nobody_says_where_it_stands(drive: Any) -> None:
    run = drive(
        '<startEvent id="s"/><userTask id="ask"/><exclusiveGateway id="g"/><parallelGateway id="join"/>'
        '<endEvent id="e"/>'
        '<task id="t"/><f a="s" b="ask"/><f a="ask" b="g"/><f a="g" b="join"/><f a="t" b="join"/><f a="join" b="e"/>'
        + choice("t", "${outcome == 'x'}")
    )
    run.start()
    step = run.complete("ask", "y")
    assert (run.open, step.passed) == ([], ("ask", "g"))
    zh, en = (
        "流程在“join”处无法继续：没有等待任何人或事件",
        "The process cannot continue at “join”: it waits for nobody and for no event",
    )
    assert step.faults == (engine.Failure("join", "stuck", zh, en),)


def test_nodes_tell_names_and_extensions(repair: engine.Specification) -> None:
    accept = repair.nodes["accept"]
    assert (accept.kind, accept.name, accept.name_en) == ("userTask", "接单", "Accept")
    assert accept.extensions["candidates"] == "team:${record.teamId}"
    assert (repair.process_id, repair.name, repair.name_en) == ("repairorder", "设备维修", "Equipment repair")
    with pytest.raises(TypeError):
        repair.nodes["accept"] = accept  # type: ignore[index]


def test_people_attributes_of_flowable_are_read_as_such(xml: Any) -> None:
    body = '<userTask id="w" flowable:assignee="${a.b}" flowable:candidateGroups="hr" xw:assignee="${starter.id}"/>'
    spec = engine.parse(xml(waits(body)))
    assert dict(spec.nodes["w"].extensions) == {"assignee": "${starter.id}", "candidateGroups": "hr"}
