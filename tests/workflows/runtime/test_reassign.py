"""Open items of others: those who follow processes assign them anew, and a person who leaves leaves none behind."""

from __future__ import annotations

from typing import Any

import pytest

from core.audit.models import Event
from core.desk.models import Message
from core.identity.models import Department, User
from core.identity.users import PERSON_LEFT
from core.kernel.tenancy import tenant_scope
from core.scheduling.models import OutboxMessage
from core.scheduling.outbox import deliver_due
from tests.cast import A, B, Body, Caller, Cast
from tests.repairs import Story
from tests.workflows.processes import started
from tests.workflows.standalone import ONE_STEP, deploy, document
from workflows.runtime.commands import reassign
from workflows.runtime.rows import queues
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

REASSIGN, CLAIM, DELEGATE = (f"blade-flow/work/{word}" for word in ("reassign", "claim-task", "delegate-task"))
FOLLOW = "blade-flow/follow/list"


def _now(item: WorkItem) -> WorkItem:
    with tenant_scope(A):
        return WorkItem.objects.get(pk=item.pk)  # type: ignore[no-any-return]


def _reassign(cast: Cast, caller: Caller, item: WorkItem, to: str, reason: str = "休假", **more: Any) -> Body:
    body = {"taskId": str(item.pk), "userId": str(cast.user(to).pk), "reason": reason}
    return caller.post_json(REASSIGN, body, **more)


def _held_by(cast: Cast, account: str) -> WorkItem:
    item = started(cast)
    assert cast.client_for(account).post_json(CLAIM, taskId=item.pk).status == 200
    return _now(item)


def _order(cast: Cast, account: str) -> WorkItem:
    """The repair step of an order, held by this repairer."""
    story = Story(cast)
    story.act("repair_leader", "dispatch", repairUserId=str(cast.user(account).pk))
    story.act(account, "accept")
    with tenant_scope(A):
        return WorkItem.objects.get(state=ItemState.OPEN, business_type="repairorder")  # type: ignore[no-any-return]


def _named(cast: Cast, account: str) -> WorkItem:
    """An item that the process assigned to the person; it has no candidates."""
    xml = document(ONE_STEP.format(task=f'xw:assignee="{cast.user(account).pk}"'))
    body = {"processDefinitionId": str(deploy(xml).pk), "variables": {}}
    assert cast.client_for("operator").post_json("blade-flow/work/start-process", body).status == 200
    with tenant_scope(A):
        return WorkItem.objects.get(state=ItemState.OPEN)  # type: ignore[no-any-return]


def _told(cast: Cast, account: str) -> list[str]:
    deliver_due()
    with tenant_scope(A):
        return list(Message.objects.filter(user_id=cast.user(account).pk).values_list("title", flat=True))


def _acts(item: WorkItem) -> list[tuple[str, str, int | None, int | None, str]]:
    with tenant_scope(A):
        events = Event.objects.filter(instance_id=item.instance_id).order_by("id")
        return list(events.values_list("operation", "user_name", "from_holder", "to_holder", "remark"))


def _status(cast: Cast, account: str, status: int) -> dict[str, Any]:
    """The body that enables (1) or disables (0) an account as it is now."""
    user = cast.user(account)
    return {"id": str(user.pk), "lockVersion": user.lock_version, "status": status}


def _leave(cast: Cast, account: str, how: str = "remove") -> None:
    """The company's administrator removes or disables the account, and the worker runs."""
    admin, user = cast.client_for("tenant_admin"), cast.user(account)
    if how == "remove":
        answer = admin.post_json("blade-user/remove", ids=user.pk)
    else:
        answer = admin.post_json("blade-user/update", _status(cast, account, 0))
    assert answer.status == 200, answer
    while deliver_due():
        pass


def test_who_follows_processes_assigns_a_held_step_to_somebody_else(cast: Cast) -> None:
    item = _held_by(cast, "repair_leader")
    designer, lead, mate = cast.client_for("flow_designer"), cast.user("repair_leader").pk, cast.user("repairer").pk
    [row] = designer.get(FOLLOW).data["records"]
    assert (row["followActions"], [step["taskId"] for step in row["waits"]]) == (
        ["reassign", "suspend", "end"], [str(item.pk)],
    )  # fmt: skip
    assert row["waits"][0]["assigneeName"] == "卫长"
    assert designer.get("blade-flow/work/task-detail", taskId=item.pk).data["taskActions"] == ["reassign"]
    first = _reassign(cast, designer, item, "repairer")
    assert (first.status, first.data) == (200, {"taskId": str(item.pk), "assignee": str(mate)})
    assert _reassign(cast, designer, item, "repairer") == first
    assert (_now(item).assignee_id, _now(item).delegators) == (mate, [])
    assert _acts(item)[1:] == [("task.reassign", "高流", lead, mate, "休假")]
    assert _told(cast, "repairer") == ["任务已改派给您：P1"]
    with tenant_scope(A):
        assert queues.drift() == []
    history = designer.get("blade-flow/process/history-flow-list", processInstanceId=item.instance_id).data
    assert ("改派任务", "→ 蒋修：休假") in [(one["historyActivityName"], one["comment"]) for one in history]


def test_a_step_that_waits_for_its_candidates_is_assigned_too(cast: Cast) -> None:
    item = started(cast)
    assert _reassign(cast, cast.client_for("flow_designer"), item, "viewer").status == 200
    assert cast.client_for("repairer").get("blade-flow/work/claim-list").data["total"] == 0
    assert [row["taskId"] for row in cast.client_for("viewer").get("blade-flow/work/todo-list").data["records"]] == [
        str(item.pk)
    ]
    with tenant_scope(A):
        assert queues.drift() == []


def test_nobody_else_reassigns_and_nobody_gets_what_is_not_for_them(cast: Cast) -> None:
    item = _held_by(cast, "repair_leader")
    designer = cast.client_for("flow_designer")
    for account in ("repair_leader", "repairer", "equip_manager"):
        assert _reassign(cast, cast.client_for(account), item, "repairer").status == 403
    assert _reassign(cast, cast.client_for("flow_designer", B), item, "repairer").status == 404
    foreign = designer.post_json(
        REASSIGN, {"taskId": str(item.pk), "userId": str(cast.user("repairer", B).pk), "reason": "x"}
    )
    assert (foreign.status, foreign["data"]["fields"]) == (400, {"userId": "请选择接收人"})
    again = _reassign(cast, designer, item, "repair_leader")
    assert (again.status, again["data"]["fields"]) == (400, {"userId": "该任务已由此人办理"})
    assert _reassign(cast, designer, item, "repairer", reason="").status == 400
    assert _now(item).assignee_id == cast.user("repair_leader").pk


@pytest.mark.parametrize("how", ["remove", "disable"])
def test_what_a_leaver_has_claimed_goes_back_to_its_candidates(cast: Cast, how: str) -> None:
    item, lead = _held_by(cast, "repair_leader"), cast.user("repair_leader").pk
    _leave(cast, "repair_leader", how)
    assert (_now(item).state, _now(item).assignee_id) == (ItemState.OPEN, None)
    assert cast.client_for("repairer").get("blade-flow/work/claim-list").data["total"] == 1
    assert _acts(item)[1:] == [("task.release", "系统", lead, None, "")]
    assert _told(cast, "repairer") == ["原办理人已离职或停用，任务转到您处：P1"]
    with tenant_scope(A):
        assert queues.drift() == []


def test_without_candidates_the_leavers_manager_gets_it(cast: Cast) -> None:
    leaver, manager = cast.user("repairer"), cast.user("equip_manager")
    item = _named(cast, "repairer")
    with tenant_scope(A):
        Department.objects.filter(pk=leaver.dept_id).update(leader=manager)
    _leave(cast, "repairer")
    assert _now(item).assignee_id == manager.pk
    assert _acts(item)[-1] == ("task.release", "系统", leaver.pk, manager.pk, "")


def test_without_a_manager_the_administrators_may_claim_it(cast: Cast) -> None:
    item = _named(cast, "repairer")
    with tenant_scope(A):
        Department.objects.update(leader=None)
    _leave(cast, "repairer")
    assert _now(item).assignee_id is None
    assert cast.client_for("tenant_admin").get("blade-flow/work/claim-list").data["total"] == 1
    with tenant_scope(A):
        assert queues.drift() == []


def test_what_was_delegated_to_a_leaver_goes_back_and_what_a_leaver_delegated_does_not_wait_for_him(cast: Cast) -> None:
    to, by = _held_by(cast, "repair_leader"), _held_by(cast, "repairer")
    for item, giver, taker in ((to, "repair_leader", "repairer"), (by, "repairer", "viewer")):
        body = {"taskId": str(item.pk), "userId": str(cast.user(taker).pk), "reason": "看看"}
        assert cast.client_for(giver).post_json(DELEGATE, body).status == 200
    _leave(cast, "repairer")
    assert (_now(to).assignee_id, _now(to).delegators) == (cast.user("repair_leader").pk, [])
    assert (_now(by).assignee_id, _now(by).delegators) == (None, [])
    with tenant_scope(A):
        assert queues.drift() == []


def test_many_items_of_a_leaver_are_given_back_in_batches(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reassign, "BATCH", 2)
    several = [_held_by(cast, "repair_leader") for _number in range(5)]
    _leave(cast, "repair_leader")
    assert {_now(item).assignee_id for item in several} == {None}
    assert not OutboxMessage.objects.filter(topic=PERSON_LEFT).exists()


def test_who_is_enabled_again_before_the_worker_runs_keeps_everything(cast: Cast) -> None:
    item, user = _held_by(cast, "repair_leader"), cast.user("repair_leader")
    admin = cast.client_for("tenant_admin")
    for flag in (0, 1):
        assert admin.post_json("blade-user/update", _status(cast, "repair_leader", flag)).status == 200
    deliver_due()
    assert _now(item).assignee_id == user.pk
    with tenant_scope(A):
        assert User.objects.filter(pk=user.pk, is_enabled=True).exists()
