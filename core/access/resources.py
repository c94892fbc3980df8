"""What scopes can be about: lists that are narrowed by data scope, and calls that exist."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from django.urls import get_resolver

from core.blade.addresses import first_address
from core.rest.filters import Filter
from core.rest.routes import routed_calls
from core.rest.viewsets import NounViewSet


@lru_cache(maxsize=1)
def _table() -> tuple[frozenset[str], Mapping[str, Mapping[str, Filter]]]:
    """Plain addresses of all calls, and the declared filters of the lists with a data scope, by resource."""
    paths, filters = set(), {}
    for path, view, _action in routed_calls(get_resolver()):
        paths.add(first_address(path))
        if issubclass(view, NounViewSet) and view.has_scope():
            filters[view.noun] = view.filters
    return frozenset(paths), filters


def filters_of_resource(resource: str) -> Mapping[str, Filter] | None:
    """Return the declared filters of a resource that has a data scope; None for any other."""
    return _table()[1].get(resource)


def resources() -> list[str]:
    """Resources that have a data scope."""
    return sorted(_table()[1])


def is_call(path: str) -> bool:
    """Return whether a scope's path covers a call that exists: the whole address, or `…/**` above some."""
    if not path.startswith("/"):
        return False
    plain = first_address(path)
    below = plain.removesuffix("**")
    if below == plain:
        return plain in _table()[0]
    return below.endswith("/") and any(call.startswith(below) for call in _table()[0])
