"""What maintenance that was done or cancelled means for the plan row that it belongs to: when it is due next."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from core.inspection import due
from core.inspection.due import Moved
from core.inspection.models import MaintenancePlan
from core.inspection.upkeep import DATES
from core.shifts.queries import business_date_in
from core.system.periods import today


def plan_of(config_id: int, machine_id: int) -> MaintenancePlan | None:
    """Return the row of an order, locked until the transaction ends; None where the asset is not planned any more."""
    rows = MaintenancePlan.objects.select_for_update(of=("self",)).select_related("config", "machine")
    return rows.filter(config=config_id, machine=machine_id).first()


def done(plan: MaintenancePlan, finish: datetime, hours: Decimal | None) -> None:
    """Count the locked row on from work that ended then, at this counter; the asset's own where nobody read it."""
    read = hours if hours is not None else plan.machine.run_hours
    moved = due.done(plan.config.cycle, plan.basis, business_date_in(plan.machine.dept_id, finish), read)
    plan.last_done_time, plan.last_done_hours = finish, read
    _store(plan, moved, "last_done_time", "last_done_hours")


def skipped(plan: MaintenancePlan) -> None:
    """Count the locked row on from what is cancelled; what was not near stays as it is."""
    moved = due.left_out(plan.config.cycle, plan.basis, today(), plan.machine.run_hours)
    if moved is not None:
        _store(plan, moved)


def _store(plan: MaintenancePlan, moved: Moved, *more: str) -> None:
    plan.follow(moved.basis)
    plan.skipped_count += moved.skipped
    columns = (*DATES, "skipped_count", *more)
    # Not counted as a change of the standard: nobody who edits it has seen other fields than these.
    MaintenancePlan.objects.filter(pk=plan.pk).update(**{name: getattr(plan, name) for name in columns})
