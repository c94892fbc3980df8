"""The document of the calls: drf-spectacular, with our envelope round the answers and our declarations as x- data."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import override
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import build_array_type, build_basic_type, build_object_type
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from core.kernel.filters import FLAG, INTEGER
from core.kernel.models import DictionaryField
from core.kernel.serializers import FlagField, IdField, IdListField, NounSerializer

_REFUSALS = {"Refusal", "Conflict", "NotSignedIn", "failure", "plain_failure", "__init__"}
_ERROR_WORD = re.compile(r"[a-z][A-Za-z]*\.[A-Za-z.]+")

_CALLS = {
    "list": "list", "detail": "show", "add": "add", "submit": "submit", "save": "save", "update": "update",
    "remove": "remove", "export": "export", "import": "import_rows",
}  # fmt: skip
"""Words of the console for a noun's calls → actions."""

_NUMBERS = (INTEGER, FLAG)
_MOMENT = r"^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$"

_KINDS: tuple[tuple[type[serializers.Field[Any, Any, Any, Any]], str], ...] = (
    (IdListField, "ids"),
    (IdField, "id"),
    (FlagField, "flag"),
    (serializers.ChoiceField, "choice"),
    (serializers.IntegerField, "integer"),
    (serializers.DecimalField, "decimal"),
    (serializers.FloatField, "decimal"),
    (serializers.DateTimeField, "moment"),
    (serializers.JSONField, "json"),
    (serializers.ListField, "list"),
    (serializers.CharField, "text"),
)


def both(text: object) -> list[str]:
    """A text in Chinese and in English."""
    found = []
    for language in ("zh-hans", "en"):
        with override(language):
            found.append(str(text))
    return found


def _marks(field: Any) -> dict[str, Any]:
    """`x-kind`, `x-label`, and for a choice `x-options` or the `x-dict` it is kept in."""
    model_field = _model_field(field)
    kind = next((word for kind, word in _KINDS if isinstance(field, kind)), "json")
    marks: dict[str, Any] = {}
    if isinstance(model_field, DictionaryField) and kind == "integer":
        kind, marks["x-dict"] = "choice", model_field.dictionary
    elif isinstance(field, serializers.ChoiceField):
        marks["x-options"] = [[key, *both(text)] for key, text in field.choices.items()]
    elif kind == "text" and isinstance(model_field, models.TextField):
        kind = "longtext"
    name = field.field_name
    if model_field is None and name.endswith("Name"):
        # `categoryName` is called what `category` is called.
        named = field.parent.fields.get(name[:-4]) or field.parent.fields.get(name[:-4] + "Id")
        model_field = _model_field(named) if named is not None else None
    declared = field.parent._declared_fields.get(name)
    said = declared._kwargs.get("label") if declared is not None else None
    label = said or (model_field.verbose_name if model_field is not None else field.label or name)
    return {"x-kind": kind, "x-label": both(label), **marks}


def _model_field(field: Any) -> Any:
    """The column behind a field; None where it is computed or on another table."""
    names = {one.attname: one for one in field.parent.Meta.model._meta.concrete_fields}
    return names.get(field.source or field.field_name)


class EnvelopeSchema(AutoSchema):
    """Describes what the renderer really sends."""

    def get_operation_id(self) -> str:
        """`repairorder_list`: resource and action, as the paths have them."""
        parts = [part for part in self.path.strip("/").split("/") if part not in ("api", "oauth")]
        return "_".join(part.replace("-", "_") for part in parts[-2:])

    def get_tags(self) -> list[str]:
        """The resource."""
        return [self.path.strip("/").split("/")[-2]]

    def get_extensions(self) -> dict[str, Any]:
        """The permission code and the declared filters of the call."""
        extensions: dict[str, Any] = {}
        view: Any = self.view
        code = view.codes.get(view.action)
        if code:
            extensions["x-permission"] = code
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
        """What a form or a table must know of a noun's field, beside its type."""
        schema: Any = super()._map_serializer_field(field, direction, bypass_extensions)  # type: ignore[no-untyped-call]
        if schema.get("format") == "date-time":
            # The dialect's own way to write a time, which is not the one of RFC 3339.
            schema = {**{name: value for name, value in schema.items() if name != "format"}, "pattern": _MOMENT}
        if isinstance(getattr(field, "parent", None), NounSerializer) and "$ref" not in schema:
            schema = {**schema, **_marks(field)}
        return schema

    def get_filter_backends(self) -> list[Any]:
        """None: filters are declared on the view and described in `x-filters`."""
        return []

    def _is_list_view(self, serializer: Any = None) -> bool:
        """Pages are described below, not by DRF's guess from the action's name."""
        return False

    def get_override_parameters(self) -> Any:
        """What the family's standard calls take, beside what a view says of itself."""
        view: Any = self.view
        declared = super().get_override_parameters()
        if not hasattr(view, "filters"):
            return declared
        if view.action == "show":
            return [*declared, OpenApiParameter("id", str, required=True)]
        if view.action != "list":
            return declared
        kinds: dict[str, Any] = {name: int if entry.kind in _NUMBERS else str for name, entry in view.filters.items()}
        kinds.update(ascs=str, descs=str)
        if "list" in view.pages:
            kinds.update(current=int, size=int)
        return [*declared, *(OpenApiParameter(name, kind) for name, kind in kinds.items())]

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        """Whatever is not 200 is a refusal, of the one shape."""
        found: Any = super()._get_response_bodies(direction)
        found.setdefault("default", _REFUSED)
        return found

    def _get_response_for_code(
        self, serializer: Any, status_code: str, media_types: Any = None, direction: str = "response"
    ) -> Any:
        """The envelope, and inside it the page of a `list` or the array of a `many` answer."""
        view: Any = self.view
        response: Any = super()._get_response_for_code(serializer, status_code, media_types, direction)  # type: ignore[no-untyped-call]
        is_page = view.action in view.pages
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
                        **{name: number for name in ("total", "size", "current", "pages")},
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
    """Describe the one shape of all refusals."""
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
    """How the dialect carries its token."""

    target_class = "core.identity.authentication.TokenAuthentication"
    name = "bladeAuth"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """A header of its own; `Authorization` only names the client."""
        return {"type": "apiKey", "in": "header", "name": "Blade-Auth", "description": "bearer <access token>"}


class IdFieldExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Ids are strings of digits."""

    target_class = "core.kernel.serializers.IdField"

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        """A string, either way."""
        return build_basic_type(OpenApiTypes.STR) or {}


class ReferenceFieldExtension(IdFieldExtension):  # type: ignore[no-untyped-call]
    """References are ids."""

    target_class = "core.kernel.serializers.ReferenceField"


class FlagFieldExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Yes/no values are 0 or 1."""

    target_class = "core.kernel.serializers.FlagField"

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        """0 or 1."""
        return {"type": "integer", "minimum": 0, "maximum": 1}


class IdListFieldExtension(IdFieldExtension):  # type: ignore[no-untyped-call]
    """Sets of ids are comma-joined."""

    target_class = "core.kernel.serializers.IdListField"


class ImagesFieldExtension(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """Pictures are a list of links."""

    target_class = "core.storage.serializers.ImagesField"

    def map_serializer_field(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        """Out a list, in the same or comma-joined."""
        return build_array_type(build_basic_type(OpenApiTypes.STR) or {})


class FilesFieldExtension(ImagesFieldExtension):  # type: ignore[no-untyped-call]
    """Files are a list of links, too."""

    target_class = "core.storage.serializers.FilesField"


class VoiceFieldExtension(IdFieldExtension):  # type: ignore[no-untyped-call]
    """A recording is a link."""

    target_class = "core.storage.serializers.VoiceField"


SECOND_FACES = ("/api/equip-auth/", "/api/blade-system/user/")


def one_spelling(endpoints: list[Any]) -> list[Any]:
    """Describe each call once: under /api, sign-in and people under the family's service names."""
    return [entry for entry in endpoints if entry[0].startswith("/api/") and not entry[0].startswith(SECOND_FACES)]


def error_codes(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """List the stable words of refusals, read off the code, so that a client that compares one is checked."""
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
