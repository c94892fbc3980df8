"""Stores audit entries as event rows, and finds the stored answer of a repeated request."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from core.audit.models import Event
from core.kernel.audit_entry import AuditEntry
from core.kernel.errors import Conflict
from core.statements import writes

_MOST_ROWS = 500
"""Of one INSERT: databases take a limited number of parameters."""


def write(entry: AuditEntry, answer: Any) -> None:
    """Store the audit entry in the transaction of the operation: one event row for each record that it changed.

    The last of these rows has the idempotency key and the answer; behind it come the rows of what the operation led to.
    """
    earlier = [replace(one, operation=entry.operation, remark=one.remark or entry.remark) for one in entry.earlier]
    events = [*(_event(one, "", None) for one in earlier), _event(entry, entry.actor.idempotency_key, answer)]
    events += [_event(one, "", None) for one in entry.later]
    for begin in range(0, len(events), _MOST_ROWS):
        writes.insert(events[begin : begin + _MOST_ROWS])


def _event(entry: AuditEntry, key: str, answer: Any) -> Event:
    actor = entry.actor
    return Event(
        operation=entry.operation,
        user_id=actor.user_id,
        user_name=actor.name[:40],
        client=actor.client,
        ip=actor.ip,
        request_id=actor.request_id,
        business_type=entry.business_type,
        business_id=entry.business_id,
        from_status=entry.from_status,
        to_status=entry.to_status,
        remark=entry.remark[:500],
        instance_id=entry.instance_id,
        work_item_id=entry.work_item_id,
        node=entry.node,
        round=entry.round,
        outcome=entry.outcome,
        from_holder=entry.from_holder,
        to_holder=entry.to_holder,
        to_key=entry.to_key,
        effects=entry.effects,
        changes=entry.changes,
        idempotency_key=key or None,
        digest=entry.digest,
        answer=answer if key else None,
    )


def replay(entry: AuditEntry) -> tuple[bool, Any]:
    """Return (True, stored answer) for a repeated request, else (False, None).

    Raises Conflict if the idempotency key was used for a different request.
    """
    row = Event.objects.filter(user_id=entry.actor.user_id, idempotency_key=entry.actor.idempotency_key).first()
    if row is None:
        return False, None
    # The digest holds the name of the operation that was asked for; the row's own name is what it turned out to be.
    if row.digest != entry.digest:
        raise Conflict("request.keyReused", _("同一个幂等键已用于另一个请求"))
    return True, row.answer
