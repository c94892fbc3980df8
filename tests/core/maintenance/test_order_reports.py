"""What is asked of five orders: the list's filters, time per person, work per group, a machine's history."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from openpyxl import load_workbook

from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from core.maintenance.reports import workload
from core.maintenance.working_hours import shifts_of_people
from core.spares.models import OrderType, SparePart, SpareUseLine, SpareUseLog
from tests.cast import A, B, Caller, Cast
from tests.core.shifts.planning import made
from tests.repairs import DAY, Story, at

pytestmark = pytest.mark.django_db

CALL = "yuzhu-equip/repairorder"


def numbers(caller: Caller, **given: Any) -> list[str]:
    """The list's order numbers, without their common beginning."""
    rows = caller.get(f"{CALL}/list", size=50, **given).data["records"]
    return sorted(row["orderNo"][-2:] for row in rows)


@pytest.fixture(scope="module")
def orders(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Five orders on their way, which all tests here find as they are; they are taken back after the last one."""
    with django_db_blocker.unblock(), transaction.atomic():
        _report_and_repair(Cast())
        yield
        transaction.set_rollback(True)


@pytest.fixture
def plant(orders: None, cast: Cast) -> Cast:
    """The plant with these orders in it."""
    return cast


def _report_and_repair(cast: Cast) -> None:
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


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        (
            "user",
            {
                "蒋修": (3, 1, 40, 100.0),
                "韩修": (1, 0, 0, 0.0),
                "未派到人": (1, 0, 0, 0.0),
                "沈修": (0, 0, 0, 0.0),
                "卫长": (0, 0, 0, 0.0),
            },
        ),
        ("machine", {"车床": (3, 1, 40, 100.0), "主轴": (1, 0, 0, 0.0), "磨床": (1, 0, 0, 0.0)}),
        ("dept", {"机加车间": (5, 1, 40, 100.0)}),
        ("team", {"机修班": (3, 1, 40, 100.0), "电修班": (1, 0, 0, 0.0), "未派到班组": (1, 0, 0, 0.0)}),
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
    assert {row["name"]: row["finished"] for row in data["records"]} == {
        "蒋修": 2, "沈修": 1, "韩修": 0, "未派到人": 0, "卫长": 0,
    }  # fmt: skip
    assert data["summary"]["finished"] == 2
    assert data["summary"]["note"].startswith("合计中每张维修单只计一次")
    assert line["startTime"] < line["endTime"]


def sheet(caller: Caller, call: str, **given: Any) -> list[list[Any]]:
    """Return the rows of the workbook that a call answers."""
    answer = Client().get(f"/api/{CALL}/{call}", given, headers=caller._headers())
    assert answer.status_code == 200, answer.content
    return [list(row) for row in load_workbook(io.BytesIO(answer.content)).active.values]  # type: ignore[union-attr]


def test_parts_that_were_issued_and_what_is_shown_as_a_workbook(plant: Cast) -> None:
    """Three bearings went out for order 05, and one came back."""
    with tenant_scope(A):
        order = RepairOrder.objects.get(order_no__endswith="05")
        part = SparePart.objects.create(spare_code="B1", spare_name="轴承")
        for number, kind in enumerate((OrderType.REPAIR, OrderType.MAINTENANCE)):
            request = SpareUseLog.objects.create(log_no=f"LY{number}", order_type=kind, order_id=order.pk)
            SpareUseLine.objects.create(request=request, spare=part, plan_qty=5, issued_qty=3, returned_qty=1)
        RepairOrder.objects.filter(pk=order.pk).update(spare_cost=50)
    with at("12:30"):
        manager, repairer = plant.client_for("equip_manager"), plant.client_for("repairer")
        data = manager.get(f"{CALL}/repairWorkloadPage", groupBy="type", descs="spareAmount").data
        names = ("name", "spareQuantity", "spareAmount", "totalCost")
        assert [tuple(row[name] for name in names) for row in data["records"]] == [
            ("电气", 2.0, 50.0, 90.0), ("未分类", 0.0, 0.0, 0.0),
        ]  # fmt: skip
        assert (data["summary"]["spareQuantity"], data["summary"]["spareAmount"]) == (2.0, 50.0)
        # A repairer has the own row alone, and its sums.
        own = repairer.get(f"{CALL}/repairWorkloadPage").data
        assert [(row["name"], row["finished"]) for row in own["records"]] == [("蒋修", 1)]
        assert own["summary"]["reported"] == own["records"][0]["reported"] == 3
        rows = sheet(manager, "repairWorkloadExport", groupBy="type", descs="spareAmount")
        people = sheet(manager, "repairUserTimeExport", keyword="蒋")
        for call in ("repairWorkloadExport", "repairUserTimeExport"):
            assert plant.client_for("operator").get(f"{CALL}/{call}").status == 403
    titles = [column["title"] for column in data["columns"]]
    assert (rows[0], [row[0] for row in rows[1:]], rows[1][-1]) == (titles, ["电气", "未分类", "合计"], 90)
    assert [row[0] for row in people] == ["维修人员", "蒋修", "合计"]


def test_time_is_measured_against_the_shifts_of_a_person(cast: Cast) -> None:
    """甲 has 早班, 08:00 to 16:00, on the first day; who is in no plan is measured against nothing."""
    made(cast)
    operator, outside = cast.user("operator").pk, cast.user("repairer").pk
    begin = DAY.replace(month=9, day=1)
    with tenant_scope(A), clock.at(begin + timedelta(days=9)):
        found = shifts_of_people([operator, outside], begin.date(), begin.date())
    assert list(found) == [operator]
    spans = [(begin + timedelta(hours=15), begin + timedelta(hours=18))]
    assert workload._against_shifts(spans, found[operator]) == {
        "overtimeMinutes": 120, "scheduledMinutes": 480, "utilization": 37.5,
    }  # fmt: skip
    assert set(workload._against_shifts(spans, None).values()) == {None}
    with tenant_scope(A), clock.at(begin + timedelta(hours=10)):
        running = shifts_of_people([operator], begin.date(), begin.date())[operator]
    assert workload._against_shifts([], running)["scheduledMinutes"] == 120


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
