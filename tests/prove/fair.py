"""One company with a long queue, and another one beside it: nobody stops the others.

Company B has 100,000 messages due, then 10,000 due timers, then 5,000 messages to a process that is suspended, and
reaches no budget. Meanwhile people of company A report faults over HTTP, one after the other; from the answer to the
delivery of the message to the repair leader pass at most two seconds, in 95 of 100 cases. What is sent to the suspended
process is tried once, sleeps, and is done when it is resumed.

    python -m tests.prove.fair --database sqlite --messages 100000 --timers 10000 --asleep 5000 --reports 60
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import Any

import psycopg

from tests.prove.server import Server, running
from tests.prove.table import print_table
from tests.prove.wire import TENANT, Line

MOST_SECONDS = 2.0
MOST_TIMER_SECONDS = 6.0
"""The timers are looked at every three seconds."""
STUCK_SECONDS = 120
OTHER = "100002"
_MESSAGES = "SELECT count(*) FROM scheduling_outboxmessage WHERE tenant_id = {} AND NOT is_parked AND NOT is_asleep"
_ASLEEP = "SELECT count(*) FROM scheduling_outboxmessage WHERE tenant_id = {} AND is_asleep AND attempts = 0"
_TIMERS = (
    "SELECT count(*) FROM timers_timer WHERE tenant_id = {} AND NOT is_parked AND NOT is_asleep AND due_time <= {}"
)

Count = Callable[[str, str], int]


@contextmanager
def _counting(server: Server) -> Iterator[Count]:
    """Yield a function that runs one of the statements above for a company."""
    url = server.environment.get("DATABASE_URL", "")
    database: Any = (
        psycopg.connect(url, autocommit=True) if url else sqlite3.connect(server.data_dir / "xunwei.sqlite3")
    )
    place = "%s" if url else "?"

    def count(statement: str, tenant: str) -> int:
        now = datetime.now(UTC)
        given = [tenant, now if url else f"{now:%Y-%m-%d %H:%M:%S.%f}"][: statement.count("{}")]
        return int(database.execute(statement.format(place, place), given).fetchone()[0])

    with closing(database):
        yield count


def _until(none: Callable[[], int], seconds: float = STUCK_SECONDS) -> float:
    """Wait until the function answers 0, and return how long that took."""
    began = time.monotonic()
    while none() and time.monotonic() < began + seconds:
        time.sleep(0.02)
    return time.monotonic() - began


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[max(0, -(-95 * len(values) // 100) - 1)]


class _Neighbour:
    """Company A: one operator who reports faults, one after the other."""

    def __init__(self, server: Server, count: Count) -> None:
        self.server, self.count, self.line, self.number = server, count, Line(server.port), 0
        self.token = self.line.sign_in("operator", server.known["password"])

    def report(self) -> float:
        """Report a fault; returns the seconds from the answer until the leader has been told."""
        self.number += 1
        body = {"machineId": self.server.known["machine"], "description": f"异响 {self.number}", "force": 1}
        answer = self.line.call("POST", "yuzhu-equip/repairorder/save", self.token, body)
        if answer.status != 200:
            raise SystemExit(f"a report was answered {answer.status}: {answer.body}")
        return _until(lambda: self.count(_MESSAGES, TENANT))

    def reports(self, number: int) -> list[float]:
        """So many."""
        return [self.report() for _ in range(number)]

    def remind(self) -> float:
        """One order whose reminder is overdue; returns the seconds until it has been sent."""
        self.server.ask("fill", "1", "250")
        return _until(lambda: self.count(_TIMERS, TENANT))


def _prove(server: Server, asked: argparse.Namespace) -> int:
    rows: dict[str, object] = {}
    wrong: list[str] = []

    def told(name: str, values: Sequence[float], most: float) -> None:
        rows[name] = f"p95 {_p95(values):.2f} s, worst {max(values):.2f} s of {len(values)}"
        if _p95(values) > most:
            wrong.append(f"{name}: p95 is above {most:.0f} s")

    with _counting(server) as count:
        neighbour = _Neighbour(server, count)
        told("quiet: A's messages", neighbour.reports(asked.reports), MOST_SECONDS)

        server.ask("flood", OTHER, str(asked.messages))
        told(f"{asked.messages} messages of B: A's messages", neighbour.reports(asked.reports), MOST_SECONDS)
        if not (left := count(_MESSAGES, OTHER)):
            wrong.append("B's messages were delivered too soon to prove anything")
        rows["B's messages left by then"] = left
        server.ask("forget", OTHER)

        server.ask("fill", str(asked.timers), "250", OTHER)
        told(f"{asked.timers} timers of B: A's messages", neighbour.reports(asked.reports), MOST_SECONDS)
        told("A's timers meanwhile", [neighbour.remind() for _ in range(5)], MOST_TIMER_SECONDS)
        rows["B's timers left by then"] = count(_TIMERS, OTHER)
        server.ask("forget", OTHER)

        instance = server.ask("stand_still", OTHER, str(asked.asleep))
        told(f"{asked.asleep} messages to a suspended process of B: A's messages",
             neighbour.reports(asked.reports), MOST_SECONDS)  # fmt: skip
        tried = _until(lambda: count(_MESSAGES, OTHER), 600)
        asleep = count(_ASLEEP, OTHER)
        rows["they slept after"] = f"{tried:.0f} s: {asleep}"
        if asleep != asked.asleep:
            wrong.append(f"{asleep} of {asked.asleep} sleep")
        server.ask("resume", OTHER, str(instance))
        told("after it was resumed: A's messages", neighbour.reports(asked.reports), MOST_SECONDS)
        gone = _until(lambda: count(_MESSAGES, OTHER) + count(_ASLEEP, OTHER), 600)
        rows["they were done after"] = f"{gone:.0f} s more"
        if count(_MESSAGES, OTHER) + count(_ASLEEP, OTHER):
            wrong.append("messages are left after the process was resumed")
        neighbour.line.close()
    return print_table(f"Fair queues on {asked.database}", rows, wrong)


def main() -> int:
    """Run the proof; answers the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="postgresql")
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--timers", type=int, default=10_000)
    parser.add_argument("--asleep", type=int, default=5_000)
    parser.add_argument("--reports", type=int, default=60)
    asked = parser.parse_args()
    with running(asked.database, TENANT_BUDGET="10000000") as server:
        code = _prove(server, asked)
        if code:
            raise SystemExit(code)  # from inside, so that the logs stay
    return 0


if __name__ == "__main__":
    sys.exit(main())
