"""Installs the menu, the shipped roles and their grants, as the viewsets declare them (`core/rest/menus.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db import transaction
from django.urls import get_resolver

from core.access.grants import rights_changed
from core.access.models import PLATFORM_ADMINISTRATOR, DataScope, Menu, MenuCategory, Role, RoleDataScope, RoleMenu
from core.identity.models import Tenant
from core.kernel.tenancy import PLATFORM, current_tenant, tenant_scope
from core.kernel.texts import both, label
from core.rest.menus import EVERYBODY, EVERYTHING, Declared, MenuEntry, ShippedRole, menus_of
from core.rest.routes import routed_actions
from core.rest.scopes import Scope
from core.rest.viewsets import NounViewSet

HEADINGS: Mapping[str, MenuEntry] = {
    "wel": MenuEntry("", "/wel/index", "home", label("首页", "Home"), roles=dict.fromkeys(EVERYBODY, ())),
    "work": MenuEntry("", "/work", "inbox", label("流程中心", "Tasks")),
    "flow": MenuEntry("", "/flow", "flow", label("流程管理", "Processes")),
    "repair": MenuEntry("", "/repair", "repair", label("维修管理", "Repair")),
    "maintain": MenuEntry("", "/maintain", "schedule", label("保养管理", "Maintenance")),
    "inspect": MenuEntry("", "/inspect", "inspect", label("点检管理", "Inspection")),
    "equip": MenuEntry("", "/equip", "equip", label("设备管理", "Equipment")),
    "spare": MenuEntry("", "/spare", "claim", label("备件管理", "Spare parts")),
    "desk": MenuEntry("", "/desk", "desk", label("工作台", "Workspace")),
    "resource": MenuEntry("", "/resource", "resource", label("资源管理", "Resources")),
    "monitor": MenuEntry("", "/monitor", "monitor", label("系统监控", "Monitoring")),
    "log": MenuEntry("monitor", "/monitor/log", "log", label("日志管理", "Logs")),
    "base": MenuEntry("", "/base", "base", label("基础配置", "Basic data")),
    "authority": MenuEntry("", "/authority", "authority", label("权限管理", "Rights")),
    "system": MenuEntry("", "/system", "system", label("系统管理", "System")),
}
"""What the entries stand under, in the order of the menu. A role sees a heading when it sees an entry below it."""

ROLES: Mapping[str, Any] = {
    PLATFORM_ADMINISTRATOR: label("平台管理员", "Platform administrator"),
    ShippedRole.TENANT_ADMIN: label("租户管理员", "Tenant administrator"),
    ShippedRole.EQUIP_MANAGER: label("设备主管", "Equipment manager"),
    ShippedRole.WORKSHOP_HEAD: label("车间主任", "Workshop head"),
    ShippedRole.SHIFT_LEADER: label("班组长", "Shift leader"),
    ShippedRole.INSPECTOR: label("点检员", "Inspector"),
    ShippedRole.REPAIR_LEADER: label("维修班长", "Repair leader"),
    ShippedRole.REPAIRER: label("维修工", "Technician"),
    ShippedRole.STOREKEEPER: label("备件库管", "Storekeeper"),
    ShippedRole.OPERATOR: label("操作工", "Operator"),
    ShippedRole.VIEWER: label("管理层/只读", "Management, read only"),
    ShippedRole.VENDOR: label("外协人员", "Contractor"),
    ShippedRole.FLOW_DESIGNER: label("流程设计员", "Process designer"),
    ShippedRole.HR: label("人事", "HR"),
}
"""Names of the shipped roles, in their order; what they hold is declared beside the calls."""


@dataclass(frozen=True)
class Row:
    """A row of the menu as it is installed."""

    code: str
    parent: str
    columns: Mapping[str, Any]


def _viewsets() -> list[Any]:
    """Return the viewsets of the URL table, each once, in its order."""
    return list(dict.fromkeys(view for view, _action in routed_actions(get_resolver())))


def _declared() -> Iterator[Declared]:
    """Yield the entries of all viewsets, heading by heading."""
    places = list(HEADINGS)
    found = [declared for view in _viewsets() for declared in menus_of(view)]
    # What has no page of its own stands under another entry, which has to come first.
    return iter(sorted(found, key=lambda one: (one.entry.path == "", _heading(one, places), one.entry.place)))


def _heading(declared: Declared, places: list[str]) -> int:
    under = declared.entry.under
    return places.index(under) if under in places else len(places)


@lru_cache(maxsize=1)
def menu_rows() -> tuple[Row, ...]:
    """Return the menu with its buttons, each row after the one that it stands under."""
    rows = [_entry(code, entry, sort) for sort, (code, entry) in enumerate(HEADINGS.items())]
    declared = list(_declared())
    rows += [_entry(one.code, one.entry, sort) for sort, one in enumerate(declared, len(rows)) if one.entry.path]
    for one in declared:
        for ending, button in one.buttons.items():
            zh, en = both(button.name)
            columns = {
                "name": zh, "name_en": en, "alias": ending, "sort": len(rows),
                "category": int(MenuCategory.BUTTON), "action": int(button.place),
            }  # fmt: skip
            rows.append(Row(f"{one.code}_{ending}", one.code if one.entry.path else one.entry.under, columns))
    return tuple(rows)


def _entry(code: str, entry: MenuEntry, sort: int) -> Row:
    zh, en = both(entry.name)
    return Row(code, entry.under, {"name": zh, "name_en": en, "path": entry.path, "source": entry.icon, "sort": sort})


@lru_cache(maxsize=1)
def grants() -> Mapping[str, frozenset[str]]:
    """Return by shipped role the codes of the menu that it is shipped with."""
    found: dict[str, set[str]] = {alias: set() for alias in ROLES}
    found[PLATFORM_ADMINISTRATOR] = {row.code for row in menu_rows()}
    for code, entry in HEADINGS.items():
        for role in entry.roles:
            found[role].add(code)
    for one in _declared():
        for role, endings in one.entry.roles.items():
            held = set(one.buttons) if set(endings) >= EVERYTHING else set(one.buttons) & set(endings)
            found[role] |= {f"{one.code}_{ending}" for ending in held - one.platform_only}
            if one.entry.path:
                found[role].add(one.code)
    return {role: frozenset(codes) for role, codes in found.items()}


def install() -> None:
    """Write the menu, and give the shipped roles of each company what is new in it; all of it or nothing.

    What people withdrew stays withdrawn: only entries that were not there before are granted.
    """
    with transaction.atomic():
        new = _install_menus()
        for tenant_id in Tenant.objects.order_by("pk").values_list("tenant_id", flat=True):
            with tenant_scope(tenant_id):
                install_scopes()
                if _grant(Role.objects.all(), new):
                    rights_changed(tenant_id)


def _install_menus() -> set[str]:
    """Write the menu and its buttons; answers the codes that were not there before.

    What the product changed since it was written last is changed, what people changed stays as they made it.
    """
    known = {row.code: row for row in Menu.objects.all()}
    ids: dict[str, int] = {}
    for row in menu_rows():
        ids[row.code] = _write(known.get(row.code), row.code, {**row.columns, "parent_id": ids.get(row.parent)})
    return set(ids) - set(known)


def _write(row: Menu | None, code: str, columns: dict[str, Any]) -> int:
    if row is None:
        return int(Menu.objects.create(code=code, shipped=columns, **columns).pk)
    if row.shipped != columns:
        for name, value in columns.items():
            if not row.shipped or getattr(row, name) == row.shipped.get(name):
                setattr(row, name, value)
        row.shipped = columns
        row.save()
    return int(row.pk)


def _scopes() -> Mapping[str, Mapping[Scope, tuple[str, ...]]]:
    """Return by resource the shipped roles that hold each kind of data scope."""
    administrators = (PLATFORM_ADMINISTRATOR, ShippedRole.TENANT_ADMIN)
    found = {}
    for view in _viewsets():
        if issubclass(view, NounViewSet) and view.has_scope():
            kinds = {kind: tuple(roles) for kind, roles in view.shipped_scopes.items()}
            found[view.noun] = {**kinds, Scope.ALL: (*administrators, *kinds.get(Scope.ALL, ()))}
    return found


def install_scopes() -> None:
    """Make the shipped data scopes of the tenant in scope, and grant them; a resource that has scopes is left alone."""
    menus = dict(Menu.objects.values_list("code", "pk"))
    known = set(DataScope.objects.values_list("resource_code", flat=True))
    roles = {role.role_alias: role for role in Role.objects.all()}
    names = dict(_SCOPE_NAMES)
    for resource, kinds in _scopes().items():
        if resource in known:
            continue
        for kind, aliases in kinds.items():
            zh, en = names[kind]
            row = DataScope.objects.create(
                menu_id=menus[resource], resource_code=resource, scope_type=kind, scope_name=zh, scope_name_en=en
            )
            RoleDataScope.objects.bulk_create(
                RoleDataScope(role=roles[alias], scope=row) for alias in aliases if alias in roles
            )


_SCOPE_NAMES: tuple[tuple[Scope, tuple[str, str]], ...] = (
    (Scope.ALL, ("全部可见", "All")),
    (Scope.OWN, ("本人可见", "Own")),
    (Scope.DEPARTMENT, ("所在机构可见", "Own department")),
    (Scope.DEPARTMENT_TREE, ("所在机构及子级可见", "Own department and below")),
    (Scope.TEAM, ("本人及班组可见", "Own and team")),
)


def install_roles() -> dict[str, Role]:
    """Make the roles of a new tenant, inside its scope, with what they are granted; answers them by alias."""
    roles = {}
    # The platform's role is the platform's alone.
    aliases = [alias for alias in ROLES if alias != PLATFORM_ADMINISTRATOR or current_tenant() == PLATFORM]
    for place, alias in enumerate(aliases):
        zh, en = both(ROLES[alias])
        roles[alias], _ = Role.objects.get_or_create(
            role_alias=alias, defaults={"role_name": zh, "role_name_en": en, "sort": place}
        )
    _grant(roles.values(), grants()[PLATFORM_ADMINISTRATOR])
    install_scopes()
    return roles


def _grant(roles: Iterable[Role], codes: Set[str]) -> bool:
    """Give shipped roles those of these entries that they are shipped with; answers whether there were any."""
    menus = dict(Menu.objects.filter(code__in=codes).values_list("code", "pk"))
    granted = [
        RoleMenu(role=role, menu_id=menus[code])
        for role in roles
        for code in sorted(grants().get(role.role_alias, frozenset()) & codes)
    ]
    RoleMenu.objects.bulk_create(granted, ignore_conflicts=True)
    return bool(granted)
