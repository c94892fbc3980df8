"""Sixteen people who do everything at the same steps at once, over HTTP on PostgreSQL with two web processes.

They claim, give back, dispatch, accept, refuse, put on hold, resume and transfer, through the queue and through the
record, each order by all of them at the same moment, as the dice fall. Whatever they were answered, the history of each
order must be one line: each 200 is one act and each act was answered 200; steps, rounds, versions and statuses follow
each other; nobody acted on a step that another one held; an act that was answered before another one was asked for
stands before it. In the end the engine's state of every order fits its open step, its timers and its status.

    python -m tests.prove.mixed --orders 1000 --seed 7
"""

from __future__ import annotations

import argparse
import itertools
import random
import secrets
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tests.prove.crowd import Crowd, in_processes
from tests.prove.server import Server, running
from tests.prove.table import print_table
from tests.prove.wire import Answer, Line

PEOPLE = 16
QUIET_SECONDS = 120
CLAIM, UNCLAIM = "blade-flow/work/claim-task?taskId={}", "blade-flow/work/unclaim-task?taskId={}"
COMPLETE, UPDATE = "blade-flow/work/complete-task", "yuzhu-equip/repairorder/update"
DETAIL = "yuzhu-equip/repairorder/detail?id={}"
MOVES = {
    "dispatch": {"dispatch": "accept"},
    "accept": {"accept": "repair", "refuse": "dispatch", "dispatch": "accept"},
    "repair": {"hang": "hold", "transfer": "accept"},
    "hold": {"resume": "repair"},
}
"""Node → what is done there → the node that waits then."""
RECORD = {"dispatch", "transfer"}
"""What a role may do at a step that another one holds: the right is over the record."""
REFUSED = {
    "workflow.taskTaken", "workflow.taskCompleted", "workflow.taskGone", "workflow.outcome", "order.wrongState",
    "data.stale", "access.denied",
}  # fmt: skip
"""How somebody may be told to have come too late."""


@dataclass(frozen=True)
class Call:
    """One call, from its sending to its answer on the clock of this machine."""

    order: str
    account: str
    operation: str
    sent: float
    heard: float
    status: int
    error: str
    version: int
    """Of the order, where the answer says it."""


@dataclass(frozen=True)
class Seen:
    """What the crowd last saw of an order; often it is out of date, as on a screen."""

    node: str
    item: str
    version: int
    is_offered: bool = True
    """Whether several may claim the step. Claiming what lies on one's own desk is answered 200 and is no act."""


@dataclass
class Player:
    """One of the crowd: knows what it holds itself."""

    account: str
    token: str
    draw: random.Random
    held: str = ""

    def choose(self, seen: Seen) -> str:
        """What to try at the step that waits."""
        if not seen.is_offered or self.draw.random() < 0.3:
            return self.draw.choice(list(MOVES[seen.node]))
        if self.held and (self.held == seen.item or self.draw.random() < 0.5):
            return "unclaim"
        return "claim"


def _body(
    kind: str, seen: Seen, order: str, known: Mapping[str, Any], draw: random.Random
) -> tuple[str, dict[str, Any]]:
    """The call for a step, through either door."""
    someone = known["people"][f"leader{draw.randint(1, PEOPLE)}"]["id"]
    fields: dict[str, Any] = {
        "dispatch": {"teamId": known["team"]},
        "accept": {},
        "refuse": {"reason": "不去"},
        "hang": {"hangReason": 1, "remark": "等件"},
        "transfer": {"repairUserId": someone, "reason": "换人"},
        "resume": {},
    }[kind]
    if draw.random() < 0.5:
        return UPDATE, {"id": order, "lockVersion": seen.version, "action": kind, **fields}
    return COMPLETE, {"taskId": seen.item, "outcome": kind, "comment": secrets.token_hex(8), "variables": fields}


def play(
    port: int, people: Sequence[tuple[str, str]], known: Mapping[str, Any], acts: int, seed: int,
    orders: Sequence[tuple[str, str]],
) -> list[Call]:  # fmt: skip
    """Let all these people (account, token) act so many times on each order (its id and its step's) at once."""
    crowd, calls = Crowd(port, len(people)), []
    draws = random.Random(f"{seed} {orders[0][0]}")
    players = [Player(account, token, random.Random(draws.random())) for account, token in people]
    seen = {order: Seen("dispatch", item, 1) for order, item in orders}

    def act(line: Line, at: int, order: str) -> Answer:
        players[at].held = ""
        for _ in range(acts):
            calls.append(_one(line, players[at], order, seen, known))
        return Answer(200, {})

    crowd.rounds([order for order, _item in orders], act)
    for line in crowd.lines:
        line.close()
    return calls


def _one(line: Line, player: Player, order: str, all_seen: dict[str, Seen], known: Mapping[str, Any]) -> Call:
    """One act of one person; who moved the order, or was told that it has moved, looks at it again."""
    seen = all_seen[order]
    kind, item, body = player.choose(seen), seen.item, None
    if kind == "claim":
        path = CLAIM.format(item)
    elif kind == "unclaim":
        path = UNCLAIM.format(player.held)
    else:
        path, body = _body(kind, seen, order, known, player.draw)
    sent = time.monotonic()
    answer = line.call("POST", path, player.token, body)
    heard = time.monotonic()
    went, moved = answer.status == 200, body is not None
    if kind == "claim" and went:
        player.held = item
    elif kind == "unclaim" or went:
        player.held = ""
    if answer.status != 403:
        detail = line.call("GET", DETAIL.format(order), player.token).data
        task, offered = detail["openTask"], not detail["repairUserId"]
        all_seen[order] = Seen(task["node"], task["taskId"], int(detail["lockVersion"]), offered)
    return Call(
        order, player.account, f"repairorder.{kind}" if moved else f"task.{kind}", sent, heard, answer.status,
        str(answer.body.get("error", "")), int(answer.data["lockVersion"]) if went and moved else 0,
    )  # fmt: skip


@dataclass
class Position:
    """An order in the middle of its history."""

    node: str = "dispatch"
    item: str = ""
    holder: str = ""
    is_offered: bool = True
    """Whether the step may be given back: it was claimed from many, not laid on one desk."""
    status: int = 1
    rounds: Counter[str] = field(default_factory=lambda: Counter({"dispatch": 1}))


def _follow(position: Position, event: Sequence[Any]) -> str:
    """Take one act of the history; answers what is wrong with it."""
    _ms, operation, account, item, node, round_, before, after = event
    kind = operation.partition(".")[2]
    position.item = position.item or item
    if (item, node, round_) != (position.item, position.node, position.rounds[position.node]):
        return f"{operation} on {node} {round_} while {position.node} {position.rounds[position.node]} waits"
    if kind == "claim":
        fault = f"claimed while {position.holder} holds it" if position.holder else ""
        position.holder = account
        return fault
    if kind == "unclaim":
        fault = "" if position.holder == account and position.is_offered else f"given back, held by {position.holder}"
        position.holder = ""
        return fault
    if kind not in MOVES[node]:
        return f"{kind} at {node}"
    if position.holder not in ("", account) and kind not in RECORD:
        return f"{kind} by {account} while {position.holder} holds it"
    if before != position.status:
        return f"{kind} from status {before} while it was {position.status}"
    position.node, position.item, position.status = MOVES[node][kind], "", after
    position.rounds[position.node] += 1
    position.is_offered = kind in ("dispatch", "refuse")
    position.holder = "" if position.is_offered else account if kind != "transfer" else "?"
    return ""


def _orders_of(events: Sequence[Sequence[Any]]) -> Iterator[list[Sequence[Any]]]:
    """The history as its ids say; ids of one millisecond have no order among processes, so all of theirs are tried."""
    groups = [list(group) for _ms, group in itertools.groupby(events, key=lambda event: event[0])]
    for choice in itertools.islice(itertools.product(*(itertools.permutations(group) for group in groups)), 200):
        yield [event for group in choice for event in group]


def _line_of(events: Sequence[Sequence[Any]]) -> tuple[list[Sequence[Any]], list[str]]:
    """The first order of the events in which each may follow the one before; else the last, and what is wrong."""
    faults: list[str] = []
    line: list[Sequence[Any]] = []
    for line in _orders_of(events):
        position = Position()
        faults = []
        for event in line:
            if position.holder == "?" and event[1] != "repairorder.transfer":
                position.holder = event[2]  # whom it was transferred to is not in the event; the first act tells
            fault = _follow(position, event)
            if fault:
                faults.append(f"{event[2]}: {fault}")
                break
        if not faults:
            break
    return line, faults


def check_order(order: str, calls: Sequence[Call], events: Sequence[Sequence[Any]], version: int) -> list[str]:
    """What is wrong with one order: its calls against its history."""
    line, faults = _line_of(events)
    went = [call for call in calls if call.status == 200]
    heard = Counter((call.account, call.operation) for call in went)
    kept = Counter((event[2], event[1]) for event in line)
    faults += [f"{entry} was answered 200 and is not in the history" for entry in (heard - kept).elements()]
    faults += [f"{entry} is in the history and was not answered 200" for entry in (kept - heard).elements()]
    versions = sorted(call.version for call in went if call.version)
    if versions != list(range(2, version + 1)):
        faults.append(f"versions {versions}, the last one {version}")
    if not faults:
        faults = _check_times(line, went)
    return [f"order {order}: {fault}" for fault in faults]


def _check_times(line: Sequence[Sequence[Any]], went: Sequence[Call]) -> list[str]:
    """Nobody's act stands after one that was asked for only when the first had been answered."""
    waiting: dict[tuple[str, str], list[Call]] = {}
    for call in sorted(went, key=lambda call: call.sent):
        waiting.setdefault((call.account, call.operation), []).append(call)
    latest, faults = 0.0, []
    for event in line:
        call = waiting[event[2], event[1]].pop(0)  # a person asks for one thing at a time
        if call.heard < latest:
            faults.append(f"{event[1]} of {event[2]} was answered before an act was asked for that stands before it")
        latest = max(latest, call.sent)
    return faults


def main() -> int:
    """Run the proof; answers the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orders", type=int, default=1000)
    parser.add_argument("--acts", type=int, default=5, help="calls of each person on each order")
    parser.add_argument("--processes", type=int, default=3, help="client processes, each with a crowd of its own")
    parser.add_argument("--seed", type=int, default=None, help="of what people try; drawn when left out")
    asked = parser.parse_args()
    seed = secrets.randbelow(10**6) if asked.seed is None else asked.seed
    print(f"mixed: {asked.orders} orders × {PEOPLE} people × {asked.acts} acts, seed {seed}", flush=True)
    with running("postgresql", leaders=PEOPLE, WEB_WORKERS="2") as server:
        code = _prove(server, asked.orders, asked.acts, asked.processes, seed)
        if code:
            raise SystemExit(code)  # from inside, so that the logs stay
    return 0


def _prove(server: Server, number: int, acts: int, processes: int, seed: int) -> int:
    known, line = server.known, Line(server.port)
    server.ask("enlist")
    orders = [(order, item) for order, item in server.ask("fill", str(number), "0")]
    accounts = [f"leader{place}" for place in range(1, PEOPLE + 1)]
    people = [(account, line.sign_in(account, known["password"])) for account in accounts]
    began = time.monotonic()
    shares = in_processes(processes, orders, partial(play, server.port, people, known, acts, seed))
    seconds = time.monotonic() - began
    calls = [call for share in shares for call in share]
    by_order: dict[str, list[Call]] = {order: [] for order, _item in orders}
    for call in calls:
        by_order[call.order].append(call)
    left = server.ask("quiet", str(QUIET_SECONDS))
    tables = server.ask("acted")
    wrong = [f"{left} outbox messages are left after {QUIET_SECONDS} s"] if left else []
    for order, made in by_order.items():
        events = [event for event in tables["acts"].get(order, []) if event[1] != "repairorder.save"]
        wrong += check_order(order, made, events, tables["versions"][order])
    wrong += [
        f"{call.operation} was answered {call.status} {call.error}"
        for call in calls
        if call.status != 200 and (call.status >= 500 or call.error not in REFUSED)
    ]
    not_whole = server.ask("whole")
    went = Counter(call.operation.partition(".")[2] for call in calls if call.status == 200)
    refused = Counter(call.error for call in calls if call.status != 200)
    rows = {
        "orders": f"{number}, {sum(map(len, tables['acts'].values()))} acts in their histories",
        "calls": f"{len(calls)} in {seconds:.1f} s",
        "carried out": ", ".join(f"{name} {count}" for name, count in went.most_common()),
        "refused": ", ".join(f"{name} {count}" for name, count in refused.most_common()),
        "histories in one line": len(by_order) - len({fault.split(":")[0] for fault in wrong}),
        "states that do not fit": len(not_whole),
    }
    return print_table(f"Everything × {PEOPLE}", rows, [*wrong, *not_whole])


if __name__ == "__main__":
    sys.exit(main())
