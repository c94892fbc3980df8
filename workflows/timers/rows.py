"""Keeping the timer rows of an instance in step with what its engine waits for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from core.kernel import clock
from core.kernel.tenancy import current_tenant
from workflows.engine import EngineError, OpenTimer
from workflows.timers.models import Timer

Dues = Mapping[str, Callable[[Any], datetime | None]]
_DURATION = re.compile(r"P(?:(?P<weeks>\d{1,4})W)?(?:(?P<days>\d{1,5})D)?(?:T(?:(?P<hours>\d{1,5})H)?(?:(?P<minutes>\d{1,6})M)?(?:(?P<seconds>\d{1,8})S)?)?")


def _due(kind: str, text: str, record: Any, dues: Dues) -> datetime | None:
    """When a timer falls due: by the record's function, at an ISO date, or an ISO duration from now."""
    if kind == "due":
        return dues[text](record)
    if kind == "date":
        moment = datetime.fromisoformat(text)
        return moment if moment.tzinfo else timezone.make_aware(moment)
    match = _DURATION.fullmatch(text)
    if match is None:
        raise EngineError(f"{text!r} is not an ISO duration")
    return clock.now() + timedelta(**{unit: int(amount) for unit, amount in match.groupdict().items() if amount})


def keep(instance_id: int, open_timers: Iterable[OpenTimer], record: Any, dues: Dues) -> None:
    """Make the rows be the engine's open timers, and ask the due functions of all of them again."""
    rows = {row.engine_task: row for row in Timer.objects.filter(instance_id=instance_id)}
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
                    due_time=_due(timer.kind, timer.text, record, dues),
                )
            )
        elif row.kind == "due" and row.due_time != (due := _due(row.kind, row.text, record, dues)):
            row.due_time = due
            moved.append(row)
    if rows:
        Timer.objects.filter(pk__in=[row.pk for row in rows.values()]).delete()
    if new:
        Timer.objects.bulk_create(new)
    if moved:
        Timer.objects.bulk_update(moved, ["due_time"])


def ask_again(instance_id: int, record: Any, dues: Dues) -> None:
    """Ask the due functions again after the record changed without a step."""
    for row in Timer.objects.filter(instance_id=instance_id, kind="due"):
        due = dues[row.text](record)
        if due != row.due_time:
            Timer.objects.filter(pk=row.pk).update(due_time=due)
