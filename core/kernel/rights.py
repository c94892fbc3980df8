"""Port to the rights a person holds; `core.access` fills it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Rights:
    """Roles and permission codes of one person."""

    role_ids: frozenset[int]
    role_codes: frozenset[str]
    codes: frozenset[str]


of_user: Callable[[int], Rights]
"""Rights by user id, inside the tenant's scope."""
role_ids: Callable[[set[str]], dict[str, int]]
"""Ids of the tenant's roles by their codes."""
role_names: Callable[[set[int]], dict[int, str]]
"""Names of roles by id, in the caller's language."""
