"""Turns among tenants: what the worker takes next from a queue, and how much of it a tenant may have in a minute.

A queue is a table of `QueuedModel`. The worker goes round the tenants with something due, who had their turn longest
ago first, and takes a few rows of each, the oldest due time first. So nobody's row waits for more than a round, however
much another tenant has in the queue; and whoever has used up the budget of the minute waits for the next one.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import inf
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection, models, transaction
from django.db.models import Case, DateTimeField, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When

from core.identity.models import Tenant
from core.kernel.actor import acting, system
from core.kernel.tenancy import tenant_scope
from core.scheduling.models import QueuedModel, Turn
from core.scheduling.waking import wake_worker

SWEEP_SECONDS = 2.0
"""How long a job of the worker takes turns before others, such as that of another queue, have theirs."""
_LONGEST_REST = 0.1
ROUND = 20
"""Rows of a round where a row is soon done."""
TELL_AGAIN = timedelta(days=1)
log = logging.getLogger("xunwei.turns")


@dataclass(frozen=True)
class Queue:
    """A queue of rows that fall due."""

    name: str
    model: type[QueuedModel]
    job: str
    """Name of the worker's job that takes its rows."""
    budget: str
    """Key of `settings.TENANT_BUDGETS`: how many of its rows a tenant may have taken in a minute."""
    hops: str = ""
    """The same of those that other rows of the queue led to."""
    round: int = ROUND
    """Rows of a round, shared among the tenants that have something due; each takes one at least."""

    def waiting(self) -> QuerySet[Any]:
        """Return the rows that are taken when their time comes."""
        return self.model._default_manager.filter(is_parked=False, is_asleep=False)

    def due(self, now: datetime) -> QuerySet[Any]:
        """Return the rows whose time has come, of all tenants."""
        return self.waiting().filter(due_time__lte=now)


queues: dict[str, Queue] = {}
"""The queues by name; the applications that have one add it when they are ready."""


def _nobody(queue: Queue) -> None:
    """Tell nobody."""


tell: Callable[[Queue], None] = _nobody
"""Port: tells the people of the tenant in scope that it has used up its budget. `workflows` provides the function."""


class Taken(NamedTuple):
    """What came of a row that was taken."""

    is_done: bool
    is_hop: bool = False


def go_round(
    queue: Queue, take_one: Callable[[str], Taken | None], limit: int, now: datetime | None = None,
    seconds: float = inf,
) -> int:  # fmt: skip
    """Let the tenants take turns until nothing is due that nobody else has locked, `limit` rows or so many seconds.

    `take_one` takes the next row of a tenant and says what came of it; None where there is none. Returns how many rows
    were done. `now` is the machine's time; those who replay past days, such as the demo plant, pass another one, and
    are not held up by budgets.
    Where more is due the worker is woken again, so that other jobs have their turn in between.
    """
    taken = finished = 0
    end = time.monotonic() + seconds
    # Only the worker has so many seconds; it shares SQLite's one writer with everybody who waits for an answer.
    rests = seconds < inf and connection.vendor == "sqlite"
    while taken < limit and time.monotonic() < end:
        before = taken
        tenants = list(in_turn(queue, now).values_list("tenant_id", flat=True)[: limit - taken])
        share = max(1, queue.round // max(1, len(tenants)))
        for tenant_id in tenants:
            found = list(_turn(take_one, tenant_id, min(share, limit - taken), rests))
            taken, finished = taken + len(found), finished + sum(one.is_done for one in found)
            if found:
                _note(queue, tenant_id, len(found), sum(one.is_hop for one in found))
        if taken == before:
            return finished
    wake_worker(queue.job)
    return finished


def _turn(take_one: Callable[[str], Taken | None], tenant_id: str, most: int, rests: bool) -> Iterator[Taken]:
    for _ in range(most):
        began = time.monotonic()
        one = take_one(tenant_id)
        if one is None:
            return
        yield one
        if rests:
            # Whoever waits for SQLite's write lock looks for it ten times a second, and finds it free half of the time.
            time.sleep(min(_LONGEST_REST, time.monotonic() - began))


def in_turn(queue: Queue, now: datetime | None = None) -> QuerySet[Any]:
    """Return the tenants with something due and a budget left, who had their turn longest ago first.

    Each tenant costs a look into an index, however many rows it has there. `first` is when the oldest fell due.
    """
    rows: QuerySet[Any] = with_first(queue, now or datetime.now(UTC)).filter(first__isnull=False)
    if now is None:
        rows = rows.filter(~over_budget(queue, datetime.now(UTC)))
    last = Turn.objects.filter(queue=queue.name, tenant_id=OuterRef("tenant_id")).values("time")
    rows = rows.annotate(last=Subquery(last))
    return rows.order_by(F("last").asc(nulls_first=True), "first", "tenant_id")


def with_first(queue: Queue, now: datetime) -> QuerySet[Any]:
    """Return all tenants, those that were removed too, and as `first` when their oldest row of now fell due."""
    first = queue.due(now).filter(tenant_id=OuterRef("tenant_id")).order_by("due_time", "id").values("due_time")[:1]
    return Tenant._base_manager.annotate(first=Subquery(first, output_field=DateTimeField()))


def over_budget(queue: Queue, now: datetime) -> Any:
    """Return the condition on tenants that their budget of this minute is used up."""
    return Exists(Turn.objects.filter(spent(queue, now), queue=queue.name, tenant_id=OuterRef("tenant_id")))


def spent(queue: Queue, now: datetime) -> Q:
    """Return the condition on rows of `Turn` that the budget of this minute is used up."""
    found = Q(used__gte=settings.TENANT_BUDGETS[queue.budget])
    if queue.hops:
        found |= Q(hops__gte=settings.TENANT_BUDGETS[queue.hops])
    return Q(minute=minute_of(now)) & found


def is_spent(queue: Queue, turn: Turn) -> bool:
    """Return whether a turn of this minute has used up the budget."""
    most = settings.TENANT_BUDGETS
    return turn.used >= most[queue.budget] or (bool(queue.hops) and turn.hops >= most[queue.hops])


def minute_of(now: datetime) -> datetime:
    """Return when the minute began."""
    return now.replace(second=0, microsecond=0)


def take(due: QuerySet[Any], tenant_id: str) -> Any:
    """Lock and return the tenant's oldest of the rows that are due and that nobody has locked, or None."""
    rows: QuerySet[Any] = due.filter(tenant_id=tenant_id).order_by("due_time", "id")
    return rows.select_for_update(skip_locked=connection.vendor == "postgresql").first()


def _note(queue: Queue, tenant_id: str, used: int, hops: int) -> None:
    """Note that the tenant has had its turn, and tell it once a day that its budget of the minute is used up."""
    now = datetime.now(UTC)
    minute = minute_of(now)

    def counted(column: str, by: int) -> Case:
        return Case(When(minute=minute, then=F(column) + by), default=Value(by), output_field=models.IntegerField())

    mine = Turn.objects.filter(queue=queue.name, tenant_id=tenant_id)
    counts = {"used": counted("used", used), "hops": counted("hops", hops)}
    if not mine.update(time=now, minute=minute, **counts):
        row = Turn(queue=queue.name, tenant_id=tenant_id, time=now, minute=minute, used=used, hops=hops)
        Turn.objects.bulk_create([row], ignore_conflicts=True)
    if mine.filter(spent(queue, now)).update(over_time=now):
        log.warning("tenant %s has used up its %s of this minute", tenant_id, queue.budget)
        _tell(queue, mine, tenant_id, now)


def _tell(queue: Queue, mine: QuerySet[Turn], tenant_id: str, now: datetime) -> None:
    untold = mine.filter(Q(told_time=None) | Q(told_time__lt=now - TELL_AGAIN))
    with transaction.atomic():
        if untold.update(told_time=now):
            with tenant_scope(tenant_id), acting(system(tenant_id)):
                tell(queue)


def woken() -> dict[str, Any]:
    """Return the columns of rows that are woken: what fell due in their sleep is due now, and not late."""
    now = datetime.now(UTC)
    due = Case(When(due_time__lt=now, then=Value(now)), default=F("due_time"), output_field=DateTimeField())
    return {"is_asleep": False, "due_time": due}


def lag() -> float:
    """Return how many seconds the oldest row has been due that neither sleeps nor waits for its tenant's budget."""
    now = datetime.now(UTC)
    firsts = [in_turn(queue).order_by("first").values_list("first", flat=True).first() for queue in queues.values()]
    return max(((now - first).total_seconds() for first in firsts if first), default=0.0)
