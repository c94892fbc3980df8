"""The URL table: every application's routes, with and without the family's /api prefix; health; the console's pages."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.apps import apps
from django.urls import URLPattern, URLResolver, include, path, re_path

from core.project import pages

OURS = ("core.", "workflows.")


def _routes() -> list[URLPattern | URLResolver]:
    """Return what the applications' urls.py offer: a `router`, and `urlpatterns` for what is no DRF call."""
    found: list[URLPattern | URLResolver] = []
    for config in apps.get_app_configs():
        if not config.name.startswith(OURS) or config.name == "core.project":
            continue
        try:
            module: Any = import_module(f"{config.name}.urls")
        except ModuleNotFoundError as error:
            if error.name != f"{config.name}.urls":
                raise
            continue
        found += [*module.router.urls, *getattr(module, "urlpatterns", [])]
    return found


calls = _routes()
urlpatterns = [
    path("healthz", pages.health),
    path("api/", include(calls)),
    path("", include(calls)),
    re_path(r"^(?:api|blade-|yuzhu-|equip-auth).*$", pages.no_such_call),
    re_path(r"^.*$", pages.console),
]
handler404 = pages.no_such_call_handler
handler500 = pages.server_error
