"""Spare parts of maintenance orders: requested until the work is submitted, and in the way of its end."""

from __future__ import annotations

from core.preventive.models import Status
from core.spares.models import OrderType
from core.spares.order_parts import OrderParts

BEFORE_CHECK = (Status.TO_DO, Status.DOING)
PARTS = OrderParts(OrderType.MAINTENANCE, BEFORE_CHECK)
