"""From the token header to the actor: one statement a request, the person's rights from a snapshot."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from core.identity import security, tickets, tokens
from core.identity.models import Department, Session, TeamMember, User, UserPost
from core.kernel.actor import Actor
from core.kernel.errors import Invalid, NotAllowed, NotSignedIn, Refusal
from core.kernel.tenancy import tenant_scope
from core.kernel.texts import plural
from core.rest import rights
from core.rest.permissions import PUBLIC

LONGEST_KEY = 80
"""Characters of an idempotency key."""
_MOST_SNAPSHOTS = 5000
_snapshots: OrderedDict[tuple[int, int, int], Actor | None] = OrderedDict()


def _snapshot(session: Session) -> Actor | None:
    """Return the session's person with all rights, kept until the session's or the tenant's rights version moves."""
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
    """Return the person as an actor, inside the tenant's scope; None when disabled or gone."""
    return actors_of([user_id], tenant_id).get(user_id)


def actors_of(user_ids: Iterable[int], tenant_id: str) -> dict[int, Actor]:
    """Return people as actors, inside the tenant's scope, without those who are disabled or gone.

    As many statements as for one person.
    """
    users = list(User.objects.select_related("dept").filter(pk__in=list(user_ids), is_enabled=True))
    ids = [user.pk for user in users]
    held = rights.of_users(ids) if ids else {}
    teams: dict[int, set[int]] = {}
    for user_id, team_id in TeamMember.objects.filter(user__in=ids).values_list("user_id", "team_id"):
        teams.setdefault(user_id, set()).add(team_id)
    posts: dict[int, set[int]] = {}
    held_posts = UserPost.objects.filter(user__in=ids, post__is_deleted=False) if ids else UserPost.objects.none()
    for user_id, post_id in held_posts.values_list("user_id", "post_id"):
        posts.setdefault(user_id, set()).add(post_id)
    trees = _departments_below({user.dept.path for user in users if user.dept})
    return {
        user.pk: Actor(
            user_id=user.pk,
            tenant_id=tenant_id,
            name=user.real_name,
            account=user.account,
            dept_id=user.dept_id,
            dept_tree=trees[user.dept.path] if user.dept else frozenset(),
            dept_path=frozenset(map(int, user.dept.path.strip("/").split("/"))) if user.dept else frozenset(),
            role_codes=held[user.pk].role_codes,
            role_ids=held[user.pk].role_ids,
            codes=held[user.pk].codes,
            is_administrator=held[user.pk].is_administrator,
            is_platform_administrator=held[user.pk].is_platform_administrator,
            scopes=held[user.pk].scopes,
            api_scope_ids=held[user.pk].api_scope_ids,
            closed_paths=held[user.pk].closed_paths,
            team_ids=frozenset(teams.get(user.pk, ())),
            post_ids=frozenset(posts.get(user.pk, ())),
            lang=user.lang,
        )
        for user in users
    }


def _departments_below(paths: set[str]) -> dict[str, frozenset[int]]:
    """Return by path of a department its id and those of all departments below it; one statement."""
    within = Q(pk__in=[])
    for path in paths:
        within |= Q(path__startswith=path)
    found = list(Department.objects.filter(within).values_list("pk", "path")) if paths else []
    return {path: frozenset(pk for pk, below in found if below.startswith(path)) for path in paths}


class MustChangePassword(Refusal):
    """The password is one that was made up for the person: first it has to be replaced."""

    status = 403

    def __init__(self) -> None:
        super().__init__("password.mustChange", gettext("请先修改初始密码"))


class TokenAuthentication(BaseAuthentication):
    """`Blade-Auth: bearer <access token>`. The Basic header of the family's clients identifies, it proves nothing.

    A token in the address is not looked at: addresses are kept in logs and histories. What a call of `by_ticket`
    takes there is a ticket for that one download.
    """

    def authenticate(self, request: Request) -> tuple[Actor, Session] | None:
        """The actor and the session; None where there is none, and the reason is kept for calls that need one."""
        header = request.headers.get("Blade-Auth", "")
        try:
            found = self._session(header) if header else self._by_ticket(request)
            if found is None:
                return None
            session, actor = found
        except NotSignedIn as refusal:
            request.session_refusal = refusal  # type: ignore[attr-defined]
            return None
        asked = request.headers.get("Tenant-Id", "")
        if asked and asked != session.tenant.tenant_id:
            raise NotAllowed()
        if session.is_limited:
            actor = self._limited(actor, request)
        return self._with_request(actor, session, request), session

    def _session(self, header: str) -> tuple[Session, Actor]:
        kind, _space, token = header.partition(" ")
        if kind.lower() != "bearer" or not token:
            raise NotSignedIn("session.invalid", gettext("请求未授权"))
        return self._with_person(tokens.check(token))

    def _by_ticket(self, request: Request) -> tuple[Session, Actor] | None:
        if not any(name.lower() == tickets.PARAMETER for name in request.query_params):
            return None
        view: Any = (request.parser_context or {})["view"]
        session_id = tickets.redeem(request.get_full_path()) if view.action in view.by_ticket else None
        if session_id is None:
            security.note("token.inAddress", path=request.path, ip=request.META.get("REMOTE_ADDR", ""))
            return None
        return self._with_person(tokens.living(session_id))

    def _with_person(self, session: Session) -> tuple[Session, Actor]:
        actor = _snapshot(session)
        if actor is None:
            raise NotSignedIn("session.revoked", gettext("登录已失效，请重新登录"), 40002)
        return session, actor

    def _limited(self, actor: Actor, request: Request) -> Actor:
        """Return the person without any right, for the few calls that the change of the password needs."""
        view: Any = (request.parser_context or {})["view"]
        action = view.action
        if action is not None and action not in view.before_password_change and view.codes.get(action) != PUBLIC:
            raise MustChangePassword()
        nobody: frozenset[Any] = frozenset()
        return replace(
            actor,
            role_codes=nobody,
            role_ids=nobody,
            team_ids=nobody,
            post_ids=nobody,
            codes=nobody,
            is_administrator=False,
            is_platform_administrator=False,
            scopes={},
            api_scope_ids=nobody,
            closed_paths={},
            kept={},  # notes of the person with all rights
        )

    def _with_request(self, actor: Actor, session: Session, request: Any) -> Actor:
        return replace(
            actor,
            session_id=session.pk,
            ip=request.META.get("REMOTE_ADDR", ""),
            request_id=getattr(request, "request_id", ""),
            idempotency_key=self._idempotency_key(request),
        )

    @staticmethod
    def _idempotency_key(request: Any) -> str:
        """Return the key; cut short, two different ones would be one."""
        key: str = request.headers.get("Idempotency-Key", "")
        if len(key) > LONGEST_KEY:
            text = plural("{field}长度不能超过{n}个字符", LONGEST_KEY, field="Idempotency-Key")
            raise Invalid({"Idempotency-Key": text})
        return key

    def authenticate_header(self, request: Request) -> str:
        """Makes DRF answer 401 where nobody is signed in."""
        return "Bearer"
