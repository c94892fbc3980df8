"""Where repair orders stand in the menu, and what the shipped roles may do with them."""

from __future__ import annotations

from core.kernel.texts import label
from core.maintenance.case import REPAIR
from core.rest.menus import EVERYTHING, PLANT, Button, MenuEntry, Place, ShippedRole, held_by, together
from core.rest.scopes import Scope

_REPORTERS = PLANT - {ShippedRole.VIEWER, ShippedRole.VENDOR, ShippedRole.FLOW_DESIGNER}
_CANCELLERS = (
    ShippedRole.WORKSHOP_HEAD,
    ShippedRole.SHIFT_LEADER,
    ShippedRole.INSPECTOR,
    ShippedRole.STOREKEEPER,
    ShippedRole.OPERATOR,
    ShippedRole.EQUIP_MANAGER,
)
_REPAIRERS = (ShippedRole.REPAIR_LEADER, ShippedRole.REPAIRER, ShippedRole.VENDOR)
_LEADERS = (ShippedRole.EQUIP_MANAGER, ShippedRole.REPAIR_LEADER)
_COMMANDS = ("dispatch", "claim", "accept", "transfer", "check", "cancel")
"""Commands with a permission code of their own."""
_COUNTERS = PLANT - {ShippedRole.STOREKEEPER, ShippedRole.OPERATOR, ShippedRole.VENDOR, ShippedRole.FLOW_DESIGNER}

MENU = MenuEntry(
    "repair",
    "/repair/order",
    "order",
    label("维修工单", "Work orders"),
    place=2,
    roles=together(
        held_by(PLANT, {"view"}),
        # Whoever reported a fault verifies its repair: the right to report brings that to verify.
        held_by(_REPORTERS, {"add", "edit", "check"}),
        held_by(_CANCELLERS, {"cancel"}),
        held_by(_REPAIRERS, {"claim", "accept", "repair", "transfer"}),
        held_by(_LEADERS, {"dispatch", "transfer", "cancel"}),
        held_by(_COUNTERS, {"workload", "export"}),
        {
            ShippedRole.REPAIRER: {"cancel", "work"},
            ShippedRole.REPAIR_LEADER: {"lead", "work"},
            # A contractor sees what is assigned to them alone: without this nothing ever would be.
            ShippedRole.VENDOR: {"work"},
            ShippedRole.EQUIP_MANAGER: {"delete", "manage"},
        },
        {ShippedRole.TENANT_ADMIN: EVERYTHING},
    ),
    buttons={
        **{name: Button(REPAIR.command[name].label) for name in _COMMANDS},
        "repair": Button(label("维修", "Repair")),
        "work": Button(label("可被派单", "Can be dispatched")),
        "lead": Button(label("接收报修和超时提醒", "Receives new requests and overdue reminders")),
        "manage": Button(
            label(
                "接收严重超时提醒，可取消维修中的维修工单",
                "Receives long-overdue reminders, may cancel work in progress",
            )
        ),
        "workload": Button(label("工时统计", "Workload"), Place.TOOLBAR),
    },
)

REPORT_MENU = MenuEntry(
    "repair",
    "/repair/report",
    "report",
    label("我要报修", "Report a fault"),
    "repairorder_report",
    1,
    held_by(_REPORTERS, ()),
)

WORKLOAD_MENU = MenuEntry(
    "repair",
    "/repair/workload",
    "report",
    label("维修统计", "Repair reports"),
    "repairorder_reports",
    4,
    held_by(_COUNTERS, ()),
)

SCOPES = {
    Scope.ALL: (
        ShippedRole.EQUIP_MANAGER,
        ShippedRole.REPAIR_LEADER,
        ShippedRole.STOREKEEPER,
        ShippedRole.VIEWER,
    ),
    Scope.DEPARTMENT_TREE: (ShippedRole.WORKSHOP_HEAD,),
    Scope.DEPARTMENT: (ShippedRole.SHIFT_LEADER, ShippedRole.OPERATOR),
    Scope.TEAM: (ShippedRole.REPAIRER, ShippedRole.INSPECTOR),
    Scope.OWN: (ShippedRole.VENDOR,),
}
