"""Routes of the dialect: `{service}/{resource}/{action}`, for the actions a viewset has."""

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
    """The calls of one viewset, below its prefix."""

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
    """Standard actions by their method's name, further ones by `@action(detail=False, url_path=…)`.

    Each prefix is a branch of its own: an address is held against the prefixes and then against the calls of one,
    not against every call that there is.
    """

    def get_urls(self) -> list[URLResolver]:  # type: ignore[override]
        """The branches, in the order of registration."""
        return [path(f"{prefix}/", include(_calls(viewset, name))) for prefix, viewset, name in self.registry]


def _calls(viewset: Any, basename: str) -> list[Any]:
    router = _Calls(trailing_slash=False)
    router.register("", viewset, basename=basename)
    return list(router.urls)
