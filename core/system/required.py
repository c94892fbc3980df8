"""Required fields: what the forms of applications may ask for, and what the tenant's company has decided of them.

An application registers the fields of a form; its input calls `check`, so that the rules hold for every client.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Invalid
from core.kernel.operation import operation
from core.kernel.texts import both
from core.system.models import RequiredRule

MOST_PICTURES = 9


class Scene(IntEnum):
    """The forms, numbered as the dictionary required_scene."""

    REPORT = 1
    FINISH = 2
    VERIFY = 3
    INSPECTION = 4
    MAINTENANCE = 5
    NEW_MACHINE = 6
    SPARE_REQUEST = 7
    JOIN = 8


class FieldKind(IntEnum):
    """What a field takes."""

    TEXT = 1
    CHOICE = 2
    PICTURES = 3
    VOICE = 4
    SIGNATURE = 5


@dataclass(frozen=True)
class Asked:
    """A field of a form, with what holds of it: as it is shipped, or as the company has decided."""

    field: str
    """Its name in calls."""
    label: Any
    kind: FieldKind = FieldKind.TEXT
    locked: bool = False
    """Compulsory by nature: no company can do without."""
    visible: bool = True
    required: bool = False
    least: int = 0
    most: int = MOST_PICTURES
    """Of pictures."""

    def fits(self, value: Any) -> bool:
        """Return whether a value is enough."""
        if self.kind == FieldKind.PICTURES:
            return len(value or ()) >= self.least
        return not self.required or value not in (None, "", [], ())

    def refusal(self) -> str:
        """Return what is said where the value is not enough."""
        if self.kind == FieldKind.PICTURES:
            return _("请上传至少{n}张{label}").format(n=self.least, label=self.label)
        return _("请填写{label}").format(label=self.label)


_scenes: dict[Scene, tuple[Asked, ...]] = {}


def register(scene: Scene, *fields: Asked) -> None:
    """Register the fields of a form; applications do so when they are ready. Raises ValueError for a second time."""
    if scene in _scenes:
        raise ValueError(f"the form {scene} is registered twice")
    _scenes[scene] = tuple(replace(one, required=True) if one.locked else one for one in fields)


def scenes() -> Mapping[Scene, tuple[Asked, ...]]:
    """Return the forms that there are, with their fields as shipped."""
    return dict(sorted(_scenes.items()))


def decided(wanted: Collection[Scene]) -> dict[Scene, list[Asked]]:
    """Return by form its fields as the company in scope wants them, in its order; one statement."""
    rows = {(row.scene, row.field): row for row in RequiredRule.objects.filter(scene__in=wanted)}
    found: dict[Scene, list[Asked]] = {}
    for scene in wanted:
        fields = [(_as_in(rows.get((scene, one.field)), one), number) for number, one in enumerate(_scenes[scene])]
        placed = {one.field: getattr(rows.get((scene, one.field)), "sort", number) for one, number in fields}
        found[scene] = sorted((one for one, _number in fields), key=lambda one: placed[one.field])
    return found


def _as_in(row: RequiredRule | None, shipped: Asked) -> Asked:
    if row is None or shipped.locked:
        return shipped
    return replace(shipped, visible=row.visible, required=row.required, least=row.least, most=row.most)


def check(scene: Scene, values: Mapping[str, Any], *, but: Collection[FieldKind] = ()) -> None:
    """Raise ValidationError for a field that the company asks for and these values, by names in calls, do not have.

    `but` names kinds of fields that this way in cannot bring, such as pictures in a sheet.
    """
    missing = {
        one.field: one.refusal()
        for one in decided([scene])[scene]
        if one.kind not in but and not one.locked and not one.fits(values.get(one.field))
    }
    if missing:
        raise serializers.ValidationError(missing)


@operation("required.save", code="required_edit")
def save(actor: Actor, scene: int, items: Sequence[Mapping[str, Any]]) -> bool:
    """Store what the company wants of the fields of a form. Raises Invalid, and then stores nothing."""
    if scene not in set(_scenes):
        raise Invalid({"scene": _("请选择{field}").format(field=_("场景"))})
    shipped = {one.field: one for one in _scenes[Scene(scene)]}
    before = {one.field: one for one in decided([Scene(scene)])[Scene(scene)]}
    entry, changes = current_entry(), []
    for item in items:
        one = shipped.get(item["field"])
        if one is None:
            raise Invalid({"items": _("未知字段「{field}」").format(field=item["field"])})
        wanted = _wanted(one, item)
        values = {"visible": wanted.visible, "required": wanted.required, "least": wanted.least, "most": wanted.most}
        row = RequiredRule.objects.filter(scene=scene, field=one.field).first()
        if row is None:
            RequiredRule.objects.create(scene=scene, field=one.field, sort=item["sort"], **values)
        else:
            row.change({**values, "sort": item["sort"]})
        if wanted != before[one.field]:
            changes.append({"label": both(one.label), "old": _said(before[one.field]), "new": _said(wanted)})
    entry.business_type, entry.changes = "required", changes
    entry.remark = str(scene)
    return True


def _wanted(one: Asked, item: Mapping[str, Any]) -> Asked:
    """Return a field as the company wants it. Raises Invalid where it cannot be so."""
    if one.locked and not (item["required"] and item["visible"]):
        raise Invalid({"items": _("「{label}」为系统必填项，不能取消").format(label=one.label)})
    required = item["required"] and item["visible"]
    if one.kind != FieldKind.PICTURES:
        return replace(one, visible=item["visible"], required=required)
    least, most = item["min"], item["max"]
    if not (0 <= least <= most <= one.most and most > 0):
        raise Invalid({"items": _("图片数量应在{a}到{b}之间").format(a=0, b=one.most)})
    least = max(1, least) if required else 0
    return replace(one, visible=item["visible"], required=required, least=least, most=most)


def _said(one: Asked) -> list[str]:
    """Return a rule in both languages."""
    zh = "不显示" if not one.visible else "必填" if one.required else "选填"
    en = "Not shown" if not one.visible else "Required" if one.required else "Optional"
    count = f" {one.least}–{one.most}" if one.kind == FieldKind.PICTURES and one.visible else ""
    return [zh + count, en + count]
