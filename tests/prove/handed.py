"""Sixteen people who hand the same steps to each other at once, over HTTP on PostgreSQL with two web processes.

They claim, give back, complete, delegate, hand back, transfer, withdraw and urge, each process by all of them at the
same moment, as the dice fall: processes of a company's own model that no record is bound to, and requests for leave.
Whatever they were answered, the history of each process must be one line: each 200 is one act and each act was
answered 200; each step has one who completes it, and that is its holder; nothing happens after the end; a process is
taken back and urged by its starter alone, and urged once a step; an act that was answered before another one was asked
for stands before it. In the end holder and delegators of what waits are those of the history, and the engine's state
fits.

    python -m tests.prove.handed --processes 1000 --seed 7
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

WORK = "blade-flow/work"
HISTORY = "blade-flow/process/history-flow-list?processInstanceId={}"
APPLICANT, WATCHER = "leader1", "flow_designer"
MOVES: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "process": {"look": {"agree": "record", "reject": "look"}, "record": {"agree": "", "reject": ""}},
    "leave": {
        "approve": {"approve": "hr", "reject": "revise"},
        "hr": {"approve": "", "reject": "revise"},
        "revise": {"submit": "approve"},
    },
}
"""Business type → node → outcome → the node that waits then; '' is the end."""
DESKS = {"approve": "leader2", "revise": APPLICANT}
"""Nodes that are laid on one desk; the others wait for whoever claims them."""
AGAIN = ("task.claim", "process.withdraw", "leave.withdraw")
"""Answered 200 to who holds it, or has taken it back, already."""
REFUSED = {
    "workflow.taskTaken", "workflow.taskCompleted", "workflow.taskGone", "workflow.notHeld", "workflow.urged",
    "workflow.over", "workflow.verb", "leave.wrongState", "access.denied", "data.notFound", "data.stale",
    "input.invalid",
}  # fmt: skip
"""How somebody may be told to have come too late, or that it is not for him; `input.invalid`: handed to oneself."""


@dataclass(frozen=True)
class Seen:
    """What the crowd last saw of a process; often it is out of date, as on a screen."""

    node: str
    item: str
    holder: str = ""
    """The name of whoever holds it."""


def prepare(server: Server, number: int) -> list[Any]:
    """Processes of both sorts."""
    return list(server.ask("hand_out", str(number)))


def enter(entry: Sequence[str]) -> Seen:
    """Its first step waits."""
    return Seen("approve" if entry[3] == "leave" else "look", entry[2])


def _choose(kind: str, *, starts: bool, holds: bool, draw: random.Random) -> str:
    """What to try; the starter seldom takes it back."""
    if starts and draw.random() < 0.3:
        return "withdraw" if draw.random() < 0.1 else "urge"
    hands = ["delegate", "transfer"] if kind == "process" or draw.random() < 0.1 else []
    return draw.choice([*(["unclaim"] if holds else ["claim", "claim"]), "complete", *hands])


def play(line: Line, place: int, entry: Sequence[str], shared: dict[str, Any], draw: random.Random) -> Call:
    """One act of one person, and a look at what waits then."""
    record, instance, _item, kind, starter = entry
    known, seen = shared["known"], shared["seen"]
    account = known["accounts"][place]
    holds = seen.holder == known["people"][account]["name"]
    token, act = known["tokens"][account], _choose(kind, starts=account == starter, holds=holds, draw=draw)
    outcome = draw.choice(list(MOVES[kind][seen.node]))
    words = secrets.token_hex(8)  # so that no request is one that came before
    someone = known["people"][f"leader{draw.randint(1, PEOPLE)}"]["id"]
    path, body = {
        "claim": (f"claim-task?taskId={seen.item}", None),
        "unclaim": (f"unclaim-task?taskId={seen.item}", None),
        "complete": (
            "complete-task",
            {"taskId": seen.item, "outcome": outcome, "comment": words},
        ),
        "delegate": ("delegate-task", {"taskId": seen.item, "userId": someone, "reason": words}),
        "transfer": ("transfer-task", {"taskId": seen.item, "userId": someone, "reason": words}),
        "withdraw": ("withdraw", {"processInstanceId": instance, "reason": words}),
        "urge": ("urge", {"processInstanceId": instance, "reason": words}),
    }[act]
    sent = time.monotonic()
    answer = line.call("POST", f"{WORK}/{path}", token, body)
    heard = time.monotonic()
    watcher = known["tokens"][APPLICANT if kind == "leave" else WATCHER]
    rows = line.call("GET", HISTORY.format(instance), watcher).data
    waits = [row for row in rows if row["historyActivityType"] == "userTask" and not row["endTime"]]
    if waits:
        shared["seen"] = Seen(waits[0]["historyActivityId"], waits[0]["id"], waits[0]["assigneeName"])
    return Call(record, account, _operation(kind, act, outcome, answer), sent, heard, answer.status,
                str(answer.body.get("error", "")))  # fmt: skip


def _operation(kind: str, act: str, outcome: str, answer: Any) -> str:
    """The act's name in the history."""
    if act == "complete" and answer.status == 200 and "assignee" in answer.data:
        return "task.handBack"
    if act == "complete":
        return "task.complete" if kind == "process" else f"leave.{outcome}"
    if act == "withdraw":
        return "process.withdraw" if kind == "process" else "leave.withdraw"
    return f"task.{act}"


@dataclass
class Position:
    """A process in the middle of its history."""

    kind: str
    starter: str
    node: str
    item: str = ""
    holder: str = ""
    delegators: list[str] = field(default_factory=list)
    is_urged: bool = False
    is_over: bool = False
    rounds: Counter[str] = field(default_factory=Counter)

    def enter(self, node: str) -> None:
        """A step waits, or it is the end."""
        self.node, self.item, self.holder, self.delegators = node, "", DESKS.get(node, ""), []
        self.is_urged, self.is_over = False, not node
        self.rounds[node] += 1


def _begin(kind: str, starter: str) -> Position:
    position = Position(kind, starter, "")
    position.enter("approve" if kind == "leave" else "look")
    return position


def _follow(position: Position, event: Event) -> str:
    """Take one act of the history; answers what is wrong with it."""
    _ms, operation, account, item, node, round_, _before, _after, to, outcome = event
    kind = operation.partition(".")[2]
    if position.is_over:
        return f"{operation} after the end"
    if kind in ("withdraw", "urge"):
        return _follow_starter(position, kind, account)
    position.item = position.item or item
    if (item, node, round_) != (position.item, position.node, position.rounds[position.node]):
        return f"{operation} on {node} {round_} while {position.node} {position.rounds[position.node]} waits"
    if kind == "claim":
        fault = f"claimed while {position.holder} holds it" if position.holder else ""
        position.holder = account
        return fault
    mine = position.holder == account
    if kind in ("unclaim", "delegate", "transfer", "handBack"):
        if not mine or (kind == "unclaim" and position.delegators):
            return f"{kind} while {position.holder} holds it for {position.delegators}"
        if kind == "delegate":
            position.delegators.append(account)
        expected = position.delegators.pop() if kind == "handBack" and position.delegators else to
        position.holder = to
        return "" if to == expected and bool(to) == (kind != "unclaim") else f"{kind} led to {to}, not to {expected}"
    if position.delegators or not (mine or position.holder == ""):
        return f"{kind} while {position.holder} holds it for {position.delegators}"
    if outcome not in MOVES[position.kind][node]:
        return f"{outcome} at {node}"
    position.enter(MOVES[position.kind][node][outcome])
    return ""


def _follow_starter(position: Position, kind: str, account: str) -> str:
    if account != position.starter or (kind == "urge" and position.is_urged):
        return f"{kind} of what {position.starter} began, urged before: {position.is_urged}"
    position.is_urged, position.is_over = True, kind == "withdraw"
    return ""


def check(record: str, calls: Sequence[Call], acts: Sequence[Event], tables: Mapping[str, Any]) -> list[str]:
    """What is wrong with one process: its calls against its history, and the end of that against what waits."""
    (_ms, began, starter, *_rest), *events = acts
    kind = "leave" if began == "leave.start" else "process"
    line, faults, end = line_of(events, lambda: _begin(kind, starter), _follow)
    if not faults:
        item, holder, delegators = tables["waits"].get(record, ["", "", []])
        known = (end.item or item, end.holder, end.delegators)
        if bool(item) == end.is_over or (not end.is_over and known != (item, holder, delegators)):
            faults.append(f"{item} waits, held by {holder} for {delegators}; the history ends with {end}")
    return faults or check_answers(line, calls, AGAIN)


if __name__ == "__main__":
    proof = Proof("processes", prepare, play, enter, check, REFUSED, watchers=(WATCHER,))
    sys.exit(prove(proof, __doc__ or "", "handed"))
