"""Translates cron texts of Flowable and Camunda 7, and cycles with an end, to repetitions of ours, where they say one.

Their fields are second, minute, hour, day of the month, month, weekday (1 is Sunday) and year. Seconds are left out.
"""

import re
from collections.abc import Iterator, Sequence

from workflows.engine.calendar_rules import WEEKDAYS
from workflows.engine.document import OURS, Element, attribute, declares_vendor, local, tag, text
from workflows.engine.elements import NODES
from workflows.engine.errors import Problem, warning

_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_EVERY = ("*", "?")
_WITH_END = re.compile(r"(R\d*/P[^/{}]+)/([^P/][^/]*)")
"""Flowable's text for a length that is repeated until a moment, such as `R3/PT2H/${endDate}`."""
MAX_CRON = 120
"""Characters; longer texts stay, and are refused."""


class _Unsaid(Exception):
    """The text says nothing that a calendar rule can say."""


def translate_cycles(process: Element) -> Iterator[Problem]:
    """Write cron texts of timers, and cycles with an end, as repetitions; yield a warning where it says less."""
    is_vendor = declares_vendor(process.getroottree().getroot())
    for cycle in process.iter(tag("timeCycle")):
        said = text(cycle)
        if (found := _WITH_END.fullmatch(said)) and not attribute(cycle, "endDate"):
            cycle.text = found[1]
            cycle.set(f"{{{OURS}}}endDate", found[2])
            if not is_vendor:  # in ISO 8601 the last one ends there, however many come before
                zh = f"从计时开始重复，直到“{found[2][:40]}”"
                en = f"It repeats from when the timer begins until “{found[2][:40]}”"
                yield warning(_event_of(cycle).get("id", ""), "cycle_end", zh, en)
            continue
        written = repetition_of(said)
        if not written:
            continue
        cycle.text = written
        if said.split()[0] != "0":
            zh, en = "cron表达式中的秒将被忽略", "The seconds of the cron expression will be ignored"
            yield warning(_event_of(cycle).get("id", ""), "cron_seconds", zh, en)


def _event_of(cycle: Element) -> Element:
    while local(cycle) not in NODES:
        cycle = cycle.getparent()
    return cycle


def repetition_of(cron: str) -> str:
    """Return the repetition that a cron text says; '' for any other text."""
    fields = cron.upper().split()
    if len(fields) not in (6, 7) or len(cron) > MAX_CRON or fields[6:] not in ([], ["*"]):
        return ""
    try:
        return _repetition(*fields[:6])
    except (_Unsaid, ValueError):
        return ""


def _repetition(second: str, minute: str, hour: str, day: str, month: str, weekday: str) -> str:
    _numbers(second, range(60), most=1)
    hours, minutes = _numbers(hour, range(24)), _numbers(minute, range(60))
    is_daily = day in _EVERY and weekday in _EVERY and month in _EVERY
    gap = _even_gap(minutes)
    if len(hours) == 24 and is_daily and gap:
        return f"R/2000-01-01T00:{minutes[0]:02}:00/PT{gap}M"
    days = _month_days(day) if day not in _EVERY else ""
    weekdays, is_numbered = _weekdays(weekday) if weekday not in _EVERY else ("", False)
    if days and weekdays:
        raise _Unsaid  # Flowable takes neither, others either or both
    frequency = "MONTHLY" if days or is_numbered else "WEEKLY" if weekdays else "DAILY"
    parts = [
        f"FREQ={frequency}",
        f"BYMONTH={_joined(_numbers(month, range(1, 13), _MONTHS))}" if month not in _EVERY else "",
        f"BYMONTHDAY={days}" if days else "",
        f"BYDAY={weekdays}" if weekdays else "",
        f"BYHOUR={_joined(hours)}",
        f"BYMINUTE={_joined(minutes)}",
    ]
    return "RRULE:" + ";".join(filter(None, parts))


def _even_gap(minutes: Sequence[int]) -> int:
    """Return how many minutes lie between those of an hour, and of one hour and the next; 0 where they differ."""
    gaps = {after - before for before, after in zip(minutes, [*minutes[1:], minutes[0] + 60], strict=True)}
    return gaps.pop() if len(gaps) == 1 else 0


def _month_days(said: str) -> str:
    """Return days of the month; `L` is the last one, `L-3` the third before it."""
    found = []
    for part in said.split(","):
        head, _dash, before = part.partition("-")
        found += [-1 - _number(before or "0", range(31))] if head == "L" else _numbers(part, range(1, 32))
    return _joined(found)


def _weekdays(said: str) -> tuple[str, bool]:
    """Return weekdays, and whether they are numbered: `2#1` is the first Monday, `6L` the last Friday of a month."""
    found, numbered = [], set()
    for part in said.split(","):
        day, sign, place = part.partition("#")
        if sign:
            found.append(f"{_number(place, range(1, 6))}{_weekday(day)}")
        elif len(part) > 1 and part.endswith("L"):
            found.append(f"-1{_weekday(part[:-1])}")
        else:
            found += [_weekday(str(number)) for number in _numbers(part, range(1, 8), _DAYS)]
        numbered.add(found[-1] not in WEEKDAYS)
    if len(numbered) > 1:
        raise _Unsaid
    return ",".join(dict.fromkeys(found)), numbered.pop()


def _weekday(said: str) -> str:
    return WEEKDAYS[(_number(said, range(1, 8), _DAYS) + 5) % 7]


def _numbers(said: str, among: range, names: Sequence[str] = (), most: int = 60) -> list[int]:
    """Return the numbers of a field: lists, ranges and steps of them, in their order."""
    found: set[int] = set()
    for part in said.split(","):
        span, slash, step = part.partition("/")
        first, dash, last = span.partition("-")
        if span in _EVERY:
            numbers = among
        elif dash:
            numbers = range(_number(first, among, names), _number(last, among, names) + 1)
        elif slash:
            numbers = range(_number(first, among, names), among[-1] + 1)
        else:
            numbers = range(_number(first, among, names), _number(first, among, names) + 1)
        found.update(numbers[:: _number(step, range(1, 61)) if slash else 1])
    if not 0 < len(found) <= most:
        raise _Unsaid
    return sorted(found)


def _number(said: str, among: range, names: Sequence[str] = ()) -> int:
    if said in names:
        return names.index(said) + 1
    if said.isascii() and said.isdigit() and len(said) < 3 and int(said) in among:
        return int(said)
    raise _Unsaid


def _joined(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))
