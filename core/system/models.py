"""Tables of dictionaries, parameters, regions, and of the counters behind document numbers."""

from __future__ import annotations

from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.kernel import clock
from core.kernel.ids import next_id
from core.kernel.models import (
    OWN_OR_PLATFORM,
    AuditedModel,
    SharedModel,
    TenantModel,
    VersionedModel,
    unique_in_tenant,
)
from core.kernel.tenancy import current_tenant
from core.kernel.texts import choose, label

ROOT_KEY = "-1"
"""Key of the row that stands for a dictionary itself."""


class DictionaryRow(models.Model):
    """Columns of both dictionaries: a root row for each dictionary, its values below it, all under one code."""

    code = models.CharField(label("字典编号", "Code"), max_length=60)
    dict_key = models.CharField(label("字典键值", "Key"), max_length=40, default=ROOT_KEY)
    dict_value = models.CharField(label("字典名称", "Name"), max_length=100)
    dict_value_en = models.CharField(label("英文名称", "English name"), max_length=100, blank=True, default="")
    sort = models.IntegerField(label("字典排序", "Order"), default=0)
    is_sealed = models.BooleanField(label("封存", "Sealed"), default=False)
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return choose(self.dict_value, self.dict_value_en)

    def parent_name(self) -> str:
        """Return the row above; a root hangs on nothing."""
        above = getattr(self, "parent", None)
        return str(above) if above else _("顶级")


class SystemDictionary(DictionaryRow, VersionedModel, SharedModel):
    """Values that are the same for everybody; the platform keeps them."""

    shared_because = "the words of the product itself are the same for all tenants"

    parent = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="children",
        verbose_name=label("上级字典", "Parent"),
    )  # fmt: skip

    class Meta:
        verbose_name = label("系统字典", "System dictionary")
        constraints = [models.UniqueConstraint(fields=["code", "dict_key"], name="dictionary_key_once")]


class BusinessDictionary(DictionaryRow, AuditedModel):
    """Values that a company keeps itself."""

    parent = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="children",
        verbose_name=label("上级字典", "Parent"),
    )  # fmt: skip

    class Meta(AuditedModel.Meta):
        verbose_name = label("业务字典", "Business dictionary")
        constraints = [unique_in_tenant("code", "dict_key", name="business_dictionary_key_once")]


class ParameterDefault(SharedModel):
    """What the platform has set a shipped parameter to; it counts for every company that has not set its own."""

    shared_because = "a company without a value of its own goes by the platform's"

    param_key = models.CharField(max_length=80, unique=True)
    param_value = models.CharField(max_length=500)


class Parameter(AuditedModel):
    """A parameter of a company. Of a shipped one the value is empty as long as the platform's counts."""

    param_name = models.CharField(label("参数名称", "Parameter"), max_length=100)
    param_name_en = models.CharField(label("英文名称", "English name"), max_length=150, blank=True, default="")
    param_key = models.CharField(label("参数键名", "Key"), max_length=80)
    own_value = models.CharField(label("参数键值", "Value"), max_length=500, blank=True, default="")
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")

    class Meta(AuditedModel.Meta):
        verbose_name = label("参数", "Parameter")
        constraints = [unique_in_tenant("param_key", name="parameter_key_once")]

    def __str__(self) -> str:
        return choose(self.param_name, self.param_name_en)


class RegionLevel(models.IntegerChoices):
    """How large a region is."""

    COUNTRY = 0, label("国家", "Country")
    PROVINCE = 1, label("省份/直辖市", "Province")
    CITY = 2, label("地市", "Prefecture")
    DISTRICT = 3, label("区县", "County")
    TOWN = 4, label("乡镇", "Township")
    VILLAGE = 5, label("村委", "Village")


class Region(VersionedModel, SharedModel):
    """An administrative division, known by its code; `ancestors` are the codes above it from the root on."""

    shared_because = "the country has the same divisions for everybody"

    code = models.CharField(label("区划编号", "Code"), max_length=12, unique=True)
    parent_code = models.CharField(
        label("上级编号", "Parent code"), max_length=12, blank=True, default="", db_index=True
    )
    ancestors = models.CharField(label("祖先编号", "Codes above"), max_length=120, editable=False, default="")
    name = models.CharField(label("区划名称", "Region"), max_length=60)
    name_en = models.CharField(label("英文名称", "English name"), max_length=100, blank=True, default="")
    level = models.IntegerField(label("区划等级", "Level"), choices=RegionLevel.choices)
    sort = models.IntegerField(label("排序", "Order"), default=0)
    remark = models.CharField(label("备注", "Remark"), max_length=255, blank=True, default="")

    class Meta:
        verbose_name = label("行政区划", "Region")

    def __str__(self) -> str:
        return choose(self.name, self.name_en)


class Counter(TenantModel):
    """The last number given out under a prefix on a day."""

    prefix = models.CharField(max_length=4)
    day = models.DateField()
    value = models.IntegerField()

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "prefix", "day"], name="counter_once")]


class CalendarVersion(SharedModel):
    """Which working calendar of a tenant counts: what was computed with another one is outdated."""

    shared_because = "one job finds the tenants whose calendar has changed; what it computes is in the tenant's scope"
    own_rows = OWN_OR_PLATFORM

    tenant_id = models.CharField(max_length=12, unique=True)
    version = models.BigIntegerField(default=next_id)
    """Another number with each change, and never one again: a change that is taken back leaves none behind."""

    @classmethod
    def change(cls) -> None:
        """Give the calendar of the tenant in scope another version."""
        tenant_id = current_tenant()
        if not cls.objects.filter(tenant_id=tenant_id).update(version=next_id()):
            cls.objects.create(tenant_id=tenant_id)

    @classmethod
    def change_all(cls) -> None:
        """Do so for every tenant, in the scope of the platform: its parameters count for those without their own."""
        cls.objects.update(version=next_id())


class HolidayType(models.IntegerChoices):
    """What a day is that is not what its weekday says."""

    OFF = 1, label("休息", "Day off")
    WORKED = 2, label("调休上班", "Working day in exchange")


class Holiday(AuditedModel):
    """A day off, or a day that is worked in exchange for one."""

    day = models.DateField(label("日期", "Date"))
    day_type = models.IntegerField(label("假日类型", "Holiday type"), choices=HolidayType.choices)
    name = models.CharField(label("名称", "Name"), max_length=30)
    name_en = models.CharField(label("英文名称", "English name"), max_length=80, blank=True, default="")

    class Meta(AuditedModel.Meta):
        verbose_name = label("节假日", "Holiday")
        constraints = [unique_in_tenant("day")]

    def __str__(self) -> str:
        return f"{self.day} {choose(self.name, self.name_en)}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the day, and give the calendar another version."""
        super().save(*args, **kwargs)
        CalendarVersion.change()


class RequiredRule(AuditedModel):
    """What a company asks for in a form: whether a field is shown there, and whether it may be left out."""

    scene = models.IntegerField(label("场景", "Form"))
    field = models.CharField(label("字段", "Field"), max_length=40)
    """Its name in calls."""
    visible = models.BooleanField(label("显示", "Shown"), default=True)
    required = models.BooleanField(label("必填", "Required"), default=False)
    least = models.IntegerField(label("最少", "At least"), default=0)
    most = models.IntegerField(label("最多", "At most"), default=0)
    """Of pictures."""
    sort = models.IntegerField(label("排序", "Order"), default=0)

    class Meta(AuditedModel.Meta):
        verbose_name = label("必填项", "Required field")
        constraints = [unique_in_tenant("scene", "field")]

    def __str__(self) -> str:
        return f"{self.scene} {self.field}"


class ExtraOwner(models.TextChoices):
    """The nouns that a company adds fields to, by their names."""

    MACHINE = "inspectmachine", label("设备", "Asset")
    REPAIR_ORDER = "repairorder", label("维修工单", "Work order")
    SPARE_PART = "spareinfo", label("备件", "Spare part")


class ExtraType(models.IntegerChoices):
    """What an extra field takes."""

    TEXT = 1, label("文本", "Text")
    NUMBER = 2, label("数字", "Number")
    DATE = 3, label("日期", "Date")
    SELECT = 4, label("单选", "Choice")


_said = label
"""The same, where a column is called `label`."""


class ExtraField(AuditedModel):
    """A field that a company has added to a noun; rows have its value in their column `ext`, by the key."""

    noun = models.CharField(_said("适用对象", "Belongs to"), max_length=40, choices=ExtraOwner.choices)
    key = models.CharField(
        _said("标识", "Key"),
        max_length=40,
        validators=[
            RegexValidator(r"^[A-Za-z][A-Za-z0-9_]*$", gettext_lazy("标识应以字母开头，只含字母、数字和下划线"))
        ],
    )
    label = models.CharField(_said("名称", "Name"), max_length=40)
    label_en = models.CharField(_said("英文名称", "English name"), max_length=60, blank=True, default="")
    type = models.IntegerField(_said("类型", "Type"), choices=ExtraType.choices, default=ExtraType.TEXT)
    decimals = models.IntegerField(
        _said("小数位数", "Decimal places"), default=0, validators=[MinValueValidator(0), MaxValueValidator(6)]
    )
    """Of a number."""
    required = models.BooleanField(_said("必填", "Required"), default=False)
    sort = models.IntegerField(
        _said("排序", "Order"), default=0, validators=[MinValueValidator(0), MaxValueValidator(9999)]
    )
    is_sealed = models.BooleanField(_said("封存", "Sealed"), default=False)
    """Rows show what they have of it, and nobody is asked for it any more."""
    remark = models.CharField(_said("备注", "Remark"), max_length=255, blank=True, default="")

    class Meta(AuditedModel.Meta):
        verbose_name = _said("扩展字段", "Extra field")
        constraints = [
            unique_in_tenant("noun", "key", name="extra_field_key_once"),
            unique_in_tenant("noun", "label", name="extra_field_label_once"),
        ]

    def __str__(self) -> str:
        return choose(self.label, self.label_en)


class ExtraOption(AuditedModel):
    """One of the values that an extra field of the type SELECT takes."""

    field = models.ForeignKey(
        ExtraField, models.PROTECT, related_name="options", verbose_name=_said("扩展字段", "Extra field")
    )
    value = models.CharField(
        _said("选项值", "Value"),
        max_length=40,
        validators=[RegexValidator(r"^[A-Za-z0-9_-]+$", gettext_lazy("选项值只含字母、数字、下划线和短横线"))],
    )
    """What rows keep; it stays when the option is called otherwise."""
    label = models.CharField(_said("选项名称", "Option"), max_length=60)
    label_en = models.CharField(_said("英文名称", "English name"), max_length=90, blank=True, default="")

    class Meta(AuditedModel.Meta):
        verbose_name = _said("选项", "Option")
        constraints = [unique_in_tenant("field", "value", name="extra_option_value_once")]

    def __str__(self) -> str:
        return choose(self.label, self.label_en)


class ReleaseLanguage(models.TextChoices):
    """The language that a release is described in."""

    CHINESE = "zh", label("中文", "Chinese")
    ENGLISH = "en", label("英文", "English")


class ReleaseStatus(models.IntegerChoices):
    """Whether people are shown the release."""

    DRAFT = 0, label("草稿", "Draft")
    PUBLISHED = 1, label("已发布", "Published")


class SystemHistory(VersionedModel, SharedModel):
    """A release of the product, and what has changed with it: a row for each language that it is described in."""

    shared_because = "everybody uses the same release of the product"

    version = models.CharField(
        label("版本号", "Version"),
        max_length=20,
        validators=[RegexValidator(r"^\d+\.\d+\.\d+$", gettext_lazy("版本号应为 x.y.z，例如 1.2.0"))],
    )
    name = models.CharField(label("版本名称", "Name"), max_length=60)
    content = models.TextField(label("更新内容", "Changes"), max_length=5000)
    """A line for each change."""
    publish_time = models.DateTimeField(label("发布时间", "Published"), default=clock.now)
    status = models.IntegerField(label("状态", "Status"), choices=ReleaseStatus.choices, default=ReleaseStatus.DRAFT)
    lang = models.CharField(
        label("语言", "Language"), max_length=2, choices=ReleaseLanguage.choices, default=ReleaseLanguage.CHINESE
    )

    class Meta:
        verbose_name = label("版本", "Release")
        constraints = [models.UniqueConstraint(fields=["lang", "version"], name="release_once")]
        indexes = [models.Index(fields=["-publish_time", "-id"])]

    def __str__(self) -> str:
        return f"{self.version} {self.name}"


class ReleaseRead(TenantModel):
    """The release that a person has read about last."""

    user_id = models.BigIntegerField()
    version = models.CharField(max_length=20)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant_id", "user_id"], name="release_read_once")]
