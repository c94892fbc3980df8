"""Passwords: how they are stored, what may be chosen, and how they are changed."""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.test import Client

from core.audit.models import Event
from core.identity import credentials, passwords
from core.identity.models import Session, User
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from tests.cast import PASSWORD, A, Body, Caller, Cast
from tests.contract.routes import calls
from tests.core.identity.signing import MD5, NEW, sign_in, works

NEW_MD5 = hashlib.md5(NEW.encode()).hexdigest()
PATHS = [
    "blade-auth/oauth/update-password",
    "equip-auth/oauth/update-password",
    "blade-user/update-password",
    "blade-system/user/update-password",
]


def _change(caller: Caller, old: str = MD5, new: str = NEW, again: str | None = None, path: str = PATHS[0]) -> Body:
    return caller.post_json(
        path, {"oldPassword": old, "newPassword": new, "newPassword1": new if again is None else again}
    )


def _stored(cast: Cast, account: str = "operator") -> str:
    return cast.user(account).password


def test_stored_passwords_are_argon2_of_a_keyed_value(cast: Cast) -> None:
    with tenant_scope(A):
        stored = set(User.objects.values_list("password", flat=True))
    assert stored
    assert all(value.startswith("argon2$argon2id$") and MD5 not in value for value in stored)


def test_a_dump_of_the_table_alone_cannot_be_tried(cast: Cast) -> None:
    """Neither the password nor its md5 verifies without the pepper, which is not in the database."""
    stored = _stored(cast)
    for guess in (PASSWORD, MD5, MD5.upper(), hashlib.sha256(MD5.encode()).hexdigest()):
        assert not check_password(guess, stored)
    pepper = settings.PASSWORD_PEPPER.encode()
    assert check_password(hmac.new(pepper, MD5.encode(), hashlib.sha256).hexdigest(), stored)


def test_two_people_with_one_password_have_different_rows() -> None:
    assert passwords.make(PASSWORD) != passwords.make(PASSWORD)


def test_a_password_stored_at_another_cost_is_stored_anew_at_sign_in(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _stored(cast)
    monkeypatch.setattr(passwords.Argon2, "memory_cost", 16)
    assert "access_token" in sign_in()
    after = _stored(cast)
    assert "m=8,t=1" in before and "m=16,t=1" in after
    assert "access_token" in sign_in()
    assert _stored(cast) == after
    assert sign_in(password="wrong")["error_code"] == 400


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("old", "new"), [(MD5, NEW_MD5), (PASSWORD, NEW), (MD5, NEW), (PASSWORD, NEW_MD5)])
def test_a_changed_password_counts_plain_and_as_md5(cast: Cast, path: str, old: str, new: str) -> None:
    assert _change(cast.client_for("operator"), old, new, path=path).status == 200
    assert sign_in()["error_description"] == "用户名或密码错误"
    assert sign_in(password=NEW)["account"] == sign_in(password=NEW_MD5)["account"] == "operator"


def test_parameters_may_travel_in_the_query(cast: Cast) -> None:
    caller = cast.client_for("operator")
    answer = caller.post_json(PATHS[2], oldPassword=MD5, newPassword=NEW_MD5, newPassword1=NEW_MD5)
    assert answer.status == 200
    assert "access_token" in sign_in(password=NEW)


def test_the_present_session_stays_and_all_others_end(cast: Cast) -> None:
    here, there, other = sign_in(), sign_in(), sign_in("operator2")
    assert _change(Caller(A, here["access_token"])).status == 200
    assert works(here["access_token"]) == (200, 200)
    assert works(there["access_token"]) == (401, 40002)
    assert works(other["access_token"]) == (200, 200)


def test_a_change_leaves_one_event_that_holds_no_secret(cast: Cast) -> None:
    assert _change(cast.client_for("operator")).status == 200
    with tenant_scope(A):
        event = Event.objects.get(operation="user.changePassword")
        written = repr(Event.objects.filter(pk=event.pk).values().get())
    user = cast.user("operator")
    assert (event.user_id, event.business_type, event.business_id) == (user.pk, "user", user.pk)
    assert not any(secret in written for secret in (PASSWORD, MD5, NEW, NEW_MD5, user.password))


@pytest.mark.parametrize(
    ("old", "new", "again", "field", "sentence"),
    [
        ("wrong", NEW, NEW, "oldPassword", "原密码不正确!"),
        ("", NEW, NEW, "oldPassword", "缺少必要的请求参数: oldPassword"),
        (MD5, NEW, "Regen8Schirm", "newPassword1", "请输入正确的确认密码!"),
        (MD5, NEW, "", "newPassword1", "请输入正确的确认密码!"),
        (MD5, "", "", "newPassword", "请输入密码"),
        (MD5, "   ", "   ", "newPassword", "请输入密码"),
        (MD5, "ab12", "ab12", "newPassword", "请输入6-20位密码"),
        (MD5, "a1" * 11, "a1" * 11, "newPassword", "请输入6-20位密码"),
        (MD5, "regenschirm", "regenschirm", "newPassword", "请输入6-20位，至少包含数字和字母组合的密码"),
        (MD5, "4711081547", "4711081547", "newPassword", "请输入6-20位，至少包含数字和字母组合的密码"),
        (MD5, "password1", "password1", "newPassword", "该密码过于常见，请换一个"),
        (MD5, "woaini1314", "woaini1314", "newPassword", "该密码过于常见，请换一个"),
        (MD5, hashlib.md5(b"123456").hexdigest(), "", "newPassword", "该密码过于常见，请换一个"),
        (MD5, hashlib.md5(b"operator").hexdigest(), "", "newPassword", "该密码过于常见，请换一个"),
        (NEW, NEW, NEW, "newPassword", "新密码不能与原密码相同"),
    ],
)
def test_a_refused_change_names_the_field_and_changes_nothing(
    cast: Cast, old: str, new: str, again: str, field: str, sentence: str
) -> None:
    caller, elsewhere, before = cast.client_for("operator"), sign_in(), _stored(cast)
    answer = _change(caller, old, new, again)
    assert (answer.status, answer.code, answer.msg) == (400, 400, sentence)
    assert answer.data == {"fields": {field: sentence}}
    assert _stored(cast) == before
    assert works(elsewhere["access_token"]) == (200, 200)
    with tenant_scope(A):
        assert not Event.objects.filter(operation="user.changePassword").exists()


def test_the_rules_for_a_password_are_told_in_english(cast: Cast) -> None:
    caller = cast.client_for("operator").in_english()
    assert _change(caller, new="ab12").msg == "Please enter a password of 6 to 20 characters"
    assert _change(caller, new="").msg == "Please enter the password"


@pytest.mark.django_db(transaction=True)
def test_a_stolen_session_gets_five_guesses_at_the_old_password(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[bool] = []
    check = passwords.check
    monkeypatch.setattr(
        passwords, "check", lambda text, stored: looks.append(stored is not None) or check(text, stored)
    )
    caller, before = cast.client_for("operator"), _stored(cast)
    for number in range(5):
        assert _change(caller, f"guess{number}").msg == "原密码不正确!"
    assert _change(caller).msg == "原密码不正确!"
    assert looks == [True] * 5 + [False]
    assert _stored(cast) == before
    assert "access_token" in sign_in(), "signing in is counted by itself"
    with clock.at(clock.now() + timedelta(minutes=31)):
        assert _change(caller).status == 200


@pytest.mark.parametrize("text", ["123456", "password", "qwerty", "iloveyou", "a123456", "qq123456", "admin123"])
def test_common_passwords_are_known_by_their_md5(text: str) -> None:
    assert passwords.fault(hashlib.md5(text.encode()).hexdigest()) == "该密码过于常见，请换一个"


def test_a_good_password_has_no_fault() -> None:
    assert passwords.fault(NEW) is None
    assert passwords.fault(NEW_MD5) is None
    assert len(passwords._common()) > 10_000


def test_a_one_time_password_is_random_readable_and_good() -> None:
    made = {passwords.one_time() for _ in range(200)}
    assert len(made) == 200
    assert all(len(text) == 12 and passwords.fault(text) is None for text in made)
    assert not set("".join(made)) & set("0oO1lI")


@pytest.fixture
def one_time(cast: Cast) -> str:
    """The operator's one-time password."""
    with tenant_scope(A):
        [(text, stored)] = passwords.one_times(1)
        credentials.give_one_time(cast.user("operator"), stored)
        return text


def test_with_a_one_time_password_only_its_change_is_open(cast: Cast, one_time: str) -> None:
    answer = sign_in(password=one_time)
    assert answer["must_change_password"] == 1
    caller = Caller(A, answer["access_token"])
    info = caller.get("blade-auth/oauth/user-info")
    assert (info.data["must_change_password"], info.data["roles"]) == (1, [])
    assert caller.get("blade-system/menu/routes").data == []
    assert caller.get("blade-system/menu/buttons").data == []
    before = _stored(cast)
    for call in calls():
        body = caller.get(call.path) if call.method == "get" else caller.post_json(call.path)
        if body.status == 403:
            assert (body.code, body["error"], body.msg) == (403, "password.mustChange", "请先修改初始密码"), call.path
        else:
            assert call.path in OPEN or call.code == "public", (call, body)
        if call.path.endswith("logout") and (call.method == "get" or call.path == "blade-auth/logout"):
            caller = Caller(A, sign_in(password=one_time)["access_token"])
    assert _stored(cast) == before


OPEN = {
    *PATHS,
    "blade-auth/oauth/user-info", "equip-auth/oauth/user-info", "blade-auth/user-info",
    "blade-auth/oauth/logout", "equip-auth/oauth/logout", "blade-auth/logout",
    "blade-system/menu/routes", "blade-system/menu/buttons",
}  # fmt: skip


def test_after_the_change_the_same_session_may_do_everything(cast: Cast, one_time: str) -> None:
    caller = Caller(A, sign_in(password=one_time)["access_token"])
    assert caller.get("yuzhu-equip/repairorder/list")["error"] == "password.mustChange"
    refused = _change(caller, one_time, one_time)
    assert refused.msg == "新密码不能与原密码相同"
    assert _change(caller, one_time, NEW).status == 200
    assert caller.get("yuzhu-equip/repairorder/list").status == 200
    assert caller.get("blade-auth/oauth/user-info").data["must_change_password"] == 0
    assert sign_in(password=NEW)["must_change_password"] == 0
    assert sign_in(password=one_time)["error_description"] == "用户名或密码错误"


def test_a_refreshed_session_is_as_limited_as_before(cast: Cast, one_time: str) -> None:
    from tests.core.identity.signing import refresh

    pair = refresh(sign_in(password=one_time)["refresh_token"])
    assert pair["must_change_password"] == 1
    assert Caller(A, pair["access_token"]).get("yuzhu-equip/repairorder/list")["error"] == "password.mustChange"


def test_a_one_time_password_ends_after_a_day(cast: Cast, one_time: str) -> None:
    with clock.at(clock.now() + timedelta(hours=23, minutes=59)):
        assert "access_token" in sign_in(password=one_time)
    sessions = Session.objects.count()
    with clock.at(clock.now() + timedelta(hours=24, minutes=1)):
        late = sign_in(password=one_time)
        assert late == {"error_code": 400, "error_description": "初始密码已过期，请联系管理员重新设置"}
        assert sign_in(password="wrong")["error_description"] == "用户名或密码错误"
    assert Session.objects.count() == sessions


def test_a_one_time_password_ends_the_sessions_before_it(cast: Cast) -> None:
    pair: Any = sign_in()
    with tenant_scope(A):
        credentials.give_one_time(cast.user("operator"), passwords.one_times(1)[0][1])
    assert works(pair["access_token"]) == (401, 40002)


def test_nobody_changes_a_password_without_a_session(cast: Cast) -> None:
    before = _stored(cast)
    for path in PATHS:
        body = Client().post(f"/api/{path}", {"oldPassword": MD5, "newPassword": NEW, "newPassword1": NEW})
        assert body.status_code == 401
    assert _stored(cast) == before
