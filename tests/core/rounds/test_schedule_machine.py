"""The life of a schedule under drawn acts, in two companies in lock step, with days passing.

A plan is enabled and disabled, its calendar changed by hand and reset, days off come and go, rules are kept, and tasks
made and made anew. After each act calendar and tasks are as a model that is kept here by itself says, day by day and
occurrence by occurrence; the other company is untouched. `SCHEDULE_EXAMPLES` makes more.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any, ClassVar

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine

from core.kernel import clock
from core.kernel.actor import acting, system
from core.kernel.tenancy import tenant_scope
from core.rounds import generation, sweep
from core.rounds.models import InspectCandidate, InspectOrder, OrderStatus, TaskRule
from core.shifts import calendar
from core.shifts.models import Cell, Shift, ShiftTeam
from core.system.models import Holiday
from tests.cast import A, B, Cast
from tests.core.rounds.walking import CONFIG, ORDERS, PRESSURE, ok, route
from tests.core.shifts import planning
from tests.core.shifts.planning import CREWS, SHANGHAI, THREE, TWO

pytestmark = pytest.mark.django_db
EXAMPLES = int(os.environ.get("SCHEDULE_EXAMPLES", "8"))
STEPS = int(os.environ.get("SCHEDULE_STEPS", "24"))
BEGIN = datetime(2026, 9, 2, 9, tzinfo=SHANGHAI)
START = date(2026, 9, 1)
ONE, AHEAD, GRACE = timedelta(days=1), 62, timedelta(minutes=30)
LEADER = "shift_leader"
"""Who leads the route, and stands in for people whom a shift has not."""
STAND_INS = ("", "repairer2")
PATTERNS = {2: (TWO, "甲乙", "11111112222222", (0, 7)), 4: (THREE, "甲乙丙丁", "11223300", (0, 2, 4, 6))}
"""By type the shifts, the teams, the first team's row, and by how many days each team is ahead of it."""
DAYS = st.sampled_from([0, 1, 0, 2, 1, 3])
LEGAL = 3

Turn = tuple[int, str, str, bool]
"""A cell: number of the shift, team or nobody, who stands in, and whether it was made by hand."""


@dataclass
class Task:
    """A task as it should be."""

    begin: datetime
    end: datetime
    rule: str
    team: str
    people: frozenset[str]
    status: int = 1

    def told(self) -> tuple[Any, ...]:
        """What is compared."""
        return self.status, self.begin, self.end, self.team, self.people


@dataclass
class Rule:
    """A rule as it was stored last."""

    frequency: int
    shift: int | None
    named: bool
    skips: bool
    enabled: bool = True
    removed: bool = False


@dataclass
class World:
    """What calendar and tasks should be: everything by days, nothing clever."""

    kind: int
    mode: int
    anchor: date = START
    enabled: bool = False
    holidays: dict[date, int] = field(default_factory=dict)
    cells: dict[date, set[Turn]] = field(default_factory=dict)
    covered: date | None = None
    is_stale: bool = False
    """Whether days off have changed since the cells were made."""
    rules: dict[str, Rule] = field(default_factory=dict)
    tasks: dict[tuple[str, date, int, int], Task] = field(default_factory=dict)
    voided: int = 0

    def is_worked(self, day: date) -> bool:
        """Whether the plan is worked on a day."""
        if day < START:
            return False
        kind = self.holidays.get(day, 2 if day.isoweekday() <= 5 else 1)
        return self.mode != LEGAL or kind == 2

    def rotation(self, day: date) -> set[Turn]:
        """Who works by the rotation."""
        _shifts, teams, row, ahead = PATTERNS[self.kind]
        if not self.is_worked(day):
            return set()
        places = [
            (int(row[((day - self.anchor).days + more) % len(row)]), team)
            for team, more in zip(teams, ahead, strict=True)
        ]
        return {(number, team, "", False) for number, team in places if number}

    def window(self, day: date, number: int) -> tuple[datetime, datetime]:
        """From when to when a shift of a day is worked."""
        _name, start, end = PATTERNS[self.kind][0][number - 1]
        begin, until = (
            datetime.combine(day, datetime.strptime(text, "%H:%M").time(), SHANGHAI) for text in (start, end)
        )
        return begin, until if until > begin else until + ONE

    def business(self, now: datetime) -> date:
        """The day on which the shift began that is worked now."""
        shifts = range(1, len(PATTERNS[self.kind][0]) + 1)
        for day in (now.date() - ONE, now.date()):
            if any(self.window(day, one)[0] <= now < self.window(day, one)[1] for one in shifts):
                return day
        return now.date()

    def is_by_hand(self, day: date) -> bool:
        """Whether somebody has changed a day."""
        return any(by_hand for *_turn, by_hand in self.cells.get(day, ()))

    def fill(self, first: date, last: date) -> None:
        """Write the rotation into the days that have nothing."""
        day = first
        while day <= last:
            if not self.cells.get(day) and (turns := self.rotation(day)):
                self.cells[day] = turns
            day += ONE

    def cover(self, now: datetime) -> None:
        """Write the days up to 62 days ahead."""
        last = now.date() + AHEAD * ONE
        self.fill(self.covered + ONE if self.covered else max(START, now.date()), last)
        self.covered = max(last, self.covered or last)

    def forget(self, first: date) -> None:
        """Take the rotation out of the days from one on; days changed by hand stay whole."""
        for day in [one for one in self.cells if one >= first and not self.is_by_hand(one)]:
            del self.cells[day]

    def crew(self, day: date, numbers: set[int]) -> list[Turn]:
        """Who works some shifts of a day: as it is stored, else by the rotation."""
        turns = self.cells.get(day) or self.rotation(day)
        return [turn for turn in sorted(turns) if turn[0] in numbers and turn[1]]

    def staffed(self, name: str, day: date, number: int) -> tuple[str, frozenset[str]]:
        """Team and people of a task."""
        if self.rules[name].named:
            return "", frozenset({"repairer"})
        numbers = {number} if number else {1, 2, 3}
        crew, teams = self.crew(day, numbers), PATTERNS[self.kind][1]
        people = {person or CREWS[teams.index(team)] for _number, team, person, _by_hand in crew}
        only = {team for _number, team, _person, _by_hand in crew}
        return (only.pop() if len(only) == 1 else ""), frozenset(people or {LEADER})

    def wanted(self, name: str, day: date) -> dict[tuple[str, date, int, int], tuple[datetime, datetime]]:
        """The windows that a rule wants on a day."""
        one, shifts = self.rules[name], range(1, len(PATTERNS[self.kind][0]) + 1)
        if day < START or not (self.is_worked(day) or self.is_by_hand(day)):
            return {}
        if one.skips and self.holidays.get(day) == 1:
            return {}
        chosen = [number for number in shifts if one.shift in (None, number)]
        if one.frequency == 4 and one.shift is None:
            spans = [self.window(day, number) for number in shifts]
            return {(name, day, 0, 0): (min(begin for begin, _end in spans), max(end for _begin, end in spans))}
        found = {}
        for number in chosen:
            begin, end = self.window(day, number)
            cuts = [begin, begin + (end - begin) / 2, end] if one.frequency == 2 else [begin, end]
            for place, cut in enumerate(cuts[:-1]):
                found[name, day, number, place] = (cut, cuts[place + 1])
        return found

    def make(self, now: datetime, first: date, last: date) -> int:
        """Make what is missing; return how many."""
        made = 0
        for number in range((last - first).days + 1):
            for name in [name for name, one in self.rules.items() if one.enabled and not one.removed]:
                for key, (begin, end) in self.wanted(name, first + number * ONE).items():
                    if key not in self.tasks and end + GRACE > now:
                        self.tasks[key] = Task(begin, end, name, *self.staffed(name, key[1], key[2]))
                        made += 1
        return made

    def follow(self, days: set[date]) -> None:
        """Give the tasks of these days that nobody has begun to whoever works now."""
        for (name, day, number, _place), task in self.tasks.items():
            if day in days and task.status == OrderStatus.TODO:
                task.team, task.people = self.staffed(name, day, number)

    def turns(self, first: date) -> dict[date, set[tuple[int, str, str]]]:
        """Who works from a day on, whoever has said so."""
        return {day: {turn[:3] for turn in turns} for day, turns in self.cells.items() if day >= first}


class Life(RuleBasedStateMachine):
    """Two companies with the same plan; what is done in one changes nothing in the other, and then is done there."""

    cast: ClassVar[Cast]
    groups: ClassVar[dict[str, str]]
    who: ClassVar[dict[int, str]]

    @initialize(
        kind=st.sampled_from([4, 2]),
        mode=st.sampled_from([1, LEGAL, LEGAL]),
        enabled=st.sampled_from([True, True, False]),
    )
    def begin(self, kind: int, mode: int, enabled: bool) -> None:
        """Draw a plan and a rule."""
        self.savepoint = transaction.savepoint()
        self.now, self.world, self.plans = BEGIN, World(kind, mode), dict[str, str]()
        self.past: dict[date, set[Turn]] = {}
        self.told: tuple[Any, ...] = ({}, {}, 0)
        shifts, teams, *_row = PATTERNS[kind]
        for tenant in (A, B):
            self.plans[tenant] = planning.made(
                self.cast, tenant=tenant, patternType=kind, workdayMode=mode, status=1,
                shifts=planning.shifts(*shifts), teams=planning.teams(self.cast, teams, tenant),
            )  # fmt: skip
        if enabled:
            self.enable()
        self.keep("每班", Rule(1, None, named=False, skips=False))
        if enabled:
            self.make(0, 2, 1)
            self.start(0)

    def teardown(self) -> None:
        """Take everything back."""
        if hasattr(self, "savepoint"):
            transaction.savepoint_rollback(self.savepoint)

    # --- both companies, and what is compared

    def _state(self, tenant: str) -> tuple[Any, ...]:
        """What is stored in a company, in words."""
        with tenant_scope(tenant):
            cells: dict[date, set[Turn]] = {}
            for day, number, team, people, source in Cell.objects.values_list(
                "day", "shift__shift_no", "team__team_name", "user_ids", "source"
            ):
                stand_in = "".join(self.who[one] for one in people)
                cells.setdefault(day, set()).add((number, team or "", stand_in, source == 2))
            people_of: dict[int, set[str]] = {}
            for order_id, user_id in InspectCandidate.objects.values_list("order_id", "user_id"):
                people_of.setdefault(order_id, set()).add(self.who[user_id])
            names = dict(TaskRule.with_removed.values_list("pk", "rule_name"))
            tasks, voided = {}, 0
            for one in InspectOrder.objects.select_related("team", "shift").order_by("pk"):
                if one.status == OrderStatus.VOID:
                    voided += 1
                    continue
                day, place = one.business_date, int((one.gen_key or "").rpartition(":")[2])
                key = (names[one.rule_id or 0], day, one.shift.shift_no if one.shift else 0, place)
                assert key not in tasks, key
                team, people = str(one.team or ""), frozenset(people_of[one.pk])
                tasks[key] = (one.status, one.plan_start, one.plan_end, team, people)
        return cells, tasks, voided

    def _both(self, act: Any) -> Any:
        """Do the same in both companies, one after the other, and return what is answered there, or None for a no."""
        answers = []
        for tenant in (A, B):
            with clock.at(self.now):
                answers.append(act(tenant))
            # What the second one does to the first shows where both are compared with the model.
            assert tenant == B or self._state(B) == self.told, "the other company has changed"
        told = [
            {name: value for name, value in one.data.items() if name not in ("id", "warnings", "errors", "runId")}
            if one is not None and one.status == 200 else None
            for one in answers
        ]  # fmt: skip
        if answers[0] is not None:
            assert answers[0].status == answers[1].status in (200, 400, 403, 404, 409), answers
        assert told[0] == told[1]
        return told[0]

    def _check(self) -> None:
        """Compare what is stored with the model, and past days with what they were."""
        world = self.world
        expected = (
            {day: turns for day, turns in world.cells.items() if turns},
            {key: task.told() for key, task in world.tasks.items()},
            world.voided,
        )
        for tenant in (A, B):
            self.told = self._state(tenant)
            cells, tasks, voided = self.told
            wrong = {day: (cells.get(day), expected[0].get(day)) for day in {*cells, *expected[0]}}
            assert not {day: two for day, two in wrong.items() if two[0] != two[1]}, (tenant, self.now)
            many = {key: (tasks.get(key), expected[1].get(key)) for key in {*tasks, *expected[1]}}
            assert not {key: two for key, two in many.items() if two[0] != two[1]}, (tenant, self.now)
            assert voided == expected[2]
            for day, turns in self.past.items():
                assert cells.get(day, set()) == turns, f"{day} has passed"
        today = world.business(self.now)
        self.past.update({day: turns for day, turns in world.cells.items() if day < today})

    def _changed(self, first: date, act: Any) -> None:
        """Change the model's calendar, and let its tasks follow."""
        before = self.world.turns(first)
        act()
        after = self.world.turns(first)
        self.world.follow({day for day in {*before, *after} if before.get(day) != after.get(day)})

    def _change_plan(self, **values: Any) -> Any:
        def act(tenant: str) -> Any:
            return self.cast.client_for("equip_manager", tenant).change(CONFIG, {"id": self.plans[tenant], **values})

        return self._both(act)

    # --- the plan

    @precondition(lambda self: not self.world.enabled)
    @rule()
    def enable(self) -> None:
        """Somebody lets the plan count."""
        assert self._change_plan(status=2) is not None
        world, today = self.world, self.now.date()

        def act() -> None:
            world.enabled = True
            world.covered = max(world.covered, today - ONE) if world.covered else None
            world.is_stale = world.is_stale and world.covered is not None
            world.cover(self.now)

        self._changed(today, act)
        self._check()

    @precondition(lambda self: self.world.enabled)
    @rule(again=st.sampled_from([True, True, False]), day=st.integers(0, 3))
    def disable(self, again: bool, day: int) -> None:
        """Somebody lets the plan count no more, for a while mostly; what was changed by hand ahead stays."""
        if day:
            self.by_hand(day, [1, 0, 2, 3], "")
        assert self._change_plan(status=3) is not None
        world, today = self.world, self.now.date()
        world.enabled = False
        world.forget(today + ONE)
        world.covered = min(world.covered, today) if world.covered else None
        self._check()
        if again:
            self.enable()

    @precondition(lambda self: self.world.enabled)
    @rule(shift=st.integers(1, 6), ahead=st.integers(1, 4), is_off=st.booleans())
    def turn(self, shift: int, ahead: int, is_off: bool) -> None:
        """The rotation goes another way from a day on; perhaps right after a day off has come."""
        if is_off:
            self.holiday(ahead - 1, 1)
        world, effective = self.world, self.now.date() + ahead * ONE
        anchor = START + shift * ONE
        values = {"anchorDate": str(anchor), "effectiveDate": str(effective)}
        assert self._change_plan(**values) is not None

        def act() -> None:
            is_other, world.anchor = world.anchor != anchor, anchor
            if is_other:
                world.forget(effective)
                assert world.covered
                world.fill(effective, world.covered)
            world.cover(self.now)

        self.world.anchor, before = self.world.anchor, self.world.anchor
        if before != anchor:
            # The days before it are worked as it was until now.
            world.cover(self.now)
        self._changed(self.now.date(), act)
        self._check()

    # --- the calendar

    @rule(day=DAYS, order=st.permutations(range(4)), stand_in=st.sampled_from(STAND_INS))
    def by_hand(self, day: int, order: list[int], stand_in: str) -> None:
        """Somebody says who works on a day: teams in another order, a shift without one, somebody else in a team."""
        world = self.world
        shifts, teams, *_row = PATTERNS[world.kind]
        on = world.business(self.now) + day * ONE
        chosen = {
            number: teams[order[number - 1]] for number in range(1, len(shifts) + 1) if order[number - 1] < len(teams)
        }

        def act(tenant: str) -> Any:
            with tenant_scope(tenant):
                numbers = dict(Shift.objects.filter(plan=self.plans[tenant]).values_list("shift_no", "pk"))
                known = dict(ShiftTeam.objects.filter(plan=self.plans[tenant]).values_list("team_name", "pk"))
            teams_of = {number: str(known[team]) for number, team in chosen.items()}
            others = {1: str(self.cast.user(stand_in, tenant).pk)} if stand_in and 1 in chosen else {}
            cells = [
                {
                    "date": str(on), "shiftId": str(pk), "teamId": teams_of.get(number),
                    "userIds": others.get(number, ""),
                }
                for number, pk in numbers.items()
            ]  # fmt: skip
            body = {"id": self.plans[tenant], "startDate": str(on), "endDate": str(on), "cells": cells}
            return self.cast.client_for(LEADER, tenant).post_json(f"{CONFIG}/schedulingSubmit", body)

        answer = self._both(act)
        assert (answer is not None) == (world.enabled and day >= 0 and on >= START)
        if answer is not None:
            rotated = {turn[:2] for turn in world.rotation(on)}
            kept = set(chosen.items())
            lost = {number for number, team in rotated if (number, team) not in kept}
            turns = set()
            for number, team in kept:
                person = stand_in if number == 1 else ""
                turns.add((number, team, person, (number, team) not in rotated or bool(person) or number in lost))
            turns |= {(number, "", "", True) for number in lost - set(chosen)}
            self._answered(answer, on, on, lambda: world.cells.update({on: turns}))

    @rule(back=st.integers(1, 2))
    def past(self, back: int) -> None:
        """Somebody tries to change days that have passed."""
        self.by_hand(-back, [1, 0, 2, 3], "")
        self.reset(-back, back)

    @rule(day=DAYS, more=st.integers(0, 3))
    def reset(self, day: int, more: int) -> None:
        """Somebody lets the rotation say who works on some days."""
        world = self.world
        first = world.business(self.now) + day * ONE
        last = first + more * ONE

        def act(tenant: str) -> Any:
            body = {"id": self.plans[tenant], "startDate": str(first), "endDate": str(last), "resetToPattern": 1}
            return self.cast.client_for("equip_manager", tenant).post_json(f"{CONFIG}/schedulingSubmit", body)

        answer = self._both(act)
        assert (answer is not None) == (world.enabled and day >= 0 and first >= START)
        if answer is not None:

            def forget() -> None:
                for number in range((last - first).days + 1):
                    world.cells.pop(first + number * ONE, None)
                world.fill(first, min(last, world.covered or last))

            self._answered(answer, first, last, forget)

    def _answered(self, answer: Any, first: date, last: date, act: Any) -> None:
        """Change days of the model by hand; the answer counts them, and the tasks that others have now."""
        world = self.world
        span = [first + number * ONE for number in range((last - first).days + 1)]
        before = {day: set(world.cells.get(day) or world.rotation(day)) for day in span}
        held = {key: (task.team, task.people) for key, task in world.tasks.items()}
        act()
        changed = {day for day in span if (world.cells.get(day) or world.rotation(day)) != before[day]}
        world.follow(changed)
        others = sum((task.team, task.people) != held[key] for key, task in world.tasks.items())
        assert (answer["days"], answer["reassignedTasks"]) == (len(changed), others)
        self._check()

    @rule(day=st.integers(-2, 4), kind=st.sampled_from([1, 2]))
    def holiday(self, day: int, kind: int) -> None:
        """A day off comes, or a day that is worked; the same day again takes it away."""
        world, on = self.world, self.now.date() + day * ONE

        def act(tenant: str) -> None:
            caller = self.cast.client_for("tenant_admin", tenant)
            with tenant_scope(tenant):
                known = Holiday.objects.filter(day=on).values_list("pk", flat=True).first()
            if known is not None:
                ok(caller.post_json("yuzhu-equip/holiday/remove", ids=str(known)))
                return
            ok(caller.post_json("yuzhu-equip/holiday/submit", {"day": str(on), "dayType": kind, "name": "厂休"}))

        self._both(act)
        if world.holidays.pop(on, None) is None:
            world.holidays[on] = kind
        world.is_stale = world.covered is not None
        self._check()

    # --- rules and tasks

    @rule(
        name=st.sampled_from(["每班", "每日", "半班"]), frequency=st.sampled_from([1, 4, 2]),
        shift=st.sampled_from([None, 1, 2]), named=st.booleans(), skips=st.booleans(),
    )  # fmt: skip
    def store(self, name: str, frequency: int, shift: int | None, named: bool, skips: bool) -> None:
        """A rule comes, or is changed."""
        self.keep(name, Rule(frequency, shift, named, skips))

    def keep(self, name: str, kept: Rule) -> None:
        """Store a rule by the call that makes tasks too."""

        def act(tenant: str) -> Any:
            with tenant_scope(tenant):
                numbers = dict(Shift.objects.filter(plan=self.plans[tenant]).values_list("shift_no", "pk"))
                found = TaskRule.objects.filter(rule_name=name).values_list("pk", flat=True).first()
            body = {
                "groupId": self.groups[tenant], "ruleName": name, "frequency": kept.frequency,
                "skipHoliday": int(kept.skips), "shiftIds": str(numbers[kept.shift]) if kept.shift else "",
                "assignMode": 2 if kept.named else 1, "enabled": int(kept.enabled),
                "userIds": str(self.cast.user("repairer", tenant).pk) if kept.named else "",
                **({"ruleId": str(found)} if found else {}),
            }  # fmt: skip
            asked = {"id": self.plans[tenant], "rules": [body]}
            return self.cast.client_for("equip_manager", tenant).post_json(f"{CONFIG}/saveMakeTask", asked)

        assert self._both(act)["saved"] == 1
        self.world.rules[name] = kept
        self._check()

    @rule(place=st.integers(0, 2), away=st.booleans())
    def drop(self, place: int, away: bool) -> None:
        """A rule is switched off, or removed; its tasks stay."""
        there = sorted(name for name, one in self.world.rules.items() if not one.removed)
        if len(there) <= place:
            return
        name, one = there[place], self.world.rules[there[place]]
        if not away:
            self.keep(name, replace(one, enabled=False))
            return

        def act(tenant: str) -> Any:
            with tenant_scope(tenant):
                pk = TaskRule.objects.get(rule_name=name).pk
            asked = {"id": self.plans[tenant], "removedRuleIds": str(pk)}
            return self.cast.client_for("equip_manager", tenant).post_json(f"{CONFIG}/saveMakeTask", asked)

        assert self._both(act)["removed"] == 1
        # Whoever adds a rule of this name again has another one, with tasks of its own.
        gone = f"{name}†{len(self.world.rules)}"
        self.world.rules[gone] = self.world.rules.pop(name)
        self.world.rules[gone].removed = True
        for tenant in (A, B):
            with tenant_scope(tenant):
                TaskRule.with_removed.filter(rule_name=name, is_deleted=True).update(rule_name=gone)
        self.world.tasks = {
            (gone if key[0] == name else key[0], *key[1:]): task for key, task in self.world.tasks.items()
        }
        self._check()

    @rule(day=DAYS, more=st.integers(0, 3), mode=st.sampled_from([1, 2]))
    def make(self, day: int, more: int, mode: int) -> None:
        """Somebody makes the tasks of some days, or makes those anew that nobody has begun and that lie ahead."""
        world = self.world
        first = world.business(self.now) + day * ONE
        last = first + more * ONE

        def act(tenant: str) -> Any:
            span = {"startDate": str(first), "endDate": str(last), "mode": mode}
            asked = {"id": self.plans[tenant], "generate": span}
            return self.cast.client_for("equip_manager", tenant).post_json(f"{CONFIG}/saveMakeTask", asked)

        answer = self._both(act)
        assert (answer is not None) == (world.enabled and day >= 0)
        if answer is None:
            return
        voided = 0
        if mode == 2:
            for key in [
                key
                for key, task in world.tasks.items()
                if first <= key[1] <= last and task.status == OrderStatus.TODO and task.begin > self.now
                and world.rules[key[0]].enabled and not world.rules[key[0]].removed
            ]:  # fmt: skip
                del world.tasks[key]
                voided += 1
        world.voided += voided
        assert (answer["voided"], answer["created"]) == (voided, world.make(self.now, first, last))
        self._check()

    @rule(place=st.integers(0, 7))
    def start(self, place: int) -> None:
        """Somebody begins a task, which then stays with its people."""
        tasks = sorted(self.world.tasks.items(), key=lambda one: (one[1].begin, one[1].end, one[0]))
        may = [
            (key, task)
            for key, task in tasks
            if task.status == OrderStatus.TODO and task.begin - GRACE <= self.now <= task.end + GRACE
        ]
        if not may:
            return
        key, task = may[place % len(may)]

        def act(tenant: str) -> None:
            with tenant_scope(tenant):
                rows = InspectOrder.objects.filter(
                    rule__rule_name=key[0], business_date=key[1], gen_key__endswith=f":{key[2]}:{key[3]}"
                )
                pk = rows.get().pk
            ok(self.cast.client_for("equip_manager", tenant).post_json(f"{ORDERS}/start", {"id": str(pk)}))

        self._both(act)
        task.status = OrderStatus.IN_PROGRESS
        self._check()

    @rule(hours=st.sampled_from([7, 24, 17, 50]))
    def wait(self, hours: int) -> None:
        """Time passes, and the jobs run: the calendar and the tasks of the days ahead, and what nobody has done."""
        self.now += timedelta(hours=hours)

        def act(tenant: str) -> None:
            with tenant_scope(tenant), acting(system(tenant)):
                calendar.cover_tenant()
                generation.cover_tenant()
                sweep.miss_due()

        self._both(act)
        world, tomorrow = self.world, self.now.date() + ONE
        if world.enabled:

            def renew() -> None:
                if world.mode == LEGAL and world.is_stale:
                    world.forget(tomorrow)
                    world.fill(tomorrow, world.covered or tomorrow)

            self._changed(tomorrow, renew)
            world.is_stale = False
            world.cover(self.now)
            first = world.business(self.now)
            world.make(self.now, first, first + 2 * ONE)
        for task in world.tasks.values():
            if task.status in (OrderStatus.TODO, OrderStatus.IN_PROGRESS) and task.end + GRACE < self.now:
                task.status = OrderStatus.MISSED
        self._check()


def test_the_life_of_a_schedule_under_drawn_acts(cast: Cast) -> None:
    Life.cast, Life.groups, Life.who = cast, {}, {}
    for tenant in (A, B):
        Life.groups[tenant] = route(cast, points=1, items=(PRESSURE,), tenant=tenant)
        Life.who |= {cast.user(who, tenant).pk: who for who in (*CREWS, "repairer2", "equip_manager")}
    run_machine(
        Life,
        settings=settings(
            max_examples=EXAMPLES, stateful_step_count=STEPS, deadline=None, derandomize=True, database=None,
            phases=[Phase.generate], suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip
