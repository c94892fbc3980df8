"""What people do with jobs: ask for one, cancel it, remove it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Missing
from core.kernel.operation import SIGNED_IN, operation
from core.kernel.texts import both
from core.rest.sheets import title_of
from core.sheetjobs import calls, queue, results
from core.sheetjobs.models import OPEN_STATES, JobKind, SheetJob

ALL = "sheetjob_all"
"""Permission code: to see and to end everybody's jobs."""


def visible(actor: Actor) -> Any:
    """Return the jobs that a person sees: the own ones, or all of the tenant."""
    jobs = SheetJob.objects.all()
    return jobs if actor.may(ALL) else jobs.filter(user_id=actor.user_id)


def _locked(actor: Actor, ids: list[int]) -> list[SheetJob]:
    found = list(visible(actor).filter(pk__in=ids).select_for_update(of=("self",)).order_by("pk"))
    if not ids or len(found) != len(ids):
        raise Missing()
    entry = current_entry()
    entry.business_type, entry.business_id = queue.BUSINESS, found[0].pk if len(found) == 1 else None
    entry.remark = _("，").join(str(job) for job in found)[:500]
    return found


@operation("sheetjob.export", code=SIGNED_IN)
def export(actor: Actor, call: str, query: dict[str, str], lang: str) -> dict[str, str]:
    """Ask for an export of many rows. The actor must hold what the call itself asks for, now and until it is done."""
    return {"id": str(_begin(actor, JobKind.EXPORT, call, query, lang).pk)}


@operation("sheetjob.import", code=SIGNED_IN)
def bring_in(
    actor: Actor, call: str, query: dict[str, str], lang: str, name: str, content: bytes
) -> dict[str, str]:  # fmt: skip
    """Ask for an import of a sheet of many rows, by the same rule; the sheet is kept until the job has ended."""
    job = _begin(actor, JobKind.IMPORT, call, query, lang)
    with results.written(job) as path:
        path.write_bytes(content)
        job.source = results.keep(path, name)
    job.save(update_fields=["source"])
    return {"id": str(job.pk)}


def _begin(actor: Actor, kind: JobKind, call: str, query: dict[str, str], lang: str) -> SheetJob:
    with calls.made(kind, call, query, actor) as view:
        if kind == JobKind.IMPORT:
            view.may_change_rows()
        title, title_en = both(_Title(view))
    job = SheetJob(
        kind=kind, user_id=actor.user_id, user_name=actor.name, call=call, query=query, lang=lang,
        title=title, title_en=title_en,
    )  # fmt: skip
    queue.begin(job)
    entry = current_entry()
    entry.business_type, entry.business_id, entry.remark = queue.BUSINESS, job.pk, f"{job}: {call}"[:500]
    return job


class _Title:
    """What the sheets of a view set are called, in the language of whoever reads it."""

    def __init__(self, view: Any):
        self._view = view

    def __str__(self) -> str:
        return title_of(self._view)


@operation("sheetjob.cancel", code=SIGNED_IN)
def cancel(actor: Actor, job_id: int) -> None:
    """Cancel a job: one that runs ends with its next part, and what it has stored by then stays."""
    [job] = visible(actor).filter(pk=job_id)[:1] or [None]
    if job is None:
        raise Missing()
    queue.stop(job)
    entry = current_entry()
    entry.business_type, entry.business_id, entry.remark = queue.BUSINESS, job.pk, str(job)


@operation("sheetjob.remove", code=SIGNED_IN)
def remove(actor: Actor, ids: list[int]) -> None:
    """Remove jobs that have ended, and their files. Raises Conflict for one that has not."""
    for job in _locked(actor, ids):
        if job.state in OPEN_STATES:
            raise Conflict("sheetJob.open", _("任务尚未结束，请先取消"))
        results.drop(job)
