"""Behind a proxy that we trust the client's address counts and TLS is known; nobody else is believed."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client, RequestFactory

from core.access import frames
from core.access.models import Menu
from core.project import env
from core.rest.middleware import behind_proxy
from tests.cast import Cast

PROXY = "10.0.0.1"


@pytest.mark.parametrize(
    ("peer", "forwarded", "seen"),
    [
        (PROXY, "203.0.113.9", "203.0.113.9"),
        (PROXY, "1.1.1.1, 203.0.113.9", "203.0.113.9"),
        (PROXY, "203.0.113.9, 10.0.0.1", "203.0.113.9"),
        (PROXY, "nonsense", PROXY),
        (PROXY, "", PROXY),
        ("203.0.113.9", "127.0.0.1", "203.0.113.9"),
    ],
)
def test_whose_address_counts(settings: Any, peer: str, forwarded: str, seen: str) -> None:
    settings.TRUSTED_PROXIES = (PROXY,)
    request = RequestFactory().get("/", REMOTE_ADDR=peer, headers={"X-Forwarded-For": forwarded})
    behind_proxy(lambda _request: HttpResponse())(request)
    assert request.META["REMOTE_ADDR"] == seen


@pytest.mark.django_db
def test_over_tls_the_browser_is_told_to_stay_there(settings: Any) -> None:
    settings.TRUSTED_PROXIES = (PROXY,)
    ask = {"REMOTE_ADDR": PROXY, "headers": {"X-Forwarded-Proto": "https"}}
    assert Client().get("/api/xunwei/site", **ask)["Strict-Transport-Security"] == "max-age=31536000"
    assert "Strict-Transport-Security" not in Client().get("/api/xunwei/site")
    settings.TRUSTED_PROXIES = ()
    assert "Strict-Transport-Security" not in Client().get("/api/xunwei/site", **ask)


def test_addresses_are_checked_at_the_start() -> None:
    assert env.read({"TRUSTED_PROXIES": "10.0.0.1, ::1"}).trusted_proxies == ("10.0.0.1", "::1")
    with pytest.raises(env.BadEnvironment, match=r"TRUSTED_PROXIES='proxy' must be IP addresses, comma separated."):
        env.read({"TRUSTED_PROXIES": "proxy"})


def test_djangos_own_deployment_check_has_nothing_to_say() -> None:
    call_command("check", deploy=True, fail_level="WARNING")


def test_frames_show_what_the_menu_names_and_nothing_else(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = ("https://docs.example.com/a?b=1", "http://10.1.1.1:3000/x", "https://a b;script-src *", "/system/user")
    for number, path in enumerate(paths):
        Menu.objects.create(code=f"f{number}", name="f", name_en="f", path=path)
    monkeypatch.setattr(frames, "_kept", (0.0, ()))
    assert frames.frame_sources() == ("http://10.1.1.1:3000", "https://docs.example.com")
