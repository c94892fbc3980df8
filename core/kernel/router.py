"""Routes of the dialect: `{service}/{resource}/{action}`, for the actions a viewset has."""

from __future__ import annotations

from rest_framework.routers import DynamicRoute, Route, SimpleRouter

_STANDARD = {
    "list": ("get", "list"),
    "detail": ("get", "show"),  # `detail` is a word of DRF's own on a viewset
    "submit": ("post", "submit"),
    "save": ("post", "save"),
    "update": ("post", "update"),
    "remove": ("post", "remove"),
}


class BladeRouter(SimpleRouter):
    """Standard actions by their method's name, further ones by `@action(detail=False, url_path=…)`."""

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

    def __init__(self) -> None:
        super().__init__(trailing_slash=False)
