"""Port to the outbox: messages stored in the transaction and delivered after its commit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Protocol


class _Send(Protocol):
    def __call__(
        self, topic: str, payload: Mapping[str, Any], receiver_id: int | None = None, due: datetime | None = None
    ) -> None: ...


send: _Send
"""Store a message (topic, JSON payload) of the current tenant. `core.scheduling` provides the function.

`receiver_id` names what it is delivered to, where that may be suspended; `due` is when it is delivered, at once without
it. `hops` in the payload says how many messages led to each other up to this one; those after the first count towards a
budget of their own.
"""

again: Callable[[str, Mapping[str, Any]], int]
"""Retry the failed messages of a topic whose payload contains these values; returns their number."""

wake: Callable[[str, Iterable[Any]], int]
"""Wake the sleeping messages of a topic to these receivers, ids or a queryset of ids; returns their number."""

Handler = Callable[[int, Mapping[str, Any]], None]
GivenUp = Callable[[Mapping[str, Any], Exception], None]
handlers: dict[str, Handler] = {}
given_up: dict[str, GivenUp] = {}


class Later(Exception):
    """Raised by a handler whose receiver is locked right now. The message is retried soon, without a limit."""


class Asleep(Exception):
    """Raised by a handler whose receiver is suspended, which it has locked, so that nobody resumes it meanwhile.

    The message is not tried again before somebody wakes it.
    """


class Hopeless(Exception):
    """Raised by a handler, from the cause, for what no other try would deliver: the message is parked at once."""


def handler(topic: str, *, if_given_up: GivenUp | None = None) -> Callable[[Handler], Handler]:
    """Register the handler of a topic: a function of message id and payload. It may run twice and must be idempotent.

    `if_given_up` is called with the payload and the error when a message has failed too often.
    """

    def wrap(function: Handler) -> Handler:
        if topic in handlers:
            raise ValueError(f"outbox topic {topic} is registered twice")
        handlers[topic] = function
        if if_given_up is not None:
            given_up[topic] = if_given_up
        return function

    return wrap
