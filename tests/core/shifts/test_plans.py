"""Shift plans: what is refused and with which words, what an enabled plan allows, and who keeps which."""

from __future__ import annotations

from typing import Any

import pytest

from core.kernel.tenancy import tenant_scope
from core.shifts.models import Plan, Shift, ShiftTeam, ShiftTeamMember
from tests.cast import A, B, Cast
from tests.checksums import checksum
from tests.core.shifts.planning import (
    CONFIG,
    THREE,
    TWO,
    Person,
    at,
    body,
    calendar,
    count,
    detail,
    made,
    save,
    shifts,
    teams,
)


def test_a_plan_goes_in_with_its_parts_and_comes_back_whole(cast: Cast) -> None:
    plan = made(
        cast, shifts=[{**shift, "breaks": [{"start": "12:00", "end": "12:30"}]} if shift["shiftNo"] == 1 else shift
        for shift in shifts(*THREE, color="#1677FF")],
    )  # fmt: skip
    found = detail(cast.client_for("equip_manager"), plan)
    assert [
        (one["shiftNo"], one["startTime"], one["endTime"], one["crossDay"], one["minutes"]) for one in found["shifts"]
    ] == [(1, "08:00", "16:00", 0, 450), (2, "16:00", "00:00", 1, 480), (3, "00:00", "08:00", 0, 480)]
    assert [(one["teamNo"], one["teamName"], one["userNames"]) for one in found["teams"]] == [
        (1, "甲", ["秦操"]), (2, "乙", ["尤操"]), (3, "丙", ["李班"]), (4, "丁", ["蒋修"]),
    ]  # fmt: skip
    assert found["matrix"][0] == [1, 1, 2, 2, 3, 3, 0, 0]
    assert (found["cycleDays"], found["anchorDate"], found["coveredTo"]) == (8, "2026-09-01", "2026-11-02")
    # From the late shift to the night of the next day, which begins at midnight, there is no rest.
    tired = [("甲", 4), ("乙", 2), ("丙", 8), ("丁", 6)]
    assert found["warnings"] == [f"班组「{team}」第{day}天下班后休息不足8小时" for team, day in tired]
    assert (found["shiftCount"], found["teamCount"]) == (3, 4)
    (row,) = cast.client_for("viewer").get(f"{CONFIG}/list", configName="四班", status=2).data["records"]
    assert (row["id"], row["statusName"], row["patternTypeName"]) == (plan, "启用", "四班三运转")
    assert "shifts" not in row
    assert cast.client_for("equip_manager", B).get(f"{CONFIG}/detail", id=plan).status == 404


REFUSED: list[tuple[dict[str, Any], str, str, str]] = [
    ({"shifts": shifts(("短", "08:00", "08:29"))}, "shifts.0.endTime", "班次时长应在30分钟到24小时之间",
     "A shift must last between 30 minutes and 24 hours"),
    ({"shifts": shifts(*THREE[:2], ("夜班", "23:59", "08:00"))}, "shifts", "班次「中班」与「夜班」时间重叠",
     'Shifts "中班" and "夜班" overlap'),
    ({"shifts": shifts(*THREE[:2], ("夜班", "00:00", "08:01"))}, "shifts", "班次「早班」与「夜班」时间重叠", ""),
    ({"shifts": shifts(("早班", "08:00", "16:00"), breaks=[{"start": "15:45", "end": "16:15"}])},
     "shifts.0.breaks", "休息时段必须在班次时间内", "Breaks must lie within the shift"),
    ({"shifts": shifts(("早班", "08:00", "16:00"), breaks=[{"start": "07:30", "end": "08:15"}])},
     "shifts.0.breaks", "休息时段必须在班次时间内", ""),
    ({"shifts": shifts(TWO[1], breaks=[{"start": "02:00", "end": "03:00"}, {"start": "02:30", "end": "04:00"}])},
     "shifts.0.breaks", "休息时段不能重叠", "Breaks must not overlap"),
    ({"shifts": []}, "shifts", "「四班三运转」需要3个班次，班次号从1开始", ""),
    ({"endDate": "2026-08-31"}, "endDate", "结束时间必须晚于开始时间", "End must be after start"),
    ({"configName": ""}, "configName", "请输入方案名称", "Please enter shift plan"),
    ({"patternType": 9, "cycleDays": 57}, "cycleDays", "轮转周期(天)应在1到56之间", ""),
    ({"patternType": 9, "cycleDays": 2, "matrix": [[1, 2]]}, "matrix", "轮转表应有4行，每行2天", ""),
    ({"patternType": 9, "cycleDays": 1, "matrix": [[1], [2], [3], [4]]}, "matrix", "轮转表中有不存在的班次号", ""),
]  # fmt: skip


@pytest.mark.parametrize(("given", "field", "zh", "en"), REFUSED)
def test_what_is_wrong_with_a_plan_is_said_and_nothing_stored(
    given: dict[str, Any], field: str, zh: str, en: str, cast: Cast
) -> None:
    before = checksum(A)
    answer = save(cast, **given)
    assert (answer.status, answer.data["fields"]) == (400, {field: zh}), answer
    assert checksum(A) == before
    if en:
        english = cast.client_for("equip_manager").in_english().post_json(f"{CONFIG}/submit", body(cast, **given))
        assert english.msg.lower() == en.lower()


def test_one_person_is_in_one_team_of_a_plan(cast: Cast) -> None:
    crews = teams(cast, "甲乙丙丁")
    crews[2]["userIds"] = f"{crews[2]['userIds']},{crews[0]['userIds']}"
    answer = save(cast, teams=crews)
    assert (answer.status, answer.data["fields"]) == (400, {"teams": "「秦操」已在班组「甲」中"})
    crews[2]["userIds"] = ""
    assert save(cast, teams=crews).data["fields"] == {"teams.2.userIds": "请选择成员"}
    crews[2]["userIds"] = crews[2]["leaderId"] = str(cast.user("operator", B).pk)
    assert save(cast, teams=crews).data["fields"] == {"teams": "数据不存在或已被删除"}
    crews = teams(cast, "甲乙甲丁")
    assert save(cast, teams=crews).data["fields"] == {"teams": "班组名称「甲」已存在"}
    assert save(cast, teams=teams(cast, "甲乙丙")).data["fields"] == {"teams": "「四班三运转」需要4个班组"}
    with tenant_scope(A):
        assert (Plan.objects.count(), ShiftTeamMember.objects.count()) == (0, 0)


def test_two_enabled_plans_of_a_department_do_not_overlap(cast: Cast) -> None:
    first = made(cast, endDate="2026-12-31")
    answer = save(cast, configCode="P2", startDate="2026-12-31")
    assert (answer.status, answer.msg) == (409, "部门「机加车间」在该日期段已有启用的排班方案")
    other = made(cast, configCode="P2", startDate="2026-12-31", status=1)
    admin = Person(cast, "equip_manager")
    with at("2026-09-01 10:00"):
        assert admin.change(CONFIG, {"id": other, "status": 2}).status == 409
        assert admin.change(CONFIG, {"id": other, "status": 2, "startDate": "2027-01-01"}).status == 200
        assert admin.change(CONFIG, {"id": first, "endDate": "2027-01-01"}).status == 409
        # Of another department, or as a disabled one, it may be at the same time.
        assert admin.change(CONFIG, {"id": other, "status": 3, "startDate": "2026-09-01"}).status == 200
    repair = str(cast.user("repairer").dept_id)
    assert save(cast, configCode="P3", deptId=repair).status == 200


def test_an_enabled_plan_becomes_no_draft_and_a_draft_may_be_unfinished(cast: Cast) -> None:
    plan = made(cast, status=1, shifts=[], teams=[], patternType=9)
    admin = Person(cast, "equip_manager")
    with at("2026-09-01 10:00"):
        answer = admin.change(CONFIG, {"id": plan, "status": 2})
        assert (answer.status, answer.data["fields"]) == (400, {"shifts": "请添加班次"})
        enabled = {"id": plan, "status": 2, "shifts": shifts(*TWO), "teams": teams(cast, "甲乙"), "patternType": 2}
        assert admin.change(CONFIG, enabled).status == 200
        answer = admin.change(CONFIG, {"id": plan, "status": 1})
    assert answer.data["fields"] == {"status": "当前状态为「启用」，不能改为草稿"}


def test_the_shifts_of_an_enabled_plan_change_from_tomorrow_on(cast: Cast) -> None:
    plan, admin = made(cast), Person(cast, "equip_manager")
    before = calendar(plan, "2026-09-01", "2026-09-09")
    changed = detail(admin, plan)["shifts"]
    changed[0]["startTime"], changed[2]["endTime"] = "07:30", "07:30"
    with at("2026-09-05 10:00"):
        missing = admin.change(CONFIG, {"id": plan, "shifts": changed})
        assert missing.data["fields"] == {"effectiveDate": "请选择生效日期"}
        early = admin.change(CONFIG, {"id": plan, "shifts": changed, "effectiveDate": "2026-09-05"})
        assert early.data["fields"] == {"effectiveDate": "启用的排班方案修改班次或轮转，生效日期不能早于明天"}
        assert calendar(plan, "2026-09-01", "2026-09-09") == before
        given = {"id": plan, "shifts": changed, "effectiveDate": "2026-09-07"}
        assert admin.change(CONFIG, given).status == 200
        on = {
            day: [(one["startTime"], one["endAt"][11:16]) for one in _shift_list(admin, plan, day)]
            for day in ("2026-09-06", "2026-09-07")
        }
    assert on == {
        "2026-09-06": [("08:00", "16:00"), ("16:00", "00:00"), ("00:00", "08:00")],
        "2026-09-07": [("07:30", "16:00"), ("16:00", "00:00"), ("00:00", "07:30")],
    }
    # Who works is what the rotation said before, since it has not changed.
    assert calendar(plan, "2026-09-01", "2026-09-09") == before
    with tenant_scope(A):
        assert Shift.objects.filter(plan=plan).count() == 5


def _shift_list(caller: Any, plan: str, day: str) -> Any:
    return caller.get(f"{CONFIG}/getShiftList", id=plan, date=day).data


def test_a_change_of_the_same_day_replaces_the_one_before(cast: Cast) -> None:
    plan, admin = made(cast), Person(cast, "equip_manager")
    with at("2026-09-05 10:00"):
        for start in ("07:00", "07:30"):
            changed = detail(admin, plan)["shifts"]
            changed[0]["startTime"], changed[2]["endTime"] = start, start
            given = {"id": plan, "shifts": changed, "effectiveDate": "2026-09-07"}
            assert admin.change(CONFIG, given).status == 200
        found = [(one["startTime"]) for one in _shift_list(admin, plan, "2026-09-07")]
    assert found == ["07:30", "16:00", "00:00"]
    with tenant_scope(A):
        assert Shift.objects.filter(plan=plan).count() == 5


def test_another_rotation_makes_the_pattern_anew_and_leaves_the_past(cast: Cast) -> None:
    plan, admin = made(cast), Person(cast, "equip_manager")
    before = calendar(plan, "2026-09-01", "2026-09-06")
    with at("2026-09-05 10:00"):
        given = {"id": plan, "anchorDate": "2026-09-07", "effectiveDate": "2026-09-07"}
        assert admin.change(CONFIG, given).status == 200
    assert calendar(plan, "2026-09-01", "2026-09-06") == before
    assert calendar(plan, "2026-09-07", "2026-09-07") == {"09-07": ["早班甲", "中班乙", "夜班丙"]}
    assert count(plan)[0] == 67 * 3


def test_a_name_or_a_member_changes_at_once_and_the_past_keeps_its_people(cast: Cast) -> None:
    plan, admin = made(cast), Person(cast, "equip_manager")
    crews = detail(admin, plan)["teams"]
    crews[0]["userIds"] = str(cast.user("repairer2").pk)
    with at("2026-09-03 10:00"):
        assert admin.change(CONFIG, {"id": plan, "teams": crews}).status == 200
        people = {
            day: [name for one in _shift_list(admin, plan, day) for team in one["teams"]
                  if team["teamName"] == "甲" for name in team["userNames"]]
            for day in ("2026-09-02", "2026-09-03")
        }  # fmt: skip
    assert people == {"2026-09-02": ["秦操"], "2026-09-03": ["沈修"]}


def test_a_disabled_plan_keeps_what_was_worked_and_is_made_anew_when_enabled(cast: Cast) -> None:
    plan, admin = made(cast), Person(cast, "equip_manager")
    with at("2026-09-03 10:00"):
        assert admin.change(CONFIG, {"id": plan, "status": 3}).status == 200
    assert [str(day) for day in count(plan)[1:]] == ["2026-09-01", "2026-09-03"]
    with at("2026-09-10 10:00"):
        assert admin.change(CONFIG, {"id": plan, "status": 2}).status == 200
    assert [str(day) for day in count(plan)[1:]] == ["2026-09-01", "2026-11-11"]
    # Nobody has worked by it in between.
    assert list(calendar(plan, "2026-09-02", "2026-09-11")) == ["09-02", "09-03", "09-10", "09-11"]


def test_a_plan_is_removed_with_its_calendar_out_of_sight(cast: Cast) -> None:
    plan, admin = made(cast), Person(cast, "equip_manager")
    assert cast.client_for("shift_leader").post_json(f"{CONFIG}/remove", ids=plan).status == 403
    assert admin.post_json(f"{CONFIG}/remove", ids=plan).status == 200
    assert admin.get(f"{CONFIG}/schedulingDetail", id=plan).status == 404
    assert save(cast).status == 200


@pytest.mark.parametrize(
    ("who", "given", "status"),
    [
        ("tenant_admin", {}, 200),
        ("equip_manager", {}, 200),
        ("viewer", {}, 403),
        ("operator", {}, 403),
        ("shift_leader", {}, 403),
        ("repair_leader", {}, 403),
    ],
)
def test_who_makes_a_plan(who: str, given: dict[str, Any], status: int, cast: Cast) -> None:
    answer = save(cast, who, **given)
    assert answer.status == status, answer
    with tenant_scope(A):
        assert Plan.objects.count() == (1 if status == 200 else 0)


def test_a_repair_leader_keeps_plans_of_repair_teams_alone(cast: Cast) -> None:
    repair = str(cast.user("repair_leader").dept_id)
    crews = teams(cast, "甲乙丙丁", repair=1)
    answer = save(cast, "repair_leader", deptId=repair, teams=crews)
    assert answer.status == 200, answer
    leader, plan = Person(cast, "repair_leader"), str(answer.data["id"])
    mixed = detail(leader, plan)["teams"]
    mixed[0]["repair"] = 0
    with at("2026-09-01 10:00"):
        refused = leader.change(CONFIG, {"id": plan, "teams": mixed})
        assert (refused.status, refused.msg) == (403, "只能维护全部班组都是维修班组的排班方案")
        assert leader.change(CONFIG, {"id": plan, "remark": "夏令"}).status == 200
    other = made(cast, configCode="P2")
    before = checksum(A)
    for answer in (
        leader.change(CONFIG, {"id": other, "remark": "夏令"}),
        leader.post_json(f"{CONFIG}/remove", ids=other),
    ):
        assert answer.status == 403, answer
    assert checksum(A) == before


def test_whoever_works_in_a_plan_sees_it_and_others_do_not(cast: Cast) -> None:
    plan = made(cast)
    for who, seen in (("operator", 1), ("repairer", 1), ("repairer2", 0), ("shift_leader", 1), ("viewer", 1)):
        assert cast.client_for(who).get(f"{CONFIG}/list").data["total"] == seen, who
        assert (cast.client_for(who).get(f"{CONFIG}/detail", id=plan).status == 200) == bool(seen)


def test_the_parts_of_another_company_are_missing(cast: Cast) -> None:
    theirs = save(cast, tenant=B)
    assert theirs.status == 200
    with tenant_scope(B):
        shift = str(Shift.objects.first().pk)
        team = str(ShiftTeam.objects.first().pk)
    before = checksum(A)
    rows = shifts(*THREE)
    rows[0]["shiftId"] = shift
    assert save(cast, shifts=rows).data["fields"] == {"shifts": "数据不存在或已被删除"}
    crews = teams(cast, "甲乙丙丁")
    crews[0]["teamId"] = team
    assert save(cast, teams=crews).data["fields"] == {"teams": "数据不存在或已被删除"}
    assert checksum(A) == before
