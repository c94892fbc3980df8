"""Writing events, and finding the answer of a request that was made before."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from core.audit.models import Event
from core.kernel import writes
from core.kernel.act import Act
from core.kernel.errors import Conflict


def write(act: Act, answer: Any) -> None:
    """Store the act as one event row, in the transaction of the act."""
    actor = act.actor
    event = Event(
        operation=act.operation,
        user_id=actor.user_id,
        user_name=actor.name[:40],
        client=actor.client,
        ip=actor.ip,
        request_id=actor.request_id,
        business_type=act.business_type,
        business_id=act.business_id,
        from_status=act.from_status,
        to_status=act.to_status,
        remark=act.remark[:500],
        instance_id=act.instance_id,
        work_item_id=act.work_item_id,
        node=act.node,
        round=act.round,
        outcome=act.outcome,
        from_holder=act.from_holder,
        to_holder=act.to_holder,
        effects=act.effects,
        idempotency_key=actor.idempotency_key or None,
        digest=act.digest,
        answer=answer if actor.idempotency_key else None,
    )
    writes.insert([event])


def replay(act: Act) -> tuple[bool, Any]:
    """(True, the stored answer) for a repeated request; raises Conflict when the key was used for another one."""
    row = Event.objects.filter(user_id=act.actor.user_id, idempotency_key=act.actor.idempotency_key).first()
    if row is None:
        return False, None
    # The digest holds the name of the operation that was asked for; the row's own name is what it turned out to be.
    if row.digest != act.digest:
        raise Conflict("request.keyReused", _("同一个幂等键已用于另一个请求"))
    return True, row.answer
