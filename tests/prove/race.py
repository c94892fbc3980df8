"""Many who complete one item at once, over HTTP on PostgreSQL with two web processes: nobody hears anything false.

* One person, 8 times: the same complete-task 8 times at once. One effect, 8 equal answers.
* 8 people, once each: the same pooled item completed by 8 people at once. One may, 7 read who was first.

    python -m tests.prove.race --repeats 200
"""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from tests.prove.crowd import Crowd, one_winner
from tests.prove.server import Server, running
from tests.prove.table import print_table
from tests.prove.wire import Line

AT_ONCE = 8
QUIET_SECONDS = 60
COMPLETE = "blade-flow/work/complete-task"
DISPATCHED = 2


@dataclass(frozen=True)
class Item:
    """A repair order that waits to be dispatched, offered to all repair leaders."""

    number: int
    task: str


def _report(line: Line, token: str, known: Mapping[str, Any], number: int) -> Item:
    body = {"machineId": known["machine"], "description": f"主轴异响 {number}", "force": 1}
    order = line.call("POST", "yuzhu-equip/repairorder/save", token, body).data
    detail = line.call("GET", f"yuzhu-equip/repairorder/detail?id={order['id']}", token).data
    return Item(number, detail["openTask"]["taskId"])


def _dispatch(item: Item, known: Mapping[str, Any]) -> dict[str, Any]:
    variables = {"repairUserId": known["people"]["repairer"]["id"]}
    return {"taskId": item.task, "flag": "ok", "comment": "去吧", "variables": variables}


def _check_order(order: Mapping[str, Any], by: str) -> list[str]:
    """The order in the tables: its acts once each, its status, who dispatched it, and one message to the repairer."""
    name = f"order {order['title']}"
    wrong = []
    if [act[0] for act in order["acts"]] != ["repairorder.save", "repairorder.dispatch"]:
        wrong.append(f"{name}: acts {order['acts']}")
    if order["status"] != DISPATCHED:
        wrong.append(f"{name}: status {order['status']}")
    if order["steps"] != [["dispatch", 1, "done", "dispatch", by], ["accept", 1, "open", "", ""]]:
        wrong.append(f"{name}: steps {order['steps']}")
    if order["told"].count(["repairer", "派给您的维修工单"]) != 1:
        wrong.append(f"{name}: messages {order['told']}")
    return wrong


def main() -> int:
    """Run the proof; answers the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=200, help="items for each of the two races")
    asked = parser.parse_args()
    with running("postgresql", leaders=AT_ONCE, WEB_WORKERS="2") as server:
        code = _prove(server, asked.repeats)
        if code:
            raise SystemExit(code)  # from inside, so that the logs stay
    return 0


def _prove(server: Server, repeats: int) -> int:
    known, crowd = server.known, Crowd(server.port, AT_ONCE)
    leaders = [f"leader{number}" for number in range(1, AT_ONCE + 1)]
    names = [known["people"][account]["name"] for account in leaders]
    line = crowd.lines[0]
    tokens = [line.sign_in(account, known["password"]) for account in leaders]
    operator = line.sign_in("operator", known["password"])
    work = range(2 * repeats)
    items = crowd.spread(work, lambda line, number: _report(line, operator, known, number))
    alone, together = items[:repeats], items[repeats:]
    wrong: list[str] = []
    by: dict[int, str] = {}

    # Every other item under one idempotency key, as a client that repeats does; the others without, as two windows do.
    keys = {item.number: secrets.token_hex(16) if item.number % 2 else "" for item in alone}
    began = time.monotonic()
    answers = crowd.rounds(
        alone,
        lambda line, at, item: line.call("POST", COMPLETE, tokens[0], _dispatch(item, known), key=keys[item.number]),
    )
    middle = time.monotonic()
    equal = 0
    for item, heard in zip(alone, answers, strict=True):
        kinds = {(answer.status, orjson.dumps(answer.body, option=orjson.OPT_SORT_KEYS)) for answer in heard}
        equal += len(kinds) == 1
        if len(kinds) != 1 or heard[0].status != 200:
            wrong.append(f"complete {item.number} by one person: {sorted(kinds)}")
        by[item.number] = names[0]

    answers = crowd.rounds(
        together, lambda line, at, item: line.call("POST", COMPLETE, tokens[at], _dispatch(item, known))
    )
    ended = time.monotonic()
    for item, heard in zip(together, answers, strict=True):
        place, faults = one_winner(f"complete {item.number} by 8", heard, names, "workflow.taskCompleted")
        wrong += faults
        by[item.number] = names[place]

    left = server.ask("quiet", str(QUIET_SECONDS))
    if left:
        wrong.append(f"{left} outbox messages are left after {QUIET_SECONDS} s")
    orders = {int(order["title"].rpartition(" ")[2]): order for order in server.ask("read")["orders"]}
    if sorted(orders) != list(work):
        wrong.append(f"{len(orders)} orders of {len(work)}")
    for number, order in orders.items():
        wrong += _check_order(order, by[number])
    rows = {
        f"{repeats} completes × 8 of one person": f"{equal} with 8 equal answers, {middle - began:.1f} s",
        f"{repeats} completes × 8 people": f"{ended - middle:.1f} s",
        "faults": len(wrong),
    }
    return print_table("One effect", rows, wrong)


if __name__ == "__main__":
    sys.exit(main())
