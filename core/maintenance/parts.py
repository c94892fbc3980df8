"""Spare parts of repair orders: requested while the work lasts, and in the way of its end and of a cancellation."""

from __future__ import annotations

from core.maintenance.models import Status
from core.spares.models import OrderType
from core.spares.order_parts import OrderParts

PARTS = OrderParts(OrderType.REPAIR, (Status.REPAIRING, Status.ON_HOLD))
ISSUED = "repairorder.partsIssued"
"""The message that ends a hold for parts."""
