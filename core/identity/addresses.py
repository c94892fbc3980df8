"""Network addresses as they are counted, and limits on how often one may ask."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext as _
from redis import RedisError
from rest_framework.request import Request

from core.identity import security
from core.kernel import clock
from core.kernel.errors import Refusal


class TooMany(Refusal):
    """The address asked more often than a person would."""

    status = 429

    def __init__(self) -> None:
        super().__init__("request.tooMany", _("操作过于频繁，请稍后再试"))


@lru_cache(maxsize=4096)
def counted(address: str) -> str:
    """The address that counts: of IPv6 the first half, because whoever has one address there has all of that half."""
    try:
        read = ip_address(address)
    except ValueError:
        return ""
    if isinstance(read, IPv6Address):
        if read.ipv4_mapped is not None:
            return str(read.ipv4_mapped)
        return str(ip_network((read, 64), strict=False).network_address)
    return str(read)


def of(request: HttpRequest | Request) -> str:
    """The counted address of whoever asks; behind a trusted proxy that is the proxy's client."""
    return counted(request.META.get("REMOTE_ADDR", ""))


def limit(request: HttpRequest | Request, what: str, at_most: int) -> None:
    """Raise TooMany when the address asks for `what` more than `at_most` times in a minute.

    Counted in the cache: where it is lost, some calls more are answered, and nothing else happens.
    """
    key = f"limit.{what}.{of(request)}.{int(clock.now().timestamp()) // 60}"
    try:
        cache.add(key, 0, 120)
        asked = cache.incr(key)
    except (RedisError, OSError, ValueError):
        return
    if asked > at_most:
        if asked == at_most + 1:
            security.note("limit.reached", what=what, ip=of(request))
        raise TooMany()
