"""Finished history is cut out of the state: nothing a process does may tell the difference, however long it runs."""

from pathlib import Path
from time import process_time
from typing import Any

import pytest

from workflows.engine import run as running


@pytest.mark.parametrize("model", ["repair", "loop", "three", "nested", "inclusive again"])
def test_random_walks_are_the_same_with_and_without_the_cut(
    model: str, drive: Any, order: Any, models: Any, walk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = order if model == "repair" else drive(models[model], '<message id="m" name="skip"/>')
    cut = [walk(run, seed, 40) for seed in range(60)]
    monkeypatch.setattr(running, "compact", lambda instance: None)
    whole = [walk(run, seed, 40) for seed in range(60)]
    assert cut == whole
    assert max(len(story) for story in cut) > 25 and any(story[-1][-1] for story in cut)


def test_six_hundred_rounds_cost_no_more_than_the_first(order: Any) -> None:
    order.complete("dispatch", "dispatch")
    order.complete("accept", "accept")
    sizes: list[int] = []
    costs: list[float] = []
    for number in range(600):
        assert (order.open, len(order.step.timers)) == (["repair"], 2)
        if number % 7 == 0:  # a reminder in each seventh round leaves its ended token at the end of the scope
            order.fire("finishFirst")
        begun = process_time()
        order.complete("repair", "finish", round=number)
        costs.append(process_time() - begun)
        assert (order.open, [timer.node for timer in order.step.timers]) == (["check"], ["autoCheck"])
        sizes.append(len(order.step.state))
        order.complete("check", "fail")
    assert sizes[-1] <= 2 * sizes[9]
    assert max(sizes) <= 2 * sizes[9]
    # The best of a few on each side, so that a busy machine does not decide.
    assert min(costs[-20:]) <= 2 * min(costs[:5])
    order.complete("repair", "finish")
    assert order.complete("check", "pass").completed


def test_a_finished_instance_is_next_to_nothing(order: Any) -> None:
    order.complete("dispatch", "claim")
    order.complete("repair", "finish")
    assert len(order.complete("check", "pass").state) < 250


def test_the_engine_imports_neither_django_nor_a_clock() -> None:
    for module in (Path(running.__file__).parent).glob("*.py"):
        text = module.read_text("utf-8")
        for word in ("django", "import time", "datetime.now", ".utcnow", "eval(", "exec("):
            assert word not in text.replace("evaluate(", ""), f"{word} in {module.name}"
