"""The ledger of spare parts: many clients move, request and issue the same few parts, and are killed on the way.

16 clients × 2,000 acts on PostgreSQL, 4 × 500 on SQLite, with kills by SIGKILL. Afterwards no balance is negative, the
last entry of each part is its stock and the sum of all its entries, each entry begins where the one before ended,
reserved is what open requests have reserved, and each line has what its movements say.

    python -m tests.prove.ledger --database sqlite --clients 4 --acts 500 --kills 10
"""

from __future__ import annotations

import argparse
import random
import secrets
import sys
import time

from tests.prove.herd import STUCK_SECONDS, Herd
from tests.prove.server import Server, installed
from tests.prove.table import print_table

SIZES = {"postgresql": (16, 2000, 40), "sqlite": (4, 500, 10)}
"""By database: clients, acts of each, kills."""


def main() -> int:
    """Run the proof; answers the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=sorted(SIZES), default="postgresql")
    parser.add_argument("--clients", type=int, default=None)
    parser.add_argument("--acts", type=int, default=None)
    parser.add_argument("--kills", type=int, default=None)
    parser.add_argument("--seed", type=int, default=None, help="drawn when left out")
    asked = parser.parse_args()
    clients, acts, kills = SIZES[asked.database]
    clients, acts, kills = asked.clients or clients, asked.acts or acts, kills if asked.kills is None else asked.kills
    seed = secrets.randbelow(10**6) if asked.seed is None else asked.seed
    print(f"ledger: {asked.database}, {clients} × {acts} acts, {kills} kills, seed {seed}", flush=True)
    with installed(asked.database) as server:
        code = _prove(server, clients, acts, kills, random.Random(seed))
        if code:
            raise SystemExit(code)  # from inside, so that the logs stay
    return 0


def _prove(server: Server, clients: int, acts: int, kills: int, draw: random.Random) -> int:
    parts = server.ask("stock_plant")
    herd, began = Herd(server, draw), time.monotonic()
    for _ in range(clients):
        herd.begin("stock_disturb", str(acts), str(draw.randrange(10**6)))
    for _ in range(kills):
        herd.kill_one(2.0)
    wrong = herd.end(STUCK_SECONDS + clients * acts)
    seconds = time.monotonic() - began
    found = server.ask("stock_check")
    rows = {
        "parts": parts,
        "movements": f"{found['moves']}, {found['moves'] / seconds:.0f} a second",
        "requests": found["requests"],
        "kills": herd.killed,
        "seconds": f"{seconds:.0f}",
    }
    return print_table(f"Ledger × {clients} clients", rows, [*wrong, *found["wrong"]])


if __name__ == "__main__":
    sys.exit(main())
