"""The table of attachments."""

from __future__ import annotations

from django.db import models

from core.kernel.models import KeptModel


class Attachment(KeptModel):
    """A stored file. `name` is random and is its path under the tenant's folder."""

    name = models.CharField(max_length=80, unique=False)
    original_name = models.CharField(max_length=200)
    extension = models.CharField(max_length=10)
    attach_size = models.BigIntegerField()

    class Meta(KeptModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "name"], name="attachment_name_once")]
