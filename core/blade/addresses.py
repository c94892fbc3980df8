"""Second addresses of the same calls: the Blade family also calls `blade-system/user` as `blade-user`, and so on."""

from __future__ import annotations

_SECOND = (("blade-system/user/", "blade-user/"), ("equip-auth/oauth/", "blade-auth/oauth/"))
"""Second address → first address, each as the beginning of a path without `/api`."""


def first_address(path: str) -> str:
    """Return the first address of a call, without `/api`, for any of its addresses."""
    found = path.strip("/").removeprefix("api/")
    for second, first in _SECOND:
        if found.startswith(second):
            return first + found.removeprefix(second)
    return found


def is_second(path: str) -> bool:
    """Return whether the path is a second address, or one without `/api`."""
    return not path.startswith("/api/") or path.removeprefix("/api/").startswith(tuple(second for second, _ in _SECOND))
