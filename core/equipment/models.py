"""Tables of machine classes, machines, fault words and stoppages."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _lazy

from core.kernel.models import AuditedModel, TreeModel, unique_in_tenant
from core.kernel.texts import choose, label


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
    importance = models.IntegerField(
        label("重要程度", "Criticality"), choices=Importance.choices, default=Importance.IMPORTANT
    )
    run_state = models.IntegerField(
        label("运行状态", "Operating status"), choices=RunState.choices, default=RunState.RUNNING
    )
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
    remark = models.CharField(label("备注", "Remark"), max_length=500, blank=True, default="")

    class Meta(TreeModel.Meta):
        verbose_name = label("设备", "Asset")
        constraints = [
            unique_in_tenant("machine_code", name="machine_code_once"),
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


class TagType(models.IntegerChoices):
    """Kinds of failure codes, numbered as the dictionary equip_tag_type."""

    SYMPTOM = 4, label("故障现象", "Symptom")
    CAUSE = 5, label("故障原因", "Cause")
    ACTION = 6, label("处理措施", "Action")


class Tag(AuditedModel):
    """A failure code: the word for a symptom, a cause or an action that people choose on work orders."""

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
        validators=[RegexValidator(r"^#[0-9A-Fa-f]{6}$", _lazy("颜色应为#加六位十六进制数字"))],
    )
    sort = models.IntegerField(
        label("排序", "Order"), default=0, validators=[MinValueValidator(0), MaxValueValidator(9999)]
    )
    is_sealed = models.BooleanField(label("是否封存", "Sealed"), default=False)
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")

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
            models.UniqueConstraint(
                fields=["tenant_id", "type", "tag_code"],
                condition=models.Q(is_deleted=False) & ~models.Q(tag_code=""),
                name="tag_code_once",
            ),
        ]

    def __str__(self) -> str:
        return choose(self.tag_name, self.tag_name_en)


class RestType(models.IntegerChoices):
    """Why a machine stands; breakdowns are the ones that repair orders make."""

    BREAKDOWN = 2, label("故障停机", "Breakdown")


class Stoppage(AuditedModel):
    """An interval in which a machine stands; open while `end_time` is empty."""

    machine = models.ForeignKey(Machine, models.PROTECT, related_name="stoppages")
    rest_type = models.IntegerField(choices=RestType.choices, default=RestType.BREAKDOWN)
    source_type = models.CharField(max_length=40)
    source_id = models.BigIntegerField()
    start_time = models.DateTimeField()
    end_time = models.DateTimeField(null=True)
    state_before = models.IntegerField(choices=RunState.choices)
    """What the machine returns to when its last open stoppage ends."""

    class Meta(AuditedModel.Meta):
        verbose_name = label("停机记录", "Stoppage")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(end_time=None) | models.Q(end_time__gt=models.F("start_time")),
                name="stoppage_ends_after_start",
            )
        ]
        indexes = [
            models.Index(fields=["tenant_id", "machine", "end_time"]),
            models.Index(fields=["tenant_id", "source_type", "source_id"]),
        ]
