"""Registers the delivery of messages."""

from django.apps import AppConfig


class DeskConfig(AppConfig):
    """Messages."""

    name = "core.desk"

    def ready(self) -> None:
        from core.desk import messages  # noqa: F401  (importing registers the outbox handler)
