"""Connects the runtime with core when the applications are ready."""

from django.apps import AppConfig


class RuntimeConfig(AppConfig):
    """The runtime of processes: definitions, instances, work items, timers and messages."""

    name = "workflows.runtime"

    def ready(self) -> None:
        """Give core its port, the outbox its handler of messages, and Django the check of the verbs."""
        from core import ports
        from workflows.runtime import checks  # noqa: F401  (the import registers the check)
        from workflows.runtime.commands import delivery, end_running, reassign  # noqa: F401  (they register handlers)
        from workflows.runtime.commands.port import Processes
        from workflows.runtime.definitions import library

        ports.processes = Processes()
        ports.named_roles = library.named_roles
