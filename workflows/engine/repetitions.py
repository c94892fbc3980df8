"""Repetitions: what a `timeCycle` may say, and when it comes.

An ISO 8601 repetition counts from when it begins to wait (R3/PT1H: three times) or from a moment of its own
(R/2026-12-01T08:00/P1M); a calendar rule says days and times (see `calendar_rules`). Behind a `|` stands the moment
after which none comes any more, which other engines write as `endDate`.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from workflows.engine import effort
from workflows.engine.calendar_rules import CalendarRule, is_rule, read_rule
from workflows.engine.errors import ExpressionError
from workflows.engine.timetext import Calendar, Duration, check_date, check_duration, duration

LEAST_CYCLE = timedelta(minutes=1)
"""Between two occurrences of a repetition: nobody acts on a reminder in less, and each writes a row of the history."""
LEAST = Duration(0, 0, LEAST_CYCLE)
_TIMES = re.compile(r"R(?:[1-9]\d{0,3})?", re.ASCII)
_CRON_FIELDS = (6, 7)
_A_READING = 2_000  # units of work, for parsing a rule and looking for its first occurrence


@dataclass(frozen=True)
class Repetition:
    """What a text says: a calendar rule, or a length that repeats `times` (None: without end).

    `start` is the first occurrence; '' where the first comes one length after the beginning of the wait. No occurrence
    comes after `end`.
    """

    times: int | None = None
    start: str = ""
    length: Duration = LEAST
    rule: CalendarRule | None = None
    end: str = ""

    def next_after(self, moment: datetime, begun: datetime) -> datetime | None:
        """Return the first occurrence after `moment` of what began to wait at `begun`; None where none comes any more.

        Moments without a zone, months and days are those of the zone of `moment`.
        """
        if self.rule is not None:
            found = self.rule.next_after(moment)
        elif self.start:
            found = self._at_intervals(in_zone(self.start, moment), 0, moment)
        else:
            found = self._at_intervals(begun.astimezone(moment.tzinfo), 1, moment)
        return None if found is None or (self.end and found > in_zone(self.end, moment)) else found

    def _at_intervals(self, base: datetime, first: int, moment: datetime) -> datetime | None:
        """Return the first of the moments that lie `first`, `first` + 1, … lengths after `base` and after `moment`."""
        lower, upper = first - 1, first
        while _is_before(self._at(base, upper), moment):
            lower, upper = upper, 2 * upper + 1
        while upper - lower > 1:
            middle = (lower + upper) // 2
            lower, upper = (middle, upper) if _is_before(self._at(base, middle), moment) else (lower, middle)
        return None if self.times is not None and upper >= first + self.times else self._at(base, upper)

    def _at(self, base: datetime, number: int) -> datetime | None:
        """Return the moment so many lengths after `base`; None where no calendar reaches it."""
        effort.spend(5)
        length = LEAST if is_shorter(self.length) else self.length  # a model deployed earlier may ask for less
        try:
            return Duration(length.months * number, length.days * number, length.time * number).after(base)
        except (OverflowError, ValueError):
            return None


def _is_before(found: datetime | None, moment: datetime) -> bool:
    return found is not None and found <= moment


def in_zone(text: str, moment: datetime) -> datetime:
    """Return the moment of an ISO text, in the zone of `moment` where the text has none."""
    found = datetime.fromisoformat(text)
    return found.replace(tzinfo=moment.tzinfo) if found.tzinfo is None else found.astimezone(moment.tzinfo)


def read_repetition(text: str) -> Repetition:
    """Return what a repetition says. Raises ExpressionError with the reason for every other text."""
    effort.spend(_A_READING)
    said, bar, end = text.strip().partition("|")
    end = check_date(text, end) if bar else ""
    if is_rule(said):
        return Repetition(rule=read_rule(said), end=end)
    head, *middle, length = said.split("/") if "/" in said else ("", "")
    if len(middle) > 1 or not _TIMES.fullmatch(head):
        if len(said.split()) in _CRON_FIELDS:
            zh = "该cron表达式不能表示为日历规则，请改用日历规则"
            raise ExpressionError(
                text, zh, "this cron expression cannot be read as a calendar rule: use a rule instead"
            )
        raise ExpressionError(text, "不是有效的重复周期，如 R3/PT1H", "not a valid repetition; example: R3/PT1H")
    check_duration(text, length)
    return Repetition(
        times=int(head[1:]) if head != "R" else None,
        start=check_date(text, middle[0]) if middle else "",
        length=duration(length) or LEAST,
        end=end,
    )


def check_cycle(source: str, value: Any, end: Any = "") -> str:
    """Return the text of a repetition such as R3/PT1H (three times), R/P1D (endless) or a calendar rule.

    Raises ExpressionError for another value, and for one that comes more often than once a minute.
    """
    said = value.strip() if isinstance(value, str) else ""
    text = f"{said}|{check_date(source, end)}" if end else said
    try:
        found = read_repetition(text)
    except ExpressionError as error:
        error.text = source
        raise
    if found.rule is not None:
        return f"{found.rule}|{found.end}" if found.end else str(found.rule)
    if is_shorter(found.length):
        raise ExpressionError(
            source, "重复间隔至少1分钟，如 R3/PT1M", "repeats at least a minute apart; example: R3/PT1M"
        )
    return text


def check_time(kind: str, text: str) -> str:
    """Return the text of a time of a kind ('date', 'duration', 'cycle') as it is kept. Raises ExpressionError."""
    check = {"date": check_date, "duration": check_duration, "cycle": check_cycle}[kind]
    return check(text, text)


def is_shorter(length: Duration) -> bool:
    """Return whether a length is below the least one between two occurrences."""
    return length.exact is not None and length.exact < LEAST_CYCLE


def due_after(moment: datetime, text: str, calendar: Calendar | None = None) -> datetime | None:
    """Return when a timer falls due that began to wait at `moment`, with a duration or a repetition as its text.

    With a calendar its days and hours are working time. None where a repetition is over.
    """
    if calendar is not None or not is_cycle(text):
        found = duration(text.rpartition("/")[2])
        if found is None:  # stored before the rules of today
            raise ExpressionError(text, "不是有效的时长，如 P1DT2H", "not a valid duration; example: P1DT2H")
        if calendar is None:
            return found.after(moment)
        due = calendar.after(moment, found.days, found.time)
        return max(due, moment + LEAST_CYCLE) if is_cycle(text) else due
    return read_repetition(text).next_after(moment, moment)


def occurrence(kind: str, text: str, moment: datetime, begun: datetime) -> datetime | None:
    """Return when a timer of a kind ('date', 'duration', 'cycle') comes first after `moment`, if at all.

    It began to wait at `begun`. Moments without a zone, months and days are those of the zone of `moment`.
    """
    if kind == "cycle":
        return read_repetition(text).next_after(moment, begun)
    due = in_zone(text, moment) if kind == "date" else due_after(begun.astimezone(moment.tzinfo), text)
    return due if due is not None and due > moment else None


def is_cycle(text: str) -> bool:
    """Return whether the text of a timer repeats, and is no mere duration."""
    return text.startswith(("R", "DTSTART"))


def _is_by_calendar(text: str) -> bool:
    """Return whether a repetition says itself when it comes, wherever the wait begins."""
    return is_rule(text) or not text.partition("/")[2].startswith("P")


def rest_of(cycle: str) -> str:
    """Return what is left of a repetition after it has come once; '' when nothing is.

    One that says its own moments stays as it is: the clock knows which of them are over.
    """
    times, _slash, length = cycle.partition("/")
    if times == "R" or _is_by_calendar(cycle):
        return cycle
    return f"R{int(times[1:]) - 1}/{length}" if int(times[1:]) > 1 else ""
