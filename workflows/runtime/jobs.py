"""Jobs of the worker: the sweep of the timers, and the compaction of the queues' counts."""

from __future__ import annotations

from celery import shared_task

from core.identity.models import Tenant
from core.kernel.tenancy import tenant_scope
from core.scheduling import turns
from workflows.runtime.commands import reassign, sweep
from workflows.runtime.rows import queues


@shared_task(name="timers.sweep")  # type: ignore[untyped-decorator]  # celery has no types
def sweep_timers() -> None:
    """Fire timers that are due."""
    sweep.fire_due(seconds=turns.SWEEP_SECONDS)


@shared_task(name="queues.tidy")  # type: ignore[untyped-decorator]  # celery has no types
def tidy_queues() -> None:
    """Replace the many count rows of a busy queue by one, correct counts that no longer match, and find left items."""
    for tenant_id in Tenant.objects.values_list("tenant_id", flat=True):
        with tenant_scope(tenant_id):
            queues.put_together()
            queues.recount()
            reassign.left_behind()
