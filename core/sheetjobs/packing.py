"""What a part of a job holds, as bytes."""

from __future__ import annotations

import zlib
from typing import Any

import orjson

_LEVEL = 1


def pack(value: Any) -> bytes:
    """Return plain data as packed JSON."""
    return zlib.compress(orjson.dumps(value), _LEVEL)


def unpack(content: Any) -> Any:
    """Return what was packed."""
    return orjson.loads(zlib.decompress(content))
