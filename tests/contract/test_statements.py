"""How many statements a call costs: constant for lists, bounded for the steps of an order."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.desk.models import Message
from core.kernel.permissions import PUBLIC
from core.kernel.tenancy import tenant_scope
from core.maintenance import operations
from tests.cast import A, Cast
from tests.contract.nouns import nouns, sample
from tests.contract.routes import calls

_HOUSEKEEPING = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK", "SELECT CURRENT_SETTING", "SELECT SET_CONFIG")


def _count(call: Any) -> int:
    """Statements of a call, without transaction control and the tenant's setting."""
    with CaptureQueriesContext(connection) as captured:
        answer = call()
    assert answer.status == 200, answer
    return sum(not query["sql"].upper().startswith(_HOUSEKEEPING) for query in captured)


def _report(cast: Cast, count: int) -> None:
    """Orders offered to roles and the machine's team, given to a person, given to a team, in turn."""
    operator, leader = cast.actor_for("operator"), cast.actor_for("repair_leader")
    to = ({}, {"repairUserId": str(cast.user("repairer").pk)}, {"teamId": str(cast.team("mechanics").pk)})
    with tenant_scope(A):
        for number in range(count):
            body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响", "force": 1}
            order = operations.save(operator, body)
            if given := to[number % 3]:
                operations.by_record(leader, int(order["id"]), order["lockVersion"], "dispatch", given)


def _fill(cast: Cast, numbers: range) -> None:
    """As many orders, and rows of every noun."""
    _report(cast, len(numbers))
    to = cast.user("repairer").pk
    with tenant_scope(A):
        for number in numbers:
            Message.objects.create(user_id=to, outbox_id=number, title="派单", content="主轴异响", business_id=number)
    for noun in nouns():
        for number in numbers:
            answer = noun.keeper(cast, A).post_json(f"{noun.path}/submit", sample(noun, cast, A, number))
            assert answer.status == 200, (noun.path, answer)


MOST = 6
PEOPLE = ("tenant_admin", "repair_leader", "repairer", "operator")
READS = [call for call in calls() if call.method == "get" and call.code != PUBLIC and not call.path.endswith("logout")]
ARGUMENTS = {"dictionary": {"code": "flow"}}
"""By a call's last word, what it must be given before it answers rows."""
ROWLESS = {
    "blade-flow/process/history-flow-list", "blade-flow/manager/list", "blade-flow/model/list",
    "yuzhu-equip/repairorderdetail/list",
    "blade-system/dict/child-list", "blade-system/dict-biz/child-list", "blade-log/api/list", "blade-log/error/list",
    "blade-resource/attach/list", "blade-user/user-list", "blade-system/user/user-list", "blade-flow/work/start-list",
}  # fmt: skip
"""Lists about one order or one dictionary, that must be named, and lists whose rows no noun's `submit` makes: held to
the limit, but they do not grow here."""


def _rows(data: Any) -> list[Any] | None:
    """The rows of a list's answer; None where it is no list."""
    return data if isinstance(data, list) else data.get("records") if isinstance(data, dict) else None


def test_every_list_costs_at_most_six_statements_whatever_its_rows_and_its_page(cast: Cast) -> None:
    callers = {**{account: cast.client_for(account) for account in PEOPLE}, "platform": cast.platform()}
    costs: dict[tuple[str, str], int] = {}
    lengths: dict[tuple[str, str], int] = {}

    def ask(account: str, path: str, size: int) -> Any:
        return callers[account].get(path, size=size, **ARGUMENTS.get(path.rpartition("/")[2], {}))

    _fill(cast, range(1, 4))
    for call in READS:
        for account in callers:
            answer = ask(account, call.path, 3)  # caches of the rights and of the models are filled
            if answer.status == 200 and (rows := _rows(answer.get("data"))) is not None:
                lengths[call.path, account] = len(rows)
                costs[call.path, account] = _count(partial(ask, account, call.path, 3))
    assert {key: cost for key, cost in costs.items() if cost > MOST} == {}
    _fill(cast, range(4, 10))
    grown = set()
    for (path, account), cost in costs.items():
        if 0 < lengths[path, account] < len(_rows(ask(account, path, 50).data) or []):
            assert _count(partial(ask, account, path, 50)) == cost, (path, account)
            grown.add(path)
    assert {f"{noun.path}/list" for noun in nouns()} - grown == set()
    assert {call.path for call in READS if call.path.endswith("list")} - grown == ROWLESS


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
    # definition that is started.
    start = 16 + connection.features.has_select_for_update
    assert costs == {"start": start, "dispatch": 16, "accept": 14, "hang": 13, "resume": 12}


def test_the_two_step_process_costs_what_it_costs(cast: Cast) -> None:
    from tests.bench import peers  # which counts as this file does

    start = 10 + connection.features.has_select_for_update
    assert peers.statements() == {"start": start, "list": 5, "complete first": 12, "complete last": 9}
