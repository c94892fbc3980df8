"""Inspection tasks by rules, on PostgreSQL: a month for many routes in one call, and none doubled or lost by kills.

* Month: one call makes the tasks of 31 days for 200 routes of 8 points, which a worker carries out, with progress.
* Disturbed: 4 processes make tasks, make them anew, cover the coming days, deliver and change rules, all at once, and
  are killed with SIGKILL again and again. Then all is made anew once, undisturbed: each occurrence of the rules has one
  task with its window, team, people and points, and nothing else is there.

    python -m tests.prove.tasks --routes 200 --points 8 --disturbed 20 --kills 40 --seed 7
"""

from __future__ import annotations

import argparse
import random
import secrets
import sys
import time

from tests.prove.herd import Herd
from tests.prove.server import Server, installed
from tests.prove.table import print_table

DAYS, DISTURBED_DAYS = 31, 10
MAKERS, ROUNDS = 4, 25
MOST_SECONDS = 30.0


def main() -> int:
    """Run the proof; answers the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--routes", type=int, default=200, help="0: without this part")
    parser.add_argument("--points", type=int, default=8)
    parser.add_argument("--disturbed", type=int, default=20, help="routes; 0: without this part")
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=None, help="drawn when left out")
    asked = parser.parse_args()
    seed = secrets.randbelow(10**6) if asked.seed is None else asked.seed
    print(f"tasks: {asked.routes} and {asked.disturbed} routes, {asked.kills} kills, seed {seed}", flush=True)
    for prove in [_month] * bool(asked.routes) + [_disturbed] * bool(asked.disturbed):
        with installed("postgresql", TENANT_BUDGET="10000000") as server:
            code = prove(server, asked, random.Random(seed))
            if code:
                raise SystemExit(code)  # from inside, so that the logs stay
    return 0


def _month(server: Server, asked: argparse.Namespace, _draw: random.Random) -> int:
    plan = server.ask("tasks_plant", str(asked.routes), str(asked.points))
    made = server.ask("tasks_make", plan, str(DAYS))
    wanted = asked.routes * DAYS
    wrong = [f"{made['created']} tasks of {wanted}"] if made["created"] != wanted else []
    wrong += [] if made["is_done"] else ["the making has not ended"]
    wrong += [f"it took {made['seconds']:.1f} s, not {MOST_SECONDS:.0f}"] if made["seconds"] > MOST_SECONDS else []
    found = server.ask("tasks_check", plan, str(DAYS))
    rows = {
        "tasks": f"{made['created']} of {asked.points} points",
        "the call": f"{made['called']:.2f} s",
        "all of it": f"{made['seconds']:.1f} s, {made['created'] / made['seconds']:.0f} tasks a second",
        "days done, message by message": made["progress"],
        "made anew": f"{found['tasks']}, {found['voided']} voided",
    }
    return print_table(f"A month for {asked.routes} routes", rows, [*wrong, *found["wrong"]])


def _disturbed(server: Server, asked: argparse.Namespace, draw: random.Random) -> int:
    plan = server.ask("tasks_plant", str(asked.disturbed), "3")
    herd, began = Herd(server, draw), time.monotonic()
    for _ in range(MAKERS):
        herd.begin("tasks_disturb", plan, str(DISTURBED_DAYS), str(ROUNDS), str(draw.randrange(10**6)))
    for _ in range(asked.kills):
        herd.kill_one(2.0)
    wrong = herd.end()
    found = server.ask("tasks_check", plan, str(DISTURBED_DAYS))
    rows = {
        "tasks": found["tasks"],
        "voided on the way": found["voided"],
        "makings in the background": found["makings"],
        "kills": herd.killed,
        "seconds": f"{time.monotonic() - began:.0f}",
    }
    return print_table(f"Tasks × {MAKERS} makers, disturbed", rows, [*wrong, *found["wrong"]])


if __name__ == "__main__":
    sys.exit(main())
