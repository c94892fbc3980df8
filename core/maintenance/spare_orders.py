"""What the store needs to know of repair orders, and does to them: their cost, and the end of a hold for parts."""

from __future__ import annotations

import logging
from dataclasses import replace
from decimal import Decimal

from django.db import transaction

from core import ports
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Refusal
from core.maintenance.case import REPAIR
from core.maintenance.models import HangReason, RepairOrder, Status
from core.maintenance.parts import ISSUED, PARTS
from core.spares.orders import Order, OrderKind

log = logging.getLogger("xunwei.spares")


def _lock(order_id: int) -> Order:
    process = ports.processes.lock(REPAIR.name, order_id)
    return PARTS.as_order(REPAIR.load(order_id), process)


def _peek(order_id: int) -> Order | None:
    order = REPAIR.peek(order_id)
    return PARTS.as_order(order) if order is not None else None


def _sees(actor: Actor, order_id: int) -> bool:
    return actor.may(REPAIR.code) and REPAIR.sees(actor, order_id)


def _may_request(actor: Actor, order: Order) -> bool:
    return actor.may("spareuselog_add")


def _settle(order: Order, cost: Decimal) -> None:
    """Keep the cost; whoever has the order's page open need not read it again for this."""
    order.record.spare_cost = cost
    RepairOrder.objects.filter(pk=order.id).update(spare_cost=cost)


def _supplied(actor: Actor, order: Order) -> None:
    """Let a repair go on that waits for its parts.

    Where a company's own model does not wait for the message, or its process stands still, the order stays on hold, and
    the technician resumes it: the parts are issued all the same.
    """
    record: RepairOrder = order.record
    if record.status != Status.ON_HOLD or record.hang_reason != HangReason.PARTS:
        return
    entry = current_entry()
    of_store = dict(vars(entry))
    # What the process does is told of the order, in an entry of its own behind that of the store.
    vars(entry).update(
        business_type=REPAIR.name, business_id=record.pk, from_status=None, to_status=None, remark="", outcome="",
        effects=[], changes=[], earlier=[], later=[],
    )  # fmt: skip
    completion = ports.Completion("resume", actor, {}, record_version=record.lock_version)
    told = None
    try:
        with transaction.atomic():
            order.process.send(record, ISSUED, completion)
        told = replace(entry, operation=f"{REPAIR.name}.partsIssued", digest="")
    except Refusal:
        log.info("order %s stays on hold: its process does not take the message", record.order_no)
    finally:
        more = entry.later
        vars(entry).update(of_store)
    if told is not None:
        entry.later += [replace(told, later=[]), *more]


REPAIR_ORDERS = OrderKind(
    noun=REPAIR.name, lock=_lock, peek=_peek, sees=_sees, may_request=_may_request, settle=_settle, supplied=_supplied
)
