"""Completion of the steps that a company added to a record's process; no command of the record belongs to them."""

from __future__ import annotations

from typing import Any

from core import ports
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Missing, NotAllowed
from core.ports import Completion
from workflows.runtime.execution import driver
from workflows.runtime.rows.items import open_item
from workflows.runtime.tables.worklist.models import WorkItem


def complete(actor: Actor, held: driver.Held, item: WorkItem, outcome: str, comment: str, mark: str) -> dict[str, Any]:
    """Complete an added step, for its assignee or a candidate, inside the operation of the work list.

    The step passes no input to the record: the gate refuses models in which an operation that needs input follows it.
    """
    bound, instance = ports.effects[item.business_type], held.instance
    if not open_item(item).is_for(actor):
        raise NotAllowed() if bound.sees(actor, item.business_id) else Missing()
    record = bound.load(item.business_id)
    entry = current_entry()
    entry.business_type, entry.business_id, entry.remark = item.business_type, item.business_id, comment
    answer = {
        "processInstanceId": str(instance.pk),
        "businessNo": instance.business_no,
        "title": instance.title,
    }
    completion = Completion(outcome=outcome, actor=actor, comment=comment, digest=mark)
    held.complete(item.pk, record, completion, lambda: answer)
    return answer
