"""What anybody may ask: it names no more than it must, and not too often."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client

from core.identity.models import Captcha, Tenant
from core.kernel import clock
from tests.cast import A, B, Cast

TENANTS = "/api/yuzhu-equip/common/getTenantList"


@pytest.fixture(autouse=True)
def _uncounted() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def _list(tenant_id: str, **columns: bool) -> None:
    Tenant.objects.filter(tenant_id=tenant_id).update(**columns)


def test_anybody_sees_listed_tenants_by_id_and_name_alone(cast: Cast) -> None:
    assert Client().get(TENANTS).json()["data"] == []
    _list(A, is_listed=True)
    expected = [{"tenantId": A, "tenantName": "甲厂"}]
    assert Client().get(TENANTS).json()["data"] == expected
    assert Client().get("/api/xunwei/site").json()["data"]["tenants"] == expected


def test_a_hidden_a_closed_and_an_unknown_tenant_look_alike(cast: Cast) -> None:
    _list(A, is_listed=True, is_enabled=False)
    for given in ({}, {"account": "operator"}, {"tenantId": A}, {"tenantId": B}, {"tenantId": "x"}, {"domain": "x"}):
        assert Client().get(TENANTS, given).json()["data"] == []


def test_whoever_is_signed_in_sees_the_own_tenant(cast: Cast) -> None:
    _list(B, is_listed=True)
    answer = cast.client_for("operator").get("yuzhu-equip/common/getTenantList")
    assert answer.data == [{"tenantId": A, "tenantName": "甲厂", "current": True}]


@pytest.mark.parametrize(
    ("path", "at_most"),
    [
        (TENANTS, 30),
        ("/api/blade-auth/oauth/captcha", 120),
        ("/api/blade-auth/oauth/sliderCaptcha", 120),
        ("/api/blade-auth/captcha", 120),
    ],
)
def test_an_address_may_ask_so_often_a_minute(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, path: str, at_most: int
) -> None:
    from core.identity import captcha

    monkeypatch.setattr(captcha, "_draw", lambda text: b"")
    # Asked within one minute, whenever the test runs.
    with clock.at(clock.now()):
        for _number in range(at_most):
            assert Client().get(path).status_code == 200
        captchas = Captcha.objects.count()
        answer = Client().get(path)
    assert (answer.status_code, answer.json()["code"], answer.json()["error"]) == (429, 429, "request.tooMany")
    assert answer.json()["msg"] == "操作过于频繁，请稍后再试"
    assert Captcha.objects.count() == captchas
    assert Client(REMOTE_ADDR="192.0.2.9").get(path).status_code == 200


def test_a_cache_that_does_not_answer_stops_nobody(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    from redis import ConnectionError as NoRedis

    def fail(*args: object) -> int:
        raise NoRedis("gone")

    monkeypatch.setattr(cache, "add", fail, raising=False)
    monkeypatch.setattr(cache, "incr", fail, raising=False)
    assert [Client().get(TENANTS).status_code for _number in range(40)] == [200] * 40
