"""The queue of jobs: who may begin, who waits, and how a job ends.

Whoever changes how many jobs of a tenant run locks the tenant first, then the job's place in the queue.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from core import ports
from core.identity.models import Tenant
from core.kernel import clock
from core.kernel.errors import Conflict, Refusal
from core.kernel.tenancy import current_tenant, tenant_scope
from core.kernel.texts import both
from core.scheduling import leases, turns
from core.scheduling.waking import wake_worker
from core.sheetjobs import results
from core.sheetjobs.models import OPEN_STATES, JobKind, JobState, SheetJob, SheetTurn

SHEETS = turns.Queue("sheets", SheetTurn, "sheets.sweep", budget="events", round=1)
MOST_RUNNING = 2
"""Jobs of a tenant that run at once; the others wait, in the order in which they were asked for."""
MOST_OF_PERSON, MOST_OF_TENANT = 20, 500
"""Jobs that may wait or run."""
LEASE = timedelta(seconds=120)
"""How long one part of a job may take before somebody else takes it."""
LONG_LEASE = timedelta(seconds=900)
"""The same of what takes long: longer than a workbook may take to be written."""
BUSINESS = "sheetjob"


def _lock_tenant() -> None:
    Tenant.objects.select_for_update(no_key=True).get(tenant_id=current_tenant())


def begin(job: SheetJob) -> None:
    """Store a new job of the tenant in scope; it waits where as many run as may. Raises Refusal where too many wait."""
    _lock_tenant()
    unfinished = SheetJob.objects.filter(state__in=OPEN_STATES)
    if unfinished.filter(user_id=job.user_id).count() >= MOST_OF_PERSON:
        raise Refusal("sheetJob.tooMany", _("您最多有{n}个未完成的导入导出任务，请等待其完成").format(n=MOST_OF_PERSON))
    if unfinished.count() >= MOST_OF_TENANT:
        raise Refusal("sheetJob.tooMany", _("本企业最多有{n}个未完成的导入导出任务").format(n=MOST_OF_TENANT))
    job.save(force_insert=True)
    waits = _running() >= MOST_RUNNING
    SheetTurn.objects.create(tenant_id=current_tenant(), job_id=job.pk, is_asleep=waits, due_time=datetime.now(UTC))
    if not waits:
        wake_worker(SHEETS.job)


def _running() -> int:
    """Return how many jobs of the tenant in scope have a place; called while the tenant is locked."""
    return SheetTurn.objects.filter(tenant_id=current_tenant(), is_asleep=False).count()


def extend(turn: SheetTurn, lease: timedelta) -> None:
    """Hold the job for longer, for what takes longer than a part. Raises Lost where it is held no more."""
    until = datetime.now(UTC) + lease
    if not SheetTurn.objects.filter(pk=turn.pk, due_time=turn.due_time).update(due_time=until):
        raise leases.Lost()
    turn.due_time = until


@contextmanager
def storing(job: SheetJob, turn: SheetTurn) -> Iterator[SheetJob]:
    """Store in one transaction what was done of a job, and its progress; then it is due again.

    Yields the job as it is now, locked. Raises Lost where its lease has ended and somebody else has it.
    """
    with tenant_scope(job.tenant_id), transaction.atomic():
        found = SheetTurn.objects.select_for_update().filter(pk=turn.pk, due_time=turn.due_time).first()
        if found is None:
            raise leases.Lost()
        now = SheetJob.objects.select_for_update().get(pk=job.pk)
        yield now
        now.save()
        found.due_time, found.attempts, found.last_error = datetime.now(UTC), 0, ""
        found.save(update_fields=["due_time", "attempts", "last_error"])


@contextmanager
def ending(job: SheetJob, turn: SheetTurn | None) -> Iterator[SheetJob]:
    """End a job in one transaction: its parts and its place go, the next one begins, and the person is told.

    Yields the job, locked, so that its state and its file can be set. With None nobody is at work on it.
    """
    with tenant_scope(job.tenant_id), transaction.atomic():
        _lock_tenant()
        place = SheetTurn.objects.select_for_update().filter(job_id=job.pk)
        if turn is not None:
            place = place.filter(due_time=turn.due_time)
        found = place.first()
        if found is None:
            raise leases.Lost()
        now = SheetJob.objects.select_for_update().get(pk=job.pk)
        yield now
        now.end_time = clock.now()
        now.parts.all().delete()
        now.save()
        results.drop_source(now)
        found.delete()
        _wake_next()
        if now.state != JobState.CANCELLED:
            _tell(now)


def _wake_next() -> None:
    """Let those go on that have waited longest, as many as may run; called while the tenant is locked."""
    room = MOST_RUNNING - _running()
    if room <= 0:
        return
    waiting = SheetTurn.objects.filter(tenant_id=current_tenant(), is_asleep=True).order_by("id")
    ids = list(waiting.values_list("pk", flat=True)[:room])
    if SheetTurn.objects.filter(pk__in=ids).update(**turns.woken()):
        wake_worker(SHEETS.job)


def _tell(job: SheetJob) -> None:
    """Tell the person that the job has ended, in both languages."""
    zh, en = job.title, job.title_en
    (what, what_en), (told, told_en) = both(JobKind(job.kind).label), _came_of(job)
    if job.state == JobState.FAILED:
        title = f"{what}失败：{zh}", f"{what_en} failed: {en}"
        content = f"{job.reason} {told}".strip(), f"{job.reason} {told_en}".strip()
    else:
        title, content = (f"{what}已完成：{zh}", f"{what_en} ready: {en}"), (told, told_en)
    ports.messages.send([job.user_id], title, content, BUSINESS, job.pk)


def _came_of(job: SheetJob) -> tuple[str, str]:
    """Return what came of a job, in both languages."""
    if job.kind == JobKind.IMPORT:
        zh = f"新增{job.created}条，更新{job.updated}条，未导入{job.wrong}条。"
        en = f"Added: {job.created}; updated: {job.updated}; not imported: {job.wrong}."
        if job.file is not None:
            zh += "未导入的行7天内可在“导入导出任务”中下载，改正后重新导入。"
            en += " Those rows can be downloaded under Imports and exports for 7 days, corrected and imported again."
        return zh, en
    if job.file is None:
        return "", ""
    zh = f"共{job.done}行，7天内可在“导入导出任务”中下载。"
    return zh, f"Rows: {job.done}. The file can be downloaded under Imports and exports for 7 days."


def due_in(turn: SheetTurn, seconds: float) -> None:
    """Let the job go on a little later; this was no try."""
    due = datetime.now(UTC) + timedelta(seconds=seconds)
    SheetTurn.objects.filter(pk=turn.pk, due_time=turn.due_time).update(due_time=due, attempts=turn.attempts - 1)


def stop(job: SheetJob) -> None:
    """Cancel a job: at once where it waits for its place, else with its next part. Raises Conflict after its end."""
    _lock_tenant()
    turn = SheetTurn.objects.select_for_update().filter(job_id=job.pk).first()
    if turn is None:
        raise Conflict("sheetJob.ended", _("任务已经结束"))
    if turn.is_asleep:
        with ending(job, None) as now:
            now.state = JobState.CANCELLED
    else:
        SheetJob.objects.filter(pk=job.pk).update(is_stopping=True)
        wake_worker(SHEETS.job)
