"""What the worker does of jobs: tenants take turns, one part of a job each.

On a machine one worker at a time does parts, and another one what takes long, so that messages and timers never wait
for a sheet.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from math import inf

from django.utils.translation import gettext as _
from django.utils.translation import override

from core.kernel.errors import Refusal
from core.kernel.tenancy import tenant_scope
from core.scheduling import leases, turns
from core.scheduling.waking import wake_worker
from core.sheetjobs import exports, imports, queue
from core.sheetjobs.models import JobKind, JobState, SheetJob, SheetTurn

MOST_TRIES = 5
MOST_AT_ONCE = 10
"""Parts that one sweep does."""
LATER_SECONDS = 2.0
log = logging.getLogger("xunwei.sheetjobs")
Rest = Callable[[], None]
_GO_ON: Mapping[int, Callable[[SheetJob, SheetTurn], Rest | None]] = {
    JobKind.EXPORT: exports.go_on,
    JobKind.IMPORT: imports.go_on,
}


def sweep(seconds: float = inf) -> int:
    """Do parts of the jobs that are due, the tenants in turns; answers how many."""
    rest: list[tuple[SheetTurn, SheetJob, Rest]] = []

    def take_one(tenant_id: str) -> turns.Taken | None:
        turn = None if rest else leases.claim(queue.SHEETS, tenant_id, queue.LEASE)
        if turn is None:
            return None
        _do(turn, rest)
        return turns.Taken(is_done=True)

    with leases.alone("sheets") as is_alone:
        if not is_alone:
            return 0
        done = turns.go_round(queue.SHEETS, take_one, MOST_AT_ONCE, seconds=seconds)
    for turn, job, finish in rest:
        wake_worker(queue.SHEETS.job)
        with leases.alone("long-sheets") as is_alone:
            if is_alone:
                _guarded(turn, job, finish)
            else:
                queue.due_in(turn, LATER_SECONDS)
    return done


def _do(turn: SheetTurn, rest: list[tuple[SheetTurn, SheetJob, Rest]]) -> None:
    """Do one part of a job; what takes long is left for `rest`."""
    with tenant_scope(turn.tenant_id):
        job = SheetJob.objects.filter(pk=turn.job_id).first()
    if job is None:
        turn.delete()
        return

    def go_on() -> None:
        if job.is_stopping:
            _end(turn, job, JobState.CANCELLED)
        elif turn.attempts > MOST_TRIES:
            _end(turn, job, JobState.FAILED, _("连续{n}次失败，原因见服务器日志").format(n=MOST_TRIES))
        elif (finish := _GO_ON[job.kind](job, turn)) is not None:
            rest.append((turn, job, finish))

    _guarded(turn, job, go_on)


def _guarded(turn: SheetTurn, job: SheetJob, act: Rest) -> None:
    """Act in the language of the job. A refusal ends it; whatever else fails is tried again."""
    with override(job.lang):
        try:
            act()
        except leases.Lost:
            log.info("job %s was taken by another worker", job.pk)
        except Refusal as refusal:
            _end(turn, job, JobState.FAILED, str(refusal.text))
            if refusal.afterwards is not None:
                refusal.afterwards()
        except Exception as error:  # the worker loop: one bad job must not stop the others
            log.exception("job %s failed", job.pk)
            leases.put_off(turn, error)


def _end(turn: SheetTurn, job: SheetJob, state: JobState, reason: str = "") -> None:
    try:
        with queue.ending(job, turn) as now:
            now.state, now.reason = state, reason[:500]
    except leases.Lost:
        log.info("job %s was taken by another worker", job.pk)
