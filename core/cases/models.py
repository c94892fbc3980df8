"""The base of all tables whose records a process moves, and the comments on their records."""

from __future__ import annotations

from django.db import models

from core.kernel.models import AuditedModel
from core.kernel.stored_files import StoredFiles
from core.kernel.texts import label


class CaseModel(AuditedModel):
    """A record that a process moves. It has a choice `status` besides, which the effects of its case assign."""

    class Meta(AuditedModel.Meta):
        abstract = True

    @property
    def called(self) -> str:
        """What messages call the record: its number, unless the model says more."""
        return str(self)

    @property
    def about(self) -> str:
        """What the record is about, in one line: the title of its process and the text of its messages.

        A label where it reads differently in English.
        """
        return str(self)


class Comment(AuditedModel):
    """What somebody wrote about a record. One that its writer has deleted keeps its place in the history."""

    business_type = models.CharField(max_length=40)
    business_id = models.BigIntegerField()
    user_id = models.BigIntegerField()
    user_name = models.CharField(max_length=40)
    text = models.CharField(label("评论", "Comment"), max_length=1000, blank=True, default="")
    images = StoredFiles(label("图片", "Pictures"), default=list, blank=True)
    mentions = models.JSONField(default=list)
    """The names of the people mentioned, as they stand in the text behind an @."""

    class Meta(AuditedModel.Meta):
        verbose_name = label("评论", "Comment")
        indexes = [models.Index(fields=["tenant_id", "business_type", "business_id", "id"], name="comment_of_record")]

    def __str__(self) -> str:
        return self.text
