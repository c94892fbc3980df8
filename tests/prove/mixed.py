"""Sixteen people who do everything at the same steps at once, over HTTP on PostgreSQL with two web processes.

They claim, give back, dispatch, accept, refuse, put on hold, resume and transfer, through the queue and through the
record, each order by all of them at the same moment, as the dice fall. Whatever they were answered, the history of each
order must be one line: each 200 is one act and each act was answered 200; steps, rounds, versions and statuses follow
each other; nobody acted on a step that another one held; an act that was answered before another one was asked for
stands before it. In the end the engine's state of every order fits its open step, its timers and its status.

    python -m tests.prove.mixed --orders 1000 --seed 7
"""

from __future__ import annotations

import random
import secrets
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.prove.server import Server
from tests.prove.together import PEOPLE, Call, Event, Proof, check_answers, line_of, prove
from tests.prove.wire import Line

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
    "order.taken", "data.stale", "access.denied", "workflow.noClaim",
}  # fmt: skip
"""How somebody may be told to have come too late."""


@dataclass(frozen=True)
class Seen:
    """What the crowd last saw of an order; often it is out of date, as on a screen."""

    node: str
    item: str
    version: int
    is_offered: bool = True
    """Whether several may claim the step. Claiming what lies on one's own desk is answered 200 and is no act."""


def _choose(seen: Seen, held: str, draw: random.Random) -> str:
    """What somebody who holds this item, or none, tries at the step that waits."""
    if not seen.is_offered or seen.node != "dispatch" or draw.random() < 0.3:
        return draw.choice(list(MOVES[seen.node]))
    if held and (held == seen.item or draw.random() < 0.5):
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


def enter(entry: Sequence[str]) -> Seen:
    """A new order waits to be dispatched."""
    return Seen("dispatch", entry[1], 1)


def play(line: Line, place: int, entry: Sequence[str], shared: dict[str, Any], draw: random.Random) -> Call:
    """One act of one person; who moved the order, or was told that it has moved, looks at it again."""
    order, known, seen = entry[0], shared["known"], shared["seen"]
    account, held = known["accounts"][place], shared["held"].get(place, "")
    token = known["tokens"][account]
    kind, item, body = _choose(seen, held, draw), seen.item, None
    if kind == "claim":
        path = CLAIM.format(item)
    elif kind == "unclaim":
        path = UNCLAIM.format(held)
    else:
        path, body = _body(kind, seen, order, known, draw)
    sent = time.monotonic()
    answer = line.call("POST", path, token, body)
    heard = time.monotonic()
    went, moved = answer.status == 200, body is not None
    if kind == "claim" and went:
        shared["held"][place] = item
    elif kind == "unclaim" or went:
        shared["held"][place] = ""
    if answer.status != 403:
        detail = line.call("GET", DETAIL.format(order), token).data
        task, offered = detail["openTask"], not detail["repairUserId"]
        shared["seen"] = Seen(task["node"], task["taskId"], int(detail["lockVersion"]), offered)
    return Call(
        order, account, f"repairorder.{kind}" if moved else f"task.{kind}", sent, heard, answer.status,
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


def _follow(position: Position, event: Event) -> str:
    """Take one act of the history; answers what is wrong with it."""
    _ms, operation, account, item, node, round_, before, after, *_rest = event
    kind = operation.partition(".")[2]
    if position.holder == "?" and kind != "transfer":
        position.holder = account  # whom it was transferred to is not in the event; the first act tells
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


def check(order: str, calls: Sequence[Call], acts: Sequence[Event], tables: Mapping[str, Any]) -> list[str]:
    """What is wrong with one order: its calls against its history and its version."""
    events = [event for event in acts if event[1] != "repairorder.save"]
    line, faults, _position = line_of(events, Position, _follow)
    versions, last = sorted(call.version for call in calls if call.version), tables["versions"][order]
    if versions != list(range(2, last + 1)):
        faults.append(f"versions {versions}, the last one {last}")
    return faults or check_answers(line, calls)


def prepare(server: Server, number: int) -> list[Any]:
    """Orders that wait to be dispatched, and people who may do every step."""
    server.ask("enlist")
    return list(server.ask("fill", str(number), "0"))


if __name__ == "__main__":
    sys.exit(prove(Proof("orders", prepare, play, enter, check, REFUSED), __doc__ or "", "mixed"))
