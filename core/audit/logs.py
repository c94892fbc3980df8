"""Writes the logs of calls and errors: rows are queued in memory and stored by a background thread.

They are for looking, not for relying on: when the process is killed, the last second of them is lost.
"""

from __future__ import annotations

import atexit
import logging
import threading
import time
import traceback
from collections import deque
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from core.audit.models import CallLog, ErrorLog, ErrorOrigin
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.call_log import Call
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.rest.masking import MOST, clean

log = logging.getLogger("xunwei.log")
EVERY_SECONDS = 1.0
MOST_WAITING = 5000
AT_ONCE = 200

_waiting: deque[tuple[str, CallLog | ErrorLog]] = deque()
_dropped = 0
_thread: threading.Thread | None = None
_starting = threading.Lock()


def _put(tenant_id: str, row: CallLog | ErrorLog) -> None:
    """Queue a row for the background thread. If the queue is full, the row is counted and dropped."""
    global _dropped
    if len(_waiting) >= MOST_WAITING:
        _dropped += 1
        return
    _waiting.append((tenant_id, row))
    if settings.LOG_THREAD:
        _start()


def _start() -> None:
    """Start the thread with the first row, so that each web process has its own."""
    global _thread
    if _thread is None or not _thread.is_alive():
        with _starting:
            if _thread is None or not _thread.is_alive():
                _thread = threading.Thread(target=_run, name="xunwei-logs", daemon=True)
                _thread.start()


def _run() -> None:
    while True:
        time.sleep(EVERY_SECONDS)
        flush()
        if not _waiting:
            # An idle thread holds no connection of the pool.
            connection.close()


def flush() -> None:
    """Store the queued rows, with one insert for each tenant and table."""
    global _dropped
    while _waiting:
        rows: dict[tuple[str, type[Any]], list[Any]] = {}
        for _number in range(min(AT_ONCE, len(_waiting))):
            tenant_id, row = _waiting.popleft()
            rows.setdefault((tenant_id, type(row)), []).append(row)
        for (tenant_id, model), batch in rows.items():
            try:
                with tenant_scope(tenant_id):
                    model.objects.bulk_create(batch)
            except DatabaseError as error:
                log.warning("%d log rows of %s were not stored: %s", len(batch), tenant_id, type(error).__name__)
    if _dropped:
        log.warning("%d log rows were dropped, because too many came at once", _dropped)
        _dropped = 0


atexit.register(lambda: flush() if _thread is not None else None)


def record(call: Call) -> None:
    """Log a call; see kernel.call_log."""
    actor = call.actor
    _put(
        actor.tenant_id if actor else PLATFORM,
        CallLog(
            method=call.method,
            request_uri=clean(call.path)[:300],
            title=call.path.strip("/").removeprefix("api/")[-80:],
            status=call.status,
            milliseconds=call.milliseconds,
            params=call.params[:MOST],
            remote_ip=call.ip[:45],
            user_agent=clean(call.user_agent)[:300],
            request_id=call.request_id,
            user_id=actor.user_id if actor else None,
            create_by=actor.name[:40] if actor else "",
        ),
    )


def failed(request: Any, error: BaseException) -> None:
    """Log a server error; see kernel.call_log."""
    actor = getattr(request, "user", None) if request is not None else None
    actor = actor if isinstance(actor, Actor) else None
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1] if frames else None
    _put(
        actor.tenant_id if actor else PLATFORM,
        ErrorLog(
            origin=ErrorOrigin.SERVER,
            exception_name=type(error).__name__[:120],
            message=clean(str(error)),
            stack_trace=clean("".join(traceback.format_exception(error))[-MOST:]),
            file_name=(last.filename if last else "")[-200:],
            line_number=last.lineno if last else None,
            **_request(request),
            user_id=actor.user_id if actor else None,
            create_by=actor.name[:40] if actor else "",
        ),
    )


def _request(request: Any) -> dict[str, str]:
    if request is None:
        return {"method": "", "request_uri": ""}
    return {
        "method": str(request.method)[:8],
        "request_uri": clean(request.path)[:300],
        "remote_ip": request.META.get("REMOTE_ADDR", "")[:45],
        "user_agent": clean(request.headers.get("User-Agent", ""))[:300],
        "request_id": getattr(request, "request_id", ""),
    }


def store_client_errors(actor: Actor, rows: Sequence[Mapping[str, str]]) -> None:
    """Store the errors that a console has sent, within the request."""
    ErrorLog.objects.bulk_create(
        ErrorLog(
            origin=ErrorOrigin.CONSOLE,
            method="",
            request_uri=clean(row.get("url", ""))[:300],
            exception_name=clean(row.get("type", ""))[:120] or "error",
            message=clean(row.get("message", "")),
            stack_trace=clean("\n".join(filter(None, (row.get("info", ""), row.get("stack", ""))))),
            remote_ip=actor.ip[:45],
            request_id=actor.request_id,
            user_id=actor.user_id,
            create_by=actor.name[:40],
            create_time=_moment(row.get("time", "")),
        )
        for row in rows
    )


def _moment(text: str) -> datetime:
    """Return the time that the console sent; the current time if it is invalid or in the future."""
    now = clock.now()
    try:
        moment = timezone.make_aware(clock.within_years(datetime.strptime(text, "%Y-%m-%d %H:%M:%S")))
    except ValueError:
        return now
    return min(moment, now)
