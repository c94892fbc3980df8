"""The application of inspection tasks."""

from django.apps import AppConfig


class RoundsConfig(AppConfig):
    """Inspection tasks."""

    name = "core.rounds"

    def ready(self) -> None:
        """Follow points, shift plans, stoppages and work orders, and let tasks be made ahead and end in time."""
        from core import ports
        from core.equipment import work_dates
        from core.inspection import completion, point_use
        from core.kernel.texts import label
        from core.rounds import (
            calendar,
            exemptions,
            findings,
            forecasting,
            generation,
            inputs,
            queries,
            rates,
            runs,
            startup,
            sweep,
        )
        from core.scheduling import schedule
        from core.scheduling.models import JobGroup
        from core.shifts import followers

        point_use.register(calendar.open_tasks_at)
        completion.register(rates.completion30)
        work_dates.register(last_inspect_time=queries.last_inspected, next_inspect_time=queries.next_inspected)
        followers.register(calendar.reassign)
        ports.repair_listeners.append(findings.repair_ended)
        runs.listen()
        exemptions.listen()
        inputs.register_scene()
        startup.listen()
        schedule.register(
            schedule.Job(
                "inspect.generate",
                label("生成点检任务", "Make inspection tasks"),
                label(
                    "按任务规则生成今天及之后几天的点检任务。",
                    "Makes the inspection tasks of today and the days after by the task rules.",
                ),
                JobGroup.BUSINESS,
                "0 10 * * * ?",
                lambda **told: schedule.Counts(created=generation.cover_tenant(**told)),
                (schedule.JobParameter("aheadDays", "ahead_days", label("提前天数", "Days ahead"), 0, 31),),
            )
        )
        schedule.register(
            schedule.Job(
                "inspect.missed",
                label("点检漏检与提醒", "Missed inspections"),
                label(
                    "截止时间已过的点检任务记为漏检；即将截止的提醒执行人。",
                    "Marks inspection tasks missed after their due time, and reminds people of those due soon.",
                ),
                JobGroup.BUSINESS,
                "0 0/5 * * * ?",
                lambda: schedule.Counts(handled=sum(sweep.look_after())),
            )
        )
        schedule.register(
            schedule.Job(
                "inspect.forecast",
                label("预测检查项超限", "Forecast limits"),
                label(
                    "按检查项读数的趋势预测何时超限，有新的预测时通知设备主管和路线负责人。",
                    "Forecasts by the trend of readings when check items cross their limits, and tells of new ones.",
                ),
                JobGroup.BUSINESS,
                "0 20 2 * * ?",
                forecasting.counted,
            )
        )
