"""The sweep of the timers: the worker fires those that are due."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

from django.db import connection, transaction

from core.kernel.actor import Actor, system
from core.kernel.audit_entry import current_entry
from core.kernel.ids import next_id
from core.kernel.operation import SYSTEM, operation
from core.kernel.tenancy import tenant_scope
from workflows import engine
from workflows.runtime.execution import driver
from workflows.runtime.rows import incidents, timers
from workflows.runtime.tables.timers.models import Timer

MAX_ATTEMPTS = 5
HALTED_FOR = timedelta(minutes=5)
log = logging.getLogger("xunwei.timers")


def fire_due(limit: int = 200, now: datetime | None = None) -> int:
    """Fire every due timer, each in a transaction of its own, and return how many were fired.

    Several workers may sweep at once: each takes the oldest timer that nobody has locked. `now` is the machine's time;
    only those who replay past days, such as the demo plant, pass another one.
    """
    now = now or datetime.now(UTC)
    # What a timer of this sweep begins has to wait for the next one.
    due = Timer.objects.filter(is_parked=False, due_time__lte=now, pk__lt=next_id()).order_by("due_time", "id")
    if not due.exists():
        return 0  # without a transaction: on SQLite each is a writer's
    fired, passed = 0, list[int]()
    while fired + len(passed) < limit:
        timer_id = 0
        try:
            with transaction.atomic():
                # This lock comes before the instance's: whoever has it never waits for the instance.
                free = due.select_for_update(skip_locked=connection.vendor == "postgresql")
                timer = free.exclude(pk__in=passed).first()
                if timer is None:
                    break
                timer_id = timer.pk
                with tenant_scope(timer.tenant_id):
                    has_fired = _fire(system(timer.tenant_id), timer)
            if has_fired:
                fired += 1
                continue
        except driver.Still:
            # Looked at again later, so that the timers of a process that stands still never crowd out the others.
            Timer.objects.filter(pk=timer_id).update(due_time=now + HALTED_FOR)
        except driver.Busy:
            pass  # somebody moves the instance right now; the next sweep looks again
        except Exception as error:  # the worker loop: one bad timer must not stop the others
            log.exception("timer %s failed", timer_id)
            _put_off(timer_id, error)
        passed.append(timer_id)
    return fired


@operation("timer.fire", code=SYSTEM)
def _fire(actor: Actor, timer: Timer) -> bool:
    """Fire a timer whose row is locked, so that nobody else ends its step or changes its due time meanwhile.

    The timer of a suspended instance rests until somebody resumes it; who does waits for this very transaction.
    """
    try:
        instance = driver.lock_free(timer.instance_id)
    except driver.Suspended:
        timers.rest(timer)
        current_entry().nothing_happened = True
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
