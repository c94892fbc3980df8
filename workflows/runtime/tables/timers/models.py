"""The table of timers."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from core.scheduling.models import QueuedModel


class Timer(QueuedModel):
    """A timer that waits. Deleted when it fires or when its step ends.

    Its due time is empty while the record's due function gives none.
    """

    shared_because = "one sweep finds what is due for all tenants; it enters the row's tenant before it acts"

    instance_id = models.BigIntegerField()
    engine_task = models.CharField(max_length=40)
    node = models.CharField(max_length=80)
    kind = models.CharField(max_length=10)
    text = models.CharField(max_length=200)
    begin_time = models.DateTimeField(null=True)
    """From when its working time is counted; empty where it counts natural time, or the record says from when."""
    calendar_version = models.BigIntegerField(null=True)
    """The working calendar by which its due time was computed; empty where it counts natural time."""

    class Meta(QueuedModel.Meta):
        indexes = [
            *QueuedModel.Meta.indexes,
            models.Index(
                fields=["tenant_id", "calendar_version", "instance_id"],
                condition=Q(calendar_version__isnull=False),
                name="timer_by_calendar",
            ),
        ]
        constraints = [models.UniqueConstraint(fields=["instance_id", "engine_task"], name="timer_once")]
