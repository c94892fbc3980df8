"""What the store needs to know of maintenance orders, and does to them: their cost."""

from __future__ import annotations

from decimal import Decimal

from core import ports
from core.kernel.actor import Actor
from core.preventive.case import MAINTAIN
from core.preventive.models import MaintainOrder
from core.preventive.parts import PARTS
from core.spares.orders import Order, OrderKind


def _lock(order_id: int) -> Order:
    process = ports.processes.lock(MAINTAIN.name, order_id)
    return PARTS.as_order(MAINTAIN.load(order_id), process)


def _peek(order_id: int) -> Order | None:
    order = MAINTAIN.peek(order_id)
    return PARTS.as_order(order) if order is not None else None


def _sees(actor: Actor, order_id: int) -> bool:
    return actor.may(MAINTAIN.code) and MAINTAIN.sees(actor, order_id)


def _may_request(actor: Actor, order: Order) -> bool:
    return actor.may("spareuselog_add")


def _settle(order: Order, cost: Decimal) -> None:
    """Keep the cost; whoever has the order's page open need not read it again for this."""
    order.record.spare_cost = cost
    MaintainOrder.objects.filter(pk=order.id).update(spare_cost=cost)


def _supplied(actor: Actor, order: Order) -> None:
    """Maintenance does not wait for its parts."""


MAINTAIN_ORDERS = OrderKind(
    noun=MAINTAIN.name, lock=_lock, peek=_peek, sees=_sees, may_request=_may_request, settle=_settle, supplied=_supplied
)
