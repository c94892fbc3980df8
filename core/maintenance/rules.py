"""Who may do what with a repair order, beside holding the permission code."""

from __future__ import annotations

from django.utils.translation import gettext as _

from core import ports
from core.kernel.actor import Actor
from core.kernel.errors import Conflict
from core.maintenance.models import OPEN, RepairOrder, Status
from core.maintenance.parts import PARTS
from core.system import parameters

LEADS, MANAGES, WORKS = "repairorder_lead", "repairorder_manage", "repairorder_work"
"""Permission codes of those who are told of new and late orders, of very late ones, and who may be dispatched."""


def is_repairer(actor: Actor, order: RepairOrder) -> bool:
    """Return whether the person repairs the order."""
    return order.repair_user_id == actor.user_id


def has_line(actor: Actor, order: RepairOrder) -> bool:
    """Return whether the person has a work line on the order; a list has read it with its rows."""
    known = getattr(order, "has_own_line", None)
    return order.lines.filter(user_id=actor.user_id).exists() if known is None else bool(known)


def did_not_repair(actor: Actor, order: RepairOrder) -> bool:
    """Nobody checks the own work: neither the repairer, nor who helps, nor whoever has a work line."""
    took_part = is_repairer(actor, order) or actor.user_id in order.helper_ids
    return not took_part and not has_line(actor, order)


def may_claim(actor: Actor, order: RepairOrder) -> bool:
    """Repairers of the machine's team, where the company lets them help themselves."""
    return parameters.repair().claim_enabled and order.machine.team_id in actor.team_ids


def taken(actor: Actor, order: RepairOrder) -> Conflict | None:
    """Tell who wants to accept an order that somebody else has accepted, or was asked to accept, who that is."""
    if order.repair_user_id == actor.user_id or order.status not in OPEN[1:]:
        return None
    is_accepted = order.status != Status.DISPATCHED
    if order.repair_user_id is None and (is_accepted or order.team_id in actor.team_ids):
        return None
    key = f"user:{order.repair_user_id}" if order.repair_user_id else f"team:{order.team_id}"
    name = ports.people.describe({key}).get(key, "")
    text = _("该维修单已被{name}接单") if is_accepted else _("该维修工单已派给{name}")
    return Conflict("order.taken", text.format(name=name), {"userName": name})


def may_transfer(actor: Actor, order: RepairOrder) -> bool:
    """The repairer, and whoever dispatches."""
    return is_repairer(actor, order) or actor.may("repairorder_dispatch")


def may_cancel(actor: Actor, order: RepairOrder) -> bool:
    """The reporter while nobody is asked; who dispatches until the work begins; then who manages the equipment."""
    if order.status in (Status.REPAIRING, Status.ON_HOLD):
        return actor.may(MANAGES)
    if order.status == Status.DISPATCHED:
        return actor.may("repairorder_dispatch")
    return order.report_user_id == actor.user_id or actor.may("repairorder_dispatch")


def may_write_lines(actor: Actor, order: RepairOrder) -> bool:
    """Work lines are written while the work lasts, and until the check by whoever took part in it."""
    if not actor.may("repairorder_repair"):
        return False
    if order.status in (Status.REPAIRING, Status.ON_HOLD):
        return True
    return order.status == Status.TO_CHECK and not did_not_repair(actor, order)


def may_write_line_of(actor: Actor, order: RepairOrder, user_id: int) -> bool:
    """The own lines; while the work lasts the repairer and who dispatches write those of others too."""
    if user_id == actor.user_id:
        return True
    return order.status != Status.TO_CHECK and may_transfer(actor, order)


def may_edit(actor: Actor, order: RepairOrder) -> bool:
    """Description, photos, urgency and promise: the reporter, and whoever dispatches, until the order is closed."""
    if order.status not in OPEN or not actor.may("repairorder_edit"):
        return False
    return order.report_user_id == actor.user_id or actor.may("repairorder_dispatch")


def may_remove(actor: Actor, order: RepairOrder) -> bool:
    """An order on which nobody has worked and that nobody is asked to do, by whoever keeps the orders."""
    idle = order.status in (Status.REPORTED, Status.CANCELLED)
    return idle and actor.may("repairorder_delete") and not order.lines.exists() and not PARTS.has_requests(order)
