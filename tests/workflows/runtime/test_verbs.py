"""What people do with an open step beside completing it: delegate, transfer, withdraw, urge; and who may not."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.audit.models import Event
from core.cases import commands
from core.desk.models import Message
from core.identity.models import User
from core.kernel.tenancy import tenant_scope
from core.maintenance import operations
from core.maintenance.case import REPAIR
from core.maintenance.models import RepairOrder, Status
from core.scheduling.outbox import deliver_due
from tests.cast import A, B, Body, Caller, Cast
from tests.repairs import DAY, Story, at
from tests.workflows.processes import started
from tests.workflows.standalone import deploy, two_steps
from workflows.runtime.checks import verbs_name_commands
from workflows.runtime.commands import standalone
from workflows.runtime.definitions import library
from workflows.runtime.rows import queues
from workflows.runtime.tables.instances.models import InstanceStatus, ProcessInstance
from workflows.runtime.tables.worklist.models import ItemState, WorkItem

DELEGATE, TRANSFER = "blade-flow/work/delegate-task", "blade-flow/work/transfer-task"
WITHDRAW, URGE = "blade-flow/work/withdraw", "blade-flow/work/urge"
CLAIM, COMPLETE, DETAIL = (f"blade-flow/work/{word}" for word in ("claim-task", "complete-task", "task-detail"))
SENT = "blade-flow/work/send-list"
HANDED = "blade-flow/work/handed-list"
MINE, HISTORY = "blade-flow/work/todo-list", "blade-flow/process/history-flow-list"


def _now(item: WorkItem) -> WorkItem:
    with tenant_scope(A):
        return WorkItem.objects.get(pk=item.pk)  # type: ignore[no-any-return]


def _give(cast: Cast, caller: Caller, call: str, item: WorkItem, to: str, reason: str = "出差", **more: Any) -> Body:
    body = {"taskId": str(item.pk), "userId": str(cast.user(to).pk), "reason": reason}
    return caller.post_json(call, body, **more)


def _acts(item: WorkItem) -> list[tuple[str, str, int | None, int | None, str]]:
    with tenant_scope(A):
        events = Event.objects.filter(instance_id=item.instance_id).order_by("id")
        return list(events.values_list("operation", "user_name", "from_holder", "to_holder", "remark"))


@pytest.fixture
def held(cast: Cast) -> WorkItem:
    """A standalone process's step, claimed by 卫长."""
    item = started(cast)
    assert cast.client_for("repair_leader").post_json(CLAIM, taskId=item.pk).status == 200
    return item


@pytest.mark.parametrize("door", ["record", "queue"])
def test_whoever_transfers_an_order_finds_it_until_the_other_has_accepted(cast: Cast, door: str) -> None:
    def found(who: str, tenant: str = A) -> list[tuple[str, str, str]]:
        rows = cast.client_for(who, tenant).get(HANDED).data["records"]
        return [(row["businessNo"], row["node"], row["assigneeName"]) for row in rows]

    with at("08:00"):
        story = Story(cast)
        story.send("repairer")
        mate, to = cast.client_for("repairer"), str(cast.user("repairer2").pk)
        # Holding, accepting and finishing hand nothing on, and neither does a transfer that is refused.
        story.try_to("repairer", "transfer", repairUserId=to)
        assert [found(who) for who in ("repairer", "repair_leader", "repairer2")] == [[], [], []]
        if door == "record":
            story.act("repairer", "transfer", repairUserId=to, reason="缺工具")
        else:
            [row] = mate.get("blade-flow/work/inbox").data["records"]
            assert mate.post_json(TRANSFER, {"taskId": row["taskId"], "userId": to, "reason": "缺工具"}).code == 200
        here = [(story.now["orderNo"], "accept", "沈修")]
        assert [found(who) for who in ("repairer", "repair_leader", "repairer2")] == [here, [], []]
        assert found("repair_leader", B) == []
        [row] = cast.client_for("repairer2").get("blade-flow/work/inbox").data["records"]
        accept = {"taskId": row["taskId"], "outcome": "accept"}
        assert cast.client_for("repairer2").post_json(COMPLETE, accept).code == 200
        assert found("repairer") == []


def test_whoever_hands_a_step_on_finds_it_until_it_is_done_and_sees_who_has_it(cast: Cast, held: WorkItem) -> None:
    leader, mate, second = (cast.client_for(name) for name in ("repair_leader", "repairer", "repairer2"))

    def found(caller: Caller, **given: Any) -> list[tuple[str, str, list[str]]]:
        rows = caller.get(HANDED, **given).data["records"]
        return [(row["taskId"], row["assigneeName"], row["taskActions"]) for row in rows]

    assert found(leader) == []
    assert _give(cast, leader, DELEGATE, held, "repairer").status == 200
    assert found(leader) == [(str(held.pk), "蒋修", [])]
    assert _give(cast, mate, TRANSFER, held, "repairer2").status == 200
    here = [(str(held.pk), "沈修", [])]
    assert (found(leader), found(mate), found(second)) == (here, here, [])
    assert found(leader, keyword="没有这个") == []
    assert found(cast.client_for("repair_leader", B)) == []
    # Back with the first, who finds it among the own tasks again; the second one still looks for it here.
    assert second.post_json(COMPLETE, taskId=str(held.pk), comment="看过了").status == 200
    assert (found(leader), found(mate)) == ([], [(str(held.pk), "卫长", [])])
    outcomes = leader.get(DETAIL, taskId=held.pk).data["outcomes"]
    assert leader.post_json(COMPLETE, taskId=str(held.pk), outcome=outcomes[0]["value"]).status == 200
    assert found(mate) == []


def test_a_delegated_step_comes_back_with_the_opinion(cast: Cast, held: WorkItem) -> None:
    leader, mate = cast.client_for("repair_leader"), cast.client_for("repairer")
    lead, asked = cast.user("repair_leader").pk, cast.user("repairer").pk
    assert _give(cast, leader, DELEGATE, held, "repairer").status == 200
    assert (_now(held).assignee_id, _now(held).delegators) == (asked, [lead])
    assert (leader.get(MINE).data["total"], mate.get(MINE).data["total"]) == (0, 1)
    assert mate.get(MINE).data["records"][0]["taskActions"] == ["handBack", "delegate", "transfer"]
    assert mate.get(DETAIL, taskId=held.pk).data["delegatedBy"] == "卫长"
    said = {"taskId": str(held.pk), "comment": "公章可用", "flag": "ok"}
    first = mate.post_json(COMPLETE, said)
    assert (first.status, first.data["assignee"]) == (200, str(lead))
    assert mate.post_json(COMPLETE, said) == first
    assert (_now(held).state, _now(held).assignee_id, _now(held).delegators) == (ItemState.OPEN, lead, [])
    detail = leader.get(DETAIL, taskId=held.pk).data
    assert (detail["opinion"], detail["delegatedBy"]) == ("蒋修：公章可用", "")
    assert _acts(held) == [
        ("task.claim", "卫长", None, lead, ""),
        ("task.delegate", "卫长", lead, asked, "出差"),
        ("task.handBack", "蒋修", asked, lead, "公章可用"),
    ]
    with tenant_scope(A):
        assert queues.drift() == []


_SIGHTS = ("blade-flow/process/detail", HISTORY, "blade-flow/process/model-view", "blade-flow/process/diagram-view")


def _sight(caller: Caller, item: WorkItem) -> list[int]:
    return [caller.get(call, processInstanceId=item.instance_id).status for call in _SIGHTS]


def test_whoever_delegated_a_step_sees_its_process_while_others_hold_it(cast: Cast, held: WorkItem) -> None:
    leader, mate, last = (cast.client_for(name) for name in ("repair_leader", "repairer", "equip_manager"))
    nobody, foreign = cast.client_for("repairer2"), cast.client_for("repair_leader", B)
    _give(cast, leader, DELEGATE, held, "repairer")
    _give(cast, mate, DELEGATE, held, "equip_manager")
    for caller, status in ((leader, 200), (mate, 200), (last, 200), (nobody, 404), (foreign, 404)):
        assert _sight(caller, held) == [status] * 4
    assert [row["historyActivityType"] for row in leader.get(HISTORY, processInstanceId=held.instance_id).data] == [
        "startEvent", "userTask", "task.claim", "task.delegate", "task.delegate",
    ]  # fmt: skip
    for caller in (last, mate):
        assert caller.post_json(COMPLETE, {"taskId": str(held.pk), "comment": "看过"}).status == 200
    # Handed back it is the owner's alone again; transferred, it is not.
    assert [_sight(caller, held)[0] for caller in (leader, mate, last)] == [200, 404, 404]
    _give(cast, leader, TRANSFER, held, "repairer")
    assert [_sight(caller, held)[0] for caller in (leader, mate, last)] == [404, 200, 404]


def test_whoever_delegated_a_step_reads_what_it_shows(cast: Cast) -> None:
    definition = deploy(two_steps("role:repair_leader"))
    body = {"processDefinitionId": str(definition.pk), "variables": {"days": 3, "reason": "rest"}}
    assert cast.client_for("operator").post_json("blade-flow/work/start-process", body).status == 200
    with tenant_scope(A):
        item = WorkItem.objects.get()
    assert cast.client_for("repair_leader").post_json(CLAIM, taskId=item.pk).status == 200
    # Neither of the two is a candidate of the step.
    asked = cast.client_for("equip_manager")
    _give(cast, cast.client_for("repair_leader"), DELEGATE, item, "equip_manager")
    _give(cast, asked, DELEGATE, item, "viewer")
    [section] = asked.get(_SIGHTS[0], processInstanceId=item.instance_id).data["sections"]
    assert section["values"] == {"days": 3, "reason": "rest"}


def test_the_owner_sees_it_withdrawn_too(cast: Cast, held: WorkItem) -> None:
    _give(cast, cast.client_for("repair_leader"), DELEGATE, held, "repairer")
    body = {"processInstanceId": str(held.instance_id), "reason": "填错了"}
    assert cast.client_for("operator").post_json(WITHDRAW, body).status == 200
    assert _sight(cast.client_for("repair_leader"), held)[0] == 200


def test_the_sight_of_a_process_costs_the_same_however_long_it_is(cast: Cast, held: WorkItem) -> None:
    leader = cast.client_for("repair_leader")
    _give(cast, leader, DELEGATE, held, "repairer")
    actor = cast.actor_for("repair_leader")
    with tenant_scope(A):
        with CaptureQueriesContext(connection) as few:
            assert standalone.sees(actor, held.instance_id)
        for round_ in range(2, 12):
            done = WorkItem.objects.get(pk=held.pk)
            done.pk, done.round, done.delegators = None, round_, [1, 2]
            done.state, done.engine_task = ItemState.DROPPED, f"t{round_}"
            done.save(force_insert=True)
        with CaptureQueriesContext(connection) as many:
            assert standalone.sees(actor, held.instance_id)
    assert (len(few), len(many)) == (len(few), len(few))


def test_a_delegate_may_ask_somebody_else_and_each_gets_it_back(cast: Cast, held: WorkItem) -> None:
    chain = ["repair_leader", "repairer", "equip_manager"]
    for one, other in pairwise(chain):
        assert _give(cast, cast.client_for(one), DELEGATE, held, other).status == 200
    back = _give(cast, cast.client_for("equip_manager"), TRANSFER, held, "repairer")
    assert (back.status, back["error"], back.data["fields"]) == (
        400, "input.invalid", {"userId": "该任务由此人委派，请直接办理后交回"},
    )  # fmt: skip
    for one, other in (("equip_manager", "repairer"), ("repairer", "repair_leader")):
        assert cast.client_for(one).post_json(COMPLETE, {"taskId": str(held.pk), "comment": "看过"}).status == 200
        assert _now(held).assignee_id == cast.user(other).pk


def test_a_transferred_step_stays_where_it_went(cast: Cast, held: WorkItem) -> None:
    leader, mate = cast.client_for("repair_leader"), cast.client_for("repairer")
    first = _give(cast, leader, TRANSFER, held, "repairer")
    assert (first.status, first.data["assignee"]) == (200, str(cast.user("repairer").pk))
    assert _give(cast, leader, TRANSFER, held, "repairer") == first
    again = _give(cast, leader, TRANSFER, held, "equip_manager")
    assert (again.status, again["error"], again.data["userName"]) == (409, "workflow.taskTaken", "蒋修")
    assert mate.get(MINE).data["records"][0]["taskActions"] == [
        "complete", "unclaim", "delegate", "transfer", "addSigners",
    ]  # fmt: skip
    assert [act[0] for act in _acts(held)] == ["task.claim", "task.transfer"]


@pytest.mark.parametrize("call", [DELEGATE, TRANSFER])
def test_a_repeated_request_under_its_key_is_answered_as_it_was(cast: Cast, held: WorkItem, call: str) -> None:
    leader = cast.client_for("repair_leader")
    answers = [_give(cast, leader, call, held, "repairer", key="hand-1") for _ in range(2)]
    assert answers[0].status == 200
    assert answers[0] == answers[1]
    assert len(_acts(held)) == 2


@pytest.mark.parametrize("call", [DELEGATE, TRANSFER])
@pytest.mark.parametrize(
    ("account", "to", "reason", "status", "error"),
    [
        ("operator", "repairer", "出差", 403, "access.denied"),
        ("repairer", "repairer2", "出差", 409, "workflow.taskTaken"),
        ("repair_leader", "repair_leader", "出差", 400, "input.invalid"),
        ("repair_leader", "repairer", " ", 400, "input.invalid"),
        ("repair_leader", "repairer", "长" * 501, 400, "input.invalid"),
    ],
)
def test_what_is_refused_changes_nothing(
    cast: Cast, held: WorkItem, call: str, account: str, to: str, reason: str, status: int, error: str
) -> None:
    answer = _give(cast, cast.client_for(account), call, held, to, reason)
    assert (answer.status, answer["error"]) == (status, error)
    assert _now(held).assignee_id == cast.user("repair_leader").pk
    assert [act[0] for act in _acts(held)] == ["task.claim"]


@pytest.mark.parametrize("call", [DELEGATE, TRANSFER])
def test_nobody_who_left_and_nobody_of_another_company_receives_a_step(cast: Cast, held: WorkItem, call: str) -> None:
    leader = cast.client_for("repair_leader")
    with tenant_scope(A):
        User.objects.filter(account="repairer2").update(is_enabled=False)
    foreign = {"taskId": str(held.pk), "userId": str(cast.user("repairer", B).pk), "reason": "出差"}
    for answer in (_give(cast, leader, call, held, "repairer2"), leader.post_json(call, foreign)):
        assert (answer.status, answer.data["fields"]) == (400, {"userId": "请选择接收人"})
    assert cast.client_for("repair_leader", B).post_json(call, foreign).status == 404
    assert _now(held).assignee_id == cast.user("repair_leader").pk


def test_what_nobody_holds_is_claimed_first(cast: Cast) -> None:
    item = started(cast)
    answer = _give(cast, cast.client_for("repair_leader"), DELEGATE, item, "repairer")
    assert (answer.status, answer["error"], answer.msg) == (400, "workflow.notHeld", "请先领取该任务")
    assert _now(item).assignee_id is None


def test_a_delegate_does_not_give_a_step_back_to_the_pool(cast: Cast, held: WorkItem) -> None:
    _give(cast, cast.client_for("repair_leader"), DELEGATE, held, "repairer")
    answer = cast.client_for("repairer").post_json("blade-flow/work/unclaim-task", taskId=held.pk)
    assert answer.status == 403
    assert _now(held).assignee_id == cast.user("repairer").pk


def _order(cast: Cast, *actions: tuple[str, str, dict[str, Any]]) -> WorkItem:
    body = {"machineId": str(cast.machine("M1").pk), "description": "主轴异响", "force": 1}
    with tenant_scope(A):
        answer = operations.save(cast.actor_for("operator"), body)
        for account, action, raw in actions:
            actor = cast.actor_for(account)
            answer = commands.by_record(REPAIR, actor, int(answer["id"]), answer["lockVersion"], action, raw)
        return WorkItem.objects.get(business_id=answer["id"], state=ItemState.OPEN)  # type: ignore[no-any-return]


def test_transferring_the_step_of_a_repair_is_the_order_s_own_transfer(cast: Cast) -> None:
    to = {"repairUserId": str(cast.user("repairer").pk)}
    item = _order(cast, ("repair_leader", "dispatch", to), ("repairer", "accept", {}))
    mate = cast.client_for("repairer")
    assert mate.get(MINE).data["records"][0]["taskActions"] == ["complete", "addSigners"]
    answer = _give(cast, mate, TRANSFER, item, "repairer2", "请假")
    assert (answer.status, answer.data["status"]) == (200, Status.DISPATCHED)
    with tenant_scope(A):
        order = RepairOrder.objects.get(pk=item.business_id)
        assert (order.status, order.repair_user_id) == (Status.DISPATCHED, cast.user("repairer2").pk)
    assert _acts(item)[-1][:2] == ("repairorder.transfer", "蒋修")
    assert _now(item).outcome == "transfer"


@pytest.mark.parametrize("call", [DELEGATE, TRANSFER])
def test_a_repair_order_refuses_by_name_what_would_contradict_it(cast: Cast, call: str) -> None:
    item = _order(cast)
    leader = cast.client_for("repair_leader")
    leader.post_json(CLAIM, taskId=item.pk)
    answer = _give(cast, leader, call, item, "repairer")
    word = "委派" if call == DELEGATE else "转办"
    assert (answer.status, answer["error"]) == (400, "workflow.verb")
    assert answer.msg == f"「设备维修」不支持在此{word}，请在单据上处理"
    assert _now(item).assignee_id == cast.user("repair_leader").pk
    stays = cast.client_for("operator").post_json(
        WITHDRAW, {"processInstanceId": str(item.instance_id), "reason": "不修了"}
    )
    assert (stays.status, stays["error"]) == (400, "workflow.verb")
    english = cast.client_for("operator").in_english().post_json(
        WITHDRAW, {"processInstanceId": str(item.instance_id), "reason": "no"}
    )  # fmt: skip
    assert english.msg == "“Equipment repair” does not support “withdraw” here; please use the page of the record"
    with tenant_scope(A):
        assert RepairOrder.objects.get(pk=item.business_id).status == Status.REPORTED


def test_the_starter_takes_a_process_back_and_nobody_is_asked_any_more(cast: Cast, held: WorkItem) -> None:
    starter, body = cast.client_for("operator"), {"processInstanceId": str(held.instance_id), "reason": "填错了"}
    for account, tenant, status in (("repair_leader", A, 403), ("operator", B, 404)):
        assert cast.client_for(account, tenant).post_json(WITHDRAW, body).status == status
    assert _now(held).state == ItemState.OPEN
    assert starter.post_json(WITHDRAW, {**body, "reason": ""}).status == 400
    first = starter.post_json(WITHDRAW, body)
    assert first.status == 200
    assert starter.post_json(WITHDRAW, body) == first
    with tenant_scope(A):
        instance = ProcessInstance.objects.get(pk=held.instance_id)
        assert (instance.status, _now(held).state) == (InstanceStatus.WITHDRAWN, ItemState.DROPPED)
        assert queues.drift() == []
    assert cast.client_for("repair_leader").get(MINE).data["total"] == 0
    gone = cast.client_for("repair_leader").post_json(COMPLETE, {"taskId": str(held.pk), "comment": "", "flag": "ok"})
    assert (gone.status, gone["error"]) == (409, "workflow.taskGone")
    [row] = starter.get("blade-flow/work/send-list").data["records"]
    assert (row["processIsFinished"], row["taskActions"]) == ("finished", [])
    assert _acts(held)[-1] == ("process.withdraw", "秦操", None, None, "填错了")


def test_a_model_may_forbid_to_withdraw(cast: Cast) -> None:
    item = started(cast, verbs={"withdraw": False})
    starter = cast.client_for("operator")
    assert starter.get("blade-flow/work/send-list").data["records"][0]["taskActions"] == ["urge"]
    answer = starter.post_json(WITHDRAW, {"processInstanceId": str(item.instance_id), "reason": "填错了"})
    assert (answer.status, answer["error"]) == (400, "workflow.verb")
    assert _now(item).state == ItemState.OPEN


def _told(account: str, cast: Cast) -> list[str]:
    deliver_due()
    with tenant_scope(A):
        rows = Message.objects.filter(user_id=cast.user(account).pk, title__contains="催办")
        return list(rows.values_list("title", flat=True))


def test_the_starter_urges_everybody_it_waits_for_once_in_half_an_hour(cast: Cast) -> None:
    item = started(cast)
    starter, body = cast.client_for("operator"), {"processInstanceId": str(item.instance_id), "reason": "急用"}
    assert cast.client_for("repair_leader").post_json(URGE, body).status == 403
    assert starter.post_json(URGE, body).status == 200
    assert _told("repair_leader", cast) == _told("repairer", cast) == ["秦操催办：P1"]
    assert (_told("viewer", cast), _told("operator", cast)) == ([], [])
    again = starter.post_json(URGE, body)
    assert (again.status, again["error"]) == (409, "workflow.urged")
    assert len(_told("repairer", cast)) == 1
    assert starter.get(SENT).data["records"][0]["taskActions"] == ["withdraw"]  # what would be refused is not offered
    with time_machine.travel(_now(item).urge_time + timedelta(minutes=31)):
        cast.client_for("repairer").post_json(CLAIM, taskId=item.pk)
        assert cast.client_for("operator").get(SENT).data["records"][0]["taskActions"] == ["urge", "withdraw"]
        assert cast.client_for("operator").post_json(URGE, body).status == 200
        assert (len(_told("repairer", cast)), len(_told("repair_leader", cast))) == (2, 1)


def test_who_started_a_repair_may_urge_too(cast: Cast) -> None:
    item = _order(cast)
    answer = cast.client_for("operator").post_json(URGE, {"processInstanceId": str(item.instance_id)})
    assert answer.status == 200
    assert len(_told("repair_leader", cast)) == 1
    logs = cast.client_for("operator").get("yuzhu-equip/repairorder/detail", id=item.business_id).data["logs"]
    assert [(log["action"], log["actionName"]) for log in logs] == [("save", "报修"), ("task.urge", "催办")]


def test_the_timeline_tells_who_handed_it_to_whom_in_both_languages(cast: Cast) -> None:
    to = {"repairUserId": str(cast.user("repairer").pk)}
    item = _order(cast, ("repair_leader", "dispatch", to))
    with tenant_scope(A):
        Event.objects.create(
            operation="task.delegate", user_id=1, user_name="卫长", client="web", business_type="repairorder",
            business_id=item.business_id, instance_id=item.instance_id, work_item_id=item.pk, remark="出差",
            from_holder=cast.user("repair_leader").pk, to_holder=cast.user("repairer").pk,
        )  # fmt: skip
    leader = cast.client_for("repair_leader")
    told = [
        (row["historyActivityName"], row["assigneeName"], row["comment"])
        for caller in (leader, leader.in_english())
        for row in caller.get(HISTORY, processInstanceId=item.instance_id).data
        if row["historyActivityType"] == "task.delegate"
    ]
    assert told == [("委派任务", "卫长", "→ 蒋修：出差"), ("Delegate the task", "卫长", "→ 蒋修：出差")]
    logs = leader.get("yuzhu-equip/repairorder/detail", id=item.business_id).data["logs"]
    assert (logs[-1]["actionName"], logs[-1]["toName"]) == ("委派任务", "蒋修")


@pytest.mark.parametrize(
    ("verb", "said", "problem"),
    [
        ("withdraw", {"command": "leave.withdraw"}, ""),
        ("delegate", "task", ""),
        ("transfer", False, ""),
        ("hand", "task", "“hand” is no verb of the work list; use one of delegate, transfer, withdraw."),
        ("delegate", "yes", "“delegate” has to be “task”, false, or a table that names a command."),
        (
            "transfer", {"command": "repairorder.transfer", "people": "repairUserId"},
            "“transfer” has entries that nothing reads: people.",
        ),
        ("withdraw", {"command": "leave.gone"}, "“withdraw” names the command “leave.gone”, which is not registered."),
        (
            "withdraw", {"command": "process.start"},
            "“withdraw” names “process.start”, which does not take the parameters "
            "record_id, raw, step, comment, mark.",
        ),
    ],
)  # fmt: skip
def test_the_check_finds_a_verb_that_would_fail_in_front_of_a_person(
    monkeypatch: pytest.MonkeyPatch, verb: str, said: Any, problem: str
) -> None:
    shipped = [(None, {"key": "leave", "verbs": {verb: said}})]
    monkeypatch.setattr(library, "shipped", lambda folder: shipped)
    found = [error.msg for error in verbs_name_commands(None)]
    assert found == ([f"leave, verbs: {problem}"] if problem else [])


def test_where_no_step_waits_nobody_is_urged(cast: Cast) -> None:
    item = started(cast)
    with tenant_scope(A):
        WorkItem.objects.filter(pk=item.pk).update(state=ItemState.DROPPED)
    starter = cast.client_for("operator")
    assert starter.get(SENT).data["records"][0]["taskActions"] == ["withdraw"]
    answer = starter.post_json(URGE, {"processInstanceId": str(item.instance_id)})
    assert (answer.status, answer["error"]) == (409, "workflow.nobodyWaits")
    assert answer.msg == "该流程没有等待办理的步骤，无需催办"
    assert _acts(item) == []


def _offered_and_done(story: Story, who: str) -> tuple[Any, int]:
    """What the order's page says of a reminder to this person, and what the call then answers."""
    detail = story.detail(who)
    body = {"processInstanceId": detail["processInstanceId"]}
    return detail["urge"], story.caller(who).post_json(URGE, body).status


def test_the_page_of_an_order_offers_a_reminder_exactly_where_it_succeeds(cast: Cast) -> None:
    others = ("operator2", "repair_leader", "repairer", "equip_manager", "viewer", "tenant_admin")
    at_once = ({"againTime": ""}, 200)
    with at("08:00"):
        story = Story(cast)
        assert {_offered_and_done(story, who) for who in others} == {(None, 403)}
        assert _offered_and_done(story, "operator") == at_once
        assert _offered_and_done(story, "operator") == ({"againTime": "2026-03-02 08:30:00"}, 409)
    with at("09:00"):
        story.send()
        assert _offered_and_done(story, "operator") == at_once
        story.write_line("repairer", "08:30", "08:50")
        story.act("repairer", "finish", **story.result())
    with at("10:00"):
        # It waits for the reporter, and for others who may verify it too.
        assert _offered_and_done(story, "operator") == at_once
        with tenant_scope(A):
            WorkItem.objects.filter(state=ItemState.OPEN).update(candidate_keys=[f"user:{cast.user('operator').pk}"])
    with at("11:00"):
        # Nobody reminds themselves: neither the page nor the list of what one started offers it.
        assert _offered_and_done(story, "operator") == (None, 409)
        assert story.caller("operator").get(SENT).data["records"][0]["taskActions"] == []
        story.act("operator", "check", checkResult=1)
        assert {_offered_and_done(story, who)[0] for who in ("operator", *others)} == {None}
        assert [log["action"] for log in story.detail()["logs"]].count("task.urge") == 3


def test_a_process_that_stands_still_offers_no_reminder(cast: Cast) -> None:
    with at("08:00"):
        story = Story(cast)
        with tenant_scope(A):
            ProcessInstance.objects.update(park_time=DAY, park_text="异常")
        assert story.detail("operator")["urge"] is None


def test_a_refused_outcome_is_marked_in_the_lists_and_in_the_history(cast: Cast) -> None:
    with at("08:00"):
        story = Story(cast)
        story.act("repair_leader", "dispatch", repairUserId=str(cast.user("repairer").pk))
        story.complete("repairer", "todo-list", outcome="refuse", variables={"reason": "休假"}, comment="休假")
        [row] = story.caller("repairer").get("blade-flow/work/done-list").data["records"]
        assert (row["outcomeName"], row["isNegative"]) == ("拒单", True)
        instance = story.detail()["processInstanceId"]
        rows = story.caller("operator").get(HISTORY, processInstanceId=instance).data
        assert [(one["outcome"], one["isNegative"]) for one in rows if one["outcome"]] == [
            ("dispatch", False), ("refuse", True),
        ]  # fmt: skip
