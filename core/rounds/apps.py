"""The application of inspection tasks."""

from django.apps import AppConfig


class RoundsConfig(AppConfig):
    """Inspection tasks."""

    name = "core.rounds"

    def ready(self) -> None:
        """Follow what happens to points, shift plans and work orders."""
        from core import ports
        from core.inspection import point_use
        from core.rounds import calendar, findings, runs
        from core.shifts import followers

        point_use.register(calendar.open_tasks_at)
        followers.register(calendar.reassign)
        ports.repair_listeners.append(findings.repair_ended)
        runs.listen()
