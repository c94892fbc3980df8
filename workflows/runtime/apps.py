"""Connects the runtime with core when the applications are ready."""

from django.apps import AppConfig


class RuntimeConfig(AppConfig):
    """The runtime of processes: definitions, instances, work items, timers and messages."""

    name = "workflows.runtime"

    def ready(self) -> None:
        """Give core its port, the outbox its handler of messages, and Django the check of the verbs."""
        from core import ports
        from core.identity import quotas
        from core.identity.models import QuotaKind
        from core.scheduling import turns
        from workflows.runtime import checks  # noqa: F401  (the import registers the check)
        from workflows.runtime.commands import delivery, end_running, overdrawn, reassign  # noqa: F401  (handlers)
        from workflows.runtime.commands.port import Processes
        from workflows.runtime.definitions import library
        from workflows.runtime.execution import driver
        from workflows.runtime.rows.operation_calls import CALLS
        from workflows.runtime.rows.schedules import SCHEDULES
        from workflows.runtime.rows.timers import TIMERS

        ports.processes = Processes()
        turns.queues[TIMERS.name], turns.tell = TIMERS, overdrawn.tell
        turns.queues[SCHEDULES.name] = SCHEDULES
        turns.queues[CALLS.name] = CALLS
        quotas.counters[QuotaKind.INSTANCES] = driver.running
        quotas.counters[QuotaKind.MODELS] = library.own_models
        ports.named_roles = library.named_roles
