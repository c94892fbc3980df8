"""Adds the queue of jobs on spreadsheets to those of the worker."""

from django.apps import AppConfig


class SheetJobsConfig(AppConfig):
    """Exports and imports of many rows."""

    name = "core.sheetjobs"

    def ready(self) -> None:
        from core.kernel.texts import label
        from core.scheduling import schedule, turns
        from core.scheduling.models import JobGroup
        from core.sheetjobs import results
        from core.sheetjobs.queue import SHEETS

        turns.queues[SHEETS.name] = SHEETS
        schedule.register(
            schedule.Job(
                "sheet.clean",
                label("清理导入导出", "Clean exports and imports"),
                label(
                    "删除很久以前结束的导入导出任务及其文件。",
                    "Deletes exports and imports that ended long ago, with their files.",
                ),
                JobGroup.SYSTEM,
                "0 30 * * * ?",
                lambda: schedule.Counts(handled=results.prune()),
            )
        )
