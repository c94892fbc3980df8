"""Inspection tasks of the demo plants: rules, three days of tasks that people have walked, and weeks of two readings.

The two drift towards a limit, as a boiler that gets dirty and a seal that wears do, so that there is something to
forecast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

from django.utils import timezone

from core.identity.models import User
from core.inspection.models import Route, ValueType
from core.inspection.serializers import items_of
from core.kernel import clock
from core.kernel.actor import Actor, acting, system
from core.kernel.ids import next_id
from core.kernel.tenancy import tenant_scope
from core.project.demo_inspection import keep
from core.rounds import forecasting, generation, life, snapshots, sweep
from core.rounds.judging import limits_of
from core.rounds.models import (
    AssignMode,
    DetailStatus,
    Finding,
    InspectOrder,
    InspectOrderDetail,
    InspectOrderRecord,
    OrderStatus,
    TaskSource,
)
from core.rounds.views import RuleViewSet
from core.shifts.models import Plan, Shift
from core.system.numbers import next_number

_KEEPER = "qian.w"
_DAYS = 3
# plan, route, name, shift, what differs
_RULES: tuple[tuple[str, str, str, str, Mapping[str, Any]], ...] = (
    ("PB-SC", "XL-JJ1", "数控日点检", "早班", {}),
    ("PB-DL", "XL-DL3", "锅炉循环水每4小时", "白班", {"frequency": 3, "everyHours": 4}),
    ("PB-SC", "XL-JJ3", "磨钻铣周点检", "", {"frequency": 5, "weekDays": "1", "windowDays": 5}),
)
_WALKED = {"XL-JJ1": "wang.f", "XL-DL3": "xu.g"}
"""By route who walks it; the others have not begun by now."""
_WEEKS = 6
_DRIFTING = "XL-DL3"
_DRIFTS = {"排烟温度": (150.0, 0.34, 1.2), "密封水流量": (4.2, -0.035, 0.15)}
"""By item of that route its level three days ago, what it gains a day, and the noise of its readings."""


def walk(tenant_id: str, now: datetime, actor_of: Callable[[int], Actor]) -> None:
    """Write the rules of a plant, make the tasks since three days ago, and walk those whose time is over."""
    with tenant_scope(tenant_id):
        if not Route.objects.filter(group_code="XL-JJ1").exists():
            return
        people = dict(User.objects.values_list("account", "pk"))
        keeper = actor_of(people[_KEEPER])
        begin = (timezone.localtime(now) - timedelta(days=_DAYS)).replace(hour=0, minute=0, second=1, microsecond=0)
        with acting(keeper), clock.at(begin):
            for plan, route, name, shift, more in _RULES:
                _rule(plan, route, name, shift, more, begin)
        for number in range(_DAYS + 1):
            with clock.at(begin + timedelta(days=number)):
                for plan in Plan.objects.filter(config_code__in={one[0] for one in _RULES}):
                    day = timezone.localdate(clock.now())
                    generation.store(plan, generation.planned(plan, generation.rules_of(plan), day, day))
        walkers = {code: actor_of(people[account]) for code, account in _WALKED.items()}
        _look_back(begin, walkers[_DRIFTING])
        _walk_all(now, begin, walkers)
        with clock.at(now), acting(system(tenant_id)):
            forecasting.refresh()


def _look_back(begin: datetime, walker: Actor) -> None:
    """Store a task by hand for each day of the weeks before, in which somebody read the two items that drift."""
    route = Route.objects.get(group_code=_DRIFTING)
    wanted = [point for point in snapshots.usable_points([route.pk])[route.pk] if _drifting(items_of(point))]
    kept = snapshots.of_points(wanted)
    dice = Random(11)  # noqa: S311  # the same demo each time
    orders, details, records = [], [], []
    for number in range(_WEEKS * 7, 0, -1):
        start = begin.replace(hour=9) - timedelta(days=number)
        end = start + timedelta(hours=1)
        with clock.at(start):
            order = InspectOrder(
                order_no=next_number(generation.NUMBERS), source=TaskSource.BY_HAND, business_date=start.date(),
                plan_start=start, plan_end=end, open_time=start, deadline=end, start_time=start, finish_time=end,
                executor_id=walker.user_id, assign_mode=AssignMode.NAMED, status=OrderStatus.DONE,
                result=Finding.NORMAL, point_total=len(wanted), point_done=len(wanted), item_total=len(wanted),
                item_done=len(wanted), **generation.of_route(route),
            )  # fmt: skip
        orders.append(order)
        for place, point in enumerate(wanted, start=1):
            detail = InspectOrderDetail(
                order=order, point=point, snapshot=kept[point.pk], machine_id=point.machine_id, sort=place,
                status=DetailStatus.CHECKED, result=Finding.NORMAL, client_time=end, submit_time=end,
                user_id=walker.user_id,
            )  # fmt: skip
            details.append(detail)
            item = _drifting(kept[point.pk].items)[0]
            value = _drifted(item, end, begin, dice)
            lower, warn_lower, warn_upper, upper = limits_of(item)
            records.append(
                InspectOrderRecord(
                    order=order, detail=detail, point=point, machine_id=point.machine_id, item_id=item["itemId"],
                    item_name=item["itemName"], value_type=item["valueType"], unit=item["unit"],
                    decimals=item["decimals"], lower=lower, warn_lower=warn_lower, warn_upper=warn_upper, upper=upper,
                    value=value, num_value=Decimal(value), result=Finding.NORMAL, check_time=end,
                    user_id=walker.user_id,
                )
            )  # fmt: skip
    with acting(walker):
        InspectOrder.objects.bulk_create(orders)
        InspectOrderDetail.objects.bulk_create(details)
        InspectOrderRecord.objects.bulk_create(records)


def _drifting(items: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [item for item in items if item["itemName"] in _DRIFTS]


def _drifted(item: Mapping[str, Any], moment: datetime, begin: datetime, dice: Random) -> str:
    """The reading of an item that drifts at a moment: its level three days ago, what it gains a day, and its noise."""
    level, gain, noise = _DRIFTS[item["itemName"]]
    days = (moment - begin) / timedelta(days=1)
    return f"{level + gain * days + dice.gauss(0, noise):.{item['decimals']}f}"


def _rule(plan: str, route: str, name: str, shift: str, more: Mapping[str, Any], begin: datetime) -> None:
    shifts = Shift.objects.filter(plan__config_code=plan, shift_name=shift).values_list("pk", flat=True)
    body = {
        "configId": Plan.objects.get(config_code=plan).pk, "groupId": Route.objects.get(group_code=route).pk,
        "ruleName": name, "frequency": 1, "shiftIds": ",".join(map(str, shifts)),
        "startDate": str(begin.date()), **more,
    }  # fmt: skip
    keep(RuleViewSet, None, body)


def _walk_all(now: datetime, begin: datetime, walkers: Mapping[str, Actor]) -> None:
    """Walk the tasks whose time is over, in their order, but for the last: nobody has done that one."""
    over = InspectOrder.objects.filter(deadline__lt=now, group__group_code__in=walkers, status=OrderStatus.TODO)
    orders = list(over.select_related("group").order_by("plan_start", "pk"))
    dice = Random(7)  # noqa: S311  # the same demo each time
    for order in orders[:-1]:
        moment = order.plan_start + timedelta(minutes=dice.randrange(5, 60))
        details = order.details.select_related("snapshot").order_by("sort")
        for detail in details:
            moment += timedelta(minutes=dice.randrange(2, 5))
            with clock.at(moment):
                life.submit_point(walkers[order.group.group_code], _submission(detail, moment, begin, dice))
    with clock.at(now):
        sweep.miss_due()


def _submission(detail: InspectOrderDetail, moment: datetime, begin: datetime, dice: Random) -> dict[str, Any]:
    """What somebody enters at a point: mostly what is normal, now and then a warning."""
    records = []
    for item in detail.snapshot.items:
        entry = {"itemId": item["itemId"], "value": "1", "result": None, "images": [], "remark": ""}
        if item["itemName"] in _DRIFTS:
            entry["value"] = _drifted(item, moment, begin, dice)
        elif item["valueType"] == ValueType.NUMBER:
            entry["value"] = _number(item, dice)
        elif item["valueType"] == ValueType.CHOICE:
            entry["value"] = item["options"][0]["value"]
        elif item["valueType"] != ValueType.PASS_FAIL:
            entry |= {"value": "", "result": 4, "remark": "本次未检"}
        records.append(entry)
    return {
        "id": detail.pk, "clientId": f"demo-{next_id()}", "clientTime": moment, "sentTime": None, "startTime": None,
        "scanCode": "", "scanTime": None, "lng": None, "lat": None, "images": [], "remark": "", "records": records,
        "skip": None,
    }  # fmt: skip


def _number(item: Mapping[str, Any], dice: Random) -> str:
    """A number in the middle of what is normal; one in twenty lies just within the limit that follows."""
    limits = [Decimal(item[name]) if item[name] is not None else None for name in ("warnLower", "warnUpper", "upper")]
    low, high, upper = limits
    if high is None:
        high = (low or Decimal(10)) * 2
    if low is None:
        low = high * Decimal("0.6")
    if upper is not None and upper > high and dice.random() < 0.05:
        found = high + (upper - high) * Decimal("0.5")
    else:
        found = low + (high - low) * Decimal(str(round(0.2 + 0.6 * dice.random(), 3)))
    return f"{found:.{item['decimals']}f}"
