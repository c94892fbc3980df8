# ruff: noqa: E501
"""Sending a token back: what opens, what ends, what stays, and that every walk still comes to its end."""

from __future__ import annotations

import pytest

from tests.workflows.drawings import drawing, task
from tests.workflows.engine.test_engine_moves import Host, _waits
from workflows import engine
from workflows.engine.errors import NotMovable

TIMER = "<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>"
SIGN = (
    '<userTask id="{0}" xw:assignee="${{one}}"><multiInstanceLoopCharacteristics xw:collection="${{[1,2,3]}}" xw:elementVariable="one"/>'
    "</userTask>"
)


def flows(*ways: str) -> str:
    return "".join(
        f'<f a="{one}" b="{other}"/>' for way in ways for one, other in zip(way.split(), way.split()[1:], strict=False)
    )


def inner(name: str, body: str, *ways: str) -> str:
    """A sub-process round a body; its ways begin and end by themselves."""
    return (
        f'<subProcess id="{name}"><startEvent id="{name}.s"/>{body}<endEvent id="{name}.e"/>{flows(*ways)}</subProcess>'
    )


def process(body: str, *ways: str) -> engine.Specification:
    return engine.parse(drawing(f'<startEvent id="s"/>{body}<endEvent id="e"/>{flows(*ways)}'))


def tasks(*names: str) -> str:
    return "".join(task(name) for name in names)


def forks(*names: str) -> str:
    return "".join(f'<parallelGateway id="{name}"/>' for name in names)


def back(
    spec: engine.Specification, step: engine.Step, node: str, to: str, *, comes_back: bool = False, seat: str = ""
) -> engine.Step:
    [one] = [one for one in step.tasks if one.node == node and one.loop_instance == seat]
    return engine.send_back(spec, step.state, one.task, to, Host(), engine.SentBack(comes_back, "to", "from"))


def do(spec: engine.Specification, step: engine.Step, *nodes: str) -> engine.Step:
    for node in nodes:
        first = next(one for one in step.tasks if one.node == node)
        step = engine.complete(spec, step.state, first.task, "", {}, Host())
    return step


def waits(step: engine.Step) -> list[str]:
    return sorted(one.node for one in step.tasks)


def offered(
    spec: engine.Specification, step: engine.Step, node: str, seat: str = ""
) -> dict[str, tuple[bool, bool, list[str]]]:
    [one] = [one for one in step.tasks if one.node == node and one.loop_instance == seat]
    called = {open_.task: open_.node for open_ in step.tasks}
    return {
        found.node: (found.walks, found.returns, sorted(called[name] for name in found.ends))
        for found in engine.earlier(spec, step.state, one.task, spec.nodes)
    }


BLOCK = ("s a f b1 b2 j c e", "f d1 d2 j")


def block() -> engine.Specification:
    return process(tasks("a", "b1", "b2", "d1", "d2", "c") + forks("f", "j"), *BLOCK)


def test_out_of_parallel_branches() -> None:
    spec = block()
    step = do(spec, engine.start(spec, {}, Host()), "a", "b1", "d1")
    assert offered(spec, step, "b2") == {"a": (True, True, ["d2"]), "b1": (True, True, [])}
    again = back(spec, step, "b2", "a")
    assert waits(again) == ["a"]
    assert waits(do(spec, again, "a")) == ["b1", "d1"]
    # A branch alone goes back within itself; one that has come to the join already is forgotten with the block.
    assert waits(back(spec, step, "b2", "b1")) == ["b1", "d2"]
    joined = do(spec, step, "d2")
    assert waits(joined) == ["b2"]
    assert waits(do(spec, back(spec, joined, "b2", "a"), "a", "b1", "b2")) == ["d1"]
    assert do(spec, back(spec, joined, "b2", "a"), "a", "b1", "b2", "d1", "d2", "c").completed
    assert do(spec, back(spec, joined, "b2", "b1"), "b1", "b2", "c").completed
    with pytest.raises(NotMovable):
        back(spec, step, "b2", "d1")


def test_out_of_a_half_done_countersign() -> None:
    spec = process(tasks("a", "c") + SIGN.format("sign"), "s a sign c e")
    step = do(spec, engine.start(spec, {}, Host()), "a", "sign")
    assert offered(spec, step, "sign", ".1") == {"a": (True, True, ["sign"])}
    again = back(spec, step, "sign", "a", seat=".1")
    assert waits(again) == ["a"]
    round_two = do(spec, again, "a")
    assert [one.loop_instance for one in round_two.tasks] == [".0", ".1", ".2"]
    assert do(spec, round_two, "sign", "sign", "sign", "c").completed


def test_to_a_countersign() -> None:
    spec = process(tasks("a", "c") + SIGN.format("sign"), "s a sign c e")
    step = do(spec, engine.start(spec, {}, Host()), "a", "sign", "sign", "sign")
    assert offered(spec, step, "c") == {"a": (True, True, []), "sign": (True, False, [])}
    again = back(spec, step, "c", "sign")
    assert [(one.node, one.loop_instance, one.holder) for one in again.tasks] == [
        ("sign", f".{n}", "") for n in range(3)
    ]
    assert do(spec, again, "sign", "sign", "sign", "c").completed


def test_from_behind_a_join_into_a_branch() -> None:
    spec = block()
    step = do(spec, engine.start(spec, {}, Host()), "a", "b1", "b2", "d1", "d2")
    assert waits(step) == ["c"]
    again = back(spec, step, "c", "b2")
    assert waits(again) == ["b2"]
    assert waits(do(spec, again, "b2")) == ["c"]
    assert do(spec, again, "b2", "c").completed
    assert do(spec, back(spec, step, "c", "b1"), "b1", "b2", "c").completed
    # From there to before the fork: both branches are walked again, and the one that counted as done counts no more.
    assert waits(do(spec, back(spec, again, "b2", "a"), "a", "b1", "b2")) == ["d1"]


def test_from_behind_partial_joins_into_a_branch() -> None:
    spec = process(
        tasks("a", "b", "c", "d", "m", "z") + forks("f", "j1", "j2"), "s a f b j1 m j2 z e", "f c j1", "f d j2"
    )
    step = do(spec, engine.start(spec, {}, Host()), "a", "b", "c")
    assert waits(step) == ["d", "m"]
    again = back(spec, step, "m", "b")  # `d` stays: it is beside `b` all the time
    assert waits(again) == ["b", "d"]
    assert do(spec, again, "b", "d", "m", "z").completed
    step = do(spec, step, "d", "m")
    assert waits(step) == ["z"]
    for to, ways in {"b": ["b", "m"], "m": ["m"], "d": ["d"]}.items():
        assert do(spec, back(spec, step, "z", to), *ways, "z").completed, to


def test_into_a_branch_beside_a_loop_that_begins_with_a_join() -> None:
    gates = forks("fork", "join") + '<inclusiveGateway id="enter"/><exclusiveGateway id="ask"/>'
    again = '<f a="ask" b="enter" if="${outcome == \'again\'}"/>'
    spec = process(
        tasks("left", "right", "after") + gates + again, "s fork left join after e", "fork enter right ask join"
    )
    step = do(spec, engine.start(spec, {}, Host()), "left", "right")
    assert waits(step) == ["after"]
    offered = engine.earlier(spec, step.state, step.tasks[0].task, ["left", "right"])
    assert [(one.node, one.walks, one.returns) for one in offered] == [("left", True, True), ("right", True, True)]
    step = back(spec, step, "after", "left")
    assert (waits(step), engine.tokens(spec, step.state)) == (["left"], {"left": 1, "join": 1})
    assert waits(do(spec, step, "left")) == ["after"]


def test_out_of_a_sub_process_and_into_it() -> None:
    clock = f'<boundaryEvent id="clock" attachedToRef="x">{TIMER}</boundaryEvent><endEvent id="late"/><f a="clock" b="late"/>'
    body = tasks("a", "z") + inner("x", tasks("i", "k") + forks("g", "h"), "x.s g i h x.e", "g k h") + clock
    spec = process(body, "s a x z e")
    step = do(spec, engine.start(spec, {}, Host()), "a", "i")
    assert _waits(step) == (["k"], ["clock"])
    assert offered(spec, step, "k") == {"a": (True, True, [])}
    out = back(spec, step, "k", "a")
    assert _waits(out) == (["a"], [])
    assert _waits(do(spec, out, "a")) == (["i", "k"], ["clock"])
    behind = do(spec, step, "k")
    assert _waits(behind) == (["z"], [])
    within = back(spec, behind, "z", "k")
    # The sub-process begins again with its timer, and its other branch counts as done.
    assert _waits(within) == (["k"], ["clock"])
    assert [one.holder for one in within.tasks] == ["to"]
    assert engine.fire(spec, within.state, within.timers[0].task, Host()).completed
    assert _waits(do(spec, within, "k")) == (["z"], [])
    assert do(spec, within, "k", "z").completed


def test_within_nested_loops() -> None:
    loop = '<multiInstanceLoopCharacteristics xw:collection="${[7,8]}" xw:elementVariable="part"/>'
    body = tasks("a", "z") + inner("x", tasks("i") + SIGN.format("sign") + loop, "x.s i sign x.e")
    spec = process(body, "s a x z e")
    step = do(spec, engine.start(spec, {}, Host()), "a", "i", "i")
    seats = sorted(one.loop_instance for one in step.tasks)
    assert seats == [".0.0", ".0.1", ".0.2", ".1.0", ".1.1", ".1.2"]
    assert offered(spec, step, "sign", ".1.2") == {"a": (True, True, ["sign"] * 5), "i": (True, True, ["sign"] * 2)}
    # Within one instance the others stay as they are.
    again = back(spec, step, "sign", "i", seat=".1.2")
    assert sorted((one.node, one.loop_instance) for one in again.tasks) == [
        ("i", ".1"),
        *(("sign", seat) for seat in seats[:3]),
    ]
    assert [one.names["part"] for one in again.tasks if one.node == "i"] == [8]
    assert do(spec, again, "i", *["sign"] * 6, "z").completed
    assert waits(back(spec, again, "i", "a", seat=".1")) == ["a"]
    # Nobody can say from outside in which instance to go on.
    ready = do(spec, step, *["sign"] * 6)
    assert offered(spec, ready, "z") == {"a": (True, True, [])}


def test_two_at_once() -> None:
    spec = block()
    step = do(spec, engine.start(spec, {}, Host()), "a")
    stale = step
    again = back(spec, step, "b1", "a")
    with pytest.raises(engine.TaskNotOpen):
        engine.send_back(
            spec, again.state, next(one.task for one in stale.tasks if one.node == "d1"), "a", Host(), engine.SentBack()
        )
    # Both straight back: each has its own visit, and neither knows of the other.
    both = back(spec, back(spec, step, "b1", "a", comes_back=True), "d1", "a", comes_back=True)
    assert waits(both) == ["a", "a"]
    assert waits(do(spec, both, "a")) in (["a", "b1"], ["a", "d1"])
    assert do(spec, both, "a", "a", "b1", "b2", "d1", "d2", "c").completed


def test_straight_back_leaves_everything_beside_alone() -> None:
    spec = process(tasks("a", "b", "c") + SIGN.format("sign"), "s a b sign c e")
    step = do(spec, engine.start(spec, {}, Host()), "a", "b", "sign")
    others = {one.task for one in step.tasks if one.loop_instance == ".2"}
    away = back(spec, step, "sign", "b", seat=".1", comes_back=True)
    assert {one.task for one in away.tasks if one.loop_instance == ".2"} == others
    [visit] = [one for one in away.tasks if one.node == "b"]
    assert (visit.loop_instance, visit.holder, engine.tokens(spec, away.state)) == (".1", "to", {"b": 1, "sign": 1})
    # Further back from there, the others meanwhile: it comes back over both, each time for who sent it.
    further = do(spec, back(spec, away, "b", "a", seat=".1", comes_back=True), "sign")
    assert waits(further) == ["a"]
    at_b = do(spec, further, "a")
    assert [(one.node, one.holder) for one in at_b.tasks] == [("b", "from")]
    returned = do(spec, at_b, "b")
    assert [(one.node, one.loop_instance, one.holder) for one in returned.tasks] == [("sign", ".1", "from")]
    assert do(spec, returned, "sign", "c").completed
    # Walking again from a visit takes the step that waits for its end along.
    assert waits(back(spec, away, "b", "a", seat=".1")) == ["a"]


def test_a_visit_is_not_ended_by_its_outcome_and_outlasts_any_number_of_rounds() -> None:
    spec = process(tasks("a") + '<userTask id="b" xw:outcomes="agree,reject"/>' + tasks("c"), "s a b c e")
    step = do(spec, engine.start(spec, {}, Host()), "a")
    step = engine.complete(spec, step.state, step.tasks[0].task, "agree", {}, Host())
    sizes = []
    for _round in range(60):
        step = back(spec, step, "c", "b", comes_back=True)
        with pytest.raises(engine.OutcomeUnknown):
            engine.complete(spec, step.state, step.tasks[0].task, "perhaps", {}, Host(), ("reject",))
        step = engine.complete(spec, step.state, step.tasks[0].task, "reject", {}, Host(), ("reject",))
        assert (waits(step), step.passed, step.ended_by) == (["c"], ("b",), "")
        sizes.append(len(step.state))
    assert max(sizes) <= sizes[0] + 40
    assert do(spec, step, "c").completed


def test_timers_begin_anew_where_they_are_walked_again_and_last_where_they_are_not() -> None:
    def clock(name: str, at: str, more: str = "") -> str:
        return f'<boundaryEvent id="{name}" attachedToRef="{at}" {more}>{TIMER}</boundaryEvent>{task(name + ".t")}{flows(f"{name} {name}.t e")}'

    beside = 'cancelActivity="false"'
    outer = f'<boundaryEvent id="limit" attachedToRef="x" {beside}>{TIMER}</boundaryEvent><endEvent id="le"/>{flows("limit le")}'
    body = inner(
        "x",
        tasks("a", "b", "c")
        + clock("on_a", "a", beside).replace(" e", " x.e").replace('b="e"', 'b="x.e"')
        + clock("on_b", "b").replace('b="e"', 'b="x.e"'),
        "x.s a b c x.e",
    )
    spec = process(body + outer, "s x e")
    step = engine.start(spec, {}, Host())
    timers = {one.node: one.task for one in step.timers}
    assert set(timers) == {"on_a", "limit"}
    reminded = engine.fire(spec, step.state, timers["on_a"], Host())
    step = do(spec, reminded, "a")
    assert _waits(step) == (["b", "on_a.t"], ["limit", "on_b"])
    # The reminder belongs to a step that is walked again: it ends with it.
    again = back(spec, step, "b", "a")
    assert _waits(again) == (["a"], ["limit", "on_a"])
    assert {one.node: one.task for one in again.timers}["limit"] == timers["limit"]
    # Within what came after it, it stays.
    later = do(spec, step, "b")
    assert _waits(later) == (["c", "on_a.t"], ["limit"])
    assert _waits(back(spec, later, "c", "b")) == (["b", "on_a.t"], ["limit", "on_b"])
    # The step's own timers last while it waits for the return.
    away = back(spec, step, "b", "a", comes_back=True)
    assert {one.node: one.task for one in away.timers} == {one.node: one.task for one in step.timers}


def test_where_the_drawing_is_not_structured_everything_of_the_scope_ends() -> None:
    # The second branch may jump over the join.
    spec = engine.parse(
        drawing(
            f'<startEvent id="s"/>{tasks("a", "b", "d", "c", "m")}{forks("f", "j")}<exclusiveGateway id="g" default="x"/><endEvent id="e"/>'
            + flows("s a f b j c m e", "f d g")
            + '<f id="x" a="g" b="j"/><f a="g" b="m" if="${outcome == \'out\'}"/>'
        )
    )
    step = do(spec, engine.start(spec, {}, Host()), "a")
    [d] = [one for one in step.tasks if one.node == "d"]
    step = engine.complete(spec, step.state, d.task, "out", {}, Host())
    assert waits(step) == ["b", "m"]
    # `m` lies in the branch and behind the join: where it goes back within, nobody can say what is still to come.
    assert offered(spec, step, "m") == {
        "a": (True, True, ["b"]),
        "b": (False, True, []),
        "c": (True, True, ["b"]),
        "d": (False, True, []),
    }
    assert waits(back(spec, step, "m", "a")) == ["a"]


def test_only_what_lies_before_is_offered() -> None:
    body = tasks("a", "b", "c", "d") + '<exclusiveGateway id="in"/><exclusiveGateway id="g" default="x"/>'
    spec = engine.parse(
        drawing(
            f'<startEvent id="s"/>{body}<endEvent id="e"/>{flows("s in a b c g")}<f id="x" a="g" b="d"/><f a="d" b="e"/>'
            '<f a="g" b="in" if="${outcome == \'again\'}"/>'
        )
    )
    step = do(spec, engine.start(spec, {}, Host()), "a", "b")
    step = engine.complete(spec, step.state, step.tasks[0].task, "again", {}, Host())
    # In the second round the later steps of the first one are ahead: nobody jumps there by going back.
    assert (waits(step), offered(spec, step, "a")) == (["a"], {})
    assert offered(spec, do(spec, step, "a"), "b") == {"a": (True, True, [])}
    with pytest.raises(NotMovable):
        back(spec, step, "a", "c", comes_back=True)
    with pytest.raises(NotMovable):
        back(spec, step, "a", "nothing")
