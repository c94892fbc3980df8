"""Plates of assets and points: what holds of them, how they are made and printed, and what a scan finds."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from typing import Any

from django.db.models import F, Q
from django.utils.translation import gettext as _
from rest_framework import serializers

from core.equipment.models import (
    PLATE_CHOICES,
    PLATES,
    WITH_NFC,
    WITH_QR,
    Carrier,
    Machine,
    NodeType,
    RunState,
    Tag,
    TagType,
)
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.errors import Invalid, Missing
from core.kernel.operation import operation
from core.kernel.tenancy import current_tenant
from core.kernel.texts import label
from core.rest.serializers import FlagField, IdField, IdListField, SpeakingSerializer

_UID = re.compile("([0-9A-F]{2}){4,16}")
MOST_MADE = 200
MOST_PRINTED = 500
_CODE = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Characters of a made code: none that is taken for another one when it is typed."""
_CODE_LENGTH = 12
_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_LETTERS_LENGTH = 16
TOKEN = re.compile(rf"([0-9]{{6,12}})-[{_LETTERS}]{{{_LETTERS_LENGTH}}}")
_SCAN_PATH = re.compile(rf"/scan/({TOKEN.pattern})/?(?:[?#].*)?$")
_MACHINE_PATH = re.compile(r"/equip/machine/([0-9]{1,18})/?(?:[?#].*)?$")


def new_code() -> str:
    """Return a code for a plate, which people can type."""
    return "".join(secrets.choice(_CODE) for _one in range(_CODE_LENGTH))


def new_token() -> str:
    """Return what a new plate says: the company, so that anybody's scan finds it, and letters that nobody guesses."""
    return f"{current_tenant()}-{''.join(secrets.choice(_LETTERS) for _one in range(_LETTERS_LENGTH))}"


def token_in(text: str) -> str:
    """Return the token that a text is, or that it names as the address of a plate; empty where there is none."""
    found = _SCAN_PATH.search(text)
    token = found[1] if found else text
    return token if tenant_of(token) else ""


def tenant_of(token: str) -> str:
    """Return the company whose plate has such a token; empty for what is no token."""
    found = TOKEN.fullmatch(token)
    return found[1] if found else ""


# --- the rules of a plate -------------------------------------------------------------------------------------------


def check_word(attrs: dict[str, Any]) -> None:
    """A word has nothing that plates have. Raises ValidationError."""
    for name, wire in (("carrier", "carrier"), ("nfc_uid", "nfcUid"), ("bind_id", "bindId")):
        if attrs.pop(name, None):
            raise serializers.ValidationError({wire: _("只有标牌有载体、NFC编号和绑定对象")})


def check_plate(before: Tag | None, attrs: dict[str, Any], texts: Any) -> None:
    """Complete the values of a plate and check them; `texts` are the fields of its form. Raises ValidationError."""
    if attrs.get("asset_type_id") or attrs.get("parent_id"):
        raise serializers.ValidationError({"typeId": _("标牌不能限定设备类型")})
    kind = before.type if before else attrs["type"]
    if before is None:
        attrs["token"] = new_token()
        attrs["tag_code"] = attrs.get("tag_code") or new_code()
    elif not attrs.get("tag_code", before.tag_code):
        raise serializers.ValidationError({"tagCode": texts["tagCode"].error_messages["required"]})
    carrier = attrs.get("carrier", before.carrier if before else None) or Carrier.QR
    uid = attrs.get("nfc_uid", before.nfc_uid if before else "").upper()
    if carrier in WITH_NFC and not uid:
        raise serializers.ValidationError({"nfcUid": texts["nfcUid"].error_messages["required"]})
    if carrier in WITH_NFC and not _UID.fullmatch(uid):
        raise serializers.ValidationError({"nfcUid": _("NFC编号应为8至32位十六进制数字")})
    attrs.update(carrier=carrier, nfc_uid=uid if carrier in WITH_NFC else "")
    if "bind_id" in attrs:
        column = "machine_id" if kind == TagType.MACHINE_PLATE else "point_id"
        attrs[column] = attrs.pop("bind_id")
        if attrs[column] is not None and attrs[column] != getattr(before, column, None):
            _check_target(column, attrs[column])
    _check_once(before, attrs)


def _check_target(column: str, target_id: int) -> None:
    """What is bound is there and in use; locked, so that two plates bound to it at once wait for each other."""
    model: Any = Tag._meta.get_field(column.removesuffix("_id")).related_model
    target = model.objects.select_for_update(no_key=True).filter(pk=target_id).first()
    if target is None:
        raise serializers.ValidationError({"bindId": _("数据不存在或已被删除")})
    if target.is_sealed:
        raise serializers.ValidationError({"bindId": _("「{name}」已封存，不能使用").format(name=target)})
    if isinstance(target, Machine) and (target.node_type < NodeType.MACHINE or target.run_state == RunState.SCRAPPED):
        raise serializers.ValidationError({"bindId": _("请选择未报废的设备或部件")})


def _check_once(before: Tag | None, attrs: dict[str, Any]) -> None:
    """An asset has one live plate for each kind of carrier, and a point one."""
    uid = attrs["nfc_uid"]
    others = Tag.objects.exclude(pk=before.pk if before else None)
    code = attrs.get("tag_code", "")
    if code and others.filter(type__in=PLATES, tag_code=code).exists():
        # Whoever types the code of a plate does not say of which kind it is.
        text = _("{field}「{value}」已存在").format(field=_("编号"), value=code)
        raise serializers.ValidationError({"tagCode": text})
    if uid and others.filter(nfc_uid=uid).exists():
        text = _("{field}「{value}」已存在").format(field=_("NFC编号"), value=uid)
        raise serializers.ValidationError({"nfcUid": text})
    machine_id = attrs.get("machine_id", before.machine_id if before else None)
    point_id = attrs.get("point_id", before.point_id if before else None)
    if attrs.get("is_sealed", before.is_sealed if before else False) or not (machine_id or point_id):
        return
    live = others.filter(is_sealed=False).select_related("machine", "point")
    if point_id:
        found = live.filter(point=point_id).first()
        text = _("点位「{name}」已绑定标牌「{code}」，请先解绑")
    else:
        kinds = {kind for pair in (WITH_QR, WITH_NFC) if attrs["carrier"] in pair for kind in pair}
        found = live.filter(machine=machine_id, carrier__in=kinds).first()
        text = _("设备「{name}」已绑定标牌「{code}」，请先解绑")
    if found is not None:
        raise serializers.ValidationError({"bindId": text.format(name=found.target, code=found.tag_code)})


def live_plate(machine: Machine) -> Tag | None:
    """Return a plate that is bound to the asset."""
    return Tag.objects.filter(machine=machine).order_by("is_sealed", "id").first()


# --- many at once ---------------------------------------------------------------------------------------------------


class MakeInput(SpeakingSerializer):
    """Assets or points that get a plate each."""

    type = serializers.ChoiceField(label=label("类别", "Kind"), choices=PLATE_CHOICES)
    bindIds = IdListField(label=label("绑定对象", "Bound to"), max_ids=MOST_MADE)


class Made(serializers.Serializer):  # type: ignore[type-arg]
    """What was made."""

    ids = serializers.CharField(help_text="The new plates, comma-joined.")
    created = serializers.IntegerField()
    skipped = serializers.IntegerField(help_text="What has a plate with a QR code already, or cannot have one.")


@operation("equiptags.makePlates", code="equiptags_add")
def make_plates(actor: Actor, kind: int, target_ids: Sequence[int]) -> dict[str, Any]:
    """Make a plate with a QR code for each of these assets or points that has none; answers what was made."""
    column = "machine" if kind == TagType.MACHINE_PLATE else "point"
    model: Any = Tag._meta.get_field(column).related_model
    targets = list(model.objects.select_for_update(no_key=True).filter(pk__in=target_ids).order_by("pk"))
    if not target_ids or len(targets) != len(target_ids):
        raise Missing()
    taken = Q(is_sealed=False) & (Q() if column == "point" else Q(carrier__in=WITH_QR))
    bound = set(Tag.objects.filter(taken, **{f"{column}__in": targets}).values_list(f"{column}_id", flat=True))
    names = set(Tag.objects.filter(type=kind).values_list("tag_name", flat=True))
    made: list[Tag] = []
    for target in targets:
        is_closed = target.is_sealed or getattr(target, "run_state", None) == RunState.SCRAPPED
        if target.pk in bound or is_closed or getattr(target, "node_type", NodeType.MACHINE) < NodeType.MACHINE:
            continue
        code = getattr(target, f"{column}_code")
        name = next(one for one in (str(target), f"{target} {code}", f"{code} {new_code()}") if one[:60] not in names)
        row = Tag(
            type=kind, tag_code=new_code(), tag_name=name[:60], carrier=Carrier.QR, token=new_token(),
            **{column: target},
        )  # fmt: skip
        row.save(force_insert=True)
        names.add(row.tag_name)
        made.append(row)
    ids = ",".join(str(row.pk) for row in made)
    return {"ids": ids, "created": len(made), "skipped": len(targets) - len(made)}


@operation("equiptags.print", code="equiptags_edit")
def count_print(actor: Actor, ids: Sequence[int]) -> None:
    """Count that labels of these plates were made for the printer."""
    rows = Tag.objects.filter(pk__in=ids, type__in=PLATES)
    if not ids or len(rows.select_for_update()) != len(ids):
        raise Missing()
    rows.update(print_count=F("print_count") + 1, last_print_time=clock.now())


# --- the scan -------------------------------------------------------------------------------------------------------


class ScanInput(SpeakingSerializer):
    """What a camera, a reader or a person has read."""

    text = serializers.CharField(label=label("编号", "Code"), max_length=500)


class ScannedMachine(serializers.Serializer):  # type: ignore[type-arg]
    """An asset, as its plate tells it."""

    id = IdField()
    machineCode = serializers.CharField(source="machine_code")
    machineName = serializers.CharField(source="machine_name")
    location = serializers.CharField()
    runState = serializers.IntegerField(source="run_state")
    runStateName = serializers.CharField(source="get_run_state_display")
    mayReport = serializers.SerializerMethodField()

    def get_mayReport(self, row: Machine) -> int:
        """Whether a fault of it can be reported at all."""
        return int(row.node_type >= NodeType.MACHINE and row.run_state != RunState.SCRAPPED and not row.is_sealed)


class ScannedPoint(serializers.Serializer):  # type: ignore[type-arg]
    """A point, as its plate tells it."""

    id = IdField()
    pointCode = serializers.CharField(source="point_code")
    pointName = serializers.CharField(source="point_name")
    groupId = IdField(source="group_id")
    groupName = serializers.CharField(source="group.group_name")


class Scanned(serializers.Serializer):  # type: ignore[type-arg]
    """What a scan has found: a plate, and the asset or the point that it is bound to."""

    tagId = IdField(allow_null=True)
    tagName = serializers.CharField()
    tagCode = serializers.CharField()
    isSealed = FlagField()
    machine = ScannedMachine(allow_null=True)
    point = ScannedPoint(allow_null=True)


def scan(actor: Actor, text: str) -> dict[str, Any]:
    """Find what was read: a plate by its token, its code or its NFC UID, an asset by its code or its page.

    A plate keeps who scanned it last, and when. Raises Invalid where there is nothing.
    """
    text = text.strip()
    tag, machine = _plate(text), None
    if tag is None:
        machine = _machine(text)
        if machine is None:
            raise Invalid({"text": _("没有找到「{text}」对应的设备或点位").format(text=text[:60])})
    else:
        Tag.objects.filter(pk=tag.pk).update(last_scan_time=clock.now(), last_scan_user=actor.user_id)
    point = tag.point if tag is not None and actor.may("inspectpoint_view") else None
    return Scanned(
        {
            "tagId": tag.pk if tag else None,
            "tagName": tag.tag_name if tag else "",
            "tagCode": tag.tag_code if tag else "",
            "isSealed": tag.is_sealed if tag else False,
            "machine": machine or (tag and (tag.machine or (tag.point and tag.point.machine))) or None,
            "point": point,
        }
    ).data


def _plate(text: str) -> Tag | None:
    rows = Tag.objects.filter(type__in=PLATES).select_related("machine", "point__machine", "point__group")
    if token := token_in(text):
        return rows.filter(token=token).first()
    uid = re.sub(r"[:\s-]", "", text).upper()
    by_code = rows.filter(tag_code__iexact=text).order_by("is_sealed", "id").first()
    return by_code or (rows.filter(nfc_uid=uid).first() if uid else None)


def _machine(text: str) -> Machine | None:
    rows, found = Machine.objects.all(), _MACHINE_PATH.search(text)
    if found:
        return rows.filter(pk=int(found[1])).first()
    return rows.filter(machine_code__iexact=text).first()
