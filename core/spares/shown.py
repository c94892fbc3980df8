"""Requests as people read them: with their lines, the stock of the moment, and what the reader may do."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from django.db.models import QuerySet

from core.kernel.actor import Actor
from core.kernel.errors import Missing
from core.spares import life, orders
from core.spares.models import SpareUseLog
from core.spares.queries import sees
from core.spares.serializers import RequestShown


def _rows() -> QuerySet[Any]:
    rows = SpareUseLog.objects.select_related("machine", "apply_user", "apply_dept", "handle_user")
    return rows.prefetch_related("lines__spare")


def one(actor: Actor, request_id: int) -> SpareUseLog:
    """Return a request that the person may read, with its lines. Raises Missing."""
    found: SpareUseLog | None = _rows().filter(pk=request_id).first()
    if found is None or not sees(actor, found):
        raise Missing()
    return found


def of_order(actor: Actor, order_type: int, order_id: int) -> list[dict[str, Any]]:
    """Return all requests of an order, oldest first; whoever reads the order reads them."""
    rows = _rows().filter(order_type=order_type, order_id=order_id).order_by("apply_time", "pk")
    return told(actor, rows)


def told(actor: Actor, requests: Iterable[SpareUseLog]) -> list[dict[str, Any]]:
    """Return requests as they are sent; the order behind several of them is read once."""

    @cache
    def order_of(order_type: int, order_id: int | None) -> orders.Order | None:
        kind = orders.kind_of(order_type) if order_id else None
        return kind.peek(order_id or 0) if kind is not None else None

    def allowed(request: SpareUseLog) -> list[str]:
        return life.allowed_actions(actor, request, order_of(request.order_type, request.order_id))

    def noun(request: SpareUseLog) -> str:
        kind = orders.kind_of(request.order_type) if request.order_id else None
        return kind.noun if kind is not None else ""

    return list(RequestShown(requests, many=True, context={"allowed": allowed, "noun": noun}).data)
