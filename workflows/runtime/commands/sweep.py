"""The sweep of the timers: the worker fires those that are due."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from math import inf

from django.db import transaction
from django.db.models import QuerySet

from core.kernel.actor import Actor, system
from core.kernel.audit_entry import current_entry
from core.kernel.ids import next_id
from core.kernel.operation import SYSTEM, operation
from core.kernel.tenancy import tenant_scope
from core.scheduling import turns
from workflows import engine
from workflows.runtime.commands import calendar_changes
from workflows.runtime.execution import driver
from workflows.runtime.rows import incidents, timers
from workflows.runtime.tables.timers.models import Timer

MAX_ATTEMPTS = 5
log = logging.getLogger("xunwei.timers")


def fire_due(limit: int = 200, now: datetime | None = None, seconds: float = inf) -> int:
    """Fire every due timer, the tenants in turns, each in its own transaction; answers how many were fired.

    Several workers may sweep at once: each takes the oldest timer that nobody has locked. `now` is the machine's time;
    only those who replay past days, such as the demo plant, pass another one.
    """
    passed = list[int]()  # somebody moves their instances right now; the next sweep looks again
    # What a timer of this sweep begins has to wait for the next one.
    due = timers.TIMERS.due(now or datetime.now(UTC)).filter(pk__lt=next_id())
    return turns.go_round(timers.TIMERS, lambda tenant_id: _fire_one(due, tenant_id, passed), limit, now, seconds)


def _fire_one(due: QuerySet[Timer], tenant_id: str, passed: list[int]) -> turns.Taken | None:
    """Fire the tenant's oldest timer that is due and not locked; None where there is none."""
    timer: Timer | None = None
    try:
        with transaction.atomic():
            # This lock comes before the instance's: whoever has it never waits for the instance.
            timer = turns.take(due.exclude(pk__in=passed), tenant_id)
            if timer is None:
                return None
            with tenant_scope(tenant_id):
                return turns.Taken(is_done=_fire(system(tenant_id), timer))
    except Exception as error:  # the worker loop: one bad timer must not stop the others
        if timer is None:
            raise
        passed.append(timer.pk)
        if not isinstance(error, driver.Busy):
            log.exception("timer %s failed", timer.pk)
            _put_off(timer.pk, error)
    return turns.Taken(is_done=False)


@operation("timer.fire", code=SYSTEM)
def _fire(actor: Actor, timer: Timer) -> bool:
    """Fire a timer whose row is locked, so that nobody else ends its step or changes its due time meanwhile.

    The timer of an instance that stands still sleeps until somebody lets it go on; who does waits for this very
    transaction.
    """
    try:
        instance = driver.lock_free(timer.instance_id)
    except driver.Still:
        timers.sleep(timer)
        current_entry().nothing_happened = True
        return False
    if timers.is_outdated(timer):
        calendar_changes.renew(instance)  # whether it is due is asked by the next turn
        return False
    driver.fire(instance, timer.engine_task, timer.node, actor)
    return True


def _put_off(timer_id: int, error: Exception) -> None:
    """Put a timer off, twice as long each time; after five failures, or at a limit, raise an incident."""
    timer = Timer.objects.filter(pk=timer_id).first()
    if timer is None:
        return
    attempts = timer.attempts + 1
    is_last = attempts >= MAX_ATTEMPTS or isinstance(incidents.refused_by_engine(error), engine.LimitReached)
    changed = Timer.objects.filter(pk=timer_id, attempts=timer.attempts).update(
        attempts=attempts,
        due_time=datetime.now(UTC) + timedelta(seconds=5 * 2**attempts),
        is_parked=is_last,
        last_error=f"{type(error).__name__}: {error}"[:500],
    )
    if changed and is_last:
        incidents.raise_incident(timer.tenant_id, timer.instance_id, None, _reason(timer, error))


def _reason(timer: Timer, error: Exception) -> incidents.Reason:
    zh = f"定时器连续{MAX_ATTEMPTS}次触发失败，原因见服务器日志"
    en = f"A timer failed {MAX_ATTEMPTS} times; the server's log has the cause"
    return incidents.reason_of(error, timer.node, "timer", zh, en)
