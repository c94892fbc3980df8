"""Entry point of the worker: the calendar is made ahead."""

from __future__ import annotations

from celery import shared_task

from core.shifts import calendar


@shared_task(name="shifts.cover")  # type: ignore[untyped-decorator]  # celery has no types
def cover() -> None:
    """Make the cells of the coming days."""
    calendar.cover_all()
