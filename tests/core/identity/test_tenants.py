"""Companies: founded whole, seen by their own people and the platform, and over for everybody when they are closed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from core.access.models import DataScope, Role, RoleMenu, UserRole
from core.access.seed import ROLES, grants
from core.audit.models import Event
from core.identity import passwords
from core.identity.models import Department, Post, Session, Tenant, User
from core.kernel import clock
from core.kernel.actor import system
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.rest import rights
from tests import writes
from tests.cast import A, B, Caller, Cast
from tests.checksums import checksum, shared_checksum
from tests.core.identity.signing import NEW, refresh, sign_in, works

PATH = "blade-system/tenant"
WRONG = "用户名或密码错误"
_ADDRESS = "地址应以 / 或 http:// 、https:// 开头"


def _id(tenant_id: str) -> str:
    return str(Tenant.objects.get(tenant_id=tenant_id).pk)


def _info(domain: str) -> Any:
    return Client().get(f"/api/{PATH}/info", {"domain": domain}).json()["data"]


def test_a_new_company_is_ready_for_its_first_administrator(cast: Cast) -> None:
    platform, before = cast.platform(), checksum(A)
    body = {"tenantName": "新厂", "tenantNameEn": "New plant", "linkman": "新长", "domain": "https://New.Example:8443/"}
    made = platform.post_json(f"{PATH}/submit", body, key="k1").data
    assert set(made) == {"id", "tenantId", "account", "password"}
    tenant_id = made["tenantId"]
    assert tenant_id.isdigit() and len(tenant_id) == 6
    assert platform.post_json(f"{PATH}/submit", body, key="k1").data == {"id": made["id"], "tenantId": tenant_id}
    assert Tenant.objects.filter(tenant_name="新厂").count() == 1
    with tenant_scope(tenant_id):
        [first] = User.objects.all()
        [root] = Department.objects.all()
        assert (root.dept_name, root.dept_name_en, root.leader_id, root.dept_category) == (
            "新厂",
            "New plant",
            first.pk,
            1,
        )
        assert set(Role.objects.values_list("role_alias", flat=True)) == set(ROLES) - {"administrator"}
        held = UserRole.objects.get()
        assert (held.user_id, held.role.role_alias) == (first.pk, "tenant_admin")
        assert RoleMenu.objects.filter(role=held.role).count() == len(grants()["tenant_admin"])
        assert Post.objects.count() == 4
        assert DataScope.objects.filter(resource_code="repairorder").count() == 5
    with tenant_scope(PLATFORM):
        events = list(Event.objects.filter(operation="tenant.add").values())
        assert [event["remark"] for event in events] == [tenant_id]
        assert made["password"] not in repr(events)
    assert checksum(A) == before
    signed = sign_in(made["account"], made["password"], tenant_id)
    assert signed["must_change_password"] == 1
    caller = Caller(tenant_id, signed["access_token"])
    change = {"oldPassword": made["password"], "newPassword": NEW, "newPassword1": NEW}
    assert caller.post_json("blade-user/update-password", change).status == 200
    assert [row["account"] for row in caller.get("blade-user/page").data["records"]] == ["admin"]
    assert [row["tenantId"] for row in caller.get(f"{PATH}/list").data["records"]] == [tenant_id]
    found = platform.get(f"{PATH}/detail", id=made["id"]).data
    assert (found["domain"], found["tenantCode"], found["accountNumber"], found["expireTime"]) == (
        "new.example:8443", tenant_id, -1, None,
    )  # fmt: skip


def test_a_company_sees_itself_and_changes_nothing(cast: Cast) -> None:
    admin, before = cast.client_for("tenant_admin"), shared_checksum()
    assert [row["tenantId"] for row in admin.get(f"{PATH}/list").data["records"]] == [A]
    assert [row["tenantId"] for row in admin.get(f"{PATH}/list", tenantId=B).data["records"]] == []
    assert admin.get(f"{PATH}/detail", id=_id(B)).status == 404
    assert admin.get(f"{PATH}/select").data == [{"tenantId": A, "tenantName": "甲厂"}]
    assert [row["tenantId"] for row in cast.platform().get(f"{PATH}/select").data] == [PLATFORM, A, B]
    for answer in (
        admin.post_json(f"{PATH}/submit", {"tenantName": "x"}),
        admin.change(f"{PATH}", {"id": _id(A), "tenantName": "x"}),
        admin.post_json(f"{PATH}/remove", ids=_id(B)),
        admin.post_json(f"{PATH}/setting", ids=_id(A), accountNumber="-1"),
    ):
        assert answer.status == 403
    assert shared_checksum() == before


def test_holding_the_codes_in_the_platforms_tenant_is_not_enough(cast: Cast) -> None:
    with tenant_scope(PLATFORM):
        role = Role.objects.get(role_alias="tenant_admin")
        administrator = Role.objects.get(role_alias="administrator")
        for grant in RoleMenu.objects.filter(role=administrator):
            RoleMenu.objects.get_or_create(role=role, menu=grant.menu)
        user = User.objects.create(account="helper", real_name="助", password="", dept=Department.objects.get())
        UserRole.objects.create(user=user, role=role)
    helper, before = cast.client_for("helper", PLATFORM), shared_checksum()
    assert [row["tenantId"] for row in helper.get(f"{PATH}/list").data["records"]] == [PLATFORM]
    assert helper.post_json(f"{PATH}/submit", {"tenantName": "x"}).status == 403
    assert helper.post_json(f"{PATH}/remove", ids=_id(PLATFORM)).status == 403
    assert helper.post_json(f"{PATH}/setting", ids=_id(PLATFORM), accountNumber="1").status == 403
    assert helper.get("blade-user/list", tenantId=A).data["records"][0]["tenantId"] == PLATFORM
    administrator_id = str(cast.user("platform", PLATFORM).pk)
    assert helper.post_json("blade-user/reset-password", userIds=administrator_id).status == 403
    assert shared_checksum() == before


@pytest.mark.parametrize("way", ["disabled", "over", "removed"])
def test_a_company_that_is_closed_is_closed_for_everybody(cast: Cast, way: str) -> None:
    platform, signed = cast.platform(), sign_in()
    other = sign_in(tenant=B)
    if way == "disabled":
        answer = platform.change(f"{PATH}", {"id": _id(A), "status": 0})
    elif way == "over":
        now = f"{clock.now() + timedelta(hours=8):%Y-%m-%d %H:%M:%S}"
        answer = platform.post_json(f"{PATH}/setting", ids=_id(A), accountNumber="50", expireTime=now)
    else:
        answer = platform.post_json(f"{PATH}/remove", ids=_id(A))
    assert answer.status == 200
    assert works(signed["access_token"]) == (401, 40002)
    assert refresh(signed["refresh_token"])["error_code"] == 40002
    assert sign_in()["error_description"] == WRONG
    assert works(other["access_token"], B) == (200, 200)
    if way == "removed":
        assert platform.get(f"{PATH}/list", tenantId=A).data["records"] == []
        assert platform.get("blade-user/list", tenantId=A).status == 404
        with tenant_scope(A):
            assert User.objects.count() > 5
        return
    # What ended stays ended; who comes back signs in anew.
    if way == "disabled":
        platform.change(f"{PATH}", {"id": _id(A), "status": 1})
    else:
        platform.post_json(f"{PATH}/setting", ids=_id(A), accountNumber="-1", expireTime="")
    assert works(signed["access_token"]) == (401, 40002)
    assert "access_token" in sign_in()


def test_a_time_that_runs_out_needs_nobody_to_act(cast: Cast) -> None:
    signed = sign_in()
    later = clock.now() + timedelta(minutes=10)
    local = f"{later + timedelta(hours=8):%Y-%m-%d %H:%M:%S}"
    assert cast.platform().post_json(f"{PATH}/setting", ids=_id(A), accountNumber="-1", expireTime=local).status == 200
    assert works(signed["access_token"]) == (200, 200)
    with clock.at(later + timedelta(seconds=1)):
        assert works(signed["access_token"]) == (401, 40002)
        assert sign_in()["error_description"] == WRONG


def test_the_platforms_own_tenant_stays_open(cast: Cast) -> None:
    platform, before = cast.platform(), shared_checksum()
    assert platform.post_json(f"{PATH}/remove", ids=f"{_id(A)},{_id(PLATFORM)}").msg == "平台租户不能停用或删除"
    assert platform.change(f"{PATH}", {"id": _id(PLATFORM), "status": 0}).msg == "平台租户不能停用或删除"
    setting = platform.post_json(f"{PATH}/setting", ids=_id(PLATFORM), accountNumber="0")
    assert (setting.status, setting.msg) == (400, "平台租户没有额度和期限")
    assert shared_checksum() == before


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"tenantName": ""}, {"tenantName": "请输入租户名称"}),
        ({"tenantName": "x", "tenantCode": B}, {"tenantCode": f"企业代码「{B}」已存在"}),
        ({"tenantName": "x", "tenantCode": "有空 格"}, {"tenantCode": "企业代码只能包含字母、数字和 _ -"}),
        ({"tenantName": "x", "domain": "a b"}, {"domain": "域名格式不正确"}),
        ({"tenantName": "x", "domain": "http://[::1"}, {"domain": "域名格式不正确"}),
        ({"tenantName": "x", "domain": "http://B.cn/x?y"}, {"domain": "域名地址「b.cn」已存在"}),
        ({"tenantName": "x", "backgroundUrl": "javascript:alert(1)"}, {"backgroundUrl": _ADDRESS}),
        ({"tenantName": "x", "backgroundUrl": "//evil.cn/x"}, {"backgroundUrl": _ADDRESS}),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(cast: Cast, body: dict[str, Any], fields: dict[str, str]) -> None:
    Tenant.objects.filter(tenant_id=B).update(domain="b.cn")
    before = shared_checksum()
    answer = cast.platform().post_json(f"{PATH}/submit", body)
    assert (answer.status, answer.data["fields"]) == (400, fields)
    assert shared_checksum() == before


@pytest.mark.parametrize("number", ["", "x", "-2", "1e9", "1.5", "9999999"])
def test_a_limit_is_a_number(cast: Cast, number: str) -> None:
    before = shared_checksum()
    answer = cast.platform().post_json(f"{PATH}/setting", {"accountNumber": number}, ids=_id(A))
    assert answer.status == 400
    assert cast.platform().post_json(f"{PATH}/setting", ids="1", accountNumber="5").status == 404
    assert shared_checksum() == before


def test_a_company_is_found_by_its_address_listed_or_not(cast: Cast) -> None:
    rows = Tenant.objects.filter(tenant_id=A)
    rows.update(domain="jia.example:8000", is_listed=False, background_url="/bg.jpg")
    Tenant.objects.filter(tenant_id=B).update(domain="yi.example")
    found = {"tenantId": A, "domain": "jia.example:8000", "tenantName": "甲厂", "backgroundUrl": "/bg.jpg"}
    for origin in ("http://jia.example:8000", "https://JIA.example:8000/", "jia.example:8000"):
        assert _info(origin) == found
    # Where the address names no port, the page may be at any.
    for origin in ("yi.example", "http://Yi.Example", "https://yi.example:443/", "http://yi.example:8080/wel/index"):
        assert _info(origin)["tenantId"] == B
    for origin in ("", "jia.example", "jia.example:80", "x.example", "http://[", "'", "%00", "a" * 5000):
        assert _info(origin) == {}
    # Disabled, over or removed: as if nobody had the address.
    for closed in ({"is_enabled": False}, {"is_deleted": True}, {"expire_time": clock.now()}):
        rows.update(**closed)
        assert _info("jia.example:8000") == {}
        Tenant._base_manager.filter(tenant_id=A).update(is_enabled=True, is_deleted=False, expire_time=None)
    assert _info("jia.example:8000") == found


def test_asking_by_address_has_a_limit(cast: Cast) -> None:
    # A minute of its own, whenever the test runs and whatever others have asked.
    with clock.at(clock.now() + timedelta(days=400)):
        answers = [Client().get(f"/api/{PATH}/info", {"domain": "x"}).status_code for _asked in range(61)]
    assert answers[:60] == [200] * 60
    assert answers[60] == 429


def test_the_id_of_a_removed_company_is_never_given_again(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    platform = cast.platform()
    made = platform.post_json(f"{PATH}/submit", {"tenantName": "一"}).data
    assert platform.post_json(f"{PATH}/remove", ids=made["id"]).status == 200
    numbers = iter([int(made["tenantId"]) - 100_000, int(A) - 100_000, 424242 - 100_000])
    monkeypatch.setattr("core.identity.companies.secrets.randbelow", lambda _top: next(numbers))
    assert platform.post_json(f"{PATH}/submit", {"tenantName": "二"}).data["tenantId"] == "424242"


def test_sessions_of_a_removed_company_are_over_in_the_table_too(cast: Cast) -> None:
    sign_in()
    assert cast.platform().post_json(f"{PATH}/remove", ids=_id(A)).status == 200
    assert not Session.objects.filter(tenant__tenant_id=A, revoked_at=None).exists()
    with tenant_scope(A):
        assert system(A).is_system and rights.has_administrator()


@pytest.mark.django_db(transaction=True)
def test_no_write_is_open_while_the_first_password_is_hashed(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    platform, seen = cast.platform(), list[bool]()
    monkeypatch.setattr(passwords, "make", writes.noting(seen, passwords.make))
    made = platform.post_json(f"{PATH}/submit", {"tenantName": "新厂"}, key="n1")
    assert (made.status, seen) == (200, [False])
    # A repeated request hashes nothing, and neither does one that is refused.
    assert set(platform.post_json(f"{PATH}/submit", {"tenantName": "新厂"}, key="n1").data) == {"id", "tenantId"}
    assert platform.post_json(f"{PATH}/submit", {"tenantName": ""}).status == 400
    assert seen == [False]
    assert (
        sign_in(made.data["account"], made.data["password"], tenant=made.data["tenantId"])["must_change_password"] == 1
    )
