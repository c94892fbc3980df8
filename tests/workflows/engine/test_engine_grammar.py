"""Random models, run at random: the cut and the bytes change nothing, and the counts of nodes and flows fit."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.workflows.grammar import OUTCOMES, Block, Drawing, blocks, drawn
from workflows import engine
from workflows.engine import codec
from workflows.engine import run as running


class Host:
    """Calls nothing, knows nothing."""

    def call(self, operation: str, node: str, given: Mapping[str, Any]) -> None:
        """Nothing happens."""

    def names(self) -> dict[str, Any]:
        """No names."""
        return {}


def walk(spec: engine.Specification, seed: int, length: int) -> list[engine.Step]:
    """Act at random on whatever waits; the same seed acts the same.

    In which order tasks are told is not promised: one is meant by its node, where nothing else waits at that node.
    """
    chance = random.Random(seed)
    steps = [engine.start(spec, {}, Host())]
    while not steps[-1].completed and len(steps) < length:
        step = steps[-1]
        assert codec.encode(codec.decode(spec, step.state, None)) == step.state
        doors = [("complete", node, task) for node, task in alone(step.tasks)] * 3
        doors += [("fire", node, task) for node, task in alone(step.timers)]
        doors += [("send", "", "")] if step.catches else []
        if not doors:
            break
        verb, _node, task = chance.choice(doors)
        if verb == "complete":
            steps.append(engine.complete(spec, step.state, task, chance.choice(OUTCOMES), {}, Host()))
        elif verb == "fire":
            steps.append(engine.fire(spec, step.state, task, Host()))
        else:
            steps.append(engine.send(spec, step.state, "news", Host()))
    return steps


def alone(several: Iterable[Any]) -> list[tuple[str, str]]:
    """Node and task of those that wait at a node alone, by node."""
    count = Counter(one.node for one in several)
    return sorted((one.node, one.task) for one in several if count[one.node] == 1)


def seen(step: engine.Step) -> tuple[Any, ...]:
    """What anybody sees of a step; ids of tasks are made up anew in each run."""
    waits = [sorted(one.node for one in several) for several in (step.tasks, step.timers, step.catches)]
    return waits, sorted(step.passed), sorted(step.flows), len(step.thrown), step.completed


def unfit(drawing: Drawing, passed: Mapping[str, int], taken: Mapping[str, int]) -> list[str]:
    """Nodes whose passings do not fit the flows into and out of them."""
    nodes, flows = Counter(passed), Counter(taken)
    wrong = []
    for name, kind in drawing.kinds.items():
        came = [flows[flow.id] for flow in drawing.flows if flow.target == name]
        went = [flows[flow.id] for flow in drawing.flows if flow.source == name]
        fits = {
            "exclusiveGateway": sum(went) == nodes[name] == sum(came),
            "parallelGateway": set(went) == {nodes[name]} and min(came, default=0) >= nodes[name],
            "inclusiveGateway": sum(went) >= nodes[name] >= max(went, default=0),
            "endEvent": nodes[name] == sum(came),
        }.get(kind, went == [nodes[name]] and (not came or sum(came) >= nodes[name]))
        if not fits:
            wrong.append(f"{name}: {came} → {nodes[name]} → {went}")
    return wrong


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(block=blocks, seed=st.integers(0, 2**16))
def test_a_random_model_runs_the_same_with_and_without_the_cut(
    block: Block, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing = drawn(block)
    spec = engine.parse(drawing.xml)
    cut = walk(spec, seed, 40)
    with monkeypatch.context() as whole:
        whole.setattr(running, "compact", lambda instance: None)
        assert list(map(seen, walk(spec, seed, 40))) == list(map(seen, cut))
    nodes = Counter(node for step in cut for node in step.passed)
    flows = Counter(flow for step in cut for flow in step.flows)
    assert unfit(drawing, nodes, flows) == []
    for step in cut:
        assert step.completed == (not (step.tasks or step.timers or step.catches))
        assert engine.look(spec, step.state).tasks == step.tasks
