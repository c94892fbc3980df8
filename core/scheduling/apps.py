"""Fills the kernel's port to the outbox."""

from django.apps import AppConfig


class SchedulingConfig(AppConfig):
    """The outbox."""

    name = "core.scheduling"

    def ready(self) -> None:
        from core.kernel import outbox
        from core.scheduling import outbox as table
        from core.scheduling import turns

        outbox.send = table.send
        outbox.again = table.again
        outbox.wake = table.wake
        turns.queues[table.MESSAGES.name] = table.MESSAGES
