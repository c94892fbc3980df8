"""Many at one item at once, over HTTP on PostgreSQL with two web processes: one wins, nobody hears anything false.

* Claims: 500 items, 16 people claim each at the same moment. One wins; the others read who has it.
* One person, 8 times: the same complete-task 8 times at once. One effect, 8 equal answers.
* 8 people, once each: the same pooled item completed by 8 people at once. One may, 7 read who was first.

    python -m tests.prove.race --claims 500 --repeats 50
"""

from __future__ import annotations

import argparse
import secrets
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from tests.prove.server import Server, running
from tests.prove.table import print_table
from tests.prove.wire import Answer, Line

CLAIMERS = 16
AT_ONCE = 8
QUIET_SECONDS = 60
CLAIM, COMPLETE = "blade-flow/work/claim-task?taskId={}", "blade-flow/work/complete-task"
WAITING, DISPATCHED = 1, 2


@dataclass(frozen=True)
class Item:
    """A repair order that waits to be dispatched, offered to all repair leaders."""

    number: int
    task: str


class Crowd:
    """Threads with a connection each, which do the same thing at the same moment, round after round."""

    def __init__(self, port: int, size: int):
        self.size = size
        self.lines = [Line(port) for _ in range(size)]

    def rounds(self, items: Sequence[Item], act: Callable[[Line, int, Item], Answer]) -> list[list[Answer]]:
        """For each item what each of the crowd was answered; `act` gets the line, its place and the item."""
        answers: list[list[Any]] = [[None] * self.size for _ in items]
        start, failed = threading.Barrier(self.size), []

        def take_part(place: int) -> None:
            try:
                for row, item in zip(answers, items, strict=True):
                    start.wait(120)
                    row[place] = act(self.lines[place], place, item)
            except Exception as error:  # carried to the main thread, where it ends the proof
                failed.append(error)
                start.abort()

        threads = [threading.Thread(target=take_part, args=(place,), daemon=True) for place in range(self.size)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for error in failed:
            if not isinstance(error, threading.BrokenBarrierError):
                raise error
        return answers

    def spread(self, work: Sequence[int], act: Callable[[Line, int], Item]) -> list[Item]:
        """Do the work once, each of the crowd its share."""
        done: list[Item] = []

        def take_part(place: int) -> None:
            done.extend(act(self.lines[place], number) for number in work[place :: self.size])

        threads = [threading.Thread(target=take_part, args=(place,)) for place in range(self.size)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sorted(done, key=lambda item: item.number)


def _report(line: Line, token: str, known: Mapping[str, Any], number: int) -> Item:
    body = {"machineId": known["machine"], "description": f"主轴异响 {number}", "force": 1}
    order = line.call("POST", "yuzhu-equip/repairorder/save", token, body).data
    detail = line.call("GET", f"yuzhu-equip/repairorder/detail?id={order['id']}", token).data
    return Item(number, detail["openTask"]["taskId"])


def _dispatch(item: Item, known: Mapping[str, Any]) -> dict[str, Any]:
    variables = {"repairUserId": known["people"]["repairer"]["id"]}
    return {"taskId": item.task, "flag": "ok", "comment": "去吧", "variables": variables}


def _one_winner(what: str, answers: list[Answer], names: Sequence[str], word: str) -> tuple[int, list[str]]:
    """The winner's place (-1 when there is none), and what is wrong; losers must read `word` and the winner's name."""
    won = [place for place, answer in enumerate(answers) if answer.status == 200]
    if len(won) != 1:
        return -1, [f"{what}: {len(won)} winners, {Counter(answer.status for answer in answers)}"]
    name = names[won[0]]
    false = [
        f"{what}: a loser was answered {answer.status} {answer.body.get('error')} {answer.body['msg']}"
        for answer in answers
        if answer.status != 200
        and (answer.status != 409 or answer.body["error"] != word or name not in answer.body["msg"])
    ]
    return won[0], false


def _check_order(order: Mapping[str, Any], acts: Sequence[str], status: int, by: str) -> list[str]:
    """The order in the tables: its acts once each, its status, who dispatched it, and one message to the repairer."""
    name = f"order {order['title']}"
    wrong = []
    if [act[0] for act in order["acts"]] != list(acts):
        wrong.append(f"{name}: acts {order['acts']}")
    if order["status"] != status:
        wrong.append(f"{name}: status {order['status']}")
    if status == DISPATCHED:
        if order["steps"] != [["dispatch", 1, "done", "dispatch", by], ["accept", 1, "open", "", ""]]:
            wrong.append(f"{name}: steps {order['steps']}")
        if order["told"].count(["repairer", "派给您的维修单"]) != 1:
            wrong.append(f"{name}: messages {order['told']}")
    return wrong


def main() -> int:
    """Run the proof; answers the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--claims", type=int, default=500, help="items for the 16 claimers")
    parser.add_argument("--repeats", type=int, default=50, help="items for each of the two other races")
    asked = parser.parse_args()
    with running("postgresql", leaders=CLAIMERS, WEB_WORKERS="2") as server:
        code = _prove(server, asked.claims, asked.repeats)
        if code:
            raise SystemExit(code)  # from inside, so that the logs stay
    return 0


def _prove(server: Server, claims: int, repeats: int) -> int:
    known, crowd = server.known, Crowd(server.port, CLAIMERS)
    few = Crowd(server.port, AT_ONCE)
    leaders = [f"leader{number}" for number in range(1, CLAIMERS + 1)]
    names = [known["people"][account]["name"] for account in leaders]
    line = few.lines[0]
    tokens = [line.sign_in(account, known["password"]) for account in leaders]
    operator = line.sign_in("operator", known["password"])
    work = range(claims + 2 * repeats)
    items = few.spread(work, lambda line, number: _report(line, operator, known, number))
    to_claim, alone, together = items[:claims], items[claims : claims + repeats], items[claims + repeats :]
    wrong: list[str] = []
    by: dict[int, str] = {}
    acts: dict[int, list[str]] = {}
    seconds: list[float] = []

    def timed(crowd: Crowd, items: Sequence[Item], act: Callable[[Line, int, Item], Answer]) -> list[list[Answer]]:
        began = time.monotonic()
        answers = crowd.rounds(items, act)
        seconds.append(time.monotonic() - began)
        return answers

    answers = timed(crowd, to_claim, lambda line, at, item: line.call("POST", CLAIM.format(item.task), tokens[at]))
    winners: Counter[int] = Counter()
    for item, heard in zip(to_claim, answers, strict=True):
        place, faults = _one_winner(f"claim {item.number}", heard, names, "workflow.taskTaken")
        wrong += faults
        winners[place] += 1
        acts[item.number], by[item.number] = ["repairorder.save", "task.claim"], names[place]

    # Every other item under one idempotency key, as a client that repeats does; the others without, as two windows do.
    keys = {item.number: secrets.token_hex(16) if item.number % 2 else "" for item in alone}
    answers = timed(
        few,
        alone,
        lambda line, at, item: line.call("POST", COMPLETE, tokens[0], _dispatch(item, known), key=keys[item.number]),
    )
    equal = 0
    for item, heard in zip(alone, answers, strict=True):
        kinds = {(answer.status, orjson.dumps(answer.body, option=orjson.OPT_SORT_KEYS)) for answer in heard}
        equal += len(kinds) == 1
        if len(kinds) != 1 or heard[0].status != 200:
            wrong.append(f"complete {item.number} by one person: {sorted(kinds)}")
        acts[item.number], by[item.number] = ["repairorder.save", "repairorder.dispatch"], names[0]

    answers = timed(
        few, together, lambda line, at, item: line.call("POST", COMPLETE, tokens[at], _dispatch(item, known))
    )
    for item, heard in zip(together, answers, strict=True):
        place, faults = _one_winner(f"complete {item.number} by 8", heard, names, "workflow.taskCompleted")
        wrong += faults
        acts[item.number], by[item.number] = ["repairorder.save", "repairorder.dispatch"], names[place]

    left = server.ask("quiet", str(QUIET_SECONDS))
    if left:
        wrong.append(f"{left} outbox messages are left after {QUIET_SECONDS} s")
    orders = {int(order["title"].rpartition(" ")[2]): order for order in server.ask("read")["orders"]}
    if sorted(orders) != list(work):
        wrong.append(f"{len(orders)} orders of {len(work)}")
    for number, order in orders.items():
        status = WAITING if number < claims else DISPATCHED
        wrong += _check_order(order, acts[number], status, by[number])
    rows = {
        f"{claims} claims × {CLAIMERS} people": f"{claims - winners[-1]} with one winner, {seconds[0]:.1f} s, "
        f"won by {len(winners)} different people",
        f"{repeats} completes × 8 of one person": f"{equal} with 8 equal answers, {seconds[1]:.1f} s",
        f"{repeats} completes × 8 people": f"{seconds[2]:.1f} s",
        "faults": len(wrong),
    }
    return print_table("One winner", rows, wrong)


if __name__ == "__main__":
    sys.exit(main())
