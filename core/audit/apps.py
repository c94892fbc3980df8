"""Fills the kernel's ports to the audit and the logs."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """Events, calls, errors."""

    name = "core.audit"

    def ready(self) -> None:
        from core.audit import events, logs
        from core.kernel import act, call_log, client_errors

        act.write = events.write
        act.replay = events.replay
        call_log.record = logs.record
        call_log.failed = logs.failed
        client_errors.store = logs.store_client_errors
