"""References in spreadsheets: written by name and code, and read back by either."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from core.rest.selects import naming_of
from core.rest.serializers import IdField, IdListField, ReferenceField

CODE = ":code"
"""Ends the name of the column that has only codes, beside the column that has names or codes."""


def reads(field: Any) -> bool:
    """Return whether a sheet can fill the field: an id only where the other noun has a name or a code."""
    if isinstance(field, ReferenceField):
        return bool(naming_of(field.model).columns)
    return not isinstance(field, IdField | IdListField)


def code_column(name: str, field: Any) -> tuple[str, str] | None:
    """Return name and head of the column with the codes of what a field refers to; None where there are no codes."""
    model = _model_of(field)
    if model is None or not naming_of(model).code:
        return None
    return f"{name}{CODE}", _("{field}编号").format(field=field.label)


def code_of(field: Any, row: Any) -> str:
    """Return the code of what a row refers to; empty where it refers to nothing."""
    referred = getattr(row, field.source.removesuffix("_id"), None)
    return str(getattr(referred, naming_of(_model_of(field)).code)) if referred is not None else ""


def to_itself(model: Any, fields: Mapping[str, Any]) -> list[str]:
    """Return the columns, of names and of codes, in which a row refers to another row of the same table."""
    own = [name for name, field in fields.items() if isinstance(field, ReferenceField) and field.model is model]
    return [column for name in own for column in (name, f"{name}{CODE}")]


def _model_of(field: Any) -> Any:
    """Return what a reference on the row's own table refers to."""
    model = getattr(getattr(field.parent, "Meta", None), "model", None)
    columns = {one.attname: one for one in model._meta.concrete_fields if one.is_relation} if model else {}
    column = columns.get(field.source)
    return column.related_model if column is not None and isinstance(field, IdField) else None


class Lookup:
    """The rows that one column of a sheet may mean, found in one statement."""

    def __init__(self, field: ReferenceField, texts: Iterable[str]):
        self.model, self.naming = field.model, naming_of(field.model)
        self._by_code: dict[str, set[int]] = {}
        self._by_name: dict[str, set[int]] = {}
        self._read({text.strip() for text in texts} - {""})

    def _read(self, texts: set[str]) -> None:
        """Note the rows whose code or name is among these texts."""
        if not texts:
            return
        columns = self.naming.columns
        wanted = Q()
        for column in columns:
            wanted |= Q(**{f"{column}__in": texts})
        for row in self.model._default_manager.filter(wanted).values("pk", *columns):
            for column in columns:
                found = self._by_code if column == self.naming.code else self._by_name
                found.setdefault(str(row[column]), set()).add(row["pk"])

    def id_of(self, text: str) -> str | None:
        """Return the id of the row that a name or code means, None for an empty text; else raises ValueError."""
        return self._only_one(text.strip(), self._found(text.strip(), by_name=True))

    def id_of_code(self, text: str, name: str) -> str | None:
        """Return the id of the row with the code, None for an empty text.

        Raises ValueError, also where the name that stands beside the code is that of another row.
        """
        found, name = self._found(text.strip(), by_name=False), name.strip()
        if found and name and not found <= self._found(name, by_name=True):
            raise ValueError(_("「{name}」与编号「{code}」不一致").format(name=name, code=text.strip()))
        return self._only_one(text.strip(), found)

    def _only_one(self, text: str, found: set[int]) -> str | None:
        if text == "":
            return None
        if not found:
            raise ValueError(_("没有「{value}」这个选项").format(value=text))
        if len(found) > 1:
            raise ValueError(_("「{value}」不止一个，请填写编号").format(value=text))
        return str(next(iter(found)))

    def _found(self, text: str, *, by_name: bool) -> set[int]:
        columns = (self._by_code, self._by_name) if by_name else (self._by_code,)
        if text and not any(text in column for column in columns):
            # A row further up in this sheet may have made it.
            self._read({text})
        return next((column[text] for column in columns if text in column), set())


def lookups(fields: Mapping[str, Any], lines: Iterable[Mapping[str, Any]]) -> dict[str, Lookup]:
    """Return a look-up for each reference among the fields; one statement each, however many lines."""
    references = {name: one for name, one in fields.items() if isinstance(one, ReferenceField)}
    texts: dict[str, set[str]] = {name: set() for name in references}
    for line in lines:
        for name, value in line.items():
            if (plain := name.removesuffix(CODE)) in texts:
                texts[plain].add(str(value))
    return {name: Lookup(field, texts[name]) for name, field in references.items()}
