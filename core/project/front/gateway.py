"""The application that the web server calls: a body is received on the event loop, then a thread works on the call.

The threads run the ordinary WSGI application of Django. None of them ever waits for a client: a call is given to them
with its whole body, and their answer is handed to the web server, which sends it as fast as it is read.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from granian.rsgi import ProtocolClosed  # type: ignore[attr-defined]  # it says so in no __all__
from whitenoise.responders import SlicedFile

from core.kernel.errors import Refusal
from core.project.front import callers, refusals
from core.project.front.callers import Caller
from core.project.front.lines import end_unread_answers
from core.project.front.rates import Counters, Rate
from core.project.front.reception import AT_ONCE, Reception

log = logging.getLogger("xunwei.front")
HEALTH = "/healthz"
_NO_HEADERS = frozenset({"content-length", "content-type", "transfer-encoding"})
_JOINED = {"cookie": "; "}
"""Headers that may come several times and are not joined by a comma."""
_Call = tuple[dict[str, Any], Any, Callable[[], object]]
"""What a thread is given: the call, where its answer goes, and what is called when that is done."""
_Answer = tuple[int, list[tuple[str, str]], bytes | tuple[str, int, int]]
"""Status, headers and content; a file as its path, begin and end."""


class _File:
    """What Django hands over where an answer is a file; `wsgi.file_wrapper` of PEP 3333."""

    def __init__(self, file: Any, block_size: int = 65536):
        self._file, self._block_size = file, block_size

    def part(self) -> tuple[str, int, int] | None:
        """Return path, begin and end of what is to be sent; None where it is no file that lies anywhere."""
        whole = self._file.fileobj if isinstance(self._file, SlicedFile) else self._file
        try:
            name, known = whole.name, os.fstat(whole.fileno())
            if not os.path.samestat(Path(name).stat(), known):
                return None
        except (AttributeError, OSError, TypeError):
            return None
        begin = whole.tell()
        end = begin + self._file.remaining if isinstance(self._file, SlicedFile) else known.st_size
        return str(name), begin, end

    def __iter__(self) -> Iterator[bytes]:
        while piece := self._file.read(self._block_size):
            yield piece

    def close(self) -> None:
        """Close the file, and with it Django's response."""
        self._file.close()


def _read_headers(scope: Any) -> dict[str, str]:
    """Return the headers by their name in small letters.

    Those with an underscore are dropped: WSGI has one spelling for `X-Forwarded-For` and `X_Forwarded_For`.
    """
    found: dict[str, str] = {}
    for name, value in scope.headers.items():
        if "_" not in name:
            found[name] = f"{found[name]}{_JOINED.get(name, ',')}{value}" if name in found else value
    return found


def _declared(headers: dict[str, str]) -> int | None:
    """Return the length of the body; None where it comes in chunks and nobody knows."""
    return None if "transfer-encoding" in headers else int(headers.get("content-length") or 0)


class Gateway:
    """An RSGI application around a WSGI one."""

    def __init__(
        self,
        application: Callable[..., Any],
        *,
        threads: int,
        reception: Reception,
        counters: Counters,
        rates: Mapping[str, Rate],
    ):
        self._application, self._reception = application, reception
        self._counters, self._rates = counters, rates
        self._calls: SimpleQueue[_Call] = SimpleQueue()
        self._health: SimpleQueue[_Call] = SimpleQueue()
        self._threads = threads

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start the threads, in the process that works on the calls; one more answers for the server's health alone."""
        for number in range(self._threads):
            Thread(target=self._run, args=(self._calls,), name=f"call-{number}", daemon=True).start()
        Thread(target=self._run, args=(self._health,), name="health", daemon=True).start()
        loop.call_soon(end_unread_answers)  # the web server listens by then

    async def __rsgi__(self, scope: Any, stream: Any) -> None:
        """Answer one call."""
        headers = _read_headers(scope)
        peer = scope.client.rpartition(":")[0].strip("[]")
        try:
            caller, declared = callers.caller_of(headers, peer), _declared(headers)
            if callers.is_call(scope.path):
                await self._count(caller, stream, declared)
            if declared == 0:
                await self._work(stream, _environ(scope, headers, peer, BytesIO(), 0))
                return
            allowed = callers.longest(scope.method, scope.path, caller, declared)
            with self._reception.holding(caller, declared, allowed):
                body, length = await self._reception.receive(stream, declared, allowed, caller)
                with body:
                    await self._work(stream, _environ(scope, headers, peer, body, length))
        except Refusal as refusal:
            stream.response_bytes(*refusals.answer(refusal, headers))
        except ProtocolClosed:
            pass  # the client went away while it was sending

    async def _count(self, caller: Caller, stream: Any, declared: int | None) -> None:
        """Count the call; raises TooMany."""
        asked = [(f"{kind} {who}", self._rates[kind]) for kind, who in caller.counted() if kind in self._rates]
        if wait := self._counters.take(asked):
            if declared and declared <= AT_ONCE:
                # Where a body stays unread the connection ends, and some clients see that in place of the answer.
                await self._reception.receive(stream, declared, declared, caller)
            raise refusals.TooMany(wait)

    async def _work(self, stream: Any, environ: dict[str, Any]) -> None:
        """Let a thread work on the call and answer it."""
        loop = asyncio.get_running_loop()
        answered = loop.create_future()
        calls = self._health if environ["PATH_INFO"] == HEALTH else self._calls
        calls.put((environ, stream, lambda: loop.call_soon_threadsafe(answered.set_result, None)))
        await answered

    def _run(self, calls: SimpleQueue[_Call]) -> None:
        """Work on one call after another, as long as the process lives."""
        while True:
            environ, stream, tell = calls.get()
            try:
                status, headers, content = self._call(environ)
                if isinstance(content, bytes):
                    stream.response_bytes(status, headers, content)
                else:
                    stream.response_file_range(status, headers, *content)
            finally:
                tell()

    def _call(self, environ: dict[str, Any]) -> _Answer:
        """Run the WSGI application to its end."""
        said: list[Any] = []

        def start_response(status: str, headers: list[tuple[str, str]], _failure: Any = None) -> None:
            said[:] = int(status[:3]), headers

        try:
            result = self._application(environ, start_response)
            try:
                part = result.part() if isinstance(result, _File) else None
                content = part if part is not None else b"".join(result)
            finally:
                result.close()
        except Exception:
            log.exception("a call failed outside the application's own care")
            return refusals.answer(refusals.Broken(), {})
        return said[0], said[1], content


def _environ(scope: Any, headers: dict[str, str], peer: str, body: Any, length: int) -> dict[str, Any]:
    """Return what PEP 3333 asks for. The body is there in whole, so it always has a length."""
    server, _colon, port = scope.server.rpartition(":")
    environ = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_NAME": server.strip("[]"),
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": peer,
        "CONTENT_TYPE": headers.get("content-type", ""),
        "CONTENT_LENGTH": str(length),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": _File,
    }
    for name, value in headers.items():
        if name not in _NO_HEADERS:
            environ[_variable(name)] = value
    return environ


@lru_cache(maxsize=512)
def _variable(name: str) -> str:
    """Return the name that a header has in WSGI."""
    return f"HTTP_{name.upper().replace('-', '_')}"
