"""The permission check of every call. An action without a declared permission code is refused."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from core.kernel.errors import NotAllowed, NotSignedIn
from core.kernel.operation import SIGNED_IN
from core.rest.routes import Call, call_of, calls_at

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
        if is_closed(actor, call_of(type(view), view.action)):
            raise NotAllowed()
        if view.action in view.platform_only and not actor.is_of_platform:
            raise NotAllowed()
        return True


def is_closed(actor: Any, call: Call) -> bool:
    """Return whether API scopes cover the call and the actor holds none of them.

    A scope names an address, exactly or with `/**` all below it, and binds what is called there at its other addresses
    and under its other names too.
    """
    if not actor.closed_paths or actor.is_system or actor.is_administrator:
        return False
    covering: set[int] = set()
    for address, ids in actor.closed_paths.items():
        if call in calls_at(address):
            covering |= ids
    return bool(covering) and covering.isdisjoint(actor.api_scope_ids)
