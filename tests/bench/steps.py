"""What completing a step costs beside its own bare statements, asked of the same web server in turns.

The statements are those logged for that very request: every request that is replayed was first made in this process,
heard, and taken back. Each is replayed once, with its commit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

import orjson

from tests.bench.asking import headers, log, requester, statements_of, timed, turn
from tests.bench.installation import Statements, server

GOAL = 3.0
"""Times its own bare statements that a completed step may cost."""
COMPLETE = "/api/blade-flow/work/complete-task"


@dataclass(frozen=True)
class Measured:
    """Milliseconds of a request: on the clock, and on a core by web server and database; and for the bare ones."""

    wall: float
    bare_wall: float
    cpu: float
    bare_cpu: float
    statements: int


def bodies(count: int) -> list[dict[str, str]]:
    """Requests that each accept another order."""
    from core.kernel.tenancy import tenant_scope
    from tests import cast
    from workflows.runtime.tables.worklist.models import ItemState, WorkItem

    with tenant_scope(cast.A):
        waiting = WorkItem.objects.filter(node="accept", state=ItemState.OPEN).order_by("id")
        return [{"taskId": str(pk), "outcome": "accept"} for pk in waiting.values_list("pk", flat=True)[:count]]


def measure(rounds: int, times: int) -> Measured:
    """Accept orders and replay the statements of accepting, in turns; medians of the turns."""
    sent_once = bodies(2 * rounds * times + 20)
    replayed, asked = sent_once[: len(sent_once) // 2], iter(sent_once[len(sent_once) // 2 :])
    send, sent = requester("repairer"), headers("repairer")
    send(COMPLETE, next(asked))
    said: list[Statements] = [log(lambda body=body: send(COMPLETE, body), undone=True) for body in replayed]  # type: ignore[misc]
    numbers: Iterator[int] = iter(range(len(said)))
    with server(said) as served:

        def ask() -> bytes:
            return served.client.ask(COMPLETE, sent, orjson.dumps(next(asked)))

        def ask_bare() -> bytes:
            return served.client.ask(f"/bare/{next(numbers)}")

        timed(ask, 5), timed(ask_bare, 5)
        turns = [(*turn(served, ask, times), *turn(served, ask_bare, times)) for _ in range(rounds)]
    wall, cpu, bare_wall, bare_cpu = (median(column) for column in zip(*turns, strict=True))
    return Measured(wall, bare_wall, cpu, bare_cpu, statements_of(said[0]))


def show(database: str, one: Measured) -> None:
    """Print the figures; the goal counts on PostgreSQL (docs/adr/0017)."""
    print(f"\nCompleting a step on {database} beside its own bare statements; goal on PostgreSQL: {GOAL:g} times")
    print("            ms    bare ms    ours ms    times   statements")
    for name, value, bare in (("clock", one.wall, one.bare_wall), ("cores", one.cpu, one.bare_cpu)):
        good = "see ADR 0017" if database == "sqlite" else "ok" if value <= GOAL * bare else "NOT MET"
        figures = f"{value:7.2f} {bare:10.2f} {value - bare:10.2f} {value / bare:8.1f} {one.statements:12}"
        print(f"  {name:<6} {figures}  {good}")
