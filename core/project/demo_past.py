"""What people have found on the inspection tasks of the past weeks of a demo plant, in rows.

Nobody could play three months of it in seconds. The rows are as commands would have left them, but that results of more
than 30 days ago are numbers alone: what trends are drawn of.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import groupby
from math import sin, tau
from random import Random
from typing import Any

from django.utils import timezone

from core.equipment.models import MeterReading
from core.inspection.models import AbnormalAction, ValueType
from core.kernel import clock
from core.project.demo_machines import COUNTERS
from core.project.demo_pictures import dial
from core.rounds import exemptions, generation
from core.rounds.judging import judge, limits_of, words_of
from core.rounds.models import (
    DetailStatus,
    Finding,
    InspectOrder,
    InspectOrderDetail,
    InspectOrderRecord,
    OrderStatus,
)
from core.shifts.models import Plan
from core.storage import files
from core.system.numbers import next_numbers

FULL = timedelta(days=30)
"""Of how long ago all results are told."""
DRIFTS = {"排烟温度": (150.0, 0.34, 1.2), "密封水流量": (4.2, -0.035, 0.15)}
"""By item its level three days ago, what it gains a day, and the noise of its readings."""
_DRIFT_FROM, _DRIFT_DAYS = timedelta(days=3), 45
_ABNORMAL, _WARNING = 0.02, 0.044
_MISSED, _LATE, _SKIPPED = 0.021, 0.03, 0.004
_HOUR = timedelta(hours=1)
_SKIPS = ("设备正在检修，通道封闭", "设备上方吊装作业，禁止靠近", "钥匙未在岗，无法开柜")


@dataclass
class Values:
    """What shows at the items of points: the same for each installation at the same moments."""

    now: datetime
    dice: Random = field(default_factory=lambda: Random(7))  # noqa: S311  # the same demo each time
    pictures: dict[str, str] = field(default_factory=dict)
    meters: dict[int, list[tuple[datetime, Decimal, float]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read the counters of the assets as people have read them."""
        rows = MeterReading.objects.filter(machine__machine_code__in=COUNTERS).order_by("machine", "read_time", "pk")
        for code, machine_id, time, value in rows.values_list(
            "machine__machine_code", "machine_id", "read_time", "value"
        ):
            self.meters.setdefault(machine_id, []).append((time, value, float(COUNTERS[code].a_day)))

    def of(self, item: Mapping[str, Any], machine_id: int, moment: datetime) -> tuple[str, int | None, str]:
        """Return value, result as said by the person, and remark of an item."""
        match item["valueType"]:
            case ValueType.NUMBER:
                return self._number(item, machine_id, moment), None, ""
            case ValueType.PASS_FAIL:
                is_bad = self._may_fail(item) and self.dice.random() < _ABNORMAL
                return ("0", None, "已通知维修") if is_bad else ("1", None, "")
            case ValueType.CHOICE:
                return self._choice(item), None, ""
            case ValueType.METER:
                shown = self._meter(machine_id, moment)
                return (shown, None, "") if shown else ("", Finding.NOT_APPLICABLE.value, "表已拆下校验")
        return "", None, ""

    @staticmethod
    def _may_fail(item: Mapping[str, Any]) -> bool:
        """What is reported by itself has an order: where it is found, somebody walks the task, see `demo_found.py`."""
        return bool(item["abnormalAction"] != AbnormalAction.REPORT and item["itemName"] not in DRIFTS)

    def _choice(self, item: Mapping[str, Any]) -> str:
        found, chance = {int(one["result"]): str(one["value"]) for one in item["options"]}, self.dice.random()
        if chance < _ABNORMAL and self._may_fail(item):
            return found.get(Finding.ABNORMAL, found[Finding.NORMAL])
        return found.get(Finding.WARNING if chance < _ABNORMAL + _WARNING else Finding.NORMAL, found[Finding.NORMAL])

    def _number(self, item: Mapping[str, Any], machine_id: int, moment: datetime) -> str:
        """Return a number in the middle of what is normal, that goes up and down by the week; now and then beyond."""
        if item["itemName"] in DRIFTS:
            level, gain, noise = DRIFTS[item["itemName"]]
            days = (moment - (self.now - _DRIFT_FROM)) / timedelta(days=1)
            return f"{level + gain * max(days, -_DRIFT_DAYS) + self.dice.gauss(0, noise):.{item['decimals']}f}"
        lower, warn_lower, warn_upper, upper = (float(one) if one is not None else None for one in limits_of(item))
        high = warn_upper if warn_upper is not None else (warn_lower or 10.0) * 2
        low = warn_lower if warn_lower is not None else high * 0.6
        chance = self.dice.random()
        if chance < _ABNORMAL and self._may_fail(item):
            return beyond(item)
        if chance < _ABNORMAL + _WARNING:
            if warn_upper is not None and upper is not None:
                return _rounded(item, warn_upper + (upper - warn_upper) * 0.6)
            if warn_lower is not None and lower is not None:
                return _rounded(item, warn_lower - (warn_lower - lower) * 0.6)
        wave = sin(tau * (moment.timestamp() / 604_800 + machine_id % 97 / 97))
        return _rounded(item, low + (high - low) * min(max(0.45 + 0.15 * wave + self.dice.gauss(0, 0.06), 0.1), 0.9))

    def _meter(self, machine_id: int, moment: datetime) -> str:
        """Return what the counter shows: between two readings what lies between them."""
        readings = self.meters.get(machine_id, [])
        place = bisect_right(readings, moment, key=lambda one: one[0])
        if not place:
            return ""
        time, value, a_day = readings[place - 1]
        found = value + Decimal(f"{(moment - time) / timedelta(days=1) * a_day:.1f}")
        if place < len(readings) and readings[place][1] >= value:
            found = min(found, readings[place][1])
        return f"{found:.1f}"

    def picture(self, name: str) -> str:
        """Return the name of a stored picture; what is called so is drawn once."""
        if name not in self.pictures:
            self.pictures[name] = files.store_image(*dial(len(self.pictures))).name
        return self.pictures[name]


def beyond(item: Mapping[str, Any]) -> str:
    """Return a number a little outside the limits of an item, above them where it may."""
    lower, warn_lower, warn_upper, upper = (float(one) if one is not None else None for one in limits_of(item))
    high = warn_upper if warn_upper is not None else (warn_lower or 10.0) * 2
    if upper is not None:
        low = warn_lower if warn_lower is not None else high * 0.6
        return _rounded(item, upper + (upper - low) * 0.04, outward=True)
    assert lower is not None
    return _rounded(item, lower - (high - lower) * 0.04)


def _rounded(item: Mapping[str, Any], number: float, outward: bool = False) -> str:
    """Return a number as the item shows it; on the way out not back onto the limit."""
    places = item["decimals"]
    return f"{number + (0.5 * 10**-places if outward else 0):.{places}f}"


Choose = Callable[[InspectOrder, Sequence[InspectOrderDetail]], bool]


def tell(plan: Plan, first: date, last: date, values: Values, leave: Choose = lambda _order, _details: False) -> None:
    """Make the tasks of a plan from a day to another one that has passed, and store what people have found on them.

    Tasks that are to be left are those that somebody is to walk.
    """
    rules = generation.rules_of(plan)
    found = generation.planned(plan, rules, first, last)
    sheets = generation.Sheets.of({rule.group_id for rule in rules})
    orders: list[InspectOrder] = []
    candidates, details = [], []
    for day, several in groupby([one for one in found if one.is_made], key=lambda one: one.slot.day):
        planned = list(several)
        # The job has made them in the night before.
        made_at = timezone.make_aware(datetime.combine(day, datetime.min.time())) + timedelta(minutes=10)
        with clock.at(made_at):
            numbers = next_numbers(generation.NUMBERS, len(planned))
            pairs = [generation.order_of(one, number, plan) for one, number in zip(planned, numbers, strict=True)]
            more = generation.laid_out(pairs, sheets)
        orders += [order for order, _people in pairs]
        candidates += more[0]
        details += more[1]
    exemptions.at_making(details)
    people: dict[int, list[int]] = {}
    for one in candidates:
        people.setdefault(one.order_id, []).append(one.user_id)
    records = []
    for order, points in zip(orders, _of_orders(details), strict=True):
        if leave(order, points):
            continue
        records += _walked(order, points, people[order.pk], values)
    generation.store_rows(orders, candidates, details, records)


def _of_orders(details: Sequence[InspectOrderDetail]) -> list[list[InspectOrderDetail]]:
    return [list(several) for _order, several in groupby(details, key=lambda one: one.order_id)]


def _walked(
    order: InspectOrder, details: Sequence[InspectOrderDetail], people: Sequence[int], values: Values
) -> list[InspectOrderRecord]:
    """Let somebody walk a task, or miss it; return what was found."""
    dice = values.dice
    if order.status == OrderStatus.EXEMPT:
        return []
    left = [one for one in details if one.status == DetailStatus.TODO]
    if dice.random() < _MISSED:
        order.status, order.point_missed = OrderStatus.MISSED, len(left)
        order.miss_time = order.deadline + timedelta(minutes=dice.randrange(1, 6))
        for detail in left:
            detail.status = DetailStatus.MISSED
        return []
    minutes = int((order.plan_end - order.plan_start).total_seconds()) // 60
    length = sum(range(2, 2 + len(left))) // max(len(left), 1) + 3 * len(left)
    begin = order.plan_start + timedelta(minutes=dice.randrange(2, max(3, min(minutes - length, 90))))
    if dice.random() < _LATE:
        begin = order.plan_end - timedelta(minutes=3)
    order.status, order.executor_id, order.start_time = OrderStatus.DONE, people[dice.randrange(len(people))], begin
    moment, records = begin, []
    is_full = order.plan_start >= values.now - FULL
    for detail in left:
        moment = min(moment + timedelta(minutes=dice.randrange(1, 4)), order.deadline)
        detail.user_id, detail.client_time, detail.submit_time = order.executor_id, moment, moment
        if dice.random() < _SKIPPED and detail is not left[0]:
            detail.status, detail.skip_reason = DetailStatus.SKIPPED, _SKIPS[dice.randrange(len(_SKIPS))]
            order.point_skipped += 1
            continue
        found = _results(order, detail, moment, values)
        detail.status = DetailStatus.CHECKED
        counted = [one.result for one in found if one.result != Finding.NOT_APPLICABLE]
        detail.result = max(counted, default=Finding.NORMAL)
        detail.abnormal_count = counted.count(Finding.ABNORMAL)
        if detail.snapshot.photo_required:
            detail.images = [values.picture(detail.snapshot.point_name)]
        order.point_done += 1
        order.abnormal_count += detail.abnormal_count
        order.warn_count += counted.count(Finding.WARNING)
        order.result = max(order.result or Finding.NORMAL, detail.result)
        kept = found if is_full else [one for one in found if one.value_type == ValueType.NUMBER]
        order.item_done += len(kept)
        records += kept
    order.finish_time, order.is_late = moment, moment > order.plan_end
    return records


def _results(
    order: InspectOrder, detail: InspectOrderDetail, moment: datetime, values: Values
) -> list[InspectOrderRecord]:
    """What was entered at a point. Of long ago everything was right but numbers."""
    is_full = order.plan_start >= values.now - FULL
    records = []
    for item in detail.snapshot.items:
        kind = item["valueType"]
        if (not is_full and kind != ValueType.NUMBER) or kind == ValueType.TEXT:
            continue
        value, said, remark = values.of(item, detail.machine_id, moment)
        images = [values.picture(f"{detail.snapshot.point_name} {item['itemName']}")] if kind == ValueType.PHOTO else []
        if said is None:
            judged = judge(item, value)
            result, number, value = judged.result, judged.number, judged.value
        else:
            result, number = Finding(said), None
        lower, warn_lower, warn_upper, upper = limits_of(item)
        records.append(
            InspectOrderRecord(
                order=order, detail=detail, point_id=detail.point_id, machine_id=detail.machine_id,
                item_id=item["itemId"], item_name=item["itemName"], part=item["part"], value_type=kind,
                unit=item["unit"], decimals=item["decimals"], lower=lower, warn_lower=warn_lower,
                warn_upper=warn_upper, upper=upper, words=words_of(item, value), value=value, num_value=number,
                result=result, images=images, remark=remark, check_time=moment, user_id=order.executor_id,
                create_time=moment,
            )
        )  # fmt: skip
    return records
