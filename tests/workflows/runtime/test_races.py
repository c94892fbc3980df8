"""Many at one item at once: one wins, the others hear who; and a request that is repeated is carried out once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import connection

from core.access.models import Role, UserRole
from core.audit.models import Event
from core.identity.models import User
from core.kernel.tenancy import tenant_scope
from core.maintenance.models import RepairOrder, Status
from tests.cast import A, Body, Caller, Cast
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

CROWD = 8
CLAIM, COMPLETE = "blade-flow/work/claim-task", "blade-flow/work/complete-task"
SAVE, UPDATE = "yuzhu-equip/repairorder/save", "yuzhu-equip/repairorder/update"


def races(function: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that needs real transactions of several threads."""
    return pytest.mark.django_db(transaction=True)(function)  # type: ignore[no-any-return]


def _at_once(callers: Sequence[Caller], path: str, body: dict[str, Any], key: str = "") -> list[Body]:
    """What each was answered to the same call at the same moment, each in a thread with a connection of its own."""
    answers = [Body() for _caller in callers]
    start = threading.Barrier(len(callers))

    def take_part(place: int) -> None:
        try:
            start.wait(20)
            answers[place] = callers[place].post_json(path, body, key=key)
        finally:
            connection.close()

    connection.close()  # the pool holds no more connections than the crowd needs
    threads = [threading.Thread(target=take_part, args=(place,)) for place in range(len(callers))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


@pytest.fixture
def leaders(cast: Cast) -> list[Caller]:
    """Eight repair leaders, 卫长0 to 卫长7."""
    pattern = cast.user("repair_leader")
    with tenant_scope(A):
        role = Role.objects.get(role_alias="repair_leader")
        for number in range(CROWD):
            user = User.objects.create(
                account=f"leader{number}", real_name=f"卫长{number}", dept=pattern.dept, password=pattern.password
            )
            UserRole.objects.create(user=user, role=role)
    return [cast.client_for(f"leader{number}") for number in range(CROWD)]


def _report(cast: Cast) -> tuple[int, str]:
    """A new order that waits for its dispatch: its id, and the id of its item."""
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响", "force": 1}
    order_id = int(cast.client_for("operator").post_json(SAVE, body).data["id"])
    with tenant_scope(A):
        return order_id, str(WorkItem.objects.get(business_id=order_id).pk)


def _dispatch(cast: Cast, item: str) -> dict[str, Any]:
    variables = {"repairUserId": str(cast.user("repairer").pk)}
    return {"taskId": item, "flag": "ok", "comment": "去吧", "variables": variables}


def _acts(order_id: int) -> list[str]:
    with tenant_scope(A):
        events = Event.objects.filter(business_type="repairorder", business_id=order_id).order_by("id")
        return list(events.values_list("operation", flat=True))


def _is_dispatched_once(order_id: int) -> None:
    """One dispatch in status, version, acts and items."""
    with tenant_scope(A):
        order = RepairOrder.objects.get(pk=order_id)
        items = list(WorkItem.objects.filter(business_id=order_id).order_by("id").values_list("node", "round", "state"))
    assert (order.status, order.lock_version) == (Status.DISPATCHED, 2)
    assert _acts(order_id) == ["repairorder.save", "repairorder.dispatch"]
    assert items == [("dispatch", 1, ItemState.DONE), ("accept", 1, ItemState.OPEN)]


@races
def test_of_eight_who_claim_at_once_one_wins_and_seven_read_the_winners_name(cast: Cast, leaders: list[Caller]) -> None:
    for _round in range(8):
        order_id, item = _report(cast)
        answers = _at_once(leaders, CLAIM, {"taskId": item})
        assert sorted(answer.status for answer in answers) == [200] + [409] * 7
        winner = next(number for number, answer in enumerate(answers) if answer.status == 200)
        losers = [answer for answer in answers if answer.status == 409]
        assert {answer["error"] for answer in losers} == {"workflow.taskTaken"}
        assert {answer.data["userName"] for answer in losers} == {f"卫长{winner}"}
        with tenant_scope(A):
            assert WorkItem.objects.get(pk=item).assignee_id == cast.user(f"leader{winner}").pk
        assert _acts(order_id) == ["repairorder.save", "task.claim"]


@races
@pytest.mark.parametrize("key", ["", "click-1"])
def test_one_person_who_completes_eight_times_at_once_is_heard_once_and_answered_alike(
    cast: Cast, leaders: list[Caller], key: str
) -> None:
    for number in range(5):
        order_id, item = _report(cast)
        own = f"{key}-{number}" if key else ""
        answers = _at_once([leaders[0]] * CROWD, COMPLETE, _dispatch(cast, item), own)
        assert [answer.status for answer in answers] == [200] * CROWD
        assert all(answer == answers[0] for answer in answers)
        assert answers[0].data["status"] == Status.DISPATCHED
        _is_dispatched_once(order_id)


@races
def test_of_eight_who_complete_one_offered_item_at_once_one_may_and_seven_read_who_did(
    cast: Cast, leaders: list[Caller]
) -> None:
    for _round in range(5):
        order_id, item = _report(cast)
        answers = _at_once(leaders, COMPLETE, _dispatch(cast, item))
        assert sorted(answer.status for answer in answers) == [200] + [409] * 7
        winner = next(number for number, answer in enumerate(answers) if answer.status == 200)
        losers = [answer for answer in answers if answer.status == 409]
        assert {answer["error"] for answer in losers} == {"workflow.taskCompleted"}
        assert {answer.data["userName"] for answer in losers} == {f"卫长{winner}"}
        _is_dispatched_once(order_id)


@races
def test_a_report_sent_eight_times_at_once_under_one_key_makes_one_order(cast: Cast) -> None:
    operator = cast.client_for("operator")
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响", "force": 1}
    answers = _at_once([operator] * CROWD, SAVE, body, "form-1")
    assert [answer.status for answer in answers] == [200] * CROWD
    assert all(answer == answers[0] for answer in answers)
    with tenant_scope(A):
        assert list(RepairOrder.objects.values_list("pk", flat=True)) == [int(answers[0].data["id"])]


@races
def test_an_edit_sent_eight_times_at_once_under_one_key_is_no_conflict_with_itself(cast: Cast) -> None:
    order_id, _item = _report(cast)
    operator = cast.client_for("operator")
    body = {"id": str(order_id), "lockVersion": 1, "description": "主轴异响，越来越大"}
    answers = _at_once([operator] * CROWD, UPDATE, body, "form-2")
    assert [answer.status for answer in answers] == [200] * CROWD
    assert {answer.data["lockVersion"] for answer in answers} == {2}
    assert _acts(order_id) == ["repairorder.save", "repairorder.edit"]


@pytest.mark.parametrize("door", ["business", "queue"])
def test_a_step_repeated_under_its_key_long_after_is_answered_as_it_was(cast: Cast, door: str) -> None:
    order_id, item = _report(cast)
    leader, repairer = cast.client_for("repair_leader"), cast.client_for("repairer")
    queue = _dispatch(cast, item)
    business = {"id": str(order_id), "lockVersion": 1, "action": "dispatch", **queue["variables"]}
    path, body = (UPDATE, business) if door == "business" else (COMPLETE, queue)
    first = leader.post_json(path, body, key="step-1")
    assert first.status == 200
    accepted = repairer.post_json(UPDATE, {"id": str(order_id), "lockVersion": 2, "action": "accept"})
    assert accepted.status == 200
    again = leader.post_json(path, body, key="step-1")
    assert (again.status, again) == (200, first)
    assert _acts(order_id) == ["repairorder.save", "repairorder.dispatch", "repairorder.accept"]
