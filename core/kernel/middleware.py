"""What every request gets, pages and calls alike: an id to ask for, and the browser's safety headers."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

GetResponse = Callable[[HttpRequest], HttpResponse]
_GIVEN_ID = re.compile(r"[A-Za-z0-9-]{8,64}")

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "form-action 'self'"
)


def request_id(get_response: GetResponse) -> GetResponse:
    """Give the request an id, or keep a proxy's; it stands in every error and in the audit."""

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-Id", "")
        request.request_id = given if _GIVEN_ID.fullmatch(given) else secrets.token_hex(8)  # type: ignore[attr-defined]
        response = get_response(request)
        response["X-Request-Id"] = request.request_id  # type: ignore[attr-defined]
        return response

    return middleware


def security_headers(get_response: GetResponse) -> GetResponse:
    """Add the headers that keep foreign scripts, frames and type guessing out."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        response.setdefault("X-Content-Type-Options", "nosniff")
        response.setdefault("Referrer-Policy", "same-origin")
        response.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        return response

    return middleware
