"""Overdue steps: a deadline that is drawn on the step has passed while the step waits.

A deadline is a non-interrupting timer on the step or on a sub-process around it. It starts with the activity that it
is attached to; so a step whose deadline timer no longer waits is overdue.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db.models import Exists, OuterRef

from core.kernel import clock
from workflows import engine
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

_NONE: frozenset[str] = frozenset()


def passed(
    items: Iterable[WorkItem], specification: engine.Specification, timers: Iterable[engine.OpenTimer]
) -> list[WorkItem]:
    """Mark in memory which of these open items are overdue, and return those that were not before."""
    waiting = {timer.node for timer in timers}
    late = [
        item
        for item in items
        if item.late_time is None and not specification.deadlines.get(item.node, _NONE) <= waiting
    ]
    for item in late:
        item.late_time = clock.now()
    return late


def keep(items: Iterable[WorkItem], specification: engine.Specification, timers: Iterable[engine.OpenTimer]) -> None:
    """Store which of these open items have become overdue with this step; no statement where none has."""
    if late := passed(items, specification, timers):
        WorkItem.objects.filter(pk__in=[item.pk for item in late]).update(late_time=clock.now())


def due(node: str, specification: engine.Specification, dues: Mapping[str, datetime]) -> datetime | None:
    """Return when the first deadline round this step passes, given by node when timers fall due."""
    drawn = specification.deadlines.get(node)
    return min((dues[timer] for timer in drawn if timer in dues), default=None) if drawn else None


def overdue() -> Exists:
    """Return the condition on instances that one of their open steps is past a deadline drawn round it.

    A record's own mark of being late, such as that of a repair order, does not count.
    """
    return Exists(WorkItem.objects.filter(instance=OuterRef("pk"), state=ItemState.OPEN, late_time__isnull=False))
