"""Maintenance orders of the large demo plant: what was done in the last two months, what is late, and what comes next.

Each is made, done and verified by the commands that people use, with the clock set to the past. Plan rows end where
`demo_upkeep.py` lets them begin: the last work lies a cycle before the next due date.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

from django.utils import timezone

from core.cases import commands
from core.inspection import due
from core.inspection.models import MaintenancePlan, ValueType
from core.inspection.upkeep import DATES
from core.kernel import clock
from core.kernel.actor import Actor, acting
from core.preventive.case import MAINTAIN
from core.preventive.models import MaintainOrder
from core.preventive.orders import open_order
from core.project.demo_data import Step
from core.project.demo_pictures import draw
from core.project.demo_upkeep import STANDARDS
from core.storage import files

_MECHANICS, _ELECTRICIANS = ("jiang.p", "shen.k"), ("han.d", "yang.s")
_MANAGER = "qian.w"
_DONE: Mapping[str, int] = {
    "BY-CNC1": 1, "BY-ZZRH": 2, "BY-LC": 4, "BY-CC": 1, "BY-GL": 2, "BY-QZJ": 2, "BY-XF": 2, "BY-GZJ": 1,
}  # fmt: skip
"""By standard how many cycles of each of its assets are behind."""
_LATE: Mapping[tuple[str, str], int] = {
    ("BY-CNC1", "JJ-HMC-001"): -2, ("BY-QZJ", "ZP-JC-001"): -4, ("BY-CC", "ZZ-DC-001"): -6, ("BY-GZJ", "DL-RD-001"): -9,
}  # fmt: skip
_TO_DO: Mapping[tuple[str, str], int] = {
    ("BY-CNC1", "JJ-CNC-001"): 1, ("BY-LC", "ZZ-IF-001"): 1, ("BY-ZZRH", "JJ-CNC-001"): 2,
    ("BY-CNC1", "JJ-VMC-001"): 2, ("BY-QZJ", "ZZ-BC-001"): 3,
}  # fmt: skip
_DOING: Mapping[tuple[str, str], int] = {("BY-ZZRH", "JJ-CNC-002"): 0, ("BY-XF", "DL-HV-001"): 0}
_TO_CHECK: Mapping[tuple[str, str], int] = {("BY-CNC1", "JJ-CNC-002"): 0}
_MOVED = {**_LATE, **_DOING, **_TO_CHECK}
"""Rows that are due on another day than the standard's own list says, counted from the installation."""
_FOUND = ("BY-CNC1", "JJ-TC-001")
"""Where something was not right, and put right at once."""


def move_plans(now: datetime) -> None:
    """Let the rows of which the story tells be due on the day of their order."""
    day = _day(now)
    for (code, machine), days in _MOVED.items():
        plan = _plan(code, machine)
        plan.first_due_date = day + timedelta(days=days)
        plan.follow(plan.basis)
        MaintenancePlan.objects.filter(pk=plan.pk).update(**{name: getattr(plan, name) for name in DATES})


def story(now: datetime) -> dict[str, tuple[Step, ...]]:
    """Return what happens to each order, by standard, asset and due date."""
    return {f"{code}|{machine}|{at}": tuple(steps) for code, machine, at, steps in _orders(now)}


def _orders(now: datetime) -> Iterator[tuple[str, str, date, list[Step]]]:
    day = _day(now)
    place = 0
    for standard in STANDARDS:
        value, unit = standard.cycle.get("cycleValue"), standard.cycle.get("cycleUnit")
        if standard.code not in _DONE or value is None or unit is None:
            continue
        team = _ELECTRICIANS if standard.team == "电修班" else _MECHANICS
        for machine, usual in standard.due.items():
            key = (standard.code, machine)
            first = day + timedelta(days=_MOVED.get(key, usual))
            for back in range(_DONE[standard.code], 0, -1):
                at = due.step(first, value, unit, -back)
                place += 1
                yield *key, at, _whole(at, team[place % 2], standard.minutes, now)
            if key in _LATE or key in _TO_DO:
                yield *key, first, [_opened(first, now)]
            elif key in _DOING:
                yield *key, first, [_opened(first, now), Step(40 + 15 * place % 50, team[place % 2], "start")]
            elif key in _TO_CHECK:
                yield *key, first, _recent(first, team[place % 2], standard.minutes, now)


def _opened(at: date, now: datetime) -> Step:
    """Made in the night of the third day before it is due."""
    return Step(_ago(_moment(at - timedelta(days=3), 0, 30), now), _MANAGER, "open", {"due": at})


def _whole(at: date, who: str, minutes: int, now: datetime) -> list[Step]:
    begin = _moment(at, 8, 40)
    end = begin + timedelta(minutes=minutes)
    return [
        _opened(at, now),
        Step(_ago(begin, now), who, "start"),
        Step(_ago(end, now), who, "submit", {"begin": begin, "end": end}),
        Step(_ago(end + timedelta(hours=2), now), _MANAGER, "check"),
    ]


def _recent(at: date, who: str, minutes: int, now: datetime) -> list[Step]:
    """Submitted an hour before the installation, and not verified yet."""
    end = now - timedelta(minutes=60)
    begin = end - timedelta(minutes=minutes)
    return [
        _opened(at, now),
        Step(60 + minutes, who, "start"),
        Step(60, who, "submit", {"begin": begin, "end": end}),
    ]


def do(actor: Actor, step: Step, name: str, order_id: int | None, now: datetime) -> int:
    """One step of the story, through the command that people use; answers the order's id."""
    code, machine, _at = name.split("|")
    if step.action == "open":
        made = open_order(_plan(code, machine), due_date=step.carries["due"], due_hours=None, now=clock.now())
        if made is None:
            raise RuntimeError(f"the story of {name} begins while another order is open")
        return int(made.pk)
    if order_id is None:
        raise RuntimeError(f"the story of {name} does not begin with its order")
    order = MaintainOrder.objects.select_related("version", "machine").get(pk=order_id)
    if step.action == "check" and not order.need_check:
        return order_id
    with acting(actor):
        carries = _carried(actor, step, order, is_found=(code, machine) == _FOUND)
    commands.by_record(MAINTAIN, actor, order_id, order.lock_version, step.action, carries)
    return order_id


def _carried(actor: Actor, step: Step, order: MaintainOrder, *, is_found: bool) -> dict[str, Any]:
    if step.action == "start":
        return {"safetyConfirmed": 1}
    if step.action == "check":
        return {"checkResult": 1, "checkRemark": "现场已确认"}
    begin, end = step.carries["begin"], step.carries["end"]
    items = order.items()
    span = {"startTime": begin, "endTime": end}
    return {
        "startTime": begin, "finishTime": end,
        "details": [_result(row.pk, items[row.item_id], is_found=is_found) for row in order.details.all()],
        "lines": [{"userId": str(actor.user_id), **span}],
        "signImage": [_picture("signature")] if order.need_sign else [],
        "summary": "已按标准完成",
        **({"stopEnd": min(end, clock.now())} if order.standing else {}),
    }  # fmt: skip


def _result(row_id: int, item: Mapping[str, Any], *, is_found: bool) -> dict[str, Any]:
    """Return what came of an item: all well, but for one that was worn."""
    found: dict[str, Any] = {"id": str(row_id), "result": 1}
    match item["valueType"]:
        case ValueType.NUMBER:
            found["value"] = _number(item)
        case ValueType.PASS_FAIL:
            is_worn = is_found and item["itemName"] == "导轨刮屑板"
            found |= {"value": "0", "handling": "刮屑板破损，已更换"} if is_worn else {"value": "1"}
        case ValueType.PHOTO:
            found["images"] = [_picture("lining")]
        case ValueType.TEXT:
            found["value"] = "已完成"
    return found


def _number(item: Mapping[str, Any]) -> str:
    """Return a number that is well within the limits."""
    low, high = (float(item[name]) if item[name] is not None else None for name in ("warnLower", "warnUpper"))
    if low is not None and high is not None:
        value = (low + high) / 2
    elif low is not None:
        value = low * 1.2
    else:
        value = (high or 1.0) * 0.6
    return f"{value:.{item['decimals']}f}"


def _picture(name: str) -> str:
    return files.signed_link(files.store_image(*draw(name)).name)


def _plan(code: str, machine: str) -> MaintenancePlan:
    rows = MaintenancePlan.objects.select_related("config", "machine")
    found: MaintenancePlan = rows.get(config__config_code=code, machine__machine_code=machine)
    return found


def _day(now: datetime) -> date:
    return now.astimezone(timezone.get_default_timezone()).date()


def _moment(day: date, hour: int, minute: int) -> datetime:
    return timezone.make_aware(datetime.combine(day, time(hour, minute)))


def _ago(moment: datetime, now: datetime) -> int:
    """Return how many minutes before the installation a moment lies."""
    return max(int((now - moment).total_seconds() // 60), 1)
