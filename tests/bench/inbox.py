"""What the inbox of one company costs while many companies have many open steps: the page, counts, search, chips."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import urlencode

from tests.bench.asking import headers, log, middle_and_tail, requester, statements_of
from tests.bench.installation import Client, Served, server

GOAL_MS, GOAL_STATEMENTS = 100.0, 6
CLIENTS = 4
WHO = "repair_leader"

# what is measured, the call, what it asks for
ASKED = (
    ("first page", "inbox", {"current": 1, "size": 25}),
    ("second page", "inbox", {"current": 2, "size": 25}),
    ("counts", "counts", {}),
    ("search, one found", "inbox", {"current": 1, "size": 25, "keyword": "{number}"}),
    ("search, nothing found", "inbox", {"current": 1, "size": 25, "keyword": "没有这个"}),
    ("overdue", "inbox", {"current": 1, "size": 25, "overdue": "1"}),
    ("what has left, a page", "still-open", {"ids": "{ids}"}),
)


@dataclass(frozen=True)
class Measured:
    """Milliseconds of a call at the server's door, by one client and by several at once, and its statements."""

    name: str
    alone: tuple[float, float]
    together: tuple[float, float]
    statements: int


def _times(client: Client, path: str, sent: dict[str, str], times: int) -> list[float]:
    found = []
    for _ in range(times):
        began = time.perf_counter()
        client.ask(path, sent)
        found.append((time.perf_counter() - began) * 1000)
    return found


def _paths(send: Callable[[str], bytes]) -> list[tuple[str, str]]:
    """The calls, filled in with what the first page shows."""
    import orjson

    page = orjson.loads(send("/api/blade-flow/work/inbox?current=1&size=25"))["data"]["records"]
    known = {"{number}": page[7]["businessNo"], "{ids}": ",".join(row["taskId"] for row in page)}
    return [
        (name, f"/api/blade-flow/work/{call}?{urlencode({key: known.get(str(one), one) for key, one in asks.items()})}")
        for name, call, asks in ASKED
    ]


def _together(served: Served, path: str, sent: dict[str, str], times: int) -> list[float]:
    with ThreadPoolExecutor(CLIENTS) as pool:
        parts = [pool.submit(_times, Client(served.port), path, sent, times // CLIENTS) for _ in range(CLIENTS)]
        return [one for part in parts for one in part.result()]


def measure(times: int) -> list[Measured]:
    """Ask as a leader whose group is offered half of the company's open steps."""
    send = requester(WHO)
    paths, sent, measured = _paths(send), headers(WHO), []
    said = {name: statements_of(log(lambda path=path: send(path))) for name, path in paths}  # type: ignore[misc]
    with server([], workers=2, threads=2) as served:
        for name, path in paths:
            _times(served.client, path, sent, 10)
            alone = middle_and_tail(_times(served.client, path, sent, times))
            together = middle_and_tail(_together(served, path, sent, times))
            measured.append(Measured(name, alone, together, said[name]))
    return measured


def show(database: str, items: int, tenants: int, measured: list[Measured]) -> None:
    """Print the table."""
    width = max(len(one.name) for one in measured)
    print(f"\nThe inbox on {database}, {items} open items in {tenants} companies; milliseconds at the server's door")
    print(f"  {'':<{width}}   alone p50    p95   {CLIENTS} clients p50    p95   statements")
    for one in measured:
        good = "ok" if one.alone[1] <= GOAL_MS and one.statements <= GOAL_STATEMENTS else "NOT MET"
        print(
            f"  {one.name:<{width}} {one.alone[0]:11.1f} {one.alone[1]:6.1f} {one.together[0]:15.1f}"
            f" {one.together[1]:6.1f} {one.statements:12}  {good}"
        )
