"""Registers the system check of the database's own rules."""

from django.apps import AppConfig


class DatabaseConfig(AppConfig):
    """The rules of the database as a Django application, so that their check runs."""

    name = "core.database"

    def ready(self) -> None:
        from core.database import checks  # noqa: F401  (importing registers the check)
