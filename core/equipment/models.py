"""Tables of machine classes, machines, their meter readings and changes of state, fault words and stoppages."""

from __future__ import annotations

from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy

from core.kernel.models import AuditedModel, TenantModel, TreeModel, unique_in_tenant
from core.kernel.stored_files import StoredFiles
from core.kernel.texts import choose, label
from core.system.extras import ExtraValues


class NodeType(models.IntegerChoices):
    """Level of the machine tree."""

    SITE = 1, label("厂区", "Site")
    WORKSHOP = 2, label("车间", "Workshop")
    LINE = 3, label("产线/区域", "Line/Area")
    MACHINE = 4, label("设备", "Asset")
    COMPONENT = 5, label("部件", "Component")


class RunState(models.IntegerChoices):
    """Whether a machine runs; DOWN, REPAIRING and MAINTAINING are set by the flows alone, the others by people."""

    RUNNING = 1, label("运行", "Running")
    IDLE = 2, label("待机", "Idle")
    DOWN = 3, label("故障停机", "Down")
    REPAIRING = 4, label("维修中", "Repairing")
    MAINTAINING = 5, label("保养中", "Maintaining")
    DISABLED = 6, label("停用", "Disabled")
    SCRAPPED = 7, label("报废", "Scrapped")


BY_HAND = (RunState.RUNNING, RunState.IDLE, RunState.DISABLED, RunState.SCRAPPED)
"""The states that people set."""


class Importance(models.IntegerChoices):
    """What a standstill of the machine means for the plant."""

    CRITICAL = 1, label("A关键", "A Critical")
    IMPORTANT = 2, label("B重要", "B Important")
    ORDINARY = 3, label("C一般", "C Ordinary")


class MeterUnit(models.IntegerChoices):
    """What the counter of a machine counts."""

    HOURS = 1, label("小时", "h")
    CYCLES = 2, label("次", "cycles")
    KILOMETRES = 3, label("公里", "km")
    PIECES = 4, label("件", "pcs")


class WarrantyState(models.IntegerChoices):
    """Whether the warranty of a machine lasts."""

    VALID = 1, label("在保", "In warranty")
    ENDING = 2, label("即将到期", "Ending soon")
    EXPIRED = 3, label("已过保", "Expired")


class Urgency(models.IntegerChoices):
    """How soon somebody must come for a repair, numbered as the dictionary repair_urgency."""

    CRITICAL = 1, label("特急", "Critical")
    URGENT = 2, label("紧急", "Urgent")
    NORMAL = 3, label("一般", "Normal")


class MachineClass(TreeModel):
    """A kind of machine or component; new machines get its importance where nobody says another one."""

    most_levels = 6

    type_code = models.CharField(label("类型编号", "Type code"), max_length=40)
    type_name = models.CharField(label("类型名称", "Type name"), max_length=60)
    type_name_en = models.CharField(label("英文名称", "English name"), max_length=60, blank=True, default="")
    default_importance = models.IntegerField(
        label("默认重要程度", "Default criticality"), choices=Importance.choices, default=Importance.IMPORTANT
    )
    expected_mtbf_hours = models.DecimalField(
        label("期望故障间隔(小时)", "Expected MTBF (h)"),
        max_digits=10,
        decimal_places=1,
        null=True,
        blank=True,
        validators=[MinValueValidator(0), MaxValueValidator(1_000_000)],
    )
    sort = models.IntegerField(
        label("排序", "Order"), default=0, validators=[MinValueValidator(0), MaxValueValidator(9999)]
    )
    is_sealed = models.BooleanField(label("是否封存", "Sealed"), default=False)
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")

    class Meta(TreeModel.Meta):
        verbose_name = label("设备类型", "Asset type")
        constraints = [
            unique_in_tenant("type_code", name="type_code_once"),
            # Roots have no parent, and two empty values count as different.
            models.UniqueConstraint(
                "tenant_id",
                Coalesce("parent_id", 0),
                "type_name",
                condition=models.Q(is_deleted=False),
                name="type_name_once",
            ),
        ]
        indexes = [models.Index(fields=["tenant_id", "path"])]

    def __str__(self) -> str:
        return choose(self.type_name, self.type_name_en)

    def ancestors(self) -> str:
        """Ids from 0 to the class above, comma-joined."""
        return ",".join(["0", *self.path.strip("/").split("/")[:-1]])


class Machine(TreeModel):
    """A node of the machine tree."""

    most_levels = 12
    may_lose = ("statechange.machine",)

    node_type = models.IntegerField(label("节点类型", "Level"), choices=NodeType.choices, default=NodeType.MACHINE)
    machine_code = models.CharField(label("设备编号", "Asset code"), max_length=40)
    machine_name = models.CharField(label("设备名称", "Asset name"), max_length=80)
    type = models.ForeignKey(
        MachineClass,
        models.PROTECT,
        null=True,
        related_name="machines",
        verbose_name=label("设备类型", "Asset type"),
    )
    """What kind of machine or component it is; sites, workshops and lines are of none."""
    dept = models.ForeignKey(
        "identity.Department", models.PROTECT, related_name="+", verbose_name=label("使用部门", "Department")
    )
    location = models.CharField(label("安装位置", "Location"), max_length=120, blank=True, default="")
    brand = models.CharField(label("品牌", "Brand"), max_length=60, blank=True, default="")
    model = models.CharField(label("型号", "Model"), max_length=60, blank=True, default="")
    spec = models.CharField(label("规格", "Specification"), max_length=60, blank=True, default="")
    serial_no = models.CharField(label("出厂编号", "Serial no."), max_length=60, blank=True, default="")
    asset_no = models.CharField(label("固定资产编号", "Fixed asset no."), max_length=60, blank=True, default="")
    power_kw = models.DecimalField(
        label("额定功率(kW)", "Rated power (kW)"),
        max_digits=8,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
    )
    importance = models.IntegerField(
        label("重要程度", "Criticality"), choices=Importance.choices, default=Importance.IMPORTANT
    )
    run_state = models.IntegerField(
        label("运行状态", "Operating status"), choices=RunState.choices, default=RunState.RUNNING
    )
    state_before_stop = models.IntegerField(choices=RunState.choices, null=True, editable=False)
    """What it returns to when its last stop ends; empty where its status follows from no stop."""
    scrap_date = models.DateField(label("报废日期", "Scrapped on"), null=True, blank=True)
    scrap_reason = models.CharField(label("报废原因", "Reason for scrapping"), max_length=255, blank=True, default="")
    """Both stand while the machine is scrapped, and are empty otherwise."""
    duty_user = models.ForeignKey(
        "identity.User", models.SET_NULL, null=True, related_name="+", verbose_name=label("机长", "Owner")
    )
    maintain_user = models.ForeignKey(
        "identity.User",
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=label("维修责任人", "Responsible technician"),
    )
    team = models.ForeignKey(
        "identity.Team", models.SET_NULL, null=True, related_name="+", verbose_name=label("维修班组", "Repair team")
    )
    manufacturer = models.CharField(label("制造商", "Manufacturer"), max_length=80, blank=True, default="")
    supplier = models.CharField(label("供应商", "Supplier"), max_length=80, blank=True, default="")
    supplier_phone = models.CharField(label("供应商电话", "Supplier phone"), max_length=80, blank=True, default="")
    made_date = models.DateField(label("出厂日期", "Manufactured on"), null=True, blank=True)
    purchase_date = models.DateField(label("购置日期", "Purchased on"), null=True, blank=True)
    in_service_date = models.DateField(label("投用日期", "In service since"), null=True, blank=True)
    warranty_end = models.DateField(label("质保到期", "Warranty until"), null=True, blank=True)
    original_value = models.DecimalField(
        label("原值(元)", "Purchase value (¥)"),
        max_digits=14,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
    )
    special_equip = models.BooleanField(label("特种设备", "Special equipment"), default=False)
    next_statutory_date = models.DateField(label("下次法定检验", "Next statutory inspection"), null=True, blank=True)
    """Of special equipment alone."""
    meter_unit = models.IntegerField(
        label("计量单位", "Meter unit"), choices=MeterUnit.choices, default=MeterUnit.HOURS
    )
    run_hours = models.DecimalField(
        label("累计运行", "Running total"), max_digits=12, decimal_places=1, default=0, editable=False
    )
    """The counter, and what earlier counters had counted, in the meter unit; kept with the readings."""
    last_read_time = models.DateTimeField(label("最近抄表", "Last reading"), null=True, editable=False)
    avg_daily_hours = models.DecimalField(
        label("日均运行", "Daily average"), max_digits=12, decimal_places=1, null=True, editable=False
    )
    """Of the 30 days before the last reading; empty with fewer than three readings in them."""
    tag_ids = models.JSONField(label("分类标签", "Class labels"), default=list, blank=True)
    """Ids of tags of the type CLASS_LABEL."""
    photo = StoredFiles(label("设备照片", "Photo"), default=list, blank=True)
    images = StoredFiles(label("图片", "Pictures"), default=list, blank=True)
    files = StoredFiles(label("技术资料", "Documents"), default=list, blank=True)
    is_sealed = models.BooleanField(label("是否封存", "Sealed"), default=False)
    remark = models.CharField(label("备注", "Remark"), max_length=500, blank=True, default="")
    ext = ExtraValues(label("扩展字段", "Extra fields"), noun="inspectmachine")

    class Meta(TreeModel.Meta):
        verbose_name = label("设备", "Asset")
        constraints = [
            unique_in_tenant("machine_code", name="machine_code_once"),
            # Most have none, and two empty ones are not the same.
            models.UniqueConstraint(
                "tenant_id",
                "asset_no",
                condition=models.Q(is_deleted=False) & ~models.Q(asset_no=""),
                name="machine_asset_no_once",
            ),
            models.CheckConstraint(
                condition=models.Q(purchase_date=None)
                | models.Q(in_service_date=None)
                | models.Q(purchase_date__lte=models.F("in_service_date")),
                name="machine_bought_before_service",
            ),
            models.CheckConstraint(
                condition=models.Q(node_type__lt=NodeType.MACHINE, type=None)
                | models.Q(node_type__gte=NodeType.MACHINE, type__isnull=False),
                name="machine_has_class",
            ),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "path"]),
            models.Index(fields=["tenant_id", "parent"]),
            models.Index(fields=["tenant_id", "type"]),
        ]

    def __str__(self) -> str:
        return self.machine_name

    def ancestors(self) -> str:
        """Ids from 0 to the machine above, comma-joined."""
        return ",".join(["0", *self.path.strip("/").split("/")[:-1]])


class ReadingSource(models.IntegerChoices):
    """Who tells a reading."""

    MANUAL = 1, label("手工", "Manual")
    INSPECTION = 2, label("点检抄表", "Inspection reading")
    INTERFACE = 3, label("接口", "Interface")
    MAINTENANCE = 4, label("保养", "Maintenance")


class MeterReading(AuditedModel):
    """What the counter of a machine showed at a moment; `core/equipment/meters.py` keeps the rules."""

    reading_no = models.CharField(label("抄表编号", "Reading no."), max_length=20, blank=True, default="")
    """By which a sheet knows a reading again; the server gives it."""
    machine = models.ForeignKey(Machine, models.PROTECT, related_name="readings", verbose_name=label("设备", "Asset"))
    read_time = models.DateTimeField(label("抄表时间", "Read at"))
    value = models.DecimalField(
        label("读数", "Reading"), max_digits=12, decimal_places=1, validators=[MinValueValidator(0)]
    )
    is_reset = models.BooleanField(label("换表", "Meter replaced"), default=False)
    reset_base = models.DecimalField(
        label("新表起始读数", "Start of the new meter"),
        max_digits=12,
        decimal_places=1,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
    )
    """What the new counter showed when it was built in; where the counter is still the same one, empty."""
    delta = models.DecimalField(
        label("本次增加", "Increase"), max_digits=12, decimal_places=1, null=True, editable=False
    )
    """What was counted since the reading before; of a first one unknown."""
    source = models.IntegerField(
        label("来源", "Source"), choices=ReadingSource.choices, default=ReadingSource.MANUAL, editable=False
    )
    user = models.ForeignKey(
        "identity.User",
        models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=label("抄表人", "Read by"),
    )
    remark = models.CharField(label("备注", "Remark"), max_length=200, blank=True, default="")

    class Meta(AuditedModel.Meta):
        verbose_name = label("抄表记录", "Meter reading")
        constraints = [
            unique_in_tenant("reading_no", name="reading_no_once"),
            unique_in_tenant("machine", "read_time", name="reading_time_once"),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "-read_time", "-id"]),
            models.Index(fields=["tenant_id", "machine", "-read_time"]),
        ]

    def __str__(self) -> str:
        return f"{self.machine} {self.value}"


class StateChange(AuditedModel):
    """A machine has another operating status: by hand with a day and a reason, or by a record such as a work order."""

    machine = models.ForeignKey(
        Machine, models.PROTECT, related_name="state_changes", verbose_name=label("设备", "Asset")
    )
    state_before = models.IntegerField(label("原状态", "Status before"), choices=RunState.choices)
    state_after = models.IntegerField(label("新状态", "Status after"), choices=RunState.choices)
    change_date = models.DateField(label("变更日期", "Date"))
    """The day from which it holds, which may be before the one on which it was entered."""
    reason = models.CharField(label("变更原因", "Reason"), max_length=255, blank=True, default="")
    source_type = models.CharField(max_length=40, blank=True, default="", editable=False)
    source_id = models.BigIntegerField(null=True, editable=False)
    """The record that has changed it; empty where people did."""

    class Meta(AuditedModel.Meta):
        verbose_name = label("状态变更", "Change of status")
        indexes = [models.Index(fields=["tenant_id", "machine", "-create_time"])]

    def __str__(self) -> str:
        return f"{self.machine} {self.get_state_after_display()}"


class TagType(models.IntegerChoices):
    """Kinds of tags, numbered as the dictionary equip_tag_type: plates that are scanned, and words that are chosen."""

    MACHINE_PLATE = 1, label("设备标牌", "Asset plate")
    POINT_PLATE = 2, label("点位标牌", "Point plate")
    CLASS_LABEL = 3, label("分类标签", "Class label")
    SYMPTOM = 4, label("故障现象", "Symptom")
    CAUSE = 5, label("故障原因", "Cause")
    ACTION = 6, label("处理措施", "Action")
    STOP_REASON = 7, label("停机原因", "Stoppage reason")


PLATES = (TagType.MACHINE_PLATE, TagType.POINT_PLATE)
PLATE_CHOICES = [(one.value, one.label) for one in PLATES]


class Carrier(models.IntegerChoices):
    """How a plate is read, numbered as the dictionary tag_carrier."""

    QR = 1, label("二维码", "QR code")
    NFC = 2, label("NFC", "NFC")
    BOTH = 3, label("二维码+NFC", "QR code and NFC")


WITH_QR, WITH_NFC = (Carrier.QR, Carrier.BOTH), (Carrier.NFC, Carrier.BOTH)


def _live_plate(**where: object) -> models.Q:
    return models.Q(is_deleted=False, is_sealed=False, **where)


class Tag(AuditedModel):
    """A tag: the plate of an asset or a point, or a word that people choose, such as a symptom on a work order."""

    type = models.IntegerField(label("类别", "Kind"), choices=TagType.choices)
    tag_code = models.CharField(label("编号", "Code"), max_length=64, blank=True, default="")
    tag_name = models.CharField(label("名称", "Name"), max_length=60)
    tag_name_en = models.CharField(label("英文名称", "English name"), max_length=120, blank=True, default="")
    asset_type = models.ForeignKey(
        MachineClass,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=label("适用设备类型", "For asset type"),
    )
    """Offered for assets of this class and of those below it; empty for all."""
    parent = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="+", verbose_name=label("所属现象", "Under symptom")
    )
    """The symptom that a cause is offered under; empty for any."""
    color = models.CharField(
        label("颜色", "Colour"),
        max_length=7,
        default="#409EFF",
        validators=[RegexValidator(r"^#[0-9A-Fa-f]{6}$", gettext_lazy("颜色应为#加六位十六进制数字"))],
    )
    sort = models.IntegerField(
        label("排序", "Order"), default=0, validators=[MinValueValidator(0), MaxValueValidator(9999)]
    )
    is_sealed = models.BooleanField(label("是否封存", "Sealed"), default=False)
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")
    carrier = models.IntegerField(label("载体", "Carrier"), choices=Carrier.choices, null=True, blank=True)
    """Of a plate alone, as all that follows."""
    nfc_uid = models.CharField(label("NFC编号", "NFC UID"), max_length=32, blank=True, default="")
    machine = models.ForeignKey(
        Machine, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=label("设备", "Asset")
    )
    point = models.ForeignKey(
        "inspection.RoutePoint",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=label("点位", "Point"),
    )
    """What a plate is bound to, by its type; a spare plate to nothing."""
    token = models.CharField(label("扫码标识", "Scan token"), max_length=32, blank=True, default="", editable=False)
    """What the code on the plate says: the company and letters that nobody guesses. It stays when it is bound anew."""
    print_count = models.IntegerField(label("打印次数", "Printed"), default=0, editable=False)
    last_print_time = models.DateTimeField(label("最近打印", "Last printed"), null=True, editable=False)
    last_scan_time = models.DateTimeField(label("最近扫码", "Last scan"), null=True, editable=False)
    last_scan_user = models.ForeignKey(
        "identity.User",
        models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=label("最近扫码人", "Last scanned by"),
    )

    class Meta(AuditedModel.Meta):
        verbose_name = label("故障代码", "Failure code")
        constraints = [
            # No asset type is one of its own here: two empty values count as different.
            models.UniqueConstraint(
                "tenant_id",
                "type",
                "tag_name",
                Coalesce("asset_type_id", 0),
                condition=models.Q(is_deleted=False),
                name="tag_name_once",
            ),
            # By expressions, for these hold on a condition: an empty code is no code that is taken.
            models.UniqueConstraint(
                "tenant_id",
                "type",
                "tag_code",
                condition=models.Q(is_deleted=False) & ~models.Q(tag_code=""),
                name="tag_code_once",
            ),
            models.UniqueConstraint(
                "tenant_id",
                "nfc_uid",
                condition=models.Q(is_deleted=False) & ~models.Q(nfc_uid=""),
                name="tag_nfc_uid_once",
            ),
            models.UniqueConstraint("tenant_id", "token", condition=~models.Q(token=""), name="tag_token_once"),
            # One live plate for an asset and a kind of carrier, and one for a point.
            models.UniqueConstraint(
                "tenant_id", "machine", condition=_live_plate(carrier__in=WITH_QR), name="tag_machine_qr_once"
            ),
            models.UniqueConstraint(
                "tenant_id", "machine", condition=_live_plate(carrier__in=WITH_NFC), name="tag_machine_nfc_once"
            ),
            models.UniqueConstraint("tenant_id", "point", condition=_live_plate(), name="tag_point_once"),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "machine"]),
            models.Index(fields=["tenant_id", "point"]),
        ]

    def __str__(self) -> str:
        return choose(self.tag_name, self.tag_name_en)

    @property
    def bind_id(self) -> int | None:
        """The id of the asset or the point that a plate is bound to."""
        return self.machine_id or self.point_id

    @property
    def target(self) -> Machine | Any:
        """The asset or the point that a plate is bound to, None for a spare one."""
        return self.machine if self.machine_id else self.point

    @property
    def bound_code(self) -> str:
        """The code of what a plate is bound to; empty for a spare one."""
        if self.machine is not None:
            return self.machine.machine_code
        return str(self.point.point_code) if self.point is not None else ""


class RestType(models.IntegerChoices):
    """Why a machine stands, numbered as the dictionary rest_type; breakdowns alone are no planned stops."""

    PLANNED = 1, label("计划停机", "Planned")
    BREAKDOWN = 2, label("故障停机", "Breakdown")
    HOLIDAY = 3, label("节假日停产", "Holiday")
    MAINTENANCE = 4, label("检修保养停机", "Maintenance")
    NO_MATERIAL = 5, label("待料待单", "No material/order")
    OTHER = 6, label("其他", "Other")


class RestSource(models.IntegerChoices):
    """Where a stoppage comes from, numbered as the dictionary rest_source."""

    MANUAL = 1, label("手工", "Manual")
    REPAIR = 2, label("维修工单", "Work order")
    MAINTENANCE = 3, label("保养单", "Maintenance order")
    INTERFACE = 4, label("接口", "Interface")


class RestStatus(models.IntegerChoices):
    """Where a stoppage stands, numbered as the dictionary rest_status; all but the last follow from its times."""

    NOT_STARTED = 1, label("未开始", "Not started")
    STOPPED = 2, label("停机中", "Stopped")
    ENDED = 3, label("已结束", "Ended")
    WITHDRAWN = 4, label("已撤销", "Withdrawn")


class Stoppage(AuditedModel):
    """An interval in which a machine stands, open while `end_time` is empty; `stoppages.py` keeps the rules."""

    may_lose = ("inspectorderdetail.rest",)  # whose points are judged again when it goes

    rest_no = models.CharField(label("停机单号", "Stoppage no."), max_length=24, default="", editable=False)
    machine = models.ForeignKey(Machine, models.PROTECT, related_name="stoppages", verbose_name=label("设备", "Asset"))
    include_children = models.BooleanField(label("包含下级", "With everything below"), default=True)
    """Whether what is below the machine in the tree stands too."""
    rest_type = models.IntegerField(
        label("停机类型", "Stoppage type"), choices=RestType.choices, default=RestType.BREAKDOWN
    )
    reason_tag = models.ForeignKey(
        Tag, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=label("停机原因", "Stoppage reason")
    )
    start_time = models.DateTimeField(label("开始时间", "Start"))
    end_time = models.DateTimeField(label("结束时间", "End"), null=True, blank=True)
    reason = models.CharField(label("原因说明", "Reason"), max_length=200, blank=True, default="")
    files = StoredFiles(label("附件", "Files"), default=list, blank=True)
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")
    source = models.IntegerField(
        label("来源", "Source"), choices=RestSource.choices, default=RestSource.MANUAL, editable=False
    )
    source_type = models.CharField(max_length=40, blank=True, default="", editable=False)
    source_id = models.BigIntegerField(null=True, editable=False)
    """The record that has made it; empty where people did."""
    revoke_time = models.DateTimeField(label("撤销时间", "Withdrawn"), null=True, editable=False)
    revoke_reason = models.CharField(
        label("撤销原因", "Reason for withdrawal"), max_length=200, blank=True, default="", editable=False
    )
    in_effect = models.BooleanField(default=False, editable=False)
    """Whether the status of the machines that it stops follows from it now; by time, `refresh_tenant` keeps it."""

    class Meta(AuditedModel.Meta):
        verbose_name = label("停机记录", "Stoppage")
        constraints = [
            unique_in_tenant("rest_no", name="stoppage_no_once"),
            models.CheckConstraint(
                condition=models.Q(end_time=None) | models.Q(end_time__gt=models.F("start_time")),
                name="stoppage_ends_after_start",
            ),
        ]
        indexes = [
            models.Index(fields=["tenant_id", "machine", "end_time"]),
            models.Index(fields=["tenant_id", "end_time"]),
            models.Index(fields=["tenant_id", "-start_time", "-id"]),
            models.Index(fields=["tenant_id", "source_type", "source_id"]),
        ]

    def __str__(self) -> str:
        return self.rest_no


class DeadlineNotice(TenantModel):
    """That people were told of a day that an asset nears, so many days before it; each is told once."""

    insert_only = True

    machine_id = models.BigIntegerField()
    """An id and no reference: a notice does not keep an asset from being removed."""
    kind = models.CharField(max_length=20)
    day = models.DateField()
    days_before = models.SmallIntegerField()

    class Meta(TenantModel.Meta):
        verbose_name = label("到期提醒", "Deadline notice")
        constraints = [
            models.UniqueConstraint(
                fields=["tenant_id", "kind", "machine_id", "day", "days_before"], name="deadline_notice_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.day}"
