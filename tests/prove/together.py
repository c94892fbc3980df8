"""People who do everything to the same things at the same moment, and whether the history of each is one line.

Each 200 is one act and each act was answered 200; each act may follow the one before it; an act that was answered
before another one was asked for stands before it. In the end the engine's state fits what is stored.
"""

from __future__ import annotations

import argparse
import itertools
import random
import secrets
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from tests.prove.crowd import Crowd, in_processes
from tests.prove.server import Server, running
from tests.prove.table import print_table
from tests.prove.wire import Answer, Line

PEOPLE = 16
QUIET_SECONDS = 120

Position = TypeVar("Position")
Event = Sequence[Any]
"""An act as `inside.acted` tells it."""


@dataclass(frozen=True)
class Call:
    """One call, from its sending to its answer on the clock of this machine."""

    thing: str
    account: str
    operation: str
    sent: float
    heard: float
    status: int
    error: str
    version: int = 0
    """Of the record, where the answer says it."""


@dataclass(frozen=True)
class Proof:
    """What differs from proof to proof; all of it of a module, for it goes to client processes."""

    things: str
    """What is acted on, in the plural, for the table and the command line."""
    prepare: Callable[[Server, int], list[Any]]
    """Make so many; answers one entry for each, whose first part is the id in the histories."""
    play: Callable[[Line, int, Any, dict[str, Any], random.Random], Call]
    """One act of the person at this place on the entry: a line, what all have seen of it so far, the person's dice."""
    enter: Callable[[Any], Any]
    """What the crowd has seen of an entry before anybody acts."""
    check: Callable[[str, Sequence[Call], Sequence[Event], Mapping[str, Any]], list[str]]
    """What is wrong with one: its id, its calls, its acts by people, and all that `inside.acted` answered."""
    refused: Collection[str]
    """How somebody may be told to have come too late."""
    watchers: tuple[str, ...] = ()
    """Accounts beside the crowd that look on."""


def orders_of(events: Sequence[Event]) -> Iterator[list[Event]]:
    """The history as its ids say; ids of one millisecond have no order among processes, so all of theirs are tried."""
    groups = [list(group) for _ms, group in itertools.groupby(events, key=lambda event: event[0])]
    for choice in itertools.islice(itertools.product(*(itertools.permutations(group) for group in groups)), 200):
        yield [event for group in choice for event in group]


def line_of(
    events: Sequence[Event], begin: Callable[[], Position], follow: Callable[[Position, Event], str]
) -> tuple[list[Event], list[str], Position]:
    """The first order of the events in which each may follow the one before, else the last; what is wrong; the end."""
    faults: list[str] = []
    line: list[Event] = []
    position = begin()
    for line in orders_of(events):
        position, faults = begin(), []
        for event in line:
            fault = follow(position, event)
            if fault:
                faults.append(f"{event[2]}: {fault}")
                break
        if not faults:
            break
    return line, faults, position


def check_answers(line: Sequence[Event], calls: Sequence[Call], again: Collection[str] = ()) -> list[str]:
    """Each 200 is one act and each act was answered 200; `again`: what is answered 200 once more and is no act."""
    went = [call for call in calls if call.status == 200]
    heard = Counter((call.account, call.operation) for call in went)
    kept = Counter((event[2], event[1]) for event in line)
    more = [entry for entry in (heard - kept).elements() if entry[1] not in again]
    faults = [f"{entry} was answered 200 and is not in the history" for entry in more]
    faults += [f"{entry} is in the history and was not answered 200" for entry in (kept - heard).elements()]
    return faults or _check_times(line, [call for call in went if heard[_of(call)] == kept[_of(call)]])


def _of(call: Call) -> tuple[str, str]:
    return call.account, call.operation


def _check_times(line: Sequence[Event], went: Sequence[Call]) -> list[str]:
    """Nobody's act stands after one that was asked for only when the first had been answered."""
    waiting: dict[tuple[str, str], list[Call]] = {}
    for call in sorted(went, key=lambda call: call.sent):
        waiting.setdefault(_of(call), []).append(call)
    latest, faults = 0.0, []
    for event in line:
        mine = waiting.get((event[2], event[1]))
        if mine is None:  # answered more often than carried out: which of the answers it was is not known
            continue
        call = mine.pop(0)  # a person asks for one thing at a time
        if call.heard < latest:
            faults.append(f"{event[1]} of {event[2]} was answered before an act was asked for that stands before it")
        latest = max(latest, call.sent)
    return faults


def prove(proof: Proof, description: str, name: str) -> int:
    """Run the proof as the command line asks; answers the exit code."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(f"--{proof.things}", dest="number", type=int, default=1000)
    parser.add_argument("--acts", type=int, default=5, help="calls of each person on each of them")
    parser.add_argument("--clients", type=int, default=3, help="client processes, each with a crowd of its own")
    parser.add_argument("--seed", type=int, default=None, help="of what people try; drawn when left out")
    asked = parser.parse_args()
    seed = secrets.randbelow(10**6) if asked.seed is None else asked.seed
    print(f"{name}: {asked.number} {proof.things} × {PEOPLE} people × {asked.acts} acts, seed {seed}", flush=True)
    with running("postgresql", leaders=PEOPLE, WEB_WORKERS="2") as server:
        code = _prove(proof, server, asked.number, asked.acts, asked.clients, seed)
        if code:
            raise SystemExit(code)  # from inside, so that the logs stay
    return 0


def _prove(proof: Proof, server: Server, number: int, acts: int, clients: int, seed: int) -> int:
    line, password = Line(server.port), server.known["password"]
    entries = proof.prepare(server, number)
    accounts = [f"leader{place}" for place in range(1, PEOPLE + 1)]
    tokens = {account: line.sign_in(account, password) for account in (*accounts, *proof.watchers)}
    known = {**server.known, "accounts": accounts, "tokens": tokens}
    began = time.monotonic()
    shares = in_processes(clients, entries, partial(_play, proof, server.port, known, acts, seed))
    seconds = time.monotonic() - began
    calls = [call for share in shares for call in share]
    by_thing: dict[str, list[Call]] = {entry[0]: [] for entry in entries}
    for call in calls:
        by_thing[call.thing].append(call)
    left = server.ask("quiet", str(QUIET_SECONDS))
    tables = server.ask("acted")
    wrong = [f"{left} outbox messages are left after {QUIET_SECONDS} s"] if left else []
    for thing, made in by_thing.items():
        found = proof.check(thing, made, tables["acts"].get(thing, []), tables)
        wrong += [f"{thing}: {fault}" for fault in found]
    broken = len({fault.partition(":")[0] for fault in wrong})
    wrong += [
        f"{call.operation} was answered {call.status} {call.error}"
        for call in calls
        if call.status != 200 and (call.status >= 500 or call.error not in proof.refused)
    ]
    not_whole = server.ask("whole")
    went = Counter(call.operation for call in calls if call.status == 200)
    refused = Counter(call.error for call in calls if call.status != 200)
    kept = sum(len(tables["acts"].get(thing, [])) for thing in by_thing)
    rows = {
        proof.things: f"{number}, {kept} acts in their histories",
        "calls": f"{len(calls)} in {seconds:.1f} s",
        "carried out": ", ".join(f"{name} {count}" for name, count in went.most_common()),
        "refused": ", ".join(f"{name} {count}" for name, count in refused.most_common()),
        "histories in one line": len(by_thing) - broken,
        "states that do not fit": len(not_whole),
    }
    return print_table(f"Everything × {PEOPLE}", rows, [*wrong, *not_whole])


def _play(
    proof: Proof, port: int, known: Mapping[str, Any], acts: int, seed: int, entries: Sequence[Any]
) -> list[Call]:
    """Let all these people act so many times on each entry at once."""
    crowd, calls = Crowd(port, PEOPLE), []
    draws = random.Random(f"{seed} {entries[0][0]}")
    dice = [random.Random(draws.random()) for _person in range(PEOPLE)]
    seen = {entry[0]: {"known": known, "seen": proof.enter(entry), "held": {}} for entry in entries}

    def act(line: Line, place: int, entry: Any) -> Answer:
        for _act in range(acts):
            calls.append(proof.play(line, place, entry, seen[entry[0]], dice[place]))
        return Answer(200, {})

    crowd.rounds(entries, act)
    for line in crowd.lines:
        line.close()
    return calls
