"""No list can be asked more than it declares: not by a parameter's name, not by an order, not by a huge page."""

from __future__ import annotations

import os
from typing import Any

import pytest

from core.rest.permissions import PUBLIC
from tests.cast import A, Caller, Cast
from tests.contract.nouns import nouns, sample
from tests.contract.routes import Call, calls

LISTS = [
    call for call in calls()
    if call.method == "get" and call.code != PUBLIC and call.path.rpartition("/")[2].endswith(("list", "page", "List"))
    and not call.path.startswith("blade-flow/process/")
]  # fmt: skip
BY_PATH = [pytest.param(call, id=call.path) for call in LISTS]

# Real columns that are secret or another table's, look-ups, operators of the ORM, and plain SQL.
NAMES = (
    "password__startswith", "password", "password_like", "password_equal", "password__regex", "tenant_id", "tenantId",
    "tenant_id_equal", "tenantId_notequal", "_connector", "_negated", "pk__in", "id__gt", "is_deleted", "isDeleted",
    "create_user", "createUser__password__startswith", "create_user__password_like", "user__password",
    "dept__leader__password__startswith", "sessions__id", "__class__", "objects", "query", "extra", "order_by",
    "1=1", "id) OR (1=1", "id`", "id\"", "'", "1=1 OR name", "updatexml(1,concat(0x7e,version()),1)", "sleep(5)",
    "id;DROP TABLE x", "a[]", "a[0]", "$where", "{}", "column", "_tableFilterSql", "sqlSegment", "params[dataScope]",
)  # fmt: skip
ORDERS = (
    "password", "-password", "tenant_id", "dept__leader__password", "user__password", "pk", "?", "-?", "random()",
    "id,password", "1", "1;select 1", "(select 1)", "if(1=1,id,name)", "id desc,password", "id)--", "'", '"', "`id`",
    "xpath,(select password)", "\\", "%00", "null", "__class__", "id__in", "sleep(5)", "extractvalue(1,1)",
    "case when 1=1 then id end", "rand()", "a" * 3000,
)  # fmt: skip
EVERY = 1 if "FUZZ_EXAMPLES" in os.environ else 3
"""Each list is asked for every third order, the next one for the next; `make prove` asks all lists for all."""


@pytest.fixture
def filled(cast: Cast, call: Call) -> Cast:
    """Two rows of the call's noun, so that an order or a filter could show."""
    for noun in nouns():
        for number in (1, 2) if call.path.startswith(f"{noun.path}/") else ():
            noun.keeper(cast, A).post_json(f"{noun.path}/submit", sample(noun, cast, A, number))
    return cast


def _asked(caller: Caller, call: Call, **parameters: Any) -> Any:
    answer = caller.get(call.path, **parameters)
    return {name: value for name, value in answer.items() if name != "requestId"}


@pytest.mark.parametrize("call", BY_PATH)
def test_unknown_names_change_nothing(filled: Cast, call: Call) -> None:
    caller = filled.client_for("tenant_admin")
    plain = _asked(caller, call)
    # The list of tenants can be searched by their ids; a company's people find their own there, or nothing.
    names = [name for name in NAMES if not (call.path == "blade-system/tenant/list" and name.startswith("tenantId"))]
    for value in ("a", "x", "1", "argon2", "' OR '1'='1"):
        assert _asked(caller, call, **dict.fromkeys(names, value)) == plain, value


@pytest.mark.parametrize("call", BY_PATH)
def test_unknown_orders_change_nothing(filled: Cast, call: Call) -> None:
    caller = filled.client_for("tenant_admin")
    plain = _asked(caller, call)
    # Entries of dictionaries and regions have a column of this name, by which they can be searched.
    has_column = call.path.startswith(("blade-system/dict", "blade-system/region"))
    parameters = ("ascs", "descs", "orderBy", *(() if has_column else ("sort",)))
    for order in ORDERS[LISTS.index(call) % EVERY :: EVERY]:
        assert _asked(caller, call, **dict.fromkeys(parameters, order)) == plain, order


@pytest.mark.parametrize("call", BY_PATH)
def test_no_page_is_larger_than_the_limit(cast: Cast, call: Call) -> None:
    caller = cast.client_for("tenant_admin")
    for size in ("-1", "0", "201", "999999999", str(2**63), "1e9", "all"):
        answer = caller.get(call.path, size=size, current="1")
        data: Any = answer.data
        if answer.status == 200 and isinstance(data, dict) and "size" in data:
            assert 1 <= data["size"] <= 200, size
            assert len(data["records"]) <= 200, size
