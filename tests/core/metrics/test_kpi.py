"""The KPI report: equal to a slow recount of generated plants, the records behind each figure, and who may ask."""

from __future__ import annotations

import io
import random
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from openpyxl import load_workbook

from core.equipment.models import Machine, NodeType, RestType, RunState, StateChange, Stoppage
from core.kernel import clock
from core.kernel.actor import acting, system
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from core.maintenance.models import Status as RepairStatus
from core.metrics import bad_actors, facts, freezing, kpi
from core.preventive.models import MaintainOrder
from core.preventive.models import Status as MaintainStatus
from core.rounds.models import DetailStatus, InspectOrderDetail, OrderStatus
from core.system.models import Parameter
from core.system.periods import Period, reporting_month
from tests.cast import A, B, Cast
from tests.core.metrics.test_machine_time import ZONE
from tests.core.rounds.walking import details, generate, ok, orders, plan, route, rule
from tests.core.shifts.planning import at as on
from tests.repairs import at
from tests.upkeep import Upkeep

CALL = "yuzhu-equip/kpi"
SEPTEMBER = Period(date(2026, 8, 26), date(2026, 9, 25))
"""The reporting month."""
BEGIN, END = datetime(2026, 8, 26, tzinfo=ZONE), datetime(2026, 9, 26, tzinfo=ZONE)
AFTER = "2026-10-20 12:00"
STEP = timedelta(minutes=15)
"""Stoppages begin and end at full quarters of an hour, which are what is counted."""


def copy(row: Any, **values: Any) -> Any:
    """Store a row like this one."""
    fields = {one.attname: getattr(row, one.attname) for one in row._meta.concrete_fields if not one.primary_key}
    return type(row).objects.create(**{**fields, **values})


def generated(cast: Cast, seed: int) -> list[Machine]:
    """Make a small plant of this seed: six assets, two of them with a component, and what happened around a month."""
    chance = random.Random(seed)
    config, group = plan(cast), route(cast)
    with on("2026-09-01 07:00"):
        ok(generate(cast, config, "2026-09-01", rules=[rule(config, group)]))
    task = orders()[0]
    point = details(task)[0]
    with at("8:00"):
        order = Upkeep(cast, tolerance_percent=10)
    line, part = cast.machine("M1"), cast.machine("M1-SPINDLE")
    dept = cast.user("repairer").dept_id

    def moment(before: int = 2, after: int = 2) -> datetime:
        return BEGIN + STEP * chance.randrange(-before * 96, (END - BEGIN) // STEP + after * 96)

    with tenant_scope(A):
        upkeep = MaintainOrder.objects.get(pk=order.now["id"])
        machines, nodes = [], []
        for number in range(6):
            since = BEGIN.date() + timedelta(days=chance.choice((-90, -90, 7)))
            until = END.date() - timedelta(days=5) if chance.random() < 0.2 else None
            machines.append(
                Machine.objects.create(
                    node_type=NodeType.MACHINE, machine_code=f"K{number}", machine_name=f"冲床{number}", dept_id=dept,
                    type_id=line.type_id if number % 2 else cast.machine("M2").type_id, parent_id=line.parent_id,
                    in_service_date=since, scrap_date=until,
                )
            )  # fmt: skip
        for number in range(2):
            nodes.append(
                Machine.objects.create(
                    node_type=NodeType.COMPONENT, machine_code=f"K{number}-P", machine_name="滑块", dept_id=dept,
                    type_id=part.type_id, parent=machines[number],
                )
            )  # fmt: skip
        for number in range(60):
            begin = moment()
            Stoppage.objects.create(
                machine=chance.choice(machines), rest_no=f"K{number}", start_time=begin,
                rest_type=chance.choice((RestType.BREAKDOWN, RestType.BREAKDOWN, *RestType)),
                end_time=None if number == 0 else begin + STEP * chance.randrange(1, 200),
            )  # fmt: skip
        StateChange.objects.create(
            machine=machines[2], state_before=1, state_after=RunState.DISABLED, change_date=date(2026, 9, 3)
        )
        StateChange.objects.create(
            machine=machines[2], state_before=RunState.DISABLED, state_after=1, change_date=date(2026, 9, 5)
        )
        for number in range(80):
            machine, begin = chance.choice((*machines, *nodes)), moment()
            until = begin + STEP * chance.randrange(1, 330)
            is_done, stops = chance.random() < 0.8, chance.random() < 0.7
            RepairOrder.objects.create(
                order_no=f"KW{number}", machine=machine, dept_id=dept, description="异响", title=f"异响{number}",
                report_time=begin, is_stop=stops, stop_start=begin if stops else None,
                stop_end=until if stops and is_done else None, finish_time=until if is_done else None,
                repair_seconds=chance.randrange(60, 90_000) if is_done else None,
                status=chance.choice((RepairStatus.CLOSED, RepairStatus.CLOSED, RepairStatus.CANCELLED))
                if is_done else RepairStatus.REPAIRING,
                repeat_count=chance.choice((0, 0, 0, 1)), labour_cost=chance.randrange(0, 900),
                spare_cost=Decimal(chance.randrange(0, 90_000)) / 100, outsource_cost=chance.choice((0, 0, 250)),
                other_cost=chance.choice((0, 10)),
            )  # fmt: skip
        for number in range(40):
            due = moment(20, 10).date()
            ended = chance.choice((None, 0, 1, 2, 3, 4, 5, -3))
            end = None if ended is None else datetime(due.year, due.month, due.day, 10, tzinfo=ZONE)
            copy(
                upkeep, order_no=f"KB{number}", gen_key="", machine_id=chance.choice((*machines, *nodes)).pk,
                config_id=upkeep.config_id, due_date=due, original_due_date=due,
                finish_time=None if end is None else end + timedelta(days=ended or 0),
                status=chance.choice((MaintainStatus.DONE, MaintainStatus.DONE, MaintainStatus.CANCELLED))
                if ended is not None else MaintainStatus.CANCELLED if number % 2 else MaintainStatus.DONE,
                labour_cost=chance.randrange(0, 300), spare_cost=Decimal("12.35"), other_cost=chance.choice((0, 5)),
            )  # fmt: skip
        for number in range(60):
            day = moment().date()
            end = datetime(day.year, day.month, day.day, 16, tzinfo=ZONE)
            owner = copy(
                task, order_no=f"KT{number}", business_date=day, plan_end=end, plan_start=end - timedelta(hours=8),
                deadline=end + timedelta(days=chance.choice((0, 60)), hours=1), gen_key=f"kpi:{number}",
                status=chance.choice(
                    (
                        OrderStatus.DONE, OrderStatus.DONE, OrderStatus.MISSED, OrderStatus.EXEMPT,
                        OrderStatus.IN_PROGRESS,
                    )
                ),
            )  # fmt: skip
            for machine in chance.sample((*machines, *nodes), 3):
                checked = end + timedelta(minutes=chance.choice((-30, -1, 0, 1, 90)))
                copy(
                    point, order_id=owner.pk, machine_id=machine.pk, client_id=None, client_time=checked,
                    submit_time=checked, status=chance.choice((2, 2, 2, 3, 4, 5)),
                )  # fmt: skip
    return machines


def recount(machines: list[Machine]) -> dict[int, dict[str, Any]]:
    """Count the month of these assets again, row by row and quarter of an hour by quarter of an hour."""
    stops, failures = list(Stoppage.objects.all()), list(RepairOrder.objects.select_related("machine"))
    upkeeps = list(MaintainOrder.objects.select_related("machine"))
    points = list(InspectOrderDetail.objects.select_related("machine", "order"))
    found = {}
    for machine in machines:
        up = down = 0
        now = BEGIN
        mine = [one for one in stops if one.machine_id == machine.pk]
        while now < END:
            day = now.date()
            serves = machine.in_service_date <= day and (machine.scrap_date is None or day < machine.scrap_date)
            if serves:
                kinds = {one.rest_type for one in mine if one.start_time <= now < (one.end_time or END)}
                off = machine.machine_code == "K2" and date(2026, 9, 3) <= day < date(2026, 9, 5)
                if kinds - {RestType.BREAKDOWN} or off:
                    pass
                elif kinds:
                    down += 15
                else:
                    up += 15
            now += STEP
        real = [one for one in failures if one.machine_id == machine.pk and one.status != RepairStatus.CANCELLED]
        real = [one for one in real if one.is_stop and one.repeat_count == 0]
        began = [one for one in real if one.stop_start and BEGIN <= one.stop_start < END]
        chains: list[set[int]] = []
        for one in began:
            met = {one.pk}
            for other in began:
                if other.stop_start < (one.stop_end or END) and one.stop_start < (other.stop_end or END):
                    met.add(other.pk)
            joined = [chain for chain in chains if chain & met]
            chains = [chain for chain in chains if not chain & met] + [met.union(*joined)]
        ended = [one for one in real if one.finish_time and BEGIN <= one.finish_time < END]

        def below(row: Any, pk: int = machine.pk) -> bool:
            return pk in (row.machine_id, row.machine.parent_id)

        repair_cost = sum(
            one.labour_cost + one.spare_cost + one.outsource_cost + one.other_cost
            for one in failures
            if below(one) and one.status != RepairStatus.CANCELLED and BEGIN <= (one.finish_time or END) < END
        )
        upkeep_cost = sum(
            one.labour_cost + one.spare_cost + one.other_cost
            for one in upkeeps
            if below(one) and one.status == MaintainStatus.DONE and BEGIN <= (one.finish_time or END) < END
        )
        due = [
            one
            for one in upkeeps
            if below(one)
            and one.status != MaintainStatus.CANCELLED
            and SEPTEMBER.first <= one.original_due_date <= SEPTEMBER.last
        ]
        in_time = [
            one
            for one in due
            if one.finish_time and one.finish_time.astimezone(ZONE).date() <= one.original_due_date + timedelta(days=3)
        ]
        looked = [
            one
            for one in points
            if below(one)
            and SEPTEMBER.first <= one.order.business_date <= SEPTEMBER.last
            and (
                one.order.status in (OrderStatus.DONE, OrderStatus.MISSED)
                or (one.order.status == OrderStatus.IN_PROGRESS and one.order.deadline < END)
            )
            and one.status in (DetailStatus.CHECKED, DetailStatus.MISSED, DetailStatus.SKIPPED)
        ]
        good = [one for one in looked if one.status == DetailStatus.CHECKED and one.client_time <= one.order.plan_end]
        seconds = sum(one.repair_seconds for one in ended)
        found[machine.pk] = {
            "upMinutes": up, "downMinutes": down, "failures": len(chains), "repaired": len(ended),
            "mttrMinutes": int(seconds / len(ended) / 60 + 0.5) if ended else None,
            "mtbfHours": round(up / 60 / len(chains) + 1e-9, 1) if chains else None,
            "availability": int(up * 1000 / (up + down) + 0.5) / 10 if up + down else None,
            "repairCost": float(repair_cost), "maintainCost": float(upkeep_cost),
            "totalCost": float(repair_cost + upkeep_cost), "maintainDue": len(due), "maintainOnTime": len(in_time),
            "inspectDue": len(looked), "inspectOnTime": len(good), "_seconds": seconds,
        }  # fmt: skip
    return found


def together(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Add numerators and denominators, and divide then."""
    sums: dict[str, Any] = {
        name: sum(row[name] for row in rows)
        for name in rows[0]
        if name not in ("mttrMinutes", "mtbfHours", "availability")
    }
    up, down = sums["upMinutes"], sums["downMinutes"]
    for name in ("repairCost", "maintainCost", "totalCost"):
        sums[name] = round(sums[name], 2)
    sums["mttrMinutes"] = int(sums["_seconds"] / sums["repaired"] / 60 + 0.5) if sums["repaired"] else None
    sums["mtbfHours"] = round(up / 60 / sums["failures"] + 1e-9, 1) if sums["failures"] else None
    sums["availability"] = int(up * 1000 / (up + down) + 0.5) / 10 if up + down else None
    return sums


BEHIND = {
    "failures": "failures", "repaired": "repaired", "maintainDue": "maintainDue", "maintainOnTime": "maintainOnTime",
    "inspectDue": "inspectDue", "inspectOnTime": "inspectOnTime",
}  # fmt: skip
"""By figure the number that its records are."""


@pytest.mark.parametrize("seed", [7, 21, 63])
def test_the_report_equals_a_slow_recount_and_so_do_its_records(cast: Cast, seed: int) -> None:
    machines = generated(cast, seed)
    with tenant_scope(A):
        counted = recount(machines)
    with on(AFTER):
        caller = cast.client_for("equip_manager")
        asked: dict[str, Any] = {"year": 2026, "month": 9, "keyword": "冲床", "size": 50}
        data = caller.get(f"{CALL}/report", **asked).data
        found = {int(row["key"]): row for row in data["records"]}
        shown = [name for name in next(iter(counted.values())) if not name.startswith("_")]
        for pk, row in counted.items():
            expected = {name: row[name] for name in shown}
            assert {name: found[pk][name] for name in shown} == expected, found[pk]["name"]
        whole = together(list(counted.values()))
        assert {name: data["summary"][name] for name in shown} == {name: whole[name] for name in shown}
        by_type = caller.get(f"{CALL}/report", **asked, groupBy="type").data["records"]
        for row in by_type:
            mine = together([counted[one.pk] for one in machines if str(one.type_id) == row["key"]])
            assert {name: row[name] for name in shown} == {name: mine[name] for name in shown}
        (month,) = [
            row
            for row in caller.get(f"{CALL}/report", **asked, groupBy="month").data["records"]
            if row["key"] == "2026-09"
        ]
        assert {name: month[name] for name in shown} == {name: whole[name] for name in shown}

        # The records behind each figure of the sum and of one asset: their number, and what they add.
        for key, row in (("", data["summary"]), (data["records"][0]["key"], data["records"][0])):
            for figure, name in BEHIND.items():
                page = caller.get(f"{CALL}/records", **{**asked, "size": 200}, figure=figure, key=key).data
                assert (page["total"], len(page["records"])) == (row[name], min(row[name], 200)), figure
            for figure in ("repairCost", "maintainCost", "totalCost"):
                page = caller.get(f"{CALL}/records", **{**asked, "size": 200}, figure=figure, key=key).data
                assert round(sum(one["amount"] for one in page["records"]), 2) == row[figure]
            page = caller.get(f"{CALL}/records", **{**asked, "size": 200}, figure="down", key=key).data
            assert sum(one["minutes"] for one in page["records"]) == row["downMinutes"]


@pytest.mark.parametrize("seed", [7, 63])
def test_twelve_months_at_once_are_each_month_alone(cast: Cast, seed: int) -> None:
    machines = generated(cast, seed)
    with on(AFTER), tenant_scope(A):
        each = [reporting_month(2026, month) for month in range(1, 13)]
        alone = [facts.of(machines, period, clock.now(), points=True) for period in each]
        assert facts.of_each(machines, each, clock.now(), points=True) == alone
    assert sum(told.facts != facts.Facts() for found in alone for told in found.values()) > len(machines)


def test_twelve_months_cost_as_many_statements_as_one(cast: Cast) -> None:
    generated(cast, 7)
    with on(AFTER):
        manager = cast.client_for("equip_manager")
        manager.get(f"{CALL}/report")
        one = statements(lambda: manager.get(f"{CALL}/report", groupBy="dept"))
        assert statements(lambda: manager.get(f"{CALL}/report", groupBy="month")) <= one
        # And those of the faults that came back.
        assert statements(lambda: manager.get(f"{CALL}/badActors")) <= one + 4


def statements(call: Any) -> int:
    """Count the statements of a call."""
    with CaptureQueriesContext(connection) as captured:
        assert call().status == 200
    return len(captured)


def test_who_may_ask_whose_assets_count_and_what_is_refused(cast: Cast) -> None:
    with tenant_scope(A):
        line = cast.machine("M1")
        more = [
            Machine(
                pk=900_000 + number, node_type=NodeType.MACHINE, machine_code=f"Q{number}", machine_name=f"泵{number}",
                dept_id=cast.user("repairer").dept_id, type_id=line.type_id, path=f"/{900_000 + number}/",
            )
            for number in range(30)
        ]  # fmt: skip
    with on(AFTER):
        manager, leader = cast.client_for("equip_manager"), cast.client_for("shift_leader")
        manager.get(f"{CALL}/report")
        before = statements(lambda: manager.get(f"{CALL}/report", groupBy="dept"))
        with tenant_scope(A):
            Machine.objects.bulk_create(more)
        assert statements(lambda: manager.get(f"{CALL}/report", groupBy="dept")) == before
        names = {row["name"] for row in manager.get(f"{CALL}/report", size=200).data["records"]}
        assert {"车床", "泵0"} <= names
        # The shift leader sees the own department alone, and another company nothing of this one.
        assert {row["name"] for row in leader.get(f"{CALL}/report", size=200).data["records"]} == {"车床", "磨床"}
        foreign = cast.client_for("equip_manager", B).get(f"{CALL}/report", size=200, key=str(line.pk)).data
        assert str(line.pk) not in {row["key"] for row in foreign["records"]}
        for call in ("report", "export", "records"):
            assert cast.client_for("operator").get(f"{CALL}/{call}", figure="down").status == 403
        for call, given, field in (
            ("report", {"groupBy": "moon"}, "groupBy"),
            ("report", {"year": "2026", "month": "13"}, "month"),
            ("export", {"startDate": "2026-09-02", "endDate": "2026-09-01"}, "endDate"),
            ("records", {"figure": "upMinutes"}, "figure"),
            ("records", {"figure": "down", "groupBy": "month", "key": "2026-x"}, "month"),
        ):
            answer = manager.get(f"{CALL}/{call}", **given)
            assert (answer.status, list(answer.data["fields"])) == (400, [field])
        # Of an asset that the leader does not see there are no records either.
        assert leader.get(f"{CALL}/records", figure="down", key=str(more[0].pk)).data["total"] == 0
        page = manager.get(f"{CALL}/report", descs="name", size=2, current=2, keyword="泵").data
        assert ([row["name"] for row in page["records"]], page["total"]) == (["泵7", "泵6"], 30)
        asked = {"descs": "name", "keyword": "泵"}
        file = Client().get(f"/api/{CALL}/export", asked, headers=manager._headers()).content
    rows = [list(row) for row in load_workbook(io.BytesIO(file)).active.values]  # type: ignore[union-attr]
    assert (rows[0][:2], rows[1][0], len(rows), rows[-1][0]) == (["设备", "设备编号"], "泵9", 32, "合计")


def test_a_frozen_month_does_not_move(cast: Cast) -> None:
    """September is frozen nine days after its end; then its rows are changed in every way that would move it."""
    machines = generated(cast, 7)
    with tenant_scope(A):
        Machine.objects.update(create_time=datetime(2026, 8, 27, tzinfo=ZONE))
    asked: dict[str, Any] = {"year": 2026, "month": 9, "size": 50}

    def freeze() -> tuple[int, int]:
        with tenant_scope(A), acting(system(A)):
            done = freezing.freeze_tenant()
        return done.created, done.handled

    def told(**more: Any) -> Any:
        data = cast.client_for("equip_manager").get(f"{CALL}/report", **asked, **more).data
        return data["frozenOn"], [
            {name: value for name, value in row.items() if name != "frozenOn"}
            for row in (*data["records"], data["summary"])
        ]

    def behind() -> dict[str, tuple[int, list[Any]]]:
        manager = cast.client_for("equip_manager")
        given = {**asked, "size": 200}
        pages = {one: manager.get(f"{CALL}/records", **given, figure=one).data for one in kpi.FIGURES}
        return {
            one: (page["total"], [(row["no"], row["minutes"], row["amount"]) for row in page["records"]])
            for one, page in pages.items()
        }

    with on("2026-10-03 12:00"):
        # Grace has not passed; and of months from before the first asset was entered nothing is known.
        assert freeze() == (0, 0)
        assert told()[0] is None
    with on("2026-10-05 12:00"):
        before, records = told(), behind()
        assert freeze() == (1, len(before[1]) - 1)
        assert freeze() == (0, 0)
        assert (told(), behind()) == (("2026-10-05", before[1]), records)
        by_dept = told(groupBy="dept")
    with tenant_scope(A):
        RepairOrder.objects.update(spare_cost=99_999, repair_seconds=1, status=RepairStatus.CANCELLED)
        MaintainOrder.objects.update(labour_cost=99_999, original_due_date=date(2020, 1, 1))
        InspectOrderDetail.objects.update(status=DetailStatus.EXEMPT)
        Stoppage.objects.update(start_time=BEGIN, end_time=END, is_deleted=True)
        Machine.objects.filter(pk=machines[0].pk).update(dept_id=cast.user("operator").dept_id, machine_name="改名")
        Machine.objects.filter(pk=machines[1].pk).update(is_deleted=True)
        Parameter.objects.filter(param_key="report.month.startDay").update(own_value="1")
    with on("2026-10-25 12:00"):
        freeze()
        assert told() == ("2026-10-05", before[1])
        assert told(groupBy="dept") == by_dept
        now = behind()
        assert {one: total for one, (total, _rows) in now.items()} == {
            one: total for one, (total, _rows) in records.items()
        }
        for figure in ("down", "repairCost", "maintainCost", "repaired"):
            assert [row[1:] for row in now[figure][1]] == [row[1:] for row in records[figure][1]]
        manager = cast.client_for("equip_manager")
        same = manager.get(f"{CALL}/report", startDate="2026-08-26", endDate="2026-09-25", size=50).data
        assert (same["frozenOn"], same["summary"]["totalCost"]) == ("2026-10-05", before[1][-1]["totalCost"])
        # Other days are counted anew.
        other = manager.get(f"{CALL}/report", startDate="2026-08-27", endDate="2026-09-25", size=50).data
        assert (other["frozenOn"], other["summary"]["failures"]) == (None, 0)
        months = manager.get(f"{CALL}/report", groupBy="month", size=50).data["records"]
        assert [row["key"] for row in months][:2] == ["2026-10", "2026-09"]
        september = next(row for row in months if row["key"] == "2026-09")
        assert (september["frozenOn"], september["totalCost"]) == ("2026-10-05", before[1][-1]["totalCost"])
        # The department counts that the asset had then, and whoever leads the present one sees nothing of it.
        leader = cast.client_for("shift_leader").get(f"{CALL}/report", **asked).data["records"]
        assert "冲床0" not in {row["name"] for row in leader}
        assert cast.client_for("equip_manager", B).get(f"{CALL}/report", **asked).data["frozenOn"] is None


def test_the_worst_assets_with_their_trend_and_what_came_back(cast: Cast) -> None:
    """A press failed three times in a month, twice with the same noise; a lathe once, for more money."""
    with tenant_scope(A):
        line, other = cast.machine("M1"), cast.machine("M2")
        noise, wear = cast.tag("异响").pk, cast.tag("磨损").pk

        def failed(machine: Machine, on_day: str, cost: int, symptoms: list[int], cause: int | None = None) -> None:
            begin = datetime.fromisoformat(f"{on_day}T08:00:00+08:00")
            RepairOrder.objects.create(
                order_no=f"B{on_day}", machine=machine, dept_id=machine.dept_id, description="异响", title="异响",
                report_time=begin, is_stop=True, stop_start=begin, stop_end=begin + timedelta(hours=1), status=6,
                finish_time=begin + timedelta(hours=1), repair_seconds=3600, other_cost=cost, fault_tag_ids=symptoms,
                cause_tag_id=cause,
            )  # fmt: skip
            Stoppage.objects.create(
                machine=machine, rest_no=f"B{on_day}", start_time=begin, end_time=begin + timedelta(hours=1),
                rest_type=RestType.BREAKDOWN,
            )  # fmt: skip

        failed(line, "2026-08-28", 100, [noise])
        failed(line, "2026-09-10", 100, [noise], wear)
        failed(line, "2026-10-12", 100, [noise])  # 32 days later: not within 30
        failed(other, "2026-09-11", 5000, [], wear)
    with on(AFTER):
        manager = cast.client_for("equip_manager")
        data = manager.get(f"{CALL}/badActors").data
        by_cost = manager.get(f"{CALL}/badActors", rank="totalCost").data["records"]
        alone = manager.get(f"{CALL}/badActors", machineId=other.pk).data["records"]
        year = manager.get(f"{CALL}/nextYear", machineId=other.pk).data
        elsewhere = cast.client_for("equip_manager", B).get(f"{CALL}/nextYear", machineId=other.pk).data
        assert cast.client_for("operator").get(f"{CALL}/nextYear", machineId=other.pk).status == 403
        assert manager.get(f"{CALL}/badActors", rank="luck").status == 400
        assert cast.client_for("equip_manager", B).get(f"{CALL}/badActors").data["records"] == []
        assert cast.client_for("operator").get(f"{CALL}/badActors").status == 403
    worst, second = data["records"]
    assert (worst["name"], worst["failures"], worst["downMinutes"], worst["totalCost"]) == ("车床", 3, 180, 300)
    assert [(row["failures"], row["totalCost"]) for row in worst["trend"]][-2:] == [(2, 200), (1, 100)]
    assert (second["name"], len(data["months"]), data["months"][-1]) == ("磨床", 12, "2026-10")
    assert [row["name"] for row in by_cost] == ["磨床", "车床"]
    assert [row["name"] for row in alone] == ["磨床"]
    # Of eleven complete months one cost 5,000: a year has about one of them, often none or two.
    assert second["estimate"] == {"low": 0.0, "middle": 5000.0, "high": 10_000.0, "months": 11}
    assert year == {"machineId": str(other.pk), "estimate": second["estimate"]}
    assert elsewhere["estimate"] is None
    (repeat,) = data["repeats"]
    assert (repeat["machineName"], repeat["tagName"], repeat["times"]) == ("车床", "异响", 2)
    assert [order["no"] for order in repeat["orders"]] == ["B2026-08-28", "B2026-09-10"]
    assert bad_actors.estimate([10.0] * 5) is None
    assert bad_actors.estimate([10.0] * 6) == {"low": 120.0, "middle": 120.0, "high": 120.0, "months": 6}
