"""What lies ahead of an asset when its maintenance is submitted: when it is due next, and which parts are short."""

from __future__ import annotations

from typing import Any

from core.inspection import due
from core.inspection.models import MaintenancePlan, PlannedPart
from core.preventive.models import MaintainOrder
from core.system.periods import today


def after(order: MaintainOrder) -> dict[str, Any]:
    """Return when the work is due next by its plan row, empty where the asset is not planned, and what is short."""
    rows = MaintenancePlan.objects.select_related("machine")
    plan = rows.filter(config=order.config_id, machine=order.machine_id).first()
    short = _short(order.config_id)
    if plan is None:
        return {"nextDueDate": None, "nextDueHours": None, "predictedDate": None, "spareShort": short}
    machine, hours = plan.machine, plan.next_due_hours
    return {
        "nextDueDate": plan.next_due_date,
        "nextDueHours": None if hours is None else float(hours),
        "predictedDate": due.predicted(hours, machine.run_hours, machine.avg_daily_hours, today()),
        "spareShort": short,
    }


def _short(config_id: int) -> list[dict[str, Any]]:
    """Return the planned parts of which there is less than the next work takes."""
    rows = PlannedPart.objects.filter(config=config_id).select_related("spare").order_by("id")
    return [
        {
            "spareId": str(row.spare_id),
            "spareName": row.spare.spare_name,
            "qty": float(row.qty),
            "availableQty": float(row.spare.available_qty),
        }
        for row in rows
        if row.spare.available_qty < row.qty
    ]
