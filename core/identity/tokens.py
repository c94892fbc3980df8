"""Access and refresh tokens of a session, and how sessions end.

An access token is a signed statement that lives for an hour and names its session. A refresh token is the session's
id, a generation number and a keyed digest of the two: nothing of it is stored, the session's row only remembers which
generation counts. Using a token moves the session on by one generation; the one just replaced is answered with the
same successor for ten seconds (two tabs may refresh at once), and anything older means that somebody else holds a
copy: the whole session ends.

Each kind of token is signed with a key of its own (see keyring.py), so that none can be used for another.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.db.models import F
from django.utils.translation import gettext as _
from rest_framework_simplejwt.backends import TokenBackend
from rest_framework_simplejwt.exceptions import TokenBackendError

from core.identity import keyring, security
from core.identity.models import Session, Tenant
from core.kernel import clock
from core.kernel.errors import NotSignedIn
from core.kernel.ids import is_id
from core.statements.compiled import Compiled

GRACE = timedelta(seconds=10)
ALGORITHM = "HS256"
ISSUER, AUDIENCE = "xunwei", "xunwei-api"
LONGEST = 2048
"""No token of ours comes near this many characters."""
_LEEWAY = 5
_BY_ID = Compiled(lambda session_id: Session.objects.select_related("tenant").filter(pk=session_id))


@lru_cache(maxsize=8)
def _backend(key: keyring.Key) -> TokenBackend:
    """Signs and reads access tokens with this key. Times are compared in `_claims`, with our own clock."""
    signing_key: Any = key.for_purpose("access")
    return TokenBackend(ALGORITHM, signing_key, audience=AUDIENCE, issuer=ISSUER, leeway=timedelta(days=36_500))


@lru_cache(maxsize=1)
def _head() -> str:
    """The first part of every token of ours: compared as it is, so that no header of a foreign one is ever read."""
    return _backend(keyring.valid()[0]).encode({}).partition(".")[0]


def _refresh_token(session_id: int, generation: int, key: keyring.Key) -> str:
    text = f"{session_id}.{generation}"
    return f"{text}.{hmac.new(key.for_purpose('refresh'), text.encode(), hashlib.sha256).hexdigest()}"


def _read_refresh_token(token: str) -> tuple[int, int] | None:
    session_id, _dot, rest = token.partition(".")
    generation = rest.partition(".")[0]
    if not is_id(session_id) or not is_id(generation) or len(generation) > 9:
        return None
    for key in keyring.valid():
        if hmac.compare_digest(_refresh_token(int(session_id), int(generation), key).encode(), token.encode()):
            return int(session_id), int(generation)
    return None


def pair(session: Session, generation: int) -> dict[str, Any]:
    """Return an access token and the refresh token of this generation for a session."""
    key, now = keyring.valid()[0], int(clock.now().timestamp())
    lifetime = int(settings.ACCESS_TOKEN_LIFETIME.total_seconds())
    claims = {
        "token_type": "access_token",
        "jti": secrets.token_hex(8),
        "iat": now,
        "nbf": now,
        "exp": now + lifetime,
        "sid": str(session.pk),
        "tenant_id": session.tenant.tenant_id,
        "user_id": str(session.user_id),
    }
    return {
        "access_token": _backend(key).encode(claims),
        "refresh_token": _refresh_token(session.pk, generation, key),
        "token_type": "bearer",
        "expires_in": lifetime,
        "scope": "all",
    }


def begin(tenant: Tenant, user_id: int, *, is_limited: bool = False) -> dict[str, Any]:
    """Begin a session; answers its first pair of tokens."""
    now = clock.now()
    session = Session.objects.create(
        tenant=tenant,
        user_id=user_id,
        rotated_at=now,
        expires_at=now + settings.REFRESH_TOKEN_LIFETIME,
        is_limited=is_limited,
    )
    return pair(session, 0)


def refresh(token: str, may_go_on: Callable[[Session], bool]) -> tuple[Session, dict[str, Any]] | None:
    """Return the session and its next pair of tokens; None when the token does not count (any more).

    `may_go_on` tells whether the session's person may still work; where not, the session ends.
    """
    read = _read_refresh_token(token)
    if read is None:
        security.note("refresh.forged")
        return None
    session_id, generation = read
    now = clock.now()
    living = Session.objects.filter(pk=session_id, revoked_at=None, expires_at__gt=now)
    session = living.select_related("tenant").first()
    if session is None:
        security.note("refresh.over", session=session_id)
        return None
    if not session.tenant.is_open or not may_go_on(session):
        security.note("refresh.notAllowed", session=session_id, user=session.user_id)
        revoke(session_id)
        return None
    moved = living.filter(generation=generation).update(
        generation=F("generation") + 1, rotated_at=now, expires_at=now + settings.REFRESH_TOKEN_LIFETIME
    )
    session = living.select_related("tenant").first()
    if session is None:
        return None
    if not moved and not (session.generation == generation + 1 and now - session.rotated_at <= GRACE):
        security.note("refresh.reused", session=session_id, user=session.user_id, generation=generation)
        revoke(session_id)
        return None
    return session, pair(session, session.generation)


def revoke(session_id: int) -> None:
    """End a session: none of its tokens count from now on."""
    Session.objects.filter(pk=session_id, revoked_at=None).update(revoked_at=clock.now())


def revoke_user(user_id: int, *, but: int | None = None) -> int:
    """End all sessions of a person, except the one named; answers how many. For a new password, disabling, removal."""
    living = Session.objects.filter(user_id=user_id, revoked_at=None)
    return (living if but is None else living.exclude(pk=but)).update(revoked_at=clock.now())


def revoke_tenant(tenant_id: str) -> int:
    """End all sessions of a company, because it is removed; answers how many."""
    return Session.objects.filter(tenant__tenant_id=tenant_id, revoked_at=None).update(revoked_at=clock.now())


def touch_user(user_id: int) -> None:
    """Let every process read the person's rights again at the next request: roles, teams, department have changed."""
    Session.objects.filter(user_id=user_id, revoked_at=None).update(rights_version=F("rights_version") + 1)


def touch_tenant(tenant_id: str) -> None:
    """The same for all people of a company: what roles grant has changed."""
    Tenant.objects.filter(tenant_id=tenant_id).update(rights_version=F("rights_version") + 1)


class _NotOurs(Exception):
    """A token that we never wrote."""


class _Expired(Exception):
    """A token of ours whose hour is over."""


def _is_canonical(part: str) -> bool:
    """Return whether this is the one spelling of its bytes; base64 readers take others too."""
    try:
        plain = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    except ValueError:
        return False
    return base64.urlsafe_b64encode(plain).rstrip(b"=").decode() == part


@lru_cache(maxsize=1000)
def _stated(token: str, key: keyring.Key) -> Mapping[str, Any]:
    """Return what a token signed with this key states, read once, because it states the same for ever; whether it still
    counts is asked for each request. Raises for another's token, and keeps none of those."""
    unread: Any = token
    return MappingProxyType(_backend(key).decode(unread))


def _read(token: str, key: keyring.Key) -> Mapping[str, Any] | None:
    """Return what a token signed with this key states; None when it is another's."""
    try:
        return _stated(token, key)
    except (TokenBackendError, RecursionError):
        return None


def _claims(token: str) -> Mapping[str, Any]:
    """Return what an access token of ours states; raises _NotOurs or _Expired."""
    parts = token.split(".")
    if len(token) > LONGEST or not token.isascii() or len(parts) != 3 or not all(map(_is_canonical, parts)):
        raise _NotOurs
    if parts[0] != _head():
        raise _NotOurs
    claims = next(filter(None, (_read(token, key) for key in keyring.valid())), None)
    if claims is None:
        raise _NotOurs
    times = [claims.get(name) for name in ("iat", "nbf", "exp")]
    names = [claims.get(name) for name in ("sid", "tenant_id", "user_id")]
    if claims.get("token_type") != "access_token" or claims.get("aud") != AUDIENCE:
        raise _NotOurs
    if not all(type(time) is int for time in times) or not all(type(name) is str and name for name in names):
        raise _NotOurs
    sid = claims["sid"]
    if not is_id(sid):
        raise _NotOurs
    now = clock.now().timestamp()
    if max(claims["iat"], claims["nbf"]) > now + _LEEWAY:
        raise _NotOurs
    if claims["exp"] > claims["iat"] + settings.ACCESS_TOKEN_LIFETIME.total_seconds():
        raise _NotOurs
    if claims["exp"] <= now:
        raise _Expired
    return claims


def stated(token: str) -> Mapping[str, Any] | None:
    """Return what an access token of ours states, without the database: its session may have ended."""
    try:
        return _claims(token)
    except (_NotOurs, _Expired):
        return None


def check(token: str) -> Session:
    """Return the living session of an access token; raises NotSignedIn with the dialect's code."""
    try:
        claims = _claims(token)
    except _Expired:
        raise NotSignedIn("session.expired", _("登录已过期，请重新登录"), 40001) from None
    except _NotOurs:
        security.note("token.forged")
        raise NotSignedIn("session.invalid", _("请求未授权")) from None
    session = living(int(claims["sid"]))
    if (str(session.user_id), session.tenant.tenant_id) != (claims["user_id"], claims["tenant_id"]):
        security.note("token.forged", session=claims["sid"])
        raise NotSignedIn("session.invalid", _("请求未授权"))
    return session


def living(session_id: int) -> Session:
    """Return the session, if it has not ended; raises NotSignedIn."""
    session: Session | None = next(iter(_BY_ID.rows(session_id)), None)
    if session is None or session.revoked_at is not None or not session.tenant.is_open:
        raise NotSignedIn("session.revoked", _("登录已失效，请重新登录"), 40002)
    return session
