"""How much of the bare statements' rate a list keeps, with sign-in, tenancy and names, in the same server.

For each list one signed-in request is logged with its statements. Then the server that the product runs in (granian,
one worker) is asked in turns, over one connection: for the list, through the whole application, and for exactly these
statements, replayed in one transaction by the driver without any framework. The medians of the turns make the ratio.
Nothing here is asserted.

    python -m tests.bench --database sqlite --rows 5000
"""

from __future__ import annotations

import argparse
import http.client
import os
import pickle
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

GOAL = 25
"""Per cent of its own bare statements' rate that a list has to keep."""
MOST_STATEMENTS = 6
QUIET = 0.75
"""Load a core up to which the figures count; the measuring itself is most of one."""
POSTGRESQL = "postgresql://postgres@127.0.0.1:5432/postgres"

NOTHING: Mapping[str, str] = MappingProxyType({})

# path, who asks, page
LISTS = (
    ("yuzhu-equip/repairorder/list", "repair_leader", {"current": 3, "size": 10}),
    ("yuzhu-equip/repairorder/list", "repair_leader", {"current": 2, "size": 50}),
    ("yuzhu-equip/inspectmachine/list", "repair_leader", {"current": 3, "size": 10}),
    ("yuzhu-equip/inspectmachine/list", "repair_leader", {"current": 2, "size": 50}),
    ("blade-desk/notice/list", "tenant_admin", {"current": 3, "size": 10}),
    ("blade-flow/work/todo-list", "repairer", {"current": 3, "size": 10}),
    ("blade-flow/work/claim-list", "repair_leader", {"current": 3, "size": 10}),
)


@dataclass(frozen=True)
class Measured:
    """One list's figures: times in milliseconds a request, statements without housekeeping."""

    name: str
    statements: int
    wall: float
    bare: float

    @property
    def share(self) -> float:
        """The list's rate in per cent of its bare statements' rate."""
        return 100 * self.bare / self.wall


@contextmanager
def _installation(database: str) -> Iterator[None]:
    """Settings for a data folder and a database of this run's own; both are gone afterwards."""
    data_dir = tempfile.mkdtemp(prefix="xunwei-bench-")
    name = f"xunwei_bench_{secrets.token_hex(4)}"
    server = os.environ.pop("DATABASE_URL", "") or POSTGRESQL
    os.environ.update(DATA_DIR=data_dir, CAPTCHA_MODE="off", DJANGO_SETTINGS_MODULE="core.project.settings")
    try:
        if database == "postgresql":
            _execute(server, f'CREATE DATABASE "{name}"')
            os.environ["DATABASE_URL"] = urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        yield
    finally:
        if database == "postgresql":
            _execute(server, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        shutil.rmtree(data_dir, ignore_errors=True)


def _execute(url: str, statement: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement)  # type: ignore[call-overload]


class Lines:
    """What the framework says to the database, as it says it: statements with their parameters, in order."""

    def __init__(self) -> None:
        self.said: list[tuple[str, Any]] = []

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        self.said.append((sql, params))
        return execute(sql, params, many, context)


@contextmanager
def _server(statements: list[list[tuple[str, Any]]]) -> Iterator[Client]:
    """The product's web server on the same database, which also answers `/bare/<number>`; see server.py."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    path = os.path.join(os.environ["DATA_DIR"], "statements")
    with open(path, "wb") as file:
        pickle.dump(statements, file)
    command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--no-ws", "--port", str(port)]
    command += ["--workers", "1", "--blocking-threads", "1", "--log-level", "warning", "tests.bench.server:application"]
    server = subprocess.Popen(command, env={**os.environ, "BENCH_STATEMENTS": path})
    try:
        yield Client(port)
    finally:
        server.terminate()
        server.wait()


class Client:
    """One kept connection to the server."""

    def __init__(self, port: int):
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        until = time.monotonic() + 30
        while True:
            try:
                self._connection.connect()
                self._connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)

    def get(self, path: str, headers: Mapping[str, str] = NOTHING) -> bytes:
        """The body; anything but 200 is an error."""
        self._connection.request("GET", path, headers=dict(headers))
        answer = self._connection.getresponse()
        body = answer.read()
        assert answer.status == 200, (path, answer.status, body)
        return body


def _timed(function: Callable[[], Any], times: int) -> float:
    """Milliseconds of one call, over so many of them."""
    began = time.perf_counter()
    for _ in range(times):
        function()
    return (time.perf_counter() - began) * 1000 / times


def _address(path: str, page: Mapping[str, int]) -> str:
    return f"/api/{path}?{urlencode(page)}"


def _headers(account: str) -> dict[str, str]:
    from tests import cast

    caller = cast.Cast().client_for(account)
    return {"Blade-Auth": f"bearer {caller.token}", "Tenant-Id": cast.A, "Accept-Language": "zh-CN"}


def _requester(path: str, account: str, page: Mapping[str, int]) -> Callable[[], bytes]:
    """A function that sends the signed-in request through the application in this process and answers the body."""
    from django.core.wsgi import get_wsgi_application
    from django.test import RequestFactory

    application = get_wsgi_application()
    environ = RequestFactory().get(_address(path, page), headers=_headers(account)).environ

    def send() -> bytes:
        status: list[str] = []
        answer: Any = application(dict(environ), lambda line, _headers: status.append(line))
        body = b"".join(answer)
        answer.close()
        assert status[0].startswith("200"), (status, body)
        return body

    return send


def _statements(path: str, account: str, page: Mapping[str, int]) -> list[tuple[str, Any]]:
    """What the list says to the database when it is asked for the second time."""
    from django.db import connection

    send = _requester(path, account, page)
    assert b'"records":[{' in send(), f"{path} has no rows to measure"
    lines = Lines()
    with connection.execute_wrapper(lines):
        send()
    return lines.said


def _measure(rounds: int, times: int) -> list[Measured]:
    from tests.contract.test_statements import _HOUSEKEEPING

    said = [_statements(*entry) for entry in LISTS]
    headers = [_headers(account) for _path, account, _page in LISTS]
    measured = []
    with _server(said) as client:
        for number, (path, _account, page) in enumerate(LISTS):

            def ask(address: str = _address(path, page), number: int = number) -> bytes:
                return client.get(address, headers[number])

            def ask_bare(number: int = number) -> bytes:
                return client.get(f"/bare/{number}")

            ask(), ask_bare()
            turns = [(_timed(ask, times), _timed(ask_bare, times)) for _ in range(rounds)]
            wall, bare = (median(column) for column in zip(*turns, strict=True))
            count = sum(not sql.upper().startswith(_HOUSEKEEPING) for sql, _params in said[number])
            measured.append(Measured(f"{path.removesuffix('/list')} × {page['size']}", count, wall, bare))
    return measured


def _print(database: str, rows: int, measured: list[Measured]) -> None:
    width = max(len(one.name) for one in measured)
    print(
        f"\nLists on {database}, {rows} rows; goal: {GOAL} % of the bare statements' rate, {MOST_STATEMENTS} statements"
    )
    print(f"  {'':<{width}}  list ms  bare ms  share  statements")
    for one in measured:
        good = "ok" if one.share >= GOAL and one.statements <= MOST_STATEMENTS else "NOT MET"
        print(f"  {one.name:<{width}}  {one.wall:7.2f} {one.bare:8.2f} {one.share:5.0f} % {one.statements:11}  {good}")
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load > QUIET * cores:
        # Waiting for a busy PostgreSQL makes the bare statements slow and the share high; on SQLite it is the reverse.
        print(f"  Others were at work (load {load:.1f} on {cores} cores): these shares prove nothing, either way.")
    sys.stdout.flush()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--times", type=int, default=40, help="requests in a round")
    parser.add_argument("--profile", default="", help="print where the time of this list goes instead")
    asked = parser.parse_args()
    with _installation(asked.database):
        import django
        from django.db import connection

        django.setup()
        from tests.bench import rows

        rows.install(asked.rows)
        if asked.profile:
            _profile(asked.profile)
        else:
            _print(asked.database, asked.rows, _measure(asked.rounds, asked.times))
        connection.close()
        if asked.database == "postgresql":
            connection.close_pool()  # type: ignore[attr-defined]  # PostgreSQL's connections come from a pool


def _profile(part: str) -> None:
    import cProfile
    import pstats

    for path, account, page in LISTS:
        if part in path:
            send = _requester(path, account, page)
            send()
            profile = cProfile.Profile()
            profile.enable()
            _timed(send, 200)
            profile.disable()
            print(f"\n{path} {page}")
            pstats.Stats(profile).sort_stats("cumtime").print_stats(90)
            return


if __name__ == "__main__":
    main()
