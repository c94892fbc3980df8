"""Registers the delivery with the outbox."""

from django.apps import AppConfig


class MessagesConfig(AppConfig):
    """Messages between processes."""

    name = "workflows.messages"
    label = "flow_messages"

    def ready(self) -> None:
        from workflows.messages import delivery  # noqa: F401  (its handler is registered by the import)
