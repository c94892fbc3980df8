"""Registers the case of repair orders."""

from django.apps import AppConfig


class MaintenanceConfig(AppConfig):
    """Repair."""

    name = "core.maintenance"

    def ready(self) -> None:
        """Register the case."""
        from core.cases.commands import register
        from core.maintenance.case import REPAIR

        register(REPAIR)
