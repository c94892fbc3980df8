"""The act: what an operation tells the audit, filled in while it runs and written once, in the same transaction."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from core.kernel.actor import Actor


@dataclass
class Act:
    """One act of a person or the system; becomes one event row."""

    operation: str
    actor: Actor
    business_type: str = ""
    business_id: int | None = None
    from_status: int | None = None
    to_status: int | None = None
    remark: str = ""
    instance_id: int | None = None
    work_item_id: int | None = None
    node: str = ""
    round: int = 0
    outcome: str = ""
    from_holder: int | None = None
    """Who held the step before and after, where the act is one on a step."""
    to_holder: int | None = None
    effects: list[str] = field(default_factory=list)
    """Names of the effects the process called, in order."""
    nothing_happened: bool = False
    """Set where a repeated request only gets its first answer again: no event is written."""
    held: dict[tuple[str, int], Any] = field(default_factory=dict)
    """By business type and id, the processes that this act has locked; what is in it is the process port's."""
    digest: str = ""
    """Digest of the input, to tell a repeated request from another one under the same key."""


_current: ContextVar[Act | None] = ContextVar("act", default=None)

write: Callable[[Act, Any], None]
"""Port: stores the act and the operation's answer; the audit application fills it."""
replay: Callable[[Act], tuple[bool, Any]]
"""Port: (True, answer) when this act's idempotency key was used for the same request before."""


def held() -> dict[tuple[str, int], Any]:
    """What the running act has locked; nothing outside of an act."""
    act = _current.get()
    return act.held if act is not None else {}


def current_act() -> Act:
    """The act that is running; raises LookupError outside an operation."""
    act = _current.get()
    if act is None:
        raise LookupError("this code runs only inside an operation")
    return act
