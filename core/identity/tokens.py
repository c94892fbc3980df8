"""Access and refresh tokens of a session.

An access token is a signed statement that lives for an hour and names its session. A refresh token is the session's
id, a generation number and a keyed digest of the two: nothing of it is stored, the session's row only remembers which
generation counts. Using a token moves the session on by one generation; the one just replaced is answered with the
same successor for ten seconds (two tabs may refresh at once), and anything older means that somebody else holds a
copy: the whole session ends.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import F
from django.utils.translation import gettext as _
from rest_framework_simplejwt.exceptions import TokenError
from rest_framework_simplejwt.tokens import AccessToken

from core.identity.models import Session, Tenant
from core.kernel import clock
from core.kernel.errors import NotSignedIn

GRACE = timedelta(seconds=10)


def _refresh_token(session_id: int, generation: int) -> str:
    text = f"{session_id}.{generation}"
    mark = hmac.new(settings.TOKEN_KEY.encode(), f"refresh.{text}".encode(), hashlib.sha256).hexdigest()
    return f"{text}.{mark}"


def _read_refresh_token(token: str) -> tuple[int, int] | None:
    session_id, _dot, rest = token.partition(".")
    generation = rest.partition(".")[0]
    if not (session_id.isascii() and session_id.isdigit() and generation.isascii() and generation.isdigit()):
        return None
    if len(session_id) > 19 or len(generation) > 9:
        return None
    if not hmac.compare_digest(_refresh_token(int(session_id), int(generation)).encode(), token.encode()):
        return None
    return int(session_id), int(generation)


def _pair(session: Session, generation: int) -> dict[str, Any]:
    access = AccessToken()
    access["sid"] = str(session.pk)
    access["tenant_id"] = session.tenant.tenant_id
    access["user_id"] = str(session.user_id)
    return {
        "access_token": str(access),
        "refresh_token": _refresh_token(session.pk, generation),
        "token_type": "bearer",
        "expires_in": int(settings.ACCESS_TOKEN_LIFETIME.total_seconds()),
        "scope": "all",
    }


def begin(tenant: Tenant, user_id: int) -> dict[str, Any]:
    """Begin a session; answers its first pair of tokens."""
    now = clock.now()
    session = Session.objects.create(
        tenant=tenant, user_id=user_id, rotated_at=now, expires_at=now + settings.REFRESH_TOKEN_LIFETIME
    )
    return _pair(session, 0)


def refresh(token: str) -> tuple[Session, dict[str, Any]] | None:
    """The session and its next pair of tokens; None when the token does not count (any more)."""
    read = _read_refresh_token(token)
    if read is None:
        return None
    session_id, generation = read
    now = clock.now()
    open_ = Session.objects.filter(pk=session_id, revoked_at=None, expires_at__gt=now, tenant__is_enabled=True)
    moved = open_.filter(generation=generation).update(
        generation=F("generation") + 1, rotated_at=now, expires_at=now + settings.REFRESH_TOKEN_LIFETIME
    )
    session = open_.select_related("tenant").first()
    if session is None:
        return None
    if not moved and not (session.generation == generation + 1 and now - session.rotated_at <= GRACE):
        revoke(session.pk)
        return None
    return session, _pair(session, session.generation)


def revoke(session_id: int) -> None:
    """End a session: none of its tokens count from now on."""
    Session.objects.filter(pk=session_id, revoked_at=None).update(revoked_at=clock.now())


def check(token: str) -> Session:
    """The living session of an access token; raises NotSignedIn with the dialect's code."""
    try:
        claims = AccessToken(token, verify=True)  # type: ignore[arg-type]
    except TokenError as error:
        expired = "expired" in str(error).lower()
        code, word = (40001, "session.expired") if expired else (401, "session.invalid")
        raise NotSignedIn(word, _("登录已过期，请重新登录") if expired else _("请求未授权"), code) from None
    session = Session.objects.select_related("tenant").filter(pk=claims.get("sid", 0)).first()
    if session is None or session.revoked_at is not None or not session.tenant.is_enabled:
        raise NotSignedIn("session.revoked", _("登录已失效，请重新登录"), 40002)
    return session
