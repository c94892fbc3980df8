"""Data scope: which rows of a resource a role sees. One table, role × resource; a person's roles add up."""

from __future__ import annotations

from enum import IntEnum

from core.kernel.actor import Actor


class Scope(IntEnum):
    """From narrow to wide."""

    OWN = 1
    TEAM = 2
    DEPARTMENT = 3
    DEPARTMENT_TREE = 4
    TENANT = 5


_TABLE: dict[str, dict[str, Scope]] = {
    "repairorder": {
        "tenant_admin": Scope.TENANT,
        "equip_manager": Scope.TENANT,
        "repair_leader": Scope.TENANT,
        "storekeeper": Scope.TENANT,
        "viewer": Scope.TENANT,
        "workshop_head": Scope.DEPARTMENT_TREE,
        "shift_leader": Scope.DEPARTMENT,
        "operator": Scope.DEPARTMENT,
        "repairer": Scope.TEAM,
        "inspector": Scope.TEAM,
        "vendor": Scope.OWN,
    },
}


def scope_of(actor: Actor, resource: str) -> Scope:
    """The widest scope among the actor's roles; own rows where no role says more. The system sees the tenant."""
    if actor.is_system:
        return Scope.TENANT
    return max((_TABLE[resource].get(role, Scope.OWN) for role in actor.role_codes), default=Scope.OWN)
