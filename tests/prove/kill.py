"""The kill test: orders go their ways while web, worker, beat and `serve` are killed; nothing is lost or doubled.

Several clients take each order from its report to its end, straight or over a rework, a hold, a refusal, a transfer or
a stop of the machine, or until it is cancelled, and requests for leave between them; every act with a key of its own.
What gets no definite answer (the server was killed, or the line was cut on purpose) is sent again with the same key and
body. Both doors are used in turn. In the end every table must hold each act exactly once. With `--of maintenance` the
same for maintenance orders: over a rework, a delay, a stop of the asset or an abnormal item, or until cancelled.

    python -m tests.prove.kill --database postgresql --orders 2000 --kills 200 --seed 7
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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from queue import Empty, Queue
from typing import Any
from zoneinfo import ZoneInfo

from tests.prove import upkeep_ways
from tests.prove.server import CHILDREN, Server, running
from tests.prove.table import print_table
from tests.prove.wire import Answer, Line, NoAnswer

CLIENTS = 8
CUT_SHARE = 0.1
QUIET_SECONDS = 60
BACK_SECONDS = 60
AHEAD = 30
"""Acts that may begin while the killer waits for a killed child: kills belong among the work, not behind it."""
ASKED = 200
"""Of how many orders the API is asked too; of the others the tables tell."""
INSTANCE_COMPLETED = 2
SERVE = "serve"
KINDS = (*CHILDREN, SERVE)
PEOPLE = ("operator", "repair_leader", "repairer", "repairer2", "equip_manager", "shift_leader", "hr")
MECHANICS = ("repairer", "repairer2")
LEAVE = "blade-desk/process/leave"
LEAVE_EVERY = 11
"""Every eleventh number is a request for leave."""
UPDATE, COMPLETE = "yuzhu-equip/repairorder/update", "blade-flow/work/complete-task"


@dataclass
class Progress:
    """How many acts were begun; the killer waits for its moments here, and the clients for a killer that lags."""

    begun: int = 0
    is_over: bool = False
    handled: int = 0
    """The moment up to which the killer has done its work."""
    changed: threading.Condition = field(default_factory=threading.Condition)

    def begin(self) -> None:
        """An act begins."""
        with self.changed:
            self.begun += 1
            self.changed.notify_all()
            self.changed.wait_for(lambda: self.begun < self.handled + AHEAD, BACK_SECONDS * 2)

    def handle(self, moment: int) -> None:
        """The killer has done its work up to this moment."""
        with self.changed:
            self.handled = moment
            self.changed.notify_all()

    def end(self) -> None:
        """No act will follow."""
        with self.changed:
            self.is_over = True
            self.changed.notify_all()

    def wait_for(self, moment: int) -> None:
        """Return when so many acts were begun, or none will follow."""
        with self.changed:
            self.changed.wait_for(lambda: self.is_over or self.begun >= moment)


@dataclass
class Trouble:
    """What went wrong while the clients worked; threads add to it."""

    refused: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Step:
    """A step of a flow: who does what."""

    person: str
    action: str
    """As the business door names it; `pass` and `fail` are the verdicts of its `check`."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """What the action carries, the same through both doors."""


@dataclass(frozen=True)
class Effect:
    """What an action does to an order."""

    becomes: int
    effect: str
    leads_to: str
    """The node that waits then; empty at the end."""


EFFECTS = {
    "dispatch": Effect(2, "dispatched", "accept"),
    "accept": Effect(3, "accepted", "repair"),
    "refuse": Effect(1, "refused", "dispatch"),
    "hang": Effect(4, "hung", "hold"),
    "resume": Effect(3, "resumed", "repair"),
    "transfer": Effect(2, "transferred", "accept"),
    "finish": Effect(5, "finished", "check"),
    "fail": Effect(3, "failed", "repair"),
    "pass": Effect(6, "passed", ""),
    "cancel": Effect(7, "cancelled", ""),
}
FLOWS = (
    "dispatch accept finish pass",
    "claim team accept finish pass",
    "dispatch accept finish fail finish pass",
    "dispatch refuse claim team accept hang resume finish pass",
    "dispatch accept transfer accept2 finish2 pass",
    "stop dispatch accept hang cancel",
    "claim team refuse cancel",
    "stop cancel",
    "claim team accept finish fail hang resume finish pass",
    "stop dispatch accept stopfinish pass",
)
"""Ways through the model, taken by the orders in turn. `stop` is the report of a standing machine, `team` a dispatch to
the mechanics, a 2 means the other repairer."""


LEAVES = ("approve", "reject submit approve", "withdraw", "long approve hr", "long approve hrreject submit approve hr")
"""Ways of a request for leave, taken in turn; `long` is one that human resources have to approve too."""


@dataclass(frozen=True)
class Kind:
    """Orders of one kind: their ways, what each must leave in the tables, and who reads them all."""

    noun: str
    flows: Sequence[str]
    expected: Callable[[Mapping[str, Any], int], dict[str, Any]]
    reader: str


def flow_of(number: int) -> list[str]:
    """The words of an order's flow."""
    return FLOWS[number % len(FLOWS)].split()


def _step(word: str, known: Mapping[str, Any], node: str) -> Step:
    done = {"solution": "换轴承", "causeTagId": known["cause"], "actionTagIds": known["action"]}
    person = {account: entry["id"] for account, entry in known["people"].items()}
    now = f"{datetime.now(ZoneInfo('Asia/Shanghai')) - timedelta(seconds=2):%Y-%m-%d %H:%M:%S}"
    leader_cancels = "equip_manager" if node in ("repair", "hold") else "operator"
    return {
        "dispatch": Step("repair_leader", "dispatch", {"repairUserId": person["repairer"]}),
        "team": Step("repair_leader", "dispatch", {"teamId": known["team"]}),
        "accept": Step("repairer", "accept"),
        "accept2": Step("repairer2", "accept"),
        "refuse": Step("repairer", "refuse", {"reason": "不在"}),
        "hang": Step("repairer", "hang", {"hangReason": 1, "remark": "等件"}),
        "resume": Step("repairer", "resume"),
        "transfer": Step("repairer", "transfer", {"repairUserId": person["repairer2"], "reason": "换人"}),
        "finish": Step("repairer", "finish", done),
        "finish2": Step("repairer2", "finish", done),
        "stopfinish": Step("repairer", "finish", {**done, "stopEnd": now, "afterImages": known["picture"]}),
        "fail": Step("operator", "fail", {"checkResult": 2, "checkRemark": "还响"}),
        "pass": Step("operator", "pass", {"checkResult": 1, "checkScore": 5}),
        "cancel": Step(leader_cancels, "cancel", {"cancelReason": 1}),
    }[word]


def _told(step: Step, to_team: bool, repairer: str) -> list[list[str]]:
    """Who is told of a step, and under which title."""
    told = {
        "dispatch": [(person, "派给您的维修工单") for person in (MECHANICS if to_team else [repairer])],
        "accept": [("operator", "已接单")],
        "refuse": [("repair_leader", "维修工单被拒单")],
        "hang": [("operator", "维修工单已挂起")],
        "resume": [],
        "transfer": [("repairer2", "转派给您的维修工单")],
        "finish": [("operator", "维修完工，请验收")],
        "fail": [(repairer, "验收不通过，请返修")],
        "pass": [(repairer, "验收通过")],
        "cancel": [("operator", "维修工单已取消"), (repairer, "维修工单已取消")],
    }[step.action]
    return [[person, title] for person, title in told if person and person != step.person]


def expected(known: Mapping[str, Any], number: int) -> dict[str, Any]:
    """What the tables must hold of one order, each entry exactly once and in this order."""
    name = {account: person["name"] for account, person in known["people"].items()}
    acts: list[list[Any]] = [["repairorder.save", None, 1, ["repairorder.reported"]]]
    steps: list[list[Any]] = []
    told, rounds = [["repair_leader", "新的报修"]], Counter({"dispatch": 1})
    status, node, repairer, to_team, lines, version, reworks = 1, "dispatch", "", False, 0, 1, 0
    for word in flow_of(number):
        if word == "stop":
            continue
        if word == "claim":
            acts.append(["task.claim", None, None, []])
            continue
        step = _step(word, known, node)
        done = EFFECTS[step.action]
        if step.action == "finish" and not lines:
            acts.append(["repairorder.line", None, None, []])
            lines = 1
        to_team = word == "team" if step.action == "dispatch" else to_team
        if step.action in ("dispatch", "transfer"):
            repairer = "" if word == "team" else {"dispatch": "repairer", "transfer": "repairer2"}[step.action]
        if step.action == "accept":
            repairer = step.person
        told += _told(step, to_team, repairer)
        if step.action == "refuse":
            repairer = ""
        operation = "check" if step.action in ("pass", "fail") else step.action
        acts.append([f"repairorder.{operation}", status, done.becomes, [f"repairorder.{done.effect}"]])
        closing = ["dropped", "", ""] if step.action == "cancel" else ["done", step.action, name[step.person]]
        steps.append([node, rounds[node], *closing])
        status, node, version = done.becomes, done.leads_to, version + 1
        reworks += step.action == "fail"
        rounds[node] += 1
    stops = 1 if "stop" in flow_of(number) else 0
    plain = {"status": status, "version": version, "reworks": reworks, "lines": lines, "stops": stops, "openStops": 0}
    return {"acts": acts, "steps": steps, "told": told, "plain": plain}


def _leave_step(word: str) -> tuple[str, str, str]:
    """Who takes a step of a leave, at which node, and the action."""
    return {
        "approve": ("repair_leader", "approve", "approve"),
        "reject": ("repair_leader", "approve", "reject"),
        "hr": ("hr", "hr", "approve"),
        "hrreject": ("hr", "hr", "reject"),
        "submit": ("operator", "revise", "submit"),
        "withdraw": ("operator", "approve", "withdraw"),
    }[word]


def expected_leave(known: Mapping[str, Any], number: int) -> dict[str, Any]:
    """What the tables must hold of one leave."""
    name = {account: person["name"] for account, person in known["people"].items()}
    asked = ["repair_leader", "请假待审批"]
    words, rounds = LEAVES[number % len(LEAVES)].split(), Counter[str]()
    acts: list[list[Any]] = [["leave.start", 1, 2, ["leave.applied"]]]
    steps, told, status, is_long = [], [asked], 2, "long" in words
    for word in (word for word in words if word != "long"):
        person, node, action = _leave_step(word)
        rounds[node] += 1
        closing = ["dropped", "", ""] if action == "withdraw" else ["done", action, name[person]]
        steps.append([node, rounds[node], *closing])
        if word == "approve" and is_long:
            acts.append(["leave.approve", None, None, ["leave.passedOn"]])
            told.append(["hr", "请假待人事审批"])
            continue
        becomes, effect, message = {
            "approve": (3, "approved", ["operator", "请假已通过"]),
            "reject": (4, "rejected", ["operator", "请假被驳回"]),
            "submit": (2, "resubmitted", asked),
            "withdraw": (5, "withdrawn", ["repair_leader", "请假已撤回"]),
        }[action]
        acts.append([f"leave.{action}", status, becomes, [f"leave.{effect}"]])
        told.append(message)
        status = becomes
    return {"acts": acts, "steps": steps, "told": told, "plain": {"status": status, "version": len(acts)}}


REPAIR = Kind("repairorder", FLOWS, expected, "repair_leader")
MAINTENANCE = Kind("maintainorder", upkeep_ways.FLOWS, upkeep_ways.expected, "equip_manager")
OF = {"repair": REPAIR, "maintenance": MAINTENANCE}


class Client(threading.Thread):
    """Takes order numbers from the queue and each order from its report to its end."""

    def __init__(
        self, line: Line, tokens: Mapping[str, str], known: Mapping[str, Any], numbers: Queue[int],
        progress: Progress, trouble: Trouble, kind: Kind, place: int,
    ):  # fmt: skip
        super().__init__(daemon=True)
        self.kind, self.place = kind, place
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
                if is_leave(number):
                    self._leave(number // LEAVE_EVERY)
                elif self.kind is MAINTENANCE:
                    upkeep_ways.Way(self.line, self.tokens, self.known, self._act, self.place).take(number)
                else:
                    self._order(number)
            except (NoAnswer, AssertionError) as error:
                self.trouble.refused.append(f"number {number}: {error}")

    def _act(self, person: str, path: str, body: Mapping[str, Any] | None) -> Answer:
        """One step, with a key of its own; whatever is not 200 is trouble."""
        self.progress.begin()
        answer = self.line.call("POST", path, self.tokens[person], body, key=secrets.token_hex(16))
        assert answer.status == 200, f"{path} {body}: {answer.status} {answer.body['msg']}"
        return answer

    def _order(self, number: int) -> None:
        words, machines = flow_of(number), self.known["machines"]
        report = {"machineId": machines[number % len(machines)], "description": f"主轴异响 {number}", "force": 1}
        if "stop" in words:
            report["isStop"] = 1
            report["stopStart"] = f"{datetime.now(ZoneInfo('Asia/Shanghai')) - timedelta(hours=2):%Y-%m-%d %H:%M:%S}"
        order = self._act("operator", "yuzhu-equip/repairorder/save", report).data
        version, node, has_line = order["lockVersion"], "dispatch", False
        for place, word in enumerate(words):
            if word == "stop":
                continue
            if word == "claim":
                task = self._open_task(order["id"], "repair_leader", "dispatch")["taskId"]
                self._act("repair_leader", f"blade-flow/work/claim-task?taskId={task}", None)
                continue
            step = _step(word, self.known, node)
            if step.action == "finish" and not has_line:
                self._act(step.person, "yuzhu-equip/repairorderdetail/submit", _work_line(order["id"]))
                has_line = True
            if step.action == "cancel" or (number // len(FLOWS) + place) % 2:
                action = "check" if step.action in ("pass", "fail") else step.action
                body = {"id": order["id"], "lockVersion": version, "action": action, **step.fields}
                answer = self._act(step.person, UPDATE, body)
            else:
                task = self._open_task(order["id"], step.person, node)
                body = {"taskId": task["taskId"], "outcome": step.action, "variables": dict(step.fields)}
                answer = self._act(step.person, COMPLETE, body)
            assert answer.data["lockVersion"] == version + 1, f"version {version} became {answer.data['lockVersion']}"
            version, node = version + 1, EFFECTS[step.action].leads_to

    def _leave(self, number: int) -> None:
        words = LEAVES[number % len(LEAVES)].split()
        begin = datetime(2027, 1, 4, 8) + timedelta(days=7 * number)  # no two of one person at the same time
        times = {"startTime": begin, "endTime": begin + timedelta(days=4 if "long" in words else 0, hours=9)}
        request = {name: f"{time_:%Y-%m-%d %H:%M:%S}" for name, time_ in times.items()}
        request |= {"type": 1, "reason": f"回老家 {number}", "taskUser": self.known["people"]["repair_leader"]["id"]}
        leave = self._act("operator", f"{LEAVE}/start-process", request).data
        for place, word in enumerate(word for word in words if word != "long"):
            person, node, action = _leave_step(word)
            if action == "withdraw" or (number // len(LEAVES) + place) % 2:
                body = {"id": leave["id"], "lockVersion": leave["lockVersion"], "action": action, "comment": "说明"}
                answer = self._act(person, f"{LEAVE}/update", body)
            else:
                detail = self.line.call("GET", f"{LEAVE}/detail?businessId={leave['id']}", self.tokens[person]).data
                task = detail["openTask"]
                assert task and task["node"] == node, f"{node} does not wait, but {task}"
                body = {"taskId": task["taskId"], "outcome": action, "comment": "说明", "variables": {}}
                answer = self._act(person, COMPLETE, body)
            version = answer.data["lockVersion"]
            assert version == leave["lockVersion"] + 1, f"version {leave['lockVersion']} became {version}"
            leave = answer.data

    def _open_task(self, order_id: str, person: str, node: str) -> dict[str, Any]:
        detail = self.line.call("GET", f"yuzhu-equip/repairorder/detail?id={order_id}", self.tokens[person]).data
        task: dict[str, Any] = detail["openTask"]
        assert task and task["node"] == node, f"{node} does not wait, but {task}"
        return task


def _work_line(order_id: str) -> dict[str, Any]:
    """The last millisecond: after the report, and over no other line."""
    end = datetime.now(ZoneInfo("Asia/Shanghai"))
    times = {"startTime": end - timedelta(milliseconds=1), "endTime": end}
    text = {name: f"{time_:%Y-%m-%d %H:%M:%S.%f}" for name, time_ in times.items()}
    return {"orderId": order_id, "workType": 2, "content": "拆装主轴", **text}


class Killer(threading.Thread):
    """Kills the process groups of children at drawn moments: when so many steps were begun, and a blink later."""

    def __init__(self, server: Server, progress: Progress, moments: Sequence[int], draw: random.Random):
        super().__init__(daemon=True)
        self.server, self.progress, self.moments, self.draw = server, progress, moments, draw
        # Half of the kills hit the web server, where the steps are; the first four hit each kind once.
        kinds = draw.choices(KINDS, weights=(20, 12, 7, 1), k=max(len(moments) - len(KINDS), 0))
        self.kinds = [*KINDS, *kinds][: len(moments)]
        draw.shuffle(self.kinds)
        self.killed: Counter[str] = Counter()
        self.not_back: list[str] = []
        self._last: dict[str, int | None] = {}

    def run(self) -> None:
        """Kill at each moment; a child that was killed before must be back first."""
        for moment, child in zip(self.moments, self.kinds, strict=True):
            self.progress.handle(moment)
            self.progress.wait_for(moment)
            time.sleep(self.draw.uniform(0, 0.06))
            if not self._kill(child):
                self.not_back.append(child)
        self.progress.handle(sys.maxsize - AHEAD)

    def _kill(self, child: str) -> bool:
        """Kill it; False when it was not there to be killed, or `serve` did not come back."""
        if child == SERVE:
            self.killed[child] += 1
            return self.server.kill_and_serve()
        pid = self._living(child)
        if pid is None:
            return False
        os.killpg(pid, signal.SIGKILL)
        self._last[child] = pid
        self.killed[child] += 1
        return True

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


def is_leave(number: int) -> bool:
    """Whether the number is a request for leave; the others are repair orders."""
    return number % LEAVE_EVERY == LEAVE_EVERY - 1


def check_leaves(verdict: Verdict, leaves: Sequence[Mapping[str, Any]], known: Mapping[str, Any], number: int) -> None:
    """The same for the requests for leave."""
    numbers = [int(leave["title"].rpartition(" ")[2]) for leave in leaves]
    verdict.compare("requests for leave", sorted(numbers), range(number))
    for place, leave in zip(numbers, leaves, strict=True):
        name, wanted = f"leave {place} ({LEAVES[place % len(LEAVES)]})", expected_leave(known, place)
        for kind in ("acts", "steps"):
            verdict.compare(f"{name} {kind}", leave[kind], wanted[kind])
        verdict.compare(f"{name} messages", leave["told"], wanted["told"], in_order=False)
        verdict.compare(f"{name} processes", range(len(leave["instances"])), range(1))
        if leave["plain"] != wanted["plain"] or any(row["status"] != INSTANCE_COMPLETED for row in leave["instances"]):
            verdict.stuck.append(f"{name}: {leave['plain']}, process {leave['instances']}")


def check_tables(
    verdict: Verdict, tables: Mapping[str, Any], known: Mapping[str, Any], orders: int, kind: Kind
) -> None:
    """Hold what was read from the database against what each order must have left there."""
    numbers = [int(order["title"].rpartition(" ")[2]) for order in tables["orders"]]
    verdict.compare("reports", sorted(numbers), [number for number in range(orders) if not is_leave(number)])
    names = [order["number"] for order in tables["orders"]]
    verdict.compare("order numbers", names, list(dict.fromkeys(names)))
    for number, order in zip(numbers, tables["orders"], strict=True):
        name = f"order {number} ({kind.flows[number % len(kind.flows)]})"
        wanted = kind.expected(known, number)
        for what in ("acts", "steps"):
            verdict.compare(f"{name} {what}", order[what], wanted[what])
        verdict.compare(f"{name} messages", order["told"], wanted["told"], in_order=False)
        for what in ("lines", "stops", "readings", "found"):
            verdict.compare(f"{name} {what}", range(order.get(what, 0)), range(wanted["plain"].get(what, 0)))
        verdict.compare(f"{name} processes", range(len(order["instances"])), range(1))
        is_open = any(row["status"] != INSTANCE_COMPLETED or row["timers"] for row in order["instances"])
        if is_open or order["status"] != wanted["plain"]["status"]:
            verdict.stuck.append(f"{name}: status {order['status']}, process {order['instances']}")
        differs = {what: order[what] for what, value in wanted["plain"].items() if order[what] != value}
        if differs:
            verdict.other.append(f"{name}: {differs}")
    if tables["parked"]:
        verdict.other.append(f"{tables['parked']} outbox messages are parked")


def check_calls(verdict: Verdict, line: Line, token: str, orders: Sequence[Mapping[str, Any]], kind: Kind) -> None:
    """Ask the API for the same: status, history and timeline of each order, as one who reads them all sees them."""
    for order in orders:
        detail = line.call("GET", f"yuzhu-equip/{kind.noun}/detail?id={order['id']}", token).data
        timeline = line.call(
            "GET", f"blade-flow/process/history-flow-list?processInstanceId={detail['processInstanceId']}", token
        ).data
        name = f"{order['number']} over the API"
        if detail["status"] != order["status"] or detail["openTask"]:
            verdict.stuck.append(f"{name}: {detail['statusName']}, {detail['openTask']}")
        acts = [act.removeprefix(f"{kind.noun}.") for act, *_rest in order["acts"]]
        verdict.compare(f"{name}: history", [row["action"] for row in detail["logs"]], acts)
        found = [row["historyActivityId"] for row in timeline if row["historyActivityType"] == "userTask"]
        verdict.compare(
            f"{name}: timeline", found, [node for node, _round, state, *_rest in order["steps"] if state == "done"]
        )


def main() -> int:
    """Run the proof; answers the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--of", choices=tuple(OF), default="repair", help="what the orders are of")
    parser.add_argument("--orders", type=int, default=None, help="2000; 500 of maintenance")
    parser.add_argument("--kills", type=int, default=None, help="200; 50 of maintenance")
    parser.add_argument("--seed", type=int, default=None, help="of kill moments and cut lines; drawn when left out")
    asked = parser.parse_args()
    seed = secrets.randbelow(10**6) if asked.seed is None else asked.seed
    kind = OF[asked.of]
    orders, kills = asked.orders or (2000 if kind is REPAIR else 500), asked.kills or (200 if kind is REPAIR else 50)
    print(f"kill test of {asked.of}: {asked.database}, {orders} orders, {kills} kills, seed {seed}", flush=True)
    with running(asked.database) as server:
        if kind is MAINTENANCE:
            server.known = {**server.known, "upkeep": server.ask("upkeep_plant", str(CLIENTS))}
        code = _prove(server, asked.database, orders, kills, seed, kind)
        if code:
            raise SystemExit(code)  # from inside, so that the logs stay
    return 0


def _prove(server: Server, database: str, orders: int, kills: int, seed: int, kind: Kind) -> int:
    draw = random.Random(seed)
    first = Line(server.port)
    tokens = {person: first.sign_in(person, server.known["password"]) for person in PEOPLE}
    numbers: Queue[int] = Queue()
    for number in range(orders):
        numbers.put(number)
    progress, trouble = Progress(), Trouble()
    lines = [Line(server.port, random.Random(draw.random()), CUT_SHARE) for _ in range(CLIENTS)]
    clients = [
        Client(line, tokens, server.known, numbers, progress, trouble, kind, place) for place, line in enumerate(lines)
    ]
    leaves = orders // LEAVE_EVERY
    steps = sum(len(kind.expected(server.known, number)["acts"]) for number in range(orders) if not is_leave(number))
    steps += sum(len(expected_leave(server.known, number)["acts"]) for number in range(leaves))
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
    tables = server.ask("read", kind.noun)
    check_tables(verdict, tables, server.known, orders, kind)
    check_leaves(verdict, tables["leaves"], server.known, leaves)
    verdict.other += server.ask("whole")
    asked = time.monotonic()
    token = first.sign_in(kind.reader, server.known["password"])  # the first one may have run out
    some = random.Random(seed).sample(tables["orders"], min(ASKED, len(tables["orders"])))
    check_calls(verdict, first, token, some, kind)
    if progress.begun != steps:
        verdict.other.append(f"{progress.begun} acts of {steps} were begun")
    if killer.killed.total() < kills:
        verdict.other.append(f"only {killer.killed.total()} of {kills} kills hit")
    rows = {
        "database": database,
        "seed": seed,
        "orders": f"{orders - leaves}, and {leaves} requests for leave",
        "acts": f"{progress.begun} of {steps}",
        "kills": f"{killer.killed.total()} ({', '.join(f'{name} {killer.killed[name]}' for name in KINDS)})",
        "retries": f"{sum(line.tally.retries for line in lines)}, "
        f"{sum(line.tally.cuts for line in lines)} of them after a cut line",
        "seconds": f"{ended - began:.1f} of work, {quiet:.1f} from the last kill until all was quiet, "
        f"{asked - after - quiet:.1f} to look at the tables, {time.monotonic() - asked:.1f} to ask the API",
        "lost": len(verdict.lost),
        "doubled": len(verdict.doubled),
        "stuck": len(verdict.stuck),
        "other faults": len(verdict.other),
    }
    return print_table(f"Kill test ({kind.noun})", rows, verdict.all())


if __name__ == "__main__":
    sys.exit(main())
