"""Tables of repair orders and their work lines."""

from __future__ import annotations

from decimal import Decimal

from django.db import models

from core.equipment.models import Machine
from core.kernel.models import KeptModel
from core.kernel.texts import label


class Status(models.IntegerChoices):
    """State of a repair order; assigned by effects alone."""

    REPORTED = 1, label("待派单", "To dispatch")
    DISPATCHED = 2, label("待接单", "To accept")
    REPAIRING = 3, label("维修中", "Repairing")
    ON_HOLD = 4, label("已挂起", "On hold")
    TO_CHECK = 5, label("待验收", "To check")
    CLOSED = 6, label("已完成", "Closed")
    CANCELLED = 7, label("已取消", "Cancelled")


OPEN = (Status.REPORTED, Status.DISPATCHED, Status.REPAIRING, Status.ON_HOLD, Status.TO_CHECK)


class Source(models.IntegerChoices):
    """What an order came from; so far people report them."""

    PERSON = 1, label("人工报修", "Reported by hand")
    INSPECTION = 2, label("点检异常", "Inspection")
    MAINTENANCE = 3, label("保养发现", "Maintenance")
    NOTE = 4, label("图语记录", "Photo note")
    SCAN = 5, label("扫码匿名", "Anonymous scan")
    OPEN_API = 6, label("开放接口", "Open API")


class Urgency(models.IntegerChoices):
    """How soon somebody must come."""

    CRITICAL = 1, label("特急", "Critical")
    URGENT = 2, label("紧急", "Urgent")
    NORMAL = 3, label("一般", "Normal")


class RepairType(models.IntegerChoices):
    """Which trade."""

    MECHANICAL = 1, label("机械", "Mechanical")
    ELECTRICAL = 2, label("电气", "Electrical")
    HYDRAULIC = 3, label("液压气动", "Hydraulic/pneumatic")
    INSTRUMENTATION = 4, label("仪表自控", "Instrumentation")
    OTHER = 5, label("其他", "Other")


class HangReason(models.IntegerChoices):
    """Why the work rests."""

    PARTS = 1, label("待备件", "Waiting for parts")
    VENDOR = 2, label("待外协", "Waiting for a vendor")
    STOP_WINDOW = 3, label("待停机窗口", "Waiting for a stop window")
    DECISION = 4, label("待确认", "Waiting for a decision")
    OTHER = 5, label("其他", "Other")


class CancelReason(models.IntegerChoices):
    """Why the order is not needed."""

    FALSE_ALARM = 1, label("误报", "False alarm")
    DUPLICATE = 2, label("重复", "Duplicate")
    RECOVERED = 3, label("已自行恢复", "Recovered by itself")
    OTHER = 4, label("其他", "Other")


class CheckResult(models.IntegerChoices):
    """Verdict of the check."""

    PASS = 1, label("通过", "Pass")
    FAIL = 2, label("不通过", "Fail")


class WorkType(models.IntegerChoices):
    """What the time of a work line went into."""

    DIAGNOSIS = 1, label("诊断", "Diagnosis")
    REPAIR = 2, label("维修", "Repair")
    REPLACEMENT = 3, label("换件", "Replacement")
    ADJUSTMENT = 4, label("调试", "Adjustment")
    OUTSOURCED = 5, label("外协", "Outsourced")
    CLEANING = 6, label("清理", "Cleaning")


def _person(zh: str, en: str) -> models.ForeignKey:  # type: ignore[type-arg]
    return models.ForeignKey("identity.User", models.PROTECT, null=True, related_name="+", verbose_name=label(zh, en))


class RepairOrder(KeptModel):
    """A fault on a machine, from its report to the check of the repair. Its process moves it (`effects.py`)."""

    order_no = models.CharField(label("单号", "Order no."), max_length=20)
    status = models.SmallIntegerField(label("状态", "Status"), choices=Status.choices, null=True)
    """Null only inside the transaction that saves the order, before its process's first effect."""
    lock_version = models.IntegerField(default=1)
    source = models.SmallIntegerField(label("来源", "Source"), choices=Source.choices, default=Source.PERSON)
    machine = models.ForeignKey(
        Machine, models.PROTECT, related_name="repair_orders", verbose_name=label("设备", "Machine")
    )
    dept = models.ForeignKey("identity.Department", models.PROTECT, related_name="+")
    title = models.CharField(label("标题", "Title"), max_length=80)
    description = models.CharField(label("故障描述", "Description"), max_length=1000)
    fault_tag_ids = models.JSONField(default=list)
    urgency = models.SmallIntegerField(label("紧急程度", "Urgency"), choices=Urgency.choices, default=Urgency.NORMAL)
    repair_type = models.SmallIntegerField(label("维修类别", "Repair type"), choices=RepairType.choices, null=True)
    is_stop = models.BooleanField(label("是否停机", "Machine stopped"), default=False)
    stop_start = models.DateTimeField(null=True)
    stop_end = models.DateTimeField(null=True)
    images = models.JSONField(default=list)
    voice = models.CharField(label("语音", "Voice"), max_length=80, blank=True, default="")
    files = models.JSONField(label("附件", "Files"), default=list)
    after_images = models.JSONField(default=list)
    report_user = _person("报修人", "Reported by")
    report_time = models.DateTimeField(label("报修时间", "Reported"))
    team = models.ForeignKey("identity.Team", models.PROTECT, null=True, related_name="+")
    repair_user = _person("维修人", "Repairer")
    helper_ids = models.JSONField(default=list)
    """People who help the repairer; they write work lines of their own, and do not check the order."""
    plan_finish_time = models.DateTimeField(label("计划完成时间", "Promised"), null=True)
    dispatch_user = _person("派单人", "Dispatched by")
    dispatch_time = models.DateTimeField(null=True)
    accept_time = models.DateTimeField(null=True)
    round_start = models.DateTimeField(null=True)
    """When the present round of work began: at the acceptance, later at the failing check."""
    finish_time = models.DateTimeField(null=True)
    check_time = models.DateTimeField(null=True)
    close_time = models.DateTimeField(null=True)
    hang_reason = models.SmallIntegerField(choices=HangReason.choices, null=True)
    hang_start = models.DateTimeField(null=True)
    hang_remark = models.CharField(max_length=500, blank=True, default="")
    round_hang_seconds = models.IntegerField(default=0)
    hang_seconds = models.IntegerField(default=0)
    repair_seconds = models.IntegerField(null=True)
    """Work time of the finished rounds, holds and waits for the check taken out."""
    cause_tag_id = models.BigIntegerField(null=True)
    action_tag_ids = models.JSONField(default=list)
    part_machine = models.ForeignKey(Machine, models.PROTECT, null=True, related_name="+")
    """The component that had failed, where the finish named one."""
    solution = models.CharField(max_length=1000, blank=True, default="")
    is_outsource = models.BooleanField(label("是否外协", "Done by a vendor"), default=False)
    vendor_name = models.CharField(max_length=80, blank=True, default="")
    outsource_cost = models.DecimalField(max_digits=14, decimal_places=2, default=0)
    other_cost = models.DecimalField(max_digits=14, decimal_places=2, default=0)
    labour_seconds = models.IntegerField(default=0)
    """Sum of the work lines; kept with them, as their cost is, so that lists and reports need not read them."""
    labour_cost = models.DecimalField(max_digits=14, decimal_places=2, default=0)
    check_user = _person("验收人", "Checked by")
    check_result = models.SmallIntegerField(choices=CheckResult.choices, null=True)
    check_score = models.SmallIntegerField(null=True)
    check_remark = models.CharField(max_length=500, blank=True, default="")
    cancel_reason = models.SmallIntegerField(choices=CancelReason.choices, null=True)
    rework_count = models.IntegerField(default=0)
    repeat_of = models.ForeignKey("self", models.PROTECT, null=True, related_name="repeats")
    """The closed order whose fault has come back: same machine, same symptom, within `repair.repeat.days`."""
    repeat_count = models.IntegerField(default=0)
    """How many times in a row the fault has come back, this time included; 0 for a first one."""
    escalations = models.JSONField(default=dict)
    """Name of a reminder → when it was sent; each is sent once in the life of the order."""

    class Meta(KeptModel.Meta):
        verbose_name = label("维修工单", "Repair order")
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "order_no"], name="repair_order_no_once"),
            models.CheckConstraint(condition=models.Q(status__gte=1, status__lte=7), name="repair_order_status"),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "status", "-create_time", "-id"]),
            models.Index(fields=["tenant_id", "-create_time", "-id"]),
            models.Index(fields=["tenant_id", "machine", "status"]),
            models.Index(fields=["tenant_id", "report_time"]),
            models.Index(fields=["tenant_id", "finish_time"]),
            models.Index(fields=["tenant_id", "repair_user", "status"]),
            models.Index(fields=["tenant_id", "report_user", "status"]),
        ]

    def __str__(self) -> str:
        return self.order_no

    @property
    def standing(self) -> bool:
        """Whether the machine still stands for this order's fault."""
        return self.is_stop and self.stop_end is None

    @property
    def total_cost(self) -> Decimal:
        """元: labour, vendor and the rest; issued spares come with the store."""
        return self.labour_cost + self.outsource_cost + self.other_cost


class RepairLine(KeptModel):
    """Somebody's work time on an order."""

    order = models.ForeignKey(RepairOrder, models.PROTECT, related_name="lines")
    work_type = models.SmallIntegerField(
        label("工作类型", "Work type"), choices=WorkType.choices, default=WorkType.REPAIR
    )
    user = models.ForeignKey("identity.User", models.PROTECT, related_name="+")
    start_time = models.DateTimeField(label("开始时间", "Start"))
    end_time = models.DateTimeField(label("结束时间", "End"))
    content = models.CharField(label("工作内容", "Work done"), max_length=500, blank=True, default="")
    images = models.JSONField(default=list)
    hour_rate = models.DecimalField(max_digits=8, decimal_places=2)
    """元/小时 of the person when the line was written."""
    amount = models.DecimalField(max_digits=14, decimal_places=2, default=0)

    class Meta(KeptModel.Meta):
        constraints = [
            models.CheckConstraint(
                condition=models.Q(end_time__gt=models.F("start_time")), name="repair_line_ends_after_start"
            )
        ]
        indexes = [
            models.Index(fields=["tenant_id", "order", "start_time"]),
            models.Index(fields=["tenant_id", "user", "start_time"]),
        ]
