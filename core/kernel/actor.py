"""The actor: the person or the system that runs an operation, with the rights that the checks read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from core.kernel.tenancy import PLATFORM

SYSTEM_USER_ID = 0
SYSTEM_NAME = "系统"


@dataclass(frozen=True)
class Actor:
    """A signed-in person, or the system (user_id 0), with the rights held at this moment. Immutable."""

    user_id: int
    tenant_id: str
    name: str
    account: str = ""
    dept_id: int | None = None
    dept_tree: frozenset[int] = frozenset()
    """Ids of the person's department and of all departments below it."""
    dept_path: frozenset[int] = frozenset()
    """Ids of the person's department and of all departments above it."""
    role_codes: frozenset[str] = frozenset()
    role_ids: frozenset[int] = frozenset()
    team_ids: frozenset[int] = frozenset()
    post_ids: frozenset[int] = frozenset()
    codes: frozenset[str] = frozenset()
    """Permission codes such as `repairorder_dispatch`."""
    scopes: Mapping[str, Any] = field(default_factory=dict)
    """Data scope by resource; each value is a core.rest.scopes.Rule."""
    api_scope_ids: frozenset[int] = frozenset()
    closed_paths: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Addresses whose calls need an API scope, with the ids of the scopes that open them; see core.rest.permissions."""
    is_administrator: bool = False
    """Whether the person administers the tenant.

    API scopes do not restrict administrators, so a tenant cannot lock itself out.
    """
    is_platform_administrator: bool = False
    """Whether the person may look into other tenants, one at a time."""
    lang: str = "zh-hans"
    client: str = "web"
    ip: str = ""
    request_id: str = ""
    idempotency_key: str = ""
    session_id: int | None = None
    kept: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Cache of rows read for the actor. Requests share it until the tenant's rights version changes."""

    is_authenticated: bool = field(default=True, init=False)

    @property
    def is_system(self) -> bool:
        """Return whether the actor is a timer, a job or the installation, not a person."""
        return self.user_id == SYSTEM_USER_ID

    @property
    def is_of_platform(self) -> bool:
        """Return whether the person belongs to the platform tenant."""
        return self.tenant_id == PLATFORM

    def may(self, code: str) -> bool:
        """Return whether the actor holds this permission code. The system holds no codes."""
        return code in self.codes


_current: ContextVar[Actor | None] = ContextVar("actor", default=None)


def current_actor() -> Actor | None:
    """Return the actor of this context, or None outside requests, jobs and commands."""
    return _current.get()


@contextmanager
def acting(actor: Actor) -> Iterator[Actor]:
    """Make `current_actor` return this actor inside the `with` block."""
    token = _current.set(actor)
    try:
        yield actor
    finally:
        _current.reset(token)


def system(tenant_id: str) -> Actor:
    """Return the actor that runs timers and jobs of a tenant."""
    return Actor(user_id=SYSTEM_USER_ID, tenant_id=tenant_id, name=SYSTEM_NAME, account="system", client="system")
