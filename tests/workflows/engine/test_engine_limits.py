"""Budgets: what no gate can see in the drawing stops before it hurts, and nothing of the step is kept."""

from typing import Any

import pytest

from tests import hostile_files
from workflows import engine


def doubling(stages: int) -> str:
    """A process whose tokens double at each stage, because the branches meet in a gateway that does not join."""
    body = '<startEvent id="s"/><userTask id="ask"/><f a="s" b="ask"/><f a="ask" b="f0"/><endEvent id="e"/>'
    for n in range(stages):
        following = f"f{n + 1}" if n + 1 < stages else "wait"
        body += f'<parallelGateway id="f{n}"/><exclusiveGateway id="m{n}"/><f a="m{n}" b="{following}"/>'
        body += f'<task id="l{n}"/><task id="r{n}"/><f a="f{n}" b="l{n}"/><f a="f{n}" b="r{n}"/>'
        body += f'<f a="l{n}" b="m{n}"/><f a="r{n}" b="m{n}"/>'
    return body + '<userTask id="wait"/><f a="wait" b="e"/>'


def test_a_burst_of_tokens_stops_at_the_limit_of_steps(drive: Any) -> None:
    run = drive(doubling(20))
    run.start()
    with pytest.raises(engine.LimitReached) as caught:
        run.complete("ask")
    assert (caught.value.limit, caught.value.value) == ("steps", 2_500)
    assert run.open == ["ask"]


def test_a_modest_burst_runs(drive: Any) -> None:
    run = drive(doubling(4))
    run.start()
    assert run.complete("ask") and run.open == ["wait"] * 16


def test_too_many_tokens_alive_stop_at_their_limit(drive: Any) -> None:
    body = '<startEvent id="s"/><userTask id="ask"/><parallelGateway id="f"/><exclusiveGateway id="m"/>'
    body += '<parallelGateway id="g"/><userTask id="wait"/><endEvent id="e"/>'
    body += '<f a="s" b="ask"/><f a="ask" b="f"/><f a="m" b="g"/><f a="wait" b="e"/>'
    body += '<f a="f" b="m"/>' * 60 + '<f a="g" b="wait"/>' * 60
    run = drive(body)
    run.start()
    with pytest.raises(engine.LimitReached) as caught:
        run.complete("ask")
    assert (caught.value.limit, caught.value.value) == ("tasks", 2_000)


def test_a_state_of_more_than_a_megabyte_is_refused(order: Any) -> None:
    with pytest.raises(engine.LimitReached) as caught:
        order.complete("dispatch", "dispatch", note="x" * 1_000_000)
    assert (caught.value.limit, caught.value.value) == ("state", 1_000_000)
    assert order.open == ["dispatch"]


def test_a_drawing_with_countless_attributes_is_refused_before_one_is_looked_for() -> None:
    with pytest.raises(engine.ModelError, match="属性超过50个"):
        engine.read(hostile_files.DRAWINGS["40,000 attributes"]())
