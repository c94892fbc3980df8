"""The jobs that seal events and check the seals, and that delete old rows of the other logs in batches."""

from __future__ import annotations

from datetime import timedelta

from celery import shared_task

from core.audit import seals, verifying
from core.audit.models import CallLog, ErrorLog
from core.identity.models import Tenant
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.scheduling import turns
from core.system import parameters

AT_ONCE = 5000


@shared_task(name="audit.prune")  # type: ignore[untyped-decorator]
def prune() -> None:
    """Delete rows of the call and error logs older than the tenant's `log.keepDays`, and old checks.

    Events are kept.
    """
    for tenant_id in Tenant.objects.values_list("tenant_id", flat=True):
        with tenant_scope(tenant_id):
            until = clock.now() - timedelta(days=parameters.keep_days())
            for model in (CallLog, ErrorLog):
                old = model.objects.filter(create_time__lt=until).order_by("create_time").values("pk")[:AT_ONCE]
                model.objects.filter(pk__in=list(old.values_list("pk", flat=True))).delete()
            verifying.prune()


@shared_task(name="audit.seal")  # type: ignore[untyped-decorator]
def seal() -> None:
    """Seal the events that were stored since the last seals."""
    seals.seal_all()


@shared_task(name="audit.verify")  # type: ignore[untyped-decorator]
def verify() -> None:
    """Do parts of the checks of the seals that are due."""
    verifying.sweep(seconds=turns.SWEEP_SECONDS)
