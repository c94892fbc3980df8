"""Candidate groups and the number of items that wait in each queue.

A queue is a candidate group or an assignee. Each change adds a row with the difference, and the sum of the rows is
the exact number; so a list of 50,000 items shows its total without counting. This module may write SQL.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import orjson
from django.db import connection, transaction
from django.db.models import Count, Q, QuerySet, Sum

from core import ports
from core.kernel.actor import Actor
from core.kernel.tenancy import current_tenant
from core.statements import writes
from core.statements.compiled import Compiled
from workflows.runtime.tables.worklist.models import ItemState, PoolKey, Tally, WorkItem

TOGETHER = 64
"""A queue with more rows than this has them put together."""


def pool_of(keys: Iterable[str]) -> int | None:
    """Return the number of the candidate group with these keys; the order of the keys does not matter."""
    known = sorted(set(keys))
    if not known:
        return None
    return int.from_bytes(hashlib.sha256(orjson.dumps(known)).digest()[:8]) >> 1


def queue_of(item: WorkItem) -> int | None:
    """Return the queue of an open item: its assignee, else its candidate group."""
    return item.assignee_id or item.pool


def open_to(items: Iterable[WorkItem]) -> None:
    """Store the candidate groups of the items that do not exist yet; at most one statement."""
    keys = {(item.pool, key) for item in items if item.pool for key in item.candidate_keys}
    if keys:
        PoolKey.objects.bulk_create([PoolKey(pool=pool, key=key) for pool, key in sorted(keys)], ignore_conflicts=True)


def moved(left: Iterable[int | None] = (), entered: Iterable[int | None] = ()) -> None:
    """Record that open items have left and entered these queues; at most one statement."""
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
    """Return how many items the person holds, and how many wait in each candidate group of the person."""
    found = {queue: int(count) for queue, count in _WAITING.rows(actor.user_id, sorted(ports.keys_of(actor)))}
    held = max(found.pop(actor.user_id, 0), 0)
    return held, {pool: count for pool, count in sorted(found.items()) if count > 0}


def waiting_of_each(actors: Sequence[Actor]) -> dict[int, tuple[int, int]]:
    """Return by person how many items they hold, and how many wait in their candidate groups; two statements."""
    keys = {actor.user_id: set(ports.keys_of(actor)) for actor in actors}
    pools: dict[str, set[int]] = defaultdict(set)
    for pool, key in PoolKey.objects.filter(key__in=set().union(*keys.values())).values_list("pool", "key"):
        pools[key].add(pool)
    groups = {pk: set().union(*(pools.get(key, ()) for key in own)) for pk, own in keys.items()}
    rows = Tally.objects.filter(queue__in={*keys, *set().union(*groups.values())}).order_by()
    sums: dict[int, int] = {queue: int(count) for queue, count in rows.values_list("queue").annotate(Sum("delta"))}
    return {pk: (max(sums.get(pk, 0), 0), sum(max(sums.get(pool, 0), 0) for pool in own)) for pk, own in groups.items()}


def put_together() -> None:
    """Replace the many rows of a queue by one with their sum, while other transactions may add rows."""
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
    """Return the queues whose sum differs from their number of items, with the difference.

    One statement reads items and sums, so that other transactions may go on meanwhile.
    """
    tenant = current_tenant()
    with connection.cursor() as cursor:
        cursor.execute(_DRIFT, [tenant, ItemState.OPEN, tenant])
        return [(queue, int(by)) for queue, by in cursor.fetchall()]


def recount() -> int:
    """Correct the sums of the tenant's queues, and return how many were wrong."""
    without_group = WorkItem.objects.filter(state=ItemState.OPEN, assignee_id=None, pool=None).exclude(
        candidate_keys=[]
    )
    with transaction.atomic():
        for item in without_group.select_for_update():  # from before there were candidate groups
            item.pool = pool_of(item.candidate_keys)
            item.save(update_fields=["pool"])
            open_to([item])
    wrong = drift()
    Tally.objects.bulk_create(Tally(queue=queue, delta=by) for queue, by in wrong)
    return len(wrong)
