"""Rates of inspection tasks: what is due, done and missed, what was found, and what counts in neither side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.equipment.models import Machine
from core.identity.models import Department
from core.inspection.models import Route, RoutePoint
from core.kernel import clock
from core.kernel.actor import acting, system
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from core.rounds import rates
from core.rounds.models import InspectOrder, InspectOrderDetail, InspectOrderRecord, PointSnapshot
from core.rounds.rates import Figures, Rate
from tests.cast import A, B, Cast
from tests.core.rounds.walking import OIL, ok, route
from tests.core.shifts.planning import SHANGHAI, Person, at
from tests.repairs import Story

GROUPS = "yuzhu-equip/inspectgroup"
TODO, GOING, DONE, MISSED, EXEMPT, VOID = 1, 2, 3, 4, 5, 6
FIRST, LAST = date(2026, 9, 1), date(2026, 9, 30)
NOW = datetime(2026, 9, 20, 12, tzinfo=SHANGHAI)
_number = iter(range(1, 100_000))


def task(
    group: str,
    status: int,
    day: int = 10,
    points: Sequence[int] = (),
    results: Sequence[int] = (),
    tenant: str = A,
    **more: Any,
) -> InspectOrder:
    """Store a task of a day of September with points in these states, and with these results at the first of them."""
    with tenant_scope(tenant), acting(system(tenant)):
        point = RoutePoint.objects.select_related("group", "machine").filter(group=group).order_by("pk")[0]
        snapshot, _new = PointSnapshot.objects.get_or_create(
            point=point, digest="d", defaults={"point_name": "点", "machine_name": "机", "scan_mode": 0, "items": []}
        )
        begin = datetime(2026, 9, day, 8, tzinfo=SHANGHAI)
        kept = {
            "business_date": date(2026, 9, day), "plan_start": begin, "plan_end": begin + timedelta(hours=8),
            "deadline": begin + timedelta(hours=9), "open_time": begin, "source": 1, **more,
        }  # fmt: skip
        false_alarm, repair_id = kept.pop("false_alarm", False), kept.pop("repair_id", None)
        checked = kept.pop("checked", begin)
        order: InspectOrder = InspectOrder.objects.create(
            order_no=f"R{next(_number)}", group=point.group, group_name=str(point.group), group_type=1,
            status=status, order_mode=2, assign_mode=1, **kept,
        )  # fmt: skip
        details = [
            InspectOrderDetail.objects.create(
                order=order, point=point, snapshot=snapshot, machine=point.machine, status=one
            )
            for one in points or ((2,) if results else ())
        ]
        for place, result in enumerate(results):
            InspectOrderRecord.objects.create(
                order=order, detail=details[0], point=point, machine=point.machine, item_id=f"i{place}", item_name="项",
                value_type=1, value="1", result=result, false_alarm=false_alarm and result == 3, check_time=checked,
                repair_order_id=repair_id if result == 3 else None,
            )  # fmt: skip
    return order


def figures(*groups: str, first: date = FIRST, last: date = LAST, now: datetime = NOW, tenant: str = A) -> Figures:
    """Return the figures of routes together."""
    with tenant_scope(tenant):
        found = [astuple(one) for one in rates.of_routes([int(pk) for pk in groups], first, last, now).values()]
        return Figures(*(sum(numbers) for numbers in zip(*found, strict=True)))


def test_rates_are_percent_with_one_decimal_half_up_and_null_of_nothing() -> None:
    assert [Rate(*one).percent for one in ((1, 3), (2, 3), (1, 1), (0, 5), (1, 16), (0, 0))] == [
        33.3, 66.7, 100.0, 0.0, 6.3, None,
    ]  # fmt: skip


def test_done_and_missed_are_due_and_what_is_open_only_behind_its_deadline(cast: Cast) -> None:
    group = route(cast, points=1, items=[OIL])
    for status in (DONE, DONE, MISSED, EXEMPT, VOID):
        task(group, status)
    task(group, DONE, is_late=True)
    task(group, TODO)
    task(group, GOING)
    task(group, TODO, day=25)
    found = figures(group)
    assert (found.due, found.done, found.on_time, found.missed, found.exempt) == (6, 3, 2, 1, 1)
    assert (found.completion.percent, found.timeliness.percent, found.misses.percent) == (50.0, 33.3, 16.7)
    with tenant_scope(A):
        InspectOrder.objects.filter(status__in=(TODO, GOING), deadline__lt=NOW).update(status=MISSED)
    swept = figures(group)
    assert swept.completion.percent == swept.misses.percent == 50.0, "both together are all, once the sweep has been"


def test_points_are_checked_of_those_checked_missed_and_skipped_in_tasks_that_are_due(cast: Cast) -> None:
    group = route(cast, points=1, items=[OIL])
    task(group, DONE, points=(2, 2, 5, 4))
    task(group, MISSED, points=(2, 3, 3))
    task(group, EXEMPT, points=(4, 4))
    task(group, GOING, day=25, points=(2, 1))
    assert figures(group).points == Rate(3, 6)


def test_false_alarms_leave_the_abnormal_and_what_does_not_apply_counts_in_neither_side(cast: Cast) -> None:
    group = route(cast, points=1, items=[OIL])
    task(group, DONE, results=(1, 1, 2, 3, 4))
    task(group, DONE, results=(1, 3), false_alarm=True)
    found = figures(group)
    assert (found.abnormality, found.warning) == (Rate(1, 6), Rate(1, 6))
    assert found.abnormality.percent == 16.7


def test_a_repair_within_a_week_closes_and_younger_results_do_not_count_yet(cast: Cast) -> None:
    group = route(cast, points=1, items=[OIL])
    with at("2026-09-02 09:00"):
        ids = [int(Story(cast, machine, isStop=0).now["id"]) for machine in ("M1", "M2")]
    checked = datetime(2026, 9, 2, 8, tzinfo=SHANGHAI)
    with tenant_scope(A):
        for pk, hours in zip(ids, (0, 1), strict=True):
            RepairOrder.objects.filter(pk=pk).update(status=6, close_time=checked + timedelta(days=7, hours=hours))
    for pk in (*ids, None):
        task(group, DONE, day=2, results=(3,), checked=checked, repair_id=pk)
    task(group, DONE, day=2, results=(3,), checked=checked, repair_id=ids[0], false_alarm=True)
    task(group, DONE, day=14, results=(3,), checked=NOW - timedelta(days=7))
    found = figures(group)
    assert (found.closure, found.abnormal) == (Rate(1, 3), 4)


@pytest.mark.parametrize(
    ("began", "first"),
    [
        (date(2026, 9, 25), date(2026, 8, 26)),  # the books' month ends with it
        (date(2026, 9, 30), date(2026, 9, 1)),
        (date(2026, 12, 31), date(2026, 12, 1)),
    ],
)
def test_a_night_shift_over_the_end_of_a_span_counts_for_the_day_it_began(cast: Cast, began: date, first: date) -> None:
    group, after = route(cast, points=1, items=[OIL]), began + timedelta(days=1)
    begin = datetime(after.year, after.month, after.day, 2, tzinfo=SHANGHAI)
    task(
        group, DONE, results=(3,), business_date=began, plan_start=begin, plan_end=begin + timedelta(hours=2),
        open_time=begin, deadline=begin + timedelta(hours=3), checked=begin + timedelta(hours=1),
    )  # fmt: skip
    later = begin + timedelta(days=30)
    found = figures(group, first=first, last=began, now=later)
    assert (found.completion, found.abnormality) == (Rate(1, 1), Rate(1, 1))
    assert figures(group, first=after, last=after + timedelta(days=30), now=later) == Figures()


def test_a_span_that_lies_ahead_has_no_rates(cast: Cast) -> None:
    group = route(cast, points=1, items=[OIL])
    task(group, TODO, day=25, points=(1,))
    found = figures(group)
    assert found == Figures()
    assert (found.completion.percent, found.points.percent, found.abnormality.percent) == (None, None, None)


def test_removed_tasks_and_other_companies_do_not_count_and_a_moved_department_changes_nothing(cast: Cast) -> None:
    group, other = route(cast, points=1, items=[OIL]), route(cast, points=1, items=[OIL], tenant=B)
    task(group, DONE)
    gone = task(group, MISSED)
    task(other, MISSED, tenant=B)
    with tenant_scope(A):
        InspectOrder.objects.filter(pk=gone.pk).update(is_deleted=True)
        Route.objects.update(dept=Department.objects.exclude(pk=Route.objects.get(pk=group).dept_id)[0])
        Machine.objects.update(run_state=7)
    assert figures(group, other).completion == Rate(1, 1)
    assert figures(other, tenant=B).completion == Rate(0, 1)


def test_a_route_without_tasks_has_figures_of_nothing(cast: Cast) -> None:
    assert figures(route(cast, points=1, items=[OIL])) == Figures()


def test_as_many_statements_for_three_routes_as_for_one(cast: Cast) -> None:
    groups = [route(cast, f"R{number}", points=1, items=[OIL]) for number in range(3)]
    for group in groups:
        task(group, DONE, day=2, results=(3,))
    counted = []
    for some in (groups[:1], groups):
        with tenant_scope(A), CaptureQueriesContext(connection) as found:
            rates.of_routes([int(pk) for pk in some], FIRST, LAST, NOW)
        counted.append(len(found))
    assert counted[0] == counted[1] <= 5


def test_the_route_shows_its_rates(cast: Cast) -> None:
    group = route(cast, points=1, items=[OIL])
    route(cast, "R2", points=1, items=[OIL])
    task(group, DONE, results=(1, 3))
    task(group, MISSED)
    task(group, EXEMPT)
    task(group, DONE, day=1, business_date=date(2026, 8, 21))
    manager = Person(cast, "equip_manager")
    with clock.at(NOW):
        found = ok(manager.get(f"{GROUPS}/getRates", groupId=group))
        assert (found["startDate"], found["endDate"]) == ("2026-08-22", "2026-09-20")
        assert {name: found[name] for name in ("due", "done", "onTime", "missed", "exempt")} == {
            "due": 2, "done": 1, "onTime": 1, "missed": 1, "exempt": 1,
        }  # fmt: skip
        assert found["completionRate"] == {"part": 1, "whole": 2, "percent": 50.0}
        assert found["abnormalRate"] == {"part": 1, "whole": 2, "percent": 50.0}
        assert found["closeRate"] == {"part": 0, "whole": 1, "percent": 0.0}
        shown = ok(manager.get(f"{GROUPS}/list"))["records"]
        assert {one["groupCode"]: one["completionRate30"] for one in shown} == {"R1": 50.0, "R2": None}
        assert ok(manager.get(f"{GROUPS}/detail", id=group))["completionRate30"] == 50.0
        before = ok(manager.get(f"{GROUPS}/getRates", groupId=group, startDate="2026-08-21"))
        assert before["due"] == 3
        refused = manager.get(f"{GROUPS}/getRates", groupId=group, startDate="2026-09-21")
        assert (refused.status, refused.msg) == (400, "结束日期不能早于开始日期")
        assert cast.client_for("equip_manager", B).get(f"{GROUPS}/getRates", groupId=group).status == 404


def test_whoever_does_not_see_the_route_does_not_see_its_rates(cast: Cast) -> None:
    group, other = route(cast, points=1, items=[OIL]), cast.user("repairer")
    with tenant_scope(A):
        Route.objects.update(dept=other.dept_id, leader=other)
    assert cast.client_for("shift_leader").get(f"{GROUPS}/getRates", groupId=group).status == 404
