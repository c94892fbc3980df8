"""Routes of the form `{service}/{resource}/{action}` for the actions of view sets."""

from __future__ import annotations

from typing import Any

from django.urls import URLResolver, include, path
from rest_framework.routers import DynamicRoute, Route, SimpleRouter

_STANDARD = {
    "list": ("get", "list"),
    "detail": ("get", "show"),  # `detail` is a word of DRF's own on a viewset
    "submit": ("post", "submit"),
    "save": ("post", "save"),
    "update": ("post", "update"),
    "remove": ("post", "remove"),
}


class _Calls(SimpleRouter):
    """Router of the calls of one view set, below its prefix."""

    routes = [
        *(
            Route(
                url=f"^{{prefix}}/{name}$",
                mapping={method: action},
                name=f"{{basename}}-{name}",
                detail=False,
                initkwargs={},
            )
            for name, (method, action) in _STANDARD.items()
        ),
        DynamicRoute(url=r"^{prefix}/{url_path}$", name="{basename}-{url_name}", detail=False, initkwargs={}),
    ]


class BladeRouter(SimpleRouter):
    """Router of all view sets: standard actions by method name, further actions by `@action(detail=False, url_path=…)`.

    Each prefix is a URL resolver of its own, so that resolving an address does not try every call of the server.
    """

    def get_urls(self) -> list[URLResolver]:  # type: ignore[override]
        """Return one resolver for each prefix, in the order of registration."""
        return [path(f"{prefix}/", include(_calls(viewset, name))) for prefix, viewset, name in self.registry]


def _calls(viewset: Any, basename: str) -> list[Any]:
    router = _Calls(trailing_slash=False)
    router.register("", viewset, basename=basename)
    return list(router.urls)
