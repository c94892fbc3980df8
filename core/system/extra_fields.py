"""The values of extra fields on the wire: an object by key, of which a change names the keys that it changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from rest_framework import serializers

from core.rest.serializers import DayField, PartsField, person_texts
from core.system.extras import MOST_DIGITS, MOST_FIELDS, MOST_TEXT, Extra, ExtraValues, declared
from core.system.models import ExtraType

CALL = "/yuzhu-equip/extfield/getList"
"""Address of the call that answers what is declared of a noun."""


class ExtrasField(PartsField):
    """The column of a row that holds the values of its extra fields.

    Keys that are not sent keep their values; null and "" take a value back.
    """

    default_error_messages = {"invalid": gettext_lazy("请求参数格式错误")}

    def bind(self, field_name: str, parent: Any) -> None:
        """Take the field into a serializer, which reads what the company has declared once a language."""
        super().bind(field_name, parent)
        self._parts: dict[str | None, dict[str, Any]] = {}

    @property
    def column(self) -> ExtraValues:
        """The column of the model that the serializer is of."""
        serializer: Any = self.parent
        column: ExtraValues = serializer.Meta.model._meta.get_field(self.source)
        return column

    @property
    def address(self) -> str:
        """Where clients find what is declared."""
        return f"{CALL}?noun={self.column.noun}"

    def parts(self) -> Mapping[str, Any]:
        """Return the fields that may be filled by their keys; what is sealed may not."""
        language = get_language()
        if language not in self._parts:
            open_ones = [one for one in declared(self.column.noun) if not one.is_sealed]
            self._parts[language] = {one.key: _part(one) for one in open_ones}
        return self._parts[language]

    def cells(self) -> Mapping[str, Callable[[Mapping[str, Any]], Any]]:
        """Return by heading what a sheet shows: numbers as such, of a choice what it is called."""
        return {str(one.called): _cell(one) for one in declared(self.column.noun)}

    def told(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the fields that differ, by what they are called."""
        return self.column.told(before, after)

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Return all values that the row then has.

        Raises ValidationError by key for a value that does not fit, for what is not declared, and for what is sealed.
        """
        if not isinstance(data, Mapping) or len(data) > 2 * MOST_FIELDS:
            self.fail("invalid")
        values, parts, wrong = dict(self._held()), self.parts(), {}
        sealed = {one.key: one for one in declared(self.column.noun) if one.is_sealed}
        for key, value in data.items():
            try:
                if key in parts:
                    value = _checked(parts[key], value)
                elif key not in sealed:
                    raise serializers.ValidationError(_("未知字段「{field}」").format(field=str(key)[:40]))
                elif (value or None) != values.get(key):
                    raise serializers.ValidationError(_("「{name}」已封存，不能使用").format(name=sealed[key].called))
            except serializers.ValidationError as error:
                wrong[str(key)[:40]] = error.detail
                continue
            values[key] = value
        if wrong:
            raise serializers.ValidationError(wrong)
        return {key: value for key, value in values.items() if value is not None}

    def to_representation(self, value: Any) -> Any:
        """Return the values as they are kept."""
        return value or {}

    def _held(self) -> Mapping[str, Any]:
        """Return the values that the row has so far."""
        serializer: Any = self.parent
        row = getattr(serializer, "instance", None) or self.context.get("record")
        return getattr(row, str(self.source), None) or {}


def _checked(part: Any, value: Any) -> Any:
    """Return a value as it is kept, None for none. Raises ValidationError."""
    if value is None or (isinstance(value, str) and not value.strip()):
        if part.required:
            raise serializers.ValidationError(str(part.error_messages["required"]))
        return None
    found = part.run_validation(value)
    if isinstance(part, serializers.DecimalField):
        return int(found) if part.decimal_places == 0 else float(found + 0)  # no zero below zero
    return str(found)


def _part(one: Extra) -> Any:
    """Return the field that checks the values of an extra field, with its texts in the caller's language."""
    given: dict[str, Any] = {"label": one.called, "required": one.required}
    field: Any
    match one.type:
        case ExtraType.NUMBER:
            field = serializers.DecimalField(max_digits=MOST_DIGITS, decimal_places=one.decimals, **given)
        case ExtraType.DATE:
            field = DayField(**given)
        case ExtraType.SELECT:
            field = serializers.ChoiceField(choices=[(choice.value, choice.called) for choice in one.options], **given)
        case _:
            field = serializers.CharField(max_length=MOST_TEXT, **given)
    field.field_name = one.key
    person_texts(field)
    return field


def _cell(one: Extra) -> Callable[[Mapping[str, Any]], Any]:
    def cell(values: Mapping[str, Any]) -> Any:
        value = values.get(one.key)
        return value if one.type == ExtraType.NUMBER else str(one.words(value))

    return cell
