"""Reporting months, the night, and what a report refuses."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.maintenance.reports import workload
from core.system.models import Parameter
from core.system.periods import month_of, reporting_month
from tests.cast import A, B, Cast
from tests.repairs import DAY, Story, photo

pytestmark = pytest.mark.django_db

CALL = "yuzhu-equip/repairorder"


# 3.21: reporting months


def test_the_table_of_days_and_their_reporting_months(cast: Cast) -> None:
    table = {
        "2026-01-01": (2026, 1), "2026-01-25": (2026, 1), "2026-01-26": (2026, 2), "2026-02-28": (2026, 3),
        "2028-02-29": (2028, 3), "2026-03-25": (2026, 3), "2026-11-25": (2026, 11), "2026-11-26": (2026, 12),
        "2026-12-25": (2026, 12), "2026-12-26": (2026, 12), "2026-12-31": (2026, 12), "2027-01-01": (2027, 1),
    }  # fmt: skip
    with tenant_scope(A):
        assert {day: month_of(date.fromisoformat(day)) for day in table} == table


@pytest.mark.parametrize("year", range(2023, 2029))
def test_twelve_months_tile_the_year(cast: Cast, year: int) -> None:
    with tenant_scope(A):
        months = [reporting_month(year, month) for month in range(1, 13)]
    leap = year % 4 == 0
    lengths = [(month.last - month.first).days + 1 for month in months]
    assert lengths == [25, 31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 36]
    assert (months[0].first, months[-1].last) == (date(year, 1, 1), date(year, 12, 31))
    assert all(after.first == before.last + timedelta(days=1) for before, after in pairwise(months))


@pytest.mark.parametrize(
    ("start", "end", "month", "first", "last"),
    [
        ("26", "none", (2026, 1), date(2025, 12, 26), date(2026, 1, 25)),
        ("26", "none", (2026, 12), date(2026, 11, 26), date(2026, 12, 25)),
        ("1", "calendar", (2026, 2), date(2026, 2, 1), date(2026, 2, 28)),
        ("1", "none", (2026, 12), date(2026, 12, 1), date(2026, 12, 31)),
        ("28", "calendar", (2026, 3), date(2026, 2, 28), date(2026, 3, 27)),
    ],
)
def test_a_company_begins_its_month_when_it_likes(
    cast: Cast, start: str, end: str, month: tuple[int, int], first: date, last: date
) -> None:
    with tenant_scope(A):
        Parameter.objects.filter(param_key="report.month.startDay").update(own_value=start)
        Parameter.objects.filter(param_key="report.year.end").update(own_value=end)
        period = reporting_month(*month)
        assert (period.first, period.last) == (first, last)
        assert month_of(first) == month_of(last) == month
    with tenant_scope(B):
        assert reporting_month(2026, 3).first == date(2026, 2, 26)


def test_a_month_begins_at_the_tenants_midnight(cast: Cast) -> None:
    with tenant_scope(A):
        begin, end = reporting_month(2026, 9).bounds()
    assert begin == datetime(2026, 8, 25, 16, tzinfo=UTC)
    assert end == datetime(2026, 9, 25, 16, tzinfo=UTC)


def test_a_stop_is_cut_at_the_border_of_the_month(cast: Cast) -> None:
    """The night of 3.25: 22:00 of the last day to 03:00 of the first one."""
    day = DAY.replace(month=9, day=25)
    with clock.at(day + timedelta(hours=22)):
        story = Story(cast, isStop=1)
        story.send()
    with clock.at(day + timedelta(hours=28)):
        times = {"startTime": "2026-09-25 23:00:00", "endTime": "2026-09-26 01:00:00"}
        assert story.write_line("repairer", "", "", **times).code == 200
        end = {"stopEnd": "2026-09-26 03:00:00", "afterImages": photo(story, "repairer")}
        story.act("repairer", "finish", **story.result(), **end)
        manager = story.caller("equip_manager")
        found = {}
        for month in (9, 10):
            data = manager.get(f"{CALL}/repairWorkloadPage", year=2026, month=month).data
            summary = data["summary"]
            found[month] = (summary["stopMinutes"], summary["labourMinutes"], summary["reported"], summary["finished"])
        # Stops are cut; a line belongs to the day of its start, an order to those of its report and its finish.
        assert found == {9: (120, 120, 1, 0), 10: (180, 0, 0, 1)}
        person = manager.get(f"{CALL}/repairUserTimePage", year=2026, month=9).data["records"][0]
        assert (person["userName"], person["labourMinutes"], person["nightMinutes"]) == ("蒋修", 120, 120)


@pytest.mark.parametrize(
    ("given", "field"),
    [({"year": "x", "month": 3}, "year"), ({"year": 2026}, "month"), ({"year": 2026, "month": 13}, "month")],
)
def test_a_month_that_is_none_is_refused(cast: Cast, given: dict[str, Any], field: str) -> None:
    manager = cast.client_for("equip_manager")
    for path in ("list", "repairUserTimePage", "repairWorkloadPage"):
        refused = manager.get(f"{CALL}/{path}", **given)
        assert (refused.status, refused.data["fields"]) == (400, {field: f"请求参数格式错误: {field}"})


def test_the_night_is_from_ten_to_six() -> None:
    def minutes(begin: float, end: float) -> float:
        return workload.night_seconds([(DAY + timedelta(hours=begin), DAY + timedelta(hours=end))]) / 60

    assert minutes(8, 20) == 0
    assert minutes(20, 32) == 480
    assert minutes(5, 7) == 60
    assert minutes(21.5, 22.5) == 30
    assert minutes(0, 48) == 2 * 480


@pytest.mark.parametrize(
    ("given", "field", "said"),
    [
        ({"groupBy": "moon"}, "groupBy", "请求参数格式错误: groupBy"),
        ({"startDate": "2026-03-02", "endDate": "2026-03-01"}, "endDate", "结束时间必须晚于开始时间"),
        ({"startDate": "2025-03-02", "endDate": "2026-03-03"}, "endDate", "统计时间不能超过366天"),
        ({"startDate": "2026-02-30", "endDate": "2026-03-03"}, "startDate", "请求参数格式错误: startDate"),
        ({"startDate": "2026-02-01"}, "endDate", "请求参数格式错误: endDate"),
    ],
)
def test_a_period_or_group_that_is_none_is_refused(cast: Cast, given: dict[str, str], field: str, said: str) -> None:
    refused = cast.client_for("equip_manager").get(f"{CALL}/repairWorkloadPage", **given)
    assert (refused.status, refused.data["fields"]) == (400, {field: said})


@pytest.mark.parametrize("name", ["deptId", "teamId"])
def test_a_department_or_team_that_is_none_has_nobody(cast: Cast, name: str) -> None:
    manager = cast.client_for("equip_manager")
    assert manager.get(f"{CALL}/repairUserTimePage").data["total"] > 0
    for text in ("abc", "²", "9" * 19, "9" * 5000):
        assert manager.get(f"{CALL}/repairUserTimePage", **{name: text}).data["records"] == [], text
