"""The URL table read as data: every call with its view set, and where the rows of a model are chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.urls import get_resolver

from core.blade.addresses import is_second


def routed_actions(resolver: Any) -> list[tuple[Any, str]]:
    """Every (viewset class, action name) of the URL table."""
    return [(view, action) for _path, view, action in routed_calls(resolver)]


def routed_calls(resolver: Any, prefix: str = "/") -> list[tuple[str, Any, str]]:
    """Return every (path, viewset class, action name) of the URL table."""
    found: list[tuple[str, Any, str]] = []
    for pattern in resolver.url_patterns:
        path = prefix + str(pattern.pattern).lstrip("^").rstrip("$")
        if hasattr(pattern, "url_patterns"):
            found += routed_calls(pattern, path)
        elif hasattr(pattern.callback, "actions"):
            found += [(path, pattern.callback.cls, action) for action in pattern.callback.actions.values()]
    return found


Call = tuple[type, str]
"""A call, whatever it is called and wherever it stands: view set and action."""


def call_of(view: Any, action: str) -> Call:
    """Return the call that an action is: another one where the view set says that both answer the same."""
    same = view.same_call.get(action, action)
    return same if isinstance(same, tuple) else (view, same)


@lru_cache(maxsize=2000)
def calls_at(address: str) -> frozenset[Call]:
    """Return the calls that an address stands for, or all below it where it ends with `/**`; none for no address."""
    if not address.startswith("/"):
        return frozenset()
    plain = _without_api(address)
    below = plain.removesuffix("**")
    if below == plain:
        return frozenset(call for path, call in _call_table() if path == plain)
    return frozenset(call for path, call in _call_table() if path.startswith(below) and below.endswith("/"))


@lru_cache(maxsize=1)
def _call_table() -> tuple[tuple[str, Call], ...]:
    return tuple((_without_api(path), call_of(view, action)) for path, view, action in routed_calls(get_resolver()))


def _without_api(address: str) -> str:
    return address.strip("/").removeprefix("api/")


@dataclass(frozen=True)
class Address:
    """Where the rows of a model are chosen, without `/api`: its `select`, and its `tree` where it has one."""

    select: str
    tree: str = ""
    code: str = ""
    name: str = ""
    """Columns that the view set declares as code and name."""


@lru_cache(maxsize=1)
def addresses() -> Mapping[Any, Address]:
    """Return by model where its rows are chosen, read off the URL table."""
    found: dict[Any, Address] = {}
    calls = [(path, view, name) for path, view, name in routed_calls(get_resolver()) if not is_second(path)]
    trees = {view: path.removeprefix("/api") for path, view, name in calls if name == "tree"}
    for path, view, name in calls:
        if name == getattr(view, "select_action", ""):
            address = Address(path.removeprefix("/api"), trees.get(view, ""), view.select_code, view.select_name)
            found.setdefault(view.queryset.model, address)
    return found


@lru_cache(maxsize=200)
def view_of(noun: str) -> Any:
    """Return the view set whose calls keep or list the rows of a noun. Raises LookupError where there is none."""
    for path, view, name in routed_calls(get_resolver()):
        if getattr(view, "noun", "") == noun and name == "list" and not is_second(path):
            return view
    raise LookupError(f"no list is routed for {noun}")
