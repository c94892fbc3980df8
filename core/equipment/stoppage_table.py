"""The table of stoppages: a row for each machine, a column for each day, and what they add up to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import QuerySet
from rest_framework import serializers

from core.equipment.models import Machine, NodeType, RestType
from core.equipment.queries import below, of_class
from core.equipment.spans import Span, cut, union
from core.equipment.stoppages import numbers_of, touching
from core.kernel import clock
from core.kernel.ids import is_id
from core.rest.filters import ID, Filter, apply_filters, with_word
from core.rest.pagination import known_page
from core.rest.serializers import whole_minutes
from core.system.periods import midnight


def _of_route(machines: QuerySet[Any], text: str) -> QuerySet[Any]:
    """Machines at which an inspection route has a point, or at a component of which; two statements find them."""
    if not is_id(text):
        return machines.none()
    at = Machine.objects.filter(inspection_points__group=int(text), inspection_points__is_deleted=False)
    ways = [[int(step) for step in path.strip("/").split("/")] for path in at.order_by().values_list("path", flat=True)]
    steps = {step for way in ways for step in way}
    known = set(Machine.objects.filter(pk__in=steps, node_type=NodeType.MACHINE).values_list("pk", flat=True))
    # The lowest machine on the way to it: of a machine that is itself.
    return machines.filter(pk__in={next((step for step in reversed(way) if step in known), 0) for way in ways})


FILTERS: Mapping[str, Filter] = {
    "deptId": Filter("dept_id", ID),
    "typeId": Filter(kind=ID, apply=of_class),
    "parentId": Filter(kind=ID, apply=below),
    "groupId": Filter(kind=ID, apply=_of_route),
    "keyword": with_word("machine_name", "machine_code"),
}
MINUTES_OF_DAY = 24 * 60

Worked = Callable[[Collection[Machine], date, date], Mapping[int, Mapping[date, int]]]
"""By machine the minutes that its shift plan has it work on each day; a machine without a plan is missing."""
_worked: list[Worked] = []


def register(worked: Worked) -> None:
    """Register how long machines are meant to work by the shift calendar."""
    _worked.append(worked)


class _Stop(NamedTuple):
    id: int
    machine_id: int
    include_children: bool
    rest_type: int
    source_type: str
    source_id: int | None
    begin: datetime
    end: datetime | None

    def span(self, now: datetime) -> Span:
        """Return the interval; one that has no end lasts until now."""
        return self.begin, self.end or max(self.begin, now)


_COLUMNS = (
    "pk", "machine_id", "include_children", "rest_type", "source_type", "source_id", "start_time", "end_time",
)  # fmt: skip


class Cell(serializers.Serializer):  # type: ignore[type-arg]
    """A day on which a machine stands."""

    date = serializers.DateField()
    minutes = serializers.IntegerField()
    type = serializers.IntegerField(help_text="The type of the longest stoppages of the day.")
    typeName = serializers.CharField()
    full = serializers.IntegerField(help_text="1: all day, or as long as the shift plan has it work.")
    ids = serializers.ListField(child=serializers.CharField())
    orderNo = serializers.CharField()


class MachineRow(serializers.Serializer):  # type: ignore[type-arg]
    """A machine with the days on which it stands."""

    machineId = serializers.CharField()
    machineCode = serializers.CharField()
    machineName = serializers.CharField()
    typeName = serializers.CharField()
    deptName = serializers.CharField()
    runState = serializers.IntegerField()
    cells = Cell(many=True)
    totalMinutes = serializers.IntegerField()
    plannedMinutes = serializers.IntegerField()
    faultMinutes = serializers.IntegerField(help_text="What is planned as well counts as planned.")
    times = serializers.IntegerField()


class TypeSum(serializers.Serializer):  # type: ignore[type-arg]
    """How long machines stand for one type of stoppages."""

    type = serializers.IntegerField()
    typeName = serializers.CharField()
    minutes = serializers.IntegerField()
    times = serializers.IntegerField(help_text="Stoppages, each counted once.")


class Summary(serializers.Serializer):  # type: ignore[type-arg]
    """What the stoppages of all machines that were asked for add up to, those of other pages too."""

    machines = serializers.IntegerField(help_text="Machines that stand on one of the days.")
    totalMinutes = serializers.IntegerField()
    plannedMinutes = serializers.IntegerField()
    faultMinutes = serializers.IntegerField()
    byType = TypeSum(many=True)


class Table(serializers.Serializer):  # type: ignore[type-arg]
    """Days, a page of machines, and sums."""

    days = serializers.ListField(child=serializers.DateField())
    records = MachineRow(many=True)
    total = serializers.IntegerField()
    size = serializers.IntegerField()
    current = serializers.IntegerField()
    pages = serializers.IntegerField()
    summary = Summary()


def table(rows: QuerySet[Any], given: Mapping[str, str], first: date, last: date) -> dict[str, Any]:
    """Return the table of these machines on the days from the first to the last, in a constant number of statements."""
    now = clock.now()
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    borders = [midnight(day) for day in (*days, last + timedelta(days=1))]
    asked = apply_filters(rows.filter(node_type=NodeType.MACHINE), FILTERS, given)
    paths = dict(asked.order_by("path").values_list("pk", "path"))
    stops = _by_machine(paths, borders[0], borders[-1], now)
    shown = [pk for pk in paths if pk in stops] if given.get("onlyStopped") == "1" else list(paths)
    ids, numbers = known_page(len(shown), lambda start, size: shown[start : start + size], given)
    machines = {one.pk: one for one in Machine.objects.filter(pk__in=ids).select_related("type", "dept")}
    orders = numbers_of((stop.source_type, stop.source_id) for pk in ids for stop in stops.get(pk, ()))
    worked: Mapping[int, Mapping[date, int]] = {}
    for read in _worked:
        worked = read([machine for pk, machine in machines.items() if pk in stops], first, last)
    return {
        "days": [day.isoformat() for day in days],
        "records": [
            _row(machines[pk], stops.get(pk, []), days, borders, now, orders, worked.get(pk, {})) for pk in ids
        ],
        **numbers,
        "summary": _summary(stops, (borders[0], borders[-1]), now),
    }


def _by_machine(paths: Mapping[int, str], begin: datetime, end: datetime, now: datetime) -> dict[int, list[_Stop]]:
    """Return by machine the stoppages in which it stands between the bounds; one statement."""
    at: dict[int, list[_Stop]] = defaultdict(list)
    for row in touching(begin, end).order_by("start_time", "pk").values_list(*_COLUMNS):
        stop = _Stop(*row)
        if cut([stop.span(now)], begin, end):
            at[stop.machine_id].append(stop)
    if not at:
        return {}
    found = {}
    for pk, path in paths.items():
        above = (int(step) for step in path.strip("/").split("/"))
        if mine := [stop for one in above for stop in at.get(one, ()) if one == pk or stop.include_children]:
            found[pk] = mine
    return found


def _row(
    machine: Machine, stops: Sequence[_Stop], days: Sequence[date], borders: Sequence[datetime], now: datetime,
    orders: Mapping[tuple[str, int], str], worked: Mapping[date, int],
) -> dict[str, Any]:  # fmt: skip
    cells = [
        cell
        for number, day in enumerate(days)
        if (cell := _cell(stops, day, (borders[number], borders[number + 1]), now, orders, worked.get(day)))
    ]
    total, planned = _lengths(stops, (borders[0], borders[-1]), now)
    return {
        "machineId": str(machine.pk),
        "machineCode": machine.machine_code,
        "machineName": machine.machine_name,
        "typeName": str(machine.type or ""),
        "deptName": str(machine.dept or ""),
        "runState": machine.run_state,
        "cells": cells,
        "totalMinutes": whole_minutes(total.total_seconds()),
        "plannedMinutes": whole_minutes(planned.total_seconds()),
        "faultMinutes": whole_minutes((total - planned).total_seconds()),
        "times": len(stops),
    }


def _cell(
    stops: Sequence[_Stop], day: date, bounds: Span, now: datetime, orders: Mapping[tuple[str, int], str],
    worked: int | None,
) -> dict[str, Any] | None:  # fmt: skip
    """Return a day of a machine; None where it does not stand on it."""
    mine = [stop for stop in stops if cut([stop.span(now)], *bounds)]
    minutes = whole_minutes(union(cut((stop.span(now) for stop in mine), *bounds)).total_seconds())
    if not minutes:
        return None
    lengths = _by_type(mine, bounds, now)
    longest = max(lengths, key=lambda kind: (lengths[kind], -kind))
    numbers = (orders.get((stop.source_type, stop.source_id or 0), "") for stop in mine)
    return {
        "date": day.isoformat(),
        "minutes": minutes,
        "type": longest,
        "typeName": str(RestType(longest).label),
        "full": int(minutes >= MINUTES_OF_DAY or (bool(worked) and minutes >= (worked or 0))),
        "ids": [str(stop.id) for stop in mine],
        "orderNo": next((number for number in numbers if number), ""),
    }


def _by_type(stops: Iterable[_Stop], bounds: Span, now: datetime) -> dict[int, timedelta]:
    by_type: dict[int, list[Span]] = defaultdict(list)
    for stop in stops:
        by_type[stop.rest_type].append(stop.span(now))
    return {kind: union(cut(spans, *bounds)) for kind, spans in by_type.items()}


def _lengths(stops: Sequence[_Stop], bounds: Span, now: datetime) -> tuple[timedelta, timedelta]:
    """Return how long a machine stands, and how much of it is planned."""
    planned = (stop.span(now) for stop in stops if stop.rest_type != RestType.BREAKDOWN)
    return union(cut((stop.span(now) for stop in stops), *bounds)), union(cut(planned, *bounds))


def _summary(stops: Mapping[int, Sequence[_Stop]], bounds: Span, now: datetime) -> dict[str, Any]:
    total = planned = timedelta(0)
    minutes: dict[int, timedelta] = defaultdict(timedelta)
    ids: dict[int, set[int]] = defaultdict(set)
    for mine in stops.values():
        stands, is_planned = _lengths(mine, bounds, now)
        total, planned = total + stands, planned + is_planned
        for kind, length in _by_type(mine, bounds, now).items():
            minutes[kind] += length
        for stop in mine:
            ids[stop.rest_type].add(stop.id)
    return {
        "machines": len(stops),
        "totalMinutes": whole_minutes(total.total_seconds()),
        "plannedMinutes": whole_minutes(planned.total_seconds()),
        "faultMinutes": whole_minutes((total - planned).total_seconds()),
        "byType": [
            {
                "type": kind,
                "typeName": str(RestType(kind).label),
                "minutes": whole_minutes(minutes[kind].total_seconds()),
                "times": len(ids[kind]),
            }
            for kind in sorted(minutes)
        ],
    }
