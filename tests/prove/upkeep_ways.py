"""Ways of maintenance orders for the kill test: who does what, and what the tables must hold of each order then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from tests.prove.wire import Answer, Line

NOUN = "yuzhu-equip/maintainorder"
UPDATE, SUBMIT, COMPLETE = f"{NOUN}/update", f"{NOUN}/maintainSubmit", "blade-flow/work/complete-task"
FLOWS = (
    "start submit pass",
    "plain start submit",
    "start submit fail submit pass",
    "stop start submit pass",
    "delay start delay submit pass",
    "bad start submit fail submit pass",
    "cancel",
    "stop start cancel",
    "plain bad stop start submit",
    "start submit fail delay submit fail submit pass",
    "stop start submit fail cancel",
)
"""Ways through the model, taken by the orders in turn. First what an order is: `plain` needs no verification, at `stop`
the asset stands, of a `bad` one an item is abnormal; then what is done."""
_KINDS = ("plain", "stop", "bad")
_BECOMES = {"start": 2, "submit": 3, "pass": 4, "fail": 2, "cancel": 5}
_EFFECTS = {"start": "started", "submit": "submitted", "pass": "passed", "fail": "failed", "cancel": "cancelled"}
_NODES = {"start": "begin", "submit": "do", "pass": "check", "fail": "check"}
_LEADS_TO = {"start": "do", "submit": "check", "fail": "do"}
_BY = {"start": "repairer", "submit": "repairer", "pass": "shift_leader"}
"""Whoever else does something is the equipment manager."""
_TOLD = {
    "submit": (("equip_manager", "保养完成，请验收"), ("shift_leader", "保养完成，请验收")),
    "pass": (("repairer", "保养验收通过"),),
    "fail": (("repairer", "保养验收不通过，请返修"),),
    "cancel": (("repairer", "保养单已取消"),),
}
ZONE = ZoneInfo("Asia/Shanghai")


def _words(number: int) -> tuple[set[str], list[str]]:
    """What an order is, and what is done with it."""
    words = FLOWS[number % len(FLOWS)].split()
    return {word for word in words if word in _KINDS}, [word for word in words if word not in _KINDS]


def expected(known: Mapping[str, Any], number: int) -> dict[str, Any]:
    """What the tables must hold of one order, each entry exactly once and in this order."""
    name = {account: person["name"] for account, person in known["people"].items()}
    kinds, words = _words(number)
    acts: list[list[Any]] = [["maintainorder.save", None, 1, ["maintainorder.created"]]]
    steps: list[list[Any]] = []
    told, rounds = [["repairer", "新的保养单"]], Counter[str]()
    status, node, submitted = 1, "begin", 0
    for word in words:
        if word == "delay":
            acts.append(["maintainorder.delay", None, None, []])
            continue
        is_end = word == "submit" and "plain" in kinds
        becomes = 4 if is_end else _BECOMES[word]
        effects = ["submitted", "completed"] if is_end else [_EFFECTS[word]]
        action = "check" if word in ("pass", "fail") else word
        acts.append([f"maintainorder.{action}", status, becomes, [f"maintainorder.{one}" for one in effects]])
        rounds[node] += 1
        person = _BY.get(word, "equip_manager")
        closing = ["dropped", "", ""] if word == "cancel" else ["done", word, name[person]]
        steps.append([node, rounds[node], *closing])
        told += [[whom, title] for whom, title in _TOLD.get(word, ()) if not is_end and whom != person]
        status, node, submitted = becomes, _LEADS_TO.get(word, ""), submitted + (word == "submit")
    plain = {
        "status": status, "version": len(acts), "reworks": words.count("fail"), "lines": int(submitted > 0),
        "stops": int("stop" in kinds and "start" in words), "openStops": 0, "readings": int(submitted > 0),
        "delays": words.count("delay"), "found": int("bad" in kinds and submitted > 0),
    }  # fmt: skip
    return {"acts": acts, "steps": steps, "told": told, "plain": plain}


@dataclass
class Way:
    """One order on its way."""

    line: Line
    tokens: Mapping[str, str]
    known: Mapping[str, Any]
    act: Callable[[str, str, Mapping[str, Any] | None], Answer]
    """Does a step as a person, with a key of its own."""
    place: int
    """Of the client that takes it: of a standard and an asset one order at a time is open."""
    times: Mapping[str, str] = field(default_factory=dict)

    def take(self, number: int) -> None:
        """Take an order from its making to its end, through both doors in turn."""
        kinds, words = _words(number)
        machines = self.known["machines"]
        config = self.known["upkeep"]["plain" if "plain" in kinds else "checked"][self.place]
        repairer, day = self.known["people"]["repairer"]["id"], datetime.now(ZONE) + timedelta(days=20)
        made = {
            "configId": config, "machineId": machines[number % len(machines)], "dueDate": f"{day:%Y-%m-%d}",
            "userIds": repairer, "needStop": int("stop" in kinds), "remark": f"保养 {number}",
        }  # fmt: skip
        order = self.act("equip_manager", f"{NOUN}/save", made).data
        version, delays = order["lockVersion"], 0
        for place, word in enumerate(words):
            delays += word == "delay"
            person = _BY.get(word, "equip_manager")
            fields = self._fields(word, order["id"], kinds, day + timedelta(days=delays))
            if word in ("delay", "cancel") or (number // len(FLOWS) + place) % 2:
                action = "check" if word in ("pass", "fail") else word
                path = SUBMIT if word == "submit" else UPDATE
                body = {"id": order["id"], "lockVersion": version, "action": action, **fields}
                if word == "submit":
                    del body["action"]
                answer = self.act(person, path, body)
            else:
                task = self._detail(order["id"], person)["openTask"]
                assert task and task["node"] == _NODES[word], f"{_NODES[word]} does not wait, but {task}"
                answer = self.act(person, COMPLETE, {"taskId": task["taskId"], "outcome": word, "variables": fields})
            assert answer.data["lockVersion"] == version + 1, f"version {version} became {answer.data['lockVersion']}"
            version += 1

    def _fields(self, word: str, order_id: str, kinds: set[str], day: datetime) -> dict[str, Any]:
        """What an action carries, the same through both doors."""
        if word == "submit":
            return self._work(order_id, is_bad="bad" in kinds)
        return {
            "start": {"safetyConfirmed": 1},
            "pass": {"checkResult": 1},
            "fail": {"checkResult": 2, "checkRemark": "未拧紧"},
            "delay": {"dueDate": f"{day:%Y-%m-%d}", "reason": "等停机"},
            "cancel": {"cancelReason": "设备停用"},
        }[word]

    def _work(self, order_id: str, *, is_bad: bool) -> dict[str, Any]:
        """The whole of the work. Done again it is said to have taken the same time."""
        detail = self._detail(order_id, "repairer")
        now = datetime.now(ZONE)
        if not self.times:
            self.times = {
                "startTime": f"{now - timedelta(hours=1):%Y-%m-%d %H:%M:%S.%f}",
                "finishTime": f"{now - timedelta(milliseconds=1):%Y-%m-%d %H:%M:%S.%f}",
            }
        tight, temperature, oil = (row["id"] for row in detail["details"])
        value = {"value": "80.0", "handling": "已报修"} if is_bad else {"value": "55.0"}
        line = {"startTime": self.times["startTime"], "endTime": self.times["finishTime"]}
        stop = {"stopEnd": f"{now:%Y-%m-%d %H:%M:%S.%f}"} if detail["standing"] else {}
        return {
            **self.times, **stop, "readHours": 10,
            "details": [
                {"id": tight, "value": "1"}, {"id": temperature, **value}, {"id": oil, "value": "已换", "result": 1},
            ],
            "lines": [{"userId": self.known["people"]["repairer"]["id"], **line}],
        }  # fmt: skip

    def _detail(self, order_id: str, person: str) -> dict[str, Any]:
        detail: dict[str, Any] = self.line.call("GET", f"{NOUN}/detail?id={order_id}", self.tokens[person]).data
        return detail
