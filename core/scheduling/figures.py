"""Figures of the queues: how much waits in each for a company, and for how long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import reduce
from operator import or_
from typing import Any

from django.conf import settings
from django.db.models import CharField, Count, DateTimeField, Min, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Invalid, Missing
from core.kernel.operation import operation
from core.kernel.tenancy import current_tenant
from core.kernel.texts import choose
from core.scheduling import turns
from core.scheduling.models import QueuedModel, Turn
from core.scheduling.turns import Queue
from core.scheduling.waking import wake_worker

_NEVER = datetime(9999, 1, 1, tzinfo=UTC)
COLUMNS = ("tenant_id", "tenant_name", "tenant_name_en")


def rows(**conditions: Any) -> QuerySet[Any]:
    """Return a row for each queue of the companies that meet the conditions; what has been due longest comes first."""
    now = datetime.now(UTC)
    first, *others = (
        turns.with_first(queue, now)
        .filter(is_deleted=False, **conditions)
        .annotate(
            queue=Value(queue.name, output_field=CharField()),
            oldest=Coalesce("first", Value(_NEVER), output_field=DateTimeField()),
        )
        .order_by()
        .values(*COLUMNS, "queue", "oldest")
        for queue in turns.queues.values()
    )
    together: QuerySet[Any] = first.union(*others, all=True)
    return together.order_by("oldest", "tenant_id", "queue")


def of(found: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the figures of these rows, in one statement, and another for what was used of the budgets."""
    now = datetime.now(UTC)
    ids = sorted({one["tenant_id"] for one in found})
    counts = _counted(ids, now)
    turn = {
        (row.queue, row.tenant_id): row for row in Turn.objects.filter(tenant_id__in=ids, minute=turns.minute_of(now))
    }
    return [
        {
            "id": f"{name}-{tenant}",
            "tenantId": tenant,
            "tenantName": choose(one["tenant_name"], one["tenant_name_en"]),
            "queue": name,
            **counts.get((name, tenant), _NOTHING),
            "used": (mine := turn.get((name, tenant), _UNUSED)).used,
            "budget": settings.TENANT_BUDGETS[turns.queues[name].budget],
            "isOver": turns.is_spent(turns.queues[name], mine),
        }
        for one in found
        for name, tenant in [(one["queue"], one["tenant_id"])]
    ]


_NOTHING = {"due": 0, "later": 0, "asleep": 0, "parked": 0, "lag": 0}
_UNUSED = Turn()


def _counted(ids: list[str], now: datetime) -> dict[tuple[str, str], dict[str, int]]:
    """Return by queue and company what is in it; one statement."""
    waits = Q(is_asleep=False, is_parked=False)
    due = waits & Q(due_time__lte=now)
    first, *others = (
        queue.model._default_manager.filter(tenant_id__in=ids)
        .order_by()
        .annotate(queue=Value(queue.name, output_field=CharField()))
        .values_list("queue", "tenant_id")
        .annotate(
            due=Count("pk", filter=due),
            waits=Count("pk", filter=waits),
            asleep=Count("pk", filter=Q(is_asleep=True, is_parked=False)),
            parked=Count("pk", filter=Q(is_parked=True)),
            first=Min("due_time", filter=due),
        )
        for queue in turns.queues.values()
    )
    return {
        (name, tenant): {
            "due": now_due,
            "later": waiting - now_due,
            "asleep": sleeping,
            "parked": given_up,
            "lag": int((now - oldest).total_seconds()) if oldest else 0,
        }
        for name, tenant, now_due, waiting, sleeping, given_up, oldest in first.union(*others, all=True)
    }


def failed(name: str) -> QuerySet[Any]:
    """Return what has failed in a queue of the company in scope, the oldest first."""
    rows: QuerySet[Any] = _queue(name).model._default_manager.filter(tenant_id=current_tenant(), is_parked=True)
    return rows.order_by("id")


_PROCESS = ("instance_id", "receiver_id")
"""Columns that name the process of a row, in the queues that have one of them."""


def _of_process(name: str) -> Q:
    """Return the condition on rows of a queue that a process keeps their place."""
    columns = {field.attname for field in _queue(name).model._meta.concrete_fields}.intersection(_PROCESS)
    return reduce(or_, (Q(**{f"{column}__isnull": False}) for column in columns), Q(pk__in=()))


def told(row: QueuedModel) -> dict[str, Any]:
    """Return what people are told of a row that has failed.

    A process keeps the place of what has failed for it, and is repaired there.
    """
    instance = next((found for name in _PROCESS if (found := getattr(row, name, None))), None)
    return {
        "id": str(row.pk),
        "topic": getattr(row, "topic", "") or getattr(row, "operation", "timer"),
        "error": row.last_error,
        "attempts": row.attempts,
        "processInstanceId": str(instance or ""),
    }


def _queue(name: str) -> Queue:
    if queue := turns.queues.get(name):
        return queue
    raise Invalid({"queue": _("请求参数格式错误: {name}").format(name="queue")})


def _chosen(name: str, ids: Sequence[int]) -> QuerySet[Any]:
    """Return these failed rows, locked; raises Missing where one is gone, Conflict where a process keeps its place."""
    found = list(failed(name).filter(pk__in=ids).select_for_update())
    if len(found) != len(set(ids)):
        raise Missing()
    if any(told(row)["processInstanceId"] for row in found):
        raise Conflict("queue.ofProcess", _("该记录属于流程，请在“流程跟踪”中处理"))
    return failed(name).filter(pk__in=ids)


@operation("queue.retry", code="queue_retry")
def retry(actor: Actor, name: str, ids: Sequence[int] | None = None) -> dict[str, int]:
    """Try the failed rows of a queue again, these or all, of the company in scope; answers how many there are.

    Of all, those whose place a process keeps are `left`: they would go back to sleep with its incident.
    """
    queue = _queue(name)
    left = failed(name).filter(_of_process(name)).count() if ids is None else 0
    rows = failed(name).exclude(_of_process(name)) if ids is None else _chosen(name, ids)
    tried = rows.update(is_parked=False, attempts=0, due_time=datetime.now(UTC))
    entry = current_entry()
    entry.nothing_happened, entry.remark = tried == 0, f"{name}: {tried}"
    if tried:
        wake_worker(queue.job)
    return {"retried": tried, "left": left}


@operation("queue.discard", code="queue_discard")
def discard(actor: Actor, name: str, ids: Sequence[int]) -> dict[str, int]:
    """Delete failed rows of a queue, which no worker tries again; answers how many."""
    _number, deleted = _chosen(name, ids).delete()
    number = sum(deleted.values())
    current_entry().remark = f"{name}: {number}"
    return {"discarded": number}
