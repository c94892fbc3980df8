"""The files of jobs: written beside the stored files, kept as private ones, deleted after some days."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path

from django.conf import settings

from core.kernel import clock
from core.kernel.tenancy import current_tenant, tenant_scope
from core.sheetjobs.models import OPEN_STATES, SheetJob
from core.storage import files
from core.storage.models import Attachment

KEPT = timedelta(days=7)
"""How long a job and its file are kept once it has ended."""
AT_ONCE = 200
_FORGOTTEN_SECONDS = 86_400.0


def _folder(tenant_id: str) -> Path:
    return Path(settings.FILES_DIR) / tenant_id / "jobs"


@contextmanager
def written(job: SheetJob) -> Iterator[Path]:
    """Yield the path of a file that is being written; what is not kept of it goes."""
    folder = _folder(job.tenant_id)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{job.pk}-{secrets.token_hex(4)}"
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def keep(path: Path, name: str) -> Attachment:
    """Keep a written file, in the transaction that stores its job. Raises Refusal where the tenant has no more room."""
    return files.store_private(path, f"{name}.xlsx", "xlsx")


def prune() -> int:
    """Delete old jobs of the tenant in scope with their files, and what killed workers have left; return how many."""
    gone = 0
    ended = SheetJob.objects.filter(end_time__lt=clock.now() - KEPT).exclude(state__in=OPEN_STATES)
    for job in ended.select_related("file").order_by("end_time")[:AT_ONCE]:
        drop(job)
        gone += 1
    with suppress(FileNotFoundError):
        for path in list(_folder(current_tenant()).iterdir()):
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < time.time() - _FORGOTTEN_SECONDS:
                    path.unlink()
    return gone


def drop(job: SheetJob) -> None:
    """Delete a job that has ended, and its file."""
    with tenant_scope(job.tenant_id):
        file = job.file
        job.delete()
        if file is not None:
            files.drop_private(file)


def content_of(job: SheetJob) -> bytes:
    """Return the sheet that a job imports."""
    with tenant_scope(job.tenant_id):
        assert job.source is not None
        path, _kind = files.stored(job.source.name)
    return path.read_bytes()


def drop_source(job: SheetJob) -> None:
    """Delete the sheet that a job has imported, in the transaction that ends it."""
    source, job.source = job.source, None
    if source is not None:
        job.save(update_fields=["source"])
        files.drop_private(source)
