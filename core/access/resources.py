"""What scopes can be about: lists that are narrowed by data scope, and calls that exist."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from django.urls import get_resolver

from core.kernel.filters import Filter
from core.kernel.permissions import plain_path
from core.kernel.viewsets import NounViewSet


def _calls(patterns: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for pattern in patterns:
        text = str(pattern.pattern).lstrip("^").rstrip("$")
        if hasattr(pattern, "url_patterns"):
            yield from _calls(pattern.url_patterns, prefix + text)
        elif hasattr(pattern.callback, "actions"):
            yield prefix + text, pattern.callback.cls


@lru_cache(maxsize=1)
def _table() -> tuple[frozenset[str], Mapping[str, Mapping[str, Filter]]]:
    """Plain addresses of all calls, and the declared filters of the lists with a data scope, by resource."""
    paths, filters = set(), {}
    for path, view in _calls(get_resolver().url_patterns):
        paths.add(plain_path(path))
        if issubclass(view, NounViewSet) and view.has_scope():
            filters[view.noun] = view.filters
    return frozenset(paths), filters


def filters_of_resource(resource: str) -> Mapping[str, Filter] | None:
    """The declared filters of a resource that has a data scope; None for any other."""
    return _table()[1].get(resource)


def resources() -> list[str]:
    """Resources that have a data scope."""
    return sorted(_table()[1])


def is_call(path: str) -> bool:
    """Whether a scope's path covers a call that exists: the whole address, or `…/**` above some."""
    if not path.startswith("/"):
        return False
    plain = plain_path(path)
    below = plain.removesuffix("**")
    if below == plain:
        return plain in _table()[0]
    return below.endswith("/") and any(call.startswith(below) for call in _table()[0])
