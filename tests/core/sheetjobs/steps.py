"""What tests of jobs on sheets share: many toolmakers, sheets that come in, and the file that came of a job."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import Workbook, load_workbook

from core.kernel.tenancy import tenant_scope
from core.sheetjobs import work
from tests.cast import A, Body, Caller
from tests.toolroom.models import Toolmaker

EXPORT = "yuzhu-toolroom/toolmaker/export"
JOBS = "blade-desk/sheetjob"
IMPORT = "yuzhu-toolroom/toolmaker/import"
HEADS = ("工具商编号", "工具商名称", "合作日期", "创建时间", "更新时间")


def make(number: int, tenant: str = A, begin: int = 0) -> None:
    """Store so many toolmakers, S00000 first."""
    with tenant_scope(tenant):
        Toolmaker.objects.bulk_create(
            Toolmaker(toolmaker_code=f"S{n:05d}", toolmaker_name=f"商{n}") for n in range(begin, begin + number)
        )


def ask(caller: Caller, **query: str) -> str:
    """Ask for an export of toolmakers by their code; answers the id of the job."""
    answer = caller.post_json(f"{JOBS}/export", {"call": EXPORT, "query": {"ascs": "toolmakerCode", **query}})
    assert answer.status == 200, answer
    return str(answer.data["id"])


def sheet(rows: Sequence[Sequence[Any]]) -> SimpleUploadedFile:
    """A workbook with these rows."""
    book, out = Workbook(write_only=True), io.BytesIO()
    page = book.create_sheet()
    for row in rows:
        page.append(row)
    book.save(out)
    return SimpleUploadedFile("商.xlsx", out.getvalue())


def bring(caller: Caller, rows: Sequence[Sequence[Any]], call: str = IMPORT, **given: str) -> Body:
    """Ask for an import of these rows; by default below the heads of toolmakers."""
    return caller.post_form(f"{JOBS}/import", call=call, file=sheet(rows), **given)


def lines(number: int, begin: int = 0) -> list[list[Any]]:
    """Code and name of so many toolmakers below their headings, S00000 first."""
    return [list(HEADS[:2]), *([f"S{n:05d}", f"商{n}"] for n in range(begin, begin + number))]


def there(tenant: str = A) -> dict[str, str]:
    """The toolmakers that are there: names by their codes."""
    with tenant_scope(tenant):
        return dict(Toolmaker.objects.values_list("toolmaker_code", "toolmaker_name").order_by("toolmaker_code"))


def show(caller: Caller, job: str) -> dict[str, Any]:
    """What the call says of a job."""
    found: dict[str, Any] = caller.get(f"{JOBS}/detail", id=job).data
    return found


def sweep(times: int = 50) -> int:
    """Let the worker do parts until nothing is due; answers how many."""
    done = 0
    for _ in range(times):
        now = work.sweep()
        done += now
        if not now:
            return done
    raise AssertionError("the queue does not become empty")


def load(caller: Caller, job: str) -> list[tuple[Any, ...]]:
    """The rows of the file of a job."""
    answer = Client().get(f"/api/{JOBS}/download", {"id": job}, headers=caller._headers())
    assert answer.status_code == 200, answer
    content = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    return list(load_workbook(io.BytesIO(content)).active.values)  # type: ignore[union-attr]
