"""The URL table as the contract tests see it: every call with its method, view and declared permission code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.urls import get_resolver

from tests.cast import Body, Caller


@dataclass(frozen=True)
class Call:
    """One call of the API, without the /api prefix."""

    method: str
    path: str
    code: str

    def ask(self, caller: Caller, body: dict[str, Any] | None = None, **parameters: Any) -> Body:
        """Send the call as this person; only a POST carries the body."""
        if self.method == "get":
            return caller.get(self.path, **parameters)
        return caller.post_json(self.path, body, **parameters)


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
    """Return every DRF call once, in the order of paths."""
    found = [call for call in _walk(get_resolver().url_patterns, "") if call.path.startswith("api/")]
    return sorted(
        (Call(call.method, call.path.removeprefix("api/"), call.code) for call in found),
        key=lambda call: (call.path, call.method),
    )


def by_call(chosen: Iterable[Call]) -> list[Any]:
    """Return one case for each call, named by its path, for `pytest.mark.parametrize`."""
    return [pytest.param(call, id=f"{call.method} {call.path}") for call in chosen]
