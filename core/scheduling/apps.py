"""Fills the kernel's port to the outbox, and registers the operation that calls other systems."""

from django.apps import AppConfig


class SchedulingConfig(AppConfig):
    """The outbox."""

    name = "core.scheduling"

    def ready(self) -> None:
        from django.conf import settings

        from core import ports
        from core.kernel import outbox
        from core.scheduling import http_request, turns
        from core.scheduling import outbox as table

        outbox.send = table.send
        outbox.again = table.again
        outbox.wake = table.wake
        turns.queues[table.MESSAGES.name] = table.MESSAGES
        if settings.HTTP_HOSTS:
            ports.register_common(http_request.REQUEST)
