"""Refusals that concern security are written down, one line each, and no secret is ever written anywhere."""

from __future__ import annotations

import hashlib
import json
import logging
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from core.identity import security
from core.kernel import clock
from core.project.management.commands import serve
from tests.cast import A, Caller, Cast
from tests.core.identity.signing import MD5, NEW, refresh, sign_in, token_call, works


def _events(caplog: pytest.LogCaptureFixture) -> list[dict[str, str]]:
    return [json.loads(record.getMessage()) for record in caplog.records if record.name == "xunwei.security"]


def test_each_refusal_leaves_one_line(cast: Cast, caplog: pytest.LogCaptureFixture) -> None:
    pair = sign_in()
    user = str(cast.user("operator").pk)
    sign_in("nobody")
    for _number in range(6):
        sign_in(password="wrong")
    works("x.y.z")
    refresh("1.2.3")
    Client().get("/api/blade-auth/oauth/user-info", {"Blade-Auth": f"bearer {pair['access_token']}"})
    refresh(refresh(pair["refresh_token"])["refresh_token"])
    with clock.at(clock.now() + timedelta(minutes=1)):
        refresh(pair["refresh_token"])
    found = _events(caplog)
    assert [line["event"] for line in found] == [
        "signIn.failed", *["signIn.failed"] * 5, "signIn.accountLocked", "token.forged", "refresh.forged",
        "token.inAddress", "refresh.reused",
    ]  # fmt: skip
    assert found[0] == {"event": "signIn.failed", "ip": "127.0.0.1", "tenant": A, "user": "0"}
    assert {line["user"] for line in found[1:7]} == {user}


def test_no_fact_begins_a_line_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    security.note("x", ip="1\r\n2026 CRITICAL forged\x1b[2J\u2028" + "y" * 1000)
    [record] = caplog.records
    text = record.getMessage()
    assert text.isprintable() and text.isascii()
    assert len(json.loads(text)["ip"]) == 200


def test_no_password_md5_or_token_is_logged(cast: Cast, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    typed = "Geheim4711Wort"
    typed_md5 = hashlib.md5(typed.encode()).hexdigest()
    new_md5 = hashlib.md5(NEW.encode()).hexdigest()
    secrets = [typed, typed_md5, NEW, new_md5, MD5]
    sign_in(password=typed)
    sign_in(password=typed_md5)
    sign_in(account=typed, password=MD5)  # a password typed into the wrong field
    Client().post("/api/equip-auth/oauth/token", query_params={"password": typed_md5, "grant_type": "password"})
    Client().post("/api/blade-auth/token", {"account": "operator", "password": typed, "tenantId": A})
    pair = sign_in()
    caller = Caller(A, pair["access_token"])
    for old in (typed, typed_md5, MD5):
        caller.post_json(
            "blade-auth/oauth/update-password", {"oldPassword": old, "newPassword": NEW, "newPassword1": NEW}
        )
    after = refresh(pair["refresh_token"])
    refresh(pair["refresh_token"] + "0")
    token_call(grant_type="refresh_token", refresh_token=after["access_token"])
    works(after["access_token"] + "x")
    Client().get("/api/blade-auth/oauth/user-info", {"blade-auth": f"bearer {after['access_token']}"})
    for one in (pair, after):
        secrets += [one["access_token"], one["refresh_token"], one["refresh_token"].rpartition(".")[2]]
    lines = "\n".join(record.getMessage() for record in caplog.records)
    assert lines
    assert [secret for secret in secrets if secret in lines] == []


def test_the_web_server_writes_no_log_of_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords may travel in a query, as the specification's client sends them."""
    asked: Any = type("Asked", (), {"database_url": "", "host": "127.0.0.1", "port": 8000, "workers": 1})
    for program in serve._programs(asked, {}):
        assert not any("access-log" in word for word in program.argv), program.name
