"""Asking the product in this process, signed in, and hearing what it says to the database."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlencode

import orjson

from tests.bench.installation import Served, Statements, between
from tests.contract.test_statements import _HOUSEKEEPING

_CONTROL = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


def address(path: str, page: Mapping[str, int]) -> str:
    """A list's address with its page."""
    return f"/api/{path}?{urlencode(page)}"


def headers(account: str, tenant: str = "") -> dict[str, str]:
    """What a signed-in person's requests carry; company A is meant where none is named."""
    from tests import cast

    caller = cast.Cast().client_for(account, tenant or cast.A)
    return {
        "Blade-Auth": f"bearer {caller.token}",
        "Tenant-Id": caller.tenant,
        "Accept-Language": "zh-CN",
        "Content-Type": "application/json",
    }


def requester(account: str) -> Callable[..., bytes]:
    """A function of a path, and of a body where it is to be posted, that sends the person's request through the
    application in this process and answers the body."""
    from django.core.signals import request_finished, request_started
    from django.core.wsgi import get_wsgi_application
    from django.db import close_old_connections
    from django.test import RequestFactory

    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)  # it would close the one that `log` is going to take back
    application, factory, sent = get_wsgi_application(), RequestFactory(), headers(account)

    def send(path: str, body: Any = None) -> bytes:
        if body is None:
            request = factory.get(path, headers=sent)
        else:
            request = factory.post(path, orjson.dumps(body), content_type="application/json", headers=sent)
        status: list[str] = []
        answer: Any = application(request.environ, lambda line, _headers: status.append(line))
        text = b"".join(answer)
        answer.close()
        assert status[0].startswith("200"), (status, text)
        return text

    return send


def log(function: Callable[[], Any], *, undone: bool = False) -> Statements:
    """What the framework says to the database meanwhile, without the control of transactions; taken back if asked."""
    from django.db import connection, transaction

    said: Statements = []

    def listen(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not sql.startswith(_CONTROL):
            said.append((sql, [bytes(one) if isinstance(one, memoryview) else one for one in params or ()]))
        return execute(sql, params, many, context)

    if not undone:
        with connection.execute_wrapper(listen):
            function()
        return said
    with transaction.atomic(), connection.execute_wrapper(listen):
        function()
        transaction.set_rollback(True)
    return said


def statements_of(said: Statements) -> int:
    """How many they are, without the tenant's setting."""
    return sum(not sql.upper().startswith(_HOUSEKEEPING) for sql, _params in said)


def timed(function: Callable[[], Any], times: int) -> float:
    """Milliseconds of one call, over so many of them."""
    began = time.perf_counter()
    for _ in range(times):
        function()
    return (time.perf_counter() - began) * 1000 / times


def middle_and_tail(times: list[float]) -> tuple[float, float]:
    """The median, and what 95 of 100 do not exceed."""
    return median(times), quantiles(times, n=20)[-1]


def turn(served: Served, function: Callable[[], Any], times: int) -> tuple[float, float]:
    """Milliseconds of one call, over so many of them: on the clock, and on a core by web server and database."""
    web, backends = served.web(), served.backends()
    wall = timed(function, times)
    return wall, (between(web, served.web()) + between(backends, served.backends())) / times
