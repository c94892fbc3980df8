"""Middleware of all requests: request ids, proxies, compression, the content security policy."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

GetResponse = Callable[[HttpRequest], HttpResponse]
GIVEN_ID = re.compile(r"[A-Za-z0-9-]{8,64}")

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "media-src 'self' blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; form-action 'self'"
)


def request_id(get_response: GetResponse) -> GetResponse:
    """Set the id of the request, or keep the one from a proxy. Errors and audit entries contain it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-Id", "")
        request.request_id = given if GIVEN_ID.fullmatch(given) else secrets.token_hex(8)  # type: ignore[attr-defined]
        response = get_response(request)
        response["X-Request-Id"] = request.request_id  # type: ignore[attr-defined]
        return response

    return middleware


def behind_proxy(get_response: GetResponse) -> GetResponse:
    """Take the client's address and scheme from the headers of a trusted proxy."""

    def middleware(request: HttpRequest) -> HttpResponse:
        peer = request.META.get("REMOTE_ADDR", "")
        if peer in settings.TRUSTED_PROXIES:
            request.META["REMOTE_ADDR"] = client_address(peer, request.headers.get("X-Forwarded-For", ""))
            if request.headers.get("X-Forwarded-Proto", "").lower() == "https":
                request.META["wsgi.url_scheme"] = "https"
        return get_response(request)

    return middleware


def client_address(peer: str, forwarded: str) -> str:
    """Return the address that a trusted proxy names in `X-Forwarded-For`; of anybody else the peer's own."""
    if peer not in settings.TRUSTED_PROXIES:
        return peer
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    # The last hop that is not ours is the client; what stands before it was written by the client itself.
    client = next((hop for hop in reversed(hops) if hop not in settings.TRUSTED_PROXIES), "")
    return client if _is_address(client) else peer


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


class CompressedReadings(GZipMiddleware):
    """Compress JSON answers of GET requests. Tokens (POST) and images are not compressed."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress the response if the client accepts it."""
        if request.method != "GET" or response.get("Content-Type", "").partition(";")[0] != "application/json":
            return response
        return super().process_response(request, response)


def content_security_policy(get_response: GetResponse) -> GetResponse:
    """Set the content security policy: no scripts, objects or frames of other origins.

    Django sets the other headers.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        return response

    return middleware
