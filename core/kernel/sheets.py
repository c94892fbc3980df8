"""Nouns as spreadsheets: the list as it is filtered, an empty template, and rows read back with their errors."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import override
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from openpyxl import Workbook, load_workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.kernel import act as acts
from core.kernel import clock, dictionaries
from core.kernel.errors import Invalid, Refusal
from core.kernel.models import DictionaryField
from core.kernel.operation import check_code, perform
from core.kernel.parsers import parameters
from core.kernel.serializers import DictionaryNameField, FlagField, IdField, IdListField, ReferenceField
from core.kernel.texts import plural

MOST_OUT = 10_000
MOST_IN = 2_000
MOST_ERRORS = 100
MOST_BYTES = 5 * 1024 * 1024
MOST_UNPACKED = 60 * 1024 * 1024
MOST_COLUMNS = 100
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
# A zip that is no workbook fails in many ways.
_NO_WORKBOOK = (KeyError, ValueError, TypeError, IndexError, AttributeError, OSError, SyntaxError, zipfile.BadZipFile)
_LANGUAGES = ("zh-hans", "en")


def _safe(value: Any) -> Any:
    """A value as a cell takes it; None where there is nothing."""
    if isinstance(value, bool | int | float):
        return value
    return None if value is None else _FORBIDDEN.sub("", str(value))[:32_000]


def _cell(sheet: Any, value: Any, *, bold: bool = False) -> WriteOnlyCell:
    """A cell whose text stays a text: what begins like a formula must not become one."""
    cell = WriteOnlyCell(sheet, _safe(value))
    if isinstance(cell.value, str):
        cell.data_type = "s"
        cell.quotePrefix = cell.value[:1] in "=+-@\t\r＝＋－＠"
    if bold:
        cell.font = Font(bold=True)
    return cell


def _file(book: Workbook, name: str) -> HttpResponse:
    out = io.BytesIO()
    book.save(out)
    response = HttpResponse(out.getvalue(), content_type=XLSX)
    response["Content-Disposition"] = f'attachment; filename="{name}.xlsx"'
    return response


def _shown(serializer: Any) -> dict[str, Any]:
    """The fields that people read: no ids, and in place of a key its name."""
    fields = {name: field for name, field in serializer.fields.items() if not field.write_only}
    return {
        name: field
        for name, field in fields.items()
        if not isinstance(field, IdField | IdListField) and f"{name}Name" not in fields
    }


def _label(name: str, field: Any, fields: Mapping[str, Any]) -> str:
    """A column's head; `categoryName` has that of `category`."""
    named = fields.get(name[:-4]) or fields.get(name[:-4] + "Id") if name.endswith("Name") else None
    return str((named or field).label or name)


class Export:
    """Mix in before NounViewSet: `export` answers the filtered list as a spreadsheet."""

    @extend_schema(responses={(200, XLSX): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="export")
    def export(self: Any, request: Request) -> HttpResponse:
        """All rows of the filtered list, at most 10,000; a wider question is refused."""
        rows = list(self.filtered()[: MOST_OUT + 1])
        if len(rows) > MOST_OUT:
            raise Refusal("sheet.tooMany", _("最多导出{n}行，请缩小筛选范围").format(n=MOST_OUT))
        serializer = self.get_serializer(rows, many=True)
        columns = _shown(serializer.child)
        book = Workbook(write_only=True)
        sheet = book.create_sheet(self.noun)
        sheet.freeze_panes = "A2"
        for index in range(len(columns)):
            sheet.column_dimensions[get_column_letter(index + 1)].width = 20
        fields = serializer.child.fields
        sheet.append([_cell(sheet, _label(name, field, fields), bold=True) for name, field in columns.items()])
        flags = {name for name, field in columns.items() if isinstance(field, FlagField)}
        for row in serializer.data:
            sheet.append(
                [_cell(sheet, (_("是") if row[name] else _("否")) if name in flags else row[name]) for name in columns]
            )
        return _file(book, f"{self.noun}-{clock.now():%Y%m%d%H%M}")


class ImportAnswer(serializers.Serializer):  # type: ignore[type-arg]
    """How many rows were made and changed."""

    created = serializers.IntegerField()
    updated = serializers.IntegerField()


class ImportRequest(serializers.Serializer):  # type: ignore[type-arg]
    """A spreadsheet, and whether rows that exist may be changed by it."""

    file = serializers.FileField()
    isCovered = FlagField(required=False)


class Import:
    """Mix in before Submit and NounViewSet: rows are read from a spreadsheet, all of them or none.

    `sheet_key` is the model's attribute by which a row of the sheet is known again. `sheet_names` says for a reference
    (its wire name) which column of the other table the sheet names it by, several joined by a comma.
    """

    sheet_key: ClassVar[str] = ""
    sheet_names: ClassVar[Mapping[str, str]] = {}

    def sheet_fields(self: Any) -> dict[str, Any]:
        """The fields a sheet may fill: the writable ones, but for references that nothing names."""
        return {
            name: field
            for name, field in self.get_serializer().fields.items()
            if not field.read_only and (name in self.sheet_names or not isinstance(field, IdField | IdListField))
        }

    def import_row(self: Any, instance: Any, body: Mapping[str, Any]) -> None:
        """Make or change one row; raises ValidationError."""
        serializer = self.get_serializer(instance, data=body, partial=instance is not None)
        serializer.is_valid(raise_exception=True)
        serializer.save()

    @extend_schema(responses={(200, XLSX): OpenApiTypes.BINARY})
    @action(detail=False, methods=["get"], url_path="export-template")
    def import_template(self: Any, request: Request) -> HttpResponse:
        """An empty sheet with the columns that `import` understands; choices can be picked in it."""
        book = Workbook()
        sheet: Any = book.active
        sheet.title = self.noun
        sheet.freeze_panes = "A2"
        for index, (name, field) in enumerate(self.sheet_fields().items()):
            letter = get_column_letter(index + 1)
            cell = sheet.cell(1, index + 1, f"{field.label or name}{'*' if field.required else ''}")
            cell.font = Font(bold=True)
            sheet.column_dimensions[letter].width = 20
            words = ",".join(dict.fromkeys(_words(field).values()))
            if words and len(words) < 250 and '"' not in words:
                choice = DataValidation(type="list", formula1=f'"{words}"', allow_blank=not field.required)
                sheet.add_data_validation(choice)
                choice.add(f"{letter}2:{letter}{MOST_IN + 1}")
        return _file(book, f"{self.noun}-template")

    @extend_schema(request={"multipart/form-data": ImportRequest}, responses=ImportAnswer)
    @action(detail=False, methods=["post"], url_path="import")
    def import_rows(self: Any, request: Request) -> Response:
        """Read a sheet of at most 2,000 rows. When one row cannot be taken none is, and every fault is named."""
        content = _content(request)
        may_change = str(parameters(request).get("isCovered") or "0") in ("1", "true")
        if may_change:
            self.check_edit()
        act = acts.Act(f"{self.noun}.import", self.actor, business_type=self.noun)

        def change() -> dict[str, int]:
            answer: dict[str, int]
            answer, errors = self._read(content, may_change)
            if errors:
                raise Refusal(
                    "sheet.rows",
                    plural("有{n}处错误，没有导入任何数据", len(errors)),
                    {"errors": errors[:MOST_ERRORS]},
                )
            act.remark = f"+{answer['created']} ~{answer['updated']}"
            return answer

        return Response(perform(act, hashlib.sha256(content).hexdigest(), change))

    def check_edit(self: Any) -> None:
        """Changing rows through a sheet needs the right to change them by hand."""
        check_code(self.actor, self.codes["submit"])

    def _read(self: Any, content: bytes, may_change: bool) -> tuple[dict[str, int], list[dict[str, Any]]]:
        fields = self.sheet_fields()
        readers = {name: _reader(field, self.sheet_names.get(name)) for name, field in fields.items()}
        answer, errors = {"created": 0, "updated": 0}, []
        for number, row in _rows(content, fields):
            body: dict[str, Any] = {}
            problems: dict[str, str] = {}
            for name, value in row.items():
                try:
                    body[name] = readers[name](value)
                except ValueError:
                    problems[name] = _("没有「{value}」这个选项").format(value=value)
            instance = None if problems else self._known(body)
            if instance is not None and not may_change:
                value = getattr(instance, self.sheet_key)
                problems[""] = _("「{value}」已存在").format(value=value)
            if not problems:
                try:
                    self.import_row(instance, body)
                except serializers.ValidationError as error:
                    problems = {name: _sentence(text) for name, text in error.detail.items()}  # type: ignore[union-attr]
                except Invalid as error:
                    problems = dict(error.data["fields"])
            answer["created" if instance is None else "updated"] += 1
            for name, text in problems.items():
                label = str(fields[name].label or name) if name in fields else ""
                errors.append({"row": number, "field": label, "text": text})
        if not errors and not answer["created"] and not answer["updated"]:
            raise Invalid({"file": _("表格里没有数据")})
        return answer, errors

    def _known(self: Any, body: Mapping[str, Any]) -> Any:
        """The row that this line of the sheet is about, when there is one already."""
        if not self.sheet_key:
            return None
        fields = self.get_serializer().fields
        wire = next((name for name, field in fields.items() if (field.source or name) == self.sheet_key), "")
        value = body.get(wire)
        return self.get_queryset().filter(**{self.sheet_key: value}).first() if value not in (None, "") else None


def _sentence(detail: Any) -> str:
    while isinstance(detail, list | dict):
        detail = next(iter(detail.values() if isinstance(detail, dict) else detail), "")
    return str(detail)


def _content(request: Request) -> bytes:
    """The uploaded file's bytes; raises Invalid for what is none, too big, or unpacks to too much."""
    file: Any = request.FILES.get("file")
    if file is None:
        raise Invalid({"file": _("请选择文件")})
    if file.size > MOST_BYTES:
        raise Invalid({"file": _("文件不能超过{n}MB").format(n=MOST_BYTES // 2**20)})
    content: bytes = file.read()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            too_much = len(entries) > 200 or sum(entry.file_size for entry in entries) > MOST_UNPACKED
    except (zipfile.BadZipFile, ValueError, OSError):
        raise Invalid({"file": _("请上传xlsx表格文件")}) from None
    if too_much:
        raise Invalid({"file": _("文件内容过大")})
    return content


def _rows(content: bytes, fields: Mapping[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line numbers and the values of known columns; columns with other heads are left alone."""
    try:
        sheet: Any = load_workbook(io.BytesIO(content), read_only=True, data_only=True).worksheets[0]
        lines = sheet.iter_rows(max_col=MOST_COLUMNS, values_only=True)
        heads = [str(head or "").strip().rstrip("*") for head in next(lines, ())]
    except _NO_WORKBOOK as error:
        raise Invalid({"file": _("请上传xlsx表格文件")}) from error
    names = _heads(fields)
    columns = [(index, names[head]) for index, head in enumerate(heads) if head in names]
    if not columns:
        raise Invalid({"file": _("表头与模板不符，请先下载模板")})
    taken = 0
    for number, line in enumerate(lines, start=2):
        values = {name: line[index] for index, name in columns if index < len(line)}
        if all(value is None or str(value).strip() == "" for value in values.values()):
            if number > MOST_IN * 5:
                return
            continue
        taken += 1
        if taken > MOST_IN:
            raise Invalid({"file": _("一次最多导入{n}行").format(n=MOST_IN)})
        yield number, {name: value for name, value in values.items() if value is not None}


def _heads(fields: Mapping[str, Any]) -> dict[str, str]:
    """Column heads in both languages, and the wire names themselves."""
    found = {name: name for name in fields}
    for language in _LANGUAGES:
        with override(language):
            found.update({str(field.label or name): name for name, field in fields.items()})
    return found


def _words(field: Any) -> dict[Any, str]:
    """The choices of a field, key → word in the caller's language; empty for a free one."""
    if isinstance(field, FlagField):
        return {1: _("是"), 0: _("否")}
    if isinstance(field, serializers.ChoiceField):
        return {key: str(text) for key, text in field.choices.items()}
    code = _dictionary(field)
    return dict(dictionaries.names_of(code)) if code else {}


def _dictionary(field: Any) -> str:
    if isinstance(field, DictionaryNameField):
        return ""
    model = getattr(getattr(field.parent, "Meta", None), "model", None)
    columns = {one.attname: one for one in model._meta.concrete_fields} if model else {}
    column = columns.get(field.source or field.field_name)
    return column.dictionary if isinstance(column, DictionaryField) else ""


def _reader(field: Any, named_by: str | None) -> Callable[[Any], Any]:
    """How a cell becomes the field's input; the function raises ValueError for a word that is no choice."""
    if isinstance(field, ReferenceField):
        ids: dict[str, int | None] = {}
        for row_id, *names in field.model._default_manager.values_list("pk", *(named_by or "pk").split(",")):
            for name in {str(one) for one in names}:
                # Two rows of one name: the sheet cannot say which it means.
                ids[name] = None if name in ids else row_id
        return lambda value: _chosen(ids, value)
    choices: dict[str, Any] = {}
    for language in _LANGUAGES:
        with override(language):
            choices.update({word: key for key, word in _words(field).items()})
    if choices:
        choices.update({str(key): key for key in list(choices.values())})
        return lambda value: _chosen(choices, value)
    return lambda value: f"{value:%Y-%m-%d %H:%M:%S}" if hasattr(value, "strftime") else value


def _chosen(choices: Mapping[str, Any], value: Any) -> Any:
    text = str(value).strip()
    if text == "":
        return None
    found = choices.get(text)
    if found is None:
        raise ValueError(text)
    return str(found) if isinstance(found, int) and found > 2**31 else found
