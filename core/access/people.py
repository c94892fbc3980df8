"""Who holds which roles, and who may give them: nobody gives what they do not hold, or acts on who holds more."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from core.access.holding import check_holding_of, holds_everything
from core.access.models import (
    PLATFORM_ADMINISTRATOR,
    RESERVED,
    TENANT_ADMINISTRATOR,
    Role,
    UserRole,
)
from core.kernel.actor import Actor
from core.kernel.errors import Missing, NotAllowed
from core.kernel.tenancy import PLATFORM, current_tenant


def held_by(user_ids: Collection[int]) -> Mapping[int, Mapping[int, str]]:
    """By user id the roles held, id → name in the caller's language; one statement, however many people."""
    found: dict[int, dict[int, str]] = {}
    rows = UserRole.objects.filter(user_id__in=list(user_ids), role__is_deleted=False).select_related("role")
    for row in rows.order_by("role__sort", "role_id"):
        found.setdefault(row.user_id, {})[row.role_id] = str(row.role)
    return found


def holders_of_role(alias: str) -> list[int]:
    """Active people with a role."""
    rows = UserRole.objects.filter(role__role_alias=alias, user__is_enabled=True, user__is_deleted=False)
    return list(rows.order_by("user_id").values_list("user_id", flat=True))


def holders_of_code(code: str) -> list[int]:
    """Return the ids of the active people who hold a permission code because their work asks for it.

    Administrators hold nearly all codes: they count only where nobody else holds this one.
    """
    rows = UserRole.objects.filter(role__is_deleted=False, user__is_enabled=True, user__is_deleted=False)
    rows = rows.filter(role__grants__menu__code=code)
    found = rows.order_by("user_id").values_list("user_id", "role__role_alias").distinct()
    others = [user_id for user_id, alias in found if alias not in RESERVED]
    return list(dict.fromkeys(others or [user_id for user_id, _alias in found]))


def everybody_with_code(code: str) -> list[int]:
    """Return the ids of all active people who hold a permission code, administrators among them."""
    rows = UserRole.objects.filter(role__is_deleted=False, user__is_enabled=True, user__is_deleted=False)
    rows = rows.filter(role__grants__menu__code=code)
    return list(rows.order_by("user_id").values_list("user_id", flat=True).distinct())


def roles_with(code: str) -> QuerySet[Role]:
    """Return the roles that grant a permission code because their work asks for it: all but the administrators'."""
    return Role.objects.filter(grants__menu__code=code).exclude(role_alias__in=RESERVED)


def role_holding(code: str, besides: int | None = None) -> str:
    """Return the alias of the first role that grants a permission code, administrators last; empty where none does.

    With `besides` it is one that this person does not have, so that nobody decides on their own affairs.
    """
    rows = Role.objects.filter(grants__menu__code=code).order_by("sort", "pk")
    if besides is not None:
        rows = rows.exclude(pk__in=UserRole.objects.filter(user_id=besides).values("role_id"))
    aliases = list(rows.values_list("role_alias", flat=True))
    return next((alias for alias in aliases if alias not in RESERVED), aliases[0] if aliases else "")


def assign(user_ids: Collection[int], role_ids: Collection[int]) -> None:
    """Let these people hold these roles and no others."""
    UserRole.objects.filter(user_id__in=list(user_ids)).delete()
    UserRole.objects.bulk_create(
        UserRole(user_id=user_id, role_id=role_id) for user_id in user_ids for role_id in role_ids
    )


def check_assigning(actor: Actor, user_ids: Collection[int], role_ids: Collection[int]) -> None:
    """Raise Missing for roles that are not the tenant's, NotAllowed for administrators' that the actor may not move.

    To be the platform's administrator is given by its administrators alone. What somebody holds already may stay. What
    all other roles hold is compared where they are given, see `holding.within`.
    """
    roles = list(Role.objects.filter(pk__in=list(role_ids)))
    if len(roles) != len(set(role_ids)):
        raise Missing()
    held = held_by(user_ids)
    before = [set(held.get(user_id, ())) for user_id in user_ids] or [set()]
    # Given to somebody, or taken from somebody: what all of them keep is not looked at.
    moved = set.union(*({role.pk for role in roles} ^ had for had in before))
    changed = list(Role.objects.filter(pk__in=moved))
    if any(role.role_alias == PLATFORM_ADMINISTRATOR for role in changed) and not (
        current_tenant() == PLATFORM and actor.is_platform_administrator
    ):
        raise NotAllowed(_("无权限授予超管角色！"))
    if not holds_everything(actor) and any(role.role_alias == TENANT_ADMINISTRATOR for role in changed):
        raise NotAllowed(_("不能授予或收回自己没有的权限"))


def check_managing(actor: Actor, user_ids: Collection[int]) -> None:
    """Raise NotAllowed when one of these people holds more than the actor: who may set their password would be them."""
    others = [user_id for user_id in user_ids if user_id != actor.user_id]
    roles = UserRole.objects.filter(user_id__in=others, role__is_deleted=False)
    aliases = set(roles.values_list("role__role_alias", flat=True))
    text = _("不能管理权限比自己多的人员")
    if PLATFORM_ADMINISTRATOR in aliases and current_tenant() == PLATFORM and not actor.is_platform_administrator:
        raise NotAllowed(text)
    if not holds_everything(actor):
        if TENANT_ADMINISTRATOR in aliases:
            raise NotAllowed(text)
        check_holding_of(actor, others, text)


def has_administrator() -> bool:
    """Return whether somebody who may sign in still administers the tenant in scope."""
    alias = PLATFORM_ADMINISTRATOR if current_tenant() == PLATFORM else TENANT_ADMINISTRATOR
    return UserRole.objects.filter(
        role__role_alias=alias, role__is_deleted=False, user__is_deleted=False, user__is_enabled=True
    ).exists()
