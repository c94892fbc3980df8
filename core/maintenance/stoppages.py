"""Stop intervals that a repair order makes, and the machine's state that goes with them."""

from __future__ import annotations

from datetime import datetime

from core.equipment.models import Machine, RunState, Stoppage
from core.maintenance.models import RepairOrder

SOURCE = "repairorder"


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
    machine.run_state = RunState.DOWN
    machine.save(update_fields=["run_state"])


def under_repair(order: RepairOrder) -> None:
    """Somebody works on the standing machine."""
    if order.is_stop:
        machine = _machine(order)
        machine.run_state = RunState.REPAIRING
        machine.save(update_fields=["run_state"])


def end(order: RepairOrder, moment: datetime) -> None:
    """The stop is over; the machine returns to its state before, unless another stop is still open."""
    mine = Stoppage.objects.filter(source_type=SOURCE, source_id=order.pk, end_time=None).first()
    if mine is None:
        return
    machine = _machine(order)
    mine.end_time = moment
    mine.save(update_fields=["end_time"])
    if not Stoppage.objects.filter(machine=machine, end_time=None).exists():
        machine.run_state = mine.state_before
        machine.save(update_fields=["run_state"])
