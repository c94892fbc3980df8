"""Finished history is cut out of the state: nothing a process does may tell the difference, however long it runs."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from workflows.engine import run as running


@pytest.mark.parametrize("model", ["repair", "loop", "three", "nested", "inclusive again", "calling", "many"])
def test_random_walks_are_the_same_with_and_without_the_cut(
    model: str, drive: Any, order: Any, models: Any, walk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = order if model == "repair" else drive(models[model], '<message id="m" name="skip"/>')
    cut = [walk(run, seed, 40) for seed in range(60)]
    monkeypatch.setattr(running, "compact", lambda instance: None)
    whole = [walk(run, seed, 40) for seed in range(60)]
    assert cut == whole
    assert max(len(story) for story in cut) > 25 and any(story[-1][-1] for story in cut)


def test_after_six_hundred_rounds_the_list_is_right_and_a_step_does_what_the_first_did(order: Any) -> None:
    order.complete("dispatch", "dispatch")
    order.complete("accept", "accept")
    sizes: list[int] = []
    calls: list[int] = []
    for number in range(600):
        assert (order.open, order.step.completed) == (["repair"], False)
        assert [timer.node for timer in order.step.timers] == ["finishFirst", "finishSecond"]
        if number % 7 == 0:  # a reminder in each seventh round leaves its ended token at the end of the scope
            order.fire("finishFirst")
        with counted(calls):
            order.complete("repair", "finish", round=number)
        assert (order.open, order.step.completed) == (["check"], False)
        assert [timer.node for timer in order.step.timers] == ["autoCheck"]
        sizes.append(len(order.step.state))
        order.complete("check", "fail")
    assert max(sizes) <= sizes[9] + 10
    # How long that takes is printed by tests/prove/depth.py: what a machine did meanwhile is no property of ours.
    assert max(calls[-70:]) <= 1.1 * max(calls[7:14])
    order.complete("repair", "finish")
    assert order.complete("check", "pass").completed


@contextmanager
def counted(counts: list[int]) -> Iterator[None]:
    """How many functions were called inside: what a step costs, whatever else the machine does."""
    counts.append(0)

    def one(_frame: Any, event: str, _argument: Any) -> None:
        counts[-1] += event == "call"

    sys.setprofile(one)
    try:
        yield
    finally:
        sys.setprofile(None)


def test_a_finished_instance_is_next_to_nothing(order: Any) -> None:
    order.complete("dispatch", "claim")
    order.complete("repair", "finish")
    assert len(order.complete("check", "pass").state) < 250


def test_the_engine_imports_neither_django_nor_a_clock() -> None:
    for module in (Path(running.__file__).parent).glob("*.py"):
        text = module.read_text("utf-8")
        for word in ("django", "\nimport time", "datetime.now", ".utcnow", "eval(", "exec("):
            assert word not in text.replace("evaluate(", ""), f"{word} in {module.name}"
