"""The rows of a spreadsheet that comes in: which there are, in which order they can be stored, what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import override
from rest_framework import serializers

from core.kernel.audit_entry import AuditEntry
from core.kernel.errors import Conflict, Invalid, Refusal
from core.kernel.texts import plural
from core.rest import dictionaries, edits, sheet_references
from core.rest.placing import MOST_LEVELS
from core.rest.selects import naming_of
from core.rest.serializers import FlagField, ReferenceField, dictionary_of
from core.rest.shapes import WordField

MOST_ERRORS = 100
_LANGUAGES = ("zh-hans", "en")
Line = tuple[int, Sequence[Any]]
"""A row of a sheet: its number and its values."""
Filled = tuple[int, Mapping[str, Any]]
"""A row of a sheet: its number, and its values by the fields that they fill."""


def filled(lines: Sequence[Line], fields: Mapping[str, Any]) -> list[Filled]:
    """Return the rows with a value in a known column; columns with other headings are ignored. Raises Invalid."""
    heads = [str(head or "").strip().rstrip("*") for number, line in lines[:1] if number == 1 for head in line]
    names = _heads(fields)
    columns = [(index, names[head]) for index, head in enumerate(heads) if head in names]
    if not columns:
        raise Invalid({"file": _("表头与模板不符，请先下载模板")})
    found: list[Filled] = []
    for number, line in lines[1:]:
        values = {name: line[index] for index, name in columns if index < len(line) and line[index] is not None}
        if any(str(value).strip() for value in values.values()):
            found.append((number, values))
    if not found:
        raise Invalid({"file": _("表格里没有数据")})
    return found


def key_of(view: Any) -> str:
    """Return the field by which a row of the sheet is known again; empty where there is none."""
    fields = view.get_serializer().fields if view.sheet_key else {}
    return next((name for name, field in fields.items() if (field.source or name) == view.sheet_key), "")


class KnownBy:
    """Says by what a row of a sheet is known again: the value of one column, by which no two rows are called."""

    def __init__(self, view: Any, found: Sequence[Filled]):
        self.view, self.field = view, key_of(view)

    def key(self, cells: Mapping[str, Any]) -> str:
        """Return what the row is known by; empty for a row that is none of those that are there."""
        return _key(cells, self.field)

    def said(self, cells: Mapping[str, Any]) -> str:
        """Return what people call it."""
        return self.key(cells)

    def rows(self, keys: Sequence[str], find: Callable[..., Iterable[Any]]) -> dict[str, Any]:
        """Return by key what `find` finds of these; what the column cannot hold is the key of none."""
        column = self.view.sheet_key
        if not column:
            return {}
        held: list[Any] = []
        for key in keys:
            with suppress(ValidationError):
                held.append(self.view.queryset.model._meta.get_field(column).to_python(key))
        return {str(getattr(one, column)): one for one in find(**{f"{column}__in": held})} if held else {}


def doubled(found: Sequence[Filled], known: KnownBy) -> dict[int, str]:
    """Return the rows whose key stands in a row further up already, with a sentence that names that one."""
    first: dict[str, int] = {}
    rows: dict[int, str] = {}
    for number, values in found:
        text = known.key(values)
        if text and first.setdefault(text, number) != number:
            rows[number] = _("与第{n}行重复").format(n=first[text])
    return rows


def reason(field: str, text: str) -> str:
    """Return in one sentence what is wrong with a value, or without a field with a row."""
    return _("{field}：{text}").format(field=field, text=text) if field else text


def levels(view: Any, found: Sequence[Filled]) -> list[list[int]]:
    """Return the numbers of the rows in groups: none refers to a row of its own group or of a later one.

    Those of the last group may: what refers to itself, in a circle, or deeper than a tree goes.
    """
    fields = view.sheet_fields()
    own, called = _own_columns(view.queryset.model, fields)
    if not own:
        return [[number for number, _values in found]]
    groups: list[list[int]] = []
    left = [(number, _texts(values, own), _texts(values, called)) for number, values in found]
    while left and len(groups) < MOST_LEVELS:
        # How many rows that are still to be placed are called so.
        open_names = Counter(text for _number, _above, names in left for text in names)
        ready = {number for number, above, _names in left if not any(open_names[text] for text in above)}
        if not ready:
            break
        groups.append([number for number, _above, _names in left if number in ready])
        left = [row for row in left if row[0] not in ready]
    return [*groups, [number for number, _above, _names in left]] if left else groups


@dataclass
class _Row:
    """A row of a sheet: what it holds, the row that it changes, its input, and that checked; None while it waits."""

    number: int
    cells: Mapping[str, Any]
    key: str = ""
    instance: Any = None
    body: Any = None
    values: Any = None


class Sheet:
    """Rows of a sheet: checked when this is made, without a lock, and then stored by `store`.

    All are stored or none; where `is_apart` says so, those that are right. A row that refers to another one of these
    can be checked only when that one is there: it waits for `store`.
    """

    def __init__(self, view: Any, found: Sequence[Filled], may_change: bool, *, is_apart: bool = False):
        self.view, self.may_change, self.is_apart = view, may_change, is_apart
        self.fields, self.reader = view.sheet_fields(), edits.Edits(view)
        # One for all rows that are added, and one for all that are changed: making one costs more than checking a row.
        self._serializers = {is_new: view.get_serializer(data={}, partial=not is_new) for is_new in (True, False)}
        self.errors: list[dict[str, Any]] = []
        self.created = self.updated = 0
        self._readers = _readers(self.fields, [values for _number, values in found])
        self._waiting = _inside(view.queryset.model, self.fields, [values for _number, values in found])
        self._known_by = view.sheet_known_by(view, found)
        doubles = doubled(found, self._known_by)
        self.rows = [
            _Row(number, values, self._known_by.key(values)) for number, values in found if number not in doubles
        ]
        for number, text in doubles.items():
            self._tell(number, {self._known_by.field: text})
        known = self._known(view.get_queryset())
        for row in self.rows:
            row.instance = known.get(row.key)
            if not self._waiting(row.cells):
                self._check(row)

    def wrong(self) -> dict[int, str]:
        """Return the numbers of the rows with errors, and all that is wrong with each in a sentence."""
        found: dict[int, list[str]] = {}
        for error in self.errors:
            found.setdefault(error["row"], []).append(reason(error["field"], error["text"]))
        return {number: _("；").join(texts) for number, texts in found.items()}

    def refuse_if_wrong(self) -> None:
        """Raise Refusal with all errors, if there are some."""
        if self.errors:
            text = plural("有{n}处错误，没有导入任何数据", len(self.errors))
            raise Refusal("sheet.rows", text, {"errors": sorted(self.errors, key=itemgetter("row"))[:MOST_ERRORS]})

    def _known(self, rows: Any) -> dict[str, Any]:
        """Return the rows that are there already, by their keys."""
        return self._by_key(self.rows, lambda **found_by: rows.filter(**found_by))

    def _by_key(self, rows: Sequence[_Row], find: Callable[..., Iterable[Any]]) -> dict[str, Any]:
        """Return by its key what `find` finds of these rows."""
        return self._known_by.rows([row.key for row in rows if row.key], find)  # type: ignore[no-any-return]

    def _check(self, row: _Row) -> None:
        """Check the input of a row, and tell what is wrong with it."""
        row.values = None
        flat, problems = _body(row.cells, self._readers)
        row.body = _nested(flat)
        if row.instance is not None and not self.may_change and not problems:
            problems[""] = _("「{value}」已存在").format(value=self._known_by.said(row.cells))
        if problems:
            self._tell(row.number, problems)
            return

        def check() -> None:
            row.values = self._serializer(row).run_validation(row.body)

        self._try(row, check)

    def _serializer(self, row: _Row) -> Any:
        """Return the serializer for this row; until the next row has it."""
        serializer = self._serializers[row.instance is None]
        serializer.instance, serializer.initial_data = row.instance, row.body
        serializer._validated_data, serializer._errors = row.values, {}
        return serializer

    def store(self, entry: AuditEntry) -> None:
        """Add and change the rows. Raises Refusal where all or none are stored and one is wrong."""
        if not self.is_apart:
            self.refuse_if_wrong()
        wrong = {error["row"] for error in self.errors}
        rows = [row for row in self.rows if row.number not in wrong]
        # Locked, so that what is written is what the sheet changes of the row as it is now.
        known = self._by_key(rows, self.view.locked_rows)
        for row in rows:
            checked, row.instance = row.instance, known.get(row.key)
            if row.values is None or _state(checked) != _state(row.instance):
                self._check(row)
            if row.values is not None and (self.is_apart or not self.errors):
                self._try(row, lambda row=row: self._store(row, entry))  # type: ignore[misc]
        if not self.is_apart:
            self.refuse_if_wrong()

    def _store(self, row: _Row, entry: AuditEntry) -> None:
        instance = row.instance
        # Of a row that is left out nothing stays; where none is stored then, the transaction sees to that.
        with transaction.atomic() if self.is_apart else nullcontext(), self.reader.told(entry, instance, row.body):
            self.view.import_row(self._serializer(row))
        if instance is not None and entry.changes:
            entry.add_record(instance.pk, str(instance), entry.changes)
        self.created += instance is None
        self.updated += instance is not None

    def _try(self, row: _Row, act: Callable[[], Any]) -> None:
        try:
            act()
        except serializers.ValidationError as error:
            self._tell(row.number, self._sentences(error.detail))
        except Invalid as error:
            self._tell(row.number, error.data["fields"])
        except Conflict as error:
            self._tell(row.number, {"": str(error.text)})

    def _sentences(self, detail: Any) -> dict[str, str]:
        """Return one sentence for each field that is wrong, and for each part of one that has parts."""
        found: dict[str, str] = {}
        for name, text in detail.items():
            parts = {f"{name}.{key}": one for key, one in text.items()} if isinstance(text, Mapping) else {}
            if parts and parts.keys() <= self.fields.keys():
                found.update({part: _sentence(one) for part, one in parts.items()})
            else:
                found[name] = _sentence(text)
        return found

    def _tell(self, number: int, problems: Mapping[str, str]) -> None:
        for name, text in problems.items():
            label = str(self.fields[name].label or name) if name in self.fields else ""
            self.errors.append({"row": number, "field": label, "text": text})


def _state(row: Any) -> tuple[Any, ...]:
    """Return what tells whether a row is as it was."""
    return () if row is None else (row.pk, getattr(row, "lock_version", None))


def _inside(
    model: Any, fields: Mapping[str, Any], lines: Sequence[Mapping[str, Any]]
) -> Callable[[Mapping[str, Any]], bool]:
    """Return a function that says whether a row refers to a row of the same sheet."""
    own, called = _own_columns(model, fields)
    texts = {text for line in lines for text in _texts(line, called)} if own else set()
    return lambda values: not texts.isdisjoint(_texts(values, own))


def _own_columns(model: Any, fields: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the columns in which a row refers to another one of its table, and those by which that one is called."""
    called = [name for name, field in fields.items() if (field.source or name) in naming_of(model).columns]
    return sheet_references.to_itself(model, fields), called


def _texts(values: Mapping[str, Any], columns: Sequence[str]) -> set[str]:
    return {str(values[name]).strip() for name in columns if name in values} - {""}


def _key(values: Mapping[str, Any], column: str) -> str:
    """Return what a row is known by, as the form takes it: without blanks around it."""
    value = values.get(column, "") if column else ""
    return f"{value:%Y-%m-%d}" if hasattr(value, "strftime") else str(value).strip()


def _body(row: Mapping[str, Any], readers: Mapping[str, Callable[..., Any]]) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the input of a line and its errors by column. A name is read with the code beside it, if there is one."""
    body: dict[str, Any] = {}
    problems: dict[str, str] = {}
    for column, value in row.items():
        name = column.removesuffix(sheet_references.CODE)
        if column == name and row.get(f"{name}{sheet_references.CODE}"):
            continue
        beside = (str(row.get(name, "")),) if column != name else ()
        try:
            body[name] = readers[column](value, *beside)
        except ValueError as error:
            problems[name] = str(error)
    return body, problems


def _nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Return the input of a line with the parts of a field in one object."""
    body: dict[str, Any] = {}
    for column, value in flat.items():
        name, dot, key = column.partition(".")
        if dot:
            body.setdefault(name, {})[key] = value
        else:
            body[name] = value
    return body


def _sentence(detail: Any) -> str:
    while isinstance(detail, list | dict):
        detail = next(iter(detail.values() if isinstance(detail, dict) else detail), "")
    return str(detail)


def _heads(fields: Mapping[str, Any]) -> dict[str, str]:
    """Return the field of each accepted heading: labels in both languages, and JSON names."""
    found = {name: name for name in fields}
    for language in _LANGUAGES:
        with override(language):
            found.update({str(field.label or name): name for name, field in fields.items()})
            codes = [sheet_references.code_column(name, field) for name, field in fields.items()]
            found = {**{head: name for name, head in filter(None, codes)}, **found}
    return found


def words_of(field: Any) -> dict[Any, str]:
    """Return the choices of a field, key → label in the caller's language; empty if it has none."""
    if isinstance(field, FlagField):
        serializer: Any = field.parent
        named = serializer.fields.get(f"{field.field_name}Name")
        return {1: str(named.on), 0: str(named.off)} if isinstance(named, WordField) else {1: _("是"), 0: _("否")}
    if isinstance(field, serializers.ChoiceField):
        return {key: str(text) for key, text in field.choices.items()}
    code = dictionary_of(field)
    return dict(dictionaries.names_of(code)) if code else {}


def _readers(fields: Mapping[str, Any], lines: list[Mapping[str, Any]]) -> dict[str, Callable[..., Any]]:
    """Return the function for each column that turns a cell into input; it raises ValueError with a sentence.

    That of a code takes the name beside it too.
    """
    found: dict[str, Callable[..., Any]] = {
        name: reader(field) for name, field in fields.items() if not isinstance(field, ReferenceField)
    }
    for name, lookup in sheet_references.lookups(fields, lines).items():
        found[name] = lambda value, lookup=lookup: lookup.id_of(str(value))
        found[f"{name}{sheet_references.CODE}"] = lambda value, named, lookup=lookup: lookup.id_of_code(
            str(value), named
        )
    return found


def reader(field: Any) -> Callable[[Any], Any]:
    """Return the function that turns a cell into the input of a field that is not a reference."""
    choices: dict[str, Any] = {}
    for language in _LANGUAGES:
        with override(language):
            choices.update({word: key for key, word in words_of(field).items()})
    if choices:
        choices.update({str(key): key for key in list(choices.values())})
        return lambda value: _chosen(choices, value)
    form = "%Y-%m-%d" if isinstance(field, serializers.DateField) else "%Y-%m-%d %H:%M:%S"
    return lambda value: f"{value:{form}}" if hasattr(value, "strftime") else value


def _chosen(choices: Mapping[str, Any], value: Any) -> Any:
    text = str(value).strip()
    if text == "":
        return None
    if text not in choices:
        raise ValueError(_("没有「{value}」这个选项").format(value=text))
    return choices[text]
