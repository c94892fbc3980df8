"""What the calls of drafts and versions are given, read and checked in one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from core.blade.parsers import parameters
from core.kernel.errors import Invalid

MAX_NOTE = 200
"""Characters of why a draft was saved or a version deployed."""


def query(*names: str, **kinds: Any) -> list[OpenApiParameter]:
    """Return the parameters as the document names them; texts, unless `kinds` says otherwise."""
    return [OpenApiParameter(name, kinds.get(name, str)) for name in names]


def given(request: Request) -> dict[str, str]:
    """Return the parameters of a list, trimmed and of bounded length."""
    return {name: value.strip()[:100] for name, value in request.query_params.dict().items()}


def tenant_ids(given: Mapping[str, Any]) -> list[str]:
    """Return the tenants named, each once."""
    names = str(given.get("tenantIds") or "").split(",")
    return list(dict.fromkeys(name.strip() for name in names if name.strip()))[:200]


def flag(request: Request, name: str) -> bool:
    """Return a parameter that is 0 or 1; absent it is 0."""
    value = str(parameters(request).get(name) or "0").lower()
    if value not in ("0", "1", "true", "false"):
        raise Invalid({name: _("请求参数格式错误: {name}").format(name=name)})
    return value in ("1", "true")
