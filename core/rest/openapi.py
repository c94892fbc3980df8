"""The OpenAPI document: drf-spectacular, with the response envelope and our declarations as `x-` extensions."""

from __future__ import annotations

import ast
import re
from decimal import Decimal
from inspect import getdoc
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.apps import apps
from django.conf import settings
from django.db import models
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import build_array_type, build_basic_type, build_object_type
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from core.blade.addresses import is_second
from core.kernel.models import DictionaryField
from core.kernel.texts import both, camel
from core.rest.filters import DECIMAL, FLAG, INTEGER
from core.rest.routes import addresses
from core.rest.serializers import (
    FlagField,
    IdField,
    IdListField,
    LockVersionField,
    NounSerializer,
    PartsField,
    SpeakingSerializer,
)

_REFUSALS = {"Refusal", "Conflict", "NotSignedIn", "failure", "plain_failure", "__init__"}
_ERROR_WORD = re.compile(r"[a-z][A-Za-z]*\.[A-Za-z.]+")

_CALLS = {
    "list": "list", "detail": "show", "add": "add", "submit": "submit", "save": "save", "update": "update",
    "remove": "remove", "export": "export", "import": "import_rows",
}  # fmt: skip
"""The console's names of a noun's calls → actions of the view set."""

_TYPES = {INTEGER: int, FLAG: int, DECIMAL: float}
"""Types of filters in the document, by kind; all others are texts."""
_MOMENT = r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$"

_KINDS: tuple[tuple[type[serializers.Field[Any, Any, Any, Any]], str], ...] = (
    (IdListField, "ids"),
    (IdField, "id"),
    (FlagField, "flag"),
    (serializers.ChoiceField, "choice"),
    (LockVersionField, "version"),
    (serializers.IntegerField, "integer"),
    (serializers.DecimalField, "decimal"),
    (serializers.FloatField, "decimal"),
    (serializers.DateTimeField, "moment"),
    (serializers.DateField, "date"),
    (serializers.JSONField, "json"),
    (serializers.ListField, "list"),
    (serializers.CharField, "text"),
)


def marks_of(field: Any) -> dict[str, Any]:
    """Return what a form or a table must know of a field beside its type.

    `x-kind` and `x-label` always; `x-dict` or `x-options` of a choice, `x-ref` (and `x-ref-tree`) of a reference,
    `x-decimals` and `x-unit` of an exact number, `x-half-days` of moments between which half days are counted, `x-most`
    of pictures and files, `x-initial` of what has a number or a switch by default, `x-parts` of an object whose parts a
    tenant declares: the address where they are found. docs/adr, "The contract knows
    references".
    """
    column, kind = _model_field(field), _kind(field)
    marks: dict[str, Any] = {"x-kind": kind, "x-label": both(_label(field, column))}
    if isinstance(column, DictionaryField) and kind == "integer":
        marks |= {"x-kind": "choice", "x-dict": column.dictionary}
    elif isinstance(field, serializers.ChoiceField):
        marks["x-options"] = [[key, *both(text)] for key, text in field.choices.items()]
    elif kind == "text" and isinstance(column, models.TextField):
        marks["x-kind"] = "longtext"
    elif kind in ("id", "ids"):
        marks |= _reference_marks(field, column)
    elif isinstance(field, serializers.DecimalField):
        marks["x-decimals"] = field.decimal_places
        if unit := getattr(field, "unit", ""):
            marks["x-unit"] = unit
    if column is not None and kind != "version" and isinstance(column.default, bool | int | Decimal):
        marks["x-initial"] = float(column.default) if isinstance(column.default, Decimal) else int(column.default)
    half_days = getattr(getattr(column, "model", None), "half_days", None)
    if half_days is not None and column.name in (half_days.first, half_days.last, half_days.days):
        names = {word: getattr(half_days, word) for word in ("first", "last", "days")}
        own = next(word for word, name in names.items() if name == column.name)
        marks["x-half-days"] = {"is": own, **{word: camel(name) for word, name in names.items()}}
    if isinstance(field, PartsField):
        marks["x-parts"] = field.address
    if kind in ("images", "files"):
        marks["x-most"] = field.at_most
    if kind == "details" and not field.read_only:
        marks |= {"x-least": field.details.least, "x-most": field.details.most}
    return marks


def _kind(field: Any) -> str:
    """Return the word for the field's control: one that the field's class declares, or by its class."""
    if isinstance(field, serializers.ListSerializer) and isinstance(field.child, NounSerializer):
        return "details"
    declared: str | None = getattr(field, "kind", None)
    return declared or next((word for kind, word in _KINDS if isinstance(field, kind)), "json")


def _label(field: Any, column: Any) -> Any:
    """Return what people call the field, still in both languages; `categoryName` is called what `category` is."""
    name = field.field_name
    if column is None and name.endswith("Name"):
        named = field.parent.fields.get(name[:-4]) or field.parent.fields.get(name[:-4] + "Id")
        column = _model_field(named) if named is not None else None
    declared = field.parent._declared_fields.get(name)
    said = declared._kwargs.get("label") if declared is not None else None
    return said or (column.verbose_name if column is not None else field.label or name)


def _reference_marks(field: Any, column: Any) -> dict[str, str]:
    """Return where the rows to choose from are found: `x-ref` a page of them, `x-ref-tree` a tree if there is one."""
    model = field.refers_to or (column.related_model if column is not None and column.is_relation else None)
    if isinstance(model, str):
        model = apps.get_model(model)
    address = addresses().get(model)
    if address is None:
        return {}
    narrowed = f"?{urlencode(field.where)}" if field.where else ""
    marks = {"x-ref": address.select + narrowed}
    return {**marks, "x-ref-tree": address.tree + narrowed} if address.tree else marks


def _model_field(field: Any) -> Any:
    """Return the column behind a field; None where it is computed or on another table."""
    model = getattr(getattr(field.parent, "Meta", None), "model", None)
    columns = {one.attname: one for one in model._meta.concrete_fields} if model is not None else {}
    return columns.get(field.source or field.field_name)


class EnvelopeSchema(AutoSchema):
    """Describes responses with their envelope."""

    def get_operation_id(self) -> str:
        """`repairorder_list`: resource and action, as the paths have them."""
        parts = [part for part in self.path.strip("/").split("/") if part not in ("api", "oauth")]
        return "_".join(part.replace("-", "_") for part in parts[-2:])

    def get_description(self) -> Any:  # type: ignore[override]  # as AutoSchema has it
        """Return what the call says of itself; what is removed is said by the operation that removes it."""
        view: Any = self.view
        if view.action == "remove" and hasattr(view, "removal"):
            return getdoc(view.removal)
        return super().get_description()

    def get_tags(self) -> list[str]:
        """Return the resource as the tag of the call."""
        return [self.path.strip("/").split("/")[-2]]

    def get_extensions(self) -> dict[str, Any]:
        """Return the permission code and the declared filters as extensions."""
        extensions: dict[str, Any] = {}
        view: Any = self.view
        code = view.codes.get(view.action)
        if code:
            extensions["x-permission"] = code
        if hasattr(view, "marks"):
            extensions.update(view.marks(view.action))
        if view.action == "list":
            extensions["x-filters"] = {name: entry.kind for name, entry in view.filters.items()}
            if view.noun:
                extensions["x-noun"] = {
                    "name": view.noun,
                    "title": both(view.queryset.model._meta.verbose_name),
                    "codes": {word: view.codes[action] for word, action in _CALLS.items() if action in view.codes},
                    "sortable": [name for name, entry in view.filters.items() if entry.sortable and not entry.apply],
                }
        return extensions

    def _map_serializer_field(self, field: Any, direction: Any, bypass_extensions: bool = False) -> Any:
        """Mark the fields of nouns and of inputs with what a form or a table must know of them."""
        schema: Any = super()._map_serializer_field(field, direction, bypass_extensions)  # type: ignore[no-untyped-call]
        for bound in ("minimum", "maximum"):
            if isinstance(schema.get(bound), Decimal):
                schema = {**schema, bound: float(schema[bound])}  # JSON would have a text in its place
        if schema.get("format") == "date-time":
            # The dialect's own way to write a time, which is not the one of RFC 3339.
            schema = {**{name: value for name, value in schema.items() if name != "format"}, "pattern": _MOMENT}
        if isinstance(getattr(field, "parent", None), NounSerializer | SpeakingSerializer) and "$ref" not in schema:
            schema = {**schema, **marks_of(field)}
        return schema

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> dict[str, Any]:
        """Add the id that every form of a noun may send: it names the row to change."""
        schema: dict[str, Any] = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        if direction == "request" and isinstance(serializer, NounSerializer) and "id" in serializer.fields:
            schema["properties"]["id"] = {"type": "string"}
            schema["required"] = [name for name in schema.get("required", ()) if name != "id"]
        return schema

    def get_filter_backends(self) -> list[Any]:
        """Return none: filters are declared on the view and described in `x-filters`."""
        return []

    def _is_list_view(self, serializer: Any = None) -> bool:
        """Return False: pages are described by `_get_response_for_code`."""
        return False

    def get_override_parameters(self) -> Any:
        """Return the standard parameters of the call and those that the view declares."""
        view: Any = self.view
        declared = list(super().get_override_parameters())
        if getattr(view, "by_tenant", False):
            declared.append(OpenApiParameter("tenantId", str, description="Another tenant, for the platform's own."))
        key = getattr(view, "key", "id" if hasattr(view, "filters") else "")
        if view.action == "show" and key:
            return [*declared, OpenApiParameter(key, str, required=True)]
        if not hasattr(view, "filters"):
            return declared
        if view.action != "list":
            return declared
        kinds: dict[str, Any] = {name: _TYPES.get(entry.kind, str) for name, entry in view.filters.items()}
        kinds.update(ascs=str, descs=str)
        if "list" in view.pages:
            kinds.update(current=int, size=int)
        return [*declared, *(OpenApiParameter(name, kind) for name, kind in kinds.items())]

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        """Return the responses: 200, and the error body for every other status."""
        found: Any = super()._get_response_bodies(direction)
        found.setdefault("default", _REFUSED)
        return found

    def _get_response_for_code(
        self, serializer: Any, status_code: str, media_types: Any = None, direction: str = "response"
    ) -> Any:
        """Return the envelope around the answer: a page for `list`, an array for `many`."""
        view: Any = self.view
        response: Any = super()._get_response_for_code(serializer, status_code, media_types, direction)  # type: ignore[no-untyped-call]
        is_page = view.action in (*view.pages, getattr(view, "select_action", None))
        is_array = view.action in getattr(view, "arrays", ()) or (not is_page and getattr(serializer, "many", False))
        for kind, content in response.get("content", {}).items():
            if kind != "application/json":
                continue  # a file
            data = content.get("schema", {})
            if is_array:
                data = build_array_type(data)
            if is_page:
                number = build_basic_type(OpenApiTypes.INT)
                data = build_object_type(
                    properties={
                        "records": build_array_type(data),
                        **dict.fromkeys(("total", "size", "current", "pages"), number),
                        "totalIsEstimate": build_basic_type(OpenApiTypes.BOOL),
                    },
                    required=["records", "total", "size", "current", "pages"],
                )
            content["schema"] = build_object_type(
                properties={
                    "code": build_basic_type(OpenApiTypes.INT),
                    "success": build_basic_type(OpenApiTypes.BOOL),
                    "data": data,
                    "msg": build_basic_type(OpenApiTypes.STR),
                },
                required=["code", "success", "data", "msg"],
            )
        return response


_REFUSED: dict[str, Any] = {
    "description": "Refused.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refused"}}},
}


def refusals(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Describe the body of all error responses."""
    text = {"type": "string"}
    result["components"]["schemas"]["Refused"] = {
        "type": "object",
        "properties": {
            "code": {"type": "integer", "description": "HTTP status, or 40001/40002 for a session that is over."},
            "success": {"type": "boolean", "enum": [False]},
            "data": {"type": "object", "description": "`fields`: one sentence for each field that is wrong."},
            "msg": {**text, "description": "One sentence for the person."},
            "error": {**text, "description": "A stable word for programs, see ErrorWord."},
            "requestId": text,
        },
        "required": ["code", "success", "data", "msg", "error", "requestId"],
    }
    return result


class TokenExtension(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Describes the token header."""

    target_class = "core.identity.authentication.TokenAuthentication"
    name = "bladeAuth"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return a header of its own; `Authorization` only names the client."""
        return {"type": "apiKey", "in": "header", "name": "Blade-Auth", "description": "bearer <access token>"}


class IdFieldExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Ids are strings of digits."""

    target_class = "core.rest.serializers.IdField"

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        """Return a string, either way."""
        return build_basic_type(OpenApiTypes.STR) or {}


class ReferenceFieldExtension(IdFieldExtension):  # type: ignore[no-untyped-call]
    """References are ids."""

    target_class = "core.rest.serializers.ReferenceField"


class FlagFieldExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Yes/no values are 0 or 1."""

    target_class = "core.rest.serializers.FlagField"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        """0 or 1."""
        return {"type": "integer", "minimum": 0, "maximum": 1}


class PartsFieldExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Objects whose parts a tenant declares."""

    target_class = "core.rest.serializers.PartsField"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        """Texts and numbers by key; the same key asks the list for rows and sorts them."""
        return {
            "type": "object",
            "additionalProperties": {"oneOf": [{"type": "string"}, {"type": "number"}], "nullable": True},
            "description": "By key the values of extra fields, which `x-parts` lists. A change names those that it"
            " changes, null for none. The list is asked by `ext.<key>`, with the suffixes of the field's type, and"
            " sorted by it.",
        }


class IdListFieldExtension(IdFieldExtension):  # type: ignore[no-untyped-call]
    """Sets of ids are comma-joined."""

    target_class = "core.rest.serializers.IdListField"


def one_spelling(endpoints: list[Any]) -> list[Any]:
    """Describe each call once: under /api, sign-in and people under the family's service names."""
    return [entry for entry in endpoints if not is_second(entry[0])]


def error_codes(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """List the error codes found in the source, so that clients that compare one are type-checked."""
    words = set()
    for folder in ("core", "workflows"):
        for path in Path(settings.BASE_DIR, folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                function = getattr(node, "func", None)
                name = getattr(function, "id", getattr(function, "attr", ""))
                for argument in node.args[:3] if name in _REFUSALS else ():  # type: ignore[attr-defined]
                    if isinstance(argument, ast.Constant) and _ERROR_WORD.fullmatch(str(argument.value)):
                        words.add(str(argument.value))
    schema = {"type": "string", "enum": sorted(words), "description": "Stable words of refusals, in `error`."}
    result["components"]["schemas"]["ErrorWord"] = schema
    return result


def answers_are_whole(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Say that an answer has all its fields, whatever may be left out when it is sent; only leaves have no children.

    A serializer marked `x-partial` says itself what it may leave out.
    """
    for name, schema in result["components"]["schemas"].items():
        if schema.pop("x-partial", False):
            continue
        if not name.endswith("Request") and "properties" in schema:
            schema["required"] = [field for field in schema["properties"] if field != "children"]
    return result
