"""Which steps are overdue: a deadline that is drawn round them has passed while they wait.

A deadline is a timer on the step, or on a sub-process round it, that breaks nothing off: a reminder, an escalation. It
begins with what it is drawn on. So where a step waits and a timer round it waits no more, that timer has fired.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.kernel import clock
from workflows import engine
from workflows.worklist.models import WorkItem

_NONE: frozenset[str] = frozenset()


def passed(
    items: Iterable[WorkItem], specification: engine.Specification, timers: Iterable[engine.OpenTimer]
) -> list[WorkItem]:
    """Note in memory which of these open items are overdue; answers those that were not before."""
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
    """Store which of these open items are overdue since this step; no statement where none is."""
    if late := passed(items, specification, timers):
        WorkItem.objects.filter(pk__in=[item.pk for item in late]).update(late_time=clock.now())
