"""Who is who, for the queues: names, and the keys under which steps are offered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Count, Q, QuerySet, Value
from django.utils.translation import gettext as _

from core.identity import heads
from core.identity.models import Department, Post, Team, TeamMember, Tenant, User
from core.kernel.ids import is_id
from core.kernel.texts import choose
from core.rest import rights
from core.statements.compiled import Compiled


def _users(ids: list[int]) -> QuerySet[Any]:
    return User.with_removed.filter(pk__in=ids).values_list(Value("user"), "pk", "real_name", Value(""))


def _teams(ids: list[int]) -> QuerySet[Any]:
    return Team.objects.filter(pk__in=ids).values_list(Value("team"), "pk", "team_name", "team_name_en")


_NAMES = Compiled(lambda ids: User.with_removed.filter(pk__in=ids).values_list("pk", "real_name"))


def _posts(ids: list[int]) -> QuerySet[Any]:
    return Post.objects.filter(pk__in=ids).values_list(Value("post"), "pk", "post_name", "post_name_en")


def _depts(ids: list[int]) -> QuerySet[Any]:
    return Department.objects.filter(pk__in=ids).values_list(Value("dept"), "pk", "dept_name", "dept_name_en")


_ALL = Compiled(
    lambda users, teams, roles, posts, depts: _users(users).union(
        _teams(teams), rights.role_rows(roles), _posts(posts), _depts(depts), all=True
    )
)
_NOBODY = [-1]
_NAMED_BY = {"user": "user", "team": "team", "role": "role", "post": "post", "dept": "dept", "deptTree": "dept"}
"""By kind of key the kind of row whose name it shows."""


def _holding(key: str) -> Q:
    """Who holds a candidate key; nobody where it is none."""
    kind, _colon, value = key.partition(":")
    number, _at, dept = value.partition("@")
    if kind not in _NAMED_BY or not all(map(is_id, (number, dept or "0"))):
        return Q(pk__in=[])
    held: dict[str, dict[str, Any]] = {
        "user": {"pk": number},
        "team": {"teams__team_id": number},
        "role": {"roles__role_id": number},
        "post": {"posts__post_id": number, "posts__post__is_deleted": False},
        "dept": {"dept_id": number},
        "deptTree": {"dept__path__contains": f"/{number}/"},
    }
    own = held[kind]
    return Q(**own, dept_id=dept) if dept and kind in ("role", "post") else Q(**own)


def _post_ids(codes: set[str]) -> dict[str, int]:
    """Return the ids of posts by code; no statement without a code."""
    return dict(Post.objects.filter(post_code__in=codes).values_list("post_code", "pk")) if codes else {}


def _called(key: str, name: str) -> str:
    return _("{name}及下级部门").format(name=name) if name and key.startswith("deptTree:") else name


class Directory:
    """Implements kernel.ports.PeoplePort."""

    def names(self, user_ids: set[int]) -> Mapping[int, str]:
        """Real names by user id; 0 is the system. Who left keeps the name."""
        return dict(_NAMES.rows(sorted(user_ids)))

    def candidate_keys(self, rules: Iterable[str]) -> Mapping[str, str]:
        """By rule its key, with codes of roles and posts turned into ids, and heads into people."""
        parsed = {rule: rule.partition(":")[::2] for rule in rules}

        def codes(of_kind: str) -> set[str]:
            return {value.partition("@")[0] for kind, value in parsed.values() if kind == of_kind}

        ids = {"role": rights.role_ids(codes("role")), "post": _post_ids(codes("post"))}
        places = {rule: heads.place_of(value) for rule, (kind, value) in parsed.items() if kind == "head"}
        found = heads.heads_of({place for place in places.values() if place is not None}) if places else {}
        keys: dict[str, str] = {}
        for rule, (kind, value) in parsed.items():
            if kind in ids:
                code, at, dept = value.partition("@")
                if code in ids[kind] and not (at and not dept):
                    keys[rule] = f"{kind}:{ids[kind][code]}{at}{dept}"
            elif kind == "head":
                place = places[rule]
                if place is not None and place in found:
                    keys[rule] = f"user:{found[place]}"
            elif value:
                keys[rule] = f"{kind}:{value}"
        return keys

    def behind(self, keys: Iterable[str]) -> QuerySet[Any]:
        """One statement for all kinds together."""
        who = Q(pk__in=[])
        for key in keys:
            who |= _holding(key)
        return User.objects.filter(who, is_enabled=True).order_by("pk").distinct()

    def counts(self, keys: Iterable[str]) -> Mapping[str, int]:
        """One statement, however many keys."""
        asked = list(keys)
        if not asked:
            return {}
        each = {f"n{number}": Count("pk", filter=_holding(key), distinct=True) for number, key in enumerate(asked)}
        found = User.objects.filter(is_enabled=True).aggregate(**each)
        return {key: int(found[f"n{number}"]) for number, key in enumerate(asked)}

    def describe(self, keys: set[str]) -> Mapping[str, str]:
        """A name for each key; one statement for all kinds together, because lists count theirs."""
        rows: dict[str, tuple[str, int]] = {}
        for key in keys:
            kind, _colon, value = key.partition(":")
            number = value.partition("@")[0]
            if kind in _NAMED_BY and is_id(number):
                rows[key] = (_NAMED_BY[kind], int(number))
        if not rows:
            return {}
        ids = {kind: sorted({pk for one, pk in rows.values() if one == kind}) for kind in _NAMED_BY.values()}
        found = _ALL.rows(*(one or _NOBODY for one in ids.values()))
        names = {(kind, pk): choose(zh, en) for kind, pk, zh, en in found}
        return {key: _called(key, names.get(row, "")) for key, row in rows.items()}

    def active(self, words: set[str]) -> Mapping[str, int]:
        """By id or account."""
        ids = [int(word) for word in words if is_id(word)]
        found = User.objects.filter(Q(pk__in=ids) | Q(account__in=words), is_enabled=True)
        rows = list(found.values_list("pk", "account")) if words else []
        # An account may look like an id: whose id it is wins.
        return {word: pk for pk, account in rows for word in (account,) if word in words} | {
            str(pk): pk for pk, _account in rows if str(pk) in words
        }

    def head_of(self, user_id: int) -> int | None:
        """One statement for the own department; where it has no head, or the person is it, one for all above."""
        own = User.objects.filter(pk=user_id).values_list(
            "dept__path", "dept__leader_id", "dept__leader__is_enabled", "dept__leader__is_deleted"
        )
        path, head, is_enabled, is_deleted = own.first() or (None, None, False, True)
        if head not in (None, user_id) and is_enabled and not is_deleted:
            return int(head)
        above = [int(step) for step in (path or "").split("/") if step]
        heads = Department.objects.filter(pk__in=above, leader__is_enabled=True, leader__is_deleted=False)
        found = dict(heads.exclude(leader_id=user_id).values_list("pk", "leader_id"))
        return next((found[dept] for dept in reversed(above) if dept in found), None)


def tenant_exists(tenant_id: str) -> bool:
    """Return whether there is a tenant of this id, enabled or not."""
    return Tenant.objects.filter(tenant_id=tenant_id).exists()


def leader_of_team(team_id: int | None) -> int | None:
    """The team's leader."""
    return Team.objects.filter(pk=team_id).values_list("leader_id", flat=True).first() if team_id else None


def team_people(team_id: int | None) -> list[int | None]:
    """Everybody in the team."""
    return list(TeamMember.objects.filter(team_id=team_id).values_list("user_id", flat=True)) if team_id else []
