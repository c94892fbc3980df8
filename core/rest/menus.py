"""Menu entries of view sets: the place in the menu, the buttons, and the shipped roles that get them.

A view set declares its entry as `menu`. Buttons that no role is named for are held by platform administrators only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any, NamedTuple

from core.kernel.operation import SIGNED_IN, SYSTEM
from core.kernel.operation import registry as operations
from core.kernel.texts import label
from core.rest.permissions import PUBLIC


class ShippedRole(StrEnum):
    """The roles that every new tenant gets; a tenant may rename, change or delete its own afterwards."""

    TENANT_ADMIN = "tenant_admin"
    EQUIP_MANAGER = "equip_manager"
    WORKSHOP_HEAD = "workshop_head"
    SHIFT_LEADER = "shift_leader"
    INSPECTOR = "inspector"
    REPAIR_LEADER = "repair_leader"
    REPAIRER = "repairer"
    STOREKEEPER = "storekeeper"
    OPERATOR = "operator"
    VIEWER = "viewer"
    VENDOR = "vendor"
    FLOW_DESIGNER = "flow_designer"
    HR = "hr"


EVERYBODY = frozenset(ShippedRole)
PLANT = EVERYBODY - {ShippedRole.HR}
"""The roles that work with assets."""


class Place(IntEnum):
    """The place of a button on a page."""

    TOOLBAR = 1
    ROW = 2
    BOTH = 3


class Button(NamedTuple):
    """A button: its label and its place."""

    name: Any
    place: Place = Place.ROW


STANDARD_BUTTONS: Mapping[str, Button] = {
    "view": Button(label("查看", "View")),
    "add": Button(label("新增", "Add"), Place.TOOLBAR),
    "edit": Button(label("编辑", "Edit")),
    "delete": Button(label("删除", "Delete"), Place.BOTH),
    "export": Button(label("导出", "Export"), Place.TOOLBAR),
    "import": Button(label("导入", "Import"), Place.TOOLBAR),
}
"""The buttons of a plain noun, by the ending of their permission code."""

SEE: frozenset[str] = frozenset({"view"})
KEEP: frozenset[str] = frozenset(STANDARD_BUTTONS)
EVERYTHING: frozenset[str] = frozenset({"*"})
"""All buttons except those that only the platform holds."""


def held_by(roles: Collection[str], buttons: Collection[str]) -> dict[str, frozenset[str]]:
    """Return the same buttons for each of these roles."""
    return {role: frozenset(buttons) for role in roles}


def kept_by(keeper: ShippedRole) -> dict[str, frozenset[str]]:
    """Return the usual rights on an asset: PLANT sees it, `keeper` keeps it, the tenant's administrator may do all."""
    return together(held_by(PLANT, SEE), {keeper: KEEP}, {ShippedRole.TENANT_ADMIN: EVERYTHING})


def together(*given: Mapping[str, Collection[str]]) -> dict[str, frozenset[str]]:
    """Merge several declarations: return all buttons of each role."""
    found: dict[str, frozenset[str]] = {}
    for one in given:
        for role, buttons in one.items():
            found[role] = found.get(role, frozenset()) | frozenset(buttons)
    return found


@dataclass(frozen=True)
class MenuEntry:
    """An entry of the menu with its buttons; without a path it is only buttons, which stand under `under`."""

    under: str
    """Code of the heading, or of the entry, that it stands under."""
    path: str = ""
    """Address of the page in the console."""
    icon: str = ""
    name: Any = ""
    """What the entry is called, in both languages: a `label`."""
    code: str = ""
    """First part of the permission codes; the viewset's `noun` where it is left out."""
    place: int = 0
    """Order among the entries of one heading."""
    roles: Mapping[str, Collection[str]] = field(default_factory=dict)
    """By shipped role the endings of the permission codes that it holds; whoever is named finds the entry."""
    buttons: Mapping[str, Button] = field(default_factory=dict)
    """Buttons beside those of STANDARD_BUTTONS, by the ending of their permission code."""


class Declared(NamedTuple):
    """An entry as its viewset declares it, with what follows from the calls."""

    code: str
    entry: MenuEntry
    buttons: Mapping[str, Button]
    """By ending of the permission code, in the order of STANDARD_BUTTONS and then of the declaration."""
    platform_only: frozenset[str]
    """Endings of the permission codes that are refused to everybody but the platform's own people."""


def menus_of(view: Any) -> Iterator[Declared]:
    """Yield the entries of a viewset class; the first has the buttons of its calls.

    Raises LookupError for a permission code that no button is declared for.
    """
    for number, entry in enumerate(filter(None, (view.menu, *view.more_menus))):
        code = entry.code or view.noun
        endings = _endings(view, code) if number == 0 else frozenset(entry.buttons)
        known = {**STANDARD_BUTTONS, **entry.buttons}
        if unnamed := endings - set(known):
            raise LookupError(f"{view.__name__}: no button is declared for {code}_{', '.join(sorted(unnamed))}")
        endings |= frozenset(entry.buttons)
        yield Declared(
            code, entry, {name: known[name] for name in known if name in endings}, _platform_only(view, code)
        )


def _endings(view: Any, code: str) -> frozenset[str]:
    """Return the endings of the codes that the calls and the operations of this name ask for."""
    asked = {*view.codes.values(), *(entry.code for entry in operations.values())} - {PUBLIC, SIGNED_IN, SYSTEM}
    prefix = f"{code}_"
    return frozenset(
        one.removeprefix(prefix) for one in asked if one.startswith(prefix) and "_" not in one[len(prefix) :]
    )


def _platform_only(view: Any, code: str) -> frozenset[str]:
    actions = set(view.platform_only)
    if "submit" in actions:
        actions.add("add")
    prefix = f"{code}_"
    found = {view.codes[action] for action in actions if action in view.codes}
    return frozenset(one.removeprefix(prefix) for one in found if one.startswith(prefix))
