"""Storing and delivering outbox messages: at least once, each in its own transaction, parked after five tries."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from math import inf
from typing import Any

from django.db import transaction

from core.kernel import outbox
from core.kernel.actor import acting, system
from core.kernel.tenancy import current_tenant, tenant_scope
from core.scheduling import turns
from core.scheduling.models import OutboxMessage
from core.scheduling.waking import wake_worker
from core.statements import writes

MAX_ATTEMPTS = 5
LATER = timedelta(seconds=1)
MESSAGES = turns.Queue("messages", OutboxMessage, "scheduling.sweep_outbox", budget="deliveries", hops="hops")
log = logging.getLogger("xunwei.outbox")


def send(
    topic: str, payload: Mapping[str, Any], receiver_id: int | None = None, due: datetime | None = None
) -> None:  # fmt: skip
    """Store a message of the tenant in scope, and wake the worker once it is committed."""
    row = OutboxMessage(tenant_id=current_tenant(), topic=topic, payload=dict(payload), receiver_id=receiver_id)
    if due is not None:
        row.due_time = due
    writes.insert([row])
    wake_worker(MESSAGES.job)


def deliver_due(limit: int = 200, seconds: float = inf) -> int:
    """Deliver what is due, the tenants in turns, each message in its own transaction; answers how many succeeded."""
    return turns.go_round(MESSAGES, _deliver_one, limit, seconds=seconds)


def _deliver_one(tenant_id: str) -> turns.Taken | None:
    """Deliver the tenant's oldest message that is due and that no other worker has; None where there is none."""
    message: OutboxMessage | None = None
    is_hop = False
    try:
        with transaction.atomic():
            # Delivery is the machine's own time, never the passed-in clock of a demo or a test.
            message = turns.take(MESSAGES.due(datetime.now(UTC)), tenant_id)
            if message is None:
                return None
            is_hop = message.payload.get("hops", 0) > 1
            with tenant_scope(tenant_id), acting(system(tenant_id)):
                try:
                    outbox.handlers[message.topic](message.pk, message.payload)
                except outbox.Asleep:
                    # In this transaction, which has locked the receiver: whoever resumes it finds the row asleep.
                    message.is_asleep = True
                    message.save(update_fields=["is_asleep"])
                    return turns.Taken(is_done=False, is_hop=is_hop)
            message.delete()
            return turns.Taken(is_done=True, is_hop=is_hop)
    except Exception as error:  # the worker loop: one bad message must not stop the others
        if message is None:
            raise
        if isinstance(error, outbox.Later):
            OutboxMessage.objects.filter(pk=message.pk).update(due_time=datetime.now(UTC) + LATER)
        else:
            if isinstance(error, outbox.Hopeless):
                log.warning("outbox message %s is parked: %s", message.pk, error.__cause__)
            else:
                log.exception("outbox message %s failed", message.pk)
            _put_off(message.pk, error)
    return turns.Taken(is_done=False, is_hop=is_hop)


def _put_off(message_id: int, error: Exception) -> None:
    """Try again later, twice as late each time; after five tries, or where it is hopeless, wait for a person."""
    cause = error.__cause__ if isinstance(error, outbox.Hopeless) else error
    assert isinstance(cause, Exception)
    with transaction.atomic():
        message = OutboxMessage.objects.select_for_update().filter(pk=message_id).first()
        if message is None:
            return
        message.attempts += 1
        message.due_time = datetime.now(UTC) + timedelta(seconds=5 * 2**message.attempts)
        message.is_parked = message.attempts >= MAX_ATTEMPTS or isinstance(error, outbox.Hopeless)
        message.last_error = f"{type(cause).__name__}: {cause}"[:500]
        message.save(update_fields=["attempts", "due_time", "is_parked", "last_error"])
        if message.is_parked and message.topic in outbox.given_up:
            with tenant_scope(message.tenant_id), acting(system(message.tenant_id)):
                outbox.given_up[message.topic](message.payload, cause)


def again(topic: str, values: Mapping[str, Any]) -> int:
    """Parked messages of the tenant in scope are due again."""
    rows = OutboxMessage.objects.filter(tenant_id=current_tenant(), topic=topic, is_parked=True)
    rows = rows.filter(**{f"payload__{name}": value for name, value in values.items()})
    return _due_now(rows.update(is_parked=False, attempts=0, due_time=datetime.now(UTC)))


def wake(topic: str, receivers: Iterable[Any]) -> int:
    """Sleeping messages of the tenant in scope to these receivers are due again."""
    rows = OutboxMessage.objects.filter(tenant_id=current_tenant(), topic=topic, is_asleep=True)
    return _due_now(rows.filter(receiver_id__in=receivers).update(**turns.woken()))


def _due_now(number: int) -> int:
    if number:
        wake_worker(MESSAGES.job)
    return number
