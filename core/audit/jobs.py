"""Old rows of the logs go, a part at a time."""

from __future__ import annotations

from datetime import timedelta

from celery import shared_task

from core.audit.models import CallLog, ErrorLog
from core.identity.models import Tenant
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.system import parameters

AT_ONCE = 5000


@shared_task(name="audit.prune")  # type: ignore[untyped-decorator]
def prune() -> None:
    """Delete what is older than each tenant's `log.keepDays`; events are the history of records and stay."""
    for tenant_id in Tenant.objects.values_list("tenant_id", flat=True):
        with tenant_scope(tenant_id):
            until = clock.now() - timedelta(days=parameters.keep_days())
            for model in (CallLog, ErrorLog):
                old = model.objects.filter(create_time__lt=until).order_by("create_time").values("pk")[:AT_ONCE]
                model.objects.filter(pk__in=list(old.values_list("pk", flat=True))).delete()
