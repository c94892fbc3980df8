"""Extra fields: what a company has added to a noun, and the values of a row, kept by key in its column `ext`."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.models import F, FilteredRelation, Q, QuerySet
from django.db.models.fields.json import KeyTransform
from django.utils.translation import gettext as _

from core.identity import tokens
from core.kernel.actor import Actor, current_actor
from core.kernel.errors import Invalid
from core.kernel.tenancy import current_tenant
from core.kernel.texts import both, label
from core.rest.filters import CODE, DATE, DECIMAL, TEXT, Filter, condition, fits
from core.rest.routes import view_of
from core.system.models import ExtraField, ExtraType

COLUMN = "ext"
PREFIX = f"{COLUMN}."
"""Begins the names of filters, of orders and of errors."""
MOST_FIELDS = 30
MOST_TEXT = 200
MOST_DIGITS = 15
"""A JSON number with so many is the same number in every database, language and browser."""


class ExtraValues(models.JSONField):
    """The values of the extra fields of a noun: text, number or `YYYY-MM-DD`, by key; what has none is left out."""

    def __init__(self, *args: Any, noun: str = "", **kwargs: Any):
        self.noun = noun
        super().__init__(*args, **{"default": dict, "blank": True, **kwargs})

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """Describe the column as plain JSON in migrations."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.JSONField", args, kwargs

    def told(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the values that differ, by what their fields are called, as an audit entry keeps changes."""
        found = []
        for one in declared(self.noun):
            old, new = before.get(one.key), after.get(one.key)
            if old != new:
                words = {"old": both(one.words(old)), "new": both(one.words(new))}
                found.append({"field": f"{PREFIX}{one.key}", "label": both(one.called), **words})
        return found


@dataclass(frozen=True)
class Choice:
    """A value that may be chosen."""

    value: str
    label: str
    label_en: str

    @property
    def called(self) -> str:
        """What people call it, in both languages."""
        return label(self.label, self.label_en)


@dataclass(frozen=True)
class Extra:
    """An extra field, as a company has declared it."""

    key: str
    label: str
    label_en: str
    type: ExtraType
    decimals: int
    required: bool
    is_sealed: bool
    options: tuple[Choice, ...] = ()

    @property
    def called(self) -> str:
        """What people call it, in both languages."""
        return label(self.label, self.label_en)

    def words(self, value: Any) -> Any:
        """Return a value as people read it, in both languages; empty where there is none."""
        if value is None:
            return ""
        if self.type == ExtraType.NUMBER:
            return f"{value:.{self.decimals}f}"
        return next((one.called for one in self.options if one.value == value), str(value))

    def asks(self) -> str:
        """Return what is said where it must have a value and has none."""
        is_chosen = self.type in (ExtraType.DATE, ExtraType.SELECT)
        text = _("请选择{field}") if is_chosen else _("请输入{field}")
        return text.format(field=self.called)

    def filter(self) -> Filter:
        """Return the filter by which a list is asked for its values."""
        match self.type:
            case ExtraType.NUMBER:
                return Filter(kind=DECIMAL, stored=lambda asked: float(asked.value))
            case ExtraType.DATE:
                return Filter(kind=DATE, stored=str)
            case ExtraType.SELECT:
                return Filter(kind=CODE)
        return Filter(kind=TEXT)


_changing: ContextVar[Actor | None] = ContextVar("changing", default=None)
"""Who changes declarations in this request: what they read may yet be taken back, so it is not kept for others."""


def declared(noun: str) -> tuple[Extra, ...]:
    """Return the extra fields of a noun in their order, sealed ones too; one statement, none where they are known."""
    actor = current_actor()
    is_kept = actor is not None and actor.tenant_id == current_tenant() and actor is not _changing.get()
    if actor is None or not is_kept:
        return _stored().get(noun, ())
    if "extras" not in actor.kept:
        actor.kept["extras"] = _stored()
    return actor.kept["extras"].get(noun, ())  # type: ignore[no-any-return]


def changed() -> None:
    """Everybody reads the declarations of the tenant anew with the next request; whoever changes them, from now on."""
    _changing.set(current_actor())
    tokens.touch_tenant(current_tenant())


def _stored() -> dict[str, tuple[Extra, ...]]:
    """Return the extra fields of the tenant in scope by noun; one statement."""
    live = FilteredRelation("options", condition=Q(options__is_deleted=False))
    rows = ExtraField.objects.annotate(option=live).order_by("sort", "id", "option__id")
    found: dict[str, dict[str, Extra]] = {}
    for noun, value, name, name_en, *rest in rows.values_list(
        "noun", "option__value", "option__label", "option__label_en", "key", "label", "label_en", "type", "decimals",
        "required", "is_sealed",
    ):  # fmt: skip
        key, zh, en, kind, decimals, required, is_sealed = rest
        known = found.setdefault(noun, {})
        options = known[key].options if key in known else ()
        if value is not None:
            options = (*options, Choice(value, name, name_en))
        known[key] = Extra(key, zh, en, ExtraType(kind), decimals, required, is_sealed, options)
    return {noun: tuple(extras.values()) for noun, extras in found.items()}


def refuse_missing(noun: str, values: Mapping[str, Any]) -> None:
    """Raise Invalid for what a new row must have and has not."""
    missing = {
        f"{PREFIX}{one.key}": one.asks()
        for one in declared(noun)
        if one.required and not one.is_sealed and one.key not in values
    }
    if missing:
        raise Invalid(missing)


def has_values(noun: str, key: str, *values: str) -> bool:
    """Return whether rows of the noun, also removed ones, have the field, or one of these values of it."""
    rows = view_of(noun).queryset.model.with_removed.alias(asked=KeyTransform(key, COLUMN))
    asked = Q(asked__in=values) if values else Q(asked__isnull=False)
    return bool(rows.filter(asked).exists())


# --- lists ----------------------------------------------------------------------------------------------------------


class WithExtras:
    """Mix in before NounViewSet: the list is narrowed and sorted by the extra fields of its rows too."""

    def filtered(self: Any) -> QuerySet[Any]:
        """Return the rows filtered and sorted by the query parameters."""
        rows = super().filtered()  # type: ignore[misc]
        given = self.request.query_params.dict()
        asked = {name: text for name, text in given.items() if name.startswith(PREFIX) and text != ""}
        order = [
            (name.strip().removeprefix(PREFIX), parameter == "descs")
            for parameter in ("ascs", "descs")
            for name in given.get(parameter, "").split(",")
            if name.strip().startswith(PREFIX)
        ]
        if not asked and not order:
            return rows  # type: ignore[no-any-return]
        known = {one.key: one for one in declared(self.noun)}
        return _sorted(_narrowed(rows, known, asked), known, order)


def _narrowed(rows: QuerySet[Any], known: Mapping[str, Extra], asked: Mapping[str, str]) -> QuerySet[Any]:
    """Return the rows that fit. Raises Invalid for a field that there is not, and for a suffix that does not fit it."""
    for number, (name, text) in enumerate(asked.items()):
        one, suffix = _named(known, name.removeprefix(PREFIX))
        if one is None or not fits(one.filter(), suffix):
            raise Invalid({name: _("请求参数格式错误: {name}").format(name=name)})
        column = f"extra_{number}"
        entry = one.filter()
        found = condition(name, Filter(column, entry.kind, stored=entry.stored), suffix, text)
        if suffix.startswith("not") and suffix != "notnull":
            found |= Q(**{f"{column}__isnull": True})  # what has no value has not this one
        rows = rows.alias(**{column: KeyTransform(one.key, COLUMN)}).filter(found)
    return rows


def _named(known: Mapping[str, Extra], name: str) -> tuple[Extra | None, str]:
    """Return the field that a parameter names, and its suffix; a key may have underscores too."""
    if name in known:
        return known[name], ""
    key, _sep, suffix = name.rpartition("_")
    return known.get(key), suffix


def _sorted(rows: QuerySet[Any], known: Mapping[str, Extra], order: list[tuple[str, bool]]) -> QuerySet[Any]:
    """Return the rows in this order, empty values as the greatest; names that are not declared are ignored."""
    first: list[Any] = []
    for number, (key, is_down) in enumerate(order):
        if key in known:
            column = f"extra_order_{number}"
            rows = rows.alias(**{column: KeyTransform(key, COLUMN)})
            by = F(column)
            first.append(by.desc(nulls_first=True) if is_down else by.asc(nulls_last=True))
    return rows.order_by(*first, *rows.query.order_by) if first else rows
