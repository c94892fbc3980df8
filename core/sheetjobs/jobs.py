"""Entry point of the worker: the sweep of the jobs."""

from __future__ import annotations

from celery import shared_task

from core.scheduling import turns
from core.sheetjobs import work


@shared_task(name="sheets.sweep")  # type: ignore[untyped-decorator]  # celery has no types
def sweep_sheets() -> None:
    """Do parts of the jobs that are due."""
    work.sweep(seconds=turns.SWEEP_SECONDS)
