"""Tables of toolmakers, tools, their ledger and orders of tools."""

from __future__ import annotations

from django.core.validators import MinValueValidator
from django.db import models

from core.kernel.balances import Balance, never_below
from core.kernel.models import AuditedModel, unique_in_tenant
from core.kernel.stored_files import StoredFile, StoredFiles
from core.kernel.texts import label


class Toolmaker(AuditedModel):
    """Who makes tools."""

    toolmaker_code = models.CharField(label("工具商编号", "Toolmaker code"), max_length=20)
    toolmaker_name = models.CharField(label("工具商名称", "Toolmaker"), max_length=60)
    since = models.DateField(label("合作日期", "Since"), null=True, blank=True)

    class Meta(AuditedModel.Meta):
        verbose_name = label("工具商", "Toolmaker")
        constraints = [unique_in_tenant("toolmaker_code")]

    def __str__(self) -> str:
        return self.toolmaker_name


class ToolKind(models.IntegerChoices):
    """What moves a tool."""

    HAND = 1, label("手动工具", "Hand tool")
    POWER = 2, label("电动工具", "Power tool")


class Tool(AuditedModel):
    """A tool, with what is in stock."""

    tool_code = models.CharField(label("工具编号", "Tool code"), max_length=40)
    tool_name = models.CharField(label("工具名称", "Tool"), max_length=80)
    kind = models.IntegerField(label("类别", "Kind"), choices=ToolKind.choices)
    machine_class = models.ForeignKey(
        "equipment.MachineClass", models.PROTECT, verbose_name=label("适用类型", "Asset type")
    )
    toolmaker = models.ForeignKey(
        Toolmaker, models.PROTECT, null=True, blank=True, verbose_name=label("工具商", "Toolmaker")
    )
    unit_price = models.DecimalField(
        label("单价", "Unit price"), max_digits=12, decimal_places=3, validators=[MinValueValidator(0)]
    )
    least_stock = models.DecimalField(label("最低库存", "Least stock"), max_digits=12, decimal_places=3, default=0)
    stock = models.DecimalField(label("库存", "Stock"), max_digits=12, decimal_places=3, default=0, editable=False)
    is_enabled = models.BooleanField(label("状态", "State"), default=True)
    images = StoredFiles(label("图片", "Pictures"), default=list, blank=True)
    drawing = StoredFile(label("图纸", "Drawing"), max_length=80, default="", editable=False)

    class Meta(AuditedModel.Meta):
        verbose_name = label("工具", "Tool")
        constraints = [unique_in_tenant("tool_code"), never_below("stock", name="tool_stock_never_below")]

    def __str__(self) -> str:
        return self.tool_name


class MoveKind(models.IntegerChoices):
    """Which way a tool went."""

    IN = 1, label("入库", "In")
    OUT = 2, label("出库", "Out")
    CORRECTION = 3, label("盘点调整", "Correction")


class ToolMove(AuditedModel):
    """An entry of the ledger: what went in or out of the stock of one tool."""

    tool = models.ForeignKey(Tool, models.PROTECT, verbose_name=label("工具", "Tool"))
    kind = models.IntegerField(label("方向", "Direction"), choices=MoveKind.choices)
    quantity = models.DecimalField(label("数量", "Quantity"), max_digits=12, decimal_places=3)
    stock_after = models.DecimalField(label("结存", "Stock after"), max_digits=12, decimal_places=3, editable=False)
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")

    balance = Balance("tool", "stock", adds=(MoveKind.IN,), takes=(MoveKind.OUT,), after="stock_after")

    class Meta(AuditedModel.Meta):
        verbose_name = label("工具进出", "Tool movement")

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.quantity}"


class ToolOrder(AuditedModel):
    """An order to a toolmaker, with its lines."""

    order_no = models.CharField(label("工具订单号", "Tool order no."), max_length=40)
    toolmaker = models.ForeignKey(Toolmaker, models.PROTECT, verbose_name=label("工具商", "Toolmaker"))
    total = models.DecimalField(label("合计", "Total"), max_digits=14, decimal_places=2, default=0, editable=False)

    class Meta(AuditedModel.Meta):
        verbose_name = label("工具订单", "Tool order")
        constraints = [unique_in_tenant("order_no")]

    def __str__(self) -> str:
        return self.order_no


class ToolOrderLine(AuditedModel):
    """One tool of an order."""

    order = models.ForeignKey(ToolOrder, models.PROTECT, related_name="lines")
    tool = models.ForeignKey(Tool, models.PROTECT, verbose_name=label("工具", "Tool"))
    quantity = models.IntegerField(label("数量", "Quantity"), validators=[MinValueValidator(1)])
    price = models.DecimalField(label("单价", "Price"), max_digits=12, decimal_places=2)

    class Meta(AuditedModel.Meta):
        verbose_name = label("工具订单明细", "Tool order line")
