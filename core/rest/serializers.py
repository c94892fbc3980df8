"""Base serializers: camelCase names, ids as strings, strict input, messages in both languages."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from django.db import models
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.validators import UniqueValidator

from core.kernel import clock
from core.kernel.balances import Balance
from core.kernel.ids import is_id
from core.kernel.models import DictionaryField, VersionedModel
from core.kernel.texts import camel, plural
from core.rest import dictionaries
from core.rest.placing import check_place

LOCK_VERSION = "lockVersion"


class IdField(serializers.Field):  # type: ignore[type-arg]
    """A 64-bit id: a string in JSON; input may be a number too. `"0"` and empty mean None where null is allowed.

    `refers_to` is the model that the id refers to (a class or "app.Model"), for the OpenAPI document; for a foreign key
    it is taken from the column. `where` narrows the choices by filters of their list.
    """

    default_error_messages = {"invalid": gettext_lazy("数据不存在或已被删除")}

    def __init__(
        self,
        *,
        refers_to: type[models.Model] | str | None = None,
        where: Mapping[str, Any] | None = None,
        min_value: int = 0,
        max_value: int = 0,
        **kwargs: Any,
    ):
        # ModelSerializer passes a number column's bounds; an id has its own.
        super().__init__(**kwargs)
        self.refers_to, self.where = refers_to, where or {}

    def to_internal_value(self, data: Any) -> int | None:
        """Return the id as a number; None for an empty value or "0"."""
        text = str(data).strip() if isinstance(data, str | int) and not isinstance(data, bool) else "?"
        if text in ("", "0", "-1") and self.allow_null:
            return None
        if not is_id(text):
            self.fail("invalid")
        return int(text)

    def to_representation(self, value: Any) -> str:
        """Return the id as text; for a related row its id."""
        return str(getattr(value, "pk", value))


class LockVersionField(serializers.IntegerField):
    """The record version that the caller has read; changes send it back (see core.rest.changes)."""

    def __init__(self, **kwargs: Any):
        super().__init__(**{"required": False, "min_value": 1, **kwargs})


class ReferenceField(IdField):
    """The id of an existing row of the caller's tenant. Rows of other tenants are reported as missing."""

    def __init__(self, *, model: type[models.Model], **kwargs: Any):
        super().__init__(refers_to=model, **kwargs)
        self.model = model

    def to_internal_value(self, data: Any) -> int | None:
        """Return the id of an existing row; runs one statement."""
        row_id = super().to_internal_value(data)
        if row_id is None or row_id == self._stored():
            return row_id
        rows = self.model._default_manager.filter(pk=row_id)
        if isinstance(self.parent, NounSerializer):
            # Whoever removes the row meanwhile waits for this reference to it, and then finds it.
            rows = rows.select_for_update(no_key=True)
        if not rows.exists():
            self.fail("invalid")
        return row_id

    def _stored(self) -> int | None:
        """Return the id that the row refers to already: it may stay, also where its row has been removed."""
        return getattr(getattr(self.parent, "instance", None), str(self.source), None)


class FlagField(serializers.Field):  # type: ignore[type-arg]
    """A boolean, 0 or 1 in JSON."""

    default_error_messages = {"invalid": gettext_lazy("请求参数格式错误")}

    def to_internal_value(self, data: Any) -> bool:
        """Return True or False for 0, 1, true or false."""
        if data in (0, 1, "0", "1", True, False, "true", "false"):
            return data in (1, "1", True, "true")
        return self.fail("invalid")

    def to_representation(self, value: Any) -> int:
        """Return 0 or 1."""
        return int(bool(value))


class _InOurYears:
    """Refuses what lies beyond our years, which not every database and time zone has."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the date or moment."""
        field: Any = super()
        try:
            found = field.to_internal_value(data)
        except OverflowError:
            found = None
        if found is None or found.year not in clock.YEARS:
            field.fail("overflow")
        return found


class MomentField(_InOurYears, serializers.DateTimeField):
    """A date and time."""


class DayField(_InOurYears, serializers.DateField):
    """A date."""

    default_error_messages = {"overflow": gettext_lazy("请求参数格式错误")}


class AmountField(serializers.DecimalField):
    """A decimal, a plain number in JSON."""

    def to_representation(self, value: Any) -> Any:
        """Return the number."""
        return None if value is None else float(value)


class MoneyField(AmountField):
    """An amount of 元 with two decimals."""

    unit = "¥"

    def __init__(self, **kwargs: Any):
        super().__init__(**{"max_digits": 16, "decimal_places": 2, **kwargs})


class MinutesField(serializers.IntegerField):
    """Seconds of a column as whole minutes, half up; read-only."""

    kind = "minutes"

    def __init__(self, **kwargs: Any):
        super().__init__(**{"read_only": True, **kwargs})

    def to_representation(self, value: Any) -> int:
        """Return the minutes."""
        return whole_minutes(value)


def whole_minutes(seconds: float) -> int:
    """Return seconds as minutes, half up."""
    return int((seconds + 30) // 60)


class SaidField(serializers.SerializerMethodField):
    """Shows what a method returns, with the kind of value that it is, such as `text` or `minutes`."""

    def __init__(self, *, kind: str = "text", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.kind = kind


class SecretField(serializers.CharField):
    """A text that goes in and never comes out: no answer, no log and no digest of a request holds it."""

    def __init__(self, **kwargs: Any):
        super().__init__(**{**kwargs, "write_only": True, "trim_whitespace": True})
        self.called = kwargs.get("label", "")
        """The label as it was given, still in both languages."""


class NameField(serializers.CharField):
    """The name of a related row or the label of a choice; read-only, empty for None."""

    def __init__(self, **kwargs: Any):
        super().__init__(**{"read_only": True, **kwargs})

    def get_attribute(self, instance: Any) -> str:
        """Return the name in the caller's language."""
        value: Any = instance
        for step in self.source_attrs:
            value = getattr(value, step, None)
            value = value() if callable(value) else value
        return "" if value is None else str(value)


class DictionaryNameField(serializers.CharField):
    """The label of a dictionary value in the caller's language. Each dictionary is read once for a response."""

    def __init__(self, *, dictionary: str, **kwargs: Any):
        super().__init__(**{"read_only": True, **kwargs})
        self.dictionary = dictionary

    def to_representation(self, value: Any) -> str:
        """Return the label; the key itself if the dictionary no longer has it."""
        context: Any = self.context
        read: dict[str, Any] = context.setdefault("dictionaries", {})
        if self.dictionary not in read:
            read[self.dictionary] = dictionaries.names_of(self.dictionary)
        return str(read[self.dictionary].get(str(value), value))


class PartsField(serializers.Field):  # type: ignore[type-arg]
    """An object whose parts a tenant declares. Sheets and histories treat each part as a field of its own."""

    kind = "extras"

    @property
    def address(self) -> str:
        """Where clients find what is declared, without /api; for the OpenAPI document."""
        raise NotImplementedError

    def parts(self) -> Mapping[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the parts that may be filled, by their keys, as fields in the caller's language."""
        raise NotImplementedError

    def cells(self) -> Mapping[str, Callable[[Mapping[str, Any]], Any]]:
        """Return by heading what a sheet shows of the object: a column a part."""
        raise NotImplementedError

    def told(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the parts that differ, as an audit entry keeps changes: `label`, `old` and `new` in both languages."""
        raise NotImplementedError


class IdListField(serializers.Field):  # type: ignore[type-arg]
    """A set of ids: a comma-separated string in JSON; input may be a list too. `refers_to`: see IdField."""

    default_error_messages = {"invalid": gettext_lazy("请求参数格式错误")}

    def __init__(
        self,
        *,
        refers_to: type[models.Model] | str | None = None,
        where: Mapping[str, Any] | None = None,
        max_ids: int = 500,
        **kwargs: Any,
    ):
        self.max_ids, self.refers_to, self.where = max_ids, refers_to, where or {}
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> list[int]:
        """Return the distinct ids in the given order."""
        parts = data.split(",") if isinstance(data, str) else data if isinstance(data, list) else [data]
        texts = [str(part).strip() for part in parts if str(part).strip()]
        if len(texts) > self.max_ids or not all(map(is_id, texts)):
            self.fail("invalid")
        return list(dict.fromkeys(int(text) for text in texts))

    def to_representation(self, value: Any) -> str:
        """Return the ids separated by commas."""
        return ",".join(str(item) for item in value or [])


_WRONG: tuple[tuple[type[Any], tuple[str, ...], Any], ...] = (
    (serializers.IntegerField, ("invalid", "max_string_length"), gettext_lazy("{field}应为整数")),
    (serializers.DecimalField, ("invalid", "max_string_length"), gettext_lazy("{field}应为数字")),
    (serializers.FloatField, ("invalid", "max_string_length"), gettext_lazy("{field}应为数字")),
    (serializers.EmailField, ("invalid",), gettext_lazy("{field}格式不正确")),
    (serializers.RegexField, ("invalid",), gettext_lazy("{field}格式不正确")),
    (serializers.CharField, ("invalid",), gettext_lazy("{field}应为文本")),
    (
        serializers.DateTimeField, ("invalid", "date", "make_aware"),
        gettext_lazy("{field}应为日期和时间，如2026-03-02 08:30:00"),
    ),
    (serializers.DateTimeField, ("overflow",), gettext_lazy("{field}应在{a}年到{b}年之间")),
    (DayField, ("overflow",), gettext_lazy("{field}应在{a}年到{b}年之间")),
    (serializers.DateField, ("invalid", "datetime"), gettext_lazy("{field}应为日期，如2026-03-02")),
    (serializers.ListField, ("not_a_list", "empty"), gettext_lazy("{field}应为列表")),
    (serializers.ListSerializer, ("not_a_list", "empty"), gettext_lazy("{field}应为列表")),
    (serializers.DictField, ("not_a_dict", "empty"), gettext_lazy("{field}格式不正确")),
    (serializers.JSONField, ("invalid",), gettext_lazy("{field}格式不正确")),
    (serializers.BooleanField, ("invalid",), gettext_lazy("{field}应为是或否")),
    (serializers.FileField, ("invalid", "no_name", "empty"), gettext_lazy("请选择文件")),
    (serializers.Serializer, ("invalid",), gettext_lazy("{field}格式不正确")),
)  # fmt: skip
"""By kind of field what is said of input that is none of its kind, in place of the framework's own sentences."""
_CHOSEN = (
    serializers.ChoiceField, IdField, IdListField, FlagField, serializers.DateTimeField, serializers.DateField,
)  # fmt: skip
"""Fields whose value people choose in place of typing it; a dictionary's value is another."""


def person_texts(field: serializers.Field) -> None:  # type: ignore[type-arg]
    """Set the error messages of a field, which contain its label."""
    name = str(field.label or field.field_name)
    choice = isinstance(field, _CHOSEN) or bool(dictionary_of(field))
    missing = _("请选择{field}").format(field=name) if choice else _("请输入{field}").format(field=name)
    field.error_messages = {**field.error_messages, "required": missing, "null": missing, "blank": missing}
    for kind, codes, sentence in _WRONG:
        if isinstance(field, kind):
            ours = str(sentence).format(field=name, a=clock.YEARS[0], b=clock.YEARS[-1])
            theirs = kind.default_error_messages
            field.error_messages.update({one: ours for one in codes if field.error_messages.get(one) is theirs[one]})
    if isinstance(field, serializers.ChoiceField):
        field.error_messages["invalid_choice"] = missing
    if isinstance(field, serializers.CharField):
        signs = ("null_characters_not_allowed", "surrogate_characters_not_allowed")
        _say(field, _("{field}格式不正确").format(field=name), *signs)
        if field.max_length is not None:
            _say(field, plural("{field}长度不能超过{n}个字符", field.max_length, field=name), "max_length")
        is_usual = field.error_messages["min_length"] is serializers.CharField.default_error_messages["min_length"]
        if field.min_length is not None and is_usual:
            _say(field, plural("{field}至少{n}个字符", field.min_length, field=name), "min_length")
    if isinstance(field, serializers.RegexField | serializers.EmailField):
        _say(field, str(field.error_messages["invalid"]), "invalid")
    if isinstance(field, serializers.ListField) and field.max_length is not None:
        _say(field, plural("{field}最多{n}项", field.max_length, field=name), "max_length")
    if isinstance(field, serializers.ListField | serializers.ListSerializer) and field.child is not None:
        field.child.label = name
        person_texts(field.child)
    if isinstance(field, serializers.DecimalField) and field.max_digits is not None:
        digits = plural("{field}最多{n}位数字", field.max_digits, field=name)
        whole = plural("{field}的整数部分最多{n}位", field.max_digits - (field.decimal_places or 0), field=name)
        field.error_messages.update(max_digits=digits, max_whole_digits=whole)
    if isinstance(field, serializers.DecimalField) and field.decimal_places is not None:
        places = plural("{field}最多{n}位小数", field.decimal_places, field=name)
        field.error_messages["max_decimal_places"] = places
    if isinstance(field, serializers.IntegerField | serializers.DecimalField):
        # The bounds of the column itself say nothing to people.
        _say(field, missing if choice else _("{field}格式不正确").format(field=name), "min_value", "max_value")
        low, high = _told(field.min_value), _told(field.max_value)
        if low is not None and high is not None:
            _say(field, _("{field}应在{a}到{b}之间").format(field=name, a=low, b=high), "min_value", "max_value")
        elif low is not None:
            _say(field, _("{field}不能小于{n}").format(field=name, n=low), "min_value")
        elif high is not None:
            _say(field, _("{field}不能大于{n}").format(field=name, n=high), "max_value")


def dictionary_of(field: Any) -> str:
    """Return the code of the dictionary whose keys a field of a noun takes; empty for all other fields."""
    return getattr(field, "dictionary", "") if isinstance(field, serializers.IntegerField) else ""


def _told(limit: Any) -> Any:
    """Return a limit that people are told; None for that of the database's integers, which says nothing to them."""
    return None if limit is None or abs(limit) >= 2**31 - 1 else limit


def _say(field: Any, text: str, *codes: str) -> None:
    """Set the message of the field's validators of these types."""
    for validator in field.validators:
        if getattr(validator, "code", "") in codes:
            validator.message = text


def _copied(field: Any) -> Any:
    """Return a field as another serializer has it, not bound to any; what one of them changes, the other keeps."""
    if hasattr(field, "child") or isinstance(field, serializers.BaseSerializer):
        # It holds fields that know it as their parent, so it is made anew as the framework does.
        new = copy.deepcopy(field)
        new.field_name, new.label, new.source, new.validators = (
            field.field_name, field.label, field.source, list(field.validators),
        )  # fmt: skip
        person_texts(new)
        return new
    new = copy.copy(field)
    new.error_messages, new.validators = dict(field.error_messages), list(field.validators)
    return new


class SpeakingSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """Serializer of an operation's input, with our error messages."""

    default_error_messages = dict.fromkeys(("invalid", "null"), gettext_lazy("请求参数格式错误"))

    def get_fields(self) -> dict[str, Any]:
        """Return the fields with labels and messages in the language of the request."""
        fields = super().get_fields()
        for name, field in fields.items():
            field.field_name = name
            person_texts(field)
        return fields


class NounSerializer(serializers.ModelSerializer):  # type: ignore[type-arg]
    """Serializer of a noun. Meta.fields are names of model fields; JSON has them in camelCase.

    It checks that references exist in the tenant and that unique values are not taken.
    """

    serializer_field_mapping = {
        **serializers.ModelSerializer.serializer_field_mapping,
        models.BigIntegerField: IdField,
        models.BooleanField: FlagField,
        models.DecimalField: AmountField,
        models.DateTimeField: MomentField,
        models.DateField: DayField,
    }
    serializer_related_field = IdField  # type: ignore[assignment]
    default_error_messages = {"invalid": gettext_lazy("请求参数格式错误")}

    def build_standard_field(self, field_name: str, model_field: Any) -> tuple[Any, dict[str, Any]]:
        """Give the field the label of its column, which DRF leaves out if it is spelled like the name."""
        kind, kwargs = super().build_standard_field(field_name, model_field)
        if not issubclass(kind, serializers.JSONField):
            kwargs = {name: one for name, one in kwargs.items() if name not in ("encoder", "decoder")}
        return kind, {"label": model_field.verbose_name, **kwargs}

    def build_relational_field(self, field_name: str, relation_info: Any) -> tuple[Any, dict[str, Any]]:
        """Return a ReferenceField for a foreign key."""
        model_field = relation_info.model_field
        kwargs: dict[str, Any] = {"label": model_field.verbose_name, "source": f"{field_name}_id"}
        if not model_field.editable or field_name in getattr(self.Meta, "read_only_fields", ()):
            return IdField, {**kwargs, "read_only": True, "allow_null": model_field.null}
        if model_field.null:
            kwargs.update(allow_null=True, required=False)
        return ReferenceField, {**kwargs, "model": relation_info.related_model}

    def get_fields(self) -> dict[str, Any]:
        """Return the fields of the model under their JSON names."""
        # They follow from the class alone, and making them takes longer than most statements: made once a language.
        cls: Any = type(self)
        if "_made" not in vars(cls):
            cls._made = {}
        language = get_language()
        if language not in cls._made:
            cls._made[language] = self._make_fields()
        return {name: _copied(field) for name, field in cls._made[language].items()}

    def _make_fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        model: Any = self.Meta.model
        columns = {one.attname: one for one in model._meta.concrete_fields}
        for name, field in super().get_fields().items():
            wire = camel(name)
            column = columns.get(field.source or name)
            if field.label is None and column is not None:
                field.label = column.verbose_name
            if isinstance(column, DictionaryField) and isinstance(field, serializers.IntegerField):
                field.dictionary = column.dictionary  # type: ignore[attr-defined]  # see dictionary_of
            if name in self._declared_fields:
                wire = name
            elif isinstance(field, IdField) and field.source and field.source.endswith("_id") and wire[-2:] != "Id":
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
        if issubclass(self.Meta.model, VersionedModel) and "id" in fields:
            label = VersionedModel._meta.get_field("lock_version").verbose_name
            is_ledger = isinstance(getattr(self.Meta.model, "balance", None), Balance)
            fields[LOCK_VERSION] = LockVersionField(source="lock_version", label=label, read_only=is_ledger)
            person_texts(fields[LOCK_VERSION])
        return fields

    def get_unique_together_validators(self) -> list[Any]:
        """Return none of DRF's, whose sentence names columns; see `run_validation`."""
        return []

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Run the rules of the noun, then those of dictionaries and the unique rules of its table."""
        attrs = super().run_validation(data)
        attrs.pop("lock_version", None)  # compared with the row's, and never written
        parent_id = attrs.get("parent_id")
        if parent_id is not None and parent_id != getattr(self.instance, "parent_id", None):
            check_place(self.Meta.model, self.instance, parent_id)
        self._check_dictionaries(attrs)
        model: Any = self.Meta.model
        for names in unique_rules(model):
            if self._is_taken(attrs, names):
                wire = self._wire_name(names[-1])
                text = _("{field}「{value}」已存在").format(field=self.fields[wire].label, value=attrs[names[-1]])
                raise serializers.ValidationError({wire: [text]})
        return attrs

    def _check_dictionaries(self, attrs: Mapping[str, Any]) -> None:
        """Raise ValidationError for a value that its dictionary does not offer and the row does not have already."""
        for wire, field in self.fields.items():
            source = field.source or wire
            code = dictionary_of(field)
            if not code or field.read_only or attrs.get(source) is None:
                continue
            key = attrs[source]
            if key == getattr(self.instance, source, None) or str(key) in dictionaries.choices_of(code):
                continue
            sealed = dictionaries.names_of(code).get(str(key))
            unknown = field.error_messages["required"]
            text = _("「{name}」已封存，不能使用").format(name=sealed) if sealed else unknown
            raise serializers.ValidationError({wire: [text]})

    def update(self, instance: Any, validated_data: Any) -> Any:
        """Save only the fields that differ."""
        instance.change(validated_data)
        return instance

    def _is_taken(self: Any, attrs: dict[str, Any], names: tuple[str, ...]) -> bool:
        """Return whether another row, not deleted, has these values already."""
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
    """Return the sets of attributes that are unique together within the tenant."""
    rules: list[tuple[str, ...]] = [
        (field.attname,) for field in model._meta.concrete_fields if field.unique and not field.primary_key
    ]
    for constraint in model._meta.constraints:
        if isinstance(constraint, models.UniqueConstraint):
            names = [name for name in constraint.fields if name != "tenant_id"]
            rules.append(tuple(model._meta.get_field(name).attname for name in names))
    return tuple(rule for rule in rules if rule)
