"""The table of process instances."""

from __future__ import annotations

from django.db import models

from core.kernel import clock
from core.kernel.models import TenantModel
from core.kernel.texts import choose, label


class InstanceStatus(models.IntegerChoices):
    """The status of a process instance."""

    RUNNING = 1, label("进行中", "Running")
    COMPLETED = 2, label("已结束", "Finished")
    ENDED = 3, label("已终止", "Terminated")
    """By a person who follows processes; of one bound to a record, the record's own command completes it."""
    REJECTED = 4, label("已驳回", "Rejected")
    """By a step that may reject, in a model that says nothing of what then follows."""
    WITHDRAWN = 5, label("已撤回", "Withdrawn")
    """By who started it; of one bound to a record, the same holds."""


STANDALONE = "process"
"""Business type of what no record is bound to; its business id is its own."""


class ProcessInstance(TenantModel):
    """One run of a definition, for a business record or standalone. Whoever moves it locks this row."""

    definition = models.ForeignKey("deployments.Definition", models.PROTECT, related_name="+")
    business_type = models.CharField(max_length=40)
    business_id = models.BigIntegerField()
    business_no = models.CharField(max_length=20)
    title = models.CharField(max_length=200)
    title_en = models.CharField(max_length=200, blank=True, default="")
    """Empty where it reads the same in English."""
    starter_id = models.BigIntegerField()
    starter_name = models.CharField(max_length=40)
    status = models.SmallIntegerField(choices=InstanceStatus.choices, default=InstanceStatus.RUNNING)
    state = models.BinaryField()
    """The engine's compact state; nothing but the engine reads it."""
    nodes = models.JSONField(default=dict)
    """Node id → how often it was passed, for the diagram; bounded by the model, unlike the history."""
    flows = models.JSONField(default=dict)
    """Sequence flow id → how often it was taken."""
    rounds = models.JSONField(null=True, default=dict)
    """Node id → round of its newest work item; of a step that is done several times, `id/place` → that one's.

    Null where the instance began before they were kept here.
    """
    form = models.JSONField(default=dict)
    """What people filled in, checked, by the keys of the model's forms; conditions read it as `form.*`."""
    undo_item = models.BigIntegerField(null=True)
    """The work item whose completion was the last step, while whoever completed it may take it back; see undo.py."""
    undo_state = models.BinaryField(default=b"")
    """The engine's state before that step."""
    undo = models.JSONField(default=dict)
    """The rest of what that step changed."""
    start_time = models.DateTimeField(default=clock.now)
    end_time = models.DateTimeField(null=True)
    park_time = models.DateTimeField(null=True)
    """Since when it stands still although it runs, because of a limit or a failing timer; see incidents.py."""
    park_code = models.CharField(max_length=40, blank=True, default="")
    park_node = models.CharField(max_length=100, blank=True, default="")
    park_text = models.CharField(max_length=500, blank=True, default="")
    park_text_en = models.CharField(max_length=500, blank=True, default="")
    halt_time = models.DateTimeField(null=True)
    """Since when this one alone is suspended; see suspension.py. Its definition may be suspended beside it."""
    halt_user_name = models.CharField(max_length=40, blank=True, default="")
    halt_reason = models.CharField(max_length=200, blank=True, default="")

    @property
    def called(self) -> str:
        """Return the title in the caller's language."""
        return choose(self.title, self.title_en)

    @property
    def is_over(self) -> bool:
        """Return whether the instance has ended."""
        return bool(self.status != InstanceStatus.RUNNING)

    class Meta(TenantModel.Meta):
        verbose_name = label("流程实例", "Process instance")
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_id", "business_type", "business_id"], name="instance_of_record_once"
            )
        ]
        indexes = [
            models.Index(fields=["tenant_id", "starter_id", "-start_time", "-id"], name="instance_of_starter"),
            models.Index(fields=["tenant_id", "-id"], name="instance_newest"),
            models.Index(
                fields=["tenant_id", "-id"], name="instance_parked", condition=models.Q(park_time__isnull=False)
            ),
            models.Index(
                fields=["tenant_id", "-id"], name="instance_suspended", condition=models.Q(halt_time__isnull=False)
            ),
            models.Index(
                fields=["tenant_id"], name="instance_running", condition=models.Q(status=InstanceStatus.RUNNING)
            ),
            models.Index(fields=["tenant_id", "definition", "status", "end_time"], name="instance_of_version"),
        ]
