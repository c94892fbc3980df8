"""Figures of the queues: how much waits in each for a company, and for how long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db.models import CharField, Count, DateTimeField, Min, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Invalid
from core.kernel.operation import operation
from core.kernel.tenancy import current_tenant
from core.kernel.texts import choose
from core.scheduling import turns
from core.scheduling.models import Turn
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
    """Return the figures of these rows, in a statement for each queue and one for what was used of the budgets."""
    now = datetime.now(UTC)
    ids = sorted({one["tenant_id"] for one in found})
    counts = {name: _counted(queue, ids, now) for name, queue in turns.queues.items()}
    turn = {
        (row.queue, row.tenant_id): row for row in Turn.objects.filter(tenant_id__in=ids, minute=turns.minute_of(now))
    }
    return [
        {
            "id": f"{name}-{tenant}",
            "tenantId": tenant,
            "tenantName": choose(one["tenant_name"], one["tenant_name_en"]),
            "queue": name,
            **counts[name].get(tenant, _NOTHING),
            "used": (mine := turn.get((name, tenant), _UNUSED)).used,
            "budget": settings.TENANT_BUDGETS[turns.queues[name].budget],
            "isOver": turns.is_spent(turns.queues[name], mine),
        }
        for one in found
        for name, tenant in [(one["queue"], one["tenant_id"])]
    ]


_NOTHING = {"due": 0, "later": 0, "asleep": 0, "parked": 0, "lag": 0}
_UNUSED = Turn()


def _counted(queue: Queue, ids: list[str], now: datetime) -> dict[str, dict[str, int]]:
    """Return by company what is in a queue; one statement."""
    waits = Q(is_asleep=False, is_parked=False)
    due = waits & Q(due_time__lte=now)
    grouped = queue.model._default_manager.filter(tenant_id__in=ids).order_by().values_list("tenant_id")
    counts = grouped.annotate(
        due=Count("pk", filter=due),
        waits=Count("pk", filter=waits),
        asleep=Count("pk", filter=Q(is_asleep=True, is_parked=False)),
        parked=Count("pk", filter=Q(is_parked=True)),
        first=Min("due_time", filter=due),
    )
    return {
        tenant: {
            "due": now_due,
            "later": waiting - now_due,
            "asleep": sleeping,
            "parked": failed,
            "lag": int((now - first).total_seconds()) if first else 0,
        }
        for tenant, now_due, waiting, sleeping, failed, first in counts
    }


@operation("queue.retry", code="queue_retry")
def retry(actor: Actor, name: str) -> dict[str, int]:
    """Try the failed rows of a queue again, of the company in scope; answers how many there are."""
    queue = turns.queues.get(name)
    if queue is None:
        raise Invalid({"queue": _("请求参数格式错误: {name}").format(name="queue")})
    parked = queue.model._default_manager.filter(tenant_id=current_tenant(), is_parked=True)
    tried = parked.update(is_parked=False, attempts=0, due_time=datetime.now(UTC))
    entry = current_entry()
    entry.nothing_happened, entry.remark = tried == 0, f"{name}: {tried}"
    if tried:
        wake_worker(queue.job)
    return {"retried": tried}
