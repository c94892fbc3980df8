"""Export and import of nouns as spreadsheets."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import chain
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
from core.kernel.texts import label
from core.rest import dictionaries, edits, sheet_references, sheet_rows, workbooks, write_workbook
from core.rest.serializers import (
    FlagField,
    IdField,
    IdListField,
    LockVersionField,
    PartsField,
    dictionary_of,
    unique_rules,
)

MOST_OUT = 5_000
PART = 500
MOST_IN = 1_000
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\]")
_OTHER_NAMES = frozenset({"id", "parentId"})
"""Ids on the wire; where they are codes, a column of their own has these."""
_CREATED, _UPDATED = label("新增", "Added"), label("更新", "Updated")
_NO_TEXT = frozenset({"image", "images", "files", "voice", "details", "json", "extras"})
"""Kinds of fields that spreadsheets leave out, or have one column for each part of."""


def safe_cell(value: Any) -> Any:
    """Return the value in a type that a cell can hold; None for empty values."""
    if isinstance(value, bool | int | float):
        return value
    return None if value is None else _FORBIDDEN.sub("", str(value))[:32_000]


def sheet_file(content: bytes, name: str) -> HttpResponse:
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
    for name, field in fields.items():
        if isinstance(field, PartsField):
            found += [(head, partial(_part, name, cell)) for head, cell in field.cells().items()]
    return found


def headings(view: Any) -> frozenset[str]:
    """Return what the columns of a noun's own fields are called in its sheets, in both languages."""
    found: set[str] = set()
    for language in ("zh-hans", "en"):
        with override(language):
            for kind in filter(None, (view.serializer_class, view.input_serializer_class)):
                fields = {name: one for name, one in kind().fields.items() if not isinstance(one, PartsField)}
                codes = (sheet_references.code_column(name, one) for name, one in fields.items())
                found |= {_label(name, one, fields) for name, one in fields.items()} | {
                    head for _name, head in filter(None, codes)
                }
    return frozenset(found)


def _part(name: str, cell: Callable[[Mapping[str, Any]], Any], _row: Any, values: Mapping[str, Any]) -> Any:
    return cell(values[name])


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
        return sheet_file(out.getvalue(), file_name(title))

    def sheet_part(self: Any, rows: Sequence[Any]) -> tuple[list[str], list[list[Any]]]:
        """Return the headings of an export, and the values of these rows below them; constant statements."""
        context = {**self.get_serializer_context(), **self.page_context([row.pk for row in rows])}
        serializer = self.get_serializer_class()(rows, many=True, context=context)
        columns = _columns(serializer.child)
        lines = [
            [safe_cell(below(row, values)) for _head, below in columns]
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
    sheet_known_by: ClassVar[type[sheet_rows.KnownBy]] = sheet_rows.KnownBy
    """By what it is known where that is no column alone."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Find the column that rows are known by."""
        super().__init_subclass__(**kwargs)
        queryset = getattr(cls, "queryset", None)
        if queryset is not None and not cls.sheet_key:
            alone = (names[0] for names in unique_rules(queryset.model) if len(names) == 1)
            cls.sheet_key = next(alone, "")

    @classmethod
    def imports_later(cls) -> bool:
        """Return whether a sheet of many rows may be imported as a job: not where more is done than rows are stored."""
        own = ("before_import", "import_row", "import_rows")
        return not getattr(cls, "by_tenant", False) and all(getattr(cls, name) is getattr(Import, name) for name in own)

    def sheet_fields(self: Any) -> dict[str, Any]:
        """Return the fields that a sheet can fill: all writable ones but files and references without name and code."""
        fields = {name: field for name, field in self.get_serializer().fields.items() if not field.read_only}
        plain = {
            name: field
            for name, field in fields.items()
            if not isinstance(field, LockVersionField)  # a sheet changes each row as it is when it is read
            and getattr(field, "kind", "") not in _NO_TEXT
            and sheet_references.reads(field)
        }
        parts = {
            f"{name}.{key}": part
            for name, field in fields.items()
            if isinstance(field, PartsField)
            for key, part in field.parts().items()
        }
        return {**plain, **parts}

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
            choices = sheet_rows.words_of(field).items()
            words = ",".join(dict.fromkeys(word for key, word in choices if offered is None or key in offered))
            if words and len(words) < 250 and '"' not in words:
                choice = DataValidation(type="list", formula1=f'"{words}"', allow_blank=not field.required)
                sheet.add_data_validation(choice)
                choice.add(f"{letter}2:{letter}{MOST_IN + 1}")
        out = io.BytesIO()
        book.save(out)
        return sheet_file(out.getvalue(), f"{sheet.title}-{_('导入模板')}")

    def may_change_rows(self: Any) -> bool:
        """Return whether the call may change rows that are there already. Raises NotAllowed where the actor may not."""
        may_change = str(parameters(self.request).get("isCovered") or "0") in ("1", "true")
        if may_change:
            self.check_edit()
        return may_change

    @extend_schema(request={"multipart/form-data": ImportRequest}, responses=ImportAnswer)
    @action(detail=False, methods=["post"], url_path="import")
    def import_rows(self: Any, request: Request) -> Response:
        """Import a sheet of at most 1,000 rows; one with more is refused, and may be imported as a job.

        If any row has an error, no row is imported and all errors are listed.
        """
        content, may_change = content_of(request), self.may_change_rows()
        with self.outside():
            lines = workbooks.read(content, self.actor.tenant_id)
        found = sheet_rows.filled(lines, self.sheet_fields())
        if len(found) > MOST_IN:
            raise workbooks.TooMuch(_("一次最多导入{n}行").format(n=MOST_IN))
        # Everything that can be said without writing is found out before others have to wait for this transaction.
        sheet = sheet_rows.Sheet(self, found, may_change)
        if not sheet.errors:
            with self.outside():
                self.before_import(sum(row.instance is None for row in sheet.rows))
        return Response(self.store_sheet(sheet, hashlib.sha256(content).hexdigest()))

    def store_sheet(self: Any, sheet: sheet_rows.Sheet, request: object, remark: str = "") -> dict[str, int]:
        """Store rows that have been checked, as one operation; answers how many were added and changed."""
        entry = AuditEntry(f"{self.noun}.import", self.actor, business_type=self.noun, remark=remark)

        def change() -> dict[str, int]:
            sheet.store(entry)
            entry.changes = edits.counted((_CREATED, sheet.created), (_UPDATED, sheet.updated))
            entry.nothing_happened = sheet.created + sheet.updated == 0
            return {"created": sheet.created, "updated": sheet.updated}

        return perform(entry, request, change)

    def check_edit(self: Any) -> None:
        """Raise NotAllowed unless the actor may also change rows in the form."""
        check_code(self.actor, self.codes["submit"])


def content_of(request: Request) -> bytes:
    """Return the bytes of the uploaded sheet.

    Raises Invalid if there is no file or it is too large.
    """
    file: Any = request.FILES.get("file")
    if file is None:
        raise Invalid({"file": _("请选择文件")})
    if file.size > workbooks.MOST_BYTES:
        raise Invalid({"file": _("文件不能超过{n}MB").format(n=workbooks.MOST_BYTES // 2**20)})
    content: bytes = file.read()
    return content
