"""The application of check standards, routes and points."""

from django.apps import AppConfig


class InspectionConfig(AppConfig):
    """Inspection."""

    name = "core.inspection"
