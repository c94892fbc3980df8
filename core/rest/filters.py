"""Declared list filters: public name → column and kind. Parameters that are not declared never reach a query."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from functools import reduce
from operator import or_
from typing import Any
from urllib.parse import parse_qsl

from django.db import models
from django.db.models import F, Q, QuerySet, Value
from django.utils import timezone
from django.utils.translation import gettext as _

from core.kernel import clock
from core.kernel.errors import Invalid
from core.kernel.ids import is_id
from core.kernel.texts import camel

TEXT, CODE, ID, INTEGER, FLAG, MOMENT = "text", "code", "id", "integer", "flag", "moment"
DECIMAL, DATE = "decimal", "date"

_LOOKUPS = {
    "equal": "exact",
    "like": "icontains",
    "likeleft": "iendswith",
    "likeright": "istartswith",
    "ge": "gte",
    "gt": "gt",
    "le": "lte",
    "lt": "lt",
    "datege": "gte",
    "dategt": "gt",
    "datele": "lte",
    "datelt": "lt",
    "dateequal": "exact",
}
SUFFIXES = frozenset({*_LOOKUPS, "notequal", "notlike", "null", "notnull"})
"""What may follow the name of a filter, behind an underscore."""
_ORDERED = {"ge", "gt", "le", "lt"}
_TEXTUAL = {"like", "likeleft", "likeright", "notlike"}
_DATED = {"datege", "dategt", "datele", "datelt", "dateequal"}
_MAX_TEXT = 200
_MAX_WORD = 100
_EXACT = models.DecimalField(max_digits=40, decimal_places=12)
_NUMBER = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,12})?")


@dataclass(frozen=True)
class Filter:
    """One declared filter. `column` is the ORM path; `apply` replaces the suffix rule with a function of its own."""

    column: str = ""
    kind: str = TEXT
    apply: Callable[[QuerySet[Any], str], QuerySet[Any]] | None = None
    sortable: bool = True
    stored: Callable[[Any], Any] | None = None
    """Turns a value into what the column holds, where that is not of the filter's kind."""


def contains(columns: Iterable[str], text: str) -> Q:
    """Return the condition that one of the columns contains what was typed, without the blanks around it."""
    word = text.strip()[:_MAX_WORD]
    # A word without letters that have a case, most Chinese ones, is found in half the time as it stands.
    lookup = "contains" if word.upper() == word.lower() else "icontains"
    return reduce(or_, (Q(**{f"{column}__{lookup}": word}) for column in columns), Q())


def with_word(*columns: str) -> Filter:
    """Return the filter for rows one of whose columns contains what was typed."""
    return Filter(apply=lambda rows, text: rows.filter(contains(columns, text)))


def below(column: str) -> Filter:
    """Return the filter for rows that refer by this column to the named row of a tree or to one below it."""

    def apply(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
        return rows.filter(**{f"{column}__path__contains": f"/{int(text)}/"}) if is_id(text) else rows.none()

    return Filter(kind=ID, apply=apply)


def filters_of(model: type[models.Model], *names: str) -> dict[str, Filter]:
    """Return filters for columns of the model: `post_code` gives postCode, `parent` gives parentId.

    The creation time is always included.
    """
    found = {}
    has_time = any(field.name == "create_time" for field in model._meta.concrete_fields)
    for name in (*names, *(["create_time"] if has_time else ())):
        field: Any = model._meta.get_field(name)
        found[camel(field.attname)] = Filter(field.attname, kind_of(field))
    return found


def kind_of(field: Any) -> str:
    """Return the kind of filter for a column; raises TypeError for a type that no filter fits."""
    if field.is_relation or isinstance(field, models.BigIntegerField):
        return ID
    if isinstance(field, models.BooleanField):
        return FLAG
    if isinstance(field, models.IntegerField):
        return INTEGER
    if isinstance(field, models.DateTimeField):
        return MOMENT
    if isinstance(field, models.DateField):
        return DATE
    if isinstance(field, models.DecimalField | models.FloatField):
        return DECIMAL
    if not isinstance(field, models.CharField | models.TextField):
        raise TypeError(f"{field}: no filter fits a {type(field).__name__}; declare a Filter with `apply`")
    name = field.name or ""
    # Codes are compared whole, names by what they contain.
    return CODE if name.endswith(("_code", "_key", "_id", "alias")) or name == "code" else TEXT


def has_filter(field: Any) -> bool:
    """Return whether a filter fits a column of this type."""
    try:
        return bool(kind_of(field))
    except TypeError:
        return False


def moment_of(name: str, text: str, *, is_end: bool = False) -> datetime:
    """Return the datetime of a parameter. A date alone means the start of the day, or its end.

    One beyond our years, by which clients say that an end is open, means the end of our years. Raises Invalid, with the
    parameter's name, for any other text.
    """
    try:
        if len(text) <= 10:
            found = datetime.combine(date.fromisoformat(text), time.max if is_end else time.min)
        else:
            found = datetime.fromisoformat(text)
        found = clock.within_years(found)
        return found if found.tzinfo is not None else timezone.make_aware(found)
    except ValueError:
        raise Invalid({name: _("请求参数格式错误: {name}").format(name=name)}) from None


def _number(name: str, text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        raise Invalid({name: _("请求参数格式错误: {name}").format(name=name)}) from None
    if not -(2**63) <= value < 2**63:
        raise Invalid({name: _("请求参数格式错误: {name}").format(name=name)})
    return value


def _decimal(name: str, text: str) -> Value:
    """Return an exact number with its own places, so that no database rounds it to those of the column."""
    if not _NUMBER.fullmatch(text):
        raise Invalid({name: _("请求参数格式错误: {name}").format(name=name)})
    return Value(Decimal(text), output_field=_EXACT)


def _date(name: str, text: str) -> date:
    try:
        return clock.within_years(datetime.fromisoformat(text).date())
    except ValueError:
        raise Invalid({name: _("请求参数格式错误: {name}").format(name=name)}) from None


def _value(name: str, entry: Filter, suffix: str, text: str) -> Any:
    value = _read(name, entry, suffix, text)
    return value if entry.stored is None else entry.stored(value)


def _read(name: str, entry: Filter, suffix: str, text: str) -> Any:
    if entry.kind == MOMENT:
        return moment_of(name, text, is_end=suffix in ("datelt", "datele", "lt", "le"))
    if entry.kind in (ID, INTEGER):
        return _number(name, text)
    if entry.kind == DECIMAL:
        return _decimal(name, text)
    if entry.kind == DATE:
        return _date(name, text)
    if entry.kind == FLAG:
        return text in ("1", "true")
    if "\x00" in text or len(text) > _MAX_TEXT:
        raise Invalid({name: _("请求参数格式错误: {name}").format(name=name)})
    return text


def condition(name: str, entry: Filter, suffix: str, text: str) -> Q:
    """Return what a filter with a fitting suffix asks for. Raises Invalid, with the parameter's name."""
    column = entry.column
    if suffix in ("null", "notnull"):
        return Q(**{f"{column}__isnull": suffix == "null"})
    if suffix in ("", "equal", "notequal"):
        if suffix == "" and entry.kind == TEXT:
            return Q(**{f"{column}__icontains": _value(name, entry, suffix, text)})
        if suffix == "" and "," in text and entry.kind in (ID, INTEGER, CODE):
            return Q(**{f"{column}__in": [_value(name, entry, suffix, part) for part in text.split(",")[:200] if part]})
        equal = Q(**{column: _value(name, entry, suffix, text)})
        return ~equal if suffix == "notequal" else equal
    value = _value(name, entry, suffix, text)
    if suffix == "notlike":
        return ~Q(**{f"{column}__icontains": value})
    return Q(**{f"{column}__{_LOOKUPS[suffix]}": value})


def fits(entry: Filter, suffix: str) -> bool:
    """Return whether the suffix applies to this kind of filter; if not, the parameter is ignored."""
    if suffix in ("", "equal", "notequal", "null", "notnull"):
        return True
    if suffix not in _LOOKUPS and suffix != "notlike":
        return False
    if suffix in _DATED:
        return entry.kind in (MOMENT, DATE)
    if suffix in _TEXTUAL:
        return entry.kind in (TEXT, CODE)
    return suffix in _ORDERED and entry.kind in (INTEGER, ID, MOMENT, DECIMAL, DATE)


def parse_filters(text: str) -> dict[str, str]:
    """Return the filters that are written as one text, such as `status=1&urgency_ge=3`."""
    return dict(parse_qsl(text, keep_blank_values=False, max_num_fields=20))


def unknown_filters(text: str, declared: Mapping[str, Filter]) -> list[str]:
    """Return the names in such a text that are not declared or whose value is invalid."""
    wrong = []
    for parameter, value in parse_filters(text).items():
        name, _sep, suffix = parameter.partition("_")
        entry = declared.get(name)
        if entry is None or not (fits(entry, suffix) if entry.apply is None else not suffix):
            wrong.append(parameter)
        elif entry.apply is None:
            try:
                condition(parameter, entry, suffix, value)
            except Invalid:
                wrong.append(parameter)
    return wrong


def apply_filters(queryset: QuerySet[Any], declared: Mapping[str, Filter], given: Mapping[str, str]) -> QuerySet[Any]:
    """Narrow the queryset by the declared filters among the given parameters; unknown names are ignored."""
    for parameter, text in given.items():
        name, _sep, suffix = parameter.partition("_")
        entry = declared.get(name)
        if entry is None or text == "" or not isinstance(text, str):
            continue
        if entry.apply is not None:
            if not suffix:
                queryset = entry.apply(queryset, text)
        elif fits(entry, suffix):
            queryset = queryset.filter(condition(parameter, entry, suffix, text))
    return queryset


def in_order(rows: QuerySet[Any], names: Iterable[str]) -> QuerySet[Any]:
    """Sort the rows with NULL as the greatest value on both databases, as PostgreSQL does by default."""
    return rows.order_by(*(_by(rows, name) for name in names))


def _by(rows: QuerySet[Any], name: str) -> Any:
    column = name.lstrip("-")
    if not _may_be_empty(rows, column):
        return name
    return F(column).desc(nulls_first=True) if name.startswith("-") else F(column).asc(nulls_last=True)


def _may_be_empty(rows: QuerySet[Any], column: str) -> bool:
    """Return whether a column may be null: one of the model, of a related model, or one that the list computes."""
    if column in rows.query.annotations:
        return True
    *steps, last = column.split("__")
    return bool(steps) or (last not in ("pk", "id") and rows.model._meta.get_field(last).null)


def ordering(declared: Mapping[str, Filter], given: Mapping[str, str], default: tuple[str, ...]) -> tuple[str, ...]:
    """Return the ORM ordering for `ascs` and `descs`, with the id last. Names that are not declared are ignored."""
    order: list[str] = []
    for parameter, sign in (("ascs", ""), ("descs", "-")):
        for name in given.get(parameter, "").split(","):
            entry = declared.get(camel(name.strip()))
            if entry is not None and entry.sortable and entry.apply is None:
                order.append(f"{sign}{entry.column}")
    chosen = tuple(order) or default
    return chosen if chosen[-1].lstrip("-") == "id" else (*chosen, "-id")
