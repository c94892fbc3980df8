"""Wire forms of dictionaries, parameters and regions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.db.models import Value
from django.db.models.functions import Concat, Substr
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.kernel.ids import is_id
from core.kernel.texts import choose, label
from core.rest.placing import MOST_LEVELS
from core.rest.serializers import NameField, NounSerializer
from core.system import parameters
from core.system.dictionaries import is_shipped
from core.system.models import (
    ROOT_KEY,
    BusinessDictionary,
    Parameter,
    Region,
    RegionLevel,
    SystemDictionary,
)
from core.system.regions_shipped import COUNTRY
from core.system.shipped import BUSINESS, SYSTEM


class DictionaryValue(serializers.Serializer):  # type: ignore[type-arg]
    """A value to choose, named in the caller's language."""

    code = serializers.CharField()
    dictKey = serializers.CharField()
    dictValue = serializers.CharField()
    sort = serializers.IntegerField()
    remark = serializers.CharField()


class _DictionarySerializer(NounSerializer):
    """A dictionary, or a value of one. A value has the code of its dictionary, whatever is sent."""

    parentName = NameField(source="parent_name", label=label("上级字典", "Parent"))
    title = NameField(source="__str__", label=label("字典名称", "Name"))
    # Declared, because DRF would give the key of a new value the default of the column.
    dictKey = serializers.CharField(source="dict_key", max_length=40, required=False, label=label("字典键值", "Key"))

    def to_internal_value(self, data: Any) -> Any:
        """The code of a value need not be sent."""
        parent_id = str(data.get("parentId") or "")
        if is_id(parent_id):
            model: Any = self.Meta.model
            code = model.objects.filter(pk=int(parent_id)).values_list("code", flat=True).first()
            data = {**data, "code": code or data.get("code") or ""}
        return super().to_internal_value(data)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The rules of keys."""
        row: Any = self.instance
        model: Any = self.Meta.model
        parent_id = attrs.get("parent_id", row.parent_id if row else None)
        if parent_id is None:
            attrs["dict_key"] = ROOT_KEY
        elif attrs.get("dict_key", row.dict_key if row else ROOT_KEY) == ROOT_KEY:
            raise serializers.ValidationError({"dictKey": [_("请输入{field}").format(field=_("字典键值"))]})
        if row is not None:
            if parent_id is not None and "parent_id" not in attrs:
                attrs.pop("code", None)
            self._check_shipped(row, attrs)
        code = attrs.get("code", row.code if row else "")
        key = attrs.get("dict_key", row.dict_key if row else "")
        self._check_key(model, code, key)
        others = model.objects.filter(code=code, dict_key=key)
        if row is not None:
            others = others.exclude(pk=row.pk)
        if others.exists():
            if key == ROOT_KEY:
                text = _("{field}「{value}」已存在").format(field=_("字典编号"), value=code)
                raise serializers.ValidationError({"code": [text]})
            raise serializers.ValidationError({"dictKey": [_("当前字典键值已存在!")]})
        return attrs

    def _check_shipped(self, row: Any, attrs: Mapping[str, Any]) -> None:
        """What the product depends on keeps its code, its key and its place."""
        if not is_shipped(type(row), row.code, row.dict_key):
            return
        for name, wire in (("parent_id", "parentId"), ("code", "code"), ("dict_key", "dictKey")):
            if name in attrs and attrs[name] != getattr(row, name):
                raise serializers.ValidationError({wire: [_("系统自带的字典不能修改编号、键值和上级")]})

    def _check_key(self, model: Any, code: str, key: str) -> None:
        """Rows keep the values of a shipped dictionary as numbers."""
        shipped = SYSTEM if model is SystemDictionary else BUSINESS
        if code in shipped and key != ROOT_KEY and not re.fullmatch(r"0|[1-9][0-9]{0,8}", key):
            raise serializers.ValidationError({"dictKey": [_("此字典的键值应为整数")]})

    def update(self, instance: Any, validated_data: Any) -> Any:
        """Values follow their dictionary when its code changes."""
        before = instance.code
        row = super().update(instance, validated_data)
        if row.code != before:
            type(row).objects.filter(pk__in=_below(row)).update(code=row.code)
        return row


def _below(row: Any) -> list[int]:
    """Ids of all rows below."""
    found: list[int] = []
    step = [row.pk]
    for _level in range(MOST_LEVELS):
        step = list(type(row).objects.filter(parent_id__in=step).values_list("pk", flat=True))
        if not step:
            break
        found += step
    return found


_DICTIONARY_FIELDS = (
    "id", "parent", "parentName", "code", "dictKey", "dict_value", "dict_value_en", "title", "sort", "is_sealed",
    "remark",
)  # fmt: skip
_REQUIRED = {"sort": {"required": True}, "is_sealed": {"required": True}}


class SystemDictionarySerializer(_DictionarySerializer):
    """A system dictionary or a value of one."""

    class Meta:
        model = SystemDictionary
        fields = _DICTIONARY_FIELDS
        extra_kwargs = _REQUIRED


class BusinessDictionarySerializer(_DictionarySerializer):
    """A business dictionary or a value of one."""

    class Meta:
        model = BusinessDictionary
        fields = (*_DICTIONARY_FIELDS, "create_time", "update_time")
        read_only_fields = ("create_time", "update_time")
        extra_kwargs = _REQUIRED


class ParameterChoice(serializers.Serializer):  # type: ignore[type-arg]
    """A value to choose, and its name."""

    key = serializers.CharField()
    name = serializers.CharField()


class ParameterValue(serializers.Serializer):  # type: ignore[type-arg]
    """What values a parameter takes: by its kind, with the bounds and the unit of numbers, and what is to choose."""

    kind = serializers.ChoiceField(choices=[one.value for one in parameters.ValueKind])
    least = serializers.IntegerField()
    most = serializers.IntegerField()
    unit = serializers.CharField()
    choices = ParameterChoice(many=True)


class _ToldField(serializers.SerializerMethodField):
    """A text that the serializer makes."""

    kind = "text"


class _RuleField(serializers.SerializerMethodField):
    """What a form must know of a value; no table shows it."""

    kind = "json"


def _in_words(row: Parameter, value: str) -> str:
    entry = parameters.SHIPPED.get(row.param_key)
    return entry.words(value) if entry else value


class ParameterSerializer(NounSerializer):
    """A parameter: the value that counts, and the platform's own."""

    paramValue = serializers.CharField(source="param_value", max_length=200, label=label("参数键值", "Value"))
    paramValueName = _ToldField(label=label("参数键值", "Value"))
    defaultValue = serializers.CharField(source="default_value", read_only=True, label=label("默认值", "Default"))
    defaultValueName = _ToldField(label=label("默认值", "Default"))
    description = _ToldField(label=label("作用", "What it does"))
    rule = _RuleField(label=label("取值", "Values"))
    title = NameField(source="__str__", label=label("参数名称", "Parameter"))

    class Meta:
        model = Parameter
        fields = (
            "id", "param_name", "param_name_en", "title", "param_key", "paramValue", "paramValueName",
            "defaultValue", "defaultValueName", "description", "rule", "remark", "create_time", "update_time",
        )  # fmt: skip
        read_only_fields = ("create_time", "update_time")

    def get_paramValueName(self, row: Any) -> str:
        """Return the value that counts, in words."""
        return _in_words(row, row.param_value)

    def get_defaultValueName(self, row: Any) -> str:
        """Return the platform's value, in words."""
        return _in_words(row, row.default_value)

    def get_description(self, row: Parameter) -> str:
        """Return what a shipped parameter does; empty for the tenant's own."""
        entry = parameters.SHIPPED.get(row.param_key)
        return choose(*entry.does) if entry else ""

    @extend_schema_field(ParameterValue)
    def get_rule(self, row: Parameter) -> dict[str, Any]:
        """Return what values it takes; those of the tenant's own parameters are texts."""
        entry = parameters.SHIPPED.get(row.param_key)
        if entry is None:
            return {"kind": parameters.ValueKind.TEXT, "least": 0, "most": 0, "unit": "", "choices": []}
        return {
            "kind": entry.kind,
            "least": entry.least,
            "most": entry.most,
            "unit": choose(*entry.unit),
            "choices": [{"key": key, "name": choose(*words)} for key, words in entry.choices.items()],
        }

    def validate_paramKey(self, value: str) -> str:
        """What the product reads keeps its key."""
        row: Any = self.instance
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9._-]*", value):
            raise serializers.ValidationError(_("参数键名应以字母开头，只能包含字母、数字和 . _ -"))
        if row is not None and value != row.param_key and row.param_key in parameters.SHIPPED:
            raise serializers.ValidationError(_("系统参数的键名不能修改"))
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The value fits its key."""
        row: Any = self.instance
        key = attrs.get("param_key", row.param_key if row else "")
        value = attrs.get("param_value", row.param_value if row else "")
        problem = parameters.check(key, value)
        if problem:
            raise serializers.ValidationError({"paramValue": [problem]})
        return attrs

    def create(self, validated_data: Any) -> Any:
        """Return a parameter of the company's own."""
        validated_data["own_value"] = validated_data.pop("param_value")
        return super().create(validated_data)

    def update(self, instance: Any, validated_data: Any) -> Any:
        """Where the value is changed, it becomes the own one; the platform changes everybody's default."""
        value = validated_data.pop("param_value", None)
        if value is not None and value != instance.param_value:
            parameters.store(instance, value)
            instance.param_value = value
        return super().update(instance, validated_data)


class _PartField(serializers.CharField):
    """Code or name of the region's part at a level: its province, its city and so on; empty below the region."""

    def __init__(self, *, level: int, what: str, **kwargs: Any):
        super().__init__(**{"read_only": True, **kwargs})
        self.level, self.what = level, what

    def get_attribute(self, instance: Region) -> str:
        """Found among the region itself and those above it."""
        serializer: Any = self.parent
        for row in serializer.line(instance):
            if row.level == self.level:
                return row.code if self.what == "code" else str(row)
        return ""


class _AboveField(serializers.CharField):
    """Name of the region above."""

    def __init__(self, **kwargs: Any):
        super().__init__(**{"read_only": True, **kwargs})

    def get_attribute(self, instance: Region) -> str:
        """Return the last but one of its line."""
        serializer: Any = self.parent
        line = serializer.line(instance)
        return str(line[-2]) if len(line) > 1 else _("顶级")


_PARTS = (
    (RegionLevel.PROVINCE, "province", label("省份编号", "Province code"), label("省份", "Province")),
    (RegionLevel.CITY, "city", label("地市编号", "Prefecture code"), label("地市", "Prefecture")),
    (RegionLevel.DISTRICT, "district", label("区县编号", "County code"), label("区县", "County")),
    (RegionLevel.TOWN, "town", label("乡镇编号", "Township code"), label("乡镇", "Township")),
    (RegionLevel.VILLAGE, "village", label("村委编号", "Village code"), label("村委", "Village")),
)
_CODE = re.compile(r"[0-9A-Za-z]{1,12}")


class RegionSerializer(NounSerializer):
    """A region; its id on the wire is its code."""

    id = serializers.CharField(source="code", read_only=True)
    parentId = serializers.CharField(source="parent_code", read_only=True)
    parentName = _AboveField(label=label("上级区划", "Parent"))
    title = NameField(source="__str__", label=label("区划名称", "Region"))
    levelName = NameField(source="get_level_display", label=label("区划等级", "Level"))

    class Meta:
        model = Region
        fields = (
            "id", "code", "parentId", "parent_code", "parentName", "ancestors", "name", "name_en", "title", "level",
            "levelName", "sort", "remark",
        )  # fmt: skip
        extra_kwargs = {"level": {"required": False}, "ancestors": {"read_only": True}}

    def get_fields(self) -> dict[str, Any]:
        """With the parts of the line that the region stands in."""
        fields = super().get_fields()
        for level, word, code_label, name_label in _PARTS:
            fields[f"{word}Code"] = _PartField(level=int(level), what="code", label=code_label)
            fields[f"{word}Name"] = _PartField(level=int(level), what="name", label=name_label)
        return fields

    def line(self, row: Region) -> list[Region]:
        """The regions above, from the root on, and the region itself; one statement for all rows of an answer."""
        context: Any = self.context
        known: dict[str, Region] = context.setdefault("regions", {})
        if row.code not in known:
            many = self.parent.instance if isinstance(self.parent, serializers.ListSerializer) else None
            rows: list[Region] = [*(many or []), row]
            codes = {code for each in rows for code in each.ancestors.split(",") if code}
            known.update({each.code: each for each in Region.objects.filter(code__in=codes)} if codes else {})
            known.update({each.code: each for each in rows})
        return [known[code] for code in row.ancestors.split(",") if code in known] + [row]

    def validate_code(self, value: str) -> str:
        """Digits as a rule; never another one for a region that exists."""
        if not _CODE.fullmatch(value):
            raise serializers.ValidationError(_("区划编号只能包含数字和字母，最多12位"))
        if self.instance is not None and value != self.instance.code:
            raise serializers.ValidationError(_("区划编号不能修改"))
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Where it hangs, and that the level goes down from there."""
        row: Any = self.instance
        code = attrs.get("code", row.code if row else "")
        if code == COUNTRY:
            attrs.update(parent_code="", ancestors="", level=RegionLevel.COUNTRY)
            return attrs
        parent_code = attrs.get("parent_code", row.parent_code if row else "") or COUNTRY
        parent = Region.objects.filter(code=parent_code).first()
        if parent is None:
            raise serializers.ValidationError({"parentCode": [_("数据不存在或已被删除")]})
        if parent.code == code:
            raise serializers.ValidationError({"parentCode": [_("父节点不可选择自身!")]})
        if code in parent.ancestors.split(","):
            raise serializers.ValidationError({"parentCode": [_("不能移动到自己的下级")]})
        level = attrs.get("level", row.level if row else min(parent.level + 1, RegionLevel.VILLAGE))
        if level <= parent.level:
            raise serializers.ValidationError({"level": [_("区划等级应低于上级区划")]})
        attrs.update(parent_code=parent.code, level=level, ancestors=f"{parent.ancestors},{parent.code}".strip(","))
        return attrs

    def update(self, instance: Any, validated_data: Any) -> Any:
        """Return what lies below moves along."""
        before = f"{instance.ancestors},{instance.code}".strip(",")
        row = super().update(instance, validated_data)
        after = f"{row.ancestors},{row.code}".strip(",")
        if after != before:
            moved = Concat(Value(after), Substr("ancestors", len(before) + 1))
            direct = Region.objects.filter(ancestors=before)
            deeper = Region.objects.filter(ancestors__startswith=f"{before},")
            deeper.update(ancestors=moved)
            direct.update(ancestors=after)
        return row


class RegionNode(serializers.Serializer):  # type: ignore[type-arg]
    """A region of one level of the tree, known by its code."""

    id = serializers.CharField()
    parentId = serializers.CharField()
    title = serializers.CharField()
    key = serializers.CharField()
    value = serializers.CharField()
    hasChildren = serializers.BooleanField()
