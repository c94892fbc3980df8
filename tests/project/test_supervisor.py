"""The supervisor alone, with small children: order, restarts, whole groups, leftovers, logs, and a damaged broker."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import redis

from core.project import supervisor as module
from core.project.management.commands import serve
from core.project.supervisor import Program, Stopped, Supervisor


@pytest.fixture
def said() -> list[str]:
    """What the supervisor says."""
    return []


@pytest.fixture
def supervisor(tmp_path: Path, said: list[str]) -> Iterator[Supervisor]:
    """One with a data folder of its own; its blocked signals are given back afterwards."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    made = Supervisor(tmp_path, tmp_path, said.append)
    yield made
    made.stop()
    while signal.sigtimedwait([signal.SIGCHLD], 0):
        pass
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _shell(name: str, script: str) -> Program:
    return Program(name, ["sh", "-c", script], grace=5)


def _until(supervisor: Supervisor, what: Callable[[], object], seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline
        supervisor.rest(0.05)


def _alive(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def _number(path: Path) -> int:
    with suppress(OSError, ValueError):
        return int(path.read_text())
    return 0


def test_a_child_that_dies_is_started_again_after_pauses_that_grow(supervisor: Supervisor, said: list[str]) -> None:
    began = time.monotonic()
    supervisor.start(_shell("flaky", "echo once; exit 3"))
    _until(supervisor, lambda: supervisor.deaths("flaky") == 4)
    # The pauses before the second, third and fourth start are 0.2, 0.4 and 0.8 s.
    assert 1.4 <= time.monotonic() - began < 5
    assert said == ["flaky ended with exit code 3; it is started again."] * 4
    assert supervisor.log("flaky").read_text() == "once\n" * 4


def test_a_killed_child_takes_its_own_children_with_it(supervisor: Supervisor, tmp_path: Path, said: list[str]) -> None:
    note, pid = tmp_path / "grandchild", tmp_path / "run" / "parent.pid"
    supervisor.start(_shell("parent", f"sleep 100 & echo $! > {note}; wait"))
    _until(supervisor, lambda: _number(note))
    old, grandchild = _number(pid), _number(note)
    os.kill(old, signal.SIGKILL)
    _until(supervisor, lambda: _number(pid) not in (0, old) and _number(note) not in (0, grandchild))
    assert not _alive(grandchild)
    assert _alive(_number(note))
    assert said == ["parent ended by signal SIGKILL; it is started again."]


def test_the_last_child_stops_first_and_nothing_is_left(supervisor: Supervisor, tmp_path: Path) -> None:
    order = tmp_path / "order"
    for name in ("first", "second", "third"):
        ready = tmp_path / f"{name}.ready"
        supervisor.start(_shell(name, f"trap 'echo {name} >> {order}; exit' TERM; touch {ready}; sleep 100 & wait"))
        _until(supervisor, ready.exists)
    groups = [_number(tmp_path / "run" / f"{name}.pid") for name in ("first", "second", "third")]
    supervisor.stop()
    assert order.read_text().split() == ["third", "second", "first"]
    assert [module._members(group) for group in groups] == [[], [], []]
    assert list((tmp_path / "run").iterdir()) == []


def test_a_child_that_ignores_the_stop_is_killed(supervisor: Supervisor, tmp_path: Path) -> None:
    ready, script = tmp_path / "ready", "trap '' TERM; touch ready; while :; do sleep 1; done"
    supervisor.start(Program("deaf", ["sh", "-c", script], grace=0.3))
    _until(supervisor, ready.exists)
    pid = _number(tmp_path / "run" / "deaf.pid")
    supervisor.stop()
    assert not _alive(pid)


def test_a_stop_signal_ends_the_rest_and_what_runs_once(supervisor: Supervisor, tmp_path: Path) -> None:
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
    with pytest.raises(Stopped):
        supervisor.once(_shell("setup", "sleep 100"))
    assert not (tmp_path / "run" / "setup.pid").exists()
    assert supervisor.once(_shell("setup", "exit 7")) == 7


def test_what_a_killed_serve_left_is_swept_away_but_no_stranger(supervisor: Supervisor, tmp_path: Path) -> None:
    def orphan(program: str, mark: str) -> int:
        """A process whose group leader is gone already, with the leader's pid file."""
        leader = subprocess.Popen(
            ["sh", "-c", f"sleep 100 & echo $! > {tmp_path}/{program}"],
            start_new_session=True,
            env={**os.environ, "XUNWEI_SERVED": mark},
        )
        leader.wait()
        (tmp_path / "run" / f"{program}.pid").write_text(f"{leader.pid}\n")
        left = _number(tmp_path / program)
        # While it becomes another program, a process shows no environment by which it could be recognised.
        comm, variable = Path(f"/proc/{left}/comm"), f"XUNWEI_SERVED={mark}".encode()
        _until(supervisor, lambda: comm.read_text() == "sleep\n" and variable in module._environment(left))
        return left

    ours, stranger = orphan("web", str(tmp_path)), orphan("beat", f"{tmp_path}-other")
    try:
        supervisor.sweep()
        _until(supervisor, lambda: not _alive(ours))
        assert _alive(stranger)
        assert list((tmp_path / "run").iterdir()) == []
    finally:
        os.kill(stranger, signal.SIGKILL)


def test_a_log_that_has_grown_is_put_aside_at_the_next_start(
    supervisor: Supervisor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LOG_LIMIT", 10)
    supervisor.log("web").write_text("an old story\n")
    supervisor.start(_shell("web", "echo new; sleep 100"))
    _until(supervisor, lambda: "new" in supervisor.log("web").read_text())
    assert supervisor.log("web").read_text() == "new\n"
    assert (tmp_path / "logs" / "web.log.1").read_text() == "an old story\n"


def test_a_broker_that_cannot_read_its_data_starts_empty_and_says_so(
    supervisor: Supervisor, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = serve._start_broker(supervisor, tmp_path)
    with redis.Redis.from_url(url) as client:
        client.set("word", "kept")
    supervisor.drop("broker")
    url = serve._start_broker(supervisor, tmp_path)
    with redis.Redis.from_url(url) as client:
        assert client.get("word") == b"kept", "a restart keeps what was there"
    supervisor.drop("broker")
    assert capsys.readouterr().out == ""
    for file in (tmp_path / "broker" / "appendonlydir").glob("*.base.rdb"):
        file.write_bytes(b"VALKEY999" + bytes(range(64)))
    url = serve._start_broker(supervisor, tmp_path)
    with redis.Redis.from_url(url) as client:
        assert client.get("word") is None
    said = "The broker cannot read its data; they are put aside as broker.old, and it starts empty.\n"
    assert capsys.readouterr().out == said
    assert (tmp_path / "broker.old" / "appendonlydir").is_dir()
    assert (tmp_path / "broker" / "server.conf").stat().st_mode & 0o777 == 0o600
