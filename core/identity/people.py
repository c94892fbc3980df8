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
_ALL = Compiled(lambda users, teams, roles: _users(users).union(_teams(teams), rights.role_rows(roles), all=True))
_NOBODY = [-1]


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
        """A name for each key; one statement for people, teams and roles together, because lists count theirs."""
        ids: dict[str, dict[str, int]] = {"user": {}, "team": {}, "role": {}}
        for key in keys:
            kind, _colon, value = key.partition(":")
            number = value.partition("@")[0]
            if kind in ids and number.isdigit():
                ids[kind][key] = int(number)
        if not any(ids.values()):
            return {}
        asked = [sorted(set(found.values())) or _NOBODY for found in ids.values()]
        names = {(kind, pk): choose(zh, en) for kind, pk, zh, en in _ALL.rows(*asked)}
        return {key: names.get((kind, pk), "") for kind, found in ids.items() for key, pk in found.items()}


def tenant_exists(tenant_id: str) -> bool:
    """Whether there is a tenant of this id, enabled or not."""
    return Tenant.objects.filter(tenant_id=tenant_id).exists()
