"""The one place that tells the time, so that the demo plant and the tests can pass a clock in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

_moment: ContextVar[datetime | None] = ContextVar("moment", default=None)


def now() -> datetime:
    """The present instant (aware, UTC), or the one that `at` set."""
    return _moment.get() or datetime.now(UTC)


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Let `now` answer this aware instant inside the block."""
    if moment.tzinfo is None:
        raise ValueError("a moment needs its time zone")
    token = _moment.set(moment)
    try:
        yield
    finally:
        _moment.reset(token)
