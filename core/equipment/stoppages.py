"""Intervals in which machines stand for some record, such as a repair order, and the machine's state that follows."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db import models
from rest_framework import serializers

from core.equipment import states
from core.equipment.models import Machine, RunState, Stoppage
from core.kernel import clock
from core.rest.serializers import whole_minutes
from core.system.periods import today


class Stops:
    """The stops that records of one model make. A record has `machine_id` and `status`.

    Before it changes, a record may not be stored: `begin`, `follow` and `end` read its status from the record itself.
    """

    def __init__(self, model: type[models.Model], at_work: Collection[int]) -> None:
        self.model, self.at_work = model, at_work
        """`at_work` are the statuses in which somebody is at the machine, which is then under repair and not down."""
        self.source = str(model._meta.model_name)
        _kinds.append(self)

    def begin(self, record: Any, start: datetime | None) -> None:
        """Let the machine stand since then."""
        machine = _locked(record)
        earlier = Stoppage.objects.filter(machine=machine, end_time=None).first()
        Stoppage.objects.create(
            machine=machine,
            source_type=self.source,
            source_id=record.pk,
            start_time=start,
            state_before=earlier.state_before if earlier else machine.run_state,
        )
        self._show(machine, record)

    def follow(self, record: Any) -> None:
        """Somebody works on a standing machine now, or nobody does any more."""
        self._show(_locked(record), record)

    def end(self, record: Any, moment: datetime) -> None:
        """End the stop; the machine returns to its state before, unless it still stands for another record."""
        mine = Stoppage.objects.filter(source_type=self.source, source_id=record.pk, end_time=None).first()
        if mine is None:
            return
        machine = _locked(record)
        mine.end_time = moment
        mine.save(update_fields=["end_time"])
        self._show(machine, record, mine.state_before)

    def forget(self, record: Any) -> None:
        """The record is deleted: no machine ever stood for it."""
        for stop in self.of([record.pk])[record.pk]:
            stop.remove()

    def of(self, ids: Collection[int]) -> dict[int, list[Stoppage]]:
        """Return by record its stops, oldest first; one statement."""
        found: dict[int, list[Stoppage]] = {pk: [] for pk in ids}
        for stop in Stoppage.objects.filter(source_type=self.source, source_id__in=ids).order_by("start_time", "id"):
            found[stop.source_id].append(stop)
        return found

    def _show(self, machine: Machine, record: Any, before: int = RunState.RUNNING) -> None:
        """Set the machine's state from its open stops: under repair when somebody is at one of them, else down."""
        standing = set(Stoppage.objects.filter(machine=machine, end_time=None).values_list("source_id", flat=True))
        if not standing:
            state = before
        elif (record.pk in standing and record.status in self.at_work) or _any_at_work(standing - {record.pk}):
            state = RunState.REPAIRING
        else:
            state = RunState.DOWN
        if machine.run_state != state:
            was, machine.run_state = machine.run_state, state
            machine.save(update_fields=["run_state"])
            states.note(machine, was, today(), source=(self.source, record.pk))


_kinds: list[Stops] = []


def _locked(record: Any) -> Machine:
    machine: Machine = Machine.objects.select_for_update(of=("self",)).get(pk=record.machine_id)
    return machine


def _any_at_work(ids: Iterable[int]) -> bool:
    """Return whether somebody is at the machine for one of these records; ids are never used twice."""
    others = list(ids)
    rows = (kind.model._default_manager.filter(pk__in=others, status__in=kind.at_work) for kind in _kinds)
    return bool(others) and any(found.exists() for found in rows)


class StopSerializer(serializers.Serializer):  # type: ignore[type-arg]
    """An interval in which a machine stood."""

    startTime = serializers.DateTimeField(source="start_time")
    endTime = serializers.DateTimeField(source="end_time", allow_null=True)
    minutes = serializers.SerializerMethodField()

    def get_minutes(self, stop: Stoppage) -> int:
        """What still lasts is counted until now."""
        return whole_minutes(((stop.end_time or clock.now()) - stop.start_time).total_seconds())
