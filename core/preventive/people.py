"""Whom a maintenance order waits for, and who is told of it."""

from __future__ import annotations

from core import ports
from core.access.people import holders_of_code
from core.cases.case import People
from core.identity.people import team_people
from core.kernel.texts import label
from core.preventive.models import MaintainOrder

FALLBACK = "repair_leader"
"""The role that gets what is for nobody: neither people nor a team are named, and the asset has no team."""
_CHECKERS = ("role:equip_manager", "role:shift_leader@{dept}", "role:workshop_head@{dept}")


def team_of(order: MaintainOrder) -> int | None:
    """Return the team that is asked: its own one, else the asset's where nobody is named."""
    return order.team_id or (None if order.user_ids else order.machine.team_id)


def role_of(order: MaintainOrder) -> str:
    """Return the role that is asked where nobody else is; empty where somebody is."""
    return "" if order.user_ids or team_of(order) else FALLBACK


def _doers(order: MaintainOrder) -> list[int | None]:
    if order.executor_id is not None:
        return [order.executor_id]
    people: list[int | None] = [*order.user_ids, *team_people(team_of(order))]
    return people or [*ports.messages.recipients([f"role:{FALLBACK}"])]


DOERS = People(label("执行人员", "those who are to do it"), _doers)
EXECUTOR = People(label("执行人", "who carried it out"), lambda order: [order.executor_id])
CHECKERS = People(
    label("设备主管和本部门的班组长、车间主任", "equipment managers, and shift leaders and heads of the department"),
    lambda order: ports.messages.recipients([rule.format(dept=order.dept_id) for rule in _CHECKERS]),
)
DOERS_AND_MANAGERS = People(
    label("执行人员和设备主管", "those who are to do it and the equipment managers"),
    lambda order: [*_doers(order), *holders_of_code("maintainorder_delay")],
)
