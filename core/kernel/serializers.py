"""Serializers that speak the dialect: camelCase names, ids as strings, strict input, our sentences."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers


@lru_cache(maxsize=4096)
def camel(name: str) -> str:
    """machine_name → machineName."""
    return re.sub(r"_+([a-z0-9])", lambda match: match[1].upper(), name)


class IdField(serializers.Field):  # type: ignore[type-arg]
    """A 64-bit id: a string on the wire, a string or a number as input; `"0"` and empty mean none where allowed."""

    default_error_messages = {"invalid": gettext_lazy("数据不存在或已被删除")}

    def __init__(self, *, min_value: int = 0, max_value: int = 0, **kwargs: Any):
        # ModelSerializer passes a number column's bounds; an id has its own.
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> int | None:
        """The number, or None for the dialect's empty values."""
        text = str(data).strip() if isinstance(data, str | int) and not isinstance(data, bool) else "?"
        if text in ("", "0", "-1") and self.allow_null:
            return None
        if not re.fullmatch(r"[0-9]{1,19}", text) or int(text) >= 2**63:
            self.fail("invalid")
        return int(text)

    def to_representation(self, value: Any) -> str:
        """The id as text; of a related row its id."""
        return str(getattr(value, "pk", value))


class FlagField(serializers.Field):  # type: ignore[type-arg]
    """A yes/no value: 0 or 1 on the wire."""

    default_error_messages = {"invalid": gettext_lazy("请求参数格式错误")}

    def to_internal_value(self, data: Any) -> bool:
        """0, 1, true or false."""
        if data in (0, 1, "0", "1", True, False, "true", "false"):
            return data in (1, "1", True, "true")
        return self.fail("invalid")

    def to_representation(self, value: Any) -> int:
        """0 or 1."""
        return int(bool(value))


class NameField(serializers.CharField):
    """What to call a related row or a choice; empty where there is none. Only for answers."""

    def __init__(self, **kwargs: Any):
        super().__init__(**{"read_only": True, **kwargs})

    def get_attribute(self, instance: Any) -> str:
        """The name in the caller's language."""
        value: Any = instance
        for step in self.source_attrs:
            value = getattr(value, step, None)
            value = value() if callable(value) else value
        return "" if value is None else str(value)


class IdListField(serializers.Field):  # type: ignore[type-arg]
    """A set of ids: one comma-joined string on the wire; a list is accepted too."""

    default_error_messages = {"invalid": gettext_lazy("请求参数格式错误")}

    def __init__(self, *, max_ids: int = 500, **kwargs: Any):
        self.max_ids = max_ids
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> list[int]:
        """Distinct ids in the given order."""
        parts = data.split(",") if isinstance(data, str) else data if isinstance(data, list) else [data]
        texts = [str(part).strip() for part in parts if str(part).strip()]
        if len(texts) > self.max_ids or not all(re.fullmatch(r"[0-9]{1,18}", text) for text in texts):
            self.fail("invalid")
        return list(dict.fromkeys(int(text) for text in texts))

    def to_representation(self, value: Any) -> str:
        """Comma-joined."""
        return ",".join(str(item) for item in value or [])


def person_texts(field: serializers.Field) -> None:  # type: ignore[type-arg]
    """Give a field the specification's sentences, which name it by its label."""
    name = str(field.label or field.field_name)
    choice = isinstance(field, serializers.ChoiceField | IdField)
    missing = _("请选择{field}").format(field=name) if choice else _("请输入{field}").format(field=name)
    field.error_messages = {**field.error_messages, "required": missing, "null": missing, "blank": missing}
    if isinstance(field, serializers.ChoiceField):
        field.error_messages["invalid_choice"] = missing
    if isinstance(field, serializers.CharField) and field.max_length is not None:
        _say(field, _("{field}长度不能超过{n}个字符").format(field=name, n=field.max_length), "max_length")
    if isinstance(field, serializers.IntegerField) and field.max_value is not None and field.min_value is not None:
        text = _("{field}应在{a}到{b}之间").format(field=name, a=field.min_value, b=field.max_value)
        _say(field, text, "min_value", "max_value")


def _say(field: Any, text: str, *codes: str) -> None:
    """Give the field's validators of these kinds this sentence."""
    for validator in field.validators:
        if getattr(validator, "code", "") in codes:
            validator.message = text


class SpeakingSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """Input of an operation: our sentences, and camelCase as declared."""

    def get_fields(self) -> dict[str, Any]:
        """The declared fields with the texts people read, in the language of this request."""
        fields = super().get_fields()
        for name, field in fields.items():
            field.field_name = name
            person_texts(field)
        return fields


class NounSerializer(serializers.ModelSerializer):  # type: ignore[type-arg]
    """A noun's wire form. Meta.fields are model names; on the wire they are camelCase."""

    serializer_field_mapping = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.BigIntegerField: IdField,
        models.BooleanField: FlagField,
    }
    serializer_related_field = IdField  # type: ignore[assignment]

    def build_relational_field(self, field_name: str, relation_info: Any) -> tuple[Any, dict[str, Any]]:
        """A reference is an id; that it exists in this tenant is checked by `reference` in the serializer."""
        model_field = relation_info.model_field
        kwargs: dict[str, Any] = {"label": model_field.verbose_name, "source": f"{field_name}_id"}
        if model_field.null:
            kwargs.update(allow_null=True, required=False)
        return IdField, kwargs

    def get_fields(self) -> dict[str, Any]:
        """The model's fields under their wire names."""
        fields: dict[str, Any] = {}
        for name, field in super().get_fields().items():
            wire = camel(name)
            if isinstance(field, IdField) and field.source and field.source.endswith("_id") and wire[-2:] != "Id":
                wire += "Id"
            elif wire != name and field.source is None:
                field.source = name
            if field.source == wire:
                field.source = None
            field.field_name = wire
            person_texts(field)
            fields[wire] = field
        return fields
