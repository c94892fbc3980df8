"""Tables of audit events, API calls and errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.utils.translation import gettext as _

from core.kernel import clock
from core.kernel.models import TenantModel
from core.kernel.texts import choose, label


class Event(TenantModel):
    """One operation of a person or the system, stored in the transaction of the operation and never changed."""

    insert_only = True

    time = models.DateTimeField(label("时间", "Time"), default=clock.now)
    operation = models.CharField(label("操作", "Operation"), max_length=80)
    user_id = models.BigIntegerField()
    user_name = models.CharField(label("操作人", "User"), max_length=40)
    client = models.CharField(label("终端", "Client"), max_length=10)
    ip = models.CharField(label("IP地址", "IP address"), max_length=45, blank=True, default="")
    request_id = models.CharField(label("请求编号", "Request id"), max_length=64, blank=True, default="")
    business_type = models.CharField(label("业务类型", "Business"), max_length=40, blank=True, default="")
    business_id = models.BigIntegerField(label("业务编号", "Record"), null=True)
    from_status = models.SmallIntegerField(null=True)
    to_status = models.SmallIntegerField(null=True)
    remark = models.CharField(label("说明", "Remark"), max_length=500, blank=True, default="")
    instance_id = models.BigIntegerField(null=True)
    work_item_id = models.BigIntegerField(null=True)
    node = models.CharField(max_length=80, blank=True, default="")
    round = models.IntegerField(default=0)
    outcome = models.CharField(label("结果", "Outcome"), max_length=40, blank=True, default="")
    from_holder = models.BigIntegerField(null=True)
    """The assignee of the work item before and after the operation; null while it is unassigned or closed."""
    to_holder = models.BigIntegerField(null=True)
    to_key = models.CharField(max_length=40, blank=True, default="")
    """Candidate key of the person or team that the operation gave the record to."""
    effects = models.JSONField(default=list)
    changes = models.JSONField(default=list)
    """What was changed: `label`, `old` and `new`, each in Chinese and English; `old` or `new` null where not told."""
    # Null where there is none, and not empty: a key is unique, and nulls differ from each other.
    idempotency_key = models.CharField(max_length=80, null=True)  # noqa: DJ001
    digest = models.CharField(max_length=64, blank=True, default="")
    answer = models.JSONField(null=True)
    """The answer, returned to a repeated request with the same idempotency key."""

    class Meta(TenantModel.Meta):
        verbose_name = label("通用日志", "Audit entry")
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "user_id", "idempotency_key"], name="event_key_once"),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "business_type", "business_id", "id"]),
            models.Index(fields=["tenant_id", "instance_id", "id"]),
            models.Index(fields=["tenant_id", "-id"], name="event_newest"),
        ]

    def changes_told(self) -> list[str]:
        """Return what was changed in the reader's language, a sentence each."""
        return [_told(change) for change in self.changes]

    def changes_text(self) -> str:
        """Return the same as one text, a line each."""
        return "\n".join(self.changes_told())


def _told(change: Mapping[str, Any]) -> str:
    label = choose(*change["label"])
    if change["new"] is None:
        return _("{field}：已修改").format(field=label)
    new = choose(*change["new"]) or _("空")
    if change["old"] is None:
        return _("{field}：{value}").format(field=label, value=new)
    return _("{field}：{old} → {new}").format(field=label, old=choose(*change["old"]) or _("空"), new=new)


class Seal(TenantModel):
    """Says what a batch of events was when it was sealed; see seals.py."""

    insert_only = True

    number = models.IntegerField()
    """1 for a tenant's first seal, one more for each that follows."""
    form = models.SmallIntegerField()
    """Which columns of the events it covers."""
    after_id = models.BigIntegerField()
    """Its events are those after this id, up to and with `to_id`."""
    to_id = models.BigIntegerField()
    rows = models.IntegerField()
    before = models.CharField(max_length=64, blank=True)
    """The hash of the seal before it."""
    hash = models.CharField(max_length=64)
    time = models.DateTimeField()

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "number"], name="seal_number_once")]

    def __str__(self) -> str:
        return f"{self.number}: {self.hash}"


class _Request(TenantModel):
    """Columns about the request, shared by calls and errors. They are stored after the answer and may be missing."""

    method = models.CharField(label("请求方法", "Method"), max_length=8)
    request_uri = models.CharField(label("请求地址", "Address"), max_length=300)
    remote_ip = models.CharField(label("IP地址", "IP address"), max_length=45, blank=True, default="")
    user_agent = models.CharField(label("浏览器", "Browser"), max_length=300, blank=True, default="")
    request_id = models.CharField(label("请求编号", "Request id"), max_length=64, blank=True, default="")
    user_id = models.BigIntegerField(null=True)
    create_by = models.CharField(label("操作人", "User"), max_length=40, blank=True, default="")
    create_time = models.DateTimeField(label("时间", "Time"), default=clock.now)

    class Meta(TenantModel.Meta):
        abstract = True
        indexes = [models.Index(fields=["tenant_id", "-create_time", "-id"])]


class CallLog(_Request):
    """An API call that changed something or was refused. Successful reads are not logged."""

    title = models.CharField(label("接口", "API"), max_length=80)
    status = models.IntegerField(label("返回码", "Code"))
    milliseconds = models.IntegerField(label("耗时(ms)", "Took (ms)"))
    params = models.TextField(label("参数", "Parameters"), blank=True, default="")

    class Meta(_Request.Meta):
        verbose_name = label("接口日志", "API log entry")


class ErrorOrigin(models.IntegerChoices):
    """The origin of an error."""

    SERVER = 1, label("服务端", "Server")
    CONSOLE = 2, label("浏览器", "Console")


class ErrorLog(_Request):
    """An error of the server, or one sent by a console."""

    origin = models.IntegerField(label("来源", "Source"), choices=ErrorOrigin.choices)
    exception_name = models.CharField(label("异常", "Error"), max_length=120)
    message = models.TextField(label("内容", "Message"), blank=True, default="")
    stack_trace = models.TextField(label("堆栈", "Stack"), blank=True, default="")
    file_name = models.CharField(label("文件", "File"), max_length=200, blank=True, default="")
    line_number = models.IntegerField(label("行号", "Line"), null=True)

    class Meta(_Request.Meta):
        verbose_name = label("错误日志", "Error")
