"""What is asked of many orders: filters, reporting months, time per person, work per group, a machine's history."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from core.maintenance.reports import workload
from core.system.models import Parameter
from core.system.periods import month_of, reporting_month
from tests.cast import A, B, Caller, Cast
from tests.repairs import DAY, Story, at, photo

pytestmark = pytest.mark.django_db

CALL = "yuzhu-equip/repairorder"


def numbers(caller: Caller, **given: Any) -> list[str]:
    """The list's order numbers, without their common beginning."""
    rows = caller.get(f"{CALL}/list", size=50, **given).data["records"]
    return sorted(row["orderNo"][-2:] for row in rows)


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


# The list


@pytest.fixture
def plant(cast: Cast) -> Cast:
    """Order 01 late for its response, 02 late for its finish, 03 promised later, 04 on hold, 05 repaired in time."""
    first = str(cast.user("repairer").pk)
    with at("8:00"):
        Story(cast, urgency=1)
        late = Story(cast, machine="M1-SPINDLE", urgency=1, isStop=1)
        late.send()
        promised = Story(cast, urgency=1, force=1, reporter="operator2")
        promised.act("repair_leader", "dispatch", repairUserId=first, planFinishTime="2026-03-02 20:00:00")
        promised.act("repairer", "accept")
        held = Story(cast, machine="M2", urgency=2)
        held.act("repair_leader", "dispatch", repairUserId=str(cast.user("repairer_other").pk))
        held.act("repairer_other", "accept")
        done = Story(cast, force=1, repairType=2)
        done.send()
    with at("9:00"):
        held.act("repairer_other", "hang", hangReason=1, remark="等件")
        done.write_line("repairer", "08:00", "08:40")
        done.act("repairer", "finish", **done.result())
        done.act("operator", "check", checkResult=1)
    return cast


@pytest.mark.parametrize(
    ("hour", "late"), [("8:15", []), ("8:16", ["01"]), ("12:01", ["01", "02"]), ("20:01", ["01", "02", "03"])]
)
def test_overdue_is_what_the_marks_say(plant: Cast, hour: str, late: list[str]) -> None:
    with at(hour):
        manager = plant.client_for("equip_manager")
        assert numbers(manager, overdue=1) == late
        rows = manager.get(f"{CALL}/list", size=50).data["records"]
        marked = [row for row in rows if row["isResponseLate"] or row["isFinishLate"]]
        assert sorted(row["orderNo"][-2:] for row in marked) == late


def test_a_hold_moves_what_is_overdue(plant: Cast) -> None:
    """Order 04 was held an hour after its acceptance; its 480 minutes wait with it."""
    with at("23:00"):
        manager = plant.client_for("equip_manager")
        assert "04" not in numbers(manager, overdue=1)
        with tenant_scope(A):
            held = RepairOrder.objects.get(order_no__endswith="04")
        story = Story.__new__(Story)
        story.cast, story.now = plant, {"id": str(held.pk), "lockVersion": held.lock_version}
        story.act("repairer_other", "resume")
        assert story.detail()["hangMinutes"] == 14 * 60
    for hours, late in ((29.9, False), (30.1, True)):
        with clock.at(DAY + timedelta(hours=hours)):
            assert ("04" in numbers(plant.client_for("equip_manager"), overdue=1)) is late
            assert story.detail()["isFinishLate"] == int(late)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"isStop": 1}, ["02"]),
        ({"isStop": 0, "status": "3,6"}, ["03", "05"]),
        ({"source": 1}, ["01", "02", "03", "04", "05"]),
        ({"source": 2}, []),
        ({"repairType": 2}, ["05"]),
        ({"isRepeat": 1}, []),
        ({"year": 2026, "month": 3}, ["01", "02", "03", "04", "05"]),
        ({"year": 2026, "month": 4}, []),
        ({"createTime_dategt": "2026-03-02", "createTime_datelt": "2026-03-02"}, ["01", "02", "03", "04", "05"]),
        ({"createTime_dategt": "2026-03-03"}, []),
    ],
)
def test_the_list_is_narrowed(plant: Cast, given: dict[str, Any], expected: list[str]) -> None:
    with at("10:00"):
        assert numbers(plant.client_for("equip_manager"), **given) == expected


def test_the_list_is_narrowed_by_people_teams_and_machines(plant: Cast) -> None:
    with at("10:00"):
        manager = plant.client_for("equip_manager")
        assert numbers(manager, repairUserId=plant.user("repairer").pk) == ["02", "03", "05"]
        assert numbers(manager, reportUserId=plant.user("operator2").pk) == ["03"]
        assert numbers(manager, machineId=plant.machine("M1").pk) == ["01", "02", "03", "05"]
        assert numbers(manager, deptId=plant.machine("M1").dept_id) == ["01", "02", "03", "04", "05"]
        assert numbers(manager, teamId=plant.team("mechanics").pk) == []
        assert numbers(plant.client_for("repairer_other"), mine=1) == ["04"]


@pytest.mark.parametrize(
    ("given", "field"),
    [({"year": "x", "month": 3}, "year"), ({"year": 2026}, "month"), ({"year": 2026, "month": 13}, "month")],
)
def test_a_month_that_is_none_is_refused(cast: Cast, given: dict[str, Any], field: str) -> None:
    manager = cast.client_for("equip_manager")
    for path in ("list", "repairUserTimePage", "repairWorkloadPage"):
        refused = manager.get(f"{CALL}/{path}", **given)
        assert (refused.status, refused.data["fields"]) == (400, {field: f"请求参数格式错误: {field}"})


# Time per person


def test_time_per_person(plant: Cast) -> None:
    with at("12:00"):
        second = Story(plant, force=1)
        second.send()
    with at("13:00"):
        # 08:30–08:40 is over the line of order 05.
        line = {"startTime": "2026-03-02 12:00:00", "endTime": "2026-03-02 12:45:00"}
        second.write_line("repairer", "", "", **line)
        second.write_line("repairer2", "12:00", "12:20")
        held = {
            "orderId": numbers_to_id(plant, "02"),
            "startTime": "2026-03-02 08:30:00",
            "endTime": "2026-03-02 09:00:00",
        }
        second.write_line("repairer", "", "", **held)
        data = plant.client_for("equip_manager").get(f"{CALL}/repairUserTimePage", year=2026, month=3).data
    keys = (
        "userName",
        "orderCount",
        "finishCount",
        "firstPassRate",
        "labourMinutes",
        "mergedMinutes",
        "avgRepairMinutes",
    )
    assert [tuple(row[key] for key in keys) for row in data["records"]] == [
        ("蒋修", 4, 1, 100.0, 115, 105, 60),
        ("沈修", 1, 0, None, 20, 20, None),
        ("卫长", 0, 0, None, 0, 0, None),
        ("韩修", 1, 0, None, 0, 0, None),
    ]
    assert (data["total"], data["summary"]["labourMinutes"], data["summary"]["mergedMinutes"]) == (4, 135, 125)
    first = data["records"][0]
    assert (first["teamName"], first["deptName"], first["labourAmount"]) == ("机修班", "设备部", 115.0)
    assert (first["nightMinutes"], first["scheduledMinutes"], first["utilization"]) == (0, None, None)


def numbers_to_id(cast: Cast, ending: str) -> str:
    """The id of an order by the end of its number."""
    with tenant_scope(A):
        return str(RepairOrder.objects.get(order_no__endswith=ending).pk)


def test_a_repairer_learns_of_the_own_time_alone_and_an_operator_of_none(plant: Cast) -> None:
    with at("10:00"):
        rows = plant.client_for("repairer").get(f"{CALL}/repairUserTimePage").data["records"]
        assert [row["userName"] for row in rows] == ["蒋修"]
        for path in ("repairUserTimePage", "repairWorkloadPage"):
            assert plant.client_for("operator").get(f"{CALL}/{path}").status == 403
        foreign = plant.client_for("equip_manager", B).get(f"{CALL}/repairUserTimePage").data
        assert (foreign["summary"]["labourMinutes"], foreign["total"]) == (0, 4)


def test_the_night_is_from_ten_to_six() -> None:
    def minutes(begin: float, end: float) -> float:
        return workload.night_seconds([(DAY + timedelta(hours=begin), DAY + timedelta(hours=end))]) / 60

    assert minutes(8, 20) == 0
    assert minutes(20, 32) == 480
    assert minutes(5, 7) == 60
    assert minutes(21.5, 22.5) == 30
    assert minutes(0, 48) == 2 * 480


# Work per group


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("user", {"蒋修": (3, 1, 40, 100.0), "韩修": (1, 0, 0, 0.0), "未派到人": (1, 0, 0, 0.0)}),
        ("machine", {"车床": (3, 1, 40, 100.0), "主轴": (1, 0, 0, 0.0), "磨床": (1, 0, 0, 0.0)}),
        ("dept", {"机加车间": (5, 1, 40, 100.0)}),
        ("team", {"未派到班组": (5, 1, 40, 100.0)}),
        ("type", {"未分类": (4, 0, 0, 0.0), "电气": (1, 1, 40, 100.0)}),
        ("symptom", {"未填故障现象": (5, 1, 40, 100.0)}),
    ],
)
def test_work_per_group(plant: Cast, by: str, expected: dict[str, tuple[Any, ...]]) -> None:
    with at("12:30"):
        caller = plant.client_for("equip_manager")
        data = caller.get(f"{CALL}/repairWorkloadPage", groupBy=by, startDate="2026-03-02", endDate="2026-03-02").data
    found = {
        row["name"]: (row["reported"], row["finished"], row["labourMinutes"], row["share"]) for row in data["records"]
    }
    assert found == expected
    summary = data["summary"]
    assert (summary["reported"], summary["finished"], summary["open"], summary["overdue"]) == (5, 1, 4, 2)
    assert (summary["checked"], summary["cancelled"], summary["stopMinutes"], summary["totalCost"]) == (1, 0, 270, 40.0)


def test_an_order_of_several_people_counts_once_in_the_sum(plant: Cast) -> None:
    with at("13:00"):
        line = {"startTime": "2026-03-02 08:00:00", "endTime": "2026-03-02 08:20:00"}
        story = Story(plant, force=1, isStop=0)
        story.send()
    with at("14:00"):
        story.write_line("repairer", "13:00", "13:30")
        story.write_line("repairer2", "13:00", "13:10")
        story.act("repairer", "finish", **story.result())
        data = story.caller("equip_manager").get(f"{CALL}/repairWorkloadPage", year=2026, month=3).data
    assert {row["name"]: row["finished"] for row in data["records"]} == {"蒋修": 2, "沈修": 1, "韩修": 0, "未派到人": 0}
    assert data["summary"]["finished"] == 2
    assert data["summary"]["note"].startswith("合计中每张维修单只计一次")
    assert line["startTime"] < line["endTime"]


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


# A machine's history


def test_the_history_of_a_machine_and_its_components(plant: Cast) -> None:
    noise = str(plant.tag("异响").pk)
    with at("12:00"):
        Story(plant, force=1, faultTagIds=noise)
        data = plant.client_for("operator").get(f"{CALL}/machineHistory", machineId=plant.machine("M1").pk).data
    assert {key: data[key] for key in ("reported", "open", "finished", "repeats", "reworks", "stops")} == {
        "reported": 5, "open": 4, "finished": 1, "repeats": 0, "reworks": 0, "stops": 1,
    }  # fmt: skip
    assert (data["stopMinutes"], data["repairMinutes"], data["labourMinutes"], data["totalCost"]) == (240, 60, 40, 40.0)
    assert (data["from"], data["to"]) == ("2025-03-03", "2026-03-02")
    assert [(row["tagName"], row["count"]) for row in data["symptoms"]] == [("异响", 1)]
    (stop,) = data["lastStops"]
    assert (stop["startTime"], stop["endTime"], stop["minutes"]) == ("2026-03-02 08:00:00", None, 240)
    assert stop["orderId"] == numbers_to_id(plant, "02")
    with at("12:00"):
        other = plant.client_for("repairer_other").get(f"{CALL}/machineHistory", machineId=plant.machine("M1").pk).data
        # Another team's repairer sees that the machine stands, and nothing of its orders.
        assert (other["reported"], other["stopMinutes"], other["lastStops"][0]["orderId"]) == (0, 240, "")
        below = plant.client_for("operator").get(f"{CALL}/machineHistory", machineId=plant.machine("M1-SPINDLE").pk)
        assert below.data["reported"] == 1
