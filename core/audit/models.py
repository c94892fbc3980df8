"""The table of events."""

from __future__ import annotations

from django.db import models

from core.kernel import clock
from core.kernel.models import TenantModel


class Event(TenantModel):
    """One act of a person or the system, written in the act's own transaction and never changed."""

    time = models.DateTimeField(default=clock.now)
    operation = models.CharField(max_length=80)
    user_id = models.BigIntegerField()
    user_name = models.CharField(max_length=40)
    client = models.CharField(max_length=10)
    ip = models.CharField(max_length=45, blank=True, default="")
    request_id = models.CharField(max_length=64, blank=True, default="")
    business_type = models.CharField(max_length=40, blank=True, default="")
    business_id = models.BigIntegerField(null=True)
    from_status = models.SmallIntegerField(null=True)
    to_status = models.SmallIntegerField(null=True)
    remark = models.CharField(max_length=500, blank=True, default="")
    instance_id = models.BigIntegerField(null=True)
    work_item_id = models.BigIntegerField(null=True)
    node = models.CharField(max_length=80, blank=True, default="")
    round = models.IntegerField(default=0)
    outcome = models.CharField(max_length=40, blank=True, default="")
    effects = models.JSONField(default=list)
    idempotency_key = models.CharField(max_length=80, null=True)
    digest = models.CharField(max_length=64, blank=True, default="")
    answer = models.JSONField(null=True)
    """What the request was answered, for the same request under the same key."""

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "user_id", "idempotency_key"], name="event_key_once"),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "business_type", "business_id", "id"]),
            models.Index(fields=["tenant_id", "instance_id", "id"]),
        ]
