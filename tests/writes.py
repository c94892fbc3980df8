"""Whether a statement of now would belong to a transaction that others have to wait for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection


def is_open() -> bool:
    """Return whether this connection has written or locked a row, on SQLite: holds the lock of all writers."""
    if connection.vendor == "sqlite":
        return connection.in_atomic_block
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id_if_assigned() IS NOT NULL")
        return bool(cursor.fetchone()[0])


def noting(into: list[bool], function: Callable[..., Any], then: Callable[[], object] = lambda: None) -> Any:
    """Return the function, which notes at each call whether a write is open, and does something else afterwards."""

    def run(*args: Any, **kwargs: Any) -> Any:
        into.append(is_open())
        answer = function(*args, **kwargs)
        then()
        return answer

    return run
