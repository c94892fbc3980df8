"""Who is who, for the queues: names, and the keys under which steps are offered."""

from __future__ import annotations

from collections.abc import Mapping

from core.identity.models import Team, User
from core.kernel import rights


class Directory:
    """Implements kernel.ports.PeoplePort."""

    def names(self, user_ids: set[int]) -> Mapping[int, str]:
        """Real names by user id; 0 is the system."""
        found = dict(User.objects.filter(pk__in=user_ids).values_list("pk", "real_name")) if user_ids else {}
        return found

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
        """A name for each key; at most one statement a kind."""
        ids: dict[str, dict[str, int]] = {"user": {}, "team": {}, "role": {}}
        for key in keys:
            kind, _colon, value = key.partition(":")
            number = value.partition("@")[0]
            if kind in ids and number.isdigit():
                ids[kind][key] = int(number)
        users = self.names(set(ids["user"].values()))
        teams = (
            {team.pk: str(team) for team in Team.objects.filter(pk__in=set(ids["team"].values()))}
            if ids["team"]
            else {}
        )
        roles = rights.role_names(set(ids["role"].values())) if ids["role"] else {}
        return {
            **{key: users.get(number, "") for key, number in ids["user"].items()},
            **{key: teams.get(number, "") for key, number in ids["team"].items()},
            **{key: roles.get(number, "") for key, number in ids["role"].items()},
        }
