"""Lists of inspection at a company with a million results, beside the same lists at a small one; on PostgreSQL."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from core.inspection.models import Route, RoutePoint
from core.kernel.tenancy import tenant_scope
from core.rounds.models import InspectCandidate, InspectOrder, InspectOrderDetail, InspectOrderRecord
from tests import cast
from tests.bench import rows
from tests.bench.asking import headers, middle_and_tail
from tests.bench.installation import Client, server
from tests.core.rounds import walking
from tests.core.shifts.planning import at

SMALL, BIG = cast.A, cast.B
ROUTES, POINTS, ITEMS = 25, 8, 5
GOAL = 2.0
"""A list of the big company takes at most so many times as long as that of the small one, in 95 of 100 cases."""
_TEMPERATURE = {"valueType": 1, "unit": "℃", "decimals": 1, "warnUpper": 70, "upper": 75}
_ITEMS = [{"itemName": f"温度{number}", **_TEMPERATURE} for number in range(1, ITEMS + 1)]
_DAY = "2026-09-01"
_DEEP = {"current": 20, "size": 50}
_TABLES = {
    InspectOrder: (),
    InspectCandidate: ("order",),
    InspectOrderDetail: ("order",),
    InspectOrderRecord: ("order", "detail"),
}


@dataclass(frozen=True)
class Measured:
    """A list's milliseconds at the server's door, the middle and the slowest but 5 of 100."""

    name: str
    small: tuple[float, float]
    big: tuple[float, float]


def install(records: int) -> dict[str, int]:
    """Make both companies; returns how many results each has."""
    counts = {}
    for tenant, wanted in ((SMALL, 5 * ROUTES * POINTS * ITEMS), (BIG, records)):
        _walked(tenant)
        rows.multiply(tenant, _TABLES, wanted // (ROUTES * POINTS * ITEMS) - 1, "4 hours")
        with tenant_scope(tenant):
            counts[tenant] = InspectOrderRecord.objects.count()
    rows.analyse()
    return counts


def _walked(tenant: str) -> None:
    """Let somebody walk each route of the company once, through the real calls."""
    people = cast.Cast()
    plan = walking.plan(people, tenant)
    operator = str(people.user("operator", tenant).pk)
    with at(f"{_DAY} 08:00"):
        for number in range(ROUTES):
            group = walking.route(people, f"R{number}", POINTS, _ITEMS, tenant, orderMode=2)
            rule = walking.rule(plan, group, ruleName=f"每日{number}", frequency=4, assignMode=2, userIds=operator)
            walking.ok(walking.generate(people, plan, _DAY, tenant=tenant, rules=[rule]))
    with at(f"{_DAY} 09:00"):
        for order in walking.orders(tenant):
            for detail in walking.details(order, tenant):
                values = {item["itemName"]: "65.5" for item in detail.snapshot.items}
                walking.ok(walking.submit(people, "operator", walking.body(detail, values), tenant))


def _paths(tenant: str) -> list[tuple[str, str, str]]:
    """Return by name who asks for which address."""
    with tenant_scope(tenant):
        order = InspectOrder.objects.order_by("-plan_start", "pk").first()
        record = InspectOrderRecord.objects.order_by("-check_time", "pk").first()
        group, point = Route.objects.order_by("pk").first(), RoutePoint.objects.order_by("pk").first()
        assert order and record and group and point
        tasks, points, results = "inspectorder/list", "inspectorderdetail/list", "inspectorderrecord/list"
        asked: Sequence[tuple[str, str, str, dict[str, Any]]] = (
            ("tasks", "equip_manager", tasks, {}),
            # The small company has no twentieth page of tasks: its second is as full.
            ("tasks, page 20", "equip_manager", tasks, _DEEP if tenant == BIG else {**_DEEP, "current": 2}),
            ("tasks that are done", "equip_manager", tasks, {"status": 3}),
            ("tasks of a route", "equip_manager", tasks, {"groupId": group.pk}),
            ("tasks of a day", "equip_manager", tasks, {"businessDate": str(order.business_date)}),
            ("tasks by a word", "equip_manager", tasks, {"keyword": "路线"}),
            ("tasks by a number", "equip_manager", tasks, {"keyword": order.order_no[-5:]}),
            ("tasks of one's own", "operator", tasks, {}),
            ("tasks of now", "operator", "inspectorder/getOrderNowTask", {}),
            ("a task", "operator", "inspectorder/task", {"id": order.pk}),
            ("points", "equip_manager", points, {}),
            ("points of a task", "operator", points, {"orderId": order.pk}),
            ("points of a machine", "equip_manager", points, {"machineId": point.machine_id}),
            ("results", "equip_manager", results, {}),
            ("results, page 20", "equip_manager", results, _DEEP),
            ("results that are normal", "equip_manager", results, {"resultStatus": 1}),
            ("results of a point", "equip_manager", results, {"pointId": point.pk}),
            ("results of an item", "equip_manager", results, {"itemId": record.item_id}),
            ("results of one's own", "operator", results, {}),
            (
                "trend", "equip_manager", "inspectorderrecord/getTrend",
                {"itemId": record.item_id, "pointId": record.point_id, "startDate": "2026-06-03", "endDate": _DAY},
            ),
        )  # fmt: skip
        return [(name, who, f"/api/yuzhu-equip/{path}?{urlencode(page)}") for name, who, path, page in asked]


def measure(times: int) -> list[Measured]:
    """Ask each list of both companies in turns."""
    asked = {tenant: _paths(tenant) for tenant in (SMALL, BIG)}
    sent = {
        (tenant, who): headers(who, tenant) for tenant, entries in asked.items() for who in {one[1] for one in entries}
    }
    measured = []
    with server([]) as served:
        for (name, who, small), (_name, _who, big) in zip(asked[SMALL], asked[BIG], strict=True):
            found: dict[str, list[float]] = {SMALL: [], BIG: []}
            for number in range(times + 5):
                for tenant, path in ((SMALL, small), (BIG, big)):
                    took = _once(served.client, path, sent[tenant, who])
                    if number >= 5:
                        found[tenant].append(took)
            measured.append(Measured(name, middle_and_tail(found[SMALL]), middle_and_tail(found[BIG])))
    return measured


def _once(client: Client, path: str, sent: dict[str, str]) -> float:
    began = time.perf_counter()
    client.ask(path, sent)
    return (time.perf_counter() - began) * 1000


def show(counts: dict[str, int], measured: list[Measured]) -> None:
    """Print the table."""
    width = max(len(one.name) for one in measured)
    print(
        f"\nInspection on PostgreSQL: {counts[BIG]} results beside {counts[SMALL]}; milliseconds at the server's door"
    )
    print(f"  {'':<{width}}   small p50    p95    big p50    p95   p95 to p95")
    for one in measured:
        ratio = one.big[1] / one.small[1]
        good = "ok" if ratio <= GOAL else "NOT MET"
        print(
            f"  {one.name:<{width}} {one.small[0]:11.1f} {one.small[1]:6.1f} {one.big[0]:10.1f} {one.big[1]:6.1f}"
            f" {ratio:10.1f} ×  {good}"
        )
