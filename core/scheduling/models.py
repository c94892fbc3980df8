"""The table of the outbox."""

from __future__ import annotations

from django.db import models

from core.kernel import clock
from core.kernel.models import SharedModel


class OutboxMessage(SharedModel):
    """Something that must happen after the commit of the transaction that wrote this row; deleted once it has."""

    shared_because = "one sweep delivers for all tenants; it enters the row's tenant before it acts"
    own_rows = "tenant_id = {tenant}"

    tenant_id = models.CharField(max_length=12)
    topic = models.CharField(max_length=60)
    payload = models.JSONField()
    attempts = models.IntegerField(default=0)
    due_time = models.DateTimeField(default=clock.now)
    is_parked = models.BooleanField(default=False)
    last_error = models.CharField(max_length=500, blank=True, default="")
    create_time = models.DateTimeField(default=clock.now)

    class Meta:
        indexes = [models.Index(fields=["is_parked", "due_time"])]
