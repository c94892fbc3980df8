"""The URL table as the contract tests see it: every call with its method, view and declared permission code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import get_resolver


@dataclass(frozen=True)
class Call:
    """One call of the API, without the /api prefix."""

    method: str
    path: str
    code: str


def _walk(patterns: Any, prefix: str) -> Iterator[Call]:
    for pattern in patterns:
        text = str(pattern.pattern).lstrip("^").rstrip("$")
        if hasattr(pattern, "url_patterns"):
            yield from _walk(pattern.url_patterns, prefix + text)
        elif hasattr(pattern.callback, "actions"):
            for method, action in pattern.callback.actions.items():
                if method == "head":  # the framework adds it to a view that has been called
                    continue
                yield Call(method, prefix + text, pattern.callback.cls.codes[action])


def calls() -> list[Call]:
    """Every DRF call once, in the order of paths."""
    found = [call for call in _walk(get_resolver().url_patterns, "") if call.path.startswith("api/")]
    return sorted(
        (Call(call.method, call.path.removeprefix("api/"), call.code) for call in found),
        key=lambda call: (call.path, call.method),
    )
