"""The tables of jobs on spreadsheets: what was asked for, the parts of it that are done, and its place in the queue."""

from __future__ import annotations

from django.db import models

from core.kernel import clock
from core.kernel.models import TenantModel
from core.kernel.texts import choose, label
from core.scheduling.models import QueuedModel
from core.storage.models import Attachment


class JobKind(models.IntegerChoices):
    """Which way the rows go."""

    EXPORT = 1, label("导出", "Export")
    IMPORT = 2, label("导入", "Import")


class JobState(models.IntegerChoices):
    """How far a job is."""

    WAITING = 1, label("排队中", "Queued")
    RUNNING = 2, label("进行中", "Running")
    DONE = 3, label("已完成", "Done")
    FAILED = 4, label("失败", "Failed")
    CANCELLED = 5, label("已取消", "Cancelled")


OPEN_STATES = (JobState.WAITING, JobState.RUNNING)


class SheetJob(TenantModel):
    """An export or an import of many rows that one person has asked for."""

    kind = models.IntegerField(choices=JobKind.choices, default=JobKind.EXPORT)
    user_id = models.BigIntegerField()
    user_name = models.CharField(max_length=60)
    state = models.IntegerField(choices=JobState.choices, default=JobState.WAITING)
    title = models.CharField(max_length=120)
    title_en = models.CharField(max_length=120)
    """What the rows are called, as their menu entry."""
    call = models.CharField(max_length=200)
    """The call that does the same for few rows, without `/api`."""
    query = models.JSONField(default=dict)
    """Its parameters."""
    lang = models.CharField(max_length=10)
    """The language of the sheet."""
    source = models.ForeignKey(Attachment, models.SET_NULL, null=True, related_name="+")
    """The sheet that is imported, until the job has ended."""
    total = models.IntegerField(null=True)
    """Rows of it; unknown until they have been counted."""
    done = models.IntegerField(default=0)
    """Those that have been written; of an import those that have been looked at."""
    created = models.IntegerField(default=0)
    updated = models.IntegerField(default=0)
    wrong = models.IntegerField(default=0)
    """Rows that an import has left out."""
    heads = models.JSONField(default=list)
    is_stopping = models.BooleanField(default=False)
    """Somebody has cancelled it; it ends with the next part."""
    reason = models.CharField(max_length=500, blank=True, default="")
    """Why it has failed, in its own language."""
    file = models.ForeignKey(Attachment, models.SET_NULL, null=True, related_name="+")
    """The sheet that came of it; of an import that of the wrong rows."""
    create_time = models.DateTimeField(default=clock.now)
    start_time = models.DateTimeField(null=True)
    end_time = models.DateTimeField(null=True)

    class Meta(TenantModel.Meta):
        verbose_name = label("导入导出任务", "Import or export")
        indexes = [
            models.Index(fields=["tenant_id", "user_id", "-create_time"], name="sheet_job_of_person"),
            models.Index(fields=["tenant_id", "-create_time"], name="sheet_job_of_tenant"),
            models.Index(
                fields=["tenant_id", "state", "id"], name="sheet_job_open", condition=models.Q(state__in=[1, 2])
            ),
        ]

    def __str__(self) -> str:
        return choose(self.title, self.title_en)


class SheetPart(TenantModel):
    """Some of the rows of a job: before they are done how they are found, afterwards what became of them."""

    job = models.ForeignKey(SheetJob, models.CASCADE, related_name="parts")
    number = models.IntegerField()
    is_done = models.BooleanField(default=False)
    content = models.BinaryField()
    """JSON, packed."""

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "job", "number"], name="sheet_part_once")]


class SheetTurn(QueuedModel):
    """The place of a job in the queue; deleted when the job ends. It sleeps while as many run as a tenant may have.

    Whoever works on it moves its due time ahead: while that has not come nobody else takes it, and where the worker
    was killed somebody else does afterwards.
    """

    shared_because = "one sweep takes turns among all tenants; it enters the row's tenant before it acts"

    job_id = models.BigIntegerField(unique=True)
