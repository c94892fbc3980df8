"""Jobs of the worker: the sweeps of timers, schedules and operations, due times anew, and the queues' counts."""

from __future__ import annotations

from celery import shared_task

from core.identity.models import Tenant
from core.kernel.tenancy import tenant_scope
from core.scheduling import turns
from workflows.runtime.commands import calendar_changes, operation_calls, schedules, sweep
from workflows.runtime.rows import queues


@shared_task(name="timers.sweep")  # type: ignore[untyped-decorator]  # celery has no types
def sweep_timers() -> None:
    """Fire timers that are due."""
    sweep.fire_due(seconds=turns.SWEEP_SECONDS)


@shared_task(name="schedules.sweep")  # type: ignore[untyped-decorator]  # celery has no types
def sweep_schedules() -> None:
    """Start processes whose time has come."""
    schedules.start_due(seconds=turns.SWEEP_SECONDS)


@shared_task(name="timers.renew")  # type: ignore[untyped-decorator]  # celery has no types
def renew_timers() -> None:
    """Compute due times in working time anew where the calendar of their tenant has changed."""
    calendar_changes.renew_outdated(seconds=turns.SWEEP_SECONDS)


@shared_task(name="operations.sweep")  # type: ignore[untyped-decorator]  # celery has no types
def sweep_operations() -> None:
    """Ask operations that answer later."""
    operation_calls.sweep(seconds=turns.SWEEP_SECONDS)


@shared_task(name="queues.tidy")  # type: ignore[untyped-decorator]  # celery has no types
def tidy_queues() -> None:
    """Replace the many count rows of a busy queue by one, and correct counts that no longer match the work items."""
    for tenant_id in Tenant.objects.values_list("tenant_id", flat=True):
        with tenant_scope(tenant_id):
            queues.put_together()
            queues.recount()
