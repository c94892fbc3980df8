"""The permission check of every call. An action without a declared permission code is refused."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from core.blade.addresses import first_address
from core.kernel.errors import NotAllowed, NotSignedIn
from core.kernel.operation import SIGNED_IN

PUBLIC = "public"
"""Instead of a permission code: the action needs no sign-in. A test lists these actions."""


class DeclaredCode(BasePermission):
    """Checks the code that the view declares for the action in `codes` (or for all of them in `code`)."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True, or raise a Refusal with its error code."""
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


def is_closed(actor: Any, path: str) -> bool:
    """Return whether API scopes cover the path and the actor holds none of them.

    The path of a scope is exact, or ends with `/**` and covers everything below.
    """
    if not actor.closed_paths or actor.is_system or actor.is_administrator:
        return False
    asked = first_address(path)
    covering: set[int] = set()
    for pattern, ids in actor.closed_paths.items():
        below = pattern.removesuffix("**")
        if asked.startswith(below) if below != pattern else asked == pattern:
            covering |= ids
    return bool(covering) and covering.isdisjoint(actor.api_scope_ids)
