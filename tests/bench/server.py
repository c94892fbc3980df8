"""The product's web application, and beside it `/bare/<number>`: a request's statements without any framework."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterable
from pathlib import Path
from threading import local
from typing import Any

from core.project.rsgi import behind as product
from core.project.rsgi import front

with Path(os.environ["BENCH_STATEMENTS"]).open("rb") as _file:
    _said: list[list[tuple[str, Any]]] = pickle.load(_file)
_kept = local()


def _connection() -> Any:
    """A connection of this thread's own, set up as the product's are and never closed."""
    from django.db import connections

    if not hasattr(_kept, "wrapper"):
        _kept.wrapper = connections.create_connection("default")
        _kept.wrapper.ensure_connection()
        if _kept.wrapper.vendor == "sqlite":
            for statements in _said:
                statements[:] = [(sql.replace("%s", "?").replace("%%", "%"), params) for sql, params in statements]
    return _kept.wrapper.connection


def _replay(number: int) -> None:
    cursor = _connection().cursor()
    # As the product does it: on SQLite whoever begins as a reader may not become the writer.
    cursor.execute("BEGIN IMMEDIATE" if _kept.wrapper.vendor == "sqlite" else "BEGIN")
    for sql, params in _said[number]:
        cursor.execute(sql, params)
        if cursor.description is not None:
            cursor.fetchall()
    cursor.execute("COMMIT")
    cursor.close()


def _answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    kind, _slash, number = environ["PATH_INFO"].strip("/").partition("/")
    if kind != "bare":
        return product(environ, start_response)
    _replay(int(number))
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "2")])
    return _Content([b"ok"])


class _Content(list[bytes]):
    def close(self) -> None:
        """As Django's responses have it."""


application = front(_answer)
