"""The login that owns the tables, where the installation has one beside the login that serves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connection


@contextmanager
def as_owner() -> Iterator[str]:
    """Let the connection be the owner's in the `with` block, and the only one; yield the login that serves.

    Yield '' where one login does both (no DATABASE_OWNER_URL). Only commands that build or copy the whole database come
    here; the processes that serve do not know the owner's password.
    """
    if connection.vendor != "postgresql":
        yield ""
        return
    owner: dict[str, Any] = settings.DATABASE_OWNER
    # A pool may open a second connection beside the first.
    options = {name: value for name, value in connection.settings_dict["OPTIONS"].items() if name != "pool"}
    login = connect_as({**owner, "OPTIONS": options})
    try:
        yield str(login["USER"]) if owner else ""
    finally:
        connect_as(login)


def connect_as(login: dict[str, Any]) -> dict[str, Any]:
    """Connect with these settings from the next statement on, and return what they replaced."""
    before = {name: connection.settings_dict[name] for name in login}
    held = connection.connection
    connection.close()
    wrapper: Any = connection  # pools are PostgreSQL's alone
    if getattr(wrapper, "pool", None):
        wrapper.close_pool()
        # A thread of the pool takes connections back, and is gone by now: nobody would close this one.
        if held is not None and not held.closed:
            held.close()
    connection.settings_dict.update(login)
    return before
