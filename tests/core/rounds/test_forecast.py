"""When a check item will cross its limit: the reckoning and its bounds, and the rows that a night keeps of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from core.audit.models import Event
from core.desk.models import Message
from core.equipment.models import Machine
from core.identity.models import TeamMember
from core.inspection.models import Route, RoutePoint
from core.kernel import clock
from core.kernel.actor import acting, system
from core.kernel.tenancy import tenant_scope
from core.rounds import forecasting
from core.rounds.forecast import Forecast, Limit, LimitKind, Reason, forecast
from core.rounds.models import InspectForecast, InspectOrder, InspectOrderDetail, InspectOrderRecord, PointSnapshot
from core.scheduling import outbox, schedule
from tests.cast import A, B, Cast
from tests.checksums import checksum
from tests.core.rounds.walking import OIL, ok, orders, route
from tests.core.shifts.planning import SHANGHAI, Person, at
from tests.prove import forecast as proof

FORECASTS, RECORDS = "yuzhu-equip/inspectforecast", "yuzhu-equip/inspectorderrecord"
HEAT = {
    "itemName": "排气温度", "valueType": 1, "unit": "℃", "decimals": 1, "warnUpper": 90, "upper": 105, "lower": 10,
}  # fmt: skip
FIRST = date(2026, 9, 1)
UP = {LimitKind.UPPER: 75.0}


def rows(level: Callable[[int], float], days: int = 40, noise: float = 0.0) -> list[tuple[datetime, float]]:
    """Return a reading at nine each day; the noise is the same each time."""
    dice = Random(5)
    return [(datetime(2026, 9, 1, 9) + timedelta(days=day), level(day) + dice.gauss(0, noise)) for day in range(days)]


# The reckoning


def test_the_bounds_hold_on_made_series_and_better_than_a_plain_line() -> None:
    true, false = proof.made(60, 7)
    found = proof.measure(proof.robust, true, false)
    assert proof.faults(found) == []
    plain = proof.measure(proof.least_squares, true, false)
    assert plain.error > found.error and plain.held < found.held
    assert proof.made(60, 7) == (true, false)


def test_a_straight_rise_crosses_where_the_line_does() -> None:
    found = forecast(rows(lambda day: 60 + 0.25 * day), UP)
    assert found == Forecast(
        limit=Limit(LimitKind.UPPER, 75.0), crosses_on=date(2026, 10, 31), earliest=date(2026, 10, 31),
        latest=date(2026, 10, 31), slope_per_day=0.25, readings=40, since=FIRST, level=69.75, as_of=date(2026, 10, 10),
    )  # fmt: skip


def test_the_nearer_limit_of_the_side_that_it_moves_to() -> None:
    limits = {LimitKind.LOWER: 50.0, LimitKind.WARN_LOWER: 55.0, LimitKind.WARN_UPPER: 72.0, LimitKind.UPPER: 75.0}

    def kind(level: Callable[[int], float]) -> Any:
        found = forecast(rows(level), limits)
        return found.limit.kind if isinstance(found, Forecast) else found

    assert kind(lambda day: 60 + 0.25 * day) == LimitKind.WARN_UPPER
    assert kind(lambda day: 63 + 0.25 * day) == LimitKind.UPPER  # the warning is passed already
    assert kind(lambda day: 68 - 0.25 * day) == LimitKind.WARN_LOWER
    assert kind(lambda day: 64 - 0.25 * day) == LimitKind.LOWER


def test_only_what_follows_the_last_step_counts() -> None:
    found = forecast(rows(lambda day: (80 if day < 15 else 60) + 0.25 * day, noise=0.2), UP)
    assert isinstance(found, Forecast)
    assert found.since == date(2026, 9, 16)
    assert abs((found.crosses_on - date(2026, 10, 31)).days) <= 2
    assert found.earliest <= date(2026, 10, 31) <= found.latest


def test_a_few_wild_readings_change_little() -> None:
    clean = forecast(rows(lambda day: 60 + 0.25 * day, noise=0.3), UP)
    wild = forecast(rows(lambda day: 60 + 0.25 * day + (40 if day in (9, 22, 38) else 0), noise=0.3), UP)
    assert isinstance(clean, Forecast) and isinstance(wild, Forecast)
    assert abs((clean.crosses_on - wild.crosses_on).days) <= 2


@pytest.mark.parametrize(
    ("level", "days", "limits", "reason"),
    [
        (lambda day: 60 + 0.25 * day, 40, {LimitKind.UPPER: None}, Reason.NO_LIMIT),
        (lambda day: 60 + 0.25 * day, 7, UP, Reason.FEW),
        (lambda day: 60 + 0.25 * day, 13, UP, Reason.SHORT),
        (lambda day: 60.0, 40, UP, Reason.FLAT),
        (lambda day: 60 - 0.25 * day, 40, UP, Reason.AWAY),
        (lambda day: 70 + 0.25 * day, 40, UP, Reason.CROSSED),
        (lambda day: 60 + 0.05 * day, 40, UP, Reason.FAR),
        (lambda day: 60 + 0.25 * day if day < 35 else 50.0, 40, UP, Reason.FEW),
    ],
)
def test_why_nothing_is_said(
    level: Callable[[int], float], days: int, limits: Mapping[LimitKind, float | None], reason: Reason
) -> None:
    noise = 0.3 if reason == Reason.FLAT else 0.02
    assert forecast(rows(level, days, noise), limits) == reason


def test_two_shifts_that_differ_do_not_hide_or_make_a_trend() -> None:
    def alternating(slope: float) -> list[tuple[datetime, float]]:
        dice = Random(3)
        return [
            (
                datetime(2026, 9, 1, 21 if day % 2 else 9) + timedelta(days=day),
                60 + 6 * (day % 2) + slope * day + dice.gauss(0, 0.3),
            )
            for day in range(60)
        ]

    assert forecast(alternating(0.0), UP) == Reason.FLAT
    found = forecast(alternating(0.15), UP)
    assert isinstance(found, Forecast)
    # Between the shifts: 63 + 0.15 × day.
    assert abs((found.crosses_on - (FIRST + timedelta(days=80))).days) <= 2
    assert (found.latest - found.earliest).days <= 6


def test_flat_noise_is_hardly_ever_foretold() -> None:
    _true, false = proof.made(200, 300)
    assert sum(proof.robust(one.rows, one.limits) is not None for one in false) <= 2


# What a night keeps


def read(
    cast: Cast, level: Callable[[int], float], days: int, group: str, tenant: str = A, first: date = FIRST, **more: Any
) -> None:
    """Store readings of the first item at the first point of a route, one a day at nine."""
    dice = Random(5)
    with tenant_scope(tenant), acting(system(tenant)):
        point = RoutePoint.objects.filter(group=group).order_by("pk")[0]
        item = point.items[0]
        snapshot = PointSnapshot.objects.create(
            point=point, digest=f"{first}{point.pk}"[:64], point_name=point.point_name,
            machine_name=str(point.machine), scan_mode=0, items=[],
        )  # fmt: skip
        begin = datetime(first.year, first.month, first.day, 8, tzinfo=SHANGHAI)
        order = InspectOrder.objects.create(
            order_no=f"T{first}{group[-8:]}", source=2, group=point.group, group_name=str(point.group), group_type=1,
            business_date=first, plan_start=begin, plan_end=begin + timedelta(hours=2), open_time=begin,
            deadline=begin + timedelta(hours=2), status=3, order_mode=2, assign_mode=2,
        )  # fmt: skip
        for day in range(days):
            detail = InspectOrderDetail.objects.create(
                order=order, point=point, snapshot=snapshot, machine=point.machine, status=2
            )
            value = Decimal(str(round(level(day) + dice.gauss(0, 0.2), 1)))
            InspectOrderRecord.objects.create(**{
                "order": order, "detail": detail, "point": point, "machine": point.machine,
                "item_id": item["itemId"], "item_name": item["itemName"], "value_type": 1, "unit": "℃", "decimals": 1,
                "lower": 10, "warn_upper": 90, "upper": 105, "value": str(value), "num_value": value, "result": 1,
                "check_time": begin + timedelta(days=day, hours=1), **more,
            })  # fmt: skip


def night(tenant: str = A) -> tuple[int, int, int]:
    """How many forecasts are new, went on, and ended."""
    with tenant_scope(tenant), acting(system(tenant)):
        return forecasting.refresh()


def kept(tenant: str = A) -> list[InspectForecast]:
    """Return the rows."""
    with tenant_scope(tenant):
        return list(InspectForecast.objects.order_by("crosses_on", "pk"))


def told(tenant: str = A) -> list[tuple[int, str]]:
    """Return whom the company's messages about forecasts were sent to, with their titles."""
    while outbox.deliver_due():
        pass
    with tenant_scope(tenant):
        return sorted(Message.objects.filter(business_type="inspectforecast").values_list("user_id", "title"))


def test_a_night_keeps_one_row_for_an_item_and_tells_once(cast: Cast) -> None:
    group = route(cast, points=1, items=(HEAT, OIL))
    read(cast, lambda day: 70 + 0.25 * day, 40, group)
    with at("2026-10-11 02:20"):
        assert night() == (1, 0, 0)
        [row] = kept()
        assert row.machine_id == cast.machine("M1").pk
        assert (row.item_name, row.limit_kind, row.limit_value) == (
            "排气温度", 3, Decimal("90.0000"),
        )  # fmt: skip
        assert abs((row.crosses_on - date(2026, 11, 20)).days) <= 3
        assert row.earliest <= row.crosses_on <= row.latest and (row.latest - row.earliest).days <= 14
        assert (row.since, row.as_of, row.readings, row.status) == (FIRST, date(2026, 10, 10), 40, 1)
        assert abs(row.slope_per_day - Decimal("0.25")) < Decimal("0.02") and len(row.recent) == 40
        people = sorted([cast.user("equip_manager").pk, cast.user("shift_leader").pk])
        assert told() == [(pk, "预测超限：排气温度") for pk in people]
        with tenant_scope(A):
            said = set(Message.objects.filter(business_type="inspectforecast").values_list("content", flat=True))
        span = f"{row.earliest} – {row.latest}"
        assert said == {f"车床「排气温度」按趋势约{row.crosses_on}达到预警上限90℃（{span}）。"}
        before = checksum(A)
        assert night() == (0, 1, 0)
        assert checksum(A) == before
    assert kept(B) == []


def test_a_repair_ends_it_and_the_next_rise_is_told_only_after_a_month(cast: Cast) -> None:
    group = route(cast, points=1, items=(HEAT,))
    read(cast, lambda day: 70 + 0.25 * day, 40, group)
    with at("2026-10-11 02:20"):
        assert night() == (1, 0, 0)
    read(cast, lambda day: 60.0, 12, group, first=date(2026, 10, 11))
    with at("2026-10-23 02:20"):
        assert night() == (0, 0, 1)
        [row] = kept()
        assert (row.status, row.end_time is not None) == (3, True)
        assert night() == (0, 0, 0)
    read(cast, lambda day: 60 + 0.6 * day, 30, group, first=date(2026, 10, 23))
    with at("2026-11-21 02:20"):
        assert night() == (0, 1, 0)
        [again] = kept()
        assert (again.pk, again.status, again.end_time) == (row.pk, 1, None)
        assert len(told()) == 2
        with tenant_scope(A):
            InspectForecast.objects.update(status=3, end_time=clock.now() - timedelta(days=31))
        assert night() == (0, 1, 0)
        assert len(told()) == 4


def test_what_cannot_be_inspected_or_is_read_no_more_has_none(cast: Cast) -> None:
    group = route(cast, points=1, items=(HEAT,))
    read(cast, lambda day: 70 + 0.25 * day, 40, group)
    with at("2026-11-30 02:20"):
        assert night() == (0, 0, 0)
    with at("2026-10-11 02:20"):
        assert night() == (1, 0, 0)
        with tenant_scope(A):
            RoutePoint.objects.update(is_sealed=True)
        assert night() == (0, 0, 1)
        with tenant_scope(A):
            RoutePoint.objects.update(is_sealed=False)
            Machine.objects.filter(machine_code="M1").update(run_state=7)
        assert night() == (0, 0, 0)


def test_false_alarms_do_not_count(cast: Cast) -> None:
    group = route(cast, points=1, items=(HEAT,))
    read(cast, lambda day: 70 + 0.25 * day, 40, group, false_alarm=True)
    with at("2026-10-11 02:20"):
        assert night() == (0, 0, 0)


def test_reading_takes_as_many_statements_for_five_items_as_for_one(cast: Cast) -> None:
    def statements() -> int:
        with at("2026-10-11 02:20"), CaptureQueriesContext(connection) as found:
            night()
        return len(found)

    read(cast, lambda day: 70 + 0.25 * day, 40, route(cast, points=1, items=(HEAT,)))
    statements()
    one = statements()
    for number in range(2, 6):
        read(cast, lambda day: 70 + 0.25 * day, 40, route(cast, f"R{number}", points=1, items=(HEAT,)))
    statements()
    assert statements() == one and len(kept()) == 5


@pytest.mark.django_db(transaction=True)
def test_two_nights_at_once_keep_and_tell_it_once(cast: Cast) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite lets one write at a time")
    read(cast, lambda day: 70 + 0.25 * day, 40, route(cast, points=1, items=(HEAT,)))

    def work(_number: int) -> tuple[int, int, int]:
        try:
            with at("2026-10-11 02:20"):
                return night()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(work, range(4)))
    assert sum(new for new, _kept, _ended in found) == 1 and len(kept()) == 1
    with at("2026-10-11 02:21"):
        assert len(told()) == 2


def test_the_job_says_what_it_did(cast: Cast) -> None:
    read(cast, lambda day: 70 + 0.25 * day, 40, route(cast, points=1, items=(HEAT,)))
    job = schedule.jobs["inspect.forecast"]
    assert job.cron == "0 20 2 * * ?"
    with at("2026-10-11 02:20"), tenant_scope(A), acting(system(A)):
        assert job.run() == schedule.Counts(created=1)
        assert job.run() == schedule.Counts(handled=1)


# What people do with them


def _forecast(cast: Cast) -> InspectForecast:
    read(cast, lambda day: 70 + 0.25 * day, 40, route(cast, points=1, items=(HEAT,)))
    with at("2026-10-11 02:20"):
        night()
    return kept()[0]


def test_the_list_shows_those_in_force_to_whoever_may_see_them(cast: Cast) -> None:
    row = _forecast(cast)
    with at("2026-10-11 08:00"):
        [shown] = ok(Person(cast, "equip_manager").get(f"{FORECASTS}/list"))["records"]
        assert (shown["id"], shown["machineName"], shown["pointName"], shown["limitKindName"], shown["limitValue"]) == (
            str(row.pk), "车床", "点1", "预警上限", 90,
        )  # fmt: skip
        assert (shown["crossesOn"], shown["statusName"], shown["groupName"], len(shown["recent"])) == (
            str(row.crosses_on), "有效", "路线R1", 40,
        )  # fmt: skip
        assert shown["recent"][0]["day"] == "2026-09-01"
        for who, number in (("shift_leader", 1), ("viewer", 1), ("tenant_admin", 1)):
            assert ok(cast.client_for(who).get(f"{FORECASTS}/list"))["total"] == number, who
        assert cast.client_for("operator").get(f"{FORECASTS}/list").status == 403
        assert ok(cast.client_for("equip_manager", B).get(f"{FORECASTS}/list"))["total"] == 0
        assert cast.client_for("equip_manager", B).get(f"{FORECASTS}/detail", id=row.pk).status == 404
        other = cast.user("repairer")
        with tenant_scope(A):
            Route.objects.update(dept=other.dept_id, leader=other)
        assert ok(cast.client_for("shift_leader").get(f"{FORECASTS}/list"))["total"] == 0


def test_one_is_set_aside_with_a_reason_and_comes_back_when_it_gets_earlier_or_its_time_is_over(cast: Cast) -> None:
    row = _forecast(cast)
    body = {"id": str(row.pk), "reason": "已订备件", "until": "2026-10-30"}
    with at("2026-10-11 08:00"):
        answer = ok(cast.client_for("equip_manager").post_json(f"{FORECASTS}/dismiss", body))
        assert answer == {"id": str(row.pk), "status": 2, "statusName": "已搁置"}
        [aside] = kept()
        assert (aside.dismiss_user_id, aside.dismiss_reason, aside.dismiss_until, aside.dismissed_day) == (
            cast.user("equip_manager").pk, "已订备件", date(2026, 10, 30), row.crosses_on,
        )  # fmt: skip
        assert ok(cast.client_for("equip_manager").get(f"{FORECASTS}/list"))["total"] == 0
        assert ok(cast.client_for("equip_manager").get(f"{FORECASTS}/list", status=2))["total"] == 1
        assert night() == (0, 1, 0)
        assert (kept()[0].status, len(told())) == (2, 2)
        with tenant_scope(A):
            InspectForecast.objects.update(dismissed_day=row.crosses_on + timedelta(days=3))
        night()
        assert kept()[0].status == 2
        with tenant_scope(A):
            InspectForecast.objects.update(dismissed_day=row.crosses_on + timedelta(days=4))
        night()
        [back] = kept()
        assert (back.status, back.dismiss_user_id, back.dismiss_reason, back.dismiss_until) == (1, None, "", None)
        assert len(told()) == 4
        ok(cast.client_for("equip_manager").post_json(f"{FORECASTS}/dismiss", body))
    with at("2026-10-30 02:20"):
        night()
        assert kept()[0].status == 2
    with at("2026-10-31 02:20"):
        night()
        assert (kept()[0].status, len(told())) == (1, 6)


@pytest.mark.parametrize(
    ("who", "tenant", "changed", "status", "text"),
    [
        ("viewer", A, {}, 403, "没有权限执行此操作"),
        ("equip_manager", B, {}, 404, "数据不存在或已被删除"),
        ("equip_manager", A, {"until": "2026-10-11"}, 400, "搁置日期须在明天至一年之内"),
        ("equip_manager", A, {"until": "2027-10-13"}, 400, "搁置日期须在明天至一年之内"),
        ("equip_manager", A, {"reason": " "}, 400, "请输入搁置原因"),
        ("equip_manager", A, {"reason": "x" * 201}, 400, "搁置原因长度不能超过200个字符"),
    ],
)
def test_setting_aside_is_refused(
    cast: Cast, who: str, tenant: str, changed: Mapping[str, Any], status: int, text: str
) -> None:
    row = _forecast(cast)
    before = checksum(A)
    with at("2026-10-11 08:00"):
        sent = {"id": str(row.pk), "reason": "已订备件", "until": "2026-10-30", **changed}
        refused = cast.client_for(who, tenant).post_json(f"{FORECASTS}/dismiss", sent)
    assert (refused.status, refused.msg) == (status, text)
    assert checksum(A) == before


def test_one_beyond_the_own_department_is_not_set_aside(cast: Cast) -> None:
    row, other = _forecast(cast), cast.user("repairer")
    with tenant_scope(A):
        Route.objects.update(dept=other.dept_id, leader=other)
    before = checksum(A)
    with at("2026-10-11 08:00"):
        sent = {"id": str(row.pk), "reason": "已订备件", "until": "2026-10-30"}
        assert cast.client_for("shift_leader").post_json(f"{FORECASTS}/dismiss", sent).status == 404
    assert checksum(A) == before


def test_setting_aside_is_taken_back(cast: Cast) -> None:
    row = _forecast(cast)
    body = {"id": str(row.pk), "reason": "已订备件", "until": "2026-10-30"}
    with at("2026-10-11 08:00"):
        manager = cast.client_for("equip_manager")
        before = checksum(A)
        refused = manager.post_json(f"{FORECASTS}/restore", body)
        assert (refused.status, refused.msg) == (409, "当前状态为「有效」，不能取消搁置")
        assert checksum(A) == before
        ok(manager.post_json(f"{FORECASTS}/dismiss", body))
        before = checksum(A)
        assert cast.client_for("viewer").post_json(f"{FORECASTS}/restore", body).status == 403
        assert cast.client_for("equip_manager", B).post_json(f"{FORECASTS}/restore", body).status == 404
        assert checksum(A) == before
        assert ok(manager.post_json(f"{FORECASTS}/restore", body)) == {
            "id": str(row.pk), "status": 1, "statusName": "有效",
        }  # fmt: skip
    [back] = kept()
    assert (back.status, back.dismiss_user_id, back.dismiss_time, back.dismiss_reason, back.dismiss_until) == (
        1, None, None, "", None,
    )  # fmt: skip
    assert back.dismissed_day is None
    with tenant_scope(A):
        event = Event.objects.filter(operation="inspectforecast.restore").get()
    assert (event.business_id, event.user_id) == (row.pk, cast.user("equip_manager").pk)


def test_a_technician_sees_what_is_forecast_of_the_assets_of_the_own_team_and_its_trend(cast: Cast) -> None:
    row = _forecast(cast)
    asked = {"itemId": row.item_id, "pointId": str(row.point_id)}
    with at("2026-10-11 08:00"):
        repairer, other = cast.client_for("repairer"), cast.client_for("operator")
        with tenant_scope(A):
            Machine.objects.update(team=None)
        assert ok(repairer.get(f"{FORECASTS}/list"))["total"] == 0
        assert repairer.get(f"{RECORDS}/getTrend", **asked).status == 404
        with tenant_scope(A):
            team = TeamMember.objects.filter(user=cast.user("repairer")).values("team")[:1]
            Machine.objects.update(team=team)
        assert [one["id"] for one in ok(repairer.get(f"{FORECASTS}/list"))["records"]] == [str(row.pk)]
        assert len(ok(repairer.get(f"{RECORDS}/getTrend", **asked))["values"]) == 40
        body = {"id": str(row.pk), "reason": "已订备件", "until": "2026-10-30"}
        assert repairer.post_json(f"{FORECASTS}/dismiss", body).status == 403
        assert other.get(f"{FORECASTS}/list").status == 403
        assert other.get(f"{RECORDS}/getTrend", **asked).status == 404


def test_one_that_has_ended_is_not_set_aside(cast: Cast) -> None:
    row = _forecast(cast)
    with at("2026-10-11 08:00"):
        with tenant_scope(A):
            InspectForecast.objects.update(status=3)
        before = checksum(A)
        sent = {"id": str(row.pk), "reason": "已订备件", "until": "2026-10-30"}
        refused = cast.client_for("equip_manager").post_json(f"{FORECASTS}/dismiss", sent)
    assert (refused.status, refused.msg) == (409, "当前状态为「已结束」，不能搁置")
    assert checksum(A) == before


def test_the_trend_and_the_walk_say_it(cast: Cast) -> None:
    row = _forecast(cast)
    manager = Person(cast, "equip_manager")
    with at("2026-10-11 08:00"):
        asked = {"itemId": row.item_id, "pointId": str(row.point_id)}
        found = ok(manager.get(f"{RECORDS}/getTrend", **asked))
        assert found["noForecast"] == ""
        said = {
            "limitKind": "warnUpper", "limitValue": 90, "crossesOn": str(row.crosses_on),
            "earliest": str(row.earliest), "latest": str(row.latest),
        }  # fmt: skip
        assert found["forecast"] | said == found["forecast"]
        past = ok(manager.get(f"{RECORDS}/getTrend", **asked, endDate="2026-10-10"))
        assert (past["forecast"], past["noForecast"]) == (None, "")
        made = ok(
            manager.post_json(
                "yuzhu-equip/inspectorder/submit",
                {
                    "groupId": str(orders()[0].group_id), "planStart": "2026-10-11 08:00:00",
                    "planEnd": "2026-10-11 10:00:00", "userIds": str(cast.user("operator").pk),
                },
            )
        )  # fmt: skip
        page = ok(manager.get("yuzhu-equip/inspectorder/task", id=made["id"]))
        [item] = page["details"][0]["items"]
        assert item["forecast"] == said
        with tenant_scope(A):
            InspectForecast.objects.update(status=2)
        page = ok(manager.get("yuzhu-equip/inspectorder/task", id=made["id"]))
        assert page["details"][0]["items"][0]["forecast"] is None
