"""Sign-in, refresh and their ends, over HTTP."""

from __future__ import annotations

import hashlib
import time
from datetime import timedelta
from typing import Any

import jwt
import pytest
from django.conf import settings
from django.test import Client

from core.identity.models import Captcha, Session, User
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from tests.cast import PASSWORD, A, B, Caller, Cast

MD5 = hashlib.md5(PASSWORD.encode()).hexdigest()


def _token(**fields: str) -> dict[str, Any]:
    headers = {name.replace("_", "-"): fields.pop(name) for name in list(fields) if name.startswith("Captcha")}
    answer = Client().post("/api/equip-auth/oauth/token", fields, headers=headers)
    assert answer.status_code == 200
    return answer.json()  # type: ignore[no-any-return]


def _sign_in(account: str = "operator", password: str = MD5, tenant: str = A, **more: str) -> dict[str, Any]:
    return _token(tenantId=tenant, username=account, password=password, grant_type="password", **more)


def _refresh(token: str) -> dict[str, Any]:
    answer = Client().post("/api/blade-auth/oauth/token", {"grant_type": "refresh_token", "refresh_token": token})
    return answer.json()  # type: ignore[no-any-return]


def _works(access_token: str) -> tuple[int, int]:
    body = Caller(A, access_token).get("blade-auth/oauth/user-info")
    return body.status, body.code


def test_sign_in_answers_the_bare_token_object(cast: Cast) -> None:
    answer = _sign_in()
    assert (answer["token_type"], answer["expires_in"], answer["scope"]) == ("bearer", 3600, "all")
    assert (answer["tenant_id"], answer["account"], answer["role_name"]) == (A, "operator", "operator")
    assert _works(answer["access_token"]) == (200, 200)


def test_plain_text_and_its_md5_are_the_same_password(cast: Cast) -> None:
    assert "access_token" in _sign_in(password=PASSWORD)


@pytest.mark.parametrize(
    ("account", "password", "tenant"),
    [("operator", "wrong", A), ("nobody", MD5, A), ("operator", MD5, "999999"), ("operator", "", B)],
)
def test_a_refused_sign_in_stores_nothing_and_tells_nothing(
    cast: Cast, account: str, password: str, tenant: str
) -> None:
    answer = _sign_in(account, password or "x", tenant)
    assert answer == {"error_code": 400, "error_description": "用户名或密码错误"}
    assert Session.objects.count() == 0


def test_a_disabled_account_reads_like_a_wrong_password(cast: Cast) -> None:
    with tenant_scope(A):
        User.objects.filter(account="operator").update(is_enabled=False)
    assert _sign_in()["error_description"] == "用户名或密码错误"


def test_empty_fields_are_named_in_the_callers_language(cast: Cast) -> None:
    answer = Client().post(
        "/api/equip-auth/oauth/token",
        {"tenantId": A, "username": "", "password": MD5, "grant_type": "password"},
        headers={"Accept-Language": "en"},
    )
    assert answer.json()["error_description"] == "Please enter Account"


def test_with_captchas_on_every_grant_needs_a_solved_one_and_uses_it_up(cast: Cast, settings: Any) -> None:
    settings.CAPTCHA_MODE = "image"
    key = Client().get("/api/blade-auth/oauth/captcha").json()["key"]
    for grant in ("password", "captcha", "slider_captcha"):
        fields = {"tenantId": A, "username": "operator", "password": MD5, "grant_type": grant}
        assert _token(**fields)["error_description"] == "验证码不正确"
    answer = Captcha.objects.get(key=key).answer
    assert "access_token" in _sign_in(Captcha_Key=key, Captcha_Code=answer.lower())
    assert _sign_in(Captcha_Key=key, Captcha_Code=answer)["error_description"] == "验证码不正确"


def test_a_wrong_answer_uses_the_captcha_up(cast: Cast, settings: Any) -> None:
    settings.CAPTCHA_MODE = "image"
    key = Client().get("/api/blade-auth/oauth/captcha").json()["key"]
    answer = Captcha.objects.get(key=key).answer
    assert "error_code" in _sign_in(Captcha_Key=key, Captcha_Code="?????")
    assert "error_code" in _sign_in(Captcha_Key=key, Captcha_Code=answer)


def test_refresh_gives_the_next_pair_and_two_tabs_get_the_same_one(cast: Cast) -> None:
    first = _sign_in()["refresh_token"]
    one, other = _refresh(first), _refresh(first)
    assert one["refresh_token"] == other["refresh_token"] != first
    assert _works(other["access_token"]) == (200, 200)


def test_the_parent_token_after_ten_seconds_ends_the_session(cast: Cast) -> None:
    first = _sign_in()["refresh_token"]
    second = _refresh(first)
    with clock.at(clock.now() + timedelta(seconds=11)):
        assert _refresh(first) == {"error_code": 40002, "error_description": "登录已失效，请重新登录"}
    assert _works(second["access_token"]) == (401, 40002)
    assert _refresh(second["refresh_token"])["error_code"] == 40002


def test_a_token_older_than_the_parent_ends_the_session_at_once(cast: Cast) -> None:
    first = _sign_in()["refresh_token"]
    third = _refresh(_refresh(first)["refresh_token"])
    assert "error_code" in _refresh(first)
    assert _works(third["access_token"]) == (401, 40002)


def test_logout_ends_access_and_refresh(cast: Cast) -> None:
    pair = _sign_in()
    assert Caller(A, pair["access_token"]).get("blade-auth/oauth/logout").code == 200
    assert _works(pair["access_token"]) == (401, 40002)
    assert "error_code" in _refresh(pair["refresh_token"])


def test_an_expired_access_token_is_40001(cast: Cast) -> None:
    claims = jwt.decode(_sign_in()["access_token"], options={"verify_signature": False})
    claims["exp"] = int(time.time()) - 5
    assert _works(jwt.encode(claims, settings.TOKEN_KEY, "HS256")) == (401, 40001)


def test_forged_tokens_are_refused(cast: Cast) -> None:
    good = _sign_in()
    claims = jwt.decode(good["access_token"], options={"verify_signature": False})
    forged = [
        jwt.encode(claims, "x" * 40, "HS256"),
        jwt.encode(claims, settings.TOKEN_KEY, "HS512"),
        jwt.encode({**claims, "token_type": "refresh"}, settings.TOKEN_KEY, "HS256"),
        jwt.encode({**claims, "aud": "other"}, settings.TOKEN_KEY, "HS256"),
        jwt.encode(claims, None, "none"),
        good["refresh_token"],
        good["access_token"][:-3] + "abc",
        "é" * 10,
        "x" * 5000,
    ]
    assert [_works(token) for token in forged] == [(401, 401)] * len(forged)
    assert "error_code" in _refresh(good["access_token"])


def test_stored_passwords_are_argon2_of_a_keyed_value(cast: Cast) -> None:
    with tenant_scope(A):
        stored = set(User.objects.values_list("password", flat=True))
    assert all(value.startswith("argon2$argon2id$") and MD5 not in value for value in stored)
