"""How many statements a call costs: constant for lists, bounded for the steps of an order."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.kernel.tenancy import tenant_scope
from core.maintenance import operations
from tests.cast import A, Cast

_HOUSEKEEPING = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK", "SELECT CURRENT_SETTING", "SELECT SET_CONFIG")


def _count(call: Any) -> int:
    """Statements of a call, without transaction control and the tenant's setting."""
    with CaptureQueriesContext(connection) as captured:
        answer = call()
    assert answer.status == 200, answer
    return sum(not query["sql"].upper().startswith(_HOUSEKEEPING) for query in captured)


def _report(cast: Cast, count: int) -> None:
    actor = cast.actor_for("operator")
    with tenant_scope(A):
        for _ in range(count):
            operations.save(actor, {"machineId": str(cast.machine("M1").pk), "description": "主轴异响", "force": 1})


LISTS = (
    ("yuzhu-equip/repairorder/list", 9),
    ("yuzhu-equip/inspectmachine/list", 3),
    ("blade-flow/work/claim-list", 6),
    ("blade-flow/work/todo-list", 6),
    ("blade-flow/work/done-list", 6),
    ("blade-flow/work/send-list", 6),
    ("blade-desk/message/list", 3),
)


@pytest.mark.parametrize(("path", "most"), LISTS)
def test_a_list_costs_the_same_whatever_the_page_size(cast: Cast, path: str, most: int) -> None:
    leader = cast.client_for("repair_leader")
    _report(cast, 3)
    leader.get(path)  # the rights snapshot is made once
    few = _count(lambda: leader.get(path, size=2))
    _report(cast, 20)
    assert _count(lambda: leader.get(path, size=50)) == few <= most


def test_the_steps_of_an_order_stay_within_their_budget(cast: Cast) -> None:
    operator, leader, mate = (cast.client_for(name) for name in ("operator", "repair_leader", "repairer"))
    for caller in (operator, leader, mate):
        caller.get("blade-flow/work/counts")
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响"}
    costs = {"start": _count(lambda: operator.post_json("yuzhu-equip/repairorder/save", body))}
    order = operator.get("yuzhu-equip/repairorder/list").data["records"][0]

    def act(caller: Any, name: str, version: int, **values: Any) -> None:
        given = {"id": order["id"], "lockVersion": version, "action": name, **values}
        costs[name] = _count(lambda: caller.post_json("yuzhu-equip/repairorder/update", given))

    act(leader, "dispatch", 1, repairUserId=str(cast.user("repairer").pk))
    act(mate, "accept", 2)
    act(mate, "hang", 3, hangReason=1, remark="等件")
    act(mate, "resume", 4)
    # What `make bench` compares with the peers; raise a figure only with a reason.
    assert {name: cost for name, cost in costs.items() if cost > {"start": 22}.get(name, 21)} == {}, costs
    print(costs)
