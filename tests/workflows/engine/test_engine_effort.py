# ruff: noqa: E501
"""No drawing takes more than two seconds of a core or 200 MB to be judged, whatever it draws.

Some seeds run with the suite; `EXTREMES=2000` (make prove) draws two thousand.
"""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.workflows import extremes
from tests.workflows.drawings import HONEST, LINE, drawing, large, line
from workflows import engine
from workflows.engine import effort
from workflows.engine.expressions import compile_template, weight
from workflows.workbench import gate

SEEDS = int(os.environ.get("EXTREMES", "60"))
SECONDS = 2.0
MEGABYTES = 200


def _memory(name: str) -> int:
    """Megabytes of this process: `VmRSS` now, `VmHWM` at most since `_forget_peak`."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(name)).split()[1]) // 1024


def _forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def _late(*_arguments: Any) -> None:
    raise TimeoutError


@pytest.fixture
def cost() -> Any:
    """Judge a drawing; return its verdict, seconds and megabytes. Ten seconds end it."""
    gate.examine(drawing(LINE))  # what is imported at first use
    before = signal.signal(signal.SIGVTALRM, _late)

    def judge(xml: bytes) -> tuple[gate.Verdict, float, int]:
        _forget_peak()
        begun, memory = time.process_time(), _memory("VmRSS")
        signal.setitimer(signal.ITIMER_VIRTUAL, 10)
        try:
            verdict = gate.examine(xml)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return verdict, time.process_time() - begun, _memory("VmHWM") - memory

    yield judge
    signal.signal(signal.SIGVTALRM, before)


LARGE = extremes.large() if SEEDS > 60 else {}  # with the suite the others are enough
Judge = Callable[[bytes], tuple[gate.Verdict, float, int]]


@pytest.mark.parametrize("name", extremes.FOUND)
def test_a_drawing_that_once_hung_or_killed_a_process_is_judged(cost: Judge, name: str) -> None:
    _verdict, seconds, megabytes = cost(extremes.FOUND[name])
    assert (seconds < SECONDS, megabytes < MEGABYTES) == (True, True), (seconds, megabytes)


@pytest.mark.parametrize("name", LARGE)
def test_a_drawing_as_large_as_allowed_is_judged(cost: Judge, name: str) -> None:
    _verdict, seconds, megabytes = cost(LARGE[name])
    assert (seconds < SECONDS, megabytes < MEGABYTES) == (True, True), (seconds, megabytes)


@pytest.mark.timeout(3600)
def test_no_drawing_that_is_made_up_costs_more(cost: Judge) -> None:
    found, codes = [], Counter[str]()
    for seed in range(SEEDS):
        xml = extremes.drawn(seed)
        assert len(xml) <= extremes.MAX_BYTES
        try:
            verdict, seconds, megabytes = cost(xml)
        except Exception as error:  # whatever it is, no drawing may bring it about
            found.append((seed, repr(error)))
            continue
        codes.update({problem.code for problem in verdict.errors} or {"deploys"})
        if seconds >= SECONDS or megabytes >= MEGABYTES:
            found.append((seed, f"{seconds:.1f} s, {megabytes} MB"))
    assert found == []
    assert {"deploys", "limit", "too_deep", "endless"} <= set(codes)  # they are of all kinds


def test_honest_drawings_take_a_hundredth_of_what_they_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MAX_JUDGED", effort.MAX_JUDGED // 100)
    assert [name for name, xml in HONEST.items() if _is_too_much(xml)] == []


def test_a_drawing_of_2000_elements_takes_a_tenth_of_what_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MAX_JUDGED", effort.MAX_JUDGED // 10)
    assert not _is_too_much(large(2_000))
    assert not _is_too_much(extremes.in_a_row(*(f'<userTask id="w{n}"/>' for n in range(1_998))))


def test_a_drawing_that_takes_too_much_is_refused_in_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MAX_JUDGED", 10)
    verdict = gate.examine(drawing(LINE))
    (problem,) = verdict.errors
    assert (problem.element, problem.code, verdict.meta) == ("", "too_much_work", None)
    assert problem.text_zh == "检查该模型所需的运算过多，请减少元素、连线、表达式或脚本，或拆分为几个模型"
    assert problem.text_en.startswith("Checking this model takes too much work")


def _is_too_much(xml: bytes) -> bool:
    return "too_much_work" in [problem.code for problem in gate.examine(xml).errors]


def test_work_is_counted_inside_and_outside() -> None:
    effort.spend(10**12)  # nobody counts
    with effort.bounded(100):
        with effort.bounded(1_000):
            effort.spend(60)
        with pytest.raises(engine.LimitReached) as caught, effort.bounded(1_000):
            effort.spend(41)
    assert (caught.value.limit, caught.value.value) == ("work", 1_000)


def test_a_text_from_the_cache_counts_like_a_new_one() -> None:
    text = "${form.a + " + "1 + " * 100 + "1}"
    with effort.bounded(1 + len(text)):
        compile_template(text)
    with pytest.raises(engine.LimitReached), effort.bounded(len(text)):
        compile_template(text)


@pytest.mark.parametrize(
    ("value", "weighs"),
    [(None, 1), ("x" * 100, 11), ([1, 2], 3), ({"a": [1]}, 3), ([["x"] * 5] * 2, 13), ([0] * 9_999, 10_000), ([0] * 10_000, 10_001)],
)  # fmt: skip
def test_a_value_weighs_what_it_holds(value: Any, weighs: int) -> None:
    assert weight(value) == weighs


def test_a_value_that_holds_itself_again_and_again_is_refused(drive: Any) -> None:
    body = line(extremes.script("execution.setVariable('x', 'a')", *["execution.setVariable('x', [x, x])"] * 14))
    with pytest.raises(engine.ExpressionError) as caught:
        drive(body).start()
    assert "列表过大" in caught.value.text_zh and "the list is too large" in caught.value.text_en
    assert drive(body.replace("\nexecution.setVariable('x', [x, x])" * 4, "", 1)).start().completed


def test_tokens_are_counted_while_a_loop_makes_them(driver: Any) -> None:
    """A pass over 200 loop instances would make 40,000 before its end."""
    with pytest.raises(engine.LimitReached) as caught:
        driver(engine.parse(extremes.loops(3))).start()
    assert (caught.value.limit, caught.value.value) == ("tasks", 2_000)


def test_variables_together_are_bounded(drive: Any) -> None:
    grown = ["execution.setVariable('x', 'a')", *["execution.setVariable('x', [x, x])"] * 12]
    several = [f"execution.setVariable('v{n}', x)" for n in range(3)]
    with pytest.raises(engine.LimitReached) as caught:
        drive(line(extremes.script(*grown, *several))).start()
    assert (caught.value.limit, caught.value.value) == ("variables", 30_000)
    assert drive(line(extremes.script(*grown, *several[:2]))).start().completed


def test_the_tokens_of_a_text_count_in_all_its_placeholders() -> None:
    compile_template("${x}" * 190)
    with pytest.raises(engine.ExpressionError) as caught:
        compile_template("${x}" * 210)
    assert "文字过长" in caught.value.text_zh


def _timed(inside: str, name: str = "w") -> str:
    return f'<intermediateCatchEvent id="{name}"><timerEventDefinition>{inside}</timerEventDefinition></intermediateCatchEvent>'


ROUND = (
    '<startEvent id="s"/><exclusiveGateway id="in"/><exclusiveGateway id="g" default="d"/><endEvent id="e"/>{}'
    '<f a="s" b="in"/><f a="in" b="w"/><f a="w" b="g"/><f a="g" b="in" if="form.days == 1"/><f id="d" a="g" b="e"/>'
)
BORDER = '<userTask id="w"/><boundaryEvent id="b" attachedToRef="w" {}><timerEventDefinition>{}</timerEventDefinition></boundaryEvent><f a="b" b="in"/>'
INSIDE = '<subProcess id="w"><startEvent id="is"/>{}<endEvent id="ie"/><f a="is" b="x"/><f a="x" b="ie"/></subProcess>'
SHORT, LONG = "<timeDuration>PT59S</timeDuration>", "<timeDuration>PT1M</timeDuration>"
DATE = "<timeDate>2030-01-31T08:00:00+08:00</timeDate>"


@pytest.mark.parametrize(
    ("node", "refused"),
    [
        (_timed("<timeDuration>PT0S</timeDuration>"), ["w"]),
        (_timed(SHORT), ["w"]),
        (_timed(DATE), ["w"]),
        (_timed(LONG), []),
        (_timed("<timeDuration>P1M</timeDuration>"), []),
        (BORDER.format("", SHORT), ["b"]),
        (BORDER.format('cancelActivity="false"', "<timeDuration>PT0S</timeDuration>"), ["b"]),
        (BORDER.format("", LONG), []),
        (INSIDE.format(_timed(SHORT, "x")), ["w"]),
        (INSIDE.format(_timed(LONG, "x")), []),
        ('<userTask id="w"/>', []),
    ],
)
def test_a_loop_waits_for_a_minute_at_least(node: str, refused: list[str]) -> None:
    try:
        engine.parse(drawing(ROUND.format(node)))
        found = []
    except engine.ModelError as error:
        assert {(one.code, one.text_zh[:9]) for one in error.problems} == {("too_often", "循环中的等待不足1")}  # noqa: PT017
        assert all("at least a minute" in one.text_en for one in error.problems)  # noqa: PT017
        found = [one.element for one in error.problems]
    assert found == refused


@pytest.mark.parametrize("inside", [SHORT, DATE])
def test_outside_of_a_loop_a_timer_may_be_short(inside: str) -> None:
    assert engine.parse(drawing(line(_timed(inside)))).nodes["w"].kind == "intermediateCatchEvent"
