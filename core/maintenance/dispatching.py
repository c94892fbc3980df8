"""Automatic dispatch: a new order goes to somebody of the machine's team who is on duty, where the company wants it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from core import ports
from core.cases import commands
from core.kernel import outbox
from core.kernel.actor import Actor, acting, system
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Refusal
from core.kernel.operation import SYSTEM, operation
from core.kernel.tenancy import current_tenant
from core.maintenance import people
from core.maintenance.case import REPAIR
from core.maintenance.models import RepairOrder, Status
from core.shifts.queries import on_duty
from core.system import parameters

_STEP = "dispatch"
TOPIC = "repair.dispatch"


def after(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a report answers, with the order as it stands once it has been dispatched by itself."""
    if answer.get("status") != Status.REPORTED or not parameters.repair().dispatch_auto or not on_duty():
        return answer  # mostly: nothing is locked where nobody in the company is on duty
    actor = system(current_tenant())
    try:
        with acting(actor), transaction.atomic():
            return automatic(actor, int(answer["id"])) or answer
    except Refusal:  # the report stands, and waits for somebody who dispatches it
        return answer


def soon(order_id: int) -> None:
    """Let an order that is made in this transaction be dispatched once it is committed; nobody waits for it."""
    if parameters.repair().dispatch_auto:
        outbox.send(TOPIC, {"order": order_id})


def listen() -> None:
    """Dispatch what `soon` was told of."""
    outbox.handler(TOPIC)(_dispatch)


def _dispatch(_id: int, told: Mapping[str, Any]) -> None:
    after({"id": told["order"], "status": Status.REPORTED})


@operation("repairorder.autoDispatch", code=SYSTEM)
def automatic(actor: Actor, order_id: int) -> dict[str, Any] | None:
    """Dispatch an order that waits for it; None where nobody is on duty, or it waits for something else by now."""
    process = ports.processes.lock(REPAIR.name, order_id)
    order: RepairOrder = REPAIR.load(order_id)
    item = next((one for one in process.open_items if one.node == _STEP and not one.is_signer), None)
    person = people.on_duty_of(order.machine) if item is not None and order.status == Status.REPORTED else None
    if item is None or person is None or item.halted or item.parked or item.assignee_id is not None:
        current_entry().nothing_happened = True
        return None
    commands.describe_change(REPAIR, order)
    entry = current_entry()
    entry.operation, entry.remark = f"{REPAIR.name}.{_STEP}", "系统自动派单"
    values: dict[str, Any] = {"repair_user_id": person, "team_id": None, "helper_ids": []}
    completion = ports.Completion(_STEP, actor, values, entry.remark, order.lock_version)
    process.complete(item.id, order, completion, answer=lambda: commands.answer(REPAIR, order))
    return commands.answer(REPAIR, order)
