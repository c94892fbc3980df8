"""Port to roles and permissions of people. `core.access` provides the functions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from core.kernel.actor import Actor
from core.rest.scopes import Rule


@dataclass(frozen=True)
class Rights:
    """Roles and permission codes of one person."""

    role_ids: frozenset[int]
    role_codes: frozenset[str]
    codes: frozenset[str]
    is_administrator: bool
    is_platform_administrator: bool
    scopes: Mapping[str, Rule]
    """Data scope by resource."""
    api_scope_ids: frozenset[int]
    closed_paths: Mapping[str, frozenset[int]]
    """Addresses whose calls need an API scope, each with the ids of the scopes that open it."""


of_users: Callable[[Collection[int]], Mapping[int, Rights]]
"""Return the rights of each of these users of the current tenant, in as many statements as for one."""
role_ids: Callable[[set[str]], dict[str, int]]
"""Return the ids of the tenant's roles with these codes."""
role_names: Callable[[set[int]], dict[int, str]]
"""Return the names of roles by id, in the caller's language."""
role_rows: Callable[[list[int]], QuerySet[Any]]
"""Return a queryset of ("role", id, name, English name), for a union with other names."""
held_by: Callable[[Collection[int]], Mapping[int, Mapping[int, str]]]
"""Return the roles of each user, id → name in the caller's language, in one statement."""
assign: Callable[[Collection[int], Collection[int]], None]
"""Give these people exactly these roles. It checks nothing; the calling operation does."""
check_assigning: Callable[[Actor, Collection[int], Collection[int]], None]
"""Raise Missing for roles that are not the tenant's, NotAllowed for those that the actor may not give or take."""
check_managing: Callable[[Actor, Collection[int]], None]
"""Raise NotAllowed when one of these people holds more than the actor."""
within: Callable[[Actor, Collection[int] | None], AbstractContextManager[None]]
"""Raise NotAllowed when the block gives these people, or takes from them, what the actor does not hold; with None
everybody and all roles. It locks the tenant, before any other row is locked."""
has_administrator: Callable[[], bool]
"""Return whether the current tenant has an administrator who can sign in."""
