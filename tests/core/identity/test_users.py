"""Accounts: one-time passwords shown once, roles nobody may give who lacks them, an administrator always left."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import Workbook, load_workbook

from core import ports
from core.access.models import Menu, Role, RoleApiScope, RoleDataScope, RoleMenu, UserRole
from core.audit.models import Event
from core.identity import passwords, users
from core.identity.models import Department, Post, Session, Tenant, User, UserPost
from core.kernel import clock
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.storage.models import Attachment
from tests import writes
from tests.cast import A, B, Body, Caller, Cast
from tests.checksums import checksum
from tests.core.identity.signing import NEW, sign_in, works

BASES = ("blade-user", "blade-system/user")


def _role(alias: str, tenant: str = A) -> str:
    with tenant_scope(tenant):
        return str(Role.objects.get(role_alias=alias).pk)


def _roles_of(account: str, tenant: str = A) -> set[str]:
    with tenant_scope(tenant):
        return set(UserRole.objects.filter(user__account=account).values_list("role__role_alias", flat=True))


def _dept(cast: Cast, account: str = "operator") -> str:
    return str(cast.user(account).dept_id)


def _grant(caller: Caller, cast: Cast, account: str, *aliases: str) -> Body:
    roles = ",".join(_role(alias) for alias in aliases)
    return caller.post_json("blade-user/grant", userIds=str(cast.user(account).pk), roleIds=roles)


@pytest.fixture
def clerk(cast: Cast) -> Iterator[Caller]:
    """The equipment manager, who may keep people of all departments but holds far less than the administrator."""
    codes = [
        f"user_{word}" for word in ("view", "add", "edit", "delete", "role", "reset", "unlock", "import", "export")
    ]
    with tenant_scope(A):
        role = Role.objects.get(role_alias="equip_manager")
        RoleMenu.objects.bulk_create(RoleMenu(role=role, menu=menu) for menu in Menu.objects.filter(code__in=codes))
        Department.objects.filter(dept_name="机加车间").first()
        manager = cast.user("equip_manager")
        # All below one root, so that the manager's data scope reaches everybody.
        shop = Department.objects.get(pk=_dept(cast))
        shop.parent = manager.dept
        shop.save()
    return cast.client_for("equip_manager")


# --- making and changing ------------------------------------------------------------------------------------------


def test_a_new_account_gets_a_password_that_is_shown_once_and_must_be_replaced(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    body = {"account": "neu", "realName": "新人", "deptId": _dept(cast), "roleId": _role("operator")}
    made = admin.post_json("blade-user/submit", body, key="k1")
    assert set(made.data) == {"id", "password"}
    one_time = made.data["password"]
    assert passwords.fault(one_time) is None
    # The same request again makes nothing, and does not know the password: it is stored nowhere.
    assert admin.post_json("blade-user/submit", body, key="k1").data == {"id": made.data["id"]}
    with tenant_scope(A):
        assert User.objects.filter(account="neu").count() == 1
        events = list(Event.objects.filter(operation="user.add").values())
        assert one_time not in repr(events)
        assert [event["remark"] for event in events] == ["neu"]
    signed = sign_in("neu", one_time)
    assert signed["must_change_password"] == 1
    fresh = Caller(A, signed["access_token"])
    assert fresh.get("yuzhu-equip/repairorder/list")["error"] == "password.mustChange"
    changed = fresh.post_json(
        "blade-user/update-password", {"oldPassword": one_time, "newPassword": NEW, "newPassword1": NEW}
    )
    assert changed.status == 200
    assert fresh.get("yuzhu-equip/repairorder/list").status == 200
    found = admin.get("blade-user/detail", id=made.data["id"]).data
    assert (found["roleName"], found["deptName"], found["status"], found["sex"]) == ("操作工", "机加车间", 1, 3)
    assert not {"password", "mustChangePassword"} & set(found)


def test_a_one_time_password_ends_after_a_day(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    made = admin.post_json("blade-user/submit", {"account": "neu", "realName": "新", "deptId": _dept(cast)}).data
    with clock.at(clock.now() + timedelta(hours=24, seconds=1)):
        assert sign_in("neu", made["password"])["error_description"] == "初始密码已过期，请联系管理员重新设置"


def test_a_password_chosen_for_somebody_is_no_common_one_and_has_to_be_replaced(cast: Cast) -> None:
    admin, before = cast.client_for("tenant_admin"), checksum(A)
    body = {"account": "neu", "realName": "新", "deptId": _dept(cast)}
    for password, text in (
        ("abc123", "该密码过于常见，请换一个"),
        ("12345", "请输入6-20位密码"),
        ("abcdefgh", "请输入6-20位，至少包含数字和字母组合的密码"),
    ):
        answer = admin.post_json("blade-user/submit", {**body, "password": password})
        assert (answer.status, answer.data["fields"]) == (400, {"password": text})
    assert checksum(A) == before
    assert set(admin.post_json("blade-user/submit", {**body, "password": NEW}).data) == {"id"}
    assert sign_in("neu", NEW)["must_change_password"] == 1


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("account", "operator", "当前账号已被使用!"),
        ("account", "有 空格", "账号只能包含字母、数字和 _ - . @"),
        ("account", "", "请输入账号"),
        ("realName", "", "请输入姓名"),
        ("realName", "长" * 41, "姓名长度不能超过40个字符"),
        ("deptId", None, "请选择所属部门"),
        ("phone", "1391234567", "手机号码长度不为11位"),
        ("phone", "139123456789", "手机号码长度不为11位"),
        ("phone", "12912345678", "手机号码格式不正确"),
        ("phone", "１３９１２３４５６７８", "手机号码长度不为11位"),
        ("email", "a.b.cn", "邮箱格式不正确"),
        ("hourRate", -1, "工时单价应在0到999999之间"),
        ("roleId", "1,x", "请求参数格式错误"),
        ("postId", "7", "数据不存在或已被删除"),
        ("roleId", "7", "数据不存在或已被删除"),
    ],
)
def test_what_is_wrong_is_named(cast: Cast, field: str, value: Any, text: str) -> None:
    admin, before = cast.client_for("tenant_admin"), checksum(A)
    body = {"account": "neu", "realName": "新", "deptId": _dept(cast), field: value}
    answer = admin.post_json("blade-user/submit", body)
    assert (answer.status, answer.data["fields"]) == (400, {field: text})
    assert checksum(A) == before


def test_posts_are_kept_and_named(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    with tenant_scope(A):
        posts = [Post.objects.create(category=1, post_code=code, post_name=f"岗{code}") for code in "ab"]
    ids = ",".join(str(post.pk) for post in posts)
    user = str(cast.user("viewer").pk)
    assert admin.change("blade-user", {"id": user, "postId": ids}).status == 200
    found = admin.get("blade-user/detail", id=user).data
    assert (found["postId"], found["postName"]) == (ids, "岗a,岗b")
    [row] = admin.get("blade-user/page", postId=str(posts[1].pk)).data["records"]
    assert row["account"] == "viewer"
    assert (
        admin.post_json("blade-system/post/remove", ids=str(posts[0].pk)).msg
        == "「岗a」正在使用中（用户：1），不能删除"
    )
    assert (
        admin.post_json(
            "blade-user/update", {**admin.version("blade-user", {"id": user}), "id": user, "postId": ""}
        ).status
        == 200
    )
    with tenant_scope(A):
        assert not UserPost.objects.exists()


def test_a_change_of_role_or_department_counts_at_the_next_request(cast: Cast) -> None:
    admin, viewer = cast.client_for("tenant_admin"), cast.client_for("viewer")
    user = str(cast.user("viewer").pk)
    assert viewer.get("blade-user/page").status == 403
    assert admin.change("blade-user", {"id": user, "roleId": _role("tenant_admin")}).status == 200
    assert viewer.get("blade-user/page").status == 200
    assert admin.change("blade-user", {"id": user, "roleId": _role("viewer")}).status == 200
    assert viewer.get("blade-user/page").status == 403


def test_disabling_ends_the_sessions_at_once(cast: Cast) -> None:
    admin, operator = cast.client_for("tenant_admin"), cast.client_for("operator")
    user = str(cast.user("operator").pk)
    assert works(operator.token) == (200, 200)
    assert admin.change("blade-user", {"id": user, "status": 0}).status == 200
    assert works(operator.token) == (401, 40002)
    assert sign_in()["error_description"] == "用户名或密码错误"
    assert admin.get("blade-user/detail", id=user).data["statusName"] == "停用"
    assert admin.change("blade-user", {"id": user, "status": 1}).status == 200
    assert "access_token" in sign_in()


def test_nobody_disables_or_removes_themselves(cast: Cast) -> None:
    admin, before = cast.client_for("tenant_admin"), checksum(A)
    me, other = str(cast.user("tenant_admin").pk), str(cast.user("viewer").pk)
    assert admin.change("blade-user", {"id": me, "status": 0}).msg == "不能停用自己的账号"
    assert admin.post_json("blade-user/remove", ids=f"{other},{me}").msg == "不能删除自己的账号"
    assert admin.post_json("blade-user/reset-password", userIds=me).msg == "请在个人中心修改自己的密码"
    assert checksum(A) == before


def test_who_is_removed_keeps_the_name_in_history(cast: Cast) -> None:
    operator, admin = cast.client_for("operator"), cast.client_for("tenant_admin")
    machine, user = str(cast.machine("M1").pk), cast.user("operator")
    order = operator.post_json("yuzhu-equip/repairorder/save", {"machineId": machine, "description": "主轴异响"}).data
    leader, repairer = cast.client_for("repair_leader"), cast.user("repairer")
    step = {"id": order["id"], "lockVersion": order["lockVersion"], "action": "dispatch"}
    assert leader.post_json("yuzhu-equip/repairorder/update", {**step, "repairUserId": str(repairer.pk)}).status == 200
    assert admin.post_json("blade-user/remove", ids=f"{user.pk},{repairer.pk}").status == 200
    assert works(operator.token) == (401, 40002)
    found = leader.get("yuzhu-equip/repairorder/detail", id=order["id"]).data
    assert (found["reportUserName"], found["repairUserName"]) == ("秦操", "蒋修")
    assert found["openTask"]["assigneeName"] == "蒋修"
    [row] = leader.get("yuzhu-equip/repairorder/list").data["records"]
    assert (row["reportUserName"], row["repairUserName"]) == ("秦操", "蒋修")
    with tenant_scope(A):
        assert ports.people.names({repairer.pk}) == {repairer.pk: "蒋修"}
        assert ports.people.describe({f"user:{repairer.pk}"}) == {f"user:{repairer.pk}": "蒋修"}
    # The account may be given out again.
    body = {"account": "operator", "realName": "新人", "deptId": _dept(cast, "viewer")}
    assert admin.post_json("blade-user/submit", body).status == 200


def test_the_limit_of_accounts_binds(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    with tenant_scope(A):
        enabled = User.objects.filter(is_enabled=True).count()
    Tenant.objects.filter(tenant_id=A).update(account_number=enabled + 1)
    body = {"realName": "新", "deptId": _dept(cast)}
    first = admin.post_json("blade-user/submit", {**body, "account": "n1"})
    assert first.status == 200
    before = checksum(A)
    full = admin.post_json("blade-user/submit", {**body, "account": "n2"})
    assert (full.status, full["error"], full.msg) == (
        400, "user.limit", f"账号数量已达上限{enabled + 1}个，请联系平台管理员",
    )  # fmt: skip
    assert checksum(A) == before
    # Who is disabled does not count, and may not come back over the limit.
    assert admin.change("blade-user", {"id": first.data["id"], "status": 0}).status == 200
    assert admin.post_json("blade-user/submit", {**body, "account": "n2"}).status == 200
    assert admin.change("blade-user", {"id": first.data["id"], "status": 1})["error"] == "user.limit"


# --- roles --------------------------------------------------------------------------------------------------------


def test_roles_are_replaced_for_all_that_are_named(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    ids = f"{cast.user('operator').pk},{cast.user('viewer').pk}"
    roles = f"{_role('repairer')},{_role('inspector')}"
    assert admin.post_json("blade-user/grant", userIds=ids, roleIds=roles).status == 200
    assert _roles_of("operator") == _roles_of("viewer") == {"repairer", "inspector"}
    with tenant_scope(A):
        event = Event.objects.get(operation="user.grant")
    assert event.remark == "operator,viewer ← 维修工,点检员"
    assert admin.post_json("blade-user/grant", userIds=ids, roleIds="").status == 200
    assert _roles_of("operator") == set()


def test_the_platforms_role_is_given_by_its_administrators_alone(cast: Cast) -> None:
    with tenant_scope(PLATFORM):
        helper = User.objects.create(account="helper", real_name="助", password="", dept=Department.objects.get())
        UserRole.objects.create(user=helper, role=Role.objects.get(role_alias="tenant_admin"))
    caller, before = cast.client_for("helper", PLATFORM), checksum(PLATFORM)
    role, user = _role("administrator", PLATFORM), str(helper.pk)
    for answer in (
        caller.post_json("blade-user/grant", userIds=user, roleIds=role),
        caller.change("blade-user", {"id": user, "roleId": role}),
        caller.post_json("blade-user/grant", userIds=str(cast.user("platform", PLATFORM).pk), roleIds=""),
    ):
        assert (answer.status, answer.msg) == (403, "无权限授予超管角色！")
    assert checksum(PLATFORM) == before
    assert cast.platform().post_json("blade-user/grant", userIds=user, roleIds=role).status == 200
    assert caller.get("blade-user/list", tenantId=A).data["records"][0]["tenantId"] == A


def test_the_platforms_role_is_no_role_of_a_company(cast: Cast) -> None:
    with tenant_scope(A):
        role = Role.objects.create(role_alias="administrator", role_name="假")
    user, before = str(cast.user("viewer").pk), checksum(A)
    for answer in (
        cast.client_for("tenant_admin").post_json("blade-user/grant", userIds=user, roleIds=str(role.pk)),
        cast.platform().post_json("blade-user/grant", userIds=user, roleIds=str(role.pk), tenantId=A),
        cast.platform().change("blade-user", {"id": user, "roleId": str(role.pk), "tenantId": A}),
    ):
        assert (answer.status, answer.msg) == (403, "无权限授予超管角色！")
    assert checksum(A) == before


def test_nobody_gives_or_takes_what_they_do_not_hold(cast: Cast, clerk: Caller) -> None:
    before = checksum(A)
    for alias in ("tenant_admin", "repairer"):
        answer = _grant(clerk, cast, "viewer", alias)
        assert (answer.status, answer.msg) == (403, "不能授予或收回自己没有的权限"), alias
        own = clerk.post_json("blade-user/grant", userIds=str(cast.user("equip_manager").pk), roleIds=_role(alias))
        assert own.status == 403
        body = {"account": "neu", "realName": "新", "deptId": _dept(cast), "roleId": _role(alias)}
        assert clerk.post_json("blade-user/submit", body).status == 403
    assert _grant(clerk, cast, "tenant_admin").status == 403
    assert _grant(clerk, cast, "repairer", "viewer").status == 403
    assert checksum(A) == before
    assert _grant(clerk, cast, "viewer", "viewer", "equip_manager").status == 200


def test_nobody_sets_the_password_of_who_holds_more(cast: Cast, clerk: Caller) -> None:
    before = checksum(A)
    for account in ("tenant_admin", "repairer"):
        user = str(cast.user(account).pk)
        for answer in (
            clerk.post_json("blade-user/reset-password", userIds=user),
            clerk.change("blade-user", {"id": user, "status": 0}),
            clerk.post_json("blade-user/update", {"id": user, "account": "mine", "lockVersion": 1}),
            clerk.post_json("blade-user/remove", ids=user),
            clerk.post_json("blade-user/update-platform", userId=user, userType=2),
        ):
            assert (answer.status, answer.msg) == (403, "不能管理权限比自己多的人员")
    assert checksum(A) == before
    assert clerk.post_json("blade-user/reset-password", userIds=str(cast.user("viewer").pk)).status == 200


def test_the_administrators_password_is_safe_from_who_was_given_every_menu(cast: Cast, clerk: Caller) -> None:
    administrator, version = str(cast.user("tenant_admin").pk), cast.user("tenant_admin").lock_version
    with tenant_scope(A):
        clerks, theirs = (Role.objects.get(role_alias=alias) for alias in ("equip_manager", "tenant_admin"))
        for grant, column in ((RoleMenu, "menu_id"), (RoleDataScope, "scope_id"), (RoleApiScope, "scope_id")):
            grant.objects.filter(role=theirs).exclude(
                **{f"{column}__in": grant.objects.filter(role=clerks).values(column)}
            ).update(role=clerks)
    before = checksum(A)
    for answer in (
        clerk.post_json("blade-user/reset-password", userIds=administrator),
        clerk.post_json("blade-user/submit", {"id": administrator, "status": 0, "lockVersion": version}),
        clerk.post_json("blade-user/remove", ids=administrator),
    ):
        assert (answer.status, answer.msg) == (403, "不能管理权限比自己多的人员")
    assert checksum(A) == before


def test_roles_in_the_form_need_their_own_right(cast: Cast, clerk: Caller) -> None:
    with tenant_scope(A):
        RoleMenu.objects.filter(menu__code="user_role").delete()
    Tenant.objects.filter(tenant_id=A).update(rights_version=7)
    body = {"account": "neu", "realName": "新", "deptId": _dept(cast)}
    assert clerk.post_json("blade-user/submit", {**body, "roleId": _role("viewer")}).status == 403
    assert clerk.post_json("blade-user/submit", body).status == 200
    viewer = str(cast.user("viewer").pk)
    # The form sends what is there already: that is no change.
    assert clerk.change("blade-user", {"id": viewer, "roleId": _role("viewer"), "name": "何"}).status == 200
    assert clerk.change("blade-user", {"id": viewer, "roleId": ""}).status == 403
    assert _roles_of("viewer") == {"viewer"}


def test_a_company_keeps_an_administrator(cast: Cast) -> None:
    platform, before = cast.platform(), checksum(A)
    user = str(cast.user("tenant_admin").pk)
    for answer in (
        platform.post_json("blade-user/grant", userIds=user, roleIds="", tenantId=A),
        platform.change("blade-user", {"id": user, "status": 0, "tenantId": A}),
        platform.change("blade-user", {"id": user, "roleId": _role("viewer"), "tenantId": A}),
        platform.post_json("blade-user/remove", ids=user, tenantId=A),
        _grant(cast.client_for("tenant_admin"), cast, "tenant_admin", "viewer"),
    ):
        assert (answer.status, answer["error"], answer.msg) == (409, "user.lastAdministrator", "至少要保留一名管理员")
    assert checksum(A) == before
    assert _grant(cast.client_for("tenant_admin"), cast, "viewer", "tenant_admin").status == 200
    assert platform.post_json("blade-user/remove", ids=user, tenantId=A).status == 200


# --- passwords, locks ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", BASES)
def test_a_reset_gives_each_a_password_and_ends_their_sessions(cast: Cast, base: str) -> None:
    admin, operator = cast.client_for("tenant_admin"), cast.client_for("operator")
    ids = [str(cast.user(account).pk) for account in ("operator", "viewer")]
    answer = admin.post_json(f"{base}/reset-password", userIds=",".join(ids), key="r1")
    shown = {row["account"]: row["password"] for row in answer.data}
    assert {row["userId"] for row in answer.data} == set(ids)
    assert set(shown) == {"operator", "viewer"}
    assert len(set(shown.values())) == 2
    assert works(operator.token) == (401, 40002)
    assert sign_in()["error_description"] == "用户名或密码错误"
    assert sign_in("operator", shown["operator"])["must_change_password"] == 1
    # Once: the repeated request changes nothing and knows no password.
    again = admin.post_json(f"{base}/reset-password", userIds=",".join(ids), key="r1")
    assert [set(row) for row in again.data] == [{"userId", "account", "realName"}] * 2
    assert sign_in("operator", shown["operator"])["must_change_password"] == 1
    with tenant_scope(A):
        kept = repr(list(Event.objects.values())) + repr(list(User.objects.values()))
    assert not any(password in kept for password in shown.values())


@pytest.mark.django_db(transaction=True)
def test_no_write_is_open_while_passwords_are_hashed(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    admin, seen = cast.client_for("tenant_admin"), list[bool]()
    ids = [str(cast.user(account).pk) for account in ("operator", "viewer")]
    monkeypatch.setattr(passwords, "make", writes.noting(seen, passwords.make))
    answer = admin.post_json("blade-user/reset-password", userIds=",".join(ids), key="r2")
    assert (answer.status, seen) == (200, [False, False])
    # A repeated request hashes nothing, and neither does one that is refused.
    assert admin.post_json("blade-user/reset-password", userIds=",".join(ids), key="r2").status == 200
    assert admin.post_json("blade-user/reset-password", userIds=str(cast.user("tenant_admin").pk)).status == 400
    assert seen == [False, False]
    shown = {row["account"]: row["password"] for row in answer.data}
    assert sign_in("viewer", shown["viewer"])["must_change_password"] == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("given", ["", NEW])
def test_no_write_is_open_while_a_new_accounts_password_is_hashed(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    admin, seen = cast.client_for("tenant_admin"), list[bool]()
    body = {"account": "n1", "realName": "新", "deptId": _dept(cast), "password": given}
    monkeypatch.setattr(passwords, "make", writes.noting(seen, passwords.make))
    made = admin.post_json("blade-user/submit", body, key="n1")
    assert (made.status, seen) == (200, [False])
    # A repeated request hashes nothing, and neither does one that is refused.
    assert admin.post_json("blade-user/submit", body, key="n1").data == {"id": made.data["id"]}
    assert admin.post_json("blade-user/submit", {**body, "account": "n 2"}).status == 400
    assert cast.client_for("viewer").post_json("blade-user/submit", {**body, "account": "n3"}).status == 403
    assert seen == [False]
    assert ("password" in made.data) is (not given)
    assert sign_in("n1", given or made.data["password"])["must_change_password"] == 1


def test_passwords_of_so_many_are_reset_at_once(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users, "MOST_RESET", 2)
    admin, before = cast.client_for("tenant_admin"), checksum(A)
    ids = [str(cast.user(account).pk) for account in ("operator", "viewer", "repairer")]
    answer = admin.post_json("blade-user/reset-password", userIds=",".join(ids))
    assert (answer.status, answer["error"], answer.msg) == (400, "user.tooMany", "一次最多重置2人的密码，请分几次进行")
    assert checksum(A) == before
    assert admin.post_json("blade-user/reset-password", userIds=",".join(ids[:2])).status == 200


@pytest.mark.parametrize("base", BASES)
def test_an_administrator_unlocks(cast: Cast, base: str) -> None:
    for _try in range(5):
        sign_in(password="wrong-1")
    assert "access_token" not in sign_in()
    user = str(cast.user("operator").pk)
    assert cast.client_for("tenant_admin").post_json(f"{base}/unlock", userIds=user).status == 200
    assert "access_token" in sign_in()


def test_every_password_is_stored_as_argon2_and_equal_ones_look_different(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    for account in ("n1", "n2"):
        body = {"account": account, "realName": "新", "deptId": _dept(cast), "password": NEW}
        assert admin.post_json("blade-user/submit", body).status == 200
    with tenant_scope(A):
        stored = dict(User.objects.values_list("account", "password"))
    assert all(value.startswith("argon2$argon2id$") for value in stored.values())
    assert stored["n1"] != stored["n2"]


# --- the caller's own -----------------------------------------------------------------------------------------------


def test_people_change_their_own_data_and_nothing_else(cast: Cast) -> None:
    operator, other = cast.client_for("operator"), cast.user("viewer")
    before = {name: value for name, value in vars(cast.user("operator")).items() if not name.startswith("_")}
    body = {
        "id": str(other.pk), "name": "小秦", "realName": "秦操", "phone": "13912345678", "email": "q@x.cn",
        "account": "boss", "password": NEW, "tenantId": B, "roleId": _role("tenant_admin"), "postId": "1",
        "deptId": str(other.dept_id), "status": 0, "isDeleted": 1, "userType": 3, "lang": "en", "hourRate": 9,
        "isEnabled": 0, "mustChangePassword": 1, "createUser": "1", "code": "X",
    }  # fmt: skip
    assert operator.post_json("blade-user/update-info", body).status == 200
    after = cast.user("operator")
    changed = {name for name, value in before.items() if getattr(after, name) != value}
    assert changed == {"name", "phone", "email", "lang", "update_time", "update_user", "lock_version"}
    assert cast.user("viewer").real_name == "何看"
    assert _roles_of("operator") == {"operator"}
    info = operator.get("blade-user/info").data
    assert (info["id"], info["name"], info["realName"]) == (str(after.pk), "小秦", "秦操")
    same = checksum(A)
    assert operator.post_json("blade-user/update-info", {"name": "小秦", "account": "x"}).status == 200
    assert checksum(A) == same
    assert operator.post_json("blade-user/update-info", {"phone": "1"}).data["fields"] == {
        "phone": "手机号码长度不为11位"
    }


def test_a_picture_is_kept_by_name_and_shown_by_a_signed_link(cast: Cast) -> None:
    from tests.contract.test_wall import _png

    operator = cast.client_for("operator")
    link = operator.post_form("blade-resource/oss/endpoint/put-file", file=SimpleUploadedFile("a.png", _png())).data[
        "link"
    ]
    assert operator.post_json("blade-user/update-info", {"avatar": link}).status == 200
    with tenant_scope(A):
        assert cast.user("operator").avatar == Attachment.objects.get().name
    shown = operator.get("blade-user/info").data["avatar"]
    assert Client().get(shown).status_code == 200
    assert operator.get("blade-auth/oauth/user-info").data["avatar"].startswith("/api/blade-resource/attach/file/")
    for wrong in ("http://evil/x.png", "../../etc/passwd", f"/blade-resource/attach/file/{A}/{'0' * 32}.png"):
        assert operator.post_json("blade-user/update-info", {"avatar": wrong}).status == 400
    assert operator.post_json("blade-user/update-info", {"avatar": ""}).status == 200
    assert operator.get("blade-user/info").data["avatar"] == ""


def test_other_programs_keep_a_json_object_of_a_person(cast: Cast) -> None:
    admin, user = cast.client_for("tenant_admin"), str(cast.user("viewer").pk)
    for wrong in ("[1]", "{", "1", "nul", '{"a":' * 3000):
        answer = admin.post_json("blade-user/update-platform", {"userId": user, "userType": 2, "userExt": wrong})
        assert answer.status == 400, wrong[:10]
    assert admin.post_json("blade-user/update-platform", userId=user, userType="9").status == 400
    large = json.dumps({"a": "x" * 4096})
    assert (
        admin.post_json("blade-user/update-platform", {"userId": user, "userType": 2, "userExt": large}).status == 400
    )
    assert admin.post_json("blade-user/update-platform", userId=user, userType="2", userExt='{"a":1}').status == 200
    found = admin.get("blade-user/platform-detail", id=user).data
    assert (found["userType"], found["userTypeName"], found["userExt"]) == (2, "移动端", '{"a":1}')
    assert "userExt" not in admin.get("blade-user/page").data["records"][0]


# --- lists --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", BASES)
def test_a_department_stands_for_all_below_it(cast: Cast, base: str) -> None:
    admin = cast.client_for("tenant_admin")
    with tenant_scope(A):
        shop = Department.objects.get(pk=_dept(cast))
        below = Department.objects.create(dept_name="一班", parent=shop)
        User.objects.filter(account="operator2").update(dept=below)
    found = admin.get(f"{base}/list", deptId=str(shop.pk), ascs="account").data["records"]
    assert [row["account"] for row in found] == ["operator", "operator2", "shift_leader"]
    assert [row["account"] for row in admin.get(f"{base}/page", deptId=str(below.pk)).data["records"]] == ["operator2"]
    assert admin.get(f"{base}/list", deptId="x").data["total"] == 0


def test_whom_one_chooses_from_is_named_and_no_more(cast: Cast) -> None:
    operator = cast.client_for("operator")
    rows = operator.get("blade-user/user-list", realName="秦").data
    assert rows == [{"id": str(cast.user("operator").pk), "account": "operator", "realName": "秦操"}]


def test_the_data_scope_reaches_every_call(cast: Cast) -> None:
    with tenant_scope(A):
        role = Role.objects.get(role_alias="shift_leader")
        menus = Menu.objects.filter(code__in=["user_view", "user_edit", "user_reset", "user_export", "user_role"])
        RoleMenu.objects.bulk_create(RoleMenu(role=role, menu=menu) for menu in menus)
    leader, viewer = cast.client_for("shift_leader"), str(cast.user("viewer").pk)
    accounts = {row["account"] for row in leader.get("blade-user/list").data["records"]}
    assert accounts == {"operator", "operator2", "shift_leader"}
    before = checksum(A)
    assert leader.get("blade-user/detail", id=viewer).status == 404
    assert leader.get("blade-user/platform-detail", id=viewer).status == 404
    assert leader.change("blade-user", {"id": viewer, "name": "x"}).status == 404
    assert leader.post_json("blade-user/reset-password", userIds=viewer).status == 404
    assert leader.post_json("blade-user/grant", userIds=viewer, roleIds="").status == 404
    assert checksum(A) == before


def test_the_platform_looks_into_one_company_at_a_time(cast: Cast) -> None:
    platform = cast.platform()
    assert [row["account"] for row in platform.get("blade-user/list").data["records"]] == ["platform"]
    theirs = platform.get("blade-user/list", tenantId=B, account="viewer").data["records"]
    assert [(row["account"], row["tenantId"], row["tenantName"]) for row in theirs] == [("viewer", B, "乙厂")]
    made = platform.post_json(
        "blade-user/submit", {"tenantId": B, "account": "neu", "realName": "新", "deptId": _b_dept(cast)}
    )
    assert made.status == 200
    with tenant_scope(B):
        assert User.objects.filter(account="neu").exists()
    mine = cast.client_for("tenant_admin").get("blade-user/list", tenantId=B, account="viewer").data["records"]
    assert [row["tenantId"] for row in mine] == [A]
    assert platform.get("blade-user/list", tenantId="999999").status == 404
    assert platform.get("blade-user/list", tenantId=PLATFORM).data["total"] == 1


def _b_dept(cast: Cast) -> str:
    return str(cast.user("viewer", B).dept_id)


# --- spreadsheets -------------------------------------------------------------------------------------------------


def _sheet(*rows: tuple[Any, ...]) -> SimpleUploadedFile:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return SimpleUploadedFile("u.xlsx", out.getvalue())


@pytest.mark.parametrize("call", ["blade-user/import", "blade-user/import-user", "blade-system/user/import-user"])
def test_a_sheet_decides_neither_tenant_nor_role_nor_state(cast: Cast, call: str) -> None:
    admin, sessions = cast.client_for("tenant_admin"), Session.objects.count()
    heads = (
        "账号*",
        "姓名*",
        "所属部门*",
        "租户编号",
        "tenantId",
        "roleId",
        "所属角色",
        "状态",
        "status",
        "密码",
        "头像",
    )
    row = ("neu", "新人", "机加车间", B, B, _role("tenant_admin"), "租户管理员", "否", 0, "Weak123", "x.png")
    answer = admin.post_form(call, file=_sheet(heads, row))
    assert (answer.data["created"], answer.data["updated"]) == (1, 0)
    [shown] = answer.data["passwords"]
    assert shown["account"] == "neu"
    user = cast.user("neu")
    assert (user.tenant_id, user.is_enabled, user.avatar, user.real_name) == (A, True, "", "新人")
    assert user.dept_id == cast.user("operator").dept_id
    assert _roles_of("neu") == set()
    assert not passwords.check("Weak123", user.password)
    assert sign_in("neu", shown["password"])["must_change_password"] == 1
    assert Session.objects.count() == sessions + 1


def test_a_sheet_is_taken_whole_or_not_at_all(cast: Cast) -> None:
    admin, before = cast.client_for("tenant_admin"), checksum(A)
    heads = ("账号", "姓名", "所属部门", "手机")
    answer = admin.post_form(
        "blade-user/import",
        file=_sheet(heads, ("n1", "甲", "机加车间", ""), ("n2", "乙", "没有", ""), ("n3", "丙", "设备部", "123")),
    )
    assert (answer.status, answer["error"]) == (400, "sheet.rows")
    assert [(one["row"], one["field"]) for one in answer.data["errors"]] == [(3, "所属部门"), (4, "手机")]
    assert checksum(A) == before
    assert cast.client_for("viewer").post_form("blade-user/import", file=_sheet(heads)).status == 403
    many = [(f"n{number}", "甲", "机加车间", "") for number in range(201)]
    assert admin.post_form("blade-user/import", file=_sheet(heads, *many)).data["errors"][0]["text"] == (
        "一次最多新增200个账号"
    )
    assert checksum(A) == before


def test_what_goes_out_is_this_and_nothing_secret(cast: Cast) -> None:
    admin = cast.client_for("tenant_admin")
    headers = {"Blade-Auth": f"bearer {admin.token}", "Tenant-Id": A}
    for call in ("blade-user/export", "blade-user/export-user", "blade-system/user/export-user"):
        answer = Client().get(f"/api/{call}", {"account": "operator2"}, headers=headers)
        rows = list(load_workbook(io.BytesIO(answer.content)).active.iter_rows(values_only=True))
        assert rows[0] == (
            "用户编号", "账号", "昵称", "姓名", "性别", "手机", "邮箱", "生日", "所属部门", "所属岗位", "所属角色",
            "工时单价", "语言", "状态", "创建时间",
        )  # fmt: skip
        assert [row[1] for row in rows[1:]] == ["operator2"]
