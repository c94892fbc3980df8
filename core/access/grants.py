"""What a person's roles grant."""

from __future__ import annotations

from core.access.models import Menu, MenuCategory, Role, RoleMenu, UserRole
from core.kernel.rights import Rights


def rights_of_user(user_id: int) -> Rights:
    """Roles and permission codes of one person of the tenant in scope; two statements."""
    roles = dict(
        UserRole.objects.filter(user_id=user_id, role__is_deleted=False).values_list("role_id", "role__role_alias")
    )
    codes = RoleMenu.objects.filter(role_id__in=roles).values_list("menu__code", flat=True).distinct()
    return Rights(frozenset(roles), frozenset(roles.values()), frozenset(codes))


def role_ids(codes: set[str]) -> dict[str, int]:
    """Ids of the tenant's roles by alias."""
    return dict(Role.objects.filter(role_alias__in=codes).values_list("role_alias", "pk")) if codes else {}


def role_names(ids: set[int]) -> dict[int, str]:
    """Names by id in the caller's language."""
    return {role.pk: str(role) for role in Role.objects.filter(pk__in=ids)}


def granted_menus(role_ids: frozenset[int], category: MenuCategory) -> list[Menu]:
    """Granted rows of one category in order, with the ancestors that hold them."""
    granted = set(
        RoleMenu.objects.filter(role_id__in=role_ids, menu__category=category).values_list("menu_id", flat=True)
    )
    all_rows = {menu.pk: menu for menu in Menu.objects.all()}
    wanted: set[int] = set()
    for menu_id in granted:
        step: int | None = menu_id
        while step is not None and step not in wanted:
            wanted.add(step)
            step = all_rows[step].parent_id
    return sorted((all_rows[menu_id] for menu_id in wanted), key=lambda menu: (menu.sort, menu.pk))
