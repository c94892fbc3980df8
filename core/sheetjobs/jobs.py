"""Entry points of the worker: the sweep of the jobs, and the deletion of old ones."""

from __future__ import annotations

from celery import shared_task

from core.identity.models import Tenant
from core.kernel.tenancy import tenant_scope
from core.scheduling import turns
from core.sheetjobs import results, work


@shared_task(name="sheets.sweep")  # type: ignore[untyped-decorator]  # celery has no types
def sweep_sheets() -> None:
    """Do parts of the jobs that are due."""
    work.sweep(seconds=turns.SWEEP_SECONDS)


@shared_task(name="sheets.prune")  # type: ignore[untyped-decorator]  # celery has no types
def prune_sheets() -> None:
    """Delete jobs that ended long ago, and their files."""
    for tenant_id in Tenant._base_manager.values_list("tenant_id", flat=True):
        with tenant_scope(tenant_id):
            results.prune()
