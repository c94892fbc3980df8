"""Tables of the figures: reporting months that are closed, and what was told of each asset when they were."""

from __future__ import annotations

from django.db import models

from core.kernel import clock
from core.kernel.models import TenantModel
from core.kernel.texts import label


class FrozenMonth(TenantModel):
    """A reporting month whose KPIs do not move any more. Nothing changes or removes it."""

    insert_only = True

    year = models.SmallIntegerField()
    month = models.SmallIntegerField()
    first = models.DateField()
    last = models.DateField()
    """Its days, as the parameters said when it was frozen."""
    frozen_time = models.DateTimeField(default=clock.now)

    class Meta(TenantModel.Meta):
        verbose_name = label("冻结的报表月", "Frozen reporting month")
        constraints = [models.UniqueConstraint(fields=["tenant_id", "year", "month"], name="frozen_month_once")]

    def __str__(self) -> str:
        return f"{self.year}-{self.month:02d}"


class AssetMonth(TenantModel):
    """What the KPIs of an asset in a frozen month are made of, with its place in the plant as it was then."""

    insert_only = True

    frozen = models.ForeignKey(FrozenMonth, models.PROTECT, related_name="assets")
    machine_id = models.BigIntegerField()
    machine_code = models.CharField(max_length=40)
    machine_name = models.CharField(max_length=80)
    type_id = models.BigIntegerField(null=True)
    dept_id = models.BigIntegerField(null=True)
    """Ids and no references: the month stands, whatever becomes of the asset."""
    planned = models.FloatField()
    planned_stop = models.FloatField()
    down = models.FloatField()
    """Seconds, as those of `MachineTime`."""
    failures = models.IntegerField()
    repair_seconds = models.BigIntegerField()
    repaired = models.IntegerField()
    repair_cost = models.DecimalField(max_digits=16, decimal_places=2)
    maintain_cost = models.DecimalField(max_digits=16, decimal_places=2)
    points_due = models.IntegerField()
    points_on_time = models.IntegerField()
    upkeep_due = models.IntegerField()
    upkeep_on_time = models.IntegerField()
    behind = models.JSONField(default=dict)
    """By figure the ids of the records behind it, each with what it adds."""

    class Meta(TenantModel.Meta):
        verbose_name = label("冻结的设备绩效", "Frozen KPIs of an asset")
        constraints = [models.UniqueConstraint(fields=["tenant_id", "frozen", "machine_id"], name="asset_month_once")]
        indexes = [models.Index(fields=["tenant_id", "machine_id"])]

    def __str__(self) -> str:
        return self.machine_code
