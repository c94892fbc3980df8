"""Port to the list of tenants, which `core.identity` fills, and what every new tenant is given."""

from __future__ import annotations

from collections.abc import Callable

exists: Callable[[str], bool]
"""Whether there is a tenant of this id, enabled or not."""
installers: list[Callable[[], object]] = []
"""Called in the scope of a new tenant, once: each application adds what it brings, lower ones first."""
