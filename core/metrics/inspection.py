"""Figures of inspection tasks: what was due and done, what was found, where and by whom (4.6 and 4.7)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import Avg, Count, DurationField, ExpressionWrapper, F, Q, QuerySet, Sum

from core.kernel.actor import Actor
from core.metrics.asked import Asked
from core.metrics.sums import percent
from core.rest.serializers import whole_minutes
from core.rounds.models import OPEN, Finding, InspectOrderRecord, OrderStatus
from core.rounds.queries import of_visible, visible

MOST = 10
_DONE = Q(status=OrderStatus.DONE)
_MISSED = Q(status=OrderStatus.MISSED)
_JUDGED = Q(result__in=(Finding.NORMAL, Finding.WARNING, Finding.ABNORMAL))
_ABNORMAL = Q(result=Finding.ABNORMAL, false_alarm=False)


def overview(actor: Actor, asked: Asked) -> dict[str, Any]:
    """Return the figures of the tasks of a period by business date; six statements at most."""
    now = asked.as_of
    rows = asked.within(visible(actor), "group__dept_id").filter(
        business_date__gte=asked.period.first, business_date__lte=asked.period.last
    )
    late = Q(status__in=OPEN, deadline__lt=now)
    due = _DONE | _MISSED | late
    tasks = rows.order_by().aggregate(
        due=Count("pk", filter=due), done=Count("pk", filter=_DONE),
        onTime=Count("pk", filter=_DONE & Q(is_late=False)), late=Count("pk", filter=_DONE & Q(is_late=True)),
        missed=Count("pk", filter=_MISSED), exempt=Count("pk", filter=Q(status=OrderStatus.EXEMPT)),
        doing=Count("pk", filter=Q(status=OrderStatus.IN_PROGRESS, deadline__gte=now)),
        pending=Count("pk", filter=Q(status=OrderStatus.TODO, deadline__gte=now)),
    )  # fmt: skip
    records = _records(actor, asked)
    found = records.order_by().aggregate(
        itemChecked=Count("pk", filter=_JUDGED), abnormal=Count("pk", filter=_ABNORMAL),
        warn=Count("pk", filter=Q(result=Finding.WARNING)),
    )  # fmt: skip
    return {
        **asked.head(),
        **tasks,
        "completionRate": percent(tasks["done"], tasks["due"]),
        "onTimeRate": percent(tasks["onTime"], tasks["due"]),
        "missedRate": percent(tasks["missed"], tasks["due"]),
        **found,
        "abnormalRate": percent(found["abnormal"], found["itemChecked"]),
        "trend": _trend(asked, rows, due),
        "byGroup": _by_route(rows, due),
        "byUser": _by_person(rows),
        "topAbnormal": _most_abnormal(records),
    }


def _records(actor: Actor, asked: Asked) -> QuerySet[Any]:
    """Return the results of the tasks of the period that the person sees."""
    rows = InspectOrderRecord.objects.filter(
        order__business_date__gte=asked.period.first, order__business_date__lte=asked.period.last
    )
    return asked.within(of_visible(rows, actor), "order__group__dept_id")


def _trend(asked: Asked, rows: QuerySet[Any], due: Q) -> list[dict[str, Any]]:
    """Return a row for each day of the period, those without a task too."""
    counted: QuerySet[Any] = rows.order_by().values("business_date").annotate(
        due=Count("pk", filter=due), done=Count("pk", filter=_DONE),
        missed=Count("pk", filter=_MISSED), abnormal=Sum("abnormal_count"),
    )  # fmt: skip
    by_day = {row.pop("business_date"): row for row in counted}
    nothing = {"due": 0, "done": 0, "missed": 0, "abnormal": 0}
    days = (asked.period.last - asked.period.first).days + 1
    return [
        {"date": str(day), **by_day.get(day, nothing)}
        for day in (asked.period.first + timedelta(days=number) for number in range(days))
    ]


def _by_route(rows: QuerySet[Any], due: Q) -> list[dict[str, Any]]:
    """Return the routes that were walked the least, as a share of what was due; the worst first."""
    counted: QuerySet[Any] = rows.order_by().values("group_id", "group__group_name").annotate(
        due=Count("pk", filter=due), done=Count("pk", filter=_DONE),
        missed=Count("pk", filter=_MISSED),
    )  # fmt: skip
    found = [
        {
            "groupId": str(row["group_id"]),
            "groupName": row["group__group_name"],
            **{name: row[name] for name in ("due", "done", "missed")},
            "completionRate": percent(row["done"], row["due"]),
        }
        for row in counted
        if row["due"]
    ]
    return sorted(found, key=lambda row: (row["completionRate"], -row["due"], row["groupName"]))[:MOST]


def _by_person(rows: QuerySet[Any]) -> list[dict[str, Any]]:
    """Return who has done most tasks, how long one took, and how many of them are suspect."""
    took = ExpressionWrapper(F("finish_time") - F("start_time"), output_field=DurationField())
    counted: QuerySet[Any] = (
        rows.filter(_DONE, executor__isnull=False).order_by().values("executor_id", "executor__real_name").annotate(
            done=Count("pk"), took=Avg(took), suspect=Count("pk", filter=Q(is_suspect=True)),
        )
    )  # fmt: skip
    return [
        {
            "userId": str(row["executor_id"]),
            "userName": row["executor__real_name"],
            "done": row["done"],
            "avgMinutes": whole_minutes(row["took"].total_seconds()) if row["took"] is not None else None,
            "suspect": row["suspect"],
        }
        for row in counted.order_by("-done", "executor__real_name", "executor_id")[:MOST]
    ]


def _most_abnormal(records: QuerySet[Any]) -> list[dict[str, Any]]:
    """Return the items that were abnormal most often."""
    counted: QuerySet[Any] = (
        records.filter(_ABNORMAL).order_by().values("machine_id", "machine__machine_name", "item_name").annotate(
            times=Count("pk")
        )
    )  # fmt: skip
    return [
        {
            "machineId": str(row["machine_id"]),
            "machineName": row["machine__machine_name"],
            "itemName": row["item_name"],
            "times": row["times"],
        }
        for row in counted.order_by("-times", "machine__machine_name", "item_name")[:MOST]
    ]


def totals(actor: Actor, asked: Asked) -> dict[str, int]:
    """Return how many tasks and results there are since the beginning; two statements at most."""
    rows = asked.within(visible(actor), "group__dept_id").exclude(status=OrderStatus.VOID)
    tasks = rows.order_by().aggregate(inspectTotal=Count("pk"), inspectDone=Count("pk", filter=_DONE))
    records = asked.within(of_visible(InspectOrderRecord.objects.all(), actor), "order__group__dept_id")
    return tasks | records.order_by().aggregate(inspectRecords=Count("pk"), abnormalTotal=Count("pk", filter=_ABNORMAL))
