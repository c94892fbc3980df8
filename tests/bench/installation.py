"""A data folder, a database and a broker of this run's own, gone afterwards; and the product's web server on them."""

from __future__ import annotations

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
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit, urlunsplit

POSTGRESQL = "postgresql://postgres@127.0.0.1:5432/postgres"
NOTHING: Mapping[str, str] = MappingProxyType({})

Spent = Mapping[int, float]
"""Process → milliseconds on a core."""
Statements = list[tuple[str, Any]]
"""What the framework says to the database, with its parameters, in order."""


@contextmanager
def installation(database: str) -> Iterator[None]:
    """Settings for a data folder, a broker and a database of this run's own."""
    data_dir = tempfile.mkdtemp(prefix="xunwei-bench-")
    name = f"xunwei_bench_{secrets.token_hex(4)}"
    server = os.environ.pop("DATABASE_URL", "") or POSTGRESQL
    os.environ.update(DATA_DIR=data_dir, CAPTCHA_MODE="off", DJANGO_SETTINGS_MODULE="core.project.settings")
    try:
        with _broker(data_dir) as os.environ["REDIS_URL"]:
            if database == "postgresql":
                execute(server, f'CREATE DATABASE "{name}"')
                os.environ["DATABASE_URL"] = urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
            yield
    finally:
        if database == "postgresql":
            execute(server, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        shutil.rmtree(data_dir, ignore_errors=True)


def execute(url: str, statement: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement)  # type: ignore[call-overload]


def free_port() -> int:
    """A port of the loopback on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@contextmanager
def _broker(data_dir: str) -> Iterator[str]:
    """A broker that nobody reads, so that waking the worker costs a step what it costs in the product; its URL."""
    from core.project.management.commands.serve import _wheel

    binary = shutil.which("valkey-server") or shutil.which("redis-server") or _wheel()
    port = free_port()
    command = [binary, "--bind", "127.0.0.1", "--port", str(port), "--dir", data_dir, "--save", ""]
    broker = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        broker.terminate()
        broker.wait()


class Client:
    """One kept connection to a server."""

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

    def ask(self, path: str, headers: Mapping[str, str] = NOTHING, body: bytes | None = None) -> bytes:
        """The answer's body; a POST where one is sent. Anything but a success is an error."""
        self._connection.request("GET" if body is None else "POST", path, body, dict(headers))
        answer = self._connection.getresponse()
        text = answer.read()
        assert answer.status in (200, 201), (path, answer.status, text)
        return text


class Served:
    """A running web server with its database: a connection to it, and what both cost."""

    def __init__(self, port: int, pid: int, database: str):
        self.port, self._pid, self._database = port, pid, database

    @cached_property
    def client(self) -> Client:
        """A connection, as soon as the server takes one."""
        return Client(self.port)

    def web(self) -> Spent:
        """What the web server's processes have spent; SQLite is part of them."""
        return spent(processes(self._pid))

    def backends(self) -> Spent:
        """What PostgreSQL's processes for its database have spent."""
        return spent(backends(self._database))


@contextmanager
def server(statements: list[Statements], *, workers: int = 1, threads: int = 1) -> Iterator[Served]:
    """The product's web server on the same database, which also answers `/bare/<number>`; see server.py."""
    from django.db import connection

    port = free_port()
    path = Path(os.environ["DATA_DIR"], "statements")
    with path.open("wb") as file:
        pickle.dump(statements, file)
    command = [sys.executable, "-m", "granian", "--interface", "rsgi", "--http", "1", "--no-ws", "--port", str(port)]
    command += ["--workers", str(workers), "--log-level", "warning", "tests.bench.server:application"]
    limits = dict.fromkeys(("LIMIT_PERSON", "LIMIT_ADDRESS", "LIMIT_TENANT"), "100000/100000")  # counted, never reached
    environment = {**os.environ, "BENCH_STATEMENTS": str(path), "WEB_THREADS": str(threads), **limits}
    process = subprocess.Popen(command, env=environment)
    try:
        yield Served(port, process.pid, str(connection.settings_dict["NAME"]))
    finally:
        process.terminate()
        process.wait()


def processes(root: int) -> list[int]:
    """A process and all below it."""
    below: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it ended meanwhile
            below.setdefault(int(fields[1]), []).append(int(entry.name))
    found = [root]
    for pid in found:
        found.extend(below.get(pid, ()))
    return found


def spent(pids: list[int]) -> Spent:
    """Milliseconds that each process has been on a core.

    Its threads tell it exactly, but those that have ended tell nothing any more; then the process does, in steps of 10.
    """
    found = {}
    for pid in pids:
        try:
            threads = [task.read_text().split()[0] for task in Path(f"/proc/{pid}/task").glob("*/schedstat")]
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
        ticks = int(fields[11]) + int(fields[12])
        found[pid] = max(sum(map(int, threads)) / 1e6, ticks * 1000 / os.sysconf("SC_CLK_TCK"))
    return found


def between(before: Spent, after: Spent) -> float:
    """What was spent meanwhile, by processes that began meanwhile too."""
    return sum(ms - before.get(pid, 0) for pid, ms in after.items())


def backends(database: str) -> list[int]:
    """PostgreSQL's processes that serve this database, where they are on this machine."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT pid FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()", [database])
        return [pid for (pid,) in cursor.fetchall() if Path(f"/proc/{pid}").exists()]
