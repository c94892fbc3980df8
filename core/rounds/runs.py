"""Tasks that are made in the background: some days with each message, so that others are served in between.

A message that is delivered twice, or after the worker was killed, makes nothing twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from core import ports
from core.kernel import clock, outbox
from core.rounds import generation
from core.rounds.models import MakingState, TaskRule, TaskRun
from core.rounds.planning import Planned
from core.shifts.models import Plan, PlanStatus

TOPIC = "rounds.make"
MOST_AT_ONCE = 300
"""Tasks that are made while the person waits; more of them are made in the background."""
MOST_IN_MESSAGE = 1000
"""Tasks that are made with one message: enough of them that reading what is checked at the points is worth it."""
BUSINESS = "configinfo"


def begin(plan: Plan, rules: Sequence[TaskRule], first: date, last: date, user_id: int) -> TaskRun:
    """Begin to make the tasks of a span of days once the transaction is committed."""
    run = TaskRun(
        config=plan, user_id=user_id, rule_ids=[rule.pk for rule in rules], first=first, last=last,
        total=(last - first).days + 1,
    )  # fmt: skip
    run.save(force_insert=True)
    outbox.send(TOPIC, {"id": run.pk, "day": 0})
    return run


def listen() -> None:
    """Take the messages."""
    outbox.handler(TOPIC, if_given_up=_give_up)(_go_on)


def _go_on(message_id: int, payload: Mapping[str, Any]) -> None:
    """Make the tasks of some days."""
    run = TaskRun.objects.select_for_update(of=("self",)).select_related("config").filter(pk=payload["id"]).first()
    if run is None or run.state != MakingState.RUNNING or payload["day"] < run.done:
        return
    plan = run.config
    if plan.status != PlanStatus.ENABLED or plan.is_deleted:
        _end(run, MakingState.FAILED, "排班方案未启用，不能生成任务")
        return
    rules = generation.rules_of(plan, run.rule_ids)
    first = run.first + timedelta(days=run.done)
    found = generation.planned(plan, rules, first, run.last)
    days = _days_at_once(found, first, run.last)
    last = first + timedelta(days=days - 1)
    run.created += generation.store(plan, [one for one in found if one.slot.day <= last]).created
    run.done += days
    if run.done < run.total:
        run.save()
        outbox.send(TOPIC, {"id": run.pk, "day": run.done})
    else:
        _end(run, MakingState.DONE)


def _days_at_once(found: Sequence[Planned], first: date, last: date) -> int:
    """Return how many days are made with one message: as many as have not too many tasks, and one at least."""
    made, days = 0, 0
    for number in range((last - first).days + 1):
        day = first + timedelta(days=number)
        made += sum(one.is_made and one.slot.day == day for one in found)
        if days and made > MOST_IN_MESSAGE:
            break
        days += 1
    return days


def _give_up(payload: Mapping[str, Any], error: Exception) -> None:
    run = TaskRun.objects.filter(pk=payload["id"], state=MakingState.RUNNING).first()
    if run is not None:
        _end(run, MakingState.FAILED, f"{type(error).__name__}: {error}"[:500])


def _end(run: TaskRun, state: MakingState, reason: str = "") -> None:
    run.state, run.reason, run.end_time = state, reason, clock.now()
    run.save()
    name, span = run.config.config_name, f"{run.first} – {run.last}"
    if state == MakingState.DONE:
        title = f"点检任务已生成：{name}", f"Inspection tasks made: {name}"
        content = f"{span}，共生成{run.created}个任务。", f"{span}: {run.created} tasks made."
    else:
        title = f"点检任务生成失败：{name}", f"Inspection tasks not made: {name}"
        content = f"{span}：{reason}", f"{span}: {reason}"
    ports.messages.send([run.user_id], title, content, BUSINESS, run.config_id)
