"""Tables of maintenance orders, what is done item by item, and who worked how long."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.db import models

from core.cases.models import CaseModel
from core.equipment.models import Machine, RestSource, RestType
from core.equipment.stoppages import Stops
from core.inspection.cycles import Trigger
from core.inspection.models import CheckStandard, StandardVersion
from core.inspection.upkeep import MaintenanceLevel
from core.kernel.models import AuditedModel
from core.kernel.stored_files import StoredFiles
from core.kernel.texts import label


class Status(models.IntegerChoices):
    """State of a maintenance order; assigned by effects alone."""

    TO_DO = 1, label("待执行", "To do")
    DOING = 2, label("执行中", "In progress")
    TO_CHECK = 3, label("待验收", "Pending verification")
    DONE = 4, label("已完成", "Done")
    CANCELLED = 5, label("已取消", "Cancelled")


OPEN = (Status.TO_DO, Status.DOING, Status.TO_CHECK)


class Source(models.IntegerChoices):
    """Who made an order, numbered as the dictionary maintain_source."""

    PLAN = 1, label("计划", "Plan")
    MANUAL = 2, label("手工", "By hand")
    INTERFACE = 3, label("接口", "Interface")


class Result(models.IntegerChoices):
    """What came of an item, numbered as the dictionary maintain_result."""

    NORMAL = 1, label("正常/完成", "Normal/done")
    ABNORMAL = 2, label("异常", "Abnormal")
    NOT_APPLICABLE = 3, label("不适用", "N/A")
    NOT_DONE = 4, label("未做", "Not done")


class CheckResult(models.IntegerChoices):
    """Verdict of the check."""

    PASS = 1, label("通过", "Pass")
    FAIL = 2, label("不通过", "Fail")


def _person(zh: str, en: str) -> models.ForeignKey:  # type: ignore[type-arg]
    return models.ForeignKey("identity.User", models.PROTECT, null=True, related_name="+", verbose_name=label(zh, en))


def _cost(zh: str, en: str) -> models.DecimalField[Any, Decimal]:
    return models.DecimalField(label(zh, en), max_digits=14, decimal_places=2, default=0)


class MaintainOrder(CaseModel):
    """Preventive work that is due on an asset; `case.py` declares what is done with it.

    What its standard said when it was made stays with it: the columns are copies, and `version` has the items.
    """

    order_no = models.CharField(label("单号", "No."), max_length=20)
    status = models.SmallIntegerField(label("状态", "Status"), choices=Status.choices, null=True)
    """Null only inside the transaction that saves the order, before its process's first effect."""
    source = models.SmallIntegerField(label("来源", "Source"), choices=Source.choices, default=Source.PLAN)
    config = models.ForeignKey(
        CheckStandard, models.PROTECT, related_name="+", verbose_name=label("保养标准", "Maintenance standard")
    )
    version = models.ForeignKey(
        StandardVersion, models.PROTECT, related_name="+", verbose_name=label("标准版本", "Version of the standard")
    )
    config_name = models.CharField(label("保养标准", "Maintenance standard"), max_length=80)
    level = models.SmallIntegerField(
        label("保养级别", "Maintenance level"), choices=MaintenanceLevel.choices, default=MaintenanceLevel.ONE
    )
    trigger_type = models.SmallIntegerField(
        label("触发方式", "Trigger"), choices=Trigger.choices, default=Trigger.CALENDAR
    )
    machine = models.ForeignKey(
        Machine, models.PROTECT, related_name="maintain_orders", verbose_name=label("设备", "Asset")
    )
    dept = models.ForeignKey(
        "identity.Department", models.PROTECT, related_name="+", verbose_name=label("使用部门", "Department")
    )
    due_date = models.DateField(label("应完成日期", "Due date"))
    original_due_date = models.DateField(label("原应完成日期", "Original due date"))
    """What compliance is judged by; a delay leaves it."""
    due_hours = models.DecimalField(label("到期读数", "Due at reading"), max_digits=12, decimal_places=1, null=True)
    is_first = models.BooleanField(label("首次", "First time"), default=False)
    """The work was never done before and had no first date: due at once."""
    plan_start = models.DateTimeField(label("计划开始", "Planned start"), null=True, blank=True)
    plan_end = models.DateTimeField(label("计划结束", "Planned end"), null=True, blank=True)
    team = models.ForeignKey(
        "identity.Team", models.PROTECT, null=True, blank=True, related_name="+",
        verbose_name=label("执行班组", "Team"),
    )  # fmt: skip
    user_ids = models.JSONField(label("执行人员", "Assigned to"), default=list, blank=True)
    """Ids of people who are to do it, beside the team."""
    executor = _person("执行人", "Carried out by")
    delay_count = models.IntegerField(label("延期次数", "Delays"), default=0)
    delay_reason = models.CharField(label("延期原因", "Reason for the delay"), max_length=200, blank=True, default="")
    est_minutes = models.IntegerField(label("预计工时", "Estimated time"), default=60)
    need_stop = models.BooleanField(label("需要停机", "Asset must be stopped"), default=False)
    need_check = models.BooleanField(label("需他人确认", "Second person confirms"), default=True)
    need_sign = models.BooleanField(label("需签名", "Signature required"), default=False)
    tools = models.CharField(label("工具", "Tools"), max_length=500, blank=True, default="")
    safety = models.CharField(label("安全措施", "Safety measures"), max_length=500, blank=True, default="")
    safety_confirmed = models.BooleanField(label("安全措施已确认", "Safety measures confirmed"), default=False)
    begin_time = models.DateTimeField(null=True)
    """When somebody began, as the clock said; `start_time` is what they enter."""
    start_time = models.DateTimeField(label("开始时间", "Started"), null=True)
    finish_time = models.DateTimeField(label("完成时间", "Finished"), null=True)
    stop_start = models.DateTimeField(label("停机时间", "Stopped since"), null=True)
    stop_end = models.DateTimeField(label("恢复运行时间", "Back in operation"), null=True)
    read_hours = models.DecimalField(label("读数", "Reading"), max_digits=12, decimal_places=1, null=True, blank=True)
    reading_id = models.BigIntegerField(null=True)
    """The meter reading that was made of it."""
    summary = models.CharField(label("保养小结", "Summary"), max_length=1000, blank=True, default="")
    images = StoredFiles(label("保养照片", "Photos"), default=list, blank=True)
    sign_image = StoredFiles(label("签名", "Signature"), default=list, blank=True)
    labour_seconds = models.IntegerField(default=0)
    """Sum of the lines; kept with them, as their cost is, so that lists and reports need not read them."""
    labour_cost = _cost("工时费", "Labor")
    spare_cost = _cost("备件费", "Parts")
    other_cost = _cost("其他费用", "Other")
    abnormal_count = models.IntegerField(label("异常项", "Abnormal items"), default=0)
    repair_order_ids = models.JSONField(default=list)
    """Ids of the work orders that were made of abnormal items."""
    check_user = _person("验收人", "Verified by")
    check_time = models.DateTimeField(label("验收时间", "Verified"), null=True)
    check_result = models.SmallIntegerField(label("验收结果", "Result"), choices=CheckResult.choices, null=True)
    check_remark = models.CharField(label("验收意见", "Remark"), max_length=500, blank=True, default="")
    rework_count = models.IntegerField(label("返修次数", "Reworks"), default=0)
    close_time = models.DateTimeField(label("关闭时间", "Closed"), null=True)
    cancel_reason = models.CharField(label("取消原因", "Reason"), max_length=200, blank=True, default="")
    gen_key = models.CharField(max_length=80, blank=True, default="", editable=False)
    """What the generation made it for, `configId:machineId:due`; of an order made by hand empty."""
    reminders = models.JSONField(default=dict)
    """Name of a reminder → when it was sent; each is sent once."""
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")

    class Meta(CaseModel.Meta):
        verbose_name = label("保养单", "Maintenance order")
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "order_no"], name="maintain_order_no_once"),
            # Deleted ones count too: what was generated once is not generated again.
            models.UniqueConstraint(
                fields=["tenant_id", "gen_key"], condition=~models.Q(gen_key=""), name="maintain_order_key_once"
            ),
            # Not a rule of forms: which orders are open, only the operation says.
            models.UniqueConstraint(
                "tenant_id",
                "config",
                "machine",
                condition=models.Q(is_deleted=False, status__lte=Status.TO_CHECK),
                name="maintain_order_one_open",
            ),
            models.CheckConstraint(condition=models.Q(status__gte=1, status__lte=5), name="maintain_order_status"),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "status", "due_date", "id"]),
            models.Index(fields=["tenant_id", "due_date", "id"]),
            models.Index(fields=["tenant_id", "-create_time", "-id"]),
            models.Index(fields=["tenant_id", "machine", "status"]),
            models.Index(fields=["tenant_id", "finish_time"]),
            models.Index(fields=["tenant_id", "executor", "status"]),
            models.Index(fields=["tenant_id", "original_due_date"]),
        ]

    def __str__(self) -> str:
        return self.order_no

    @property
    def about(self) -> str:
        """Asset and standard."""
        return f"{self.machine.machine_name} {self.config_name}"[:80]

    @property
    def standing(self) -> bool:
        """Whether the asset stands for this order."""
        return self.stop_start is not None and self.stop_end is None

    @property
    def total_cost(self) -> Decimal:
        """元: labour, parts and the rest."""
        return self.labour_cost + self.spare_cost + self.other_cost

    def items(self) -> dict[str, Mapping[str, Any]]:
        """Return the items of the standard as they were when the order was made, by their ids."""
        return {item["itemId"]: item for item in self.version.items}


class MaintainOrderDetail(AuditedModel):
    """One item of an order and what came of it; an own one, which the standard does not have, has no `item_id`."""

    order = models.ForeignKey(MaintainOrder, models.PROTECT, related_name="details")
    item_id = models.CharField(max_length=16, blank=True, default="")
    item_name = models.CharField(label("项目", "Item"), max_length=80)
    value = models.CharField(label("值", "Value"), max_length=500, blank=True, default="")
    result = models.SmallIntegerField(label("结果", "Result"), choices=Result.choices, null=True)
    finding = models.SmallIntegerField(null=True)
    """What the server says of the value, as of an inspection: a warning is one here, and no abnormal result."""
    handling = models.CharField(label("处理说明", "Handling"), max_length=300, blank=True, default="")
    images = StoredFiles(label("照片", "Photos"), default=list, blank=True)
    user = _person("执行人", "Done by")
    done_time = models.DateTimeField(label("完成时间", "Done"), null=True)
    repair_order_id = models.BigIntegerField(null=True)
    sort = models.IntegerField(label("排序", "Order"), default=0)

    class Meta(AuditedModel.Meta):
        verbose_name = label("保养项目", "Maintenance item")
        indexes = [
            models.Index(fields=["tenant_id", "order", "sort", "id"]),
            models.Index(fields=["tenant_id", "item_id"]),
        ]

    def __str__(self) -> str:
        return self.item_name


class MaintainLine(AuditedModel):
    """Somebody's work time on an order."""

    order = models.ForeignKey(MaintainOrder, models.PROTECT, related_name="lines")
    user = models.ForeignKey(
        "identity.User", models.PROTECT, related_name="+", verbose_name=label("保养人员", "Technician")
    )
    start_time = models.DateTimeField(label("开始时间", "Start"))
    end_time = models.DateTimeField(label("结束时间", "End"))
    content = models.CharField(label("说明", "Remark"), max_length=500, blank=True, default="")
    hour_rate = models.DecimalField(max_digits=8, decimal_places=2)
    """元/小时 of the person when the line was written."""
    amount = models.DecimalField(max_digits=14, decimal_places=2, default=0)

    class Meta(AuditedModel.Meta):
        verbose_name = label("保养工时", "Labor entry of maintenance")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(end_time__gt=models.F("start_time")), name="maintain_line_ends_after_start"
            )
        ]
        indexes = [
            models.Index(fields=["tenant_id", "order", "start_time"]),
            models.Index(fields=["tenant_id", "user", "start_time"]),
        ]


STOPS = Stops(MaintainOrder, at_work=(), source=RestSource.MAINTENANCE, rest_type=RestType.MAINTENANCE)
"""The planned stops of assets that orders make."""
