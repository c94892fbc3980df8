"""Tables of audit events, API calls and errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.utils.translation import gettext as _

from core.kernel import clock
from core.kernel.models import TenantModel
from core.kernel.texts import choose, label
from core.scheduling.models import QueuedModel


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


class CheckState(models.IntegerChoices):
    """How far a check of the seals is, and what came of it."""

    WAITING = 1, label("排队中", "Queued")
    RUNNING = 2, label("进行中", "Running")
    INTACT = 3, label("完好", "Intact")
    BROKEN = 4, label("不一致", "Broken")
    FAILED = 5, label("未完成", "Not completed")


OPEN_STATES = (CheckState.WAITING, CheckState.RUNNING)


class SealCheck(TenantModel):
    """A check of all seals that a tenant had when it began; see verifying.py.

    While it is open it holds the place at which it goes on, afterwards the result.
    """

    state = models.IntegerField(label("结果", "Result"), choices=CheckState.choices, default=CheckState.WAITING)
    user_id = models.BigIntegerField(null=True)
    user_name = models.CharField(label("发起人", "Started by"), max_length=60, blank=True, default="")
    """Empty for the daily check."""
    begin_time = models.DateTimeField(label("开始时间", "Started"), default=clock.now)
    end_time = models.DateTimeField(label("结束时间", "Ended"), null=True)
    target = models.IntegerField()
    """Number of the newest seal when the check began."""
    number = models.IntegerField(default=0)
    """The last seal that was looked at, with its hash and the end of its range."""
    hash = models.CharField(max_length=64, blank=True, default="")
    seal_to_id = models.BigIntegerField(default=0)
    from_id = models.BigIntegerField(null=True)
    to_id = models.BigIntegerField(default=0)
    """The first event that was read, and the id up to which all were."""
    seals = models.IntegerField(label("批次", "Batches"), default=0)
    rows = models.BigIntegerField(label("记录数", "Entries"), default=0)
    unsealed = models.IntegerField(default=0)
    """Events that no seal covered yet at the end."""
    fault_count = models.IntegerField(label("不一致处", "Findings"), default=0)
    faults = models.JSONField(default=list)
    """The first of them, as `BrokenSeal.kept` gives them."""

    class Meta(TenantModel.Meta):
        verbose_name = label("完整性校验", "Integrity check")
        indexes = [models.Index(fields=["tenant_id", "-begin_time", "-id"], name="seal_check_newest")]


class SealTurn(QueuedModel):
    """A tenant's place in the queue of checks. It stays; between two checks it is due when the next one begins."""

    shared_because = "one sweep takes turns among all tenants; it enters the row's tenant before it acts"

    check_id = models.BigIntegerField(null=True)
    """The check that is open."""

    class Meta(QueuedModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id"], name="seal_turn_once")]


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
