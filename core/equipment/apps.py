"""Registers the form of new assets, and the jobs about stoppages and deadlines."""

from django.apps import AppConfig


class EquipmentConfig(AppConfig):
    """Assets, their meters, status and stoppages, plates and labels."""

    name = "core.equipment"

    def ready(self) -> None:
        """Register what companies may ask for of a new asset, and the jobs."""
        from core.equipment import deadlines, stoppages
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
        schedule.register(
            schedule.Job(
                "machine.deadlines",
                label("设备到期提醒", "Deadlines of assets"),
                label(
                    "法定检验前60、30、7天，质保到期前30天，提醒设备管理人员。",
                    "Tells of statutory inspections 60, 30 and 7 days ahead, and of warranties that end in 30 days.",
                ),
                JobGroup.BUSINESS,
                "0 10 7 * * ?",
                lambda: schedule.Counts(handled=deadlines.remind()),
            )
        )
