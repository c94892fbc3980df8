"""The store as a Django application."""

from django.apps import AppConfig


class ToolroomConfig(AppConfig):
    """Toolmakers, tools, their ledger and orders of tools."""

    name = "tests.toolroom"
