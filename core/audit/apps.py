"""Provides the functions of the kernel's ports to audit and logs, and adds the queue of checks."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """The application of the three logs."""

    name = "core.audit"

    def ready(self) -> None:
        from core.audit import events, jobs, logs
        from core.audit.verifying import SEALS
        from core.kernel import audit_entry, call_log
        from core.kernel.texts import label
        from core.rest import client_errors
        from core.scheduling import schedule, turns
        from core.scheduling.models import JobGroup

        audit_entry.write = events.write
        audit_entry.replay = events.replay
        call_log.record = logs.record
        call_log.failed = logs.failed
        client_errors.store = logs.store_client_errors
        turns.queues[SEALS.name] = SEALS
        schedule.register(
            schedule.Job(
                "log.clean",
                label("清理日志", "Clean logs"),
                label(
                    "删除超过保留天数的接口日志、错误日志和任务日志。",
                    "Deletes rows of the API, error and job logs that are older than the retention.",
                ),
                JobGroup.SYSTEM,
                "0 0 3 * * ?",
                lambda **told: schedule.Counts(handled=jobs.prune(**told)),
                (schedule.JobParameter("keepDays", "keep_days", label("保留天数", "Retention (days)"), 7, 3650),),
            )
        )
