"""Whether other rows still name a row: what stops its removal, because it would leave them without it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db import models
from django.utils.translation import gettext as _

from core.kernel.errors import Conflict


def used_by(row: models.Model, *, but: Collection[str] = ()) -> str:
    """What still refers to the row, by its kind; empty when nothing does. `but` names relations that may."""
    for relation in row._meta.related_objects:
        related: Any = relation.related_model
        if relation.field.name in but or f"{related._meta.model_name}.{relation.field.name}" in but:
            continue
        # The default manager leaves out rows that are deleted: those may name it for ever.
        if related._default_manager.filter(**{relation.field.name: row.pk}).exists():
            return str(related._meta.verbose_name)
    return ""


def stop_if_used(row: models.Model, *, but: Collection[str] = ()) -> None:
    """Raise the refusal of a removal when something still refers to the row."""
    by = used_by(row, but=but)
    if by:
        raise Conflict("data.inUse", _("「{name}」已被{by}引用，不能删除").format(name=row, by=by))
