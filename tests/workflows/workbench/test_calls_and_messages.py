"""What the deployment check and the dry run say of operations that answer later, and of messages with fields."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from core import ports
from core.desk.models import Message
from core.kernel.actor import system
from core.kernel.audit_entry import AuditEntry
from core.kernel.operation import perform
from core.kernel.tenancy import tenant_scope
from core.ports import ErrorCode
from tests.cast import A, Cast
from tests.workflows.runtime.asking import CATCHES, Supplier, model, register, registered
from tests.workflows.runtime.test_sending import MESSAGE, STARTS, WAITS
from tests.workflows.runtime.test_sending import model as waiting
from workflows import engine
from workflows.runtime.execution import driver
from workflows.workbench import gate

pytestmark = pytest.mark.django_db
DRY_RUN, CATALOGUE = "blade-flow/model/dry-run", "blade-flow/model/catalogue"


@pytest.fixture(autouse=True)
def supplier(monkeypatch: pytest.MonkeyPatch) -> Supplier:
    """An operation that nobody may really ask."""
    found = Supplier(lambda part: pytest.fail("it was asked"))
    register(registered(found), monkeypatch)
    return found


def said(xml: bytes, level: str = "error") -> list[tuple[str, str]]:
    """Element and code of each problem."""
    return [(one.element, one.code) for one in gate.examine(xml).problems if one.level == level]


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ('name="price" to', 'name="cost" to', "result_unknown"),
        ("form.price", "form.cost", "message_field"),
        ('xw:operation="test.price"', 'xw:operation="test.price" xw:attempts="11"', "retry"),
        ('xw:operation="test.price"', 'xw:operation="test.price" xw:attempts="some"', "retry"),
        ('xw:operation="test.price"', 'xw:operation="test.price" xw:pause="P1M"', "retry"),
        ('xw:operation="test.price"', 'xw:operation="message.send"', "result_unknown"),
        ('xw:operation="test.price"', 'xw:operation="http.request"', "operation_unknown"),
    ],
)
def test_what_an_operation_cannot_answer_is_refused_at_its_task(before: str, after: str, problem: str) -> None:
    assert "http.request" not in ports.common  # unless the installation names hosts
    assert said(model()) == []
    assert ("ask", problem) in said(model().replace(before.encode(), after.encode()))


def test_errors_that_nobody_catches_and_events_that_never_come_are_told() -> None:
    assert ("ask", "uncaught") in said(model(), "warning")
    assert said(model(CATCHES), "warning").count(("ask", "uncaught")) == 0
    other = model(CATCHES).replace(b'errorCode="noStock"', b'errorCode="unknown"')
    assert {("ask", "uncaught"), ("gone", "never_raised")} <= set(said(other, "warning"))
    everything = model(CATCHES.replace(' errorRef="noStock"', ""))
    assert not {("ask", "uncaught"), ("gone", "never_raised")} & set(said(everything, "warning"))


def test_fields_of_messages_are_those_of_the_forms_and_starts_have_what_the_form_requires() -> None:
    assert said(WAITS) == said(STARTS) == []
    assert said(WAITS.replace(b'xw:fields="price"', b'xw:fields="cost"')) == [("wait", "message_field")]
    assert said(STARTS.replace(b'xw:fields="line,price"', b'xw:fields="price"')) == [("come", "message_field")]
    own = STARTS.replace(b'name="quote"', b'name="leave.withdraw"')
    assert said(own) == [("come", "message_unknown")]
    assert ("wait", "message_unkeyed") in said(waiting(MESSAGE.replace(' xw:key="{key}"', "")), "warning")
    assert ("wait", "message_unkeyed") not in said(WAITS, "warning")


def test_the_catalogue_says_what_comes_of_an_operation(cast: Cast) -> None:
    found = cast.client_for("flow_designer").in_english().get(CATALOGUE, key="own").data["operations"]
    (row,) = [one for one in found if one["name"] == "test.price"]
    assert (row["asks"], row["isOpen"], row["codesIn"]) == (True, False, "")
    assert row["results"] == [{"name": "price", "label": "Price"}, {"name": "note", "label": "Note"}]
    assert row["errors"] == [{"code": "noStock", "label": "Out of stock"}]
    (mail,) = [one for one in found if one["name"] == "message.send"]
    assert (mail["asks"], mail["results"], mail["errors"]) == (False, [], [])


def _run(cast: Cast, xml: bytes, values: dict[str, Any], *acts: dict[str, Any]) -> Any:
    body = {"xml": xml.decode(), "values": values, "acts": list(acts)}
    answer = cast.client_for("flow_designer").in_english().post_json(DRY_RUN, body)
    assert answer.status == 200, answer
    return answer.data


def test_the_dry_run_asks_what_the_operation_would_answer(cast: Cast) -> None:
    xml, start = model(CATCHES), {"part": "bearing"}
    waits = _run(cast, xml, start)
    assert waits["calls"] == [
        {
            "node": "ask", "name": "test.price", "label": "Ask for the price", "text": "Asks the supplier",
            "results": [
                {"name": "price", "label": "Price", "to": "form.price"},
                {"name": "note", "label": "Note", "to": "remark"},
            ],
            "errors": [{"code": "noStock", "label": "Out of stock"}],
        }
    ]  # fmt: skip
    assert waits["steps"][-1]["tokens"] == {"ask": 1}
    dear = _run(cast, xml, start, {"call": "ask", "values": {"price": 120, "note": "new"}})
    assert ([one["node"] for one in dear["open"]], dear["form"]["price"], dear["calls"]) == (["dear"], 120, [])
    sold = _run(cast, xml, start, {"call": "ask", "error": "noStock"})
    assert [one["node"] for one in sold["open"]] == ["other"]
    for act, code in (
        ({"error": "unknown"}, "input.invalid"), ({"fails": True}, "workflow.operation"),
        ({"values": {"price": 5000}}, "input.invalid"),
    ):  # fmt: skip
        refused = _run(cast, xml, start, {"call": "ask", **act})
        assert (refused["steps"][-1]["refusal"]["code"], refused["calls"][0]["node"]) == (code, "ask")
    assert "failed 5 times" in _run(cast, xml, start, {"call": "ask", "fails": True})["steps"][-1]["refusal"]["message"]


def test_the_dry_run_sets_the_fields_of_a_message(cast: Cast) -> None:
    waits = _run(cast, WAITS, {"line": "L1"})
    (message,) = waits["messages"]
    assert (message["name"], [one["key"] for one in message["form"]["components"]]) == ("quote", ["price"])
    come = _run(cast, WAITS, {"line": "L1"}, {"message": "quote", "values": {"price": 8, "line": "L2"}})
    assert (come["form"], [one["node"] for one in come["open"]]) == ({"line": "L1", "price": 8}, ["look"])


def test_an_operation_of_a_record_fails_with_a_business_error_that_leaves_nothing(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it changed of the record and in the database before is undone; the boundary event catches it."""

    def sell(record: Any, _said: Any) -> None:
        record.status = 9
        ports.messages.send([cast.actor_for("operator").user_id], ("卖", "Sold"), ("", ""), "widget", 1)
        raise ports.BusinessError("noStock", "stock.none", "无货")

    record = SimpleNamespace(status=1)
    bound = SimpleNamespace(effects={"widget.sell": sell}, errors={}, parameters={})
    host = driver._Host.__new__(driver._Host)
    host._record, host._bound = record, bound
    monkeypatch.setattr(host, "_input", lambda declared, given: None)
    with tenant_scope(A):
        before = Message.objects.count()
    for errors, raised in (
        ({}, ports.BusinessError),
        ({"widget.sell": (ErrorCode("noStock", "", ""),)}, engine.BusinessError),
    ):
        record.status, bound.errors = 1, errors
        # On PostgreSQL the scope is the transaction that the error rolls back.
        with pytest.raises(raised), tenant_scope(A):
            perform(AuditEntry("test", system(A)), [], lambda: host.call("widget.sell", "n", {}))
    with tenant_scope(A):
        assert (record.status, Message.objects.count()) == (1, before)
