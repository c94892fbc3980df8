"""What scopes can be about: lists that are narrowed by data scope, and calls that exist."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.urls import get_resolver

from core.kernel.actor import Actor
from core.kernel.operation import SIGNED_IN
from core.rest.filters import Filter
from core.rest.permissions import PUBLIC, is_closed
from core.rest.routes import calls_at, routed_actions
from core.rest.viewsets import NounViewSet


@lru_cache(maxsize=1)
def _filters() -> Mapping[str, Mapping[str, Filter]]:
    """Return the declared filters of the lists with a data scope, by resource."""
    views = {view for view, _action in routed_actions(get_resolver()) if issubclass(view, NounViewSet)}
    return {view.noun: view.filters for view in views if view.has_scope()}


def filters_of_resource(resource: str) -> Mapping[str, Filter] | None:
    """Return the declared filters of a resource that has a data scope; None for any other."""
    return _filters().get(resource)


def resources() -> list[str]:
    """Resources that have a data scope."""
    return sorted(_filters())


def may_make_all(actor: Actor, address: str) -> bool:
    """Return whether the person may make every call that an API scope of this address binds."""
    return all(
        _holds(actor, view, action) and not is_closed(actor, (view, action)) for view, action in calls_at(address)
    )


def _holds(actor: Actor, view: Any, action: str) -> bool:
    asked = {view.codes.get(action, ""), view.codes.get("add", "") if action == "submit" else SIGNED_IN}
    return all(code in (PUBLIC, SIGNED_IN) or actor.may(code) for code in asked)
