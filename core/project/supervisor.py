"""Keeps child processes alive: each in a session of its own, restarted when it dies, the last one stopped first.

Linux only. Children start from the main thread, because the kernel ties the parent-death signal to the forking thread.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

STOP_SIGNALS = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
_WATCHED = STOP_SIGNALS | {signal.SIGCHLD}
_LOG_LIMIT = 5 * 1024 * 1024
_FIRST_DELAY, _LONGEST_DELAY = 0.2, 10.0
_RAN_WELL = 5.0
_MARK = "XUNWEI_SERVED"
_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


class CannotStart(Exception):
    """Starting failed for good; the text is one sentence for the person at the terminal."""


class Stopped(Exception):
    """A stop signal came while something was being waited for."""


@dataclass(frozen=True)
class Program:
    """What to run as a child, and how long it may take to stop (seconds)."""

    name: str
    argv: Sequence[str]
    environ: Mapping[str, str] = field(default_factory=dict)
    grace: float = 10.0


@dataclass
class _Child:
    program: Program
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    deaths: int = 0
    delay: float = _FIRST_DELAY
    due: float = 0.0
    """When to start it again (monotonic), while it is not running."""


class Supervisor:
    """The children of one `serve`. Logs go to logs/<name>.log and pids to run/<name>.pid in the data folder."""

    def __init__(self, data_dir: Path, root: Path, say: Callable[[str], None]):
        self.data_dir, self.root, self.say = data_dir, root, say
        self._children: list[_Child] = []
        for name in ("run", "logs"):
            (data_dir / name).mkdir(parents=True, exist_ok=True)
        # Blocked signals wait until they are asked for: none is lost, and none interrupts a start half way.
        signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)

    def log(self, name: str) -> Path:
        """Return a child's log file."""
        return self.data_dir / "logs" / f"{name}.log"

    def sweep(self) -> None:
        """Kill what a killed `serve` of this data folder may have left: grandchildren get no parent-death signal."""
        mark = f"{_MARK}={self.data_dir}".encode()
        for path in (self.data_dir / "run").glob("*.pid"):
            if path.name == "serve.pid":
                continue
            with contextlib.suppress(ValueError):
                # Pids are given out again, so the mark in the environment decides.
                for pid in _members(int(path.read_text())):
                    if mark in _environment(pid):
                        _kill(pid)
            path.unlink(missing_ok=True)

    def once(self, program: Program) -> int:
        """Run a program to its end on our own terminal; answers its exit code. Raises Stopped."""
        process = self._spawn(program, None)
        try:
            while process.poll() is None:
                self.rest(1.0)
        except Stopped:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(program.grace)
            raise
        finally:
            self._clear(program.name, process)
        return process.returncode

    def start(self, program: Program) -> None:
        """Start a child and keep it alive from now on."""
        child = _Child(program)
        self._children.append(child)
        self._run(child)

    def drop(self, name: str) -> None:
        """Stop one child and forget it."""
        for child in [c for c in self._children if c.program.name == name]:
            self._end(child)
            self._children.remove(child)

    def deaths(self, name: str) -> int:
        """Return how often a child has died so far."""
        return sum(child.deaths for child in self._children if child.program.name == name)

    def rest(self, seconds: float) -> None:
        """Sleep until a child dies or the time is over, and put right what died. Raises Stopped when told to stop."""
        pauses = [child.due - time.monotonic() for child in self._children if child.process is None]
        info = signal.sigtimedwait(_WATCHED, max(0.0, min([seconds, *pauses])))
        if info is not None and info.si_signo in STOP_SIGNALS:
            raise Stopped
        self._look()

    def stop(self) -> None:
        """Stop all children, the last one first."""
        for child in reversed(self._children):
            self._end(child)
        self._children.clear()

    def _look(self) -> None:
        for child in self._children:
            now = time.monotonic()
            if child.process is None:
                if now >= child.due:
                    self._run(child)
            elif child.process.poll() is not None:
                code = child.process.returncode
                if now - child.started >= _RAN_WELL:
                    child.delay = _FIRST_DELAY
                self._clear(child.program.name, child.process)
                child.process, child.due = None, now + child.delay
                child.delay = min(child.delay * 2, _LONGEST_DELAY)
                child.deaths += 1
                self.say(f"{child.program.name} ended {_reason(code)}; it is started again.")

    def _run(self, child: _Child) -> None:
        log = self.log(child.program.name)
        if log.exists() and log.stat().st_size > _LOG_LIMIT:
            log.replace(log.with_suffix(".log.1"))
        with log.open("ab") as output:
            child.process = self._spawn(child.program, output)
        child.started = time.monotonic()

    def _spawn(self, program: Program, output: IO[bytes] | None) -> subprocess.Popen[bytes]:
        parent = os.getpid()

        def in_child() -> None:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _WATCHED)
            _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
            if os.getppid() != parent:  # the parent died before the line above
                os._exit(1)

        process = subprocess.Popen(
            program.argv,
            cwd=self.root,
            env={**os.environ, **program.environ, _MARK: str(self.data_dir)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output else None,
            start_new_session=True,
            preexec_fn=in_child,
        )
        (self.data_dir / "run" / f"{program.name}.pid").write_text(f"{process.pid}\n")
        return process

    def _end(self, child: _Child) -> None:
        if child.process is not None:
            child.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.process.wait(child.program.grace)
            self._clear(child.program.name, child.process)
        child.process = None

    def _clear(self, name: str, process: subprocess.Popen[bytes]) -> None:
        """Kill the whole process group: web workers outlive a killed web server, and would go on answering."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        deadline = time.monotonic() + 2
        while _members(process.pid) and time.monotonic() < deadline:
            time.sleep(0.01)
        (self.data_dir / "run" / f"{name}.pid").unlink(missing_ok=True)


def last_words(log: Path) -> str:
    """Return the last line of a log that says anything."""
    try:
        lines = log.read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def print_line(text: str) -> None:
    """Say one line at once, also into a pipe; a reader who went away is no reason to stop."""
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()


def _reason(code: int) -> str:
    return f"by signal {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"


def _members(group: int) -> list[int]:
    """Living processes of a process group; dead ones that nobody has fetched yet are not counted."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                # The command in parentheses may contain anything; state, parent and group follow it.
                state, _, pgrp = (entry / "stat").read_text().rpartition(")")[2].split()[:3]
                if int(pgrp) == group and state != "Z":
                    found.append(int(entry.name))
    return found


def _environment(pid: int) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return []


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
