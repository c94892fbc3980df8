"""How long assets were meant to run, were stopped, were down and ran, and what follows of it (4.1 to 4.5).

Of several assets numerators and denominators are added first and divided then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet

from core.equipment.models import Machine, NodeType, RestType, RunState, StateChange, Stoppage
from core.equipment.spans import Span, common, cut, merged, union
from core.equipment.stoppages import stopped
from core.identity.models import Department
from core.maintenance.models import RepairOrder, Status
from core.metrics.sums import mean
from core.rounds.rates import Rate
from core.shifts import times
from core.shifts.models import Plan, PlanStatus
from core.shifts.queries import table, zone
from core.system.periods import Period, local_day, midnight

_ONE_DAY = timedelta(days=1)
HOUR = 3600


@dataclass(frozen=True)
class MachineTime:
    """Seconds and numbers of one asset in a period, or of several together."""

    planned: float = 0
    """Of its shifts without breaks, or of all days where no plan counts for it."""
    planned_stop: float = 0
    """Of stoppages that were no breakdown."""
    down: float = 0
    """Of breakdowns, without what was planned as well."""
    failures: int = 0
    repair_seconds: int = 0
    repaired: int = 0
    """Failures that were finished in the period, whose repair `repair_seconds` adds up."""

    def __add__(self, other: MachineTime) -> MachineTime:
        return MachineTime(
            self.planned + other.planned, self.planned_stop + other.planned_stop, self.down + other.down,
            self.failures + other.failures, self.repair_seconds + other.repair_seconds, self.repaired + other.repaired,
        )  # fmt: skip

    @property
    def up(self) -> float:
        """Seconds in which it could run."""
        return self.planned - self.planned_stop - self.down

    def wire(self) -> dict[str, Any]:
        """Return the figures with what they are made of."""
        available = Rate(round(self.up), round(self.up + self.down)).percent
        return {
            "mtbfHours": round(self.up / self.failures / HOUR + 1e-9, 1) if self.failures else None,
            "mttrMinutes": mean(self.repair_seconds, self.repaired),
            "availability": available,
            "failures": self.failures,
            "upMinutes": round(self.up / 60),
            "downMinutes": round(self.down / 60),
            "plannedStopMinutes": round(self.planned_stop / 60),
            "plannedMinutes": round(self.planned / 60),
            "repaired": self.repaired,
        }


def of_all(machines: Iterable[Machine], period: Period, as_of: datetime) -> MachineTime:
    """Return the time of assets together."""
    return sum(of(list(machines), period, as_of).values(), MachineTime())


def of(machines: Sequence[Machine], period: Period, as_of: datetime) -> dict[int, MachineTime]:
    """Return by asset its time in a period up to a moment; a few statements, and three for each shift plan."""
    return {pk: one.time for pk, one in looked_at(machines, period, as_of).items()}


@dataclass(frozen=True)
class Failed:
    """The orders about the failures of an asset in an interval."""

    began: tuple[int, ...] = ()
    """One for each failure that began: the first one, where the stops of several overlap."""
    finished: tuple[tuple[int, int], ...] = ()
    """Those that were finished, each with the seconds of its repair."""


@dataclass(frozen=True)
class Looked:
    """The time of an asset, and the records that it is made of."""

    time: MachineTime = field(default_factory=MachineTime)
    failed: Failed = field(default_factory=Failed)
    stops: tuple[tuple[int, float], ...] = ()
    """The breakdowns by their start, each with the seconds that it adds to those before it; their sum is `down`."""


def looked_at(machines: Sequence[Machine], period: Period, as_of: datetime) -> dict[int, Looked]:
    """Return by asset its time in a period up to a moment, with what it is made of."""
    (found,) = looked_at_each(machines, [period], as_of)
    return found


def looked_at_each(machines: Sequence[Machine], each: Sequence[Period], as_of: datetime) -> list[dict[int, Looked]]:
    """Return of each of these periods what `looked_at` returns; as many statements as for one that spans them all."""
    windows = [(begin, min(end, as_of)) for begin, end in (period.bounds() for period in each)]
    begun = [window for window in windows if window[0] < window[1]]
    if not begun or not machines:
        return [{one.pk: Looked() for one in machines} for _period in each]
    begin, end = min(one[0] for one in begun), max(one[1] for one in begun)
    ids = [one.pk for one in machines]
    span = Period(min(period.first for period in each), max(period.last for period in each))
    worked = _worked({one.dept_id for one in machines if one.dept_id is not None}, span)
    stops = stopped(ids, begin, end)
    stop_ids = {stop_id for rows in stops.rows.values() for stop_id, _below, _span in rows}
    kinds = dict(Stoppage.objects.filter(pk__in=stop_ids).values_list("pk", "rest_type"))
    failed = dict(zip(begun, failures_in_each(ids, begun), strict=True))
    disabled = _disabled(ids, end)
    return [
        _looked(machines, window, worked, stops, kinds, failed[window], disabled)
        if window[0] < window[1]
        else {one.pk: Looked() for one in machines}
        for window in windows
    ]


def _looked(
    machines: Sequence[Machine], window: Span, worked: Mapping[int, list[Span] | None], stops: Any,
    kinds: Mapping[int, int], failed: Mapping[int, Failed], disabled: Mapping[int, list[Span]],
) -> dict[int, Looked]:  # fmt: skip
    """Return by asset its time in a window, from what was read of a longer one."""
    begin, end = window
    at_work = {dept: None if spans is None else cut(spans, begin, end) for dept, spans in worked.items()}
    found = {}
    for machine in machines:
        whole = _in_service(machine, begin, end)
        spans = at_work.get(machine.dept_id or 0)
        planned = [whole] if spans is None else common(spans, [whole])
        if whole[0] >= whole[1]:
            planned = []
        mine = [(stop_id, kinds.get(stop_id), span) for stop_id, span in stops.spans(machine.pk, begin, end)]
        out = [*disabled.get(machine.pk, ()), *(span for _id, kind, span in mine if kind != RestType.BREAKDOWN)]
        taken = common(out, planned)
        stop = covered = union(taken).total_seconds()
        added = []
        broken = ((span, stop_id) for stop_id, kind, span in mine if kind == RestType.BREAKDOWN)
        for span, stop_id in sorted(broken):
            taken += common([span], planned)
            after = union(taken).total_seconds()
            if after > covered:
                added.append((stop_id, after - covered))
            covered = after
        orders = failed.get(machine.pk, Failed())
        time = MachineTime(
            union(planned).total_seconds(), stop, covered - stop, len(orders.began),
            sum(seconds for _pk, seconds in orders.finished), len(orders.finished),
        )  # fmt: skip
        found[machine.pk] = Looked(time, orders, tuple(added))
    return found


def _in_service(machine: Machine, begin: datetime, end: datetime) -> Span:
    """Return the part of an interval in which an asset was in service."""
    since, until = machine.in_service_date, machine.scrap_date
    return (
        max(begin, midnight(since)) if since else begin,
        min(end, midnight(until)) if until else end,
    )


def _worked(dept_ids: Collection[int], period: Period) -> dict[int, list[Span] | None]:
    """Return by department when it works by the plan that counts for it, its own or the next one above; None: always.

    Each day is looked at alone: plans begin and end.
    """
    paths = dict(Department.objects.filter(pk__in=dept_ids).values_list("pk", "path"))
    above = {pk: [int(step) for step in reversed(path.strip("/").split("/"))] for pk, path in paths.items()}
    plans = Plan.objects.filter(
        Q(end_date=None) | Q(end_date__gte=period.first), dept__in={pk for steps in above.values() for pk in steps},
        status=PlanStatus.ENABLED, start_date__lte=period.last,
    )  # fmt: skip
    by_dept: dict[int, list[Plan]] = defaultdict(list)
    for plan in plans:
        by_dept[plan.dept_id].append(plan)
    days = {plan.pk: _days(plan, period) for own in by_dept.values() for plan in own}
    found: dict[int, list[Span] | None] = {}
    for dept, steps in above.items():
        chosen = [own for step in steps if (own := by_dept.get(step))]
        found[dept] = _spans(chosen, days, period) if chosen else None
    return found


def _spans(
    chosen: Sequence[Sequence[Plan]], days: Mapping[int, Mapping[date, list[Span]]], period: Period
) -> list[Span]:
    """Return the working time by the nearest plan of each day; all of a day for which there is none."""
    found: list[Span] = []
    day = period.first - _ONE_DAY  # a night shift of the day before reaches into the first one
    while day <= period.last:
        plans = (plan for own in chosen for plan in own)
        plan = next((one for one in plans if one.start_date <= day and (one.end_date or day) >= day), None)
        found += [(midnight(day), midnight(day + _ONE_DAY))] if plan is None else days[plan.pk].get(day, [])
        day += _ONE_DAY
    return list(merged(found))


def _days(plan: Plan, period: Period) -> dict[date, list[Span]]:
    """Return by business date when a plan is worked, without breaks."""
    _turns, rows = table(plan, period.first - _ONE_DAY, period.last)
    found: dict[date, list[Span]] = {}
    for row in rows:
        shifts = {cell.shift_id: cell.shift for cell in row.cells if cell.team_id is not None}
        found[row.day] = [span for shift in shifts.values() for span in _without_breaks(shift, row.day)]
    return found


def _without_breaks(shift: Any, day: date) -> list[Span]:
    """Return the pieces of a shift between its breaks."""
    window = times.window(day, shift.start_time, shift.end_time, zone())
    pieces, at = [], window.begin
    for first, last in times.break_spans(shift.start_time, shift.breaks):
        pieces.append((at, window.begin + timedelta(minutes=first)))
        at = window.begin + timedelta(minutes=last)
    pieces.append((at, window.end))
    return [(begin, end) for begin, end in pieces if begin < end]


def _disabled(machine_ids: Collection[int], end: datetime) -> dict[int, list[Span]]:
    """Return by asset when it was disabled: such days count as planned stops. One statement."""
    rows = StateChange.objects.filter(machine__in=machine_ids, change_date__lte=local_day(end))
    rows = rows.filter(Q(state_before=RunState.DISABLED) | Q(state_after=RunState.DISABLED))
    found: dict[int, list[Span]] = defaultdict(list)
    since: dict[int, date] = {}
    for machine, after, day in rows.order_by("change_date", "pk").values_list(
        "machine_id", "state_after", "change_date"
    ):
        if after == RunState.DISABLED:
            since.setdefault(machine, day)
        elif machine in since:
            found[machine].append((midnight(since.pop(machine)), midnight(day)))
    for machine, day in since.items():
        found[machine].append((midnight(day), end))
    return found


def failures(
    machine_ids: Collection[int], begin: datetime, end: datetime, among: QuerySet[Any] | None = None
) -> dict[int, Failed]:
    """Return by asset the failures that began in the interval, and those whose repair was finished in it.

    A failure is an order, not cancelled, that stopped the asset; what came back is none of its own, and two whose
    stops overlap are one; `among` names the orders that count where not all do. Two statements.
    """
    (found,) = failures_in_each(machine_ids, [(begin, end)], among)
    return found


def failures_in_each(
    machine_ids: Collection[int], each: Sequence[Span], among: QuerySet[Any] | None = None
) -> list[dict[int, Failed]]:
    """Return of each of these intervals what `failures` returns; two statements, however many they are."""
    rows = (RepairOrder.objects.all() if among is None else among).filter(
        machine__in=machine_ids, is_stop=True, repeat_count=0
    )
    rows = rows.exclude(status=Status.CANCELLED)
    first, last = min(begin for begin, _end in each), max(end for _begin, end in each)
    began = list(
        rows.filter(stop_start__gte=first, stop_start__lt=last).values_list(
            "machine_id", "stop_start", "stop_end", "pk"
        )
    )
    finished = list(
        rows.filter(finish_time__gte=first, finish_time__lt=last)
        .order_by("finish_time", "pk")
        .values_list("machine_id", "finish_time", "pk", "repair_seconds")
    )
    return [_failed(began, finished, begin, end) for begin, end in each]


def _failed(began: Sequence[Any], finished: Sequence[Any], begin: datetime, end: datetime) -> dict[int, Failed]:
    """Return by asset its failures of an interval, from the orders of a longer one."""
    stops: dict[int, list[tuple[datetime, datetime, int]]] = defaultdict(list)
    for machine, since, until, pk in began:
        if begin <= since < end:
            over = until if until and until > since else max(end, since + timedelta(seconds=1))
            stops[machine].append((since, over, pk))
    repaired: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for machine, at, pk, seconds in finished:
        if begin <= at < end:
            repaired[machine].append((pk, seconds or 0))
    return {pk: Failed(tuple(_apart(stops.get(pk, ()))), tuple(repaired.get(pk, ()))) for pk in {*stops, *repaired}}


def _apart(spans: Iterable[tuple[datetime, datetime, int]]) -> list[int]:
    """Return the order of the first interval of each group that do not overlap with others."""
    found, until = [], None
    for begin, end, pk in sorted(spans):
        if until is None or begin >= until:
            found.append(pk)
        until = end if until is None else max(until, end)
    return found


def reporting(departments: frozenset[int] | None) -> list[Machine]:
    """Return the assets whose time counts: machines themselves, neither their places nor their components."""
    rows = Machine.objects.filter(node_type=NodeType.MACHINE)
    rows = rows if departments is None else rows.filter(dept__in=departments)
    return list(rows.only("dept_id", "in_service_date", "scrap_date"))
