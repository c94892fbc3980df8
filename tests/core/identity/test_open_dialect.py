"""The second face: a client of the open dialect signs in, stays and leaves."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from core.identity.models import Captcha, Session
from tests.cast import PASSWORD, A, Caller, Cast
from tests.core.identity.signing import MD5, works


def _token(prefix: str = "/api/", headers: dict[str, str] | None = None, **fields: str) -> Any:
    given = {"tenantId": A, "account": "operator", "password": MD5, "grantType": "password", **fields}
    return Client().post(f"{prefix}blade-auth/token", query_params=given, headers=headers or {})


@pytest.mark.parametrize("prefix", ["/api/", "/"])
def test_sign_in_is_answered_in_the_envelope(cast: Cast, prefix: str) -> None:
    body = _token(prefix).json()
    data = body.pop("data")
    assert body == {"code": 200, "success": True, "msg": "操作成功"}
    assert works(data.pop("accessToken")) == (200, 200)
    assert data.pop("refreshToken")
    assert data == {
        "tokenType": "bearer", "expiresIn": 3600, "tenantId": A, "userId": str(cast.user("operator").pk),
        "oauthId": "", "account": "operator", "userName": "秦操", "authority": "operator", "avatar": "",
        "mustChangePassword": 0, "license": "巡维",
    }  # fmt: skip


def test_plain_text_is_taken_and_captcha_grants_too(cast: Cast) -> None:
    assert _token(password=PASSWORD).status_code == 200
    assert _token(grantType="captcha").status_code == 200
    assert _token(tenantId="", headers={"Tenant-Id": A}).status_code == 200


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"password": "wrong"}, "用户名或密码错误"),
        ({"account": "nobody"}, "用户名或密码错误"),
        ({"account": ""}, "请输入账号"),
        ({"grantType": "social"}, "不支持的授权方式"),
        ({"grantType": "refresh_token", "refreshToken": "x"}, "登录已失效，请重新登录"),
    ],
)
def test_a_refusal_is_400_in_the_envelope(cast: Cast, fields: dict[str, str], sentence: str) -> None:
    answer = _token(**fields)
    body = answer.json()
    assert (answer.status_code, body["code"], body["success"], body["msg"]) == (400, 400, False, sentence)
    assert Session.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_wrong_passwords_count_though_their_answer_is_a_refusal(cast: Cast) -> None:
    """Also where the client still sends an older token: the refused call takes its transaction back, not the count."""
    mine = {"Blade-Auth": f"bearer {cast.client_for('viewer').token}"}
    for _number in range(5):
        assert _token(password="wrong", headers=mine).status_code == 400
    assert _token(headers=mine).json()["msg"] == "用户名或密码错误"


def test_refresh_gives_the_next_pair(cast: Cast) -> None:
    first = _token().json()["data"]["refreshToken"]
    data = _token(grantType="refresh_token", refreshToken=first).json()["data"]
    assert data["refreshToken"] != first
    assert works(data["accessToken"]) == (200, 200)


def test_the_captcha_is_under_data_and_counts(cast: Cast, settings: Any) -> None:
    cache.clear()
    settings.CAPTCHA_MODE = "image"
    body = Client().get("/api/blade-auth/captcha").json()
    assert set(body["data"]) == {"key", "image"}
    assert body["data"]["image"].startswith("data:image/png;base64,")
    answer = Captcha.objects.get().answer
    headers = {"Captcha-key": body["data"]["key"], "Captcha-code": answer}
    assert _token(grantType="captcha").json()["msg"] == "验证码不正确"
    assert _token(grantType="captcha", headers=headers).status_code == 200


@pytest.mark.parametrize("method", ["get", "post_json"])
def test_logout_ends_the_session_either_way(cast: Cast, method: str) -> None:
    caller = Caller(A, _token().json()["data"]["accessToken"])
    assert getattr(caller, method)("blade-auth/logout").code == 200
    assert works(caller.token) == (401, 40002)


def test_user_info_and_clear_cache(cast: Cast) -> None:
    caller = cast.client_for("operator")
    assert caller.get("blade-auth/user-info").data["account"] == "operator"
    assert caller.get("blade-auth/clear-cache").code == 200
