"""Absence covers: who gets which task and when, chains, circles, edges of the period, what comes back, and leavers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from core.audit.models import Event
from core.desk.models import Message
from core.identity.models import User
from core.kernel import clock
from core.kernel.actor import acting, system
from core.kernel.tenancy import tenant_scope
from core.scheduling.models import OutboxMessage
from core.scheduling.outbox import deliver_due
from tests.cast import A, B, Body, Caller, Cast
from tests.repairs import Story
from tests.workflows.runtime.test_automatic import drawn, user
from tests.workflows.standalone import ONE_STEP, deploy, document
from workflows.runtime.commands import absences, reassign
from workflows.runtime.rows import queues
from workflows.runtime.rows.absences import Away, cover_of
from workflows.runtime.tables.worklist.models import Absence, ItemState, WorkItem

WORK, NOUN = "blade-flow/work/", "blade-flow/absence"
T0 = datetime(2026, 6, 1, 0, 0, tzinfo=UTC)  # a Monday, 08:00 in Shanghai


@pytest.fixture(autouse=True)
def _monday() -> Iterator[None]:
    with clock.at(T0):
        yield


def _local(hours: float) -> str:
    """A moment so many hours after the Monday morning, as forms send it: in the tenant's zone."""
    return (T0 + timedelta(hours=hours + 8)).strftime("%Y-%m-%d %H:%M:%S")


def _set(caller: Caller, cast: Cast, cover: str, hours: tuple[float, float] = (0, 48), **more: Any) -> Body:
    body = {"coverId": str(cast.user(cover).pk), "startTime": _local(hours[0]), "endTime": _local(hours[1]), **more}
    return caller.post_json(f"{NOUN}/submit", body)


def _started(cast: Cast, task: str = user("repairer"), by: str = "operator", key: str = "own") -> WorkItem:
    body = {"processDefinitionId": str(deploy(document(ONE_STEP.format(task=task)), key=key).pk), "variables": {}}
    answer = cast.client_for(by).post_json(f"{WORK}start-process", body)
    assert answer.status == 200, answer
    with tenant_scope(A):
        return WorkItem.objects.latest("id")  # type: ignore[no-any-return]


def _holder(item: WorkItem) -> tuple[str, str]:
    """Who holds the item, and in whose place."""
    with tenant_scope(A):
        now = WorkItem.objects.get(pk=item.pk)
        called = {None: "", **dict(User.with_removed.values_list("pk", "account"))}
        assert queues.drift() == []
        return called[now.assignee_id], called[now.in_place_of]


def _run(topic: str) -> None:
    """Deliver the messages of this topic as they would be when they are due."""
    with tenant_scope(A), acting(system(A)):
        while rows := list(OutboxMessage.objects.filter(topic=topic).order_by("id")[:1]):
            absences.begin(rows[0].pk, rows[0].payload) if topic == absences.BEGINS else absences.end(
                rows[0].pk, rows[0].payload
            )
            rows[0].delete()


def _titles(cast: Cast, account: str) -> list[str]:
    deliver_due()
    with tenant_scope(A):
        return list(Message.objects.filter(user_id=cast.user(account).pk).values_list("title", flat=True))


def test_a_new_task_goes_to_the_cover_and_shows_both_names(cast: Cast) -> None:
    assert _set(cast.client_for("repairer"), cast, "repairer2").status == 200
    item = _started(cast)
    assert _holder(item) == ("repairer2", "repairer")
    cover = cast.client_for("repairer2")
    [row] = cover.get(f"{WORK}inbox").data["records"]
    assert (row["assigneeName"], row["why"]) == ("沈修（代蒋修）", "代蒋修办理")
    [sent] = cast.client_for("operator").get(f"{WORK}send-list").data["records"]
    assert sent["assigneeName"] == "沈修（代蒋修）"
    [row] = cover.in_english().get(f"{WORK}todo-list").data["records"]
    assert (row["assigneeName"], row["why"]) == ("沈修 (for 蒋修)", "On behalf of 蒋修")
    assert _titles(cast, "repairer2") == [f"请代蒋修办理：{item.business_no}"]
    assert cast.client_for("repairer").get(f"{WORK}todo-list").data["total"] == 0
    done = cover.post_json(f"{WORK}complete-task", {"taskId": str(item.pk), "flag": "ok"})
    assert done.data["processIsFinished"] == "finished"
    history = cover.get("blade-flow/process/history-flow-list", processInstanceId=item.instance_id).data
    assert history[1]["assigneeName"] == "沈修（代蒋修）"


def test_pool_tasks_stay_with_the_pool_and_other_companies_see_nothing(cast: Cast) -> None:
    _set(cast.client_for("repairer"), cast, "viewer")
    item = _started(cast, 'xw:candidates="role:repairer"')
    assert _holder(item) == ("", "")
    with tenant_scope(A):
        absence = Absence.objects.get()
    other = cast.client_for("tenant_admin", B)
    assert other.get(f"{NOUN}/list").data["total"] == 0
    assert other.post_json(f"{NOUN}/remove", ids=absence.pk).status == 404
    foreign = {"coverId": str(cast.user("viewer", B).pk), "startTime": _local(60), "endTime": _local(70)}
    assert cast.client_for("repairer").post_json(f"{NOUN}/submit", foreign).status == 400


@pytest.mark.parametrize(
    ("hours", "expected"), [(-0.001, "repairer"), (0, "repairer2"), (47.999, "repairer2"), (48, "repairer")]
)
def test_the_period_begins_and_ends_by_the_clock_alone(cast: Cast, hours: float, expected: str) -> None:
    _set(cast.client_for("repairer"), cast, "repairer2")
    with tenant_scope(A):
        row = Absence.objects.get()
        assert (row.start_time, row.end_time) == (T0, T0 + timedelta(hours=48))  # the tenant's zone is UTC+8
    with clock.at(T0 + timedelta(hours=hours)):
        assert _holder(_started(cast))[0] == expected


def test_chosen_processes_count_before_all(cast: Cast) -> None:
    deploy(document(ONE_STEP.format(task="")), key="own")
    caller = cast.client_for("repairer")
    assert _set(caller, cast, "viewer").status == 200
    assert _set(caller, cast, "repairer2", processes=["own"]).status == 200
    assert _holder(_started(cast))[0] == "repairer2"
    assert _holder(_started(cast, key="another"))[0] == "viewer"
    [row, _all] = caller.get(f"{NOUN}/list", ascs="id").data["records"][:2]
    assert {row["processesName"], _all["processesName"]} == {"请假", "全部流程"}


def _away(user_id: int, cover: int, begin: int = 0, end: int = 10, *processes: str) -> Away:
    return Away(user_id, cover, T0 + timedelta(hours=begin), T0 + timedelta(hours=end), frozenset(processes))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([], None),
        ([_away(1, 2)], 2),
        ([_away(1, 2), _away(2, 3), _away(3, 4)], 4),  # a chain
        ([_away(1, 2), _away(2, 1)], None),  # a circle of two
        ([_away(1, 2), _away(2, 3), _away(3, 2)], None),  # a chain into a circle
        ([_away(1, 2), _away(2, 3, 5, 10)], 2),  # the second is not absent yet
        ([_away(1, 2), _away(1, 3, 0, 10, "p")], 3),  # this process counts before all
        ([_away(1, 2), _away(1, 3, 0, 10, "q")], 2),
        ([_away(1, 2), _away(1, 3)], 3),  # of two that overlap the newest
        ([_away(1, 2, -5, 0)], None),  # over: the end is outside
    ],
)
def test_chains_are_followed_and_circles_end(rows: list[Away], expected: int | None) -> None:
    assert cover_of(1, "p", T0, rows) == expected


def test_a_circle_leaves_the_task_with_the_person_and_a_starter_never_covers(cast: Cast) -> None:
    _set(cast.client_for("repairer"), cast, "repairer2")
    _set(cast.client_for("repairer2"), cast, "repairer")
    assert _holder(_started(cast)) == ("repairer", "")
    with tenant_scope(A):
        Absence.objects.filter(user__account="repairer2").delete()
    cast.client_for("repairer").change(NOUN, {"id": str(_row(cast, "repairer")), "coverId": str(
        cast.user("operator").pk)})  # fmt: skip
    assert _holder(_started(cast)) == ("repairer", "")  # the operator has started it
    assert _holder(_started(cast, by="viewer")) == ("operator", "repairer")


def _row(cast: Cast, account: str) -> int:
    with tenant_scope(A):
        return int(Absence.objects.get(user__account=account).pk)


def test_a_records_step_goes_to_a_cover_who_may_take_it(cast: Cast) -> None:
    """Nobody approves the own request: where the cover is the applicant, the task stays with the approver."""

    def asked(by: str) -> WorkItem:
        body = {"type": 1, "days": 1, "reason": "搬家", "taskUser": str(cast.user("equip_manager").pk),
                "startTime": "2026-06-20 08:00:00", "endTime": "2026-06-20 17:00:00"}  # fmt: skip
        assert cast.client_for(by).post_json("blade-desk/process/leave/start-process", body).status == 200
        with tenant_scope(A):
            return WorkItem.objects.latest("id")  # type: ignore[no-any-return]

    _set(cast.client_for("equip_manager"), cast, "viewer")
    item = asked("operator")
    assert _holder(item) == ("viewer", "equip_manager")
    answer = cast.client_for("viewer").post_json(f"{WORK}complete-task", {"taskId": str(item.pk), "flag": "ok"})
    assert answer.status == 200, answer
    assert _holder(asked("viewer")) == ("equip_manager", "")


def test_a_records_step_stays_where_the_cover_may_not_take_it(cast: Cast) -> None:
    """To accept a repair one needs the right to it, and the order's own command may say more."""
    _set(cast.client_for("repairer"), cast, "viewer", (-24, 48))
    story = Story(cast)
    story.act("repair_leader", "dispatch", repairUserId=str(cast.user("repairer").pk))
    with tenant_scope(A):
        item = WorkItem.objects.get(state=ItemState.OPEN, business_type="repairorder")
    assert item.node == "accept"
    assert _holder(item) == ("repairer", "")


def test_a_cover_who_may_not_take_a_step_leaves_it_as_it_is(cast: Cast) -> None:
    """An order that its repairer has opened stays opened when the cover cannot have it."""
    story = Story(cast)
    story.act("repair_leader", "dispatch", repairUserId=str(cast.user("repairer").pk))
    with tenant_scope(A):
        item = WorkItem.objects.get(state=ItemState.OPEN, business_type="repairorder")
    assert cast.client_for("repairer").post_json(f"{WORK}read-task", {}, taskId=str(item.pk)).status == 200
    with tenant_scope(A):
        before = WorkItem.objects.filter(pk=item.pk).values().get()
    assert before["read_time"] is not None
    assert _set(cast.client_for("repairer"), cast, "viewer", handsOver=1).status == 200
    _run(absences.BEGINS)
    with tenant_scope(A):
        assert WorkItem.objects.filter(pk=item.pk).values().get() == before


def test_what_is_open_goes_along_on_request_and_untouched_tasks_come_back(cast: Cast) -> None:
    first, second, plain = (_started(cast) for _number in range(3))
    caller, cover = cast.client_for("repairer"), cast.client_for("repairer2")
    assert _set(caller, cast, "repairer2", handsOver=1).status == 200
    assert _holder(first) == ("repairer", "")
    _run(absences.BEGINS)
    assert [_holder(one) for one in (first, second, plain)] == [("repairer2", "repairer")] * 3
    with tenant_scope(A):
        acts = (
            Event.objects.filter(instance_id=first.instance_id)
            .order_by("pk")
            .values_list("operation", "from_holder", "to_holder")
        )
        assert list(acts)[-1] == ("task.cover", cast.user("repairer").pk, cast.user("repairer2").pk)
    later = _started(cast)
    assert cover.post_json(f"{WORK}complete-task", {"taskId": str(first.pk), "flag": "ok"}).status == 200
    said = {"taskId": str(second.pk), "userId": str(cast.user("viewer").pk), "reason": "请办"}
    assert cover.post_json(f"{WORK}transfer-task", said).status == 200
    _run(absences.ENDS)  # too early: nothing happens while the absence goes on
    assert _holder(plain) == ("repairer2", "repairer")
    _set_end_again(cast, caller)
    with clock.at(T0 + timedelta(hours=50)):
        _run(absences.ENDS)
    assert [_holder(one) for one in (second, plain, later)] == [("viewer", ""), ("repairer", ""), ("repairer", "")]
    assert "请假代办已结束，2项任务退回给您" in _titles(cast, "repairer")


def _set_end_again(cast: Cast, caller: Caller) -> None:
    """Change the end, so that a message is planned for it."""
    row = _row(cast, "repairer")
    assert caller.change(NOUN, {"id": str(row), "endTime": _local(49)}).status == 200


def test_a_removed_absence_ends_at_once(cast: Cast) -> None:
    caller = cast.client_for("repairer")
    _set(caller, cast, "repairer2")
    item = _started(cast)
    assert caller.post_json(f"{NOUN}/remove", ids=_row(cast, "repairer")).status == 200
    _run(absences.ENDS)
    assert _holder(item) == ("repairer", "")
    assert _holder(_started(cast)) == ("repairer", "")


def test_everybody_keeps_the_own_ones_and_administrators_those_of_all(cast: Cast) -> None:
    caller, admin = cast.client_for("repairer"), cast.client_for("tenant_admin")
    other = _set(caller, cast, "viewer", forUserId=str(cast.user("repairer2").pk))
    assert (other.status, other["data"]["fields"]) == (400, {"forUserId": "只能设置本人的请假代办"})
    assert _set(admin, cast, "viewer", forUserId=str(cast.user("repairer2").pk)).status == 200
    assert caller.get(f"{NOUN}/list").data["total"] == 0
    assert [row["userName"] for row in admin.get(f"{NOUN}/list").data["records"]] == ["沈修"]
    assert caller.post_json(f"{NOUN}/remove", ids=_row(cast, "repairer2")).status == 404
    with tenant_scope(A):
        assert Absence.objects.count() == 1


@pytest.mark.parametrize(
    ("more", "fields"),
    [
        ({"cover": "repairer"}, {"coverId": "代办人不能是请假人本人"}),
        ({"hours": (5, 5)}, {"endTime": "结束时间应晚于开始时间"}),
        ({"processes": ["gone"]}, {"processes": "「gone」不存在"}),
    ],
)
def test_what_cannot_be_is_refused(cast: Cast, more: dict[str, Any], fields: dict[str, str]) -> None:
    answer = _set(cast.client_for("repairer"), cast, more.pop("cover", "viewer"), more.pop("hours", (0, 1)), **more)
    assert (answer.status, answer["data"]["fields"]) == (400, fields)
    with tenant_scope(A):
        assert not Absence.objects.exists()


def test_of_overlapping_absences_the_newest_counts(cast: Cast) -> None:
    caller = cast.client_for("repairer")
    assert _set(caller, cast, "viewer").status == 200
    assert _set(caller, cast, "repairer2", (10, 20)).status == 200
    assert _holder(_started(cast))[0] == "viewer"
    with clock.at(T0 + timedelta(hours=15)):
        assert _holder(_started(cast))[0] == "repairer2"
    with clock.at(T0 + timedelta(hours=20)):
        assert _holder(_started(cast))[0] == "viewer"


def test_a_leavers_covers_end_and_their_tasks_go_back(cast: Cast) -> None:
    _set(cast.client_for("repairer"), cast, "repairer2")
    item = _started(cast)
    admin, leaver = cast.client_for("tenant_admin"), cast.user("repairer2")
    assert admin.post_json("blade-user/remove", ids=leaver.pk).status == 200
    while deliver_due():
        pass
    assert _holder(item) == ("repairer", "")
    assert "代办人沈修已离职或停用，请假代办已结束" in _titles(cast, "repairer")
    assert _holder(_started(cast)) == ("repairer", "")


def test_a_disabled_cover_is_none(cast: Cast) -> None:
    _set(cast.client_for("repairer"), cast, "repairer2")
    with tenant_scope(A):
        User.objects.filter(account="repairer2").update(is_enabled=False)
    assert _holder(_started(cast)) == ("repairer", "")


def test_a_task_that_a_model_gives_to_a_leaver_is_found_and_given_back(cast: Cast) -> None:
    """A record's process names its assignee by id, and asks nobody whether that person still works here."""
    item = _started(cast)
    with tenant_scope(A):
        User.objects.filter(account="repairer").update(is_enabled=False)
        reassign.left_behind()
    while deliver_due():
        pass
    assert _holder(item)[0] != "repairer"
    with tenant_scope(A):
        assert WorkItem.objects.get(pk=item.pk).state == ItemState.OPEN


def test_covers_and_policies_go_together(cast: Cast) -> None:
    """Whether a step is decided is asked of whom the model names; the cover gets what is asked."""
    _set(cast.client_for("repairer"), cast, "viewer")
    xml = drawn(user("operator"), user("repairer"), process='xw:starterIsApprover="agree"')
    body = {"processDefinitionId": str(deploy(xml).pk), "variables": {}}
    assert cast.client_for("operator").post_json(f"{WORK}start-process", body).status == 200
    with tenant_scope(A):
        first, second = WorkItem.objects.order_by("id")
        assert (first.reason, second.assignee_id, second.in_place_of) == (
            "agreedStarter", cast.user("viewer").pk, cast.user("repairer").pk,
        )  # fmt: skip
