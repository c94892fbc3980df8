"""The log of what concerns security: one line of JSON an event, and never a secret in it."""

from __future__ import annotations

import json
import logging

log = logging.getLogger("xunwei.security")


def note(event: str, **facts: str | int) -> None:
    """Write one line. JSON escapes control characters, so that no fact can begin a line of its own."""
    line = {"event": event, **{name: str(fact)[:200] for name, fact in facts.items()}}
    log.warning("%s", json.dumps(line, ensure_ascii=True))
