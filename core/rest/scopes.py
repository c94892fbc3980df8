"""Data scopes: which rows of a resource a person sees. Scopes of all roles add up; without any, own rows only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from django.db.models import ManyToOneRel, Model, Q, QuerySet

from core.kernel.actor import Actor


class Scope(IntEnum):
    """Kinds of data scope, numbered as the dictionary `data_scope_type`."""

    ALL = 1
    OWN = 2
    DEPARTMENT = 3
    DEPARTMENT_TREE = 4
    CUSTOM = 5
    TEAM = 6
    """Own rows and rows of the person's teams."""


@dataclass(frozen=True)
class Rule:
    """The data scopes of all roles of a person for one resource, combined."""

    kinds: frozenset[Scope] = frozenset({Scope.OWN})
    custom: tuple[str, ...] = field(default=())
    """Texts of custom scopes: filters in the list's own declared names, such as `status=1&urgency_ge=3`."""


OWN = Rule()
ALL = Rule(frozenset({Scope.ALL}))


def rule_of(actor: Actor, resource: str) -> Rule:
    """Return the actor's rule for a resource; the system sees all rows of the tenant."""
    return ALL if actor.is_system else actor.scopes.get(resource, OWN)


def restrict(
    rows: QuerySet[Any], actor: Actor, resource: str, columns: Mapping[str, str], filters: Mapping[str, Any]
) -> QuerySet[Any]:
    """Narrow the queryset to the actor's data scope.

    `columns` maps `user`, `dept` and `team` to the columns that say whose a row is; several columns are joined by
    a comma. `filters` are the declared filters of the list, by which custom scopes are written.
    """
    from core.rest.filters import apply_filters, parse_filters

    rule = rule_of(actor, resource)
    if Scope.ALL in rule.kinds:
        return rows
    seen = _any(rows.model, columns, "user", [actor.user_id])
    if Scope.TEAM in rule.kinds:
        seen |= _any(rows.model, columns, "team", actor.team_ids)
    if Scope.DEPARTMENT in rule.kinds and actor.dept_id is not None:
        seen |= _any(rows.model, columns, "dept", [actor.dept_id])
    if Scope.DEPARTMENT_TREE in rule.kinds:
        seen |= _any(rows.model, columns, "dept", actor.dept_tree)
    for text in rule.custom:
        within = apply_filters(rows.order_by(), filters, parse_filters(text))
        seen |= Q(pk__in=within.values("pk"))
    return rows.filter(seen)


def _any(model: type[Model], columns: Mapping[str, str], word: str, ids: Any) -> Q:
    """Return a condition that one of the columns is among the ids; it matches no row if there is no such column."""
    found = Q(pk__in=[])
    for column in columns.get(word, "").split(","):
        if column:
            found |= _among(model, column, list(ids))
    return found


def _among(model: type[Model], column: str, ids: list[Any]) -> Q:
    """Return the condition that a column is among the ids.

    A column of rows that refer to the row or to one that it names, such as `candidates__user` or
    `order__candidates__user`, is asked in a subquery: joined, the row would come once for each of them.
    """
    steps, related = column.split("__"), model
    for place, step in enumerate(steps[:-1]):
        field: Any = related._meta.get_field(step)
        related = field.related_model
        if isinstance(field, ManyToOneRel):
            referring: Any = related._default_manager.filter(**{f"{'__'.join(steps[place + 1 :])}__in": ids})
            return Q(**{f"{'__'.join(steps[:place]) or 'pk'}__in": referring.values(field.field.attname)})
    return Q(**{f"{column}__in": ids})
