"""The kill test: orders go through the whole flow while web, worker and beat are killed; nothing is lost or doubled.

Several clients take each order from its report over a failed check to the passed one, every step with a key of its
own. What gets no definite answer (the server was killed, or the line was cut on purpose) is sent again with the same
key and body. Both doors are used in turn. In the end every table must hold each step exactly once.

    python -m tests.prove.kill --database postgresql --orders 100 --kills 24 --seed 7
"""

from __future__ import annotations

import argparse
import os
import random
import secrets
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from queue import Empty, Queue
from typing import Any
from zoneinfo import ZoneInfo

from tests.prove.server import CHILDREN, Server, running
from tests.prove.table import print_table
from tests.prove.wire import Answer, Line, NoAnswer

CLIENTS = 8
CUT_SHARE = 0.1
QUIET_SECONDS = 60
BACK_SECONDS = 60
CLOSED = 6
INSTANCE_COMPLETED = 2
PEOPLE = ("operator", "repair_leader", "repairer")
UPDATE, COMPLETE = "yuzhu-equip/repairorder/update", "blade-flow/work/complete-task"


@dataclass(frozen=True)
class Step:
    """A step of the flow: who does what, at which node, through whichever door."""

    person: str
    node: str
    action: str
    agrees: bool
    fields: Mapping[str, Any]
    """What the action carries, the same through both doors."""


@dataclass
class Progress:
    """How many steps were begun; the killer waits for its moments here."""

    begun: int = 0
    is_over: bool = False
    changed: threading.Condition = field(default_factory=threading.Condition)

    def begin(self) -> None:
        """A step begins."""
        with self.changed:
            self.begun += 1
            self.changed.notify_all()

    def end(self) -> None:
        """No step will follow."""
        with self.changed:
            self.is_over = True
            self.changed.notify_all()

    def wait_for(self, moment: int) -> None:
        """Return when so many steps were begun, or none will follow."""
        with self.changed:
            self.changed.wait_for(lambda: self.is_over or self.begun >= moment)


@dataclass
class Trouble:
    """What went wrong while the clients worked; threads add to it."""

    refused: list[str] = field(default_factory=list)


def goes_to_team(number: int) -> bool:
    """Every third order is dispatched to a team, whose repairer claims the step from the queue first."""
    return number % 3 == 0


def _flow(known: Mapping[str, Any], to_team: bool) -> Iterator[Step]:
    """The steps after the report; the work line and the claim are calls of their own."""
    whom = {"teamId": known["team"]} if to_team else {"repairUserId": known["people"]["repairer"]["id"]}
    done = {"solution": "换轴承", "causeTagId": known["cause"], "actionTagIds": known["action"]}
    yield Step("repair_leader", "dispatch", "dispatch", True, whom)
    yield Step("repairer", "accept", "accept", True, {})
    yield Step("repairer", "repair", "finish", True, done)
    yield Step("operator", "check", "check", False, {"checkResult": 2, "checkRemark": "还响"})
    yield Step("repairer", "repair", "finish", True, done)
    yield Step("operator", "check", "check", True, {"checkResult": 1, "checkScore": 5})


def expected(known: Mapping[str, Any], to_team: bool) -> dict[str, Any]:
    """What the tables must hold of one order, each entry exactly once and in this order."""
    name = {account: person["name"] for account, person in known["people"].items()}
    claim = [["task.claim", None, None, []]] if to_team else []
    dispatched = ["repairer", "repairer2"] if to_team else ["repairer"]
    finished = ["repairorder.finish", 3, 5, ["repairorder.finished"]]
    return {
        "acts": [
            ["repairorder.save", None, 1, ["repairorder.reported"]],
            ["repairorder.dispatch", 1, 2, ["repairorder.dispatched"]],
            *claim,
            ["repairorder.accept", 2, 3, ["repairorder.accepted"]],
            ["repairorder.line", None, None, []],
            finished,
            ["repairorder.check", 5, 3, ["repairorder.failed"]],
            finished,
            ["repairorder.check", 5, 6, ["repairorder.passed"]],
        ],
        "steps": [
            ["dispatch", 1, "done", "dispatch", name["repair_leader"]],
            ["accept", 1, "done", "accept", name["repairer"]],
            ["repair", 1, "done", "finish", name["repairer"]],
            ["check", 1, "done", "fail", name["operator"]],
            ["repair", 2, "done", "finish", name["repairer"]],
            ["check", 2, "done", "pass", name["operator"]],
        ],
        "told": [
            ["repair_leader", "新的报修"],
            *[[person, "派给您的维修单"] for person in dispatched],
            ["operator", "已接单"],
            ["operator", "维修完工，请验收"],
            ["repairer", "验收不通过，请返工"],
            ["operator", "维修完工，请验收"],
            ["repairer", "验收通过"],
        ],
    }


class Client(threading.Thread):
    """Takes order numbers from the queue and each order from its report to its end."""

    def __init__(
        self, line: Line, tokens: Mapping[str, str], known: Mapping[str, Any], numbers: Queue[int],
        progress: Progress, trouble: Trouble,
    ):  # fmt: skip
        super().__init__(daemon=True)
        self.line, self.tokens, self.known = line, tokens, known
        self.numbers, self.progress, self.trouble = numbers, progress, trouble

    def run(self) -> None:
        """Until no number is left. An order that is refused a step is left where it is, and told."""
        while True:
            try:
                number = self.numbers.get_nowait()
            except Empty:
                self.line.close()
                return
            try:
                self._order(number)
            except (NoAnswer, AssertionError) as error:
                self.trouble.refused.append(f"order {number}: {error}")

    def _act(self, person: str, path: str, body: Mapping[str, Any] | None) -> Answer:
        """One step, with a key of its own; whatever is not 200 is trouble."""
        self.progress.begin()
        answer = self.line.call("POST", path, self.tokens[person], body, key=secrets.token_hex(16))
        assert answer.status == 200, f"{path} {body}: {answer.status} {answer.body['msg']}"
        return answer

    def _order(self, number: int) -> None:
        to_team = goes_to_team(number)
        report = {"machineId": self.known["machine"], "description": f"主轴异响 {number}", "force": 1}
        order = self._act("operator", "yuzhu-equip/repairorder/save", report).data
        version = order["lockVersion"]
        for count, step in enumerate(_flow(self.known, to_team)):
            if step.node == "repair" and count == 2:
                self._act("repairer", "yuzhu-equip/repairorderdetail/submit", _work_line(order["id"]))
            detail = self.line.call(
                "GET", f"yuzhu-equip/repairorder/detail?id={order['id']}", self.tokens[step.person]
            ).data
            task = detail["openTask"]
            assert task and task["node"] == step.node, f"{step.node} does not wait, but {task}"
            if to_team and step.node == "accept":
                self._act(step.person, f"blade-flow/work/claim-task?taskId={task['taskId']}", None)
            if (number + count) % 2:
                body = {"id": order["id"], "lockVersion": version, "action": step.action, **step.fields}
                answer = self._act(step.person, UPDATE, body)
            else:
                body = {"taskId": task["taskId"], "processInstanceId": detail["processInstanceId"]}
                body.update({"flag": "ok"} if step.agrees else {}, variables=dict(step.fields))
                answer = self._act(step.person, COMPLETE, body)
            assert answer.data["lockVersion"] == version + 1, f"version {version} became {answer.data['lockVersion']}"
            version = answer.data["lockVersion"]


def _work_line(order_id: str) -> dict[str, Any]:
    """An hour of yesterday."""
    begin = datetime.now(ZoneInfo("Asia/Shanghai")) - timedelta(days=1)
    times = {"startTime": begin, "endTime": begin + timedelta(hours=1)}
    text = {name: f"{time_:%Y-%m-%d %H:%M:%S}" for name, time_ in times.items()}
    return {"orderId": order_id, "workType": 2, "content": "拆装主轴", **text}


class Killer(threading.Thread):
    """Kills the process groups of children at drawn moments: when so many steps were begun, and a blink later."""

    def __init__(self, server: Server, progress: Progress, moments: Sequence[int], draw: random.Random):
        super().__init__(daemon=True)
        self.server, self.progress, self.moments, self.draw = server, progress, moments, draw
        # Half of the kills hit the web server, where the steps are; the first three hit each child once.
        kinds = draw.choices(CHILDREN, weights=(5, 3, 2), k=max(len(moments) - len(CHILDREN), 0))
        self.kinds = [*CHILDREN, *kinds][: len(moments)]
        draw.shuffle(self.kinds)
        self.killed: Counter[str] = Counter()
        self.not_back: list[str] = []
        self._last: dict[str, int | None] = {}

    def run(self) -> None:
        """Kill at each moment; a child that was killed before must be back first."""
        for moment, child in zip(self.moments, self.kinds, strict=True):
            self.progress.wait_for(moment)
            time.sleep(self.draw.uniform(0, 0.06))
            pid = self._living(child)
            if pid is None:
                self.not_back.append(child)
                continue
            os.killpg(pid, signal.SIGKILL)
            self._last[child] = pid
            self.killed[child] += 1

    def _living(self, child: str) -> int | None:
        """The child's process, another one than was killed last; None when it does not come back."""
        end = time.monotonic() + BACK_SECONDS
        while time.monotonic() < end:
            pid = self.server.pid(child)
            if pid is not None and pid != self._last.get(child) and _exists(pid):
                return pid
            time.sleep(0.05)
        return None


def _exists(pid: int) -> bool:
    try:
        os.killpg(pid, 0)
    except ProcessLookupError:
        return False
    return True


@dataclass
class Verdict:
    """What the tables and the API say in the end."""

    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    other: list[str] = field(default_factory=list)

    def compare(self, what: str, found: Sequence[Any], wanted: Sequence[Any], *, in_order: bool = True) -> None:
        """Each wanted entry once and no other; `in_order`: in this order too."""
        have, want = Counter(map(repr, found)), Counter(map(repr, wanted))
        self.lost += [f"{what}: {entry} is missing" for entry in (want - have).elements()]
        self.doubled += [f"{what}: {entry} is too many" for entry in (have - want).elements()]
        if in_order and have == want and list(found) != list(wanted):
            self.other.append(f"{what}: not in order: {found}")

    def all(self) -> list[str]:
        """Every fault."""
        return [*self.stuck, *self.lost, *self.doubled, *self.other]


def check_tables(verdict: Verdict, tables: Mapping[str, Any], known: Mapping[str, Any], orders: int) -> None:
    """Hold what was read from the database against what each order must have left there."""
    numbers = [int(order["title"].rpartition(" ")[2]) for order in tables["orders"]]
    verdict.compare("reports", sorted(numbers), range(orders))
    names = [order["number"] for order in tables["orders"]]
    verdict.compare("order numbers", names, list(dict.fromkeys(names)))
    for number, order in zip(numbers, tables["orders"], strict=True):
        name = f"order {number}"
        wanted = expected(known, goes_to_team(number))
        for kind in ("acts", "steps"):
            verdict.compare(f"{name} {kind}", order[kind], wanted[kind])
        verdict.compare(f"{name} messages", order["told"], wanted["told"], in_order=False)
        verdict.compare(f"{name} work lines", range(order["lines"]), range(1))
        verdict.compare(f"{name} processes", range(len(order["instances"])), range(1))
        if order["status"] != CLOSED or any(row["status"] != INSTANCE_COMPLETED for row in order["instances"]):
            verdict.stuck.append(f"{name}: status {order['status']}, process {order['instances']}")
        if any(row["timers"] for row in order["instances"]):
            verdict.other.append(f"{name}: timers are left")
        if (order["reworks"], order["version"]) != (1, 7):
            verdict.other.append(f"{name}: {order['reworks']} reworks, version {order['version']}")
    if tables["parked"]:
        verdict.other.append(f"{tables['parked']} outbox messages are parked")


def check_calls(verdict: Verdict, line: Line, token: str, tables: Mapping[str, Any]) -> None:
    """Ask the API for the same: status, history and timeline of every order, as the repair leader sees them."""
    for order in tables["orders"]:
        detail = line.call("GET", f"yuzhu-equip/repairorder/detail?id={order['id']}", token).data
        timeline = line.call(
            "GET", f"blade-flow/process/history-flow-list?processInstanceId={detail['processInstanceId']}", token
        ).data
        name = f"{order['number']} over the API"
        if detail["status"] != CLOSED or detail["openTask"]:
            verdict.stuck.append(f"{name}: {detail['statusName']}, {detail['openTask']}")
        acts = [act.removeprefix("repairorder.") for act, *_rest in order["acts"]]
        verdict.compare(f"{name}: history", [row["action"] for row in detail["logs"]], acts)
        nodes = ["dispatch", "accept", "repair", "check", "repair", "check"]
        wanted = ["startEvent", *nodes, "endEvent"]
        verdict.compare(f"{name}: timeline", [row["historyActivityId"] for row in timeline], wanted)


def main() -> int:
    """Run the proof; answers the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--orders", type=int, default=100)
    parser.add_argument("--kills", type=int, default=24)
    parser.add_argument("--seed", type=int, default=None, help="of kill moments and cut lines; drawn when left out")
    asked = parser.parse_args()
    seed = secrets.randbelow(10**6) if asked.seed is None else asked.seed
    print(f"kill test: {asked.database}, {asked.orders} orders, {asked.kills} kills, seed {seed}", flush=True)
    with running(asked.database) as server:
        code = _prove(server, asked.database, asked.orders, asked.kills, seed)
        if code:
            raise SystemExit(code)  # from inside, so that the logs stay
    return 0


def _prove(server: Server, database: str, orders: int, kills: int, seed: int) -> int:
    draw = random.Random(seed)
    first = Line(server.port)
    tokens = {person: first.sign_in(person, server.known["password"]) for person in PEOPLE}
    numbers: Queue[int] = Queue()
    for number in range(orders):
        numbers.put(number)
    progress, trouble = Progress(), Trouble()
    lines = [Line(server.port, random.Random(draw.random()), CUT_SHARE) for _ in range(CLIENTS)]
    clients = [Client(line, tokens, server.known, numbers, progress, trouble) for line in lines]
    steps = sum(9 if goes_to_team(number) else 8 for number in range(orders))
    moments = sorted(draw.randrange(CLIENTS, max(steps - CLIENTS, CLIENTS + 1)) for _ in range(kills))
    killer = Killer(server, progress, moments, draw)
    began = time.monotonic()
    for thread in (killer, *clients):
        thread.start()
    for client in clients:
        client.join()
    ended = time.monotonic()
    progress.end()
    killer.join()
    after = time.monotonic()  # the last kill may come later than the last step

    verdict = Verdict(stuck=trouble.refused)
    verdict.stuck += [f"{child} did not come back within {BACK_SECONDS} s" for child in killer.not_back]
    while not server.is_healthy():
        if time.monotonic() > after + BACK_SECONDS:
            verdict.stuck.append(f"/healthz is not 200 after {BACK_SECONDS} s")
            break
        time.sleep(0.3)
    left = server.ask("quiet", str(QUIET_SECONDS))
    if left:
        verdict.stuck.append(f"{left} outbox messages are left after {QUIET_SECONDS} s")
    quiet = time.monotonic() - after
    tables = server.ask("read")
    check_tables(verdict, tables, server.known, orders)
    check_calls(verdict, first, tokens["repair_leader"], tables)
    if killer.killed.total() < kills:
        verdict.other.append(f"only {killer.killed.total()} of {kills} kills hit")
    rows = {
        "database": database,
        "seed": seed,
        "orders": orders,
        "steps": f"{progress.begun} of {steps}",
        "kills": f"{killer.killed.total()} ({', '.join(f'{name} {killer.killed[name]}' for name in CHILDREN)})",
        "retries": f"{sum(line.tally.retries for line in lines)}, "
        f"{sum(line.tally.cuts for line in lines)} of them after a cut line",
        "seconds": f"{ended - began:.1f}, and {quiet:.1f} from the last kill until all was quiet",
        "lost": len(verdict.lost),
        "doubled": len(verdict.doubled),
        "stuck": len(verdict.stuck),
        "other faults": len(verdict.other),
    }
    return print_table("Kill test", rows, verdict.all())


if __name__ == "__main__":
    sys.exit(main())
