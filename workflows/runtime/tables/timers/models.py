"""The table of timers."""

from __future__ import annotations

from django.db import models

from core.kernel.models import SharedModel


class Timer(SharedModel):
    """A timer that waits. Deleted when it fires or when its step ends."""

    shared_because = "one sweep finds what is due for all tenants; it enters the row's tenant before it acts"
    own_rows = "tenant_id = {tenant}"

    tenant_id = models.CharField(max_length=12)
    instance_id = models.BigIntegerField()
    engine_task = models.CharField(max_length=40)
    node = models.CharField(max_length=80)
    kind = models.CharField(max_length=10)
    text = models.CharField(max_length=200)
    due_time = models.DateTimeField(null=True)
    """Empty while the timer rests: the record's due function gave no time, or it fell due in a suspended instance."""
    attempts = models.IntegerField(default=0)
    is_parked = models.BooleanField(default=False)
    last_error = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["instance_id", "engine_task"], name="timer_once")]
        indexes = [models.Index(fields=["is_parked", "due_time"])]
