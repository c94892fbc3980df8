"""Working time: timers that say `xw:time="working"`, whose days are working days and whose hours are working hours."""

from datetime import timedelta
from typing import Any

from workflows.engine.document import Element, ours, tag
from workflows.engine.errors import ExpressionError
from workflows.engine.repetitions import check_cycle, is_cycle
from workflows.engine.timetext import check_duration, duration

WORKING = "working"
"""The value of `xw:time`; without it a timer counts natural time."""
MOST_DAYS = 1_000
MOST_TIME = timedelta(hours=10_000)


def counts(definition: Element) -> bool:
    """Return whether a timer event definition says that it counts working time."""
    return ours(definition, "time") == WORKING


def check(source: str, text: str) -> str:
    """Return the text of a duration or repetition that may count working time. Raises ExpressionError for others.

    A week and a month have as many working days as the calendar says, so nobody can mean a number of them.
    """
    length = text.rpartition("/")[2]
    found = duration(length)
    # A repetition that begins at a moment of its own, or follows a calendar rule, says days of the calendar.
    if found is None or found.months or "W" in length or text.count("/") > 1:
        raise ExpressionError(
            source,
            "工作时间不能使用年、月、周，如 P3DT4H",
            "working time has no years, months or weeks; example: P3DT4H",
        )
    if found.days > MOST_DAYS or found.time > MOST_TIME:
        raise ExpressionError(
            source,
            f"工作时间最长{MOST_DAYS}个工作日，另加10000小时",
            f"working time lasts at most {MOST_DAYS} days and 10000 hours",
        )
    return text


def check_length(text: str, *, is_working: bool) -> str:
    """Return a duration or a repetition as a timer would keep it. Raises ExpressionError for another text."""
    found = check_cycle(text, text) if is_cycle(text) else check_duration(text, text)
    return check(text, found) if is_working else found


def dues(root: Element) -> dict[str, str]:
    """Return, by node, the due functions of the timers that count working time."""
    found: dict[str, str] = {}
    for definition in root.iter(tag("timerEventDefinition")):
        if counts(definition) and (name := ours(definition, "due")):
            found[definition.getparent().get("id", "")] = name
    return found


def problem(definition: Element, times: list[str]) -> tuple[str, str] | None:
    """Return what is wrong with the kind of time that a timer says, in both languages; `times` are what it names."""
    said: Any = ours(definition, "time")
    if said and said != WORKING:
        return f"计时方式“{said[:40]}”无效，应为 {WORKING}", f"“{said[:40]}” is no kind of time; it must be {WORKING}"
    if said and "timeDate" in times:
        return "某一时间的定时器不能按工作时间计算", "A timer at a date and time cannot count working time"
    return None
