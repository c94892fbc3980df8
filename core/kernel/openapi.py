"""The document of the calls: drf-spectacular, with our envelope round the answers and our declarations as x- data."""

from __future__ import annotations

from typing import Any

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
        code = getattr(self.view, "codes", {}).get(getattr(self.view, "action", ""))
        if code:
            extensions["x-permission"] = code
        if getattr(self.view, "action", "") == "list" and getattr(self.view, "filters", None):
            extensions["x-filters"] = {name: entry.kind for name, entry in self.view.filters.items()}
        return extensions

    def get_filter_backends(self) -> list[Any]:
        """None: filters are declared on the view and described in `x-filters`."""
        return []

    def _is_list_view(self, serializer: Any = None) -> bool:
        """Pages are described below, not by DRF's guess from the action's name."""
        return False

    def _get_response_for_code(self, serializer: Any, status_code: str, media_types: Any = None, direction: str = "response") -> Any:
        """The envelope, and the page inside it for a noun's `list`."""
        response = super()._get_response_for_code(serializer, status_code, media_types, direction)
        for content in response.get("content", {}).values():
            data = content.get("schema", {})
            if getattr(self.view, "action", "") == "list":
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
