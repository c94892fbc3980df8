"""Tables of messages, notices and saved views. The table of leave is in core.desk.leave."""

from __future__ import annotations

from django.db import models

from core.desk.leave.models import Leave
from core.kernel import clock
from core.kernel.models import AuditedModel, DictionaryField, TenantModel
from core.kernel.texts import choose, label

__all__ = ["DigestChoice", "Leave", "Message", "Notice", "SavedView"]


class Message(TenantModel):
    """A message to one person, in both languages; the reader's request says which one is shown."""

    user_id = models.BigIntegerField()
    outbox_id = models.BigIntegerField()
    """Id of the outbox row; unique, so that a message delivered twice is stored once."""
    title = models.CharField(max_length=120)
    title_en = models.CharField(max_length=120, blank=True, default="")
    content = models.CharField(max_length=500)
    content_en = models.CharField(max_length=500, blank=True, default="")
    business_type = models.CharField(max_length=40)
    business_id = models.BigIntegerField()
    create_time = models.DateTimeField(default=clock.now)
    is_read = models.BooleanField(default=False)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "user_id", "outbox_id"], name="message_once")]
        indexes = [models.Index(fields=["tenant_id", "user_id", "is_read", "-id"])]

    @property
    def shown_title(self) -> str:
        """The title in the language of the request; a message of earlier versions has one language only."""
        return choose(self.title, self.title_en)

    @property
    def shown_content(self) -> str:
        """The content in the language of the request."""
        return choose(self.content, self.content_en)


class DigestChoice(TenantModel):
    """That a person gets, or no longer gets, a digest each morning; whoever has never chosen gets none."""

    user_id = models.BigIntegerField()
    is_wanted = models.BooleanField(label("每日摘要", "Daily digest"), default=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "user_id"], name="digest_choice_once")]


class Notice(AuditedModel):
    """A notice to everybody in the company, visible from its release time."""

    title = models.CharField(label("标题", "Title"), max_length=120)
    category = DictionaryField(label("通知类型", "Kind"), dictionary="notice")
    release_time = models.DateTimeField(label("发布时间", "Released"), default=clock.now)
    content = models.TextField(label("内容", "Content"), max_length=5000)

    class Meta(AuditedModel.Meta):
        verbose_name = label("通知公告", "Notice")
        indexes = [models.Index(fields=["tenant_id", "-release_time"])]

    def __str__(self) -> str:
        return self.title


class SavedView(TenantModel):
    """Filters and order of a list under a name that one person gave them."""

    user_id = models.BigIntegerField()
    list_name = models.CharField(max_length=60)
    """The list's name in the console."""
    name = models.CharField(label("视图名称", "View"), max_length=40)
    query = models.CharField(label("筛选条件", "Filters"), max_length=1000, blank=True, default="")
    """As the list's address has them."""
    is_default = models.BooleanField(default=False)
    """Whether the list opens with it."""

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "user_id", "list_name", "name"], name="saved_view_once"),
        ]
