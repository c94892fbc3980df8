"""A time that somebody is writing: what it says in words, and when it comes next."""

from __future__ import annotations

from typing import Any

from core.kernel import clock
from core.kernel.texts import choose, moment
from workflows import engine
from workflows.runtime.definitions import time_texts
from workflows.runtime.rows import schedules

AHEAD = 5


def told(kind: str, text: str, *, is_start: bool) -> dict[str, Any]:
    """Return a time as the deployment check reads it, or why it is none; an expression has no moments yet."""
    if "{" in text:
        return {"problem": "", "text": text, "words": "", "next": []}
    try:
        written = engine.check_time(kind, text)
        found = schedules.ahead(kind, written, clock.now(), None, AHEAD)
    except engine.ExpressionError as error:
        return {"problem": choose(error.text_zh, error.text_en), "text": text, "words": "", "next": []}
    return {
        "problem": "",
        "text": written,
        "words": time_texts.told(kind, written, is_start=is_start),
        "next": [moment(at) for at in found],
    }
