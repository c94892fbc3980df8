"""From an abnormal result to a repair order and back: one order, no doubles, and what became of it."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.models import F

from core.audit.models import Event
from core.equipment.models import Importance, Machine
from core.identity.models import Tenant
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder
from core.rounds.models import InspectOrder, InspectOrderRecord
from core.scheduling import outbox
from core.system.models import Parameter
from tests.cast import A, B, Cast
from tests.core.rounds.walking import (
    ORDERS,
    PRESSURE,
    at,
    body,
    details,
    generate,
    ok,
    orders,
    picture,
    plan,
    route,
    rule,
    submit,
)
from tests.core.shifts import planning

REPAIRS = "yuzhu-equip/repairorder"
_HEAT = {
    "itemName": "排气温度",
    "valueType": 1,
    "unit": "℃",
    "decimals": 1,
    "upper": 105,
    "abnormalAction": 2,
    "repairUrgency": 1,
}


def _walked(cast: Cast, order: InspectOrder, day: int, **values: Any) -> Any:
    time = f"2026-09-{day:02d} 09:00:00"
    with at(time[:16]):
        return ok(submit(cast, "shift_leader", body(details(order)[0], values, time)))


def _tasks(cast: Cast) -> list[InspectOrder]:
    config, group = plan(cast), route(cast, points=1, items=(PRESSURE, _HEAT))
    with at("2026-09-01 07:00"):
        ok(generate(cast, config, "2026-09-01", "2026-09-05", rules=[rule(config, group)]))
    return [one for one in orders() if one.shift_name == "早班"]


def _repairs() -> list[RepairOrder]:
    with tenant_scope(A):
        return list(RepairOrder.objects.order_by("pk"))


def test_one_order_for_all_that_is_abnormal_and_none_twice_while_it_is_open(cast: Cast) -> None:
    first, second, third, *_rest = _tasks(cast)
    with at("2026-09-01 09:00"):
        link = picture(cast, "shift_leader")
        sent = body(details(first)[0], {"排气压力": {"value": "0.9", "images": link}, "排气温度": "100"})
        answer = ok(submit(cast, "shift_leader", sent))
    [made] = _repairs()
    assert (answer["repairOrderNo"], answer["repairOrderId"]) == (made.order_no, str(made.pk))
    assert (made.source, made.source_no, made.urgency, made.is_stop, made.description, len(made.images)) == (
        2, first.order_no, 2, False, "点检异常：排气压力0.9MPa > 上限0.8MPa", 1,
    )  # fmt: skip
    assert made.report_user_id == cast.user("shift_leader").pk
    assert made.source_id == details(first)[0].pk

    answer = _walked(cast, second, 2, 排气压力="0.95", 排气温度="110")
    [made] = _repairs()
    assert (answer["repairOrderNo"], made.found_again, made.urgency) == (made.order_no, 1, 1)
    with tenant_scope(A):
        events = list(Event.objects.filter(business_type="repairorder", business_id=made.pk).order_by("pk"))
        assert [one.operation for one in events] == ["repairorder.save", "repairorder.foundAgain"]
        assert (events[0].from_status, events[0].to_status, events[0].effects) == (None, 1, ["repairorder.reported"])
        own = Event.objects.filter(business_type="inspectorder", business_id=first.pk).get()
        assert (own.operation, own.from_status, own.to_status, own.effects) == ("inspectorder.point", 1, 3, [])
        linked = InspectOrderRecord.objects.filter(repair_order_id=made.pk).count()
        assert linked == 3
    logs = ok(cast.client_for("equip_manager").get(f"{REPAIRS}/detail", id=str(made.pk)))["logs"]
    assert [log["actionName"] for log in logs] == ["报修", "点检再次发现"]

    with tenant_scope(A):
        version = RepairOrder.objects.get().lock_version
    with at("2026-09-02 10:00"):
        cancel = {"id": str(made.pk), "lockVersion": version, "action": "cancel", "cancelReason": 1}
        ok(cast.client_for("repair_leader").post_json(f"{REPAIRS}/update", cancel))
    with tenant_scope(A):
        assert set(InspectOrderRecord.objects.values_list("result", "false_alarm")) == {
            (3, True), (1, False),
        }  # fmt: skip

    _walked(cast, third, 3, 排气压力="0.9", 排气温度="100")
    assert len(_repairs()) == 2


def _repair_crews(cast: Cast) -> None:
    """Two of the asset's repair team and one of another team work by day; nobody of it works at night."""
    people = {who: str(cast.user(who).pk) for who in ("repairer", "repairer2", "repairer_other")}
    crew = [
        {"teamName": "甲", "leaderId": people["repairer"], "userIds": ",".join(people.values()), "repair": 1},
        {"teamName": "乙", "leaderId": str(cast.user("repair_leader").pk), "repair": 1,
         "userIds": str(cast.user("repair_leader").pk)},
    ]  # fmt: skip
    planning.made(
        cast, configCode="P2", patternType=2, teams=crew, deptId=str(cast.user("repairer").dept_id),
        shifts=planning.shifts(*planning.TWO),
    )  # fmt: skip


def _delivered(time: str) -> list[tuple[int, str | None]]:
    """Let the worker do what waits at a time; status and technician of each order."""
    with at(time):
        while outbox.deliver_due():
            pass
    with tenant_scope(A):
        return list(RepairOrder.objects.order_by("pk").values_list("status", "repair_user__account"))


def test_an_order_of_an_inspection_goes_to_whoever_of_the_team_is_on_duty_with_the_least_to_do(cast: Cast) -> None:
    _repair_crews(cast)
    first, second, *_rest = _tasks(cast)
    answer = _walked(cast, first, 1, 排气压力="0.9", 排气温度="100")
    assert _delivered("2026-09-01 09:01") == [(2, "repairer")]
    leader = cast.client_for("repair_leader")
    logs = ok(leader.get(f"{REPAIRS}/detail", id=answer["repairOrderId"]))["logs"]
    assert [(one["action"], one["remark"]) for one in logs] == [("save", ""), ("dispatch", "系统自动派单")]
    waiting = cast.client_for("repairer").get("blade-flow/work/todo-list").data["records"]
    assert [one["node"] for one in waiting] == ["accept"]
    # The same fault again is noted at its order, which stays with its technician; another one goes to the next.
    _walked(cast, second, 2, 排气压力="0.9", 排气温度="110")
    assert _delivered("2026-09-02 09:01") == [(2, "repairer")]
    with tenant_scope(A):
        version = RepairOrder.objects.get().lock_version
        InspectOrderRecord.objects.update(repair_order_id=None)
    with at("2026-09-02 09:02"):
        ok(cast.client_for("repair_leader").post_json(f"{REPAIRS}/update", {
            "id": answer["repairOrderId"], "lockVersion": version, "action": "dispatch",
            "repairUserId": str(cast.user("repairer2").pk),
        }))  # fmt: skip
    third = orders(shift_name="早班")[2]
    _walked(cast, third, 3, 排气压力="0.9", 排气温度="100")
    assert _delivered("2026-09-03 09:01") == [(2, "repairer2"), (2, "repairer")]
    with tenant_scope(B):
        assert RepairOrder.objects.count() == 0


def test_where_nobody_of_the_team_works_or_nobody_wants_it_the_order_waits(cast: Cast) -> None:
    _repair_crews(cast)
    config, group = plan(cast), route(cast, points=1, items=(PRESSURE, _HEAT))
    with at("2026-09-01 07:00"):
        ok(generate(cast, config, "2026-09-01", "2026-09-03", rules=[rule(config, group)]))
    night = [one for one in orders() if one.shift_name == "中班"]
    with at("2026-09-01 21:00"):
        sent = body(details(night[0])[0], {"排气压力": "0.9", "排气温度": "100"}, "2026-09-01 21:00:00")
        ok(submit(cast, "shift_leader", sent))
    # By night the team of the repair leader works, who is none of the asset's own.
    assert _delivered("2026-09-01 21:01") == [(1, None)]
    assert cast.client_for("repair_leader").get("blade-flow/work/counts").data["claim"] == 1
    with tenant_scope(A):
        Parameter.objects.filter(param_key="repair.dispatch.auto").update(own_value="0")
        Tenant.objects.filter(tenant_id=A).update(rights_version=F("rights_version") + 1)
        InspectOrderRecord.objects.update(repair_order_id=None)
    morning = next(one for one in orders() if one.shift_name == "早班" and str(one.business_date) == "2026-09-02")
    with at("2026-09-02 09:00"):
        sent = body(details(morning)[0], {"排气压力": "0.9", "排气温度": "100"}, "2026-09-02 09:00:00")
        ok(submit(cast, "shift_leader", sent))
    assert _delivered("2026-09-02 09:01") == [(1, None), (1, None)]


def test_the_next_round_says_that_it_was_repaired(cast: Cast) -> None:
    first, second, *_rest = _tasks(cast)
    _walked(cast, first, 1, 排气压力="0.9", 排气温度="100")
    [made] = _repairs()
    with tenant_scope(A):
        RepairOrder.objects.update(status=6)
    with at("2026-09-02 09:00"):
        page = ok(cast.client_for("shift_leader").get(f"{ORDERS}/task", id=str(second.pk)))
    pressure, heat = page["details"][0]["items"]
    assert (pressure["repairedNo"], heat["repairedNo"]) == (made.order_no, "")
    assert [one["resultName"] for one in pressure["last"]] == ["异常"]


def test_a_refused_report_leaves_the_point_open(cast: Cast) -> None:
    first, *_rest = _tasks(cast)
    with tenant_scope(A):
        Machine.objects.filter(machine_code="M1").update(is_sealed=True, importance=Importance.ORDINARY)
    with at("2026-09-01 09:00"):
        refused = submit(cast, "shift_leader", body(details(first)[0], {"排气压力": "0.9", "排气温度": "100"}))
    assert (refused.status, refused.msg) == (400, "「车床」已封存，不能使用")
    assert (details(first)[0].status, _repairs()) == (1, [])
    assert not connection.needs_rollback
