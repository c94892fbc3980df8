"""An export of many rows: first which rows there are and in which order, then their values a part at a time, at last
the workbook.

The rows are those that the list had when it was counted, each once, however the list changes meanwhile; their values
are those of the moment at which they are read. A row that is gone by then, or that the person may not see any more, is
left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.utils.translation import gettext as _

from core.kernel import clock
from core.kernel.errors import Refusal
from core.kernel.tenancy import tenant_scope
from core.rest import sheets, workbooks
from core.scheduling import leases
from core.sheetjobs import calls, queue, results
from core.sheetjobs.models import JobState, SheetJob, SheetPart, SheetTurn
from core.sheetjobs.packing import pack, unpack

MOST_ROWS = 200_000
PART_ROWS = 1_000


def go_on(job: SheetJob, turn: SheetTurn) -> Callable[[], None] | None:
    """Do the next part of an export; returns what is left to be done where that takes long. Raises Refusal."""
    if job.total is None:
        _count(job, turn)
        return None
    with tenant_scope(job.tenant_id):
        part = job.parts.filter(is_done=False).order_by("number").first()
    if part is not None:
        _read(job, turn, part)
        return None
    if job.total > sheets.MOST_OUT:
        return lambda: _write(job, turn)
    _write(job, turn)
    return None


def _count(job: SheetJob, turn: SheetTurn) -> None:
    """Note which rows there are, in the order of the list."""
    with calls.of(job) as view:
        ids = list(view.filtered().values_list("pk", flat=True)[: MOST_ROWS + 1])
    if len(ids) > MOST_ROWS:
        raise Refusal("sheet.tooMany", _("最多导出{n}行，请缩小筛选范围").format(n=MOST_ROWS))
    # One part at least: a list without rows has headings.
    begins = range(0, max(1, len(ids)), PART_ROWS)
    with queue.storing(job, turn) as now:
        now.state, now.start_time, now.total = JobState.RUNNING, clock.now(), len(ids)
        SheetPart.objects.bulk_create(
            SheetPart(job=now, number=number, content=pack(ids[begin : begin + PART_ROWS]))
            for number, begin in enumerate(begins)
        )


def _read(job: SheetJob, turn: SheetTurn, part: SheetPart) -> None:
    """Read the values of the rows of a part, in no transaction that others wait for, and store them."""
    ids = unpack(part.content)
    with calls.of(job) as view:
        rows = {row.pk: row for row in view.get_queryset().filter(pk__in=ids)}
        heads, lines = view.sheet_part([rows[pk] for pk in ids if pk in rows])
    with queue.storing(job, turn) as now:
        now.heads, now.done = heads, now.done + len(ids)
        part.content, part.is_done = pack(lines), True
        part.save(update_fields=["content", "is_done"])


def _write(job: SheetJob, turn: SheetTurn) -> None:
    """Write the workbook, in no transaction and with little memory, and end the job."""
    with calls.of(job) as view:
        title = sheets.title_of(view)
    with results.written(job) as path:
        queue.extend(turn, queue.LONG_LEASE)
        number = workbooks.write(path, title, job.heads, _lines(job))
        with queue.ending(job, turn) as now:
            now.state, now.done, now.total = JobState.DONE, number, number
            now.file = results.keep(path, sheets.file_name(title))


def _lines(job: SheetJob) -> Iterator[Any]:
    """Yield the rows of all parts, one part in memory at a time."""
    with tenant_scope(job.tenant_id):
        numbers = list(job.parts.order_by("number").values_list("number", flat=True))
    for number in numbers:
        with tenant_scope(job.tenant_id):
            part = job.parts.filter(number=number).first()
        if part is None:
            raise leases.Lost()
        yield from unpack(part.content)
