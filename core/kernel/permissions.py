"""The door of every call: an action without a declared permission code refuses."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from core.kernel.errors import NotAllowed, NotSignedIn
from core.kernel.operation import SIGNED_IN

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
        return True
