"""How what runs on versions stands, for the company in scope: how many run, are overdue, have failed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, Q, QuerySet

from workflows.runtime.rows import deadlines
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance

NOTHING = {"running": 0, "overdue": 0, "failed": 0}


def by_key(keys: Iterable[str]) -> dict[str, dict[str, int]]:
    """By model key `running`, `overdue` and `failed`, which stands still until somebody looks after it; one statement.

    Keys on which nothing runs are left out.
    """
    return _counted(ProcessInstance.objects.filter(definition__key__in=list(keys)), "definition__key")


def by_version(ids: Iterable[int]) -> dict[int, dict[str, int]]:
    """Return the same by definition."""
    return _counted(ProcessInstance.objects.filter(definition__in=list(ids)), "definition")


def _counted(rows: QuerySet[Any], by: str) -> dict[Any, dict[str, int]]:
    counted = (
        rows.filter(status=InstanceStatus.RUNNING)
        .order_by()
        .values_list(by)
        .annotate(
            runs=Count("pk"),
            late=Count("pk", filter=deadlines.overdue()),
            parked=Count("pk", filter=Q(park_time__isnull=False)),
        )
    )
    return {found: {"running": runs, "overdue": late, "failed": parked} for found, runs, late, parked in counted}
