"""Tables of check and maintenance standards and their versions, of routes, and of the points on them."""

from __future__ import annotations

from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from core.equipment.models import Machine, MachineClass
from core.inspection.cycles import Trigger
from core.inspection.upkeep import MaintenanceColumns, MaintenancePlan, PlannedPart
from core.kernel.file_uses import Names
from core.kernel.models import AuditedModel, DictionaryField, TenantModel, unique_in_tenant
from core.kernel.stored_files import StoredFiles
from core.kernel.texts import label

__all__ = ["MaintenancePlan", "PlannedPart"]


class ConfigType(models.IntegerChoices):
    """Kinds of standards, numbered as the dictionary inspect_config_type."""

    CHECK = 1, label("点检标准", "Check standard")
    MAINTENANCE = 2, label("保养标准", "Maintenance standard")


class ValueType(models.IntegerChoices):
    """What is entered for a check item."""

    NUMBER = 1, label("数值", "Number")
    PASS_FAIL = 2, label("正常/异常", "Pass/Fail")
    CHOICE = 3, label("选项", "Choice")
    TEXT = 4, label("文本", "Text")
    PHOTO = 5, label("拍照", "Photo")
    METER = 6, label("抄表", "Meter")


class CheckMethod(models.IntegerChoices):
    """How an item is checked."""

    LOOK = 1, label("目视", "Visual")
    LISTEN = 2, label("听诊", "Listening")
    TOUCH = 3, label("触摸", "Touch")
    MEASURE = 4, label("测量", "Measurement")
    SMELL = 5, label("嗅觉", "Smell")
    OPERATE = 6, label("操作试验", "Function test")


class ItemState(models.IntegerChoices):
    """In which state of the asset an item is checked."""

    RUNNING = 1, label("运行时", "Running")
    STOPPED = 2, label("停机时", "Stopped")
    EITHER = 3, label("均可", "Either")


class PhotoRule(models.IntegerChoices):
    """When a photo has to be taken of an item."""

    NONE = 0, label("不需要", "Not needed")
    ALWAYS = 1, label("必须", "Always")
    WHEN_ABNORMAL = 2, label("异常时必须", "When abnormal")


class AbnormalAction(models.IntegerChoices):
    """What follows from an abnormal result."""

    RECORD = 0, label("仅记录", "Record only")
    SUGGEST = 1, label("提示报修", "Suggest a repair request")
    REPORT = 2, label("自动报修", "Report automatically")


class ItemImportance(models.IntegerChoices):
    """How much an item matters."""

    KEY = 1, label("关键", "Key")
    ORDINARY = 2, label("一般", "Ordinary")


class Result(models.IntegerChoices):
    """What a chosen option means."""

    NORMAL = 1, label("正常", "Normal")
    WARNING = 2, label("预警", "Warning")
    ABNORMAL = 3, label("异常", "Abnormal")


class ScanMode(models.IntegerChoices):
    """How somebody shows to be at a point."""

    NONE = 0, label("不需扫码", "No scan")
    QR = 1, label("二维码", "QR code")
    NFC = 2, label("NFC", "NFC")
    EITHER = 3, label("二维码或NFC", "QR code or NFC")


class OrderMode(models.IntegerChoices):
    """Whether the points of a route are taken in their order."""

    IN_ORDER = 1, label("按顺序", "In order")
    ANY = 2, label("不限顺序", "Any order")


class StoredItems(StoredFiles):
    """Check items as JSON, in their order (`core.inspection.items` says what one holds); their pictures are in use."""

    def names_in(self, value: Any) -> Names:
        """Return the names of the pictures of all items."""
        return tuple(dict.fromkeys(name for item in value or () for name in item.get("tipImages", ())))


class CheckStandard(MaintenanceColumns, AuditedModel):
    """What is checked or maintained at assets, and what is right; each change of its items makes a version."""

    may_lose = ("standardversion.standard", "maintenanceplan.config", "plannedpart.config")

    config_type = models.IntegerField(
        label("标准类型", "Standard type"), choices=ConfigType.choices, default=ConfigType.CHECK
    )
    config_code = models.CharField(label("标准编号", "Standard code"), max_length=40)
    config_name = models.CharField(label("标准名称", "Standard name"), max_length=80)
    type = models.ForeignKey(
        MachineClass,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=label("适用设备类型", "For asset type"),
    )
    items = StoredItems(label("检查项", "Check items"), default=list, editable=False)
    item_count = models.IntegerField(label("检查项数", "Items"), default=0, editable=False)
    version_no = models.IntegerField(label("版本", "Version"), default=1, editable=False)
    need_check = models.BooleanField(label("需他人确认", "Second person confirms"), default=False)
    need_sign = models.BooleanField(label("需签名", "Signature required"), default=False)
    is_sealed = models.BooleanField(label("是否封存", "Sealed"), default=False)
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")

    class Meta(AuditedModel.Meta):
        verbose_name = label("标准", "Standard")
        constraints = [
            unique_in_tenant("config_type", "config_code", name="standard_code_once"),
            unique_in_tenant("config_type", "config_name", name="standard_name_once"),
            models.CheckConstraint(
                condition=~models.Q(config_type=ConfigType.MAINTENANCE)
                | models.Q(level__isnull=False, trigger_type__isnull=False, anchor__isnull=False),
                name="standard_maintenance_whole",
            ),
            models.CheckConstraint(
                condition=models.Q(trigger_type=None)
                | models.Q(trigger_type=Trigger.METER)
                | models.Q(cycle_value__gte=1, cycle_unit__isnull=False),
                name="standard_has_cycle",
            ),
            models.CheckConstraint(
                condition=models.Q(trigger_type=None)
                | models.Q(trigger_type=Trigger.CALENDAR)
                | models.Q(run_interval__gt=0),
                name="standard_has_interval",
            ),
        ]
        indexes = [models.Index(fields=["tenant_id", "type"])]

    def __str__(self) -> str:
        return self.config_name


class StandardVersion(AuditedModel):
    """The items of a standard as they were in one version; the newest is that of the standard itself."""

    insert_only = True

    standard = models.ForeignKey(CheckStandard, models.PROTECT, related_name="versions")
    version_no = models.IntegerField(label("版本", "Version"))
    items = StoredItems(label("检查项", "Check items"), default=list)
    item_count = models.IntegerField(label("检查项数", "Items"))

    class Meta(AuditedModel.Meta):
        verbose_name = label("标准版本", "Version of a standard")
        constraints = [unique_in_tenant("standard", "version_no", name="standard_version_once")]


class Route(AuditedModel):
    """A round of points that is inspected as one task."""

    group_code = models.CharField(label("路线编号", "Route code"), max_length=40)
    group_name = models.CharField(label("路线名称", "Route name"), max_length=60)
    group_type = DictionaryField(label("路线类型", "Route type"), dictionary="inspect_group_type", default=1)
    dept = models.ForeignKey(
        "identity.Department", models.PROTECT, related_name="+", verbose_name=label("所属部门", "Department")
    )
    leader = models.ForeignKey(
        "identity.User", models.PROTECT, related_name="+", verbose_name=label("负责人", "Person in charge")
    )
    user_ids = models.JSONField(label("可执行人", "May also inspect"), default=list, blank=True)
    """Ids of people who may inspect beside the team on shift."""
    order_mode = models.IntegerField(
        label("巡检顺序", "Order of points"), choices=OrderMode.choices, default=OrderMode.ANY
    )
    need_scan = models.BooleanField(label("需要扫码", "Scan required"), default=True)
    """New points begin with it."""
    est_minutes = models.IntegerField(
        label("预计用时(分钟)", "Estimated time (min)"),
        default=30,
        validators=[MinValueValidator(1), MaxValueValidator(1440)],
    )
    allow_supplement = models.BooleanField(label("允许离线补传", "Late upload allowed"), default=False)
    sort = models.IntegerField(
        label("排序", "Order"), default=0, validators=[MinValueValidator(0), MaxValueValidator(9999)]
    )
    is_sealed = models.BooleanField(label("是否封存", "Sealed"), default=False)
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")

    class Meta(AuditedModel.Meta):
        verbose_name = label("点检路线", "Inspection route")
        constraints = [unique_in_tenant("group_code"), unique_in_tenant("group_name")]
        indexes = [
            models.Index(fields=["tenant_id", "sort", "group_code"]),
            models.Index(fields=["tenant_id", "dept"]),
        ]

    def __str__(self) -> str:
        return self.group_name


class RoutePoint(AuditedModel):
    """A place on a route, at one asset: somebody comes there, shows it by a scan, and checks the items."""

    # Tasks keep what the point was like; an open one stops the removal, see point_use.py.
    may_lose = (
        "pointstandard.point", "pointsnapshot.point", "inspectorderdetail.point", "inspectorderrecord.point",
        "inspectforecast.point",
    )  # fmt: skip

    group = models.ForeignKey(
        Route, models.PROTECT, related_name="points", verbose_name=label("点检路线", "Inspection route")
    )
    machine = models.ForeignKey(
        Machine, models.PROTECT, related_name="inspection_points", verbose_name=label("设备", "Asset")
    )
    point_code = models.CharField(label("点位编号", "Point code"), max_length=40)
    point_name = models.CharField(label("点位名称", "Point name"), max_length=80)
    sort = models.IntegerField(
        label("排序", "Order"), default=0, validators=[MinValueValidator(0), MaxValueValidator(9999)]
    )
    location = models.CharField(label("位置", "Location"), max_length=120, blank=True, default="")
    scan_mode = models.IntegerField(label("扫码方式", "Scan"), choices=ScanMode.choices, default=ScanMode.QR)
    lng = models.DecimalField(
        label("经度", "Longitude"), max_digits=10, decimal_places=6, null=True, blank=True,
        validators=[MinValueValidator(-180), MaxValueValidator(180)],
    )  # fmt: skip
    lat = models.DecimalField(
        label("纬度", "Latitude"), max_digits=10, decimal_places=6, null=True, blank=True,
        validators=[MinValueValidator(-90), MaxValueValidator(90)],
    )  # fmt: skip
    radius = models.IntegerField(label("允许半径(米)", "Radius (m)"), default=0)
    items = StoredItems(label("自有检查项", "Own items"), default=list, editable=False)
    own_count = models.IntegerField(default=0, editable=False)
    photo_required = models.BooleanField(label("须拍照", "Photo required"), default=False)
    min_seconds = models.IntegerField(
        label("最短停留(秒)", "Shortest stay (s)"),
        default=0,
        validators=[MinValueValidator(0), MaxValueValidator(3600)],
    )
    stop_check = models.BooleanField(label("停机免检", "Exempt while stopped"), default=True)
    is_sealed = models.BooleanField(label("是否封存", "Sealed"), default=False)
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")

    class Meta(AuditedModel.Meta):
        verbose_name = label("点检点位", "Inspection point")
        constraints = [unique_in_tenant("point_code")]
        indexes = [
            models.Index(fields=["tenant_id", "group", "sort", "point_code"]),
            models.Index(fields=["tenant_id", "machine"]),
        ]

    def __str__(self) -> str:
        return self.point_name

    def configs(self) -> list[CheckStandard]:
        """Return its standards in their order; a list of points reads them beforehand."""
        return [one.config for one in sorted(self.standards.all(), key=lambda one: one.place)]

    @property
    def config_ids(self) -> list[int]:
        """The ids of its standards, in their order."""
        return [one.config_id for one in sorted(self.standards.all(), key=lambda one: one.place)]

    @property
    def config_codes(self) -> str:
        """The codes of its standards, in their order, joined by commas."""
        return ",".join(one.config_code for one in self.configs())


class PointStandard(TenantModel):
    """A standard whose items are checked at a point; `place` orders the standards of the point."""

    point = models.ForeignKey(RoutePoint, models.CASCADE, related_name="standards")
    config = models.ForeignKey(CheckStandard, models.PROTECT, related_name="points")
    place = models.IntegerField(default=0)

    class Meta(TenantModel.Meta):
        verbose_name = label("点位的标准", "Standard of a point")
        constraints = [models.UniqueConstraint(fields=["tenant_id", "point", "config"], name="point_standard_once")]
        indexes = [models.Index(fields=["tenant_id", "config"])]
