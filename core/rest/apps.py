"""Registers the system check of the calls, and how our fields appear in the OpenAPI document."""

from django.apps import AppConfig


class RestConfig(AppConfig):
    """The REST base as a Django application, so that its check runs."""

    name = "core.rest"

    def ready(self) -> None:
        from core.rest import checks, openapi  # noqa: F401  (importing registers the check and the schema extensions)
