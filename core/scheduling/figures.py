"""Figures of the queues: how much waits in each for a company, and for how long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db.models import CharField, Count, DateTimeField, Min, QuerySet, Value
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
    """Return the figures of these rows; the number of statements does not depend on how many they are."""
    ids = sorted({one["tenant_id"] for one in found})
    counted = {name: _counted(queue, ids) for name, queue in turns.queues.items()}
    return [
        {
            "id": f"{one['queue']}-{one['tenant_id']}",
            "tenantId": one["tenant_id"],
            "tenantName": choose(one["tenant_name"], one["tenant_name_en"]),
            "queue": one["queue"],
            **counted[one["queue"]][one["tenant_id"]],
        }
        for one in found
    ]


def _counted(queue: Queue, ids: list[str]) -> dict[str, dict[str, Any]]:
    """Return by company what waits in one queue."""
    now = datetime.now(UTC)

    def by_tenant(rows: QuerySet[Any]) -> dict[str, tuple[int, datetime | None]]:
        grouped = rows.filter(tenant_id__in=ids).order_by().values_list("tenant_id")
        return {tenant: (number, first) for tenant, number, first in grouped.annotate(Count("pk"), Min("due_time"))}

    rows = queue.model._default_manager
    due, all_waiting = by_tenant(queue.due(now)), by_tenant(queue.waiting())
    asleep, parked = by_tenant(rows.filter(is_asleep=True, is_parked=False)), by_tenant(rows.filter(is_parked=True))
    used = dict(
        Turn.objects.filter(queue=queue.name, tenant_id__in=ids, minute=turns.minute_of(now)).values_list(
            "tenant_id", "used"
        )
    )
    over = set(
        Turn.objects.filter(turns.spent(queue, now), queue=queue.name, tenant_id__in=ids).values_list(
            "tenant_id", flat=True
        )
    )
    none = (0, None)
    return {
        one: {
            "due": (found := due.get(one, none))[0],
            "later": all_waiting.get(one, none)[0] - found[0],
            "asleep": asleep.get(one, none)[0],
            "parked": parked.get(one, none)[0],
            "lag": int((now - found[1]).total_seconds()) if found[1] else 0,
            "used": used.get(one, 0),
            "budget": settings.TENANT_BUDGETS[queue.budget],
            "isOver": one in over,
        }
        for one in ids
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
