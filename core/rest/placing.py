"""Where a row of a tree may hang: one rule for all trees, and a lock that two people who move rows share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import models
from django.utils.translation import gettext as _
from rest_framework import serializers

from core.kernel.models import TreeModel

MOST_LEVELS = 30
"""Of a tree without paths; none comes near it."""


def lock_for(model: type[models.Model], body: Mapping[str, Any]) -> None:
    """Lock the tree where the body says what a row hangs on, so that rows of one tree are placed one after another.

    All roots are locked, in the order of their ids. It comes before any row is locked: two people who move two rows
    under each other would otherwise each wait for the other's row, or both be let through.
    """
    if "parentId" in body and any(field.name == "parent" for field in model._meta.concrete_fields):
        list(model._default_manager.filter(parent=None).order_by("pk").select_for_update(no_key=True).values_list("pk"))


def check_place(model: type[Any], row: Any, parent_id: int) -> None:
    """Raise ValidationError where a row, None for a new one, cannot hang on this parent.

    It may hang neither on itself nor on a row below it, and with all that is below it no deeper than the tree allows.
    """
    if row is not None and parent_id == row.pk:
        raise serializers.ValidationError({"parentId": [_("父节点不可选择自身!")]})
    above = _ids_above(model, parent_id)
    if row is not None and row.pk in above:
        raise serializers.ValidationError({"parentId": [_("不能移动到自己的下级")]})
    most = model.most_levels if issubclass(model, TreeModel) else MOST_LEVELS
    if len(above) + _height(model, row) > most:
        text = _("{name}的层级不能超过{n}级").format(name=model._meta.verbose_name, n=most)
        raise serializers.ValidationError({"parentId": [text]})


def _ids_above(model: Any, row_id: int) -> list[int]:
    """Return the ids from the root down to this row; one statement where the table keeps paths."""
    if issubclass(model, TreeModel):
        path = model._default_manager.values_list("path", flat=True).get(pk=row_id)
        return [int(text) for text in path.strip("/").split("/")]
    found: list[int] = []
    step: int | None = row_id
    while step is not None and len(found) <= MOST_LEVELS:
        found.insert(0, step)
        step = model._default_manager.filter(pk=step).values_list("parent_id", flat=True).first()
    return found


def _height(model: Any, row: Any) -> int:
    """Return how many levels the row and all that is below it take; 1 for a new row."""
    if row is None:
        return 1
    if issubclass(model, TreeModel):
        paths = model._default_manager.filter(path__startswith=row.path).values_list("path", flat=True)
        own: int = row.path.count("/")
        return max((path.count("/") for path in paths), default=own) - own + 1
    height, step = 0, [row.pk]
    while step and height <= MOST_LEVELS:
        height += 1
        step = list(model._default_manager.filter(parent_id__in=step).values_list("pk", flat=True))
    return height
