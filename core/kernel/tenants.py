"""Port to the list of tenants, provided by `core.identity`, and the installers that fill a new tenant."""

from __future__ import annotations

from collections.abc import Callable

exists: Callable[[str], bool]
"""Port: returns whether a tenant with this id exists, enabled or not."""
installers: list[Callable[[], object]] = []
"""Functions called once in the scope of a new tenant. Each application adds its own, lower layers first."""
