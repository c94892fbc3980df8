"""Who acts: the person or the system behind an operation, with what the rights checks need to know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from core.kernel.tenancy import PLATFORM

SYSTEM_USER_ID = 0


@dataclass(frozen=True)
class Actor:
    """A snapshot of a signed-in person (or the system, user_id 0) and of the rights held at this moment."""

    user_id: int
    tenant_id: str
    name: str
    account: str = ""
    dept_id: int | None = None
    dept_tree: frozenset[int] = frozenset()
    """The own department and all below it."""
    role_codes: frozenset[str] = frozenset()
    role_ids: frozenset[int] = frozenset()
    team_ids: frozenset[int] = frozenset()
    codes: frozenset[str] = frozenset()
    """Permission codes such as `repairorder_dispatch`."""
    scopes: Mapping[str, Any] = field(default_factory=dict)
    """Data scope by resource: a core.kernel.scopes.Rule each."""
    api_scope_ids: frozenset[int] = frozenset()
    closed_paths: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """Paths that API scopes of the tenant cover, and the scopes of which one is needed; see kernel.permissions."""
    lang: str = "zh-hans"
    client: str = "web"
    ip: str = ""
    request_id: str = ""
    idempotency_key: str = ""
    session_id: int | None = None
    kept: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """What was read for the actor and stays true as long as the tenant's rights version does; requests share it."""

    is_authenticated: bool = field(default=True, init=False)

    @property
    def is_system(self) -> bool:
        """Whether nobody in person acts: a timer, a job, the installation."""
        return self.user_id == SYSTEM_USER_ID

    @property
    def is_of_platform(self) -> bool:
        """Whether the person belongs to the tenant that runs the installation."""
        return self.tenant_id == PLATFORM

    @property
    def is_platform_administrator(self) -> bool:
        """Whether the person may look into other tenants, one at a time."""
        return self.is_of_platform and "administrator" in self.role_codes

    def may(self, code: str) -> bool:
        """Whether this permission code is held; the system holds none and is never asked."""
        return code in self.codes


_current: ContextVar[Actor | None] = ContextVar("actor", default=None)


def current_actor() -> Actor | None:
    """Who acts in this context; None outside requests, jobs and commands."""
    return _current.get()


@contextmanager
def acting(actor: Actor) -> Iterator[Actor]:
    """Let `current_actor` answer this actor inside the block."""
    token = _current.set(actor)
    try:
        yield actor
    finally:
        _current.reset(token)


def system(tenant_id: str) -> Actor:
    """The actor behind timers and jobs of a tenant."""
    return Actor(user_id=SYSTEM_USER_ID, tenant_id=tenant_id, name="系统", account="system", client="system")
