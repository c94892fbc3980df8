"""Registers the kernel's system check."""

from django.apps import AppConfig


class KernelConfig(AppConfig):
    """The kernel as a Django application, so that its check runs."""

    name = "core.kernel"

    def ready(self) -> None:
        from core.kernel import checks  # noqa: F401  (importing registers the check)
