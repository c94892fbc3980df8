"""Registers the case of repair orders."""

from django.apps import AppConfig


class MaintenanceConfig(AppConfig):
    """Repair."""

    name = "core.maintenance"

    def ready(self) -> None:
        """Register the case, what machines show of its orders, and which failure codes orders name."""
        from core import ports
        from core.cases.commands import register
        from core.equipment import card, open_work, stoppage_table, tag_use
        from core.maintenance import dispatching, faults, found_faults, machine_card, working_hours
        from core.maintenance.case import REPAIR
        from core.maintenance.inputs import register_scenes
        from core.maintenance.spare_orders import REPAIR_ORDERS
        from core.spares import orders
        from core.spares.models import OrderType

        register_scenes()
        register(REPAIR)
        orders.register(OrderType.REPAIR, REPAIR_ORDERS)
        open_work.register(REPAIR.title, machine_card.open_orders)
        card.register(card.Orders(machine_card.last_orders, machine_card.failures, machine_card.repairs))
        tag_use.register(faults.names_tag, faults.symptoms_since)
        card.register_worked(working_hours.worked_spans)
        stoppage_table.register(working_hours.worked_minutes)
        ports.repairs = found_faults.Repairs()
        dispatching.listen()
