"""Operations that answer later: asked after the commit, tried again, and repaired by those who follow processes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.ports import BusinessError
from core.scheduling import leases
from tests.cast import A, B, Cast
from tests.workflows.runtime.asking import (
    CATCHES,
    LATE,
    OLD,
    Process,
    Supplier,
    calls,
    due_now,
    model,
    register,
    registered,
)
from workflows.runtime.commands import operation_calls, sweep
from workflows.runtime.execution import driver
from workflows.runtime.rows import operation_calls as rows
from workflows.runtime.tables.instances.models import ProcessInstance
from workflows.runtime.tables.messages.models import OperationCall
from workflows.runtime.tables.timers.models import Timer

NEW = {"price": 120, "note": "new"}


@pytest.fixture
def supplier(monkeypatch: pytest.MonkeyPatch) -> Supplier:
    """A supplier who names a price."""
    found = Supplier(lambda part: NEW)
    register(registered(found), monkeypatch)
    rows._asks.cache_clear()
    return found


def _fails(part: str) -> Mapping[str, Any]:
    raise ConnectionError("no route")


def _sold_out(part: str) -> Mapping[str, Any]:
    raise BusinessError("noStock", "supplier.sold", "sold out")


def test_it_is_asked_after_the_commit_and_the_process_goes_on_with_its_answer(cast: Cast, supplier: Supplier) -> None:
    process = Process(cast, model())
    (call,) = calls()
    assert (call.tenant_id, call.instance_id, call.node, call.given) == (A, process.pk, "ask", {"part": "轴承"})
    assert (process.open, supplier.asked) == ([], [])
    assert operation_calls.sweep() == 1
    assert supplier.asked == [("轴承", f"{call.pk}-1")]
    assert (process.open, process.row.form, calls()) == (["dear"], {"part": "轴承", "price": 120}, [])
    assert process.told == [("operation.answer", "ask")]
    assert operation_calls.sweep() == 0
    history = (
        cast.client_for("operator")
        .in_english()
        .get("blade-flow/process/history-flow-list", processInstanceId=process.pk)
    )
    assert ("Operation answered", "test.price") in [
        (row["historyActivityName"], row["comment"]) for row in history.data
    ]


def test_a_business_error_goes_to_the_boundary_event_and_else_is_an_incident(cast: Cast, supplier: Supplier) -> None:
    supplier.says = _sold_out
    handled = Process(cast, model(CATCHES))
    assert operation_calls.sweep() == 1
    assert (handled.open, handled.told, calls()) == (["other"], [("operation.fail", "ask")], [])
    unhandled = Process(cast, model())
    assert operation_calls.sweep() == 0
    stood = unhandled.row
    assert (stood.park_code, stood.park_node) == ("uncaught", "ask")
    assert stood.park_text_en == "No boundary event catches the error “noStock” of the operation"
    (call,) = calls()
    assert (call.is_parked, call.answer, call.turn) == (True, None, 2)
    supplier.says = lambda part: NEW
    assert unhandled.repair("retry-process-instance").status == 200
    assert operation_calls.sweep() == 1
    assert unhandled.open == ["dear"]
    assert supplier.asked[-1] == ("轴承", f"{call.pk}-2")  # the answer to the other key was an error for good


def test_what_fails_is_tried_again_later_each_time_and_then_is_an_incident(cast: Cast, supplier: Supplier) -> None:
    supplier.says = _fails
    process = Process(cast, model(attributes='xw:attempts="3" xw:pause="PT20S"'))
    for tries in (1, 2, 3):
        assert process.row.park_time is None
        before = datetime.now(UTC)
        assert operation_calls.sweep() == 0
        (call,) = calls()
        wait = call.due_time - before
        assert (call.attempts, call.is_parked, call.last_error) == (
            tries, tries == 3, "Unanswered: ConnectionError: no route",
        )  # fmt: skip
        assert timedelta(seconds=20 * 2 ** (tries - 1)) <= wait < timedelta(seconds=20 * 2 ** (tries - 1) + 10)
        due_now()
    assert len({key for _part, key in supplier.asked}) == 1
    stood = process.row
    assert (stood.park_code, stood.park_node) == ("operation", "ask")
    assert stood.park_text == "操作“test.price”多次失败：ConnectionError: no route"
    assert operation_calls.sweep() == 0
    supplier.says = lambda part: NEW
    assert process.repair("correct-value", key="part", value="齿轮", reason="写错了").status == 200
    assert process.repair("retry-process-instance").status == 200
    assert operation_calls.sweep() == 1
    assert (process.open, supplier.asked[-1][0]) == (["dear"], "齿轮")


def test_whoever_follows_processes_skips_it_or_ends_the_process(cast: Cast, supplier: Supplier) -> None:
    supplier.says = _fails
    skipped = Process(cast, model(attributes='xw:attempts="1"', condition="${form.part == 'x'}"))
    operation_calls.sweep()
    assert skipped.row.park_code == "operation"
    answer = skipped.repair("skip-element", node="ask", outcome="", reason="电话问过")
    assert answer.status == 200, answer
    assert (skipped.open, skipped.row.park_time, calls()) == (["cheap"], None, [])
    ended = Process(cast, model(attributes='xw:attempts="1"'))
    operation_calls.sweep()
    assert len(calls()) == 1
    assert ended.repair("delete-process-instance", deleteReason="不买了").status == 200
    assert calls() == []


def test_an_answer_that_nobody_waits_for_any_longer_is_dropped_and_told(cast: Cast, supplier: Supplier) -> None:
    process = Process(cast, model(LATE))
    asked = operation_calls._ask

    def ask_and_fire(requests: Any) -> None:
        asked(requests)
        if requests:
            Timer.objects.update(due_time=OLD)
            assert sweep.fire_due() == 1  # the deadline of the drawing ends the wait before the answer is stored

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(operation_calls, "_ask", ask_and_fire)
        assert operation_calls.sweep() == 0
    assert (process.open, process.row.is_over, calls()) == ([], True, [])
    assert process.told == [("operation.drop", "ask")]


def test_one_that_stands_still_is_not_asked_and_keeps_an_answer_that_came(cast: Cast, supplier: Supplier) -> None:
    process = Process(cast, model())
    assert process.repair("suspend-process-instance", reason="停").status == 200
    assert (operation_calls.sweep(), supplier.asked, calls()[0].is_asleep) == (0, [], True)
    assert process.repair("resume-process-instance").status == 200
    asked = operation_calls._ask

    def ask_and_suspend(requests: Any) -> None:
        asked(requests)
        if requests:
            assert process.repair("suspend-process-instance", reason="停").status == 200

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(operation_calls, "_ask", ask_and_suspend)
        assert operation_calls.sweep() == 0
    (call,) = calls()
    assert (call.is_asleep, call.answer, process.open) == (True, {"values": NEW}, [])
    assert process.repair("resume-process-instance").status == 200
    assert operation_calls.sweep() == 1
    assert (process.open, len(supplier.asked)) == (["dear"], 1)


@pytest.mark.parametrize("moment", ["asked", "stored"])
def test_a_worker_that_is_killed_loses_nothing_and_doubles_nothing(cast: Cast, supplier: Supplier, moment: str) -> None:
    """Killed after it was asked the operation is asked again with the same key, and not after its answer was stored."""
    process = Process(cast, model())

    class KilledError(BaseException):
        """The end of the worker at this point."""

    def killed(*given: Any, **more: Any) -> None:
        raise KilledError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(*((leases, "move", killed) if moment == "asked" else (operation_calls, "_go_on", killed)))
        with pytest.raises(KilledError):
            operation_calls.sweep()
    assert (operation_calls.sweep(), process.open) == (0, [])  # the lease lasts
    due_now()
    assert operation_calls.sweep() == 1
    assert process.open == ["dear"]
    assert [key for _part, key in supplier.asked] == [supplier.asked[0][1]] * (2 if moment == "asked" else 1)
    assert process.told == [("operation.answer", "ask")]


def test_a_value_that_fits_no_field_is_an_incident_and_asked_anew(cast: Cast, supplier: Supplier) -> None:
    supplier.says = lambda part: {"price": 5000, "note": ""}
    process = Process(cast, model())
    assert operation_calls.sweep() == 0
    assert (process.row.park_text_en, process.row.form) == (
        "What the operation “test.price” answered does not fit the fields: price", {"part": "轴承"},
    )  # fmt: skip
    supplier.says = lambda part: NEW
    assert process.repair("retry-process-instance").status == 200
    assert operation_calls.sweep() == 1
    assert [key[-2:] for _part, key in supplier.asked] == ["-1", "-2"]


def test_an_answer_after_which_the_process_cannot_go_on_is_taken_and_is_an_incident(
    cast: Cast, supplier: Supplier
) -> None:
    process = Process(cast, model(condition="${remark.size &gt; 1}"))
    supplier.says = lambda part: {"price": 1, "note": 7}
    assert operation_calls.sweep() == 1
    stood = process.row
    assert (stood.park_code, len(supplier.asked), calls()) == ("expression", 1, [])
    assert stood.form["price"] == 1


def test_a_wrong_parameter_refuses_the_step_and_asks_nobody(cast: Cast, supplier: Supplier) -> None:
    definition = Process(cast, model()).row.definition_id
    operation_calls.sweep()
    caller = cast.client_for("operator").in_english()
    body = {"processDefinitionId": str(definition), "variables": {"part": "x" * 51}}
    answer = caller.post_json("blade-flow/work/start-process", body)
    assert (answer.status, answer.msg) == (409, "The parameter “Part” must be a text of at most 50 characters")
    assert (calls(), len(supplier.asked)) == ([], 1)


def test_each_company_has_its_own_and_a_busy_process_is_asked_later(cast: Cast, supplier: Supplier) -> None:
    ours, theirs = Process(cast, model()), Process(cast, model(), B)
    assert {(call.tenant_id, call.instance_id) for call in calls()} == {(A, ours.pk), (B, theirs.pk)}
    assert theirs.repair("skip-element", node="ask", outcome="", reason="x").status == 200
    foreign = ours.cast.client_for("flow_designer", B).post_json(
        "blade-flow/follow/skip-element",
        {"processInstanceId": str(ours.pk), "node": "ask", "outcome": "", "reason": "x"},
    )
    assert (foreign.status, ours.open) == (404, [])

    def busy(instance_id: int) -> ProcessInstance:
        raise driver.Busy

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver, "lock_free", busy)
        assert operation_calls.sweep() == 0
    assert [(call.attempts, call.last_error) for call in calls()] == [(0, "")]
    OperationCall.objects.update(due_time=OLD)
    assert operation_calls.sweep() == 1
    assert ours.open == ["dear"]
