"""Whether a full queue opens as fast as an empty one: the same person's list in a full company and in an empty one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from tests.bench.asking import address, headers, timed, turn
from tests.bench.installation import Served, server

GOAL = 2.0
"""Times the empty list that the full one may cost."""
PAGE = {"current": 1, "size": 25}

# what is measured, the list, who asks
LISTS = (
    ("offered to many, asked by one of them", "claim-list", "repair_leader"),
    ("held by one, asked by that one", "todo-list", "repairer"),
    ("asked by somebody with nothing", "claim-list", "viewer"),
    ("asked by somebody with nothing", "todo-list", "viewer"),
)


@dataclass(frozen=True)
class Measured:
    """Milliseconds of a list: on the clock, and on a core by web server and database; and for the empty one."""

    name: str
    rows: int
    wall: float
    empty_wall: float
    cpu: float
    empty_cpu: float


def _asker(served: Served, path: str, account: str, tenant: str) -> Callable[[], bytes]:
    sent = headers(account, tenant)
    return lambda: served.client.ask(address(f"blade-flow/work/{path}", PAGE), sent)


def measure(rounds: int, times: int) -> list[Measured]:
    """Ask in company A, which is full, and in company B, which has nothing, in turns; medians of the turns."""
    import orjson

    from tests import cast

    measured = []
    with server([]) as served:
        for name, path, account in LISTS:
            full, empty = (_asker(served, path, account, tenant) for tenant in (cast.A, cast.B))
            total = orjson.loads(full())["data"]["total"]
            assert orjson.loads(empty())["data"]["total"] == 0
            timed(full, 5), timed(empty, 5)
            turns = [(*turn(served, full, times), *turn(served, empty, times)) for _ in range(rounds)]
            wall, cpu, empty_wall, empty_cpu = (median(column) for column in zip(*turns, strict=True))
            measured.append(Measured(f"{path}, {name}", total, wall, empty_wall, cpu, empty_cpu))
    return measured


def show(database: str, items: int, measured: list[Measured]) -> None:
    """Print the table."""
    width = max(len(one.name) for one in measured)
    print(f"\nLists on {database} with {items} open items beside empty ones; goal: {GOAL:g} times on the cores")
    print(f"  {'':<{width}}   total   clock ms  empty  times   core ms  empty  times")
    for one in measured:
        clock, cores = one.wall / one.empty_wall, one.cpu / one.empty_cpu
        good = "ok" if cores <= GOAL else "NOT MET"
        print(
            f"  {one.name:<{width}} {one.rows:7} {one.wall:10.2f} {one.empty_wall:6.2f} {clock:6.1f}"
            f" {one.cpu:9.2f} {one.empty_cpu:6.2f} {cores:6.1f}  {good}"
        )
