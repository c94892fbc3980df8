"""Spare parts of one kind of order, as the declaration of its case uses them: requested, and in the way of an end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.kernel.actor import Actor, current_actor
from core.spares import life
from core.spares.models import OrderType
from core.spares.orders import Order


@dataclass(frozen=True)
class OrderParts:
    """The parts of repair orders, or those of maintenance orders."""

    order_type: OrderType
    statuses: tuple[int, ...]
    """The states of an order in which parts may be requested and brought back."""

    def as_order(self, record: Any, process: Any = None) -> Order:
        """Return an order's record as the store sees it."""
        is_open = record.status in self.statuses
        status_name = str(record.get_status_display())
        return Order(record.pk, record.order_no, record.machine_id, status_name, is_open, record, process)

    def request(self, record: Any, values: dict[str, Any]) -> None:
        """Request parts for the order, on whose page the person is."""
        actor = current_actor()
        assert actor is not None
        life.request_for(actor, self.order_type, self.as_order(record), values)

    def refuse_open(self, actor: Actor, record: Any, values: dict[str, Any]) -> None:
        """Raise Refusal where the store has a request to handle yet."""
        life.refuse_open(self.order_type, record.pk)

    def refuse_issued(self, actor: Actor, record: Any, values: dict[str, Any]) -> None:
        """Raise Refusal where parts are out for the order."""
        life.refuse_issued(self.order_type, record.pk)

    def cancel_all(self, actor: Actor, record: Any) -> None:
        """Cancel what is requested for an order that is cancelled itself."""
        life.cancel_all(actor, self.order_type, record.pk)

    def has_requests(self, record: Any) -> bool:
        """Return whether parts were ever requested for the order."""
        return bool(life.of_order(self.order_type, record.pk).exists())
