"""What keeps the lists of inspection quick where there are many results: they answer the same as plain ones."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.kernel.tenancy import tenant_scope
from core.rounds import queries
from core.rounds.models import InspectOrder, InspectOrderDetail, InspectOrderRecord
from tests.cast import A, B, Cast
from tests.core.rounds.walking import (
    DETAILS,
    OIL,
    ORDERS,
    PRESSURE,
    RECORDS,
    at,
    body,
    details,
    generate,
    item,
    ok,
    orders,
    plan,
    route,
    rule,
    submit,
)


def _walked(cast: Cast, days: int) -> list[InspectOrder]:
    """Return the tasks of the morning shifts from 2026-09-01, all but the last of them walked by the shift leader."""
    config, group = plan(cast), route(cast, points=1, items=(PRESSURE, OIL))
    with at("2026-09-01 07:00"):
        ok(generate(cast, config, "2026-09-01", f"2026-09-{days:02d}", rules=[rule(config, group)]))
    tasks = [one for one in orders() if one.shift_name == "早班"]
    for number, order in enumerate(tasks[:-1]):
        day = str(order.business_date)
        with at(f"{day} 09:00"):
            sent = body(details(order)[0], {"排气压力": f"0.7{number % 8}", "油位": "1"}, f"{day} 09:00:00")
            ok(submit(cast, "shift_leader", sent))
    return tasks


def test_an_item_that_is_seldom_checked_has_its_last_values_too(cast: Cast) -> None:
    """The oil level stands in the first three of ten submissions alone; the last eight do not have it."""
    tasks = _walked(cast, 11)
    oil = item(details(tasks[0])[0], "油位")
    with tenant_scope(A):
        InspectOrderRecord.objects.filter(item_id=oil, order__in=[one.pk for one in tasks[3:]]).update(is_deleted=True)
        point = details(tasks[0])[0].point_id
        pressure = item(details(tasks[0])[0], "排气压力")
        with at("2026-09-11 09:00"), CaptureQueriesContext(connection) as captured:
            found = queries.last_records({point: [pressure, oil]})
        assert [str(one.order.business_date) for one in found[point, pressure]] == [
            f"2026-09-{day}" for day in ("10", "09", "08", "07", "06")
        ]
        assert [str(one.order.business_date) for one in found[point, oil]] == ["2026-09-03", "2026-09-02", "2026-09-01"]
        asked = [one for one in captured if "rounds_" in one["sql"]]
        assert len(asked) == 3
        with at("2026-09-11 09:00"), CaptureQueriesContext(connection) as captured:
            alone = queries.last_records({point: [pressure]})
        assert [one.pk for one in alone[point, pressure]] == [one.pk for one in found[point, pressure]]
        assert len([one for one in captured if "rounds_" in one["sql"]]) == 2


@pytest.mark.parametrize("few", [0, 200], ids=["many tasks", "few tasks"])
def test_points_and_results_are_those_of_the_tasks_that_one_sees(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    """However many tasks somebody has: the operator, who may do the first of them, and the manager, who sees all."""
    monkeypatch.setattr(queries, "_FEW", few)
    tasks = _walked(cast, 4)
    with at("2026-09-04 10:00"):
        for who, tenant, seen in (
            ("operator", A, orders(candidates__user=cast.user("operator").pk)),
            ("equip_manager", A, orders()),
            ("equip_manager", B, []),
        ):
            caller = cast.client_for(who, tenant)
            ids = {str(one.pk) for one in seen}
            listed = ok(caller.get(f"{ORDERS}/list", size=100))["records"]
            points = ok(caller.get(f"{DETAILS}/list", size=100))["records"]
            results = ok(caller.get(f"{RECORDS}/list", size=100))["records"]
            assert {row["id"] for row in listed} == ids, who
            assert {row["orderId"] for row in points} == ids, who
            assert {row["orderId"] for row in results} == ids & {str(one.pk) for one in tasks[:-1]}, who


def test_points_are_removed_with_their_task(cast: Cast) -> None:
    group = route(cast)
    sent = {
        "groupId": group, "planStart": "2026-09-01 10:00:00", "planEnd": "2026-09-01 12:00:00",
        "userIds": str(cast.user("operator").pk),
    }  # fmt: skip
    with at("2026-09-01 09:00"):
        manager = cast.client_for("equip_manager")
        made = ok(manager.post_json(f"{ORDERS}/submit", sent))["id"]
        assert len(ok(manager.get(f"{DETAILS}/list"))["records"]) == 2
        ok(manager.post_json(f"{ORDERS}/remove", ids=made))
        assert ok(manager.get(f"{DETAILS}/list"))["records"] == []
    with tenant_scope(A):
        assert InspectOrderDetail.objects.count() == 0
