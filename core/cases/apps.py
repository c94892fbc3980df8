"""The application of what cases share; its one table holds the comments on their records."""

from django.apps import AppConfig


class CasesConfig(AppConfig):
    """Cases."""

    name = "core.cases"

    def ready(self) -> None:
        """Register the system check."""
        from core.cases import checks  # noqa: F401  (the import registers it)
