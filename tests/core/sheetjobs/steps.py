"""What tests of jobs on sheets share: many toolmakers, and the file that came of a job."""

from __future__ import annotations

import io
from typing import Any

from django.test import Client
from openpyxl import load_workbook

from core.kernel.tenancy import tenant_scope
from core.sheetjobs import work
from tests.cast import A, Caller
from tests.toolroom.models import Toolmaker

EXPORT = "yuzhu-toolroom/toolmaker/export"
JOBS = "blade-desk/sheetjob"
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
