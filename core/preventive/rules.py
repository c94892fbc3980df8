"""Who may do what with a maintenance order, beside holding the permission code."""

from __future__ import annotations

from core.inspection.upkeep import MaintenanceLevel
from core.kernel.actor import Actor
from core.preventive.models import MaintainOrder, Source, Status
from core.preventive.parts import PARTS

DOES, DOES_DAILY = "maintainorder_do", "maintainorder_daily"
"""Permission codes of those who do maintenance: of every level, and daily care alone."""


def may_work(actor: Actor, order: MaintainOrder) -> bool:
    """Return whether the person does work of this level."""
    return actor.may(DOES) or (order.level == MaintenanceLevel.DAILY and actor.may(DOES_DAILY))


def may_keep(actor: Actor, order: MaintainOrder) -> bool:
    """What is written before the submission is the executor's alone."""
    return order.executor_id == actor.user_id and may_work(actor, order)


def did_not_do(actor: Actor, order: MaintainOrder) -> bool:
    """Nobody checks the own work: neither the executor, nor whoever has a line; a list has read the lines with it."""
    known = getattr(order, "has_own_line", None)
    has_line = order.lines.filter(user_id=actor.user_id).exists() if known is None else bool(known)
    return order.executor_id != actor.user_id and not has_line


def may_remove(actor: Actor, order: MaintainOrder) -> bool:
    """An order made by hand that nobody has begun; what the plan has made is cancelled instead."""
    idle = order.status == Status.TO_DO and order.source == Source.MANUAL
    return idle and actor.may("maintainorder_delete") and not PARTS.has_requests(order)
