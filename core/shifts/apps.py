"""The application of shift plans."""

from django.apps import AppConfig


class ShiftsConfig(AppConfig):
    """Shift plans and their calendar."""

    name = "core.shifts"
