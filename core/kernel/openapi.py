"""The document of the calls: drf-spectacular, with our envelope round the answers and our declarations as x- data."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import build_array_type, build_basic_type, build_object_type
from drf_spectacular.types import OpenApiTypes


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
        return extensions

    def get_filter_backends(self) -> list[Any]:
        """None: filters are declared on the view and described in `x-filters`."""
        return []

    def _is_list_view(self, serializer: Any = None) -> bool:
        """Pages are described below, not by DRF's guess from the action's name."""
        return False

    def _get_response_for_code(
        self, serializer: Any, status_code: str, media_types: Any = None, direction: str = "response"
    ) -> Any:
        """The envelope, and the page inside it for a noun's `list`."""
        view: Any = self.view
        response: Any = super()._get_response_for_code(serializer, status_code, media_types, direction)  # type: ignore[no-untyped-call]
        for content in response.get("content", {}).values():
            data = content.get("schema", {})
            if view.action in view.pages:
                number = build_basic_type(OpenApiTypes.INT)
                data = build_object_type(
                    properties={
                        "records": build_array_type(data),
                        **{name: number for name in ("total", "size", "current", "pages")},
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


def one_spelling(endpoints: list[Any]) -> list[Any]:
    """Describe each call once: under /api, and sign-in under the family's service name."""
    return [
        entry for entry in endpoints if entry[0].startswith("/api/") and not entry[0].startswith("/api/equip-auth/")
    ]


def answers_are_whole(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Say that an answer has all its fields, whatever may be left out when it is sent; only leaves have no children."""
    for name, schema in result["components"]["schemas"].items():
        if not name.endswith("Request") and "properties" in schema:
            schema["required"] = [field for field in schema["properties"] if field != "children"]
    return result
