"""Reads workbooks that people send: each in a process of its own, few at once."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from core.kernel.errors import Invalid, Refusal
from core.rest import read_workbook, write_workbook

MOST_BYTES = 5 * 2**20
MOST_AT_ONCE = 2
"""In one process of the web server, whose other threads go on answering."""
WAIT_SECONDS = 1.0
WALL_SECONDS = 15.0
"""For a machine that has other things to do; the processor's time is cut by the program itself."""
LONG_SECONDS = 600.0
"""The same for a job, where a workbook of many rows is read or written: nobody waits for the answer."""


class Busy(Refusal):
    """Too much of this kind is being done; the caller may try again (503)."""

    status = 503

    def __init__(self) -> None:
        super().__init__("server.busy", _("正在处理其他文件，请稍后重试"))


class TooLarge(Refusal):
    """A workbook takes more time or memory than one may have."""

    def __init__(self) -> None:
        super().__init__("sheet.tooLarge", _("文件内容过大，请缩小筛选范围"))


class TooMuch(Invalid):
    """A sheet has more than is imported at once; as a job it may be."""

    def __init__(self, text: str) -> None:
        super().__init__({"file": text})
        self.error = "sheet.tooMany"


_changed = threading.Condition()
_reading: list[str] = []
"""For each file that is being read in this process, whose it is."""


@contextmanager
def _place(tenant_id: str) -> Iterator[None]:
    """Wait a moment for one of the few places, of which a tenant has one.

    Raises Busy.
    """
    with _changed:
        if not _changed.wait_for(
            lambda: len(_reading) < MOST_AT_ONCE and tenant_id not in _reading, timeout=WAIT_SECONDS
        ):
            raise Busy()
        _reading.append(tenant_id)
    try:
        yield
    finally:
        with _changed:
            _reading.remove(tenant_id)
            _changed.notify_all()


def read(content: bytes, tenant_id: str) -> list[tuple[int, list[Any]]]:
    """Return number and values of each row of the first sheet that is not empty.

    It takes seconds where the file is made to, so it is called outside every transaction. Raises Invalid, Busy.
    """
    if len(content) > MOST_BYTES:
        raise Invalid({"file": _("文件不能超过{n}MB").format(n=MOST_BYTES // 2**20)})
    with _place(tenant_id):
        return [(number, values_of(cells)) for number, cells in cells_of(content)]


def cells_of(content: bytes, times: int = 1) -> list[tuple[int, list[Any]]]:
    """Return the same as plain data, for `values_of`; a job reads what has so many times as much.

    Raises Invalid.
    """
    answer = _answer(content, times)
    match answer.get("refused"):
        case None:
            return [(number, cells) for number, cells in answer["rows"]]
        case "unreadable":
            raise Invalid({"file": _("请上传xlsx表格文件")})
        case "cell":
            raise Invalid({"file": _("第{n}行有无法读取的单元格").format(n=answer["row"])})
    raise TooMuch(_("文件内容过大"))


def values_of(cells: Sequence[Any]) -> list[Any]:
    """Return what the cells of a row hold; a date comes as its ISO text in a list."""
    return [_value(one) for one in cells]


def _answer(content: bytes, times: int) -> dict[str, Any]:
    """Return what the program says of the file; one that was ended by its limits says nothing."""
    program = [sys.executable, "-I", str(Path(read_workbook.__file__)), str(times)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        try:
            said, _nothing = child.communicate(content, timeout=WALL_SECONDS if times == 1 else LONG_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            return {"refused": "size"}
        except BaseException:
            child.kill()
            raise
    if child.returncode != 0:
        return {"refused": "size"}
    answer: dict[str, Any] = json.loads(said)
    return answer


def write(path: Path, title: str, heads: Sequence[str], lines: Iterable[Any]) -> int:
    """Write a workbook of many rows in a process of its own; answers how many it has.

    It takes a minute where they are many, so it is called outside every transaction. Raises TooLarge.
    """
    program = [sys.executable, "-I", str(Path(write_workbook.__file__)), str(path)]
    with subprocess.Popen(
        program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as child:
        late = threading.Timer(LONG_SECONDS, child.kill)
        late.start()
        assert child.stdin is not None and child.stdout is not None
        try:
            with suppress(BrokenPipeError), child.stdin as into:
                for line in chain([{"title": title, "heads": list(heads)}], lines):
                    into.write(f"{json.dumps(line)}\n")
            said = child.stdout.read()
        except BaseException:
            child.kill()
            raise
        finally:
            late.cancel()
    if child.returncode != 0:
        raise TooLarge()
    return int(said)


def _value(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    (text,) = value
    return datetime.fromisoformat(text) if "T" in text else date.fromisoformat(text)
