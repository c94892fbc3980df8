"""Tables of repair orders and their work lines."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.db import models

from core.cases.models import CaseModel
from core.equipment.models import Machine, RestSource, Tag, Urgency
from core.equipment.stoppages import Stops
from core.kernel.models import AuditedModel
from core.kernel.stored_files import StoredFile, StoredFiles
from core.kernel.texts import label
from core.system.extras import ExtraValues


class Status(models.IntegerChoices):
    """State of a repair order; assigned by effects alone."""

    REPORTED = 1, label("待派单", "Pending dispatch")
    DISPATCHED = 2, label("待接单", "Dispatched")
    REPAIRING = 3, label("维修中", "In repair")
    ON_HOLD = 4, label("已挂起", "On hold")
    TO_CHECK = 5, label("待验收", "Pending verification")
    CLOSED = 6, label("已完成", "Closed")
    CANCELLED = 7, label("已取消", "Cancelled")


OPEN = (Status.REPORTED, Status.DISPATCHED, Status.REPAIRING, Status.ON_HOLD, Status.TO_CHECK)


class Source(models.IntegerChoices):
    """What an order came from; so far people report them."""

    PERSON = 1, label("人工报修", "Manual request")
    INSPECTION = 2, label("点检异常", "Inspection")
    MAINTENANCE = 3, label("保养发现", "Maintenance")
    NOTE = 4, label("图语记录", "Photo note")
    SCAN = 5, label("扫码匿名", "Anonymous scan")
    OPEN_API = 6, label("开放接口", "Open API")


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
    VENDOR = 2, label("待外协", "Waiting for a contractor")
    STOP_WINDOW = 3, label("待停机窗口", "Waiting for a shutdown window")
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


def _cost(zh: str, en: str) -> models.DecimalField[Any, Decimal]:
    return models.DecimalField(label(zh, en), max_digits=14, decimal_places=2, default=0)


class RepairOrder(CaseModel):
    """A fault on a machine, from its report to the check of the repair; `case.py` declares what is done with it."""

    order_no = models.CharField(label("单号", "WO no."), max_length=20)
    status = models.SmallIntegerField(label("状态", "Status"), choices=Status.choices, null=True)
    """Null only inside the transaction that saves the order, before its process's first effect."""
    source = models.SmallIntegerField(label("来源", "Source"), choices=Source.choices, default=Source.PERSON)
    source_id = models.BigIntegerField(null=True)
    source_no = models.CharField(label("来源单号", "Source no."), max_length=20, blank=True, default="")
    """The record that found the fault, and its number; of what a person reports empty."""
    found_again = models.IntegerField(label("再次发现次数", "Found again"), default=0)
    """How often inspections have found the same fault while the order was open."""
    machine = models.ForeignKey(
        Machine, models.PROTECT, related_name="repair_orders", verbose_name=label("设备", "Asset")
    )
    dept = models.ForeignKey(
        "identity.Department", models.PROTECT, related_name="+", verbose_name=label("使用部门", "Department")
    )
    title = models.CharField(label("标题", "Title"), max_length=80, blank=True)
    description = models.CharField(label("故障描述", "Description"), max_length=1000)
    fault_tag_ids = models.JSONField(label("故障现象", "Symptoms"), default=list)
    urgency = models.SmallIntegerField(label("紧急程度", "Priority"), choices=Urgency.choices, default=Urgency.NORMAL)
    repair_type = models.SmallIntegerField(label("维修类别", "Repair type"), choices=RepairType.choices, null=True)
    is_stop = models.BooleanField(label("是否停机", "Asset is down"), default=False)
    stop_start = models.DateTimeField(label("停机时间", "Down since"), null=True)
    stop_end = models.DateTimeField(label("恢复运行时间", "Back in operation"), null=True)
    images = StoredFiles(label("故障照片", "Photos of the fault"), default=list)
    voice = StoredFile(label("语音说明", "Voice message"), max_length=80, blank=True, default="")
    files = StoredFiles(label("附件", "Files"), default=list)
    after_images = StoredFiles(label("完工照片", "Photos of the finished work"), default=list)
    report_user = _person("报修人", "Requester")
    reporter_name = models.CharField(label("报修人姓名", "Requester's name"), max_length=40, blank=True, default="")
    reporter_phone = models.CharField(label("报修人电话", "Requester's phone"), max_length=30, blank=True, default="")
    """Of somebody who has reported without an account; then there is no `report_user`."""
    plate = models.ForeignKey(Tag, models.PROTECT, null=True, related_name="+", verbose_name=label("标牌", "Plate"))
    """The plate by whose scan it was reported without an account."""
    report_time = models.DateTimeField(label("报修时间", "Reported"))
    team = models.ForeignKey(
        "identity.Team", models.PROTECT, null=True, related_name="+", verbose_name=label("维修班组", "Repair team")
    )
    repair_user = _person("维修人", "Technician")
    helper_ids = models.JSONField(label("协助人员", "Helpers"), default=list)
    """People who help the repairer; they write work lines of their own, and do not check the order."""
    plan_finish_time = models.DateTimeField(label("计划完成时间", "Planned completion"), null=True)
    dispatch_user = _person("派单人", "Dispatched by")
    dispatch_time = models.DateTimeField(label("派单时间", "Dispatched"), null=True)
    accept_time = models.DateTimeField(label("接单时间", "Accepted"), null=True)
    round_start = models.DateTimeField(null=True)
    """When the present round of work began: at the acceptance, later at the failing check."""
    finish_time = models.DateTimeField(label("完工时间", "Completed"), null=True)
    check_time = models.DateTimeField(label("验收时间", "Verified"), null=True)
    close_time = models.DateTimeField(label("关闭时间", "Closed"), null=True)
    hang_reason = models.SmallIntegerField(
        label("挂起原因", "Reason for the hold"), choices=HangReason.choices, null=True
    )
    hang_start = models.DateTimeField(null=True)
    hang_remark = models.CharField(max_length=500, blank=True, default="")
    round_hang_seconds = models.IntegerField(default=0)
    hang_seconds = models.IntegerField(label("挂起时长", "Time on hold"), default=0)
    repair_seconds = models.IntegerField(label("维修用时", "Repair time"), null=True)
    """Work time of the finished rounds, holds and waits for the check taken out."""
    cause_tag_id = models.BigIntegerField(label("故障原因", "Cause"), null=True)
    action_tag_ids = models.JSONField(label("处理措施", "Actions taken"), default=list)
    part_machine = models.ForeignKey(
        Machine, models.PROTECT, null=True, related_name="+", verbose_name=label("故障部件", "Component")
    )
    """The component that had failed, where the finish named one."""
    solution = models.CharField(label("维修措施", "Work performed"), max_length=1000, blank=True, default="")
    is_outsource = models.BooleanField(label("是否外协", "Done by a contractor"), default=False)
    vendor_name = models.CharField(label("外协单位", "Contractor"), max_length=80, blank=True, default="")
    outsource_cost = _cost("外协费用", "Contractor")
    other_cost = _cost("其他费用", "Other")
    labour_seconds = models.IntegerField(default=0)
    """Sum of the work lines; kept with them, as their cost is, so that lists and reports need not read them."""
    labour_cost = _cost("工时费", "Labor")
    spare_cost = _cost("备件费", "Spare parts")
    """Of what was issued, less what came back; the store keeps it."""
    check_user = _person("验收人", "Verified by")
    check_result = models.SmallIntegerField(label("验收结果", "Result"), choices=CheckResult.choices, null=True)
    check_score = models.SmallIntegerField(label("评分", "Rating"), null=True)
    check_remark = models.CharField(label("验收意见", "Remark"), max_length=500, blank=True, default="")
    cancel_reason = models.SmallIntegerField(label("取消原因", "Reason"), choices=CancelReason.choices, null=True)
    rework_count = models.IntegerField(label("返修次数", "Reworks"), default=0)
    repeat_of = models.ForeignKey("self", models.PROTECT, null=True, related_name="repeats")
    """The closed order whose fault has come back: same machine, same symptom, within `repair.repeat.days`."""
    repeat_count = models.IntegerField(default=0)
    """How many times in a row the fault has come back, this time included; 0 for a first one."""
    escalations = models.JSONField(default=dict)
    """Name of a reminder → when it was sent; each is sent once in the life of the order."""
    ext = ExtraValues(label("扩展字段", "Extra fields"), noun="repairorder")

    class Meta(AuditedModel.Meta):
        verbose_name = label("维修工单", "Work order")
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
            models.Index(fields=["tenant_id", "plate", "report_time"]),
        ]

    def __str__(self) -> str:
        return self.order_no

    @property
    def about(self) -> str:
        """The title."""
        return self.title

    @property
    def standing(self) -> bool:
        """Whether the machine still stands for this order's fault."""
        return self.is_stop and self.stop_end is None

    @property
    def total_cost(self) -> Decimal:
        """元: labour, spare parts, vendor and the rest."""
        return self.labour_cost + self.spare_cost + self.outsource_cost + self.other_cost


class RepairLine(AuditedModel):
    """Somebody's work time on an order."""

    order = models.ForeignKey(RepairOrder, models.PROTECT, related_name="lines")
    work_type = models.SmallIntegerField(
        label("工作内容", "Activity"), choices=WorkType.choices, default=WorkType.REPAIR
    )
    user = models.ForeignKey(
        "identity.User", models.PROTECT, related_name="+", verbose_name=label("维修人员", "Technician")
    )
    start_time = models.DateTimeField(label("开始时间", "Start"))
    end_time = models.DateTimeField(label("结束时间", "End"))
    content = models.CharField(label("说明", "Remark"), max_length=500, blank=True, default="")
    images = StoredFiles(label("照片", "Photos"), default=list)
    hour_rate = models.DecimalField(max_digits=8, decimal_places=2)
    """元/小时 of the person when the line was written."""
    amount = models.DecimalField(max_digits=14, decimal_places=2, default=0)

    class Meta(AuditedModel.Meta):
        verbose_name = label("维修工时", "Labor entry")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(end_time__gt=models.F("start_time")), name="repair_line_ends_after_start"
            )
        ]
        indexes = [
            models.Index(fields=["tenant_id", "order", "start_time"]),
            models.Index(fields=["tenant_id", "user", "start_time"]),
        ]


STOPS = Stops(RepairOrder, at_work=(Status.REPAIRING, Status.ON_HOLD), source=RestSource.REPAIR)
"""The stops of machines that orders make."""
