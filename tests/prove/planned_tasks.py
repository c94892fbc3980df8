"""The part of the proof of inspection tasks that runs inside: a plan with many routes, disturbance, what came of it."""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from datetime import date, timedelta
from typing import Any

from django.db import transaction

from core.inspection.models import Route, RoutePoint
from core.kernel import clock
from core.kernel.actor import acting, system
from core.kernel.errors import Refusal
from core.kernel.ids import next_id
from core.kernel.tenancy import tenant_scope
from core.rounds import generation, operations
from core.rounds.models import (
    Frequency,
    InspectCandidate,
    InspectOrder,
    InspectOrderDetail,
    MakingState,
    OrderStatus,
    TaskRule,
    TaskRun,
)
from core.scheduling import outbox
from core.scheduling.models import OutboxMessage
from core.shifts.models import Plan
from core.shifts.queries import business_date_of
from tests.cast import A, Cast
from tests.core.rounds import walking

TIMES = (2, 3, 4)
"""How often in a shift the rules want their routes inspected, at one time or another."""


def plant(routes: int, points: int) -> str:
    """Return the id of a plan of three shifts with so many routes of so many points, each inspected once a day."""
    cast = Cast()
    plan, first = int(walking.plan(cast)), int(walking.route(cast, points=points))
    with tenant_scope(A), acting(system(A)):
        pattern = Route.objects.get(pk=first)
        rows = list(RoutePoint.objects.filter(group=first).order_by("sort", "pk"))
        for number in range(2, routes + 1):
            route = _copy(pattern, group_code=f"R{number}", group_name=f"路线R{number}")
            for place, row in enumerate(rows, start=1):
                _copy(row, group_id=route.pk, point_code=f"R{number}-{place}")
        TaskRule.objects.bulk_create(
            TaskRule(config_id=plan, group=route, rule_name=f"每日{route.group_code}", frequency=Frequency.DAILY)
            for route in Route.objects.order_by("pk")
        )
    return str(plan)


def _copy(row: Any, **changes: Any) -> Any:
    """Store the row again, with another id and these changes."""
    names = [field.attname for field in row._meta.concrete_fields if field.attname != "id"]
    new = type(row)(id=next_id(), **{**{name: getattr(row, name) for name in names}, **changes})
    new.save(force_insert=True)
    return new


def _span(plan: Plan, days: int) -> tuple[date, date]:
    """From tomorrow on: of today some have begun."""
    first = business_date_of(plan, clock.now()) + timedelta(days=1)
    return first, first + timedelta(days=days - 1)


def _asked(plan: Plan, days: int, mode: int) -> dict[str, Any]:
    first, last = _span(plan, days)
    return {"startDate": first, "endDate": last, "mode": mode}


def make(plan_id: int, days: int) -> dict[str, Any]:
    """Make the tasks of so many days with one call, and deliver what it left; returns the seconds and the messages."""
    actor = Cast().actor_for("equip_manager", A)
    began, messages = time.monotonic(), 0
    with tenant_scope(A), acting(actor):
        plan = Plan.objects.get(pk=plan_id)
        with transaction.atomic():
            answer = operations.make(actor, plan, [], _asked(plan, days, operations.APPEND))
    called = time.monotonic() - began
    done: list[int] = []
    while OutboxMessage.objects.filter(topic="rounds.make").exists():
        messages += outbox.deliver_due(limit=1)
        with tenant_scope(A):
            done.append(TaskRun.objects.get(pk=answer["runId"]).done)
    seconds = time.monotonic() - began
    with tenant_scope(A):
        run = TaskRun.objects.get(pk=answer["runId"])
        return {
            "called": called, "seconds": seconds, "messages": messages, "created": run.created,
            "is_done": run.state == MakingState.DONE, "progress": sorted(set(done)),
        }  # fmt: skip


def disturb(plan_id: int, days: int, rounds: int, seed: int) -> int:
    """Make tasks, make them anew, cover the coming days, deliver, and change rules, in a drawn order."""
    actor, draw = Cast().actor_for("equip_manager", A), random.Random(seed)
    sys.stdout.buffer.write(b"begun\n")
    sys.stdout.buffer.flush()
    for _ in range(rounds):
        act = draw.choice(("append", "append", "rebuild", "cover", "deliver", "deliver", "rule", "rule"))
        if act == "deliver":
            outbox.deliver_due()
            continue
        with tenant_scope(A), acting(actor):
            plan = Plan.objects.get(pk=plan_id)
            if act == "cover":
                generation.cover_tenant()
            elif act == "rule":
                pk = draw.choice(list(TaskRule.objects.order_by("pk").values_list("pk", flat=True)))
                TaskRule.objects.filter(pk=pk).update(
                    frequency=draw.choice((Frequency.DAILY, Frequency.TIMES_A_SHIFT)),
                    times_per_shift=draw.choice(TIMES),
                    enabled=draw.random() < 0.8,
                )
            else:
                mode = operations.REBUILD if act == "rebuild" else operations.APPEND
                try:
                    with transaction.atomic():
                        operations.make(actor, plan, [], _asked(plan, draw.randint(1, days), mode))
                except Refusal:
                    pass
    return rounds


def check(plan_id: int, days: int) -> dict[str, Any]:
    """Make all anew undisturbed, and hold each task of the coming days against what the rules say of it."""
    actor = Cast().actor_for("equip_manager", A)
    _deliver_all()
    with tenant_scope(A), acting(actor):
        TaskRule.objects.update(enabled=True)
        plan = Plan.objects.get(pk=plan_id)
        first, last = _span(plan, days)
        with transaction.atomic():
            operations.make(actor, plan, [], _asked(plan, days, operations.REBUILD))
    _deliver_all()
    with tenant_scope(A), acting(actor):
        rules = generation.rules_of(plan)
        facts = generation.facts_of(plan, rules, first, last)
        facts = type(facts)(**{**vars(facts), "existing": frozenset()})
        wanted = {
            one.key: (one.slot.begin, one.slot.end, one.team_id, tuple(sorted(one.user_ids)))
            for one in generation.planning.plan(rules, facts, first, last, clock.now())
            if one.is_made
        }
        again = sum(one.is_made for one in generation.planned(plan, rules, first, last))
        live = list(
            InspectOrder.objects.filter(business_date__gte=first, business_date__lte=last).exclude(
                status=OrderStatus.VOID
            )
        )
        ids = [one.pk for one in live]
        people: dict[int, list[int]] = {}
        for order_id, user_id in InspectCandidate.objects.filter(order__in=ids).values_list("order_id", "user_id"):
            people.setdefault(order_id, []).append(user_id)
        points: Counter[int] = Counter()
        seen: set[tuple[int, int]] = set()
        doubled = 0
        for row in InspectOrderDetail.objects.filter(order__in=ids).values_list("order_id", "point_id"):
            doubled += row in seen
            seen.add(row)
            points[row[0]] += 1
        stored = {
            one.gen_key: (one.plan_start, one.plan_end, one.team_id, tuple(sorted(people.get(one.pk, ()))))
            for one in live
        }
        wrong = [f"{key} is missing" for key in wanted.keys() - stored.keys()]
        wrong += [f"{key} is wanted by no rule" for key in stored.keys() - wanted.keys()]
        wrong += [
            f"{key}: {stored[key]}, not {wanted[key]}"
            for key in stored.keys() & wanted.keys()
            if stored[key] != wanted[key]
        ]
        wrong += [f"{len(live) - len(stored)} tasks share a key"] if len(live) != len(stored) else []
        wrong += [
            f"{one.gen_key} has {points[one.pk]} points of {one.point_total}"
            for one in live
            if points[one.pk] != one.point_total
        ]
        wrong += [f"{doubled} points stand twice in their task"] if doubled else []
        wrong += [f"{again} tasks are still to be made"] if again else []
        numbers = InspectOrder.objects.values_list("order_no", flat=True)
        wrong += ["numbers of tasks are given twice"] if len(numbers) != len(set(numbers)) else []
        runs = Counter(TaskRun.objects.values_list("state", flat=True))
        wrong += [f"{runs[MakingState.RUNNING]} makings have not ended"] if runs[MakingState.RUNNING] else []
        void = InspectOrder.objects.filter(status=OrderStatus.VOID).count()
    parked = OutboxMessage.objects.filter(is_parked=True).count()
    wrong += [f"{parked} messages are parked"] if parked else []
    return {"tasks": len(live), "voided": void, "makings": sum(runs.values()), "wrong": sorted(wrong)}


def _deliver_all() -> None:
    while OutboxMessage.objects.filter(is_parked=False, due_time__lte=clock.now()).exists():
        outbox.deliver_due()
