"""What people and roles hold, and the one rule of giving: nobody gives or takes what they do not hold.

A holding is a set of small facts, each a tuple: a permission code, an alias or a post that models name, rows of a
resource, an API scope, the head's place of a department. `within` compares the holdings before and after an edit; each
fact that somebody gains or loses by it has to be among those of the person who edits. Rows are compared as what is seen
from where somebody sits: the same scope shows other rows in another department.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from core import ports
from core.access.models import RESERVED, Role, RoleApiScope, RoleDataScope, RoleMenu, UserRole
from core.identity.models import Department, TeamMember, Tenant, User, UserPost
from core.kernel.actor import Actor
from core.kernel.errors import NotAllowed
from core.kernel.tenancy import PLATFORM, current_tenant
from core.rest.scopes import Scope

Fact = tuple[Any, ...]
Holding = frozenset[Fact]
NOTHING: Holding = frozenset()

_NARROWER = {Scope.DEPARTMENT: Scope.DEPARTMENT_TREE}


@dataclass(frozen=True)
class _Snapshot:
    """Who holds what at a moment."""

    roles: Mapping[int, Holding]
    """By role, as seen from no department in particular."""
    people: Mapping[int, Holding]
    departments: Mapping[int, str]
    """By id the path."""
    heads: frozenset[Fact]
    """The head's places that departments name themselves."""


def holds_everything(actor: Actor) -> bool:
    """Return whether the person gives all there is: an administrator of the company, or of the platform."""
    if actor.is_system or actor.is_platform_administrator:
        return True
    return actor.is_administrator and current_tenant() != PLATFORM


def lock() -> None:
    """Let one person at a time change who holds what in the company; it comes before any other row is locked."""
    list(Tenant.objects.filter(tenant_id=current_tenant()).select_for_update(no_key=True).values_list("pk"))


@contextmanager
def within(actor: Actor, people: Collection[int] | None = None) -> Iterator[None]:
    """Raise NotAllowed when the block gives or takes what the actor does not hold.

    Looked at are these people, who may be added to the collection inside the block; None for everybody and all roles.
    """
    lock()
    if holds_everything(actor):
        yield
        return
    before = _snapshot(people, actor)
    yield
    after = _snapshot(people, actor)
    mine = _own(before, actor)
    moved = _moved(before.roles, after.roles) | _moved(before.people, after.people)
    made = {pk: path for pk, path in after.departments.items() if pk not in before.departments}
    if not all(_covers(mine, fact, made) for fact in moved if _counts(fact, before, after)):
        raise NotAllowed(_("不能授予或收回自己没有的权限"))


def check_holding_of(actor: Actor, user_ids: Collection[int], text: str) -> None:
    """Raise NotAllowed when one of these people holds something that the actor does not."""
    now = _snapshot(user_ids, actor)
    mine = now.people.get(actor.user_id, NOTHING)
    others = {fact for user_id in user_ids for fact in now.people.get(user_id, NOTHING)}
    if not all(_covers(mine, fact) for fact in others):
        raise NotAllowed(text)


def givable_roles(actor: Actor, roles: Iterable[Role]) -> frozenset[int]:
    """Return the ids of those roles of which the person holds everything, as far as roles alone can say."""
    aliases = {role.pk: role.role_alias for role in roles}
    if holds_everything(actor):
        return frozenset(aliases)
    held = _of_roles({**aliases, **dict.fromkeys(actor.role_ids, "")}, named_aliases())
    mine = NOTHING.union(*(held[role] for role in actor.role_ids)) | {("alias", alias) for alias in actor.role_codes}
    return frozenset(pk for pk in aliases if all(_covers(mine, fact) for fact in held[pk]))


def may_give_scope(actor: Actor) -> Callable[[Any], bool]:
    """Return a test of whether the person holds all that a data scope shows."""
    if holds_everything(actor):
        return lambda _scope: True
    mine = NOTHING.union(*_of_roles(dict.fromkeys(actor.role_ids, ""), ()).values())
    return lambda scope: all(
        _covers(mine, fact) for fact in _plain(scope.resource_code, Scope(scope.scope_type), scope.scope_value)
    )


def named_aliases() -> frozenset[str]:
    """Return the aliases that mean something beyond what their roles are granted."""
    return frozenset({*RESERVED, *(rule.removesuffix("@") for rule in ports.named_roles())})


# --- facts ----------------------------------------------------------------------------------------------------------


def _own(now: _Snapshot, actor: Actor) -> Holding:
    """Return what the actor holds, both from the actor's place and from no place in particular."""
    return now.people.get(actor.user_id, NOTHING).union(*(now.roles.get(role, NOTHING) for role in actor.role_ids))


def _moved(before: Mapping[int, Holding], after: Mapping[int, Holding]) -> set[Fact]:
    pairs = {(before.get(pk, NOTHING), after.get(pk, NOTHING)) for pk in before.keys() | after.keys()}
    return {fact for one, other in pairs if one != other for fact in one ^ other}


def _department_of(fact: Fact) -> int | None:
    kind, *rest = fact
    if kind == "rows" and rest[1] == "dept":
        return int(rest[2])
    if kind == "post":
        return int(rest[1])
    return int(rest[0]) if kind == "head" else None


def _counts(fact: Fact, before: _Snapshot, after: _Snapshot) -> bool:
    """Return whether something was given or taken: a department that comes or goes is empty, and gives nothing.

    To head a new department is something only where that department says so itself.
    """
    dept = _department_of(fact)
    if dept is None or (dept in before.departments and dept in after.departments):
        return True
    return dept in after.departments and fact in after.heads


def _covers(mine: Holding, fact: Fact, made: Mapping[int, str] = MappingProxyType({})) -> bool:
    """Return whether a fact is among the held ones, or lies within one of them.

    `made` are the paths of departments that the edit makes: one that is moved brings people and rows with it.
    """
    if fact in mine:
        return True
    kind, *rest = fact
    if kind == "rows":
        return ("rows", rest[0], "all", 0) in mine
    if kind == "kind":
        wider = _NARROWER.get(rest[1])
        return ("rows", rest[0], "all", 0) in mine or ("kind", rest[0], wider) in mine
    if kind == "head":
        # Whoever heads a department heads those that are made below it.
        return any(("head", above) in mine for above in _steps(made.get(rest[0], "")))
    return False


def _steps(path: str) -> list[int]:
    return [int(step) for step in path.split("/") if step]


def _plain(resource: str, kind: Scope, text: str) -> Iterator[Fact]:
    """Yield what a data scope shows, from no department in particular. One's own rows everybody sees."""
    if kind == Scope.ALL:
        yield ("rows", resource, "all", 0)
    elif kind == Scope.CUSTOM:
        yield ("rows", resource, "text", text)
    elif kind != Scope.OWN:
        yield ("kind", resource, kind)


def _snapshot(people: Collection[int] | None, actor: Actor) -> _Snapshot:
    """Return what roles hold, and of these people (of everybody where it is None) and the actor; ten statements."""
    aliases = dict(Role.objects.values_list("pk", "role_alias"))
    named = ports.named_roles()
    roles = _of_roles(aliases, {*RESERVED, *(rule.removesuffix("@") for rule in named)})
    departments = {pk: (path, leader) for pk, path, leader in Department.objects.values_list("pk", "path", "leader_id")}
    paths = {pk: path for pk, (path, _leader) in departments.items()}
    seats = _Seats(roles, aliases, named, paths)
    return _Snapshot(
        roles=seats.roles,
        people=_people(people, actor, seats, departments, _posts(named)),
        departments=paths,
        heads=frozenset(("head", pk) for pk, (_path, leader) in departments.items() if leader is not None),
    )


def _of_roles(aliases: Mapping[int, str], counting: Collection[str]) -> dict[int, Holding]:
    """Return what roles hold, by role; `counting` are the aliases that mean something. Three statements."""
    roles: dict[int, set[Fact]] = {
        pk: {("alias", alias)} if alias in counting else set() for pk, alias in aliases.items()
    }
    for pk, code in RoleMenu.objects.filter(role__in=aliases).values_list("role_id", "menu__code"):
        roles[pk].add(("code", code))
    keys = RoleApiScope.objects.filter(role__in=aliases, scope__is_deleted=False)
    for pk, scope in keys.values_list("role_id", "scope_id"):
        roles[pk].add(("api", scope))
    scopes = RoleDataScope.objects.filter(role__in=aliases, scope__is_deleted=False)
    for pk, resource, kind, text in scopes.values_list(
        "role_id", "scope__resource_code", "scope__scope_type", "scope__scope_value"
    ):
        roles[pk].update(_plain(resource, Scope(kind), text))
    return {pk: frozenset(found) for pk, found in roles.items()}


def _posts(named: Collection[str]) -> QuerySet[UserPost]:
    """Return who holds a post that a model names: the model's tasks go to whoever has it."""
    codes = [one.removeprefix("post:") for one in named if one.startswith("post:")]
    return (
        UserPost.objects.filter(post__post_code__in=codes, post__is_deleted=False) if codes else UserPost.objects.none()
    )


def _people(
    people: Collection[int] | None,
    actor: Actor,
    seats: _Seats,
    departments: Mapping[int, tuple[str, int | None]],
    posts: QuerySet[UserPost],
) -> dict[int, Holding]:
    users, held, teams = User.objects.all(), UserRole.objects.filter(role__in=seats.roles), TeamMember.objects.all()
    if people is not None:
        ids = {*people, actor.user_id}
        users, held, teams = users.filter(pk__in=ids), held.filter(user_id__in=ids), teams.filter(user_id__in=ids)
        posts = posts.filter(user_id__in=ids)
    own = _sets(held.values_list("user_id", "role_id"))
    mates = _sets(teams.values_list("user_id", "team_id"))
    has = _sets(posts.values_list("user_id", "post_id"))
    led = _sets((leader, pk) for pk, (_path, leader) in departments.items() if leader is not None)
    return {
        pk: seats.seen_from(own.get(pk, frozenset()), dept, mates.get(pk, frozenset()))
        | _headed(led.get(pk, frozenset()), seats.paths)
        | {("position", post) for post in has.get(pk, ())}
        for pk, dept in users.values_list("pk", "dept_id")
    }


def _headed(led: frozenset[int], paths: Mapping[int, str]) -> Holding:
    """Return the head's places of the departments and of all below them, which fall to the next head above."""
    return frozenset(("head", pk) for pk, path in paths.items() if not led.isdisjoint(_steps(path))) if led else NOTHING


def _sets(pairs: Iterable[tuple[int, int]]) -> dict[int, frozenset[int]]:
    found: dict[int, set[int]] = {}
    for one, other in pairs:
        found.setdefault(one, set()).add(other)
    return {one: frozenset(others) for one, others in found.items()}


class _Seats:
    """What the roles hold, seen from where people sit; worked out once for all who sit alike."""

    def __init__(
        self,
        roles: Mapping[int, Holding],
        aliases: Mapping[int, str],
        named: Collection[str],
        paths: Mapping[int, str],
    ):
        self.roles, self._aliases, self._named, self.paths = roles, aliases, named, paths
        self.seen_from = lru_cache(maxsize=None)(self._seen_from)

    def _seen_from(self, own: frozenset[int], dept: int | None, teams: frozenset[int]) -> Holding:
        found: set[Fact] = set()
        for fact in NOTHING.union(*(self.roles[role] for role in own)):
            if fact[0] != "kind":
                found.add(fact)
                continue
            _kind, resource, kind = fact
            if kind == Scope.TEAM:
                found.update(("rows", resource, "team", team) for team in teams)
            elif dept is not None:
                below = self._below(dept) if kind == Scope.DEPARTMENT_TREE else {dept}
                found.update(("rows", resource, "dept", one) for one in below)
        if dept is not None:
            found.update(
                ("post", self._aliases[role], dept) for role in own if f"{self._aliases[role]}@" in self._named
            )
        return frozenset(found)

    def _below(self, dept: int) -> set[int]:
        top = self.paths.get(dept, "")
        return {pk for pk, path in self.paths.items() if top and path.startswith(top)}
