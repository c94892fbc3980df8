"""Who calls, as far as can be told without the database, and how long a body their call takes."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.urls import Resolver404, resolve

from core.identity import addresses, tokens
from core.rest.middleware import client_address
from core.rest.viewsets import PUBLIC

_CALLS = re.compile(r"/(?:api/|blade-|yuzhu-|equip-auth/|xunwei/)")
"""The beginnings of what is counted; /healthz and the console's files are not."""
_BELIEVED = 60


@dataclass(frozen=True, slots=True)
class Caller:
    """An address, and the person of a token that we signed; whether its session still lives, the call finds out."""

    address: str
    person: str = ""
    tenant: str = ""

    def counted(self) -> list[tuple[str, str]]:
        """Return what the call counts for: person and company, or the address of somebody who has no token.

        Behind one address sits a whole company, whose people have counters of their own.
        """
        return [("person", self.person), ("tenant", self.tenant)] if self.person else [("address", self.address)]

    @property
    def name(self) -> str:
        """What the caller is counted under."""
        return f"person {self.person}" if self.person else f"address {self.address}"


def caller_of(headers: Mapping[str, str], peer: str) -> Caller:
    """Return who calls from this peer with these headers."""
    address = addresses.counted(client_address(peer, headers.get("x-forwarded-for", "")))
    kind, _space, token = headers.get("blade-auth", "").partition(" ")
    person, tenant = _signed(token, time.monotonic() // _BELIEVED) if token and kind.lower() == "bearer" else ("", "")
    return Caller(address, person, tenant)


@lru_cache(maxsize=4096)
def _signed(token: str, _minute: float) -> tuple[str, str]:
    """Return the person and the company of a token that we signed, empty for another; believed for a minute."""
    claims = tokens.stated(token)
    return ("", "") if claims is None else (claims["user_id"], claims["tenant_id"])


def is_call(path: str) -> bool:
    """Return whether this is a call of the API."""
    return _CALLS.match(path) is not None


def longest(method: str, path: str, caller: Caller, declared: int | None) -> int:
    """Return how long a body this call takes of this caller: more than the usual only where the call declares it."""
    usual: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    if not caller.person or (declared is not None and declared <= usual):
        return usual
    try:
        view: Any = resolve(path).func
    except Resolver404:
        return usual
    cls, action = getattr(view, "cls", None), getattr(view, "actions", {}).get(method.lower(), "")
    if cls is None or cls.codes.get(action, PUBLIC) == PUBLIC:
        return usual
    most: int = cls.longest_bodies.get(action, usual)
    return max(usual, most)
