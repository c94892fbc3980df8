"""Calls of extra fields: kept by whoever sets the company up, read by everybody whose forms have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.kernel.errors import Conflict, Invalid
from core.kernel.texts import label, plural
from core.rest import filters, sheets
from core.rest.menus import EVERYTHING, KEEP, MenuEntry, ShippedRole, held_by, together
from core.rest.routes import view_of
from core.rest.serializers import FlagField, NounSerializer
from core.rest.shapes import Details
from core.rest.viewsets import SIGNED_IN, NounViewSet, Remove, Submit
from core.system import extras
from core.system.models import ExtraField, ExtraOption, ExtraOwner, ExtraType

MOST_OPTIONS = 100


class ExtraFieldRules(NounSerializer):
    """What holds of a declaration: rows must not lose the sense of what they hold."""

    def validate_key(self, value: str) -> str:
        """A key never changes, and is not taken for the name of a filter with its suffix."""
        if self.instance is not None and value != self.instance.key:
            raise serializers.ValidationError(_("{field}不能修改").format(field=self.fields["key"].label))
        if (suffix := value.rpartition("_")[2]) != value and suffix in filters.SUFFIXES:
            raise serializers.ValidationError(_("标识不能以「_{suffix}」结尾").format(suffix=suffix))
        return value

    def validate_noun(self, value: str) -> str:
        """A field stays with its noun."""
        if self.instance is not None and value != self.instance.noun:
            raise serializers.ValidationError(_("{field}不能修改").format(field=self.fields["noun"].label))
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The type stays while rows have values, names are not taken, and a choice has options."""
        before: Any = self.instance
        if before is None:
            _refuse_too_many(attrs["noun"])
            asked = dict(attrs)
        else:
            asked = {name: attrs.get(name, getattr(before, name)) for name in _COMPARED}
            self._check_type(before, asked)
        if asked.get("type", ExtraType.TEXT) != ExtraType.NUMBER:
            attrs["decimals"] = 0
        self._check_names(asked)
        self._check_options(attrs, asked.get("type", ExtraType.TEXT))
        return attrs

    def _check_type(self, before: Any, asked: Mapping[str, Any]) -> None:
        """Values of one type are none of another one, and none with fewer places."""
        is_narrower = asked["type"] == ExtraType.NUMBER and asked["decimals"] < before.decimals
        if (asked["type"] != before.type or is_narrower) and extras.has_values(before.noun, before.key):
            wire = "type" if asked["type"] != before.type else "decimals"
            text = _("已有数据填写了该字段，不能修改{field}").format(field=self.fields[wire].label)
            raise serializers.ValidationError({wire: text})

    def _check_names(self, asked: Mapping[str, Any]) -> None:
        """Sheets, forms and filters tell fields by what they are called: no two are called alike in a language."""
        own = getattr(self.instance, "pk", None)
        others = ExtraField.objects.filter(noun=asked["noun"]).exclude(pk=own).values_list("label", "label_en")
        taken = {name for names in others for name in names} | sheets.headings(view_of(asked["noun"]))
        for column, wire in (("label", "label"), ("label_en", "labelEn")):
            name = asked.get(column) or ""
            if name and name in taken:
                text = _("{field}「{value}」已存在").format(field=self.fields[wire].label, value=name)
                raise serializers.ValidationError({wire: text})
            if name.endswith("*"):  # by which templates mark what is required
                raise serializers.ValidationError({wire: _("{field}格式不正确").format(field=self.fields[wire].label)})

    def _check_options(self, attrs: dict[str, Any], kind: int) -> None:
        """A choice has options, of which no two are alike; one that rows have stays."""
        before = self.instance
        if kind != ExtraType.SELECT:
            attrs["options"] = []
        kept = list(before.options.all()) if before is not None else []
        if "options" not in attrs:
            if not kept and kind == ExtraType.SELECT:
                raise serializers.ValidationError({"options": _("请添加{field}").format(field=_("选项"))})
            return
        known = {row.pk: row for row in kept}
        asked = [{**_named(known.get(one.get("id"))), **one} for one in attrs["options"]]
        if kind == ExtraType.SELECT and not asked:
            raise serializers.ValidationError({"options": _("请添加{field}").format(field=_("选项"))})
        for column in ("value", "label", "label_en"):
            names = [one[column] for one in asked if one.get(column)]
            if double := next((name for name in names if names.count(name) > 1), ""):
                raise serializers.ValidationError({"options": _("选项「{name}」重复").format(name=double)})
        gone = {row.value: row for row in kept if row.value not in {one["value"] for one in asked}}
        for value, row in gone.items():
            if before is not None and extras.has_values(before.noun, before.key, value):
                text = _("已有数据选择了选项「{name}」，不能删除").format(name=row)
                raise serializers.ValidationError({"options": text})


_COMPARED = ("noun", "key", "label", "label_en", "type", "decimals")


def _named(row: ExtraOption | None) -> dict[str, str]:
    return {} if row is None else {"value": row.value, "label": row.label, "label_en": row.label_en}


def _refuse_too_many(noun: str) -> None:
    """Raise Invalid where the noun has as many as it may; locked, so that two at once are not one too many."""
    if len(ExtraField.objects.select_for_update().filter(noun=noun)) >= extras.MOST_FIELDS:
        raise Invalid({"noun": plural("最多{n}个扩展字段", extras.MOST_FIELDS)})


class DeclaredOption(serializers.Serializer):  # type: ignore[type-arg]
    """A value that may be chosen."""

    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a word of DRF's own on a field
    labelEn = serializers.CharField(source="label_en")


class DeclaredField(serializers.Serializer):  # type: ignore[type-arg]
    """An extra field of a noun, as forms, lists and pages need it."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a word of DRF's own on a field
    labelEn = serializers.CharField(source="label_en")
    type = serializers.IntegerField(help_text="1 text, 2 number, 3 date, 4 choice.")
    decimals = serializers.IntegerField()
    required = FlagField()  # type: ignore[assignment]  # a word of DRF's own on a field
    isSealed = FlagField(source="is_sealed", help_text="Shown where a row has it, and not asked for.")
    options = DeclaredOption(many=True)


class ExtraFieldViewSet(Submit, Remove, NounViewSet):
    """Extra fields of assets and work orders: kept by the tenant's administrator and the equipment manager."""

    noun = "extfield"
    menu = MenuEntry(
        "system", "/system/extfield", "report", label("扩展字段", "Extra fields"), place=11,
        roles=together(held_by((ShippedRole.EQUIP_MANAGER,), KEEP), {ShippedRole.TENANT_ADMIN: EVERYTHING}),
    )  # fmt: skip
    queryset = ExtraField.objects.all()
    rules = ExtraFieldRules
    fields = (
        "noun", "key", "label", "label_en", "type", "decimals",
        Details(
            "options", label("选项", "Options"), ExtraOption, head="field", shown=("value", "label", "label_en"),
            most=MOST_OPTIONS,
        ),
        "required", "sort", "is_sealed", "remark",
    )  # fmt: skip
    filters = filters.filters_of(ExtraField, "noun", "key", "label", "type", "required", "is_sealed")
    sample = {"type": ExtraType.SELECT.value, "decimals": 0}
    select = None  # type: ignore[assignment]  # nobody chooses among declarations
    order = ("noun", "sort", "id")
    codes = {"get_list": SIGNED_IN}

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Let everybody read the declarations anew."""
        yield
        extras.changed()

    def validate_delete(self, row: Any) -> None:
        """Raise Conflict where rows have a value of it."""
        if extras.has_values(row.noun, row.key):
            text = _("已有数据填写了扩展字段「{name}」，不能删除，请改为封存").format(name=row)
            raise Conflict("extraField.inUse", text)

    @extend_schema(
        parameters=[OpenApiParameter("noun", str, required=True, enum=ExtraOwner.values)],
        responses=DeclaredField(many=True),
    )
    @action(detail=False, methods=["get"], url_path="getList")
    def get_list(self, request: Request) -> Response:
        """Answer the extra fields of a noun in their order, sealed ones too."""
        noun = self.parameter("noun")
        if noun not in ExtraOwner.values:
            raise Invalid({"noun": _("请求参数格式错误: {name}").format(name="noun")})
        return Response(DeclaredField(extras.declared(noun), many=True).data)
