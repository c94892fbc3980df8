"""The tables of timers, and of the schedules by which processes start."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from core.kernel import clock
from core.kernel.texts import choose, label
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


class StartResult(models.IntegerChoices):
    """What came of the last occurrence of a schedule."""

    NONE = 0, label("尚未执行", "Not run yet")
    STARTED = 1, label("已发起", "Started")
    FAILED = 2, label("失败", "Failed")


class Schedule(QueuedModel):
    """When a process starts by itself, by start event of the version that the tenant starts.

    It sleeps while it is switched off or its definition is suspended. Its due time is empty when it is over. That of a
    general definition is read by all tenants and starts nothing: each tenant that switches it on has one of its own.
    """

    shared_because = "one sweep finds what is due for all tenants; it enters the row's tenant before it acts"
    read_rows = "is_general"

    is_general = models.BooleanField(default=False)
    definition = models.ForeignKey("deployments.Definition", models.PROTECT, related_name="schedules")
    key = models.CharField(max_length=60)
    """That of the definition: the next version takes the place of this one."""
    node = models.CharField(max_length=80)
    name = models.CharField(max_length=80, blank=True, default="")
    name_en = models.CharField(max_length=120, blank=True, default="")
    """What the start event is called."""
    kind = models.CharField(max_length=10)
    text = models.CharField(max_length=200)
    """The time as the engine reads it: a date, a duration or a repetition."""
    starter = models.CharField(max_length=100, blank=True, default="")
    """The rule by which the model names the starter; empty: the person below."""
    person_id = models.BigIntegerField(null=True)
    """Who has deployed it or switched it on."""
    is_on = models.BooleanField(default=True)
    begin_time = models.DateTimeField(default=clock.now)
    """The moment from which a duration counts."""
    occurrence = models.DateTimeField(null=True)
    """The moment that is next; after a failure the due time is later than it."""
    last_result = models.SmallIntegerField(choices=StartResult.choices, default=StartResult.NONE)
    last_time = models.DateTimeField(null=True)
    """When the last start happened, or failed for good."""
    last_instance_id = models.BigIntegerField(null=True)
    last_reason = models.CharField(max_length=500, blank=True, default="")
    last_reason_en = models.CharField(max_length=500, blank=True, default="")
    missed = models.IntegerField(default=0)
    """Occurrences that went by without a start just before: the server or the definition stood still."""

    class Meta(QueuedModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "definition", "node"], name="schedule_once")]
        indexes = [
            *QueuedModel.Meta.indexes,
            models.Index(fields=["tenant_id", "key", "node"], name="schedule_of_key"),
            models.Index(fields=["key", "node"], condition=models.Q(is_general=True), name="schedule_general"),
        ]

    def __str__(self) -> str:
        return choose(self.name, self.name_en or self.name) or self.node
