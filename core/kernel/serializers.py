"""Serializers that speak the dialect: camelCase names, ids as strings, strict input, our sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers
from rest_framework.validators import UniqueValidator

from core.kernel import dictionaries
from core.kernel.models import DictionaryField
from core.kernel.texts import plural

MAX_DEPTH = 30
"""Levels of a tree that are looked at; none comes near it."""


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


class ReferenceField(IdField):
    """The id of a row that has to exist in the caller's tenant; whose row is as good as missing."""

    def __init__(self, *, model: type[models.Model], **kwargs: Any):
        super().__init__(**kwargs)
        self.model = model

    def to_internal_value(self, data: Any) -> int | None:
        """The id of an existing row; one statement."""
        row_id = super().to_internal_value(data)
        if row_id is not None and not self.model._default_manager.filter(pk=row_id).exists():
            self.fail("invalid")
        return row_id


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


class AmountField(serializers.DecimalField):
    """An exact number: a plain JSON number on the wire."""

    def to_representation(self, value: Any) -> Any:
        """The number."""
        return None if value is None else float(value)


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


class DictionaryNameField(serializers.CharField):
    """What a dictionary calls a value, in the caller's language; each dictionary is read once an answer."""

    def __init__(self, *, dictionary: str, **kwargs: Any):
        super().__init__(**{"read_only": True, **kwargs})
        self.dictionary = dictionary

    def to_representation(self, value: Any) -> str:
        """The name; the key itself where the dictionary has lost it."""
        context: Any = self.context
        read: dict[str, Any] = context.setdefault("dictionaries", {})
        if self.dictionary not in read:
            read[self.dictionary] = dictionaries.names_of(self.dictionary)
        return str(read[self.dictionary].get(str(value), value))


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
    choice = isinstance(field, serializers.ChoiceField | IdField | FlagField | serializers.DateTimeField)
    missing = _("请选择{field}").format(field=name) if choice else _("请输入{field}").format(field=name)
    field.error_messages = {**field.error_messages, "required": missing, "null": missing, "blank": missing}
    if isinstance(field, serializers.ChoiceField):
        field.error_messages["invalid_choice"] = missing
    if isinstance(field, serializers.CharField) and field.max_length is not None:
        _say(field, plural("{field}长度不能超过{n}个字符", field.max_length, field=name), "max_length")
    if (
        isinstance(field, serializers.IntegerField | serializers.DecimalField)
        and field.max_value is not None
        and field.min_value is not None
    ):
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
    """A noun's wire form. Meta.fields are model names; on the wire they are camelCase.

    What it checks of itself: a reference exists in the tenant, a unique value is not taken yet.
    """

    serializer_field_mapping = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.BigIntegerField: IdField,
        models.BooleanField: FlagField,
        models.DecimalField: AmountField,
    }
    serializer_related_field = IdField  # type: ignore[assignment]

    def build_relational_field(self, field_name: str, relation_info: Any) -> tuple[Any, dict[str, Any]]:
        """A reference is an id of a row that exists in this tenant."""
        model_field = relation_info.model_field
        kwargs: dict[str, Any] = {"label": model_field.verbose_name, "source": f"{field_name}_id"}
        if not model_field.editable or field_name in getattr(self.Meta, "read_only_fields", ()):
            return IdField, {**kwargs, "read_only": True}
        if model_field.null:
            kwargs.update(allow_null=True, required=False)
        return ReferenceField, {**kwargs, "model": relation_info.related_model}

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
            # DRF's own sentence does not name the value; see `validate`.
            field.validators = [one for one in field.validators if not isinstance(one, UniqueValidator)]
            person_texts(field)
            fields[wire] = field
        return fields

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """The own rules of the noun, and then those that its table declares."""
        attrs = super().run_validation(data)
        if self.instance is not None and attrs.get("parent_id") is not None:
            self._check_loop(attrs["parent_id"])
        model: Any = self.Meta.model
        for names in unique_rules(model):
            if self._is_taken(attrs, names):
                wire = self._wire_name(names[-1])
                text = _("{field}「{value}」已存在").format(field=self.fields[wire].label, value=attrs[names[-1]])
                raise serializers.ValidationError({wire: [text]})
        return attrs

    def _check_loop(self: Any, parent_id: int) -> None:
        """A row of a tree can hang neither on itself nor on one below it."""
        if parent_id == self.instance.pk:
            raise serializers.ValidationError({"parentId": [_("父节点不可选择自身!")]})
        step: int | None = parent_id
        for _level in range(MAX_DEPTH):
            if step is None:
                return
            if step == self.instance.pk:
                raise serializers.ValidationError({"parentId": [_("不能移动到自己的下级")]})
            step = self.Meta.model._default_manager.filter(pk=step).values_list("parent_id", flat=True).first()

    def _is_taken(self: Any, attrs: dict[str, Any], names: tuple[str, ...]) -> bool:
        """Whether another row has these values already; the tenant's manager leaves deleted rows out."""
        if names[-1] not in attrs or self._wire_name(names[-1]) not in self.fields:
            return False
        values = {name: attrs.get(name, getattr(self.instance, name, None)) for name in names}
        others = self.Meta.model._default_manager.filter(**values)
        if self.instance is not None:
            others = others.exclude(pk=self.instance.pk)
        return bool(others.exists())

    def _wire_name(self, attribute: str) -> str:
        return next((name for name, field in self.fields.items() if (field.source or name) == attribute), attribute)


@lru_cache(maxsize=512)
def unique_rules(model: Any) -> tuple[tuple[str, ...], ...]:
    """Attributes that may occur once together, without the tenant."""
    rules: list[tuple[str, ...]] = [
        (field.attname,) for field in model._meta.concrete_fields if field.unique and not field.primary_key
    ]
    for constraint in model._meta.constraints:
        if isinstance(constraint, models.UniqueConstraint):
            names = [name for name in constraint.fields if name != "tenant_id"]
            rules.append(tuple(model._meta.get_field(name).attname for name in names))
    return tuple(rule for rule in rules if rule)


def noun_serializer(model: type[models.Model], names: Iterable[str]) -> type[NounSerializer]:
    """The serializer of a plain noun: its id, the named fields each with its `…Name`, two times."""
    fields = ["id"]
    own: dict[str, Any] = {}
    for name in names:
        fields.append(name)
        view_field = name_field(model, name)
        if view_field is not None:
            fields.append(camel(name) + "Name")
            own[camel(name) + "Name"] = view_field
    if any(name.endswith("_en") for name in fields):
        # A row that has a name in each language is shown by the one its reader understands.
        fields.append("title")
        zh = next(name for name in fields if f"{name}_en" in fields)
        own["title"] = NameField(source="__str__", label=model._meta.get_field(zh).verbose_name)  # type: ignore[union-attr]
    kept = [name for name in ("create_time", "update_time") if _has(model, name)]
    meta = type("Meta", (), {"model": model, "fields": (*fields, *kept), "read_only_fields": tuple(kept)})
    doc = (model.__doc__ or "").partition("\n")[0]
    return type(f"{model.__name__}Serializer", (NounSerializer,), {**own, "Meta": meta, "__doc__": doc})


def name_field(model: type[models.Model], name: str) -> serializers.Field | None:  # type: ignore[type-arg]
    """The field that names the value of another one: of a choice, a dictionary's value, a related row; or None."""
    field: Any = model._meta.get_field(name)
    if isinstance(field, DictionaryField):
        return DictionaryNameField(dictionary=field.dictionary, source=name, label=field.verbose_name)
    if field.choices:
        return NameField(source=f"get_{name}_display", label=field.verbose_name)
    return NameField(source=name, label=field.verbose_name) if field.is_relation else None


def _has(model: type[models.Model], name: str) -> bool:
    try:
        model._meta.get_field(name)
    except FieldDoesNotExist:
        return False
    return True
