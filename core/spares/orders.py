"""The orders for which spare parts are requested: what an application says of its own, so that this one need not know.

A repair order is one kind, a maintenance order another; an application registers its kind in its `ready`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from core.kernel.actor import Actor
from core.spares.models import OrderType


@dataclass(frozen=True)
class Order:
    """An order as the store sees it."""

    id: int
    number: str
    machine_id: int | None
    status_name: str
    is_open: bool
    """Whether parts may be requested and brought back in the state that it is in."""
    record: Any = None
    process: Any = None
    """What the application keeps for its own functions: the record, and the locked process that moves it."""


@dataclass(frozen=True)
class OrderKind:
    """One kind of order. Each function is called inside the transaction of the act."""

    noun: str
    """Its business type, by which the console finds its page."""
    lock: Callable[[int], Order]
    """Lock the order by its id, its process first, before any stock is locked; raises Missing."""
    peek: Callable[[int], Order | None]
    """Return the order as it stands, not locked; None where there is none."""
    sees: Callable[[Actor, int], bool]
    """Whether the person may read the order, and with it what was requested for it."""
    may_request: Callable[[Actor, Order], bool]
    """Whether the person may request parts for it in some state."""
    settle: Callable[[Order, Decimal], None]
    """Keep what its parts cost: of what was issued, less what came back."""
    supplied: Callable[[Actor, Order], None]
    """All that was requested is issued: an order that waits for its parts goes on."""


_kinds: dict[OrderType, OrderKind] = {}


def register(order_type: OrderType, kind: OrderKind) -> None:
    """Register a kind of order. Raises ValueError for a second time."""
    if order_type in _kinds:
        raise ValueError(f"the orders of type {order_type} are registered twice")
    _kinds[order_type] = kind


def kind_of(order_type: int) -> OrderKind | None:
    """Return the kind of order; None where no order stands behind a request."""
    return _kinds.get(OrderType(order_type))


def types() -> list[OrderType]:
    """Return the types for which parts can be requested now: those that an application stands for, and others."""
    return [one for one in OrderType if one in _kinds or one == OrderType.OTHER]
