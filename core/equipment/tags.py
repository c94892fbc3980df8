"""Failure codes: the words for symptoms, causes and actions that people choose on work orders."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.equipment import tag_use
from core.equipment.models import Machine, MachineClass, Tag, TagType
from core.equipment.serializers import refuse_sealed
from core.kernel import clock
from core.kernel.errors import Conflict, Invalid
from core.kernel.texts import label
from core.rest.filters import FLAG, ID, INTEGER, Filter, filters_of, is_id
from core.rest.menus import MenuEntry, ShippedRole, kept_by
from core.rest.serializers import IdField, NameField, NounSerializer, ReferenceField
from core.rest.viewsets import SIGNED_IN, NounViewSet, Remove, Submit

RECENT = timedelta(days=90)
"""How far back uses are counted for those who choose: what was chosen often comes first."""


class TagSerializer(NounSerializer):
    """A failure code."""

    typeName = NameField(source="get_type_display", label=Tag._meta.get_field("type").verbose_name)
    typeId = ReferenceField(
        model=MachineClass, source="asset_type_id", required=False, allow_null=True,
        label=Tag._meta.get_field("asset_type").verbose_name,
    )  # fmt: skip
    assetTypeName = NameField(source="asset_type", label=Tag._meta.get_field("asset_type").verbose_name)
    parentName = NameField(source="parent", label=Tag._meta.get_field("parent").verbose_name)
    title = NameField(source="__str__", label=Tag._meta.get_field("tag_name").verbose_name)

    class Meta:
        model = Tag
        fields = (
            "id", "type", "typeName", "tag_code", "tag_name", "tag_name_en", "title", "typeId", "assetTypeName",
            "parent", "parentName", "color", "sort", "is_sealed", "remark", "create_time", "update_time",
        )  # fmt: skip
        read_only_fields = ("create_time", "update_time")

    def validate_type(self, value: int) -> int:
        """A code that work orders name as a symptom does not become a cause."""
        if self.instance is not None and value != self.instance.type:
            raise serializers.ValidationError(_("类别保存后不能修改"))
        return value

    def validate_typeId(self, value: int | None) -> int | None:
        """A sealed class stays with the codes that have it."""
        if value is not None and value != getattr(self.instance, "asset_type_id", None):
            refuse_sealed(MachineClass.objects.get(pk=value))
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Only a cause stands under a symptom, and codes of one kind and class differ in name."""
        before: Any = self.instance
        kind = attrs.get("type", before.type if before else None)
        parent_id = attrs.get("parent_id", before.parent_id if before else None)
        if parent_id is not None:
            if kind != TagType.CAUSE:
                raise serializers.ValidationError({"parentId": _("只有故障原因可以属于故障现象")})
            if not Tag.objects.filter(pk=parent_id, type=TagType.SYMPTOM).exists():
                raise serializers.ValidationError({"parentId": _("请选择故障现象")})
        self._check_once(attrs, kind)
        return attrs

    def _check_once(self, attrs: dict[str, Any], kind: Any) -> None:
        before: Any = self.instance
        others = Tag.objects.filter(type=kind).exclude(pk=before.pk if before else None)
        name = attrs.get("tag_name", before.tag_name if before else "")
        of_class = attrs.get("asset_type_id", before.asset_type_id if before else None)
        code = attrs.get("tag_code", before.tag_code if before else "")
        for wire, value, rows in (
            ("tagCode", code, others.filter(tag_code=code) if code else others.none()),
            ("tagName", name, others.filter(tag_name=name, asset_type=of_class)),
        ):
            if rows.exists():
                text = _("{field}「{value}」已存在").format(field=self.fields[wire].label, value=value)
                raise serializers.ValidationError({wire: text})


class TagOption(serializers.Serializer):  # type: ignore[type-arg]
    """A failure code to choose."""

    id = IdField()
    type = serializers.IntegerField()
    tagCode = serializers.CharField(source="tag_code")
    tagName = serializers.CharField(source="__str__")
    color = serializers.CharField()
    parentId = IdField(source="parent_id", allow_null=True)
    typeId = IdField(source="asset_type_id", allow_null=True)
    sort = serializers.IntegerField()
    useCount90 = serializers.SerializerMethodField(
        help_text="How often work orders of the last 90 days name it; symptoms alone have it."
    )

    def get_useCount90(self, row: Tag) -> int | None:
        """Return the count, None for what is no symptom."""
        counts: Mapping[int, int] | None = self.context["counts"]
        return None if counts is None else counts.get(row.pk, 0)


def for_class(rows: QuerySet[Tag], path: str) -> QuerySet[Tag]:
    """Codes for assets of the class with this path, of one above it, or of all; '' for those of all alone."""
    return rows.filter(Q(asset_type=None) | Q(asset_type__in=[int(pk) for pk in path.split("/") if pk]))


def _path(rows: QuerySet[Any], text: str, column: str) -> str:
    found = rows.filter(pk=int(text)).values_list(column, flat=True).first() if is_id(text) else None
    return found or ""


def _for_machine(rows: QuerySet[Tag], text: str) -> QuerySet[Tag]:
    return for_class(rows, _path(Machine.objects.all(), text, "type__path"))


class TagViewSet(Submit, Remove, NounViewSet):
    """Failure codes: chosen by everybody, kept by the equipment manager."""

    noun = "equiptags"
    menu = MenuEntry(
        "equip", "/equip/tag", "base", label("故障代码", "Failure codes"), place=3,
        roles=kept_by(ShippedRole.EQUIP_MANAGER),
    )  # fmt: skip
    codes = {"tag_list": SIGNED_IN}
    queryset = Tag.objects.select_related("asset_type", "parent")
    serializer_class = TagSerializer
    order = ("type", "sort", "id")
    filters = {
        **filters_of(Tag, "tag_name", "tag_name_en", "tag_code", "parent"),
        "type": Filter("type", INTEGER),
        "typeId": Filter("asset_type", ID),
        "isSealed": Filter("is_sealed", FLAG),
        "machineId": Filter(kind=ID, apply=_for_machine, sortable=False),
    }
    select_filters = ("type", "machineId")
    sample = {"type": TagType.SYMPTOM.value, "color": "#409EFF"}

    def validate_delete(self, row: Any) -> None:
        """What work orders name stays, so that they can be read."""
        if tag_use.is_used(row.pk):
            raise Conflict("tag.inUse", _("「{name}」已被维修工单引用，不能删除，请改为封存").format(name=row))

    @extend_schema(
        parameters=[
            OpenApiParameter("type", int, required=True),
            OpenApiParameter("typeId", str, description="For assets of this class."),
            OpenApiParameter("machineId", str, description="For this asset."),
        ],
        responses=TagOption(many=True),
    )
    @action(detail=False, methods=["get"], url_path="getTagList")
    def tag_list(self, request: Request) -> Response:
        """Answer the unsealed codes of one kind in order; symptoms that were chosen often come first."""
        kind, of_class, machine = (request.query_params.get(name, "") for name in ("type", "typeId", "machineId"))
        if not kind.isdecimal() or len(kind) > 3:
            raise Invalid({"type": _("请选择标签类型")})
        rows = Tag.objects.filter(type=int(kind), is_sealed=False).order_by("sort", "tag_name", "id")
        if machine:
            rows = _for_machine(rows, machine)
        if of_class:
            rows = for_class(rows, _path(MachineClass.objects.all(), of_class, "path"))
        found, counts = list(rows), None
        if int(kind) == TagType.SYMPTOM:
            counts = tag_use.symptoms_since(clock.now() - RECENT)
            found.sort(key=lambda row: counts[row.pk], reverse=True)
        return Response(TagOption(found, many=True, context={"counts": counts}).data)
