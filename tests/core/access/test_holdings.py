"""Nobody gives, takes, widens or renames what they do not hold; what is refused has changed nothing."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest
from django.urls import get_resolver

from core.access.models import ApiScope, DataScope, Menu, Role, RoleApiScope, RoleDataScope, RoleMenu, UserRole
from core.identity.models import Department, User
from core.kernel.tenancy import tenant_scope
from core.rest.routes import routed_actions
from core.rest.scopes import Scope
from tests.cast import A, Body, Caller, Cast
from tests.checksums import checksum

NOT_HELD = "不能授予或收回自己没有的权限"


def _clerk(cast: Cast, *codes: str, account: str = "viewer") -> Caller:
    """The person with a role of these codes beside their own."""
    with tenant_scope(A):
        role = Role.objects.create(role_alias="clerk", role_name="文员")
        RoleMenu.objects.bulk_create(RoleMenu(role=role, menu=menu) for menu in Menu.objects.filter(code__in=codes))
        UserRole.objects.create(user=User.objects.get(account=account), role=role)
    return cast.anew(account)


def _role(alias: str) -> Role:
    with tenant_scope(A):
        return Role.objects.get(role_alias=alias)  # type: ignore[no-any-return]


def _scope(kind: Scope, resource: str = "repairorder") -> DataScope:
    with tenant_scope(A):
        return DataScope.objects.get(resource_code=resource, scope_type=kind)  # type: ignore[no-any-return]


def _give(alias: str, scope: DataScope) -> None:
    with tenant_scope(A):
        RoleDataScope.objects.create(role=Role.objects.get(role_alias=alias), scope=scope)


def _keys(alias: str) -> dict[str, list[str]]:
    with tenant_scope(A):
        role = Role.objects.get(role_alias=alias)
        return {
            "menuIds": [str(pk) for pk in role.grants.values_list("menu_id", flat=True)],
            "dataScopeIds": [str(pk) for pk in role.data_scopes.values_list("scope_id", flat=True)],
        }


def _refused(answer: Body, text: str = NOT_HELD) -> None:
    assert (answer.status, answer.msg) == (403, text)


def test_a_scope_that_roles_hold_is_not_widened_by_who_sees_less(cast: Cast) -> None:
    _give("operator", _scope(Scope.OWN))
    operator = _clerk(cast, "data_scope_view", "data_scope_edit", "data_scope_delete", account="operator")
    own, before = _scope(Scope.OWN), checksum(A)
    for kind in (Scope.ALL, Scope.TEAM):
        _refused(operator.change("blade-system/data-scope", {"id": str(own.pk), "scopeType": kind.value}))
    # Nor is taken away what somebody else sees.
    body = {"id": str(_scope(Scope.ALL).pk), "scopeType": Scope.OWN.value}
    _refused(operator.change("blade-system/data-scope", body))
    _refused(operator.post_json("blade-system/data-scope/remove", ids=body["id"]))
    assert checksum(A) == before
    assert operator.change("blade-system/data-scope", {"id": str(own.pk), "remark": "x"}).status == 200


def test_an_alias_that_models_name_stays_and_is_taken_by_nobody(cast: Cast) -> None:
    clerk, admin = _clerk(cast, "role_view", "role_edit", "role_add", "role_delete"), cast.anew("tenant_admin")
    own, leader, before = _role("clerk"), _role("repair_leader"), checksum(A)
    for caller in (clerk, admin):
        answer = caller.change("blade-system/role", {"id": str(leader.pk), "roleAlias": "old"})
        assert (answer.status, answer["error"]) == (409, "role.aliasInUse")
    with tenant_scope(A):
        UserRole.objects.filter(role=leader).delete()
    answer = admin.post_json("blade-system/role/remove", ids=str(leader.pk))
    assert (answer.status, answer["error"]) == (409, "role.aliasInUse")
    with tenant_scope(A):
        Role.objects.filter(role_alias__in=("repair_leader", "vendor")).delete()
    before = checksum(A)
    for alias in ("repair_leader", "vendor"):
        _refused(clerk.change("blade-system/role", {"id": str(own.pk), "roleAlias": alias}))
        _refused(clerk.post_json("blade-system/role/submit", {"roleName": "新", "roleAlias": alias}))
    assert checksum(A) == before
    assert clerk.change("blade-system/role", {"id": str(own.pk), "roleAlias": "free"}).status == 200
    assert admin.post_json("blade-system/role/submit", {"roleName": "新", "roleAlias": "vendor"}).status == 200


def test_nobody_takes_from_a_role_what_they_do_not_hold(cast: Cast) -> None:
    clerk = _clerk(cast, "role_view", "role_grant", "role_delete")
    hr, before = _role("hr"), checksum(A)
    grant = "blade-system/role/grant"
    _refused(clerk.post_json(grant, {"roleIds": str(hr.pk), "menuIds": "", "dataScopeIds": ""}))
    _refused(clerk.post_json(grant, {"roleIds": str(hr.pk), "dataScopeIds": ""}))
    _refused(clerk.post_json("blade-system/role/remove", ids=str(hr.pk)))
    assert checksum(A) == before
    # What stays as it is may be more than the caller holds.
    keys, menu = _keys("hr"), str(Menu.objects.get(code="role_view").pk)
    assert clerk.post_json(grant, {"roleIds": str(hr.pk), **keys, "menuIds": [*keys["menuIds"], menu]}).status == 200
    assert clerk.post_json(grant, {"roleIds": str(hr.pk), **keys}).status == 200


def test_nobody_moves_into_a_department_that_shows_more(cast: Cast) -> None:
    """Neither by changing the own account, nor by moving the department."""
    with tenant_scope(A):
        below = Department.objects.create(dept_name="维修组", parent=cast.user("viewer").dept)
        User.objects.filter(account="viewer").update(dept=below)
        RoleDataScope.objects.filter(role__role_alias="viewer").delete()
    _give("viewer", _scope(Scope.DEPARTMENT_TREE))
    _give("viewer", _scope(Scope.ALL, "user"))
    clerk = _clerk(cast, "user_view", "user_edit", "dept_view", "dept_edit", "dept_add")
    me, shop, before = str(cast.user("viewer").pk), str(cast.user("operator").dept_id), checksum(A)
    _refused(clerk.change("blade-user", {"id": me, "deptId": str(below.parent_id)}))
    _refused(clerk.change("blade-user", {"id": me, "deptId": shop}))
    _refused(clerk.change("blade-system/dept", {"id": shop, "parentId": str(below.pk)}))
    # An operator's own rows are nobody else's, so that operators may be moved.
    assert checksum(A) == before
    assert clerk.post_json("blade-system/dept/submit", {"deptName": "新组", "parentId": str(below.pk)}).status == 200


def test_nobody_makes_heads_who_heads_nothing(cast: Cast) -> None:
    """A head decides on leave, and reads its reasons."""
    clerk = _clerk(cast, "dept_view", "dept_edit", "dept_add")
    me, repair, before = str(cast.user("viewer").pk), str(cast.user("viewer").dept_id), checksum(A)
    _refused(clerk.change("blade-system/dept", {"id": repair, "leaderId": me}))
    _refused(clerk.post_json("blade-system/dept/submit", {"deptName": "新组", "parentId": repair, "leaderId": me}))
    assert checksum(A) == before
    with tenant_scope(A):
        Department.objects.filter(pk=repair).update(leader=me)
    assert (
        clerk.post_json("blade-system/dept/submit", {"deptName": "新组", "parentId": repair, "leaderId": me}).code
        == 200
    )
    assert clerk.change("blade-system/dept", {"id": repair, "leaderId": str(cast.user("repairer").pk)}).status == 200


def test_nobody_heads_what_they_move_below_themselves(cast: Cast) -> None:
    """Whoever heads a department heads what is made below it; what stood elsewhere is somebody else's."""
    me, repair = cast.user("viewer").pk, cast.user("viewer").dept_id
    with tenant_scope(A):
        Department.objects.filter(pk=repair).update(leader=me)
        other = Department.objects.create(dept_name="铣工组")
        # The rows that others see there by the move are no reason to refuse it.
        viewer = Role.objects.get(role_alias="viewer")
        for scope in DataScope.objects.filter(scope_type=Scope.ALL):
            RoleDataScope.objects.get_or_create(role=viewer, scope=scope)
    clerk = _clerk(cast, "dept_view", "dept_edit", "dept_add")
    before = checksum(A)
    _refused(clerk.change("blade-system/dept", {"id": str(other.pk), "parentId": str(repair)}))
    assert checksum(A) == before
    made = clerk.post_json("blade-system/dept/submit", {"deptName": "钳工组", "parentId": str(repair)})
    assert made.status == 200


def test_an_alias_is_given_by_who_has_it(cast: Cast) -> None:
    """Its steps are offered to whoever has it, so that holding all its buttons is not enough."""
    keys, free = _keys("repair_leader"), _keys("viewer")
    clerk = _clerk(cast, "user_view", "user_role", "user_reset")
    _give("viewer", _scope(Scope.ALL, "user"))
    with tenant_scope(A):
        own, custom = Role.objects.get(role_alias="clerk"), Role.objects.create(role_alias="free", role_name="自由")
        held = set(own.grants.values_list("menu_id", flat=True))
        RoleMenu.objects.bulk_create(RoleMenu(role=own, menu_id=pk) for pk in {*map(int, keys["menuIds"])} - held)
        RoleMenu.objects.bulk_create(RoleMenu(role=custom, menu_id=int(pk)) for pk in free["menuIds"])
    clerk, before = cast.anew("viewer"), checksum(A)
    other = str(cast.user("operator2").pk)
    operator = str(_role("operator").pk)
    leader = f"{operator},{_role('repair_leader').pk}"
    _refused(clerk.post_json("blade-user/grant", userIds=other, roleIds=leader))
    _refused(
        clerk.post_json("blade-user/reset-password", userIds=str(cast.user("repair_leader").pk)),
        "不能管理权限比自己多的人员",
    )
    assert checksum(A) == before
    nodes = {node["id"]: node["disabled"] for node in clerk.get("blade-system/role/tree").data}
    assert nodes[str(custom.pk)] is False
    assert nodes[str(_role("repair_leader").pk)] is True
    assert clerk.post_json("blade-user/grant", userIds=other, roleIds=f"{operator},{custom.pk}").status == 200


def test_calls_are_closed_and_opened_by_who_may_make_them(cast: Cast) -> None:
    clerk, admin = _clerk(cast, "api_scope_view", "api_scope_add", "api_scope_edit", "api_scope_delete"), cast
    menu, text = str(Menu.objects.get(code="role").pk), "不能开放或限制自己无权调用的接口"

    def body(path: str) -> dict[str, Any]:
        return {"menuId": menu, "resourceCode": "x", "scopeName": "限", "scopePath": path}

    before, submit = checksum(A), "blade-system/api-scope/submit"
    for path in ("/blade-system/role/list", "/blade-system/**", "/yuzhu-equip/inspectmachine/submit"):
        _refused(clerk.post_json(submit, body(path)), text)
    assert checksum(A) == before
    closed = admin.client_for("tenant_admin").post_json(submit, body("/yuzhu-equip/inspectmachine/list")).data["id"]
    before = checksum(A)
    _refused(clerk.post_json("blade-system/api-scope/remove", ids=closed), text)
    changed = {"id": closed, "scopePath": "/yuzhu-equip/inspectmachine/detail"}
    _refused(clerk.change("blade-system/api-scope", changed), text)
    assert checksum(A) == before
    with tenant_scope(A):
        RoleApiScope.objects.create(role=Role.objects.get(role_alias="clerk"), scope=ApiScope.objects.get(pk=closed))
    clerk = cast.anew("viewer")
    assert clerk.change("blade-system/api-scope", changed).status == 200
    assert clerk.post_json(submit, body("/yuzhu-equip/inspectmachine/select")).status == 200


@pytest.mark.parametrize("closed", ["/blade-user/list", "/blade-system/user/page", "/blade-system/**"])
def test_a_scope_binds_a_call_by_all_its_names(cast: Cast, closed: str) -> None:
    clerk = _clerk(cast, "user_view", "user_export")
    names = [f"{base}/{word}" for base in ("blade-user", "blade-system/user") for word in ("list", "page")]
    assert {clerk.get(name).status for name in names} == {200}
    with tenant_scope(A):
        menu = Menu.objects.get(code="user")
    body = {"menuId": str(menu.pk), "resourceCode": "user", "scopeName": "限", "scopePath": closed}
    assert cast.anew("tenant_admin").post_json("blade-system/api-scope/submit", body).status == 200
    assert {clerk.get(name).status for name in names} == {403}
    exports = {clerk.get(f"blade-user/{word}").status for word in ("export", "export-user")}
    assert exports == ({403} if closed.endswith("**") else {200})


def test_second_names_of_calls_are_declared() -> None:
    """Whatever only calls another action of its view set is that call, to API scopes too."""
    undeclared, calls = [], set(routed_actions(get_resolver()))
    for view, action in sorted(calls, key=str):
        source = inspect.getsource(getattr(view, action))
        for other in re.findall(r"return (?:self|this|Tree)\.(\w+)\((?:self, )?request\)", source):
            if other != action and hasattr(getattr(view, other, None), "mapping") | (
                other in ("list", "submit", "export")
            ):
                undeclared += [] if action in view.same_call else [f"{view.__name__}.{action}"]
    assert undeclared == []


def test_the_tree_of_grants_marks_what_is_only_the_way_to_it(cast: Cast) -> None:
    clerk = _clerk(cast, "role_grant")

    def nodes(found: list[dict[str, Any]]) -> dict[str, bool]:
        return {node["id"]: node["disabled"] for node in found} | {
            key: value for node in found for key, value in nodes(node.get("children", [])).items()
        }

    marked = nodes(clerk.get("blade-system/menu/grant-tree").data["menu"])
    ids = dict(Menu.objects.filter(code__in=("role_grant", "role", "authority")).values_list("code", "pk"))
    assert {code: marked[str(pk)] for code, pk in ids.items()} == {
        "role_grant": False, "role": True, "authority": True,
    }  # fmt: skip
    ticked = [key for key, disabled in marked.items() if not disabled]
    answer = clerk.post_json("blade-system/role/grant", {"roleIds": str(_role("clerk").pk), "menuIds": ticked})
    assert answer.status == 200


def test_the_name_in_histories_is_changed_by_who_keeps_accounts(cast: Cast) -> None:
    operator, before = cast.anew("operator"), checksum(A)
    answer = operator.post_json("blade-user/update-info", {"realName": "赵理", "name": "小秦"})
    assert (answer.status, answer.data["fields"]) == (400, {"realName": "姓名由管理人员账号的人修改"})
    assert checksum(A) == before
    assert operator.post_json("blade-user/update-info", {"realName": "秦操", "name": "小秦"}).status == 200
    assert cast.anew("tenant_admin").post_json("blade-user/update-info", {"realName": "赵立"}).status == 200
    assert (cast.user("operator").name, cast.user("tenant_admin").real_name) == ("小秦", "赵立")
