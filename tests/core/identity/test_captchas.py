"""With captchas on, no password is looked at without a solved one that nobody used before."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from datetime import timedelta
from threading import Barrier, Thread
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from PIL import Image

from core.identity import captcha, passwords, slider
from core.identity.models import Captcha, Session
from core.kernel import clock
from tests.cast import A, Cast
from tests.core.identity.signing import MD5, refresh, sign_in

WRONG = {"error_code": 400, "error_description": "验证码不正确"}
GRANTS = ["password", "captcha", "slider_captcha", "slider-captcha", "sliderCaptcha"]


@pytest.fixture(params=["image", "slider"])
def mode(request: pytest.FixtureRequest, settings: Any) -> Iterator[str]:
    """Captchas on, either way."""
    cache.clear()
    settings.CAPTCHA_MODE = request.param
    return request.param


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords that were looked at."""
    seen: list[str] = []
    check = passwords.check
    monkeypatch.setattr(passwords, "check", lambda text, stored: seen.append(text) or check(text, stored))
    return seen


def _picture() -> tuple[str, str]:
    key = Client().get("/api/blade-auth/oauth/captcha").json()["key"]
    return key, Captcha.objects.get(key=key).answer


def _slider() -> tuple[str, str]:
    key = Client().get("/api/blade-auth/oauth/sliderCaptcha").json()["key"]
    Captcha.objects.filter(key=key).update(create_time=clock.now() - timedelta(seconds=2))
    return key, Captcha.objects.get(key=key).answer


def _expired() -> tuple[str, str]:
    key, answer = _picture()
    Captcha.objects.filter(key=key).update(expires_at=clock.now() - timedelta(seconds=1))
    return key, answer


def _used() -> tuple[str, str]:
    key, answer = _picture()
    assert captcha.solve(key, answer)
    return key, answer


def _used_up_by_a_wrong_answer() -> tuple[str, str]:
    key, answer = _picture()
    assert not captcha.solve(key, "?")
    return key, answer


def _too_fast() -> tuple[str, str]:
    key, answer = _slider()
    Captcha.objects.filter(key=key).update(create_time=clock.now())
    return key, answer


def _missed(by: int) -> tuple[str, str]:
    key, answer = _slider()
    return key, str(int(answer) + by)


BAD = {
    "no key": lambda: ("", ""),
    "an unknown key": lambda: ("x" * 32, "ABCDE"),
    "a wrong answer": lambda: (_picture()[0], "?????"),
    "no answer": lambda: (_picture()[0], ""),
    "a used one": _used,
    "one that a wrong answer used up": _used_up_by_a_wrong_answer,
    "an expired one": _expired,
    "the answer of another one": lambda: (_picture()[0], _picture()[1]),
    "two keys in one header": lambda: (",".join(_picture()[0] for _ in range(2)), _picture()[1]),
    "two answers in one header": lambda: (_picture()[0], "AAAAA,BBBBB"),
    "the key as its answer": lambda: (_picture()[0],) * 2,
    "a piece set down too fast": _too_fast,
    "a piece 6 pixels off": lambda: _missed(6),
    "a piece 6 pixels off to the left": lambda: _missed(-6),
    "a piece at no number": lambda: (_slider()[0], "nan"),
    "a piece at infinity": lambda: (_slider()[0], "inf"),
    "a piece at an exponent": lambda: (_slider()[0], "1e2"),
}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("grant", GRANTS)
def test_no_grant_goes_without_a_fresh_solved_captcha(
    cast: Cast, mode: str, looks: list[str], grant: str, bad: str
) -> None:
    key, answer = BAD[bad]()
    headers = {"Captcha_Key": key, "Captcha_Code": answer} if key else {}
    assert sign_in(grant_type=grant, **headers) == WRONG
    assert (looks, Session.objects.count()) == ([], 0)
    body = Client().post(
        "/api/blade-auth/token",
        {"tenantId": A, "account": "operator", "password": MD5, "grantType": grant},
        headers={"Captcha-Key": key, "Captcha-Code": answer},
    )
    assert (body.status_code, body.json()["msg"]) == (400, "验证码不正确")
    assert (looks, Session.objects.count()) == ([], 0)


@pytest.mark.parametrize("kind", [_picture, _slider, lambda: _missed(5), lambda: _missed(-5)])
@pytest.mark.parametrize("grant", GRANTS)
def test_any_solved_kind_lets_any_grant_in_once(cast: Cast, mode: str, grant: str, kind: Any) -> None:
    key, answer = kind()
    headers = {"Captcha_Key": key, "Captcha_Code": answer.lower()}
    assert sign_in(grant_type=grant, **headers)["account"] == "operator"
    assert sign_in(grant_type=grant, **headers) == WRONG
    assert Captcha.objects.count() == 0


def test_a_wrong_password_uses_the_captcha_up(cast: Cast, mode: str) -> None:
    key, answer = _picture()
    assert sign_in(password="x", Captcha_Key=key, Captcha_Code=answer)["error_description"] == "用户名或密码错误"
    assert sign_in(Captcha_Key=key, Captcha_Code=answer) == WRONG


def test_a_refresh_needs_no_captcha(cast: Cast, mode: str) -> None:
    key, answer = _picture()
    pair = sign_in(Captcha_Key=key, Captcha_Code=answer)
    assert "access_token" in refresh(pair["refresh_token"])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", [_picture, _slider])
def test_of_fifty_at_once_with_one_captcha_one_gets_to_the_password(
    cast: Cast, settings: Any, looks: list[str], kind: Any
) -> None:
    cache.clear()
    settings.CAPTCHA_MODE = "slider"
    key, answer = kind()
    answers: list[dict[str, Any]] = []
    start = Barrier(50)

    def attack() -> None:
        try:
            start.wait(30)
            answers.append(sign_in(Captcha_Key=key, Captcha_Code=answer))
        finally:
            connection.close()

    threads = [Thread(target=attack) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 50
    assert next(body for body in answers if body != WRONG)["account"] == "operator"
    assert (answers.count(WRONG), len(looks), Session.objects.count()) == (49, 1, 1)


def test_the_slider_says_where_the_piece_begins_and_not_where_it_belongs(cast: Cast) -> None:
    body = Client().get("/api/blade-auth/oauth/sliderCaptcha").json()
    shown = body["data"]
    assert {name: body[name] for name in shown} == shown
    assert set(shown) == {
        "key", "bgImage", "sliderImage", "bgWidth", "bgHeight", "sliderWidth", "sliderHeight", "sliderY",
    }  # fmt: skip
    row = Captcha.objects.get(key=shown["key"])
    assert row.kind == "slider"
    assert row.expires_at - row.create_time == captcha.LIFETIME
    sizes = {}
    for name in ("bgImage", "sliderImage"):
        with Image.open(io.BytesIO(base64.b64decode(shown[name].partition(",")[2]))) as picture:
            sizes[name] = picture.size
            assert not picture.info.get("comment")
    assert sizes == {
        "bgImage": (shown["bgWidth"], shown["bgHeight"]),
        "sliderImage": (shown["sliderWidth"], shown["sliderHeight"]),
    }
    numbers = [value for name, value in shown.items() if isinstance(value, int) and name != "sliderY"]
    assert numbers == [slider.WIDTH, slider.HEIGHT, slider.PIECE, slider.PIECE]


def test_the_piece_lies_inside_and_never_where_it_begins() -> None:
    drawn = [slider.draw() for _ in range(40)]
    assert all(slider.PIECE < one.x <= slider.WIDTH - slider.PIECE for one in drawn)
    assert all(0 <= one.y <= slider.HEIGHT - slider.PIECE for one in drawn)
    assert len({(one.x, one.y) for one in drawn}) > 30


def test_the_site_says_which_mode_it_is(cast: Cast, mode: str) -> None:
    assert Client().get("/api/xunwei/site").json()["data"]["captchaMode"] == mode


def test_captchas_end_after_half_an_hour_and_are_cleared_away(cast: Cast) -> None:
    key, _picture_of_it = captcha.make()
    row = Captcha.objects.get(key=key)
    assert row.expires_at - row.create_time == timedelta(minutes=30)
    with clock.at(row.expires_at + timedelta(seconds=1)):
        assert not captcha.solve(key, row.answer)
        captcha.make()
        assert not Captcha.objects.filter(key=key).exists()
