"""The timer rows of an instance, kept in step with the timers that its engine reports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from django.utils import timezone

from core.kernel import clock
from core.kernel.tenancy import current_tenant
from core.scheduling import turns
from core.statements import writes
from core.statements.compiled import Compiled
from workflows import engine
from workflows.runtime.tables.timers.models import Timer

TIMERS = turns.Queue("timers", Timer, "timers.sweep", budget="events")
Dues = Mapping[str, Callable[[Any], datetime | None]]
_OF_INSTANCE = Compiled(lambda instance_id: Timer.objects.filter(instance_id=instance_id))


def due_time(kind: str, text: str, record: Any, dues: Dues) -> datetime | None:
    """Return when a timer falls due: as the record's function says, at its moment, or its length from now.

    A moment without a zone, months and days are those of the tenant's time zone.
    """
    if kind == "due":
        if text not in dues:
            raise engine.ExpressionError(text, "该到期函数不存在", "this due function does not exist")
        return dues[text](record)
    if kind == "date":
        moment = datetime.fromisoformat(text)
        return moment if moment.tzinfo else timezone.make_aware(moment)
    return engine.due_after(timezone.localtime(clock.now()), text)


def keep(
    instance_id: int, open_timers: Iterable[engine.OpenTimer], record: Any, dues: Dues, *, is_new: bool = False
) -> tuple[dict[str, datetime], list[Timer]]:
    """Store the engine's open timers, and compute the due times of those with a due function again.

    Returns by node when its timer falls due, without those that fall due at no time for now, and the timers that ended.
    """
    kept: list[Timer] = []
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
            continue
        kept.append(row)
        if row.kind == "due" and row.due_time != (due := due_time(row.kind, row.text, record, dues)):
            row.due_time = due
            moved.append(row)
    if rows:
        Timer.objects.filter(pk__in=[row.pk for row in rows.values()]).delete()
    writes.insert(new)
    if moved:
        Timer.objects.bulk_update(moved, ["due_time"])
    return _by_node([*kept, *new]), list(rows.values())


def _by_node(rows: Iterable[Timer]) -> dict[str, datetime]:
    """Return the first due time at each node."""
    found: dict[str, datetime] = {}
    for row in rows:
        if row.due_time is not None:
            found[row.node] = min(row.due_time, found.get(row.node, row.due_time))
    return found


def try_again(instance_id: int) -> None:
    """Make the failed or postponed timers of the instance due now."""
    failed = Timer.objects.filter(instance_id=instance_id, attempts__gt=0)
    failed.update(is_parked=False, attempts=0, due_time=datetime.now(UTC))


def nodes(instance_id: int) -> set[str]:
    """Return the events whose timers wait."""
    return set(Timer.objects.filter(instance_id=instance_id).values_list("node", flat=True))


def sleep(timer: Timer) -> None:
    """Let a timer that is due sleep while its instance stands still, so that no sweep looks at it in vain."""
    timer.is_asleep = True
    timer.save(update_fields=["is_asleep"])


def wake(instances: Iterable[Any]) -> None:
    """Make the sleeping timers of these instances due now, ids or a queryset of ids."""
    Timer.objects.filter(instance_id__in=instances, is_asleep=True).update(**turns.woken())


def ask_again(instance_id: int, record: Any, dues: Dues) -> dict[str, datetime]:
    """Compute the due times again after the record changed without a step, and return them by node."""
    rows = _OF_INSTANCE.rows(instance_id)
    for row in rows:
        if row.kind == "due" and (due := dues[row.text](record)) != row.due_time:
            row.due_time = due
            Timer.objects.filter(pk=row.pk).update(due_time=due)
    return _by_node(rows)
