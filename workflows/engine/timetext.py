"""The kinds of time that a model writes: ISO 8601 durations, repetitions of one, and moments."""

import re
from datetime import date, datetime
from typing import Any

from workflows.engine.errors import ExpressionError

_DURATION = re.compile(
    r"P(?=.)(?:\d{1,4}W|(?:\d{1,4}Y)?(?:\d{1,4}M)?(?:\d{1,5}D)?"
    r"(?:T(?=\d)(?:\d{1,6}H)?(?:\d{1,8}M)?(?:\d{1,9}(?:\.\d{1,6})?S)?)?)"
)

_TIMES = re.compile(r"R(?:[1-9]\d{0,3})?")


def check_duration(source: str, value: Any) -> str:
    """ISO text of a duration such as P1DT2H, else ExpressionError naming `source`."""
    if isinstance(value, str) and _DURATION.fullmatch(value.strip()):
        return value.strip()
    raise ExpressionError(source, "不是有效的时长，如 P1DT2H", "this is not a duration such as P1DT2H")


def check_cycle(source: str, value: Any) -> str:
    """ISO text of a repetition such as R3/PT1H (three times) or R/P1D (again and again), else ExpressionError."""
    head, slash, length = value.strip().partition("/") if isinstance(value, str) else ("", "", "")
    if slash and _TIMES.fullmatch(head):
        return f"{head}/{check_duration(source, length)}"
    raise ExpressionError(source, "不是有效的重复周期，如 R3/PT1H", "this is not a repetition such as R3/PT1H")


def length_of(cycle: str) -> str:
    """The duration that a repetition repeats."""
    return cycle.partition("/")[2]


def rest_of(cycle: str) -> str:
    """What is left of a repetition when it has come once; '' when nothing is."""
    times, _slash, length = cycle.partition("/")
    if times == "R":
        return cycle
    return f"R{int(times[1:]) - 1}/{length}" if int(times[1:]) > 1 else ""


def check_date(source: str, value: Any) -> str:
    """ISO text of a moment such as 2030-01-31T08:00:00+08:00, else ExpressionError naming `source`."""
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, str):
        try:
            datetime.fromisoformat(value.strip())
            return value.strip()
        except ValueError:
            pass
    raise ExpressionError(
        source, "不是有效的时间，如 2030-01-31T08:00:00+08:00", "this is not a moment such as 2030-01-31T08:00:00+08:00"
    )
