"""Plates in sheets: a list of plates comes in, each bound to an asset or a point that is named by its code."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from core.equipment.models import PLATE_CHOICES, PLATES, Tag, TagType
from core.equipment.tags import PLATE_MENU, TagSerializer, TagViewSet
from core.kernel.texts import label
from core.rest.sheets import Import
from core.rest.viewsets import NounViewSet


class PlateSerializer(TagSerializer):
    """A plate; what it is bound to is said by its code."""

    bindCode = serializers.CharField(  # type: ignore[assignment]  # which may be written here
        source="bound_code", required=False, allow_blank=True, max_length=40, label=label("对象编号", "Bound to (code)")
    )

    class Meta(TagSerializer.Meta):
        fields = (  # type: ignore[assignment]  # fewer than a tag
            "id", "type", "typeName", "tag_code", "tag_name", "carrier", "carrierName", "nfc_uid", "bindCode",
            "bindName", "is_sealed", "remark", "print_count", "last_print_time", "last_scan_time", "lastScanUserName",
            "create_time", "update_time",
        )  # fmt: skip

    def get_fields(self) -> dict[str, Any]:
        """Only plates."""
        fields = super().get_fields()
        fields["type"].choices = PLATE_CHOICES
        return fields

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Find what the code names; what a plate must be holds as in its form."""
        if "bound_code" in attrs:
            attrs["bind_id"] = self._target(attrs.pop("bound_code"), attrs)
        try:
            return super().validate(attrs)
        except serializers.ValidationError as error:
            detail: Any = error.detail
            raise serializers.ValidationError(
                {"bindCode" if name == "bindId" else name: text for name, text in detail.items()}
            ) from None

    def _target(self, code: str, attrs: dict[str, Any]) -> int | None:
        """Return the id of the asset or the point with this code, None for an empty one. Raises ValidationError."""
        if not code:
            return None
        kind = attrs.get("type", self.instance.type if self.instance else None)
        column = "machine" if kind == TagType.MACHINE_PLATE else "point"
        model: Any = Tag._meta.get_field(column).related_model
        found: int | None = model.objects.filter(**{f"{column}_code": code}).values_list("pk", flat=True).first()
        if found is None:
            raise serializers.ValidationError({"bindCode": _("没有「{value}」这个选项").format(value=code)})
        return found


class PlateViewSet(Import, NounViewSet):
    """Plates as a list that comes in by a sheet; each plate is kept by the calls of tags."""

    noun = "equipplate"
    menu = PLATE_MENU
    queryset = Tag.objects.filter(type__in=PLATES).select_related("machine", "point", "last_scan_user")
    serializer_class = PlateSerializer
    codes = {
        "list": "equiptags_view", "show": "equiptags_view", "submit": "equiptags_edit",
        "import_rows": "equiptags_import", "import_template": "equiptags_import",
    }  # fmt: skip
    sheet_key = "tag_code"
    order = TagViewSet.order
    filters = {name: one for name, one in TagViewSet.filters.items() if name not in ("isPlate", "typeId", "machineId")}
