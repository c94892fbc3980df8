"""Registers the delivery of messages, the operation that sends them, and the case of leave."""

from django.apps import AppConfig


class DeskConfig(AppConfig):
    """Messages, notices, leave."""

    name = "core.desk"

    def ready(self) -> None:
        """Fill the port to messages and register the case."""
        from core import ports
        from core.cases.commands import register
        from core.desk import common, messages  # importing registers the outbox handler of messages too
        from core.desk.leave.case import LEAVE

        ports.messages = messages
        ports.register_common(common.SEND)
        register(LEAVE)
