"""The clock of the application. The demo plant and the tests replace it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, date, datetime
from typing import TypeVar

YEARS = range(1900, 3000)
"""Years that are stored and compared: beyond them databases and time zones run out of dates."""
_EARLIEST, _LATEST = datetime(YEARS[0], 1, 1), datetime(YEARS[-1], 12, 31, 23, 59, 59, 999999)
_Day = TypeVar("_Day", date, datetime)
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


def within_years(found: _Day) -> _Day:
    """Return the date or moment, or the end of our years beyond which it lies: nothing stored tells them apart."""
    if found.year in YEARS:
        return found
    end = _EARLIEST if found.year < YEARS[0] else _LATEST
    return end.replace(tzinfo=found.tzinfo) if isinstance(found, datetime) else end.date()
