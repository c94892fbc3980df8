"""Entry point of the worker: the sums of the queues are put together."""

from __future__ import annotations

from celery import shared_task

from core.identity.models import Tenant
from core.kernel.tenancy import tenant_scope
from workflows.worklist import pools


@shared_task(name="queues.tidy")  # type: ignore[untyped-decorator]  # celery has no types
def tidy() -> None:
    """Let busy queues have few rows; set right what somebody changed past the acts."""
    for tenant_id in Tenant.objects.values_list("tenant_id", flat=True):
        with tenant_scope(tenant_id):
            pools.put_together()
            pools.recount()
