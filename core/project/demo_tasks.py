"""Inspection tasks of the demo plants: the rules of all routes, three months of tasks, and those of now.

What is older than a day was stored in rows, see `demo_past.py`; the tasks since then, and those on which something was
found that is reported by itself, are walked as people walk them.
Two items drift towards a limit, as a boiler that gets dirty and a seal that wears do, so that there is something to
forecast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Any

from django.utils import timezone

from core.equipment.models import Machine, Tag
from core.identity.models import User
from core.inspection.models import Route, ValueType
from core.kernel import clock
from core.kernel.actor import Actor, acting, system
from core.kernel.ids import next_id
from core.kernel.tenancy import tenant_scope
from core.project.demo_found import Fault, Walks, shown
from core.project.demo_inspection import keep
from core.project.demo_past import Values, tell
from core.rounds import forecasting, generation, life, sweep
from core.rounds.judging import judge
from core.rounds.models import (
    DetailStatus,
    Finding,
    InspectCandidate,
    InspectOrder,
    InspectOrderDetail,
    OrderStatus,
)
from core.rounds.views import RuleViewSet
from core.shifts.models import Plan, Shift

DAYS, SMALL = 90, 9
"""Of how many days tasks are told, and of how many in a small plant."""
_KEEPER = "qian.w"
_AHEAD = 2
# plan, route, name, shift, what differs
_RULES: tuple[tuple[str, str, str, str, Mapping[str, Any]], ...] = (
    ("PB-SC", "XL-JJ1", "数控日点检", "", {}),
    ("PB-SC", "XL-JJ2", "加工中心日点检", "", {}),
    ("PB-SC", "XL-JJ3", "磨钻铣周点检", "", {"frequency": 5, "weekDays": "1", "windowDays": 5}),
    ("PB-SC", "XL-ZZ1", "熔炼安全巡检每4小时", "", {"frequency": 3, "everyHours": 4}),
    ("PB-SC", "XL-ZZ2", "热处理每班2次", "", {"frequency": 2, "timesPerShift": 2}),
    ("PB-SC", "XL-ZZ3", "清理除尘日点检", "早班", {"frequency": 4}),
    ("PB-SC", "XL-ZP1", "装配线日点检", "早班", {}),
    ("PB-SC", "XL-TZ1", "涂装线日点检", "", {}),
    ("PB-DL", "XL-DL1", "空压站每2小时", "", {"frequency": 3, "everyHours": 2}),
    ("PB-DL", "XL-DL2", "配电室每班", "", {}),
    ("PB-DL", "XL-DL3", "锅炉循环水每4小时", "", {"frequency": 3, "everyHours": 4}),
    ("PB-SB", "XL-QZ1", "起重与叉车月检", "白班", {"frequency": 6, "monthDays": "1", "windowDays": 3}),
)
_RECENT = timedelta(hours=20)
_LEFT_OUT = 0.03
"""How many of the tasks of the last day nobody has begun in time."""


Agenda = Callable[[datetime, Callable[[], None]], None]
"""Takes a moment of the played past, and what happens then."""


def plan(
    tenant_id: str, now: datetime, actor_of: Callable[[int], Actor], days: int, repair: Repair, at: Agenda
) -> None:
    """Put into an agenda what becomes of the inspections of a plant, from their rules to the last walks."""
    with tenant_scope(tenant_id):
        if Route.objects.filter(group_code="XL-JJ1").exists():
            _Inspections(tenant_id, now, actor_of, repair, at).plan(days)


def settle(tenant_id: str, now: datetime) -> None:
    """Miss what nobody has done in time, and forecast; nothing where no tasks are."""
    with tenant_scope(tenant_id), clock.at(now), acting(system(tenant_id)):
        if InspectOrder.objects.exists():
            while sweep.miss_due():
                pass
            forecasting.refresh()


Repair = Callable[[Fault, int, Actor, datetime], None]
"""Puts into the agenda what follows of a fault that somebody has reported as an order at a moment."""


@dataclass
class _Inspections:
    tenant_id: str
    now: datetime
    actor_of: Callable[[int], Actor]
    repair: Repair
    at: Agenda

    def plan(self, days: int) -> None:
        """Tell the tasks in rows up to each day on which a fault is found, and then those of the last hours."""
        now = self.now
        today = timezone.localtime(now).replace(hour=0, minute=10, second=0, microsecond=0)
        self.begin = min(today, now) - timedelta(days=days)
        self.values = Values(now)
        self.actors: dict[int, Actor] = {}
        self.walks = Walks(timezone.localdate(now), dict(Machine.objects.values_list("pk", "machine_code")))
        self.chooser = self.walks.chooser()
        self.at(self.begin, self._rules)
        first, recent = timezone.localdate(self.begin), timezone.localdate(now - _RECENT)
        for day in self.walks.days(first, recent - timedelta(days=1)):
            self.at(_night(day), partial(self._tell, first, day))
            first = day + timedelta(days=1)
        if first < recent:
            self.at(_night(recent), partial(self._tell, first, recent - timedelta(days=1)))
        for number in range((timezone.localdate(now) - recent).days + _AHEAD + 1):
            day = recent + timedelta(days=number)
            self.at(min(now, _night(day)), partial(self._make, day))

    def _rules(self) -> None:
        people = dict(User.objects.values_list("account", "pk"))
        with acting(self.actor_of(people[_KEEPER])):
            for of_plan, route, name, shift, more in _RULES:
                _rule(of_plan, route, name, shift, more, self.begin)

    def _plans(self) -> list[Plan]:
        return list(Plan.objects.filter(config_code__in={one[0] for one in _RULES}).order_by("config_code"))

    def _tell(self, first: date, last: date) -> None:
        """Tell the tasks of these days, and let somebody walk those on which something is found."""
        with acting(system(self.tenant_id)), clock.at(self.begin):
            for one in self._plans():
                tell(one, first, last, self.values, self.chooser)
        for order, detail, item_id, fault in self.walks.left:
            moments = self._moments(order, list(order.details.order_by("sort")))
            self._walk(order, moments, {detail.pk: (item_id, fault)})
        self.walks.left.clear()

    def _make(self, day: date) -> None:
        """Make the tasks of a day of these hours, and let people walk those that lie before now.

        The last one whose time is over nobody has begun, and a few others; of those whose time is not over every other
        one is walked, by half.
        """
        with acting(system(self.tenant_id)):
            for one in self._plans():
                generation.store(one, generation.planned(one, generation.rules_of(one), day, day))
        rows = InspectOrder.objects.filter(business_date=day, plan_start__lt=self.now, status=OrderStatus.TODO)
        orders = list(rows.order_by("plan_start", "pk"))
        over = [one for one in orders if one.deadline < self.now]
        walked = []
        for place, order in enumerate(orders):
            is_over = order.deadline < self.now
            is_left = order is over[-1] if is_over else place % 2 == 1
            if is_left or (is_over and self.values.dice.random() < _LEFT_OUT):
                continue
            details = list(order.details.select_related("snapshot").order_by("sort"))
            if not is_over:
                details = details[: len(details) // 2]
            walked.append((order, self._moments(order, details)))
        points = [(moment, detail) for _order, moments in walked for detail, moment in moments]
        found = self.walks.of_today(points, self.now)
        for order, moments in walked:
            self._walk(order, moments, found)

    def _moments(
        self, order: InspectOrder, details: Sequence[InspectOrderDetail]
    ) -> list[tuple[InspectOrderDetail, datetime]]:
        """Return when each point of a task is submitted."""
        room = (min(self.now, order.plan_end) - order.plan_start) / (len(details) + 2)
        moment, found = order.plan_start + min(room, timedelta(minutes=self.values.dice.randrange(2, 20))), []
        for detail in details:
            moment += min(room, timedelta(seconds=self.values.dice.randrange(60, 200)))
            found.append((detail, moment))
        return found

    def _walk(
        self, order: InspectOrder, moments: Sequence[tuple[InspectOrderDetail, datetime]],
        found: Mapping[int, tuple[str, Fault]],
    ) -> None:  # fmt: skip
        people = list(InspectCandidate.objects.filter(order=order).order_by("pk").values_list("user_id", flat=True))
        person = people[self.values.dice.randrange(len(people))]
        for detail, moment in moments:
            self.at(moment, partial(self._point, person, detail.pk, moment, found.get(detail.pk)))

    def _point(self, person: int, detail_id: int, moment: datetime, found: tuple[str, Fault] | None) -> None:
        """Submit a point, unless its asset has been stopped meanwhile; what is found there is repaired."""
        detail = InspectOrderDetail.objects.select_related("snapshot", "order").get(pk=detail_id)
        if detail.status != DetailStatus.TODO:
            return
        actor = self.actors.setdefault(person, self.actor_of(person))
        codes = Tag.objects.filter(point=detail.point_id).values_list("tag_code", flat=True)
        faulty = found[0] if found is not None else ""
        life.submit_point(actor, _submission(detail, moment, self.values, codes.first() or "", faulty))
        detail.refresh_from_db(fields=["repair_order_id"])
        if found is not None:
            self.repair(found[1], detail.repair_order_id, actor, moment)


def _night(day: date) -> datetime:
    """Return when the tasks of a day are made."""
    return timezone.make_aware(datetime.combine(day, time(0, 10)))


def _rule(plan: str, route: str, name: str, shift: str, more: Mapping[str, Any], begin: datetime) -> None:
    shifts = Shift.objects.filter(plan__config_code=plan, shift_name=shift).values_list("pk", flat=True)
    body = {
        "configId": Plan.objects.get(config_code=plan).pk, "groupId": Route.objects.get(group_code=route).pk,
        "ruleName": name, "frequency": 1, "shiftIds": ",".join(map(str, shifts)),
        "startDate": str(begin.date()), **more,
    }  # fmt: skip
    keep(RuleViewSet, None, body)


def _submission(detail: InspectOrderDetail, moment: datetime, values: Values, code: str, faulty: str) -> dict[str, Any]:
    """What somebody enters at a point after a scan of its plate; one item of it may be faulty."""
    records = []
    for item in detail.snapshot.items:
        entry: dict[str, Any] = {"itemId": item["itemId"], "value": "", "result": None, "images": [], "remark": ""}
        if item["itemId"] == faulty:
            entry["value"] = shown(item)
        elif item["valueType"] != ValueType.PHOTO:
            entry["value"], entry["result"], entry["remark"] = values.of(item, detail.machine_id, moment)
        is_abnormal = bool(entry["value"]) and judge(item, entry["value"]).result == Finding.ABNORMAL
        if item["valueType"] == ValueType.PHOTO or is_abnormal:
            entry["images"] = [values.picture(f"{detail.pk} {item['itemId']}")]
        records.append(entry)
    return {
        "id": detail.pk, "clientId": f"demo-{next_id()}", "clientTime": moment, "sentTime": None, "startTime": None,
        "scanCode": code, "scanTime": moment, "noScan": None, "lng": None, "lat": None, "remark": "",
        "records": records, "skip": None,
        "images": [values.picture(str(detail.pk))] if detail.snapshot.photo_required else [],
    }  # fmt: skip
