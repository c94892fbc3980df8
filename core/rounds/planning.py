"""Which tasks the rules of a shift plan make in a span of days, and why others not: pure functions of what is read.

Nothing here asks the clock, the database or the language of the caller.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, tzinfo
from enum import IntEnum, StrEnum
from typing import Any

from core.rounds.models import OF_DATES, AssignMode, Frequency, TaskRule
from core.shifts import times
from core.shifts.times import Window

_DAY = timedelta(days=1)
_LAST = -1
"""Of days of the month and of weekdays in it."""


class State(IntEnum):
    """What becomes of an occurrence."""

    MADE = 1
    EXISTS = 2
    EXEMPT = 3
    """It is made, and exempt at once: the assets of all its points stand. Said by a preview alone."""
    NOBODY = 4
    """It is made, for the person in charge of the route."""
    PAST = 5
    LEFT_OUT = 6


class Reason(StrEnum):
    """Why an occurrence is not made, has nobody, or is exempt."""

    SEALED = "sealed"
    NO_POINT = "noPoint"
    HOLIDAY = "holiday"
    PAST = "past"
    NO_TEAM = "noTeam"
    STOPPED = "stopped"


@dataclass(frozen=True)
class Crew:
    """A team on a shift of a day, with who works in it."""

    team_id: int
    user_ids: tuple[int, ...]


@dataclass(frozen=True)
class RouteFacts:
    """What generation reads of a route."""

    is_sealed: bool = False
    points: int = 1
    """How many points can be inspected: not sealed, the asset neither disabled nor scrapped."""
    user_ids: tuple[int, ...] = ()
    leader_id: int | None = None


@dataclass(frozen=True)
class Facts:
    """What the occurrences of a plan follow from."""

    zone: tzinfo
    start: date
    """The first day of the plan; weeks and days are counted from it where a rule begins with no day of its own."""
    end: date | None
    shifts: Sequence[Any]
    """The shifts of the plan, of all times."""
    worked: frozenset[date]
    """The days on which the plan is worked."""
    crews: Mapping[tuple[date, int], Sequence[Crew]] = field(default_factory=dict)
    """By day and id of the shift."""
    holidays: frozenset[date] = frozenset()
    routes: Mapping[int, RouteFacts] = field(default_factory=dict)
    existing: frozenset[str] = frozenset()
    """Keys of the tasks that are there."""


@dataclass(frozen=True)
class Slot:
    """A window in which a rule wants its route inspected."""

    day: date
    shift: Any
    """None for the whole business day."""
    number: int
    begin: datetime
    end: datetime

    def key(self, rule: TaskRule) -> str:
        """Return the key of the occurrence; the database takes it once."""
        return f"{rule.pk}:{self.day}:{self.shift.shift_no if self.shift is not None else 0}:{self.number}"


@dataclass(frozen=True)
class Planned:
    """An occurrence, and what becomes of it."""

    rule: TaskRule
    slot: Slot
    state: State
    reason: Reason | None = None
    team_id: int | None = None
    user_ids: tuple[int, ...] = ()

    @property
    def key(self) -> str:
        """The key of the occurrence."""
        return self.slot.key(self.rule)

    @property
    def is_made(self) -> bool:
        """Whether a task comes of it."""
        return self.state in (State.MADE, State.EXEMPT, State.NOBODY)

    @property
    def open_time(self) -> datetime:
        """From when on the task may be started."""
        return self.slot.begin - timedelta(minutes=self.rule.ahead_minutes)

    @property
    def deadline(self) -> datetime:
        """When the task that nobody has done is missed."""
        return self.slot.end + timedelta(minutes=self.rule.grace_minutes)


def numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of a column that joins them by commas."""
    return tuple(int(part) for part in text.split(",") if part.strip())


def plan(rules: Iterable[TaskRule], facts: Facts, first: date, last: date, now: datetime) -> list[Planned]:
    """Return all occurrences of these rules from one business date to another, by day, rule and time."""
    found = []
    for day in _days(first, last):
        for rule in rules:
            if rule.enabled and _holds(rule, facts, day):
                found += [_planned(rule, facts, slot, now) for slot in slots(rule, facts, day)]
    return found


def _days(first: date, last: date) -> Iterator[date]:
    for number in range((last - first).days + 1):
        yield first + number * _DAY


def _holds(rule: TaskRule, facts: Facts, day: date) -> bool:
    """Return whether plan and rule are in force on a day."""
    begin = max(facts.start, rule.start_date or facts.start)
    ends = [end for end in (facts.end, rule.end_date) if end is not None]
    return begin <= day and all(day <= end for end in ends)


def slots(rule: TaskRule, facts: Facts, day: date) -> list[Slot]:
    """Return the windows of a rule on a business date."""
    if rule.frequency in OF_DATES:
        if not falls_on(rule, day, rule.start_date or facts.start):
            return []
    elif day not in facts.worked:
        return []
    valid = [shift for shift in facts.shifts if times.is_valid(shift, day)]
    chosen = [shift for shift in valid if shift.shift_no in rule.shift_nos] if rule.shift_nos else valid
    if rule.frequency not in OF_DATES and rule.frequency != Frequency.DAILY:
        found = []
        for shift in chosen:
            window = times.window(day, shift.start_time, shift.end_time, facts.zone)
            parts = _parts(rule, window)
            found += [_slot(rule, day, shift, number, *part) for number, part in enumerate(parts)]
        return [slot for slot in found if slot is not None]
    shift = chosen[0] if rule.shift_nos and chosen else None
    begin, end = _whole(day, [shift] if shift is not None else valid, facts.zone)
    if rule.window_days > 1 and rule.frequency in OF_DATES:
        last = day + (rule.window_days - 1) * _DAY
        _begin, end = _whole(last, [shift] if shift is not None else valid, facts.zone)
    slot = _slot(rule, day, shift, 0, begin, end)
    return [slot] if slot is not None else []


def _whole(day: date, shifts: Sequence[Any], zone: tzinfo) -> tuple[datetime, datetime]:
    """Return the business day: from the start of the first shift to the end of the last, or the calendar day."""
    if not shifts:
        one = times.window(day, time(0), time(0), zone)
        return one.begin, one.end
    windows = [times.window(day, shift.start_time, shift.end_time, zone) for shift in shifts]
    return min(one.begin for one in windows), max(one.end for one in windows)


def _parts(rule: TaskRule, window: Window) -> list[tuple[datetime, datetime]]:
    """Return the parts of a shift: equal ones of which the last takes the rest, or one every so many hours."""
    begin, end = window.begin, window.end
    if rule.frequency == Frequency.TIMES_A_SHIFT:
        minutes = int((end - begin).total_seconds()) // 60 // rule.times_per_shift
        cuts = [begin + timedelta(minutes=minutes * number) for number in range(rule.times_per_shift)]
    elif rule.frequency == Frequency.EVERY_HOURS:
        step, cuts = timedelta(hours=rule.every_hours), [begin]
        while cuts[-1] + step < end:
            cuts.append(cuts[-1] + step)
    else:
        cuts = [begin]
    return list(zip(cuts, [*cuts[1:], end], strict=True))


def _slot(rule: TaskRule, day: date, shift: Any, number: int, begin: datetime, end: datetime) -> Slot | None:
    """Return the window with the rule's offset and duration; None where nothing of it is left."""
    begin = begin + timedelta(minutes=rule.start_offset)
    if rule.duration is not None and rule.window_days == 1:
        end = min(end, begin + timedelta(minutes=rule.duration))
    return Slot(day, shift, number, begin, end) if begin < end else None


def falls_on(rule: TaskRule, day: date, anchor: date) -> bool:
    """Return whether a rule of dates wants a day."""
    match rule.frequency:
        case Frequency.WEEKLY:
            weeks = (_monday(day) - _monday(anchor)).days // 7
            return day.isoweekday() in numbers(rule.week_days) and weeks % rule.every_weeks == 0
        case Frequency.MONTHLY:
            length = monthrange(day.year, day.month)[1]
            return day.day in {
                length if number == _LAST else min(number, length) for number in numbers(rule.month_days)
            }
        case Frequency.EVERY_DAYS:
            return bool((day - anchor).days % rule.every_days == 0)
    if day.isoweekday() != rule.week_day:
        return False
    length = monthrange(day.year, day.month)[1]
    return day.day + 7 > length if rule.nth == _LAST else bool((day.day - 1) // 7 + 1 == rule.nth)


def _monday(day: date) -> date:
    return day - (day.isoweekday() - 1) * _DAY


def _planned(rule: TaskRule, facts: Facts, slot: Slot, now: datetime) -> Planned:
    """Return what becomes of a slot."""
    route = facts.routes.get(rule.group_id, RouteFacts(points=0))
    if slot.key(rule) in facts.existing:
        return Planned(rule, slot, State.EXISTS)
    for is_so, reason in (
        (route.is_sealed, Reason.SEALED),
        (route.points == 0, Reason.NO_POINT),
        (rule.skip_holiday and slot.day in facts.holidays, Reason.HOLIDAY),
    ):
        if is_so:
            return Planned(rule, slot, State.LEFT_OUT, reason)
    if slot.end + timedelta(minutes=rule.grace_minutes) <= now:
        return Planned(rule, slot, State.PAST, Reason.PAST)
    return staffed(rule, facts, slot)


def staffed(rule: TaskRule, facts: Facts, slot: Slot) -> Planned:
    """Return the occurrence with its people: the person in charge of the route where there are none."""
    route = facts.routes.get(rule.group_id, RouteFacts(points=0))
    team_id, people = executors(rule, facts, slot)
    if not people:
        leader = (route.leader_id,) if route.leader_id is not None else ()
        return Planned(rule, slot, State.NOBODY, Reason.NO_TEAM, team_id, leader)
    return Planned(rule, slot, State.MADE, None, team_id, tuple(dict.fromkeys((*people, *route.user_ids))))


def executors(rule: TaskRule, facts: Facts, slot: Slot) -> tuple[int | None, tuple[int, ...]]:
    """Return the team of a slot, and who is to do it: the people named, those on shift, or one of them in turn."""
    shifts = [slot.shift] if slot.shift is not None else facts.shifts
    crews = [crew for shift in shifts for crew in facts.crews.get((slot.day, shift.pk), ())]
    team_id = crews[0].team_id if len({crew.team_id for crew in crews}) == 1 else None
    people = tuple(dict.fromkeys(rule.user_ids or [one for crew in crews for one in crew.user_ids]))
    if rule.assign_mode == AssignMode.NAMED:
        return None, tuple(rule.user_ids)
    if rule.assign_mode == AssignMode.IN_TURN and people:
        turn = (slot.day - facts.start).days + slot.number + (slot.shift.shift_no - 1 if slot.shift is not None else 0)
        return (None if rule.user_ids else team_id), (people[turn % len(people)],)
    if rule.assign_mode == AssignMode.TEAM_CLAIMS:
        people = tuple(dict.fromkeys(one for crew in crews for one in crew.user_ids))
    return team_id, people


def longest(rule: TaskRule, shifts: Sequence[Any]) -> int:
    """Return the minutes between one window of a rule and the next: none of its windows is longer."""
    minutes = [times.length(shift.start_time, shift.end_time) for shift in shifts] or [times.MINUTES_OF_DAY]
    match rule.frequency:
        case Frequency.TIMES_A_SHIFT:
            return int(min(minutes) // rule.times_per_shift)
        case Frequency.EVERY_HOURS:
            return int(rule.every_hours * 60)
        case Frequency.EACH_SHIFT:
            return min(minutes)
        case Frequency.DAILY:
            return min(minutes) if rule.shift_nos else times.MINUTES_OF_DAY
    return times.MINUTES_OF_DAY


def days_between(rule: TaskRule) -> int:
    """Return the least number of days between two dates of a rule of dates."""
    match rule.frequency:
        case Frequency.WEEKLY:
            marks, cycle = sorted(set(numbers(rule.week_days))), 7 * rule.every_weeks
        case Frequency.MONTHLY:
            marks, cycle = sorted({28 if one == _LAST else min(one, 28) for one in numbers(rule.month_days)}), 28
        case Frequency.EVERY_DAYS:
            return int(rule.every_days)
        case _:
            return 28
    if not marks:
        return int(cycle)
    return int(min(later - earlier for earlier, later in zip(marks, [*marks[1:], marks[0] + cycle], strict=True)))
