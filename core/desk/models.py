"""The table of messages."""

from __future__ import annotations

from django.db import models

from core.kernel import clock
from core.kernel.models import TenantModel


class Message(TenantModel):
    """A message to one person, in the words of the person's language."""

    user_id = models.BigIntegerField()
    outbox_id = models.BigIntegerField()
    """The outbox row it came from: a message delivered twice is stored once."""
    title = models.CharField(max_length=120)
    content = models.CharField(max_length=500)
    business_type = models.CharField(max_length=40)
    business_id = models.BigIntegerField()
    create_time = models.DateTimeField(default=clock.now)
    is_read = models.BooleanField(default=False)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "user_id", "outbox_id"], name="message_once")]
        indexes = [models.Index(fields=["tenant_id", "user_id", "is_read", "-id"])]
