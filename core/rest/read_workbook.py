"""Reads the first sheet of a workbook in a process of its own: `python -I read_workbook.py [TIMES] < file`.

It is started by core/rest/workbooks.py for one file that somebody has sent, and imports nothing of ours, so that it
starts in a fraction of a second. It cuts its own time and memory before it looks at the file. A sheet of many rows,
which is read for a job, may have so many TIMES the elements and the time, and no more memory. The answer is JSON:
`{"rows": [[number, [value, …]], …]}`, or `{"refused": "size" | "unreadable" | "cell", "row": number}`.
"""

from __future__ import annotations

import io
import json
import math
import os
import resource
import sys
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any
from xml.parsers import expat

CPU_SECONDS = 5
MOST_MEMORY = 256 * 2**20
MOST_ENTRIES = 200
MOST_UNPACKED = 10 * 2**20
MOST_CHARACTERS = 10 * 2**20
"""Of all cells together: one long text may stand in many."""
MOST_ELEMENTS = 600_000
MOST_STRINGS = 100_000
MOST_ROWS = 20_000
"""Elements, of which many may be empty: whoever has marked a column has made them."""
MOST_DEPTH = 40
MOST_ATTRIBUTES = 60
MOST_ASIDE = 100_000
"""Characters of a comment or of an element's attributes, which the reader looks through again and again."""
MOST_COLUMNS = 100
LAST_ROW = 1_048_576


class Refused(Exception):
    """The file is not read."""

    def __init__(self, why: str, row: int = 0):
        super().__init__(why)
        self.why, self.row = why, row


def limit_itself(times: int = 1) -> None:
    """Let the kernel end this process where it takes too long or too much, and let everybody else go first."""
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS * times, CPU_SECONDS * times))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read(content: bytes, times: int = 1) -> list[tuple[int, list[Any]]]:
    """Return numbers and values of the rows that are not empty.

    Raises Refused.
    """
    _check(content, times)
    # Imported now: most hostile files have been refused by the lines above.
    from openpyxl import load_workbook

    found: list[tuple[int, list[Any]]] = []
    number = taken = 0
    try:
        sheet: Any = load_workbook(io.BytesIO(content), read_only=True, data_only=True).worksheets[0]
        lines: Iterator[tuple[Any, ...]] = sheet.iter_rows(max_col=MOST_COLUMNS, values_only=True)
    except Exception:  # a zip that is no workbook fails in many ways
        raise Refused("unreadable") from None
    while True:
        number += 1
        try:
            line = next(lines, None)
        except MemoryError:
            raise
        except Exception:  # a cell outside every sheet, a date outside every calendar, a text that is not there
            raise Refused("cell", number) from None
        if line is None:
            return found
        if number > LAST_ROW:
            raise Refused("cell", number)
        if line.count(None) == len(line):
            continue
        values = [_plain(value) for value in line]
        while values and values[-1] is None:
            values.pop()
        taken += sum(len(value) for value in values if isinstance(value, str))
        if taken > MOST_CHARACTERS:
            raise Refused("size")
        found.append((number, values))


def _plain(value: Any) -> Any:
    """Return a value of JSON; a date is its ISO text in a list of one."""
    if isinstance(value, datetime | date):
        return [value.isoformat()]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)


def _check(content: bytes, times: int) -> None:
    """Count what is in the file before anything is built from it."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_ENTRIES or sum(entry.file_size for entry in entries) > MOST_UNPACKED * times:
                raise Refused("size")
            count = _Count(times)
            for entry in entries:
                count.look_at(archive.read(entry))
    # What the library raises for broken files, for compressions it does not know, and for encrypted entries.
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, OSError, EOFError):
        raise Refused("unreadable") from None


class _Count:
    """Counts elements over all parts of a file. No part may have a DTD, which is the place of entities."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.elements = self.strings = self.rows = self.depth = 0

    def look_at(self, part: bytes) -> None:
        """Count one part.

        Raises Refused.
        """
        parser = expat.ParserCreate(namespace_separator="}")
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.StartDoctypeDeclHandler = self._doctype
        parser.CommentHandler, parser.ProcessingInstructionHandler = self._aside, self._aside
        self.depth = 0
        try:
            parser.Parse(part, True)
        except expat.ExpatError:
            # A picture, or what the reader will not read either.
            return

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.elements += 1
        self.depth += 1
        self.strings += name.endswith("}si")
        self.rows += name.endswith("}row")
        if (
            self.elements > MOST_ELEMENTS * self.times
            or self.depth > MOST_DEPTH
            or self.strings > MOST_STRINGS * self.times
            or self.rows > MOST_ROWS * self.times
            or len(attributes) > MOST_ATTRIBUTES
        ):
            raise Refused("size")
        self._aside(*attributes.values())

    def _end(self, _name: str) -> None:
        self.depth -= 1

    def _aside(self, *texts: str) -> None:
        if sum(map(len, texts)) > MOST_ASIDE:
            raise Refused("size")

    def _doctype(self, *_declared: Any) -> None:
        raise Refused("unreadable")


def main() -> int:
    """Answer for the file on standard input."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    limit_itself(times)
    try:
        answer: dict[str, Any] = {"rows": read(sys.stdin.buffer.read(), times)}
        text = json.dumps(answer)
    except Refused as refused:
        text = json.dumps({"refused": refused.why, "row": refused.row})
    except MemoryError:
        text = json.dumps({"refused": "size", "row": 0})
    sys.stdout.write(text)
    sys.stdout.flush()
    # Without taking down what was built.
    os._exit(0)


if __name__ == "__main__":
    main()
