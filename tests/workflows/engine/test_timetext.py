"""Durations: what is one, and when a timer with it falls due, on the calendar of the tenant's time zone."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import orjson
import pytest

from workflows import engine
from workflows.engine.timetext import check_date, check_duration

CASES = orjson.loads((Path(__file__).parent / "durations.json").read_bytes())
"""The designer's test reads the same file."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"])
def test_a_duration_is_read_as_its_parts(case: dict[str, Any]) -> None:
    found = engine.duration(case["text"])
    assert (found and [found.months, found.days, found.time.total_seconds()]) == case["parts"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"])
def test_the_gate_takes_what_the_timer_can_keep_and_nothing_else(case: dict[str, Any], xml: Any) -> None:
    timer = f"<timerEventDefinition><timeDuration>{case['text']}</timeDuration></timerEventDefinition>"
    body = f"""<startEvent id="s"/><userTask id="w"/><endEvent id="e"/><endEvent id="o"/><boundaryEvent id="b"
        attachedToRef="w">{timer}</boundaryEvent><f a="s" b="w"/><f a="w" b="e"/><f a="b" b="o"/>"""
    try:
        engine.parse(xml(body))
        is_taken = True
    except engine.ModelError as error:
        is_taken = False
        assert [problem.element for problem in error.problems] == ["b"]  # noqa: PT017
    assert is_taken == (case["parts"] is not None)
    if is_taken:
        assert engine.due_after(datetime(2024, 1, 31, 8, tzinfo=ZoneInfo("Asia/Shanghai")), case["text"])


@pytest.mark.parametrize(
    ("zone", "begun", "text", "due"),
    [
        ("Asia/Shanghai", "2026-01-31 08:00", "P1M", "2026-02-28 08:00"),
        ("Asia/Shanghai", "2024-01-31 08:00", "P1M", "2024-02-29 08:00"),
        ("Asia/Shanghai", "2026-12-15 08:00", "P1M", "2027-01-15 08:00"),
        ("Asia/Shanghai", "2026-11-30 08:00", "P13M", "2027-12-30 08:00"),
        ("Asia/Shanghai", "2024-02-29 08:00", "P1Y", "2025-02-28 08:00"),
        ("Asia/Shanghai", "2026-02-27 08:00", "P1W", "2026-03-06 08:00"),
        ("Asia/Shanghai", "2026-01-31 23:30", "P1M1DT1H", "2026-03-02 00:30"),
        ("Asia/Shanghai", "2026-01-31 23:30", "R3/PT45M", "2026-02-01 00:15"),
        # The clocks go forward on 29 March 2026: a day keeps its hour, 24 hours do not.
        ("Europe/Berlin", "2026-03-28 12:00", "P1D", "2026-03-29 12:00"),
        ("Europe/Berlin", "2026-03-28 12:00", "PT24H", "2026-03-29 13:00"),
        ("Europe/Berlin", "2026-02-28 02:30", "P1M1D", "2026-03-29 03:30"),
        # Deployed before repetitions had a least length; a duration has none.
        ("Europe/Berlin", "2026-02-28 02:30", "R/PT0S", "2026-02-28 02:31"),
        ("Europe/Berlin", "2026-02-28 02:30", "PT0S", "2026-02-28 02:30"),
    ],
)
def test_a_timer_falls_due_by_the_calendar(zone: str, begun: str, text: str, due: str) -> None:
    moment = datetime.fromisoformat(begun).replace(tzinfo=ZoneInfo(zone))
    assert engine.due_after(moment, text).strftime("%Y-%m-%d %H:%M") == due


def test_months_have_no_exact_length() -> None:
    for text, exact in (("P1M", None), ("P1W", timedelta(days=7)), ("P1DT2H", timedelta(hours=26))):
        found = engine.duration(text)
        assert found is not None
        assert found.exact == exact


@pytest.mark.parametrize(
    "value", ["1969-12-31", "2200-01-01T00:00:00", "0001-01-01", "9999-12-31", "tomorrow", 5, None]
)
def test_a_moment_that_no_clock_here_shows_is_refused(value: Any) -> None:
    with pytest.raises(engine.ExpressionError):
        check_date("${x}", value)


@pytest.mark.parametrize("value", [5, None, True, ["P1D"], "P1"])
def test_what_is_no_duration_is_refused(value: Any) -> None:
    with pytest.raises(engine.ExpressionError) as caught:
        check_duration("${x}", value)
    assert caught.value.text == "${x}"
