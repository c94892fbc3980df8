"""The input of starts and commands: serializers that follow from the record's columns and the declared remark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from django.db import models
from django.utils.translation import gettext as _
from rest_framework import serializers

from core.cases.case import Case, Command
from core.kernel import stored_files
from core.kernel.errors import Invalid
from core.kernel.half_days import HalfDays, days_between
from core.kernel.texts import camel, moment
from core.rest.serializers import IdField, NounSerializer, SpeakingSerializer
from core.rest.shapes import shape


class CaseInput(NounSerializer):
    """Input that is made of the record's columns; its values have the columns' names.

    `Meta.required` names the fields that may not be empty, whatever the column allows. Half days that the model
    declares are counted here; a client that sends its own number of days is told when it is wrong.
    """

    def get_fields(self) -> dict[str, Any]:
        """The columns' fields, those of `Meta.required` strict."""
        fields = super().get_fields()
        model: Any = self.Meta.model
        columns = {one.name: one.attname for one in model._meta.concrete_fields}
        required = {columns.get(name, name) for name in getattr(self.Meta, "required", ())}
        half_days = getattr(model, "half_days", None)
        for name, field in fields.items():
            if (field.source or name) in required:
                field.required, field.allow_null, field.allow_blank = True, False, False
            if isinstance(half_days, HalfDays) and (field.source or name) == half_days.days:
                field.write_only = True  # an edit that does not send it counts anew
        return fields

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Count half days and ask `rules`, but not of a draft."""
        if self.context["is_draft"]:
            return attrs
        model: Any = self.Meta.model
        half_days = getattr(model, "half_days", None)
        if isinstance(half_days, HalfDays) and half_days.first in attrs:
            attrs = _counted(half_days, model, attrs)
        return self.rules(attrs)

    def rules(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Raise ValidationError where a rule beyond the single fields is broken; return the values."""
        return attrs


class StartInput(CaseInput):
    """Input of a start; it may name the version of the process that the form was opened for."""

    def get_fields(self) -> dict[str, Any]:
        """The columns' fields and the version."""
        return {**super().get_fields(), "processDefinitionId": IdField(required=False, allow_null=True)}


def _counted(half_days: HalfDays, model: Any, attrs: dict[str, Any]) -> dict[str, Any]:
    """Return the values with the number of days; raises ValidationError for an end before the start, or too many."""
    last, called = camel(half_days.last), model._meta.get_field(half_days.days).verbose_name
    start, end = attrs[half_days.first], attrs[half_days.last]
    if end <= start:
        raise serializers.ValidationError({last: _("结束时间必须晚于开始时间")})
    days = days_between(start, end)
    if days > half_days.most:
        raise serializers.ValidationError({last: _("时间不能超过{n}天").format(n=half_days.most)})
    if attrs.get(half_days.days) not in (None, days):
        text = _("{field}应为{n}天").format(field=called, n=f"{days:f}".removesuffix(".0"))
        raise serializers.ValidationError({camel(half_days.days): text})
    return {**attrs, half_days.days: days}


def checked(
    kind: type[serializers.Serializer[Any]], raw: Mapping[str, Any], record: Any = None,
    *, keeps: bool = False, is_draft: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Return the input's values; raises ValidationError. The serializer finds the record in its context.

    With `keeps` the record's own values stand for what is not sent. Of a draft every field may be missing, and what is
    missing gets the column's default.
    """
    context = {"record": record, "is_draft": is_draft}
    if keeps:
        raw = {**kind(record, context=context).data, **raw}
    if is_draft:
        raw = {name: value for name, value in raw.items() if value not in (None, "")}
    serializer = kind(data=raw, context=context, partial=is_draft)
    serializer.is_valid(raise_exception=True)
    return {**(_defaults(serializer) if is_draft else {}), **serializer.validated_data}


def refuse_fixed(kind: type[serializers.Serializer[Any]], raw: Mapping[str, Any], record: Any) -> None:
    """Raise Invalid where a column that the input does not take is sent with another value than the record has.

    Clients of the family send whole rows back, with names and sums beside the columns: what says how things stand, and
    what is no column, is passed over. So are lists and files, which have another form on the wire.
    """
    taken = kind(record, context={"record": record, "is_draft": False}).fields
    columns = record._meta.concrete_fields
    passed_over = {
        *stored_files.columns(record._meta.model),
        *(one for one in columns if isinstance(one, models.JSONField)),
    }
    for column in columns:
        name = camel(column.attname)
        if name in ("id", "lockVersion") or name in taken or column in passed_over:
            continue
        if name in raw and not _says(getattr(record, column.attname), raw[name]):
            raise Invalid({name: _("{field}不能修改").format(field=column.verbose_name)})


def _says(value: Any, sent: Any) -> bool:
    """Return whether a value on the wire is this value of a column."""
    if isinstance(value, Decimal):
        with suppress(InvalidOperation):
            return Decimal(str(sent)) == value
    given = "" if sent is None else str(int(sent)) if isinstance(sent, bool) else str(sent)
    if isinstance(value, bool):
        return given.lower() in (("1", "true") if value else ("0", "false", ""))
    if isinstance(value, datetime):
        return given == moment(value)
    return given == ("" if value is None else str(value))


def _defaults(serializer: Any) -> dict[str, Any]:
    """By column of the input its default."""
    columns = {one.attname: one for one in serializer.Meta.model._meta.concrete_fields}
    names = [field.source for field in serializer.fields.values() if field.source in columns]
    return {name: columns[name].get_default() for name in names}


_built: dict[tuple[str, str], type[serializers.Serializer[Any]]] = {}


def input_of_start(case: Case) -> type[serializers.Serializer[Any]]:
    """Return the declared input of the start, else one made of its fields."""
    if case.start.input is not None:
        return case.start.input
    key = (case.name, "")
    if key not in _built:
        own = {**written(case.model, case.start.fields), "__doc__": f"Input of {case.name}.{case.start.name}."}
        _built[key] = type(f"{case.model.__name__}Input", (StartInput,), own)
    return _built[key]


def written(model: type[models.Model], columns: Iterable[str], *more: str, **meta: Any) -> dict[str, Any]:
    """Return the attributes of a serializer by which these columns are filled; `more` are fields beside them."""
    shapes = [shape(model, column) for column in columns]
    own = {name: one for each in shapes for name, one in each.fields(model).items() if not one.read_only}
    names = tuple(name for each in shapes for name in each.columns())
    return {**own, "Meta": type("Meta", (), {"model": model, "fields": (*names, *own, *more), **meta})}


def input_of(case: Case, command: Command) -> type[serializers.Serializer[Any]]:
    """Return the declared input of the command, else one made of its fields and its remark."""
    if command.input is not None:
        return command.input
    key = (case.name, command.name)
    if key not in _built:
        _built[key] = _build(case, command)
    return _built[key]


def _build(case: Case, command: Command) -> type[serializers.Serializer[Any]]:
    name = f"{case.model.__name__}{command.name[0].upper()}{command.name[1:]}Input"
    own: dict[str, Any] = {"__doc__": f"Input of {case.name}.{command.name}."}
    if command.remark is not None:
        remark = command.remark
        may_be_empty: dict[str, Any] = (
            {} if remark.is_required else {"required": False, "default": "", "allow_blank": True}
        )
        own[remark.name] = serializers.CharField(label=remark.label, max_length=remark.most, **may_be_empty)
    if not command.fields:
        return type(name, (SpeakingSerializer,), own)
    more = [name for name in own if name != "__doc__"]
    return type(name, (CaseInput,), {**own, **written(case.model, command.fields, *more, required=command.fields)})
