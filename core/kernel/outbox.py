"""Port to the outbox: what must happen after the commit is a row of the same transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

send: Callable[[str, Mapping[str, Any]], None]
"""Store a message (topic, plain JSON payload) of the tenant in scope; `core.scheduling` fills it."""

Handler = Callable[[int, Mapping[str, Any]], None]
handlers: dict[str, Handler] = {}


def handler(topic: str) -> Callable[[Handler], Handler]:
    """Register the function (message id, payload) that delivers a topic; it may run twice and must not mind."""

    def wrap(function: Handler) -> Handler:
        if topic in handlers:
            raise ValueError(f"outbox topic {topic} is registered twice")
        handlers[topic] = function
        return function

    return wrap
