"""Calls of the rules that say what forms ask for."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import parameters
from core.kernel.errors import Invalid
from core.kernel.texts import both, label
from core.rest import dictionaries
from core.rest.menus import EVERYTHING, Button, MenuEntry, Place, ShippedRole, held_by, together
from core.rest.serializers import FlagField, SpeakingSerializer
from core.rest.viewsets import SIGNED_IN, BaseViewSet
from core.system import required
from core.system.required import MOST_PICTURES, Scene


class RequiredItem(serializers.Serializer):  # type: ignore[type-arg]
    """A field of a form, and whether it is asked for there."""

    field = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a word of DRF's own on a field
    labelEn = serializers.CharField()
    fieldType = serializers.IntegerField(help_text="1 text, 2 choice, 3 pictures, 4 voice, 5 signature.")
    visible = FlagField()
    required = FlagField()  # type: ignore[assignment]  # a word of DRF's own on a field
    min = serializers.IntegerField()
    max = serializers.IntegerField()
    locked = FlagField()
    sort = serializers.IntegerField()


class RequiredScene(serializers.Serializer):  # type: ignore[type-arg]
    """A form with its fields, in their order."""

    scene = serializers.IntegerField()
    sceneName = serializers.CharField()
    items = RequiredItem(many=True)


class RequiredChange(SpeakingSerializer):
    """What a company wants of a field."""

    field = serializers.CharField(label=label("字段", "Field"), max_length=40)
    visible = FlagField(label=label("显示", "Shown"), default=True)
    required = FlagField(label=label("必填", "Required"), default=False)  # type: ignore[assignment]
    min = serializers.IntegerField(label=label("最少", "At least"), default=0)
    max = serializers.IntegerField(label=label("最多", "At most"), default=MOST_PICTURES)
    sort = serializers.IntegerField(label=label("排序", "Order"), default=0, min_value=0, max_value=9999)


class RequiredInput(SpeakingSerializer):
    """What a company wants of the fields of a form; those that are not named stay as they are."""

    scene = serializers.IntegerField(label=label("场景", "Form"))
    items = RequiredChange(many=True, label=label("字段", "Fields"), allow_empty=False, max_length=60)  # type: ignore[call-arg]  # of the list


def _item(number: int, one: required.Asked) -> dict[str, Any]:
    zh, en = both(one.label)
    return {
        "field": one.field, "label": zh, "labelEn": en, "fieldType": int(one.kind), "visible": one.visible,
        "required": one.required, "min": one.least, "max": one.most, "locked": one.locked, "sort": number,
    }  # fmt: skip


class RequiredViewSet(BaseViewSet):
    """What the forms of a company ask for: read by everybody who fills them, kept by the equipment manager."""

    menu = MenuEntry(
        "base", "/base/required", "standard", label("必填项设置", "Required fields"), "required", 2,
        together(held_by((ShippedRole.EQUIP_MANAGER,), {"edit"}), {ShippedRole.TENANT_ADMIN: EVERYTHING}),
        {"edit": Button(label("编辑", "Edit"), Place.TOOLBAR)},
    )  # fmt: skip
    codes = {"required_details": SIGNED_IN, "required_save": "required_edit"}

    @extend_schema(
        parameters=[OpenApiParameter("scene", int, description="All forms where it is left out.")],
        responses=RequiredScene(many=True),
    )
    @action(detail=False, methods=["get"], url_path="requiredDetails")
    def required_details(self, request: Request) -> Response:
        """Answer the forms with what they ask for."""
        text = request.query_params.get("scene", "").strip()
        wanted = [scene for scene in required.scenes() if text in ("", str(int(scene)))]
        if text and not wanted:
            raise Invalid({"scene": _("请选择{field}").format(field=_("场景"))})
        names = dictionaries.names_of("required_scene")
        rules = required.decided(wanted)
        return Response(
            RequiredScene(
                [
                    {
                        "scene": int(scene),
                        "sceneName": names.get(str(int(scene)), Scene(scene).name),
                        "items": [_item(number, one) for number, one in enumerate(rules[scene])],
                    }
                    for scene in wanted
                ],
                many=True,
            ).data
        )

    @extend_schema(request=RequiredInput, responses=bool)
    @action(detail=False, methods=["post"], url_path="requiredSave")
    def required_save(self, request: Request) -> Response:
        """Store what the company wants of the fields of a form."""
        asked = RequiredInput(data=parameters(request))
        asked.is_valid(raise_exception=True)
        given = asked.validated_data
        return Response(required.save(self.actor, given["scene"], given["items"]))
