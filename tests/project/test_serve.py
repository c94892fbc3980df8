"""The real `manage.py serve`: a killed child is back at once, and neither a stop nor a kill leaves a process behind.

Without DATABASE_URL everything is embedded, the broker too; with it, serve runs on a PostgreSQL database of its own and
on the Redis of REDIS_URL, as in a larger installation.
"""

from __future__ import annotations

import http.client
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import redis

from core.project import env
from core.scheduling.jobs import HEARTBEAT_KEY
from tests import databases

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="serve runs on Linux only"),
    pytest.mark.timeout(180),
    pytest.mark.xdist_group("serve"),  # one worker takes all tests, which share one server
]
DATABASE_URL = os.environ.get("DATABASE_URL", "")
REDIS_URL = os.environ.get("REDIS_URL", "") if DATABASE_URL else ""
KEPT = os.environ.get("KEPT_DATABASE", "")
CHILDREN = ("web", "worker", "beat") if REDIS_URL else ("broker", "web", "worker", "beat")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _until(what: Callable[[], object], seconds: float, sentence: str) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, f"{sentence} within {seconds} s"
        time.sleep(0.1)


def _living(groups: set[int]) -> list[int]:
    """Pids in the process groups given; dead ones that nobody has fetched yet do not count."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdigit():
                # The command in parentheses may contain anything; state, parent and group follow it.
                state, _parent, group = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
                if int(group) in groups and state != "Z":
                    found.append(int(entry.name))
    return found


@dataclass
class Server:
    """A `manage.py serve` on a data folder and a port of its own."""

    data_dir: Path
    database_url: str
    port: int
    process: subprocess.Popen[bytes] | None = None

    def command(self, *words: str, **changes: str) -> subprocess.Popen[bytes]:
        """Start serve, or another command of manage.py; its words go to a file beside the data folder."""
        environ = {**os.environ, "DATA_DIR": str(self.data_dir), "PORT": str(self.port), "HOST": "127.0.0.1"}
        environ |= {"DATABASE_URL": self.database_url, "REDIS_URL": REDIS_URL, "WEB_WORKERS": "2", **changes}
        call = [sys.executable, "manage.py", *(words or ("serve",))]
        with self.words_file.open("wb") as said:
            return subprocess.Popen(call, cwd=env.ROOT, env=environ, stdout=said, stderr=said)

    @property
    def words_file(self) -> Path:
        """What serve last said."""
        return self.data_dir.with_suffix(".txt")

    def words(self) -> str:
        """What serve last said."""
        return self.words_file.read_text()

    def start(self) -> None:
        """Start it and wait for the line that says it is ready."""
        self.process = self.command()
        _until(lambda: "is ready" in self.words() or self.ended(), 90, "serve said nothing")
        assert f"巡维 Xunwei is ready: http://127.0.0.1:{self.port} (ready in " in self.words(), self.words()

    def ended(self) -> bool:
        """Whether serve is over."""
        return self.process is None or self.process.poll() is not None

    def pids(self) -> dict[str, int]:
        """The process ids of serve and of its children, by name."""
        found = {}
        for file in (self.data_dir / "run").glob("*.pid"):
            with suppress(FileNotFoundError):  # a child that ends takes its file away
                if text := file.read_text().strip():
                    found[file.stem] = int(text)
        return found

    def pid(self, name: str) -> int:
        """A child's process id; 0 while there is none."""
        return self.pids().get(name, 0)

    def health(self) -> tuple[int, str]:
        """The status of /healthz and its word; 0 when nobody answers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            answer = connection.getresponse()
            return answer.status, answer.read().decode().partition("\n")[0]
        except (OSError, http.client.HTTPException):
            return 0, ""
        finally:
            connection.close()

    def forget_heartbeat(self) -> None:
        """Only a new beat of the whole chain (beat, broker, worker) makes /healthz well again."""
        environ = Path(f"/proc/{self.pid('web')}/environ").read_bytes().decode().split("\0")
        url = next(pair.partition("=")[2] for pair in environ if pair.startswith("REDIS_URL="))
        with redis.Redis.from_url(url) as client:
            client.delete(f"xunwei:1:{HEARTBEAT_KEY}")


@pytest.fixture(scope="module")
def database_url() -> Iterator[str]:
    """A PostgreSQL database of its own where the tests run on PostgreSQL; empty for SQLite in the data folder."""
    if not DATABASE_URL:
        yield ""
        return
    name = f"xunwei_serve_{os.getpid()}"
    made = f"CREATE DATABASE {name} TEMPLATE {databases.kept_name(Path(KEPT))}" if KEPT else f"CREATE DATABASE {name}"
    with psycopg.connect(urlsplit(DATABASE_URL)._replace(path="/postgres").geturl(), autocommit=True) as connection:
        connection.execute(made)
        try:
            yield urlsplit(DATABASE_URL)._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="module")
def server_of_file(tmp_path_factory: pytest.TempPathFactory, database_url: str) -> Iterator[Server]:
    """Yield the server that the tests of this file share, not started; it is killed at the end."""
    server = Server(tmp_path_factory.mktemp("serve") / "data", database_url, _free_port())
    if database_url and KEPT:
        # With companies in its database it builds no plant; what they are sealed with belongs to the rows.
        shutil.copytree(Path(KEPT, "keys"), server.data_dir / "keys")
    elif not database_url and "PLANT" in os.environ:
        # The plant of the browser tests, so that none is built here; a first start on SQLite is how that one was.
        left_out = shutil.ignore_patterns("run", "logs", "broker")
        shutil.copytree(os.environ["PLANT"], server.data_dir, ignore=left_out)
    else:
        # What is tried here is the server: a small plant will do.
        assert server.command("setup", "--small").wait() == 0, server.words()
    try:
        yield server
    finally:
        if server.process is not None:
            server.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                server.process.wait(60)
            server.process.kill()
        for group in server.pids().values():  # after a test that failed
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)


@pytest.fixture
def server(server_of_file: Server) -> Server:
    """Return the shared server, started where it is not running: the test before may have stopped it."""
    if server_of_file.ended():
        server_of_file.start()
        # What has become due since the plant was built is done in the first seconds.
        _until(lambda: server_of_file.health() == (200, "ok"), 60, "the queues have caught up")
    return server_of_file


def test_every_child_runs_and_the_page_of_health_says_ok(server: Server) -> None:
    assert set(server.pids()) == {"serve", *CHILDREN}
    assert server.process is not None
    assert server.pid("serve") == server.process.pid
    assert server.health() == (200, "ok")


@pytest.mark.same_on_both
def test_nobody_else_may_read_what_the_data_folder_holds(server: Server) -> None:
    files = [path for path in server.data_dir.rglob("*") if path.is_file()]
    assert server.data_dir / "logs" / "web.log" in files
    assert [path.name for path in (server.data_dir, *files) if path.stat().st_mode & 0o077] == []


def test_bodies_that_do_not_come_stop_nobody(server: Server) -> None:
    """More of them than there are threads, and 1 GB that nobody may send."""
    head = b"POST /api/blade-auth/oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    with ExitStack() as open_ones:
        for _ in range(16):
            slow = open_ones.enter_context(socket.create_connection(("127.0.0.1", server.port), 20))
            slow.sendall(head + b"Content-Length: 1000\r\n\r\n{")
        assert [server.health() for _ in range(5)] == [(200, "ok")] * 5
        large = open_ones.enter_context(socket.create_connection(("127.0.0.1", server.port), 20))
        large.sendall(head + b"Content-Length: 1000000000\r\n\r\n{")
        assert large.recv(100).startswith(b"HTTP/1.1 413 ")
        assert slow.recv(100).startswith(b"HTTP/1.1 408 ")


def test_connections_that_say_nothing_stop_nobody(server: Server) -> None:
    """More of them than the web server takes unless it is told otherwise, from one who sends nothing at all."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))
    with ExitStack() as open_ones:
        for _ in range(1500):
            open_ones.enter_context(socket.create_connection(("127.0.0.1", server.port), 20))
        assert [server.health() for _ in range(5)] == [(200, "ok")] * 5


@pytest.mark.parametrize("name", CHILDREN)
def test_a_killed_child_is_started_again_and_the_chain_is_whole(server: Server, name: str) -> None:
    old = server.pid(name)
    # Two web workers and what watches them; with PostgreSQL, three processes of the Celery worker as well.
    several = {"web": 3, "worker": 4 if DATABASE_URL else 1}.get(name, 1)
    assert len(_living({old})) == several, "each child leads a process group of its own"
    os.kill(old, signal.SIGKILL)
    _until(lambda: server.pid(name) not in (0, old), 20, f"{name} did not come back")
    # A web worker that lived on would go on answering, with the old code and settings.
    assert _living({old}) == []
    _until(lambda: server.health()[0] == 200, 20, "the server was not well again")
    server.forget_heartbeat()
    _until(lambda: server.health() == (200, "ok"), 30, "beat, broker and worker did not work together again")
    assert not server.ended()


@pytest.mark.same_on_both
def test_a_second_serve_on_the_same_data_folder_is_refused(server: Server) -> None:
    before = server.pids()
    second = subprocess.run(
        [sys.executable, "manage.py", "serve"],
        cwd=env.ROOT,
        env={**os.environ, "DATA_DIR": str(server.data_dir), "PORT": str(_free_port())},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert second.returncode == 1
    assert f"already runs on {server.data_dir} (process {before['serve']})" in second.stdout
    assert "Traceback" not in second.stdout + second.stderr
    assert server.pids() == before
    # On a busy machine a heartbeat may be late, as without the second one too.
    _until(lambda: server.health() == (200, "ok"), 30, "the first one was not well")


@pytest.mark.same_on_both
def test_a_port_in_use_is_refused_with_a_sentence(server: Server, tmp_path: Path) -> None:
    second = Server(tmp_path / "data", "", server.port)
    assert second.command(REDIS_URL="").wait(60) == 1
    assert second.words().startswith(f"Cannot listen on 127.0.0.1 port {server.port} (Address already in use).")
    assert second.words().count("\n") == 1
    assert not (second.data_dir / "xunwei.sqlite3").exists()
    assert second.pids() == {}


def test_a_database_that_does_not_answer_is_refused_with_a_sentence(tmp_path: Path) -> None:
    lonely = Server(tmp_path / "data", f"postgresql://somebody:secret@127.0.0.1:{_free_port()}/plant", _free_port())
    assert lonely.command().wait(60) == 1
    assert lonely.words().startswith("PostgreSQL does not answer (DATABASE_URL):")
    assert "secret" not in lonely.words()
    assert lonely.words().count("\n") == 1
    assert lonely.pids() == {}


def test_a_broker_that_does_not_answer_is_refused_with_a_sentence(tmp_path: Path) -> None:
    lonely = Server(tmp_path / "data", "", _free_port())
    assert lonely.command(REDIS_URL=f"redis://:secret@127.0.0.1:{_free_port()}/0").wait(60) == 1
    assert lonely.words().startswith("Redis does not answer (REDIS_URL):")
    assert "secret" not in lonely.words()
    assert lonely.words().count("\n") == 1
    assert lonely.pids() == {}


@pytest.mark.same_on_both
def test_neither_a_kill_nor_a_stop_leaves_a_process_behind(server: Server) -> None:
    assert server.process is not None
    groups = set(server.pids().values()) - {server.process.pid}
    server.process.kill()
    server.process.wait()
    _until(lambda: not _living(groups), 20, "something outlived a killed serve")
    server.start()
    assert server.health() == (200, "ok")
    groups = set(server.pids().values()) - {server.process.pid}
    assert len(groups) == len(CHILDREN)
    server.process.terminate()
    assert server.process.wait(60) == 0
    assert _living(groups) == []
    assert server.pids() == {}
    assert server.words().endswith("Stopping …\nStopped.\n")
