"""Which tasks a rule makes, and what a value means: the specification's worked examples, without a database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from core.rounds import judging, planning
from core.rounds.models import AssignMode, Frequency, InspectOrderRecord, TaskRule
from core.rounds.planning import Crew, Facts, Reason, RouteFacts, State

SHANGHAI = ZoneInfo("Asia/Shanghai")
START = date(2026, 9, 1)
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class _Shift:
    pk: int
    shift_no: int
    start_time: time
    end_time: time
    valid_from: Any = None
    valid_until: Any = None


DAY_SHIFT, NIGHT = _Shift(1, 1, time(8), time(20)), _Shift(2, 2, time(20), time(8))
EARLY, LATE, OWL = _Shift(1, 1, time(8), time(16)), _Shift(2, 2, time(16), time(0)), _Shift(3, 3, time(0), time(8))


def _facts(*shifts: _Shift, **more: Any) -> Facts:
    days = frozenset(START + timedelta(days=number) for number in range(120))
    return Facts(SHANGHAI, START, None, shifts, days, routes={1: RouteFacts(leader_id=9)}, **more)


def _rule(frequency: int, **more: Any) -> TaskRule:
    return TaskRule(pk=7, group_id=1, frequency=frequency, **more)


def _windows(rule: TaskRule, facts: Facts, day: date) -> list[str]:
    """Each window as it is read on the wall, with its number."""
    return [
        f"{slot.number} {slot.begin.astimezone(SHANGHAI):%d %H:%M}–{slot.end.astimezone(SHANGHAI):%d %H:%M}"
        for slot in planning.slots(rule, facts, day)
    ]


@pytest.mark.parametrize(
    ("more", "shifts", "windows"),
    [
        (
            {"frequency": 3, "every_hours": 2, "shift_nos": [2]},
            (DAY_SHIFT, NIGHT),
            ["0 25 20:00–25 22:00", "1 25 22:00–26 00:00", "2 26 00:00–26 02:00", "3 26 02:00–26 04:00",
             "4 26 04:00–26 06:00", "5 26 06:00–26 08:00"],
        ),
        (
            {"frequency": 3, "every_hours": 3, "shift_nos": [1]},
            (EARLY, LATE),
            ["0 25 08:00–25 11:00", "1 25 11:00–25 14:00", "2 25 14:00–25 16:00"],
        ),
        (
            {"frequency": 2, "times_per_shift": 7, "shift_nos": [1]},
            (EARLY,),
            ["0 25 08:00–25 09:08", "1 25 09:08–25 10:16", "2 25 10:16–25 11:24", "3 25 11:24–25 12:32",
             "4 25 12:32–25 13:40", "5 25 13:40–25 14:48", "6 25 14:48–25 16:00"],
        ),
        ({"frequency": 1}, (EARLY, LATE, OWL), ["0 25 08:00–25 16:00", "0 25 16:00–26 00:00", "0 25 00:00–25 08:00"]),
        ({"frequency": 1, "start_offset": 30, "duration": 90, "shift_nos": [2]}, (LATE,), ["0 25 16:30–25 18:00"]),
        ({"frequency": 4}, (DAY_SHIFT, NIGHT), ["0 25 08:00–26 08:00"]),
        ({"frequency": 4}, (), ["0 25 00:00–26 00:00"]),
        ({"frequency": 5, "week_days": "5", "window_days": 4}, (DAY_SHIFT,), ["0 25 08:00–28 20:00"]),
    ],
)  # fmt: skip
def test_windows_of_a_day(more: dict[str, Any], shifts: tuple[_Shift, ...], windows: list[str]) -> None:
    assert _windows(_rule(**more), _facts(*shifts), date(2026, 9, 25)) == windows


def test_what_is_done_at_night_belongs_to_the_evening_on_which_the_shift_began() -> None:
    rule = _rule(3, every_hours=2, shift_nos=[2])
    found = planning.plan([rule], _facts(DAY_SHIFT, NIGHT), date(2026, 9, 25), date(2026, 9, 25), LONG_AGO)
    assert [one.key for one in found][3] == "7:2026-09-25:2:3"
    assert f"{found[3].slot.begin.astimezone(SHANGHAI):%Y-%m-%d %H:%M}" == "2026-09-26 02:00"
    assert len({one.key for one in found}) == 6


@pytest.mark.parametrize(
    ("more", "first", "last", "days"),
    [
        ({"frequency": 5, "week_days": "1,3", "every_weeks": 2}, "09-01", "09-30", "2 14 16 28 30"),
        ({"frequency": 6, "month_days": "1,31,-1"}, "09-01", "10-31", "1 30 1 31"),
        ({"frequency": 7, "every_days": 10}, "09-01", "09-30", "1 11 21"),
        ({"frequency": 7, "every_days": 10, "start_date": date(2026, 9, 5)}, "09-01", "09-30", "5 15 25"),
        ({"frequency": 8, "nth": 1, "week_day": 1}, "09-01", "10-31", "7 5"),
        ({"frequency": 8, "nth": 5, "week_day": 3}, "09-01", "10-31", "30"),
        ({"frequency": 8, "nth": -1, "week_day": 5}, "09-01", "10-31", "25 30"),
        ({"frequency": 4, "end_date": date(2026, 9, 3)}, "09-01", "09-30", "1 2 3"),
        ({"frequency": 4, "enabled": False}, "09-01", "09-30", ""),
    ],
)
def test_days_of_a_rule(more: dict[str, Any], first: str, last: str, days: str) -> None:
    span = date.fromisoformat(f"2026-{first}"), date.fromisoformat(f"2026-{last}")
    found = planning.plan([_rule(**more)], _facts(DAY_SHIFT), *span, LONG_AGO)
    assert " ".join(str(one.slot.day.day) for one in found) == days


def test_why_an_occurrence_is_not_made_and_who_does_the_others() -> None:
    day = date(2026, 9, 25)
    crews = {(day, 1): [Crew(5, (11, 12, 13))]}
    facts = _facts(EARLY, LATE, OWL, crews=crews, holidays=frozenset({day}), existing=frozenset({f"7:{day}:3:0"}))
    now = datetime(2026, 9, 25, 8, 31, tzinfo=SHANGHAI)

    def told(rule: TaskRule, facts: Facts = facts) -> list[tuple[Any, ...]]:
        return [
            (one.state, one.reason, one.team_id, one.user_ids) for one in planning.plan([rule], facts, day, day, now)
        ]

    made, nobody = (State.MADE, None, 5, (11, 12, 13)), (State.NOBODY, Reason.NO_TEAM, None, (9,))
    assert told(_rule(1)) == [made, nobody, (State.EXISTS, None, None, ())]
    assert told(_rule(1, shift_nos=[3]), _facts(OWL)) == [(State.PAST, Reason.PAST, None, ())]
    assert told(_rule(1, shift_nos=[3], grace_minutes=32), _facts(OWL))[0][0] == State.NOBODY
    for reason, facts_of in (
        (Reason.SEALED, RouteFacts(is_sealed=True)), (Reason.NO_POINT, RouteFacts(points=0)),
    ):  # fmt: skip
        changed = Facts(**{**vars(facts), "routes": {1: facts_of}})
        assert told(_rule(1, shift_nos=[1]), changed) == [(State.LEFT_OUT, reason, None, ())]
    assert told(_rule(1, shift_nos=[1], skip_holiday=True)) == [(State.LEFT_OUT, Reason.HOLIDAY, None, ())]
    named = _rule(1, shift_nos=[1], assign_mode=AssignMode.NAMED, user_ids=[21])
    assert told(named) == [(State.MADE, None, None, (21,))]
    turns = [
        planning.executors(_rule(Frequency.DAILY, assign_mode=3, user_ids=[21, 22, 23]), facts, slot)[1]
        for number in range(4)
        for slot in planning.slots(_rule(Frequency.DAILY), facts, START + timedelta(days=number))
    ]
    assert turns == [(21,), (22,), (23,), (21,)]


def test_a_window_is_not_longer_than_what_lies_between_it_and_the_next() -> None:
    shifts = [EARLY, LATE]
    longest = [
        planning.longest(_rule(1), shifts), planning.longest(_rule(2, times_per_shift=4), shifts),
        planning.longest(_rule(3, every_hours=3), shifts), planning.longest(_rule(4), shifts),
    ]  # fmt: skip
    assert longest == [480, 120, 180, 1440]
    between = [
        planning.days_between(_rule(5, week_days="1,3")), planning.days_between(_rule(5, week_days="1", every_weeks=2)),
        planning.days_between(_rule(6, month_days="1,-1")), planning.days_between(_rule(7, every_days=9)),
        planning.days_between(_rule(8)),
    ]  # fmt: skip
    assert between == [2, 14, 1, 9, 28]


@pytest.mark.parametrize(
    ("value", "result", "text"),
    [
        ("0.59", 3, "0.59MPa < 下限0.6MPa"), ("0.60", 2, "0.6MPa < 预警下限0.65MPa"),
        ("0.64", 2, "0.64MPa < 预警下限0.65MPa"), ("0.65", 1, ""), ("0.78", 1, ""),
        ("0.79", 2, "0.79MPa > 预警上限0.78MPa"), ("0.80", 2, "0.8MPa > 预警上限0.78MPa"),
        ("0.81", 3, "0.81MPa > 上限0.8MPa"),
    ],
)  # fmt: skip
def test_numbers_are_judged_by_their_limits(value: str, result: int, text: str) -> None:
    item = {
        "itemName": "排气压力", "valueType": 1, "unit": "MPa", "decimals": 2, "lower": "0.6", "warnLower": "0.65",
        "warnUpper": "0.78", "upper": "0.8",
    }  # fmt: skip
    judged = judging.judge(item, value)
    lower, warn_lower, warn_upper, upper = judging.limits_of(item)
    record = InspectOrderRecord(
        value_type=1, unit="MPa", lower=lower, warn_lower=warn_lower, warn_upper=warn_upper, upper=upper,
        value=judged.value, num_value=judged.number, result=judged.result,
    )  # fmt: skip
    assert (judged.result, judging.judge_text(record)) == (result, text)
    with pytest.raises(judging.Wrong, match="小数位不能超过2位"):
        judging.judge(item, "0.655")
