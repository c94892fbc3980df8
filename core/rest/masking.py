"""Cleans data before it is logged: hides secrets, by name and by pattern, and escapes control characters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

MOST = 8000
HIDDEN = "***"
_SECRET_NAME = re.compile(
    r"pass(word|wd)?|token|secret|authorization|blade-?auth|captcha|pepper|salt|cookie|accesskey|credential|^code$"
    r"|^(new|old)password",
    re.IGNORECASE,
)
_SECRET_SHAPE = re.compile(
    r"\b[0-9a-fA-F]{32}\b|\beyJ[\w-]+\.[\w-]+\.[\w-]*|\$?argon2id?\$\S+|\b\d{6,20}\.\d{1,9}\.[0-9a-f]{64}\b"
)
_PHONE = re.compile(r"(?<!\d)(1[3-9]\d)\d{4}(\d{4})(?!\d)")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def clean(text: str) -> str:
    """Return at most 8,000 characters of the text, secrets and phone numbers masked, control characters escaped."""
    found = _PHONE.sub(r"\1****\2", _SECRET_SHAPE.sub(HIDDEN, text[: MOST * 2]))
    found = found.replace("\r", "\\r")
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", found)[:MOST]


def masked(value: Any, name: str = "", depth: int = 0) -> Any:
    """Return a copy with the values of secret keys hidden and every text cleaned."""
    if name and _SECRET_NAME.search(name):
        return HIDDEN
    if depth > 6:
        return "…"
    if isinstance(value, Mapping):
        return {str(key)[:80]: masked(inner, str(key), depth + 1) for key, inner in list(value.items())[:100]}
    if isinstance(value, list | tuple):
        return [masked(inner, name, depth + 1) for inner in value[:50]]
    if value is None or isinstance(value, bool | int | float):
        return value
    return clean(str(value))[:2000]
