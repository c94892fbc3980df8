"""Calling the API as its users do: signed in, one connection a caller, and again until there is a definite answer."""

from __future__ import annotations

import hashlib
import http.client
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import orjson

TENANT = "100001"
TIMEOUT = 20.0
GIVE_UP = 180.0
"""Seconds after which a call without a definite answer counts as stuck."""
_UNKNOWN = (502, 503, 504)


class NoAnswer(Exception):
    """No definite answer in time."""


@dataclass
class Tally:
    """What a caller's line did to its calls."""

    retries: int = 0
    cuts: int = 0
    """Calls whose answer was not heard on purpose, as on a broken line; each is one of the retries."""


@dataclass(frozen=True)
class Answer:
    """A definite answer."""

    status: int
    body: Any

    @property
    def data(self) -> Any:
        """What was answered, out of its envelope."""
        return self.body["data"]


@dataclass
class Line:
    """One keep-alive connection. Not for several threads at once."""

    port: int
    chance: random.Random | None = None
    """Draws which answers are not heard; None: all are."""
    cut_share: float = 0.0
    source: str = ""
    """The address it calls from, where that is not 127.0.0.1."""
    timeout: float = TIMEOUT
    """Who does not wait for an answer asks again, while the server still works on it."""
    tally: Tally = field(default_factory=Tally)
    _connection: http.client.HTTPConnection | None = None

    def call(
        self, method: str, path: str, token: str = "", body: Mapping[str, Any] | None = None, *, key: str = "",
        form: Mapping[str, str] | None = None, address: str = "",
    ) -> Answer:  # fmt: skip
        """Send until there is a definite answer, with the same body and key; raises NoAnswer after GIVE_UP seconds.

        `address` is the caller's own, as a proxy passes it on.
        """
        headers = {"Tenant-Id": TENANT, "Accept-Language": "zh-CN"}
        content = b""
        if body is not None:
            content, headers["Content-Type"] = orjson.dumps(body), "application/json"
        if form is not None:
            content, headers["Content-Type"] = urlencode(form).encode(), "application/x-www-form-urlencoded"
        if token:
            headers["Blade-Auth"] = f"bearer {token}"
        if key:
            headers["Idempotency-Key"] = key
        if address:
            headers["X-Forwarded-For"] = address
        end, pause = time.monotonic() + GIVE_UP, 0.05
        while True:
            answer = self._once(method, path, content, headers, is_cut=bool(key) and self._is_cut())
            if answer is not None:
                return answer
            if time.monotonic() > end:
                raise NoAnswer(f"{method} {path}")
            self.tally.retries += 1
            time.sleep(pause)
            pause = min(pause * 2, 1.0)

    def _is_cut(self) -> bool:
        return self.chance is not None and self.chance.random() < self.cut_share

    def _once(
        self, method: str, path: str, content: bytes, headers: Mapping[str, str], *, is_cut: bool
    ) -> Answer | None:
        """One attempt; None when nobody can know whether it was carried out."""
        try:
            if self._connection is None:
                source = (self.source, 0) if self.source else None
                self._connection = http.client.HTTPConnection(
                    "127.0.0.1", self.port, timeout=self.timeout, source_address=source
                )
            self._connection.request(method, f"/api/{path}", content or None, dict(headers))
            if is_cut:
                self._cut(self._connection)
                return None
            response = self._connection.getresponse()
            raw = response.read()
        except (OSError, http.client.HTTPException):
            self.close()
            return None
        if response.status in _UNKNOWN:
            return None
        return Answer(response.status, orjson.loads(raw))

    def _cut(self, connection: http.client.HTTPConnection) -> None:
        """Half of the time in the middle of the server's work, else when the answer comes, so that the work is done."""
        self.tally.cuts += 1
        assert self.chance is not None
        if self.chance.random() < 0.5:
            time.sleep(self.chance.uniform(0, 0.05))
        else:
            connection.getresponse()
        self.close()

    def close(self) -> None:
        """Hang up."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def sign_in(self, account: str, password: str) -> str:
        """The account's access token."""
        return str(self.token(account, password).body["access_token"])

    def token(self, account: str, password: str, address: str = "") -> Answer:
        """The answer to a sign-in, good or bad."""
        form = {
            "tenantId": TENANT,
            "username": account,
            "password": hashlib.md5(password.encode()).hexdigest(),
            "grant_type": "password",
        }
        return self.call("POST", "equip-auth/oauth/token", form=form, address=address)

    def refresh(self, token: str) -> Answer:
        """The answer to a refresh token, good or bad."""
        form = {"grant_type": "refresh_token", "refresh_token": token}
        return self.call("POST", "equip-auth/oauth/token", form=form)
