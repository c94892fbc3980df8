"""Stop intervals that a repair order makes, and the machine's state that goes with them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from core.equipment.models import Machine, RunState, Stoppage
from core.maintenance.models import RepairOrder, Status

SOURCE = "repairorder"
_AT_WORK = (Status.REPAIRING, Status.ON_HOLD)


def _machine(order: RepairOrder) -> Machine:
    machine: Machine = Machine.objects.select_for_update(of=("self",)).get(pk=order.machine_id)
    return machine


def begin(order: RepairOrder) -> None:
    """The machine stands since the order's stop_start."""
    machine = _machine(order)
    earlier = Stoppage.objects.filter(machine=machine, end_time=None).first()
    Stoppage.objects.create(
        machine=machine,
        source_type=SOURCE,
        source_id=order.pk,
        start_time=order.stop_start,
        state_before=earlier.state_before if earlier else machine.run_state,
    )
    _show(machine, order)


def follow(order: RepairOrder) -> None:
    """The order of a standing machine has moved on: somebody works on it now, or nobody does any more."""
    if order.standing:
        _show(_machine(order), order)


def end(order: RepairOrder, moment: datetime) -> None:
    """The stop is over; the machine returns to its state before, unless another stop is still open."""
    mine = Stoppage.objects.filter(source_type=SOURCE, source_id=order.pk, end_time=None).first()
    if mine is None:
        return
    machine = _machine(order)
    mine.end_time = moment
    mine.save(update_fields=["end_time"])
    _show(machine, order, mine.state_before)


def _show(machine: Machine, order: RepairOrder, before: int = RunState.RUNNING) -> None:
    """Set the machine's state from its open stops: under repair when one of their orders is, else down."""
    standing = list(Stoppage.objects.filter(machine=machine, end_time=None).values_list("source_id", flat=True))
    if not standing:
        state = before
    elif (order.pk in standing and order.status in _AT_WORK) or _any_at_work(standing, order):
        state = RunState.REPAIRING
    else:
        state = RunState.DOWN
    if machine.run_state != state:
        machine.run_state = state
        machine.save(update_fields=["run_state"])


def _any_at_work(standing: Iterable[int], order: RepairOrder) -> bool:
    """Whether another order's people are at the machine; the order's own status is not stored yet."""
    others = [source_id for source_id in standing if source_id != order.pk]
    return bool(others) and RepairOrder.objects.filter(pk__in=others, status__in=_AT_WORK).exists()


def forget(order: RepairOrder) -> None:
    """The order is deleted: no machine ever stood for it."""
    for stop in of(order):
        stop.remove()


def of(order: RepairOrder) -> list[Stoppage]:
    """The order's stops, oldest first."""
    return of_orders([order.pk])[order.pk]


def of_orders(ids: Collection[int]) -> dict[int, list[Stoppage]]:
    """By order its stops, oldest first; one statement."""
    found: dict[int, list[Stoppage]] = {pk: [] for pk in ids}
    for stop in Stoppage.objects.filter(source_type=SOURCE, source_id__in=ids).order_by("start_time", "id"):
        found[stop.source_id].append(stop)
    return found
