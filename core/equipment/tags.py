"""Tags: plates of assets and points, class labels, failure codes and reasons of stoppages."""

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

from core.blade.parsers import parameters
from core.equipment import plates, tag_use
from core.equipment.models import PLATES, Machine, MachineClass, Tag, TagType
from core.equipment.queries import with_label
from core.equipment.serializers import refuse_sealed
from core.kernel import clock
from core.kernel.audit_entry import AuditEntry
from core.kernel.errors import Conflict, Invalid
from core.kernel.ids import is_id
from core.kernel.operation import perform
from core.kernel.texts import label
from core.rest.filters import FLAG, ID, INTEGER, MOMENT, Filter, filters_of
from core.rest.menus import PLANT, STANDARD_BUTTONS, MenuEntry, ShippedRole, held_by, kept_by
from core.rest.serializers import IdField, IdListField, NameField, NounSerializer, ReferenceField
from core.rest.sheets import Export
from core.rest.viewsets import SIGNED_IN, NounViewSet, Remove, Submit

RECENT = timedelta(days=90)
"""How far back uses are counted for those who choose: what was chosen often comes first."""


class TagSerializer(NounSerializer):
    """A tag, in all its kinds."""

    typeName = NameField(source="get_type_display", label=Tag._meta.get_field("type").verbose_name)
    typeId = ReferenceField(
        model=MachineClass, source="asset_type_id", required=False, allow_null=True,
        label=Tag._meta.get_field("asset_type").verbose_name,
    )  # fmt: skip
    assetTypeName = NameField(source="asset_type", label=Tag._meta.get_field("asset_type").verbose_name)
    parentName = NameField(source="parent", label=Tag._meta.get_field("parent").verbose_name)
    title = NameField(source="__str__", label=Tag._meta.get_field("tag_name").verbose_name)
    carrierName = NameField(source="get_carrier_display", label=Tag._meta.get_field("carrier").verbose_name)
    bindId = IdField(source="bind_id", required=False, allow_null=True, label=label("绑定对象", "Bound to"))
    bindCode = NameField(source="bound_code", label=label("对象编号", "Bound to (code)"))
    bindName = NameField(source="target", label=label("绑定对象", "Bound to"))
    lastScanUserName = NameField(source="last_scan_user", label=Tag._meta.get_field("last_scan_user").verbose_name)

    class Meta:
        model = Tag
        fields = (
            "id", "type", "typeName", "tag_code", "tag_name", "tag_name_en", "title", "typeId", "assetTypeName",
            "parent", "parentName", "carrier", "carrierName", "nfc_uid", "bindId", "bindCode", "bindName", "token",
            "color", "sort", "is_sealed", "remark", "print_count", "last_print_time", "last_scan_time",
            "lastScanUserName", "create_time", "update_time",
        )  # fmt: skip
        read_only_fields = (
            "token", "print_count", "last_print_time", "last_scan_time", "create_time", "update_time",
        )  # fmt: skip

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
        if kind in PLATES:
            plates.check_plate(before, attrs, self.fields)
        else:
            plates.check_word(attrs)
        if kind == TagType.CLASS_LABEL and attrs.get("asset_type_id"):
            raise serializers.ValidationError({"typeId": _("分类标签不能限定设备类型")})
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
    """A word to choose."""

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


def _of_kind(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    return rows.filter(type__in=PLATES) if text in ("1", "true") else rows.exclude(type__in=PLATES)


def _bound_to(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    return rows.filter(Q(machine=int(text)) | Q(point=int(text))) if is_id(text) else rows.none()


def _bound(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    spare = Q(machine=None, point=None)
    return rows.filter(~spare if text in ("1", "true") else spare)


SCAN_MENU = MenuEntry(
    "equip", "/equip/scan", "qrcode", label("扫一扫", "Scan"), "equiptags_scan", 0, held_by(PLANT, ()),
)  # fmt: skip
PLATE_MENU = MenuEntry(
    "equip", "/equip/plate", "qrcode", label("标牌管理", "Plates"), "equiptags_plate", 3,
    kept_by(ShippedRole.EQUIP_MANAGER),
)  # fmt: skip


class TagViewSet(Export, Submit, Remove, NounViewSet):
    """Tags: words are chosen and plates scanned by everybody, both are kept by the equipment manager."""

    noun = "equiptags"
    menu = MenuEntry(
        "equip", "/equip/tag", "base", label("故障代码", "Failure codes"), place=3,
        roles=kept_by(ShippedRole.EQUIP_MANAGER),
        buttons={"import": STANDARD_BUTTONS["import"]},  # see tag_sheets.py and plate_sheets.py
    )  # fmt: skip
    more_menus = (SCAN_MENU,)
    codes = {
        "tag_list": SIGNED_IN, "scan": SIGNED_IN, "make_plates": "equiptags_add", "printed": "equiptags_edit",
    }  # fmt: skip
    queryset = Tag.objects.select_related("asset_type", "parent", "machine", "point", "last_scan_user")
    serializer_class = TagSerializer
    order = ("type", "sort", "id")
    filters = {
        **filters_of(
            Tag,
            "tag_name",
            "tag_name_en",
            "tag_code",
            "parent",
            "carrier",
            "nfc_uid",
            "print_count",
        ),
        "type": Filter("type", INTEGER),
        "isPlate": Filter(kind=FLAG, apply=_of_kind, sortable=False),
        "bindId": Filter(kind=ID, apply=_bound_to, sortable=False),
        "isBound": Filter(kind=FLAG, apply=_bound, sortable=False),
        "lastPrintTime": Filter("last_print_time", MOMENT),
        "lastScanTime": Filter("last_scan_time", MOMENT),
        "typeId": Filter("asset_type", ID),
        "isSealed": Filter("is_sealed", FLAG),
        "machineId": Filter(kind=ID, apply=_for_machine, sortable=False),
    }
    select_filters = ("type", "machineId")
    sample = {
        "type": TagType.SYMPTOM.value, "color": "#409EFF", "carrier": None, "nfcUid": "", "bindId": None,
    }  # fmt: skip

    def validate_delete(self, row: Any) -> None:
        """What work orders and assets name stays, so that they can be read."""
        if tag_use.is_used(row.pk):
            raise Conflict("tag.inUse", _("「{name}」已被维修工单引用，不能删除，请改为封存").format(name=row))
        if row.type == TagType.CLASS_LABEL and with_label(Machine.objects.all(), row.pk).exists():
            raise Conflict("tag.inUse", _("「{name}」已被设备引用，不能删除，请改为封存").format(name=row))

    @extend_schema(request=plates.MakeInput, responses=plates.Made)
    @action(detail=False, methods=["post"], url_path="makePlates")
    def make_plates(self, request: Request) -> Response:
        """Make a plate for each of many assets or points."""
        asked = plates.MakeInput(data=parameters(request))
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        return Response(plates.make_plates(self.actor, int(given["type"]), given["bindIds"]))

    @extend_schema(parameters=[OpenApiParameter("ids", str, required=True)], request=None, responses=None)
    @action(detail=False, methods=["post"], url_path="printed")
    def printed(self, request: Request) -> Response:
        """Count that labels were made of the plates in `ids`."""
        plates.count_print(self.actor, IdListField(max_ids=plates.MOST_PRINTED).run_validation(self.parameter("ids")))
        return Response(None)

    @extend_schema(request=plates.ScanInput, responses=plates.Scanned)
    @action(detail=False, methods=["post"], url_path="scan")
    def scan(self, request: Request) -> Response:
        """Find the plate, the asset or the point that was scanned, or whose code was typed."""
        asked = plates.ScanInput(data=parameters(request))
        asked.is_valid(raise_exception=True)
        text = asked.validated_data["text"]
        entry = AuditEntry("equiptags.scan", self.actor, business_type=self.noun)
        entry.nothing_happened = True  # the plate itself says who scanned it last
        return Response(perform(entry, text, lambda: plates.scan(self.actor, text)))

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
