"""Processes of an installation that are killed again and again, each followed by another one of its kind."""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.prove.server import Server

STUCK_SECONDS = 180


@dataclass
class Herd:
    """Processes that run commands of `tests.prove.inside`; each says in a line when it begins its work."""

    server: Server
    draw: random.Random
    killed: int = 0
    _living: list[tuple[Sequence[str], subprocess.Popen[bytes]]] = field(default_factory=list)
    _begun: set[int] = field(default_factory=set)
    """The ids of the processes that have said so."""

    def begin(self, *command: str, number: int = 1) -> None:
        """Start so many processes with this command."""
        for _ in range(number):
            self._living.append((command, self.server.begin(*command)))

    def kill_one(self, most_seconds: float) -> None:
        """Kill one within so many seconds of its work, and begin another one of its kind.

        All are at work by then: before a process says that it has begun there is nothing to spoil.
        """
        for _command, process in self._living:
            if process.pid not in self._begun:
                assert process.stdout is not None
                process.stdout.readline()
                self._begun.add(process.pid)
        command, process = self._living.pop(self.draw.randrange(len(self._living)))
        time.sleep(self.draw.uniform(0, most_seconds))
        process.kill()
        process.communicate()
        self.killed += 1
        self.begin(*command)

    def end(self, most_seconds: float = STUCK_SECONDS) -> list[str]:
        """Wait until all have ended by themselves; returns what is wrong with those that have not, or that failed."""
        end, faults = time.monotonic() + most_seconds, []
        for command, process in self._living:
            try:
                process.communicate(timeout=max(0.1, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                faults.append(f"{command[0]} was stuck")
            else:
                if process.returncode:
                    faults.append(f"{command[0]} failed: exit code {process.returncode}")
        self._living.clear()
        return faults
