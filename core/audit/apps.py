"""Provides the functions of the kernel's ports to audit and logs, and adds the queue of checks."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """The application of the three logs."""

    name = "core.audit"

    def ready(self) -> None:
        from core.audit import events, logs
        from core.audit.verifying import SEALS
        from core.kernel import audit_entry, call_log
        from core.rest import client_errors
        from core.scheduling import turns

        audit_entry.write = events.write
        audit_entry.replay = events.replay
        call_log.record = logs.record
        call_log.failed = logs.failed
        client_errors.store = logs.store_client_errors
        turns.queues[SEALS.name] = SEALS
