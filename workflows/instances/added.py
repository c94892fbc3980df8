"""Steps that a company has added to a record's process: no command of the record knows them, its status stays."""

from __future__ import annotations

from typing import Any

from core.kernel import ports
from core.kernel.act import current_act
from core.kernel.actor import Actor
from core.kernel.errors import Missing, NotAllowed
from core.kernel.ports import Completion, OpenItem
from workflows.instances import driver


def complete(
    actor: Actor, business_type: str, business_id: int, item: OpenItem, outcome: str, comment: str, mark: str
) -> dict[str, Any]:
    """Complete one, for whoever holds it or may take it, inside the queue's operation.

    It is given no input: the gate has proved that no operation which needs some follows it.
    """
    bound = ports.effects[business_type]
    instance = driver.lock(business_type, business_id).instance
    if not item.is_for(actor):
        raise NotAllowed() if bound.sees(actor, business_id) else Missing()
    record = bound.load(business_id)
    act = current_act()
    act.business_type, act.business_id, act.remark = business_type, business_id, comment
    answer = {
        "processInstanceId": str(instance.pk),
        "businessNo": instance.business_no,
        "title": instance.title,
    }
    said = Completion(outcome=outcome, actor=actor, comment=comment, digest=mark)
    driver.complete(item.id, record, said, lambda: answer, business_type)
    return answer
