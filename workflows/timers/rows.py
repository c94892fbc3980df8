"""Keeping the timer rows of an instance in step with what its engine waits for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_duration

from core.kernel import clock, writes
from core.kernel.compiled import Compiled
from core.kernel.tenancy import current_tenant
from workflows import engine
from workflows.timers.models import Timer

Dues = Mapping[str, Callable[[Any], datetime | None]]
_OF_INSTANCE = Compiled(lambda instance_id: Timer.objects.filter(instance_id=instance_id))


def due_time(kind: str, text: str, record: Any, dues: Dues) -> datetime | None:
    """When a timer falls due: by the record's function, at an ISO date, or an ISO duration or cycle from now."""
    if kind == "due":
        if text not in dues:
            raise engine.ExpressionError(text, "没有这个到期函数", "there is no such due function")
        return dues[text](record)
    if kind == "date":
        moment = datetime.fromisoformat(text)
        return moment if moment.tzinfo else timezone.make_aware(moment)
    duration = parse_duration(engine.length_of(text) if kind == "cycle" else text)
    if duration is None:
        raise engine.ExpressionError(text, "只支持天、时、分、秒", "only days, hours, minutes and seconds")
    return clock.now() + duration


def keep(
    instance_id: int, open_timers: Iterable[engine.OpenTimer], record: Any, dues: Dues, *, is_new: bool = False
) -> None:
    """Make the rows be the engine's open timers, and ask the due functions of all of them again."""
    rows = {} if is_new else {row.engine_task: row for row in _OF_INSTANCE.rows(instance_id)}
    new: list[Timer] = []
    moved: list[Timer] = []
    for timer in open_timers:
        row = rows.pop(timer.task, None)
        if row is None:
            new.append(
                Timer(
                    tenant_id=current_tenant(),
                    instance_id=instance_id,
                    engine_task=timer.task,
                    node=timer.node,
                    kind=timer.kind,
                    text=timer.text,
                    due_time=due_time(timer.kind, timer.text, record, dues),
                )
            )
        elif row.kind == "due" and row.due_time != (due := due_time(row.kind, row.text, record, dues)):
            row.due_time = due
            moved.append(row)
    if rows:
        Timer.objects.filter(pk__in=[row.pk for row in rows.values()]).delete()
    writes.insert(new)
    if moved:
        Timer.objects.bulk_update(moved, ["due_time"])


def try_again(instance_id: int) -> None:
    """Timers of the instance that failed too often, or were put off, are due now."""
    failed = Timer.objects.filter(instance_id=instance_id, attempts__gt=0)
    failed.update(is_parked=False, attempts=0, due_time=datetime.now(UTC))


def ask_again(instance_id: int, record: Any, dues: Dues) -> None:
    """Ask the due functions again after the record changed without a step."""
    for row in Timer.objects.filter(instance_id=instance_id, kind="due"):
        due = dues[row.text](record)
        if due != row.due_time:
            Timer.objects.filter(pk=row.pk).update(due_time=due)
