"""Small files that are made to cost a server much: spreadsheets, drawings and pictures, by what they do.

The ordinary tests send the cheap ones, `tests/prove/neighbours.py` sends all of them while somebody else works.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping

from openpyxl import Workbook
from PIL import Image

from tests.workflows.drawings import drawing, line

HEADS = ("设备编号", "设备名称")
_SPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_FIRST = "".join(f'<c r="{"AB"[place]}1" t="inlineStr"><is><t>{head}</t></is></c>' for place, head in enumerate(HEADS))


def _book(sheet: str | bytes, strings: str = "") -> bytes:
    """Return a workbook whose first sheet, and whose table of texts, is this XML."""
    plain, out = io.BytesIO(), io.BytesIO()
    book = Workbook()
    book.active["A1"] = "x"
    book.save(plain)
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        parts = {name: old.read(name) for name in old.namelist()}
        parts["xl/worksheets/sheet1.xml"] = sheet if isinstance(sheet, bytes) else sheet.encode()
        if strings:
            parts["xl/sharedStrings.xml"] = strings.encode()
            types = parts["[Content_Types].xml"].decode()
            kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
            told = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}"/></Types>'
            parts["[Content_Types].xml"] = types.replace("</Types>", told).encode()
        for name, part in parts.items():
            new.writestr(name, part)
    return out.getvalue()


def _rows(rows: str, before: str = "", first: str = _FIRST) -> str:
    head = f'<row r="1">{first}</row>' if first else ""
    return f"{before}<worksheet {_SPACE}><sheetData>{head}{rows}</sheetData></worksheet>"


def _texts(inside: str, before: str = "") -> str:
    return f"{before}<sst {_SPACE}>{inside}</sst>"


def _entity(times: int, size: int, padding: int) -> bytes:
    """One long entity, used many times in one cell; a comment makes the file large enough for it."""
    doctype = f'<!DOCTYPE x [<!ENTITY e "{"x" * size}">]>'
    cell = f'<row r="2"><c r="A2" t="inlineStr"><is><t>{"&e;" * times}</t></is></c></row>'
    return _book(_rows(f"<!--{'c' * padding}-->{cell}", doctype))


def _cell(attributes: str, inside: str) -> bytes:
    return _book(_rows(f'<row r="2"><c {attributes}>{inside}</c></row>'))


def _bomb(size: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * size)
    return out.getvalue()


def _copies() -> bytes:
    """One text of 30,000 characters in 100,000 cells."""
    row = "".join('<c t="s"><v>0</v></c>' for _ in range(100))
    return _book(_rows(f"<row>{row}</row>" * 1000), _texts(f"<si><t>{'x' * 30_000}</t></si>"))


SHEETS: Mapping[str, Callable[[], bytes]] = {
    "3 million shared texts": lambda: _book(_rows(""), _texts("<si><t>a</t></si>" * 3_000_000)),
    "600,000 shared texts": lambda: _book(_rows(""), _texts("<si><t>a</t></si>" * 600_000)),
    "entities in a cell": lambda: _entity(1_500, 200_000, 3_000_000),
    "entities in the texts": lambda: _book(
        _rows('<row r="2"><c r="A2" t="s"><v>0</v></c></row>'),
        _texts("<si><t>&e;</t></si>", '<!DOCTYPE x [<!ENTITY e "x">]>'),
    ),
    "a file as an entity": lambda: _book(
        _rows('<row r="2"><c r="A2" t="inlineStr"><is><t>&e;</t></is></c></row>',
              '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>')
    ),
    "a doctype in UTF-16": lambda: _book(
        _rows("", '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE x [<!ENTITY e "x">]>').encode("utf-16")
    ),
    "2 million rows": lambda: _book(_rows("<row/>" * 2_000_000)),
    "1.5 million rows": lambda: _book(_rows("<row/>" * 1_500_000)),
    "200,000 nested cells": lambda: _book(_rows("<row>" + "<c>" * 200_000 + "</c>" * 200_000 + "</row>")),
    "a million cells in a row": lambda: _book(_rows("<row>" + "<c/>" * 1_000_000 + "</row>")),
    "40,000 attributes": lambda: _cell(" ".join(f'a{n}="1"' for n in range(40_000)), "<v>1</v>"),
    "a long text many times": _copies,
    "a comment of 9 MB": lambda: _book(_rows(f"<!--{'c' * 9_000_000}-->")),
    "an attribute of 9 MB": lambda: _cell(f'r="A2" x="{"x" * 9_000_000}"', "<v>1</v>"),
    "CDATA of 9 MB": lambda: _cell('r="A2" t="inlineStr"', f"<is><t><![CDATA[{'x' * 9_000_000}]]></t></is>"),
    "an instruction of 9 MB": lambda: _book(_rows(f"<?x {'c' * 9_000_000}?>")),
    "a text of 9 MB": lambda: _cell('r="A2" t="inlineStr"', f"<is><t>{'x' * 9_000_000}</t></is>"),
    "a number of 100,000 digits": lambda: _cell('r="A2"', f"<v>{'9' * 100_000}</v>"),
    "a cell out of range": lambda: _cell('r="XFDXFD2"', "<v>1</v>"),
    "a date out of range": lambda: _cell('r="A2" t="d"', "<v>9999999</v>"),
    "a text that is not there": lambda: _cell('r="A2" t="s"', "<v>5</v>"),
    "a row far below": lambda: _book(_rows('<row r="999999999"><c t="n"><v>1</v></c></row>')),
    "a bomb": lambda: _bomb(61 * 2**20),
    "500 parts": lambda: _parts(500),
}  # fmt: skip
"""Each must be refused in a sentence, and cost no more than the bounds of core/rest/read_workbook.py."""


def _picture(kind: str, mode: str, size: tuple[int, int], **options: object) -> bytes:
    out, exif = io.BytesIO(), Image.Exif()
    exif[0x0112] = 6  # lies on its side
    Image.new(mode, size).save(out, kind, exif=exif, **options)
    return out.getvalue()


PICTURES: Mapping[str, Callable[[], bytes]] = {
    "32 million pixels, all kept": lambda: _picture(
        "JPEG", "RGB", (5650, 5650), progressive=True, subsampling=0, quality=30
    ),
    "four colours": lambda: _picture("JPEG", "CMYK", (6300, 6300), progressive=True, quality=30),
    "long and low": lambda: _picture("JPEG", "RGB", (65_000, 600), progressive=True, subsampling=0, quality=30),
    "a PNG of 40 million pixels": lambda: _picture("PNG", "RGBA", (6320, 6320), compress_level=1),
    "a PNG of 16 million pixels": lambda: _picture("PNG", "RGBA", (4000, 4000), compress_level=1),
    "a PNG of one line": lambda: _picture("PNG", "RGBA", (16_000_000, 1), compress_level=1),
}
"""Some are taken and some refused; none may cost the server more than 300 MB."""


def _attributes(number: int, elements: int = 1, form: str = 'a{one}="1"') -> bytes:
    said = " ".join(form.format(one=one) for one in range(number))
    return drawing(line("".join(f'<userTask id="w{one}" {said}/>' for one in range(elements))))


DRAWINGS: Mapping[str, Callable[[], bytes]] = {
    "40,000 attributes": lambda: _attributes(40_000),
    "50 attributes on each of 900": lambda: _attributes(48, 900),
    "20,000 elements": lambda: drawing(line(f'<userTask id="w">{"<documentation/>" * 19_900}</userTask>')),
    "30,000 name spaces": lambda: _attributes(30_000, form='xmlns:a{one}="u{one}"'),
    "400,000 candidates": lambda: drawing(line(f'<userTask id="w" xw:candidates="{"a " * 400_000}"/>')),
}


def _parts(number: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for one in range(number):
            archive.writestr(f"{one}.xml", "<a/>")
    return out.getvalue()
