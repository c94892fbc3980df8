"""Entry points of the worker: tasks are made ahead, and end with their time."""

from __future__ import annotations

from celery import shared_task

from core.rounds import generation, sweep


@shared_task(name="rounds.generate")  # type: ignore[untyped-decorator]  # celery has no types
def generate() -> None:
    """Make the tasks of the coming days."""
    generation.cover_all()


@shared_task(name="rounds.sweep")  # type: ignore[untyped-decorator]  # celery has no types
def look_after() -> None:
    """Miss tasks whose deadline has passed, and remind of those that end soon."""
    sweep.all_tenants()
