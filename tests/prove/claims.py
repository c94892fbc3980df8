"""Many who claim one item at once, over HTTP on PostgreSQL with two web processes: one wins, the others read who.

10,000 steps that are offered to 16 people; all 16 claim each of them at the same moment, 160,000 calls. Exactly one is
answered 200, fifteen 409 with the winner's name and the time that stands in the table, and the history knows of one
claim by the winner.

    python -m tests.prove.claims --items 10000
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from tests.prove.crowd import Crowd, in_processes, one_winner
from tests.prove.server import Server, running
from tests.prove.table import print_table
from tests.prove.wire import Line

CLAIMERS = 16
CLAIM = "blade-flow/work/claim-task?taskId={}"


@dataclass
class Heard:
    """What the crowd of one client process was answered."""

    won: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Item → account of the winner, and since when the losers were told it is taken."""
    faults: list[str] = field(default_factory=list)
    calls: int = 0


def claim(port: int, people: Sequence[tuple[str, str, str]], items: Sequence[str]) -> Heard:
    """Let all these people (account, name, token) claim each item at the same moment."""
    crowd, heard = Crowd(port, len(people)), Heard()
    names = [name for _account, name, _token in people]
    answers = crowd.rounds(items, lambda line, at, item: line.call("POST", CLAIM.format(item), people[at][2]))
    for item, row in zip(items, answers, strict=True):
        heard.calls += len(row)
        place, faults = one_winner(f"item {item}", row, names, "workflow.taskTaken")
        told = {(answer.data["userName"], answer.data["time"]) for answer in row if answer.status == 409}
        if place < 0 or faults or len(told) != 1 or {name for name, _time in told} != {names[place]}:
            heard.faults += faults or [f"item {item}: the losers were told {told}"]
        else:
            heard.won[item] = people[place][0], told.pop()[1]
    for line in crowd.lines:
        line.close()
    return heard


def main() -> int:
    """Run the proof; answers the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=3, help="client processes, each with a crowd of its own")
    asked = parser.parse_args()
    print(f"claims: {asked.items} items × {CLAIMERS} people, {asked.clients} client processes", flush=True)
    with running("postgresql", leaders=CLAIMERS, WEB_WORKERS="2") as server:
        code = _prove(server, asked.items, asked.clients)
        if code:
            raise SystemExit(code)  # from inside, so that the logs stay
    return 0


def _prove(server: Server, number: int, processes: int) -> int:
    known, line = server.known, Line(server.port)
    accounts = [f"leader{place}" for place in range(1, CLAIMERS + 1)]
    items = [item for _order, item in server.ask("fill", str(number), "0")]
    people = [
        (account, known["people"][account]["name"], line.sign_in(account, known["password"])) for account in accounts
    ]
    began = time.monotonic()
    shares = in_processes(processes, items, partial(claim, server.port, people))
    seconds = time.monotonic() - began
    wrong = [fault for share in shares for fault in share.faults]
    won = {item: winner for share in shares for item, winner in share.won.items()}
    tables = server.ask("claimed")
    differ = [
        f"item {item}: won by {account} at {since}, but the tables say {tables.get(item)}"
        for item, (account, since) in won.items()
        if tables.get(item) != [account, since, [account]]
    ]
    calls = sum(share.calls for share in shares)
    rows = {
        "items": f"{len(tables)} in the tables of {number}",
        "one winner, 15 told who and when": len(won),
        "the tables agree": len(won) - len(differ),
        "won by": f"{len({account for account, _since in won.values()})} different people, the luckiest "
        f"{max(Counter(account for account, _since in won.values()).values(), default=0)} times",
        "calls": f"{calls} in {seconds:.1f} s, {calls / seconds:.0f} a second",
    }
    if len(tables) != number:
        wrong.append(f"{len(tables)} items of {number}")
    return print_table(f"Claims × {CLAIMERS}", rows, [*wrong, *differ])


if __name__ == "__main__":
    sys.exit(main())
