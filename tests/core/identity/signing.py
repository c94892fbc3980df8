"""Signing in over HTTP, and making tokens by hand, for the tests of this folder."""

from __future__ import annotations

import hashlib
from typing import Any

import jwt
from django.test import Client

from core.identity import keyring
from tests.cast import PASSWORD, A, Caller

MD5 = hashlib.md5(PASSWORD.encode()).hexdigest()
NEW = "Regen7Schirm"
"""A good new password."""


def token_call(ip: str = "127.0.0.1", path: str = "/api/equip-auth/oauth/token", **fields: str) -> dict[str, Any]:
    """The token call with a form; fields that begin with Captcha or Device become headers."""
    named = [name for name in fields if name.startswith(("Captcha", "Device"))]
    headers = {name.replace("_", "-"): fields.pop(name) for name in named}
    answer = Client(REMOTE_ADDR=ip).post(path, fields, headers=headers)
    assert answer.status_code == 200
    return answer.json()  # type: ignore[no-any-return]


def sign_in(account: str = "operator", password: str = MD5, tenant: str = A, **more: str) -> dict[str, Any]:
    """The password grant, unless another one is named."""
    return token_call(
        **{"tenantId": tenant, "username": account, "password": password, "grant_type": "password", **more}
    )


def refresh(token: str) -> dict[str, Any]:
    """The refresh grant."""
    return token_call(path="/api/blade-auth/oauth/token", grant_type="refresh_token", refresh_token=token)


def works(access_token: str, tenant: str = A) -> tuple[int, int]:
    """HTTP status and code of a call with this access token."""
    body = Caller(tenant, access_token).get("blade-auth/oauth/user-info")
    return body.status, body.code


def claims_of(access_token: str) -> dict[str, Any]:
    """What a token states, whoever signed it."""
    return jwt.decode(access_token, options={"verify_signature": False})


def sign(claims: dict[str, Any], purpose: str = "access", headers: dict[str, Any] | None = None) -> str:
    """A token with these claims and the true key: what only the server itself could write."""
    key = keyring.valid()[0]
    return jwt.encode(claims, key.for_purpose(purpose), "HS256", headers=headers)
