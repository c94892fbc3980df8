"""The tables of the queues, of connection credentials, and of scheduled jobs with their runs."""

from __future__ import annotations

import uuid

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from core.kernel import clock
from core.kernel.models import OWN_OR_PLATFORM, AuditedModel, SharedModel, VersionedModel, unique_in_tenant
from core.kernel.tenancy import PLATFORM
from core.kernel.texts import label


class QueuedModel(SharedModel):
    """A row that the worker takes when it is due. Tenants take turns; see turns.py.

    One that sleeps or is parked is in no index that the worker reads, so that it costs nothing however many there are.
    """

    own_rows = OWN_OR_PLATFORM

    tenant_id = models.CharField(max_length=12)
    attempts = models.IntegerField(default=0)
    due_time = models.DateTimeField(null=True, default=clock.now)
    is_asleep = models.BooleanField(default=False)
    """It waits for what is suspended, and is woken by whoever resumes that."""
    is_parked = models.BooleanField(default=False)
    """It has failed too often, and waits for a person."""
    last_error = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        abstract = True
        indexes = [
            models.Index(
                fields=["tenant_id", "due_time", "id"],
                condition=Q(is_parked=False, is_asleep=False),
                name="%(class)s_waits",
            ),
            models.Index(fields=["tenant_id", "id"], condition=Q(is_asleep=True), name="%(class)s_asleep"),
            models.Index(fields=["tenant_id", "id"], condition=Q(is_parked=True), name="%(class)s_parked"),
        ]


class OutboxMessage(QueuedModel):
    """Something that must happen after the commit of the transaction that wrote this row; deleted once it has."""

    shared_because = "one sweep delivers for all tenants; it enters the row's tenant before it acts"

    topic = models.CharField(max_length=60)
    payload = models.JSONField()
    receiver_id = models.BigIntegerField(null=True)
    """What it is delivered to, where that may be suspended: its messages sleep, and are woken together."""
    create_time = models.DateTimeField(default=clock.now)

    class Meta(QueuedModel.Meta):
        indexes = [
            *QueuedModel.Meta.indexes,
            models.Index(fields=["receiver_id"], condition=Q(is_asleep=True), name="outboxmessage_sleeps_for"),
        ]


class Turn(SharedModel):
    """When a tenant had its last turn at a queue, and how much of its budget of the minute it has used."""

    shared_because = "one sweep takes turns among all tenants"
    own_rows = OWN_OR_PLATFORM

    tenant_id = models.CharField(max_length=12)
    queue = models.CharField(max_length=20)
    time = models.DateTimeField()
    minute = models.DateTimeField()
    used = models.IntegerField(default=0)
    hops = models.IntegerField(default=0)
    """Of `used` those that another message led to, with no person and no timer between them."""
    over_time = models.DateTimeField(null=True)
    """When it last reached its budget."""
    told_time = models.DateTimeField(null=True)
    """When the tenant was last told so."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["queue", "tenant_id"], name="turn_once")]


class Credential(AuditedModel):
    """A connection credential: a secret header by which processes sign in to another system, and where it may go."""

    credential_code = models.CharField(label("凭据编号", "Code"), max_length=40)
    """The name in models."""
    credential_name = models.CharField(label("凭据名称", "Credential"), max_length=60)
    header_name = models.CharField(label("请求头", "Header"), max_length=60)
    hosts = models.CharField(label("允许的主机", "Allowed hosts"), max_length=500)
    """Names or addresses with a port where it is not the usual one, comma separated."""
    is_enabled = models.BooleanField(label("状态", "Status"), default=True)
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")
    encrypted = models.TextField(editable=False)
    """The value of the header; see encryption.py."""
    secret_time = models.DateTimeField(label("密钥更新时间", "Secret changed"), editable=False)

    class Meta(AuditedModel.Meta):
        verbose_name = label("连接凭据", "Connection credential")
        constraints = [unique_in_tenant("credential_code")]

    def __str__(self) -> str:
        return self.credential_name


class JobGroup(models.IntegerChoices):
    """What a job is for, numbered as the dictionary job_group."""

    BUSINESS = 1, label("业务", "Business")
    SYSTEM = 2, label("系统", "System")


class JobStatus(models.IntegerChoices):
    """Whether a job is run by time, numbered as the dictionary job_status."""

    STOPPED = 0, label("停止", "Stopped")
    RUNNING = 1, label("运行", "Running")


class ScheduleType(models.IntegerChoices):
    """By what a job is run, numbered as the dictionary schedule_type."""

    CRON = 1, label("CRON", "CRON")
    INTERVAL = 2, label("固定间隔", "Fixed interval")


class BlockStrategy(models.IntegerChoices):
    """What is done while the last run still lasts, numbered as the dictionary block_strategy."""

    DISCARD = 1, label("丢弃本次", "Skip this run")
    QUEUE = 2, label("排队一次", "Queue one run")


class Misfire(models.IntegerChoices):
    """What is done about a time that nobody was there for, numbered as the dictionary misfire."""

    IGNORE = 1, label("忽略", "Ignore")
    CATCH_UP = 2, label("补一次", "Run once")


class JobLogStatus(models.IntegerChoices):
    """What came of a run, numbered as the dictionary job_log_status."""

    RUNNING = 1, label("运行中", "Running")
    SUCCEEDED = 2, label("成功", "Succeeded")
    FAILED = 3, label("失败", "Failed")
    TIMED_OUT = 4, label("超时", "Timed out")
    SKIPPED = 5, label("跳过", "Skipped")


class TriggerType(models.IntegerChoices):
    """Why a job was run, numbered as the dictionary trigger_type."""

    SCHEDULE = 1, label("定时", "Schedule")
    BY_HAND = 2, label("手动", "By hand")
    RETRY = 3, label("重试", "Retry")
    CATCH_UP = 4, label("补偿", "Catch-up")


class TenantScope(models.IntegerChoices):
    """Which companies a job is run for."""

    ALL = 1, label("全部租户", "All companies")
    CHOSEN = 2, label("指定租户", "Chosen companies")


def _uuid() -> str:
    return str(uuid.uuid4())


class ScheduleJob(VersionedModel, SharedModel):
    """A job of the product, and when it is run; `schedule.py` knows what it does."""

    shared_because = "the platform runs the jobs of all tenants"

    uuid = models.CharField(max_length=36, unique=True, default=_uuid, editable=False)
    job_code = models.CharField(label("任务编号", "Job code"), max_length=60, unique=True, editable=False)
    group = models.IntegerField(label("任务分组", "Job group"), choices=JobGroup.choices, editable=False)
    schedule_type = models.IntegerField(
        label("调度类型", "Schedule type"), choices=ScheduleType.choices, default=ScheduleType.CRON
    )
    cron = models.CharField(label("Cron表达式", "Cron expression"), max_length=60, blank=True, default="")
    interval_seconds = models.IntegerField(
        label("间隔(秒)", "Interval (s)"), null=True, blank=True,
        validators=[MinValueValidator(60), MaxValueValidator(31 * 86400)],
    )  # fmt: skip
    tenant_scope = models.IntegerField(
        label("租户范围", "Companies"), choices=TenantScope.choices, default=TenantScope.ALL
    )
    tenant_ids = models.JSONField(label("指定租户", "Chosen companies"), default=list, blank=True)
    params = models.JSONField(label("参数", "Parameters"), default=dict, blank=True)
    """By name the numbers that the job is told."""
    status = models.IntegerField(
        label("状态", "Status"), choices=JobStatus.choices, default=JobStatus.RUNNING, editable=False
    )
    block_strategy = models.IntegerField(
        label("阻塞策略", "When still running"), choices=BlockStrategy.choices, default=BlockStrategy.DISCARD
    )
    misfire = models.IntegerField(label("过期策略", "When missed"), choices=Misfire.choices, default=Misfire.IGNORE)
    timeout_seconds = models.IntegerField(
        label("超时(秒)", "Time limit (s)"), default=600, validators=[MinValueValidator(10), MaxValueValidator(7200)]
    )
    retry_count = models.IntegerField(
        label("失败重试次数", "Retries"), default=0, validators=[MinValueValidator(0), MaxValueValidator(3)]
    )
    alarm_user_ids = models.JSONField(label("失败通知人员", "Told of failures"), default=list, blank=True)
    last_fire_time = models.DateTimeField(label("上次执行", "Last run"), null=True, editable=False)
    next_fire_time = models.DateTimeField(label("下次执行", "Next run"), null=True, editable=False)
    last_result = models.IntegerField(
        label("上次结果", "Last result"), choices=JobLogStatus.choices, null=True, editable=False
    )
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")

    class Meta:
        verbose_name = label("定时任务", "Scheduled job")
        indexes = [models.Index(fields=["status", "next_fire_time"])]

    def __str__(self) -> str:
        return self.job_code


class ScheduleLog(SharedModel):
    """A run of a job, asked for by time, by a person, or because another one failed; one row is claimed once."""

    shared_because = "one sweep runs the jobs of all tenants"
    own_rows = OWN_OR_PLATFORM

    uuid = models.CharField(max_length=36, unique=True, default=_uuid)
    job = models.ForeignKey(ScheduleJob, models.CASCADE, related_name="logs", verbose_name=label("任务", "Job"))
    tenant_id = models.CharField(max_length=12, default=PLATFORM)
    """Whose administrators see it: the platform's, or those of the one company that it was run for."""
    trigger_type = models.IntegerField(label("触发类型", "Trigger"), choices=TriggerType.choices)
    due_time = models.DateTimeField(label("计划时间", "Due"))
    attempt = models.IntegerField(default=1)
    start_time = models.DateTimeField(label("开始时间", "Start"), null=True)
    """Null while it waits for a worker."""
    lease_until = models.DateTimeField(null=True)
    end_time = models.DateTimeField(label("结束时间", "End"), null=True)
    cost_ms = models.IntegerField(label("耗时(毫秒)", "Duration (ms)"), null=True)
    status = models.IntegerField(
        label("执行状态", "Status"), choices=JobLogStatus.choices, default=JobLogStatus.RUNNING
    )
    handled = models.IntegerField(label("处理", "Handled"), default=0)
    created = models.IntegerField(label("新增", "Created"), default=0)
    skipped = models.IntegerField(label("跳过", "Skipped"), default=0)
    failed = models.IntegerField(label("失败", "Failed"), default=0)
    message = models.CharField(label("说明", "Message"), max_length=500, blank=True, default="")
    detail = models.TextField(label("明细", "Details"), blank=True, default="")
    params = models.JSONField(label("参数", "Parameters"), default=dict)
    operator_id = models.BigIntegerField(null=True)
    server = models.CharField(label("服务器", "Server"), max_length=60, blank=True, default="")

    class Meta:
        verbose_name = label("任务日志", "Job log")
        constraints = [
            # However many schedulers see that a job is due, one of them asks for its run.
            models.UniqueConstraint(
                fields=["job", "due_time"],
                condition=Q(trigger_type__in=(TriggerType.SCHEDULE, TriggerType.CATCH_UP)),
                name="job_fire_once",
            )
        ]
        indexes = [
            models.Index(fields=["tenant_id", "-due_time", "-id"]),
            models.Index(fields=["job", "-due_time", "-id"]),
            models.Index(fields=["due_time", "id"], condition=Q(status=1), name="schedulelog_open"),
        ]
