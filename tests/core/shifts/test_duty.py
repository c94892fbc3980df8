"""Who is on duty, where people are chosen for dispatch."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from core import ports
from core.identity.models import Post, Tenant, User, UserPost
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from core.system.models import Parameter
from tests.cast import A, B, Caller, Cast
from tests.core.shifts.planning import at, made, shifts
from workflows.runtime.definitions.assignment import Fallback, Named, offers
from workflows.workbench.designer.people import called

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


def test_people_say_their_posts_and_roles_and_hide_the_middle_of_their_phone(cast: Cast) -> None:
    with tenant_scope(A):
        person = cast.user("repairer")
        User.objects.filter(pk=person.pk).update(phone="13812341234")
        post = Post.objects.create(post_code="fitter", post_name="钳工", category=3)
        UserPost.objects.create(user=person, post=post)
    leader = cast.client_for("repair_leader")
    [found] = [one for one in leader.get(USERS).data if one["account"] == "repairer"]
    assert (found["phone"], found["postName"], found["roleNames"]) == ("138****1234", "钳工", ["维修工"])
    everybody = {one["account"] for one in leader.get(USERS, role="all").data}
    assert {"viewer", "operator", "repairer", "tenant_admin"} <= everybody and len(leader.get(USERS).data) < len(
        everybody
    )
    assert leader.get(USERS, role="inspect").data == []
    assert leader.get(USERS, role="x").msg == "请求参数格式错误: role"


def _report(cast: Cast, **values: Any) -> Any:
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响很大", "force": 1, **values}
    return cast.client_for("operator").post_json("yuzhu-equip/repairorder/save", body).data


def test_a_report_goes_to_the_person_of_the_team_on_duty_with_the_least_to_do(cast: Cast) -> None:
    crew = [
        {"teamName": "甲", "leaderId": str(cast.user("repairer").pk), "repair": 1,
         "userIds": ",".join(str(cast.user(who).pk) for who in ("repairer", "repairer2", "repairer_other"))},
        {"teamName": "乙", "leaderId": str(cast.user("operator").pk), "userIds": str(cast.user("operator").pk)},
    ]  # fmt: skip
    made(
        cast, patternType=2, teams=crew, deptId=str(cast.user("repairer").dept_id),
        shifts=shifts(("白班", "08:00", "20:00"), ("夜班", "20:00", "08:00")),
    )  # fmt: skip
    with at("2026-09-02 10:00"):
        first, second, third = (_report(cast) for _ in range(3))
        assert {one["status"] for one in (first, second, third)} == {2} and first["statusName"] == "待接单"
        with tenant_scope(A):
            orders = RepairOrder.objects.order_by("pk").values_list("repair_user__account", "dispatch_user")
            assert sorted(orders[:2]) == [("repairer", None), ("repairer2", None)]
        told = cast.client_for("repair_leader").get("yuzhu-equip/repairorder/detail", id=first["id"]).data["logs"]
        assert [(one["action"], one["remark"]) for one in told] == [("save", ""), ("dispatch", "系统自动派单")]
        # Only people of the machine's own team.
        other = _report(cast, machineId=str(cast.machine("M2").pk))
        with tenant_scope(A):
            assert RepairOrder.objects.get(pk=other["id"]).repair_user_id == cast.user("repairer_other").pk
            Parameter.objects.filter(param_key="repair.dispatch.auto").update(own_value="0")
            Tenant.objects.filter(tenant_id=A).update(rights_version=F("rights_version") + 1)
        assert _report(cast)["status"] == 1
    with at("2026-09-02 21:00"):
        with tenant_scope(A):
            Parameter.objects.filter(param_key="repair.dispatch.auto").update(own_value="")
            Tenant.objects.filter(tenant_id=A).update(rights_version=F("rights_version") + 1)
        # Nobody of the team works at night.
        assert _report(cast)["status"] == 1


def test_a_step_goes_to_whoever_is_on_duty_when_it_opens(cast: Cast) -> None:
    _plan(cast)
    dept, shop = cast.user("repairer").dept_id, cast.user("operator").dept_id
    said = [
        Named("", (f"duty:{dept}",)),
        Named("", ("role:equip_manager", f"duty:{dept}")),
        Named("", (f"duty:{shop}",)),
    ]
    starter = cast.user("operator").pk
    for when, who in (("2026-09-02 10:00", "repairer_other"), ("2026-09-03 07:59", "repairer")):
        key = f"user:{cast.user(who).pk}"
        with at(when), tenant_scope(A), CaptureQueriesContext(connection) as captured:
            for is_bound in (True, False):
                one, two, none = offers(said, starter, is_bound=is_bound)
                assert one.keys == [key] and one.sole_holder() == cast.user(who).pk
                assert two.keys[-1] == key and len(two.keys) == 2
                assert none.instead == Fallback.ADMINISTRATORS
        assert len(captured) < 60
    with tenant_scope(A):
        User.objects.filter(account="repairer_other").update(is_enabled=False)
        with at("2026-09-02 10:00"):
            assert ports.on_duty([dept, shop]) == {dept: [], shop: []}
            assert called([f"duty:{dept}"]) == ["「设备部」的当班人员"]
    with at("2026-09-02 10:00"), tenant_scope(B):
        assert ports.on_duty([dept]) == {}
