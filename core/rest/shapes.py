"""Shapes: entries of a noun's `fields` that are more than a column name, and the serializer generated from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import models
from django.db.models import ExpressionWrapper
from django.utils.translation import gettext as _
from rest_framework import serializers

from core.kernel.models import AuditedModel, DictionaryField
from core.kernel.texts import camel, label, plural
from core.rest.filters import Filter, kind_of
from core.rest.serializers import (
    LOCK_VERSION,
    AmountField,
    DictionaryNameField,
    IdField,
    NameField,
    NounSerializer,
    person_texts,
)

YES, NO = label("是", "Yes"), label("否", "No")
Serialized = Mapping[str, "serializers.Field[Any, Any, Any, Any]"]


class Shape:
    """One entry of `fields`: the model's columns that it shows, and the serializer fields that it adds."""

    def columns(self) -> tuple[str, ...]:
        """Return the names of the columns that the serializer reads off the model."""
        return ()

    def fields(self, model: Any) -> Serialized:
        """Return the serializer fields beside those columns, by their names in JSON."""
        return {}


@dataclass(frozen=True)
class Column(Shape):
    """A column of the model; of a choice, a dictionary's value and a reference also the name."""

    name: str

    def columns(self) -> tuple[str, ...]:
        """Return the column itself."""
        return (self.name,)

    def fields(self, model: Any) -> Serialized:
        """Return `…Name`, where the column's value has one."""
        column: Any = model._meta.get_field(self.name)
        wire = f"{camel(self.name)}Name"
        if isinstance(column, DictionaryField):
            return {
                wire: DictionaryNameField(dictionary=column.dictionary, source=self.name, label=column.verbose_name)
            }
        if column.choices:
            return {wire: NameField(source=f"get_{self.name}_display", label=column.verbose_name)}
        return {wire: NameField(source=self.name, label=column.verbose_name)} if column.is_relation else {}


@dataclass(frozen=True)
class Computed(Shape):
    """A value that the database computes for each row: it is shown, filtered and sorted like a column.

    `output` is the column that it would be, such as `models.BooleanField()`, with `null=True` where a row may have
    none; `expression` may be a Q.
    """

    name: str
    label: Any
    expression: Any
    output: models.Field[Any, Any]

    def annotation(self) -> ExpressionWrapper[Any]:
        """Return what the list's statement selects under this name."""
        return ExpressionWrapper(self.expression, output_field=self.output)

    def filter(self) -> Filter:
        """Return the filter by which a list is narrowed and sorted."""
        return Filter(self.name, kind_of(self.output))

    def fields(self, model: Any) -> Serialized:
        """Return the field for answers."""
        given: dict[str, Any] = {"source": self.name, "label": self.label, "read_only": True}
        if self.output.null:
            given["allow_null"] = True
        if isinstance(self.output, models.DecimalField):
            places: dict[str, Any] = {
                "max_digits": self.output.max_digits,
                "decimal_places": self.output.decimal_places,
            }
            return {camel(self.name): AmountField(**given, **places)}
        kinds: Any = NounSerializer.serializer_field_mapping
        kind = next(kinds[one] for one in type(self.output).__mro__ if one in kinds)
        return {camel(self.name): kind(**given)}


class WordField(NameField):
    """The word for the current state of a switch; read-only."""

    def __init__(self, *, on: Any, off: Any, **kwargs: Any):
        super().__init__(**kwargs)
        self.on, self.off = on, off

    def get_attribute(self, instance: Any) -> str:
        """Return one of the two words, in the caller's language."""
        return str(self.on if getattr(instance, str(self.source)) else self.off)


@dataclass(frozen=True)
class Switch(Shape):
    """A yes/no column with a word for each state, such as 启用 and 停用."""

    name: str
    on: Any = YES
    off: Any = NO

    def columns(self) -> tuple[str, ...]:
        """Return the column itself."""
        return (self.name,)

    def fields(self, model: Any) -> Serialized:
        """Return `…Name`."""
        said = model._meta.get_field(self.name).verbose_name
        return {f"{camel(self.name)}Name": WordField(on=self.on, off=self.off, source=self.name, label=said)}


class DetailSerializer(NounSerializer):
    """A nested row, edited in the form of its head. With an id it is an existing row."""

    id = IdField(required=False)

    def get_fields(self) -> dict[str, Any]:
        """Return the fields without the record version; the version of the head guards its rows too."""
        return {name: one for name, one in super().get_fields().items() if name != LOCK_VERSION}

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Return the validated values. Fields of an existing row that are not sent keep their values."""
        rows: Any = self.parent
        self.instance = None
        if isinstance(data, Mapping) and (row_id := IdField(allow_null=True).run_validation(data.get("id", ""))):
            self.instance = rows.existing().get(row_id)
            if self.instance is None:
                raise serializers.ValidationError({"id": [_("数据不存在或已被删除")]})
        elif isinstance(data, Mapping):
            self._check_required(data)
        return super().run_validation(data)

    def _check_required(self, data: Mapping[str, Any]) -> None:
        """Raise ValidationError for fields missing in a new row, which DRF skips in a partial update of the head."""
        lacking = {name: one for name, one in self.fields.items() if one.required and name not in data}
        for one in lacking.values():
            person_texts(one)
        if lacking:
            texts = {name: [str(one.error_messages["required"])] for name, one in lacking.items()}
            raise serializers.ValidationError(texts)


class DetailRows(serializers.ListSerializer):  # type: ignore[type-arg]
    """The rows of a head, in their order."""

    kind = "details"

    def __init__(self, *args: Any, details: Details, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.details = details

    def get_attribute(self, instance: Any) -> Any:
        """Return the head's rows with what they refer to; one statement."""
        return self.details.rows(instance.pk)

    def existing(self) -> Mapping[int, Any]:
        """Return the rows by id that the head has, read once a request."""
        head: Any = getattr(self.parent, "instance", None)
        context: Any = self.context
        key = f"details {self.details.name}"
        if key not in context:
            context[key] = {row.pk: row for row in self.details.rows(head.pk)} if head is not None else {}
        return context[key]  # type: ignore[no-any-return]

    def to_internal_value(self, data: Any) -> Any:
        """Return the rows to keep and to add.

        Raises ValidationError for too few or too many rows, or one named twice.
        """
        found: Any = super().to_internal_value(data)
        ids = [row["id"] for row in found if row.get("id")]
        if len(ids) != len(set(ids)):
            raise serializers.ValidationError([_("请求参数格式错误")])
        if len(found) < self.details.least:
            raise serializers.ValidationError([_("请添加{field}").format(field=self.label)])
        if len(found) > self.details.most:
            raise serializers.ValidationError([plural("最多{n}行", self.details.most)])
        return found


@dataclass(frozen=True)
class Details(Shape):
    """Rows that belong to a head and are edited in its form: one `submit` writes both.

    A row keeps its id; one that is not sent is deleted softly. `sums` are columns of the head, each with a function
    that says what a row adds to it.
    """

    name: str
    label: Any
    model: type[AuditedModel]
    head: str
    """The row's foreign key to the head."""
    shown: tuple[str | Shape, ...]
    order: tuple[str, ...] = ("id",)
    least: int = 0
    most: int = 200
    sums: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)

    def rows(self, head_id: int) -> Any:
        """Return the rows of a head, with what they refer to."""
        related = [one.name for one in self.model._meta.concrete_fields if one.is_relation and one.name in self.shown]
        found = self.model._default_manager.filter(**{self.head: head_id}).order_by(*self.order)
        return found.select_related(*related) if related else found

    def fields(self, model: Any) -> Serialized:
        """Return the nested rows."""
        serializer = noun_serializer(self.model, self.shown, base=DetailSerializer)
        return {self.name: DetailRows(details=self, child=serializer(), label=self.label, required=self.least > 0)}

    def remove(self, head: Any) -> None:
        """Remove the rows of a head that is being removed."""
        for row in self.rows(head.pk):
            row.remove()

    def write(self, head: Any, bodies: Sequence[dict[str, Any]]) -> None:
        """Add, change and delete rows so that the head has exactly these; then update the sums on the head."""
        existing = {row.pk: row for row in self.rows(head.pk)}
        is_changed = False
        new, kept = [], []
        for body in bodies:
            values = {name: value for name, value in body.items() if name != "id"}
            row = existing.pop(body.get("id"), None)
            if row is None:
                new.append(self.model(**{f"{self.head}_id": head.pk}, **values))
            else:
                is_changed |= bool(row.change(values))
                kept.append(row)
        for row in existing.values():
            row.remove()
        rows = [*kept, *self.model._default_manager.bulk_create(new)]
        sums = {column: sum(amount(row) for row in rows) for column, amount in self.sums.items()}
        if not head.change(sums) and (is_changed or new or existing):
            # Whoever has read the head before has read other rows.
            type(head).count_write([head.pk])


class HeadSerializer(NounSerializer):
    """A noun whose rows are edited in its form."""

    details: tuple[Details, ...] = ()

    def create(self, validated_data: Any) -> Any:
        """Create the head and its rows."""
        written = self._taken(validated_data)
        return self._written(super().create(validated_data), written)

    def update(self, instance: Any, validated_data: Any) -> Any:
        """Change the head, and the rows where they are sent."""
        written = self._taken(validated_data)
        return self._written(super().update(instance, validated_data), written)

    def _taken(self, values: dict[str, Any]) -> list[tuple[Details, list[dict[str, Any]]]]:
        return [(one, values.pop(one.name)) for one in self.details if one.name in values]

    def _written(self, head: Any, written: list[tuple[Details, list[dict[str, Any]]]]) -> Any:
        for details, rows in written:
            details.write(head, rows)
        return head


column_shapes: dict[type[models.Field[Any, Any]], Callable[[str], Shape]] = {}
"""The shapes of columns that are more than a plain value, by their class; `core.storage` adds pictures."""


def shape(model: type[models.Model], declared: str | Shape) -> Shape:
    """Return an entry of `fields` as a shape; a name is a column."""
    if not isinstance(declared, str):
        return declared
    kind: Any = type(model._meta.get_field(declared))
    return column_shapes.get(kind, Column)(declared)


def editable_columns(model: type[models.Model]) -> tuple[str, ...]:
    """Return the columns that people may fill, in the order of the model: all but those with `editable=False`."""
    return tuple(one.name for one in model._meta.concrete_fields if one.editable and not one.primary_key)


def noun_serializer(
    model: type[models.Model], declared: Iterable[str | Shape], base: type[NounSerializer] = NounSerializer
) -> type[NounSerializer]:
    """Return the serializer of a noun: its id, what is declared, the name in the caller's language, two times."""
    shapes = [shape(model, one) for one in declared]
    names, own = ["id"], dict[str, Any]()
    for one in shapes:
        added = one.fields(model)
        names += [*one.columns(), *added]
        own |= added
    zh = next((name for name in names if f"{name}_en" in names), None)
    if zh is not None:
        names.append("title")
        own["title"] = NameField(source="__str__", label=model._meta.get_field(zh).verbose_name)  # type: ignore[union-attr]
    columns = {one.name for one in model._meta.concrete_fields}
    stamps = tuple(name for name in ("create_time", "update_time") if name in columns and base is not DetailSerializer)
    meta = {"model": model, "fields": (*names, *stamps), "read_only_fields": stamps}
    own["Meta"] = type("Meta", (), {**meta, "computed_from": getattr(base, "computed_from", ())})
    bases: tuple[type[NounSerializer], ...] = (base,)
    if details := tuple(one for one in shapes if isinstance(one, Details)):
        own["details"] = details
        bases = (HeadSerializer,) if base is NounSerializer else (HeadSerializer, base)
    own["__doc__"] = (model.__doc__ or "").partition("\n")[0]
    suffix = "DetailSerializer" if details else "Serializer"
    return type(f"{model.__name__}{suffix}", bases, own)
