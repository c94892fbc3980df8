"""How many statements a list costs: at most six, and the same whatever its rows and its page."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from django.db import transaction

from core.cases import commands
from core.desk.models import Message
from core.kernel.tenancy import PLATFORM, tenant_scope
from core.maintenance import operations
from core.maintenance.case import REPAIR
from core.rest.permissions import PUBLIC
from tests.cast import A, Cast
from tests.contract.nouns import Noun, ledgers, nouns, sample
from tests.contract.routes import Call, by_call, calls
from tests.contract.test_statements import _count


def _report(cast: Cast, count: int) -> None:
    """Orders offered to roles and the machine's team, given to a person, given to a team, in turn."""
    operator, leader = cast.actor_for("operator"), cast.actor_for("repair_leader")
    to: tuple[dict[str, str], ...] = (
        {},
        {"repairUserId": str(cast.user("repairer").pk)},
        {"teamId": str(cast.team("mechanics").pk)},
    )
    with tenant_scope(A):
        for number in range(count):
            body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响", "force": 1}
            order = operations.save(operator, body)
            if given := to[number % 3]:
                commands.by_record(REPAIR, leader, int(order["id"]), order["lockVersion"], "dispatch", given)


def _add_orders(cast: Cast, numbers: range) -> None:
    """As many orders and messages."""
    _report(cast, len(numbers))
    to = cast.user("repairer").pk
    with tenant_scope(A):
        for number in numbers:
            Message.objects.create(user_id=to, outbox_id=number, title="派单", content="主轴异响", business_id=number)


def _add_rows(cast: Cast, noun: Noun, numbers: range) -> None:
    """As many rows of a noun or a ledger."""
    call = "submit" if "submit" in noun.actions else "save"
    for number in numbers:
        answer = noun.keeper(cast, A).post_json(f"{noun.path}/{call}", sample(noun, cast, A, number))
        assert answer.status == 200, (noun.path, answer)


MOST = 6
REPORTS = {
    "yuzhu-equip/repairorder/repairUserTimePage": 7,
    "yuzhu-equip/kpi/report": 16,
    # Twelve months; of each that is frozen two.
    "yuzhu-equip/kpi/badActors": 12 * 12 + 3,
}
"""Reports count over a period, from many tables: their numbers are their own, and as constant as a list's."""
PEOPLE = ("tenant_admin", "repair_leader", "repairer", "operator")
READS = [call for call in calls() if call.method == "get" and call.code != PUBLIC and not call.path.endswith("logout")]
ARGUMENTS = {"dictionary": {"code": "flow"}}
"""By a call's last word, what it must be given before it answers rows."""


def _rows(data: Any) -> list[Any] | None:
    """The rows of a list's answer; None where it is no list."""
    return data if isinstance(data, list) else data.get("records") if isinstance(data, dict) else None


NOUNS = (*nouns(), *ledgers())
GROWING = {f"{noun.path}/list" for noun in NOUNS} | {
    "yuzhu-equip/repairorder/list", "blade-desk/message/list", "blade-flow/work/claim-list",
    "blade-flow/work/todo-list", "blade-flow/work/send-list", "blade-flow/follow/list", "blade-log/usual/list",
}  # fmt: skip
"""Lists that have more rows after three more of their noun, or of orders and messages; any other list is held to the
limit, and to a constant where it grows too."""


@pytest.fixture(scope="module")
def few_rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Three rows of everything, made once for all lists; each case adds its own to them."""
    with django_db_blocker.unblock(), transaction.atomic():
        _add_orders(Cast(), range(1, 4))
        for noun in NOUNS:
            _add_rows(Cast(), noun, range(1, 4))
        yield
        transaction.set_rollback(True)


@pytest.mark.parametrize("call", by_call(READS))
def test_a_list_costs_at_most_six_statements_whatever_its_rows_and_its_page(
    few_rows: None, cast: Cast, call: Call
) -> None:
    callers = {account: cast.client_for(account) for account in PEOPLE}
    callers["platform"] = cast.client_for("platform", PLATFORM)
    costs: dict[str, tuple[int, int]] = {}

    def ask(account: str, size: int) -> Any:
        return callers[account].get(call.path, size=size, **ARGUMENTS.get(call.path.rpartition("/")[2], {}))

    for account in callers:
        answer = ask(account, 3)  # caches of the rights and of the models are filled
        if answer.status == 200 and (rows := _rows(answer.get("data"))) is not None:
            costs[account] = len(rows), _count(partial(ask, account, 3))
    most = REPORTS.get(call.path, MOST)
    assert {account: cost for account, (_, cost) in costs.items() if cost > most} == {}
    if not costs:
        return
    own = [noun for noun in NOUNS if call.path.startswith(f"{noun.path}/")]
    for noun in own:
        _add_rows(cast, noun, range(4, 7))
    if not own:
        _add_orders(cast, range(4, 7))
    grown = {account for account, (length, _) in costs.items() if length < len(_rows(ask(account, 50).data) or [])}
    assert {account: _count(partial(ask, account, 50)) for account in grown} == {
        account: costs[account][1] for account in grown
    }
    assert grown or call.path not in GROWING
