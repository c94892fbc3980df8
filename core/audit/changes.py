"""What an operation changed in a row, kept in the audit entry in the words of both languages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import override
from rest_framework import serializers

from core.kernel.texts import camel, choose, moment, plural
from core.system.extras import ExtraValues

_LANGUAGES = ("zh-hans", "en")


class ChangeSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """A field that an operation changed, in words."""

    field = serializers.CharField()
    fieldName = serializers.CharField()
    oldText = serializers.CharField()
    newText = serializers.CharField()


def values_of(row: models.Model, columns: Iterable[str]) -> dict[str, Any]:
    """Return the row's values in these columns; names that are no columns are left out."""
    known = {column.attname for column in row._meta.concrete_fields}
    return {name: _plain(getattr(row, name)) for name in columns if name in known}


def _plain(value: Any) -> Any:
    """People read and send times to the second, and lists are changed in place."""
    if isinstance(value, datetime):
        return value.replace(microsecond=0)
    return list(value) if isinstance(value, list) else value


def differences(row: models.Model, before: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the columns whose values differ from those `before`, as `Event.changes` keeps them."""
    after = values_of(row, before)
    found: list[dict[str, Any]] = []
    for name, old in before.items():
        column: Any = row._meta.get_field(name)
        if isinstance(column, ExtraValues):
            found += column.told(old, after[name])
        elif after[name] != old:
            found.append(_change(column, old, after[name]))
    return found


def _change(column: Any, old: Any, new: Any) -> dict[str, Any]:
    """Return `field`, and in both languages `label`, `old` and `new`."""
    found: dict[str, Any] = {"field": camel(column.attname), "label": [], "old": [], "new": []}
    if column.is_relation:
        old, new = _row(column, old), _row(column, new)
    for language in _LANGUAGES:
        with override(language):
            found["label"].append(str(column.verbose_name))
            found["old"].append(_words(column, old))
            found["new"].append(_words(column, new) + _exchanged(old, new))
    return found


def told(changes: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Return the kept changes in the caller's language."""
    return [
        {
            "field": str(change.get("field", "")),
            "fieldName": choose(*change["label"]),
            "oldText": choose(*(change["old"] or ("", ""))),
            "newText": choose(*(change["new"] or ("", ""))),
        }
        for change in changes
    ]


def _words(column: Any, value: Any) -> str:
    """Return the value as a page shows it; empty where there is none."""
    if value is None or value == "" or value == []:
        return ""
    if isinstance(value, bool):
        return _("是") if value else _("否")
    if isinstance(value, list):
        return plural("{n}个", len(value))
    if column.choices:
        return str(dict(column.flatchoices).get(value, value))
    if isinstance(column, models.DateTimeField):
        return moment(value)
    return str(value)


def _row(column: Any, pk: Any) -> Any:
    """Return the row that is referred to, whose name both languages tell; its id where it is gone."""
    return pk and (column.related_model._base_manager.filter(pk=pk).first() or pk)


def _exchanged(old: Any, new: Any) -> str:
    """Return how many entries of a list came and went, which two counts alone do not say."""
    if not isinstance(old, list) or not isinstance(new, list) or not old or not new:
        return ""
    came, went = len([one for one in new if one not in old]), len([one for one in old if one not in new])
    return f" (+{came} −{went})"
