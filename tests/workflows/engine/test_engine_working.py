"""Timers that count working time: what a drawing may say of them, and what the engine tells its caller."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from workflows import engine

BODY = """<startEvent id="s"/><userTask id="w"/><endEvent id="e"/><endEvent id="o"/>
  <boundaryEvent id="b" attachedToRef="w" cancelActivity="false">
    <timerEventDefinition {said}>{time}</timerEventDefinition></boundaryEvent>
  <f a="s" b="w"/><f a="w" b="e"/><f a="b" b="o"/>"""
WORKING = 'xw:time="working"'


def _drawn(said: str, time: str) -> str:
    return BODY.format(said=said, time=time)


@pytest.mark.parametrize(
    ("said", "time", "kind", "is_working"),
    [
        (WORKING, "<timeDuration>P3DT4H</timeDuration>", "duration", True),
        (WORKING, "<timeCycle>R3/PT8H</timeCycle>", "cycle", True),
        (f'{WORKING} xw:due="a.b"', "", "due", True),
        ("", "<timeDuration>P3DT4H</timeDuration>", "duration", False),
        ('xw:time=""', "<timeDate>2030-01-31T08:00:00</timeDate>", "date", False),
    ],
)
def test_a_waiting_timer_says_whether_it_counts_working_time(
    drive: Any, said: str, time: str, kind: str, is_working: bool
) -> None:
    run = drive(_drawn(said, time))
    run.start()
    (timer,) = run.step.timers
    assert (timer.kind, timer.is_working) == (kind, is_working)
    run.fire("b")
    if kind == "cycle":
        (again,) = run.step.timers
        assert (again.text, again.is_working) == ("R2/PT8H", True)


@pytest.mark.parametrize(
    ("said", "time", "words"),
    [
        (WORKING, "<timeDuration>P1M</timeDuration>", "working time has no years, months or weeks"),
        (WORKING, "<timeDuration>P1Y</timeDuration>", "working time has no years, months or weeks"),
        (WORKING, "<timeDuration>P1W</timeDuration>", "working time has no years, months or weeks"),
        (WORKING, "<timeCycle>R/P1M</timeCycle>", "working time has no years, months or weeks"),
        (WORKING, "<timeDuration>P1001D</timeDuration>", "working time lasts at most 1000 days and 10000 hours"),
        (WORKING, "<timeDuration>PT10001H</timeDuration>", "working time lasts at most 1000 days and 10000 hours"),
        (WORKING, "<timeCycle>R/PT1S</timeCycle>", "repeats at least a minute apart"),
        (WORKING, "<timeDate>2030-01-31T08:00:00</timeDate>", "A timer at a date and time cannot count working time"),
        ('xw:time="office"', "<timeDuration>P1D</timeDuration>", "“office” is no kind of time; it must be working"),
        ('xw:time="Working" xw:due="a.b"', "", "“Working” is no kind of time; it must be working"),
    ],
)
def test_what_no_calendar_can_count_is_refused_at_the_event(xml: Any, said: str, time: str, words: str) -> None:
    with pytest.raises(engine.ModelError) as caught:
        engine.parse(xml(_drawn(said, time)))
    (problem,) = caught.value.problems
    assert (problem.element, problem.code) in (("b", "timer"), ("b", "timer_time"))
    assert words in problem.text_en and problem.text_zh != problem.text_en


def test_an_expression_is_checked_when_the_timer_begins_to_wait(drive: Any) -> None:
    drawn = _drawn(WORKING, "<timeDuration>${outcome == 'x' ? 'P1D' : 'P1M'}</timeDuration>")
    with pytest.raises(engine.ExpressionError) as caught:
        drive(drawn).start()
    assert "working time has no years, months or weeks" in caught.value.text_en


def test_the_callers_calendar_is_asked_for_days_and_hours_and_natural_time_never_asks() -> None:
    asked: list[tuple[int, timedelta]] = []
    begun = datetime(2026, 3, 6, 10, tzinfo=ZoneInfo("Asia/Shanghai"))

    class Lent:
        def after(self, moment: datetime, days: int, length: timedelta) -> datetime:
            asked.append((days, length))
            return moment + timedelta(days=7)

    assert engine.due_after(begun, "P2DT3H", Lent()) == begun + timedelta(days=7)
    assert engine.due_after(begun, "R2/PT30M", Lent()) == begun + timedelta(days=7)
    assert asked == [(2, timedelta(hours=3)), (0, timedelta(minutes=30))]
    assert engine.due_after(begun, "P2DT3H") == begun + timedelta(days=2, hours=3)
