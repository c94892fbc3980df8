"""Faults that inspections of the demo plants have found: each was reported by itself, repaired, and verified.

A person walks the task on which it is found, and the repair goes its way by the commands that people use. Most are
over; one waits for a part, one is in repair, and one waits to be verified.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from django.utils import timezone

from core.inspection.models import AbnormalAction, ValueType
from core.project.demo_data import Step
from core.project.demo_past import Choose, beyond
from core.rounds.judging import BAD
from core.rounds.models import DetailStatus, InspectOrder, InspectOrderDetail

_LEADER = "wei.b"
_FIRST_HOUR = 7
"""The walk that finds it begins in daylight, so that what follows falls into working hours."""


@dataclass(frozen=True)
class Fault:
    """What is found: so many days before the installation at an asset's item, who repairs it, and what it was."""

    days: int
    machine: str
    item: str
    mate: str
    cause: str
    done: str
    did: str
    end: str = "check"
    """check: repaired and verified; hang: waits for a part; false: nothing was wrong; work, done: today's."""


FAULTS: Sequence[Fault] = (
    Fault(84, "JJ-CNC-002", "主轴前轴承温度", "jiang.p", "润滑不良", "润滑", "主轴前轴承缺脂，清洗后加注高速润滑脂。"),
    Fault(76, "ZZ-IF-001", "冷却水出口温度", "han.d", "堵塞", "清洗疏通", "板式换热器结垢，酸洗后水温恢复。"),
    Fault(69, "DL-AC-001", "排气温度", "yang.s", "堵塞", "清洗疏通", "油冷却器翅片积灰，高压气吹扫。"),
    Fault(61, "JJ-VMC-001", "主轴冷却油温", "shen.k", "参数漂移", "参数校正", "油冷机温差设定偏高，重新设定。"),
    Fault(54, "DL-BL-001", "安全阀与水位计", "yang.s", "密封老化", "更换密封", "水位计考克渗漏，更换密封圈。"),
    Fault(47, "JJ-TC-001", "主轴前轴承温度", "jiang.p", "磨损", "更换零件", "主轴皮带过紧磨损，更换并重新张紧。"),
    Fault(39, "ZZ-IF-002", "冷却水流量", "han.d", "堵塞", "清洗疏通", "进水滤网堵塞，清洗滤网。"),
    Fault(33, "TZ-CO-001", "可燃气体报警器", "yang.s", "电气元件损坏", "更换零件", "探头失效，更换并标定。"),
    Fault(26, "DL-TR-001", "绕组温度", "han.d", "堵塞", "清洗疏通", "风冷滤网积尘，清洗后温度回落。"),
    Fault(20, "JJ-CNC-003", "主轴前轴承温度", "shen.k", "润滑不良", "润滑", "润滑泵定量阀堵塞，疏通后补脂。"),
    Fault(14, "DL-BL-001", "燃气泄漏检测", "yang.s", "", "", "检漏仪受酒精擦拭影响误报，复测无泄漏。", "false"),
    Fault(8, "ZZ-IF-001", "炉衬漏炉报警", "han.d", "线路接触不良", "修复线路", "报警探针引线松动，紧固后试验正常。"),
    Fault(6, "JJ-HMC-001", "主轴冷却油温", "jiang.p", "堵塞", "清洗疏通", "油冷机冷凝器积尘，清洗后油温正常。"),
    Fault(4, "TZ-SB-001", "可燃气体报警器", "yang.s", "参数漂移", "参数校正", "零点漂移，重新标定。"),
    Fault(3, "JJ-CNC-001", "主轴前轴承温度", "shen.k", "", "", "前轴承需更换，角接触轴承7014缺货。", "hang"),
)  # fmt: skip
_TODAY: Sequence[tuple[int, int, Fault]] = (
    (150, 420, Fault(0, "", "", "yang.s", "", "", "", "work")),
    (450, 1150, Fault(0, "", "", "jiang.p", "磨损", "更换零件", "检查并更换磨损件，试运行温度正常。", "done")),
)
"""Faults of the last hours, between so many minutes ago, wherever somebody was; no time limit is over yet."""
_URGENT = 2


@dataclass
class Walks:
    """The tasks that are left for somebody to walk, each with the fault that is found on it."""

    today: date
    codes: Mapping[int, str]
    """By asset its code."""
    left: list[tuple[InspectOrder, InspectOrderDetail, str, Fault]] = field(default_factory=list)
    to_come: list[tuple[int, int, Fault]] = field(default_factory=lambda: list(_TODAY))

    def days(self, first: date, last: date) -> list[date]:
        """Return the days in a span on which something is found, the first one first."""
        found = {self.today - timedelta(days=fault.days) for fault in FAULTS}
        return sorted(day for day in found if first < day <= last)

    def chooser(self) -> Choose:
        """Return what says of a task whether it is left, because something is found on it."""
        wanted = {(self.today - timedelta(days=fault.days), fault.machine): fault for fault in FAULTS}

        def choose(order: InspectOrder, details: Sequence[InspectOrderDetail]) -> bool:
            if timezone.localtime(order.plan_start).hour < _FIRST_HOUR:
                return False
            for detail in details:
                key = (order.business_date, self.codes[detail.machine_id])
                fault = wanted.get(key)
                item_id = _item_of(detail, fault.item) if fault is not None else None
                if fault is not None and item_id is not None and detail.status == DetailStatus.TODO:
                    del wanted[key]
                    self.left.append((order, detail, item_id, fault))
                    return True
            return False

        return choose

    def of_today(
        self, points: Sequence[tuple[datetime, InspectOrderDetail]], now: datetime
    ) -> dict[int, tuple[str, Fault]]:
        """Choose from the points that are walked in the last hours those where something is found, by their ids."""
        found: dict[int, tuple[str, Fault]] = {}
        taken: set[int] = set()
        for least, most, fault in list(self.to_come):
            for moment, detail in sorted(points, key=lambda one: one[0], reverse=True):
                item_id = _urgent_item(detail)
                ago = (now - moment) / timedelta(minutes=1)
                if item_id is not None and least <= ago <= most and detail.machine_id not in taken:
                    found[detail.pk] = (item_id, fault)
                    taken.add(detail.machine_id)
                    self.to_come.remove((least, most, fault))
                    break
        return found


def _item_of(detail: InspectOrderDetail, name: str) -> str | None:
    return next((str(one["itemId"]) for one in detail.snapshot.items if one["itemName"] == name), None)


def _urgent_item(detail: InspectOrderDetail) -> str | None:
    """Return an item that is reported by itself, and not as critical: that would be late within minutes."""
    return next(
        (
            str(one["itemId"])
            for one in detail.snapshot.items
            if one["abnormalAction"] == AbnormalAction.REPORT
            and one["repairUrgency"] >= _URGENT
            and one["valueType"] == ValueType.NUMBER
        ),
        None,
    )


def shown(item: Mapping[str, Any]) -> str:
    """Return what a faulty item shows."""
    return beyond(item) if item["valueType"] == ValueType.NUMBER else BAD


def steps(fault: Fault, finder: str, ago: int) -> Iterator[Step]:
    """Yield what follows a report that was made so many minutes before the installation by the finder's account."""
    if fault.end == "false":
        yield Step(ago - 9, finder, "cancel", {"cancelReason": 1, "remark": fault.did})
        return
    yield Step(ago - 4, _LEADER, "dispatch", {"repairer": fault.mate})
    yield Step(ago - 10, fault.mate, "accept")
    begin, over = ago - 11, ago - 95
    if fault.end == "work":
        return
    if fault.end == "hang":
        yield Step(over, fault.mate, "hang", {"hangReason": 1, "remark": fault.did})
        return
    yield Step(over, fault.mate, "line", {"type": 2, "from": begin, "to": over, "content": fault.did})
    finish = {
        "solution": fault.did, "cause": fault.cause, "done": (fault.done,), "afterPictures": ("bearing-after",),
    }  # fmt: skip
    yield Step(over - 1, fault.mate, "finish", finish)
    if fault.end == "check":
        yield Step(over - 120, finder, "check", {"checkResult": 1, "checkScore": 5, "checkRemark": "复检正常"})
