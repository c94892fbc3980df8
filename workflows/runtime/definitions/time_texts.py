"""The times that a model writes, in words: `every month on the last day at 08:00`, in the caller's language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from core.kernel.texts import choose, is_english
from workflows.engine import CalendarRule, Duration, Repetition, duration, read_repetition

_DAYS_ZH = dict(zip(("MO", "TU", "WE", "TH", "FR", "SA", "SU"), "一二三四五六日", strict=True))
_DAYS_EN = {
    "MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday",
    "SU": "Sunday",
}  # fmt: skip
_MONTHS_EN = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_UNITS = {
    "DAILY": ("天", "day"), "WEEKLY": ("周", "week"), "MONTHLY": ("个月", "month"), "YEARLY": ("年", "year"),
}  # fmt: skip
_ONE = re.compile(r"^1 (?=[a-z]+$)")
"""What is not said of a repetition in English: every hour, and every 1 hour 30 minutes."""
_EVERY_ZH = {"DAILY": "每天", "WEEKLY": "每周", "MONTHLY": "每月", "YEARLY": "每年"}


def told(kind: str, text: str, *, is_start: bool = True) -> str:
    """Return a time in words, in the caller's language: a date, a duration or a repetition, as the engine reads it."""
    if kind == "date":
        return _moment(text)
    if kind == "duration":
        length = duration(text)
        zh, en = ("部署后", " after the deployment") if is_start else ("到达后", " after it is reached")
        return choose(f"{zh}{_length(length)}", f"{_length(length)}{en}") if length else text
    return _repetition(read_repetition(text))


def _repetition(said: Repetition) -> str:
    if said.rule is not None:
        words, times = _rule(said.rule), said.rule.count
        since = f"{said.rule.start:%Y-%m-%d}" if said.rule.start else ""
        until = f"{said.rule.until:%Y-%m-%d %H:%M}{' UTC' if said.rule.until.tzinfo else ''}" if said.rule.until else ""
    else:
        length, times = _length(said.length), said.times
        words = choose(f"每隔{length}", f"every {_ONE.sub('', length)}")
        since, until = _moment(said.start) if said.start else "", ""
    until = _moment(said.end) if said.end else until
    more = [
        choose(f"自 {since} 起", f"from {since}") if since else "",
        choose(f"共{times}次", "once" if times == 1 else f"{times} times") if times else "",
        choose(f"至 {until}", f"until {until}") if until else "",
    ]
    return choose("，", ", ").join(filter(None, [words, *more]))


def _rule(rule: CalendarRule) -> str:
    unit_zh, unit_en = _UNITS[rule.frequency]
    times = [f"{one:%H:%M}" for one in rule.times]
    if is_english():
        every = f"every {unit_en}" if rule.interval == 1 else f"every {rule.interval} {unit_en}s"
        months = f" in {_and([_MONTHS_EN[one - 1] for one in rule.months])}" if rule.months else ""
        days = _days(rule, _weekday_en, _month_day_en, " which is a ")
        return f"{every}{months}{f' on {days}' if days else ''} at {_and(times)}"
    every = _EVERY_ZH[rule.frequency] if rule.interval == 1 else f"每{rule.interval}{unit_zh}"
    months = "、".join(f"{one}月" for one in rule.months)
    months = f"（{months}）" if months and rule.frequency != "YEARLY" else months
    days = _days(rule, _weekday_zh, _month_day_zh, "且为")
    if rule.frequency == "WEEKLY" and every == "每周" and not months:
        every = "每"
    between = "的" if rule.interval > 1 or (months and days) else ""
    return f"{every}{months}{between if days else ''}{days} {'、'.join(times)}"


def _days(rule: CalendarRule, weekday: Callable[[int, str], str], month_day: Callable[[int], str], both: str) -> str:
    weekdays = _and([weekday(number, word) for number, word in rule.weekdays])
    month_days = _and([month_day(day) for day in rule.month_days])
    return both.join(filter(None, [month_days, weekdays]))


def _weekday_zh(number: int, word: str) -> str:
    name = f"周{_DAYS_ZH[word]}"
    if not number:
        return name
    if number > 0:
        return f"第{number}个{name}"
    return f"最后一个{name}" if number == -1 else f"倒数第{-number}个{name}"


def _month_day_zh(day: int) -> str:
    if day > 0:
        return f"{day}日"
    return "最后一天" if day == -1 else f"倒数第{-day}天"


def _weekday_en(number: int, word: str) -> str:
    name = _DAYS_EN[word]
    if not number:
        return name
    if number > 0:
        return f"the {_ordinal(number)} {name}"
    return f"the last {name}" if number == -1 else f"the {_ordinal(-number)} {name} from the end"


def _month_day_en(day: int) -> str:
    if day > 0:
        return f"the {_ordinal(day)}"
    return "the last day" if day == -1 else f"the {_ordinal(-day)} day from the end"


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _and(words: Sequence[str]) -> str:
    if not is_english():
        return "、".join(words)
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def _length(length: Duration) -> str:
    seconds = int(length.time.total_seconds())
    parts = (
        (length.months // 12, "年", "year"),
        (length.months % 12, "个月", "month"),
        (length.days, "天", "day"),
        (seconds // 3600, "小时", "hour"),
        (seconds // 60 % 60, "分钟", "minute"),
        (seconds % 60, "秒", "second"),
    )
    return choose(
        "".join(f"{number}{unit}" for number, unit, _en in parts if number) or "0秒",
        _joined_en((number, unit) for number, _zh, unit in parts if number) or "0 seconds",
    )


def _joined_en(parts: Iterable[tuple[int, str]]) -> str:
    return " ".join(f"{number} {unit}{'' if number == 1 else 's'}" for number, unit in parts)


def _moment(text: str) -> str:
    found = datetime.fromisoformat(text)
    zone = f" {found:%z}" if found.tzinfo else ""
    return f"{found:%Y-%m-%d %H:%M}{zone}"
