"""Check items: their form on the wire, the rules of one and of all of a standard, and how they are stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override
from rest_framework import serializers

from core.equipment.models import Urgency
from core.inspection.models import (
    AbnormalAction,
    CheckMethod,
    ItemImportance,
    ItemState,
    PhotoRule,
    Result,
    ValueType,
)
from core.kernel import texts
from core.kernel.ids import next_id
from core.kernel.texts import label, plural
from core.rest.serializers import AmountField, FlagField, NounSerializer, SpeakingSerializer
from core.rest.shapes import Serialized, Shape, noun_serializer
from core.storage.serializers import ImagesField

MOST_ITEMS = 100
MOST_OPTIONS = 20
LIMITS = ("lower", "warnLower", "warnUpper", "upper")
"""The limits of a number, from the lowest to the highest: outside of the outer ones it is abnormal, outside of the
inner ones it is a warning."""
_ONLY_FOR: Mapping[str, tuple[int, ...]] = {
    "unit": (ValueType.NUMBER, ValueType.METER),
    "decimals": (ValueType.NUMBER, ValueType.METER),
    **dict.fromkeys(LIMITS, (ValueType.NUMBER,)),
    "options": (ValueType.CHOICE,),
    "okLabel": (ValueType.PASS_FAIL,),
    "badLabel": (ValueType.PASS_FAIL,),
}
"""Fields that only some kinds of values have; of all others they are empty."""
_EMPTY: Mapping[str, Any] = {
    "unit": "", "decimals": 1, **dict.fromkeys(LIMITS), "options": [], "okLabel": "", "badLabel": "",
}  # fmt: skip


class _NameOf(serializers.CharField):
    """The label of a choice of an item, in the caller's language; read-only."""

    def __init__(self, choices: Any, **kwargs: Any):
        super().__init__(**{"read_only": True, **kwargs})
        self.named = choices

    def to_representation(self, value: Any) -> str:
        """Return the label."""
        return str(self.named(value).label)


def _choice(choices: Any, text: Any, **kwargs: Any) -> Any:
    return serializers.ChoiceField(choices=choices.choices, label=text, **kwargs)


def _name(choices: Any, source: str, text: Any) -> Any:
    return _NameOf(choices, source=source, label=text)


_RESULT = label("结果", "Result")


class ItemOption(SpeakingSerializer):
    """One of the options of an item; `value` is what a record keeps, made by the server where none is sent."""

    value = serializers.CharField(label=texts.label("值", "Value"), max_length=32, required=False, allow_blank=True)
    label = serializers.CharField(label=texts.label("选项", "Option"), max_length=40)  # type: ignore[assignment]
    labelEn = serializers.CharField(
        label=texts.label("英文名称", "English name"), max_length=80, required=False, allow_blank=True, default=""
    )
    result = _choice(Result, _RESULT, required=False, default=Result.NORMAL)
    resultName = _name(Result, "result", _RESULT)


_METHOD, _TYPE = label("检查方法", "Method"), label("结果类型", "Value type")
_STATE, _PHOTO = label("检查状态", "Asset state"), label("拍照要求", "Photo")
_ACTION, _PRIORITY = label("异常处理", "When abnormal"), label("报修紧急程度", "Repair priority")
_IMPORTANCE = label("重要性", "Importance")


class CheckItem(SpeakingSerializer):
    """One thing that is checked. `itemId` and `sort` come from the server; an item that is sent back keeps its id."""

    itemId = serializers.CharField(
        label=label("检查项标识", "Item id"), max_length=16, required=False, allow_blank=True, default=""
    )
    sort = serializers.IntegerField(label=label("序号", "No."), read_only=True)
    itemName = serializers.CharField(label=label("检查项", "Check item"), max_length=80)
    part = serializers.CharField(
        label=label("部位", "Component"), max_length=60, required=False, allow_blank=True, default=""
    )
    method = _choice(CheckMethod, _METHOD, required=False, default=CheckMethod.LOOK)
    methodName = _name(CheckMethod, "method", _METHOD)
    standardText = serializers.CharField(
        label=label("标准要求", "Requirement"), max_length=200, required=False, allow_blank=True, default=""
    )
    valueType = _choice(ValueType, _TYPE, required=False, default=ValueType.PASS_FAIL)
    valueTypeName = _name(ValueType, "valueType", _TYPE)
    unit = serializers.CharField(
        label=label("单位", "Unit"), max_length=16, required=False, allow_blank=True, default=""
    )
    decimals = serializers.IntegerField(
        label=label("小数位", "Decimals"), required=False, default=1, min_value=0, max_value=4
    )
    lower = AmountField(
        label=label("下限", "Lower limit"), max_digits=14, decimal_places=4, required=False, allow_null=True,
        default=None,
    )  # fmt: skip
    warnLower = AmountField(
        label=label("预警下限", "Lower warning limit"), max_digits=14, decimal_places=4, required=False,
        allow_null=True, default=None,
    )  # fmt: skip
    warnUpper = AmountField(
        label=label("预警上限", "Upper warning limit"), max_digits=14, decimal_places=4, required=False,
        allow_null=True, default=None,
    )  # fmt: skip
    upper = AmountField(
        label=label("上限", "Upper limit"), max_digits=14, decimal_places=4, required=False, allow_null=True,
        default=None,
    )  # fmt: skip
    options = ItemOption(label=label("选项", "Options"), many=True, required=False, default=list)
    okLabel = serializers.CharField(
        label=label("正常的说法", "Word for pass"), max_length=20, required=False, allow_blank=True, default=""
    )
    badLabel = serializers.CharField(
        label=label("异常的说法", "Word for fail"), max_length=20, required=False, allow_blank=True, default=""
    )
    machineState = _choice(ItemState, _STATE, required=False, default=ItemState.EITHER)
    machineStateName = _name(ItemState, "machineState", _STATE)
    required = FlagField(label=label("必检", "Required"), required=False, default=True)  # type: ignore[assignment]
    needPhoto = _choice(PhotoRule, _PHOTO, required=False, default=PhotoRule.NONE)
    needPhotoName = _name(PhotoRule, "needPhoto", _PHOTO)
    abnormalAction = _choice(AbnormalAction, _ACTION, required=False, default=AbnormalAction.SUGGEST)
    abnormalActionName = _name(AbnormalAction, "abnormalAction", _ACTION)
    repairUrgency = _choice(Urgency, _PRIORITY, required=False, default=Urgency.NORMAL)
    repairUrgencyName = _name(Urgency, "repairUrgency", _PRIORITY)
    importance = _choice(ItemImportance, _IMPORTANCE, required=False, default=ItemImportance.ORDINARY)
    importanceName = _name(ItemImportance, "importance", _IMPORTANCE)
    tips = serializers.CharField(
        label=label("操作提示", "Instructions"), max_length=300, required=False, allow_blank=True, default=""
    )
    tipImages = ImagesField(
        label=label("提示图片", "Pictures"), at_most=3, column="inspection.CheckStandard.items", required=False,
        default=list,
    )  # fmt: skip

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check the rules of one item; what does not belong to its kind of value is left out."""
        kind, name = attrs["valueType"], attrs["itemName"]
        for field, kinds in _ONLY_FOR.items():
            if kind not in kinds:
                attrs[field] = _EMPTY[field]
        if kind == ValueType.NUMBER:
            _check_limits(attrs, name)
        if kind == ValueType.CHOICE:
            attrs["options"] = _checked_options(attrs["options"])
        if attrs["abnormalAction"] != AbnormalAction.REPORT:
            attrs["repairUrgency"] = Urgency.NORMAL
        return attrs

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the item; the two words of pass and fail in the caller's language where nobody has others."""
        data = super().to_representation(instance)
        if instance["valueType"] == ValueType.PASS_FAIL:
            data["okLabel"] = data["okLabel"] or str(Result.NORMAL.label)
            data["badLabel"] = data["badLabel"] or str(Result.ABNORMAL.label)
        return data


def _check_limits(attrs: Mapping[str, Any], name: str) -> None:
    """Raise ValidationError for limits that are not in order, finer than what is entered, or missing."""
    given = [(field, attrs[field]) for field in LIMITS if attrs[field] is not None]
    for (_before, low), (field, high) in pairwise(given):
        if low > high:
            text = _("检查项「{name}」的上下限顺序不正确").format(name=name)
            raise serializers.ValidationError({field: [text]})
    for field, value in given:
        if value != round(value, attrs["decimals"]):
            text = plural("检查项「{name}」的限值最多{n}位小数", attrs["decimals"], name=name)
            raise serializers.ValidationError({field: [text]})
    if not given and attrs["abnormalAction"] != AbnormalAction.RECORD:
        text = _("检查项「{name}」至少要有一个限值，或将异常处理设为“仅记录”").format(name=name)
        raise serializers.ValidationError({"upper": [text]})


def _checked_options(options: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the options, each with a value; raise ValidationError where they offer no choice or nothing normal."""
    if len(options) < 2:
        raise serializers.ValidationError({"options": [_("选项至少要有2个")]})
    if len(options) > MOST_OPTIONS:
        raise serializers.ValidationError({"options": [plural("选项最多{n}个", MOST_OPTIONS)]})
    labels = [option["label"] for option in options]
    values = [option["value"] for option in options if option.get("value")]
    for field, given in (("label", labels), ("value", values)):
        doubled = next((text for text in given if given.count(text) > 1), None)
        if doubled is not None:
            said = _("{field}「{value}」已存在").format(field=ItemOption().fields[field].label, value=doubled)
            raise serializers.ValidationError({"options": [said]})
    if all(option["result"] != Result.NORMAL for option in options):
        raise serializers.ValidationError({"options": [_("选项至少要有一个“正常”")]})
    free = (str(number) for number in range(1, MOST_OPTIONS * 2 + 1) if str(number) not in values)
    return [{**option, "value": option.get("value") or next(free)} for option in options]


@dataclass(frozen=True)
class _Bounds:
    """Fewest and most items."""

    least: int
    most: int = MOST_ITEMS


class ItemRows(serializers.ListSerializer):  # type: ignore[type-arg]
    """The check items of a record, in their order; they are sent whole, and stored as they are validated."""

    kind = "details"

    def __init__(self, *args: Any, least: int = 1, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.details = _Bounds(least)

    def to_internal_value(self, data: Any) -> list[dict[str, Any]]:
        """Return the items as they are stored. Raises ValidationError that names each wrong field by its place."""
        if not isinstance(data, list):
            raise serializers.ValidationError([str(self.error_messages["not_a_list"])])
        if len(data) < self.details.least:
            raise serializers.ValidationError([_("请添加{field}").format(field=self.label)])
        if len(data) > self.details.most:
            raise serializers.ValidationError([plural("{field}最多{n}项", self.details.most, field=self.label)])
        head: Any = getattr(self.parent, "instance", None)
        before: Sequence[Mapping[str, Any]] = head.items if head is not None else ()
        # A change of the head is partial, an item never is: it is checked on its own.
        alone = CheckItem(context=self.context)
        alone.instance = SimpleNamespace(tipImages=[name for item in before for name in item["tipImages"]])
        known = {item["itemId"] for item in before}
        found: list[dict[str, Any]] = []
        errors: dict[str, Any] = {}
        for place, one in enumerate(data):
            try:
                item = alone.run_validation(one)
                _check_place(item, found, known)
                found.append(item)
            except serializers.ValidationError as error:
                errors[str(place)] = error.detail
        if errors:
            raise serializers.ValidationError(errors)
        return [_stored(item, place) for place, item in enumerate(found, 1)]


def _check_place(item: Mapping[str, Any], above: Sequence[Mapping[str, Any]], known: set[str]) -> None:
    """Raise ValidationError for an item with the name or the id of one above it, or with an id that is not known."""
    if any(one["itemName"] == item["itemName"] for one in above):
        field = CheckItem().fields["itemName"].label
        text = _("{field}「{value}」已存在").format(field=field, value=item["itemName"])
        raise serializers.ValidationError({"itemName": [text]})
    if item["itemId"] and (item["itemId"] not in known or any(one["itemId"] == item["itemId"] for one in above)):
        raise serializers.ValidationError({"itemId": [_("数据不存在或已被删除")]})


def _stored(item: Mapping[str, Any], place: int) -> dict[str, Any]:
    """Return an item as JSON: exact numbers as texts, words of pass and fail only where they are not the usual ones."""
    return {
        **item,
        "itemId": item["itemId"] or new_item_id(),
        "sort": place,
        "required": int(item["required"]),
        **{name: plain_number(item[name]) for name in LIMITS},
        "okLabel": _own_word(item["okLabel"], Result.NORMAL),
        "badLabel": _own_word(item["badLabel"], Result.ABNORMAL),
    }


def plain_number(value: Decimal | None) -> str | None:
    """Return an exact number as text without zeros at its end; None for none."""
    if value is None:
        return None
    text = f"{value:f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def _own_word(text: str, usual: Result) -> str:
    """Return the word, empty where it is the usual one of either language."""
    usuals = set()
    for language in ("zh-hans", "en"):
        with override(language):
            usuals.add(str(usual.label))
    return "" if text in usuals else text


def new_item_id() -> str:
    """Return the id of a new item: 16 characters at most."""
    return f"{next_id():x}"


def copied(items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return copies of items for another record, with ids of their own."""
    return [{**item, "itemId": new_item_id()} for item in items]


@dataclass(frozen=True)
class Items(Shape):
    """The `items` of a record, edited in its form."""

    label: Any
    least: int = 1

    def fields(self, model: Any) -> Serialized:
        """Return the rows."""
        rows = ItemRows(child=CheckItem(), least=self.least, label=self.label, required=self.least > 0)
        return {"items": rows}


def with_items(model: Any, fields: Iterable[str | Shape], rules: type[NounSerializer]) -> type[NounSerializer]:
    """Return the serializer of a record with its items, which lists leave out."""
    made = noun_serializer(model, fields, rules)
    made.__name__ = f"{model.__name__}DetailSerializer"
    return made
