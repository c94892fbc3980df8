"""The maintenance calendar: orders on their days, what lies ahead, load beside hours, and the proposal."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.inspection import due
from core.inspection.cycles import CycleUnit, Trigger
from core.inspection.due import Cycle, Due
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.preventive.models import MaintainOrder
from core.shifts.models import Cell, Plan, PlanStatus, Shift, ShiftTeam, ShiftTeamMember
from tests.cast import A, B, Cast
from tests.checksums import checksum
from tests.upkeep import Upkeep, standard

pytestmark = pytest.mark.django_db
CALL = "yuzhu-equip/maintaincalendar"
MORNING = datetime(2026, 3, 2, 0, 0, tzinfo=UTC)
MARCH = {"from": "2026-03-01", "to": "2026-03-31"}


def _table(cast: Cast, who: str = "equip_manager", tenant: str = A, **asked: Any) -> Any:
    answer = cast.client_for(who, tenant).get(f"{CALL}/table", **{**MARCH, **asked})
    assert answer.status == 200, answer
    return answer.data


def _works(cast: Cast, *days: date) -> None:
    """Let the mechanics work from 8 to 17 with an hour's break on these days."""
    with tenant_scope(A):
        plan = Plan.objects.create(
            config_code="P", config_name="常白班", dept=cast.user("repairer").dept, start_date=date(2026, 1, 1),
            status=PlanStatus.ENABLED, pattern_type=1, workday_mode=1, cycle_days=1,
        )  # fmt: skip
        shift = Shift.objects.create(
            plan=plan, shift_no=1, shift_name="白班", start_time="08:00", end_time="17:00",
            breaks=[{"start": "12:00", "end": "13:00"}],
        )  # fmt: skip
        team = ShiftTeam.objects.create(plan=plan, team_no=1, team_name="甲班", leader=cast.user("repair_leader"))
        ShiftTeamMember.objects.create(plan=plan, team=team, user=cast.user("repairer"), place=1)
        for day in days:
            Cell.objects.create(plan=plan, day=day, shift=shift, team=team)


def test_orders_and_what_lies_ahead(cast: Cast) -> None:
    with clock.at(MORNING):
        story = Upkeep(cast, cycle_value=2, cycle_unit=2, people_count=2)
        found = _table(cast)
        shown = [(row["id"], row["day"], row["status"], row["minutes"], row["mayMove"]) for row in found["orders"]]
        assert shown == [
            (story.now["id"], "2026-03-02", 1, 120, 1), (None, "2026-03-16", None, 120, 0),
            (None, "2026-03-30", None, 120, 0),
        ]  # fmt: skip
        first = found["orders"][0]
        assert (first["latestDate"], first["delayUntil"], first["machineCode"]) == ("2026-03-03", "2026-03-16", "M1")
        assert found["orders"][1]["statusName"] == "未生成"
        teams = {team["teamName"]: team["load"] for team in found["teams"]}
        assert teams["机修班"] == [0, 120, *[0] * 13, 120, *[0] * 13, 120, 0]
        assert [day["isToday"] for day in found["days"]][:3] == [0, 1, 0]
        assert _table(cast, "viewer")["orders"][0]["mayMove"] == 0
        assert _table(cast, "equip_manager", B)["orders"] == []


def test_hours_are_those_of_the_shifts_of_the_teams_people(cast: Cast) -> None:
    _works(cast, date(2026, 3, 2), date(2026, 3, 3))
    with clock.at(MORNING):
        teams = {team["teamName"]: team["hours"] for team in _table(cast)["teams"]}
    assert teams["机修班"] == [0, 480, 480, *[0] * 28]
    assert teams["电修班"] == [0] * 31


def test_a_plan_moves_the_order_within_its_limits(cast: Cast) -> None:
    with clock.at(MORNING):
        story = Upkeep(cast, cycle_value=2, cycle_unit=2)
        before = checksum(A)
        refused = story.try_to("equip_manager", "edit", planStart="2026-03-04 08:00:00", planEnd="2026-03-04 09:00:00")
        assert (refused.status, refused.data["fields"]) == (
            400, {"planStart": "计划开始不能晚于2026-03-03，再晚请延期"},
        )  # fmt: skip
        assert story.try_to("repairer", "edit", planStart="2026-03-03 08:00:00").status == 403
        assert checksum(A) == before
        story.act("equip_manager", "edit", planStart="2026-03-03 08:00:00", planEnd="2026-03-03 09:00:00")
        row = _table(cast)["orders"][0]
        assert (row["day"], row["dueDate"], row["planStart"]) == ("2026-03-03", "2026-03-02", "2026-03-03 08:00:00")


def test_the_proposal_moves_work_off_a_full_day(cast: Cast) -> None:
    days = [date(2026, 3, day) for day in (2, 3, 4, 5, 6)]
    _works(cast, *days)
    with clock.at(MORNING):
        first = Upkeep(cast, code="BY1", est_minutes=300)
        second = Upkeep(cast, code="BY2", est_minutes=200)
        before = checksum(A)
        rows = cast.client_for("equip_manager").get(f"{CALL}/proposal", **MARCH).data
        assert checksum(A) == before
        shown = ("id", "origin", "target", "minutes", "originLoad", "originAfter", "originHours", "targetLoad")
        assert [tuple(row[name] for name in shown) for row in rows] == [
            (first.now["id"], "2026-03-02", "2026-03-03", 300, 500, 200, 480, 0),
        ]  # fmt: skip
        assert (rows[0]["reason"], rows[0]["teamName"]) == ("当天负荷超过班组工时", "机修班")
        # Three days are the tolerance of a month; nobody has to be late for it.
        with tenant_scope(A):
            MaintainOrder.objects.filter(pk=int(second.now["id"])).update(status=2)
            MaintainOrder.objects.filter(pk=int(first.now["id"])).update(original_due_date=date(2026, 2, 20))
        assert cast.client_for("equip_manager").get(f"{CALL}/proposal", **MARCH).data == []


def test_what_is_accepted_is_moved_in_one_act_and_each_row_says_what_became_of_it(cast: Cast) -> None:
    with clock.at(MORNING):
        stories = [Upkeep(cast, code=f"BY{number}", est_minutes=90) for number in range(4)]
        free, planned, late, changed = stories
        planned.act("equip_manager", "edit", planStart="2026-03-02 13:30:00", planEnd="2026-03-02 15:00:00")
        changed.act("equip_manager", "edit", remark="改过")
        theirs = Upkeep(cast, code="BY9", tenant=B)

        def accept(who: str, *moves: tuple[Upkeep, int, str]) -> Any:
            body = [{"id": one.now["id"], "lockVersion": version, "target": day} for one, version, day in moves]
            return cast.client_for(who).post_json(f"{CALL}/accept", {"moves": body})

        asked = [
            (free, 1, "2026-03-03"), (planned, 2, "2026-03-03"), (late, 1, "2026-04-20"), (changed, 1, "2026-03-03"),
            (theirs, 1, "2026-03-03"),
        ]  # fmt: skip
        before = checksum(A), checksum(B)
        assert [accept(who, *asked).code for who in ("repairer", "viewer")] == [403, 403]
        assert [accept("equip_manager", *moves).code for moves in ((), asked * 13)] == [400, 400]
        assert (checksum(A), checksum(B)) == before
        said = [(row["id"], row["isMoved"], row["message"]) for row in accept("equip_manager", *asked).data]
        assert said == [
            (free.now["id"], 1, ""), (planned.now["id"], 1, ""),
            (late.now["id"], 0, "计划开始不能晚于2026-03-03，再晚请延期"),
            (changed.now["id"], 0, said[3][2]), (theirs.now["id"], 0, "数据不存在或已被删除"),
        ]  # fmt: skip
        assert said[3][2]
        found = {row["id"]: row["planStart"] for row in _table(cast)["orders"] if row["id"]}
        assert found == {
            free.now["id"]: "2026-03-03 08:00:00", planned.now["id"]: "2026-03-03 13:30:00",
            late.now["id"]: None, changed.now["id"]: None,
        }  # fmt: skip
        assert checksum(B) == before[1]
        after = checksum(A)
        again = [row["isMoved"] for row in accept("equip_manager", *asked).data]
        assert (again, checksum(A)) == ([1, 1, 0, 0, 0], after)


@pytest.mark.parametrize("asked", [{}, {"from": "2026-03-01"}, {"from": "x", "to": "y"}, {**MARCH, "to": "2026-06-01"}])
def test_a_span_that_is_none_is_refused(cast: Cast, asked: dict[str, str]) -> None:
    for call in ("table", "proposal"):
        assert cast.client_for("equip_manager").get(f"{CALL}/{call}", **asked).status == 400


def test_it_costs_the_same_with_many_orders(cast: Cast) -> None:
    counts = []
    _works(cast, date(2026, 3, 2))
    with clock.at(MORNING):
        for number in range(3):
            Upkeep(cast, code=f"N{number}")
            standard(cast, code=f"O{number}", machine="M2")
            cast.client_for("equip_manager")
            with CaptureQueriesContext(connection) as captured:
                _table(cast)
            counts.append(len(captured))
    assert counts[1] == counts[2]


def test_what_lies_ahead_by_the_meter() -> None:
    cycle = Cycle(Trigger.METER, 2, interval=due.Decimal(500))
    today = date(2026, 3, 2)
    found = due.ahead(
        cycle, Due(None, due.Decimal(1000)), today, today + timedelta(days=80), due.Decimal(900), due.Decimal(20)
    )
    assert found == [date(2026, 3, 7), date(2026, 4, 1), date(2026, 4, 26), date(2026, 5, 21)]
    both = Cycle(Trigger.FIRST, 2, 1, CycleUnit.MONTH, due.Decimal(500))
    assert due.ahead(both, Due(today), today, date(2026, 5, 1), due.Decimal(0), due.Decimal(20)) == [
        today, date(2026, 3, 27), date(2026, 4, 21),
    ]  # fmt: skip
