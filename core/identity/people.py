"""Who is who, for the queues: names, and the keys under which steps are offered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet, Value

from core.identity.models import Team, Tenant, User
from core.kernel import rights
from core.kernel.compiled import Compiled
from core.kernel.texts import choose


def _users(ids: list[int]) -> QuerySet[Any]:
    return User.everybody.filter(pk__in=ids).values_list(Value("user"), "pk", "real_name", Value(""))


def _teams(ids: list[int]) -> QuerySet[Any]:
    return Team.objects.filter(pk__in=ids).values_list(Value("team"), "pk", "team_name", "team_name_en")


_NAMES = Compiled(lambda ids: User.everybody.filter(pk__in=ids).values_list("pk", "real_name"))
_USERS, _TEAMS = Compiled(_users), Compiled(_teams)
_BOTH = Compiled(lambda users, teams: _users(users).union(_teams(teams), all=True))


class Directory:
    """Implements kernel.ports.PeoplePort."""

    def names(self, user_ids: set[int]) -> Mapping[int, str]:
        """Real names by user id; 0 is the system. Who left keeps the name."""
        return dict(_NAMES.rows(sorted(user_ids)))

    def candidate_keys(self, rules: list[str]) -> list[str]:
        """The rules as keys, with role codes turned into ids."""
        parsed = [rule.partition(":")[::2] for rule in rules]
        role_ids = rights.role_ids({value.partition("@")[0] for kind, value in parsed if kind == "role"})
        keys: list[str] = []
        for kind, value in parsed:
            if kind == "role":
                code, at, dept = value.partition("@")
                if code in role_ids and not (at and not dept):
                    keys.append(f"role:{role_ids[code]}{at}{dept}")
            elif value:
                keys.append(f"{kind}:{value}")
        return list(dict.fromkeys(keys))

    def describe(self, keys: set[str]) -> Mapping[str, str]:
        """A name for each key; one statement for people and teams, one for roles."""
        ids: dict[str, dict[str, int]] = {"user": {}, "team": {}, "role": {}}
        for key in keys:
            kind, _colon, value = key.partition(":")
            number = value.partition("@")[0]
            if kind in ids and number.isdigit():
                ids[kind][key] = int(number)
        found = _users_and_teams(set(ids["user"].values()), set(ids["team"].values()))
        roles = rights.role_names(set(ids["role"].values())) if ids["role"] else {}
        return {
            **{key: found.get((kind, number), "") for kind in ("user", "team") for key, number in ids[kind].items()},
            **{key: roles.get(number, "") for key, number in ids["role"].items()},
        }


def _users_and_teams(user_ids: set[int], team_ids: set[int]) -> dict[tuple[str, int], str]:
    """Names by kind and id; one statement for both kinds, because lists count theirs."""
    users, teams = sorted(user_ids), sorted(team_ids)
    rows = _BOTH.rows(users, teams) if users and teams else [*_USERS.rows(users), *_TEAMS.rows(teams)]
    return {(kind, pk): choose(zh, en) for kind, pk, zh, en in rows}


def tenant_exists(tenant_id: str) -> bool:
    """Whether there is a tenant of this id, enabled or not."""
    return Tenant.objects.filter(tenant_id=tenant_id).exists()
