"""Port to the outbox: what must happen after the commit is a row of the same transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

send: Callable[[str, Mapping[str, Any]], None]
"""Store a message (topic, plain JSON payload) of the tenant in scope; `core.scheduling` fills it."""

again: Callable[[str, Mapping[str, Any]], int]
"""Try parked messages of a topic again at once, those whose payload has these values; answers how many."""

Handler = Callable[[int, Mapping[str, Any]], None]
GivenUp = Callable[[Mapping[str, Any], Exception], None]
handlers: dict[str, Handler] = {}
given_up: dict[str, GivenUp] = {}


class Later(Exception):
    """Raised by a handler that cannot deliver now through no fault: tried again, however often."""


def handler(topic: str, *, if_given_up: GivenUp | None = None) -> Callable[[Handler], Handler]:
    """Register the function (message id, payload) that delivers a topic; it may run twice and must not mind.

    `if_given_up` is called with payload and error when a message has failed too often and is parked.
    """

    def wrap(function: Handler) -> Handler:
        if topic in handlers:
            raise ValueError(f"outbox topic {topic} is registered twice")
        handlers[topic] = function
        if if_given_up is not None:
            given_up[topic] = if_given_up
        return function

    return wrap
