"""The calendar of shift plans: made ahead, changed by hand, reset, and read by day and as a table."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.scheduling import schedule
from core.shifts import calendar as cells
from core.shifts import queries
from core.shifts.models import Cell, Plan, Shift, ShiftTeam
from core.system.models import Holiday
from tests.cast import A, B, Body, Cast
from tests.checksums import checksum
from tests.core.shifts.planning import CONFIG, NOW, TWO, Person, at, calendar, count, made, save, shifts, teams


def _ids(plan: str) -> dict[str, str]:
    """By name the ids of the shifts and the teams."""
    with tenant_scope(A):
        found = {one.shift_name: str(one.pk) for one in Shift.objects.filter(plan=plan)}
        return found | {one.team_name: str(one.pk) for one in ShiftTeam.objects.filter(plan=plan)}


def _submit(caller: Any, plan: str, changes: list[tuple[str, str, str]], **more: Any) -> Body:
    """Submit cells of days of September, each as day, shift and team."""
    known = _ids(plan)
    rows = [
        {"date": f"2026-09-{day}", "shiftId": known[shift], "teamId": known.get(team)} for day, shift, team in changes
    ]
    days = sorted(row["date"] for row in rows)
    span = {"startDate": days[0], "endDate": days[-1]} if days else {}
    answer: Body = caller.post_json(f"{CONFIG}/schedulingSubmit", {"id": plan, **span, "cells": rows, **more})
    return answer


def test_the_calendar_reaches_62_days_ahead_and_grows_by_a_day_each_day(cast: Cast) -> None:
    plan = made(cast)
    assert count(plan) == (63 * 3, date(2026, 9, 1), date(2026, 11, 2))
    assert calendar(plan, "2026-09-01", "2026-09-03") == {
        "09-01": ["早班甲", "中班乙", "夜班丙"], "09-02": ["早班甲", "中班乙", "夜班丙"],
        "09-03": ["早班丁", "中班甲", "夜班乙"],
    }  # fmt: skip
    with at("2026-09-02 00:01"):
        assert (cells.cover_all(), cells.cover_all()) == (3, 0)
    with at("2026-09-05 12:00"):
        assert (cells.cover_all(), cells.cover_all()) == (9, 0)
    assert count(plan) == (67 * 3, date(2026, 9, 1), date(2026, 11, 6))
    with tenant_scope(A):
        assert Plan.objects.get().covered_to == date(2026, 11, 6)


def test_a_scheduled_job_makes_the_calendar(cast: Cast) -> None:
    made(cast)
    with at("2026-09-02 00:01"), tenant_scope(A):
        assert schedule.jobs["shift.cover"].run() == schedule.Counts(created=3)


@pytest.mark.django_db(transaction=True)
def test_two_workers_make_no_cell_twice(cast: Cast) -> None:
    plan = made(cast)
    with tenant_scope(A):
        Cell.objects.all().delete()
        Plan.objects.update(covered_to=None)

    def work() -> None:
        try:
            with clock.at(NOW):
                cells.cover_all()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(work) for _number in range(4)]:
            done.result()
    assert count(plan) == (63 * 3, date(2026, 9, 1), date(2026, 11, 2))


def test_the_trouble_of_one_company_does_not_stop_the_others(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    made(cast)
    theirs = str(save(cast, tenant=B).data["id"])
    with tenant_scope(A):
        ours = {plan.pk for plan in Plan.objects.all()}
    whole = cells.cover

    def breaks(plan: Plan, last: date) -> int:
        if plan.pk in ours:
            raise RuntimeError("broken on purpose")
        return whole(plan, last)

    monkeypatch.setattr(cells, "cover", breaks)
    with at("2026-09-02 00:10"):
        assert cells.cover_all() == 3
    assert count(theirs, B)[2] == date(2026, 11, 3)


def test_a_plan_is_worked_on_its_days(cast: Cast) -> None:
    """Monday to Friday, or the legal workdays; days off that come later count from the next day on."""
    crew = teams(cast, "常")
    one = {"patternType": 1, "shifts": shifts(("白班", "08:00", "17:00")), "teams": crew}
    weekly = made(cast, workdayMode=2, endDate="2026-09-30", **one)
    assert count(weekly) == (22, date(2026, 9, 1), date(2026, 9, 30))
    with tenant_scope(A):
        Plan.objects.get().remove()
        Holiday.objects.create(day=date(2026, 9, 20), day_type=2, name="国庆节")
    legal = made(cast, configCode="P2", workdayMode=3, endDate="2026-09-30", **one)
    assert list(calendar(legal, "2026-09-18", "2026-09-22")) == ["09-18", "09-20", "09-21", "09-22"]
    with tenant_scope(A), at("2026-09-10 12:00"):
        Holiday.objects.create(day=date(2026, 9, 9), day_type=1, name="厂休")
        Holiday.objects.create(day=date(2026, 9, 25), day_type=1, name="中秋节")
    with at("2026-09-10 12:10"):
        cells.cover_all()
    assert list(calendar(legal, "2026-09-08", "2026-09-11")) == ["09-08", "09-09", "09-10", "09-11"]
    assert list(calendar(legal, "2026-09-24", "2026-09-28")) == ["09-24", "09-28"]


def test_a_change_by_hand_stays_whatever_the_rotation_says(cast: Cast) -> None:
    plan, admin = made(cast), Person(cast, "equip_manager")
    with at("2026-09-01 10:00"):
        answer = _submit(admin, plan, [("05", "早班", "甲"), ("05", "中班", "丙"), ("05", "夜班", "乙")])
        assert (answer.status, answer.data["changed"], answer.data["days"]) == (200, 6, 1), answer
        assert answer.data["reassignedTasks"] == 0
    changed = {"09-05": ["早班甲*", "中班丙*", "夜班乙*"]}
    assert calendar(plan, "2026-09-05", "2026-09-05") == changed
    with at("2026-09-02 10:00"):
        given = {"id": plan, "anchorDate": "2026-09-03", "effectiveDate": "2026-09-03"}
        assert admin.change(CONFIG, given).status == 200
        cells.cover_all()
    assert calendar(plan, "2026-09-04", "2026-09-06") == {
        "09-04": ["早班甲", "中班乙", "夜班丙"], **changed, "09-06": ["早班丁", "中班甲", "夜班乙"],
    }  # fmt: skip


def test_a_change_by_hand_follows_its_shift_to_new_times(cast: Cast) -> None:
    plan = made(cast, patternType=2, shifts=shifts(*TWO), teams=teams(cast, "甲乙"))
    admin = Person(cast, "equip_manager")
    with at("2026-09-01 10:00"):
        assert _submit(admin, plan, [("05", "白班", "乙"), ("05", "夜班", "甲")]).data["changed"] == 4
        changed = admin.get(f"{CONFIG}/detail", id=plan).data["shifts"]
        changed[0]["startTime"] = changed[1]["endTime"] = "07:00"
        given = {"id": plan, "shifts": changed, "effectiveDate": "2026-09-03"}
        assert admin.change(CONFIG, given).status == 200
        found = admin.get(f"{CONFIG}/getShiftList", id=plan, date="2026-09-05").data
    assert [(one["startTime"], [team["teamName"] for team in one["teams"]]) for one in found] == [
        ("07:00", ["乙"]), ("20:00", ["甲"]),
    ]  # fmt: skip


def test_a_shift_that_loses_its_team_stays_empty(cast: Cast) -> None:
    plan, admin = made(cast), Person(cast, "equip_manager")
    with at("2026-09-01 10:00"):
        answer = _submit(admin, plan, [("05", "早班", "丁"), ("05", "中班", "甲")])
        assert answer.data["warnings"] == ["2026-09-05 「夜班」没有班组", "2026-09-06 班组「甲」上班前休息不足8小时"]
        cells.cover_all()
        assert calendar(plan, "2026-09-05", "2026-09-05") == {"09-05": ["早班丁*", "中班甲*", "夜班-*"]}
        found = admin.get(f"{CONFIG}/schedulingDetail", id=plan, startDate="2026-09-05", endDate="2026-09-05").data
    (day,) = found["days"]
    assert [(one["shiftName"], one["teamName"], one["source"]) for one in day["cells"]][-1] == ("夜班", "", 2)
    assert "「夜班」没有班组" in day["warnings"]


def test_a_plan_that_is_disabled_for_a_while_keeps_days_by_hand_whole(cast: Cast) -> None:
    plan, admin = made(cast), Person(cast, "equip_manager")
    with at("2026-09-01 10:00"):
        _submit(admin, plan, [("03", "早班", "甲"), ("03", "中班", "丁"), ("03", "夜班", "乙")])
        before = calendar(plan, "2026-09-02", "2026-09-05")
        assert before["09-03"] == ["早班甲*", "中班丁*", "夜班乙"]
        assert admin.change(CONFIG, {"id": plan, "status": 3}).status == 200
        assert calendar(plan, "2026-09-02", "2026-09-05") == {"09-03": before["09-03"]}
        assert admin.change(CONFIG, {"id": plan, "status": 2}).status == 200
    assert calendar(plan, "2026-09-02", "2026-09-05") == before


def test_a_day_off_counts_though_the_rotation_is_changed_before_the_job_has_seen_it(cast: Cast) -> None:
    plan, admin = made(cast, workdayMode=3), Person(cast, "equip_manager")
    with tenant_scope(A), at("2026-09-01 10:00"):
        Holiday.objects.create(day=date(2026, 9, 4), day_type=1, name="厂休")
    with at("2026-09-01 10:01"):
        given = {"id": plan, "anchorDate": "2026-09-03", "effectiveDate": "2026-09-10"}
        assert admin.change(CONFIG, given).status == 200
    with at("2026-09-01 10:05"):
        cells.cover_all()
    assert list(calendar(plan, "2026-09-01", "2026-09-07")) == ["09-01", "09-02", "09-03", "09-07"]


def test_the_days_are_reset_to_the_rotation(cast: Cast) -> None:
    plan, admin = made(cast), Person(cast, "equip_manager")
    before = calendar(plan, "2026-09-01", "2026-09-30")
    with at("2026-09-01 10:00"):
        assert _submit(admin, plan, [("05", "早班", "甲"), ("06", "夜班", "丁")]).data["days"] == 2
        assert calendar(plan, "2026-09-01", "2026-09-30") != before
        reset = {"id": plan, "startDate": "2026-09-01", "endDate": "2026-09-30", "resetToPattern": 1}
        answer = admin.post_json(f"{CONFIG}/schedulingSubmit", reset)
    assert answer.data["days"] == 2
    assert calendar(plan, "2026-09-01", "2026-09-30") == before


def test_what_is_moved_back_by_hand_is_of_the_rotation_again(cast: Cast) -> None:
    plan, admin = made(cast), Person(cast, "equip_manager")
    before = calendar(plan, "2026-09-03", "2026-09-03")
    with at("2026-09-01 10:00"):
        _submit(admin, plan, [("03", "早班", "甲"), ("03", "中班", "丁"), ("03", "夜班", "乙")])
        assert calendar(plan, "2026-09-03", "2026-09-03") == {"09-03": ["早班甲*", "中班丁*", "夜班乙"]}
        _submit(admin, plan, [("03", "早班", "丁"), ("03", "中班", "甲"), ("03", "夜班", "乙")])
    assert calendar(plan, "2026-09-03", "2026-09-03") == before


def test_the_people_of_one_cell_stand_in_for_its_team(cast: Cast) -> None:
    plan, admin = made(cast), Person(cast, "equip_manager")
    known = _ids(plan)
    stand_in = str(cast.user("repairer2").pk)
    rows = [
        {"date": "2026-09-01", "shiftId": known["早班"], "teamId": known["甲"], "userIds": stand_in, "remark": "替班"},
        {"date": "2026-09-01", "shiftId": known["中班"], "teamId": known["乙"]},
        {"date": "2026-09-01", "shiftId": known["夜班"], "teamId": known["丙"]},
    ]
    body = {"id": plan, "startDate": "2026-09-01", "endDate": "2026-09-01", "cells": rows}
    with at("2026-09-01 10:00"):
        assert admin.post_json(f"{CONFIG}/schedulingSubmit", body).data["changed"] == 1
        assert calendar(plan, "2026-09-01", "2026-09-01") == {"09-01": ["早班甲*", "中班乙", "夜班丙"]}
        found = admin.get(f"{CONFIG}/getShiftList", id=plan).data
        assert found[0]["teams"][0]["userNames"] == ["沈修"]
        with tenant_scope(A):
            assert dict(queries.on_duty()) == {int(stand_in): "早班"}


def test_past_days_long_spans_and_wrong_cells_are_refused_and_nothing_changes(cast: Cast) -> None:
    plan, admin = made(cast, endDate="2026-12-31"), Person(cast, "equip_manager")
    known = _ids(plan)
    other = made(cast, configCode="P2", deptId=str(cast.user("repairer").dept_id))
    with tenant_scope(A):
        foreign = str(ShiftTeam.objects.filter(plan=other).first().pk)
    before = checksum(A)

    def refused(first: str, last: str, cell: dict[str, Any] | None = None, **more: Any) -> str:
        rows = [{"date": first, "shiftId": known["早班"], "teamId": known["甲"], **cell}] if cell is not None else []
        body = {"id": plan, "startDate": first, "endDate": last, "cells": rows, **more}
        with at("2026-09-10 10:00"):
            answer = admin.post_json(f"{CONFIG}/schedulingSubmit", body)
            assert answer.status == 400, answer
            return answer.msg

    assert refused("2026-09-09", "2026-09-09", {}) == "不能修改今天以前的排班"
    assert refused("2026-09-09", "2026-09-20", resetToPattern=1) == "不能修改今天以前的排班"
    assert refused("2026-09-10", "2026-11-11", {}) == "一次最多修改62天的排班"
    assert refused("2026-09-12", "2026-09-11", {}) == "结束日期不能早于开始日期"
    assert refused("2026-09-12", "2026-09-13", {"date": "2026-09-14"}) == "排班日期必须在开始日期和结束日期之间"
    assert refused("2027-01-01", "2027-01-01", {}) == "排班日期超出排班方案的起止日期"
    assert refused("2026-09-12", "2026-09-12", {"teamId": foreign}) == "数据不存在或已被删除"
    assert refused("2026-09-12", "2026-09-12", {"userIds": str(cast.user("operator", B).pk)}) == "数据不存在或已被删除"
    with at("2026-09-10 10:00"):
        twice = _submit(admin, plan, [("12", "早班", "甲"), ("12", "中班", "甲")])
        assert (twice.status, twice.msg) == (400, "班组「甲」在同一天不能排两个班次")
        long = {"id": plan, "startDate": "2026-09-01", "endDate": "2026-11-02"}
        assert admin.get(f"{CONFIG}/schedulingDetail", **long).msg == "一次最多查看62天"
        english = cast.client_for("equip_manager").in_english().get(f"{CONFIG}/schedulingDetail", **long)
        assert english.msg == "View at most 62 days at a time"
        for who, status in (("operator", 403), ("viewer", 403), ("repair_leader", 403), ("shift_leader", 200)):
            body = {"id": plan, "startDate": "2026-09-12", "endDate": "2026-09-12", "cells": []}
            answer = cast.client_for(who).post_json(f"{CONFIG}/schedulingSubmit", body)
            assert answer.status == status, (who, answer)
        theirs = cast.client_for("equip_manager", B).post_json(f"{CONFIG}/schedulingSubmit", body)
        assert theirs.status == 404
    assert checksum(A) == before


def test_at_night_the_shift_of_yesterday_may_still_be_changed(cast: Cast) -> None:
    plan = made(cast, patternType=2, shifts=shifts(*TWO), teams=teams(cast, "甲乙"))
    admin = Person(cast, "equip_manager")
    with at("2026-09-05 02:00"):
        assert _submit(admin, plan, [("04", "夜班", "甲"), ("04", "白班", "乙")]).status == 200
        assert _submit(admin, plan, [("03", "夜班", "甲"), ("03", "白班", "乙")]).status == 400
    with at("2026-09-05 08:00"):
        assert _submit(admin, plan, [("04", "夜班", "乙"), ("04", "白班", "甲")]).status == 400


def test_the_shifts_of_a_day_say_who_works_them_and_which_is_now(cast: Cast) -> None:
    """The worked example of a night shift: 2026-09-25 20:00 to 2026-09-26 08:00, 720 minutes."""
    plan = made(cast, patternType=2, shifts=shifts(*TWO), teams=teams(cast, "甲乙"))
    with at("2026-09-26 02:00"):
        operator = cast.client_for("operator")
        day, night = operator.get(f"{CONFIG}/getShiftList", id=plan).data
        assert (night["startAt"], night["endAt"], night["minutes"], night["crossDay"], night["isNow"]) == (
            "2026-09-25 20:00:00", "2026-09-26 08:00:00", 720, 1, 1,
        )  # fmt: skip
        assert (day["startAt"], day["isNow"]) == ("2026-09-25 08:00:00", 0)
        assert night["teams"] == [
            {
                "teamId": _ids(plan)["甲"], "teamName": "甲", "leaderName": "秦操",
                "userIds": str(cast.user("operator").pk), "userNames": ["秦操"],
            }
        ]  # fmt: skip
        # The caller's department has the same plan, and another department none.
        assert operator.get(f"{CONFIG}/getShiftList").data == [day, night]
        assert cast.client_for("viewer").get(f"{CONFIG}/getShiftList").data == []
        assert operator.get(f"{CONFIG}/getShiftList", id="1").status == 404
        assert operator.get(f"{CONFIG}/getShiftList", id=plan, date="2026-9").status == 400
    with at("2026-09-26 08:00"):
        found = cast.client_for("operator").get(f"{CONFIG}/getShiftList", id=plan).data
        assert [(one["startAt"][8:13], one["isNow"]) for one in found] == [("26 08", 1), ("26 20", 0)]


def test_the_table_of_a_month_has_its_days_holidays_and_counts(cast: Cast) -> None:
    plan = made(cast, shifts=shifts(("夜班", "00:00", "08:00"), ("早班", "08:00", "16:00"), ("中班", "16:00", "00:00")))
    with tenant_scope(A):
        Holiday.objects.create(day=date(2026, 9, 25), day_type=1, name="中秋节", name_en="Mid-Autumn Festival")
    with at("2026-09-10 10:00"):
        table = cast.client_for("viewer").in_english().get(f"{CONFIG}/schedulingDetail", id=plan, month="2026-09").data
        assert cast.client_for("viewer").get(f"{CONFIG}/schedulingDetail", id=plan).data["days"][24]["holidayName"] == (
            "中秋节"
        )
        before = cast.client_for("viewer").get(
            f"{CONFIG}/schedulingDetail", id=plan, startDate="2026-08-31", endDate="2026-09-01"
        ).data  # fmt: skip
    assert (len(table["days"]), table["businessDate"], table["config"]["id"]) == (30, "2026-09-10", plan)
    feast = table["days"][24]
    assert (feast["date"], feast["weekday"], feast["dayType"], feast["holidayName"], feast["isToday"]) == (
        "2026-09-25", 5, 1, "Mid-Autumn Festival", 0,
    )  # fmt: skip
    assert [one["date"] for one in table["days"] if one["isToday"]] == ["2026-09-10"]
    assert all(len(one["cells"]) == 3 and one["warnings"] == [] for one in table["days"])
    # 30 days are three cycles of 8 days with 6 of work, and 6 days more.
    assert [(one["teamName"], one["workDays"], one["minutes"], one["nightCount"]) for one in table["stats"]] == [
        ("甲", 24, 11520, 8), ("乙", 22, 10560, 6), ("丙", 22, 10560, 8), ("丁", 22, 10560, 8),
    ]  # fmt: skip
    # Before the plan begins nobody works, and the plan's own days have their cells.
    assert [[one["cellId"] is None for one in day["cells"]] for day in before["days"]] == [[], [False] * 3]


def test_a_draft_shows_the_rotation_without_cells(cast: Cast) -> None:
    plan = made(cast, status=1)
    assert count(plan) == (0, None, None)
    with at("2026-09-10 10:00"):
        days = cast.client_for("viewer").get(f"{CONFIG}/schedulingDetail", id=plan, month="2026-09").data["days"]
        assert {one["cellId"] for day in days for one in day["cells"]} == {None}
        body = {"id": plan, "startDate": "2026-09-12", "endDate": "2026-09-12", "resetToPattern": 1}
        answer = cast.client_for("equip_manager").post_json(f"{CONFIG}/schedulingSubmit", body)
        assert (answer.status, answer.msg) == (409, "排班方案未启用，不能调整排班")


def test_a_month_costs_as_many_statements_as_a_day(cast: Cast) -> None:
    plan = made(cast)
    with at("2026-09-10 10:00"):
        viewer = cast.client_for("viewer")
        viewer.get(f"{CONFIG}/schedulingDetail", id=plan, month="2026-09")
        found = []
        for last in ("2026-09-10", "2026-10-31"):
            with CaptureQueriesContext(connection) as statements:
                viewer.get(f"{CONFIG}/schedulingDetail", id=plan, startDate="2026-09-10", endDate=last)
            found.append(len(statements))
        assert found[0] == found[1] <= 16, found


def test_who_is_on_duty_is_asked_in_three_statements_over_all_plans(cast: Cast) -> None:
    made(cast)
    made(
        cast, configCode="P2", deptId=str(cast.user("repairer2").dept_id), patternType=1,
        shifts=shifts(("白班", "08:00", "17:00")),
        teams=[{"teamName": "机修", "leaderId": str(cast.user("repairer2").pk),
                "userIds": str(cast.user("repairer2").pk), "repair": 1}],
    )  # fmt: skip
    with tenant_scope(A), at("2026-09-01 09:00"):
        with CaptureQueriesContext(connection) as statements:
            found = dict(queries.on_duty())
        assert len(statements) <= 3
        assert found == {cast.user("operator").pk: "早班", cast.user("repairer2").pk: "白班"}
        assert dict(queries.on_duty(clock.now() + timedelta(hours=8))) == {cast.user("operator2").pk: "中班"}
    with tenant_scope(B), at("2026-09-01 09:00"):
        assert dict(queries.on_duty()) == {}
