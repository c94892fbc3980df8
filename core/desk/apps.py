"""Registers the delivery of messages, and gives the processes the effects of leave and a way to send messages."""

from django.apps import AppConfig


class DeskConfig(AppConfig):
    """Messages, notices, leave."""

    name = "core.desk"

    def ready(self) -> None:
        from core.desk import common  # importing registers the outbox handler of messages too
        from core.desk.leave import design, effects, operations, queries
        from core.kernel import ports

        ports.register_common(common.SEND)
        ports.register_effects(
            ports.Effects(
                business_type=queries.BUSINESS_TYPE,
                effects=effects.EFFECTS,
                load=operations.load,
                save=operations.store,
                names=operations.names_for_models,
                dues={},
                sees=queries.sees,
                command=operations.STEPS.by_item,
                start=ports.Start(operations.MODEL, operations.ADD, "/work/process/leave/form/{id}"),
                design=design.DESIGN,
            )
        )
