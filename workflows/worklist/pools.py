"""Pools, in which items wait to be taken, and how many wait where: sums of what each act added, so that they are exact.

A list of 50,000 items shows its first page and its total for the price of an empty one: nothing is counted. This is
one of the modules that may write SQL.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from typing import Any

import orjson
from django.db import connection, transaction
from django.db.models import Count, Q, QuerySet, Sum

from core.kernel import ports, writes
from core.kernel.actor import Actor
from core.kernel.compiled import Compiled
from core.kernel.tenancy import current_tenant
from workflows.worklist.models import ItemState, PoolKey, Tally, WorkItem

TOGETHER = 64
"""A queue with more rows than this has them put together."""


def pool_of(keys: Iterable[str]) -> int | None:
    """The number of the pool that is offered to these keys; the same keys in any order are the same pool."""
    known = sorted(set(keys))
    if not known:
        return None
    return int.from_bytes(hashlib.sha256(orjson.dumps(known)).digest()[:8]) >> 1


def queue_of(item: WorkItem) -> int | None:
    """Where an open item waits: with the person who holds it, else in its pool."""
    return item.assignee_id or item.pool


def open_to(items: Iterable[WorkItem]) -> None:
    """See to it that the items' pools are there; one statement, none where nothing is pooled."""
    keys = {(item.pool, key) for item in items if item.pool for key in item.candidate_keys}
    if keys:
        PoolKey.objects.bulk_create([PoolKey(pool=pool, key=key) for pool, key in sorted(keys)], ignore_conflicts=True)


def moved(left: Iterable[int | None] = (), entered: Iterable[int | None] = ()) -> None:
    """Open items have left these queues and entered those; one statement, none where nothing changes."""
    change = Counter(entered)
    change.subtract(Counter(left))
    rows = [Tally(queue=queue, delta=delta) for queue, delta in sorted(change.items(), key=str) if queue and delta]
    writes.insert(rows)


def _waiting(user_id: int, keys: list[str]) -> QuerySet[Any]:
    offered = PoolKey.objects.filter(key__in=keys).values("pool")
    queues = Tally.objects.filter(Q(queue=user_id) | Q(queue__in=offered))
    sums: QuerySet[Any] = queues.values_list("queue").annotate(Sum("delta"))
    return sums


_WAITING = Compiled(_waiting)


def waiting(actor: Actor) -> tuple[int, dict[int, int]]:
    """How many items the person holds, and how many wait in each pool that is offered to the person; no empty ones."""
    found = {queue: int(count) for queue, count in _WAITING.rows(actor.user_id, sorted(ports.keys_of(actor)))}
    held = max(found.pop(actor.user_id, 0), 0)
    return held, {pool: count for pool, count in sorted(found.items()) if count > 0}


def put_together() -> None:
    """Let queues with many rows have one; sums stay what they are, whoever adds rows meanwhile."""
    many = Tally.objects.values("queue").annotate(rows=Count("id")).filter(rows__gt=TOGETHER)
    for queue in list(many.values_list("queue", flat=True)):
        with transaction.atomic():
            rows = Tally.objects.select_for_update(skip_locked=connection.vendor == "postgresql").filter(queue=queue)
            old = list(rows.order_by("id"))
            Tally.objects.filter(pk__in=[row.pk for row in old]).delete()
            if total := sum(row.delta for row in old):
                Tally.objects.create(queue=queue, delta=total)


_DRIFT = """
    SELECT queue, SUM(waiting) FROM (
        SELECT COALESCE(assignee_id, pool) AS queue, COUNT(*) AS waiting FROM worklist_workitem
        WHERE tenant_id = %s AND state = %s GROUP BY COALESCE(assignee_id, pool)
        UNION ALL
        SELECT queue, -SUM(delta) AS waiting FROM worklist_tally WHERE tenant_id = %s GROUP BY queue
    ) counted WHERE queue IS NOT NULL GROUP BY queue HAVING SUM(waiting) <> 0
"""


def drift() -> list[tuple[int, int]]:
    """Queues whose sum differs from what waits there, and by how much.

    Items and sums are read by one statement, so that acts may go on: what they change, they change in both.
    """
    tenant = current_tenant()
    with connection.cursor() as cursor:
        cursor.execute(_DRIFT, [tenant, ItemState.OPEN, tenant])
        return [(queue, int(by)) for queue, by in cursor.fetchall()]


def recount() -> int:
    """Count the tenant's open items and set right what differs; answers in how many queues."""
    unpooled = WorkItem.objects.filter(state=ItemState.OPEN, assignee_id=None, pool=None).exclude(candidate_keys=[])
    with transaction.atomic():
        for item in unpooled.select_for_update():  # from before there were pools
            item.pool = pool_of(item.candidate_keys)
            item.save(update_fields=["pool"])
            open_to([item])
    wrong = drift()
    Tally.objects.bulk_create(Tally(queue=queue, delta=by) for queue, by in wrong)
    return len(wrong)
