"""How much of the bare statements' rate a list keeps, with sign-in, tenancy and names."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from tests.bench.asking import address, headers, log, requester, statements_of, timed
from tests.bench.installation import Statements, server

GOAL = 25
"""Per cent of its own bare statements' rate that a list has to keep."""
MOST_STATEMENTS = 6

# path, who asks, page
LISTS = (
    ("yuzhu-equip/repairorder/list", "repair_leader", {"current": 3, "size": 10}),
    ("yuzhu-equip/repairorder/list", "repair_leader", {"current": 2, "size": 50}),
    ("yuzhu-equip/inspectmachine/list", "repair_leader", {"current": 3, "size": 10}),
    ("yuzhu-equip/inspectmachine/list", "repair_leader", {"current": 2, "size": 50}),
    ("blade-desk/notice/list", "tenant_admin", {"current": 3, "size": 10}),
    ("blade-flow/work/todo-list", "repairer", {"current": 3, "size": 10}),
    ("blade-flow/work/claim-list", "repair_leader", {"current": 3, "size": 10}),
)


@dataclass(frozen=True)
class Measured:
    """One list's figures: times in milliseconds a request, statements without housekeeping."""

    name: str
    statements: int
    wall: float
    bare: float

    @property
    def share(self) -> float:
        """The list's rate in per cent of its bare statements' rate."""
        return 100 * self.bare / self.wall


def _said(path: str, account: str, page: dict[str, int]) -> Statements:
    """What the list says to the database when it is asked for the second time."""
    send, asked = requester(account), address(path, page)
    assert b'"records":[{' in send(asked), f"{path} has no rows to measure"
    return log(lambda: send(asked))


def measure(rounds: int, times: int) -> list[Measured]:
    """Ask each list and its bare statements in turns."""
    said = [_said(*entry) for entry in LISTS]
    sent = [headers(account) for _path, account, _page in LISTS]
    measured = []
    with server(said) as served:
        for number, (path, _account, page) in enumerate(LISTS):

            def ask(path: str = address(path, page), number: int = number) -> bytes:
                return served.client.ask(path, sent[number])

            def ask_bare(number: int = number) -> bytes:
                return served.client.ask(f"/bare/{number}")

            ask(), ask_bare()
            turns = [(timed(ask, times), timed(ask_bare, times)) for _ in range(rounds)]
            wall, bare = (median(column) for column in zip(*turns, strict=True))
            name = f"{path.removesuffix('/list')} × {page['size']}"
            measured.append(Measured(name, statements_of(said[number]), wall, bare))
    return measured


def show(database: str, rows: int, measured: list[Measured]) -> None:
    """Print the table."""
    width = max(len(one.name) for one in measured)
    print(
        f"\nLists on {database}, {rows} rows; goal: {GOAL} % of the bare statements' rate, {MOST_STATEMENTS} statements"
    )
    print(f"  {'':<{width}}  list ms  bare ms  share  statements")
    for one in measured:
        good = "ok" if one.share >= GOAL and one.statements <= MOST_STATEMENTS else "NOT MET"
        print(f"  {one.name:<{width}}  {one.wall:7.2f} {one.bare:8.2f} {one.share:5.0f} % {one.statements:11}  {good}")
