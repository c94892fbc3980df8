"""Adds the queue of jobs on spreadsheets to those of the worker."""

from django.apps import AppConfig


class SheetJobsConfig(AppConfig):
    """Exports and imports of many rows."""

    name = "core.sheetjobs"

    def ready(self) -> None:
        from core.scheduling import turns
        from core.sheetjobs.queue import SHEETS

        turns.queues[SHEETS.name] = SHEETS
