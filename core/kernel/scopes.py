"""Data scope: which rows of a resource a person sees. The roles' scopes add up; without any one sees one's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from django.db.models import Q, QuerySet

from core.kernel.actor import Actor


class Scope(IntEnum):
    """Kinds of data scope, numbered as the dictionary `data_scope_type`."""

    ALL = 1
    OWN = 2
    DEPARTMENT = 3
    DEPARTMENT_TREE = 4
    CUSTOM = 5
    TEAM = 6
    """Own rows and those of the own teams."""


@dataclass(frozen=True)
class Rule:
    """What a person's roles hold for one resource, taken together."""

    kinds: frozenset[Scope] = frozenset({Scope.OWN})
    custom: tuple[str, ...] = field(default=())
    """Texts of custom scopes: filters in the list's own declared names, such as `status=1&urgency_ge=3`."""


OWN = Rule()
ALL = Rule(frozenset({Scope.ALL}))


def rule_of(actor: Actor, resource: str) -> Rule:
    """The actor's rule for a resource; the system sees the tenant."""
    return ALL if actor.is_system else actor.scopes.get(resource, OWN)


def restrict(
    rows: QuerySet[Any], actor: Actor, resource: str, columns: Mapping[str, str], filters: Mapping[str, Any]
) -> QuerySet[Any]:
    """The rows within the actor's scope.

    `columns` maps `user`, `dept` and `team` to the columns that say whose a row is, several for one word joined by
    a comma. `filters` are the list's declared filters, which custom scopes are written in.
    """
    from core.kernel.filters import apply_filters, parse_filters

    rule = rule_of(actor, resource)
    if Scope.ALL in rule.kinds:
        return rows
    seen = _any(columns, "user", [actor.user_id])
    if Scope.TEAM in rule.kinds:
        seen |= _any(columns, "team", actor.team_ids)
    if Scope.DEPARTMENT in rule.kinds and actor.dept_id is not None:
        seen |= _any(columns, "dept", [actor.dept_id])
    if Scope.DEPARTMENT_TREE in rule.kinds:
        seen |= _any(columns, "dept", actor.dept_tree)
    for text in rule.custom:
        within = apply_filters(rows.order_by(), filters, parse_filters(text))
        seen |= Q(pk__in=within.values("pk"))
    return rows.filter(seen)


def _any(columns: Mapping[str, str], word: str, ids: Any) -> Q:
    """Rows of which one of the word's columns is among the ids; none where there is no such column."""
    found = Q(pk__in=[])
    for column in columns.get(word, "").split(","):
        if column:
            found |= Q(**{f"{column}__in": list(ids)})
    return found
