"""Port to the logs of API calls and server errors.

`core.audit` provides the functions; without it, nothing is logged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.kernel.actor import Actor


@dataclass(frozen=True)
class Call:
    """An answered API call, as it is logged."""

    method: str
    path: str
    status: int
    """The `code` of the response body."""
    milliseconds: int
    params: str
    """The request parameters as JSON, with secrets masked."""
    ip: str
    user_agent: str
    request_id: str
    actor: Actor | None


def _nothing(*_given: Any) -> None:
    """Ignore the entry; the default until `core.audit` is loaded."""


record: Callable[[Call], None] = _nothing
"""Log a call. Returns at once and runs no SQL statement in the request."""
failed: Callable[[Any, BaseException], None] = _nothing
"""Log a server error with its request."""
