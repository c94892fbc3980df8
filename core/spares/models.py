"""Tables of spare parts, the ledger of their stock, and requests for them with their lines."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q

from core.equipment.models import Machine, MachineClass
from core.kernel import clock
from core.kernel.models import AuditedModel, DictionaryField, TenantModel, unique_in_tenant
from core.kernel.stored_files import StoredFiles
from core.kernel.texts import label
from core.system.extras import ExtraValues


class StockState(models.IntegerChoices):
    """What the available quantity of a spare part means, numbered as the dictionary stock_state."""

    NORMAL = 1, label("正常", "Normal")
    LOW = 2, label("偏低", "Low")
    OUT = 3, label("缺货", "Out")
    OVER = 4, label("超储", "Over the maximum")


class MoveKind(models.IntegerChoices):
    """What moves the stock, numbered as the dictionary spare_biz_type."""

    OPENING = 1, label("期初", "Opening stock")
    PURCHASE = 2, label("采购入库", "Purchase in")
    OTHER_IN = 3, label("其他入库", "Other in")
    ISSUE = 4, label("领用出库", "Issued")
    RETURN = 5, label("退回入库", "Returned")
    SURPLUS = 6, label("盘盈", "Count surplus")
    SHORTAGE = 7, label("盘亏", "Count shortage")
    SCRAP = 8, label("报废出库", "Scrapped")


ADDS = (MoveKind.OPENING, MoveKind.PURCHASE, MoveKind.OTHER_IN, MoveKind.RETURN, MoveKind.SURPLUS)
PRICED = (MoveKind.OPENING, MoveKind.PURCHASE, MoveKind.OTHER_IN)
"""Kinds whose price people enter."""
EXPLAINED = (MoveKind.SURPLUS, MoveKind.SHORTAGE, MoveKind.SCRAP)
"""Kinds that need a remark."""
BY_HAND = (*PRICED, *EXPLAINED)
"""Kinds that the storekeeper enters; requests make the others."""


class OrderType(models.IntegerChoices):
    """What spare parts are requested for, numbered as the dictionary spare_order_type."""

    REPAIR = 1, label("维修", "Repair")
    MAINTENANCE = 2, label("保养", "Maintenance")
    OTHER = 3, label("其他", "Other")


class RequestStatus(models.IntegerChoices):
    """State of a request, numbered as the dictionary spare_use_status; `life.py` alone assigns it."""

    TO_HANDLE = 1, label("待处理", "To handle")
    RESERVED = 2, label("已预留", "Reserved")
    PARTLY_ISSUED = 3, label("部分出库", "Partly issued")
    ISSUED = 4, label("已出库", "Issued")
    REJECTED = 5, label("已驳回", "Refused")
    CANCELLED = 6, label("已取消", "Cancelled")
    RETURNED = 7, label("已退清", "Returned in full")


OPEN = (RequestStatus.TO_HANDLE, RequestStatus.RESERVED, RequestStatus.PARTLY_ISSUED)
"""States in which the storekeeper still has something to do."""


def quantity(zh: str, en: str, **more: Any) -> models.DecimalField[Any, Decimal]:
    """Return a column of a quantity, in the unit of the spare part."""
    return models.DecimalField(label(zh, en), max_digits=12, decimal_places=3, default=0, **more)


def _limit(zh: str, en: str) -> models.DecimalField[Any, Decimal]:
    return quantity(zh, en, blank=True, validators=[MinValueValidator(0)])


def _kept(zh: str, en: str, digits: int = 12, places: int = 3) -> models.DecimalField[Any, Decimal]:
    return models.DecimalField(label(zh, en), max_digits=digits, decimal_places=places, default=0, editable=False)


def _text(zh: str, en: str, length: int) -> models.CharField:  # type: ignore[type-arg]
    return models.CharField(label(zh, en), max_length=length, blank=True, default="")


def _person(zh: str, en: str) -> models.ForeignKey:  # type: ignore[type-arg]
    return models.ForeignKey(
        "identity.User", models.PROTECT, null=True, editable=False, related_name="+", verbose_name=label(zh, en)
    )


class SparePart(AuditedModel):
    """A spare part, with its balance: `ledger.py` alone writes the quantities and the price."""

    spare_code = models.CharField(label("备件编号", "Part code"), max_length=40)
    spare_name = models.CharField(label("备件名称", "Part name"), max_length=80)
    spec = _text("规格型号", "Specification", 120)
    brand = _text("品牌", "Brand", 60)
    category = DictionaryField(label("备件类别", "Category"), dictionary="spare_category", default=10)
    unit = models.CharField(label("单位", "Unit"), max_length=10, default="个")
    is_integer = models.BooleanField(label("只按整数", "Whole numbers only"), default=True)
    location_code = _text("库位", "Location", 40)
    stock_qty = _kept("库存数量", "In stock")
    reserved_qty = _kept("预留数量", "Reserved")
    available_qty = _kept("可用数量", "Available")
    """In stock and not reserved; kept beside them, since SQLite's numbers do not subtract exactly."""
    min_qty = _limit("最低库存", "Minimum")
    max_qty = _limit("最高库存", "Maximum")
    """0: none."""
    safety_qty = _limit("安全库存", "Safety stock")
    avg_price = _kept("平均单价", "Average price", 14, 4)
    last_price = _kept("最近单价", "Last price", 14, 4)
    stock_amount = _kept("库存金额", "Stock value", 14, 2)
    last_out_time = models.DateTimeField(label("最近出库", "Last issued"), null=True, editable=False)
    supplier = _text("供应商", "Supplier", 80)
    lead_days = models.IntegerField(
        label("采购周期(天)", "Lead time (days)"),
        default=7,
        blank=True,
        validators=[MinValueValidator(0), MaxValueValidator(365)],
    )
    is_critical = models.BooleanField(label("关键备件", "Critical"), default=False)
    barcode = _text("条码", "Barcode", 64)
    """What a scan reads; the code of the part where nobody says another one."""
    photo = StoredFiles(label("照片", "Photo"), default=list, blank=True)
    files = StoredFiles(label("附件", "Files"), default=list, blank=True)
    is_sealed = models.BooleanField(label("是否封存", "Sealed"), default=False)
    remark = _text("备注", "Remark", 255)
    ext = ExtraValues(label("扩展字段", "Extra fields"), noun="spareinfo")

    class Meta(AuditedModel.Meta):
        verbose_name = label("备件", "Spare part")
        constraints = [
            unique_in_tenant("spare_code", name="spare_code_once"),
            unique_in_tenant("barcode", name="spare_barcode_once"),
            models.CheckConstraint(condition=Q(stock_qty__gte=0), name="spare_stock_not_negative"),
            models.CheckConstraint(
                condition=Q(reserved_qty__gte=0, reserved_qty__lte=F("stock_qty")), name="spare_reserved_within_stock"
            ),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "category", "spare_code"]),
            models.Index(fields=["tenant_id", "location_code"]),
            models.Index(fields=["tenant_id", "available_qty"]),
            models.Index(fields=["tenant_id", "-create_time", "-id"]),
        ]

    def __str__(self) -> str:
        return self.spare_name

    def used_at(self) -> list[SpareFit]:
        """Return where the part is used; read once for a row."""
        known = vars(self).get("_used_at")
        if known is None:
            known = vars(self)["_used_at"] = list(self.fits.select_related("machine", "type").order_by("pk"))
        return known

    def forget_fits(self) -> None:
        """Let `used_at` read anew, because it has changed."""
        vars(self).pop("_used_at", None)

    @property
    def type_ids(self) -> list[int]:
        """The ids of the asset types at which the part is used."""
        return [one.type_id for one in self.used_at() if one.type_id is not None]

    @property
    def machine_ids(self) -> list[int]:
        """The ids of the assets at which the part is used."""
        return [one.machine_id for one in self.used_at() if one.machine_id is not None]


class SpareFit(TenantModel):
    """Where a spare part is used: at an asset, or at all assets of a type."""

    spare = models.ForeignKey(SparePart, models.CASCADE, related_name="fits")
    machine = models.ForeignKey(Machine, models.PROTECT, null=True, related_name="+")
    type = models.ForeignKey(MachineClass, models.PROTECT, null=True, related_name="+")

    class Meta(TenantModel.Meta):
        verbose_name = label("备件的用处", "Use of a spare part")
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "spare", "machine"], name="spare_fit_machine_once"),
            models.UniqueConstraint(fields=["tenant_id", "spare", "type"], name="spare_fit_type_once"),
            models.CheckConstraint(condition=Q(machine=None) | Q(type=None), name="spare_fit_one_of_both"),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "machine"]),
            models.Index(fields=["tenant_id", "type"]),
        ]


class SpareUseLog(AuditedModel):
    """Somebody's request for spare parts, for an order or with a remark; `life.py` says what is done with it."""

    may_lose = ("spareuseline.request",)

    log_no = models.CharField(label("领用单号", "Request no."), max_length=20, editable=False)
    order_type = models.SmallIntegerField(
        label("领用单据", "Requested for"), choices=OrderType.choices, default=OrderType.REPAIR
    )
    order_id = models.BigIntegerField(label("单据", "Order"), null=True, editable=False)
    order_no = models.CharField(label("单据编号", "Order no."), max_length=20, default="", editable=False)
    """The order that the parts are for, and its number; other applications have the table."""
    machine = models.ForeignKey(
        Machine, models.PROTECT, null=True, editable=False, related_name="+", verbose_name=label("设备", "Asset")
    )
    apply_user = _person("领用人", "Requested by")
    apply_dept = models.ForeignKey(
        "identity.Department", models.PROTECT, null=True, editable=False, related_name="+",
        verbose_name=label("领用部门", "Department"),
    )  # fmt: skip
    apply_time = models.DateTimeField(label("申请时间", "Requested"), default=clock.now, editable=False)
    status = models.SmallIntegerField(
        label("状态", "Status"), choices=RequestStatus.choices, default=RequestStatus.TO_HANDLE, editable=False
    )
    handle_user = _person("处理人", "Handled by")
    handle_time = models.DateTimeField(label("处理时间", "Handled"), null=True, editable=False)
    handle_remark = models.CharField(
        label("处理说明", "Remark of the store"), max_length=200, default="", editable=False
    )
    line_count = models.IntegerField(label("备件种数", "Parts"), default=0, editable=False)
    total_amount = _kept("金额", "Amount", 14, 2)
    """元, of what was issued, less what came back."""
    remark = _text("备注", "Remark", 255)

    class Meta(AuditedModel.Meta):
        verbose_name = label("备件领用单", "Spare request")
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "log_no"], name="spare_request_no_once"),
            models.CheckConstraint(condition=Q(status__gte=1, status__lte=7), name="spare_request_status"),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "-apply_time", "-id"]),
            models.Index(fields=["tenant_id", "status", "-apply_time", "-id"]),
            models.Index(fields=["tenant_id", "apply_user", "-apply_time", "-id"]),
            models.Index(fields=["tenant_id", "order_type", "order_id"]),
        ]

    def __str__(self) -> str:
        return self.log_no


class SpareUseLine(AuditedModel):
    """One spare part of a request, and what has become of it."""

    request = models.ForeignKey(SpareUseLog, models.PROTECT, related_name="lines")
    spare = models.ForeignKey(SparePart, models.PROTECT, related_name="+", verbose_name=label("备件", "Spare part"))
    plan_qty = models.DecimalField(label("申请数量", "Requested"), max_digits=12, decimal_places=3)
    reserved_qty = _kept("预留数量", "Reserved")
    issued_qty = _kept("出库数量", "Issued")
    returned_qty = _kept("退回数量", "Returned")
    short_qty = _kept("缺少数量", "Short")
    """Requested and neither reserved nor issued, while the request is open."""
    price = _kept("单价", "Price", 14, 4)
    """元, of the last issue."""
    amount = _kept("金额", "Amount", 14, 2)
    """元, of what was issued, less what came back."""
    location_code = models.CharField(label("库位", "Location"), max_length=40, default="", editable=False)
    remark = _text("备注", "Remark", 120)

    class Meta(AuditedModel.Meta):
        verbose_name = label("领用明细", "Line of a spare request")
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "request", "spare"], name="spare_line_spare_once"),
            models.CheckConstraint(
                condition=Q(plan_qty__gt=0, reserved_qty__gte=0, issued_qty__gte=0, returned_qty__gte=0),
                name="spare_line_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(
                    issued_qty__lte=F("plan_qty"), returned_qty__lte=F("issued_qty"), reserved_qty__lte=F("plan_qty")
                ),
                name="spare_line_within_plan",
            ),
        ]
        indexes = [models.Index(fields=["tenant_id", "spare", "request"])]


class SpareMove(AuditedModel):
    """An entry of the ledger: one movement of the stock of one spare part. Nothing changes or removes it."""

    insert_only = True

    flow_no = models.CharField(label("流水号", "Movement no."), max_length=20, editable=False)
    spare = models.ForeignKey(SparePart, models.PROTECT, related_name="moves", verbose_name=label("备件", "Spare part"))
    biz_type = models.SmallIntegerField(
        label("出入库类型", "Movement"), choices=MoveKind.choices, default=MoveKind.PURCHASE
    )
    qty = models.DecimalField(label("数量", "Quantity"), max_digits=12, decimal_places=3)
    direction = models.SmallIntegerField(label("方向", "Direction"), editable=False)
    """1: into the stock, -1: out of it."""
    before_qty = _kept("变动前库存", "Stock before")
    after_qty = models.DecimalField(label("变动后库存", "Stock after"), max_digits=12, decimal_places=3, editable=False)
    price = models.DecimalField(label("单价", "Price"), max_digits=14, decimal_places=4, default=0)
    amount = _kept("金额", "Amount", 14, 2)
    order_type = models.SmallIntegerField(
        label("领用单据", "Requested for"), choices=OrderType.choices, null=True, editable=False
    )
    order_id = models.BigIntegerField(label("单据", "Order"), null=True, editable=False)
    order_no = models.CharField(label("单据编号", "Order no."), max_length=20, default="", editable=False)
    machine = models.ForeignKey(
        Machine, models.PROTECT, null=True, editable=False, related_name="+", verbose_name=label("设备", "Asset")
    )
    request = models.ForeignKey(
        SpareUseLog, models.PROTECT, null=True, editable=False, related_name="moves",
        verbose_name=label("领用单", "Spare request"),
    )  # fmt: skip
    line = models.ForeignKey(SpareUseLine, models.PROTECT, null=True, editable=False, related_name="moves")
    reverse_of = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="+",
        verbose_name=label("冲销的流水", "Corrected movement"),
    )  # fmt: skip
    voucher = StoredFiles(label("凭证", "Voucher"), default=list, blank=True)
    user = _person("经手人", "Entered by")
    flow_time = models.DateTimeField(label("时间", "Time"), default=clock.now, editable=False)
    remark = _text("备注", "Remark", 255)

    class Meta(AuditedModel.Meta):
        verbose_name = label("备件流水", "Stock movement")
        constraints = [
            models.UniqueConstraint(fields=["tenant_id", "flow_no"], name="spare_move_no_once"),
            models.UniqueConstraint(fields=["tenant_id", "reverse_of"], name="spare_move_corrected_once"),
            models.CheckConstraint(
                condition=Q(qty__gt=0, before_qty__gte=0, after_qty__gte=0, price__gte=0),
                name="spare_move_not_negative",
            ),
            models.CheckConstraint(
                condition=Q(direction=1, after_qty__gte=F("before_qty"))
                | Q(direction=-1, after_qty__lte=F("before_qty")),
                name="spare_move_direction",
            ),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "-flow_time", "-id"]),
            models.Index(fields=["tenant_id", "spare", "-flow_time", "-id"]),
            models.Index(fields=["tenant_id", "biz_type", "-flow_time", "-id"]),
            models.Index(fields=["tenant_id", "machine", "flow_time"]),
            models.Index(fields=["tenant_id", "request"]),
            models.Index(fields=["tenant_id", "order_type", "order_id"]),
        ]

    def __str__(self) -> str:
        return self.flow_no
