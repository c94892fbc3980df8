"""How many statements the steps of an order and of a two-step process cost."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.cast import Cast

_HOUSEKEEPING = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK", "SELECT CURRENT_SETTING", "SELECT SET_CONFIG")


def _count(call: Any) -> int:
    """Statements of a call, without transaction control and the tenant's setting."""
    with CaptureQueriesContext(connection) as captured:
        answer = call()
    assert answer.status == 200, answer
    return sum(not query["sql"].upper().startswith(_HOUSEKEEPING) for query in captured)


def test_the_steps_of_an_order_cost_what_they_cost(cast: Cast) -> None:
    operator, leader, mate = (cast.client_for(name) for name in ("operator", "repair_leader", "repairer"))
    costs: dict[str, int] = {}

    def life(machine: str) -> None:
        body = {"machineId": str(cast.machine(machine).pk), "description": "主轴异响"}
        costs["start"] = _count(lambda: operator.post_json("yuzhu-equip/repairorder/save", body))
        order = operator.get("yuzhu-equip/repairorder/list").data["records"][0]

        def act(caller: Any, name: str, version: int, **values: Any) -> None:
            given = {"id": order["id"], "lockVersion": version, "action": name, **values}
            costs[name] = _count(lambda: caller.post_json("yuzhu-equip/repairorder/update", given))

        act(leader, "dispatch", 1, repairUserId=str(cast.user("repairer").pk))
        act(mate, "accept", 2)
        act(mate, "hang", 3, hangReason=1, remark="等件")
        act(mate, "resume", 4)

    life("M1")  # the rights and the model are read, and the day's numbers begin
    life("M2")
    # Change a figure only with a reason; `make bench` shows those of the two-step process. PostgreSQL also locks the
    # definition that is started. A report also asks which fields the company requires, and who is on duty.
    start = 17 + connection.features.has_select_for_update
    assert costs == {"start": start, "dispatch": 15, "accept": 14, "hang": 13, "resume": 12}


def test_the_two_step_process_costs_what_it_costs(cast: Cast) -> None:
    from tests.bench import peers  # which counts as this file does

    start = 10 + connection.features.has_select_for_update
    assert peers.statements() == {"start": start, "list": 5, "complete first": 12, "complete last": 9}
