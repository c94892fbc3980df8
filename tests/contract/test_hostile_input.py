"""Nonsense in any parameter of any call is refused or ignored; never a server error, in status or in body."""

from __future__ import annotations

import os
from typing import Any

import pytest

from core.rest.permissions import PUBLIC
from tests.cast import A, B, Caller, Cast
from tests.checksums import cast_checksums, checksum, noted, nothing_changes
from tests.contract.routes import Call, by_call, calls

NAMES = (
    "id", "ids", "taskId", "processInstanceId", "machineId", "parentId", "orderId", "code", "type", "keyword",
    "current", "size", "ascs", "status", "createTime_datege", "machineName", "nodeTypes", "category",
    "action", "lockVersion", "description", "variables", "tenantId", "username", "password", "grant_type",
    "refresh_token", "unread", "mine",
)  # fmt: skip
VALUES = (
    "\x00", "a\x00b", "-1", "0", str(2**63), str(2**64), "9" * 5000, "NaN", "1e309", "'\";--", "%", "_" * 300,
    "😀" * 50, "１２３", "²", "0000-00-00", "null", "[]", "{}", "../../..", "x" * 5000,
)  # fmt: skip
SHAPES: tuple[Any, ...] = (
    None, [], {}, [[]], {"a": {"b": []}}, True, -1, 2**62, 1.5, "", " ", "x" * 3000, ["x"], {"id": "1"},
)  # fmt: skip
BODIES: tuple[dict[str, Any], ...] = tuple(dict.fromkeys(NAMES, value) for value in SHAPES)


EVERY = 1 if "FUZZ_EXAMPLES" in os.environ else 12
"""Each call gets every twelfth value, the next call the next ones; `make prove` tries all of them on each."""
CALLS = [call for call in calls() if not call.path.endswith("logout")]


def _asking(cast: Cast, call: Call) -> Caller:
    return Caller() if call.code == PUBLIC else cast.client_for("tenant_admin")


@pytest.mark.parametrize("call", by_call(CALLS))
def test_any_value_in_any_query_parameter(cast: Cast, call: Call) -> None:
    caller = _asking(cast, call)
    with nothing_changes(cast_checksums(cast)):
        for value in VALUES[CALLS.index(call) % EVERY :: EVERY]:
            answer = call.ask(caller, None, **dict.fromkeys(NAMES, value))
            assert answer.status < 500, (value, answer)
            assert answer.get("code", 200) < 500 or answer["code"] in (40001, 40002), (value, answer)


@pytest.mark.parametrize("call", by_call(call for call in CALLS if call.method == "post"))
def test_any_value_in_any_body_field(cast: Cast, call: Call) -> None:
    caller, (mine, theirs) = _asking(cast, call), cast_checksums(cast)
    is_refused = True
    with noted() as writes:
        for body in BODIES[CALLS.index(call) % EVERY :: EVERY]:
            answer = call.ask(caller, body)
            assert answer.status < 500, (body, answer)
            is_refused = is_refused and answer.status >= 400
    if not writes:
        return
    assert checksum(B) == theirs
    # Some calls take an empty body: what they store is their business.
    assert not is_refused or checksum(A) == mine
