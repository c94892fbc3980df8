"""Sign-in, refresh and their ends, over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from core.access.models import UserRole
from core.identity import credentials, passwords, tokens
from core.identity.models import Post, Session, Tenant, User, UserPost
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from tests.cast import PASSWORD, A, B, Caller, Cast
from tests.core.identity.signing import MD5, NEW, claims_of, refresh, sign, sign_in, token_call, works

OVER = {"error_code": 40002, "error_description": "登录已失效，请重新登录"}


def test_sign_in_answers_the_bare_token_object(cast: Cast) -> None:
    answer = sign_in()
    user = cast.user("operator")
    tokens_of_it = {name: answer.pop(name) for name in ("access_token", "refresh_token")}
    role = answer.pop("role_id")
    assert answer == {
        "token_type": "bearer", "expires_in": 3600, "scope": "all", "tenant_id": A, "tenant_name": "甲厂",
        "user_id": str(user.pk), "oauth_id": "", "account": "operator", "user_name": "operator", "nick_name": "秦操",
        "real_name": "秦操", "role_name": "operator", "dept_id": str(user.dept_id), "dept_name": "机加车间",
        "post_id": "", "avatar": "", "detail": {"type": "web"}, "must_change_password": 0, "client_id": "xunwei-web",
    }  # fmt: skip
    with tenant_scope(A):
        assert role == str(UserRole.objects.get(user=user).role_id)
    assert works(tokens_of_it["access_token"]) == (200, 200)


def test_posts_stand_in_the_answer_in_their_order(cast: Cast) -> None:
    user = cast.user("operator")
    with tenant_scope(A):
        second = Post.objects.create(category=1, post_code="P2", post_name="操作岗", sort=2)
        first = Post.objects.create(category=1, post_code="P1", post_name="班长岗", sort=1)
        gone = Post.objects.create(category=1, post_code="P0", post_name="旧岗", sort=0, is_deleted=True)
        for post in (second, first, gone):
            UserPost.objects.create(user=user, post=post)
    assert sign_in()["post_id"] == f"{first.pk},{second.pk}"


@pytest.mark.parametrize("service", ["equip-auth", "blade-auth"])
@pytest.mark.parametrize("prefix", ["/api/", "/"])
@pytest.mark.parametrize("way", ["form", "query", "json"])
def test_parameters_are_taken_from_form_query_and_json(cast: Cast, service: str, prefix: str, way: str) -> None:
    fields = {"tenantId": A, "username": "operator", "password": MD5, "grant_type": "password"}
    path = f"{prefix}{service}/oauth/token"
    if way == "query":
        answer = Client().post(path, query_params=fields)
    else:
        answer = Client().post(path, fields, **({"content_type": "application/json"} if way == "json" else {}))
    assert answer.json()["account"] == "operator"


@pytest.mark.parametrize("grant", ["password", "captcha", "slider_captcha", "slider-captcha", "sliderCaptcha"])
def test_every_spelling_of_a_password_grant_signs_in(cast: Cast, grant: str) -> None:
    assert sign_in(grant_type=grant)["account"] == "operator"


@pytest.mark.parametrize("grant", ["", "social", "client_credentials", "PASSWORD"])
def test_other_grants_are_refused(cast: Cast, grant: str) -> None:
    assert sign_in(grant_type=grant) == {"error_code": 400, "error_description": "不支持的授权方式"}


def test_the_tenant_may_travel_in_its_header(cast: Cast) -> None:
    fields = {"username": "operator", "password": MD5, "grant_type": "password"}
    answer = Client().post("/api/blade-auth/oauth/token", fields, headers={"Tenant-Id": A})
    assert answer.json()["tenant_id"] == A


def test_plain_text_and_its_md5_are_the_same_password(cast: Cast) -> None:
    assert "access_token" in sign_in(password=PASSWORD)
    assert "access_token" in sign_in(password=MD5.upper())


@pytest.mark.parametrize(
    ("account", "password", "tenant"),
    [("operator", "wrong", A), ("nobody", MD5, A), ("operator", MD5, "999999"), ("operator", "x", B)],
)
def test_a_refused_sign_in_stores_nothing_and_tells_nothing(
    cast: Cast, account: str, password: str, tenant: str
) -> None:
    answer = sign_in(account, password, tenant)
    assert answer == {"error_code": 400, "error_description": "用户名或密码错误"}
    assert Session.objects.count() == 0


def test_empty_fields_are_named_in_the_callers_language(cast: Cast) -> None:
    answer = Client().post(
        "/api/equip-auth/oauth/token",
        {"tenantId": A, "username": "", "password": MD5, "grant_type": "password"},
        headers={"Accept-Language": "en"},
    )
    assert answer.json()["error_description"] == "Please enter Account"


def test_user_info_has_its_fields_at_the_top_and_in_the_envelope(cast: Cast) -> None:
    body = cast.client_for("operator").get("blade-auth/oauth/user-info")
    assert body.data["roles"] == ["operator"]
    assert {name: body[name] for name in body.data} == body.data
    assert (body.code, body["success"], body.data["account"], body.data["must_change_password"]) == (
        200, True, "operator", 0,
    )  # fmt: skip


def test_a_token_that_does_not_count_is_no_obstacle_to_signing_in(cast: Cast) -> None:
    fields = {"tenantId": A, "username": "operator", "password": MD5, "grant_type": "password"}
    for header in ("bearer nonsense", "basic x", f"bearer {sign_in()['access_token']}"):
        answer = Client().post("/api/blade-auth/oauth/token", fields, headers={"Blade-Auth": header})
        assert answer.json()["account"] == "operator"
        assert Caller(token="nonsense").get("xunwei/site").status == 200


def test_refresh_gives_the_next_pair_and_two_tabs_get_the_same_one(cast: Cast) -> None:
    first = sign_in()["refresh_token"]
    one, other = refresh(first), refresh(first)
    assert one["refresh_token"] == other["refresh_token"] != first
    assert (one["account"], one["role_name"]) == ("operator", "operator")
    assert works(other["access_token"]) == (200, 200)


def test_the_parent_token_after_ten_seconds_ends_the_session(cast: Cast) -> None:
    first = sign_in()["refresh_token"]
    second = refresh(first)
    with clock.at(clock.now() + timedelta(seconds=11)):
        assert refresh(first) == OVER
    assert works(second["access_token"]) == (401, 40002)
    assert refresh(second["refresh_token"]) == OVER


def test_a_token_older_than_the_parent_ends_the_session_at_once(cast: Cast) -> None:
    first = sign_in()["refresh_token"]
    third = refresh(refresh(first)["refresh_token"])
    assert refresh(first) == OVER
    assert works(third["access_token"]) == (401, 40002)


def test_a_thief_and_the_owner_are_both_out_once_both_have_refreshed(cast: Cast) -> None:
    stolen = sign_in()["refresh_token"]
    with clock.at(clock.now() + timedelta(minutes=1)):
        thief = refresh(stolen)
    with clock.at(clock.now() + timedelta(minutes=2)):
        assert refresh(stolen) == OVER
        assert refresh(thief["refresh_token"]) == OVER
        assert works(thief["access_token"]) == (401, 40002)


@pytest.mark.django_db(transaction=True)
def test_fifty_rotations_by_four_tabs_at_once_revoke_nothing(cast: Cast) -> None:
    token = sign_in()["refresh_token"]
    for _rotation in range(50):
        answers: list[dict[str, Any]] = []
        start = Barrier(4)

        def tab(present: str = token, start: Barrier = start, answers: list[dict[str, Any]] = answers) -> None:
            try:
                start.wait(20)
                answers.append(refresh(present))
            finally:
                connection.close()

        tabs = [Thread(target=tab) for _tab in range(4)]
        for thread in tabs:
            thread.start()
        for thread in tabs:
            thread.join()
        assert len({answer.get("refresh_token") for answer in answers}) == 1
        assert len(answers) == 4
        token = answers[0]["refresh_token"]
    assert works(answers[0]["access_token"]) == (200, 200)
    assert Session.objects.get().generation == 50


def test_an_expired_access_token_is_40001(cast: Cast) -> None:
    token = sign_in()["access_token"]
    claims = claims_of(token)
    assert claims["exp"] - claims["iat"] == 3600
    end = datetime.fromtimestamp(claims["exp"], UTC)
    with clock.at(end - timedelta(seconds=1)):
        assert works(token) == (200, 200)
    with clock.at(end):
        assert works(token) == (401, 40001)
    past = {**claims, **{name: claims[name] - 7200 for name in ("iat", "nbf", "exp")}}
    assert works(sign(past)) == (401, 40001)


def _disable(cast: Cast) -> None:
    with tenant_scope(A):
        User.objects.filter(account="operator").update(is_enabled=False)
        tokens.revoke_user(cast.user("operator").pk)


def _close_tenant(cast: Cast) -> None:
    Tenant.objects.filter(tenant_id=A).update(is_enabled=False)


def _give_one_time(cast: Cast) -> None:
    with tenant_scope(A):
        credentials.give_one_time(cast.user("operator"), passwords.one_times(1)[0][1])


def _change_password(cast: Cast) -> None:
    answer = cast.client_for("operator").post_json(
        "blade-auth/oauth/update-password", {"oldPassword": MD5, "newPassword": NEW, "newPassword1": NEW}
    )
    assert answer.status == 200


def _log_out_open(cast: Cast) -> None:
    tokens.revoke_user(cast.user("operator").pk)


@pytest.mark.parametrize("ending", [_disable, _close_tenant, _give_one_time, _change_password, _log_out_open])
def test_what_ends_a_persons_sessions_ends_them_at_the_next_call(cast: Cast, ending: Any) -> None:
    pairs, other = [sign_in(), sign_in()], sign_in("operator2")
    assert [works(pair["access_token"]) for pair in pairs] == [(200, 200)] * 2
    ending(cast)
    assert [works(pair["access_token"]) for pair in pairs] == [(401, 40002)] * 2
    assert [refresh(pair["refresh_token"]) for pair in pairs] == [OVER] * 2
    assert works(other["access_token"])[0] == (401 if ending is _close_tenant else 200)


def test_a_disabled_person_whose_sessions_were_left_alone_cannot_refresh_them(cast: Cast) -> None:
    pair = sign_in()
    with tenant_scope(A):
        User.objects.filter(account="operator").update(is_enabled=False)
    assert refresh(pair["refresh_token"]) == OVER
    assert works(pair["access_token"]) == (401, 40002)


@pytest.mark.parametrize("path", ["blade-auth/oauth/logout", "equip-auth/oauth/logout", "blade-auth/logout"])
def test_logout_ends_access_and_refresh_of_this_session_alone(cast: Cast, path: str) -> None:
    pair, elsewhere = sign_in(), sign_in()
    assert Caller(A, pair["access_token"]).get(path).code == 200
    assert works(pair["access_token"]) == (401, 40002)
    assert refresh(pair["refresh_token"]) == OVER
    assert works(elsewhere["access_token"]) == (200, 200)


def test_a_new_role_counts_at_the_next_call_of_a_living_token(cast: Cast) -> None:
    caller = cast.client_for("operator")
    assert caller.get("blade-auth/oauth/user-info").data["roles"] == ["operator"]
    user = cast.user("operator")
    with tenant_scope(A):
        UserRole.objects.filter(user=user).delete()
        tokens.touch_user(user.pk)
    assert caller.get("blade-auth/oauth/user-info").data["roles"] == []
    assert caller.get("yuzhu-equip/repairorder/list").status == 403


def test_clear_cache_drops_the_snapshots_of_the_callers_company(cast: Cast) -> None:
    operator, other = cast.client_for("operator"), cast.client_for("operator", B)
    for caller in (operator, other):
        assert caller.get("blade-auth/oauth/user-info").data["roles"] == ["operator"]
    for tenant in (A, B):
        with tenant_scope(tenant):
            UserRole.objects.filter(user=cast.user("operator", tenant)).delete()
    assert cast.client_for("viewer").get("blade-auth/oauth/clear-cache").code == 200
    assert operator.get("blade-auth/oauth/user-info").data["roles"] == []
    assert other.get("blade-auth/oauth/user-info").data["roles"] == ["operator"]


def test_a_token_in_the_address_is_refused(cast: Cast) -> None:
    token = sign_in()["access_token"]
    for name in ("blade-auth", "Blade-Auth", "BLADE-AUTH", "access_token"):
        for value in (f"bearer {token}", token):
            answer = Client().get("/api/blade-auth/oauth/user-info", {name: value})
            assert (answer.status_code, answer.json()["code"]) == (401, 401)


def test_the_refresh_token_is_not_stored(cast: Cast) -> None:
    token = sign_in()["refresh_token"]
    row = Session.objects.values().get()
    assert token.rpartition(".")[2] not in repr(row)
    assert token_call(grant_type="refresh_token", refresh_token=token)["account"] == "operator"
