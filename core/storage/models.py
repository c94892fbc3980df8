"""The table of attachments."""

from __future__ import annotations

from django.db import models

from core.kernel.models import KeptModel
from core.kernel.texts import label


class Attachment(KeptModel):
    """A stored file. `name` is random and is its path under the tenant's folder."""

    name = models.CharField(label("附件名称", "Stored as"), max_length=80, editable=False)
    original_name = models.CharField(label("附件原名", "File"), max_length=200)
    extension = models.CharField(label("附件拓展名", "Extension"), max_length=10, editable=False)
    attach_size = models.BigIntegerField(label("附件大小", "Size"), editable=False)
    seconds = models.SmallIntegerField(label("时长", "Seconds"), null=True, editable=False)
    """Of a recording."""
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")

    class Meta(KeptModel.Meta):
        verbose_name = label("附件", "Attachment")
        constraints = [models.UniqueConstraint(fields=["tenant_id", "name"], name="attachment_name_once")]
        indexes = [models.Index(fields=["tenant_id", "-create_time"])]

    def __str__(self) -> str:
        return self.original_name
