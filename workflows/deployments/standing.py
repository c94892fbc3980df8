"""How what runs on versions stands, for the company in scope: how many run, are overdue, have failed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from workflows.instances.models import InstanceStatus, ProcessInstance
from workflows.worklist.models import ItemState, WorkItem

NOTHING = {"running": 0, "overdue": 0, "failed": 0}


def overdue() -> Exists:
    """Of an instance: whether one of its steps waits although a deadline drawn round it has passed.

    That is the deadline of the drawing (see worklist/deadlines.py); what a record says of itself, such as an order's
    own mark of being late, does not count.
    """
    return Exists(WorkItem.objects.filter(instance=OuterRef("pk"), state=ItemState.OPEN, late_time__isnull=False))


def by_key(keys: Iterable[str]) -> dict[str, dict[str, int]]:
    """By model key `running`, `overdue` and `failed`, which stands still until somebody looks after it; one statement.

    Keys on which nothing runs are left out.
    """
    return _counted(ProcessInstance.objects.filter(definition__key__in=list(keys)), "definition__key")


def by_version(ids: Iterable[int]) -> dict[int, dict[str, int]]:
    """The same by definition."""
    return _counted(ProcessInstance.objects.filter(definition__in=list(ids)), "definition")


def _counted(rows: QuerySet[Any], by: str) -> dict[Any, dict[str, int]]:
    counted = (
        rows.filter(status=InstanceStatus.RUNNING)
        .order_by()
        .values_list(by)
        .annotate(
            runs=Count("pk"),
            late=Count("pk", filter=overdue()),
            parked=Count("pk", filter=Q(park_time__isnull=False)),
        )
    )
    return {found: {"running": runs, "overdue": late, "failed": parked} for found, runs, late, parked in counted}
