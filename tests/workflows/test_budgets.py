"""What a process of a tenant's own costs in statements; `tests/contract/test_statements.py` holds that of an order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.cast import Caller, Cast
from tests.workflows.standalone import deploy, two_steps

_HOUSEKEEPING = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK", "SELECT CURRENT_SETTING", "SELECT SET_CONFIG")
# Goals of the product's design; raise a figure only with a reason.
START, COMPLETE, LIST = 12, 18, 6


def _cost(call: Callable[[], Any]) -> tuple[int, Any]:
    """Statements of a call, without transaction control and the tenant's setting, and what it answered."""
    with CaptureQueriesContext(connection) as captured:
        answer = call()
    assert answer.status == 200, answer
    said = [query["sql"] for query in captured if not query["sql"].upper().startswith(_HOUSEKEEPING)]
    return len(said), answer.data


def _life(
    employee: Caller, manager: Caller, hr: Caller, definition_id: str, held: str = "", key: str = ""
) -> dict[str, int]:
    """Start, list, complete, list, complete, as `make bench` asks it; what each call cost. `held` is the step that has
    one candidate, who holds it."""
    costs = {}
    body = {"processDefinitionId": definition_id, "variables": {"days": 3, "reason": "rest"}}
    costs["start"], _answer = _cost(partial(employee.post_json, "blade-flow/work/start-process", body, key=key))
    for caller, step, variables in (
        (manager, "first", {"approved": True, "comment": "ok"}),
        (hr, "last", {"recorded": True}),
    ):
        queue = "claim-list" if step != held else "todo-list"
        costs[f"list {step}"], page = _cost(partial(caller.get, f"blade-flow/work/{queue}", size=25))
        said = {"taskId": page["records"][0]["taskId"], "flag": "ok", "comment": "ok", "variables": variables}
        costs[f"complete {step}"], done = _cost(partial(caller.post_json, "blade-flow/work/complete-task", said))
    assert done["processIsFinished"] == "finished"
    return costs


def test_start_list_and_complete_stay_within_their_budget(cast: Cast) -> None:
    people = [cast.client_for(name) for name in ("operator", "equip_manager", "viewer")]
    for definition, held in (
        (deploy(two_steps()), ""),
        (deploy(two_steps("user:equip_manager"), key="person"), "first"),
    ):
        _life(*people, str(definition.pk), held)  # caches of the rights and of the model are filled
        plain = _life(*people, str(definition.pk), held)
        again = _life(*people, str(definition.pk), held, key=f"start-{definition.pk}")
        for costs in (plain, again):
            limits = {name: {"s": START, "c": COMPLETE, "l": LIST}[name[0]] for name in costs}
            assert {name: cost for name, cost in costs.items() if cost > limits[name]} == {}, costs
        print(plain, again)


def test_a_step_that_names_nobody_costs_two_statements_more_at_most(cast: Cast) -> None:
    definition = deploy(two_steps("role:nobody", "role:nobody"))
    caller = cast.client_for("operator")
    body = {"processDefinitionId": str(definition.pk), "variables": {"days": 3, "reason": "rest"}}
    for _round in range(2):
        cost, _answer = _cost(partial(caller.post_json, "blade-flow/work/start-process", body))
    assert cost <= START + 2, cost  # nobody, no head on the way up, and so the administrator
