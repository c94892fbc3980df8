"""Which foreign sites the console may show in a frame: those that the menu names."""

from __future__ import annotations

import re
import time
from urllib.parse import urlsplit

from core.access.models import Menu

_KEPT_SECONDS = 15
_HOST = re.compile(r"[A-Za-z0-9.-]+(:[0-9]{1,5})?")
_kept: tuple[float, tuple[str, ...]] = (0.0, ())


def frame_sources() -> tuple[str, ...]:
    """Origins of the menu's http addresses, for the page's content security policy; at most some seconds old."""
    global _kept
    until, found = _kept
    if time.monotonic() >= until:
        paths = Menu.objects.filter(path__startswith="http").values_list("path", flat=True)
        found = tuple(sorted({origin for path in paths if (origin := _origin(path))}))
        _kept = (time.monotonic() + _KEPT_SECONDS, found)
    return found


def _origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" if _HOST.fullmatch(parts.netloc) else ""
