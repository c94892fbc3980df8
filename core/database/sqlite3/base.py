"""The connection to SQLite, which has one writer at a time: whoever writes long stops everybody."""

from __future__ import annotations

import logging
import time
from itertools import count
from typing import Any

from django.db.backends.sqlite3 import base

from core.kernel.audit_entry import current_operation

LONG_SECONDS = 1.0
log = logging.getLogger("xunwei.database")
_long = count(1)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose transactions take the write lock when they begin."""

    _since: float | None = None
    """When the transaction got the lock (monotonic)."""

    def _start_transaction_under_autocommit(self) -> None:
        # Django leaves the cursor of a BEGIN that had to wait too long to the garbage collector. Whichever thread that
        # runs in then waits for this connection, which may be waiting for a lock that the very thread holds.
        with self.cursor() as cursor:
            cursor.execute(f"BEGIN {self.transaction_mode or ''}")  # type: ignore[attr-defined]
        self._since = time.monotonic()

    def _commit(self) -> Any:
        done = super()._commit()  # type: ignore[misc]  # django-stubs leave out what has an underscore
        self._report()
        return done

    def _rollback(self) -> Any:
        done = super()._rollback()  # type: ignore[misc]
        self._report()
        return done

    def _report(self) -> None:
        """Log a transaction that others had to wait for, by what was done in it."""
        since, self._since = self._since, None
        if since is None or (seconds := time.monotonic() - since) < LONG_SECONDS:
            return
        name = current_operation()
        log.warning(
            "%s held the write lock for %.1f s; long writes of this process: %d",
            name or "a write",
            seconds,
            next(_long),
            # What has no name is found by where it was called.
            stack_info=not name,
        )
