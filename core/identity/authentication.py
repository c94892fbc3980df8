"""From the token header to the actor: one statement a request, the person's rights from a snapshot."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from core.identity import tokens
from core.identity.models import Department, Session, TeamMember, User
from core.kernel import rights
from core.kernel.actor import Actor
from core.kernel.errors import NotAllowed, NotSignedIn
from core.kernel.tenancy import tenant_scope

_MOST_SNAPSHOTS = 5000
_snapshots: OrderedDict[tuple[int, int, int], Actor | None] = OrderedDict()


def _snapshot(session: Session) -> Actor | None:
    """The session's person with all rights, kept until the session's or the tenant's rights version moves."""
    key = (session.pk, session.rights_version, session.tenant.rights_version)
    try:
        return _snapshots[key]
    except KeyError:
        pass  # another thread may drop the oldest at any moment, so look only once
    tenant_id = session.tenant.tenant_id
    with tenant_scope(tenant_id):
        actor = actor_of(session.user_id, tenant_id)
    _snapshots[key] = actor
    if len(_snapshots) > _MOST_SNAPSHOTS:
        _snapshots.popitem(last=False)
    return actor


def actor_of(user_id: int, tenant_id: str) -> Actor | None:
    """The person as an actor, inside the tenant's scope; None when disabled or gone."""
    user = User.objects.select_related("dept").filter(pk=user_id, is_enabled=True).first()
    if user is None:
        return None
    below = Department.objects.filter(path__startswith=user.dept.path).values_list("pk", flat=True) if user.dept else []
    held = rights.of_user(user.pk)
    return Actor(
        user_id=user.pk,
        tenant_id=tenant_id,
        name=user.real_name,
        account=user.account,
        dept_id=user.dept_id,
        dept_tree=frozenset(below),
        role_codes=held.role_codes,
        role_ids=held.role_ids,
        codes=held.codes,
        team_ids=frozenset(TeamMember.objects.filter(user=user).values_list("team_id", flat=True)),
        lang=user.lang,
    )


class TokenAuthentication(BaseAuthentication):
    """`Blade-Auth: bearer <access token>`. The Basic header of the family's clients identifies, it proves nothing."""

    def authenticate(self, request: Request) -> tuple[Actor, Session] | None:
        """The actor and the session; None without a header; raises NotSignedIn for a token that does not count."""
        header = request.headers.get("Blade-Auth", "")
        if not header:
            return None
        kind, _space, token = header.partition(" ")
        if kind.lower() != "bearer" or not token or len(token) > 4096:
            raise NotSignedIn("session.invalid", gettext("请求未授权"))
        session = tokens.check(token)
        asked = request.headers.get("Tenant-Id", "")
        if asked and asked != session.tenant.tenant_id:
            raise NotAllowed()
        actor = _snapshot(session)
        if actor is None:
            raise NotSignedIn("session.revoked", gettext("请求未授权"), 40002)
        return self._with_request(actor, session, request), session

    def _with_request(self, actor: Actor, session: Session, request: Any) -> Actor:
        return replace(
            actor,
            session_id=session.pk,
            ip=request.META.get("REMOTE_ADDR", ""),
            request_id=getattr(request, "request_id", ""),
            idempotency_key=request.headers.get("Idempotency-Key", "")[:80],
        )

    def authenticate_header(self, request: Request) -> str:
        """Makes DRF answer 401 where nobody is signed in."""
        return "Bearer"
