"""Activities that are done several times: what each mode does step by step, and that nothing of it stays behind."""

import random
from typing import Any

import orjson
import pytest

from tests.workflows.engine.test_engine_codec import guarded as guarded
from workflows import engine
from workflows.engine import multi_instance
from workflows.engine import run as running

RATIO = (
    "votes.agree &gt;= nrOfInstances * 0.6 || "
    "nrOfInstances - nrOfCompletedInstances + votes.agree &lt; nrOfInstances * 0.6"
)


def loop(until: str = "", attributes: str = "", inside: str = "") -> str:
    """A loop over `form.people`, one after another where the attributes say so."""
    condition = f"<completionCondition>${{{until}}}</completionCondition>" if until else ""
    return (
        f'<multiInstanceLoopCharacteristics xw:collection="form.people" xw:elementVariable="signer" {attributes}>'
        f"{inside}{condition}</multiInstanceLoopCharacteristics>"
    )


def times(number: str, attributes: str = "") -> str:
    """A loop that is gone round so many times."""
    drawn = f"<loopCardinality>{number}</loopCardinality>"
    return f"<multiInstanceLoopCharacteristics {attributes}>{drawn}</multiInstanceLoopCharacteristics>"


def asked(drawn: str, beside: str = "") -> str:
    """Start, countersign `w`, a gateway that asks for a rejection."""
    return (
        f'<startEvent id="s"/><userTask id="w">{drawn}</userTask><exclusiveGateway id="g" default="d"/>'
        '<endEvent id="yes"/><endEvent id="no"/><f id="in" a="s" b="w"/><f id="on" a="w" b="g"/>'
        '<f id="d" a="g" b="yes"/><f id="r" a="g" b="no" if="outcome == \'reject\'"/>' + beside
    )


def sign(run: Any, signer: str, outcome: str) -> engine.Step:
    """Let a signer complete the task that is the signer's own."""
    task = next(one.task for one in run.step.tasks if one.names["signer"] == signer)
    run.step = engine.complete(run.spec, run.step.state, task, outcome, {}, run.host)
    return run.step


def signers(step: engine.Step) -> list[str]:
    return [task.names["signer"] for task in step.tasks]


PEOPLE = {"people": ["a", "b", "c", "d", "e"]}
PARALLEL, IN_TURN = "", 'isSequential="true"'


def test_all_sign_beside_each_other(drive: Any, guarded: list[bytes]) -> None:
    run = drive(asked(loop()))
    step = run.start(form={"people": ["a", "b", "c"]})
    assert [(task.node, dict(task.names), task.loop_instance) for task in step.tasks] == [
        ("w", {"loopCounter": 0, "nrOfInstances": 3, "signer": "a"}, ".0"),
        ("w", {"loopCounter": 1, "nrOfInstances": 3, "signer": "b"}, ".1"),
        ("w", {"loopCounter": 2, "nrOfInstances": 3, "signer": "c"}, ".2"),
    ]
    assert (step.passed, step.flows, step.decided) == (("s",), ("in",), {})
    assert engine.tokens(run.spec, step.state) == {"w": 3}
    step = sign(run, "b", "agree")
    assert (signers(step), step.passed, step.flows) == (["a", "c"], ("w",), ())
    assert engine.tokens(run.spec, step.state) == {"w": 2}
    assert signers(sign(run, "a", "reject")) == ["c"]
    step = sign(run, "c", "agree")
    assert (step.completed, step.passed, step.flows) == (True, ("w", "g", "yes"), ("on", "d"))
    assert step.decided == {"w": "agree"}
    assert len(guarded) == 4


def test_in_turn_each_is_asked_when_the_one_before_has_signed(drive: Any, guarded: list[bytes]) -> None:
    run = drive(asked(loop("outcome == 'reject'", IN_TURN)))
    run.start(form={"people": ["a", "b", "c"]})
    story = [(signers(run.step), run.step.tasks[0].loop_instance, engine.tokens(run.spec, run.step.state))]
    for signer in ("a", "b"):
        sign(run, signer, "agree")
        story.append((signers(run.step), run.step.tasks[0].loop_instance, engine.tokens(run.spec, run.step.state)))
    assert story == [(["a"], ".0", {"w": 1}), (["b"], ".1", {"w": 1}), (["c"], ".2", {"w": 1})]
    step = sign(run, "c", "reject")
    assert (step.completed, step.passed, step.flows) == (True, ("w", "g", "no"), ("on", "r"))


def test_in_turn_a_rejection_spares_the_others_the_question(drive: Any) -> None:
    run = drive(asked(loop("outcome == 'reject'", IN_TURN)))
    run.start(form=PEOPLE)
    sign(run, "a", "agree")
    step = sign(run, "b", "reject")
    assert (step.completed, step.passed, step.decided) == (True, ("w", "g", "no"), {"w": "reject"})


def test_any_the_first_answer_decides_and_the_others_are_over(drive: Any) -> None:
    run = drive(asked(loop("nrOfCompletedInstances &gt;= 1")))
    step = run.start(form=PEOPLE)
    other = step.tasks[0].task
    step = sign(run, "d", "reject")
    assert (step.completed, step.tasks, step.passed) == (True, (), ("w", "g", "no"))
    with pytest.raises(engine.TaskNotOpen):
        engine.complete(run.spec, step.state, other, "agree", {}, run.host)


@pytest.mark.parametrize("order", [PARALLEL, IN_TURN])
@pytest.mark.parametrize(
    ("votes", "end"),
    [
        (["agree", "agree", "agree"], "yes"),
        (["reject", "agree", "agree", "agree"], "yes"),
        (["agree", "reject", "agree", "reject", "agree"], "yes"),
        (["reject", "reject", "reject"], "no"),
        (["agree", "agree", "reject", "reject", "reject"], "no"),
    ],
)
def test_a_ratio_is_decided_with_the_vote_that_decides_it(drive: Any, order: str, votes: list[str], end: str) -> None:
    """Each vote counts, those of signers whose tasks were cut away long ago too."""
    run = drive(asked(loop(RATIO, order)))
    run.start(form=PEOPLE)
    for number, vote in enumerate(votes):
        assert not run.step.completed
        sign(run, PEOPLE["people"][number], vote)
    assert (run.step.completed, run.step.passed) == (True, ("w", "g", end))


def test_the_names_that_a_condition_reads(drive: Any, host: Any) -> None:
    seen = (
        "nrOfInstances == 3 &amp;&amp; nrOfCompletedInstances == 2 &amp;&amp; nrOfActiveInstances == 1 &amp;&amp; "
        "loopCounter == 2 &amp;&amp; signer == 'c' &amp;&amp; outcome == 'x' &amp;&amp; votes.agree == 1 &amp;&amp; "
        "votes.x == 1 &amp;&amp; votes.nobody == 0 &amp;&amp; record.total == 7"
    )
    host.lent = {"record": {"total": 7}}
    run = drive(asked(loop(seen)))
    run.start(form={"people": ["a", "b", "c"]})
    sign(run, "a", "agree")
    step = sign(run, "c", "x")
    assert (step.completed, step.decided) == (True, {"w": "x"})


def test_in_turn_one_is_active(drive: Any) -> None:
    run = drive(asked(loop("nrOfActiveInstances == 1 &amp;&amp; nrOfCompletedInstances == 2", IN_TURN)))
    run.start(form=PEOPLE)
    assert not sign(run, "a", "agree").completed
    assert sign(run, "b", "agree").completed


def test_an_expression_may_say_the_outcome(drive: Any) -> None:
    said = "xw:outcome=\"${votes.agree * 2 &gt; nrOfInstances ? 'agree' : 'reject'}\""
    run = drive(asked(loop(attributes=said)))
    run.start(form={"people": ["a", "b", "c"]})
    sign(run, "a", "agree")
    sign(run, "b", "agree")
    assert sign(run, "c", "reject").decided == {"w": "agree"}
    assert run.step.passed == ("w", "g", "yes")
    run.start(form={"people": []})
    assert (run.step.passed, run.step.decided) == (("s", "w", "g", "no"), {"w": "reject"})


@pytest.mark.parametrize("value", ["${3}", "${null}", "${'x' + '" + "y" * 40 + "'}"])
def test_an_activity_whose_outcome_is_no_short_text_waits_for_its_repair(drive: Any, value: str) -> None:
    run = drive(asked(loop("true", f'xw:outcome="{value}"')))
    run.start(form=PEOPLE)
    step = sign(run, "a", "agree")
    assert (run.faults, len(step.tasks), step.decided) == ([("w", "expression")], 4, {})


@pytest.mark.parametrize("order", [PARALLEL, IN_TURN])
@pytest.mark.parametrize("people", [[], None, "", " , "])
def test_where_nobody_is_to_sign_the_token_goes_on_without_an_outcome(drive: Any, order: str, people: Any) -> None:
    body = asked(loop("nrOfCompletedInstances &gt;= 1", order)).replace('a="s" b="w"', 'a="s" b="ask"')
    run = drive(body + '<userTask id="ask"/><f a="ask" b="w"/>')
    run.start(form={"people": people})
    step = run.complete("ask", "reject")
    assert (step.completed, step.passed, step.flows) == (True, ("ask", "w", "g", "yes"), step.flows)
    assert step.decided == {"w": ""}


def test_a_text_lists_signers_too_and_objects_have_fields(drive: Any) -> None:
    run = drive(asked(loop()))
    assert signers(run.start(form={"people": "li.s, wang.w"})) == ["li.s", "wang.w"]
    run = drive(asked(loop("signer.vote == 2")))
    run.start(form={"people": [{"vote": 1}, {"vote": 2}]})
    run.step = engine.complete(run.spec, run.step.state, run.step.tasks[1].task, "agree", {}, run.host)
    assert run.step.completed


@pytest.mark.parametrize("people", [7, True, {"a": 1}])
def test_what_is_no_list_refuses_the_step(drive: Any, people: Any) -> None:
    with pytest.raises(engine.ExpressionError) as caught:
        drive(asked(loop())).start(form={"people": people})
    assert "expected a list of people" in caught.value.text_en


@pytest.mark.parametrize("order", [PARALLEL, IN_TURN])
def test_two_hundred_may_sign_and_one_more_is_over_the_limit(drive: Any, order: str) -> None:
    run = drive(asked(loop("nrOfCompletedInstances &gt;= 2", order)))
    run.start(form={"people": [f"u{number}" for number in range(200)]})
    assert len(run.step.tasks) == (1 if order else 200)
    sign(run, "u0", "agree")
    assert sign(run, "u1", "agree").completed
    with pytest.raises(engine.LimitReached) as caught:
        run.start(form={"people": [f"u{number}" for number in range(201)]})
    assert (caught.value.limit, caught.value.value) == ("instances", 200)


def test_so_many_times_as_a_number_says(drive: Any) -> None:
    run = drive(asked(times("3")))
    assert [dict(task.names) for task in run.start().tasks] == [
        {"loopCounter": number, "nrOfInstances": 3} for number in range(3)
    ]
    run = drive(asked(times("${form.n}")))
    assert len(run.start(form={"n": "2"}).tasks) == 2
    assert run.start(form={"n": 0}).completed
    assert run.start().completed
    for wrong in (1.5, -1, True, "x", [1]):
        with pytest.raises(engine.ExpressionError):
            run.start(form={"n": wrong})
    with pytest.raises(engine.LimitReached):
        run.start(form={"n": 999_999_999})


@pytest.mark.parametrize(
    "drawn",
    [
        '<multiInstanceLoopCharacteristics flowable:collection="people" flowable:elementVariable="signer"/>',
        '<multiInstanceLoopCharacteristics flowable:collection="${people}" flowable:elementVariable="signer" '
        'behavior="All" flowable:async="false"/>',
        "<multiInstanceLoopCharacteristics><loopDataInputRef>people</loopDataInputRef>"
        '<inputDataItem name="signer"/></multiInstanceLoopCharacteristics>',
        "<multiInstanceLoopCharacteristics><loopDataInputRef>people</loopDataInputRef>"
        '<inputDataItem id="signer"/></multiInstanceLoopCharacteristics>',
    ],
)
def test_every_dialect_says_the_same(drive: Any, drawn: str) -> None:
    run = drive(asked(drawn))
    assert signers(run.start(people=["a", "b"])) == ["a", "b"]


def test_what_a_signer_is_called_stays_with_the_signer(drive: Any) -> None:
    """In other engines it leaks, and the second pass fails because it is there already."""
    body = asked(loop()).replace('a="g" b="yes"', 'a="g" b="after"')
    run = drive(body + '<userTask id="after"/><f a="after" b="yes"/>')
    run.start(form={"people": ["a"]})
    step = sign(run, "a", "agree")
    assert [(task.node, dict(task.names), task.loop_instance) for task in step.tasks] == [("after", {}, "")]


BACK = asked(loop(RATIO)).replace('a="s" b="w"', 'a="s" b="m"').replace('a="g" b="no"', 'a="g" b="m"') + (
    '<exclusiveGateway id="m"/><f a="m" b="w"/>'
)
BACK = BACK.replace('<endEvent id="no"/>', "")


@pytest.mark.parametrize("order", [PARALLEL, IN_TURN])
def test_after_six_hundred_rounds_the_state_is_what_it_was_after_ten(drive: Any, order: str) -> None:
    run = drive(
        BACK.replace("signer", "signer", 1).replace('elementVariable="signer" ', f'elementVariable="signer" {order}')
    )
    run.start(form={"people": ["a", "b", "c"]})
    sizes = []
    for _ in range(600):
        sign(run, "a", "agree")
        sign(run, "b", "reject")
        assert sign(run, "c", "reject").decided == {"w": "reject"}
        assert signers(run.step) == (["a"] if order else ["a", "b", "c"])
        sizes.append(len(run.step.state))
    assert max(sizes) <= sizes[9] + 10
    sign(run, "a", "agree")
    assert sign(run, "b", "agree").completed


def test_a_timer_breaks_all_off_or_lets_them_be(drive: Any, guarded: list[bytes]) -> None:
    border = (
        '<boundaryEvent id="late" attachedToRef="w"><timerEventDefinition xw:due="x"/></boundaryEvent>'
        '<boundaryEvent id="remind" attachedToRef="w" cancelActivity="false"><timerEventDefinition xw:due="y"/>'
        '</boundaryEvent><userTask id="head"/><endEvent id="le"/><endEvent id="re"/><f a="late" b="head"/>'
        '<f a="head" b="le"/><f a="remind" b="re"/>'
    )
    run = drive(asked(loop(RATIO), border))
    run.start(form={"people": ["a", "b", "c"]})
    assert sorted(timer.node for timer in run.step.timers) == ["late", "remind"]
    step = run.fire("remind")
    assert (signers(step), [timer.node for timer in step.timers]) == (["a", "b", "c"], ["late"])
    assert signers(sign(run, "b", "agree")) == ["a", "c"]
    open_task = run.step.tasks[0].task
    step = run.fire("late")
    assert ([task.node for task in step.tasks], step.timers) == (["head"], ())
    with pytest.raises(engine.TaskNotOpen):
        engine.complete(run.spec, step.state, open_task, "agree", {}, run.host)
    assert run.complete("head").completed
    run.start(form={"people": ["a", "b", "c"]})
    sign(run, "b", "agree")
    step = sign(run, "a", "agree")
    assert (step.completed, step.timers) == (True, ())  # decided: no timer is left behind


SUB = (
    '<startEvent id="s"/><subProcess id="w">{loop}<startEvent id="is"/><userTask id="i"/><exclusiveGateway id="ig"/>'
    '<userTask id="j"/><endEvent id="ie"/><f a="is" b="i"/><f a="i" b="ig"/>'
    '<f a="ig" b="j" if="signer == \'a\'"/><f id="rest" a="ig" b="ie"/><f a="j" b="ie"/></subProcess>'
    '<userTask id="after"/><endEvent id="e"/><f a="s" b="w"/><f a="w" b="after"/><f a="after" b="e"/>'
)


def test_a_sub_process_for_each(drive: Any, guarded: list[bytes]) -> None:
    run = drive(SUB.format(loop=loop()))
    step = run.start(form={"people": ["a", "b"]})
    assert [(task.node, task.names["signer"], task.loop_instance) for task in step.tasks] in (
        [("i", "a", ".0"), ("i", "b", ".1")],
        [("i", "b", ".1"), ("i", "a", ".0")],
    )
    assert engine.tokens(run.spec, step.state) == {"i": 2}
    assert [task.node for task in sign(run, "a", "x").tasks if task.names["signer"] == "a"] == ["j"]
    assert [task.node for task in sign(run, "b", "y").tasks] == ["j"]
    step = sign(run, "a", "z")
    assert ([(task.node, dict(task.names)) for task in step.tasks], step.decided) == ([("after", {})], {"w": "z"})
    assert run.complete("after").completed
    assert len(guarded) == 5


def test_a_sub_process_for_each_ends_early_with_all_that_runs_in_the_others(drive: Any) -> None:
    run = drive(SUB.format(loop=loop("nrOfCompletedInstances &gt;= 1")))
    run.start(form={"people": ["a", "b", "c"]})
    sign(run, "a", "x")
    step = sign(run, "b", "y")
    assert [task.node for task in step.tasks] == ["after"]
    assert len(orjson.loads(step.state)["scopes"]) == 0


def test_one_after_another_and_a_loop_inside_a_loop(drive: Any, guarded: list[bytes]) -> None:
    inner = loop().replace("form.people", "signer.people").replace('"signer"', '"one"')
    body = SUB.format(loop=loop(attributes=IN_TURN)).replace(
        '<userTask id="i"/>', f'<userTask id="i">{inner}</userTask>'
    )
    run = drive(body.replace("signer == 'a'", "one == 'a'"))  # there is no such name behind the inner loop
    run.start(form={"people": [{"people": ["a", "b"]}, {"people": ["c"]}]})
    assert [(task.names["one"], task.loop_instance) for task in run.step.tasks] == [("a", ".0.0"), ("b", ".0.1")]
    run.complete("i", "x")
    run.complete("i", "x")
    assert run.faults == [("ig", "expression")]


def test_a_loop_inside_a_loop_goes_through(drive: Any, guarded: list[bytes]) -> None:
    inner = loop().replace("form.people", "signer.people").replace('"signer"', '"one"')
    body = SUB.format(loop=loop(attributes=IN_TURN)).replace(
        '<userTask id="i"/>', f'<userTask id="i">{inner}</userTask>'
    )
    run = drive(body.replace("signer == 'a'", "loopCounter == 1"))
    run.start(form={"people": [{"people": ["a", "b"]}, {"people": ["c"]}]})
    run.complete("i", "x")
    run.complete("i", "x")
    assert [(task.node, task.names["one"], task.loop_instance) for task in run.step.tasks] == [("i", "c", ".1.0")]
    run.complete("i", "x")
    assert [(task.node, task.loop_instance) for task in run.step.tasks] == [("j", ".1")]
    assert [task.node for task in run.complete("j", "x").tasks] == ["after"]


def test_an_operation_for_each(drive: Any, host: Any) -> None:
    body = (
        asked(loop())
        .replace("<userTask id=", '<serviceTask xw:operation="tell" id=')
        .replace("userTask", "serviceTask")
    )
    for order in (PARALLEL, IN_TURN):
        host.calls.clear()
        run = drive(body.replace('elementVariable="signer" ', f'elementVariable="signer" {order}'))
        step = run.start(form={"people": ["a", "b", "c"]}, outcome="reject")
        assert host.calls == [("tell", "w")] * 3
        assert (step.completed, step.passed) == (True, ("s", "w", "w", "w", "g", "no"))  # the outcome stays
    step = run.start(form={"people": []}, outcome="reject")
    assert step.passed == ("s", "w", "g", "no")


def test_what_waits_in_a_dropped_instance_hears_no_message(drive: Any, host: Any) -> None:
    """One message breaks the activity off and is waited for inside it: nothing in it may run any more."""
    body = (
        f'<startEvent id="s"/><subProcess id="w">{loop()}<startEvent id="is"/>'
        '<receiveTask id="i" messageRef="m"/><serviceTask id="t" xw:operation="tell"/><endEvent id="ie"/>'
        '<f a="is" b="i"/><f a="i" b="t"/><f a="t" b="ie"/></subProcess><endEvent id="e"/><endEvent id="le"/>'
        '<boundaryEvent id="stop" attachedToRef="w"><messageEventDefinition messageRef="m"/></boundaryEvent>'
        '<f a="s" b="w"/><f a="w" b="e"/><f a="stop" b="le"/>'
    )
    run = drive(body, '<message id="m" name="go"/>')
    run.start(form={"people": ["a", "b"]})
    step = run.send("go")
    assert (step.completed, step.passed[-2:], host.calls) == (True, ("stop", "le"), [])


@pytest.mark.parametrize("model", ["asked", "turn", "sub", "back"])
@pytest.mark.parametrize("cut", [True, False], ids=["cut", "whole"])
def test_random_walks_are_stored_whole(
    model: str, cut: bool, drive: Any, guarded: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not cut:
        monkeypatch.setattr(running, "compact", lambda instance: None)
    bodies = {
        "asked": asked(loop(RATIO)),
        "turn": asked(loop(RATIO, IN_TURN)),
        "sub": SUB.format(loop=loop("votes.x &gt;= 2")),
        "back": BACK,
    }
    for seed in range(6):
        chance = random.Random(seed)
        run = drive(bodies[model])
        run.start(form=PEOPLE)
        for _ in range(25):
            if run.step.completed:
                break
            task = chance.choice(run.step.tasks)
            run.step = engine.complete(
                run.spec, run.step.state, task.task, chance.choice(["agree", "reject", "x"]), {}, run.host
            )
    assert len(guarded) > 18


WRONG = {
    "neither": ("<multiInstanceLoopCharacteristics/>", "many_source"),
    "both": (loop(inside="<loopCardinality>2</loopCardinality>"), "many_source"),
    "bad list": (loop().replace("form.people", "${form."), "expression"),
    "bad condition": (loop("votes."), "expression"),
    "bad outcome": (loop(attributes='xw:outcome="${1 +}"'), "expression"),
    "bad number": (times("2 +"), "expression"),
    "negative": (times("-1"), "many_bound"),
    "too many": (times("201"), "many_bound"),
    "a taken name": (loop().replace('"signer"', '"record"'), "many_variable"),
    "no name": (loop().replace('"signer"', '"_a b"'), "many_variable"),
    "twice": (loop() + loop(), "many_loops"),
    "collected nothing": (loop(inside="<loopDataOutputRef>all</loopDataOutputRef>"), "many_results"),
    "collected in a taken name": (
        loop(inside='<loopDataOutputRef>votes</loopDataOutputRef><outputDataItem name="x"/>'),
        "many_results",
    ),
    "behaviour": (loop(attributes='behavior="One"'), "unsupported"),
    "standard loop": ("<standardLoopCharacteristics/>", "unsupported"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("kind", ["userTask", "subProcess"])
def test_a_loop_that_cannot_run_is_refused_at_its_element_in_both_languages(xml: Any, wrong: str, kind: str) -> None:
    drawn, code = WRONG[wrong]
    body = asked(drawn) if kind == "userTask" else SUB.format(loop=drawn)
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml(body))
    found = [(problem.element, problem.code) for problem in caught.value.problems]
    assert found == [("w", code)]
    assert all(problem.text_zh and problem.text_en for problem in caught.value.problems)


@pytest.mark.parametrize("kind", ["exclusiveGateway", "intermediateThrowEvent"])
def test_what_is_no_place_for_a_loop(xml: Any, kind: str) -> None:
    body = asked(loop()).replace('<userTask id="w">', f'<{kind} id="w">').replace("</userTask>", f"</{kind}>")
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml(body))
    assert [(one.element, one.code) for one in caught.value.problems] == [("w", "unsupported")]


def test_the_node_says_that_it_is_done_several_times(drive: Any) -> None:
    run = drive(asked(loop()))
    assert (run.spec.nodes["w"].is_multi_instance, run.spec.nodes["g"].is_multi_instance) == (True, False)
    assert multi_instance.MAX_INSTANCES == 200


def test_a_fault_in_one_of_several_reaches_the_border_of_all(drive: Any, host: Any) -> None:
    inner = (
        '<startEvent id="is"/><userTask id="i"/><endEvent id="ie"><errorEventDefinition errorRef="bad"/></endEvent>'
        '<f a="is" b="i"/><f a="i" b="ie"/>'
    )
    body = (
        f'<startEvent id="s"/><subProcess id="w">{loop()}{inner}</subProcess><endEvent id="e"/><userTask id="mend"/>'
        '<boundaryEvent id="b" attachedToRef="w"><errorEventDefinition errorRef="bad"/></boundaryEvent>'
        '<endEvent id="me"/><f a="s" b="w"/><f a="w" b="e"/><f a="b" b="mend"/><f a="mend" b="me"/>'
    )
    run = drive(body, '<error id="bad" errorCode="E1"/>')
    run.start(form={"people": ["a", "b", "c"]})
    step = sign(run, "b", "x")
    assert ([task.node for task in step.tasks], step.decided) == (["mend"], {})
    assert len(orjson.loads(step.state)["scopes"]) == 0
    assert run.complete("mend").completed


def test_an_event_sub_process_lies_in_each_of_several(drive: Any) -> None:
    handler = (
        '<subProcess id="h" triggeredByEvent="true"><startEvent id="hs"><messageEventDefinition messageRef="m"/>'
        '</startEvent><userTask id="hu"/><endEvent id="he"/><f a="hs" b="hu"/><f a="hu" b="he"/></subProcess>'
    )
    body = SUB.format(loop=loop()).replace('<userTask id="j"/>', f'<userTask id="j"/>{handler}')
    run = drive(body, '<message id="m" name="stop"/>')
    step = run.start(form={"people": ["a", "b"]})
    waiting = {catch.task for catch in step.catches}
    assert (len(waiting), sorted(signers(step))) == (2, ["a", "b"])
    run.step = engine.send(run.spec, step.state, "stop", run.host, [min(waiting)])
    assert sorted(task.node for task in run.step.tasks) == ["hu", "i"]
    assert sorted(signers(run.step)) == ["a", "b"]
