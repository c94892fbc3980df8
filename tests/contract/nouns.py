"""The nouns of the URL table, and a valid row of each, made from what the document says of its fields."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.urls import get_resolver
from PIL import Image
from rest_framework import serializers

from core.kernel.actor import acting
from core.kernel.models import SharedModel
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.rest import dictionaries
from core.rest.filters import apply_filters
from core.rest.ledgers import Append
from core.rest.openapi import marks_of
from core.rest.routes import routed_calls
from core.rest.viewsets import NounViewSet
from core.storage import files
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

    def input_fields(self) -> Mapping[str, Any]:
        """The fields that a body may have."""
        serializer = self.view.input_serializer_class or self.view.serializer_class
        return serializer(context={"view": None}).fields  # type: ignore[no-any-return]

    def keeper(self, cast: Cast, tenant: str) -> Caller:
        """Somebody who may do everything with it."""
        if self.view.platform_only:
            return cast.client_for("platform", PLATFORM)
        return cast.client_for("tenant_admin", tenant)


OVERWRITES = {"region"}
"""Nouns that are named by their own code: submitting one that exists changes the row."""


REFERRED = 28
"""Number of the sample of a row that is made because another one refers to it; tests count from 1."""


def nouns() -> list[Noun]:
    """Every noun that can be changed by `submit`, once, at its first address."""
    return found_nouns(lambda view: hasattr(view, "submit"))


def found_nouns(fits: Callable[[Any], bool]) -> list[Noun]:
    """Every noun whose view set fits, once, at its first address."""
    found: dict[str, Noun] = {}
    for path, view, action in routed_calls(get_resolver()):
        if path.startswith("/api/") and issubclass(view, NounViewSet) and view.noun and fits(view):
            base = path.removeprefix("/api/").rpartition("/")[0]
            known = found.get(view.noun)
            if known is None or known.path == base:
                done = known.actions if known else frozenset()
                found[view.noun] = Noun(base, view, done | {action})
    return sorted(found.values(), key=lambda noun: noun.path)


def ledgers() -> list[Noun]:
    """Every noun whose entries are only added, by `save`, once, at its first address."""
    return found_nouns(lambda view: issubclass(view, Append))


def sample(noun: Noun, cast: Cast, tenant: str, number: int = 1) -> dict[str, Any]:
    """A body that `submit` or `save` takes; another number gives another row.

    It is made from the marks of the document, so that what a form is told is enough to fill it in; what the noun's own
    rules ask for beyond them stands beside the noun as `sample`. Rows that it refers to are made where there are none.
    """
    with tenant_scope(tenant):
        values = {
            name: _value(name, field, cast, tenant, number)
            for name, field in noun.input_fields().items()
            if not field.read_only and name not in noun.view.sample
        }
    own = {name: value(number) if callable(value) else value for name, value in noun.view.sample.items()}
    found = {name: value for name, value in values.items() if value is not None} | own
    return found | (_of_task(cast, tenant) if noun.view.noun == "inspectorder" else {})


def _of_task(cast: Cast, tenant: str) -> dict[str, Any]:
    """What an inspection task needs beyond its marks: a route with a point, and somebody to walk it."""
    points = next(noun for noun in nouns() if noun.view.noun == "inspectpoint")
    with tenant_scope(tenant):
        rows = points.view.queryset.model._default_manager.order_by("pk")
        group = rows.values_list("group_id", flat=True).first()
    if group is None:
        body = sample(points, cast, tenant, REFERRED)
        answer = points.keeper(cast, tenant).post_json(f"{points.path}/save", body)
        assert answer.status == 200, answer
        group = body["groupId"]
    return {"groupId": str(group), "userIds": str(cast.user("equip_manager", tenant).pk)}


def _value(name: str, field: Any, cast: Cast, tenant: str, number: int) -> Any:
    """A value of the field's kind; None where the field is left out."""
    marks = marks_of(field)
    match marks["x-kind"]:
        case "choice" if "x-dict" in marks:
            return int(next(iter(dictionaries.names_of(marks["x-dict"]))))
        case "choice":
            return marks["x-options"][0][0]
        case "id":
            return reference(field, cast, tenant)
        case "flag":
            return 0
        case "integer":
            return _bounded(field, number)
        case "decimal":
            return _bounded(field, number + 10.0 ** -marks["x-decimals"])
        case "moment":
            return f"{_day(number)} 08:00:00"
        case "date":
            return _day(number)
        case "text" | "longtext" if type(field) is serializers.CharField:
            return f"{name}{number}"[: field.max_length]
        case "images":
            return [picture(cast, tenant)]
        case "details":
            rows = field.child.fields.items()
            row = {
                key: _value(key, one, cast, tenant, number) for key, one in rows if key != "id" and not one.read_only
            }
            return [{key: value for key, value in row.items() if value is not None}]
    return None


def _day(number: int) -> str:
    return str(date(2026, 1, 1) + timedelta(days=number - 1))


def _bounded(field: Any, number: Any) -> Any:
    """The number, or the bound of the field that it lies beyond."""
    if field.min_value is not None and number < field.min_value:
        return field.min_value
    return field.max_value if field.max_value is not None and number > field.max_value else number


def reference(field: Any, cast: Cast, tenant: str) -> str | None:
    """The id of a row to refer to, made by the other noun's own sample where the company has none."""
    model = getattr(field, "model", None)
    serializer: Any = field.parent
    if model is None or model is serializer.Meta.model:
        return None
    other = next((noun for noun in nouns() if noun.view.queryset.model is model), None)
    with tenant_scope(tenant):
        rows = model._default_manager.order_by("pk")
        if other is not None and field.where:
            rows = apply_filters(rows, other.view.filters, field.where)
        found = rows.values_list("pk", flat=True).first()
    if found is not None:
        return str(found)
    assert other is not None, model
    answer = other.keeper(cast, tenant).post_json(f"{other.path}/submit", sample(other, cast, tenant, REFERRED))
    assert answer.status == 200, (other.path, answer)
    return str(answer.data["id"])


def picture(cast: Cast, tenant: str) -> str:
    """A link to a picture that the keeper of nouns has uploaded."""
    image = io.BytesIO()
    Image.new("RGB", (2, 2)).save(image, "PNG")
    with tenant_scope(tenant), acting(cast.actor_for("tenant_admin", tenant)):
        return files.signed_link(files.store_image(image.getvalue(), "picture.png").name)


def sent(body: Any) -> Any:
    """A body as it comes back: links without what signs them, and rows without their ids and names."""
    if isinstance(body, Mapping):
        return {name: sent(value) for name, value in body.items()}
    if isinstance(body, list):
        return [sent(value) for value in body]
    return body.partition("?")[0] if isinstance(body, str) and body.startswith("/") else body


def within(found: Any, body: Any) -> Any:
    """What of a found row the body had sent."""
    if isinstance(body, Mapping):
        return {name: within(found.get(name), value) for name, value in body.items()}
    if isinstance(body, list) and isinstance(found, list) and len(found) == len(body):
        return [within(one, value) for one, value in zip(found, body, strict=True)]
    return sent(found)
