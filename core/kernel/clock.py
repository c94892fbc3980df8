"""The clock of the application. The demo plant and the tests replace it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

_moment: ContextVar[datetime | None] = ContextVar("moment", default=None)


def now() -> datetime:
    """Return the current time (aware, UTC), or the time set by `at`."""
    return _moment.get() or datetime.now(UTC)


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Make `now` return this aware datetime inside the `with` block."""
    if moment.tzinfo is None:
        raise ValueError("a moment needs its time zone")
    token = _moment.set(moment)
    try:
        yield
    finally:
        _moment.reset(token)
