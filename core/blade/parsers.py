"""Strict parsing of request bodies."""

from __future__ import annotations

from typing import Any

import orjson
from django.conf import settings
from django.core.exceptions import TooManyFieldsSent
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

MAX_DEPTH = 20
FORM_FRAME = 64 * 1024
"""What a multipart body may have around its files."""


def _too_deep(value: Any, depth: int = 0) -> bool:
    if depth > MAX_DEPTH:
        return True
    if isinstance(value, dict):
        return any(_too_deep(item, depth + 1) for item in value.values())
    if isinstance(value, list):
        return any(_too_deep(item, depth + 1) for item in value)
    return False


class StrictJSONParser(BaseParser):
    """Parse a JSON object.

    Refuses NaN and lone surrogates (by orjson), more than 20 nested levels, and NUL in texts.
    """

    media_type = "application/json"
    array_name = ""
    """The key under which a subclass puts a bare JSON array; empty refuses arrays."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> dict[str, Any]:
        """Return the body as a dict; an empty body gives an empty dict.

        Raises ParseError for anything else.
        """
        body = stream.read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
        if len(body) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise ParseError()
        if not body.strip():
            return {}
        if b"\\u0000" in body:
            raise ParseError()
        try:
            value = orjson.loads(body)
        except (orjson.JSONDecodeError, RecursionError) as error:
            raise ParseError() from error
        if isinstance(value, list) and self.array_name:
            value = {self.array_name: value}
        if not isinstance(value, dict) or _too_deep(value):
            raise ParseError()
        if len(value) > settings.DATA_UPLOAD_MAX_NUMBER_FIELDS:
            raise TooManyFieldsSent
        return value


def parameters(request: Any) -> dict[str, Any]:
    """Return the parameters of a POST from query, form or JSON body; the body takes precedence. NUL is refused."""
    found: dict[str, Any] = {name: request.query_params.get(name) for name in request.query_params}
    data = request.data
    if hasattr(data, "keys"):
        if any(isinstance(data[name], str) and "\x00" in data[name] for name in data):
            raise ParseError()
        found.update({name: data[name] for name in data})
    return found
