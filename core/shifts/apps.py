"""The application of shift plans."""

from django.apps import AppConfig


class ShiftsConfig(AppConfig):
    """Shift plans and their calendar."""

    name = "core.shifts"

    def ready(self) -> None:
        """Say who is on duty, for steps of processes that go to them, and let the calendar be made ahead."""
        from core import ports
        from core.kernel.texts import label
        from core.scheduling import schedule
        from core.scheduling.models import JobGroup
        from core.shifts import calendar, queries

        ports.on_duty = queries.on_duty_in
        schedule.register(
            schedule.Job(
                "shift.cover",
                label("排班日历延展", "Extend shift calendars"),
                label(
                    "把启用的排班方案的日历延展到今后62天。",
                    "Makes the calendar of enabled shift plans up to 62 days ahead.",
                ),
                JobGroup.BUSINESS,
                "0 5/10 * * * ?",
                lambda: schedule.Counts(created=calendar.cover_tenant()),
            )
        )
