"""The jobs that seal events and check the seals, and that delete old rows of the other logs."""

from __future__ import annotations

from datetime import timedelta

from celery import shared_task

from core.audit import seals, verifying
from core.audit.models import CallLog, ErrorLog
from core.kernel import clock
from core.kernel.tenancy import current_tenant
from core.scheduling import turns
from core.scheduling.models import JobLogStatus, ScheduleLog
from core.system import parameters

AT_ONCE = 5000


def prune(keep_days: int | None = None) -> int:
    """Delete rows of the call and error logs of the tenant in scope that are older than so many days.

    Without a number its own `log.keepDays` counts.

    Old checks of seals and runs of jobs go too; events are kept. Returns how many rows of the two logs went.
    """
    days = keep_days if keep_days is not None else parameters.keep_days()
    until, gone = clock.now() - timedelta(days=days), 0
    for model in (CallLog, ErrorLog):
        old = model.objects.filter(create_time__lt=until).order_by("create_time").values("pk")
        while ids := list(old.values_list("pk", flat=True)[:AT_ONCE]):
            gone += model.objects.filter(pk__in=ids).delete()[0]
    verifying.prune()
    ScheduleLog.objects.filter(tenant_id=current_tenant(), due_time__lt=until).exclude(
        status=JobLogStatus.RUNNING
    ).delete()
    return gone


@shared_task(name="audit.seal")  # type: ignore[untyped-decorator]
def seal() -> None:
    """Seal the events that were stored since the last seals."""
    seals.seal_all()


@shared_task(name="audit.verify")  # type: ignore[untyped-decorator]
def verify() -> None:
    """Do parts of the checks of the seals that are due."""
    verifying.sweep(seconds=turns.SWEEP_SECONDS)
