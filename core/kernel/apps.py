"""Registers the kernel's system checks."""

from django.apps import AppConfig


class KernelConfig(AppConfig):
    """The kernel as a Django application, so that its checks run."""

    name = "core.kernel"

    def ready(self) -> None:
        from core.kernel import checks, openapi  # noqa: F401  (importing registers checks and schema extensions)
