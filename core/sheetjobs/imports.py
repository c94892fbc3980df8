"""An import of many rows: the sheet is read once, then its rows are checked and stored a part at a time, at last those
that were wrong go back in a workbook that can be corrected and imported again.

Rows come in an order in which none refers to a later one. A part is checked in no transaction that others wait for, and
its right rows, the audit entry and the progress are stored in one: what is done twice counts once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from django.utils.translation import gettext as _

from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.kernel.texts import both, label
from core.rest import sheet_rows, sheets, workbooks
from core.sheetjobs import calls, queue, results
from core.sheetjobs.models import JobState, SheetJob, SheetPart, SheetTurn
from core.sheetjobs.packing import pack, unpack

MOST_ROWS = 20_000
"""What a file of five megabytes holds of an export of assets, and what takes some minutes of a small machine."""
PART_ROWS = 100
"""Rows that are stored in one transaction, a fifth of a second, for which all other writers of SQLite wait."""
TIMES = 4
"""How many times as much as at once such a sheet may have to be read."""
_LONG = 1_000
"""Wrong rows whose workbook takes long."""
_REASON = label("未导入的原因", "Why it was not imported")
Cells = list[Any]


def go_on(job: SheetJob, turn: SheetTurn) -> Callable[[], None] | None:
    """Do the next part of an import; returns what is left to be done where that takes long. Raises Refusal."""
    if job.total is None:
        return lambda: _read(job, turn)
    with tenant_scope(job.tenant_id):
        part = job.parts.filter(is_done=False).order_by("number").first()
    if part is not None:
        _store(job, turn, part)
        return None
    if job.wrong > _LONG:
        return lambda: _finish(job, turn)
    _finish(job, turn)
    return None


def _read(job: SheetJob, turn: SheetTurn) -> None:
    """Read the sheet in no transaction, and note its rows in parts; those that stand there twice are wrong already."""
    with calls.of(job):
        content = results.content_of(job)
    queue.extend(turn, queue.LONG_LEASE)
    lines = workbooks.cells_of(content, TIMES)
    with calls.of(job) as view:
        fields = view.sheet_fields()
        found = sheet_rows.filled(lines, fields)
        if len(found) > MOST_ROWS:
            raise workbooks.TooMuch(_("一次最多导入{n}行").format(n=MOST_ROWS))
        known = view.sheet_known_by(view, found)
        doubles = {
            number: sheet_rows.reason(str(fields[known.field].label), text)
            for number, text in sheet_rows.doubled(found, known).items()
        }
        groups = sheet_rows.levels(view, [row for row in found if row[0] not in doubles])
    heads, cells = _without_reasons(lines, {number for number, _values in found})
    wrong = [(number, cells[number], text) for number, text in doubles.items()]
    parts = [SheetPart(number=0, is_done=True, content=pack(wrong))]
    for group in groups:
        for begin in range(0, len(group), PART_ROWS):
            rows = [(number, cells[number]) for number in group[begin : begin + PART_ROWS]]
            parts.append(SheetPart(number=len(parts), content=pack(rows)))
    with queue.storing(job, turn) as now:
        now.state, now.start_time, now.heads = JobState.RUNNING, clock.now(), heads
        now.total, now.done, now.wrong = len(found), len(wrong), len(wrong)
        for part in parts:
            part.job = now
        SheetPart.objects.bulk_create(parts)


def _without_reasons(lines: Sequence[sheet_rows.Line], wanted: Collection[int]) -> tuple[Cells, dict[int, Cells]]:
    """Return the headings and the cells of these rows, without what an earlier import has said of them."""
    width = max(len(cells) for _number, cells in lines)
    heads = [*lines[0][1], *[None] * (width - len(lines[0][1]))]
    kept = [index for index, head in enumerate(heads) if str(head or "").strip() not in both(_REASON)]
    cells = {
        number: [values[index] for index in kept if index < len(values)] for number, values in lines if number in wanted
    }
    return [heads[index] for index in kept], cells


def _store(job: SheetJob, turn: SheetTurn, part: SheetPart) -> None:
    """Check the rows of a part, then store the right ones and keep the wrong ones with their reasons."""
    rows = unpack(part.content)
    with calls.of(job) as view:
        may_change = view.may_change_rows()
        lines = [(1, job.heads), *((number, workbooks.values_of(cells)) for number, cells in rows)]
        found = sheet_rows.filled(lines, view.sheet_fields())
        sheet = sheet_rows.Sheet(view, found, may_change, is_apart=True)
        with queue.storing(job, turn) as now:
            view.store_sheet(sheet, part.pk, str(job.source))
            wrong = sheet.wrong()
            now.done, now.wrong = now.done + len(rows), now.wrong + len(wrong)
            now.created, now.updated = now.created + sheet.created, now.updated + sheet.updated
            part.content = pack([(number, cells, wrong[number]) for number, cells in rows if number in wrong])
            part.is_done = True
            part.save(update_fields=["content", "is_done"])


def _finish(job: SheetJob, turn: SheetTurn) -> None:
    """End the job, with a workbook of the wrong rows where there are some."""
    if not job.wrong:
        with queue.ending(job, turn) as now:
            now.state = JobState.DONE
        return
    with calls.of(job) as view:
        title = sheets.title_of(view)
    with results.written(job) as path:
        queue.extend(turn, queue.LONG_LEASE)
        workbooks.write(path, title, [*job.heads, str(_REASON)], _wrong_rows(job))
        with queue.ending(job, turn) as now:
            now.state = JobState.DONE
            now.file = results.keep(path, sheets.file_name(f"{title}-{_('未导入')}"))


def _wrong_rows(job: SheetJob) -> list[Cells]:
    """Return the wrong rows as they stood in the sheet, with the reason behind the last column."""
    width = len(job.heads)
    with tenant_scope(job.tenant_id):
        rows = [row for part in job.parts.all() for row in unpack(part.content)]
    return [
        [*cells, *[None] * (width - len(cells)), text] for _number, cells, text in sorted(rows, key=lambda row: row[0])
    ]
