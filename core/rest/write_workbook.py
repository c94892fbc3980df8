"""Writes a workbook of one sheet: for an export that is answered at once, and as `python -I write_workbook.py FILE` for
one of many rows, in a process of its own.

The program is started by core/rest/workbooks.py and imports nothing of ours. It cuts its own time and memory before it
reads; what it reads are lines of JSON: `{"title": …, "heads": […]}`, and then `[value, …]` for each row, where a date
is its ISO text in a list of one, as read_workbook.py answers it. It answers with the number of rows.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

CPU_SECONDS = 300
MOST_MEMORY = 256 * 2**20
MOST_BYTES = 1024 * 2**20
"""Of one file that is written: the sheet as it is before it is packed."""
WIDTH = 20
_FORMULAS = frozenset("=+-@\t\r＝＋－＠")
_READ_AS_MORE = _FORMULAS | {"#"}
"""How texts begin that the library or a program takes for more than a text: formulas, and errors such as #N/A."""


def cell(sheet: Any, value: Any, *, bold: bool = False) -> WriteOnlyCell:
    """Return a cell whose text is never read as a formula."""
    found = WriteOnlyCell(sheet, value)
    if isinstance(value, str):
        found.data_type = "s"
        if value[:1] in _FORMULAS:
            found.quotePrefix = True
    if bold:
        found.font = Font(bold=True)
    return found


def write(out: Any, title: str, heads: Sequence[str], lines: Iterable[Sequence[Any]]) -> int:
    """Write the workbook to a file or its path, row by row; answers how many rows there are."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet(title)
    sheet.freeze_panes = "A2"
    for index in range(len(heads)):
        sheet.column_dimensions[get_column_letter(index + 1)].width = WIDTH
    sheet.append([cell(sheet, head, bold=True) for head in heads])
    number = 0
    for line in lines:
        sheet.append(_cells(sheet, line))
        number += 1
    book.save(out)
    return number


def _cells(sheet: Any, line: Sequence[Any]) -> list[Any]:
    return [_cell(sheet, one) if isinstance(one, str | list) else one for one in line]


def _cell(sheet: Any, value: Any) -> Any:
    if isinstance(value, list):
        return datetime.fromisoformat(value[0])
    # A value that is what it looks like needs no cell of its own, which costs most of the time.
    return cell(sheet, value) if value[:1] in _READ_AS_MORE else value


def limit_itself() -> None:
    """Let the kernel end this process where it takes too long or too much, and let everybody else go first."""
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> int:
    """Write what standard input has."""
    limit_itself()
    lines: Iterator[Any] = map(json.loads, sys.stdin)
    head = next(lines)
    sys.stdout.write(str(write(sys.argv[1], head["title"], head["heads"], lines)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
