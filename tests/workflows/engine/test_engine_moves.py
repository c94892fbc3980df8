# ruff: noqa: E501
"""Skipping an element and moving a token: what waits afterwards, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.workflows.drawings import drawing, places, task
from workflows import engine
from workflows.engine.errors import NotMovable

BPMN = Path(__file__).resolve().parents[3] / "bpmn"
TIMER = "<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>"
CLOCK = (
    f'<boundaryEvent id="clock" attachedToRef="a">{TIMER}</boundaryEvent><endEvent id="late"/><f a="clock" b="late"/>'
)
LINE = (
    f'<startEvent id="s"/>{task("a")}{CLOCK}{task("b")}<serviceTask id="o" xw:operation="message.send"/>{task("c")}'
    '<endEvent id="e"/><f a="s" b="a"/><f a="a" b="b"/><f a="b" b="o"/><f a="o" b="c"/><f a="c" b="e"/>'
)
FORK = (
    '<startEvent id="s"/>{before}<{kind} id="g"/>{left}{right}<{kind} id="j"/>{after}<endEvent id="e"/>'
    '<f a="s" b="before"/><f a="before" b="g"/><f a="g" b="left"{one}/><f a="g" b="right"{two}/>'
    '<f a="left" b="j"/><f a="right" b="j"/><f a="j" b="after"/><f a="after" b="e"/>'
)


CHOICE = 'xw:outcomes="yes,no"'


class Host:
    """Notes what is called."""

    def __init__(self, **record: Any) -> None:
        self.called: list[str] = []
        self._record = {"days": 5, "urgency": 3, "teamId": "2", "repairUserId": "1", **record}

    def call(self, operation: str, node: str, given: Mapping[str, Any]) -> None:
        self.called.append(operation)

    def names(self) -> Mapping[str, Any]:
        return {"record": self._record, "starter": {}}


def _fork(kind: str) -> bytes:
    names = {name: task(name) for name in ("before", "left", "right", "after")}
    conditions = (
        {"one": ' if="${true}"', "two": ' if="${true}"'} if kind == "inclusiveGateway" else {"one": "", "two": ""}
    )
    return drawing(FORK.format(kind=kind, **names, **conditions))


def _waits(step: engine.Step) -> tuple[list[str], list[str]]:
    return sorted(one.node for one in step.tasks), sorted(one.node for one in step.timers)


def _do(spec: engine.Specification, step: engine.Step, node: str, outcome: str = "") -> engine.Step:
    [found] = [one for one in step.tasks if one.node == node]
    return engine.complete(spec, step.state, found.task, outcome, {}, Host())


def _why(act: Any) -> str:
    with pytest.raises(NotMovable) as caught:
        act()
    return caught.value.why


def test_a_token_is_moved_forwards_and_back_with_its_timers() -> None:
    spec, host = engine.parse(drawing(LINE)), Host()
    step = engine.start(spec, {}, host)
    assert _waits(step) == (["a"], ["clock"])
    assert sorted(places(spec, step.state, "a")) == ["b", "c", "e", "late", "o"]
    there = engine.move(spec, step.state, "a", "c", host)
    assert (_waits(there), host.called, there.passed) == ((["c"], []), [], ())
    back = engine.move(spec, there.state, "c", "a", host)
    assert _waits(back) == (["a"], ["clock"])
    # What was put there goes on like any other token: its timer breaks it off, and a completion takes the timer along.
    assert engine.fire(spec, back.state, back.timers[0].task, host).completed
    assert _waits(_do(spec, back, "a")) == (["b"], [])
    on = engine.move(spec, back.state, "a", "o", host)
    assert (_waits(on), host.called) == ((["c"], []), ["message.send"])
    assert engine.move(spec, on.state, "c", "e", host).completed


def test_a_step_is_skipped_on_the_way_that_is_chosen() -> None:
    body = (
        f'<startEvent id="s"/>{task("a", CHOICE)}<exclusiveGateway id="g" default="d"/>'
        f'{task("b")}{task("c")}<endEvent id="e"/><f a="s" b="a"/><f a="a" b="g"/><f id="d" a="g" b="b"/>'
        '<f a="g" b="c" if="${outcome == \'no\'}"/><f a="b" b="e"/><f a="c" b="e"/>'
    )
    spec, host = engine.parse(drawing(body)), Host()
    step = engine.start(spec, {}, host)
    assert _waits(engine.skip(spec, step.state, "a", "yes", host)) == (["b"], [])
    assert _waits(engine.skip(spec, step.state, "a", "no", host)) == (["c"], [])
    with pytest.raises(engine.OutcomeUnknown):
        engine.skip(spec, step.state, "a", "", host)
    assert _why(lambda: engine.skip(spec, step.state, "b", "", host)) == "nowhere"


def test_an_event_is_skipped_without_what_it_waits_for() -> None:
    wait = f'<intermediateCatchEvent id="w">{TIMER}</intermediateCatchEvent>'
    body = f'<startEvent id="s"/>{wait}{task("b")}<endEvent id="e"/><f a="s" b="w"/><f a="w" b="b"/><f a="b" b="e"/>'
    spec, host = engine.parse(drawing(body)), Host()
    step = engine.start(spec, {}, host)
    assert _waits(step) == ([], ["w"])
    assert _waits(engine.skip(spec, step.state, "w", "", host)) == (["b"], [])
    moved = engine.move(spec, step.state, "w", "b", host)
    assert _waits(moved) == (["b"], [])
    assert _waits(engine.move(spec, moved.state, "b", "w", host)) == ([], ["w"])


@pytest.mark.parametrize("kind", ["parallelGateway", "inclusiveGateway"])
def test_no_token_is_moved_into_or_beside_a_parallel_branch(kind: str) -> None:
    spec, host = engine.parse(_fork(kind)), Host()
    step = engine.start(spec, {}, host)
    assert sorted(places(spec, step.state, "before")) == ["after", "e"]
    assert _why(lambda: engine.move(spec, step.state, "before", "left", host)) == "away"
    both = _do(spec, step, "before")
    assert _waits(both)[0] == ["left", "right"]
    assert places(spec, both.state, "left") == ()
    assert _why(lambda: engine.move(spec, both.state, "left", "after", host)) == "beside"
    # A step of a branch can be skipped: its token goes to the join like any other.
    one = engine.skip(spec, both.state, "left", "", host)
    assert _waits(one)[0] == ["right"]
    assert _why(lambda: engine.move(spec, one.state, "right", "after", host)) == "beside"
    assert _waits(engine.skip(spec, one.state, "right", "", host))[0] == ["after"]


def test_no_token_is_moved_out_of_a_sub_process_or_out_of_a_loop() -> None:
    inner = f'<startEvent id="is"/>{task("i")}{task("k")}<endEvent id="ie"/><f a="is" b="i"/><f a="i" b="k"/><f a="k" b="ie"/>'
    many = "<multiInstanceLoopCharacteristics><loopCardinality>2</loopCardinality></multiInstanceLoopCharacteristics>"
    loop = f'<userTask id="m" name="m" xw:candidates="role:tenant_admin">{many}</userTask>'
    body = (
        f'<startEvent id="s"/>{task("a")}<subProcess id="q">{inner}</subProcess>{loop}<endEvent id="e"/>'
        '<f a="s" b="a"/><f a="a" b="q"/><f a="q" b="m"/><f a="m" b="e"/>'
    )
    spec, host = engine.parse(drawing(body)), Host()
    step = engine.start(spec, {}, host)
    assert sorted(places(spec, step.state, "a")) == ["e", "q"]
    inside = engine.move(spec, step.state, "a", "q", host)
    assert _waits(inside)[0] == ["i"]
    assert sorted(places(spec, inside.state, "i")) == ["ie", "k"]
    assert _why(lambda: engine.move(spec, inside.state, "i", "a", host)) == "away"
    several = engine.move(spec, inside.state, "i", "ie", host)
    assert _waits(several)[0] == ["m", "m"]
    for act in (engine.skip, engine.move):
        assert _why(lambda act=act: act(spec, several.state, "m", "", host)) == "loop"


def test_a_step_beside_the_main_one_is_not_moved() -> None:
    clock = CLOCK.replace("attachedToRef", 'cancelActivity="false" attachedToRef').replace(
        '<endEvent id="late"/>', f'{task("tell")}<endEvent id="late"/><f a="tell" b="late"/>'
    )
    body = LINE.replace(
        CLOCK, clock.replace('b="late"/>', 'b="tell"/>', 2).replace('a="tell" b="tell"', 'a="tell" b="late"')
    )
    spec, host = engine.parse(drawing(body)), Host()
    step = engine.start(spec, {}, host)
    assert sorted(places(spec, step.state, "a")) == ["b", "c", "e", "o"]
    told = engine.fire(spec, step.state, step.timers[0].task, host)
    assert _waits(told)[0] == ["a", "tell"]
    assert places(spec, told.state, "a") == places(spec, told.state, "tell") == ()
    assert _waits(engine.skip(spec, told.state, "tell", "", host))[0] == ["a"]


def test_a_refused_move_leaves_the_state_as_it_was_and_a_moved_one_is_stored() -> None:
    spec, host = engine.parse(drawing(LINE)), Host()
    step = engine.start(spec, {}, host)
    state = bytes(step.state)
    for _turn in range(50):  # nothing of a moved token is kept
        step = engine.move(spec, engine.move(spec, step.state, "a", "c", host).state, "c", "a", host)
    assert len(step.state) <= len(state) + 20
    assert _waits(engine.look(spec, step.state)) == (["a"], ["clock"])


def test_what_lies_between_two_steps_of_the_shipped_models() -> None:
    """The ways of the drawing decide, through sub-processes too."""
    spec = engine.parse((BPMN / "repairorder/repairorder.bpmn").read_bytes())
    calls = {name for name, node in spec.nodes.items() if node.extensions.get("operation")}
    found = {
        (a, b): engine.obstacles(spec, a, b, calls)
        for a, b in (
            ("dispatch", "accept"), ("dispatch", "repair"), ("accept", "dispatch"), ("repair", "check"),
            ("check", "repair"), ("hold", "repair"), ("check", "endClosed"), ("endClosed", "check"),
        )
    }  # fmt: skip
    assert found.pop(("repair", "check")) in (["finished"], ["transferred"])  # both lead out of the sub-process
    assert found == {
        ("dispatch", "accept"): ["dispatched"], ("dispatch", "repair"): ["claimed"], ("accept", "dispatch"): ["refused"],
        ("check", "repair"): ["failed"], ("hold", "repair"): ["resumed"],
        ("check", "endClosed"): ["passed"], ("endClosed", "check"): None,
    }  # fmt: skip
    leave = engine.parse((BPMN / "leave/leave.bpmn").read_bytes())
    assert engine.obstacles(leave, "approve", "endShort", {"approve", "hr"}) == ["approve"]
    assert engine.obstacles(leave, "approve", "endShort", {"approved"}) == []
