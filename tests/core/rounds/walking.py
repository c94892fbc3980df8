"""What the tests of inspection tasks share: a plan with a route, rules, and people who walk it."""

from __future__ import annotations

import io
import itertools
from collections.abc import Mapping
from typing import Any

from PIL import Image

from core.kernel.actor import acting, system
from core.kernel.tenancy import tenant_scope
from core.rounds import generation, sweep
from core.rounds.models import InspectOrder, InspectOrderDetail
from core.storage import files
from tests.cast import A, Body, Cast
from tests.core.shifts import planning
from tests.core.shifts.planning import Person, at

RULES, ORDERS, DETAILS, RECORDS, CONFIG = (
    f"yuzhu-equip/{noun}"
    for noun in ("taskrule", "inspectorder", "inspectorderdetail", "inspectorderrecord", "configinfo")
)
PRESSURE = {
    "itemName": "排气压力", "valueType": 1, "unit": "MPa", "decimals": 2, "lower": 0.60, "warnLower": 0.65,
    "warnUpper": 0.78, "upper": 0.80, "abnormalAction": 2, "repairUrgency": 2,
}  # fmt: skip
OIL = {"itemName": "油位", "abnormalAction": 1}
"""Pass or fail, suggests a repair request."""
_ids = itertools.count(1)


def ok(answer: Body) -> Any:
    """What a call that went well answers."""
    assert answer.status == 200, answer
    return answer.data


def swept() -> tuple[int, int]:
    """How many tasks of the company are missed by now, and how many people are reminded of."""
    with tenant_scope(A), acting(system(A)):
        return sweep.look_after()


def covered() -> int:
    """How many tasks of the coming days are made."""
    with tenant_scope(A), acting(system(A)):
        return generation.cover_tenant()


def route(
    cast: Cast, code: str = "R1", points: int = 2, items: Any = (PRESSURE, OIL), tenant: str = A, **more: Any
) -> str:
    """Return the id of a route of the shop with so many points at M1, led by the shift leader."""
    manager, leader = cast.client_for("equip_manager", tenant), cast.user("shift_leader", tenant)
    body = {
        "groupCode": code, "groupName": f"路线{code}", "leaderId": str(leader.pk), "deptId": str(leader.dept_id),
        **{name: value for name, value in more.items() if name in ("orderMode", "allowSupplement", "userIds")},
    }  # fmt: skip
    group: str = ok(manager.post_json("yuzhu-equip/inspectgroup/submit", body))["id"]
    extra = {name: value for name, value in more.items() if name not in body}
    for number in range(1, points + 1):
        point = {
            "groupId": group, "machineId": str(cast.machine("M1", tenant).pk), "pointCode": f"{code}-{number}",
            "pointName": f"点{number}", "scanMode": 0, "items": list(items), **extra,
        }  # fmt: skip
        ok(manager.post_json("yuzhu-equip/inspectpoint/save", point))
    return group


def plan(cast: Cast, tenant: str = A, **given: Any) -> str:
    """Return the id of the enabled plan with three shifts, from 2026-09-01; 甲 (the operator) has 早班 on that day."""
    return planning.made(cast, tenant=tenant, **given)


def rule(config: str, group: str, **more: Any) -> dict[str, Any]:
    """Return a rule for each shift."""
    return {"configId": config, "groupId": group, "ruleName": "每班点检", "frequency": 1, **more}


def generate(
    cast: Cast, config: str, first: str, last: str = "", who: str = "equip_manager", tenant: str = A, **more: Any
) -> Body:
    """Make the tasks of a span of days."""
    span = {"startDate": first, "endDate": last or first, "mode": more.pop("mode", 1)}
    body = {"id": config, "generate": span, **more}
    return Person(cast, who).cast.client_for(who, tenant).post_json(f"{CONFIG}/saveMakeTask", body)


def orders(tenant: str = A, **found_by: Any) -> list[InspectOrder]:
    """Return the tasks in the order of their time."""
    with tenant_scope(tenant):
        return list(InspectOrder.objects.filter(**found_by).order_by("plan_start", "pk"))


def details(order: InspectOrder, tenant: str = A) -> list[InspectOrderDetail]:
    """Return the points of a task in their order."""
    with tenant_scope(tenant):
        return list(order.details.select_related("snapshot").order_by("sort"))


def fresh(order: InspectOrder, tenant: str = A) -> InspectOrder:
    """Return the task as it stands now."""
    with tenant_scope(tenant):
        found: InspectOrder = InspectOrder.objects.get(pk=order.pk)
        return found


def item(detail: InspectOrderDetail, name: str) -> str:
    """Return the id of an item of a point."""
    return next(one["itemId"] for one in detail.snapshot.items if one["itemName"] == name)


def body(
    detail: InspectOrderDetail, values: Mapping[str, Any], time: str = "2026-09-01 09:00:00", **more: Any
) -> dict[str, Any]:
    """Return the submission of a point: by the item's name a value, or all that is sent of it."""
    records = [
        {"itemId": item(detail, name), **(value if isinstance(value, dict) else {"value": value})}
        for name, value in values.items()
    ]
    return {
        "id": str(detail.pk), "clientId": f"test-submission-{next(_ids)}", "clientTime": time,
        "records": records, **more,
    }  # fmt: skip


def submit(cast: Cast, who: str, sent: Mapping[str, Any], tenant: str = A) -> Body:
    """Submit a point."""
    return cast.client_for(who, tenant).post_json(f"{DETAILS}/submit", sent)


def picture(cast: Cast, who: str = "operator", color: str = "red", tenant: str = A) -> str:
    """Return a link to a picture that somebody has uploaded."""
    image = io.BytesIO()
    Image.new("RGB", (2, 2), color).save(image, "PNG")
    with tenant_scope(tenant), acting(cast.actor_for(who, tenant)):
        return files.signed_link(files.store_image(image.getvalue(), "photo.png").name)


GOOD = {"排气压力": "0.70", "油位": "1"}

__all__ = ["Person", "at"]
