"""The history card of a machine: its last orders, how reliable it was in the last 90 days, and how long it stood.

The figures are those of EN 13306 and ISO 14224: up time, down time, failures, repair times.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from rest_framework import serializers

from core.equipment.models import Machine, NodeType, RestType, RunState, StateChange
from core.equipment.spans import Span, common, cut, union
from core.equipment.stoppages import touching_machine
from core.kernel import clock
from core.kernel.actor import Actor
from core.kernel.texts import moment
from core.rest.serializers import whole_minutes
from core.system import periods

WINDOW_DAYS = 90
LAST_ORDERS = 5


@dataclass(frozen=True)
class Orders:
    """Records of one kind about machines, as another application keeps them."""

    last: Callable[[Actor, Machine, int], list[dict[str, Any]]]
    """The newest ones that the person sees, at most so many: `LastOrder` each."""
    failures: Callable[[Machine, datetime, datetime], list[tuple[datetime, datetime | None]]]
    """From when to when the machine stood for a failure that touches the window; of what still lasts no end."""
    repairs: Callable[[Machine, datetime, datetime], list[int]]
    """Of each failure whose repair was finished in the window the repair time in seconds."""


_orders: list[Orders] = []


Worked = Callable[[Machine, datetime, datetime], list[Span] | None]
"""When a machine is meant to work within the bounds; None where nobody has planned it: then always."""
_worked: list[Worked] = []


def register_worked(worked: Worked) -> None:
    """Register when machines are meant to work by the shift calendar."""
    _worked.append(worked)


def register(orders: Orders) -> None:
    """Register the records of one kind."""
    _orders.append(orders)


class LastOrder(serializers.Serializer):  # type: ignore[type-arg]
    """A record about a machine on its card."""

    bizType = serializers.CharField()
    id = serializers.CharField()
    orderNo = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    statusName = serializers.CharField()
    time = serializers.CharField()


class Kpi(serializers.Serializer):  # type: ignore[type-arg]
    """How reliable a machine was; a figure whose denominator is 0 is null. Minutes unless it says otherwise."""

    mtbfHours = serializers.FloatField(allow_null=True)
    mttrMinutes = serializers.IntegerField(allow_null=True)
    availability = serializers.FloatField(allow_null=True, help_text="Per cent, one decimal.")
    failureCount = serializers.IntegerField()
    upMinutes = serializers.IntegerField()
    downMinutes = serializers.IntegerField()
    plannedMinutes = serializers.IntegerField()
    plannedStopMinutes = serializers.IntegerField()
    repairMinutes = serializers.IntegerField()
    repairCount = serializers.IntegerField()
    windowDays = serializers.IntegerField()
    windowStart = serializers.CharField(help_text="The first day, later than 90 days ago of what is newer.")
    windowEnd = serializers.CharField()


def last_orders(actor: Actor, machine: Machine) -> list[dict[str, Any]]:
    """Return the five newest records of each kind about the machine or a part of it."""
    return [row for kind in _orders for row in kind.last(actor, machine, LAST_ORDERS)]


def figures(machine: Machine) -> dict[str, Any]:
    """Return the reliability of a machine and its stop minutes in this reporting month; None of an area."""
    if machine.node_type < NodeType.MACHINE:
        return {"kpi": None, "stopMinutesThisMonth": None}
    now = clock.now()
    begin, end = _window(machine, now)
    month = periods.reporting_month(*periods.month_of(periods.today())).bounds()
    stops = _stops(machine, min(begin, month[0]), now)
    planned = [(since, until) for kind, since, until in stops if kind != RestType.BREAKDOWN]
    down = [(since, until) for kind, since, until in stops if kind == RestType.BREAKDOWN]
    failures = [one for kind in _orders for one in kind.failures(machine, begin, end)]
    repairs = [seconds for kind in _orders for seconds in kind.repairs(machine, begin, end)]
    kpi = measure(
        (begin, end),
        [*planned, *_disabled(machine, now)],
        down,
        [(since, until or max(now, since)) for since, until in failures],
        repairs,
        next((spans for read in _worked if (spans := read(machine, begin, end)) is not None), None),
    )
    kpi |= {"windowDays": WINDOW_DAYS, "windowStart": moment(begin)[:10], "windowEnd": moment(end)[:10]}
    in_month = cut([*planned, *down], month[0], min(month[1], now))
    return {"kpi": kpi, "stopMinutesThisMonth": whole_minutes(union(in_month).total_seconds())}


def measure(
    window: Span,
    planned_stops: Sequence[Span],
    downs: Sequence[Span],
    failures: Sequence[Span],
    repairs: Sequence[int],
    worked: Sequence[Span] | None = None,
) -> dict[str, Any]:
    """Return the figures of a window from the planned stops, the breakdowns, the failures and the repair times in it.

    Where a planned stop and a breakdown meet, it is planned; stops that overlap are one failure. Only the time counts
    in which the machine was meant to work: that is `worked`, or the whole window where it is None.
    """
    begin, end = window
    meant = cut([window] if worked is None else worked, begin, end) if begin < end else []
    planned = union(meant)
    stopped = union(common(planned_stops, meant))
    not_up = union(common([*planned_stops, *downs], meant))
    up, down = planned - not_up, not_up - stopped
    count = _failures(failures, begin, end)
    return {
        "mtbfHours": _tenth(Decimal(str(up.total_seconds())) / 3600 / count) if count else None,
        "mttrMinutes": whole_minutes(sum(repairs) / len(repairs)) if repairs else None,
        "availability": _tenth(Decimal(str(up / (up + down))) * 100) if up + down else None,
        "failureCount": count,
        "upMinutes": whole_minutes(up.total_seconds()),
        "downMinutes": whole_minutes(down.total_seconds()),
        "plannedMinutes": whole_minutes(planned.total_seconds()),
        "plannedStopMinutes": whole_minutes(stopped.total_seconds()),
        "repairMinutes": whole_minutes(sum(repairs)),
        "repairCount": len(repairs),
    }


def _failures(stops: Collection[Span], begin: datetime, end: datetime) -> int:
    """Count the failures that begin in the window; stops that overlap are one, which begins with the first of them."""
    count, until = 0, None
    for since, over in sorted(stops):
        if until is None or since >= until:
            count += begin <= since < end
        until = over if until is None else max(until, over)
    return count


def _tenth(number: Decimal) -> float:
    return float(number.quantize(Decimal("0.1"), ROUND_HALF_UP))


def _window(machine: Machine, now: datetime) -> Span:
    """Return the last 90 days, without those before the machine was put in service and after it was scrapped."""
    begin, end = now - timedelta(days=WINDOW_DAYS), now
    if machine.in_service_date is not None:
        begin = max(begin, periods.midnight(machine.in_service_date))
    if machine.scrap_date is not None:
        end = min(end, periods.midnight(machine.scrap_date))
    return begin, end


def _stops(machine: Machine, begin: datetime, now: datetime) -> list[tuple[int, datetime, datetime]]:
    """Return the stops of the machine, its parts and what it stands in since then: kind, begin, end.

    What still lasts ends now, and so does what is meant to last longer.
    """
    rows = touching_machine(machine, begin, now)
    return [
        (kind, since, min(until or now, now))
        for kind, since, until in rows.values_list("rest_type", "start_time", "end_time")
    ]


def _disabled(machine: Machine, now: datetime) -> list[Span]:
    """Return when the machine was out of use: whole days, which count as a planned stop."""
    rows = StateChange.objects.filter(machine=machine).order_by("create_time", "id")
    changes = list(rows.values_list("state_after", "change_date"))
    ends = [*(periods.midnight(day) for _state, day in changes[1:]), now]
    return [
        (periods.midnight(day), end)
        for (state, day), end in zip(changes, ends, strict=False)
        if state == RunState.DISABLED and end > periods.midnight(day)
    ]
