"""The nouns of the URL table, and a valid row of each, built from what its serializer declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import get_resolver
from rest_framework import serializers

from core.kernel import dictionaries
from core.kernel.models import DictionaryField, SharedModel
from core.kernel.serializers import FlagField, IdField, IdListField, ReferenceField
from core.kernel.tenancy import tenant_scope
from core.kernel.viewsets import NounViewSet
from tests.cast import Caller, Cast


@dataclass(frozen=True)
class Noun:
    """One noun: where its calls are, and its viewset."""

    path: str
    view: Any
    actions: frozenset[str]

    @property
    def is_shared(self) -> bool:
        """Whether all tenants have the same rows."""
        return issubclass(self.view.queryset.model, SharedModel)

    def keeper(self, cast: Cast, tenant: str) -> Caller:
        """Somebody who may do everything with it."""
        return cast.platform() if self.view.platform_only else cast.client_for("tenant_admin", tenant)


# What cannot be read off the declarations: values that the noun's own rules ask for.
SPECIAL: dict[str, Callable[[Cast, str], Mapping[str, Any]]] = {
    "inspectmachine": lambda cast, tenant: {
        "parentId": str(cast.machine("LINE", tenant).pk), "nodeType": 4, "runState": 1,
    },
    "user": lambda cast, tenant: {"password": "Xw2mors7k", "phone": "13912345678", "email": "a@b.cn"},
    "tenant": lambda cast, tenant: {"domain": "", "backgroundUrl": "/x.jpg"},
    "client": lambda cast, tenant: {
        "clientSecret": "Xw2mors7k", "authorizedGrantTypes": "password,refresh_token", "additionalInformation": "{}",
        "webServerRedirectUri": "http://x.cn/", "accessTokenValidity": 3600, "refreshTokenValidity": 7200,
    },
    "menu": lambda cast, tenant: {"path": "/x", "meta": {"keepAlive": True}, "query": {"tab": "1"}},
    "topmenu": lambda cast, tenant: {"path": "/x"},
    "data_scope": lambda cast, tenant: {"resourceCode": "repairorder", "scopeType": 5, "scopeValue": "status=1"},
    "api_scope": lambda cast, tenant: {"scopePath": "/blade-desk/notice/remove"},
    "dict": lambda cast, tenant: {"dictKey": "-1"},
    "dictbiz": lambda cast, tenant: {"dictKey": "-1"},
    "region": lambda cast, tenant: {"parentCode": "00", "level": 1},
}  # fmt: skip


OVERWRITES = {"region"}
"""Nouns that are named by their own code: submitting one that exists changes the row."""


def nouns() -> list[Noun]:
    """Every noun that can be changed by `submit`, once, at its first address."""
    found: dict[str, Noun] = {}
    for path, callback in _callbacks(get_resolver().url_patterns, ""):
        view = callback.cls
        if path.startswith("api/") and issubclass(view, NounViewSet) and view.noun and hasattr(view, "submit"):
            base = path.removeprefix("api/").rpartition("/")[0]
            known = found.get(view.noun)
            if known is None or known.path == base:
                done = known.actions if known else frozenset()
                found[view.noun] = Noun(base, view, done | set(callback.actions.values()))
    return sorted(found.values(), key=lambda noun: noun.path)


def _callbacks(patterns: Any, prefix: str) -> Any:
    for pattern in patterns:
        text = str(pattern.pattern).lstrip("^").rstrip("$")
        if hasattr(pattern, "url_patterns"):
            yield from _callbacks(pattern.url_patterns, prefix + text)
        elif hasattr(pattern.callback, "actions"):
            yield prefix + text, pattern.callback


def sample(noun: Noun, cast: Cast, tenant: str, number: int = 1) -> dict[str, Any]:
    """A body that `submit` takes; another number gives another row."""
    serializer = noun.view.serializer_class(context={"view": None})
    body = {}
    with tenant_scope(tenant):
        for name, field in serializer.fields.items():
            if not field.read_only and (value := _value(serializer, name, field, number)) is not None:
                body[name] = value
    special = SPECIAL.get(noun.view.noun)
    return {**body, **(special(cast, tenant) if special else {})}


def _value(serializer: Any, name: str, field: Any, number: int) -> Any:
    column = {one.attname: one for one in serializer.Meta.model._meta.concrete_fields}.get(field.source)
    if isinstance(column, DictionaryField):
        return int(next(iter(dictionaries.names_of(column.dictionary))))
    if isinstance(field, ReferenceField):
        if field.model is serializer.Meta.model:
            return None
        return str(field.model._default_manager.values_list("pk", flat=True).first())
    if isinstance(field, serializers.ChoiceField):
        return next(iter(field.choices))
    if isinstance(field, IdField | IdListField):
        return None
    if isinstance(field, FlagField):
        return 0
    if isinstance(field, serializers.IntegerField | serializers.DecimalField):
        return number
    if isinstance(field, serializers.DateTimeField):
        return f"2026-01-0{number} 08:00:00"
    if type(field) is serializers.CharField:
        return f"{name}{number}"[: field.max_length]
    return None
