"""Facts and people that follow from a record's columns."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.db import models

from core.access.people import holders_of_code
from core.cases.case import Fact, People
from core.kernel.texts import camel
from core.ports import Kind

_KINDS = {"user": Kind.USER, "department": Kind.DEPT, "team": Kind.TEAM}
"""By the lower-case name of the model that a foreign key refers to."""


def fact(model: type[models.Model], column: str, name: str = "", called: str = "") -> Fact:
    """Return the fact of a column; its name, label, kind and choices are the column's unless they are given."""
    field: Any = model._meta.get_field(column)
    label = called or field.verbose_name
    if field.is_relation:
        kind = _KINDS.get(field.related_model._meta.model_name)
        if kind is None:
            raise ValueError(
                f"conditions cannot read {model.__name__}.{column}: declare a Fact with a value of your own"
            )
        return Fact(name or camel(field.attname), label, kind, lambda record: getattr(record, field.attname) or "")
    if field.choices:
        return Fact(
            name or camel(column), label, Kind.CHOICE, lambda record: getattr(record, column), tuple(field.choices)
        )
    kind = Kind.FLAG if isinstance(field, models.BooleanField) else Kind.NUMBER
    return Fact(name or camel(column), label, kind, lambda record: _plain(getattr(record, column)))


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else 0 if value is None else value


def person(column: str, label: str) -> People:
    """Return the person whom a column of the record names."""
    return People(label, lambda record: [getattr(record, f"{column}_id")])


def holders(code: str, label: str) -> People:
    """Return the people who hold a permission code, see `core.access.people.holders_of_code`."""
    return People(label, lambda record: holders_of_code(code))
