"""The tables of attachments and of their uses."""

from __future__ import annotations

from django.db import models

from core.kernel.models import AuditedModel, TenantModel
from core.kernel.texts import label


class Attachment(AuditedModel):
    """A stored file. `name` is random and is its path under the tenant's folder."""

    name = models.CharField(label("附件名称", "Stored as"), max_length=80, editable=False)
    original_name = models.CharField(label("附件原名", "File"), max_length=200)
    extension = models.CharField(label("附件扩展名", "Extension"), max_length=10, editable=False)
    attach_size = models.BigIntegerField(label("附件大小", "Size"), editable=False)
    seconds = models.SmallIntegerField(label("时长", "Seconds"), null=True, editable=False)
    """Of a recording."""
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")
    is_private = models.BooleanField(default=False, editable=False)
    """Whether the application that stored it decides alone who loads it: it has no link, and stands in no list."""

    class Meta(AuditedModel.Meta):
        verbose_name = label("附件", "Attachment")
        constraints = [models.UniqueConstraint(fields=["tenant_id", "name"], name="attachment_name_once")]
        indexes = [
            models.Index(fields=["tenant_id", "-create_time"]),
            # How much a company stores is asked at each upload.
            models.Index(
                fields=["tenant_id", "attach_size"], name="attachment_bytes", condition=models.Q(is_deleted=False)
            ),
        ]

    def __str__(self) -> str:
        return self.original_name


class FileUse(TenantModel):
    """A stored file that a column of a record names. Removed records keep their uses, because history shows them."""

    name = models.CharField(max_length=200)
    """The name of the attachment."""
    model = models.CharField(max_length=80)
    """The label of the record's model, such as `maintenance.RepairOrder`."""
    row_id = models.BigIntegerField()
    column = models.CharField(max_length=63)

    class Meta(TenantModel.Meta):
        verbose_name = label("附件引用", "Use of a file")
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "name", "model", "row_id", "column"], name="file_use_once")
        ]
        indexes = [models.Index(fields=["tenant_id", "row_id"], name="file_use_of_row")]

    def __str__(self) -> str:
        return f"{self.model} {self.row_id}: {self.name}"
