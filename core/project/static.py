"""How long browsers keep the files of the console."""

from __future__ import annotations

from wsgiref.headers import Headers

FOREVER = "max-age=31536000, public, immutable"
EACH_TIME = "no-cache"


def add_headers(headers: Headers, path: str, url: str) -> None:
    """Set `Cache-Control` of a file: what is named after its content never changes, and what names the others is asked
    for each time, so that a new build is seen at once."""
    if url.startswith("/assets/"):
        headers["Cache-Control"] = FOREVER
    elif url in ("/sw.js", "/index.html"):
        headers["Cache-Control"] = EACH_TIME
