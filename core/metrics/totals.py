"""What there is in the plant and has been done since the beginning: `cumulativeData`."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, F, Min, Q, Sum

from core.equipment.models import Importance, Machine, NodeType, RunState
from core.identity.models import User
from core.inspection.models import PointStandard, Route, RoutePoint
from core.kernel.actor import Actor
from core.maintenance.queries import visible
from core.metrics import inspection, repairs, upkeep
from core.metrics.asked import Asked
from core.metrics.sums import money
from core.spares.models import SparePart
from core.system import periods


def cumulative(actor: Actor, asked: Asked) -> dict[str, Any]:
    """Return the totals; a constant number of statements."""
    return {
        "asOf": asked.as_of,
        **_machines(asked),
        **_places(asked),
        **inspection.totals(actor, asked),
        **repairs.totals(asked.within(visible(actor), "dept_id")),
        **upkeep.totals(actor, asked),
        **_spares(),
        "userTotal": asked.within(User.objects.filter(is_enabled=True), "dept_id").count(),
        **_safe_days(asked),
    }


def _machines(asked: Asked) -> dict[str, int]:
    """Return how many assets there are, and in which state."""
    rows = asked.within(Machine.objects.filter(node_type=NodeType.MACHINE), "dept_id").order_by()
    counted: dict[str, int] = rows.exclude(run_state=RunState.SCRAPPED).aggregate(
        machineTotal=Count("pk"),
        machineRunning=Count("pk", filter=Q(run_state__in=(RunState.RUNNING, RunState.IDLE))),
        machineStopped=Count("pk", filter=Q(run_state=RunState.DOWN)),
        machineRepairing=Count("pk", filter=Q(run_state__in=(RunState.REPAIRING, RunState.MAINTAINING))),
        machineDisabled=Count("pk", filter=Q(run_state=RunState.DISABLED)),
    )
    return counted


def _places(asked: Asked) -> dict[str, int]:
    """Return how many routes and points are in use, and how many items are checked at them."""
    routes = asked.within(Route.objects.filter(is_sealed=False), "dept_id")
    points = asked.within(RoutePoint.objects.filter(is_sealed=False, group__is_sealed=False), "group__dept_id")
    own = points.aggregate(points=Count("pk"), items=Sum("own_count"))
    standards = PointStandard.objects.filter(point__in=points.values("pk"))
    by_standard = standards.aggregate(items=Sum("config__item_count"))["items"]
    return {
        "groupTotal": routes.count(),
        "pointTotal": own["points"],
        "itemTotal": (own["items"] or 0) + (by_standard or 0),
    }


def _spares() -> dict[str, Any]:
    """Return how many spare parts there are, how many run low, and what the stock is worth."""
    counted = SparePart.objects.filter(is_sealed=False).aggregate(
        spareKinds=Count("pk"),
        spareLow=Count("pk", filter=Q(min_qty__gt=0, available_qty__lte=F("min_qty"))),
        spareAmount=Sum("stock_amount"),
    )
    return {**counted, "spareAmount": money(counted["spareAmount"])}


def _safe_days(asked: Asked) -> dict[str, Any]:
    """Return the full days since a critical asset failed last, and the first day of all.

    Where none ever failed, they count from the day on which the first asset went into service.
    """
    rows = asked.within(Machine.objects.filter(node_type=NodeType.MACHINE), "dept_id").order_by()
    first = rows.aggregate(first=Min("in_service_date"))["first"]
    critical = rows.filter(importance=Importance.CRITICAL)
    since = repairs.last_fault_stop(critical.values("pk")) or first
    return {
        "safeDays": max((periods.today() - since).days, 0) if since is not None else None,
        "firstDay": str(first) if first is not None else None,
    }
