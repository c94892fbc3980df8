"""Registers the case of repair orders."""

from django.apps import AppConfig


class MaintenanceConfig(AppConfig):
    """Repair."""

    name = "core.maintenance"

    def ready(self) -> None:
        """Register the case, what is open on a machine, and which failure codes orders name."""
        from core.cases.commands import register
        from core.equipment import open_work, tag_use
        from core.maintenance import faults
        from core.maintenance.case import REPAIR
        from core.maintenance.models import OPEN, RepairOrder

        register(REPAIR)
        orders = RepairOrder.objects
        open_work.register(REPAIR.title, lambda machine: orders.filter(machine=machine, status__in=OPEN).count())
        tag_use.register(faults.names_tag, faults.symptoms_since)
