"""What is no call of the API: health, the console's page, and errors outside every view."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from redis import RedisError

from core.access.frames import frame_sources
from core.blade.envelope import plain_failure
from core.rest.middleware import CONTENT_SECURITY_POLICY
from core.scheduling.jobs import HEARTBEAT_KEY

SLOW_SECONDS = 60


def health(request: HttpRequest) -> HttpResponse:
    """200 when web, database, broker, beat and worker work together; 503 with one word otherwise.

    With 200 come the seconds that the queues lag behind, as of the worker's last sign of life. A long queue is no fault
    of this web server, which others would only have to do the work of: it is told in a word, `slow`, and not by 503.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return HttpResponse("database\n", status=503, content_type="text/plain")
    try:
        lag = cache.get(HEARTBEAT_KEY)
    except (RedisError, OSError):
        return HttpResponse("broker\n", status=503, content_type="text/plain")
    if lag is None:
        return HttpResponse("worker\n", status=503, content_type="text/plain")
    word = "slow" if lag > SLOW_SECONDS else "ok"
    return HttpResponse(f"{word}\nlag {int(lag)}\n", content_type="text/plain")


@lru_cache(maxsize=1)
def _index(modified: float) -> bytes:
    return (settings.WEB_DIST / "index.html").read_bytes()


def console(request: HttpRequest) -> HttpResponse:
    """Answer the console: one page, its router finds the rest."""
    if request.method not in ("GET", "HEAD"):
        return plain_failure(request, 405, "request.method", _("不支持当前请求方法"))
    if request.path.startswith("/assets/"):
        # A part of a console that is no longer installed: the page would be taken for a script.
        return HttpResponse("gone\n", status=404, content_type="text/plain")
    try:
        page = _index((settings.WEB_DIST / "index.html").stat().st_mtime)
    except FileNotFoundError:
        return HttpResponse("The console is not built: run `make run`, or `npm run build` in web/.\n", status=503)
    response = HttpResponse(page, content_type="text/html; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    frames = frame_sources()
    if frames:
        response["Content-Security-Policy"] = f"{CONTENT_SECURITY_POLICY}; frame-src 'self' {' '.join(frames)}"
    return response


def no_such_call(request: HttpRequest) -> HttpResponseBase:
    """Return an API path that does not exist."""
    return plain_failure(request, 404, "request.path", _("404 没找到请求"))


def no_such_call_handler(request: HttpRequest, exception: Any = None) -> HttpResponseBase:
    """Django's own 404."""
    return no_such_call(request)


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Return what no handler caught: no details leave the server."""
    return plain_failure(request, 500, "server.error", _("服务器异常，请稍后重试"))
