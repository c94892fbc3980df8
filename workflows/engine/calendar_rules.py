"""Calendar rules: repetitions such as the last day of each month at 08:00, in the standard form RRULE of RFC 5545.

A rule is a part of that form: FREQ of DAILY to YEARLY, INTERVAL, BYDAY (with a number too), BYMONTHDAY, BYMONTH,
BYHOUR, BYMINUTE, COUNT and UNTIL. `DTSTART` before it says where an INTERVAL or a COUNT begins, and what the rule
leaves open. Its times are those on the wall of the tenant's zone.
"""

# mypy: disable-error-code="import-untyped"

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

from dateutil import rrule

from workflows.engine import effort
from workflows.engine.errors import ExpressionError

YEARS = range(1970, 2200)  # of a moment
MAX_TEXT = 180
MAX_COUNT = 1_000
MAX_INTERVAL = 1_000
HORIZON = timedelta(days=12 * 366)
"""Within it a rule has an occurrence, or never: two leap days lie at most eight years apart."""
_CLOCK_CHANGE = timedelta(hours=3)
"""More than a clock is set forward or back at once."""

EXAMPLE = "FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=8"
WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_FREQUENCIES = {"YEARLY": rrule.YEARLY, "MONTHLY": rrule.MONTHLY, "WEEKLY": rrule.WEEKLY, "DAILY": rrule.DAILY}
_RULE = re.compile(r"(?:DTSTART:(?P<start>\S+)\s+)?(?:RRULE:)?(?P<parts>FREQ=\S+)", re.ASCII | re.IGNORECASE)
_MOMENT = re.compile(r"(\d{8})(?:T(\d{6}))?(Z?)", re.ASCII)
_BY_DAY = re.compile(r"([+-]?[1-9]\d?)?(MO|TU|WE|TH|FR|SA|SU)", re.ASCII)
_PARTS = {"FREQ", "INTERVAL", "COUNT", "UNTIL", "BYMONTH", "BYMONTHDAY", "BYDAY", "BYHOUR", "BYMINUTE"}


@dataclass(frozen=True)
class CalendarRule:
    """A calendar rule; what its text leaves open is filled in from `start`, the time from midnight where there is none.

    `weekdays` are pairs of a number within the month or year (0: each) and a word of `WEEKDAYS`. `start` has no zone,
    `until` has one where the text says UTC.
    """

    frequency: str
    hours: tuple[int, ...]
    minutes: tuple[int, ...]
    interval: int = 1
    weekdays: tuple[tuple[int, str], ...] = ()
    month_days: tuple[int, ...] = ()
    months: tuple[int, ...] = ()
    count: int | None = None
    until: datetime | None = None
    start: datetime | None = None

    def __str__(self) -> str:
        """The rule in its standard form."""
        days = [f"{number or ''}{word}" for number, word in self.weekdays]
        said = {
            "FREQ": self.frequency,
            "INTERVAL": self.interval if self.interval > 1 else "",
            "BYMONTH": _joined(self.months),
            "BYMONTHDAY": _joined(self.month_days),
            "BYDAY": ",".join(days),
            "BYHOUR": _joined(self.hours),
            "BYMINUTE": _joined(self.minutes),
            "COUNT": self.count or "",
            "UNTIL": f"{self.until:%Y%m%dT%H%M%S}{'Z' if self.until.tzinfo else ''}" if self.until else "",
        }
        text = "RRULE:" + ";".join(f"{name}={value}" for name, value in said.items() if value != "")
        return f"DTSTART:{self.start:%Y%m%dT%H%M%S}\n{text}" if self.start else text

    @property
    def times(self) -> tuple[time, ...]:
        """The times of a day at which it comes."""
        return tuple(time(hour, minute) for hour in self.hours for minute in self.minutes)

    def next_after(self, moment: datetime) -> datetime | None:
        """Return the first occurrence after this moment, on the wall of its zone; None where there is none any more.

        A time that the clocks skip comes as much later as they were set forward; one that they show twice comes once,
        the first time.
        """
        found: tuple[datetime, datetime] | None = None
        for wall in self._walls(moment.replace(tzinfo=None, fold=0) - _CLOCK_CHANGE):
            effort.spend(20)
            if found is not None and wall > found[1] + _CLOCK_CHANGE:
                break
            at = wall.replace(tzinfo=moment.tzinfo).astimezone(UTC)
            if self.until is not None and (at if self.until.tzinfo else wall) > self.until:
                break
            if at > moment and (found is None or at < found[0]):
                found = at, wall
        return found[0].astimezone(moment.tzinfo) if found else None

    def _walls(self, after: datetime) -> Iterator[datetime]:
        """Yield the occurrences on the wall from a moment on, in their order there."""
        begin = self._begin(after)
        if begin.year not in YEARS:
            return
        found = rrule.rrule(
            _FREQUENCIES[self.frequency],
            dtstart=begin,
            interval=self.interval,
            bymonth=self.months or None,
            bymonthday=self.month_days or None,
            byweekday=[_weekday(number, word) for number, word in self.weekdays] or None,
            byhour=self.hours,
            byminute=self.minutes,
            bysecond=0,
            count=self.count,
            until=None if self.count is not None else after + HORIZON,
        )
        yield from (wall for wall in found if wall >= after)

    def _begin(self, after: datetime) -> datetime:
        """Return from when the occurrences are counted: near the moment, so that an old rule costs what a new one does.

        It lies in a day, week, month or year in which the rule comes.
        """
        if self.start is not None and (self.count is not None or after <= self.start):
            return self.start
        day = after.replace(hour=0, minute=0, second=0, microsecond=0)
        start = (self.start or day).replace(hour=0, minute=0, second=0)
        if self.frequency in ("DAILY", "WEEKLY"):
            begin = start - timedelta(days=start.weekday()) if self.frequency == "WEEKLY" else start
            length = timedelta(days=7 if self.frequency == "WEEKLY" else 1) * self.interval
            begin += (day - begin) // length * length
        elif self.frequency == "MONTHLY":
            month = start.year * 12 + start.month - 1
            month += (day.year * 12 + day.month - 1 - month) // self.interval * self.interval
            begin = day.replace(year=month // 12, month=month % 12 + 1, day=1)
        else:
            year = start.year + (day.year - start.year) // self.interval * self.interval
            begin = day.replace(year=year, month=1, day=1)
        return begin if self.start is None else max(begin, self.start)


def _joined(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _weekday(number: int, word: str) -> rrule.weekday:
    day = rrule.weekdays[WEEKDAYS.index(word)]
    return day(number) if number else day


def is_rule(text: str) -> bool:
    """Return whether a text is meant as a calendar rule."""
    return text.lstrip()[:7].upper() in ("DTSTART", "RRULE:F") or text.lstrip()[:5].upper() == "FREQ="


def read_rule(text: str) -> CalendarRule:
    """Return the calendar rule of a text. Raises ExpressionError with the reason for every other text."""
    found = _RULE.fullmatch(text.strip()) if len(text) <= MAX_TEXT else None
    if found is None:
        raise ExpressionError(
            text, f"不是有效的日历规则，如 {EXAMPLE}", f"not a valid calendar rule; example: {EXAMPLE}"
        )
    pairs = [part.partition("=")[::2] for part in found["parts"].upper().strip(";").split(";")]
    said = dict(pairs)
    for name, value in pairs:
        if name not in _PARTS or not value:
            raise ExpressionError(
                text, f"日历规则不支持“{name[:20]}”", f"“{name[:20]}” is not supported in a calendar rule"
            )
    if len(said) < len(pairs):
        raise ExpressionError(text, "日历规则中有重复的部分", "a part of the calendar rule occurs twice")
    start = _moment(text, found["start"].upper()) if found["start"] else None
    hours, minutes, months = (
        _numbers(text, said, name, tuple(among))
        for name, among in (("BYHOUR", range(24)), ("BYMINUTE", range(60)), ("BYMONTH", range(1, 13)))
    )
    rule = CalendarRule(
        frequency=said["FREQ"],
        hours=hours or (start.hour if start else 0,),
        minutes=minutes or (start.minute if start else 0,),
        interval=_number(text, said.get("INTERVAL", "1"), range(1, MAX_INTERVAL + 1)),
        weekdays=tuple(_weekday_of(text, word) for word in _words(said, "BYDAY")),
        month_days=_numbers(text, said, "BYMONTHDAY", (*range(-31, 0), *range(1, 32))),
        months=months,
        count=_number(text, said["COUNT"], range(1, MAX_COUNT + 1)) if "COUNT" in said else None,
        until=_moment(text, said["UNTIL"], is_end=True) if "UNTIL" in said else None,
        start=start,
    )
    _check(text, rule)
    rule = _filled(rule)
    # Seen from its beginning, or from a leap year: what has no day there has none anywhere.
    seen = (rule.start - timedelta(days=1) if rule.start else datetime(2024, 1, 1)).replace(tzinfo=UTC)
    if replace(rule, count=None, until=None).next_after(seen) is None:
        raise ExpressionError(text, "该日历规则没有任何日期", "the calendar rule has no day at all")
    return rule


def _check(text: str, rule: CalendarRule) -> None:
    """Raise ExpressionError for a rule that leaves open when it comes."""
    if rule.frequency not in _FREQUENCIES:
        zh = "日历规则的 FREQ 须为 DAILY、WEEKLY、MONTHLY 或 YEARLY"
        raise ExpressionError(text, zh, "FREQ of a calendar rule is DAILY, WEEKLY, MONTHLY or YEARLY")
    if rule.start is not None and rule.start.tzinfo is not None:
        raise ExpressionError(
            text, "DTSTART 按本企业时区填写，不能带 Z", "DTSTART is in the company's time zone, without Z"
        )
    if rule.start is None and (rule.interval > 1 or rule.count is not None):
        zh = "带 INTERVAL 或 COUNT 的日历规则须用 DTSTART 说明从何时起算"
        raise ExpressionError(text, zh, "a calendar rule with INTERVAL or COUNT needs DTSTART, from which they count")
    if any(number for number, _word in rule.weekdays) and rule.frequency not in ("MONTHLY", "YEARLY"):
        raise ExpressionError(
            text, "只有每月或每年的规则能写第几个星期几", "only a monthly or yearly rule has numbered weekdays"
        )
    if rule.frequency == "WEEKLY" and rule.month_days:
        raise ExpressionError(text, "每周的规则不能写每月几号", "a weekly rule has no days of the month")
    if rule.start is None and _is_open(rule):
        zh = "日历规则没有说明在哪一天，请写 BYDAY、BYMONTHDAY 或 BYMONTH"
        raise ExpressionError(
            text, zh, "the calendar rule does not say on which day: give BYDAY, BYMONTHDAY or BYMONTH"
        )


def _is_open(rule: CalendarRule) -> bool:
    """Return whether a rule does not say by itself on which days it comes."""
    has_day = bool(rule.weekdays or rule.month_days)
    return rule.frequency != "DAILY" and not (has_day and (rule.frequency != "YEARLY" or rule.months))


def _filled(rule: CalendarRule) -> CalendarRule:
    """Return the rule with the days on which it comes, taken from its start where it leaves them open."""
    if rule.start is None or not _is_open(rule):
        return rule
    if rule.frequency == "WEEKLY":
        return replace(rule, weekdays=((0, WEEKDAYS[rule.start.weekday()]),))
    if rule.weekdays or rule.month_days:
        return rule  # of every month of the year, or numbered within the year
    months = rule.months or ((rule.start.month,) if rule.frequency == "YEARLY" else ())
    return replace(rule, months=months, month_days=(rule.start.day,))


def _words(said: dict[str, str], name: str) -> list[str]:
    return list(dict.fromkeys(said[name].split(","))) if name in said else []


def _numbers(text: str, said: dict[str, str], name: str, among: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted({_number(text, word, among) for word in _words(said, name)}))


def _number(text: str, word: str, among: range | tuple[int, ...]) -> int:
    if re.fullmatch(r"[+-]?\d{1,4}", word, re.ASCII) and int(word) in among:
        return int(word)
    raise ExpressionError(text, f"日历规则中的“{word[:20]}”无效", f"“{word[:20]}” is not valid in a calendar rule")


def _weekday_of(text: str, word: str) -> tuple[int, str]:
    found = _BY_DAY.fullmatch(word)
    if found is None or abs(int(found[1] or 0)) > 53:
        raise ExpressionError(text, f"日历规则中的“{word[:20]}”无效", f"“{word[:20]}” is not valid in a calendar rule")
    return int(found[1] or 0), found[2]


def _moment(text: str, word: str, *, is_end: bool = False) -> datetime:
    """Return a moment such as 20261201T080000; of a day alone its beginning, or its end."""
    found = _MOMENT.fullmatch(word)
    try:
        if found is None:
            raise ValueError
        clock = found[2] or ("235959" if is_end else "000000")
        moment = datetime.strptime(f"{found[1]}{clock}", "%Y%m%d%H%M%S")
        if moment.year not in YEARS:
            raise ValueError
    except ValueError:
        raise ExpressionError(
            text, f"日历规则中的“{word[:20]}”无效", f"“{word[:20]}” is not valid in a calendar rule"
        ) from None
    return moment.replace(tzinfo=UTC) if found[3] else moment
