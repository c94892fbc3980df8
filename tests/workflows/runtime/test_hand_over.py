"""Everything of a person is handed over in batches: one audit entry a task, refusals with their reason."""

from __future__ import annotations

from typing import Any

import pytest

from core.audit.models import Event
from core.identity.models import Department, User
from core.kernel import clock
from core.kernel.tenancy import tenant_scope
from core.scheduling.models import OutboxMessage
from core.scheduling.outbox import deliver_due
from tests.cast import A, B, Body, Caller, Cast
from tests.workflows.runtime import test_reassign as single
from tests.workflows.standalone import ONE_STEP, deploy, document
from workflows.runtime.commands import hand_over
from workflows.runtime.rows import queues
from workflows.runtime.tables.worklist.models import Absence, HandOver, ItemState, WorkItem

WORK = "blade-flow/work/"


def _begin(cast: Cast, caller: Caller, of: str, to: str, **more: Any) -> Body:
    body = {"fromUserId": str(cast.user(of).pk), "userId": str(cast.user(to).pk), "reason": "离职交接"}
    return caller.post_json(f"{WORK}hand-over", {**body, **more})


def _done(caller: Caller, begun: Body) -> dict[str, Any]:
    while deliver_due():
        pass
    found: dict[str, Any] = caller.get(f"{WORK}handed-over", id=begun.data["id"]).data
    with tenant_scope(A):
        assert queues.drift() == []
    return found


def _holders() -> set[int | None]:
    with tenant_scope(A):
        return set(WorkItem.objects.filter(state=ItemState.OPEN).values_list("assignee_id", flat=True))


def test_all_goes_in_batches_with_an_entry_each(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_over, "BATCH", 2)
    several = [single._held_by(cast, "repair_leader") for _number in range(5)]
    designer = cast.client_for("flow_designer")
    begun = _begin(cast, designer, "repair_leader", "repairer")
    assert begun.status == 200
    before = designer.get(f"{WORK}handed-over", id=begun.data["id"]).data
    assert (before["moved"], before["endTime"]) == (0, "")  # the request only queues it
    state = _done(designer, begun)
    assert (state["total"], state["moved"], state["refused"]) == (5, 5, [])
    assert state["endTime"] != ""
    assert _holders() == {cast.user("repairer").pk}
    with tenant_scope(A):
        moved = Event.objects.filter(operation="task.reassign", user_id=cast.user("flow_designer").pk)
        assert {one.work_item_id for one in moved} == {item.pk for item in several}
    assert "卫长的任务已移交蒋修：5项" in single._told(cast, "repairer")


def test_what_is_refused_stays_and_says_why(cast: Cast) -> None:
    """Transferring a repair is the order's own command, for which who follows processes needs the right to it."""
    order, paper = single._order(cast, "repairer"), single._held_by(cast, "repairer")
    designer = cast.client_for("flow_designer")
    state = _done(designer, _begin(cast, designer.in_english(), "repairer", "repairer2"))
    assert (state["total"], state["moved"], [one["taskId"] for one in state["refused"]]) == (2, 1, [str(order.pk)])
    assert state["refused"][0]["message"] != ""
    assert single._now(paper).assignee_id == cast.user("repairer2").pk
    assert single._now(order).assignee_id == cast.user("repairer").pk
    admin = cast.client_for("tenant_admin")
    assert _done(admin, _begin(cast, admin, "repairer", "repairer2"))["moved"] == 1
    assert single._now(order).state == ItemState.DONE  # the order's command went on to a step of the other repairer


def test_delegations_candidates_covers_and_models_are_looked_after(cast: Cast) -> None:
    delegated = single._held_by(cast, "repairer")
    body = {"taskId": str(delegated.pk), "userId": str(cast.user("viewer").pk), "reason": "看看"}
    assert cast.client_for("repairer").post_json(f"{WORK}delegate-task", body).status == 200
    two = document(ONE_STEP.format(task='xw:candidates="user:repairer user:viewer"'))
    definition = {"processDefinitionId": str(deploy(two).pk), "variables": {}}
    assert cast.client_for("operator").post_json(f"{WORK}start-process", definition).status == 200
    with tenant_scope(A):
        offered = WorkItem.objects.latest("id")
        now = clock.now()
        Absence.objects.create(
            user=cast.user("operator"), cover=cast.user("repairer"), start_time=now,
            end_time=now.replace(year=now.year + 1),
        )  # fmt: skip
    admin, mate = cast.client_for("tenant_admin"), cast.user("repairer2").pk
    state = _done(admin, _begin(cast, admin, "repairer", "repairer2"))
    assert (state["moved"], state["refused"]) == (2, [])
    assert single._now(delegated).delegators == [mate]
    assert sorted(single._now(offered).candidate_keys) == sorted([f"user:{mate}", f"user:{cast.user('viewer').pk}"])
    with tenant_scope(A):
        assert Absence.objects.get().cover_id == mate
    assert state["named"] == [{"process": "请假", "step": "审批"}]


def test_after_the_account_is_disabled_what_the_manager_got_is_handed_over_too(cast: Cast) -> None:
    item = single._named(cast, "repairer")
    with tenant_scope(A):
        Department.objects.filter(pk=cast.user("repairer").dept_id).update(leader=cast.user("equip_manager"))
    leaver = cast.user("repairer")
    single._leave(cast, "repairer", "disable")
    assert (single._now(item).assignee_id, single._now(item).in_place_of) == (
        cast.user("equip_manager").pk, leaver.pk,
    )  # fmt: skip
    [row] = cast.client_for("equip_manager").get(f"{WORK}todo-list").data["records"]
    assert row["assigneeName"] == "钱管（代蒋修）"
    admin = cast.client_for("tenant_admin")
    assert _done(admin, _begin(cast, admin, "repairer", "repairer2"))["moved"] == 1
    assert (single._now(item).assignee_id, single._now(item).in_place_of) == (cast.user("repairer2").pk, None)


def test_who_may_and_to_whom(cast: Cast) -> None:
    item = single._held_by(cast, "repair_leader")
    designer = cast.client_for("flow_designer")
    assert _begin(cast, cast.client_for("repair_leader"), "repair_leader", "repairer").status == 403
    same = _begin(cast, designer, "repairer", "repairer")
    assert (same.status, same["data"]["fields"]) == (400, {"userId": "请选择接收人"})
    assert _begin(cast, designer, "repair_leader", "repairer", reason="").status == 400
    foreign = _begin(cast, designer, "repair_leader", "repairer", fromUserId=str(cast.user("repairer", B).pk))
    assert foreign.status == 404
    with tenant_scope(A):
        assert not HandOver.objects.exists()
        assert not OutboxMessage.objects.filter(topic=hand_over.TOPIC).exists()
    begun = _begin(cast, designer, "repair_leader", "repairer")
    assert cast.client_for("tenant_admin").get(f"{WORK}handed-over", id=begun.data["id"]).status == 404
    assert cast.client_for("flow_designer", B).get(f"{WORK}handed-over", id=begun.data["id"]).status == 404
    with tenant_scope(A):  # whoever asked for it may not do it any more when the worker comes to it
        User.objects.filter(account="flow_designer").update(is_enabled=False)
    while deliver_due():
        pass
    with tenant_scope(A):
        assert (HandOver.objects.get().moved, HandOver.objects.get().end_time is not None) == (0, True)
    assert single._now(item).assignee_id == cast.user("repair_leader").pk
