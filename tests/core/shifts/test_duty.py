"""Who is on duty, where people are chosen for dispatch."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.cast import B, Caller, Cast
from tests.core.shifts.planning import at, made, shifts

USERS = "yuzhu-equip/user/machineUsers"


def _people(caller: Caller, **asked: Any) -> list[tuple[str, int, str]]:
    return [(one["userName"], one["onDuty"], one["shiftName"]) for one in caller.get(USERS, **asked).data]


def _plan(cast: Cast) -> None:
    """One technician by day and one by night, neither of whom is the first of the list otherwise."""
    crew = [
        {"teamName": name, "leaderId": str(cast.user(who).pk), "userIds": str(cast.user(who).pk), "repair": 1}
        for name, who in (("甲", "repairer_other"), ("乙", "repairer"))
    ]
    made(
        cast, patternType=2, teams=crew, deptId=str(cast.user("repairer").dept_id),
        shifts=shifts(("白班", "08:00", "20:00"), ("夜班", "20:00", "08:00")),
    )  # fmt: skip


def test_whoever_is_on_duty_comes_first_among_equals_and_says_in_which_shift(cast: Cast) -> None:
    with at("2026-09-02 10:00"):
        before = _people(cast.client_for("repair_leader"))
        assert {(duty, shift) for _name, duty, shift in before} == {(0, "")}
    _plan(cast)
    with at("2026-09-02 10:00"):
        leader = cast.client_for("repair_leader")
        assert _people(leader)[0] == ("韩修", 1, "白班")
        assert sorted(name for name, _duty, _shift in _people(leader)) == sorted(name for name, _d, _s in before)
        # The asset's own team comes before others who are on duty.
        machine = str(cast.machine("M1").pk)
        found = [name for name, _duty, _shift in _people(leader, machineId=machine)]
        assert found.index("蒋修") < found.index("韩修")
        assert _people(leader, onDuty=1) == [("韩修", 1, "白班")]
        assert _people(leader, onDuty=0) == _people(leader)
    with at("2026-09-03 07:59"):
        assert _people(cast.client_for("repair_leader"), onDuty=1) == [("蒋修", 1, "夜班")]
    with at("2026-09-03 08:00"):
        assert _people(cast.client_for("repair_leader"), onDuty=1) == [("韩修", 1, "白班")]
        assert _people(cast.client_for("repair_leader", B), onDuty=1) == []


def test_people_are_found_by_word_and_department(cast: Cast) -> None:
    leader = cast.client_for("repair_leader")
    assert [name for name, _duty, _shift in _people(leader, keyword="韩")] == ["韩修"]
    assert [name for name, _duty, _shift in _people(leader, keyword="repairer2")] == ["沈修"]
    assert _people(leader, deptId=str(cast.user("operator").dept_id)) == []
    assert len(_people(leader, deptId=str(cast.user("repairer").dept_id))) == len(_people(leader))


def test_duty_costs_three_statements_however_many_people_there_are(cast: Cast) -> None:
    with at("2026-09-02 10:00"):
        leader = cast.client_for("repair_leader")
        leader.get(USERS)
        with CaptureQueriesContext(connection) as before:
            leader.get(USERS)
    _plan(cast)
    with at("2026-09-02 10:00"):
        leader = cast.client_for("repair_leader")
        leader.get(USERS)
        with CaptureQueriesContext(connection) as after:
            leader.get(USERS)
    assert len(after) - len(before) <= 2
