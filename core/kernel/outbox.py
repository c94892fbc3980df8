"""Port to the outbox: messages stored in the transaction and delivered after its commit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

send: Callable[[str, Mapping[str, Any]], None]
"""Store a message (topic, JSON payload) of the current tenant. `core.scheduling` provides the function."""

again: Callable[[str, Mapping[str, Any]], int]
"""Retry the failed messages of a topic whose payload contains these values; returns their number."""

Handler = Callable[[int, Mapping[str, Any]], None]
GivenUp = Callable[[Mapping[str, Any], Exception], None]
handlers: dict[str, Handler] = {}
given_up: dict[str, GivenUp] = {}


class Later(Exception):
    """Raised by a handler that cannot deliver yet. The message is retried without a limit."""


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
