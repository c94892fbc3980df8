"""However a path is spelled, it opens no more than its plain spelling does."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from core.rest.permissions import PUBLIC
from tests.cast import Cast
from tests.contract.routes import Call, by_call, calls

SPELLINGS: dict[str, Callable[[str], str]] = {
    "double slash": lambda path: path.replace("/", "//", 1),
    "leading double slash": lambda path: "/" + path,
    "dot segment": lambda path: path.replace("/api/", "/api/./"),
    "dot dot": lambda path: path.replace("/api/", "/api/x/../"),
    "encoded dots": lambda path: path.replace("/api/", "/api/%2e%2e/api/"),
    "semicolon": lambda path: path + ";.js",
    "semicolon inside": lambda path: path.replace("/api/", "/api;x/"),
    "trailing slash": lambda path: path + "/",
    "upper case": lambda path: path.upper(),
    "encoded slash": lambda path: path.replace("/api/", "/api%2f"),
    "through a public service": lambda path: path.replace("/api/", "/api/blade-auth/oauth/token/../../../"),
    "suffix": lambda path: path + ".json",
}
HEADERS: tuple[dict[str, str], ...] = (
    {"X-Original-URL": "/api/blade-auth/oauth/captcha"},
    {"X-Rewrite-URL": "/api/blade-auth/oauth/captcha"},
    {"X-HTTP-Method-Override": "GET"},
    {"X-Forwarded-For": "127.0.0.1"},
    {"X-Forwarded-User": "admin"},
    {"Authorization": "Basic c2FiZXI6c2FiZXJfc2VjcmV0"},
)


def _is_open(answer: Any) -> bool:
    """Whether a call was carried out: an envelope with code 200."""
    return answer["Content-Type"].startswith("application/json") and bool(answer.json().get("success"))


CALLS = [call for call in calls() if call.code != PUBLIC]
CLOSED = by_call(CALLS)
EVERY = 1 if "FUZZ_EXAMPLES" in os.environ else 3
"""Each call gets every third spelling and header, the next call the next ones; `make prove` tries all on each."""


@pytest.mark.parametrize("call", CLOSED)
def test_no_spelling_opens_a_closed_call(cast: Cast, call: Call) -> None:
    for spell in list(SPELLINGS.values())[CALLS.index(call) % EVERY :: EVERY]:
        path = spell(f"/api/{call.path}")
        answer = Client().generic(call.method.upper(), path, b"{}", content_type="application/json")
        assert not _is_open(answer), path


@pytest.mark.parametrize("call", CLOSED)
def test_no_header_opens_a_closed_call(cast: Cast, call: Call) -> None:
    for headers in HEADERS[CALLS.index(call) % EVERY :: EVERY]:
        answer = Client().generic(call.method.upper(), f"/api/{call.path}", b"{}", "application/json", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, 401), headers


def test_what_is_not_built_is_not_there(cast: Cast) -> None:
    """Guest registration and its kin come with their review; until then nobody registers."""
    # Codes by SMS or mail neither: nothing sends one.
    for path in (
        "blade-user/register-guest", "equip-auth/oauth/register", "equip-auth/oauth/applyJoinTenant",
        "equip-auth/oauth/send", "equip-auth/oauth/forgotPassword", "blade-resource/sms/endpoint/send-message",
    ):  # fmt: skip
        answer = Client().post(f"/api/{path}", b"{}", content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (404, 404)
