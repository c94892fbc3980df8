"""Export and import of nouns as spreadsheets."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any, ClassVar

from django.http import HttpResponse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import override
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.blade.parsers import FORM_FRAME, parameters
from core.kernel import clock
from core.kernel.audit_entry import AuditEntry
from core.kernel.errors import Invalid, Refusal
from core.kernel.operation import check_code, perform
from core.kernel.texts import label, plural
from core.rest import dictionaries, edits, sheet_references, workbooks, write_workbook
from core.rest.selects import naming_of
from core.rest.serializers import (
    FlagField,
    IdField,
    IdListField,
    LockVersionField,
    ReferenceField,
    dictionary_of,
    unique_rules,
)
from core.rest.shapes import WordField

MOST_OUT = 5_000
PART = 500
MOST_IN = 1_000
MOST_ERRORS = 100
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\]")
_LANGUAGES = ("zh-hans", "en")
_OTHER_NAMES = frozenset({"id", "parentId"})
"""Ids on the wire; where they are codes, a column of their own has these."""
_CREATED, _UPDATED = label("新增", "Added"), label("更新", "Updated")
Line = tuple[int, Sequence[Any]]
"""A row of a sheet: its number and its values."""
_NO_TEXT = frozenset({"image", "images", "files", "voice", "details", "json"})
"""Kinds of fields that spreadsheets leave out."""


def _safe(value: Any) -> Any:
    """Return the value in a type that a cell can hold; None for empty values."""
    if isinstance(value, bool | int | float):
        return value
    return None if value is None else _FORBIDDEN.sub("", str(value))[:32_000]


def _file(content: bytes, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=XLSX)
    response["Content-Disposition"] = content_disposition_header(True, f"{name}.xlsx")
    return response


def title_of(view: Any) -> str:
    """Return what the sheets of a noun are called, in the caller's language: as its menu entry, without what Excel
    does not take."""
    return _NOT_IN_TITLES.sub(" ", str(view.menu.name if view.menu else view.noun))[:31]


def _shown(serializer: Any) -> dict[str, Any]:
    """Return the fields for export: no ids and no files; names in place of keys."""
    fields = {name: field for name, field in serializer.fields.items() if not field.write_only}
    return {
        name: field
        for name, field in fields.items()
        if not isinstance(field, IdField | IdListField | LockVersionField)
        and name not in _OTHER_NAMES
        and f"{name}Name" not in fields
        and field.source != "__str__"
        and getattr(field, "kind", "") not in _NO_TEXT
    }


def _columns(serializer: Any) -> list[tuple[str, Callable[[Any, Mapping[str, Any]], Any]]]:
    """Return the columns of an export: heading, and a function of the row and its serialized values."""
    fields, shown = serializer.fields, _shown(serializer)
    heads = {name: _label(name, field, fields) for name, field in shown.items()}
    found: list[tuple[str, Callable[[Any, Mapping[str, Any]], Any]]] = []
    for name, field in shown.items():
        found.append((heads[name], partial(_value, name, isinstance(field, FlagField))))
        reference = fields.get(f"{name.removesuffix('Name')}Id")
        codes = sheet_references.code_column(name, reference) if reference is not None else None
        if codes is not None and codes[1] not in heads.values():
            found.append((codes[1], partial(_code, reference)))
    return found


def _code(reference: Any, row: Any, _values: Mapping[str, Any]) -> str:
    return sheet_references.code_of(reference, row)


def _value(name: str, is_flag: bool, _row: Any, values: Mapping[str, Any]) -> Any:
    return (_("是") if values[name] else _("否")) if is_flag else values[name]


def _label(name: str, field: Any, fields: Mapping[str, Any]) -> str:
    """Return the heading of a column; `categoryName` has the heading of `category` unless it says its own."""
    own = field._kwargs.get("label")
    if own is not None:
        return str(own)
    named = fields.get(name[:-4]) or fields.get(name[:-4] + "Id") if name.endswith("Name") else None
    return str((named or field).label or name)


def file_name(title: str) -> str:
    """Return what a file with this title is called, without its ending: with the tenant's time."""
    return f"{title}-{timezone.localtime(clock.now()):%Y%m%d%H%M}"


class Export:
    """Mix in before NounViewSet: `export` answers the filtered list as a spreadsheet."""

    @extend_schema(responses={(200, XLSX): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="export")
    def export(self: Any, request: Request) -> HttpResponse:
        """Answer the filtered list as a file; more than 5,000 rows are refused, and may be asked for as a job."""
        asked = self.filtered()
        if asked[MOST_OUT : MOST_OUT + 1].exists():
            raise Refusal("sheet.tooMany", _("最多导出{n}行，请缩小筛选范围").format(n=MOST_OUT))
        rows = list(asked[:MOST_OUT])
        # A part at a time, so that not all of it is in memory in three forms at once.
        parts = (self.sheet_part(rows[begin : begin + PART]) for begin in range(0, max(1, len(rows)), PART))
        heads, first = next(parts)
        lines = chain(first, chain.from_iterable(lines for _heads, lines in parts))
        title, out = title_of(self), io.BytesIO()
        write_workbook.write(out, title, heads, lines)
        return _file(out.getvalue(), file_name(title))

    def sheet_part(self: Any, rows: Sequence[Any]) -> tuple[list[str], list[list[Any]]]:
        """Return the headings of an export, and the values of these rows below them; constant statements."""
        context = {**self.get_serializer_context(), **self.page_context([row.pk for row in rows])}
        serializer = self.get_serializer_class()(rows, many=True, context=context)
        columns = _columns(serializer.child)
        lines = [
            [_safe(below(row, values)) for _head, below in columns]
            for row, values in zip(rows, serializer.data, strict=True)
        ]
        return [head for head, _below in columns], lines


class ImportAnswer(serializers.Serializer):  # type: ignore[type-arg]
    """The numbers of added and changed rows."""

    created = serializers.IntegerField()
    updated = serializers.IntegerField()


class ImportRequest(serializers.Serializer):  # type: ignore[type-arg]
    """A spreadsheet, and whether it may change existing rows."""

    file = serializers.FileField()
    isCovered = FlagField(required=False)


class Import:
    """Mix in before Submit and NounViewSet: rows are read from a spreadsheet, all of them or none.

    A reference is read by its name or code, or by its code from a column of its own, so that what `export` writes can
    be read back.
    """

    longest_bodies: ClassVar[Mapping[str, int]] = {"import_rows": workbooks.MOST_BYTES + FORM_FRAME}
    sheet_choices: ClassVar[Mapping[str, Collection[Any]]] = {}
    """By field the keys that a template offers, where rows may have others that people do not choose."""
    sheet_key: ClassVar[str] = ""
    """The column by which a row of the sheet is known again; by default the first that no two rows share."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Find the column that rows are known by."""
        super().__init_subclass__(**kwargs)
        queryset = getattr(cls, "queryset", None)
        if queryset is not None and not cls.sheet_key:
            alone = (names[0] for names in unique_rules(queryset.model) if len(names) == 1)
            cls.sheet_key = next(alone, "")

    def sheet_fields(self: Any) -> dict[str, Any]:
        """Return the fields that a sheet can fill: all writable ones but files and references without name and code."""
        return {
            name: field
            for name, field in self.get_serializer().fields.items()
            if not field.read_only
            and not isinstance(field, LockVersionField)  # a sheet changes each row as it is when it is read
            and getattr(field, "kind", "") not in _NO_TEXT
            and sheet_references.reads(field)
        }

    def before_import(self: Any, new: int) -> None:
        """Do what takes long and reads no table, once the rows are checked; `new` of them are to be added."""

    def import_row(self: Any, serializer: Any) -> None:
        """Add or change one row, whose input has been checked.

        Raises ValidationError for invalid input.
        """
        serializer.save()

    @extend_schema(responses={(200, XLSX): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="export-template")
    def import_template(self: Any, request: Request) -> HttpResponse:
        """Answer an empty sheet with all columns that `import` reads and lists of choices."""
        book = Workbook()
        sheet: Any = book.active
        sheet.title = title_of(self)
        sheet.freeze_panes = "A2"
        for index, (name, field) in enumerate(self.sheet_fields().items()):
            letter = get_column_letter(index + 1)
            cell = sheet.cell(1, index + 1, f"{field.label or name}{'*' if field.required else ''}")
            cell.font = Font(bold=True)
            sheet.column_dimensions[letter].width = 20
            code = dictionary_of(field)
            offered = dictionaries.choices_of(code) if code else self.sheet_choices.get(name)
            words = ",".join(
                dict.fromkeys(word for key, word in _words(field).items() if offered is None or key in offered)
            )
            if words and len(words) < 250 and '"' not in words:
                choice = DataValidation(type="list", formula1=f'"{words}"', allow_blank=not field.required)
                sheet.add_data_validation(choice)
                choice.add(f"{letter}2:{letter}{MOST_IN + 1}")
        out = io.BytesIO()
        book.save(out)
        return _file(out.getvalue(), f"{sheet.title}-{_('导入模板')}")

    @extend_schema(request={"multipart/form-data": ImportRequest}, responses=ImportAnswer)
    @action(detail=False, methods=["post"], url_path="import")
    def import_rows(self: Any, request: Request) -> Response:
        """Import a sheet of at most 1,000 rows.

        If any row has an error, no row is imported and all errors are listed.
        """
        content = _content(request)
        may_change = str(parameters(request).get("isCovered") or "0") in ("1", "true")
        if may_change:
            self.check_edit()
        with self.outside():
            lines = workbooks.read(content, self.actor.tenant_id)
        # Everything that can be said without writing is found out before others have to wait for this transaction.
        sheet = _Sheet(self, lines, may_change)
        if not sheet.errors:
            with self.outside():
                self.before_import(sum(row.instance is None for row in sheet.rows))
        entry = AuditEntry(f"{self.noun}.import", self.actor, business_type=self.noun)

        def change() -> dict[str, int]:
            sheet.store(entry)
            if sheet.errors:
                text = plural("有{n}处错误，没有导入任何数据", len(sheet.errors))
                raise Refusal("sheet.rows", text, {"errors": sorted(sheet.errors, key=itemgetter("row"))[:MOST_ERRORS]})
            entry.changes = edits.counted((_CREATED, sheet.created), (_UPDATED, sheet.updated))
            return {"created": sheet.created, "updated": sheet.updated}

        return Response(perform(entry, hashlib.sha256(content).hexdigest(), change))

    def check_edit(self: Any) -> None:
        """Raise NotAllowed unless the actor may also change rows in the form."""
        check_code(self.actor, self.codes["submit"])


@dataclass
class _Row:
    """A row of a sheet: what it holds, the row that it changes, its input, and that checked; None while it waits."""

    number: int
    cells: Mapping[str, Any]
    key: str = ""
    instance: Any = None
    body: Any = None
    values: Any = None


class _Sheet:
    """The rows of a sheet: checked when this is made, without a lock, and then stored by `store`, all or none.

    A row that refers to another one of the same sheet can be checked only when that one is there: it waits for `store`.
    """

    def __init__(self, view: Any, lines: Sequence[Line], may_change: bool):
        self.view, self.may_change = view, may_change
        self.fields, self.reader = view.sheet_fields(), edits.Edits(view)
        # One for all rows that are added, and one for all that are changed: making one costs more than checking a row.
        self._serializers = {is_new: view.get_serializer(data={}, partial=not is_new) for is_new in (True, False)}
        self.errors: list[dict[str, Any]] = []
        self.created = self.updated = 0
        found = _rows(lines, self.fields)
        self._readers = _readers(self.fields, [values for _number, values in found])
        fields = view.get_serializer().fields if view.sheet_key else {}
        self._key = next((name for name, field in fields.items() if (field.source or name) == view.sheet_key), "")
        self._waiting = _inside(view.queryset.model, self.fields, [values for _number, values in found])
        self.rows = self._numbered(found)
        known = self._known(view.get_queryset())
        for row in self.rows:
            row.instance = known.get(row.key)
            if not self._waiting(row.cells):
                self._check(row)

    def _numbered(self, found: Sequence[tuple[int, Mapping[str, Any]]]) -> list[_Row]:
        """Return the rows with the keys by which they are known again; a key stands once."""
        rows, numbers = [], dict[str, int]()
        for number, values in found:
            # As the form takes it: a text without blanks around it.
            key = str(values.get(self._key, "")).strip() if self._key else ""
            first = numbers.setdefault(key, number) if key else number
            if first != number:
                self._tell(number, {self._key: _("与第{n}行重复").format(n=first)})
            else:
                rows.append(_Row(number, values, key))
        return rows

    def _known(self, rows: Any) -> dict[str, Any]:
        """Return the rows that are there already, by their keys."""
        column = self.view.sheet_key
        keys = [row.key for row in self.rows if row.key] if column else []
        return {getattr(row, column): row for row in rows.filter(**{f"{column}__in": keys})} if keys else {}

    def _check(self, row: _Row) -> None:
        """Check the input of a row, and tell what is wrong with it."""
        row.body, problems = _body(row.cells, self._readers)
        if row.instance is not None and not self.may_change and not problems:
            problems[""] = _("「{value}」已存在").format(value=row.key)
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
        """Add and change the rows, unless something is wrong with one of them."""
        if self.errors:
            return
        # Locked, so that what is written is what the sheet changes of the row as it is now.
        keys = [row.key for row in self.rows if row.key]
        column = self.view.sheet_key
        known = {getattr(one, column): one for one in self.view.locked_rows(**{f"{column}__in": keys})} if keys else {}
        for row in self.rows:
            checked, row.instance = row.instance, known.get(row.key)
            if row.values is None or _state(checked) != _state(row.instance):
                self._check(row)
            if not self.errors:
                self._try(row, lambda row=row: self._store(row, entry))  # type: ignore[misc]

    def _store(self, row: _Row, entry: AuditEntry) -> None:
        instance = row.instance
        with self.reader.told(entry, instance, row.body):
            self.view.import_row(self._serializer(row))
        if instance is not None and entry.changes:
            entry.add_record(instance.pk, str(instance), entry.changes)
        self.created += instance is None
        self.updated += instance is not None

    def _try(self, row: _Row, act: Callable[[], Any]) -> None:
        try:
            act()
        except serializers.ValidationError as error:
            self._tell(row.number, {name: _sentence(text) for name, text in error.detail.items()})  # type: ignore[union-attr]
        except Invalid as error:
            self._tell(row.number, error.data["fields"])

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
    own = sheet_references.to_itself(model, fields)
    called = [name for name, field in fields.items() if (field.source or name) in naming_of(model).columns]
    texts = {str(line[name]).strip() for line in lines for name in called if name in line} if own else set()
    return lambda values: any(str(values[name]).strip() in texts for name in own if name in values)


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


def _sentence(detail: Any) -> str:
    while isinstance(detail, list | dict):
        detail = next(iter(detail.values() if isinstance(detail, dict) else detail), "")
    return str(detail)


def _content(request: Request) -> bytes:
    """Return the bytes of the uploaded file.

    Raises Invalid if there is no file or it is too large.
    """
    file: Any = request.FILES.get("file")
    if file is None:
        raise Invalid({"file": _("请选择文件")})
    if file.size > workbooks.MOST_BYTES:
        raise Invalid({"file": _("文件不能超过{n}MB").format(n=workbooks.MOST_BYTES // 2**20)})
    content: bytes = file.read()
    return content


def _rows(lines: Sequence[Line], fields: Mapping[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    """Return line numbers and the values of known columns; columns with other headings are ignored."""
    heads = [str(head or "").strip().rstrip("*") for number, line in lines[:1] if number == 1 for head in line]
    names = _heads(fields)
    columns = [(index, names[head]) for index, head in enumerate(heads) if head in names]
    if not columns:
        raise Invalid({"file": _("表头与模板不符，请先下载模板")})
    found = []
    for number, line in lines[1:]:
        values = {name: line[index] for index, name in columns if index < len(line) and line[index] is not None}
        if any(str(value).strip() for value in values.values()):
            found.append((number, values))
    if len(found) > MOST_IN:
        raise Invalid({"file": _("一次最多导入{n}行").format(n=MOST_IN)})
    if not found:
        raise Invalid({"file": _("表格里没有数据")})
    return found


def _heads(fields: Mapping[str, Any]) -> dict[str, str]:
    """Return the field of each accepted heading: labels in both languages, and JSON names."""
    found = {name: name for name in fields}
    for language in _LANGUAGES:
        with override(language):
            found.update({str(field.label or name): name for name, field in fields.items()})
            codes = [sheet_references.code_column(name, field) for name, field in fields.items()]
            found = {**{head: name for name, head in filter(None, codes)}, **found}
    return found


def _words(field: Any) -> dict[Any, str]:
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
        name: _reader(field) for name, field in fields.items() if not isinstance(field, ReferenceField)
    }
    for name, lookup in sheet_references.lookups(fields, lines).items():
        found[name] = lambda value, lookup=lookup: lookup.id_of(str(value))
        found[f"{name}{sheet_references.CODE}"] = lambda value, named, lookup=lookup: lookup.id_of_code(
            str(value), named
        )
    return found


def _reader(field: Any) -> Callable[[Any], Any]:
    """Return the function that turns a cell into the input of a field that is not a reference."""
    choices: dict[str, Any] = {}
    for language in _LANGUAGES:
        with override(language):
            choices.update({word: key for key, word in _words(field).items()})
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
