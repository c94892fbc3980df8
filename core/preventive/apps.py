"""Registers the case of maintenance orders."""

from django.apps import AppConfig


class PreventiveConfig(AppConfig):
    """Preventive maintenance."""

    name = "core.preventive"

    def ready(self) -> None:
        """Register the case, the operations beside it, and what companies may ask for in its form."""
        from core.cases.commands import register
        from core.equipment import open_work, work_dates
        from core.kernel.texts import label
        from core.preventive import (
            generation,
            orders,  # noqa: F401  registers its operation
            queries,
        )
        from core.preventive.case import MAINTAIN
        from core.preventive.inputs import register_scene
        from core.preventive.spare_orders import MAINTAIN_ORDERS
        from core.scheduling import schedule
        from core.scheduling.models import JobGroup
        from core.spares import orders as spare_orders
        from core.spares.models import OrderType

        register_scene()
        register(MAINTAIN)
        spare_orders.register(OrderType.MAINTENANCE, MAINTAIN_ORDERS)
        open_work.register(MAINTAIN.title, queries.open_by_machine)
        work_dates.register(last_maintain_time=queries.last_maintained, next_maintain_date=queries.next_planned)
        generation.listen()
        schedule.register(
            schedule.Job(
                "maintain.generate",
                label("生成保养单", "Make maintenance orders"),
                label(
                    "按保养标准的周期和读数，提前生成到期的保养单。",
                    "Makes the orders of what is due by the cycles and meters of the maintenance standards.",
                ),
                JobGroup.BUSINESS,
                "0 30 0 * * ?",
                generation.nightly,
            )
        )
