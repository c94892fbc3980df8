"""The door of every call: an action without a declared permission code refuses."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from core.kernel.errors import NotAllowed, NotSignedIn
from core.kernel.operation import SIGNED_IN

_FACES = (("blade-system/user/", "blade-user/"), ("equip-auth/oauth/", "blade-auth/oauth/"))
"""Addresses under which the same calls are answered a second time."""
_UNCLOSED_ROLES = frozenset({"administrator", "tenant_admin"})
"""Roles that no API scope holds back, so that nobody can lock a company out of its own rights."""

PUBLIC = "public"
"""Mark of an action that needs no sign-in; the list of these is frozen by a test."""


class DeclaredCode(BasePermission):
    """Checks the code that the view declares for the action in `codes` (or for all of them in `code`)."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """True, or the coded refusal is raised."""
        if view.action is None:
            return True  # no such method on this path: 405, whoever asks
        if view.codes.get(view.action) == PUBLIC:
            return True
        actor: Any = request.user
        if actor is None:
            raise getattr(request, "session_refusal", None) or NotSignedIn("session.none", _("缺失令牌,鉴权失败"))
        code = view.declared_code()
        if code is None or (code != SIGNED_IN and not actor.may(code)):
            raise NotAllowed()
        if is_closed(actor, request.path):
            raise NotAllowed()
        if view.action in view.platform_only and not actor.is_of_platform:
            raise NotAllowed()
        return True


def plain_path(path: str) -> str:
    """A call's one address, however it was asked: without /api, without the second face."""
    found = path.strip("/").removeprefix("api/")
    for face, plain in _FACES:
        if found.startswith(face):
            return plain + found.removeprefix(face)
    return found


def is_closed(actor: Any, path: str) -> bool:
    """Whether an API scope covers the path and the actor holds none of those that do.

    A scope's path is a whole path, or ends with `/**` and covers all below it.
    """
    if not actor.closed_paths or actor.is_system or actor.role_codes & _UNCLOSED_ROLES:
        return False
    asked = plain_path(path)
    covering: set[int] = set()
    for pattern, ids in actor.closed_paths.items():
        below = pattern.removesuffix("**")
        if asked.startswith(below) if below != pattern else asked == pattern:
            covering |= ids
    return bool(covering) and covering.isdisjoint(actor.api_scope_ids)
