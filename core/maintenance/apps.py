"""Gives the processes the effects of repair orders."""

from django.apps import AppConfig


class MaintenanceConfig(AppConfig):
    """Repair."""

    name = "core.maintenance"

    def ready(self) -> None:
        from core.kernel import ports
        from core.maintenance import design, dues, effects, operations, queries

        ports.register_effects(
            ports.Effects(
                business_type=operations.BUSINESS_TYPE,
                effects=effects.EFFECTS,
                load=operations.load,
                save=operations.store,
                names=operations.names_for_models,
                dues=dues.DUES,
                sees=queries.sees,
                command=operations.by_item,
                start=ports.Start(operations.MODEL, "repairorder_add", "/repair/report"),
                design=design.DESIGN,
                cancel=operations.cancel,
                parameters=design.PARAMETERS,
            )
        )
