"""Port to the log of calls and of the server's own errors; `core.audit` fills it. Without it nothing is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.kernel.actor import Actor


@dataclass(frozen=True)
class Call:
    """A call that was answered."""

    method: str
    path: str
    status: int
    """The body's code."""
    milliseconds: int
    params: str
    """What was sent, as JSON, with secrets masked."""
    ip: str
    user_agent: str
    request_id: str
    actor: Actor | None


def _nothing(*_given: Any) -> None:
    """Keep nothing."""


record: Callable[[Call], None] = _nothing
"""Keep a call; returns at once and costs the request no statement."""
failed: Callable[[Any, BaseException], None] = _nothing
"""Keep an error of the server, with the request it happened in."""
