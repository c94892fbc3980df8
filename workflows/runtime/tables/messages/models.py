"""The table of message subscriptions."""

from __future__ import annotations

from django.db import models

from core.kernel.models import TenantModel


class Waiting(TenantModel):
    """A message subscription: an event of an instance that waits for a message. Deleted when it waits no longer."""

    instance = models.ForeignKey("instances.ProcessInstance", models.CASCADE, related_name="+")
    engine_task = models.CharField(max_length=40)
    node = models.CharField(max_length=100)
    message = models.CharField(max_length=100)
    key = models.CharField(max_length=100)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "instance", "engine_task"], name="waiting_once")]
        indexes = [models.Index(fields=["tenant_id", "message", "key", "instance"], name="waiting_for_message")]
