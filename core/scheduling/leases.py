"""Leases on rows of a queue: who works on a row moves its due time ahead, and others leave it alone until then.

Where a worker is killed, its lease ends by itself and somebody else goes on.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from core.scheduling import turns
from core.scheduling.models import QueuedModel


class Lost(Exception):
    """Somebody else has taken the row meanwhile: what was done for it here does not count."""


def claim(queue: turns.Queue, tenant_id: str, lease: timedelta) -> Any:
    """Take the tenant's next row that is due, for as long as the lease; None where there is none."""
    now = datetime.now(UTC)
    with transaction.atomic():
        row = turns.take(queue.due(now), tenant_id)
        if row is not None:
            row.attempts += 1
            row.due_time = now + lease
            row.save(update_fields=["attempts", "due_time"])
    return row


def move(row: QueuedModel, due_time: datetime, **columns: Any) -> None:
    """Move the due time of a row that was claimed, and set these columns, where what was done for it is stored.

    Raises Lost where the lease has ended and somebody else has the row.
    """
    held = type(row)._default_manager.filter(pk=row.pk, due_time=row.due_time)
    if not held.update(due_time=due_time, attempts=0, last_error="", **columns):
        raise Lost()
    row.due_time, row.attempts = due_time, 0
    for name, value in columns.items():
        setattr(row, name, value)


def put_off(row: QueuedModel, error: Exception) -> None:
    """Try the row again later, twice as late each time."""
    due = datetime.now(UTC) + timedelta(seconds=2 * 2**row.attempts)
    text = f"{type(error).__name__}: {error}"[:500]
    type(row)._default_manager.filter(pk=row.pk, due_time=row.due_time).update(due_time=due, last_error=text)


@contextmanager
def alone(name: str) -> Iterator[bool]:
    """Yield whether nobody else on this machine is in such a block; a lock that a killed process had is free."""
    path = Path(settings.DATA_DIR) / "run" / f"{name}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
