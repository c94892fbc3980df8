"""The calls of the boards: exact figures of small stories, who may ask, whose rows count, and what is refused."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from core.identity.models import Department
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from core.preventive.models import MaintainOrder
from tests.cast import A, B, Cast
from tests.core.rounds.walking import GOOD, body, details, generate, ok, orders, picture, plan, route, rule, submit
from tests.core.shifts.planning import at as on
from tests.repairs import Story, at, photo
from tests.upkeep import Upkeep

CALL = "yuzhu-equip/homeMetric"


def ask(cast: Cast, call: str, who: str = "equip_manager", tenant: str = A, **given: Any) -> Any:
    """Return what a call answers."""
    return ok(cast.client_for(who, tenant).get(f"{CALL}/{call}", **given))


def test_inspection_of_a_day(cast: Cast) -> None:
    """Three tasks of two points: that of the night was not done, the morning's had an abnormal item, one is to come."""
    config, group = plan(cast), route(cast)
    with on("2026-09-01 07:00"):
        ok(generate(cast, config, "2026-09-01", "2026-09-02", rules=[rule(config, group)]))
    [first] = orders(candidates__user=cast.user("operator").pk, business_date="2026-09-01")
    with on("2026-09-01 09:00"):
        for number, detail in enumerate(details(first)):
            abnormal = {"value": "0.9", "images": [picture(cast)]}
            ok(submit(cast, "operator", body(detail, GOOD if number else {**GOOD, "排气压力": abnormal})))
    with on("2026-09-01 12:00"):
        found = ask(cast, "inspectionOverviewData")
        assert ask(cast, "inspectionOverviewData", tenant=B)["due"] == 0
        other = ask(cast, "inspectionOverviewData", deptId=str(cast.user("repairer").dept_id))
        assert (other["due"], other["itemChecked"]) == (0, 0)
    names = ("due", "done", "onTime", "missed", "pending", "completionRate", "itemChecked", "abnormal", "abnormalRate")
    assert {name: found[name] for name in names} == {
        "due": 2, "done": 1, "onTime": 1, "missed": 0, "pending": 1, "completionRate": 50.0, "itemChecked": 4,
        "abnormal": 1, "abnormalRate": 25.0,
    }  # fmt: skip
    assert (found["from"], found["to"]) == ("2026-09-01", "2026-09-01")
    assert found["trend"] == [{"date": "2026-09-01", "due": 2, "done": 1, "missed": 0, "abnormal": 1}]
    assert [(row["groupName"], row["due"], row["completionRate"]) for row in found["byGroup"]] == [("路线R1", 2, 50.0)]
    assert [(row["done"], row["avgMinutes"]) for row in found["byUser"]] == [(1, 0)]
    assert [(row["itemName"], row["times"]) for row in found["topAbnormal"]] == [("排气压力", 1)]
    with on("2026-09-03 12:00"):
        week = ask(cast, "inspectionOverviewData", startDate="2026-09-01", endDate="2026-09-03")
    assert [(day["date"], day["due"], day["done"]) for day in week["trend"]] == [
        ("2026-09-01", 3, 1), ("2026-09-02", 3, 0), ("2026-09-03", 0, 0),
    ]  # fmt: skip
    assert (week["due"], week["completionRate"]) == (6, 16.7)


def test_work_orders_of_a_year(cast: Cast) -> None:
    """One order that stopped its asset from 7:30 to 10:00, repaired from 8:00 to 10:00; and one that waits."""
    with at("8:00"):
        story = Story(cast, isStop=1, stopStart="2026-03-02 07:30:00", urgency=1)
        story.send()
    with at("10:00"):
        assert story.write_line("repairer", "08:00", "09:30").code == 200
        picture_of = photo(story, "repairer")
        story.act("repairer", "finish", stopEnd="2026-03-02 10:00:00", afterImages=[picture_of], **story.result())
        Story(cast, machine="M2")
    with at("11:00"):
        found = ask(cast, "repairWorkloadReport")
        days = ask(cast, "repairWorkloadReport", groupBy="day", month=3)
        assert ask(cast, "repairWorkloadReport", tenant=B)["total"]["reported"] == 0
    assert [row["period"] for row in found["rows"]] == [f"2026-{month:02d}" for month in range(1, 13)]
    march = found["rows"][2]
    names = (
        "from",
        "to",
        "reported",
        "finished",
        "open",
        "overdue",
        "rework",
        "stopMinutes",
        "avgRepairMinutes",
        "labourMinutes",
        "mergedMinutes",
    )
    assert {name: march[name] for name in names} == {
        "from": "2026-02-26", "to": "2026-03-25", "reported": 2, "finished": 1, "open": 2, "overdue": 0, "rework": 0,
        "stopMinutes": 150, "avgRepairMinutes": 120, "labourMinutes": 90, "mergedMinutes": 90,
    }  # fmt: skip
    assert [found["rows"][month]["reported"] for month in (0, 1, 3, 11)] == [0, 0, None, None]
    assert (found["total"]["reported"], found["total"]["open"], found["total"]["avgRepairMinutes"]) == (2, 2, 120)
    assert [(row["failures"], row["stopMinutes"]) for row in found["topMachines"]] == [(1, 150)]
    with tenant_scope(A):
        # What came back is no new failure, as in the KPIs.
        RepairOrder.objects.filter(is_stop=True).update(repeat_count=1)
    with at("11:00"):
        again = ask(cast, "repairWorkloadReport")
    assert [(row["failures"], row["stopMinutes"]) for row in again["topMachines"]] == [(0, 150)]
    assert {row["urgency"]: row["times"] for row in found["byUrgency"]} == {1: 1, 2: 0, 3: 1}
    assert (len(days["rows"]), days["rows"][0]["period"], days["rows"][4]["reported"]) == (28, "2026-02-26", 2)


def test_maintenance_of_a_reporting_month(cast: Cast) -> None:
    with at("8:00"):
        story = Upkeep(cast, need_check=False)
        story.act("repairer", "start")
    with at("10:00"):
        assert story.work("repairer", **story.whole()).code == 200
        found = ask(cast, "equipmentMaintenanceOverview")
        assert ask(cast, "equipmentMaintenanceOverview", tenant=B)["due"] == 0
    names = ("from", "to", "due", "done", "onTime", "overdue", "compliance", "planMinutes")
    assert {name: found[name] for name in names} == {
        "from": "2026-02-26", "to": "2026-03-25", "due": 1, "done": 1, "onTime": 1, "overdue": 0, "compliance": 100.0,
        "planMinutes": 60,
    }  # fmt: skip
    assert [row["month"] for row in found["trend"]][-2:] == ["2026-02", "2026-03"]
    assert len(found["trend"]) == 12
    assert [(row["levelName"], row["due"], row["onTime"]) for row in found["byLevel"]] == [("一级保养", 1, 1)]
    assert found["list"] == []


@pytest.mark.parametrize(
    ("finished", "in_time"), [("2026-03-02", 1), ("2026-03-05", 1), ("2026-03-06", 0), (None, None)]
)
def test_compliance_is_judged_by_the_first_due_date_and_its_tolerance(
    cast: Cast, finished: str | None, in_time: int | None
) -> None:
    """A month's cycle with 10 percent: three days. What is not done counts once they have passed."""
    with at("8:00"):
        story = Upkeep(cast, tolerance_percent=10)
    with tenant_scope(A):
        rows = MaintainOrder.objects.filter(pk=story.now["id"])
        rows.update(due_date=date(2026, 3, 20))  # a delay changes nothing
        if finished:
            rows.update(status=4, finish_time=f"{finished}T10:00:00+08:00")
    with on("2026-03-05 12:00"):
        early = ask(cast, "equipmentMaintenanceOverview")
        assert early["due"] == (1 if finished else 0)
    with on("2026-03-06 12:00"):
        found = ask(cast, "equipmentMaintenanceOverview")
    assert (found["due"], found["onTime"]) == (1, in_time or 0)


def test_the_figures_of_a_department_open_as_many_rows(cast: Cast) -> None:
    """A department has that of the asset below it; an order whose work is done is no longer due."""
    with tenant_scope(A):
        own = cast.machine("M1").dept_id
        above = Department.objects.create(dept_name="总厂", full_name="总厂")
        Department.objects.filter(pk=own).update(path=f"{above.path}{own}/")
    with at("8:00"):
        Story(cast, isStop=1, stopStart="2026-03-02 07:30:00")
        Upkeep(cast, code="BY1", due=date(2026, 3, 4))
        done = Upkeep(cast, code="BY2", due=date(2026, 3, 4))
        done.act("repairer", "start")
    with at("10:00"):
        assert done.work("repairer", **done.whole()).code == 200
        asked = {"deptId": str(above.pk)}
        totals, upkeep = ask(cast, "cumulativeData", **asked), ask(cast, "equipmentMaintenanceOverview", **asked)
        manager = cast.client_for("equip_manager")
        within = {"underDeptId": above.pk}

        def rows(noun: str, **filters: Any) -> int:
            total: int = ok(manager.get(f"yuzhu-equip/{noun}/list", **within, **filters))["total"]
            return total

        counted = {
            "open": (totals["repairOpen"], rows("repairorder", status="1,2,3,4,5")),
            "machines": (totals["machineTotal"], rows("inspectmachine", nodeType=4)),
            "soon": (
                upkeep["upcoming7"],
                rows("maintainorder", status="1,2", dueDate_ge="2026-03-02", dueDate_le="2026-03-09"),
            ),
        }
        assert counted["open"] == (1, 1) and counted["soon"] == (1, 1)
        assert counted["machines"][0] == counted["machines"][1] > 0
        assert rows("inspectorder") == 0
        assert [row["daysLeft"] for row in upkeep["list"]] == [2]
        within = {"underDeptId": cast.user("repairer").dept_id}
        assert rows("repairorder") == 0


def test_totals_since_the_beginning(cast: Cast) -> None:
    with at("8:00"):
        Story(cast, isStop=1, stopStart="2026-03-02 07:30:00")
        found = ask(cast, "cumulativeData")
    assert (found["repairTotal"], found["repairOpen"], found["repairFinished"]) == (1, 1, 0)
    assert found["machineStopped"] == 1
    assert (found["inspectTotal"], found["maintainTotal"], found["spareAmount"]) == (0, 0, 0.0)


def test_who_may_ask(cast: Cast) -> None:
    for call in (
        "cumulativeData", "inspectionOverviewData", "equipmentMaintenanceOverview", "repairWorkloadReport",
    ):  # fmt: skip
        assert cast.client_for("operator").get(f"{CALL}/{call}").status == 403
        assert cast.client_for("viewer").get(f"{CALL}/{call}").status == 200


@pytest.mark.parametrize(
    ("call", "given", "field"),
    [
        ("inspectionOverviewData", {"range": "decade"}, "range"),
        ("inspectionOverviewData", {"range": "custom"}, "startDate"),
        ("inspectionOverviewData", {"startDate": "2026-03-02", "endDate": "2026-03-01"}, "endDate"),
        ("inspectionOverviewData", {"deptId": "x"}, "deptId"),
        ("repairWorkloadReport", {"groupBy": "week"}, "groupBy"),
        ("repairWorkloadReport", {"year": "26"}, "year"),
        ("repairWorkloadReport", {"groupBy": "day", "month": "13"}, "month"),
    ],
)
def test_what_is_no_period_is_refused(cast: Cast, call: str, given: dict[str, str], field: str) -> None:
    answer = cast.client_for("equip_manager").get(f"{CALL}/{call}", **given)
    assert (answer.status, list(answer.data["fields"])) == (400, [field])
