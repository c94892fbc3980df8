"""A fresh installation under `manage.py serve`: its own data folder, its own database, the cast of the tests in it."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from urllib.request import urlopen

import orjson
import psycopg
from psycopg import sql

ROOT = Path(__file__).resolve().parents[2]
CHILDREN = ("web", "worker", "beat")
POSTGRESQL = "postgresql://postgres@127.0.0.1:5432/postgres"
START_SECONDS = 90
UNLIMITED = dict.fromkeys(("LIMIT_PERSON", "LIMIT_ADDRESS", "LIMIT_TENANT"), "off")
"""Proofs let few people do what many would."""
STOP_SECONDS = 40


class NotServed(SystemExit):
    """The server cannot be started, or not stopped; the sentence says where to look."""


@dataclass
class Server:
    """An installation, served or not."""

    port: int
    data_dir: Path
    environment: Mapping[str, str]
    known: Mapping[str, Any]
    """Ids of machine, team, tags and people, as `inside.install` answers them."""
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def ask(self, command: str, *rest: str) -> Any:
        """Run a command of `tests.prove.inside` on this installation's database."""
        return _inside(self.environment, command, *rest)

    def begin(self, command: str, *rest: str) -> subprocess.Popen[bytes]:
        """Start a command of `tests.prove.inside` and let it run; its words come through a pipe."""
        return subprocess.Popen(
            [sys.executable, "-m", "tests.prove.inside", command, *rest],
            cwd=ROOT,
            env=dict(self.environment),
            stdout=subprocess.PIPE,
        )

    def pid(self, child: str) -> int | None:
        """The process id of a child (web, worker, beat) as `serve` has written it; None while there is none."""
        try:
            return int((self.data_dir / "run" / f"{child}.pid").read_text())
        except (FileNotFoundError, ValueError):
            return None

    def is_healthy(self) -> bool:
        """Whether /healthz answers 200: web, database, broker, beat and worker work together."""
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def serve(self) -> None:
        """Start `manage.py serve` and wait until it is healthy. Raises NotServed."""
        self._start()
        end = time.monotonic() + START_SECONDS
        while not self.is_healthy():
            if self.is_over() or time.monotonic() > end:
                said = (self.data_dir / "serve.out").read_text()[-2000:]
                raise NotServed(f"The server was not ready within {START_SECONDS} s. It said:\n{said}")
            time.sleep(0.3)

    def kill_and_serve(self) -> bool:
        """Kill `serve` itself and start it again as a service manager does; answers whether it came back in time."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if self.is_over():  # what the killed one left may hold the port or the folder for a moment
                self._start()
            time.sleep(0.5)
            if self.is_healthy() and not self.is_over():
                return True
        return False

    def stop(self) -> None:
        """End it in order. Raises NotServed when it does not end in time."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise NotServed(f"serve did not stop within {STOP_SECONDS} s; see {self.data_dir}/serve.out") from None

    def is_over(self) -> bool:
        """Whether `serve` has ended."""
        return self._process is None or self._process.poll() is not None

    def _start(self) -> None:
        with (self.data_dir / "serve.out").open("ab") as out:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "serve"], cwd=ROOT, env=dict(self.environment), stdout=out, stderr=out
            )


@contextmanager
def running(database: str, leaders: int = 0, **more: str) -> Iterator[Server]:
    """An installation that is served until the block ends."""
    with installed(database, leaders, **more) as server:
        try:
            server.serve()
            yield server
        finally:
            server.stop()


@contextmanager
def installed(database: str, leaders: int = 0, **more: str) -> Iterator[Server]:
    """Install on `sqlite` or `postgresql`; everything is gone afterwards, but for the logs of a failure.

    The PostgreSQL server is DATABASE_URL's, or the one on this machine; a database of its own is made there, and a
    login that serves and owns nothing, as in production.
    """
    with place(database, **more) as (data_dir, environment):
        known = _inside(environment, "install", str(leaders))
        yield Server(int(environment["PORT"]), data_dir, environment, known)


@contextmanager
def place(database: str, **more: str) -> Iterator[tuple[Path, dict[str, str]]]:
    """A data folder and a database, both empty, with the environment that names them; see `installed`."""
    data_dir = Path(tempfile.mkdtemp(prefix="xunwei-prove-"))
    port = _free_port()
    name = f"xunwei_prove_{secrets.token_hex(4)}"
    environment = {
        **{key: value for key, value in os.environ.items() if key != "DATABASE_URL"},
        "DATA_DIR": str(data_dir),
        "PORT": str(port),
        "HOST": "127.0.0.1",
        "CAPTCHA_MODE": "off",
        "DJANGO_SETTINGS_MODULE": "core.project.settings",
        **UNLIMITED,
        **more,
    }
    signal.signal(signal.SIGTERM, lambda *_given: sys.exit(143))  # so that the server is stopped on the way out
    maintenance = os.environ.get("DATABASE_URL") or POSTGRESQL
    try:
        if database == "postgresql":
            _execute(maintenance, "CREATE DATABASE {}", name)
            environment |= _logins(maintenance, name)
        yield data_dir, environment
    except BaseException:
        print(f"The data folder with the logs stays: {data_dir}")
        raise
    else:
        shutil.rmtree(data_dir, ignore_errors=True)
    finally:
        if database == "postgresql":
            _execute(maintenance, "DROP DATABASE IF EXISTS {} WITH (FORCE)", name)
            _execute(maintenance, "DROP ROLE IF EXISTS {}", name)


def _logins(maintenance: str, name: str) -> dict[str, str]:
    """Make the login that serves, called as its database, and return both addresses."""
    password, parts = secrets.token_hex(16), urlsplit(maintenance)._replace(path=f"/{name}")
    _execute(maintenance, f"CREATE ROLE {{}} LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD '{password}'", name)
    host = parts.netloc.rpartition("@")[2]
    return {
        "DATABASE_URL": urlunsplit(parts._replace(netloc=f"{name}:{password}@{host}")),
        "DATABASE_OWNER_URL": urlunsplit(parts),
    }


def _inside(environment: Mapping[str, str], command: str, *rest: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "tests.prove.inside", command, *rest],
        cwd=ROOT,
        env=dict(environment),
        stdout=subprocess.PIPE,
        check=True,
    )
    return orjson.loads(done.stdout)


def _execute(url: str, statement: str, name: str) -> None:
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(sql.Identifier(name)))
    except psycopg.OperationalError as error:
        raise NotServed(f"PostgreSQL does not answer (set DATABASE_URL): {error}") from error


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
