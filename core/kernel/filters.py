"""List filters by declaration: public name → column and kind; what is not declared never reaches a query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from urllib.parse import parse_qsl

from django.db import models
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from core.kernel.errors import Invalid

TEXT, CODE, ID, INTEGER, FLAG, MOMENT = "text", "code", "id", "integer", "flag", "moment"

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
_ORDERED = {"ge", "gt", "le", "lt"}
_TEXTUAL = {"like", "likeleft", "likeright", "notlike"}
_DATED = {"datege", "dategt", "datele", "datelt", "dateequal"}
_MAX_TEXT = 200


@dataclass(frozen=True)
class Filter:
    """One declared filter. `column` is the ORM path; `apply` replaces the suffix rule with a function of its own."""

    column: str = ""
    kind: str = TEXT
    apply: Callable[[QuerySet[Any], str], QuerySet[Any]] | None = None
    sortable: bool = True


def filters_of(model: type[models.Model], *names: str) -> dict[str, Filter]:
    """Filters on columns of the model, their kinds read off it: `post_code` gives postCode, `parent` gives parentId.

    The time of making is always among them, because every list can be searched by it.
    """
    from core.kernel.serializers import camel

    found = {}
    has_time = any(field.name == "create_time" for field in model._meta.concrete_fields)
    for name in (*names, *(["create_time"] if has_time else ())):
        field: Any = model._meta.get_field(name)
        found[camel(field.attname)] = Filter(field.attname, _kind(field))
    return found


def _kind(field: Any) -> str:
    if field.is_relation or isinstance(field, models.BigIntegerField):
        return ID
    if isinstance(field, models.BooleanField):
        return FLAG
    if isinstance(field, models.IntegerField):
        return INTEGER
    if isinstance(field, models.DateTimeField):
        return MOMENT
    # Codes are compared whole, names by what they contain.
    return CODE if field.name.endswith(("_code", "_key", "_id", "alias")) or field.name == "code" else TEXT


def moment_of(name: str, text: str, *, is_end: bool = False) -> datetime:
    """A date-time as the dialect writes it; a bare date is its beginning, or its end. Raises Invalid for the name."""
    try:
        if len(text) <= 10:
            day = date.fromisoformat(text)
            naive = datetime.combine(day, time.min)
            if is_end:
                naive += timedelta(days=1) - timedelta(microseconds=1)
        else:
            naive = datetime.fromisoformat(text)
            if naive.tzinfo is not None:
                return naive
        return timezone.make_aware(naive)
    except (ValueError, OverflowError):
        raise Invalid({name: _("请求参数格式错误: {name}").format(name=name)}) from None


def _number(name: str, text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        raise Invalid({name: _("请求参数格式错误: {name}").format(name=name)}) from None
    if not -(2**63) <= value < 2**63:
        raise Invalid({name: _("请求参数格式错误: {name}").format(name=name)})
    return value


def _value(name: str, entry: Filter, suffix: str, text: str) -> Any:
    if entry.kind == MOMENT:
        return moment_of(name, text, is_end=suffix in ("datelt", "datele", "lt", "le"))
    if entry.kind in (ID, INTEGER):
        return _number(name, text)
    if entry.kind == FLAG:
        return text in ("1", "true")
    if "\x00" in text or len(text) > _MAX_TEXT:
        raise Invalid({name: _("请求参数格式错误: {name}").format(name=name)})
    return text


def _condition(name: str, entry: Filter, suffix: str, text: str) -> Q:
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


def _fits(entry: Filter, suffix: str) -> bool:
    """Whether this suffix means anything on this kind; one that does not is ignored like an unknown name."""
    if suffix in ("", "equal", "notequal", "null", "notnull"):
        return True
    if suffix not in _LOOKUPS and suffix != "notlike":
        return False
    if suffix in _DATED:
        return entry.kind == MOMENT
    if suffix in _TEXTUAL:
        return entry.kind in (TEXT, CODE)
    return suffix in _ORDERED and entry.kind in (INTEGER, ID, MOMENT)


def parse_filters(text: str) -> dict[str, str]:
    """Filters written as one text, such as `status=1&urgency_ge=3`."""
    return dict(parse_qsl(text, keep_blank_values=False, max_num_fields=20))


def unknown_filters(text: str, declared: Mapping[str, Filter]) -> list[str]:
    """The names of such a text that would have no effect, or whose value is none of their kind."""
    wrong = []
    for parameter, value in parse_filters(text).items():
        name, _sep, suffix = parameter.partition("_")
        entry = declared.get(name)
        if entry is None or not (_fits(entry, suffix) if entry.apply is None else not suffix):
            wrong.append(parameter)
        elif entry.apply is None:
            try:
                _condition(parameter, entry, suffix, value)
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
        elif _fits(entry, suffix):
            queryset = queryset.filter(_condition(parameter, entry, suffix, text))
    return queryset


def in_order(rows: QuerySet[Any], names: Iterable[str]) -> QuerySet[Any]:
    """The rows in this order, what is empty counted as the greatest, as PostgreSQL has it and SQLite has not."""
    return rows.order_by(*(_by(rows.model, name) for name in names))


def _by(model: type[models.Model], name: str) -> Any:
    column = name.lstrip("-")
    *steps, last = column.split("__")
    related: Any = model
    for step in steps:
        related = related._meta.get_field(step).related_model
    nullable = bool(steps) or (last not in ("pk", "id") and related._meta.get_field(last).null)
    if not nullable:
        return name
    return F(column).desc(nulls_first=True) if name.startswith("-") else F(column).asc(nulls_last=True)


def ordering(declared: Mapping[str, Filter], given: Mapping[str, str], default: tuple[str, ...]) -> tuple[str, ...]:
    """ORM ordering from `ascs` and `descs`; names that are not declared are ignored, the id makes it total."""
    from core.kernel.serializers import camel

    order: list[str] = []
    for parameter, sign in (("ascs", ""), ("descs", "-")):
        for name in given.get(parameter, "").split(","):
            entry = declared.get(camel(name.strip()))
            if entry is not None and entry.sortable and entry.apply is None:
                order.append(f"{sign}{entry.column}")
    chosen = tuple(order) or default
    return chosen if chosen[-1].lstrip("-") == "id" else (*chosen, "-id")
