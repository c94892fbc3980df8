"""Tables of maintenance standards: their cycle and work beside the items, the assets they plan, and planned parts."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from core.equipment.models import Machine
from core.inspection.cycles import CycleAnchor, CycleUnit, Trigger
from core.inspection.due import Basis, Cycle, next_due
from core.kernel.models import AuditedModel, unique_in_tenant
from core.kernel.texts import label
from core.spares.models import SparePart


class MaintenanceLevel(models.IntegerChoices):
    """What kind of maintenance, numbered as the dictionary maintain_level."""

    DAILY = 1, label("日常保养", "Daily care")
    ONE = 2, label("一级保养", "Level one")
    TWO = 3, label("二级保养", "Level two")
    OVERHAUL = 4, label("大修", "Overhaul")
    LUBRICATION = 5, label("润滑", "Lubrication")
    CALIBRATION = 6, label("校准/检定", "Calibration")


def _whole(text: Any, least: int, most: int) -> models.IntegerField[Any, Any]:
    return models.IntegerField(
        text, null=True, blank=True, validators=[MinValueValidator(least), MaxValueValidator(most)]
    )


class MaintenanceColumns(models.Model):
    """What a maintenance standard has beside a check standard; of the latter all of it is empty."""

    level = models.IntegerField(
        label("保养级别", "Maintenance level"), choices=MaintenanceLevel.choices, null=True, blank=True
    )
    trigger_type = models.IntegerField(label("触发方式", "Trigger"), choices=Trigger.choices, null=True, blank=True)
    cycle_value = _whole(label("周期", "Cycle"), 1, 999)
    cycle_unit = models.IntegerField(label("周期单位", "Cycle unit"), choices=CycleUnit.choices, null=True, blank=True)
    run_interval = models.DecimalField(
        label("运行间隔", "Meter interval"), max_digits=10, decimal_places=1, null=True, blank=True,
        validators=[MinValueValidator(Decimal("0.1"))],
    )  # fmt: skip
    """In the meter unit of the assets."""
    anchor = models.IntegerField(label("周期起算", "Cycle counted"), choices=CycleAnchor.choices, null=True, blank=True)
    lead_days = _whole(label("提前天数", "Lead time (days)"), 0, 90)
    lead_hours = _whole(label("提前运行量", "Lead on the meter"), 0, 9999)
    tolerance_percent = _whole(label("允许偏差百分比", "Tolerance in percent"), 0, 50)
    est_minutes = _whole(label("计划用时(分钟)", "Planned time (min)"), 1, 14_400)
    people_count = _whole(label("计划人数", "People"), 1, 50)
    need_stop = models.BooleanField(label("需停机", "Asset must be stopped"), default=False)
    user_ids = models.JSONField(label("执行人员", "Technicians"), default=list, blank=True)
    team = models.ForeignKey(
        "identity.Team", models.PROTECT, null=True, blank=True, related_name="+",
        verbose_name=label("执行班组", "Team"),
    )  # fmt: skip
    tools = models.CharField(label("工具", "Tools"), max_length=500, blank=True, default="")
    safety = models.CharField(label("安全措施", "Safety measures"), max_length=500, blank=True, default="")

    class Meta:
        abstract = True

    @property
    def cycle(self) -> Cycle:
        """How often it is due."""
        return Cycle(
            trigger=self.trigger_type or Trigger.CALENDAR,
            anchor=self.anchor or CycleAnchor.COMPLETION,
            value=self.cycle_value,
            unit=self.cycle_unit,
            interval=self.run_interval,
            lead_days=self.lead_days or 0,
            lead_hours=self.lead_hours or 0,
            tolerance=self.tolerance_percent or 0,
        )


class MaintenancePlan(AuditedModel):
    """An asset that a maintenance standard plans: what its due dates are counted from, and when the next one is.

    Next date and counter follow from the rest by `core/inspection/due.py`; they are stored for lists and generation.
    """

    config = models.ForeignKey(
        "inspection.CheckStandard", models.PROTECT, related_name="plans",
        verbose_name=label("保养标准", "Maintenance standard"),
    )  # fmt: skip
    machine = models.ForeignKey(
        Machine, models.PROTECT, related_name="maintenance_plans", verbose_name=label("设备", "Asset")
    )
    first_due_date = models.DateField(label("首次到期日", "First due on"), null=True, blank=True)
    first_due_hours = models.DecimalField(
        label("首次到期读数", "First due at"), max_digits=12, decimal_places=1, null=True, blank=True,
        validators=[MinValueValidator(0)],
    )  # fmt: skip
    paused = models.BooleanField(label("暂停", "Paused"), default=False)
    counted_from = models.DateField(null=True, editable=False)
    counted_hours = models.DecimalField(max_digits=12, decimal_places=1, null=True, editable=False)
    """Day and counter of the last work that counts, or of what was left out; empty where the first due date counts."""
    last_done_time = models.DateTimeField(label("上次完成", "Last done"), null=True, editable=False)
    last_done_hours = models.DecimalField(
        label("上次读数", "Meter at last work"), max_digits=12, decimal_places=1, null=True, editable=False
    )
    next_due_date = models.DateField(label("下次到期日", "Next due on"), null=True, editable=False)
    next_due_hours = models.DecimalField(
        label("下次到期读数", "Next due at"), max_digits=12, decimal_places=1, null=True, editable=False
    )
    skipped_count = models.IntegerField(label("跳过次数", "Skipped"), default=0, editable=False)

    class Meta(AuditedModel.Meta):
        verbose_name = label("保养计划", "Maintenance plan")
        constraints = [unique_in_tenant("config", "machine", name="maintenance_plan_once")]
        indexes = [
            models.Index(fields=["tenant_id", "machine"]),
            models.Index(fields=["tenant_id", "next_due_date"]),
        ]

    def __str__(self) -> str:
        return f"{self.machine} {self.config}"

    @property
    def basis(self) -> Basis:
        """What it counts from."""
        return Basis(self.first_due_date, self.first_due_hours, self.counted_from, self.counted_hours)

    def follow(self, basis: Basis) -> None:
        """Count from this, and set the next date and counter; nothing is stored."""
        self.first_due_date, self.first_due_hours = basis.first_date, basis.first_hours
        self.counted_from, self.counted_hours = basis.from_date, basis.from_hours
        due = next_due(self.config.cycle, basis)
        self.next_due_date, self.next_due_hours = due.day, due.hours


DATES = (
    "first_due_date", "first_due_hours", "counted_from", "counted_hours", "next_due_date", "next_due_hours",
)  # fmt: skip
"""Columns of a plan row that `follow` sets."""


class PlannedPart(AuditedModel):
    """A spare part that the work of a maintenance standard usually takes."""

    config = models.ForeignKey("inspection.CheckStandard", models.PROTECT, related_name="parts")
    spare = models.ForeignKey(SparePart, models.PROTECT, related_name="+", verbose_name=label("备件", "Spare part"))
    qty = models.DecimalField(
        label("数量", "Quantity"), max_digits=12, decimal_places=3, validators=[MinValueValidator(Decimal("0.001"))]
    )

    class Meta(AuditedModel.Meta):
        verbose_name = label("计划备件", "Planned part")
        constraints = [unique_in_tenant("config", "spare", name="planned_part_once")]
        indexes = [models.Index(fields=["tenant_id", "spare"])]

    def __str__(self) -> str:
        return str(self.spare)
