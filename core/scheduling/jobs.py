"""Entry points of the worker: the outbox's sweep, that of scheduled jobs, and the sign of life."""

from __future__ import annotations

from celery import shared_task
from django.core.cache import cache

from core.scheduling import outbox, schedule, turns

HEARTBEAT_KEY = "worker.alive"
"""While the worker lives: the seconds that its queues lag behind."""
HEARTBEAT_SECONDS = 15


@shared_task(name="scheduling.sweep_outbox")  # type: ignore[untyped-decorator]  # celery has no types
def sweep_outbox() -> None:
    """Deliver what is due."""
    outbox.deliver_due(seconds=turns.SWEEP_SECONDS)


@shared_task(name=schedule.SWEEP)  # type: ignore[untyped-decorator]  # celery has no types
def sweep_jobs() -> None:
    """Fire scheduled jobs that are due, and run what waits."""
    schedule.sweep(seconds=turns.SWEEP_SECONDS)


@shared_task(name="scheduling.heartbeat")  # type: ignore[untyped-decorator]  # celery has no types
def heartbeat() -> None:
    """Tell /healthz that beat, broker and worker work together, and how far behind they are."""
    cache.set(HEARTBEAT_KEY, turns.lag(), HEARTBEAT_SECONDS)
