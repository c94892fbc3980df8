"""Entry point of the worker: the timers' sweep."""

from __future__ import annotations

from celery import shared_task

from workflows.timers import sweep as timers


@shared_task(name="timers.sweep")  # type: ignore[untyped-decorator]  # celery has no types
def sweep() -> None:
    """Fire what is due."""
    timers.fire_due()
