"""Scheduled jobs on a fast clock, on PostgreSQL: each fire ends in one success, though processes are killed.

20 jobs are due once a minute, 300 times. 2 processes ask for the runs that are due and 4 carry them out as the worker
does; an hour of theirs passes in two minutes, and one after the other is killed with SIGKILL. Each time at which a job
was due must have one run that succeeded, and none may be left open.

    python -m tests.prove.jobs --jobs 20 --fires 300 --speed 30 --kills 40 --seed 7
"""

from __future__ import annotations

import argparse
import random
import secrets
import sys
import time

from tests.prove.herd import Herd
from tests.prove.server import installed
from tests.prove.table import print_table

SCHEDULERS, WORKERS = 2, 4
MOST_SECONDS = 0.5
"""A worker is killed within so many seconds of its work."""


def main() -> int:
    """Run the proof; answers the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=20)
    parser.add_argument("--fires", type=int, default=300, help="of each job")
    parser.add_argument("--speed", type=float, default=30, help="seconds of the jobs in one of ours")
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=None, help="of the moments of the kills; drawn when left out")
    asked = parser.parse_args()
    seed = secrets.randbelow(10**6) if asked.seed is None else asked.seed
    print(f"jobs: {asked.jobs} × {asked.fires} fires, {asked.kills} kills, seed {seed}", flush=True)
    draw = random.Random(seed)
    with installed("postgresql") as server:
        wanted = asked.jobs, asked.fires, asked.speed
        begin = server.ask("jobs_begin", str(asked.jobs))
        given = [*(str(one) for one in wanted), str(begin)]
        seconds = asked.fires * 60 / asked.speed
        began = time.monotonic() + begin - time.time()
        herd = Herd(server, draw)
        herd.begin("jobs_schedule", *given, number=SCHEDULERS)
        herd.begin("jobs_work", *given, number=WORKERS)
        for moment in sorted(draw.uniform(0, seconds) for _ in range(asked.kills)):
            time.sleep(max(0.0, began + moment - time.monotonic()))
            herd.kill_one(MOST_SECONDS)
        wrong = herd.end()
        found = server.ask("jobs_read", *given)
        wrong += found["wrong"]
        rows = {
            "jobs": asked.jobs,
            "fires": found["fires"],
            "with one success": found["once"],
            "runs taken over": found["taken_over"],
            "kills": herd.killed,
            "seconds": f"{time.monotonic() - began:.0f}",
        }
        code = print_table(f"Jobs × {SCHEDULERS} schedulers × {WORKERS} workers", rows, wrong)
        if code:
            raise SystemExit(code)  # from inside, so that the logs stay
    return 0


if __name__ == "__main__":
    sys.exit(main())
