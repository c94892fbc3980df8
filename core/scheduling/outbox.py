"""Storing and delivering outbox messages: at least once, each in its own transaction, parked after five tries."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from celery import current_app
from django.db import connection, transaction
from kombu.exceptions import OperationalError

from core.kernel import outbox
from core.kernel.actor import acting, system
from core.kernel.tenancy import current_tenant, tenant_scope
from core.scheduling.models import OutboxMessage
from core.statements import writes

MAX_ATTEMPTS = 5
PAUSE_SECONDS = 0.05
LATER = timedelta(seconds=10)
log = logging.getLogger("xunwei.outbox")

_asked = threading.Event()
_thread: threading.Thread | None = None
_starting = threading.Lock()


def send(topic: str, payload: Mapping[str, Any]) -> None:
    """Store a message of the tenant in scope, and wake the worker once it is committed."""
    writes.insert([OutboxMessage(tenant_id=current_tenant(), topic=topic, payload=dict(payload))])
    transaction.on_commit(_ask_to_wake, robust=True)


def _ask_to_wake() -> None:
    """Let the thread of this process wake the worker, so that no request waits for the broker."""
    global _thread
    _asked.set()
    if _thread is None or not _thread.is_alive():
        with _starting:
            if _thread is None or not _thread.is_alive():
                _thread = threading.Thread(target=_run, name="xunwei-wake", daemon=True)
                _thread.start()


def _run() -> None:
    while True:
        _asked.wait()
        _asked.clear()
        _wake()
        # Whatever is committed meanwhile has one wake-up together.
        time.sleep(PAUSE_SECONDS)


def _wake() -> None:
    """A nudge only: when it is lost, the sweep finds the row a few seconds later."""
    try:
        current_app.send_task("scheduling.sweep_outbox", retry=False, expires=10, ignore_result=True)
    except OperationalError as error:
        log.info("no broker to wake the worker (%s); the sweep will find the row", error)


def deliver_due(limit: int = 200) -> int:
    """Deliver what is due, each message in a transaction of its own; answers how many were delivered."""
    # Delivery is the machine's own time, never the passed-in clock of a demo or a test.
    now = datetime.now(UTC)
    due = OutboxMessage.objects.filter(is_parked=False, due_time__lte=now).order_by("id")
    return sum(_deliver(message_id) for message_id in list(due.values_list("pk", flat=True)[:limit]))


def _deliver(message_id: int) -> bool:
    try:
        with transaction.atomic():
            # Two workers may sweep at once: the second one skips the row, or waits and finds it gone.
            rows = OutboxMessage.objects.select_for_update(skip_locked=connection.vendor == "postgresql")
            message = rows.filter(pk=message_id, is_parked=False).first()
            if message is None:
                return False
            with tenant_scope(message.tenant_id), acting(system(message.tenant_id)):
                outbox.handlers[message.topic](message.pk, message.payload)
            message.delete()
            return True
    except outbox.Later:
        OutboxMessage.objects.filter(pk=message_id).update(due_time=datetime.now(UTC) + LATER)
        return False
    except Exception as error:  # the worker loop: one bad message must not stop the others
        log.exception("outbox message %s failed", message_id)
        _put_off(message_id, error)
        return False


def _put_off(message_id: int, error: Exception) -> None:
    """Try again later, twice as late each time; after five tries wait for a person."""
    with transaction.atomic():
        message = OutboxMessage.objects.select_for_update().filter(pk=message_id).first()
        if message is None:
            return
        message.attempts += 1
        message.due_time = datetime.now(UTC) + timedelta(seconds=5 * 2**message.attempts)
        message.is_parked = message.attempts >= MAX_ATTEMPTS
        message.last_error = f"{type(error).__name__}: {error}"[:500]
        message.save(update_fields=["attempts", "due_time", "is_parked", "last_error"])
        if message.is_parked and message.topic in outbox.given_up:
            with tenant_scope(message.tenant_id), acting(system(message.tenant_id)):
                outbox.given_up[message.topic](message.payload, error)


def again(topic: str, values: Mapping[str, Any]) -> int:
    """Parked messages of the tenant in scope are due again."""
    rows = OutboxMessage.objects.filter(tenant_id=current_tenant(), topic=topic, is_parked=True)
    rows = rows.filter(**{f"payload__{name}": value for name, value in values.items()})
    tried = rows.update(is_parked=False, attempts=0, due_time=datetime.now(UTC))
    if tried:
        transaction.on_commit(_ask_to_wake, robust=True)
    return tried
