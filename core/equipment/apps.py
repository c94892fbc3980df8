"""Registers the job that lets machines follow their stoppages."""

from django.apps import AppConfig


class EquipmentConfig(AppConfig):
    """Assets, their meters, status and stoppages."""

    name = "core.equipment"

    def ready(self) -> None:
        """Register the job."""
        from core.equipment import stoppages
        from core.kernel.texts import label
        from core.scheduling import schedule
        from core.scheduling.models import JobGroup

        schedule.register(
            schedule.Job(
                "rest.refresh",
                label("刷新停机状态", "Refresh stoppages"),
                label(
                    "计划停机到时开始或结束时，更新设备的运行状态。",
                    "Updates the status of assets when a planned stoppage begins or ends.",
                ),
                JobGroup.BUSINESS,
                "0 0/5 * * * ?",
                lambda: schedule.Counts(handled=stoppages.refresh_tenant()),
            )
        )
