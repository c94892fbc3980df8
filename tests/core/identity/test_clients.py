"""Programs that people sign in with: the platform keeps them, their secret is shown once, and it opens nothing."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from django.test import Client as Browser

from core.access.models import Menu, Role, RoleMenu
from core.audit.models import Event
from core.identity.models import Client
from core.kernel.tenancy import PLATFORM, tenant_scope
from tests.cast import A, Cast
from tests.checksums import shared_checksum

PATH = "blade-system/client"
BODY = {"clientId": "plant-tv", "authorizedGrantTypes": "password, refresh_token,password"}


def test_a_secret_is_shown_once_and_stored_as_its_hash(cast: Cast) -> None:
    platform = cast.platform()
    made = platform.post_json(f"{PATH}/submit", BODY, key="k1").data
    assert set(made) == {"id", "clientSecret"}
    assert platform.post_json(f"{PATH}/submit", BODY, key="k1").data == {"id": made["id"]}
    row = Client.objects.get()
    assert row.secret.startswith("argon2$")
    assert row.authorized_grant_types == "password,refresh_token"
    found = platform.get(f"{PATH}/detail", id=made["id"]).data
    assert "clientSecret" not in found and "secret" not in found
    with tenant_scope(PLATFORM):
        assert made["clientSecret"] not in repr(list(Event.objects.values()))
    assert platform.change(f"{PATH}", {"id": made["id"], "scope": "web"}).data == {"id": made["id"]}
    assert Client.objects.get().secret == row.secret
    assert platform.change(f"{PATH}", {"id": made["id"], "clientSecret": "other-one"}).status == 200
    assert Client.objects.get().secret != row.secret


def test_only_the_platform_sees_and_keeps_them(cast: Cast) -> None:
    row_id = cast.platform().post_json(f"{PATH}/submit", BODY).data["id"]
    with tenant_scope(A):
        role = Role.objects.get(role_alias="tenant_admin")
        held = Menu.objects.filter(code__startswith="client")
        RoleMenu.objects.bulk_create(RoleMenu(role=role, menu=menu) for menu in held)
    admin, before = cast.client_for("tenant_admin"), shared_checksum()
    for answer in (
        admin.get(f"{PATH}/list"),
        admin.get(f"{PATH}/detail", id=row_id),
        admin.post_json(f"{PATH}/submit", {**BODY, "clientId": "x"}),
        admin.change(f"{PATH}", {"id": row_id, "scope": "x"}),
        admin.post_json(f"{PATH}/remove", ids=row_id),
    ):
        assert answer.status == 403
    assert shared_checksum() == before


def test_id_and_secret_alone_open_nothing(cast: Cast) -> None:
    made = cast.platform().post_json(f"{PATH}/submit", {**BODY, "authorizedGrantTypes": "password"}).data
    basic = base64.b64encode(f"plant-tv:{made['clientSecret']}".encode()).decode()
    headers = {"Authorization": f"Basic {basic}"}
    assert Browser().get("/api/blade-user/page", headers=headers).status_code == 401
    answer = Browser().post("/api/blade-auth/oauth/token", {"grant_type": "client_credentials"}, headers=headers)
    assert answer.json() == {"error_code": 400, "error_description": "不支持的授权方式"}


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("clientId", "有 空格", "客户端编号只能包含字母、数字和 _ - ."),
        ("authorizedGrantTypes", "password,client_credentials", None),
        ("authorizedGrantTypes", ",", None),
        ("webServerRedirectUri", "javascript:x", "地址应以 http:// 或 https:// 开头"),
        ("additionalInformation", "[]", "附加说明应为JSON对象"),
        ("accessTokenValidity", 0, "令牌有效期(秒)应在60到31536000之间"),
    ],
)
def test_what_is_wrong_is_named(cast: Cast, field: str, value: Any, text: str | None) -> None:
    before = shared_checksum()
    answer = cast.platform().post_json(f"{PATH}/submit", {**BODY, field: value})
    assert answer.status == 400
    assert list(answer.data["fields"]) == [field]
    assert answer.data["fields"][field] == (text or answer.msg)
    assert answer.data["fields"][field].startswith("授权类型只能包含：") or text
    assert shared_checksum() == before
