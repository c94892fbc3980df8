"""Timers in great numbers, on PostgreSQL: what is due fires once though sweepers are killed, the rest costs nothing.

* Idle: the processor time that worker and beat of a served installation use in a minute, empty and with 10,000 orders
  whose reminders fall due in hours. Printed, not judged.
* Due: 50,000 orders with an overdue reminder; 8 processes sweep and deliver as the worker does, and are killed with
  SIGKILL again and again. Each reminder must leave one act, one mark and one message to each leader; none may be left.
* Working time: 5,000 processes that were sent back once inside of what a deadline of a working day is drawn round.
  Then the working calendar changes, and all deadlines are overdue. Sweepers and kills as before: each due time must
  move once and each deadline fire once, and the steps go on waiting.

    python -m tests.prove.timers --due 50000 --working 5000 --idle 10000 --sweepers 8 --kills 80 --seed 7
"""

from __future__ import annotations

import argparse
import os
import random
import secrets
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import orjson
import psycopg

from tests.prove.server import Server, installed
from tests.prove.table import print_table

WATCHED = ("worker", "beat")
SETTLE_SECONDS = 10
LATE_MINUTES = 250
"""An ordinary report is to be answered in 240 minutes: the first reminder is overdue, the second one is not."""
STUCK_SECONDS = 120
_UNTOLD = "SELECT count(*) FROM scheduling_outboxmessage"
_OUTDATED = (
    "SELECT count(*) FROM timers_timer WHERE calendar_version <> "
    "(SELECT version FROM system_calendarversion WHERE tenant_id = timers_timer.tenant_id)"
)
_LEFT = "SELECT count(*) FROM timers_timer WHERE NOT is_parked AND due_time <= now()"


@dataclass
class Sweepers:
    """Processes that sweep, some of which are killed and followed by another one."""

    server: Server
    draw: random.Random
    living: list[subprocess.Popen[bytes]] = field(default_factory=list)
    killed: int = 0
    fired: int = 0
    seconds: float = 0.0
    """Processor time that went into them; of those who were not killed, as the others cannot tell."""

    def begin(self) -> None:
        """One more."""
        self.living.append(self.server.begin("sweep"))

    def kill_one(self) -> None:
        """Kill one in the middle of its work, and begin another one."""
        one = self.living.pop(self.draw.randrange(len(self.living)))
        assert one.stdout is not None
        one.stdout.readline()  # before it says that it has begun there is nothing to spoil
        time.sleep(self.draw.uniform(0, 0.3))
        one.kill()
        one.communicate()
        self.killed += 1
        self.begin()

    def end(self, left: Callable[[], int]) -> list[str]:
        """Wait until nothing is due any more; answers who failed, or is not done though nothing has moved for long."""
        before, since = left(), time.monotonic()
        while any(one.poll() is None for one in self.living) and time.monotonic() < since + STUCK_SECONDS:
            time.sleep(0.5)
            if (now := left()) != before:
                before, since = now, time.monotonic()
        faults = []
        for one in self.living:
            if one.poll() is None:
                one.kill()
            said, _nothing = one.communicate()
            if one.returncode:
                faults.append(f"a sweeper was stuck or failed: exit code {one.returncode}")
            else:
                told = orjson.loads(said.splitlines()[-1])
                self.fired, self.seconds = self.fired + told["fired"], self.seconds + told["seconds"]
        return faults


def _processor_seconds(server: Server) -> float:
    """What worker and beat with all their processes have used so far."""
    groups, ticks = {server.pid(child) for child in WATCHED}, 0
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) in groups:
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _cores(server: Server, seconds: float) -> float:
    """How many cores worker and beat use over so many seconds."""
    time.sleep(SETTLE_SECONDS)
    before, began = _processor_seconds(server), time.monotonic()
    time.sleep(seconds)
    return (_processor_seconds(server) - before) / (time.monotonic() - began)


def _idle(server: Server, idle: int, seconds: float) -> dict[str, object]:
    server.serve()
    try:
        empty = _cores(server, seconds)
        server.ask("fill", str(idle), "0")
        full = _cores(server, seconds)
    finally:
        server.stop()
    return {
        "cores of worker and beat, empty": f"{empty:.4f}",
        f"with {idle} instances that wait": f"{full:.4f}, {full - empty:+.4f}",
    }


def main() -> int:
    """Run the proof; answers the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--due", type=int, default=50_000, help="0: without this part")
    parser.add_argument("--idle", type=int, default=10_000, help="0: without this part")
    parser.add_argument("--working", type=int, default=5_000, help="0: without this part")
    parser.add_argument("--idle-seconds", type=float, default=60)
    parser.add_argument("--sweepers", type=int, default=8)
    parser.add_argument("--kills", type=int, default=80)
    parser.add_argument("--seed", type=int, default=None, help="of the moments of the kills; drawn when left out")
    asked = parser.parse_args()
    seed = secrets.randbelow(10**6) if asked.seed is None else asked.seed
    numbers = f"{asked.due} due, {asked.working} in working time, {asked.sweepers} sweepers, {asked.kills} kills"
    print(f"timers: {numbers}, seed {seed}", flush=True)
    rows: dict[str, object] = {"seed": seed}
    if asked.idle:
        with installed("postgresql") as server:
            rows |= _idle(server, asked.idle, asked.idle_seconds)
    for prove in [_prove] * bool(asked.due) + [_prove_working] * bool(asked.working):
        with installed("postgresql", TENANT_BUDGET="10000000") as server:
            code = prove(server, asked, random.Random(seed), rows)
            if code:
                raise SystemExit(code)  # from inside, so that the logs stay
        rows = {"seed": seed}
    return 0


def _prove_working(server: Server, asked: argparse.Namespace, draw: random.Random, rows: dict[str, object]) -> int:
    kept = server.ask("fill_working", str(asked.working))
    wrong = [] if kept == asked.working else [f"{kept} deadlines of {asked.working} are as before the sending back"]
    wrong += [f"{early} are due before the change"] if (early := server.ask("left")) else []
    outdated = server.ask("work_again")
    sweepers = Sweepers(server, draw)
    seconds = _sweep(server, sweepers, asked, outdated, f"SELECT ({_OUTDATED}) + ({_LEFT})", wrong)
    found = server.ask("worked")
    not_whole = server.ask("whole")
    wrong += [f"{found['timers']} timers are left"] if found["timers"] else []
    wrong += [f"{found['processes']} processes of {asked.working}"] if found["processes"] != asked.working else []
    rows |= {
        "deadlines that outlive a sending back": kept,
        "outdated by the change of the calendar": outdated,
        "moved once and fired once": found["processes"] - len(found["wrong"]),
        "kills of sweepers": sweepers.killed,
        "seconds": f"{seconds:.1f}, {outdated / seconds:.0f} timers a second",
        "states that do not fit": len(not_whole),
    }
    title = f"Working time × {asked.sweepers} sweepers"
    return print_table(title, rows, [*wrong, *found["wrong"], *not_whole])


def _sweep(
    server: Server, sweepers: Sweepers, asked: argparse.Namespace, number: int, left: str, wrong: list[str]
) -> float:
    """Sweep and kill until nothing is left; answers the seconds, and adds to what is wrong."""
    # By how many timers are left, so that the kills lie in the work however fast the machine is.
    moments = sorted((sweepers.draw.randrange(number) for _ in range(asked.kills)), reverse=True)
    began = time.monotonic()
    for _ in range(asked.sweepers):
        sweepers.begin()
    with psycopg.connect(server.environment["DATABASE_URL"], autocommit=True) as looking:
        for moment in moments:
            while looking.execute(left).fetchone()[0] > moment:
                time.sleep(0.1)
            sweepers.kill_one()
        wrong += sweepers.end(lambda: looking.execute(f"SELECT ({left}) + ({_UNTOLD})").fetchone()[0])
    return time.monotonic() - began


def _prove(server: Server, asked: argparse.Namespace, draw: random.Random, rows: dict[str, object]) -> int:
    server.ask("fill", str(asked.due), str(LATE_MINUTES))
    due = server.ask("left")
    sweepers = Sweepers(server, draw)
    wrong = [f"{due} timers were due, not {asked.due}"] if due != asked.due else []
    seconds = _sweep(server, sweepers, asked, due, _LEFT, wrong)
    found = server.ask("fired")
    not_whole = server.ask("whole")
    wrong += [f"{found[name]} are {name}" for name in ("left", "parked") if found[name]]
    wrong += [f"{found['orders']} orders of {asked.due}"] if found["orders"] != asked.due else []
    rows |= {
        "timers": due,
        "fired once": found["orders"] - len(found["wrong"]),
        "kills of sweepers": sweepers.killed,
        "left, parked": f"{found['left']}, {found['parked']}",
        "seconds": f"{seconds:.1f}, {due / seconds:.0f} timers a second with their messages",
        "of a sweeper's processor": f"{1000 * sweepers.seconds / max(sweepers.fired, 1):.1f} ms a timer",
        "states that do not fit": len(not_whole),
    }
    return print_table(f"Timers × {asked.sweepers} sweepers", rows, [*wrong, *found["wrong"], *not_whole])


if __name__ == "__main__":
    sys.exit(main())
