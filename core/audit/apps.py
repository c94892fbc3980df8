"""Fills the kernel's ports to the audit."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """Events."""

    name = "core.audit"

    def ready(self) -> None:
        from core.audit import events
        from core.kernel import act

        act.write = events.write
        act.replay = events.replay
