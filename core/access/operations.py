"""Granting: what roles hold and what top menus show. Nobody grants what they do not hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from core.access.grants import rights_changed
from core.access.holding import holds_everything, within
from core.access.models import (
    RESERVED,
    ApiScope,
    DataScope,
    Menu,
    Role,
    RoleApiScope,
    RoleDataScope,
    RoleMenu,
    TopMenu,
    TopMenuEntry,
)
from core.kernel.actor import Actor
from core.kernel.audit_entry import current_entry
from core.kernel.errors import Conflict, Missing, NotAllowed
from core.kernel.operation import operation
from core.kernel.tenancy import current_tenant

GRANT_CODE = "role_grant"


def _rows(model: Any, ids: Iterable[int]) -> list[Any]:
    """Return all the rows named; raises Missing when one is not there for this tenant."""
    wanted = set(ids)
    rows = list(model.objects.filter(pk__in=wanted).order_by("pk"))
    if len(rows) != len(wanted):
        raise Missing()
    return rows


@operation("role.grant", code=GRANT_CODE)
def grant(
    actor: Actor,
    role_ids: list[int],
    menu_ids: list[int] | None,
    data_scope_ids: list[int] | None,
    api_scope_ids: list[int] | None,
) -> None:
    """Replace what the roles hold, of each kind that is given. It counts from the next request on.

    Raises Missing for an id that is not the tenant's, NotAllowed where the actor does not hold what the roles get or
    lose, and Conflict where the actor's own last way to this very call would go.
    """
    roles = _rows(Role, role_ids)
    if not roles:
        raise Missing()
    menus = None if menu_ids is None else _rows(Menu, menu_ids)
    data = None if data_scope_ids is None else _rows(DataScope, data_scope_ids)
    api = None if api_scope_ids is None else _rows(ApiScope, api_scope_ids)
    if not holds_everything(actor) and any(role.role_alias in RESERVED for role in roles):
        raise NotAllowed()
    with within(actor):
        for role in roles:
            if menus is not None:
                RoleMenu.objects.filter(role=role).delete()
                RoleMenu.objects.bulk_create(RoleMenu(role=role, menu=menu) for menu in menus)
            if data is not None:
                RoleDataScope.objects.filter(role=role).delete()
                RoleDataScope.objects.bulk_create(RoleDataScope(role=role, scope=scope) for scope in data)
            if api is not None:
                RoleApiScope.objects.filter(role=role).delete()
                RoleApiScope.objects.bulk_create(RoleApiScope(role=role, scope=scope) for scope in api)
        _keep_a_way_back(actor)
    rights_changed(current_tenant())
    entry = current_entry()
    entry.business_type = "role"
    entry.business_id = roles[0].pk if len(roles) == 1 else None
    entry.remark = ",".join(role.role_alias for role in roles)[:400]


def _keep_a_way_back(actor: Actor) -> None:
    """Whoever grants may not take from oneself the right to grant: nobody might be left to give it back."""
    left = RoleMenu.objects.filter(role_id__in=actor.role_ids, menu__code=GRANT_CODE)
    if actor.tenant_id == current_tenant() and not left.exists():
        raise Conflict("role.ownGrant", _("不能取消自己的授权权限"))


@operation("topmenu.grant", code="topmenu_grant")
def grant_top_menus(actor: Actor, top_menu_ids: list[int], menu_ids: list[int]) -> None:
    """Replace what the top menus show; raises Missing for an id that is not there."""
    tops, menus = _rows(TopMenu, top_menu_ids), _rows(Menu, menu_ids)
    if not tops:
        raise Missing()
    for top in tops:
        TopMenuEntry.objects.filter(top_menu=top).delete()
        TopMenuEntry.objects.bulk_create(TopMenuEntry(top_menu=top, menu=menu) for menu in menus)
    entry = current_entry()
    entry.business_type = "topmenu"
    entry.business_id = tops[0].pk if len(tops) == 1 else None
    entry.remark = ",".join(top.code for top in tops)[:400]
