"""Port to the rights a person holds; `core.access` fills it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from core.kernel.actor import Actor
from core.kernel.scopes import Rule


@dataclass(frozen=True)
class Rights:
    """Roles and permission codes of one person."""

    role_ids: frozenset[int]
    role_codes: frozenset[str]
    codes: frozenset[str]
    scopes: Mapping[str, Rule]
    """Data scope by resource."""
    api_scope_ids: frozenset[int]
    closed_paths: Mapping[str, frozenset[int]]
    """Paths that the tenant's API scopes cover, with the scopes of which one is needed."""


of_user: Callable[[int], Rights]
"""Rights by user id, inside the tenant's scope."""
role_ids: Callable[[set[str]], dict[str, int]]
"""Ids of the tenant's roles by their codes."""
role_names: Callable[[set[int]], dict[int, str]]
"""Names of roles by id, in the caller's language."""
role_rows: Callable[[list[int]], QuerySet[Any]]
"""Rows of ("role", id, name, English name), to be joined with those of others."""
held_by: Callable[[Collection[int]], Mapping[int, Mapping[int, str]]]
"""By user id the roles held, id → name in the caller's language; one statement, however many people."""
assign: Callable[[Collection[int], Collection[int]], None]
"""Let these people hold these roles and no others; without any check, for operations that have made theirs."""
check_assigning: Callable[[Actor, Collection[int], Collection[int]], None]
"""Raise Missing for roles that are not the tenant's, NotAllowed for those that the actor may not give or take."""
check_managing: Callable[[Actor, Collection[int]], None]
"""Raise NotAllowed when one of these people holds more than the actor."""
has_administrator: Callable[[], bool]
"""Whether somebody who may sign in still administers the tenant in scope."""
