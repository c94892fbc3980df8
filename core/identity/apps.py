"""Fills the kernel's port to people."""

from django.apps import AppConfig


class IdentityConfig(AppConfig):
    """Tenants and people."""

    name = "core.identity"

    def ready(self) -> None:
        from core.identity import people
        from core.kernel import ports

        ports.people = people.Directory()
