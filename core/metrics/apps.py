"""The application of the plant's figures."""

from django.apps import AppConfig


class MetricsConfig(AppConfig):
    """Figures over a period, and reporting months that are closed."""

    name = "core.metrics"

    def ready(self) -> None:
        """Register the jobs that freeze reporting months and send the digests of a morning."""
        from core.kernel.texts import label
        from core.metrics import digest, freezing
        from core.scheduling import schedule
        from core.scheduling.models import JobGroup

        schedule.register(
            schedule.Job(
                "report.freeze",
                label("冻结报表月", "Freeze reporting months"),
                label(
                    "报表月结束并过了宽限天数后，保存当月的设备绩效，之后的改动不再影响它。",
                    "Stores the KPIs of a reporting month once its grace is over; later changes do not move them.",
                ),
                JobGroup.BUSINESS,
                "0 40 3 * * ?",
                freezing.freeze_tenant,
            )
        )
        schedule.register(
            schedule.Job(
                "message.digest",
                label("每日摘要", "Daily digest"),
                label(
                    "早上给选择了每日摘要的人员发送当天的待办、即将到期和异常。",
                    "Tells those who want it each morning what they can do, what is due soon and what went wrong.",
                ),
                JobGroup.BUSINESS,
                "0 30 7 * * ?",
                lambda: schedule.Counts(created=digest.send()),
            )
        )
