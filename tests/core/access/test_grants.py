"""Granting: it counts at once, nobody grants what they do not hold, and nobody locks themselves out."""

from __future__ import annotations

from typing import Any

import pytest

from core.access.models import ApiScope, DataScope, Menu, Role, RoleDataScope, RoleMenu
from core.kernel.tenancy import tenant_scope
from tests.cast import A, B, Cast
from tests.checksums import checksum

ROLE = "blade-system/role"
MENU = "blade-system/menu"


def _role(alias: str, tenant: str = A) -> str:
    with tenant_scope(tenant):
        return str(Role.objects.get(role_alias=alias).pk)


def _menus(*codes: str) -> list[str]:
    return [str(pk) for pk in Menu.objects.filter(code__in=codes).values_list("pk", flat=True)]


def _held(alias: str) -> set[str]:
    with tenant_scope(A):
        return set(RoleMenu.objects.filter(role__role_alias=alias).values_list("menu__code", flat=True))


def _give(cast: Cast, alias: str, *codes: str) -> None:
    """Add codes to a role, past the calls."""
    with tenant_scope(A):
        role = Role.objects.get(role_alias=alias)
        RoleMenu.objects.bulk_create(RoleMenu(role=role, menu=menu) for menu in Menu.objects.filter(code__in=codes))


def _grant(caller: Any, *roles: str, **sets: Any) -> Any:
    return caller.post_json(f"{ROLE}/grant", {"roleIds": list(roles), **sets})


def test_a_grant_replaces_the_set_and_counts_at_once(cast: Cast) -> None:
    admin, viewer = cast.client_for("tenant_admin"), cast.client_for("viewer")
    assert viewer.get("yuzhu-equip/inspectmachine/list").status == 200
    assert viewer.get(f"{ROLE}/list").status == 403
    with tenant_scope(A):
        scopes = set(RoleDataScope.objects.filter(role__role_alias="viewer").values_list("scope_id", flat=True))
    assert _grant(admin, _role("viewer"), menuIds=_menus("role", "role_view")).status == 200
    assert _held("viewer") == {"role", "role_view"}
    assert viewer.get("yuzhu-equip/inspectmachine/list").status == 403
    assert viewer.get(f"{ROLE}/list").status == 200
    with tenant_scope(A):
        assert set(RoleDataScope.objects.filter(role__role_alias="viewer").values_list("scope_id", flat=True)) == scopes


def test_menus_of_granted_entries_come_with_what_is_above_them(cast: Cast) -> None:
    admin, viewer = cast.client_for("tenant_admin"), cast.client_for("viewer")
    _grant(admin, _role("viewer"), menuIds=_menus("role", "role_view"))
    (top,) = viewer.get(f"{MENU}/routes").data
    assert (top["code"], [child["code"] for child in top["children"]]) == ("authority", ["role"])
    assert "children" not in top["children"][0]
    (top,) = viewer.get(f"{MENU}/buttons").data
    assert [leaf["code"] for leaf in top["children"][0]["children"]] == ["role_view"]


def test_nobody_grants_what_they_do_not_hold(cast: Cast) -> None:
    _give(cast, "shift_leader", "role_grant", "role_view", "role", "maintainorder_daily")
    leader, before = cast.anew("shift_leader"), checksum(A)
    answer = _grant(leader, _role("operator"), menuIds=_menus("inspectmachine_delete"))
    assert (answer.status, answer.msg) == (403, "不能授予或收回自己没有的权限")
    with tenant_scope(A):
        all_rows = str(DataScope.objects.get(scope_type=1, resource_code="repairorder").pk)
    assert _grant(leader, _role("operator"), dataScopeIds=[all_rows]).status == 403
    assert _grant(leader, _role("tenant_admin"), menuIds=[]).status == 403
    assert checksum(A) == before
    own = _menus("role_view", "inspectmachine_view")
    assert _grant(leader, _role("operator"), menuIds=own).status == 200


def test_ids_of_another_company_are_missing(cast: Cast) -> None:
    admin, before = cast.client_for("tenant_admin"), (checksum(A), checksum(B))
    with tenant_scope(B):
        scope = str(DataScope.objects.get(scope_type=1, resource_code="repairorder").pk)
        api = ApiScope.objects.create(
            menu=Menu.objects.first(), resource_code="x", scope_name="x", scope_path="/blade-system/role/list"
        )
    before = (checksum(A), checksum(B))
    own = _role("viewer")
    for roles, sets in (
        ([_role("viewer", B)], {"menuIds": []}),
        ([own, _role("viewer", B)], {"menuIds": []}),
        ([own], {"dataScopeIds": [scope]}),
        ([own], {"apiScopeIds": [str(api.pk)]}),
        ([own], {"menuIds": ["99"]}),
    ):
        assert _grant(admin, *roles, **sets).status == 404
    assert (checksum(A), checksum(B)) == before


def test_who_grants_cannot_lock_themselves_out(cast: Cast) -> None:
    admin, before = cast.client_for("tenant_admin"), checksum(A)
    answer = _grant(admin, _role("tenant_admin"), menuIds=_menus("role_view"))
    assert (answer.status, answer["error"]) == (409, "role.ownGrant")
    assert checksum(A) == before


def test_the_grant_tree_shows_only_what_one_may_pass_on(cast: Cast) -> None:
    whole = cast.client_for("tenant_admin").get(f"{MENU}/grant-tree").data
    mine = cast.client_for("viewer").get(f"{MENU}/grant-tree").data

    def titles(nodes: list[dict[str, Any]]) -> set[str]:
        return {n["title"] for n in nodes} | {t for n in nodes for t in titles(n.get("children", []))}

    assert {"角色管理", "权限设置", "设备台账"} <= titles(whole["menu"])
    assert "设备台账" in titles(mine["menu"])
    assert not {"角色管理", "权限设置", "重置密码"} & titles(mine["menu"])
    # Who sees all orders may give any narrower view of them; one's own rows everybody sees anyway.
    kinds = {"全部可见", "本人可见", "所在机构可见", "所在机构及子级可见", "本人及班组可见"}
    shown = {"维修管理", "维修工单", "系统管理", "用户管理", "点检管理", "点检路线", "点检点位", "设备管理", "排班管理"}
    shown |= {"任务规则", "点检任务", "停机记录", "预测超限", "保养管理", "保养单", "备件管理", "备件领用"}
    assert titles(mine["dataScope"]) == {*shown, *kinds}


@pytest.mark.parametrize("call", ["grant-tree", "grant-top-tree"])
def test_every_node_of_what_may_be_granted_says_whether_it_can_be_chosen(cast: Cast, call: str) -> None:
    def marks(nodes: list[dict[str, Any]]) -> list[Any]:
        return [m for n in nodes for m in (n.get("disabled"), *marks(n.get("children", [])))]

    found = cast.client_for("tenant_admin").get(f"{MENU}/{call}").data
    assert {name: set(marks(nodes)) for name, nodes in found.items() if nodes} == {
        name: {False} for name, nodes in found.items() if nodes
    }
    assert found["menu"]


def test_keys_of_other_roles_need_the_right_to_grant(cast: Cast) -> None:
    viewer, admin = cast.client_for("viewer"), cast.client_for("tenant_admin")
    keys = viewer.get(f"{MENU}/role-tree-keys", roleIds=_role("viewer")).data
    assert set(keys) == {"menu", "dataScope", "apiScope"}
    assert set(keys["menu"]) == set(_menus(*_held("viewer")))
    assert viewer.get(f"{MENU}/role-tree-keys", roleIds=_role("tenant_admin")).status == 403
    assert viewer.get(f"{MENU}/role-tree-keys", roleIds=_role("viewer", B)).status == 403
    assert admin.get(f"{MENU}/role-tree-keys", roleIds=_role("viewer", B)).status == 404
    assert admin.get(f"{MENU}/role-tree-keys", roleIds=_role("viewer")).data == keys


def test_the_platform_reads_what_a_role_of_another_tenant_holds(cast: Cast) -> None:
    platform, viewer = cast.platform(), _role("viewer", B)
    keys = platform.get(f"{MENU}/role-tree-keys", roleIds=viewer, tenantId=B)
    assert (keys.status, set(keys.data)) == (200, {"menu", "dataScope", "apiScope"})
    assert platform.get(f"{MENU}/role-tree-keys", roleIds=viewer).status == 404


@pytest.mark.parametrize("alias", ["administrator", "tenant_admin"])
def test_nobody_makes_an_administrators_role(cast: Cast, alias: str) -> None:
    admin, before = cast.client_for("tenant_admin"), checksum(A)
    body = {"roleName": "超管", "roleAlias": alias}
    answer = admin.post_json(f"{ROLE}/submit", body)
    assert (answer.status, answer.msg) in ((403, "无权限创建超管角色！"), (400, f"角色别名「{alias}」已存在"))
    answer = admin.change(f"{ROLE}", {"id": _role("viewer"), "roleAlias": alias})
    assert answer.status in (400, 403)
    assert admin.change(f"{ROLE}", {"id": _role("tenant_admin"), "roleAlias": "x"}).status == 403
    assert admin.post_json(f"{ROLE}/remove", ids=_role("tenant_admin")).status == 403
    assert checksum(A) == before


def test_a_role_that_somebody_has_stays(cast: Cast) -> None:
    admin, before = cast.client_for("tenant_admin"), checksum(A)
    answer = admin.post_json(f"{ROLE}/remove", ids=_role("operator"))
    assert (answer.status, answer.msg) == (409, "「操作工」正在使用中（用户：2），不能删除")
    assert checksum(A) == before


def test_roles_to_choose_from_leave_administrators_out(cast: Cast) -> None:
    def titles(account: str) -> set[str]:
        return {one["title"] for one in cast.client_for(account).get(f"{ROLE}/tree").data}

    # A company cannot give its people the platform's role, so that it is not offered there.
    assert {"租户管理员", "平台管理员"} & titles("tenant_admin") == {"租户管理员"}
    assert "平台管理员" in {one["title"] for one in cast.platform().get(f"{ROLE}/tree").data}
    assert not {"租户管理员", "平台管理员"} & titles("viewer")
    assert "操作工" in titles("viewer")


def test_the_platform_sees_one_company_at_a_time(cast: Cast) -> None:
    platform, admin = cast.platform(), cast.client_for("tenant_admin")

    def ids(caller: Any, **given: str) -> set[str]:
        return {row["id"] for row in caller.get(f"{ROLE}/list", **given).data}

    assert _role("viewer", B) in ids(platform, tenantId=B)
    assert _role("viewer", B) not in ids(platform)
    assert ids(admin, tenantId=B) == ids(admin)
    assert platform.get(f"{ROLE}/list", tenantId="999999").status == 404
