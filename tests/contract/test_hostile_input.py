"""Nonsense in any parameter of any call is refused or ignored; never a server error, in status or in body."""

from __future__ import annotations

import pytest

from core.kernel.permissions import PUBLIC
from tests.cast import Caller, Cast
from tests.contract.routes import calls
from tests.contract.test_wall import checksum

NAMES = (
    "id", "ids", "taskId", "processInstanceId", "machineId", "parentId", "orderId", "code", "type", "keyword",
    "current", "size", "ascs", "status", "createTime_datege", "machineName", "nodeTypes", "category",
    "action", "lockVersion", "description", "variables", "tenantId", "username", "password", "grant_type",
    "refresh_token", "unread", "mine",
)  # fmt: skip
VALUES = (
    "\x00", "a\x00b", "-1", "0", str(2**63), str(2**64), "9" * 400, "NaN", "1e309", "'\";--", "%", "_" * 300,
    "😀" * 50, "１２３", "0000-00-00", "9999-12-31 23:59:59", "null", "[]", "{}", "../../..", "x" * 5000,
)  # fmt: skip
BODIES = tuple(
    {name: value for name in NAMES}
    for value in (None, [], {}, [[]], {"a": {"b": []}}, True, -1, 2**62, 1.5, "", " ", "x" * 3000, ["x"], {"id": "1"})
)


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_any_value_in_any_query_parameter(cast: Cast, value: str) -> None:
    administrator = cast.client_for("tenant_admin")
    before = checksum("100001"), checksum("100002")
    for call in calls():
        if call.path.endswith("logout"):
            continue
        caller = Caller() if call.code == PUBLIC else administrator
        given = dict.fromkeys(NAMES, value)
        answer = caller.get(call.path, **given) if call.method == "get" else caller.post_json(call.path, {}, **given)
        assert answer.status < 500, (call, answer)
        assert answer.get("code", 200) < 500 or answer["code"] in (40001, 40002), (call, answer)
    assert (checksum("100001"), checksum("100002")) == before


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_any_value_in_any_body_field(cast: Cast, body: dict[str, object]) -> None:
    administrator = cast.client_for("tenant_admin")
    before = checksum("100001"), checksum("100002")
    for call in calls():
        if call.method == "post":
            caller = Caller() if call.code == PUBLIC else administrator
            answer = caller.post_json(call.path, body)
            assert answer.status < 500, (call, answer)
    assert (checksum("100001"), checksum("100002")) == before
