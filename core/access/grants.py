"""What a person's roles grant."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import F, QuerySet, Value

from core.access.models import (
    PLATFORM_ADMINISTRATOR,
    RESERVED,
    ApiScope,
    Menu,
    MenuCategory,
    Role,
    RoleApiScope,
    RoleDataScope,
    RoleMenu,
    TopMenuEntry,
    UserRole,
)
from core.identity.models import Tenant
from core.kernel.tenancy import PLATFORM, current_tenant
from core.rest.rights import Rights
from core.rest.scopes import Rule, Scope
from core.statements.compiled import Compiled


def rights_of_users(user_ids: Collection[int]) -> dict[int, Rights]:
    """Roles, permission codes and scopes of people of the tenant in scope; five statements, however many people."""
    aliases: dict[int, dict[int, str]] = {user_id: {} for user_id in user_ids}
    held = UserRole.objects.filter(user_id__in=list(user_ids), role__is_deleted=False)
    for user_id, role_id, alias in held.values_list("user_id", "role_id", "role__role_alias"):
        aliases[user_id][role_id] = alias
    roles = {role_id for found in aliases.values() for role_id in found}
    codes = _by_role(RoleMenu.objects.filter(role_id__in=roles).values_list("role_id", "menu__code").distinct())
    data = _by_role(
        RoleDataScope.objects.filter(role_id__in=roles, scope__is_deleted=False).values_list(
            "role_id", "scope__resource_code", "scope__scope_type", "scope__scope_value"
        )
    )
    closed: dict[str, set[int]] = {}
    for scope_id, path in ApiScope.objects.values_list("pk", "scope_path"):
        closed.setdefault(path, set()).add(scope_id)
    api = RoleApiScope.objects.filter(role_id__in=roles).values_list("role_id", "scope_id") if closed else ()
    opens = _by_role(api)
    is_platform = current_tenant() == PLATFORM
    return {
        user_id: Rights(
            frozenset(own),
            frozenset(own.values()),
            frozenset(code for role_id in own for (code,) in codes.get(role_id, ())),
            not set(RESERVED).isdisjoint(own.values()),
            PLATFORM_ADMINISTRATOR in own.values() and is_platform,
            _rules(row for role_id in own for row in data.get(role_id, ())),
            frozenset(scope_id for role_id in own for (scope_id,) in opens.get(role_id, ())),
            {path: frozenset(ids) for path, ids in closed.items()},
        )
        for user_id, own in aliases.items()
    }


def _by_role(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    """Return rows that begin with the id of a role by that id, without it."""
    found: dict[int, list[tuple[Any, ...]]] = {}
    for role_id, *rest in rows:
        found.setdefault(role_id, []).append(tuple(rest))
    return found


def _rules(held: Iterable[tuple[Any, ...]]) -> dict[str, Rule]:
    """Return the scopes of several roles, added up by resource."""
    kinds: dict[str, set[Scope]] = {}
    custom: dict[str, list[str]] = {}
    for resource, kind, value in held:
        kinds.setdefault(resource, set()).add(Scope(kind))
        if kind == Scope.CUSTOM:
            custom.setdefault(resource, []).append(value)
    return {resource: Rule(frozenset(found), tuple(custom.get(resource, ()))) for resource, found in kinds.items()}


def rights_changed(tenant_id: str) -> None:
    """Let every process look up this tenant's rights anew, from the next request on."""
    Tenant.objects.filter(tenant_id=tenant_id).update(rights_version=F("rights_version") + 1)


def role_ids(codes: set[str]) -> dict[str, int]:
    """Ids of the tenant's roles by alias."""
    return dict(Role.objects.filter(role_alias__in=codes).values_list("role_alias", "pk")) if codes else {}


_ROLES = Compiled(lambda ids: Role.objects.filter(pk__in=ids))


def role_names(ids: set[int]) -> dict[int, str]:
    """Names by id in the caller's language."""
    return {role.pk: str(role) for role in _ROLES.rows(sorted(ids))}


def role_rows(ids: list[int]) -> QuerySet[Any]:
    """Roles as the directory joins them with people and teams."""
    return Role.objects.filter(pk__in=ids).values_list(Value("role"), "pk", "role_name", "role_name_en")


def granted_menus(role_ids: frozenset[int], category: MenuCategory, top_menu_id: int | None = None) -> list[Menu]:
    """Granted rows of one category in order, with the ancestors that hold them; of a top menu only what it shows."""
    granted = set(
        RoleMenu.objects.filter(role_id__in=role_ids, menu__category=category).values_list("menu_id", flat=True)
    )
    if top_menu_id is not None:
        granted &= set(TopMenuEntry.objects.filter(top_menu_id=top_menu_id).values_list("menu_id", flat=True))
    return with_ancestors(granted)


def with_ancestors(menu_ids: Iterable[int]) -> list[Menu]:
    """Return the rows with those above them, in order."""
    all_rows = {menu.pk: menu for menu in Menu.objects.all()}
    wanted: set[int] = set()
    for menu_id in menu_ids:
        step: int | None = menu_id
        while step is not None and step not in wanted:
            wanted.add(step)
            step = all_rows[step].parent_id
    return sorted((all_rows[menu_id] for menu_id in wanted), key=lambda menu: (menu.sort, menu.pk))
