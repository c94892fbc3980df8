"""Makes our Celery application the one that `shared_task` uses, in web, commands and tests alike."""

from django.apps import AppConfig


class ProjectConfig(AppConfig):
    """The project as a Django application: its commands, and Celery."""

    name = "core.project"

    def ready(self) -> None:
        from core.project import celery  # noqa: F401  (importing sets the current Celery application)
