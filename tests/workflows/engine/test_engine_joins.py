"""Forks and joins: the same tokens in any order, in any round, at any number of blocks."""

import itertools
from typing import Any

import pytest

from workflows import engine


@pytest.mark.parametrize("orders", list(itertools.product(["ab", "ba"], repeat=3)), ids=lambda orders: "-".join(orders))
def test_a_join_in_a_loop_waits_for_both_in_every_round(drive: Any, models: Any, orders: tuple[str, ...]) -> None:
    run = drive(models["loop"])
    run.start()
    for first, second in orders:
        assert run.open == ["a", "b"]
        run.complete(first)
        assert run.open == [second]
        run.complete(second)
        assert run.open == ["review"]
        run.complete("review", "again")
    run.complete("a")
    run.complete("b")
    assert run.complete("review", "enough").completed


def test_the_outcome_belongs_to_its_branch(drive: Any) -> None:
    run = drive("""
      <startEvent id="s"/><parallelGateway id="fork"/><userTask id="a"/><userTask id="b"/>
      <intermediateCatchEvent id="pause"><timerEventDefinition xw:due="pause"/></intermediateCatchEvent>
      <exclusiveGateway id="g"/><userTask id="yes"/><userTask id="no"/><endEvent id="e"/>
      <f a="s" b="fork"/><f a="fork" b="a"/><f a="fork" b="b"/><f a="a" b="pause"/><f a="pause" b="g"/><f a="g" b="no"/>
      <f a="g" b="yes" if="outcome == 'yes'"/>
      <f a="yes" b="e"/><f a="no" b="e"/><f a="b" b="e"/>""")
    run.start()
    run.complete("a", "yes")
    run.complete("b", "no")
    run.fire("pause")
    assert run.open == ["yes"]


@pytest.mark.parametrize(("chosen", "opened"), [("a", ["a"]), ("b", ["b"]), ("ab", ["a", "b"]), ("", ["c"])])
def test_an_inclusive_join_waits_for_the_branches_that_were_taken(
    drive: Any, models: Any, chosen: str, opened: list[str]
) -> None:
    run = drive(models["inclusive"])
    run.start()
    run.complete("ask", chosen)
    assert run.open == opened
    for left in range(len(opened), 0, -1):
        assert len(run.open) == left
        run.complete(run.open[0])
    assert run.open == ["after"]
    assert run.complete("after").completed


def test_twenty_parallel_blocks_start_with_a_handful_of_tasks(drive: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    body = '<startEvent id="s"/><endEvent id="e"/>'
    before = "s"
    for n in range(20):
        body += f'<parallelGateway id="f{n}"/><userTask id="a{n}"/><userTask id="b{n}"/><parallelGateway id="j{n}"/>'
        body += f'<f a="{before}" b="f{n}"/><f a="f{n}" b="a{n}"/><f a="f{n}" b="b{n}"/>'
        body += f'<f a="a{n}" b="j{n}"/><f a="b{n}" b="j{n}"/>'
        before = f"j{n}"
    run = drive(body + f'<f a="{before}" b="e"/>')
    made: list[str] = []
    from SpiffWorkflow.task import Task

    original = Task.__init__

    def counting(self: Any, *args: Any, **kwargs: Any) -> None:
        original(self, *args, **kwargs)
        made.append(self.task_spec.name)

    monkeypatch.setattr(Task, "__init__", counting)
    run.start()
    assert sorted(made) == ["Start", "a0", "b0", "f0", "s"]
    for n in range(20):
        run.complete(f"b{n}")
        run.complete(f"a{n}")
    assert run.step.completed


def test_two_flows_into_one_target_are_told_apart(drive: Any) -> None:
    run = drive("""
      <startEvent id="s"/><userTask id="ask"/><exclusiveGateway id="g" default="plain"/><endEvent id="e"/>
      <f a="s" b="ask"/><f a="ask" b="g"/><f id="plain" a="g" b="e"/>
      <f id="urgent" a="g" b="e" if="outcome == 'u'"/>""")
    run.start()
    assert run.complete("ask", "u").flows[-1] == "urgent"
    run.start()
    assert run.complete("ask", "x").flows[-1] == "plain"


def test_an_inner_task_is_closed_when_its_sub_process_is_interrupted(order: Any) -> None:
    order.complete("dispatch", "dispatch")
    order.complete("accept", "accept")
    order.complete("repair", "hang")
    step = order.send("repairorder.cancel")
    assert (step.tasks, step.timers, step.messages, step.completed) == ((), (), frozenset(), True)
    assert step.passed == ("cancelRequested", "cancelled", "endCancelled")
    assert isinstance(step, engine.Step)


def test_an_inclusive_choice_in_a_loop_waits_for_nobody_who_only_comes_round_again(drive: Any) -> None:
    """Found by the random models: the other branch could reach the choice again, through the join that waits for it."""
    run = drive("""
      <startEvent id="s"/><exclusiveGateway id="enter"/><parallelGateway id="fork"/><userTask id="a"/>
      <inclusiveGateway id="choice" default="rest"/><userTask id="b"/><inclusiveGateway id="merge"/>
      <parallelGateway id="join"/><userTask id="review"/><exclusiveGateway id="g" default="done"/><endEvent id="e"/>
      <f a="s" b="enter"/><f a="enter" b="fork"/><f a="fork" b="a"/><f a="a" b="join"/><f a="fork" b="choice"/>
      <f a="choice" b="b" if="form.n == 1"/><f id="rest" a="choice" b="merge"/><f a="b" b="merge"/>
      <f a="merge" b="join"/><f a="join" b="review"/><f a="review" b="g"/><f id="done" a="g" b="e"/>
      <f a="g" b="enter" if="outcome == 'again'"/>
    """)
    run.start(form={"n": 1})
    assert run.open == ["a", "b"]
    run.complete("b")
    run.complete("a")
    run.complete("review", "again", n=2)
    assert run.open == ["a"]
    run.complete("a")
    assert run.complete("review", "done").completed


OTHER_WAY = '<f a="g" b="a" if="outcome == \'x\'"/>'


@pytest.mark.parametrize(("beside", "opened"), [("", ["b"]), (OTHER_WAY, ["after", "b"])])
def test_an_inclusive_join_waits_only_for_who_must_come_over_a_way_that_has_no_token(
    drive: Any, beside: str, opened: list[str]
) -> None:
    run = drive(f"""
      <startEvent id="s"/><parallelGateway id="fork"/><userTask id="a"/><userTask id="b"/><userTask id="c"/>
      <exclusiveGateway id="g" default="on"/><inclusiveGateway id="join"/><userTask id="after"/><endEvent id="e"/>
      <f a="s" b="fork"/><f a="fork" b="a"/><f a="fork" b="b"/><f a="a" b="join"/><f a="b" b="g"/>
      <f id="on" a="g" b="c"/><f a="c" b="join"/><f a="join" b="after"/><f a="after" b="e"/>{beside}
    """)
    run.start()
    run.complete("a")
    assert run.open == opened
    run.complete("b")
    run.complete("c")
    assert run.open == ["after"] * (2 if beside else 1)


def test_two_tokens_over_one_flow_do_not_stand_for_the_other_flow(drive: Any) -> None:
    """a and b come to the parallel join over one flow, c over the other: it waits for c, and uses one token of each."""
    run = drive("""
      <startEvent id="s"/><parallelGateway id="fork"/><userTask id="a"/><userTask id="b"/><userTask id="c"/>
      <exclusiveGateway id="merge"/><parallelGateway id="join"/><userTask id="after"/><endEvent id="e"/>
      <f a="s" b="fork"/><f a="fork" b="a"/><f a="fork" b="b"/><f a="fork" b="c"/><f a="a" b="merge"/>
      <f a="b" b="merge"/><f a="merge" b="join"/><f a="c" b="join"/><f a="join" b="after"/><f a="after" b="e"/>""")
    run.start()
    run.complete("a")
    run.complete("b")
    assert run.open == ["c"]
    assert engine.tokens(run.spec, run.step.state) == {"c": 1, "join": 2}
    run.complete("c")
    assert run.open == ["after"]
    assert engine.tokens(run.spec, run.step.state) == {"after": 1, "join": 1}
    assert not run.complete("after").completed  # the token that is left keeps the process from ending
    assert run.faults == [("join", "stuck")]
