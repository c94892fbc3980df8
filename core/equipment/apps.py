"""Registers the form of new assets, and the job that lets assets follow their stoppages."""

from django.apps import AppConfig


class EquipmentConfig(AppConfig):
    """Assets, their meters, status and stoppages, plates and labels."""

    name = "core.equipment"

    def ready(self) -> None:
        """Register what companies may ask for of a new asset, and the job."""
        from core.equipment import stoppages
        from core.equipment.serializers import register_scene
        from core.kernel.texts import label
        from core.scheduling import schedule
        from core.scheduling.models import JobGroup

        register_scene()
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
