"""Where maintenance orders stand in the menu, and what the shipped roles may do with them."""

from __future__ import annotations

from core.kernel.texts import label
from core.preventive.case import MAINTAIN
from core.rest.menus import EVERYTHING, PLANT, Button, MenuEntry, ShippedRole, held_by, together
from core.rest.scopes import Scope

_DOERS = (ShippedRole.REPAIR_LEADER, ShippedRole.REPAIRER, ShippedRole.INSPECTOR)
_CHECKERS = (ShippedRole.EQUIP_MANAGER, ShippedRole.WORKSHOP_HEAD, ShippedRole.SHIFT_LEADER)
_COUNTERS = PLANT - {ShippedRole.STOREKEEPER, ShippedRole.OPERATOR, ShippedRole.VENDOR, ShippedRole.FLOW_DESIGNER}

MENU = MenuEntry(
    "maintain",
    "/maintain/order",
    "order",
    label("保养单", "Maintenance orders"),
    place=1,
    roles=together(
        held_by(PLANT, {"view"}),
        held_by(_COUNTERS, {"export"}),
        held_by(_DOERS, {"do"}),
        held_by(_CHECKERS, {"check"}),
        held_by((ShippedRole.REPAIR_LEADER,), {"assign"}),
        {
            ShippedRole.OPERATOR: {"daily"},
            ShippedRole.EQUIP_MANAGER: {"add", "edit", "delete", "assign", "delay", "cancel"},
        },
        {ShippedRole.TENANT_ADMIN: EVERYTHING},
    ),
    buttons={
        **{name: Button(MAINTAIN.command[name].label) for name in ("check", "assign", "delay", "cancel")},
        "do": Button(label("执行保养", "Do maintenance")),
        "daily": Button(label("执行日常保养", "Do daily care")),
    },
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
