"""What history says of versions: how often people did each step, how long it took them, where it waits."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Count, DurationField, ExpressionWrapper, F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.worklist.models import NOT_OVER, ItemState, WorkItem

DAYS = 90
"""How far back is asked where nobody says it."""
MAX_DAYS = 366
OVER = [status for status in InstanceStatus if status != InstanceStatus.RUNNING]


def of(versions: Iterable[int], begin: datetime, end: datetime) -> dict[str, Any]:
    """Times of the company in scope on versions of one model: what was begun and ended in [begin, end), what waits now.

    Seconds are from a step's arrival to its end; median and 90th percentile are the nearest rank, None where nothing
    ended. A step that the process left without anybody doing it counts nowhere. Four statements.
    """
    ids = list(versions)
    instances = ProcessInstance.objects.filter(definition__in=ids)
    # What was begun in the window and is over has ended in it or later, so that one index serves both.
    recent = instances.filter(Q(status=InstanceStatus.RUNNING) | Q(status__in=OVER, end_time__gte=begin))
    counts: dict[str, Any] = recent.aggregate(
        started=Count("pk", filter=Q(start_time__gte=begin, start_time__lt=end)),
        ended=Count("pk", filter=Q(status__in=OVER, end_time__lt=end)),
        running=Count("pk", filter=Q(status=InstanceStatus.RUNNING)),
    )
    over = instances.filter(status__in=OVER, end_time__gte=begin, end_time__lt=end)
    whole = _spread(over, "tenant_id", "start_time")  # of all together: they are one company's
    items = WorkItem.objects.filter(definition__in=ids, signs="")  # signers are no steps of their own
    done = _spread(items.filter(state=ItemState.DONE, end_time__gte=begin, end_time__lt=end), "node", "create_time")
    waiting = _waiting(items)
    return {
        "instances": {**counts, "medianSeconds": next((one["medianSeconds"] for one in whole.values()), None)},
        "nodes": [
            {"node": node, **_NOTHING, **waiting.get(node, {}), **done.get(node, {})}
            for node in sorted(done.keys() | waiting.keys())
        ],
    }


_NOTHING = {"count": 0, "waiting": 0, "overdue": 0, "medianSeconds": None, "p90Seconds": None, "longestSeconds": None}


def _spread(rows: QuerySet[Any], by: str, begin: str) -> dict[str, dict[str, int]]:
    """By `by`, how many there are and how long they took: three of each, which the database finds by their rank."""
    spent = ExpressionWrapper(F("end_time") - F(begin), DurationField())
    ranked = rows.order_by().annotate(
        spent=spent,
        place=Window(RowNumber(), partition_by=[F(by)], order_by=F("spent").asc()),
        total=Window(Count("pk"), partition_by=[F(by)]),
    )
    half, most = (F("total") + 1) / 2, (F("total") * 9 + 9) / 10
    found: dict[str, dict[str, int]] = {}
    asked = ranked.filter(Q(place=half) | Q(place=most) | Q(place=F("total")))
    for group, place, total, took in asked.values_list(by, "place", "total", "spent"):
        ranks = {"medianSeconds": (total + 1) // 2, "p90Seconds": (total * 9 + 9) // 10, "longestSeconds": total}
        times = found.setdefault(group, {"count": total})
        times |= {name: round(took.total_seconds()) for name, rank in ranks.items() if rank == place}
    return found


def _waiting(items: QuerySet[Any]) -> dict[str, dict[str, int]]:
    counted = (
        items.filter(state__in=NOT_OVER)
        .order_by()
        .values_list("node")
        .annotate(count=Count("pk"), late=Count("pk", filter=Q(late_time__isnull=False)))
    )
    return {node: {"waiting": count, "overdue": late} for node, count, late in counted}
