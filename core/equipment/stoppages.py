"""Intervals in which machines stand, by hand or for a work order, and the machines' states that follow.

Whoever begins, changes or ends a stoppage holds the lock of its machine and takes the number behind it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import models, transaction
from django.db.models import F, Q, QuerySet
from rest_framework import serializers

from core.equipment import states
from core.equipment.models import Machine, NodeType, RestSource, RestStatus, RestType, RunState, StateChange, Stoppage
from core.equipment.spans import Span, cut, union
from core.kernel import clock
from core.kernel.actor import current_actor
from core.rest.serializers import whole_minutes
from core.system import parameters
from core.system.numbers import next_number
from core.system.periods import today

NUMBERS = "TJ"
"""How the numbers of stoppages begin."""
SOURCE = "inspectrestlog"
"""What changes of status that follow from a stoppage by hand name as their source."""
_MOST_AT_ONCE = 500


def counted() -> QuerySet[Any]:
    """Return the stoppages that were not withdrawn: the machines stood in them, or will."""
    return Stoppage.objects.filter(revoke_time=None)


def touching(begin: datetime, end: datetime) -> QuerySet[Any]:
    """Return the stoppages that were not withdrawn and touch the interval."""
    return counted().filter(Q(end_time=None) | Q(end_time__gt=begin), start_time__lt=end)


def touching_machine(machine: Machine, begin: datetime, end: datetime) -> QuerySet[Any]:
    """Return the stoppages within which a machine or a part of it stood, those of what is above it among them."""
    above = [int(pk) for pk in machine.path.strip("/").split("/")]
    of_it = Q(machine__path__startswith=machine.path) | Q(machine__in=above, include_children=True)
    return touching(begin, end).filter(of_it)


def stands_at(moment: datetime) -> Q:
    """Return the condition of a stoppage in whose interval a moment lies."""
    return Q(start_time__lte=moment) & (Q(end_time=None) | Q(end_time__gt=moment))


def status_of(row: Stoppage, now: datetime) -> RestStatus:
    """Return where a stoppage stands at a moment."""
    if row.revoke_time is not None:
        return RestStatus.WITHDRAWN
    if row.start_time > now:
        return RestStatus.NOT_STARTED
    return RestStatus.STOPPED if row.end_time is None or row.end_time > now else RestStatus.ENDED


def in_status(status: int, now: datetime) -> Q:
    """Return the condition of stoppages that stand there at a moment; of none for a status that does not exist."""
    ended = Q(end_time__lte=now, start_time__lte=now)
    conditions = {
        RestStatus.WITHDRAWN: Q(revoke_time__isnull=False),
        RestStatus.NOT_STARTED: Q(revoke_time=None, start_time__gt=now),
        RestStatus.STOPPED: Q(revoke_time=None) & stands_at(now),
        RestStatus.ENDED: Q(revoke_time=None) & ended,
    }
    return next((condition for one, condition in conditions.items() if one == status), Q(pk__in=[]))


# The states of machines


class _Stop(NamedTuple):
    """What the status of a machine follows from."""

    machine_id: int
    rest_type: int
    source_type: str
    source_id: int | None
    include_children: bool


def lock(rows: QuerySet[Any]) -> list[Machine]:
    """Return these machines, locked in the order of their ids until the transaction ends."""
    return list(rows.select_for_update(of=("self",)).order_by("pk"))


def reached(stops: Iterable[Stoppage]) -> QuerySet[Any]:
    """Return the machines whose status follows from these stoppages: each machine, or those below an area."""
    found = Q(pk__in=[])
    for stop in stops:
        found |= Q(pk=stop.machine_id)
        if stop.include_children and stop.machine.node_type < NodeType.MACHINE:
            found |= Q(path__startswith=stop.machine.path, node_type=NodeType.MACHINE)
    return Machine.objects.filter(found, node_type__gte=NodeType.MACHINE)


def follow(
    machines: Collection[Machine], source: tuple[str, int] | Callable[[Machine], tuple[str, int]], record: Any = None
) -> None:
    """Give these locked machines the states that follow from the stoppages in effect; a few statements for all.

    `source` is what the history of a machine names: the kind and the id of a record or stoppage. `record` is the record
    of a flow that acts and may not be stored yet: its status is read from it.
    """
    stops = _in_effect(machines)
    at_work = _at_work({stop.source_id for one in stops.values() for stop in one if stop.source_type}, record)
    changed: dict[tuple[int, int | None], list[tuple[Machine, int]]] = defaultdict(list)
    for machine in machines:
        state, before = _follows(machine, stops[machine.pk], at_work)
        if (state, before) != (machine.run_state, machine.state_before_stop):
            changed[state, before].append((machine, machine.run_state))
            machine.run_state, machine.state_before_stop = state, before
    actor, day = current_actor(), today()
    for (state, before), group in changed.items():
        Machine.objects.filter(pk__in=[machine.pk for machine, _was in group]).update(
            run_state=state,
            state_before_stop=before,
            lock_version=F("lock_version") + 1,
            update_user=actor.user_id if actor is not None else None,
            update_time=clock.now(),
        )
        StateChange.objects.bulk_create(
            [
                states.change(machine, was, day, source=source(machine) if callable(source) else source)
                for machine, was in group
                if was != state
            ],
            batch_size=_MOST_AT_ONCE,
        )


def _in_effect(machines: Collection[Machine]) -> Mapping[int, list[_Stop]]:
    """Return by machine the stoppages that its status follows from; one statement."""
    above = {machine.pk: {int(pk) for pk in machine.path.strip("/").split("/")} for machine in machines}
    rows = Stoppage.objects.filter(in_effect=True, machine__in={pk for ids in above.values() for pk in ids})
    found: dict[int, list[_Stop]] = {machine.pk: [] for machine in machines}
    stops = [_Stop(*row) for row in rows.values_list(*_Stop._fields)] if machines else []
    for machine in machines:
        for stop in stops:
            # What stands below an area are its machines; the components of a machine have states of their own.
            is_below = stop.include_children and machine.node_type == NodeType.MACHINE
            if stop.machine_id == machine.pk or (is_below and stop.machine_id in above[machine.pk]):
                found[machine.pk].append(stop)
    return found


def _follows(machine: Machine, stops: Collection[_Stop], at_work: Collection[int]) -> tuple[int, int | None]:
    """Return the state that a machine has with these stoppages, and the one that it will return to."""
    if not stops:
        return (machine.run_state if machine.state_before_stop is None else machine.state_before_stop), None
    if machine.run_state in states.OUT_OF_USE and not any(stop.source_type for stop in stops):
        return machine.run_state, machine.state_before_stop
    types = {stop.rest_type for stop in stops}
    if any(stop.source_id in at_work for stop in stops):
        state = RunState.REPAIRING
    elif RestType.BREAKDOWN in types:
        state = RunState.DOWN
    else:
        state = RunState.MAINTAINING if RestType.MAINTENANCE in types else RunState.IDLE
    before = machine.run_state if machine.state_before_stop is None else machine.state_before_stop
    return state, before


_kinds: list[Stops] = []


def _at_work(ids: Collection[int | None], record: Any) -> set[int]:
    """Return those of these records for which somebody is at the machine; ids are never used twice."""
    others = [pk for pk in ids if record is None or pk != record.pk]
    found: set[int] = set()
    for kind in _kinds if ids else ():
        if record is not None and type(record) is kind.model and getattr(record, "status", None) in kind.at_work:
            found.add(record.pk)
        if others:
            rows = kind.model._default_manager.filter(pk__in=others, status__in=kind.at_work)
            found.update(rows.values_list("pk", flat=True))
    return found


class Stops:
    """The stops that records of one model make. A record has `machine_id` and `status`, and its number is its name.

    Before it changes, a record may not be stored: `begin`, `follow` and `end` read its status from the record itself.
    """

    def __init__(
        self,
        model: type[models.Model],
        at_work: Collection[int],
        source: RestSource,
        rest_type: RestType = RestType.BREAKDOWN,
    ) -> None:
        self.model, self.at_work, self.comes_from, self.rest_type = model, at_work, source, rest_type
        """`at_work` are the statuses in which somebody is at the machine, which is then under repair and not down."""
        self.source = str(model._meta.model_name)
        _kinds.append(self)

    def begin(self, record: Any, start: datetime | None) -> None:
        """Let the machine stand since then."""
        machines = lock(Machine.objects.filter(pk=record.machine_id))
        Stoppage.objects.create(
            rest_no=next_number(NUMBERS),
            machine_id=record.machine_id,
            rest_type=self.rest_type,
            source=self.comes_from,
            source_type=self.source,
            source_id=record.pk,
            start_time=start,
            in_effect=True,
        )
        follow(machines, (self.source, record.pk), record)

    def follow(self, record: Any) -> None:
        """Somebody works on a standing machine now, or nobody does any more."""
        follow(lock(Machine.objects.filter(pk=record.machine_id)), (self.source, record.pk), record)

    def end(self, record: Any, moment: datetime) -> None:
        """End the stop; the machine returns to its state before, unless it still stands for another record."""
        mine = Stoppage.objects.filter(source_type=self.source, source_id=record.pk, end_time=None).first()
        if mine is None:
            return
        machines = lock(Machine.objects.filter(pk=record.machine_id))
        mine.change({"end_time": moment, "in_effect": False})
        follow(machines, (self.source, record.pk), record)
        tell_end([mine])

    def forget(self, record: Any) -> None:
        """The record is deleted: no machine ever stood for it."""
        for stop in self.of([record.pk])[record.pk]:
            stop.remove()

    def of(self, ids: Collection[int]) -> dict[int, list[Stoppage]]:
        """Return by record its stops, oldest first; one statement."""
        found: dict[int, list[Stoppage]] = {pk: [] for pk in ids}
        for stop in Stoppage.objects.filter(source_type=self.source, source_id__in=ids).order_by("start_time", "id"):
            found[stop.source_id or 0].append(stop)
        return found


def numbers_of(stops: Iterable[tuple[str, int | None]]) -> dict[tuple[str, int], str]:
    """Return the numbers of the records that have made these stoppages, by source and id; one statement a kind."""
    by_kind: dict[str, set[int]] = defaultdict(set)
    for source_type, source_id in stops:
        if source_id is not None:
            by_kind[source_type].add(source_id)
    found = {}
    for kind in _kinds:
        if ids := by_kind.get(kind.source):
            records = kind.model._base_manager.filter(pk__in=ids)
            found.update({(kind.source, record.pk): str(record) for record in records})
    return found


def refresh_tenant() -> int:
    """Bring the stoppages of the tenant in scope up to date; return how many began or ended."""
    now = clock.now()
    begun, over = Q(in_effect=False) & stands_at(now), Q(in_effect=True, end_time__lte=now)
    due = list(counted().filter(begun | over).select_related("machine").order_by("start_time", "pk")[:_MOST_AT_ONCE])
    if not due:
        return 0
    with transaction.atomic():
        machines = lock(reached(due))  # all of them first, in one order
        rows = Stoppage.objects.select_for_update(of=("self",)).select_related("machine")
        return sum(
            take_effect(stop, [machine for machine in machines if _reaches(stop, machine)], now)
            for stop in rows.filter(pk__in=[stop.pk for stop in due]).order_by("pk")
        )


def _reaches(stop: Stoppage, machine: Machine) -> bool:
    """Return whether the status of a machine follows from a stoppage; see `reached`."""
    is_below = stop.machine.node_type < NodeType.MACHINE and machine.path.startswith(stop.machine.path)
    return machine.pk == stop.machine_id or (stop.include_children and is_below)


def take_effect(stop: Stoppage, machines: Collection[Machine], now: datetime) -> bool:
    """Let the locked machines that it reaches follow a stoppage as it stands at this moment; whether that is new."""
    in_effect = status_of(stop, now) == RestStatus.STOPPED
    is_new = bool(stop.change({"in_effect": in_effect}))
    if is_new:
        follow(machines, (stop.source_type or SOURCE, stop.source_id or stop.pk))
        if not in_effect:
            tell_end([stop])
    return is_new


# What others ask


@dataclass(frozen=True)
class Stopped:
    """The stoppages that touch an interval, by the machines that stand in them; read in two statements."""

    paths: Mapping[int, str]
    rows: Mapping[int, list[tuple[int, bool, Span]]] = field(default_factory=dict)
    """By machine: id of the stoppage, whether it holds for what is below, and its interval; open ones have no end."""

    def spans(self, machine_id: int, begin: datetime, end: datetime) -> list[tuple[int, Span]]:
        """Return the stoppages of a machine and of those above it that hold for it, cut at a window."""
        above = [int(pk) for pk in self.paths.get(machine_id, "").strip("/").split("/") if pk]
        return [
            (stop_id, span)
            for pk in above
            for stop_id, include_children, whole in self.rows.get(pk, ())
            if pk == machine_id or include_children
            for span in cut([whole], begin, end)
        ]

    def share(self, machine_id: int, begin: datetime, end: datetime) -> tuple[timedelta, int | None]:
        """Return how long a machine stands in a window, and the stoppage that covers most of it."""
        spans = self.spans(machine_id, begin, end)
        longest = max(spans, key=lambda one: (one[1][1] - one[1][0], -one[0]), default=None)
        return union(span for _id, span in spans), longest[0] if longest is not None else None

    def exempts(self, machine_id: int, begin: datetime, end: datetime) -> int | None:
        """Return the stoppage because of which a machine is not inspected in a window; None where it is inspected.

        It is not where it stands for the share of the window that `inspect.rest.coverPercent` says, or longer.
        """
        covered, stop_id = self.share(machine_id, begin, end)
        return stop_id if covered and covered * 100 >= (end - begin) * parameters.cover_percent() else None


def stopped(machine_ids: Collection[int], begin: datetime, end: datetime) -> Stopped:
    """Read when these machines stand in an interval; what has no end yet lasts beyond it. Two statements."""
    paths = dict(Machine.objects.filter(pk__in=machine_ids).values_list("pk", "path"))
    above = {int(pk) for path in paths.values() for pk in path.strip("/").split("/")}
    rows: dict[int, list[tuple[int, bool, Span]]] = defaultdict(list)
    found = touching(begin, end).filter(machine__in=above)
    for pk, machine_id, below, since, until in found.values_list(
        "pk", "machine_id", "include_children", "start_time", "end_time"
    ):
        rows[machine_id].append((pk, below, (since, until or max(end, since))))
    return Stopped(paths, rows)


class Affected(NamedTuple):
    """How many inspection tasks and points of them a change of stoppages has exempted or brought back."""

    orders: int
    details: int


_end_watchers: list[Callable[[Collection[Stoppage]], None]] = []


def watch_ends(function: Callable[[Collection[Stoppage]], None]) -> None:
    """Register who is told, in the same transaction, that stoppages have ended, or did not end as they were told to.

    Whoever is told looks at each as it stands: withdrawn, at its end, or going on.
    """
    _end_watchers.append(function)


def tell_end(stops: Collection[Stoppage]) -> None:
    """Tell whoever watches that the ends of these stoppages are other than before."""
    for watcher in _end_watchers if stops else ():
        watcher(stops)


_watchers: list[Callable[[Collection[int], datetime, datetime | None], Affected]] = []


def watch(function: Callable[[Collection[int], datetime, datetime | None], Affected]) -> None:
    """Register who is told, in the same transaction, that machines stand otherwise than before in an interval.

    It is given the ids of the machines with everything below them, and the interval; None where it has no end.
    """
    _watchers.append(function)


def tell_watchers(stops: Collection[Stoppage], begin: datetime, end: datetime | None) -> Affected:
    """Tell whoever watches that these stoppages are new, or other than before, within the interval."""
    if not _watchers or not stops:
        return Affected(0, 0)
    below = Q(pk__in=[])
    for stop in stops:
        below |= Q(path__startswith=stop.machine.path) if stop.include_children else Q(pk=stop.machine_id)
    ids = list(Machine.objects.filter(below).values_list("pk", flat=True))
    told = [watcher(ids, begin, end) for watcher in _watchers]
    return Affected(sum(one.orders for one in told), sum(one.details for one in told))


class StopSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """An interval in which a machine stood."""

    startTime = serializers.DateTimeField(source="start_time")
    endTime = serializers.DateTimeField(source="end_time", allow_null=True)
    minutes = serializers.SerializerMethodField()

    def get_minutes(self, stop: Stoppage) -> int:
        """What still lasts is counted until now."""
        return whole_minutes(((stop.end_time or clock.now()) - stop.start_time).total_seconds())
